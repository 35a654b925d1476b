"""A learner's desk: a course, a folder, a history with a clock of its own, and a seat at a mission."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from pagetutor.content.model import Course, Mission
from pagetutor.store.events import Event
from pagetutor.store.history import History
from pagetutor.store.workspace import Workspace
from pagetutor.text import Language
from pagetutor.tutor.checking import Check
from pagetutor.tutor.finding import find_mission
from pagetutor.tutor.hints import HintEnd, hint
from pagetutor.tutor.lesson import LessonEnd, run_mission
from pagetutor.tutor.means import COMMANDS, Means
from pagetutor.tutor.starter import workspace_in
from tests.tutor.scripted import Answer, Scripted
from tests.tutor.small import InPlaceRunner, marked_check, small_course


@dataclass
class Desk:
    """Everything a learner has in front of them; `now` is the clock."""

    course: Course
    folder: Path
    path: Path
    now: float = 1000.0
    runner: InPlaceRunner = field(default_factory=InPlaceRunner)

    @property
    def history(self) -> History:
        """The history as a new run of the program opens it."""
        return History(self.path, clock=lambda: self.now)

    @property
    def events(self) -> list[Event]:
        """Everything recorded."""
        return [record.event for record in self.history.records()]

    @property
    def workspace(self) -> Workspace:
        """The learner's folder."""
        return workspace_in(self.folder, self.course)

    def mission(self, name: str) -> Mission:
        """The mission of that id."""
        return find_mission(self.course, name)

    def sit(
        self, mission: str, *script: Answer, language: Language = Language.EN, shuffle: bool = False
    ) -> tuple[LessonEnd, list[str]]:
        """One sitting at this mission with these answers, all of which must be asked for."""
        screen = Scripted(*script, language=language)
        end = run_mission(
            self.course,
            self.mission(mission),
            screen,
            history=self.history,
            runner=self.runner,
            workspace=self.workspace,
            shuffle=shuffle,
            check=marked_check,
        )
        assert screen.left_over == []
        return end, screen.log

    def hint(
        self,
        *script: Answer,
        now: bool = False,
        give_up: bool = False,
        ask_back: bool = True,
        check: Check = marked_check,
        language: Language = Language.EN,
        means: Means = COMMANDS,
    ) -> tuple[HintEnd, list[str]]:
        """`hint 1` on the file as it is."""
        screen = Scripted(*script, language=language)
        end = hint(
            self.course,
            self.mission("1"),
            self.workspace.file,
            screen=screen,
            history=self.history,
            runner=self.runner,
            check=check,
            now=now,
            give_up=give_up,
            ask_back=ask_back,
            means=means,
        )
        assert screen.left_over == []
        return end, screen.log

    def write(self, source: str) -> None:
        """Save this as the learner's file."""
        self.workspace.file.write_text(source)


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return Desk(small_course(tmp_path / "course"), folder, tmp_path / "home" / "history.db")
