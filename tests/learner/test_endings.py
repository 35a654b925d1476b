"""The end of a session: nobody waits for it, and nothing is lost of it."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from pagetutor.errors import MachineError
from pagetutor.learner import processes
from pagetutor.learner.endings import Endings
from pagetutor.learner.port import Job, Loaded, Stopped, StopReason
from pagetutor.learner.runner import WarmRunner
from pagetutor.learner.session import LearnerSession

from .conftest import RIGHT, TOY_STAGE, Bench, footprint, left_processes, left_scratches

# A daemon that has 70 threads once it is told so: more than one session may have.
CROWD = b"""
import os, threading, time
def answer():
    if not os.fork():
        if os.fork():
            os._exit(0)
        while not os.path.exists("go"):
            time.sleep(0.01)
        threading.stack_size(1 << 16)  # of the usual 8 MB, 64 fill what a process may have
        for _ in range(70):
            threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
        time.sleep(60)
    os.wait()
    return 1
"""
SLOW = b"import time\ndef answer():\n    time.sleep(0.5)\n    return 2\n"


def wait_until(condition: Callable[[], bool]) -> None:
    until = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < until, "it never came"
        time.sleep(0.01)


def test_leaving_a_session_does_not_wait_and_settling_does(bench: Bench) -> None:
    held = threading.Event()
    bench.runner._endings.add(lambda: None if held.wait(20) else pytest.fail("left waits"))
    with bench.session() as session:
        session.load(b"import os, tempfile\nopen(os.path.join(tempfile.gettempdir(), 'x'), 'w').close()")
    assert len(left_scratches(footprint(bench.runner))) == 1
    held.set()
    bench.runner.settle()
    assert left_scratches(footprint(bench.runner)) == []
    assert left_processes(footprint(bench.runner)) == []
    bench.runner.settle()


def test_what_one_session_left_is_not_counted_for_another_while_one_is_ended(bench: Bench) -> None:
    held = threading.Event()
    bench.runner.settle()  # a session that ends takes everybody's orphans with it
    with bench.session() as first, bench.session() as second, bench.session() as third:
        first.load(CROWD)
        assert second.load(SLOW) == third.load(SLOW) == Loaded()
        assert first.play({"call": "answer"}) == {"answer": 1}
        (cast(LearnerSession, first)._scratch / "go").touch()
        server = footprint(bench.runner).server
        wait_until(lambda: max(one.threads for one in processes.descendants(server)) > 69)
        bench.runner._endings.add(lambda: None if held.wait(20) else pytest.fail("nobody set it"))
        assert second.play({"call": "answer"}) == {"answer": 2}
        held.set()
        bench.runner.settle()
        stopped = third.play({"call": "answer"})
        assert isinstance(stopped, Stopped)
        assert stopped.reason is StopReason.MEMORY
    bench.assert_intact()


def test_a_warm_process_that_does_not_confirm_an_end_goes_on_for_those_it_serves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pagetutor.learner.session._END_LIMIT_S", 0.2)
    halt = threading.Event()

    def hold(pid: int) -> None:
        while not halt.wait(0.001):
            os.kill(pid, signal.SIGSTOP)

    with WarmRunner() as runner:
        bench = Bench(runner, tmp_path)
        with bench.session() as other:
            other.load(b"import time\ndef answer():\n    time.sleep(0.6)\n    return 42\n")
            server = footprint(runner).server
            holding = threading.Thread(target=hold, args=(server,))
            with bench.session() as session:
                session.load(RIGHT)
                holding.start()
                time.sleep(0.05)
            assert other.play({"call": "answer"}) == {"answer": 42}
            halt.set()
            holding.join()
            os.kill(server, signal.SIGCONT)
        bench.assert_intact()
        assert footprint(runner).server != server


def test_a_closed_runner_starts_nothing_more(tmp_path: Path) -> None:
    runner = WarmRunner()
    runner.warm()
    mark = footprint(runner).mark
    met: list[MachineError] = []

    def ask() -> None:
        try:
            with runner.session(Job(tmp_path / "block_manager.py", TOY_STAGE)) as session:
                session.load(RIGHT)
        except MachineError as error:
            met.append(error)

    asking = threading.Thread(target=ask)
    asking.start()
    wait_until(lambda: bool(runner._open))
    runner.close()
    asking.join()
    ask()
    assert [error.say.en for error in met] == [
        "pagetutor is ending and runs no more code. Start it again if you need it."
    ] * 2
    assert runner.footprint is None
    assert processes.marked(mark) == ()


def test_a_question_cancelled_before_torch_is_there_is_answered_at_once(tmp_path: Path) -> None:
    with WarmRunner() as runner:
        bench = Bench(runner, tmp_path)
        with bench.session() as session:
            threading.Timer(0.1, session.cancel).start()
            stopped = session.load(RIGHT)
            assert isinstance(stopped, Stopped)
            assert stopped.detail == "cancelled"
            assert not runner.ready()


def test_one_end_that_fails_keeps_no_other_from_being_done_and_is_told() -> None:
    done: list[int] = []
    endings = Endings()
    endings.add(lambda: done.append(1 // 0))
    endings.add(lambda: done.append(2))
    with pytest.raises(ZeroDivisionError):
        endings.settle()
    assert done == [2]
    assert not endings.busy
    endings.settle()
    endings.add(lambda: done.append(3 // 0))
    with pytest.raises(ZeroDivisionError):
        endings.close()
    endings.close()
    endings.add(lambda: done.append(4))
    assert done == [2, 4]
