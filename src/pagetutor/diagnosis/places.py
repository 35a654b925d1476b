"""Where a mistake looks as if it stood, by syntax alone: for when there is no proof, and to sharpen one."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pagetutor.content.model import ErrorModel
from pagetutor.diagnosis.edits import statements
from pagetutor.diagnosis.manager_class import FunctionDef
from pagetutor.diagnosis.mistake import Span
from pagetutor.diagnosis.programs import body, choices, neutrals, slot_code
from pagetutor.diagnosis.source import SourceText

# Called in many right files too, or by the way: they tell nothing.
_COMMON_CALLS = frozenset(
    {"len", "range", "print", "list", "int", "append", "extend", "pop", "enumerate", "RuntimeError"}
)


def telling_node(source: SourceText, definition: FunctionDef, model: ErrorModel, index: int) -> Span | None:
    """The first call in the learner's method that the wrong code makes and the reference does not.

    Where the wrong code raises in another place, the test of the learner's own `raise`.
    """
    telling = telling_calls(model, index)
    for node in ast.walk(definition):
        if isinstance(node, ast.Call) and call_name(node) in telling:
            return source.span(node)
    code = model.variants[index].code
    if any("raise" in wrong and "raise" not in slot_code(model, name, {}) for name, wrong in code.items()):
        return _signal(source, definition)
    return None


def telling_calls(model: ErrorModel, index: int) -> frozenset[str]:
    """What the wrong code of this mistake calls, and no legal code in its place: `round`, `sorted`, `min`."""
    wrong = {call for code in _codes(model, index) for call in _calls(code)}
    here = {
        slot for variant in model.variants if variant.id == model.variants[index].id for slot in variant.code
    }
    others = [chosen for chosen in neutrals(model) if chosen.keys() <= here]
    legal = {call for chosen in ({}, *others) for call in _calls(ast.parse(body(model, chosen)))}
    return frozenset(wrong - legal) - _COMMON_CALLS


def _codes(model: ErrorModel, index: int) -> list[ast.Module]:
    """The reference with each of the codes in it that show this variant's mistake."""
    name = model.variants[index].id
    same = (other for other, variant in enumerate(model.variants) if variant.id == name)
    return [ast.parse(body(model, choices(model, (other,)))) for other in same]


def calls(node: ast.AST, names: frozenset[str]) -> bool:
    """Whether the code calls one of these functions."""
    return not names.isdisjoint(_calls(node))


def asks_about_free_blocks(source: SourceText, definition: FunctionDef) -> Span | None:
    """The first test in the method that looks at the free list."""
    for node in ast.walk(definition):
        if isinstance(node, (ast.If, ast.While, ast.IfExp)):
            for asked in ast.walk(node.test):
                if isinstance(asked, ast.Attribute) and asked.attr == "free_blocks":
                    return source.span(node.test)
    return None


def syntactic_place(
    source: SourceText, definition: FunctionDef, model: ErrorModel, index: int
) -> Span | None:
    """The piece of the method that plays the part of the mistake's slot, as far as its looks tell."""
    found = sharper(source, definition, model, index) or telling_node(source, definition, model, index)
    found = found or unused_value(source, definition)
    if found is not None:
        return found
    around = _around(model, index)
    if "raise" in around or "free_blocks)" in around or "not self.free_blocks" in around:
        signal = _signal(source, definition)
        signal = signal or asks_about_free_blocks(source, definition)
        if signal is not None:
            return signal
    same = _same_operator(source, definition, around)
    return same or _working_on_the_same(source, definition, model, index)


def unused_value(source: SourceText, definition: FunctionDef) -> Span | None:
    """The last value given to a variable that only its own assignments read: made and dropped."""
    found: ast.stmt | None = None
    reads: dict[str, int] = {}
    gives: dict[str, list[ast.stmt]] = {}
    for node in ast.walk(definition):
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                reads[name] = reads.get(name, 0) + 1
            case (
                ast.Assign(targets=[ast.Name(id=name)])
                | ast.AnnAssign(target=ast.Name(id=name))
                | ast.AugAssign(target=ast.Name(id=name))
            ):
                gives.setdefault(name, []).append(node)
    for name, given in gives.items():
        own = sum(
            isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id == name
            for one in given
            for node in ast.walk(one)
        )
        if reads.get(name, 0) == own and not name.startswith("_"):
            last = max(given, key=lambda one: one.lineno)
            found = last if found is None or last.lineno > found.lineno else found
    return None if found is None else source.span(found)


_OBJECTS = frozenset({"block_table", "free_blocks", "physical_kv_cache", "seq_len"})
_CHANGING = frozenset({"append", "extend", "insert", "pop", "popleft", "remove", "clear"})
_Block = (ast.If, ast.For, ast.While, ast.Try, ast.With)


def _working_on_the_same(
    source: SourceText, definition: FunctionDef, model: ErrorModel, index: int
) -> Span | None:
    """The statement that works most on what the slots' code works on; changing it counts twice.

    A loop's mistake stands at the head of the loop.
    """
    code = model.variants[index].code
    if "loop" in code:
        for statement, _ in statements(definition):
            if isinstance(statement, (ast.For, ast.While)):
                return source.line_span(statement.lineno)
    meant = "\n".join([*code.values(), _around(model, index)])
    wanted = {name for name in _OBJECTS if name in meant} or {"block_table"}
    best: tuple[int, ast.stmt] | None = None
    for statement, _ in statements(definition):
        if not isinstance(statement, _Block):
            score = 2 * len(wanted & set(_changed(statement))) + len(wanted & set(_mentioned(statement)))
            if score and (best is None or score > best[0]):
                best = score, statement
    return None if best is None else source.span(best[1])


