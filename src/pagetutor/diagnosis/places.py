"""Where a mistake looks as if it stood, by syntax alone: for when there is no proof, and to sharpen one."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pagetutor.content.model import ErrorModel
from pagetutor.diagnosis.edits import statements
from pagetutor.diagnosis.ingredients import FunctionDef
from pagetutor.diagnosis.mistake import Span
from pagetutor.diagnosis.programs import body, choices
from pagetutor.diagnosis.source import SourceText


def telling_node(source: SourceText, definition: FunctionDef, model: ErrorModel, index: int) -> Span | None:
    """The first call or `raise` in the learner's method that the wrong code has and the reference has not."""
    telling = telling_calls(model, index)
    for node in ast.walk(definition):
        if isinstance(node, ast.Call) and _call_name(node) in telling:
            return source.span(node)
    misplaced = any("raise" in code for code in model.variants[index].code.values())
    if misplaced:
        return _signal(source, definition)
    return None


def telling_calls(model: ErrorModel, index: int) -> frozenset[str]:
    """What the wrong code calls and the reference does not: `round`, `sorted`, `min`."""
    wrong = _calls(ast.parse(body(model, choices(model, (index,)))))
    return frozenset(wrong) - frozenset(_calls(ast.parse(body(model, {}))))


def calls(node: ast.AST, names: frozenset[str]) -> bool:
    """Whether the code calls one of these functions."""
    return not names.isdisjoint(_calls(node))


def syntactic_place(
    source: SourceText, definition: FunctionDef, model: ErrorModel, index: int
) -> Span | None:
    """The piece of the method that plays the part of the mistake's slot, as far as its looks tell."""
    found = telling_node(source, definition, model, index)
    if found is not None:
        return found
    reference = "\n".join(model.slot(name).reference for name in model.variants[index].code)
    if "raise" in reference or "free_blocks)" in reference or "not self.free_blocks" in reference:
        signal = _signal(source, definition)
        if signal is not None:
            return signal
    return _same_operator(source, definition, reference)


def _signal(source: SourceText, definition: FunctionDef) -> Span | None:
    """The test of the `if` around a `raise`, or the `raise` itself."""
    for node in ast.walk(definition):
        if isinstance(node, ast.If) and any(isinstance(inner, ast.Raise) for inner in node.body):
            return source.span(node.test)
    for node in ast.walk(definition):
        if isinstance(node, (ast.Raise, ast.Assert)):
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
            name = _call_name(node)
            return None if name in ("len", "range") else name
        case _:
            return None


def _calls(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield _call_name(node)


def _call_name(node: ast.Call) -> str:
    match node.func:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""
