"""Mistakes of structure: a missing class or method, a misspelt name, a constructor that was edited.

They explain what was observed and never fail a file by themselves: each is read off an exception or an
observation, and the syntax tree only says where.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches

from pagetutor.diagnosis import structure_words as words
from pagetutor.diagnosis.manager_class import FunctionDef, find_method, manager_class
from pagetutor.diagnosis.mistake import Mistake, Span
from pagetutor.diagnosis.source import SourceText
from pagetutor.exercise.scenario import CallMethod, MakeManager, MakeRequest, Method
from pagetutor.exercise.trace import Odd, Outcome, Step, TensorSeen, Trace
from pagetutor.learner.port import Raised

REQUEST_FIELDS = ("request_id", "seq_len", "block_table")
MANAGER_FIELDS = ("num_blocks", "block_size", "head_dim", "physical_kv_cache", "free_blocks")
_METHODS = tuple(method.full_name for method in Method)
_LIST_WORDS = ("append", "extend", "pop", "remove", "insert", "clear", "index", "sort", "copy", "count")
_TORCH_WORDS = ("cat", "concat", "concatenate", "stack", "vstack", "tensor", "zeros", "empty", "index_select")


def structure_mistakes(source: SourceText, tree: ast.Module, traces: Iterable[Trace]) -> tuple[Mistake, ...]:
    """The structural mistakes these traces prove, each once, in the order they were met."""
    found: dict[tuple[str, Span | None], Mistake] = {}
    for trace in traces:
        for index, step in enumerate(trace.steps):
            before = trace.steps[index - 1] if index else None
            for mistake in _of_step(source, tree, step, before):
                found.setdefault((mistake.id, mistake.span), mistake)
    return tuple(found.values())


def load_mistakes(source: SourceText, tree: ast.Module, raised: Raised) -> tuple[Mistake, ...]:
    """The structural mistakes behind an exception that executing the file itself raised."""
    return tuple(_raised(source, tree, raised, None))


def _of_step(source: SourceText, tree: ast.Module, step: Step, before: Step | None) -> Iterator[Mistake]:
    outcome = step.outcome
    match step.op:
        case MakeManager() as op:
            if outcome.kind == "missing":
                yield _missing_class(source, tree)
            else:
                yield from _constructor(source, tree, step, op)
        case MakeRequest() as request:
            yield from _request(source, tree, step, request)
        case CallMethod(method=method):
            if outcome.kind == "missing" and outcome.what == method.full_name:
                yield _missing_method(source, tree, method)
            elif outcome.raised is not None:
                yield from _raised(source, tree, outcome.raised, method.full_name)
            elif isinstance(outcome.value, Odd) and outcome.value.kind in ("coroutine", "generator"):
                yield from _never_runs(source, tree, method.full_name, outcome.value.kind)
            if before is not None:
                yield from _shared(source, tree, step, before)


# ── what is not there ────────────────────────────────────────────────────────────────────────────


def _missing_class(source: SourceText, tree: ast.Module) -> Mistake:
    classes = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    near = get_close_matches("KVCacheManager", [name for name in classes if name != "Request"], 1, 0.5)
    if near:
        return words.missing_class(source.line_span(classes[near[0]].lineno), near[0])
    loose = next(
        (node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name in _METHODS), None
    )
    return words.missing_class(None if loose is None else source.line_span(loose.lineno), None)


def _missing_method(source: SourceText, tree: ast.Module, method: Method) -> Mistake:
    wanted = method.full_name
    functions = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    if wanted in functions:
        return words.outside_class(source.line_span(functions[wanted].lineno), wanted)
    near = get_close_matches(wanted, [name for name in functions if name not in _METHODS], 1, 0.6)
    if near:
        return words.renamed_method(source.line_span(functions[near[0]].lineno), wanted, near[0])
    return words.missing_method(wanted)


def _never_runs(source: SourceText, tree: ast.Module, method: str, kind: str) -> Iterator[Mistake]:
    """A call that only makes a coroutine or a generator: the body waits for somebody to run it."""
    definition = find_method(tree, method)
    if definition is None:
        return
    yields = (node for node in ast.walk(definition) if isinstance(node, (ast.Yield, ast.YieldFrom)))
    culprit = definition if kind == "coroutine" else next(yields, definition)
    yield words.never_runs(source.line_span(culprit.lineno), method, kind)


# ── what was raised ──────────────────────────────────────────────────────────────────────────────


def _raised(source: SourceText, tree: ast.Module, raised: Raised, name: str | None) -> Iterator[Mistake]:
    if "NameError" in raised.ancestors:
        yield from _unknown_name(source, tree, raised, name)
    elif "AttributeError" in raised.ancestors:
        yield from _unknown_attribute(source, tree, raised, name)
    elif "TypeError" in raised.ancestors:
        yield from _call_refused(source, tree, raised, name)
    elif _asks(raised):
        yield words.asks_for_input(_call_span(source, tree, raised.line, "input"), name)


def _unknown_name(
    source: SourceText, tree: ast.Module, raised: Raised, method: str | None
) -> Iterator[Mistake]:
    told = re.search(r"(?:name|variable) '(\w+)'", raised.message)
    if told is None or raised.line is None:
        return
    name = told.group(1)
    span = _name_span(source, tree, raised.line, name)
    if name in MANAGER_FIELDS or name in _assigned_on_self(tree):
        yield words.bare_name(span, name, f"self.{name}", method)
    elif name in REQUEST_FIELDS:
        yield words.bare_name(span, name, f"req.{name}", method)
    elif any(isinstance(node, ast.FunctionDef) and node.name == name for node in _methods(tree)):
        yield words.bare_call(span, name, method)
    elif name == "self":
        definition = find_method(tree, raised.frames[-1].function)
        yield words.missing_self(span if definition is None else source.line_span(definition.lineno), method)
    else:
        definition = find_method(tree, raised.frames[-1].function)
        known = _bound_names(definition) if definition is not None else []
        near = get_close_matches(name, [one for one in known if one != name], 1, 0.7)
        meant = [] if near else get_close_matches(name, _names_for_all(tree), 1, 0.75)
        if meant:
            yield words.misspelt_name(span, name, meant[0], method)
        else:
            yield words.unbound_name(span, name, near[0] if near else None, method)


def _unknown_attribute(
    source: SourceText, tree: ast.Module, raised: Raised, method: str | None
) -> Iterator[Mistake]:
    told = re.search(
        r"(?:'(\w+)' object|type object '(\w+)'|module '(\w+)') has no attribute '(\w+)'", raised.message
    )
    if told is None or raised.line is None:
        return
    owner, name = told.group(1) or told.group(2) or told.group(3), told.group(4)
    known = _known_attributes(tree, owner)
    near = get_close_matches(name, [one for one in known if one != name], 1, 0.6)
    span = _attribute_span(source, tree, raised.line, name)
    inner = _nested_function(tree, name)
    if inner is not None:
        yield words.outside_class(source.line_span(inner.lineno), name)
    elif near:
        yield words.misspelt(span, name, near[0], method)
    elif name in REQUEST_FIELDS and owner != "Request":
        yield words.other_owner(span, name, f"req.{name}", method)
    elif name in MANAGER_FIELDS and owner == "Request":
        yield words.other_owner(span, name, f"self.{name}", method)
    elif owner == "Request" or any(
        isinstance(node, ast.ClassDef) and node.name == owner for node in tree.body
    ):
        yield words.no_such_attribute(span, name, owner, method)


def _nested_function(tree: ast.Module, name: str) -> FunctionDef | None:
    """A function of that name inside another one: one level too deep to be a method."""
    for outer in _methods(tree):
        for node in ast.walk(outer):
            if node is not outer and isinstance(node, ast.FunctionDef) and node.name == name:
                return node
    return None


def _known_attributes(tree: ast.Module, owner: str) -> Sequence[str]:
    if owner == "Request":
        return REQUEST_FIELDS
    if owner in ("list", "deque"):
        return _LIST_WORDS
    if owner == "torch":
        return _TORCH_WORDS
    if any(isinstance(node, ast.ClassDef) and node.name == owner for node in ast.walk(tree)):
        return (*MANAGER_FIELDS, *(node.name for node in _methods(tree)), *_assigned_on_self(tree))
    return ()


def _call_refused(
    source: SourceText, tree: ast.Module, raised: Raised, method: str | None
) -> Iterator[Mistake]:
    """A method that the call itself does not fit: no frame of the learner's file was entered."""
    if method is None or raised.line is not None or method not in raised.message:
        return
    definition = find_method(tree, method)
    if definition is None:
        return
    span = source.line_span(definition.lineno)
    parameters = [one.arg for one in (*definition.args.posonlyargs, *definition.args.args)]
    if len(parameters) == 1 and parameters[0] != "self":
        yield words.missing_self(span, method)
    else:
        yield words.wrong_signature(span, method)


