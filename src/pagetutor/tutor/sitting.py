"""One sitting: a learner at a mission, and everything a step of the lesson needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pagetutor.content.model import Course, Mission
from pagetutor.store.events import Event, Seeded
from pagetutor.store.history import History
from pagetutor.store.workspace import Workspace
from pagetutor.text import Text
from pagetutor.tutor.parts import Step, parts_of
from pagetutor.tutor.progress import MissionProgress, Progress, read_progress
from pagetutor.tutor.screen import PartHeading, Said, Screen
from pagetutor.tutor.shuffle import new_seed

if TYPE_CHECKING:
    from pagetutor.learner.port import Runner
    from pagetutor.tutor.checking import Check


@dataclass(frozen=True, slots=True)
class Sitting:
    """Who sits at which mission, with what: `shuffle` is False where a class wants one order for all."""

    course: Course
    mission: Mission
    screen: Screen
    history: History
    runner: Runner
    workspace: Workspace
    check: Check | None
    shuffle: bool

    def record(self, *happened: Event) -> None:
        """Record this now; trouble with saving is said once."""
        self.history.append(*happened)
        if (trouble := self.history.new_trouble()) is not None:
            self.screen.show(Said(trouble))

    def progress(self) -> Progress:
        """Everything done so far."""
        return read_progress(self.history)

    def here(self) -> MissionProgress:
        """What was done in this mission so far."""
        return self.progress().of(self.mission.id)

    def seed(self) -> str | None:
        """This learner's seed, made at the first question; None where nothing is shuffled."""
        if not self.shuffle:
            return None
        if self.progress().seed is None:
            self.record(Seeded(new_seed()))
        return self.progress().seed

    def say(self, text: Text) -> None:
        """Say one plain sentence."""
        self.screen.show(Said(text))

    def head(self, step: Step) -> None:
        """Show the head of the part this step belongs to."""
        parts = parts_of(self.mission)
        number = parts.index(step.counts_with(self.mission)) + 1
        again = step is Step.GUESS_AGAIN
        head = PartHeading(self.mission, step.part, number, len(parts), again=again, in_lesson=True)
        self.screen.show(head)
