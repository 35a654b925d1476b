"""Yours | expected: what the learner's file did at a step beside what a right file would have done."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from rich.text import Text as Line

from pagetutor.exercise.scenario import CallMethod, MakeManager, Method
from pagetutor.exercise.state import PoolState, state_after
from pagetutor.exercise.trace import Step, TensorSeen
from pagetutor.exercise.words import outcome_due, outcome_words
from pagetutor.text import Text, same
from pagetutor.ui import pool_phrases as phrases
from pagetutor.ui.render.boxes import abreast
from pagetutor.ui.render.difference import Difference, first_difference
from pagetutor.ui.render.gathered import gather_legend, gather_lines, gather_sentences
from pagetutor.ui.render.look import Look
from pagetutor.ui.render.pool import DIFFERS, pool_boxes, pool_legend, pool_lists
from pagetutor.ui.render.pool_sentences import pool_sentences
from pagetutor.ui.render.pool_words import NOTHING_MARKED, Marked, is_summarised, worth_telling
from pagetutor.ui.render.words import prose

_GAP = 3
_NARROWEST = 66
"""Cells. On a narrower screen a half would hold less than four blocks of four slots: it is stacked."""


def yours_and_expected(
    yours: Step,
    expected: Step,
    size: MakeManager,
    look: Look,
    *,
    left_out: Set[int] = frozenset(),
    brief: bool = False,
) -> list[Line]:
    """The two states after a step side by side, stacked on a narrow screen, told on a plain one."""
    return beside(yours, expected, size, look, left_out=left_out, brief=brief).lines


@dataclass(frozen=True, slots=True)
class Beside:
    """The two states, the first difference in words, and what the marks mean."""

    states: list[Line]
    difference: list[Line]
    legend: list[Line]

    @property
    def lines(self) -> list[Line]:
        """All of it."""
        return [*self.states, *self.difference, *self.legend]


def beside(
    yours: Step,
    expected: Step,
    size: MakeManager,
    look: Look,
    *,
    left_out: Set[int] = frozenset(),
    brief: bool = False,
) -> Beside:
    """The two states after a step, for a screen that may be too low for all of it.

    `size` is the manager whose pool is shown; the blocks `left_out` have no part in the case. The first
    difference bears a mark and is said below; where there is none, that is said. A `brief` picture leaves
    out the boxes of blocks that are free in both.
    """
    pair = _pair(yours, expected, size, left_out)
    if look.plain:
        return Beside(_told(pair, look), said(pair.difference, look), [])
    wide = look.width >= _NARROWEST
    half = look.narrower(look.width - (look.width - _GAP) // 2) if wide else look
    columns = [_sections(one, pair, half, brief=brief) for one in (pair.yours, pair.expected)]
    if wide:
        pictures = abreast(columns, half.width, _GAP)
    else:
        pictures = [line for column in columns for section in column for line in section]
    return Beside(pictures, said(pair.difference, look), _legend(pair, look))


def said(difference: Difference | None, look: Look) -> list[Line]:
    """The first difference in a sentence behind its mark, or that there is none."""
    if difference is None:
        return prose(phrases.NO_DIFFERENCE, look, style="green")
    if look.plain:
        return prose(phrases.FIRST_DIFFERENCE_SAID + difference.say + phrases.STOP, look)
    first = f"{look.marks.differs} "
    words = phrases.FIRST_DIFFERENCE + difference.say
    return prose(words, look, indent=len(first), first=first, style=DIFFERS)


@dataclass(frozen=True, slots=True)
class _Half:
    """One of the two: its title, what happened, and what of its state bears a mark."""

    title: Text
    says: Text
    style: str
    step: Step
    state: PoolState | None
    marked: Marked


@dataclass(frozen=True, slots=True)
class _Pair:
    """Both halves, and what both show, so that they have the same sections."""

    yours: _Half
    expected: _Half
    size: MakeManager
    difference: Difference | None

    @property
    def gathers(self) -> bool:
        """Whether rows are compared: not where reading the cache has changed the state."""
        op = self.expected.step.op
        changed = self.difference is not None and self.difference.in_state
        return isinstance(op, CallMethod) and op.method is Method.GATHER and not changed

    @property
    def counts_dimensions(self) -> bool:
        """Whether two tensors differ in the number of their dimensions."""
        values = [half.step.outcome.value for half in (self.yours, self.expected)]
        return len({len(value.shape) for value in values if isinstance(value, TensorSeen)}) > 1

    @property
    def tells_ends(self) -> bool:
        """Whether how the call ended is worth a line."""
        return {self.yours.step.outcome.kind, self.expected.step.outcome.kind} != {"done"}

    @property
    def told_blocks(self) -> frozenset[int]:
        """The blocks that are more than free in one of the two, or bear a mark."""
        return frozenset(
            block.id
            for half in (self.yours, self.expected)
            if half.state is not None
            for block in worth_telling(half.state.blocks, half.marked)
        )


def _pair(yours: Step, expected: Step, size: MakeManager, left_out: Set[int]) -> _Pair:
    difference = first_difference(yours, expected, size)
    states = state_after(yours, size, left_out), state_after(expected, size, left_out)
    mine, due = (
        (NOTHING_MARKED, NOTHING_MARKED) if difference is None else (difference.yours, difference.expected)
    )
    style = "bold green" if difference is None else DIFFERS
    return _Pair(
        _Half(phrases.YOURS, phrases.YOURS_ARE, style, yours, states[0], mine),
        _Half(phrases.EXPECTED, phrases.EXPECTED_ARE, "bold green", expected, states[1], due),
        size,
        difference,
    )


def _sections(half: _Half, pair: _Pair, look: Look, *, brief: bool) -> list[list[Line]]:
    sections = [prose(half.title, look, style=half.style)]
    if pair.gathers:
        row = None if pair.difference is None else pair.difference.row
        return [*sections, *gather_lines(half.step, pair.size, row, look, counted=pair.counts_dimensions)]
    if pair.tells_ends:
        sections.append(prose(_ending(half, pair), look))
    if half.state is None:
        return sections
    some = pair.told_blocks if brief and not is_summarised(half.state) else None
    return [
        *sections,
        pool_boxes(half.state, look, marked=half.marked, shown_blocks=some),
        pool_lists(half.state, look, marked=half.marked),
    ]


def _ending(half: _Half, pair: _Pair) -> Text:
    outcome = half.step.outcome
    if outcome.kind == "done":
        return phrases.NO_EXCEPTION
    return outcome_words(outcome) if half is pair.yours else outcome_due(outcome)


def _legend(pair: _Pair, look: Look) -> list[Line]:
    halves = (pair.yours, pair.expected)
    if pair.gathers:
        return gather_legend([half.step for half in halves], pair.size, look)
    states = [half.state for half in halves if half.state is not None]
    return pool_legend(states, look)


def _told(pair: _Pair, look: Look) -> list[Line]:
    lines: list[Line] = []
    for half in (pair.yours, pair.expected):
        if pair.gathers:
            first, *rest = gather_sentences(half.step, pair.size, counted=pair.counts_dimensions)
            lines += prose(half.says + first, look)
            lines += [line for sentence in rest for line in prose(sentence, look)]
            continue
        ending = _ending(half, pair) + phrases.STOP if pair.tells_ends else same("")
        lines += prose(half.says + ending, look)
        if half.state is not None:
            new = half is pair.yours
            lines += pool_sentences(half.state, look, marked=half.marked, size_too=new)
    return lines
