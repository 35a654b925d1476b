"""Where a learner stands: a pure fold over the history."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date

from pagetutor.content.model import Choice, Course, Mission, MissionId, Question
from pagetutor.store import events
from pagetutor.store.database import Record
from pagetutor.store.history import History
from pagetutor.text import Language
from pagetutor.tutor.parts import Step, steps_of


@dataclass(frozen=True, slots=True)
class MissionProgress:
    """What was done in one mission.

    `answers` holds every choice of a question in order: the first is the first answer, the last the
    final one. `missed_at` says when a question was last answered wrongly, in seconds since the epoch;
    `hit` are the questions that were ever answered rightly.
    `confidence` is how sure they were of the first answer (1–3, None where they did not say). `passed`
    stays true whatever is checked later; `passes` counts the checks that passed since the first answer.
    `last_source` is the hash of the bytes last checked, `last_checked_at` is in seconds since the epoch.
    """

    done: frozenset[str] = frozenset()
    answers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    missed_at: Mapping[str, float] = field(default_factory=dict)
    hit: frozenset[str] = frozenset()
    confidence: Mapping[str, int | None] = field(default_factory=dict)
    predicted: Mapping[str, str | None] = field(default_factory=dict)
    traced: Mapping[tuple[int, int], str | None] = field(default_factory=dict)
    warm_up_runs: int = 0
    checks: int = 0
    passed: bool = False
    passes: int = 0
    last_verdict: str | None = None
    last_source: str | None = None
    last_checked_at: float | None = None
    hints: int = 0
    gave_up_line: bool = False
    gave_up_solution: bool = False
    cards: frozenset[str] = frozenset()
    folder: str | None = None

    def first_answer(self, question: Question) -> Choice | None:
        """The option chosen first; None where it was not answered yet, or that option is gone."""
        given = self.answers.get(question.id, ())
        return question.find_choice(given[0]) if given else None

    def final_answer(self, question: Question) -> Choice | None:
        """The option chosen last; None where it was not answered yet, or that option is gone."""
        given = self.answers.get(question.id, ())
        return question.find_choice(given[-1]) if given else None


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
    """The progress after these records, in their order. Once done stays done, unless it is forgotten."""
    tally = _Tally()
    for record in remembered(records):
        tally.add(record)
    return tally.progress()


def remembered(records: Iterable[Record]) -> tuple[Record, ...]:
    """These records without those that were forgotten."""
    everything = tuple(records)
    forgotten = {
        record_id
        for record in everything
        if isinstance(record.event, events.Forgotten)
        for record_id in record.event.records
    }
    return tuple(record for record in everything if record.id not in forgotten) if forgotten else everything


class _Tally:
    """A progress that is being counted: frozen once, and not copied for each of thousands of records."""

    def __init__(self) -> None:
        self._language: Language | None = None
        self._prologue_seen = False
        self._seed: str | None = None
        self._missions: dict[str, _MissionTally] = {}
        self._skipped_again: dict[str, int] = {}
        self._folder: str | None = None

    def add(self, record: Record) -> None:
        """Count one more record."""
        match record.event:
            case events.Unread() | events.Forgotten() | events.Imported():
                pass
            case events.UnknownMet() | events.MethodsSeen() | events.StructureMet():
                pass
            case events.LanguageChosen(language=language):
                self._language = Language(language) if language in set(Language) else self._language
            case events.PrologueSeen():
                self._prologue_seen = True
            case events.Seeded(seed=seed):
                self._seed = self._seed or seed
            case events.AgainSkipped(question=question):
                self._skipped_again[question] = self._skipped_again.get(question, 0) + 1
            case event:
                if isinstance(event, events.FolderUsed):
                    self._folder = event.path
                self._missions.setdefault(event.mission, _MissionTally()).add(event, record.at)

    def progress(self) -> Progress:
        """What was counted so far."""
        return Progress(
            language=self._language,
            prologue_seen=self._prologue_seen,
            seed=self._seed,
            missions={mission: tally.progress() for mission, tally in self._missions.items()},
            skipped_again=dict(self._skipped_again),
            folder=self._folder,
        )


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


@dataclass(slots=True)
class _MissionTally:
    """A mission's progress that is being counted; the names are those of MissionProgress."""

    done: set[str] = field(default_factory=set)
    answers: dict[str, list[str]] = field(default_factory=dict)
    missed_at: dict[str, float] = field(default_factory=dict)
    hit: set[str] = field(default_factory=set)
    confidence: dict[str, int | None] = field(default_factory=dict)
    predicted: dict[str, str | None] = field(default_factory=dict)
    traced: dict[tuple[int, int], str | None] = field(default_factory=dict)
    warm_up_runs: int = 0
    checks: int = 0
    passed: bool = False
    passes: int = 0
    last_verdict: str | None = None
    last_source: str | None = None
    last_checked_at: float | None = None
    hints: int = 0
    gave_up_line: bool = False
    gave_up_solution: bool = False
    cards: set[str] = field(default_factory=set)
    folder: str | None = None

    def add(self, event: _InMission, at: float) -> None:
        """Count one more event, recorded `at` that time."""
        match event:
            case events.Answered(question=question, choice=choice, right=right):
                self.passes = self.passes if self.answers else 0
                self.answers.setdefault(question, []).append(choice)
                self.hit |= {question} if right else set()
                self.missed_at |= {} if right else {question: at}
            case events.ConfidenceGiven(question=question, level=level):
                self.confidence.setdefault(question, level if level in (1, 2, 3) else None)
            case events.PartDone(part=part):
                self.done.add(part)
            case events.Predicted(expression=expression, value=value):
                self.predicted[expression] = value
            case events.WarmUpRun():
                self.warm_up_runs += 1
            case events.HandTraced(row=row, column=column, answer=answer):
                self.traced[row, column] = answer
            case events.Checked(verdict=verdict, source_hash=source):
                self.checks += 1
                self.passed = self.passed or verdict == "passed"
                self.passes += verdict == "passed"
                self.last_verdict, self.last_source, self.last_checked_at = verdict, source, at
            case events.HintOpened():
                self.hints += 1
            case events.GaveUp(what=what):
                self.gave_up_solution = self.gave_up_solution or what == "solution"
                self.gave_up_line = self.gave_up_line or what != "solution"
            case events.CardSeen(card=card):
                self.cards.add(card)
            case events.FolderUsed(path=path):
                self.folder = path
            case events.SaidBack():
                pass

    def progress(self) -> MissionProgress:
        """What was counted so far."""
        return MissionProgress(
            done=frozenset(self.done),
            answers={question: tuple(given) for question, given in self.answers.items()},
            missed_at=dict(self.missed_at),
            hit=frozenset(self.hit),
            confidence=dict(self.confidence),
            predicted=dict(self.predicted),
            traced=dict(self.traced),
            warm_up_runs=self.warm_up_runs,
            checks=self.checks,
            passed=self.passed,
            passes=self.passes,
            last_verdict=self.last_verdict,
            last_source=self.last_source,
            last_checked_at=self.last_checked_at,
            hints=self.hints,
            gave_up_line=self.gave_up_line,
            gave_up_solution=self.gave_up_solution,
            cards=frozenset(self.cards),
            folder=self.folder,
        )


