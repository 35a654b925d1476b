"""A mission's tests once more, with every call watched line by line: what a replay is made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pagetutor.content.model import Course, Mission
from pagetutor.exercise.contract import Violation
from pagetutor.exercise.trace import Trace
from pagetutor.judge import say
from pagetutor.judge.case import smallest
from pagetutor.judge.check import test_files
from pagetutor.judge.play import Play
from pagetutor.judge.run_tests import TestOutcome, run_tests
from pagetutor.learner.port import DEADLINE_S, Job, Loaded, LoadFailed, Runner, Stopped
from pagetutor.text import Text

STAGE = "stage_lines.py"  # beside the course's stage: watching takes time, so a check does without
_WATCHED_TAKES = 3  # times as long


@dataclass(frozen=True, slots=True)
class Recorded:
    """A test's case as it was played: the one that broke first where the test fails, else the last."""

    test_id: str
    trace: Trace
    violation: Violation | None


def record(
    course: Course,
    mission: Mission,
    path: Path,
    source: bytes,
    runner: Runner,
    *,
    deadline_s: float = DEADLINE_S,
) -> tuple[Recorded, ...] | Text:
    """Each test's case with the lines that ran, the smallest failing one first; a sentence where it stopped.

    Raises `MachineError` where no learner's process can be had and `ContentError` where the course
    itself is at fault.
    """
    job = Job(
        path,
        course.stage.with_name(STAGE),
        _WATCHED_TAKES * deadline_s,
        hidden=(course.root,),
        source=source,
    )
    files, drawn = test_files(course, mission, source)
    loaded: Loaded | LoadFailed | Stopped = Loaded()
    with runner.session(job) as session:

        def load() -> bool:
            nonlocal loaded
            loaded = session.load(source)
            return isinstance(loaded, Loaded)

        outcomes = tuple(run_tests(files, Play(session), drawn, ready=load).outcomes.values())
    if isinstance(loaded, LoadFailed):
        return say.load_failed(loaded.raised)
    if isinstance(loaded, Stopped):
        return say.stopped_while_loading(loaded, job.deadline_s)
    stopped = next((outcome.stopped for outcome in outcomes if outcome.stopped is not None), None)
    if stopped is not None:
        return say.stopped(stopped, job.deadline_s)
    return _in_turn(outcomes)


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
