"""What the test of an `if` or a `while` came to, told from which line ran next. Pure."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from pagetutor.exercise.trace import LineSeen


def condition_at(
    tree: ast.Module, line: LineSeen, following: Sequence[LineSeen], *, is_whole: bool
) -> bool | None:
    """Whether the test on this line was true; None where it holds none, or that cannot be told.

    `following` are the lines told after it; with `is_whole` they are all there were.
    """
    branch = _branch_at(tree, line.line)
    if branch is None or line.how != "done":
        return None
    after = next(iter(following), None)
    if after is None:
        return False if is_whole else None
    if after.depth < line.depth:
        return False  # its function has ended with it
    if after.depth > line.depth or after.line in _header(branch):
        return None  # the test goes on, in its next line or a function of its own
    return branch.body[0].lineno <= after.line <= (branch.body[-1].end_lineno or 0)


def _branch_at(tree: ast.Module, line: int) -> ast.If | ast.While | None:
    """The `if` or `while` whose test stands on this line, and whose body begins below with one that runs."""
    for node in ast.walk(tree):
        if isinstance(node, ast.If | ast.While) and line in _header(node):
            first = node.body[0]
            return node if first.lineno not in _header(node) and _runs(first) else None
    return None


def _header(branch: ast.If | ast.While) -> range:
    return range(branch.lineno, (branch.test.end_lineno or branch.lineno) + 1)


def _runs(statement: ast.stmt) -> bool:
    """Whether Python has a line to run for it."""
    match statement:
        case ast.Global() | ast.Nonlocal() | ast.Expr(value=ast.Constant()) | ast.AnnAssign(value=None):
            return False
    return True
