"""A job done twice: what the second process answers comes with the end, and costs no second deadline."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, cast

import pytest

from pagetutor.learner.port import Echoes, Finished, Job, Loaded, Session, Stopped, StopReason
from pagetutor.learner.session import LearnerSession
from pagetutor.learner.twins import TwinSession

from .conftest import RIGHT, TOY_STAGE, Bench

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pagetutor.learner.port import Json

COUNTS = b"calls = 0\ndef answer():\n    global calls\n    calls += 1\n    return calls\n"
HANGS_LATER = COUNTS.replace(b"return calls", b"while calls > 1: pass\n    return calls")
SLOW = b"import time\ntime.sleep(0.4)\ndef answer():\n    time.sleep(0.1)\n    return 42\n"
ANSWER: dict[str, Json] = {"call": "answer"}
NEXT: dict[str, Json] = {"call": "answer", "number": 1}


def twins(bench: Bench, deadline_s: float = 20.0) -> AbstractContextManager[Session]:
    return bench.runner.session(Job(bench.path, TOY_STAGE, deadline_s=deadline_s, twice=True))


def echoes(session: Session) -> Sequence[tuple[Json, ...]]:
    finished = session.finish()
    assert isinstance(finished, Finished)
    assert isinstance(finished.echoes, Echoes)
    assert finished.echoes.ended is None
    return finished.echoes.answers


def test_every_question_is_asked_twice_more(any_bench: Bench) -> None:
    with twins(any_bench) as session:
        assert session.load(COUNTS) == Loaded()
        assert [session.play(ANSWER) for _ in range(3)] == [{"answer": n} for n in (1, 2, 3)]
        assert echoes(session) == tuple(({"answer": n}, {"answer": n + 1}) for n in (1, 3, 5))


def test_an_answer_told_in_the_same_words_is_not_read_again(bench: Bench) -> None:
    with twins(bench) as session:
        session.load(RIGHT)
        plain, ahead = session.play(ANSWER, then=NEXT), session.play(NEXT)
        (one, two), (three, four) = echoes(session)
    assert plain == ahead == {"answer": 42}
    assert one is two is plain
    assert three is four is ahead


def test_a_file_loaded_after_play_is_asked_from_the_beginning(bench: Bench) -> None:
    with twins(bench) as session:
        session.load(COUNTS)
        session.play(ANSWER)
        assert session.load(COUNTS) == Loaded()
        assert session.play(ANSWER) == {"answer": 1}
        assert echoes(session) == (({"answer": 1}, {"answer": 2}),) * 2
    bench.assert_intact()


def test_a_second_process_that_never_ends_is_stopped_at_the_same_deadline(bench: Bench) -> None:
    with twins(bench, deadline_s=0.4) as session:
        session.load(HANGS_LATER)
        assert session.play(ANSWER) == {"answer": 1}
        finished = session.finish()
    assert isinstance(finished, Finished)
    assert finished.echoes == Echoes((), Stopped(StopReason.TIMEOUT, 5, "answer"))
    bench.assert_intact()


def test_a_slow_file_that_keeps_the_deadline_is_asked_once_more_and_meanwhile(bench: Bench) -> None:
    with twins(bench, deadline_s=1.3) as session:
        session.load(SLOW)
        assert [session.play(ANSWER) for _ in range(7)] == [{"answer": 42}] * 7
        assert echoes(session) == (({"answer": 42},),) * 7


def test_nobody_waits_for_the_second_process_once_the_first_is_stopped() -> None:
    stopped = Stopped(StopReason.TIMEOUT)
    first, second = _Played(stopped), _Played(None)
    pair = TwinSession(cast(LearnerSession, first), cast(LearnerSession, second), 5.0)
    assert pair.play(ANSWER) == stopped
    assert pair.finish() == stopped
    assert second.released


class _Played:
    """A session that has stopped, or one that must not be waited for."""

    left_s = 5.0
    told = b""

    def __init__(self, stopped: Stopped | None) -> None:
        self.stopped = stopped
        self.released = False

    def play(self, _scenario: Json, *, then: Json = None) -> Stopped | None:
        return self.stopped

    def begin_play_all(self, _scenarios: list[Json]) -> None:
        pass

    def answered(self) -> bool:
        return False

    def traces(self, _expected: object) -> Json:
        raise AssertionError("waited for")

    def begin_finish(self) -> None:
        pass

    def finished(self) -> Stopped | None:
        return self.stopped

    def release(self) -> None:
        self.released = True


def test_what_is_asked_next_is_begun_at_once_and_waits_for_its_turn(any_bench: Bench) -> None:
    then: Json = {"call": "answer", "number": 2}
    with any_bench.session() as session:
        session.load(COUNTS)
        assert session.play(ANSWER, then=then) == {"answer": 1}
        assert session.play(NEXT) == {"answer": 3}
        assert session.play(then) == {"answer": 2}
        assert session.play(then) == {"answer": 4}
    any_bench.assert_intact()


def test_what_was_begun_for_one_file_does_not_count_for_the_next(bench: Bench) -> None:
    with bench.session() as session:
        session.load(RIGHT)
        session.play(ANSWER, then=NEXT)
        session.load(COUNTS)
        assert session.play(NEXT) == {"answer": 1}
        session.play(ANSWER, then={"call": "answer", "number": 2})
        assert isinstance(session.finish(), Finished)


def test_a_question_out_of_turn_is_the_tutors_own_mistake(bench: Bench) -> None:
    with bench.runner.session(Job(bench.path, TOY_STAGE, source=RIGHT)) as session:
        with pytest.raises(RuntimeError, match=r"^asked to play before the answer to load$"):
            session.play(ANSWER)
        assert session.load(RIGHT) == Loaded()
        assert session.play(ANSWER) == {"answer": 42}
        assert isinstance(session, LearnerSession)
        with pytest.raises(RuntimeError, match=r"^nothing was asked$"):
            session.answer(lambda answer: answer)
    bench.assert_intact()


def test_threads_that_a_file_starts_at_import_count_once(bench: Bench) -> None:
    crowd = b"import threading, time\nfor _ in range(40):\n    threading.Thread(target=time.sleep, args=(60,)"
    source = crowd + b", daemon=True).start()\ntime.sleep(0.3)\ndef answer(): return 42\n"
    with twins(bench) as session:
        assert session.load(source) == Loaded()
        assert session.play(ANSWER) == {"answer": 42}
        assert echoes(session) == (({"answer": 42}, {"answer": 42}),)
