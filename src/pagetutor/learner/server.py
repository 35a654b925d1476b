"""The warm process: imports torch once, then starts one learner's process after the other.

It never executes learner's code itself. It stands between the tutor and the learner's process, so
that a `kill(getppid())` hits it and not the tutor, and it adopts whatever the learner's code leaves
behind: as the first process of its own pid namespace where that can be had, else as subreaper.

Two ways to start a learner's process: fork (the default), or hand the job to a spare, a process that
has imported torch on its own and serves one job; the warm process then imports nothing itself.

Why not `multiprocessing`'s forkserver with torch preloaded: to a child's first answer it takes 38 ms,
this takes 4, and to the child's end 46 against 11, all limits and layers included (medians in one run of
`python -m tests.bench servers`). The difference is the frozen heap, the children forked ahead, and that
a child does not import the parent's main module again.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
import selectors
import signal
import socket
import subprocess
import sys
import threading
import time
import warnings
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from pagetutor.learner import namespaces, processes, wire
from pagetutor.learner.ahead import FORKS_AHEAD, SPARES_AHEAD
from pagetutor.learner.child import Place, close_all_but, rehearse, serve
from pagetutor.learner.scratch import remove_scratches
from pagetutor.learner.system import can_peek, is_linux

if TYPE_CHECKING:
    from pagetutor.learner.port import Json

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
_SWEEP_S = 2.0  # how long a fork bomb is fought before the answer goes out anyway
_DESCRIPTORS_PER_START = 4
_POLITE = 10  # niceness while importing, so that no prompt of the tutor's stutters


def main(arguments: dict[str, Json]) -> NoReturn:
    """Run the warm process.

    `arguments` are `control` (descriptor), `parent` (pid), `spare`, `polite` (bools) and `scratch`, the
    folder that holds all scratch folders.
    """
    parent = int(str(arguments["parent"]))
    scratch = Path(str(arguments["scratch"]))
    _when_orphaned(parent, lambda: _clear_away(scratch))
    control = socket.socket(fileno=int(str(arguments["control"])))
    outer_proc = _open_proc()
    names = namespaces.available(scratch)
    if names:
        namespaces.enter(names)
    if "pid" in names:
        pid = os.fork()
        if pid:
            control.close()
            _wait_for(pid, parent, scratch)
        _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    namespaces.shut(names, scratch)
    place = Place(tuple(f"namespace:{name}" for name in names), outer_proc)
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    starter = _Spares(place) if arguments["spare"] else _Fork(place, polite=arguments["polite"] is True)
    dismissed = _Server(control, starter, place).run()
    if dismissed:
        os._exit(0)
    _clear_away(scratch)


def _clear_away(scratch: Path) -> NoReturn:
    """Leave, and no scratch folder behind: a tutor that was killed cannot remove them."""
    remove_scratches(scratch)
    os._exit(0)


def _open_proc() -> int | None:
    """The /proc of the tutor's world, where this process and its children bear other pids."""
    if not is_linux():
        return None
    return os.open("/proc", os.O_RDONLY | os.O_DIRECTORY)


def _wait_for(server: int, parent: int, scratch: Path) -> NoReturn:
    """Live as long as the server does, and leave as it left.

    A server that serves sees by itself that the tutor is gone, and clears away; one that still imports
    torch is killed after a second.
    """
    signal.signal(signal.SIGALRM, lambda *_: processes.kill(server))
    _when_orphaned(parent, lambda: signal.alarm(1))
    code = os.waitstatus_to_exitcode(os.waitpid(server, 0)[1])
    if os.getppid() != parent:
        _clear_away(scratch)
    if code < 0:
        signal.signal(-code, signal.SIG_DFL) if -code not in (signal.SIGKILL, signal.SIGSTOP) else None
        os.kill(os.getpid(), -code)
    os._exit(code)


