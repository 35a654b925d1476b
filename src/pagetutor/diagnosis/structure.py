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
from pagetutor.diagnosis.constructors import manager_mistakes, refused_construction, request_mistakes
from pagetutor.diagnosis.manager_class import (
    FUNCTIONS,
    FunctionDef,
    class_named,
    find_method,
    manager_class,
    method_of,
)
from pagetutor.diagnosis.misspelt_fields import misspelt_fields, one_edit, stores_of
from pagetutor.diagnosis.mistake import Mistake, Span
from pagetutor.diagnosis.sharing import shared_lists
from pagetutor.diagnosis.source import SourceText
from pagetutor.diagnosis.spots import (
    MANAGER_FIELDS,
    REQUEST_FIELDS,
    attribute_on,
    attribute_span,
    call_span,
    function_at,
    name_span,
    parameters_of,
)
from pagetutor.exercise.scenario import CallMethod, MakeManager, MakeRequest, Method
from pagetutor.exercise.trace import Odd, Trace
from pagetutor.learner.port import Raised

_METHODS = tuple(method.full_name for method in Method)
_LIST_WORDS = ("append", "extend", "pop", "remove", "insert", "clear", "index", "sort", "copy", "count")
_TORCH_WORDS = ("cat", "concat", "concatenate", "stack", "vstack", "tensor", "zeros", "empty", "index_select")


def structure_mistakes(source: SourceText, tree: ast.Module, traces: Iterable[Trace]) -> tuple[Mistake, ...]:
    """The structural mistakes these traces prove, each once, in the order they were met."""
    found: dict[tuple[str, Span | None], Mistake] = {}
    played = list(traces)
    for trace in played:
        for index in range(len(trace.steps)):
            for mistake in _of_step(source, tree, trace, index):
                found.setdefault((mistake.id, mistake.span), mistake)
    for mistake in misspelt_fields(source, tree, played):
        found.setdefault((mistake.id, mistake.span), mistake)
    return tuple(found.values())


def load_mistakes(source: SourceText, tree: ast.Module, raised: Raised) -> tuple[Mistake, ...]:
    """The structural mistakes behind an exception that executing the file itself raised."""
    return tuple(_raised(source, tree, raised, None))


def _of_step(source: SourceText, tree: ast.Module, trace: Trace, index: int) -> Iterator[Mistake]:
    step = trace.steps[index]
    outcome = step.outcome
    match step.op:
        case MakeManager() as op:
            if outcome.kind == "missing":
                yield _missing_class(source, tree)
            else:
                yield from manager_mistakes(source, tree, step, op)
        case MakeRequest() as request:
            yield from request_mistakes(source, tree, step, request)
        case CallMethod(method=method):
            if outcome.kind == "missing" and outcome.what == method.full_name:
                yield _missing_method(source, tree, method)
            elif outcome.raised is not None:
                yield from _raised(source, tree, outcome.raised, method.full_name)
            elif isinstance(outcome.value, Odd) and outcome.value.kind in ("coroutine", "generator"):
                yield from _never_runs(source, tree, method.full_name, outcome.value.kind)
            yield from shared_lists(source, tree, trace, index)


# ── what is not there ────────────────────────────────────────────────────────────────────────────


def _missing_class(source: SourceText, tree: ast.Module) -> Mistake:
    classes = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
    nested = classes.pop("KVCacheManager", None)
    if nested is not None and nested not in tree.body:
        return words.nested_class(source.line_span(nested.lineno))
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
        yield words.asks_for_input(call_span(source, tree, raised.line, "input"), name)


def _unknown_name(
    source: SourceText, tree: ast.Module, raised: Raised, method: str | None
) -> Iterator[Mistake]:
    told = re.search(r"(?:name|variable) '(\w+)'", raised.message)
    if told is None or raised.line is None:
        return
    name = told.group(1)
    span = name_span(source, tree, raised.line, name)
    owner = _field_of(tree, raised.line, name)
    if owner is not None:
        yield words.bare_name(span, name, f"{owner}.{name}", method)
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


