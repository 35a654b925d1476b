"""`kill -9` of the warm process, of a learner's process, of the tutor, at random moments."""

from __future__ import annotations

import os
import random
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from pagetutor.learner import processes
from pagetutor.learner.scratch import sweep
from tests.bench.figure import Figure
from tests.soak.files import marked

ROUNDS = 200
ORPHAN_S = 2.0
PATIENCE_S = 30.0
MOST_WAIT_S = 0.6  # before a kill that may come while torch is imported
MOST_INTO_S = 0.2  # after a check's end, before a kill that is to come in the middle of another


def run(rounds: int) -> Iterator[Figure]:
    """Kills by victim, orphans two seconds after a tutor's end, and verdicts that were wrong."""
    dice = random.Random(4)
    killed: Counter[str] = Counter()
    verdicts: Counter[tuple[str, str]] = Counter()
    orphans: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        done = 0
        while done < rounds:
            tutor = _Tutor(folder)
            while done < rounds:
                if dice.random() < 0.2:
                    time.sleep(dice.random() * MOST_WAIT_S)
                else:
                    tutor.wait_for_a_check()
                    time.sleep(dice.random() * MOST_INTO_S)
                victim = dice.choice(["tutor", "warm", "server", "child", "child", "server"])
                if tutor.kill(victim, dice):
                    done += 1
                    killed[victim] += 1
                    if victim == "tutor":
                        break
            verdicts += tutor.verdicts
            orphans += tutor.end()
            sweep(Path(folder))  # as the next tutor does when it begins
            left = os.listdir(folder)
        yield Figure("kills", sum(killed.values()), "")
        for victim, count in sorted(killed.items()):
            yield Figure(f"  of the {victim}", count, "")
        for (due, got), count in sorted(verdicts.items()):
            yield Figure(f"verdict {got} where {due} was due", count, "", None if _fine(due, got) else 0)
        yield Figure("orphans after 2 s", len(orphans), "", 0)
        yield Figure("scratch folders left", len(left), "", 0)
        for orphan in orphans[:5]:
            print(orphan)


def _fine(due: str, got: str) -> bool:
    """A killed check has no result; it is never the other verdict."""
    return got in (due, "stopped", "broken", "no process")


class _Tutor:
    """A running tutor, what it said, and its family by the mark in their environment."""

    def __init__(self, folder: str) -> None:
        self.mark = f"PAGETUTOR_SOAK={secrets.token_hex(8)}"
        name, _, value = self.mark.partition("=")
        self.verdicts: Counter[tuple[str, str]] = Counter()
        self._checked = threading.Event()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.soak.tutor", folder],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, name: value, "TMPDIR": folder},
        )
        assert self._process.stdout is not None
        self._process.stdout.readline()
        self._listener = threading.Thread(target=self._listen)
        self._listener.start()

    def wait_for_a_check(self) -> None:
        """Until the next check is over, however it went."""
        self._checked.clear()
        self._checked.wait(PATIENCE_S)

    def kill(self, victim: str, dice: random.Random) -> bool:
        """Whether there was one of this kind to kill."""
        pid = self._find(victim, dice)
        if pid is None:
            return False
        processes.kill(pid)
        return True

    def end(self) -> list[str]:
        """Kill what is left of the tutor; what of its family lives on after two seconds."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        time.sleep(ORPHAN_S)
        left = marked(self.mark)
        for orphan in left:
            processes.kill(int(orphan.partition(":")[0]))
        self._listener.join()
        return left

    def _find(self, victim: str, dice: random.Random) -> int | None:
        """tutor → warm (the launcher) → server → children."""
        level = [self._process.pid]
        for depth in ("tutor", "warm", "server", "child"):
            if depth == victim:
                return dice.choice(level) if level else None
            level = [seen.pid for pid in level for seen in processes.descendants(pid) if seen.parent == pid]
        return None

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            match line.split(maxsplit=2):
                case ["check", due, got]:
                    self.verdicts[(due, got.strip())] += 1
                    self._checked.set()
