"""Files that end, hold, fill or cheat the process: each its reason, and nothing left of it."""

from __future__ import annotations

import os
import signal
import textwrap

import pytest

from pagetutor.learner.port import Finished, Json, Loaded, LoadFailed, Stopped, StopReason
from pagetutor.learner.session import LearnerSession
from tests.long import some_long

from .conftest import Bench, footprint

_DEADLINE_S = 0.5
_AMPLE_S = 20.0


def in_method(body: str, top: str = "") -> str:
    """A file whose `answer` does this; its first line of the body is line 3 of the file."""
    return (
        f"import ctypes, os, signal, socket, sys, threading, time; {top}\ndef answer():\n"
        + textwrap.indent(body + "\nreturn 42", "    ")
    )


EVERY_DESCRIPTOR = """
for number in range(256):
    try: os.write(number, frame)
    except OSError: pass
"""
FAKE_ANSWER = (
    """
import json, struct
body = json.dumps({"nonce": "0" * 32, "trace": {"answer": 42}, "end": True}).encode()
frame = struct.pack(">I", len(body)) + body
"""
    + EVERY_DESCRIPTOR
)

# name: (source, deadline in seconds, what stopped it, line, function)
STOPPED = {
    "os._exit at import": ("import os\nos._exit(0)", _AMPLE_S, StopReason.EXIT, None, None),
    "os._exit in the method": (in_method("os._exit(0)"), _AMPLE_S, StopReason.EXIT, None, None),
    "os._exit(3) in the method": (in_method("os._exit(3)"), _AMPLE_S, StopReason.EXIT, None, None),
    "os._exit in __del__": (
        in_method("Doomed()", "Doomed = type('Doomed', (), {'__del__': lambda self: os._exit(0)})"),
        _AMPLE_S,
        StopReason.EXIT,
        None,
        None,
    ),
    "os._exit in a timer thread": (
        in_method("threading.Timer(0.05, os._exit, (0,)).start()\ntime.sleep(9)"),
        _AMPLE_S,
        StopReason.EXIT,
        None,
        None,
    ),
    "os.abort": (in_method("os.abort()"), _AMPLE_S, StopReason.CRASH, None, None),
    "a segfault": (in_method("ctypes.string_at(0)"), _AMPLE_S, StopReason.CRASH, None, None),
    "kills itself": (in_method("os.kill(os.getpid(), 9)"), _AMPLE_S, StopReason.CRASH, None, None),
    "kills its whole group": (in_method("os.killpg(0, 9)"), _AMPLE_S, StopReason.CRASH, None, None),
    "endless at import": ("x = 1\nwhile True: pass", _DEADLINE_S, StopReason.TIMEOUT, 2, "<module>"),
    "makes empty files for ever": (
        in_method("for n in range(10**9): open(str(n), 'w').close()"),
        20.0,
        StopReason.OUTPUT,
        3,
        "answer",
    ),
    "endless in the method": (in_method("while True: pass"), _DEADLINE_S, StopReason.TIMEOUT, 3, "answer"),
    "endless within except BaseException": (
        in_method("while True:\n    try: time.sleep(0.01)\n    except BaseException: pass"),
        _DEADLINE_S,
        StopReason.TIMEOUT,
        4,
        "answer",
    ),
    "a C loop": (in_method("sum(range(10**12))"), _DEADLINE_S, StopReason.TIMEOUT, 3, "answer"),
    "a loop that never pops": (
        in_method("while free: found = free[0]", "free = [1, 2]"),
        _DEADLINE_S,
        StopReason.TIMEOUT,
        3,
        "answer",
    ),
    "sleeps": (in_method("time.sleep(999)"), _DEADLINE_S, StopReason.TIMEOUT, 3, "answer"),
    "ignores SIGTERM": (
        in_method("signal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True: pass"),
        _DEADLINE_S,
        StopReason.TIMEOUT,
        4,
        "answer",
    ),
    "blocks all signals": (
        in_method("signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\nwhile True: pass"),
        _DEADLINE_S,
        StopReason.TIMEOUT,
        4,
        "answer",
    ),
    "stops itself": (
        in_method("os.kill(os.getpid(), signal.SIGSTOP)"),
        _DEADLINE_S,
        StopReason.TIMEOUT,
        None,
        None,
    ),
    "prints for ever": (
        in_method("while True: print('x' * 1000)"),
        _AMPLE_S,
        StopReason.OUTPUT,
        3,
        "answer",
    ),
    "a million lines to stderr": (
        in_method("for n in range(10**6): sys.stderr.write('warning\\n')"),
        _AMPLE_S,
        StopReason.OUTPUT,
        3,
        "answer",
    ),
    "a line of 5 MB": (in_method("print('x' * 5_000_000)"), _AMPLE_S, StopReason.OUTPUT, 3, "answer"),
    "writes a file without end": (
        in_method("with open('big', 'wb') as big:\n    while True: big.write(bytes(1 << 20))"),
        _AMPLE_S,
        StopReason.OUTPUT,
        None,
        None,
    ),
    "shares memory without end": (
        in_method(
            "import mmap, torch\nkept = [mmap.mmap(-1, 256 << 20) for n in range(8)]\n"
            "while True: [torch.frombuffer(one, dtype=torch.int8).fill_(1) for one in kept]"
        ),
        _AMPLE_S,
        StopReason.MEMORY,
        5,
        "<listcomp>",
    ),
    "forks 200": (
        in_method("n = 0\nwhile True: n = n + 1 if n >= 200 or os.fork() else time.sleep(99)"),
        _AMPLE_S,
        StopReason.MEMORY,
        4,
        "answer",
    ),
    "many files": (
        in_method("for n in range(10**6):\n    with open(str(n), 'wb') as one: one.write(bytes(1 << 20))"),
        _AMPLE_S,
        StopReason.OUTPUT,
        4,
        "answer",
    ),
    "closes all descriptors": (in_method("os.closerange(0, 256)"), _AMPLE_S, StopReason.CRASH, None, None),
    "closes the talk and stays": (
        in_method("os.closerange(3, 256)\ntime.sleep(9)"),
        _AMPLE_S,
        StopReason.CRASH,
        None,
        None,
    ),
    "a fake answer on every descriptor": (in_method(FAKE_ANSWER), _AMPLE_S, StopReason.CRASH, None, None),
    "garbage on every descriptor": (
        in_method("frame = b'\\xff' * 64" + EVERY_DESCRIPTOR),
        _AMPLE_S,
        StopReason.CRASH,
        None,
        None,
    ),
    "a frame of no JSON": (
        in_method("frame = b'\\0\\0\\0\\x02{]'" + EVERY_DESCRIPTOR),
        _AMPLE_S,
        StopReason.CRASH,
        None,
        None,
    ),
    "JSON a million deep": (
        in_method(
            "depth = 10**6\nbody = b'[' * depth + b']' * depth\nframe = len(body).to_bytes(4, 'big') + body\n"
            "for number in range(3, 64):\n    try: socket.socket(fileno=number).sendall(frame)\n"
            "    except OSError: pass"
        ),
        _AMPLE_S,
        StopReason.CRASH,
        None,
        None,
    ),
    "deletes sys.modules": (
        in_method("sys.modules.clear(); os._exit(0)"),
        _AMPLE_S,
        StopReason.EXIT,
        None,
        None,
    ),
}


