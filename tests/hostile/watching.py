"""`pagetutor watch` on a terminal, and the verdict of each save."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

from pagetutor.store.events import Checked
from pagetutor.store.history import History
from tests.ui.pty_screen import Terminal

CHECK_S = 60.0  # for a verdict
_QUIET_S = 0.15


class Watch(Terminal):
    """`pagetutor watch` in a folder of its own, begun on this content."""

    def __init__(self, folder: Path, mission: str, deadline_s: float, source: str) -> None:
        self.scratch = folder / "scratch"
        self.scratch.mkdir(parents=True)
        self._folder = folder
        self._content = ""
        self._results = 0
        self._passed = False
        self._save(source)
        words = ["watch", mission, "--lang", "en", "--deadline", str(deadline_s)]
        super().__init__(
            ["-m", "pagetutor", *words],
            columns=200,
            rows=60,
            cwd=folder,
            environ={**os.environ, "PAGETUTOR_HOME": str(folder / "state"), "TMPDIR": str(self.scratch)},
            patience_s=CHECK_S,
        )

    def check(self, source: str) -> tuple[str, str]:
        """Save it; the verdict, and what is shown.

        After a pass a save is not looked at until it is asked for.
        """
        if source != self._content:
            self._save(source)
            if self._passed:
                self.press("r")
        self._results += 1
        self.wait_until(self._is_painted, "no verdict")
        verdicts = self._verdicts()
        while len(verdicts) < self._results:  # it is recorded right after
            time.sleep(0.01)
            verdicts = self._verdicts()
        self._passed = verdicts[-1] == "passed"
        if self._passed:
            self._read_on()  # what is said of a pass, after which a key counts
        return verdicts[-1], _RESULT.split(self.scrolled)[-1]

    def _is_painted(self) -> bool:
        results = len(_RESULT.findall(self.seen))
        return results >= self._results and "Checking" not in self.screen and "   q leave" in self.screen

    def _verdicts(self) -> list[str]:
        records = History(self._folder / "state" / "history.db").records()
        return [record.event.verdict for record in records if isinstance(record.event, Checked)]

    def _read_on(self) -> None:
        patience, self._patience_s = self._patience_s, _QUIET_S
        while self._read():
            pass
        self._patience_s = patience

    def _save(self, source: str) -> None:
        beside = self._folder / "saved.tmp"
        beside.write_text(source, encoding="utf-8")
        beside.replace(self._folder / "block_manager.py")
        self._content = source


_RESULT = re.compile(r"──── \d\d:\d\d:\d\d ─")
