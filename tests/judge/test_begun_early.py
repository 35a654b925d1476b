"""The session that is begun before it is known to be needed: used once, and ended in any case."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import cast

import pytest

from pagetutor.content.model import Course
from pagetutor.errors import MachineError
from pagetutor.judge.begun_early import BegunEarly
from pagetutor.judge.check import check
from pagetutor.learner.port import Finished, Job, Runner, Session, Stopped
from pagetutor.learner.twins import TwinSession
from pagetutor.text import same
from tests.corpus.build import SOLUTION

RIGHT = SOLUTION.encode()
WRONG = SOLUTION.replace("% self.block_size) == 1", "% self.block_size) == 0").encode()


class _Door:
    """Opens sessions that are only numbers, and keeps what happens to them."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    @contextmanager
    def open(self) -> Iterator[Session]:
        number = sum(one.startswith("opened") for one in self.seen) + 1
        self.seen.append(f"opened {number}")
        try:
            yield cast(Session, number)
        finally:
            self.seen.append(f"ended {number}")


def test_what_was_begun_is_handed_over_once_and_then_others_are_opened() -> None:
    door = _Door()
    with BegunEarly(door.open) as early:
        early.begin()
        early.begin()
        assert door.seen == ["opened 1"]
        with early.session() as first:
            assert first == cast(Session, 1)
        assert door.seen == ["opened 1", "ended 1"]
        with early.session() as second:
            assert second == cast(Session, 2)
    assert door.seen == ["opened 1", "ended 1", "opened 2", "ended 2"]


def test_what_was_begun_for_nothing_is_ended_with_it() -> None:
    door = _Door()
    with BegunEarly(door.open) as early:
        early.begin()
    assert door.seen == ["opened 1", "ended 1"]


def test_nothing_is_opened_unasked() -> None:
    door = _Door()
    with BegunEarly(door.open):
        pass
    assert door.seen == []


def test_where_none_can_be_had_it_is_told_when_one_is_asked_for() -> None:
    def none() -> AbstractContextManager[Session]:
        raise MachineError(same("no process"))

    with BegunEarly(none) as early:
        early.begin()
        with pytest.raises(MachineError, match="no process"):
            early.session()


@pytest.mark.parametrize(
    ("source", "order"),
    [(RIGHT, ["twins", "tests over"]), (WRONG, ["twins", "explaining", "tests over"])],
)
def test_a_check_begins_it_where_a_test_fails_before_the_processes_of_the_tests_end(
    course: Course, runner: Runner, monkeypatch: pytest.MonkeyPatch, source: bytes, order: list[str]
) -> None:
    seen: list[str] = []
    opens, finish = runner.session, TwinSession.finish

    def session(job: Job) -> AbstractContextManager[Session]:
        seen.append("twins" if job.twice else "explaining")
        return opens(job)

    def finishing(self: TwinSession) -> Finished | Stopped:
        seen.append("tests over")
        return finish(self)

    monkeypatch.setattr(runner, "session", session)
    monkeypatch.setattr(TwinSession, "finish", finishing)
    check(course, course.missions[1], Path("block_manager.py").absolute(), source, runner)
    assert seen == order