@pytest.mark.parametrize("name", some_long(STOPPED, each=2))
def test_a_hostile_file_stops_with_its_reason_and_leaves_nothing(bench: Bench, name: str) -> None:
    source, deadline_s, reason, line, function = STOPPED[name]
    loaded, played, finished = bench.outcome(source, deadline_s=deadline_s)
    stopped = loaded if isinstance(loaded, Stopped) else played
    assert isinstance(stopped, Stopped), stopped
    assert (stopped.reason, stopped.line, stopped.function) == (reason, line, function)
    assert finished == played == stopped  # once stopped, always the same
    bench.assert_intact()


# name: (source, what the play answers)
ANSWERED: dict[str, tuple[str, Json]] = {
    "threads that are no daemons": (
        in_method("for n in range(20): threading.Thread(target=time.sleep, args=(99,)).start()"),
        {"answer": 42},
    ),
    "atexit that never ends": (
        in_method("import atexit; atexit.register(time.sleep, 99)"),
        {"answer": 42},
    ),
    "a child that holds every descriptor": (
        in_method("import subprocess\nsubprocess.Popen(['sleep', '99'], close_fds=False)"),
        {"answer": 42},
    ),
    "a grandchild in a session of its own": (
        in_method(
            "if os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0: time.sleep(99)\n    os._exit(0)"
        ),
        {"answer": 42},
    ),
    "sys.stdout is None": (in_method("sys.stdout = sys.stderr = None"), {"answer": 42}),
    "stdout is closed": (in_method("sys.stdout.close(); os.close(1)"), {"answer": 42}),
    "the scratch folder is removed": (
        in_method("import shutil; shutil.rmtree(os.getcwd(), ignore_errors=True); os.chdir('/')"),
        {"answer": 42},
    ),
    "the scratch folder becomes a link": (
        in_method(
            "here = os.getcwd(); os.chdir('/')\n"
            "try: os.rmdir(here); os.symlink('/etc', here)\nexcept PermissionError: pass"
        ),
        {"answer": 42},
    ),
    "json, os and struct patched": (
        in_method(
            "import json, struct\njson.dumps = json.loads = os.write = os._exit = struct.pack = None\n"
            "json.JSONEncoder.encode = None\nsocket.socket.sendall = None"
        ),
        {"answer": 42},
    ),
    "builtins.len patched": (in_method("import builtins; builtins.len = lambda _: 0"), {"answer": 42}),
    "sys.settrace": (in_method("sys.settrace(lambda *_: None)"), {"answer": 42}),
}


