"""What became of the constructors: gone by another name, refused, or no longer making what they should."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches

from pagetutor.diagnosis import structure_words as words
from pagetutor.diagnosis.manager_class import FUNCTIONS, FunctionDef, class_named, method_of
from pagetutor.diagnosis.misspelt_fields import one_edit, stores_of
from pagetutor.diagnosis.mistake import Mistake
from pagetutor.diagnosis.sharing import made_only_once
from pagetutor.diagnosis.source import SourceText
from pagetutor.diagnosis.spots import attribute_span, field_span, parameters_of, raised_span
from pagetutor.exercise.scenario import MakeManager, MakeRequest
from pagetutor.exercise.trace import Odd, Step, TensorSeen
from pagetutor.learner.port import Raised

_MANAGER_TAKES = ("num_blocks", "block_size", "head_dim")
_REQUEST_TAKES = ("request_id", "prompt_len")


def manager_mistakes(source: SourceText, tree: ast.Module, step: Step, op: MakeManager) -> Iterator[Mistake]:
    """What is wrong with the manager that this step made, or could not make."""
    raised = step.outcome.raised
    if raised is not None:
        taken = _taken_builtin(source, tree, raised)
        refused = taken or refused_construction(source, tree, raised)
        if refused is not None:
            yield refused
        elif raised.line is not None or "__init__" in raised.message:
            yield words.edits_init(raised_span(source, raised), "__init__")
        return
    seen = step.managers.get(op.manager)
    if seen is None:
        return
    shape = (op.num_blocks, op.block_size, op.head_dim)
    if not isinstance(seen.pool, TensorSeen) or seen.pool.shape != shape:
        yield _unlike_the_starter(source, tree, "physical_kv_cache", seen.extra)
    if isinstance(seen.free, Odd) or sorted(map(repr, seen.free)) != sorted(map(repr, range(op.num_blocks))):
        yield _unlike_the_starter(source, tree, "free_blocks", seen.extra)


def request_mistakes(source: SourceText, tree: ast.Module, step: Step, op: MakeRequest) -> Iterator[Mistake]:
    """What is wrong with the request that this step made, or could not make."""
    seen = step.requests.get(op.request)
    raised = step.outcome.raised
    if raised is not None:
        refused = refused_construction(source, tree, raised)
        yield refused or words.edits_init(raised_span(source, raised), "__init__")
    elif seen is not None and seen.table:
        # Not empty when it was made: another request's blocks, or an edited constructor.
        yield _unlike_the_starter(source, tree, "block_table", seen.extra)
    elif seen is not None and seen.seq_len != op.prompt_len:
        yield _unlike_the_starter(source, tree, "seq_len", seen.extra)


def _unlike_the_starter(source: SourceText, tree: ast.Module, field: str, extra: Sequence[str]) -> Mistake:
    """A field that was made otherwise: under a name beside its own, once for all objects, or edited."""
    for name in extra:
        stores = _set_in_init(tree, name) if one_edit(name, field) else []
        if stores and not _set_in_init(tree, field):
            return words.misspelt_field(attribute_span(source, stores[0]), name, field, None)
    shared = made_only_once(source, tree, field) if field in ("free_blocks", "block_table") else None
    if shared is not None:  # one list for all: every constructor adds its ids to it
        return words.shared(shared, field)
    return words.edits_init(field_span(source, tree, field), field)


def _set_in_init(tree: ast.Module, name: str) -> list[ast.Attribute]:
    inits = [node for node in ast.walk(tree) if isinstance(node, FUNCTIONS) and node.name == "__init__"]
    return [store for init in inits for store in stores_of(init, name)]


def refused_construction(source: SourceText, tree: ast.Module, raised: Raised) -> Mistake | None:
    """Why Python could not call the constructor: it has another name, or other parameters."""
    if not {"TypeError", "AttributeError"} & set(raised.ancestors):
        return None
    told = re.search(r"^(\w+)(?:\.__init__)?\(\) (?:takes|missing|got)", raised.message)
    if told is not None:
        owner = class_named(tree, told.group(1))
        if owner is None:
            return None
        init = method_of(tree, owner, "__init__")
        if init is not None:
            return _unfit_init(source, init, owner, raised)
        return _no_init(source, tree, owner) if "takes no arguments" in raised.message else None
    return _swapped_in_init(source, tree, raised)


def _unfit_init(source: SourceText, init: FunctionDef, owner: ast.ClassDef, raised: Raised) -> Mistake | None:
    if raised.line is not None and ".__init__" not in raised.message:
        return None
    parameters = parameters_of(init)
    span = source.line_span(init.lineno)
    wanted = len(_REQUEST_TAKES if owner.name == "Request" else _MANAGER_TAKES)
    if "self" not in parameters and len(parameters) == wanted:
        return words.missing_self(span, None)
    return words.edits_init(span, "__init__") if raised.line is None else None


def _swapped_in_init(source: SourceText, tree: ast.Module, raised: Raised) -> Mistake | None:
    """`def __init__(num_blocks, self, …)`: the object comes first, whatever the names say."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name == "__init__" and raised.line is not None:
            parameters = parameters_of(node)
            if "self" in parameters[1:] and node.lineno <= raised.line <= (node.end_lineno or node.lineno):
                return words.swapped_parameters(source.line_span(node.lineno), parameters[0], None)
    return None


