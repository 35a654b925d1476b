"""Yours | expected: what the learner's file did at a step beside what a right file would have done."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from rich.text import Text as Line

from pagetutor.exercise.scenario import CallMethod, MakeManager, Method
from pagetutor.exercise.state import PoolState, state_after
from pagetutor.exercise.trace import Outcome, Step
from pagetutor.exercise.words import outcome_words
from pagetutor.text import Text, same
from pagetutor.ui import pool_phrases as phrases
from pagetutor.ui.render.difference import Difference, first_difference
from pagetutor.ui.render.gathered import gather_legend, gather_lines, gather_sentences
from pagetutor.ui.render.look import Look
from pagetutor.ui.render.pool import DIFFERS, pool_boxes, pool_legend, pool_lists
from pagetutor.ui.render.pool_sentences import pool_sentences
from pagetutor.ui.render.pool_words import NOTHING_MARKED, Marked
from pagetutor.ui.render.words import padded, prose

_GAP = 3
_NARROWEST = 66
"""Cells. On a narrower screen a half would hold less than four blocks of four slots: it is stacked."""


def yours_and_expected(yours: Step, expected: Step, size: MakeManager, look: Look) -> list[Line]:
    """The two states after a step side by side, stacked on a narrow screen, told on a plain one.

    `size` is the manager whose pool is shown. The first difference bears a mark and is said below; where
    there is none, that is said.
    """
    difference = first_difference(yours, expected, size)
    if look.plain:
        return _told(yours, expected, size, difference, look)
    halves = _Halves(yours, expected, size, difference)
    side_by_side = look.width >= _NARROWEST
    half = look.narrower(look.width - (look.width - _GAP) // 2) if side_by_side else look
    left = halves.sections(yours, phrases.YOURS, DIFFERS if difference else "bold", half)
    right = halves.sections(expected, phrases.EXPECTED, "bold green", half)
    pictures = (
        _abreast(left, right, half.width)
        if side_by_side
        else [line for part in (*left, *right) for line in part]
    )
    return [*pictures, *said(difference, look), *halves.legend(look)]


def said(difference: Difference | None, look: Look) -> list[Line]:
    """The first difference in a sentence behind its mark."""
    if difference is None:
        return prose(phrases.NO_DIFFERENCE, look, style="green")
    first = f"{look.marks.differs} "
    words = phrases.FIRST_DIFFERENCE + difference.say
    return prose(words, look, indent=len(first), first=first, style=DIFFERS)


class _Halves:
    """What both halves show, so that they have the same sections."""

    def __init__(self, yours: Step, expected: Step, size: MakeManager, difference: Difference | None) -> None:
        self.size = size
        self.difference = difference
        self.states = [state_after(yours, size), state_after(expected, size)]
        self.ends_told = not (_is_plain_return(yours.outcome) and _is_plain_return(expected.outcome))
        self.gathers = is_gather(expected) and (difference is None or not _in_the_state(difference))
        self.steps = (yours, expected)

    def sections(self, step: Step, title: Text, style: str, look: Look) -> list[list[Line]]:
        yours = step is self.steps[0]
        marked = NOTHING_MARKED
        if self.difference is not None:
            marked = self.difference.yours if yours else self.difference.expected
        parts = [prose(title, look, style=style)]
        if self.gathers:
            row = None if self.difference is None else self.difference.row
            return [*parts, *gather_lines(step, self.size, row, look)]
        if self.ends_told:
            parts.append(prose(_ending(step.outcome), look))
        state = self.states[0 if yours else 1]
        return parts if state is None else [*parts, *_state(state, marked, look)]

    def legend(self, look: Look) -> list[Line]:
        if self.gathers:
            return gather_legend(self.steps, self.size, look)
        return pool_legend([state for state in self.states if state is not None], look)


def is_gather(step: Step) -> bool:
    """Whether the step reads the cache, so that rows are compared and not only states."""
    return isinstance(step.op, CallMethod) and step.op.method is Method.GATHER


def _in_the_state(difference: Difference) -> bool:
    return (difference.yours, difference.expected) != (NOTHING_MARKED, NOTHING_MARKED)


def _is_plain_return(outcome: Outcome) -> bool:
    return outcome.kind == "done" and outcome.value is None


def _ending(outcome: Outcome) -> Text:
    return phrases.NO_EXCEPTION if outcome.kind == "done" else outcome_words(outcome)


def _state(state: PoolState, marked: Marked, look: Look) -> list[list[Line]]:
    return [pool_boxes(state, look, marked=marked), pool_lists(state, look, marked=marked)]


def _abreast(left: Sequence[Sequence[Line]], right: Sequence[Sequence[Line]], width: int) -> list[Line]:
    """Section by section side by side, each half `width` cells wide."""
    lines = []
    for one, other in zip_longest(left, right, fillvalue=()):
        for mine, due in zip_longest(one, other, fillvalue=Line("")):
            line = padded(mine, width + _GAP) + due
            line.rstrip()
            lines.append(line)
    return lines


def _told(
    yours: Step, expected: Step, size: MakeManager, difference: Difference | None, look: Look
) -> list[Line]:
    halves = _Halves(yours, expected, size, difference)
    lines: list[Line] = []
    for step, head, state in zip(
        halves.steps, (phrases.YOURS_ARE, phrases.EXPECTED_ARE), halves.states, strict=True
    ):
        if halves.gathers:
            first, *rest = gather_sentences(step, size)
            lines += prose(head + first, look)
            lines += [line for sentence in rest for line in prose(sentence, look)]
            continue
        lines += prose(head + (_ending(step.outcome) + phrases.STOP if halves.ends_told else same("")), look)
        lines += [] if state is None else pool_sentences(state, look)
    return [*lines, *said(difference, look)]