@pytest.mark.parametrize("name", some_long(ANSWERED, each=2))
def test_an_odd_but_honest_file_is_answered_and_leaves_nothing(bench: Bench, name: str) -> None:
    source, answer = ANSWERED[name]
    loaded, played, finished = bench.outcome(source)
    assert loaded == Loaded()
    assert played == answer
    assert isinstance(finished, Finished)
    bench.assert_intact()


# name: (body, the exception's name); what the learner's code raises is data, not an end
RAISED = {
    "sys.exit": ("sys.exit(0)", "SystemExit"),
    "quit": ("quit()", "SystemExit"),
    "KeyboardInterrupt": ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    "input": ("input()", "EOFError"),
    "a runaway recursion": ("return answer()", "RecursionError"),
    "a list without end": ("kept = []\nwhile True: kept.append(bytes(1 << 20))", "MemoryError"),
    "a huge bytearray": ("bytearray(10**11)", "MemoryError"),
    "a huge tensor": ("import torch; torch.zeros(10**11)", "RuntimeError"),
    "200 threads": (
        "for n in range(200): threading.Thread(target=time.sleep, args=(99,), daemon=n % 2).start()",
        "RuntimeError",
    ),
    "too many descriptors": ("kept = [os.dup(0) for n in range(10**4)]", "OSError"),
}


@pytest.mark.parametrize("name", some_long(RAISED, each=2))
def test_what_the_code_raises_is_an_answer(bench: Bench, name: str) -> None:
    body, exception = RAISED[name]
    loaded, played, finished = bench.outcome(in_method(body))
    assert loaded == Loaded()
    assert isinstance(played, dict)
    raised = played["raised"]
    assert isinstance(raised, dict)
    assert raised["exception"] == exception
    assert finished == Finished()
    bench.assert_intact()


@pytest.mark.parametrize("statement", ["sys.exit(0)", "raise SystemExit", "raise KeyboardInterrupt"])
def test_leaving_at_load_is_a_failed_load(bench: Bench, statement: str) -> None:
    with bench.session() as session:
        failed = session.load(f"import sys\n{statement}".encode())
        assert isinstance(failed, LoadFailed)
        assert failed.raised.exception in {"SystemExit", "KeyboardInterrupt"}
        assert failed.raised.line == 2
        assert session.finish() == Finished()


def test_leaving_through_the_stage_is_an_exit_with_its_line(bench: Bench) -> None:
    scenario: Json = {"stage": "lets through", "call": "answer"}
    _, played, _ = bench.outcome(in_method("sys.exit(0)"), scenario=scenario)
    assert played == Stopped(StopReason.EXIT, line=3, function="answer", detail="SystemExit")
    bench.assert_intact()


