"""A session is ended from another thread than the one that asks."""

from __future__ import annotations

import threading
import time

from pagetutor.learner.port import Finished, Loaded, Stopped

from .conftest import RIGHT, Bench


def test_a_question_that_is_cancelled_answers_long_before_its_deadline(any_bench: Bench) -> None:
    with any_bench.session(deadline_s=60) as session:
        timer = threading.Timer(0.3, session.cancel)
        timer.start()
        began = time.monotonic()
        answer = session.load(b"while True: pass")
        assert isinstance(answer, Stopped)
        assert time.monotonic() - began < 30
        assert session.play({"call": "answer"}) == answer
        timer.join()
    assert any_bench.outcome(RIGHT.decode()) == (Loaded(), {"answer": 42}, Finished())


def test_cancelling_between_two_questions_or_twice_is_harmless(bench: Bench) -> None:
    with bench.session() as session:
        session.load(RIGHT)
        session.cancel()
        session.cancel()
        assert isinstance(session.play({"call": "answer"}), Stopped)
        assert isinstance(session.finish(), Stopped)
    assert bench.outcome(RIGHT.decode()) == (Loaded(), {"answer": 42}, Finished())
