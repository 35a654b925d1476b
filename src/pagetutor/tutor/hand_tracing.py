"""The hand-trace: a small table filled in by hand, cell by cell, before the code."""

from __future__ import annotations

from enum import Enum, auto

from pagetutor.content.model import HandTrace
from pagetutor.store.events import HandTraced
from pagetutor.text import Text
from pagetutor.tutor.answers import Form, same_answer, wanted_form
from pagetutor.tutor.parts import Step, filled
from pagetutor.tutor.progress import MissionProgress
from pagetutor.tutor.screen import Pause, Said, Showable, TraceProgress
from pagetutor.tutor.sitting import Sitting


def hand_trace(sitting: Sitting) -> None:
    """Fill in the table; each cell is checked at once, a wrong one explained.

    A cell is skipped by an empty line, all that is left by `s`.
    """
    trace = sitting.mission.hand_trace
    assert trace is not None, "this step is only there where there is a table"
    sitting.head(Step.HAND_TRACE)
    for value in from_the_top(trace, sitting.here()):
        sitting.screen.show(value)
    sitting.say(_HOW)
    if sitting.screen.pause(skippable=True) is Pause.SKIP:
        return
    for row, _ in enumerate(trace.rows):
        filled_in = _fill_row(sitting, trace, row)
        if filled_in is _Row.FILLED_IN:
            sitting.screen.show(TraceProgress(trace, filled_cells(trace, sitting.here())))
        if filled_in is _Row.LEFT:
            break
    sitting.screen.pause()


def from_the_top(trace: HandTrace, before: MissionProgress) -> list[Showable]:
    """The question and the table for who comes to it: after the first cell the table alone has none."""
    filled = filled_cells(trace, before)
    begun = any(cell is not None for row in filled for cell in row)
    return [*([Said(trace.intro)] if begun else []), TraceProgress(trace, filled)]


def filled_cells(trace: HandTrace, before: MissionProgress) -> tuple[tuple[str | None, ...], ...]:
    """The learner's cells, row by row; None where a cell was skipped or not reached yet."""
    return tuple(
        tuple(before.traced.get((row, column)) for column, _ in enumerate(given.cells))
        for row, given in enumerate(trace.rows)
    )


class _Row(Enum):
    """How a row was left: with something in it, with nothing new, or with all the rest skipped."""

    FILLED_IN = auto()
    AS_IT_WAS = auto()
    LEFT = auto()


def _fill_row(sitting: Sitting, trace: HandTrace, row: int) -> _Row:
    """Ask for the cells of this row that were not met yet."""
    met = sitting.here().traced
    given = trace.rows[row]
    left = _Row.AS_IT_WAS
    for column, cell in enumerate(given.cells):
        if (row, column) in met:
            continue
        ask = filled(_CELL, head=trace.head[0], given=given.given, cell=trace.head[column + 1])
        typed = _typed_in(sitting, ask, cell.answer)
        if typed is not None and typed.lower() == _REST:
            return _Row.LEFT
        right = typed is not None and same_answer(typed, cell.answer)
        sitting.record(HandTraced(sitting.mission.id, row, column, typed, right))
        if typed is None:
            continue
        left = _Row.FILLED_IN
        sitting.screen.show(Said(_RIGHT if right else filled(_WRONG, why=cell.explain)))
    return left


def _typed_in(sitting: Sitting, ask: Text, answer: str) -> str | None:
    """What was typed; what cannot be an answer at all is asked for again, with what is wanted."""
    while (typed := sitting.screen.type_in(ask)) is not None:
        wanted = None if typed.lower() == _REST else wanted_form(typed, answer)
        if wanted is None:
            return typed
        sitting.say(_WANTED[wanted])
    return None


_REST = "s"
_WANTED = {
    Form.NUMBER: Text(
        zh="这里要填一个数，比如 `12`；直接回车跳过这一格，s 跳过剩下的。",
        en="A number is wanted here, such as `12`; Enter alone skips the cell, s all the rest.",
    ),
    Form.NUMBERS: Text(
        zh="这里要填几个数，写法像 `[3, 5]`；直接回车跳过这一格，s 跳过剩下的。",
        en="Numbers are wanted here, in the form `[3, 5]`; Enter alone skips the cell, s all the rest.",
    ),
}
_HOW = Text(
    zh="写代码之前先用手推一遍：一格一格地填，填一格对一格；直接回车跳过一格，s 跳过剩下的。",
    en="Work it out by hand before you write the code: one cell at a time, each checked at once. "
    "Enter alone skips a cell, s all the rest.",
)
_CELL = Text(zh="{head}：{given}；{cell}？", en="{head}: {given}; {cell}?")
_RIGHT = Text(zh="对。", en="Right.")
_WRONG = Text(zh="不对。{why}", en="Not quite: {why}")