def _mentioned(statement: ast.stmt) -> Iterator[str]:
    for node in ast.walk(statement):
        if isinstance(node, ast.Attribute):
            yield node.attr


def _changed(statement: ast.stmt) -> Iterator[str]:
    """The attributes that a statement gives a new value, or calls a changing method of."""
    for node in ast.walk(statement):
        match node:
            case ast.Call(func=ast.Attribute(attr=called, value=ast.Attribute(attr=name))) if (
                called in _CHANGING
            ):
                yield name
            case ast.Attribute(attr=name, ctx=ast.Store() | ast.Del()):
                yield name
            case ast.Subscript(value=ast.Attribute(attr=name), ctx=ast.Store() | ast.Del()):
                yield name


def sharper(source: SourceText, definition: FunctionDef, model: ErrorModel, index: int) -> Span | None:
    """What the wrong code has and the reference lacks, where the learner's method has it just once.

    A remainder that cuts (`x[: n % b]`), or a cut of each block, rather than what is joined afterwards;
    the part of an `and` that looks at the free list; the handler of an exception.
    """
    wrong = _codes(model, index)
    for pieces in (_cut_by_remainder, _cut_of_each, _asked_of_free_blocks):
        own = list(pieces(definition))
        if len(own) == 1 and any(next(pieces(one), None) is not None for one in wrong):
            return source.span(own[0])
    return handler(source, definition, model, index)


def handler(source: SourceText, definition: FunctionDef, model: ErrorModel, index: int) -> Span | None:
    """The method's only handler of an exception, where all of the mistake's codes have one."""
    wrong = _codes(model, index)
    handlers = list(_handlers(definition))
    if len(handlers) == 1 and all(next(_handlers(one), None) is not None for one in wrong):
        return source.line_span(handlers[0].lineno)
    return None


def raising_handler(source: SourceText, definition: FunctionDef) -> Span | None:
    """The first handler of the method that raises something of its own."""
    for node in _handlers(definition):
        if any(isinstance(inner, ast.Raise) for inner in node.body):
            return source.line_span(node.lineno)
    return None


def _handlers(tree: ast.AST) -> Iterator[ast.ExceptHandler]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.ExceptHandler))


def _cut_by_remainder(tree: ast.AST) -> Iterator[ast.expr]:
    rests = {
        one.targets[0].id
        for one in ast.walk(tree)
        if isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name) and _is_remainder(one.value)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
            inside = list(ast.walk(node.slice))
            if any(_is_remainder(one) or (isinstance(one, ast.Name) and one.id in rests) for one in inside):
                yield node


def _is_remainder(node: ast.AST) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod)


def _cut_of_each(tree: ast.AST) -> Iterator[ast.expr]:
    """A piece of what a loop has fetched: `block[:n]`, `pool[i, :n]`; not a piece of a list of ids."""
    loops = (ast.For, ast.While, ast.ListComp, ast.GeneratorExp)
    inside = {id(node): node for loop in ast.walk(tree) if isinstance(loop, loops) for node in ast.walk(loop)}
    for node in inside.values():
        match node:
            case ast.Subscript(value=ast.Name() | ast.Subscript() | ast.Call(), slice=ast.Slice() as cut) if (
                _has_end(cut)
            ):
                yield node
            case ast.Subscript(slice=ast.Tuple(elts=[_, ast.Slice() as cut, *_])) if _has_end(cut):
                yield node


def _has_end(cut: ast.Slice) -> bool:
    return cut.lower is not None or cut.upper is not None


def _asked_of_free_blocks(tree: ast.AST) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        if isinstance(node, ast.BoolOp):
            for part in node.values:
                asked = [one for one in ast.walk(part) if isinstance(one, ast.Attribute)]
                if any(one.attr == "free_blocks" for one in asked):
                    yield part


def _around(model: ErrorModel, index: int) -> str:
    """The reference's code in the mistake's slots, and in the slots that hold them."""
    names = list(model.variants[index].code)
    texts = [model.slot(name).reference for name in names]
    for slot in model.slots:
        if any("{" + name + "}" in slot.reference for name in names):
            texts.append(slot_code(model, slot.name, {}))
    return "\n".join(texts)


def _signal(source: SourceText, definition: FunctionDef) -> Span | None:
    """The test of the `if` around a `raise`, or the `raise` itself."""
    for node in ast.walk(definition):
        if isinstance(node, ast.If) and any(isinstance(inner, ast.Raise) for inner in node.body):
            return source.span(node.test)
    for node in ast.walk(definition):
        match node:
            case ast.ExceptHandler(body=body) if any(isinstance(inner, ast.Raise) for inner in body):
                return source.line_span(node.lineno)
            case ast.Raise() | ast.Assert():
                return source.span(node)
    return None


def _same_operator(source: SourceText, definition: FunctionDef, reference: str) -> Span | None:
    """The first expression with the reference's outermost operator or call; else its last statement."""
    try:
        wanted = {_shape(node) for node in ast.walk(ast.parse(reference))} - {None}
    except SyntaxError:
        wanted = set()
    for statement, _ in statements(definition):
        for node in ast.walk(statement):
            if isinstance(node, ast.expr) and _shape(node) in wanted:
                return source.span(node)
    return None


def _shape(node: ast.AST) -> str | None:
    match node:
        case ast.BinOp(op=ast.FloorDiv() | ast.Mod() | ast.Div() as op):
            return type(op).__name__
        case ast.Call():
            name = call_name(node)
            return None if name in ("len", "range") else name
        case _:
            return None


def _calls(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield call_name(node)


def call_name(node: ast.Call) -> str:
    match node.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""
