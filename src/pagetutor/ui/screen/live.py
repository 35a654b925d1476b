"""Watching on the two screens: results in the normal flow, so that they can be scrolled back."""

from __future__ import annotations

import select
import shutil
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from io import UnsupportedOperation
from typing import TextIO

from rich.cells import cell_len
from rich.text import Text as Line

from pagetutor.text import Language
from pagetutor.tutor.live import Key, Phase, WatchState
from pagetutor.tutor.screen import ReportShown, Showable
from pagetutor.ui import phrases
from pagetutor.ui.render import render
from pagetutor.ui.render.look import Look
from pagetutor.ui.render.watch import watch_keys, watch_state
from pagetutor.ui.render.words import prose
from pagetutor.ui.screen.keyboard import ESCAPE, Keyboard, Waker
from pagetutor.ui.screen.paper import Paper

_BELOW = 3  # rows: what is watched and its keys, one of them in two
_ON, _BACK = "on", "back"
_MEANINGS = {key.value: key for key in Key} | {ESCAPE: Key.QUIT}


class TerminalLive:
    """Implements `tutor.live.Live` with keys; the line below is drawn anew whenever it changes.

    The cursor rests at the start of that line. So whatever a resize does to the rows below it, erasing
    from the cursor on removes them, and nothing above is ever touched.
    """

    single_keys = True

    def __init__(self, paper: Paper, language: Language) -> None:
        self._paper = paper
        self._language = language
        self._state: WatchState | None = None
        self._rows = 0  # printed since the last rule, with it
        self._drawn: tuple[WatchState, tuple[int, int]] | None = None
        self._keyboard = Keyboard(self._erase, _MEANINGS)
        self.wake = self._keyboard.wake

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Take the terminal for the length of the body."""
        with self._keyboard.open():
            try:
                yield
            finally:
                self._erase()
                self._paper.fresh()

    def begin(self, at: str) -> None:
        """A rule with the time: where the eye finds the newest result."""
        look = self._look
        rule = look.marks.rule * 4
        rest = look.marks.rule * max(min(look.width, 60) - 6 - cell_len(at), 0)
        self._rows = 0
        self._print([Line(f"{rule} {at} {rest}"[: look.width], style="dim")])

    def show(self, value: Showable) -> None:
        """Show one value above the line: what is long scrolls, and nobody has to press a key.

        A brief report takes what room is left under the rule; one in full was asked for: it comes in pages.
        """
        if isinstance(value, ReportShown) and value.brief:
            from pagetutor.ui.render.brief_report import brief_report  # noqa: PLC0415 — brings all of a report

            lines = brief_report(value, self._look, self._room)
        else:
            lines = render(value, self._look)
        if isinstance(value, ReportShown) and not value.brief:
            self._print_paged([*lines, Line("")])
        else:
            self._print([*lines, Line("")])

    def state(self, state: WatchState) -> None:
        """Draw this state, unless it stands there already."""
        self._state = state
        self._draw()

    def wait(self, seconds: float, *, busy: bool) -> Key | None:
        """The next key, as the port says."""
        key = self._keyboard.wait(seconds)
        while busy and key not in (None, Key.QUIT, Key.END):
            key = self._keyboard.wait(0)
        if self._keyboard.resumed:
            self._keyboard.resumed = False
            self._drawn = None
        self._draw()
        return key

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Leave the terminal to the ordinary screen."""
        self._erase()
        self._paper.fresh()
        with self._keyboard.given_back():
            yield

    @property
    def _look(self) -> Look:
        return self._paper.look(self._language)

    @property
    def _room(self) -> int:
        """The rows that are left for one value under the rule, above the line below and a blank one."""
        return shutil.get_terminal_size().lines - self._rows - _BELOW - 1

    def _print(self, lines: Sequence[Line]) -> None:
        self._erase()
        self._rows += len(lines)
        self._paper.print(lines)

    def _print_paged(self, lines: Sequence[Line]) -> None:
        """Print the lines, a key between two pages; what nobody wants to see any more is left out."""
        with self.aside(), suppress(_Enough):
            self._paper.print_paged(lines, self._pause)
        self._rows += len(lines)

    def _pause(self) -> None:
        from pagetutor.ui.screen import keys  # noqa: PLC0415 — questionary: only where a report is long

        before = (phrases.MORE_BELOW + phrases.bracketed(phrases.REPORT_PAUSE)).in_(self._language)
        turns = dict.fromkeys(("enter", " ", "down", "pagedown", "m"), _ON)
        try:
            answer = keys.one_key(f"{before} ", {**turns, "q": _BACK}, lambda: None)
        except EOFError:
            answer = _BACK
        if answer == _BACK:
            raise _Enough

    def _draw(self) -> None:
        """Draw the line where it, or the terminal's size, is not what was drawn last."""
        size = shutil.get_terminal_size()
        if self._state is None or self._drawn == (self._state, (size.columns, size.lines)):
            return
        look = self._look.narrower(1)  # a full row would leave the cursor hanging at its end
        lines = [*watch_state(self._state, look), *watch_keys(self._state.keys, look)]
        lines = lines[: max(size.lines - 1, 1)]
        self._erase()
        console = self._paper.console
        for number, line in enumerate(lines):
            console.print(line, soft_wrap=True, end="\n" if number < len(lines) - 1 else "\r")
        if len(lines) > 1:
            self._write(f"\x1b[{len(lines) - 1}A")
        self._drawn = (self._state, (size.columns, size.lines))

    def _erase(self) -> None:
        self._drawn = None
        self._write("\r\x1b[J")

    def _write(self, codes: str) -> None:
        sys.stdout.write(codes)
        sys.stdout.flush()


