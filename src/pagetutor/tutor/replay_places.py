"""Where in the learner's file a line belongs: its function, and its statement of several lines. Pure."""

from __future__ import annotations

import ast

from pagetutor.diagnosis.manager_class import FUNCTIONS, FunctionDef, first_line

Lines = tuple[int, int]
"""The first and the last of some lines of the file, from 1."""


def function_around(tree: ast.Module, line: int) -> Lines | None:
    """The innermost function that holds this line."""
    around = [
        extent(node)
        for node in ast.walk(tree)
        if isinstance(node, FUNCTIONS) and extent(node)[0] <= line <= extent(node)[1]
    ]
    return min(around, key=lambda lines: lines[1] - lines[0], default=None)


def extent(node: FunctionDef) -> Lines:
    """The function's lines, its decorators among them."""
    return first_line(node), node.end_lineno or node.lineno


def docstring_in(tree: ast.Module, shown: Lines) -> Lines | None:
    """The docstring's lines of the function that has exactly these, where nothing else stands on them."""
    for node in ast.walk(tree):
        if isinstance(node, FUNCTIONS) and extent(node) == shown:
            match node.body:
                case [ast.Expr(value=ast.Constant(value=str())) as words, following, *_]:
                    last = words.end_lineno or words.lineno
                    alone = words.lineno > node.lineno and following.lineno > last
                    return (words.lineno, last) if alone else None
    return None


def statement_at(tree: ast.Module, line: int) -> Lines | None:
    """The statement without statements inside that holds this line, where it has several lines."""
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and not (hasattr(node, "body") or hasattr(node, "cases")):
            end = node.end_lineno or node.lineno
            if node.lineno <= line <= end and end > node.lineno:
                return node.lineno, end
    return None
