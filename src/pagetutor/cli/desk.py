"""What a command works with: language, screen, course, history, runner; each made when first wanted."""

from __future__ import annotations

import os
import sys
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from pagetutor.cli import phrases
from pagetutor.cli.fitting import fitted
from pagetutor.cli.given import Given
from pagetutor.errors import UsageError, WorkspaceError
from pagetutor.text import Language, Text

if TYPE_CHECKING:
    from collections.abc import Callable

    from pagetutor.content.model import Course, Mission
    from pagetutor.learner.port import Runner
    from pagetutor.store.history import History
    from pagetutor.store.workspace import Workspace
    from pagetutor.tutor.progress import Progress
    from pagetutor.tutor.screen import Screen


class Desk:
    """A learner's desk for the length of one command; `close` leaves no process behind."""

    def __init__(self, given: Given) -> None:
        self.given = given
        self._runner: Runner | None = None
        self._screen: Screen | None = None
        self.farewell: Callable[[], Text] | None = None  # what who interrupts this command is told
        self._history: History | None = None

    @property
    def shuffle(self) -> bool:
        """Whether options come in this learner's own order."""
        return not self.given.no_shuffle

    # ── the learner ──────────────────────────────────────────────────────────────────────────────

    @property
    def history(self) -> History:
        """This learner's history."""
        if self._history is None:
            from pagetutor.store.history import open_history  # noqa: PLC0415 — sqlite3: not for --help

            self._history = open_history()
        return self._history

    def progress(self) -> Progress:
        """Where the learner stands now."""
        from pagetutor.tutor.progress import read_progress  # noqa: PLC0415

        return read_progress(self.history)

    @cached_property
    def known_language(self) -> Language | None:
        """The language that was asked for, remembered or is the system's; None where nothing says.

        Raises UsageError for a `--lang` or PAGETUTOR_LANG that names no language.
        """
        from pagetutor.ui.language import chosen_language  # noqa: PLC0415

        told = chosen_language(self.given.lang, os.environ, None)
        if (self.given.lang or os.environ.get("PAGETUTOR_LANG")) and told is not None:
            return told
        return chosen_language(None, os.environ, self.progress().language)

    @property
    def language_untold(self) -> Language | None:
        """The language had none been asked for; None where nothing says, and stderr shows both."""
        from pagetutor.ui.language import can_show, chosen_language  # noqa: PLC0415

        untold = {name: value for name, value in os.environ.items() if name != "PAGETUTOR_LANG"}
        language = chosen_language(None, untold, self.progress().language)
        return language if can_show(language or Language.ZH, sys.stderr.encoding) else Language.EN

    @property
    def language(self) -> Language:
        """The language for a command that asks nothing: English where nothing says."""
        return self._shown(self.known_language or Language.EN)

    def told(self, say: Text) -> str:
        """The words of `say`, for stdout rather than a screen."""
        return fitted(say.in_(self.language), sys.stdout)

    @cached_property
    def workspace(self) -> Workspace:
        """The folder the learner is in."""
        from pagetutor.tutor.starter import workspace_in  # noqa: PLC0415

        return workspace_in(self.folder, self.course)

    @property
    def folder(self) -> Path:
        """The folder the command was called in. Raises WorkspaceError where it has been deleted meanwhile."""
        try:
            return Path.cwd()
        except FileNotFoundError as error:
            raise WorkspaceError(phrases.FOLDER_GONE) from error

    def path(self, typed: str | None) -> Path:
        """The file named on the command line, or this folder's own, as an absolute path.

        Raises WorkspaceError where it is relative to a folder that has been deleted meanwhile.
        """
        if typed is None:
            return self.workspace.file
        path = Path(typed)
        return path if path.is_absolute() else self.folder / path

    def new_file(self, typed: str, option: str, example: str) -> Path:
        """The file that is to be written for `option`.

        Raises UsageError where what was typed names none: nothing, or the `-` that elsewhere means stdout.
        """
        if not typed.strip() or typed == "-":
            raise UsageError(phrases.NO_FILE_NAME.with_(option=option, example=example))
        return self.path(typed)

    def own_file(self, mission: Mission) -> Path:
        """The learner's file in this folder, there or not.

        Raises WorkspaceError that says where it is, if it is in the folder they worked in last instead.
        """
        from pagetutor.tutor.starter import missing_here  # noqa: PLC0415

        elsewhere = missing_here(self.workspace, self.progress(), mission)
        if elsewhere is not None:
            raise WorkspaceError(elsewhere)
        return self.workspace.file

    def learner_file(self, mission: Mission, typed: str | None) -> Path:
        """The file named on the command line, else the learner's own.

        Raises as `named_file` and `own_file` do.
        """
        return self.own_file(mission) if typed is None else self.named_file(typed)

    def named_file(self, typed: str | None) -> Path:
        """The learner's file as it is named on the command line, or this folder's own; as `path` gives it.

        Raises UsageError where a folder is named in a file's place; one in the place of the learner's own
        file is not what was meant either, and told by the check.
        """
        from pagetutor.store.workspace import FILE_NAME  # noqa: PLC0415

        path = self.path(typed)
        if typed is None or path.name == FILE_NAME or not path.is_dir():
            return path
        said = phrases.A_FOLDER_WITH_ONE if (path / FILE_NAME).is_file() else phrases.A_FOLDER
        raise UsageError(said.with_(typed=typed, file=Path(typed, FILE_NAME)))

    def point_out_unsaved(self, path: Path, screen: Screen) -> None:
        """Say so where an editor holds edits of the learner's own file that are not saved yet."""
        from pagetutor.tutor.screen import Said  # noqa: PLC0415
        from pagetutor.tutor.starter import unsaved_edits  # noqa: PLC0415

        unsaved = unsaved_edits(self.workspace) if path == self.workspace.file else None
        if unsaved is not None:
            screen.show(Said(unsaved))

    # ── the course ───────────────────────────────────────────────────────────────────────────────

    @cached_property
    def course(self) -> Course:
        """The whole course but its error models: those take 40 ms, and are read once a check fails."""
        from pagetutor.content.find import find_course  # noqa: PLC0415
        from pagetutor.content.read import load_course  # noqa: PLC0415 — the YAML reader: not for --help

        return load_course(find_course())

    def mission(self, typed: str) -> Mission:
        """The mission of that name. Raises UsageError that says which there are."""
        from pagetutor.tutor.finding import find_mission  # noqa: PLC0415

        return find_mission(self.course, typed)

    # ── the screen ───────────────────────────────────────────────────────────────────────────────

    def screen(self, *, asks: bool = True, pages: bool = True) -> Screen:
        """The screen; where nothing says which language, a learner who can answer is asked once.

        With `asks` off, the command shows and goes: no prompts are made ready, extras are shown at once.
        With `pages` off, it does not stop at the end of each screenful either.
        """
        if self._screen is None:
            from pagetutor.ui.language import ask_language  # noqa: PLC0415
            from pagetutor.ui.screen import choose_screen, is_terminal  # noqa: PLC0415

            if self.known_language is None and is_terminal():
                first = choose_screen(Language.EN, None, plain=self.given.plain)
                language = ask_language(first)
                self._remember(language)
                self.known_language = language
            self._screen = choose_screen(
                self.language,
                self._remember,
                plain=self.given.plain,
                asks=asks,
                pages=pages,
                unfolded=not asks,
            )
            self._say_where_chinese_is_lost(self._screen)
        return self._screen

    def _say_where_chinese_is_lost(self, screen: Screen) -> None:
        from pagetutor.tutor.screen import Said  # noqa: PLC0415
        from pagetutor.ui import phrases  # noqa: PLC0415

        if self.known_language is not None and self.language is not self.known_language:
            screen.show(Said(phrases.CHINESE_UNSHOWABLE.with_(encoding=sys.stdout.encoding)))

    def _remember(self, language: Language) -> None:
        from pagetutor.store.events import LanguageChosen  # noqa: PLC0415

        self.history.append(LanguageChosen(language))
        self.known_language = language

    def _shown(self, language: Language) -> Language:
        """English where this stdout cannot show Chinese at all: question marks would tell nothing."""
        from pagetutor.ui.language import can_show  # noqa: PLC0415

        return language if can_show(language, sys.stdout.encoding) else Language.EN

    # ── the learner's process ────────────────────────────────────────────────────────────────────

    @property
    def runner(self) -> Runner:
        """What runs the learner's code; it starts nothing before it is asked to."""
        if self._runner is None:
            from pagetutor.learner.runner import open_runner  # noqa: PLC0415

            self._runner = open_runner()
        return self._runner

    def close(self) -> Text | None:
        """End what was started; what has not been said yet about trouble with saving, and what was lost."""
        if self._runner is not None:
            self._runner.close()
        if self._history is None:
            return None
        lost = self._history.lost()
        trouble = self._history.new_trouble()
        return lost if trouble is None else trouble if lost is None else trouble + Text(zh="", en=" ") + lost
