"""A check beside the keys: cancelled, it ends at once and starts nothing more."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pagetutor.learner.port import Job, Json, Runner, Session, Stopped, StopReason
from pagetutor.tutor.running import Cancelled, Running
from tests.tutor.small import InPlaceRunner

JOB = Job(Path("block_manager.py"), Path("stage.py"))


class Stuck:
    """A session whose question is answered only by `cancel`."""

    def __init__(self) -> None:
        self.asked = threading.Event()
        self._cancelled = threading.Event()

    def play(self, scenario: Json, *, then: Json = None) -> Json | Stopped:
        self.asked.set()
        self._cancelled.wait()
        return Stopped(StopReason.CRASH)

    def cancel(self) -> None:
        self._cancelled.set()


class StuckRunner(InPlaceRunner):
    """A runner of stuck sessions."""

    def __init__(self) -> None:
        super().__init__()
        self.stuck = Stuck()
        self.left = 0

    @contextmanager
    def session(self, job: Job) -> Iterator[Session]:
        self.jobs.append(job)
        yield self.stuck  # type: ignore[misc]
        self.left += 1


def test_what_is_found_is_told_and_so_is_that_it_is_over() -> None:
    told = threading.Event()
    running = Running(lambda _: 42, InPlaceRunner(), told.set)
    running.join()
    assert told.wait(5)
    assert (running.over, running.cancelled, running.found()) == (True, False, 42)


def test_what_is_raised_is_raised_where_it_is_asked_for() -> None:
    def work(_: Runner) -> None:
        raise ValueError("a bug")

    running = Running(work, InPlaceRunner(), lambda: None)
    running.join()
    with pytest.raises(ValueError, match="a bug"):
        running.found()


def test_cancelling_ends_the_session_that_is_asked_and_starts_no_other() -> None:
    runner = StuckRunner()
    told: list[object] = []

    def work(runner: Runner) -> None:
        with runner.session(JOB) as session:
            told.append(session.play(None))
        with runner.session(JOB):
            told.append("a second session")

    running = Running(work, runner, lambda: None)
    assert runner.stuck.asked.wait(5)
    assert not running.over
    running.cancel()
    running.join()
    assert running.over
    assert running.cancelled
    with pytest.raises(Cancelled):
        running.found()
    assert told == [Stopped(StopReason.CRASH)]
    assert (len(runner.jobs), runner.left) == (1, 1)


def test_a_session_that_is_left_is_no_longer_cancelled() -> None:
    runner = StuckRunner()
    left, go = threading.Event(), threading.Event()

    def work(runner: Runner) -> None:
        with runner.session(JOB):
            pass
        left.set()
        go.wait(5)

    running = Running(work, runner, lambda: None)
    assert left.wait(5)
    running.cancel()
    go.set()
    running.join()
    assert not runner.stuck._cancelled.is_set()
