"""What the head of an `if` or a loop came to, told from which lines ran around it. Pure."""

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
    if branch is None or isinstance(branch, ast.For) or line.how != "done":
        return None
    after = next(iter(following), None)
    if after is None:
        return False if is_whole else None
    if after.depth < line.depth:
        return False  # its function has ended with it
    if after.depth > line.depth or after.line in _header(branch):
        return None  # the test goes on, in its next line or a function of its own
    return after.line in _body(branch)


def runs_no_round(
    tree: ast.Module,
    line: LineSeen,
    earlier: Sequence[LineSeen],
    following: Sequence[LineSeen],
    *,
    is_whole: bool,
) -> bool:
    """Whether this line is the head of a loop that was come to and not entered; False where nobody can tell.

    `earlier` are the lines told before it; a loop that was left after some rounds has its body among them.
    """
    branch = _branch_at(tree, line.line)
    if not isinstance(branch, ast.For | ast.While) or line.how != "done":
        return False
    after = next(iter(following), None)
    if after is None:
        goes_in = not is_whole
    elif after.depth == line.depth:
        goes_in = after.line in _header(branch) or after.line in _body(branch)
    else:
        goes_in = after.depth > line.depth
    return not goes_in and not _was_inside(branch, line, earlier)


def _was_inside(branch: _Branch, line: LineSeen, earlier: Sequence[LineSeen]) -> bool:
    """Whether the same call of the function was in the loop's body just before it came to this line."""
    for before in reversed(earlier):
        if before.depth < line.depth:  # the call began here, or a generator went on
            return any(isinstance(node, ast.Yield | ast.YieldFrom) for node in ast.walk(branch))
        if before.depth == line.depth and before.line not in _header(branch):
            return before.line in _body(branch)
    return False


_Branch = ast.If | ast.While | ast.For


def _branch_at(tree: ast.Module, line: int) -> _Branch | None:
    """The `if` or loop whose head stands on this line, and whose body begins below with one that runs."""
    for node in ast.walk(tree):
        if isinstance(node, _Branch) and line in _header(node):
            first = node.body[0]
            return node if first.lineno not in _header(node) and _runs(first) else None
    return None


def _header(branch: _Branch) -> range:
    last = branch.iter if isinstance(branch, ast.For) else branch.test
    return range(branch.lineno, (last.end_lineno or branch.lineno) + 1)


def _body(branch: _Branch) -> range:
    return range(branch.body[0].lineno, (branch.body[-1].end_lineno or 0) + 1)


def _runs(statement: ast.stmt) -> bool:
    """Whether Python has a line to run for it."""
    match statement:
        case ast.Global() | ast.Nonlocal() | ast.Expr(value=ast.Constant()) | ast.AnnAssign(value=None):
            return False
    return True