def test_memory_that_runs_out_in_the_stage_is_told(bench: Bench) -> None:
    scenario: Json = {"stage": "lets through", "call": "answer"}
    body = "kept = sys.kept = []\nwhile True: kept.append(bytes(1 << 20))"
    _, played, _ = bench.outcome(in_method(body), scenario=scenario)
    assert played == Stopped(StopReason.MEMORY, line=4, function="answer", detail="MemoryError")
    bench.assert_intact()


def test_an_exit_after_the_last_answer_is_no_finish(bench: Bench) -> None:
    with bench.session() as session:
        session.load(in_method("threading.Timer(0.05, os._exit, (0,)).start()").encode())
        assert session.play({"call": "answer"}) == {"answer": 42}
        session.play({"call": "sleeps"})  # no such name: the timer decides
        _wait_for_its_end(session)
        finished = session.finish()
    assert finished == Stopped(StopReason.EXIT, detail="status 0")
    bench.assert_intact()


def _wait_for_its_end(session: object) -> None:
    assert isinstance(session, LearnerSession)
    assert session._channels.wait_end(10)


def test_an_end_frame_and_then_another_status_is_no_finish(bench: Bench) -> None:
    body = "sys.modules['pagetutor.learner.child']._leave = lambda _: os.kill(os.getpid(), 9)"
    _, played, finished = bench.outcome(in_method(body))
    assert played == {"answer": 42}
    assert finished == Stopped(StopReason.CRASH, detail="SIGKILL")
    bench.assert_intact()


@pytest.mark.parametrize("attack", ["os.kill(os.getppid(), 9)", "os.kill(os.getppid(), signal.SIGSTOP)"])
def test_a_parent_survives_its_child(any_bench: Bench, attack: str) -> None:
    any_bench.assert_intact()
    any_bench.outcome(in_method(f"{attack}\ntime.sleep(9)"), deadline_s=0.3)
    any_bench.assert_intact()


FLOODS = """import os, threading, time
def flood(fd):
    while True:
        try: os.write(fd, b'x' * 65536)
        except OSError: time.sleep(0.001)
def answer():
    for fd in range(3, 64):
        try:
            if os.readlink(f'/proc/self/fd/{fd}').startswith('pipe:'):
                threading.Thread(target=flood, args=(fd,), daemon=True).start()
        except OSError: pass
    while True: time.sleep(1)
"""


def test_a_flood_where_stuck_lines_are_told_holds_nobody_up(bench: Bench) -> None:
    _, played, _ = bench.outcome(FLOODS)
    assert isinstance(played, Stopped)
    assert played.reason is StopReason.OUTPUT
    bench.assert_intact()


def test_a_warm_process_that_was_stopped_is_woken_and_goes_on(bench: Bench) -> None:
    bench.assert_intact()
    warm = footprint(bench.runner)
    with bench.session(deadline_s=0.3) as session:
        session.load(in_method("time.sleep(9)").encode())
        os.kill(warm.server, signal.SIGSTOP)
        assert session.play({"call": "answer"}) == Stopped(StopReason.TIMEOUT, 3, "answer")
    bench.assert_intact()
    assert footprint(bench.runner) == warm


OF_EACH_KIND = ("prints for ever", "shares memory without end", "forks 200")  # all of them: the soak


@pytest.mark.parametrize("name", ["endless in the method", OF_EACH_KIND[1]])
def test_the_same_holds_without_fork(spare_bench: Bench, name: str) -> None:
    source, deadline_s, reason, line, function = STOPPED[name]
    _, played, _ = spare_bench.outcome(source, deadline_s=deadline_s)
    assert isinstance(played, Stopped)
    assert (played.reason, played.line, played.function) == (reason, line, function)
    spare_bench.assert_intact()


@pytest.mark.parametrize("name", OF_EACH_KIND[:1])
def test_the_same_holds_from_a_cold_start(cold_bench: Bench, name: str) -> None:
    source, deadline_s, reason, line, function = STOPPED[name]
    _, played, _ = cold_bench.outcome(source, deadline_s=deadline_s)
    assert isinstance(played, Stopped)
    assert (played.reason, played.line, played.function) == (reason, line, function)
