"""The learner's process from its first moment to `os._exit`: set up, answer questions, leave.

The same loop serves however the process was started, forked from the warm process or as a spare.
"""

from __future__ import annotations

import base64
import builtins
import contextlib
import faulthandler
import io
import linecache
import marshal
import os
import signal
import socket
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, NoReturn, cast

from pagetutor.learner import wire
from pagetutor.learner.confine import Borders, confine, spend_reserve
from pagetutor.learner.learner_file import LearnerFile, describe, see_folder

if TYPE_CHECKING:
    from pagetutor.learner.port import Json

_WARM_UP = "<warm-up>"
_SHOWN_LIMIT = 2000  # characters of a watched value's repr
_from_base64 = base64.b64decode
_EARLY_S = 0.2  # before the deadline, at most: then it is told where the code is stuck
_monotonic = time.monotonic
_leave = os._exit  # bound now: the learner's code may patch os
_print_exception, _eval, _compile, _repr, _str = traceback.format_exc, eval, compile, repr, str


@dataclass(frozen=True, slots=True)
class Place:
    """Where the warm process and its children live: the layers that hold for all of them already.

    `outer_proc` is the open /proc of the tutor's world, where they bear other pids than here.
    """

    layers: tuple[str, ...]
    outer_proc: int | None

    @property
    def descriptors(self) -> tuple[int, ...]:
        """What has to stay open to tell the own pid."""
        return () if self.outer_proc is None else (self.outer_proc,)

    def own_pid(self) -> int:
        """This process's pid as the tutor sees it."""
        if self.outer_proc is None:
            return os.getpid()
        return int(os.readlink("self", dir_fd=self.outer_proc))


def rehearse() -> None:
    """Do once, while nobody waits, what every job does: a forked process copies each page it first touches.

    2,400 pages in all, 3 to 6 µs each; after this about 500 are left for the job itself.
    """
    file = LearnerFile("/rehearsal.py")
    frame = wire.encode({"source": _REHEARSAL, "ops": [{"op": "call", "ids": [1, 2, 3], "value": None}] * 9})
    wire.FrameReader().feed(frame)
    compile(_REHEARSAL, "stage", "exec", dont_inherit=True)
    file.load(_REHEARSAL.encode())
    sys.modules.pop(file.name, None)
    linecache.cache.pop(file.path, None)


_REHEARSAL = """
import torch
from typing import List

class Request:
    def __init__(self, request_id: str, prompt_len: int) -> None:
        self.request_id, self.seq_len, self.block_table = request_id, prompt_len, []

class Manager:
    def __init__(self, num_blocks: int, block_size: int, head_dim: int) -> None:
        self.pool = torch.zeros((num_blocks, block_size, head_dim))
        self.free: List[int] = list(range(num_blocks))

    def take(self, request: Request) -> None:
        for _ in range((request.seq_len + 3) // 4):
            if not self.free:
                raise RuntimeError("OOM")
            request.block_table.append(self.free.pop(0))

    def gather(self, request: Request) -> torch.Tensor:
        return torch.cat([self.pool[block] for block in request.block_table], dim=0)[: request.seq_len]

with torch.no_grad():
    manager, request = Manager(4, 4, 2), Request("a", 6)
    manager.take(request)
    manager.pool.copy_(torch.arange(manager.pool.numel()).reshape(list(manager.pool.size())))
    manager.gather(request).detach().as_subclass(torch.Tensor).to(torch.float64).reshape((-1,)).tolist()
manager.take(Request("b", 99))
"""


def serve(talk: int, output: int, stuck: int, place: Place) -> NoReturn:
    """Answer the tutor's questions over the socket `talk` until it says end; never returns.

    `output` becomes stdout and stderr; `stuck` is where `faulthandler` writes when time is up.
    """
    # Whatever goes wrong, nothing may return into the process that this one was forked from.
    with contextlib.suppress(BaseException):
        pid = place.own_pid()
        _take_over_stdio(output)
        close_all_but(talk, stuck)
        _Child(socket.socket(fileno=talk), stuck, pid, place.layers).answer_all()
    # Not an exit status: a channel that the learner's code has broken is no clean leaving.
    os.abort()


