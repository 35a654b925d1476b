"""The tutor's hold on the warm process: start it, know when torch is there, hand it jobs, end it."""

from __future__ import annotations

import contextlib
import os
import secrets
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pagetutor
from pagetutor.errors import MachineError
from pagetutor.learner import processes, wire
from pagetutor.learner.channels import Channels
from pagetutor.text import Text

if TYPE_CHECKING:
    from pagetutor.learner.port import Json

_CLOSE_LIMIT_S = 3.0  # for it to kill and reap what it has; then it is killed itself

_TORCH_MISSING = Text(
    zh="这个 Python 里没有装 torch。请先运行 `pip install torch`，然后再试一次。",
    en="This Python has no torch. Run `pip install torch`, then try again.",
)
_TORCH_BROKEN = Text(
    zh="torch 装了，却导入不了：{why}。请在 Python 里运行 `import torch` 看看，"
    "或者用 `pip install --force-reinstall torch` 重装一次。",
    en="torch is installed but cannot be imported: {why}. Try `import torch` in Python, "
    "or reinstall it with `pip install --force-reinstall torch`.",
)
_TORCH_SLOW = Text(
    zh="等了 {seconds} 秒，torch 还没有导入完。机器现在可能太忙，请过一会儿再试；"
    "如果总是这样，请在 Python 里运行 `import torch` 看看。",
    en="torch is still not imported after {seconds} seconds. The machine may be too busy: "
    "try again in a while, and if it stays like this, try `import torch` in Python.",
)
NO_PROCESS = Text(
    zh="启动不了用来运行你的代码的进程：{why}。请关掉一些程序，再试一次。",
    en="The process that runs your code could not be started: {why}. Close some programs and try again.",
)


class GoneError(Exception):
    """The warm process is not there any more; another can be started."""


@dataclass(frozen=True, slots=True)
class _Said:
    ready: bool
    pid: int = 0
    exception: str = ""
    message: str = ""


