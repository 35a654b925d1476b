"""What ends a `while` loop in the learner's file: editing it may make the loop go on for ever."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pagetutor.diagnosis.edits import statements


def lines_that_end_loops(tree: ast.Module) -> Iterator[frozenset[int]]:
    """For each `while`, the lines of what ends it: its test, and the statements that feed or leave it."""
    for loop in ast.walk(tree):
        if isinstance(loop, ast.While):
            lines = set(_lines_of(loop.test))
            for statement, _ in statements(loop):
                if not isinstance(statement, (ast.Expr, ast.If, ast.For)) or takes(statement):
                    lines.update(_lines_of(statement))
            for test in tests_that_end_loops(loop):
                lines.update(_lines_of(test))
            yield frozenset(lines)


def _lines_of(node: ast.stmt | ast.expr) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def tests_that_end_loops(tree: ast.AST) -> Iterator[ast.expr]:
    """What each `while` asks, and each `if` that breaks out of one."""
    for loop in ast.walk(tree):
        if isinstance(loop, ast.While):
            yield loop.test
            for node in ast.walk(loop):
                if isinstance(node, ast.If) and any(isinstance(one, ast.Break) for one in node.body):
                    yield node.test


def takes(statement: ast.stmt) -> bool:
    """Whether a statement takes something out of a container."""
    return any(
        isinstance(node, ast.Attribute) and ("pop" in node.attr or node.attr == "remove")
        for node in ast.walk(statement)
    )
