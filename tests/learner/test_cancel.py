"""A session is ended from another thread than the one that asks."""

from __future__ import annotations

import threading
import time

from pagetutor.learner.port import Finished, Loaded, Stopped
from pagetutor.learner.runner import WarmRunner
from pagetutor.learner.warm_process import GoneError, WarmProcess

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


def test_a_command_that_ends_while_torch_is_imported_is_no_bug_of_the_thread_that_waits() -> None:
    met: list[Exception] = []

    def wait(warm: WarmProcess) -> None:
        try:
            warm.listen(20)
        except Exception as error:  # noqa: BLE001 — whatever it is, it is the finding
            met.append(error)

    with WarmRunner() as runner:
        runner.warm()
        warm = runner._warm
        assert warm is not None
        waiting = threading.Thread(target=wait, args=(warm,))
        waiting.start()
        time.sleep(0.05)  # until it waits
    waiting.join()
    assert [type(error) for error in met] == [GoneError]
