"""Keystroke → screen in a lesson's first question, while the warm process imports torch."""

from __future__ import annotations

import os
import pty
import select
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from pagetutor.store.events import LanguageChosen, PrologueSeen
from pagetutor.store.history import History
from tests.bench.figure import Figure

LESSONS = 8
KEYS_S = 1.5  # torch takes 0.9 to 1.7 s
BETWEEN_S = 0.05
PATIENCE_S = 30.0
QUIET_S = 0.1
LAST_ROW = b"leave (everything so far is kept)"
DOWN, UP = b"\x1b[B", b"\x1b[A"


def run() -> Iterator[Figure]:
    """The time from a key in a menu to the terminal's answer."""
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        History(home / "history.db").append(LanguageChosen("en"), PrologueSeen(skipped=False))
        taken = sorted(ms for _ in range(LESSONS) for ms in _lesson(home))
    yield Figure("keystrokes while torch is imported", len(taken), "")
    yield Figure("keystroke → screen, median", statistics.median(taken), "ms")
    yield Figure("keystroke → screen, p95", taken[int(len(taken) * 0.95)], "ms", 50)


def _lesson(home: Path) -> Iterator[float]:
    environ = {
        **os.environ,
        "PAGETUTOR_HOME": str(home),
        "TERM": "xterm-256color",
        "PROMPT_TOOLKIT_NO_CPR": "1",
    }
    child, terminal = pty.fork()
    if child == 0:
        os.execve(sys.executable, [sys.executable, "-m", "pagetutor", "mission", "1"], environ)
    try:
        _until_quiet(terminal)
        until = time.perf_counter() + KEYS_S
        key = DOWN
        while time.perf_counter() < until:
            began = time.perf_counter()
            os.write(terminal, key)
            if not select.select([terminal], [], [], PATIENCE_S)[0]:
                raise AssertionError("a key without an answer")
            yield (time.perf_counter() - began) * 1000
            key = UP if key == DOWN else DOWN
            time.sleep(BETWEEN_S)
            while select.select([terminal], [], [], 0)[0]:
                os.read(terminal, 65536)
    finally:
        os.write(terminal, b"\x03")
        os.close(terminal)
        os.waitpid(child, 0)


def _until_quiet(terminal: int) -> None:
    """Until a menu stands there: something was drawn, and then nothing more."""
    seen = b""
    while LAST_ROW not in seen:
        if not select.select([terminal], [], [], PATIENCE_S)[0]:
            raise AssertionError(f"no question: {seen[-300:]!r}")
        seen += os.read(terminal, 65536)
    while select.select([terminal], [], [], QUIET_S)[0]:
        os.read(terminal, 65536)
