"""Where a learner stands: a pure fold over the history."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce

from pagetutor.content.model import Course, Mission, Question
from pagetutor.store import events
from pagetutor.store.database import Record
from pagetutor.store.events import Event
from pagetutor.store.history import History
from pagetutor.text import Language
from pagetutor.tutor.parts import Step, steps_of


@dataclass(frozen=True, slots=True)
class MissionProgress:
    """What was done in one mission.

    `answers` holds every choice of a question in order: the first is the first answer, the last the
    final one. `missed` and `hit` are the questions that were ever answered wrongly and rightly.
    `confidence` is how sure they were of the first answer (1–3, None where they did not say). `passed`
    stays true whatever is checked later; `last_checked_at` is in seconds since the epoch.
    """

    done: frozenset[str] = frozenset()
    answers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    missed: frozenset[str] = frozenset()
    hit: frozenset[str] = frozenset()
    confidence: Mapping[str, int | None] = field(default_factory=dict)
    predicted: Mapping[str, str | None] = field(default_factory=dict)
    traced: Mapping[tuple[int, int], str | None] = field(default_factory=dict)
    warm_up_runs: int = 0
    checks: int = 0
    passed: bool = False
    last_verdict: str | None = None
    last_checked_at: float | None = None
    hints: int = 0
    gave_up_line: bool = False
    gave_up_solution: bool = False
    cards: frozenset[str] = frozenset()
    folder: str | None = None

    def first_answer(self, question: Question) -> str | None:
        """The id of the option chosen first; None where it was not answered yet."""
        given = self.answers.get(question.id, ())
        return given[0] if given else None

    def final_answer(self, question: Question) -> str | None:
        """The id of the option chosen last; None where it was not answered yet."""
        given = self.answers.get(question.id, ())
        return given[-1] if given else None


@dataclass(frozen=True, slots=True)
class Progress:
    """Everything a learner has done so far. Missions not begun are not in `missions`: ask `of`."""

    language: Language | None = None
    prologue_seen: bool = False
    seed: str | None = None
    missions: Mapping[str, MissionProgress] = field(default_factory=dict)
    skipped_again: Mapping[str, int] = field(default_factory=dict)
    folder: str | None = None

    def of(self, mission_id: str) -> MissionProgress:
        """What was done in that mission."""
        return self.missions.get(mission_id, MissionProgress())

    def passed(self, mission_id: str) -> bool:
        """Whether that mission was ever passed."""
        return self.of(mission_id).passed


def read_progress(history: History) -> Progress:
    """The progress that this history amounts to."""
    return fold(history.records())


def fold(records: Iterable[Record]) -> Progress:
    """The progress after these records, in their order."""
    return reduce(_after_record, remembered(records), Progress())


def _after_record(progress: Progress, record: Record) -> Progress:
    """The progress after one more record, and when a check was made."""
    progress = after(progress, record.event)
    if not isinstance(record.event, events.Checked):
        return progress
    mission = replace(progress.of(record.event.mission), last_checked_at=record.at)
    return replace(progress, missions={**progress.missions, record.event.mission: mission})


def remembered(records: Iterable[Record]) -> tuple[Record, ...]:
    """These records without those that were forgotten."""
    everything = tuple(records)
    forgotten = {
        record_id
        for record in everything
        if isinstance(record.event, events.Forgotten)
        for record_id in record.event.records
    }
    return tuple(record for record in everything if record.id not in forgotten)


def after(progress: Progress, event: Event) -> Progress:
    """The progress after one more event. Once done stays done, unless it is forgotten (see `remembered`)."""
    match event:
        case events.LanguageChosen(language=language):
            known = Language(language) if language in set(Language) else progress.language
            return replace(progress, language=known)
        case events.PrologueSeen():
            return replace(progress, prologue_seen=True)
        case events.Seeded(seed=seed):
            return replace(progress, seed=progress.seed or seed)
        case events.AgainSkipped(question=question):
            times = progress.skipped_again.get(question, 0) + 1
            return replace(progress, skipped_again={**progress.skipped_again, question: times})
        case events.Unread() | events.Forgotten() | events.UnknownMet() | events.MethodsSeen():
            return progress
        case _:
            mission = _after_in_mission(progress.of(event.mission), event)
            folder = event.path if isinstance(event, events.FolderUsed) else progress.folder
            return replace(progress, missions={**progress.missions, event.mission: mission}, folder=folder)


_InMission = (
    events.Answered
    | events.ConfidenceGiven
    | events.PartDone
    | events.Predicted
    | events.WarmUpRun
    | events.HandTraced
    | events.Checked
    | events.HintOpened
    | events.SaidBack
    | events.GaveUp
    | events.CardSeen
    | events.FolderUsed
)


def _after_in_mission(before: MissionProgress, event: _InMission) -> MissionProgress:
    match event:
        case events.Answered(question=question, choice=choice, right=right):
            return replace(
                before,
                answers={**before.answers, question: (*before.answers.get(question, ()), choice)},
                missed=before.missed if right else before.missed | {question},
                hit=before.hit | {question} if right else before.hit,
            )
        case events.ConfidenceGiven(question=question, level=level):
            known = level if level in (1, 2, 3) else None
            return replace(before, confidence={question: known, **before.confidence})
        case events.PartDone(part=part):
            return replace(before, done=before.done | {part})
        case events.Predicted(expression=expression, value=value):
            return replace(before, predicted={**before.predicted, expression: value})
        case events.WarmUpRun():
            return replace(before, warm_up_runs=before.warm_up_runs + 1)
        case events.HandTraced(row=row, column=column, answer=answer):
            return replace(before, traced={**before.traced, (row, column): answer})
        case events.Checked(verdict=verdict):
            return replace(
                before,
                checks=before.checks + 1,
                passed=before.passed or verdict == "passed",
                last_verdict=verdict,
            )
        case events.HintOpened():
            return replace(before, hints=before.hints + 1)
        case events.GaveUp(what=what):
            solution = what == "solution"
            return replace(
                before,
                gave_up_solution=before.gave_up_solution or solution,
                gave_up_line=before.gave_up_line or not solution,
            )
        case events.CardSeen(card=card):
            return replace(before, cards=before.cards | {card})
        case events.FolderUsed(path=path):
            return replace(before, folder=path)
        case events.SaidBack():
            return before


def next_step(mission: Mission, progress: Progress) -> Step:
    """The first step of this mission that is not behind the learner; the exercise, once all others are."""
    done = progress.of(mission.id).done
    return next((step for step in steps_of(mission) if step not in done), Step.EXERCISE)


def question_to_ask_again(course: Course, progress: Progress) -> tuple[Mission, Question] | None:
    """The one missed question that comes back now, with changed numbers, and its mission.

    Only from a mission whose quiz is behind the learner, so that resuming in the middle of the reading is
    not broken into; and not once its changed form was answered rightly. The one skipped least often
    comes first, then the order of the course.
    """
    waiting: list[tuple[Mission, Question]] = []
    for mission in course.missions:
        before = progress.of(mission.id)
        for question in (mission.guess, mission.quiz):
            if question is None or question.again is None or Step.QUIZ not in before.done:
                continue
            if question.id in before.missed and question.again.id not in before.hit:
                waiting.append((mission, question.again))
    return min(waiting, key=lambda pair: progress.skipped_again.get(pair[1].id, 0), default=None)
