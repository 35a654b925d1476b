"""A mission's tests on one learner's process, and all that the process did meanwhile."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pagetutor import __version__
from pagetutor.content.model import Course, Mission
from pagetutor.exercise.scenario import Method, Scenario
from pagetutor.exercise.unforeseen import unforeseen
from pagetutor.judge.notes import BY_OWN_CALLS, lent_names, taking_notes
from pagetutor.judge.out_of_memory import ran_out
from pagetutor.judge.play import Play
from pagetutor.judge.report import Note
from pagetutor.judge.run_tests import TestOutcome, run_tests
from pagetutor.judge.same_answer import Difference, first_difference
from pagetutor.learner.port import Finished, Loaded, LoadFailed, Prints, Session, Stopped


@dataclass(frozen=True, slots=True)
class MissionRun:
    """What one learner's process did: how loading ended if it failed, the tests, and how it left.

    `stopped` is why it has not answered all; `differs` where the second process answered otherwise.
    """

    load: LoadFailed | Stopped | None = None
    differs: Difference | None = None
    outcomes: Sequence[TestOutcome] = ()
    stopped: Stopped | None = None
    notes: tuple[Note, ...] = ()
    prints: Prints = field(default_factory=Prints)

    @property
    def abandoned(self) -> bool:
        """Whether the machine ended it, and not the learner's code: then it may be tried again."""
        ends = (self.load, self.stopped)
        return any(isinstance(end, Stopped) and end.abandoned for end in ends)


def run_mission(
    course: Course,
    mission: Mission,
    source: bytes,
    tree: ast.Module,
    session: Session,
    *,
    on_failure: Callable[[], None],
) -> MissionRun:
    """Load these bytes in the session, run the mission's tests on them, and have the process end.

    `on_failure` is called where a test fails, before the wait for that end. Raises ContentError where a
    test file is at fault, MachineError where no process can be had.
    """
    play = Play(session, ran_out=lambda raised: ran_out(raised, tree))
    files, drawn = test_files(course, mission, source)
    loaded: Loaded | LoadFailed | Stopped = Loaded()

    def load() -> bool:
        nonlocal loaded
        loaded = session.load(source)
        return isinstance(loaded, Loaded)

    outcomes = run_tests(files, play, drawn, ready=load)
    if not isinstance(loaded, Loaded):
        return MissionRun(load=loaded, prints=session.prints())
    stopped = next((outcome.stopped for outcome in outcomes if outcome.stopped is not None), None)
    if stopped is None and any(outcome.broken is not None for outcome in outcomes):
        on_failure()
    ending = session.finish()
    if stopped is None and isinstance(ending, Stopped):
        stopped = ending
    differs = None
    if isinstance(ending, Finished) and ending.echoes is not None:
        found = first_difference(play, ending.echoes)
        if isinstance(found, Stopped):
            stopped = stopped or found
        else:
            differs = found
    notes = [*lent_names(loaded.supplied), *taking_notes(play.traces)]
    if play.by_own_calls:
        notes.append(BY_OWN_CALLS)
    return MissionRun(
        differs=differs, outcomes=outcomes, stopped=stopped, notes=tuple(notes), prints=session.prints()
    )


def test_files(
    course: Course, mission: Mission, source: bytes
) -> tuple[tuple[Path, ...], dict[str, tuple[Scenario, ...]]]:
    """The mission's test files with the scenarios drawn for each; the final one runs everyone's."""
    others = [other for other in course.missions if other.id != "final"] if mission.id == "final" else []
    missions = (mission, *others)
    drawn = {one.tests.name: unforeseen(_methods(one), source, __version__) for one in missions}
    return tuple(one.tests for one in missions), drawn


def _methods(mission: Mission) -> list[Method]:
    return [method for method in Method if method.full_name in mission.methods]
