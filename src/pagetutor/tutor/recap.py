"""Looking back: what was asked and answered, the mistakes met and how they were mended, the time it took.

A pure fold over the history. It holds nothing but the course's questions and what the learner chose,
wrote and did: no right answer that they have not given, no line of the reference.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from pagetutor.content.model import Choice, Course, Mission, Question
from pagetutor.content.read import load_models
from pagetutor.store.database import Record
from pagetutor.store.events import Checked, SaidBack
from pagetutor.text import Text
from pagetutor.tutor.mending import Met, mistakes_met
from pagetutor.tutor.progress import MissionProgress, fold, remembered

_LONGEST_GAP_S = 600.0  # a longer one was a walk, or another day


@dataclass(frozen=True, slots=True)
class Given:
    """A question with the first and the final choice; `confidence` is of the first (1–3, None: not said)."""

    ask: Text
    first: Choice
    final: Choice
    confidence: int | None


@dataclass(frozen=True, slots=True)
class OwnWords:
    """What the learner said of a mistake before they copied the line; None: of one without a name."""

    mistake: str | None
    words: str


@dataclass(frozen=True, slots=True)
class Day:
    """The checks of one day, by their verdicts in order; `first` and `last` are local times as `19:20`."""

    date: str
    first: str
    last: str
    verdicts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MissionRecap:
    """What was done in one mission; `seconds` without pauses of ten minutes and more."""

    mission: Mission
    passed: bool
    checks: int
    hints: int
    saw_the_line: bool
    saw_the_solution: bool
    seconds: float
    given: tuple[Given, ...]
    met: tuple[Met, ...]
    days: tuple[Day, ...]
    own_words: tuple[OwnWords, ...] = ()


@dataclass(frozen=True, slots=True)
class Recap:
    """Everything done in the course, mission by mission; those not begun are left out."""

    course: Text
    missions: tuple[MissionRecap, ...]


def recap(course: Course, records: Iterable[Record]) -> Recap:
    """The recap of these records. Raises ContentError where an error model cannot be read."""
    kept = remembered(records)
    in_time = sorted(kept, key=lambda record: record.at)  # the same, unless a clock was set back
    progress = fold(kept)
    seconds = _seconds(in_time)
    begun = [(one, progress.of(one.id)) for one in course.missions if _is_begun(progress.of(one.id))]
    return Recap(
        course.title,
        tuple(
            MissionRecap(
                mission,
                passed=before.passed,
                checks=before.checks,
                hints=before.hints,
                saw_the_line=before.gave_up_line,
                saw_the_solution=before.gave_up_solution,
                seconds=seconds.get(mission.id, 0.0),
                given=_given(mission, before),
                met=mistakes_met(mission.id, kept, lambda wanted: _beliefs(course, wanted)),
                days=_days(mission.id, in_time),
                own_words=_own_words(mission.id, kept),
            )
            for mission, before in begun
        ),
    )


def _is_begun(before: MissionProgress) -> bool:
    """Whether anything was done; where the file lies is remembered of a mission that was forgotten too."""
    return replace(before, folder=None) != MissionProgress()


def _seconds(in_time: Sequence[Record]) -> Mapping[str, float]:
    """The time spent on each mission: the gap before an event is the mission's that the event is of."""
    spent: dict[str, float] = {}
    for before, record in pairwise(in_time):
        gap = record.at - before.at
        mission = getattr(record.event, "mission", None)
        if isinstance(mission, str) and gap < _LONGEST_GAP_S:
            spent[mission] = spent.get(mission, 0.0) + gap
    return spent


def _given(mission: Mission, before: MissionProgress) -> tuple[Given, ...]:
    """The questions that were answered, those that came back with other numbers after them."""
    asked: list[Question] = []
    for question in (mission.guess, mission.quiz):
        if question is not None:
            asked += [question] if question.again is None else [question, question.again]
    found: list[Given] = []
    for question in asked:
        first, final = before.first_answer(question), before.final_answer(question)
        if first is not None and final is not None:
            found.append(Given(question.ask, first, final, before.confidence.get(question.id)))
    return tuple(found)


def _beliefs(course: Course, wanted: Set[str]) -> Mapping[str, Text]:
    """What these mistakes of the error models seem to believe, by their ids."""
    found: dict[str, Text] = {}
    for mission in course.missions:
        if wanted <= found.keys():
            break  # a model takes 15 ms to read
        for model in mission.models or load_models(course.root, mission.id):
            for variant in model.variants:
                found.setdefault(variant.id, variant.belief)
    return found


def _own_words(mission: str, kept: Sequence[Record]) -> tuple[OwnWords, ...]:
    events = [record.event for record in kept]
    return tuple(
        OwnWords(event.mistake, event.words)
        for event in events
        if isinstance(event, SaidBack) and event.mission == mission and event.words.strip()
    )


def _days(mission: str, in_time: Sequence[Record]) -> tuple[Day, ...]:
    checks = [
        (time.localtime(record.at), record.event.verdict)
        for record in in_time
        if isinstance(record.event, Checked) and record.event.mission == mission
    ]
    days: list[Day] = []
    for date, of_day in groupby(checks, key=lambda check: time.strftime("%Y-%m-%d", check[0])):
        times, verdicts = zip(*of_day, strict=True)
        first, last = (time.strftime("%H:%M", one) for one in (times[0], times[-1]))
        days.append(Day(date, first, last, tuple(verdicts)))
    return tuple(days)
