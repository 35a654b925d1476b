"""A mission's tests once more, with every call watched line by line: what a replay is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pagetutor.content.model import Course, Mission
from pagetutor.exercise.contract import Violation, violations
from pagetutor.exercise.scenario import Scenario
from pagetutor.exercise.trace import Trace, TraceError, hung_from_wire
from pagetutor.judge import say
from pagetutor.judge.case import smallest
from pagetutor.judge.mission_run import test_files
from pagetutor.judge.play import Play
from pagetutor.judge.run_tests import TestOutcome, run_tests
from pagetutor.learner.port import DEADLINE_S, Job, Json, Loaded, LoadFailed, Runner, Stopped, StopReason
from pagetutor.text import Text

STAGE = "stage_lines.py"  # beside the course's stage: watching takes time, so a check does without
_FOR_ONE = 0.8  # of the time left: then a call is given up, while there is still time to tell its lines


@dataclass(frozen=True, slots=True)
class Recorded:
    """A test's case as it was played: the one that broke first where the test fails, else the last.

    `stopped` is what a check says of it where its last call did not come to an end.
    """

    test_id: str
    trace: Trace
    violation: Violation | None
    stopped: Text | None = None


@dataclass(frozen=True, slots=True)
class NotRecorded:
    """Why there is nothing to show, and whether the deadline was used up for that."""

    say: Text
    used_up: bool


def record(
    course: Course,
    mission: Mission,
    path: Path,
    source: bytes,
    runner: Runner,
    *,
    deadline_s: float = DEADLINE_S,
) -> tuple[Recorded, ...] | NotRecorded:
    """Each test's case with the lines that ran, the smallest failing one first.

    The deadline holds for all of it. A call that runs on ends it all: its case is the first, as far as it
    went. Raises `MachineError` where no learner's process can be had and `ContentError` where the course
    itself is at fault.
    """
    job = Job(
        path,
        course.stage.with_name(STAGE),
        deadline_s,
        hidden=(course.root,),
        source=source,
    )
    files, drawn = test_files(course, mission, source)
    loaded: Loaded | LoadFailed | Stopped = Loaded()
    with runner.session(job) as session:
        play = _WatchedPlay(session)

        def load() -> bool:
            nonlocal loaded
            loaded = session.load(source)
            return isinstance(loaded, Loaded)

        outcomes = run_tests(files, play, drawn, ready=load)
    if isinstance(loaded, LoadFailed):
        return NotRecorded(say.load_failed(loaded.raised), used_up=False)
    if isinstance(loaded, Stopped):
        sentence = say.stopped_while_loading(loaded, deadline_s)
        return NotRecorded(sentence, used_up=loaded.reason is StopReason.TIMEOUT)
    without = next((outcome for outcome in outcomes if outcome.stopped is not None), None)
    if without is None or without.stopped is None:
        return _in_turn(outcomes)
    sentence = say.stopped(without.stopped, deadline_s)
    broken = [] if play.hung is None else list(violations(play.hung))
    if play.hung is None or not broken or broken[-1].step != len(play.hung.steps) - 1:
        return NotRecorded(sentence, used_up=without.stopped.reason is StopReason.TIMEOUT)
    return Recorded(without.id, play.hung, broken[0], sentence), *_in_turn(outcomes)


@dataclass(slots=True)
class _WatchedPlay(Play):
    """Plays one scenario after the other; one that runs on is given up, and nothing is played after it."""

    hung: Trace | None = field(default=None, init=False)
    _given_up: Stopped | None = field(default=None, init=False)

    def _ask(self, played: Scenario) -> Json | Stopped:
        if self._given_up is not None:
            return self._given_up
        limit_s = max(self.session.left_s * _FOR_ONE, 0.01)
        answer = self.session.play(played.to_wire(limit_s=limit_s))
        if isinstance(answer, Stopped):
            return answer
        try:
            self.hung = hung_from_wire(played, answer)
        except TraceError as error:
            return Stopped(StopReason.CRASH, detail=str(error))
        if self.hung is not None:
            at = self.hung.steps[-1].outcome.at
            self._given_up = Stopped(StopReason.TIMEOUT, *((at.line, at.function) if at else ()))
            return self._given_up
        return answer


def _in_turn(outcomes: Sequence[TestOutcome]) -> tuple[Recorded, ...]:
    """The smallest failing case, the tests that fail, those that pass."""
    first = smallest((one.id, one.broken) for one in outcomes if one.broken is not None)
    failing = [
        Recorded(one.id, one.broken.trace, one.broken.violation)
        for one in sorted(outcomes, key=lambda one: first is not None and one.id != first[0])
        if one.broken is not None
    ]
    passing = [
        Recorded(one.id, one.trace, None) for one in outcomes if one.broken is None and one.trace is not None
    ]
    return (*failing, *passing)
