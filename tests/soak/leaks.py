"""1,000 checks in one tutor: no process, descriptor or scratch folder more than before, memory flat."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from pagetutor.content.find import find_course
from pagetutor.content.read import load_course
from pagetutor.judge.check import check
from pagetutor.judge.report import Verdict
from pagetutor.learner import processes
from pagetutor.learner.runner import WarmRunner
from tests.bench.figure import Figure
from tests.soak.files import HOSTILE, RIGHT, WRONG

ROUNDS = 1000
SETTLED = 100  # checks until caches are full
GROWTH_MB = 8.0
PATIENCE_S = 2.0


def run(rounds: int) -> Iterator[Figure]:
    """Growth between check 100 and the last."""
    course = load_course(find_course(), with_models=True)
    mission = next(one for one in course.missions if one.id == "2")
    wrong_verdicts = 0
    with tempfile.TemporaryDirectory() as folder, WarmRunner() as runner:
        path = Path(folder) / "block_manager.py"
        before: _Held | None = None
        for number in range(max(rounds, SETTLED + 1)):
            source, due = _nth(number)
            report = check(course, mission, path, source.encode(), runner)
            wrong_verdicts += (report.verdict is Verdict.PASSED) is not due
            if number + 1 == SETTLED:
                before = _Held(runner)
        assert before is not None
        after = _Held(runner)
        yield Figure("checks", rounds, "")
        yield Figure("wrong verdicts", wrong_verdicts, "", 0)
        yield Figure("processes more", after.processes - before.processes, "", 0)
        yield Figure("descriptors more, tutor", after.descriptors - before.descriptors, "", 0)
        yield Figure(
            "descriptors more, warm process", after.warm_descriptors - before.warm_descriptors, "", 0
        )
        yield Figure("scratch folders left", after.scratches, "", 0)
        yield Figure("memory more, tutor", (after.resident - before.resident) / 2**20, "MB", GROWTH_MB)
        grown = (after.warm_resident - before.warm_resident) / 2**20
        yield Figure("memory more, warm process", grown, "MB", GROWTH_MB)
        assert runner.footprint is not None
        mark = runner.footprint.mark
    yield Figure("processes left after closing", len(processes.marked(mark)), "", 0)


def _nth(number: int) -> tuple[str, bool]:
    """Mostly right and wrong files by turns, each tenth a hostile one; and whether it is to pass."""
    if number % 10 == 9:
        return HOSTILE[number // 10 % len(HOSTILE)], number // 10 % len(HOSTILE) in (2, 3, 4)
    return (RIGHT, True) if number % 2 else (WRONG, False)


class _Held:
    """What tutor and warm process hold, once what was killed has gone."""

    def __init__(self, runner: WarmRunner) -> None:
        runner.settle()
        time.sleep(PATIENCE_S)
        seen = runner.footprint
        assert seen is not None
        self.processes = len(processes.marked(seen.mark))
        self.descriptors = len(os.listdir("/proc/self/fd"))
        self.warm_descriptors = len(os.listdir(f"/proc/{seen.server}/fd"))
        self.scratches = len(list(seen.scratch.glob("pagetutor-*")))
        self.resident = processes.resident_bytes(os.getpid())
        self.warm_resident = processes.resident_bytes(seen.server)
