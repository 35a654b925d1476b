"""A field that was assigned under a name of its own: the value is kept, and nobody looks there.

Nothing is raised, so what happened has to say it: the method ended, the field that it had to change is as
it was, and in its stead there is a new attribute one letter off, or one of the same name on the other
object.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pagetutor.diagnosis import structure_words as words
from pagetutor.diagnosis.ingredients import reached
from pagetutor.diagnosis.manager_class import FunctionDef, find_method
from pagetutor.diagnosis.mistake import Mistake
from pagetutor.diagnosis.source import SourceText
from pagetutor.diagnosis.spots import attribute_span, parameters_of
from pagetutor.exercise.scenario import CallMethod, MakeManager, Method
from pagetutor.exercise.trace import ManagerSeen, RequestSeen, Trace


def misspelt_fields(source: SourceText, tree: ast.Module, traces: Sequence[Trace]) -> Iterator[Mistake]:
    """For each method, the first field that no call of it changed and that it assigns under another name."""
    for method in (Method.PREFILL, Method.DECODE):
        definition = find_method(tree, method.full_name)
        calls = [] if definition is None else list(_calls(traces, method))
        for field in _FIELDS if definition is not None else ():
            due = [one for one in calls if one.has_to_change(field)]
            # A count of no blocks changes nothing either: one of the calls has to take more than one.
            if not due or not any(one.is_long for one in due) or any(one.changes(field) for one in due):
                continue
            found = _found(source, tree, definition, (field, due))
            if found is not None:
                yield found
                break


_FIELDS = ("block_table", "free_blocks", "seq_len")


@dataclass(frozen=True, slots=True)
class _Call:
    """A call that ended, and the state of its request and manager before and after it."""

    method: Method
    block_size: int
    before: tuple[RequestSeen, ManagerSeen]
    after: tuple[RequestSeen, ManagerSeen]

    def has_to_change(self, field: str) -> bool:
        """Whether the exercise asks this call to change that field."""
        if self.method is Method.PREFILL:
            return field != "seq_len"
        length = self.before[0].seq_len
        return field == "seq_len" or (isinstance(length, int) and length % self.block_size == 0)

    @property
    def is_long(self) -> bool:
        """Whether the request is longer than two blocks; a decode takes its one block whatever the length."""
        length = self.before[0].seq_len
        return self.method is Method.DECODE or (isinstance(length, int) and length > 2 * self.block_size)

    def changes(self, field: str) -> bool:
        """Whether the field is another after the call."""
        (was, held), (now, seen) = self.before, self.after
        if field == "block_table":
            return was.table != now.table
        return held.free != seen.free if field == "free_blocks" else was.seq_len != now.seq_len

    def extra(self, *, of_manager: bool) -> tuple[str, ...]:
        """The attributes beyond the starter's after the call."""
        request, manager = self.after
        return manager.extra if of_manager else request.extra


def _calls(traces: Sequence[Trace], method: Method) -> Iterator[_Call]:
    for trace in traces:
        sizes: dict[str, int] = {}
        for before, step in pairwise(trace.steps):
            if isinstance(before.op, MakeManager):
                sizes[before.op.manager] = before.op.block_size
            op = step.op
            if isinstance(op, CallMethod) and op.method is method and step.outcome.kind == "done":
                was, held = before.requests.get(op.request), before.managers.get(op.manager)
                now, seen = step.requests.get(op.request), step.managers.get(op.manager)
                if was is not None and held is not None and now is not None and seen is not None:
                    yield _Call(method, sizes.get(op.manager, 1), (was, held), (now, seen))


def _found(
    source: SourceText,
    tree: ast.Module,
    definition: FunctionDef | None,
    unchanged: tuple[str, Sequence[_Call]],
) -> Mistake | None:
    field, due = unchanged
    if definition is None:
        return None
    of_manager = field == "free_blocks"
    own = sorted({name for call in due for name in call.extra(of_manager=of_manager)})
    near = _under_another_name(tree, definition, field, own)
    if near is not None:
        return words.misspelt_field(attribute_span(source, near), near.attr, field, definition.name)
    if any(field in call.extra(of_manager=not of_manager) for call in due):
        wrong, right = _on_the_other(definition, field)
        if wrong is not None:
            return words.misspelt_field(
                attribute_span(source, wrong), ast.unparse(wrong), right, definition.name
            )
    return None