class _Child:
    def __init__(self, talk: socket.socket, stuck: int, pid: int, layers: tuple[str, ...]) -> None:
        self.talk = talk
        self.stuck = stuck
        self._pid = pid
        self._layers = layers
        self._send = talk.sendall
        self._tells_at = 0.0  # by the monotonic clock
        self._stdout = cast(io.TextIOWrapper, sys.stdout)
        opening = wire.receive(talk)
        if opening is None:
            _leave(0)
        self.file = LearnerFile(_text(opening["path"]))
        self._play = self._open(opening)

    def _open(self, opening: dict[str, Json]) -> Callable[..., Json]:
        """Load the stage, shut this process in, and say that it is ready."""
        scratch = _text(opening["scratch"])
        os.chdir(scratch)
        os.environ["TMPDIR"] = tempfile.tempdir = scratch
        sys.argv = [self.file.path]
        try:
            play = _stage_play(_from_base64(_text(opening["stage"])), _text(opening["stage_path"]))
        except Exception:  # noqa: BLE001 - told to the tutor, who blames the course
            self._say({"unready": _print_exception()})
            _leave(0)
        hidden = cast(list[str], opening["hidden"])
        layers = confine(Borders(Path(scratch), tuple(Path(folder) for folder in hidden)))
        see_folder(os.path.dirname(self.file.path))
        with contextlib.suppress(AttributeError):  # Windows has no signals to ask by
            faulthandler.register(signal.SIGUSR2, file=self.stuck, all_threads=True)
        layers += self._layers
        self._say({"ready": True, "pid": self._pid, "isolation": cast("Json", layers)})
        return play

    def answer_all(self) -> NoReturn:
        while True:
            question = wire.receive(self.talk)
            if question is None:
                _leave(0)
            nonce = question["nonce"]
            if question["ask"] == "end":
                self._flush()
                self._say({"nonce": nonce, "end": True})
                _leave(0)
            answer = self._answer(question)
            self._flush()
            self._say({"nonce": nonce, **answer})
            if "left" in answer:
                _leave(0)

    def _answer(self, question: dict[str, Json]) -> dict[str, Json]:
        self._tell_when_stuck(cast(float, question["remaining_s"]))
        try:
            return self._do(question)
        except MemoryError as error:
            spend_reserve()
            return {"memory": describe(error, self.file.path)}
        except (SystemExit, KeyboardInterrupt) as error:
            return {"left": describe(error, self.file.path)}
        except BaseException:  # noqa: BLE001 - the stage is at fault, or what it uses was patched
            return {"broken": _print_exception()[-4000:]}

    def _tell_when_stuck(self, remaining_s: float) -> None:
        """Have a traceback written when so much time has passed, by a C thread of its own.

        It speaks even when the main one is in a C loop or has blocked all signals. To start it takes as long
        as a short answer does, so it runs on over many questions: what it writes between two of them, or
        `_EARLY_S` too early, does no harm, since only the last word counts.
        """
        now = _monotonic()
        if not now < self._tells_at <= now + remaining_s < self._tells_at + _EARLY_S:
            self._tells_at = now + remaining_s
            faulthandler.dump_traceback_later(remaining_s, file=self.stuck)

    def _do(self, question: dict[str, Json]) -> dict[str, Json]:
        match question["ask"]:
            case "load":
                return self.file.load(_from_base64(_text(question["source"])))
            case "play":
                return {"trace": self._play(self.file.namespace, question["scenario"], self._describe)}
            case "play all":
                scenarios = cast("list[Json]", question["scenarios"])
                return {"traces": [self._play(self.file.namespace, one, self._describe) for one in scenarios]}
            case "run":
                return _run(_text(question["program"]), cast(list[str], question["watch"]))
        raise ValueError(question["ask"])

    def _describe(self, error: BaseException) -> dict[str, Json]:
        return describe(error, self.file.path)

    def _say(self, frame: dict[str, Json]) -> None:
        try:
            self._send(wire.encode(frame))
        except MemoryError:
            spend_reserve()
            self._send(wire.encode({"nonce": frame.get("nonce"), "memory": None}))
        except wire.WireError as error:
            self._send(wire.encode({"nonce": frame.get("nonce"), "broken": _str(error)[:500]}))

    def _flush(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            self._stdout.flush()


def _stage_play(code: bytes, path: str) -> Callable[..., Json]:
    """The stage's `play`. Runs before the learner's code, so the stage can capture what it uses.

    The tutor compiles it once for all its sessions: that takes 3 ms, reading the code 0.1.
    """
    module = ModuleType("stage")
    module.__file__ = path
    module.__dict__["__builtins__"] = builtins
    exec(marshal.loads(code), module.__dict__)  # noqa: S102, S302 - the course's own, from the tutor
    return cast("Callable[..., Json]", module.__dict__["play"])


def _run(program: str, watch: list[str]) -> dict[str, Json]:
    printed = _Printed(sys.stdout)
    names: dict[str, object] = {"__name__": "__main__", "__builtins__": builtins}
    raised: Json = None
    linecache.cache[_WARM_UP] = (len(program), None, io.StringIO(program).readlines(), _WARM_UP)
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        try:
            exec(_compile(program, _WARM_UP, "exec", dont_inherit=True), names)  # noqa: S102 - a warm-up
        except BaseException as error:  # noqa: BLE001 - what a warm-up raises is part of what it shows
            raised = describe(error, _WARM_UP)
        values: dict[str, Json] = {expression: _value(expression, names) for expression in watch}
    return {"output": printed.text(), "values": values, "raised": raised}


def _value(expression: str, names: dict[str, object]) -> str:
    try:
        return _repr(_eval(expression, names))[:_SHOWN_LIMIT]
    except BaseException as error:  # noqa: BLE001 - shown in place of the value
        shown = describe(error, _WARM_UP)
        return f"{shown['exception']}: {shown['message']}"


class _Printed(io.TextIOBase):
    """Keeps the first `OUTPUT_KEPT` characters; passes the rest on to where the tutor counts it."""

    def __init__(self, beyond: io.TextIOBase | object) -> None:
        self._beyond = cast(io.TextIOBase, beyond)
        self._parts: list[str] = []
        self._room = wire.OUTPUT_KEPT

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        kept = text[: self._room]
        self._parts.append(kept)
        self._room -= len(kept)
        if len(text) > len(kept):
            self._beyond.write(text[len(kept) :])
        return len(text)

    def text(self) -> str:
        return "".join(self._parts).encode("utf-8", "backslashreplace").decode("utf-8")


def _take_over_stdio(output: int) -> None:
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    sys.stdin = sys.__stdin__ = open(0, encoding="utf-8", closefd=False)  # type: ignore[misc]  # noqa: SIM115
    # Line by line, so that what was printed before a crash is shown.
    sys.stdout = sys.__stdout__ = _text_stream(1)  # type: ignore[misc]
    sys.stderr = sys.__stderr__ = _text_stream(2)  # type: ignore[misc]


def _text_stream(descriptor: int) -> io.TextIOWrapper:
    raw = open(descriptor, "wb", closefd=False)  # noqa: SIM115 - open as long as the process
    return io.TextIOWrapper(raw, encoding="utf-8", errors="backslashreplace", line_buffering=True)


def close_all_but(*kept: int) -> None:
    """Close every descriptor beyond stdin, stdout and stderr, except these."""
    for descriptor in _open_descriptors():
        if descriptor > 2 and descriptor not in kept:
            with contextlib.suppress(OSError):
                os.close(descriptor)


def _open_descriptors() -> list[int]:
    for folder in ("/proc/self/fd", "/dev/fd"):
        with contextlib.suppress(OSError):
            return [int(name) for name in os.listdir(folder)]
    return list(range(4096))


def _text(value: Json) -> str:
    return cast(str, value)