def spare_main(channel: int, parent: int, layers: tuple[str, ...], outer_proc: int | None) -> NoReturn:
    """Run one spare: import torch, say so on `channel`, take one job from it."""
    _die_with(parent)
    line = socket.socket(fileno=channel)
    said = import_torch()
    with contextlib.suppress(OSError):  # a job that could not wait has been handed over already
        line.sendall(wire.encode(said))
    _take_job(line, Place(layers, outer_proc))


def _take_job(line: socket.socket, place: Place) -> NoReturn:
    _, job, _, _ = socket.recv_fds(line, 1, 3)
    if len(job) != 3:
        os._exit(0)
    line.close()
    talk, output, stuck = job
    serve(talk, output, stuck, place)


def import_torch() -> dict[str, Json]:
    """Import torch without running an operation: a process that ran a parallel one must not fork.

    `{"ready": true}`, or `{"failed": {"exception": …, "message": …}}`.
    """
    for name in ("OMP", "MKL", "OPENBLAS", "NUMEXPR", "VECLIB_MAXIMUM"):
        os.environ[f"{name}_NUM_THREADS"] = "1"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import torch  # noqa: PLC0415 - the one expensive import, after the thread limits

            torch.set_num_threads(1)
    except (ImportError, OSError, RuntimeError, AttributeError) as error:
        return {"failed": {"exception": type(error).__name__, "message": str(error)[:500]}}
    return {"ready": True}


def _import_torch_politely() -> dict[str, Json]:
    """Import it in a thread of low priority: the niceness of a whole process could not be taken back."""
    said: list[dict[str, Json]] = []

    def work() -> None:
        with contextlib.suppress(OSError, AttributeError):  # niceness of single threads is Linux's alone
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _POLITE)
        said.append(import_torch())

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    return (
        said[0] if said and "ready" not in said[0] else import_torch()
    )  # OpenMP counts threads per thread: once more


class _Fork:
    """Starts a learner's process by forking this one, ahead of time where there is time."""

    def __init__(self, place: Place, *, polite: bool) -> None:
        self._place = place
        self._polite = polite and is_linux()
        self._waiting: list[tuple[int, socket.socket]] = []

    def prepare(self) -> dict[str, Json]:
        gc.disable()  # its collections during the import take 60 ms and find nothing
        said = _import_torch_politely() if self._polite else import_torch()
        # Everything alive now is left out of later collections: a child touches fewer pages.
        gc.freeze()
        gc.enable()
        return said

    def own(self) -> frozenset[int]:
        return frozenset(pid for pid, _ in self._waiting)

    def refill(self) -> None:
        while len(self._waiting) < FORKS_AHEAD:
            self._waiting.append(self._fork(rehearsed=True))

    def start(self, talk: int, output: int, stuck: int) -> int:
        while self._waiting:
            pid, line = self._waiting.pop()
            with line, contextlib.suppress(OSError):  # it may have been killed while it waited
                socket.send_fds(line, [b"j"], [talk, output, stuck])
                return pid
        pid, line = self._fork(rehearsed=False)
        with line:
            socket.send_fds(line, [b"j"], [talk, output, stuck])
        return pid

    def _fork(self, *, rehearsed: bool) -> tuple[int, socket.socket]:
        server = os.getpid()
        ours, theirs = socket.socketpair()
        try:
            pid = os.fork()
        except OSError:
            ours.close()
            theirs.close()
            raise
        if pid:
            theirs.close()
            return pid, ours
        try:
            os.setsid()
            _die_with(server)
            signal.set_wakeup_fd(-1)
            for number in (signal.SIGCHLD, signal.SIGHUP):
                signal.signal(number, signal.SIG_DFL)
            close_all_but(theirs.fileno(), *self._place.descriptors)
            if rehearsed:
                rehearse()
            _take_job(theirs, self._place)
        finally:
            os._exit(70)


