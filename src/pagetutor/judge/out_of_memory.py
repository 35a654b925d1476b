"""Memory that really ran out, told apart from a `MemoryError` that the learner raises for a full pool."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from pagetutor.judge.play import ContractBroken
from pagetutor.learner.port import Raised, Stopped, StopReason


def out_of_memory(failures: Iterable[tuple[str, ContractBroken]], tree: ast.Module) -> Stopped | None:
    """Where the learner's code ran into the limit, if it did in some failing test."""
    for _, broken in failures:
        raised = broken.trace.steps[broken.violation.step].outcome.raised
        if raised is not None and ran_out(raised, tree):
            at = raised.frames[-1] if raised.frames else None
            return Stopped(StopReason.MEMORY, at.line if at else None, at.function if at else None)
    return None


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