def _field_of(tree: ast.Module, line: int, name: str) -> str | None:
    """Whose field a bare name on this line is: `self`, what the method calls its request, or nobody's."""
    around = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef) and node.lineno <= line <= (node.end_lineno or line)
    ]
    if any(name in _assigned_on_self(node) for node in around):
        return "self"
    if name in REQUEST_FIELDS:
        return _request_name(function_at(tree, line))
    return "self" if name in MANAGER_FIELDS else None


def _unknown_attribute(
    source: SourceText, tree: ast.Module, raised: Raised, method: str | None
) -> Iterator[Mistake]:
    told = re.search(
        r"(?:'(\w+)' object|type object '(\w+)'|module '(\w+)') has no attribute '(\w+)'", raised.message
    )
    if told is None or raised.line is None:
        return
    owner, name = told.group(1) or told.group(2) or told.group(3), told.group(4)
    node = attribute_on(tree, raised.line, name)
    span = source.line_span(raised.line) if node is None else attribute_span(source, node)
    inner = _nested_function(tree, name)
    other = _of_the_other(tree, owner, name, function_at(tree, raised.line))
    if inner is not None:
        yield words.outside_class(source.line_span(inner.lineno), name)
    elif told.group(2) and name in _fields_of(owner):  # asked of the class: its objects have it
        whose = _request_name(function_at(tree, raised.line)) if owner == "Request" else "self"
        yield words.other_owner(span, name, f"{whose}.{name}", method)
    elif other is not None and node is not None and ast.unparse(node) == other:
        yield from _other_object(source, tree, raised, (node, owner), method)
    elif other is not None:
        yield words.other_owner(span, name, other, method)
    else:
        yield from _misspelt(source, tree, (owner, name), span, method)


def _of_the_other(tree: ast.Module, owner: str, name: str, definition: FunctionDef | None) -> str | None:
    """The field as it is written where it belongs to the other object: `req.seq_len`, `self.block_size`."""
    manager = manager_class(tree)
    if name in REQUEST_FIELDS and owner not in ("Request", "list", "deque", "torch"):
        return f"{_request_name(definition)}.{name}"
    if owner == "Request" and (
        name in MANAGER_FIELDS
        or (manager is not None and name in {one.name for one in _own_methods(manager)})
    ):
        return f"self.{name}"
    return None


def _request_name(definition: FunctionDef | None) -> str:
    """What a method calls its request; the starter's word where it has no such parameter."""
    parameters = [] if definition is None else parameters_of(definition)
    others = [one for one in parameters if one != "self"]
    return others[0] if others and definition is not None and definition.name in _METHODS else "req"


def _other_object(
    source: SourceText,
    tree: ast.Module,
    raised: Raised,
    looked_at: tuple[ast.Attribute, str],
    method: str | None,
) -> Iterator[Mistake]:
    """The right words stand there, and for another object: parameters the wrong way round, or a call."""
    node, owner = looked_at
    definition = function_at(tree, node.lineno)
    parameters = [] if definition is None else parameters_of(definition)
    name = ast.unparse(node.value)
    if definition is None or name not in parameters or name in _rebound(definition):
        return
    takes_object = definition in _methods(tree) and not definition.decorator_list
    if takes_object and parameters[0] != "self" and name in ("self", parameters[0]):
        yield words.swapped_parameters(source.line_span(definition.lineno), parameters[0], method)
    elif name == "self":
        yield words.no_such_attribute(attribute_span(source, node), node.attr, owner, method)
    elif len(raised.frames) > 1:
        caller = source.line_span(raised.frames[-2].line)
        yield words.wrong_argument(caller, name, owner, node.attr, method)