class WarmProcess:
    """A running warm process. Constructing it starts the import of torch and returns at once.

    `scratch` is the folder of all scratch folders, the only one where anything below it may write;
    `polite` means to import at a low priority. Raises MachineError where not even a Python can be started.
    """

    def __init__(self, *, scratch: Path, spare: bool, polite: bool) -> None:
        self._control, theirs = socket.socketpair()
        self._reader = wire.FrameReader()
        self._said: _Said | None = None
        self._sending, self._listening = threading.Lock(), threading.Lock()
        self.mark = f"{processes.MARK}={secrets.token_hex(16)}"
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the process
        name, _, value = self.mark.partition("=")
        arguments: dict[str, Json] = {"scratch": str(scratch), "spare": spare, "polite": polite}
        try:
            with theirs:
                self._process = subprocess.Popen(
                    [sys.executable, "-I", "-c", _start_code(theirs.fileno(), arguments)],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=self._complaints,
                    cwd=tempfile.gettempdir(),
                    env={**os.environ, name: value},
                    pass_fds=[theirs.fileno()],
                    start_new_session=True,  # Ctrl-C in the terminal is the tutor's alone
                )
        except OSError as error:
            self._control.close()
            self._complaints.close()
            raise MachineError(NO_PROCESS.with_(why=error.strerror or error)) from error
        self.pid = self._process.pid

    def ready(self) -> bool:
        """Whether torch is imported. Raises GoneError where the process has ended."""
        return self.listen(0) and self._said is not None and self._said.ready

    def alive(self) -> bool:
        """Whether the process still runs."""
        return self._process.poll() is None

    def wait_ready(self, limit_s: float) -> None:
        """Wait until torch is imported.

        Raises MachineError where it cannot be, GoneError where the process was killed meanwhile.
        """
        if not self.listen(limit_s):
            raise MachineError(_TORCH_SLOW.with_(seconds=round(limit_s)))
        self.raise_if_failed()

    def raise_if_failed(self) -> None:
        """Raise MachineError where torch could not be imported."""
        if self._said is None or self._said.ready:
            return
        if self._said.exception == "ModuleNotFoundError":
            raise MachineError(_TORCH_MISSING)
        why = f"{self._said.exception}: {self._said.message}"
        raise MachineError(_TORCH_BROKEN.with_(why=why.rstrip(".。")))

    def start(self) -> Channels:
        """A new learner's process, not yet told its job; it begins once torch is there. Raises GoneError."""
        self._wake()  # whoever stopped it
        talk, their_talk = socket.socketpair()
        leash, their_leash = socket.socketpair()
        output, their_output = os.pipe()
        stuck, their_stuck = os.pipe()
        handed = [their_talk.fileno(), their_output, their_stuck, their_leash.fileno()]
        channels = Channels(talk=talk, leash=leash, output=output, stuck=stuck, wake=self._wake)
        try:
            with self._sending, their_talk, their_leash:
                socket.send_fds(self._control, [wire.encode({"start": True})], handed)
        except OSError as error:
            channels.close()
            raise GoneError(str(error)) from error
        finally:
            os.close(their_output)
            os.close(their_stuck)
        return channels

    def close(self) -> None:
        """End it and everything below it. Idempotent."""
        busy_importing = self._said is None
        self._dismiss()
        if not busy_importing:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_CLOSE_LIMIT_S)
        self.destroy()

    def destroy(self) -> None:
        """End it without asking, for one that was killed, stopped or tampered with. Idempotent."""
        self._dismiss()
        self._complaints.close()
        if self._process.poll() is None:  # else its pid may be somebody else's by now
            processes.kill_tree(self.pid)
            self._process.wait()
        if self._process.returncode != 0:
            # Orphans of a killed warm process are init's children now, but still bear its mark.
            for pid in processes.marked(self.mark):
                processes.kill(pid)

    def _dismiss(self) -> None:
        with contextlib.suppress(OSError), self._sending:  # it is gone, or dismissed already
            self._control.setblocking(False)
            self._control.sendall(wire.encode({"end": True}))
        self._control.close()

    @property
    def server_pid(self) -> int:
        """The process that starts the learner's processes; below `pid` where it has a namespace of pids."""
        return self.pid if self._said is None or not self._said.pid else self._said.pid

    def _wake(self) -> None:
        """The learner's code may have stopped it; a warm process that runs takes no notice."""
        if hasattr(signal, "SIGCONT"):
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.server_pid, signal.SIGCONT)

    def listen(self, wait_s: float) -> bool:
        """Whether it has said, within `wait_s`, that torch is there, or why not. Raises GoneError."""
        if self._said is not None:
            return True
        until = time.monotonic() + wait_s
        with self._listening:
            return self._listen(until)

    def _listen(self, until: float) -> bool:
        while self._said is None:
            try:
                readable, _, _ = select.select([self._control], [], [], max(until - time.monotonic(), 0))
            except ValueError as error:  # closed by another thread
                raise GoneError(str(error)) from error
            if not readable:
                return False
            try:
                more = self._control.recv(4096)
            except OSError:
                more = b""
            if not more:
                raise GoneError(self._last_complaint())
            self._reader.feed(more)
            said = self._reader.pop()
            self._said = _said(said) if said is not None else None
        return True

    def _last_complaint(self) -> str:
        status = self._process.wait()
        try:
            self._complaints.seek(0)
            complaints = self._complaints.read()
        except ValueError:  # closed by another thread: the command is ending
            complaints = b""
        lines = complaints.decode("utf-8", "replace").strip().splitlines()
        killed = signal.Signals(-status).name if -status in set(signal.Signals) else f"status {status}"
        return lines[-1][:300] if lines else killed


def _said(frame: dict[str, Json]) -> _Said:
    pid = frame.get("pid")
    if frame.get("ready") is True and type(pid) is int:
        return _Said(ready=True, pid=pid)
    match frame.get("failed"):
        case {"exception": str(exception), "message": str(message)}:
            return _Said(ready=False, exception=exception, message=message)
    return _Said(ready=False, exception="WireError", message=str(frame)[:200])


def _start_code(control: int, arguments: dict[str, Json]) -> str:
    """The text of the warm process's program, with the tutor's `sys.path` but for the working folder.

    A learner's `torch.py` in the working folder must not be what is imported.
    """
    here = os.path.realpath(os.getcwd()) if _has_working_folder() else ""
    path = [entry for entry in sys.path if entry and os.path.realpath(entry) != here]
    package_root = str(Path(pagetutor.__file__).parent.parent)
    if package_root not in path:
        path.append(package_root)
    arguments = {**arguments, "control": control, "parent": os.getpid()}
    return (
        f"import sys; sys.path[:] = {path!r}; from pagetutor.learner.server import main; main({arguments!r})"
    )


def _has_working_folder() -> bool:
    try:
        os.getcwd()
    except OSError:
        return False
    return True
