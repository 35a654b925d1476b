"""One warm runner for the whole room, and a folder that looks like a learner's."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from pagetutor.learner import processes
from pagetutor.learner.port import Finished, Job, Json, Loaded, Session
from pagetutor.learner.runner import Footprint, WarmRunner
from pagetutor.learner.scratch import LOCK

TOY_STAGE = Path(__file__).with_name("toy_stage.py")
RIGHT = b"def answer():\n    return 42\n"


@pytest.fixture(scope="package", autouse=True)
def scratch_root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Scratch folders in a place of our own, so that one left behind is surely ours."""
    before = tempfile.tempdir
    tempfile.tempdir = str(tmp_path_factory.mktemp("scratch"))
    yield Path(tempfile.tempdir)
    tempfile.tempdir = before


@pytest.fixture(scope="package")
def runner(scratch_root: Path) -> Iterator[WarmRunner]:
    with WarmRunner() as runner:
        runner.warm()
        yield runner


@pytest.fixture(scope="package")
def spare_runner(scratch_root: Path) -> Iterator[WarmRunner]:
    with WarmRunner(spare=True) as runner:
        runner.warm()
        yield runner


class Bench:
    """A learner's folder and a runner: opens sessions, and knows what must hold after each."""

    def __init__(self, runner: WarmRunner, folder: Path) -> None:
        self.runner = runner
        self.path = folder / "block_manager.py"
        self.path.write_bytes(RIGHT)

    def session(self, deadline_s: float = 20.0) -> AbstractContextManager[Session]:
        return self.runner.session(Job(self.path, TOY_STAGE, deadline_s=deadline_s))

    def outcome(
        self, source: str, *, deadline_s: float = 20.0, call: str = "answer", scenario: Json = None
    ) -> tuple[object, ...]:
        """What load, one play and finish said of this file."""
        with self.session(deadline_s) as session:
            return (
                session.load(source.encode()),
                session.play(scenario or {"call": call}),
                session.finish(),
            )

    def assert_intact(self) -> None:
        """The next session is right, and neither a process nor a scratch folder is left."""
        with self.session() as session:
            assert session.load(RIGHT) == Loaded()
            assert session.play({"call": "answer"}) == {"answer": 42}
            assert session.finish() == Finished()
        self.runner.settle()
        seen = footprint(self.runner)
        assert left_processes(seen) == []
        assert left_scratches(seen) == []


@pytest.fixture
def bench(runner: WarmRunner, tmp_path: Path) -> Bench:
    return Bench(runner, tmp_path)


@pytest.fixture
def spare_bench(spare_runner: WarmRunner, tmp_path: Path) -> Bench:
    return Bench(spare_runner, tmp_path)


@pytest.fixture
def cold_bench(scratch_root: Path, tmp_path: Path) -> Iterator[Bench]:
    with WarmRunner() as runner:
        yield Bench(runner, tmp_path)
        mark = footprint(runner).mark
    assert processes.marked(mark) == ()


@pytest.fixture(params=["fork", "spare"])
def any_bench(request: pytest.FixtureRequest, tmp_path: Path) -> Bench:
    name = "runner" if request.param == "fork" else "spare_runner"
    return Bench(request.getfixturevalue(name), tmp_path)


def footprint(runner: WarmRunner) -> Footprint:
    seen = runner.footprint
    assert seen is not None
    return seen


def left_scratches(seen: Footprint) -> list[str]:
    if not seen.scratch.exists():
        return []
    return [name for name in os.listdir(seen.scratch) if name != LOCK]


def left_processes(seen: Footprint) -> list[str]:
    """What bears a runner's mark beyond the warm process itself, and what waits there for a job."""
    due = {seen.launcher, seen.server}
    before: set[int] = set()
    for _ in range(100):  # it makes new ones once all sessions are over
        below = {one.pid for one in processes.descendants(seen.server)} - due
        if len(below) == seen.waiting and below == before:  # a leak and two that wait are three, too
            break
        before = below
        time.sleep(0.02)
    else:
        below = set()
    strangers = set(processes.marked(seen.mark)) - due - below
    return [f"{pid}: {Path(f'/proc/{pid}/cmdline').read_text()}" for pid in strangers]