class _Enough(Exception):  # noqa: N818 — a turn in the road, not an error
    """The learner has seen enough of a report."""


class PlainLive:
    """Implements `tutor.live.Live` line by line: nothing is redrawn, and keys are lines that begin so."""

    single_keys = False

    def __init__(self, paper: Paper, language: Language, typed: TextIO | None) -> None:
        self._paper = paper
        self._language = language
        self._typed = typed
        self._told: tuple[object, ...] = ()
        self._keys_told = False
        self._untold: list[Line] = []
        self._waker = Waker()
        self.wake = self._waker.wake

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Until the body ends."""
        try:
            yield
        finally:
            self._waker.close()

    def begin(self, at: str) -> None:
        """Nothing: the time stands in the line after the result."""

    def show(self, value: Showable) -> None:
        """Show one value, and an empty line after it."""
        self._paper.print([*render(value, self._look), Line("")])
        self._paper.console.file.flush()

    def state(self, state: WatchState) -> None:
        """Tell this state in a line of its own, where there is something new in it."""
        news = (state.phase, state.checked_at)
        if news == self._told or state.phase is Phase.CHECKING:  # over before its line is read
            return
        self._told = news
        lines = watch_state(state, self._look)
        if self._interactive and not self._keys_told and state.phase is not Phase.LOADING:
            self._keys_told = True
            lines += [*prose(phrases.WATCH_PLAIN_KEYS, self._look), *watch_keys(state.keys, self._look)]
        self._untold = [*lines, Line("")]
        if self._interactive or state.phase not in (Phase.WAITING, Phase.GONE):
            self._tell()

    def wait(self, seconds: float, *, busy: bool) -> Key | None:
        """The next key, as the port says."""
        if busy and not self._interactive:
            self._readable(seconds, [self._waker])
            return None
        key = self._line(seconds)
        if key is not Key.END:
            self._tell()
        return None if busy and key is not Key.QUIT else key

    def _tell(self) -> None:
        """Print the state; that a file is watched, from a pipe, only where the pipe is not over."""
        self._paper.print(self._untold)
        self._untold = []
        self._paper.console.file.flush()

    def aside(self) -> AbstractContextManager[None]:
        """The ordinary screen is beside this one all the time."""
        return _nothing()

    @property
    def _look(self) -> Look:
        return self._paper.look(self._language)

    @property
    def _interactive(self) -> bool:
        return self._typed is not None and self._typed.isatty()

    def _line(self, seconds: float) -> Key | None:
        if self._typed is None:
            return Key.END
        try:
            descriptor: int | None = self._typed.fileno()
        except UnsupportedOperation:  # not a file at all: what there is can be read at once
            descriptor = None
        if descriptor is not None and descriptor not in self._readable(seconds, [descriptor, self._waker]):
            return None
        line = self._typed.readline()
        if not line:  # Ctrl-D on a terminal is a wish to leave
            return Key.QUIT if self._interactive else Key.END
        first = unicodedata.normalize("NFKC", line).strip().lower()[:1]
        return next((key for key in Key if key is not Key.END and key == first), None)

    def _readable(self, seconds: float, files: Sequence[int | Waker]) -> Sequence[int | Waker]:
        readable = select.select(files, [], [], seconds)[0]
        if self._waker in readable:
            self._waker.clear()
        return readable


@contextmanager
def _nothing() -> Iterator[None]:
    yield