class _Spares:
    """Starts a learner's process by handing the job to one that waits, and then starts others to wait."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._waiting: deque[tuple[subprocess.Popen[bytes], socket.socket]] = deque()

    def prepare(self) -> dict[str, Json]:
        self._begin()
        said = wire.receive(self._waiting[0][1])
        return said or {"failed": {"exception": "OSError", "message": "the process ended"}}

    def own(self) -> frozenset[int]:
        return frozenset(process.pid for process, _ in self._waiting)

    def refill(self) -> None:
        while len(self._waiting) < SPARES_AHEAD:
            self._begin()

    def start(self, talk: int, output: int, stuck: int) -> int:
        while self._waiting and self._waiting[0][0].poll() is not None:
            self._waiting.popleft()[1].close()
        if not self._waiting:
            self._begin()
        process, line = self._waiting.popleft()
        with line:
            socket.send_fds(line, [b"j"], [talk, output, stuck])
        process.returncode = 0  # waited for by the server itself, with its resource use
        return process.pid

    def _begin(self) -> None:
        ours, theirs = socket.socketpair()
        arguments = (theirs.fileno(), os.getpid(), self._place.layers, self._place.outer_proc)
        code = (
            f"import sys; sys.path[:] = {sys.path!r}; "
            f"from pagetutor.learner.server import spare_main; spare_main(*{arguments!r})"
        )
        with theirs:
            process = subprocess.Popen(
                [sys.executable, "-I", "-c", code],
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno(), *self._place.descriptors],
                start_new_session=True,
            )
        self._waiting.append((process, ours))


@dataclass(slots=True)
class _Session:
    pid: int
    leash: socket.socket


class _Server:
    def __init__(self, control: socket.socket, starter: _Fork | _Spares, place: Place) -> None:
        self._control = control
        self._starter = starter
        self._place = place
        self._requests = wire.FrameReader()
        self._handed: list[int] = []
        self._sessions: dict[int, _Session] = {}
        self._events = selectors.DefaultSelector()
        self._wake, wake = socket.socketpair()
        self._wake.setblocking(False)
        wake.setblocking(False)
        signal.set_wakeup_fd(wake.fileno(), warn_on_full_buffer=False)
        self._wake_writer = wake  # kept open
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self._listening, self._dismissed = True, False

    def run(self) -> bool:
        """Serve until the tutor is gone or torch cannot be had, and kill what is left then.

        Whether the tutor has dismissed it: then the scratch folders are the tutor's to remove, and another
        warm process may use them already.
        """
        said = self._starter.prepare()
        signal.signal(signal.SIGHUP, signal.SIG_IGN)  # from here on the end of `control` tells
        with contextlib.suppress(OSError):
            self._control.sendall(wire.encode({**said, "pid": self._place.own_pid()}))
            self._listening = "ready" in said
        self._watch(self._control, self._take_requests)
        self._watch(self._wake, self._reap)
        while self._listening:
            if not self._sessions and not self._events.select(0):
                self._refill()
            for key, _ in self._events.select():
                act: Callable[[], None] = key.data
                act()
        for session in self._sessions.values():
            processes.kill_tree(session.pid)
        self._sweep(everything=True)
        return self._dismissed

    def _refill(self) -> None:
        with contextlib.suppress(OSError):  # no process to be had now: told when one is asked for
            self._starter.refill()

    def _watch(self, channel: socket.socket, act: Callable[[], None]) -> None:
        self._events.register(channel, selectors.EVENT_READ, act)

    def _take_requests(self) -> None:
        try:
            more, descriptors, _, _ = socket.recv_fds(self._control, 4096, _DESCRIPTORS_PER_START)
        except OSError:
            more, descriptors = b"", []
        if not more:
            self._listening = False
            return
        self._handed += descriptors
        self._requests.feed(more)
        while (request := self._requests.pop()) is not None:
            if "end" in request:
                self._listening, self._dismissed = False, True
                return
            talk, output, stuck, leash = self._handed[:_DESCRIPTORS_PER_START]
            del self._handed[:_DESCRIPTORS_PER_START]
            self._start(talk, output, stuck, socket.socket(fileno=leash))

    def _start(self, talk: int, output: int, stuck: int, leash: socket.socket) -> None:
        try:
            pid = self._starter.start(talk, output, stuck)
        except OSError as error:
            _tell(leash, {"unstarted": str(error)})
            leash.close()
            return
        finally:
            for descriptor in (talk, output, stuck):
                os.close(descriptor)
        self._sessions[pid] = _Session(pid, leash)
        self._watch(leash, partial(self._let_go, pid))

    def _let_go(self, pid: int) -> None:
        """The tutor wants it ended: it is told so by `_reap`, as of any other end."""
        session = self._sessions.get(pid)
        if session is not None:  # it may have ended in the same round of events
            self._events.unregister(session.leash)
            processes.kill_tree(pid)

    def _reap(self) -> None:
        with contextlib.suppress(BlockingIOError):
            while self._wake.recv(4096):
                pass
        for pid in list(self._sessions):
            if can_peek():
                if os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
                    continue
                # Its pid is still ours until it is waited for, so the group cannot be someone else's.
                self._kill_group(pid)
                _, status, used = os.wait4(pid, 0)
            else:
                ended, status, used = os.wait4(pid, os.WNOHANG)
                if not ended:
                    continue
                self._kill_group(pid)  # as long as one of it lives, no other process gets this number
            self._close(self._sessions[pid], status, used.ru_maxrss)

    def _kill_group(self, pid: int) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)

    def _close(self, session: _Session, status: int, peak: int) -> None:
        del self._sessions[session.pid]
        self._sweep()
        _tell(session.leash, {"status": status, "peak": peak * (1 if sys.platform == "darwin" else 1024)})
        with contextlib.suppress(KeyError):
            self._events.unregister(session.leash)
        session.leash.close()

    def _sweep(self, *, everything: bool = False) -> None:
        """Kill and reap what ended sessions have left: as subreaper, this process is its parent now."""
        until = time.monotonic() + _SWEEP_S
        while _has_children() and time.monotonic() < until:
            mine = frozenset() if everything else self._starter.own() | frozenset(self._sessions)
            strays = frozenset(one.pid for one in processes.descendants(os.getpid(), without=mine))
            strays = strays or self._orphans()
            for stray in strays:
                processes.kill(stray)
            reaped = self._reap_strays(strays)
            if not strays and not reaped:
                return

    def _orphans(self) -> frozenset[int]:
        """What belongs to init now, where there is no subreaper; it bears the mark, unless taken off."""
        mark = os.environ.get(processes.MARK)
        if is_linux() or not mark:
            return frozenset()
        bearing = frozenset(processes.marked(f"{processes.MARK}={mark}"))
        # Looked at second: what a session that still runs has started meanwhile is in none of the two.
        return bearing - {one.pid for one in processes.descendants(os.getpid())} - {os.getpid()}

    def _reap_strays(self, strays: frozenset[int]) -> bool:
        reaped = False
        for pid in strays:
            with contextlib.suppress(ChildProcessError):
                reaped |= os.waitpid(pid, 0)[0] != 0
        return reaped


def _has_children() -> bool:
    """Whether this process has any child, dead or alive; asked of the kernel, which costs nothing.

    It may have where that cannot be asked without waiting for one.
    """
    if not can_peek():
        return True
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def _tell(leash: socket.socket, frame: dict[str, Json]) -> None:
    with contextlib.suppress(OSError):  # the tutor may have let go already
        leash.sendall(wire.encode(frame))


def _when_orphaned(parent: int, act: Callable[[], object]) -> None:
    """Do this when the tutor dies, even while torch is still being imported.

    The signal also comes when only the thread that started this process ends; then it means nothing.
    """

    def act_if_orphaned(*_: object) -> None:
        if os.getppid() != parent:
            act()

    signal.signal(signal.SIGHUP, act_if_orphaned)
    _prctl(_PR_SET_PDEATHSIG, signal.SIGHUP)
    act_if_orphaned()


def _die_with(parent: int) -> None:
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(0)


def _prctl(option: int, value: int) -> None:
    """Where the system has no prctl, the sockets' end of file does the same, a little later."""
    if is_linux():
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)
