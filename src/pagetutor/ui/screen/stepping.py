"""A replay on a terminal with keys: one frame a screen, forwards and backwards."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Sequence
from enum import Enum, auto

from rich.console import Console
from rich.text import Text as Line

from pagetutor.tutor.replaying import Replay
from pagetutor.ui.render.look import Look
from pagetutor.ui.render.replay import most_top, replay_screen
from pagetutor.ui.screen.keyboard import ESCAPE, INPUT_ENDED, Keyboard

# The other screen, without a cursor; what is too wide for a very narrow one is cut, not wrapped. Left empty:
# a terminal that has no other screen goes on where the frame stood.
_OPEN, _CLOSE = "\x1b[?1049h\x1b[?25l\x1b[?7l", "\x1b[H\x1b[J\x1b[?7h\x1b[?25h\x1b[?1049l"
_LOOK_S = 0.1  # the terminal's size is looked at ten times a second


class Move(Enum):
    """What a key asks for."""

    NEXT = auto()
    BACK = auto()
    DIFFERENCE = auto()
    FIRST = auto()
    LAST = auto()
    CALL = auto()
    UP = auto()
    DOWN = auto()
    LANGUAGE = auto()
    LEAVE = auto()


_MEANINGS = {
    "n": Move.NEXT,
    " ": Move.NEXT,
    "right": Move.NEXT,
    "p": Move.BACK,
    "left": Move.BACK,
    "d": Move.DIFFERENCE,
    "home": Move.FIRST,
    "end": Move.LAST,
    "c": Move.CALL,
    "up": Move.UP,
    "down": Move.DOWN,
    "l": Move.LANGUAGE,
    "q": Move.LEAVE,
    ESCAPE: Move.LEAVE,
    INPUT_ENDED: Move.LEAVE,
}


def step_through(
    replay: Replay, console: Console, look: Callable[[], Look], switch_language: Callable[[], None]
) -> None:
    """Show frame by frame until the learner leaves; lets KeyboardInterrupt pass.

    `look` gives the screen's look as it is now. The terminal is given back as it was, whatever happens.
    """
    _Stepping(replay, console, look).run(switch_language)


class _Stepping:
    def __init__(self, replay: Replay, console: Console, look: Callable[[], Look]) -> None:
        self._replay = replay
        self._console = console
        self._look = look
        self._at = 0
        self._top = 0  # the first row of the picture, where it is too high for the screen
        self._open = False
        self._drawn: tuple[int, int, tuple[int, int]] | None = None
        self._keyboard = Keyboard(self._close, _MEANINGS)

    def run(self, switch_language: Callable[[], None]) -> None:
        try:
            with self._keyboard.open():
                while True:
                    self._draw()
                    match self._keyboard.wait(_LOOK_S):
                        case Move.LEAVE:
                            return
                        case Move.LANGUAGE:
                            switch_language()
                            self._drawn = None
                        case Move.UP | Move.DOWN as move:
                            self._scroll(1 if move is Move.DOWN else -1)
                        case None:
                            pass
                        case move:
                            self._at, self._top = moved(self._replay, self._at, move), 0
                    if self._keyboard.resumed:
                        self._keyboard.resumed = False
                        self._open, self._drawn = False, None
        finally:
            self._close()

    def _draw(self) -> None:
        """Draw the frame where it, or the terminal's size, is not what was drawn last; in one piece."""
        size = shutil.get_terminal_size()
        now = (self._at, self._top, (size.columns, size.lines))
        if self._drawn == now:
            return
        if not self._open:
            self._open = True
            self._write(_OPEN)
        lines = replay_screen(self._replay, self._at, self._look(), max(size.lines, 1), self._top)
        self._write("\x1b[H" + "\r\n".join(f"\x1b[K{row}" for row in self._rows(lines)) + "\x1b[J")
        self._drawn = now

    def _scroll(self, by: int) -> None:
        rows = max(shutil.get_terminal_size().lines, 1)
        most = most_top(self._replay, self._at, self._look(), rows)
        self._top = max(min(self._top + by, most), 0)

    def _rows(self, lines: Sequence[Line]) -> list[str]:
        with self._console.capture() as captured:
            for line in lines:
                self._console.print(line, soft_wrap=True)
        return captured.get().split("\n")[: len(lines)]

    def _close(self) -> None:
        if self._open:
            self._open, self._drawn = False, None
            self._write(_CLOSE)

    def _write(self, codes: str) -> None:
        sys.stdout.write(codes)
        sys.stdout.flush()


def moved(replay: Replay, at: int, move: Move) -> int:
    """The index of the frame that `move` leads to from the frame `at`; `at` where there is none."""
    last = len(replay.frames) - 1
    match move:
        case Move.NEXT:
            return min(at + 1, last)
        case Move.BACK:
            return max(at - 1, 0)
        case Move.FIRST:
            return 0
        case Move.LAST:
            return last
        case Move.DIFFERENCE:
            return at if replay.first_difference is None else replay.first_difference
        case Move.CALL:
            call = replay.frames[at].call
            return next((later for later in range(at, last + 1) if replay.frames[later].call > call), at)
        case _:
            return at