def _under_another_name(
    tree: ast.Module, definition: FunctionDef, field: str, extra: Sequence[str]
) -> ast.Attribute | None:
    """Where the method, or what it calls, assigns an attribute one letter off and never reads it."""
    code = [definition, *reached(tree, definition)]
    for name in extra:
        if one_edit(name, field) and not any(_is_read(part, name) for part in code):
            stores = [node for part in code for node in _stores_instead(part, name, field)]
            if stores:
                return stores[0]
    return None


def _on_the_other(definition: FunctionDef, field: str) -> tuple[ast.Attribute | None, str]:
    """Where the manager is given a request's field, or the other way round; and what was meant."""
    parameters = parameters_of(definition)[:2]
    if len(parameters) < 2:
        return None, ""
    right, wrong = parameters if field == "free_blocks" else reversed(parameters)
    if _is_read(definition, field, of=wrong):
        return None, ""
    stores = _stores_instead(definition, field, field)
    stores = [node for node in stores if ast.unparse(node.value) == wrong]
    return (stores[0] if stores else None), f"{right}.{field}"


def _stores_instead(tree: ast.AST, name: str, field: str) -> list[ast.Attribute]:
    """The stores of an attribute, where what is stored may be what belongs into the field.

    A count, one id or the field's own list is a note that somebody keeps, and no slip of the pen.
    """
    stores = stores_of(tree, name)
    if field == "seq_len":
        return stores
    given = {
        id(target): node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        for target in node.targets
    }
    filled = name in _filled(tree)
    values = [given.get(id(one)) for one in stores]
    return stores if all(_belongs_into(value, field, filled=filled) for value in values) else []


def _filled(tree: ast.AST) -> set[str]:
    return {node.attr for node in _receivers(tree) if isinstance(node, ast.Attribute)}


def _belongs_into(value: ast.expr | None, field: str, *, filled: bool) -> bool:
    match value:
        case ast.Constant() | ast.Compare() | ast.Attribute() | ast.Dict():
            return False
        case ast.IfExp(body=body, orelse=orelse):
            return all(_belongs_into(one, field, filled=filled) for one in (body, orelse))
        case ast.List(elts=[]) | ast.Call(func=ast.Name(id="list"), args=[]):
            return filled
        case ast.Subscript(slice=chosen):
            return isinstance(chosen, ast.Slice) and (chosen.lower is not None or chosen.upper is not None)
        case ast.BinOp(op=op):
            return isinstance(op, ast.Add)
        case ast.Call(func=ast.Name(id=name)) | ast.Call(func=ast.Attribute(attr=name)):
            copies = name in _COPY and any(
                isinstance(one, ast.Attribute) and one.attr == field for one in ast.walk(value)
            )
            return not copies and name not in _MAKE_NO_LIST
    return True


_COPY = frozenset({"list", "tuple", "sorted", "copy", "deepcopy"})
_MAKE_NO_LIST = frozenset(
    {"len", "int", "min", "max", "sum", "bool", "str", "ceil", "pop", "popleft", "index"}
)


def stores_of(tree: ast.AST, name: str) -> list[ast.Attribute]:
    """The places that assign an attribute of that name, in the order they stand."""
    found = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr == name and isinstance(node.ctx, ast.Store)
    ]
    return sorted(found, key=lambda node: (node.lineno, node.col_offset))


_FILLS = frozenset({"append", "extend", "insert", "add"})


def _is_read(tree: ast.AST, name: str, *, of: str | None = None) -> bool:
    """Whether the attribute is looked at; filling it (`….append(x)` as a statement) is no look."""
    filled = {id(node) for node in _receivers(tree)}
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=attr, ctx=ast.Load(), value=owner) if attr == name:
                if id(node) not in filled and of in (None, ast.unparse(owner)):
                    return True
            case ast.Constant(value=value) if value == name:  # `getattr(req, "block_tables")`
                return True
    return False


def _receivers(tree: ast.AST) -> list[ast.expr]:
    """What `….append(x)` and its like stand behind, as statements."""
    found: list[ast.expr] = []
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=receiver, attr=attr))) if attr in _FILLS:
                found.append(receiver)
    return found


def one_edit(one: str, other: str) -> bool:
    """Whether two names differ by one letter (put in, left out, another, two swapped) or by case or `_`."""
    if one == other:
        return False
    if one.replace("_", "").lower() == other.replace("_", "").lower():
        return True
    short, long = sorted((one, other), key=len)
    start = next((at for at, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    if len(short) == len(long):
        swapped = short[:start] + short[start : start + 2][::-1] + short[start + 2 :]
        return short[start + 1 :] == long[start + 1 :] or swapped == long
    return len(short) + 1 == len(long) and short[start:] == long[start + 1 :]
