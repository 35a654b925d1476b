"""Without what only Linux has, as on macOS: the deadline holds, trees are killed, what is missing is told."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pagetutor.learner import processes, system
from pagetutor.learner.port import Finished, Loaded, Stopped, StopReason
from pagetutor.learner.runner import WarmRunner, open_runner
from pagetutor.learner.system import PORTABLE
from tests.long import some_long

from .conftest import RIGHT, Bench, footprint
from .test_hostile import ANSWERED, STOPPED


@pytest.fixture(scope="module")
def portable() -> Iterator[WarmRunner]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv(PORTABLE, "1")
        with WarmRunner() as runner:
            yield runner


def left_of(runner: WarmRunner) -> list[int]:
    """What bears the mark and is not below the warm process; seen by /proc, whatever the runner does."""
    with pytest.MonkeyPatch.context() as patched:
        patched.delenv(PORTABLE)
        seen = footprint(runner)
        bearing = set(processes.marked(seen.mark))
        return sorted(bearing - {one.pid for one in processes.descendants(seen.server)} - {seen.server})


def test_a_right_file_is_answered_and_no_layer_is_claimed(portable: WarmRunner, tmp_path: Path) -> None:
    bench = Bench(portable, tmp_path)
    with bench.session() as session:
        assert session.load(RIGHT) == Loaded()
        assert session.play({"call": "answer"}) == {"answer": 42}
        assert session.isolation == ("limit:core", "limit:fsize", "limit:nofile")
        assert session.finish() == Finished()


@pytest.mark.parametrize(
    "name", some_long(["endless in the method", "os._exit in the method", "forks 200"], each=3)
)
def test_what_never_ends_or_multiplies_is_stopped_as_elsewhere(
    portable: WarmRunner, tmp_path: Path, name: str
) -> None:
    source, deadline_s, reason, line, function = STOPPED[name]
    _, played, _ = Bench(portable, tmp_path).outcome(source, deadline_s=deadline_s)
    assert isinstance(played, Stopped)
    assert (played.reason, played.line, played.function) == (reason, line, function)
    assert left_of(portable) == []


@pytest.mark.parametrize(
    "name", ["a child that holds every descriptor", "a grandchild in a session of its own"]
)
def test_nothing_outlives_its_session(portable: WarmRunner, tmp_path: Path, name: str) -> None:
    source, answer = ANSWERED[name]
    loaded, played, finished = Bench(portable, tmp_path).outcome(source)
    assert (loaded, played) == (Loaded(), answer)
    assert isinstance(finished, Finished)
    assert left_of(portable) == []


def test_the_same_holds_without_fork(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PORTABLE, "1")
    with WarmRunner(spare=True) as runner:
        bench = Bench(runner, tmp_path)
        source, deadline_s, *due = STOPPED["endless in the method"]
        _, played, _ = bench.outcome(source, deadline_s=deadline_s)
        assert isinstance(played, Stopped)
        assert [played.reason, played.line, played.function] == due
        source, answer = ANSWERED["a grandchild in a session of its own"]
        assert bench.outcome(source)[1] == answer
        assert left_of(runner) == []


def test_a_killed_warm_process_takes_what_runs_along(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PORTABLE, "1")
    with WarmRunner() as runner:
        bench = Bench(runner, tmp_path)
        with bench.session() as session:
            session.load(b"import time\ndef answer(): time.sleep(99)\n")
            mark = footprint(runner).mark
            os.kill(footprint(runner).server, signal.SIGKILL)
            stopped = session.play({"call": "answer"})
            assert isinstance(stopped, Stopped)
            assert stopped.reason is StopReason.CRASH
    monkeypatch.delenv(PORTABLE)
    for _ in range(100):  # killed, and taking its time to be gone
        if not processes.marked(mark):
            return
        time.sleep(0.02)
    assert processes.marked(mark) == ()


def test_macos_does_not_fork_unless_told_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "darwin")
    started = [open_runner(environ) for environ in ({}, {"PAGETUTOR_START": "fork"})]
    assert [isinstance(one, WarmRunner) and one.spare for one in started] == [True, False]


def test_a_python_without_waitid_is_not_asked_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(PORTABLE, raising=False)
    assert system.can_peek()
    monkeypatch.delattr(os, "waitid")
    assert not system.can_peek()
