"""What goes wrong beside the learner's code, or only the second time: the verdict and the name stay right."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from pagetutor.content.model import Course
from pagetutor.judge.check import check
from pagetutor.judge.record import NotRecorded, record
from pagetutor.judge.report import Reason, Verdict
from pagetutor.learner.port import Json, Runner, Stopped
from pagetutor.learner.runner import WarmRunner
from pagetutor.learner.session import LearnerSession
from tests.corpus.build import SOLUTION
from tests.judge.conftest import Judge

FLOORED = SOLUTION.replace(
    "(req.seq_len + self.block_size - 1) // self.block_size", "req.seq_len // self.block_size"
)
CEILING = "(req.seq_len + self.block_size - 1) // self.block_size"
assert FLOORED != SOLUTION


def line_of(source: str, words: str) -> int:
    return source[: source.index(words)].count("\n") + 1


@pytest.mark.parametrize("at", [1, 20, 50])  # loading, among the tests, in the explanation
def test_a_warm_process_that_is_killed_in_the_middle_of_a_check_changes_nothing(
    course: Course, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, at: int
) -> None:
    asked = 0
    play = LearnerSession.play

    with WarmRunner() as runner:

        def played(self: LearnerSession, scenario: Json, *, then: Json = None) -> Json | Stopped:
            nonlocal asked
            asked += 1
            if asked == at:
                assert runner.footprint is not None
                os.kill(runner.footprint.server, signal.SIGKILL)
            return play(self, scenario, then=then)

        monkeypatch.setattr(LearnerSession, "play", played)
        path = tmp_path / "block_manager.py"
        report = check(course, course.missions[0], path, FLOORED.encode(), runner)
    assert asked > at
    assert report.verdict is Verdict.FAILED
    [mistake] = report.mistakes
    assert (mistake.id, mistake.certain) == ("prefill.floor-division", True)
    assert mistake.span is not None
    assert mistake.span.line == line_of(FLOORED, "req.seq_len // self.block_size")


@pytest.mark.parametrize(
    "once",
    [
        "import os\nos.mkdir('out')\n",
        "import torch\nDEMO = torch.ones(80 << 20)\n",  # 320 MB of the 512 that a process may have
        "import sys\nassert not hasattr(sys, 'seen')\nsys.seen = True\n",
    ],
)
def test_a_file_that_cannot_be_loaded_twice_in_one_process_gets_its_name(judge: Judge, once: str) -> None:
    source = once + FLOORED
    report = judge("1", source)
    [mistake] = report.mistakes
    assert (mistake.id, mistake.certain) == ("prefill.floor-division", True)
    assert mistake.span is not None
    assert mistake.span.line == line_of(source, "req.seq_len // self.block_size")


def test_code_that_keeps_too_much_stops_for_memory_also_where_only_the_second_process_runs_out(
    judge: Judge,
) -> None:
    keeps = "KEPT = []\n" + SOLUTION.replace(
        f"needed_blocks = {CEILING}", f"KEPT.append(bytearray(6 << 20)); needed_blocks = {CEILING}"
    )
    assert "KEPT.append" in keeps
    report = judge("1", keeps)
    assert (report.verdict, report.reason) == (Verdict.STOPPED, Reason.MEMORY)


@pytest.mark.parametrize(
    ("index", "notes"),
    [
        ("-1", ["takes-from-tail"]),
        ("0", []),
        ("len(self.free_blocks) // 2", []),
        ("-2 + 1", ["takes-from-tail"]),
    ],
)
def test_the_tail_is_noted_only_where_blocks_always_come_from_there(
    judge: Judge, index: str, notes: list[str]
) -> None:
    report = judge("1", SOLUTION.replace("self.free_blocks.pop(0)", f"self.free_blocks.pop({index})"))
    assert report.verdict is Verdict.PASSED
    assert [note.id for note in report.notes] == notes


def test_a_file_that_takes_its_time_to_load_and_then_hangs_is_recorded(
    course: Course, runner: Runner, tmp_path: Path
) -> None:
    source = "import time\ntime.sleep(0.5)\n" + SOLUTION.replace(
        "needed_blocks = ", "while req: pass\n        needed_blocks = "
    )
    path = tmp_path / "block_manager.py"
    found = record(course, course.missions[0], path, source.encode(), runner, deadline_s=1.2)
    assert not isinstance(found, NotRecorded)
    assert found[0].stopped is not None
