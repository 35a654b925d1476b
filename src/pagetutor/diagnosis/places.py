"""Where a mistake looks as if it stood, by syntax alone: for when there is no proof, and to sharpen one."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pagetutor.content.model import ErrorModel
from pagetutor.diagnosis.edits import statements
from pagetutor.diagnosis.ingredients import FunctionDef
from pagetutor.diagnosis.mistake import Span
from pagetutor.diagnosis.programs import body, choices, slot_code
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
    """What the wrong code of this mistake calls and the reference does not: `round`, `sorted`, `min`."""
    name = model.variants[index].id
    wrong = {
        call
        for other, variant in enumerate(model.variants)
        if variant.id == name
        for call in _calls(ast.parse(body(model, choices(model, (other,)))))
    }
    return frozenset(wrong) - frozenset(_calls(ast.parse(body(model, {})))) - _COMMON_CALLS


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
    found = telling_node(source, definition, model, index)
    if found is not None:
        return found
    around = _around(model, index)
    if "raise" in around or "free_blocks)" in around or "not self.free_blocks" in around:
        signal = _signal(source, definition)
        if signal is not None:
            return signal
    return _same_operator(source, definition, around)


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
