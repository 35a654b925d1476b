"""The smallest edits: a comparison moved by one, a list joined from its other end, two statements exchanged.

They use none of the reference's code, so where one of them holds, that piece alone is wrong. They reach
what is built up step by step, where no single expression is the reference's.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pagetutor.diagnosis.candidates import Candidate
from pagetutor.diagnosis.edits import (
    Edit,
    expressions,
    remove_statement,
    siblings,
    swap_expression,
    swap_statement,
)
from pagetutor.diagnosis.manager_class import FunctionDef
from pagetutor.diagnosis.mistake import Span
from pagetutor.diagnosis.source import SourceText

_NEXT_TO: dict[type[ast.cmpop], ast.cmpop] = {
    ast.Lt: ast.LtE(),
    ast.LtE: ast.Lt(),
    ast.Gt: ast.GtE(),
    ast.GtE: ast.Gt(),
}


def boundaries(source: SourceText, function: FunctionDef) -> Iterator[Candidate]:
    """Each comparison moved by one: `<` and `<=`, `>` and `>=`. What counts up to it still gets there."""
    for node in ast.walk(function):
        match node:
            case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _NEXT_TO:
                moved = ast.unparse(ast.Compare(left, [_NEXT_TO[type(op)]], [right]))
                yield Candidate(swap_expression(source, node, moved), node, ends_as_before=True)


def turnings(source: SourceText, function: FunctionDef) -> Iterator[Candidate]:
    """What is put at one end, or taken from it, put at the other; `append` for `extend` and back.

    What a loop gives a variable anew is added to it instead.
    """
    for node in expressions(function):
        for turned in _turned(node):
            yield Candidate(swap_expression(source, node, ast.unparse(turned)), node, ends_as_before=True)
    for loop in ast.walk(function):
        for statement in loop.body if isinstance(loop, (ast.For, ast.While)) else ():
            match statement:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.List() as value):
                    added = f"{name} += {ast.unparse(value)}"
                    yield Candidate(swap_statement(source, statement, added), statement=statement)


def _turned(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.Call(func=ast.Attribute(attr="insert") as put, args=[ast.Constant(value=0), value]):
            yield _call(put, "append", value)
        case ast.Call(func=ast.Attribute(attr="appendleft") as put, args=[value]):
            yield _call(put, "append", value)
        case ast.Call(func=ast.Attribute(attr="pop") as taken, args=[]):
            yield ast.Call(taken, [ast.Constant(0)], [])
        case ast.Call(func=ast.Attribute(attr="append") as put, args=[value]):
            yield _call(put, "extend", value)
        case ast.Call(func=ast.Attribute(attr="extend") as put, args=[value]):
            yield _call(put, "append", value)
        case ast.BinOp(left=ast.List() as left, op=ast.Add() as op, right=right):
            yield ast.BinOp(right, op, left)
        case ast.List(elts=[first, second]) | ast.Tuple(elts=[first, second]):
            yield type(node)([second, first], ast.Load())


def _call(put: ast.Attribute, name: str, value: ast.expr) -> ast.Call:
    return ast.Call(ast.Attribute(put.value, name, ast.Load()), [value], [])


def from_the_pool(source: SourceText, function: FunctionDef) -> Iterator[Candidate]:
    """Each run of numbers replaced by as many ids from the head of the free list."""
    for node in expressions(function):
        length = _run_of_numbers(node)
        if length is not None and function.args.args:
            pool = f"{function.args.args[0].arg}.free_blocks"
            yield Candidate(swap_expression(source, node, f"{pool}[: {ast.unparse(length)}]"), node)


def _run_of_numbers(node: ast.expr) -> ast.expr | None:
    match node:
        case ast.Call(func=ast.Name(id="range"), args=[length]):
            return length
        case ast.Call(func=ast.Name(id="list"), args=[inner]):
            return _run_of_numbers(inner)
        case ast.ListComp(
            elt=ast.Name(id=item),
            generators=[ast.comprehension(target=ast.Name(id=turn), iter=inner, ifs=[])],
        ) if item == turn:
            return _run_of_numbers(inner)
    return None


def exchanges(source: SourceText, function: FunctionDef) -> Iterator[Candidate]:
    """Each statement and the one behind it in the other order; the place is the one that came too early."""
    for first, second in siblings(function):
        before, after = source.span(first), source.span(second)
        if before.end_line < after.line and source.lines[after.line - 1][: after.column - 1].isspace():
            start, end = source.offsets(before), source.offsets(after)
            between = source.text[start[1] : end[0]]
            exchanged = source.text[slice(*end)] + between + source.text[slice(*start)]
            text = source.replaced(
                Span(before.line, before.column, after.end_line, after.end_column), exchanged
            )
            yield Candidate(Edit(text, remove_statement(source, first).span))