def _asks(raised: Raised) -> bool:
    return raised.exception == "EOFError" or ("input" in raised.message and "stdin" in raised.message)


# ── constructors ─────────────────────────────────────────────────────────────────────────────────


def _constructor(source: SourceText, tree: ast.Module, step: Step, op: MakeManager) -> Iterator[Mistake]:
    if step.outcome.raised is not None:
        taken = _taken_builtin(source, tree, step.outcome.raised)
        if taken is not None:
            yield taken
        elif step.outcome.raised.line is not None or "__init__" in step.outcome.raised.message:
            yield words.edits_init(_raised_span(source, step.outcome), "__init__")
        return
    seen = step.managers.get(op.manager)
    if seen is None:
        return
    shape = (op.num_blocks, op.block_size, op.head_dim)
    if not isinstance(seen.pool, TensorSeen) or seen.pool.shape != shape:
        yield words.edits_init(_field_span(source, tree, "physical_kv_cache"), "physical_kv_cache")
    if isinstance(seen.free, Odd) or sorted(map(repr, seen.free)) != sorted(map(repr, range(op.num_blocks))):
        shared = _class_level(source, tree, "free_blocks")
        if shared is not None:  # one list for all managers: every constructor adds its ids to it
            yield words.shared(shared, "free_blocks")
        else:
            yield words.edits_init(_field_span(source, tree, "free_blocks"), "free_blocks")


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