def next_step(mission: Mission, progress: Progress) -> Step:
    """The first step of this mission that is not behind the learner; the exercise, once all others are."""
    done = progress.of(mission.id).done
    return next((step for step in steps_of(mission) if step not in done), Step.EXERCISE)


def question_to_ask_again(
    course: Course, progress: Progress, here: MissionId, now: float
) -> tuple[Mission, Question] | None:
    """The one missed question that comes back now, with changed numbers, and its mission.

    Only where the final answer is wrong still, from the next day on or in another mission than its own:
    `here` is the one taken now. Only from a mission whose quiz is behind the learner, so that resuming in the
    middle of the reading is not broken into; and not once its changed form was answered rightly. The one
    skipped least often comes first, then the order of the course.
    """
    waiting: list[tuple[Mission, Question]] = []
    for mission in course.missions:
        before = progress.of(mission.id)
        for question in (mission.guess, mission.quiz):
            if question is None or question.again is None or Step.QUIZ not in before.done:
                continue
            missed_at, final = before.missed_at.get(question.id), before.final_answer(question)
            if missed_at is None or final is None or final.right or question.again.id in before.hit:
                continue
            if mission.id != here or _day(missed_at) != _day(now):
                waiting.append((mission, question.again))
    return min(waiting, key=lambda pair: progress.skipped_again.get(pair[1].id, 0), default=None)


def _day(at: float) -> date:
    return date.fromtimestamp(at)
