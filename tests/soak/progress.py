"""The progress file under two tutors at once, and under `kill -9` while it is written."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from pagetutor.store.events import Checked, HandTraced
from pagetutor.store.history import History
from tests.bench.figure import Figure
from tests.hostile.place import PAGETUTOR, STARTER

ROUNDS = 100
KILLS = 200
MOST_WAIT_S = 0.05  # before a kill: a save takes some milliseconds

_SAVER = """
import sys
from pathlib import Path
from pagetutor.store.events import HandTraced
from pagetutor.store.history import History

history = History(Path(sys.argv[1]))
first = len(history.records())
print("begun", flush=True)
for number in range(first, first + 100_000):
    history.append(HandTraced("1", number, 0, None, True))
    print(number, flush=True)
"""


def two_tutors(rounds: int) -> Iterator[Figure]:
    """Two commands at once, each checking another mission, round after round: every check is recorded."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "block_manager.py").write_text(STARTER, encoding="utf-8")
        environ = {**os.environ, "PAGETUTOR_HOME": str(place / "home")}
        complaints = 0
        for _ in range(rounds):
            both = [
                subprocess.Popen(
                    [PAGETUTOR, "check", mission, "--json"],
                    cwd=place,
                    env=environ,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE,
                )
                for mission in ("1", "2")
            ]
            complaints += sum(bool(one.communicate()[1]) or one.returncode != 1 for one in both)
        events = [record.event for record in History(place / "home" / "history.db").records()]
    recorded = Counter(event.mission for event in events if isinstance(event, Checked))
    yield Figure("rounds of two tutors on one progress file", rounds, "")
    for mission in ("1", "2"):
        yield Figure(f"checks of mission {mission} that are not recorded", rounds - recorded[mission], "", 0)
    yield Figure("commands that complained", complaints, "", 0)


def kills_while_saving(kills: int) -> Iterator[Figure]:
    """`kill -9` at random moments: what was said to be saved is there, and at most the one being saved."""
    dice = random.Random(3)
    lost = invented = troubled = saved_in_all = 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "history.db"
        for _ in range(kills):
            child = subprocess.Popen(
                [sys.executable, "-c", _SAVER, str(path)], stdout=subprocess.PIPE, text=True
            )
            assert child.stdout is not None
            child.stdout.readline()
            time.sleep(dice.random() * MOST_WAIT_S)
            child.kill()
            said = [int(line) for line in child.stdout.read().split("\n")[:-1]]
            child.stdout.close()
            child.wait()
            history = History(path)
            rows = [record.event.row for record in history.records() if isinstance(record.event, HandTraced)]
            saved_in_all = max(saved_in_all, *(number + 1 for number in said), 0)
            lost += len(set(range(saved_in_all)) - set(rows))
            invented += len(rows) > saved_in_all + 1 or rows != list(range(len(rows)))
            troubled += history.trouble is not None
            saved_in_all = len(rows)
    yield Figure("kills while saving", kills, "")
    yield Figure("events saved in between", saved_in_all, "")
    yield Figure("events lost that were said to be saved", lost, "", 0)
    yield Figure("kills after which there was more than old or new", invented, "", 0)
    yield Figure("kills after which the file could not be read", troubled, "", 0)