def _request(source: SourceText, tree: ast.Module, step: Step, op: MakeRequest) -> Iterator[Mistake]:
    seen = step.requests.get(op.request)
    if step.outcome.raised is not None:
        yield words.edits_init(_raised_span(source, step.outcome), "__init__")
    elif seen is not None and seen.table:
        # Not empty when it was made: another request's blocks, or an edited constructor.
        shared = _shared_span(source, tree, "block_table")
        if shared is not None:
            yield words.shared(shared, "block_table")
        else:
            yield words.edits_init(_field_span(source, tree, "block_table"), "block_table")
    elif seen is not None and seen.seq_len != op.prompt_len:
        yield words.edits_init(_field_span(source, tree, "seq_len"), "seq_len")


def _shared(source: SourceText, tree: ast.Module, step: Step, before: Step) -> Iterator[Mistake]:
    """A call on one request or manager that changed another one, because both hold the same object.

    Equal contents prove nothing: code may reach for another request's table and change that one.
    """
    if not isinstance(step.op, CallMethod):
        return
    for name, request in before.requests.items():
        now = step.requests.get(name)
        if name != step.op.request and now is not None and now.shares and now.table != request.table:
            yield words.shared(_shared_span(source, tree, "block_table"), "block_table")
    for name, manager in before.managers.items():
        after = step.managers.get(name)
        if name != step.op.manager and after is not None and after.shares and after.free != manager.free:
            yield words.shared(_shared_span(source, tree, "free_blocks"), "free_blocks")


