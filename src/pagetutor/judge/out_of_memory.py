"""Memory that really ran out, told apart from a `MemoryError` that the learner raises for a full pool."""

from __future__ import annotations

import ast

from pagetutor.learner.port import Raised


def ran_out(raised: Raised, tree: ast.Module) -> bool:
    """Whether this exception is Python's or torch's for an allocation that was refused."""
    if "can't allocate memory" in raised.message:
        return True
    return "MemoryError" in raised.ancestors and not _raised_by_statement(tree, raised.line)


def _raised_by_statement(tree: ast.Module, line: int | None) -> bool:
    return line is not None and any(
        isinstance(node, ast.Raise) and node.lineno <= line <= (node.end_lineno or node.lineno)
        for node in ast.walk(tree)
    )
