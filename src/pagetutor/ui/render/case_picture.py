"""The failing case as a picture: what the call left behind beside what it should have left."""

from __future__ import annotations

from rich.text import Text as Line

from pagetutor.exercise.contract import first_violation
from pagetutor.exercise.expected import expected_steps
from pagetutor.exercise.scenario import CallMethod, MakeManager
from pagetutor.exercise.state import left_out_of
from pagetutor.judge.report import FailingCase
from pagetutor.ui.render.difference import first_difference
from pagetutor.ui.render.look import Look
from pagetutor.ui.render.yours_expected import said, yours_and_expected

_INDENT = 2
_MOST_LINES = 12
_MOST_BRIEF_LINES = 24  # on a narrow screen the two halves stand below one another


def case_picture(case: FailingCase, look: Look) -> list[Line]:
    """Yours | expected at the broken step, in a dozen lines where the screen is wide enough.

    Where even a brief picture is too long, its first difference in words. Nothing where a picture would
    not help: a constructor failed, or the difference lies outside the state.
    """
    violation = first_violation(case.trace)
    if violation is None:
        return []
    yours = case.trace.steps[violation.step]
    size = _size(case, yours.op.manager) if isinstance(yours.op, CallMethod) else None
    if size is None:
        return []
    expected = expected_steps(case.trace)[violation.step]
    difference = first_difference(yours, expected, size)
    if difference is None:
        return []
    inside, left_out = look.narrower(_INDENT), left_out_of(case.trace.scenario, size.manager)
    whole = yours_and_expected(yours, expected, size, inside, left_out=left_out)
    if len(whole) <= _MOST_LINES:
        return _indented(whole)
    brief = yours_and_expected(yours, expected, size, inside, left_out=left_out, brief=True)
    return _indented(brief if len(brief) <= _MOST_BRIEF_LINES else said(difference, inside))


def _size(case: FailingCase, manager: str) -> MakeManager | None:
    made = (op for op in case.trace.scenario.ops if isinstance(op, MakeManager) and op.manager == manager)
    return next(made, None)


def _indented(lines: list[Line]) -> list[Line]:
    return [Line(" " * _INDENT) + line for line in lines]