# ── where ────────────────────────────────────────────────────────────────────────────────────────


def _raised_span(source: SourceText, outcome: Outcome) -> Span | None:
    line = outcome.raised.line if outcome.raised is not None else None
    return None if line is None else source.line_span(line)


def _name_span(source: SourceText, tree: ast.Module, line: int, name: str) -> Span:
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Name)
            and node.id == name
            and node.lineno <= line <= (node.end_lineno or line)
        ):
            return source.span(node)
    return source.line_span(line)


def _attribute_span(source: SourceText, tree: ast.Module, line: int, name: str) -> Span:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr == name and node.end_lineno == line:
            whole = source.span(node)
            return Span(whole.end_line, whole.end_column - len(name), whole.end_line, whole.end_column)
    return source.line_span(line)


def _call_span(source: SourceText, tree: ast.Module, line: int | None, name: str) -> Span | None:
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=called)) if called == name and line in (None, node.lineno):
                return source.span(node)
    return None if line is None else source.line_span(line)


def _field_span(source: SourceText, tree: ast.Module, field: str) -> Span | None:
    """The value a constructor gives to `self.field`, else the constructor."""
    init: FunctionDef | None = None
    owner = None if field in REQUEST_FIELDS else manager_class(tree)
    for node in ast.walk(tree if owner is None else owner):
        if isinstance(node, ast.FunctionDef) and node.name == "__init__":
            init = init or node
            for inner in ast.walk(node):
                match inner:
                    case ast.Assign(targets=[ast.Attribute(attr=name)], value=value) if name == field:
                        return source.span(value)
                    case ast.AnnAssign(target=ast.Attribute(attr=name), value=ast.expr() as value) if (
                        name == field
                    ):
                        return source.span(value)
    return None if init is None else source.line_span(init.lineno)


def _shared_span(source: SourceText, tree: ast.Module, field: str) -> Span | None:
    """A field made once for the class, or a default value made once for all calls."""
    made_once = _class_level(source, tree, field)
    if made_once is not None:
        return made_once
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef) and function.name == "__init__":
            for default in function.args.defaults:
                if isinstance(default, (ast.List, ast.Dict, ast.Call)):
                    return source.span(default)
    return None


def _class_level(source: SourceText, tree: ast.Module, field: str) -> Span | None:
    """Where a class, not an object, is given this field."""
    for owner in ast.walk(tree):
        if isinstance(owner, ast.ClassDef):
            for node in owner.body:
                match node:
                    case (
                        ast.Assign(targets=[ast.Name(id=name)], value=ast.expr())
                        | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr())
                    ) if name == field:
                        return source.span(node)
    return None


def _methods(tree: ast.Module) -> list[FunctionDef]:
    return [
        node
        for owner in ast.walk(tree)
        if isinstance(owner, ast.ClassDef)
        for node in owner.body
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    ]


def _assigned_on_self(tree: ast.Module) -> list[str]:
    return [
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
    ]


def _names_for_all(tree: ast.Module) -> list[str]:
    """What any line may use: the file's imports, classes, functions and names, and Python's own."""
    names: list[str] = []
    for node in tree.body:
        match node:
            case ast.Import(names=imported) | ast.ImportFrom(names=imported):
                names += [one.asname or one.name.partition(".")[0] for one in imported]
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
                names.append(name)
            case ast.Assign(targets=targets):
                names += [one.id for one in targets if isinstance(one, ast.Name)]
    return [*names, *(name for name in dir(builtins) if not name.startswith("_"))]


def _bound_names(definition: FunctionDef) -> list[str]:
    names = [
        node.id
        for node in ast.walk(definition)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    ]
    return [*names, *(argument.arg for argument in definition.args.args)]
