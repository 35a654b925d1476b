"""A real terminal for tests: a process on a pty, its output fed to a terminal emulator."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

import pexpect
import pyte

KEYS = {"down": "\x1b[B", "up": "\x1b[A", "enter": "\r", "esc": "\x1b", "ctrl-c": "\x03", "ctrl-d": "\x04"}
_ROOT = Path(__file__).resolve().parents[2]
_PATIENCE_S = 10.0


class Terminal:
    """A process on a pty of `columns` × `rows`; `screen` is what a learner would see now."""

    def __init__(
        self,
        arguments: list[str],
        *,
        columns: int = 80,
        rows: int = 24,
        cwd: Path | None = None,
        environ: Mapping[str, str] | None = None,
        program: str = sys.executable,
        patience_s: float = _PATIENCE_S,
    ) -> None:
        self._patience_s = patience_s
        self._screen = _Scrolling(columns, rows)
        self._stream = pyte.Stream(self._screen)
        self.seen = ""
        settings = {
            "TERM": "xterm-256color",
            "PROMPT_TOOLKIT_NO_CPR": "1",
            "LANG": "C.UTF-8",
            "PYTHONPATH": str(_ROOT),
        }
        kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        self.child: pexpect.spawn[str] = pexpect.spawn(
            program,
            arguments,
            dimensions=(rows, columns),
            env=kept | settings | dict(environ or {}),
            cwd=None if cwd is None else str(cwd),
            encoding="utf-8",
            timeout=patience_s,
        )
        self.child.delaybeforesend = None  # 50 ms a key otherwise; here every key waits for its prompt
        vars(self.child)["ptyproc"].delayafterclose = 0.02  # otherwise 0.1 s for every terminal

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.child.close(force=True)

    @property
    def screen(self) -> str:
        """The rows that are on the screen now."""
        return "\n".join(self._screen.row(number) for number in range(self._screen.lines))

    @property
    def scrolled(self) -> str:
        """The rows that have left the screen at its top, and those that are on it now."""
        return "\n".join([*self._screen.gone, self.screen])

    @property
    def cursor_is_hidden(self) -> bool:
        """Whether the cursor is hidden now."""
        return self._screen.cursor.hidden

    def wait_for(self, words: str) -> None:
        """Read until the screen shows these words."""
        self.wait_until(lambda: words in self.screen, f"{words!r} never showed up")

    def wait_until(self, condition: Callable[[], bool], otherwise: str) -> None:
        """Read until this is so; `otherwise` is what an AssertionError says."""
        patience = time.monotonic() + self._patience_s
        while not condition():
            if time.monotonic() > patience or not self._read():
                raise AssertionError(f"{otherwise}:\n{self.screen}\n{self.seen[-2000:]!r}")

    def press(self, *keys: str) -> None:
        """Send these keys, by name or as they are."""
        for key in keys:
            self.child.send(KEYS.get(key, key))

    def resize(self, columns: int, rows: int) -> None:
        """Make the window this large, and tell the process so."""
        self.child.setwinsize(rows, columns)
        self._screen.resize(rows, columns)

    def end(self) -> int | None:
        """Read to the end; the exit status."""
        while self._read():
            pass
        if self.child.flag_eof:
            self.child.wait()
        self.child.close()
        return self.child.exitstatus

    def _read(self) -> bool:
        try:
            piece = self.child.read_nonblocking(size=65536, timeout=self._patience_s)
        except (pexpect.EOF, pexpect.TIMEOUT):
            return False
        self.seen += piece
        self._stream.feed(piece)
        return True


class _Scrolling(pyte.Screen):
    """A screen that remembers the rows it scrolled away."""

    def __init__(self, columns: int, lines: int) -> None:
        self.gone: list[str] = []
        super().__init__(columns, lines)

    def index(self) -> None:
        if self.cursor.y == self.lines - 1:
            self.gone.append(self.row(0))
        super().index()

    def row(self, number: int) -> str:
        """One row as it reads; `display` would draw every blank of every row, at a hundred times the cost."""
        row = self.buffer[number]
        return "".join(row[column].data for column in range(max(row, default=-1) + 1)).rstrip()
