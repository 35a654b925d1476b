"""Edited copies of the learner's text: an expression swapped, a statement swapped, removed or added."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from pagetutor.diagnosis.mistake import Span
from pagetutor.diagnosis.source import SourceText
from pagetutor.text.lines import lines_of


@dataclass(frozen=True, slots=True)
class Edit:
    """One edited copy of the file, the place it was edited at, and whether something was added there."""

    text: str
    span: Span
    added: bool = False


def swap_expression(source: SourceText, node: ast.expr, code: str) -> Edit:
    """The text with one expression replaced, in parentheses."""
    span = source.span(node)
    return Edit(source.replaced(span, f"({code})"), span)


def swap_statement(source: SourceText, statement: ast.stmt, code: str) -> Edit:
    """The text with one statement replaced by `code` (possibly several lines)."""
    span = source.span(statement)
    return Edit(source.replaced(span, _indented(code, _indent(source, statement))), _head(source, statement))


def remove_statement(source: SourceText, statement: ast.stmt) -> Edit:
    """The text without one statement."""
    return swap_statement(source, statement, "pass")


def add_before(source: SourceText, statement: ast.stmt, code: str) -> Edit | None:
    """The text with `code` added before a statement; None where the statement shares its line."""
    indent = _indent(source, statement)
    span = source.span(statement)
    if source.lines[span.line - 1][: span.column - 1].strip():
        return None
    before = Span(span.line, span.column, span.line, span.column)
    text = source.replaced(before, _indented(code, indent) + "\n" + indent)
    return Edit(text, _head(source, statement), added=True)


def add_after(source: SourceText, statement: ast.stmt, code: str) -> Edit | None:
    """The text with `code` added after the last statement of a block; it belongs to that statement's line."""
    indent = _indent(source, statement)
    first, end = source.span(statement), source.span(statement).end_line
    if source.lines[first.line - 1][: first.column - 1].strip():
        return None
    column = len(source.lines[end - 1]) + 1
    text = source.replaced(Span(end, column, end, column), "\n" + indent + _indented(code, indent))
    return Edit(text, _head(source, statement))


def _indent(source: SourceText, statement: ast.stmt) -> str:
    words = source.lines[statement.lineno - 1]
    return words[: len(words) - len(words.lstrip())]


def _indented(code: str, indent: str) -> str:
    return ("\n" + indent).join(lines_of(code))


def _head(source: SourceText, statement: ast.stmt) -> Span:
    """The statement itself, or the head of one that has a body: `for … :`, `if … :`."""
    span = source.span(statement)
    inner = getattr(statement, "body", None)
    if not isinstance(inner, list) or not inner or inner[0].lineno <= span.line:
        return span
    return source.line_span(span.line)


def statements(function: ast.AST) -> Iterator[tuple[ast.stmt, bool]]:
    """Each statement below a function, in order, and whether it is the last of its block; no docstrings."""
    for block in _blocks(function):
        for place, statement in enumerate(block):
            if not _is_docstring(statement, place):
                yield statement, place == len(block) - 1
            yield from statements(statement)


def siblings(function: ast.AST) -> Iterator[tuple[ast.stmt, ast.stmt]]:
    """Each statement below a function with the one that follows it in the same block; no docstrings."""
    before: ast.stmt | None = None
    for block in _blocks(function):
        for place, statement in enumerate(block):
            if before is not None and place and not _is_docstring(before, place - 1):
                yield before, statement
            before = statement
        for statement in block:
            yield from siblings(statement)


def empty_starts(function: ast.AST) -> Iterator[ast.Assign | ast.AnnAssign]:
    """The statements that begin a local list empty, outside any loop: `blocks = []`, right in any file."""
    for block in _blocks(function):
        for statement in block:
            match statement:
                case (
                    ast.Assign(targets=[ast.Name()], value=value)
                    | ast.AnnAssign(target=ast.Name(), value=ast.expr() as value)
                ) if _is_empty(value):
                    yield statement
                case ast.For() | ast.While():
                    pass
                case _:
                    yield from empty_starts(statement)


def _is_empty(value: ast.expr) -> bool:
    match value:
        case ast.List(elts=[]) | ast.Call(func=ast.Name(id="list"), args=[], keywords=[]):
            return True
    return False


def _blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    for field in ("body", "orelse", "finalbody"):
        block = getattr(node, field, None)
        if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
            yield block
    for handler in getattr(node, "handlers", ()):
        yield handler.body


def _is_docstring(statement: ast.stmt, place: int) -> bool:
    return (
        place == 0
        and isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def expressions(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.expr]:
    """Each expression of a function's body that is read as a value of its own, outermost first.

    Not the `self` of `self.block_size`, not the name of a function that is called, not the `[]` that a
    list begins as (with `blocks = req.block_table`, a loop over the table that appends to `blocks` never
    ends); nothing inside an f-string, where positions are wrong before Python 3.12.
    """
    starts = {id(start.value) for start in empty_starts(function)}
    for statement in function.body:
        for node in _expressions(statement):
            if id(node) not in starts:
                yield node


def _expressions(node: ast.AST) -> Iterator[ast.expr]:
    if isinstance(node, ast.expr) and not isinstance(node, (ast.Slice, ast.Starred)):
        context = getattr(node, "ctx", None)
        if context is None or isinstance(context, ast.Load):
            yield node
    if isinstance(node, ast.JoinedStr):
        return
    for field, child in ast.iter_fields(node):
        if field in ("annotation", "returns", "type_comment"):
            continue
        if isinstance(node, ast.Attribute) and isinstance(child, ast.Name):
            continue
        if isinstance(node, ast.Call) and field == "func":
            # `xs.pop` is no value of its own, but `xs` may be one.
            owner = child.value if isinstance(child, ast.Attribute) else None
            if owner is not None and not isinstance(owner, ast.Name):
                yield from _expressions(owner)
            continue
        for inner in child if isinstance(child, list) else [child]:
            if isinstance(inner, ast.AST):
                yield from _expressions(inner)
