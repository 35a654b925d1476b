"""How long from a save until its verdict is painted, while `pagetutor watch` runs in a pty."""

from __future__ import annotations

import os
import pty
import random
import re
import select
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from pagetutor.store.events import Checked
from pagetutor.store.history import History
from tests.bench.figure import Figure

SAVES = 40
_MISSIONS = Path(__file__).resolve().parents[2] / "missions"
_PAINTED = re.compile(rb"last checked \d\d:\d\d:\d\d.*q leave", re.DOTALL)
_CODES = re.compile(rb"\x1b\[[0-9;?]*[A-Za-z]")
_RULE = "────".encode()  # begins a result
_PATIENCE_S = 60.0


def run() -> Iterator[Figure]:
    """Saves by rename, at moments that have nothing to do with the poll: a failing and a passing file."""
    right = (_MISSIONS / "solution.py").read_bytes()
    wrong = right.replace(b") == 1", b") == 0")
    broken = right.replace(b") == 1", b") == 1 )")
    with tempfile.TemporaryDirectory() as folder, _Watch.started(Path(folder), wrong) as watch:
        failing = [watch.saved(wrong + b"# %d\n" % number) for number in range(SAVES)]
        passing = []
        for number in range(SAVES):
            watch.saved(broken + b"# %d\n" % number)
            passing.append(watch.saved(right + b"# %d\n" % number))
            watch.save(broken)
            watch.run_again()
        checks = _checks(Path(folder) / "home" / "history.db")
    yield from _figures("a file that fails", failing, checks["failed"][1:])
    yield from _figures("a file that passes", passing, checks["passed"])


def _checks(history: Path) -> dict[str, list[float]]:
    """The seconds that the checks themselves took, by verdict, in order."""
    taken: dict[str, list[float]] = {"failed": [], "passed": [], "broken": []}
    for record in History(history).records():
        if isinstance(record.event, Checked):
            taken[record.event.verdict].append(record.event.seconds)
    return taken


def _figures(name: str, taken: list[float], checks: list[float]) -> Iterator[Figure]:
    """Beside the check: noticing the save (a tenth of a second at worst), its coming to rest, painting."""
    beside = [whole - check for whole, check in zip(taken, checks, strict=True)]
    yield Figure(f"beside the check, {name}, median", _ms(statistics.median(beside)), "ms")
    yield Figure(f"beside the check, {name}, p95", _ms(_p95(beside)), "ms")
    yield Figure(f"save → verdict on screen, {name}, median", _ms(statistics.median(taken)), "ms")
    yield Figure(f"save → verdict on screen, {name}, p95", _ms(_p95(taken)), "ms", limit=250)


def _p95(taken: list[float]) -> float:
    return statistics.quantiles(taken, n=20)[-1]


def _ms(seconds: float) -> float:
    return seconds * 1000


class _Watch:
    """`pagetutor watch 2` in a pty."""

    def __init__(self, folder: Path, terminal: int) -> None:
        self._file = folder / "block_manager.py"
        self._terminal = terminal

    @classmethod
    @contextmanager
    def started(cls, folder: Path, content: bytes) -> Iterator[Self]:
        """Watching this content, its first verdict painted."""
        ours, theirs = pty.openpty()
        watch = cls(folder, ours)
        watch.save(content)
        process = subprocess.Popen(
            [sys.executable, "-m", "pagetutor", "watch", "2", "--lang", "en"],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            cwd=folder,
            env={**os.environ, "PAGETUTOR_HOME": str(folder / "home"), "TERM": "xterm", "COLUMNS": "100"},
            start_new_session=True,
        )
        try:
            watch.painted()
            yield watch
        finally:
            os.write(ours, b"q")
            process.wait(10)
            os.close(theirs)
            os.close(ours)

    def save(self, content: bytes) -> None:
        """Save by rename."""
        beside = self._file.with_suffix(".tmp")
        beside.write_bytes(content)
        beside.replace(self._file)

    def saved(self, content: bytes) -> float:
        """Seconds from this save until its verdict stands on the screen."""
        time.sleep(random.uniform(0.3, 0.5))
        began = time.perf_counter()
        self.save(content)
        self.painted()
        return time.perf_counter() - began

    def run_again(self) -> None:
        """Press r, and wait for the verdict."""
        time.sleep(0.1)
        os.write(self._terminal, b"r")
        self.painted()

    def painted(self) -> None:
        """Read until a new result has been painted whole, its line below it."""
        until = time.monotonic() + _PATIENCE_S
        seen = b""
        while True:
            readable, _, _ = select.select([self._terminal], [], [], max(until - time.monotonic(), 0))
            if not readable:
                raise AssertionError(f"no verdict: {seen[-500:]!r}")
            seen += os.read(self._terminal, 65536)
            _, rule, shown = _CODES.sub(b"", seen).rpartition(_RULE)
            if rule and _PAINTED.search(shown):
                return