def _no_init(source: SourceText, tree: ast.Module, owner: ast.ClassDef) -> Mistake:
    meant = _meant_as_init(owner)
    if meant is not None:
        return words.never_called_init(source.line_span(meant.lineno), meant.name)
    in_classes = {id(node) for each in ast.walk(tree) if isinstance(each, ast.ClassDef) for node in each.body}
    loose = [
        node
        for node in ast.walk(tree)
        if isinstance(node, FUNCTIONS) and node.name == "__init__" and id(node) not in in_classes
    ]
    if loose:
        return words.outside_class(source.line_span(loose[0].lineno), "__init__")
    return words.missing_method("__init__", source.line_span(owner.lineno))


def _meant_as_init(owner: ast.ClassDef) -> FunctionDef | None:
    """The method that was to be `__init__`: by its name, else by what it takes."""
    functions = {node.name: node for node in owner.body if isinstance(node, FUNCTIONS)}
    bare = {name.strip("_").lower(): node for name, node in functions.items()}
    near = get_close_matches("init", list(bare), 1, 0.7)
    if near:
        return bare[near[0]]
    takes = set(_REQUEST_TAKES if owner.name == "Request" else _MANAGER_TAKES)
    return next((node for node in functions.values() if takes <= {one.arg for one in node.args.args}), None)


# What `from torch import *` puts in the place of Python's own.
_TORCH_TAKES = frozenset(
    {
        "abs",
        "all",
        "any",
        "bool",
        "complex",
        "div",
        "float",
        "int",
        "max",
        "min",
        "pow",
        "range",
        "round",
        "sum",
    }
)


def _taken_builtin(source: SourceText, tree: ast.Module, raised: Raised) -> Mistake | None:
    """A name of Python's own that means something else in this file, used on the line that raised."""
    if raised.line is None or "TypeError" not in raised.ancestors:
        return None
    takers: dict[str, ast.stmt] = {}
    for node in tree.body:
        match node:
            case ast.ImportFrom(module="torch", names=[ast.alias(name="*")]):
                takers.update(dict.fromkeys(_TORCH_TAKES, node))
            case ast.Assign(targets=[ast.Name(id=name)]) if hasattr(builtins, name):
                takers[name] = node
    for used in ast.walk(tree):
        match used:
            case ast.Call(func=ast.Name(id=name), lineno=raised.line) if name in takers:
                return words.taken_builtin(source.line_span(takers[name].lineno), name, raised.line)
    return None
