"""The session that is begun before it is known to be needed: used once, and ended in any case."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import cast

from pagetutor.judge.begun_early import BegunEarly
from pagetutor.learner.port import Session


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
