"""A check, cold and warm, against what a learner would do without us."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from pagetutor.content.find import find_course
from pagetutor.content.model import Course, Mission
from pagetutor.content.read import load_course
from pagetutor.judge import check as judge
from pagetutor.judge.explain import Explained
from pagetutor.judge.report import Verdict
from pagetutor.learner.port import Finished, Job, Runner
from pagetutor.learner.runner import WarmRunner
from tests.bench.figure import Figure, medians_side_by_side

WARM_ROUNDS = 40
PAUSE_S = 0.05  # between two checks: nobody saves faster, and the warm process makes ready for the next

IMPORT_TORCH = "import torch, os; os._exit(0)"
WRONG = {
    "1": ("(req.seq_len + self.block_size - 1) // self.block_size", "req.seq_len // self.block_size"),
    "2": ("% self.block_size) == 1", "% self.block_size) == 0"),
    "3": ("cat_blocks[: req.seq_len]", "cat_blocks"),
}
PLAIN_TEST = """
import pytest, torch
from block_manager import KVCacheManager, Request

@pytest.mark.parametrize("tokens", [1, 3, 4, 5, 8, 12, 13])
@pytest.mark.parametrize("size", [2, 3, 4, 16])
def test_prefill(tokens, size):
    manager, request = KVCacheManager(20, size, 8), Request("a", tokens)
    manager.allocate_for_prefill(request)
    need = -(-tokens // size)
    assert len(request.block_table) == need and len(manager.free_blocks) == 20 - need

def test_oom():
    manager, request = KVCacheManager(1, 4, 8), Request("a", 5)
    with pytest.raises(RuntimeError, match="OOM"):
        manager.allocate_for_prefill(request)
    assert request.block_table == [] and len(manager.free_blocks) == 1
"""
NOTEBOOK = """
manager, request = KVCacheManager(10, 4, 64), Request("a", 6)
manager.allocate_for_prefill(request)
assert len(request.block_table) == 2 and len(manager.free_blocks) == 8
"""


def run() -> Iterator[Figure]:
    """Cold against importing torch; warm, by mission; and how much faster than plain pytest."""
    course = load_course(find_course(), with_models=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source = course.solution.read_text(encoding="utf-8")
        (folder / "block_manager.py").write_text(source, encoding="utf-8")
        yield from _cold(folder)
        with WarmRunner() as runner:
            warm_ms = yield from _warm(course, runner, folder / "block_manager.py", source)
        yield from _instead(folder, source, warm_ms)


# ── cold ─────────────────────────────────────────────────────────────────────────────────────────


def _cold(folder: Path) -> Iterator[Figure]:
    command = [sys.executable, "-m", "pagetutor", "check", "1", "--json"]
    seconds = medians_side_by_side(
        {
            "torch": lambda: _took([sys.executable, "-c", IMPORT_TORCH], folder),
            "check": lambda: _took(command, folder),
        }
    )
    yield Figure("python -c 'import torch', median", seconds["torch"] * 1000, "ms")
    yield Figure("cold `pagetutor check 1`, median", seconds["check"] * 1000, "ms")
    yield Figure("cold check against importing torch", seconds["check"] / seconds["torch"], "x", 1.25)


def _took(command: Sequence[str], folder: Path) -> float:
    environ = {**os.environ, "PAGETUTOR_HOME": str(folder / "state")}
    began = time.perf_counter()
    subprocess.run(command, cwd=folder, env=environ, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - began


# ── warm ─────────────────────────────────────────────────────────────────────────────────────────


def _warm(course: Course, runner: Runner, path: Path, source: str) -> Generator[Figure, None, float]:
    """The figures; returns the median of the first mission in milliseconds."""
    job = Job(path, course.stage)

    def empty() -> None:
        with runner.session(job) as session:
            assert isinstance(session.finish(), Finished)

    yield from _figures("empty child of the same warm process", _times(empty))
    first_ms = 0.0
    for mission in course.missions:
        final = mission.id == "final"
        taken = _times(lambda: _check(course, mission, path, source, runner, Verdict.PASSED))  # noqa: B023
        yield from _figures(
            f"warm check {mission.id}, passing", taken, *((120.0, None) if final else (60.0, 90.0))
        )
        first_ms = first_ms or statistics.median(taken)
        if final:
            continue
        wrong = source.replace(*WRONG[mission.id])
        with _without_diagnosis():
            taken = _times(lambda: _check(course, mission, path, wrong, runner, Verdict.FAILED))  # noqa: B023
        yield from _figures(f"warm check {mission.id}, failing, verdict alone", taken, 60.0, 90.0)
        taken = _times(lambda: _check(course, mission, path, wrong, runner, Verdict.FAILED))  # noqa: B023
        yield from _figures(f"warm check {mission.id}, failing, with diagnosis", taken)
    return first_ms


def _check(
    course: Course, mission: Mission, path: Path, source: str, runner: Runner, verdict: Verdict
) -> None:
    report = judge.check(course, mission, path, source.encode(), runner)
    assert report.verdict is verdict, report


@contextmanager
def _without_diagnosis() -> Iterator[None]:
    """Failing files are told only that they fail; the diagnosis has a room and a bench of its own."""
    with patch.object(judge, "explain", lambda *_, **__: Explained((), None, None)):
        yield


def _times(act: Callable[[], None]) -> list[float]:
    """Milliseconds of each round; the first two, which fill caches, are left out."""
    taken = []
    for number in range(WARM_ROUNDS + 2):
        time.sleep(PAUSE_S)
        began = time.perf_counter()
        act()
        if number > 1:
            taken.append((time.perf_counter() - began) * 1000)
    return sorted(taken)


def _figures(
    name: str, taken: list[float], median: float | None = None, p95: float | None = None
) -> Iterator[Figure]:
    yield Figure(f"{name}, median", statistics.median(taken), "ms", median)
    yield Figure(f"{name}, p95", taken[int(len(taken) * 0.95)], "ms", p95)


# ── instead ──────────────────────────────────────────────────────────────────────────────────────


def _instead(folder: Path, source: str, warm_ms: float) -> Iterator[Figure]:
    (folder / "test_plain.py").write_text(PLAIN_TEST, encoding="utf-8")
    (folder / "notebook.py").write_text(source + NOTEBOOK, encoding="utf-8")
    seconds = medians_side_by_side(
        {
            "pytest": lambda: _took([sys.executable, "-m", "pytest", "-q", "test_plain.py"], folder),
            "notebook": lambda: _took([sys.executable, "notebook.py"], folder),
        }
    )
    yield Figure("plain pytest on an equivalent test file, median", seconds["pytest"] * 1000, "ms")
    yield Figure("the notebook's script, median", seconds["notebook"] * 1000, "ms")
    # At least 40 times as fast, told as a share so that less is better.
    yield Figure("warm check 1 against plain pytest", warm_ms / seconds["pytest"] / 1000, "x", 1 / 40)
    yield Figure("times as fast as plain pytest", seconds["pytest"] * 1000 / warm_ms, "x")