def _rebound(definition: FunctionDef) -> set[str]:
    return {
        node.id
        for node in ast.walk(definition)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


def _misspelt(
    source: SourceText, tree: ast.Module, looked_for: tuple[str, str], span: Span, method: str | None
) -> Iterator[Mistake]:
    """A name that the object lacks; where it is a field of its own, the constructor may have misspelt it."""
    owner, name = looked_for
    known = _known_attributes(tree, owner, name)
    near = get_close_matches(name, [one for one in known if one != name], 1, 0.6)
    own = class_named(tree, owner)
    if own is not None and name in (*REQUEST_FIELDS, *MANAGER_FIELDS):
        init = method_of(tree, own, "__init__")
        set_as = [one for one in near if one_edit(one, name)] if init is not None else []
        stores = stores_of(init, set_as[0]) if init is not None and set_as else []
        if stores:
            yield words.misspelt_field(attribute_span(source, stores[0]), set_as[0], name, method)
            return
        if init is not None and name in _fields_of(owner) and not stores_of(init, name):
            yield words.edits_init(source.line_span(init.lineno), name)
            return
    if near and (own is None or not stores_of(own, name)):  # set somewhere, it is only not there yet
        yield words.misspelt(span, name, near[0], method)
    elif owner == "Request" or own is not None:
        yield words.no_such_attribute(span, name, owner, method)


def _nested_function(tree: ast.Module, name: str) -> FunctionDef | None:
    """A function of that name inside another one: one level too deep to be a method."""
    for outer in _methods(tree):
        for node in ast.walk(outer):
            if node is not outer and isinstance(node, ast.FunctionDef) and node.name == name:
                return node
    return None


def _fields_of(owner: str) -> tuple[str, ...]:
    return REQUEST_FIELDS if owner == "Request" else MANAGER_FIELDS


def _known_attributes(tree: ast.Module, owner: str, name: str) -> Sequence[str]:
    """What an object of this class has; the starter's fields too, unless one of them is looked for."""
    if owner in ("list", "deque"):
        return _LIST_WORDS
    if owner == "torch":
        return _TORCH_WORDS
    own = class_named(tree, owner)
    if own is None:
        return REQUEST_FIELDS if owner == "Request" else ()
    fields = _fields_of(owner)
    has = (*(node.name for node in _own_methods(own)), *_assigned_on_self(own))
    return has if name in fields else (*fields, *has)


def _call_refused(
    source: SourceText, tree: ast.Module, raised: Raised, method: str | None
) -> Iterator[Mistake]:
    """A call that does not fit what it calls: the method itself, one of its helpers, or a constructor."""
    refused = refused_construction(source, tree, raised)
    if refused is not None:
        yield refused
        return
    if method is None or raised.line is not None or method not in raised.message:
        yield from _helper_without_self(source, tree, raised, method)
        return
    definition = find_method(tree, method)
    if definition is None:
        return
    span = source.line_span(definition.lineno)
    parameters = parameters_of(definition)
    static = [
        one for one in definition.decorator_list if isinstance(one, ast.Name) and one.id == "staticmethod"
    ]
    if len(parameters) == 1 and parameters[0] != "self":
        yield words.missing_self(span, method)
    elif static and parameters[:1] == ["self"]:
        yield words.static_method(source.line_span(static[0].lineno), method)
    else:
        yield words.wrong_signature(span, method)


def _helper_without_self(
    source: SourceText, tree: ast.Module, raised: Raised, method: str | None
) -> Iterator[Mistake]:
    told = re.search(
        r"(\w+)\(\) takes (\d+) positional arguments? but (\d+) (?:was|were) given", raised.message
    )
    if told is None or int(told.group(3)) != int(told.group(2)) + 1:
        return
    for helper in _methods(tree):
        parameters = parameters_of(helper)
        if helper.name == told.group(1) and not helper.decorator_list and "self" not in parameters:
            yield words.missing_self(source.line_span(helper.lineno), method)
            return


def _asks(raised: Raised) -> bool:
    return raised.exception == "EOFError" or ("input" in raised.message and "stdin" in raised.message)


def _methods(tree: ast.Module) -> list[FunctionDef]:
    return [
        node for owner in ast.walk(tree) if isinstance(owner, ast.ClassDef) for node in _own_methods(owner)
    ]


def _own_methods(owner: ast.ClassDef) -> list[FunctionDef]:
    return [node for node in owner.body if isinstance(node, FUNCTIONS)]


def _assigned_on_self(tree: ast.AST) -> list[str]:
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
