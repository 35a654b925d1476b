"""One session on the tutor's side: questions, the deadline, and every way an answer can fail to come."""

from __future__ import annotations

import base64
import os
import secrets
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pagetutor.learner import processes, wire
from pagetutor.learner.channels import Channels, Ended
from pagetutor.learner.port import (
    Finished,
    Frame,
    Job,
    Loaded,
    LoadFailed,
    Prints,
    ProgramRun,
    Raised,
    Stopped,
    StopReason,
)

if TYPE_CHECKING:
    from pagetutor.learner.port import Json

Answer = TypeVar("Answer")
Tree = Callable[[int], Sequence[processes.Seen]]

MEMORY_LIMIT = 1 << 30  # bytes that the whole tree may grow by
_LOOK_S = 0.1  # between two looks at the memory; a check that takes less is never looked at
_CLOSED_GRACE_S = 1.0  # from the end of the talk to the news of how the process ended
_END_LIMIT_S = 3.0  # for the warm process to confirm an end; it fights a fork bomb for two of them
_WARM_UP = "<warm-up>"


class NotStartedError(Exception):
    """The learner's process did not come up; `stage` tells whether the course's stage is at fault."""

    def __init__(self, why: str, *, stage: bool = False) -> None:
        super().__init__(why)
        self.stage = stage


class LearnerSession:
    """A `Session` with a process behind `Channels`.

    The deadline is a budget of time spent waiting for answers: what the tutor does between two
    questions is not counted. `tree` gives the processes whose memory counts for the one of this pid.
    """

    def __init__(self, channels: Channels, job: Job, tree: Tree) -> None:
        self._channels = channels
        self._path = os.path.abspath(job.path)
        self._left_s = job.deadline_s
        self._tree = tree
        self._held = 0  # bytes resident before the learner's code ran
        self._stopped: Stopped | None = None
        self._finished: Finished | None = None
        self.isolation: tuple[str, ...] = ()

    @property
    def pid(self) -> int:
        """The learner's process; 0 before it has come up."""
        return self._channels.pid or 0

    def open(self, stage: str, job: Job, scratch: Path, *, limit_s: float) -> None:
        """Hand over the job and wait until the process is ready. Raises NotStartedError."""
        channels = self._channels
        hidden: list[Json] = [os.path.abspath(folder) for folder in job.hidden]
        opening: dict[str, Json] = {"path": self._path, "scratch": str(scratch), "hidden": hidden}
        channels.send({**opening, "stage": stage, "stage_path": os.path.abspath(job.stage)})
        until = time.monotonic() + limit_s
        said = None
        while said is None or channels.pid is None:
            said = said or channels.next_frame()
            if said is not None and channels.pid is not None:
                break
            if channels.unstarted is not None:
                raise NotStartedError(channels.unstarted)
            if channels.ended or channels.abandoned:
                raise NotStartedError(str(channels.ended or "the warm process ended"))
            if time.monotonic() >= until:
                raise NotStartedError(f"not ready after {limit_s:g} s")
            channels.pump(until - time.monotonic())
        if said.get("ready") is not True:
            raise NotStartedError(str(said.get("unready")), stage=True)
        self._held = processes.resident_bytes(channels.pid)
        self.isolation = tuple(str(layer) for layer in _list(said.get("isolation")))

    def load(self, source: bytes) -> Loaded | LoadFailed | Stopped:
        """Execute these bytes as a fresh module; may be called again to replace it."""
        text = base64.b64encode(source).decode("ascii")
        return self._ask({"ask": "load", "source": text}, _loaded)

    def play(self, scenario: Json) -> Json | Stopped:
        """The trace of this scenario, as the stage tells it."""
        return self._ask({"ask": "play", "scenario": scenario}, _trace)

    def run(self, program: str, watch: Sequence[str]) -> ProgramRun | Stopped:
        """Run a warm-up program of ours and report its output and final values."""
        return self._ask(
            {"ask": "run", "program": program, "watch": list(watch)}, _program_run, file=_WARM_UP
        )

    def finish(self) -> Finished | Stopped:
        """Ask for the end frame and wait for a clean exit status."""
        if self._finished is not None:
            return self._finished
        ended = self._ask({"ask": "end"}, _end)
        if isinstance(ended, Stopped):
            return ended
        self._channels.wait_end(_END_LIMIT_S)
        left = self._channels.ended
        if left is None:
            return self._stop(StopReason.CRASH, "no news of its end")
        if left.status != 0:
            return self._stop(*self._reason(left))
        if not ended or not self._channels.silent:
            return self._stop(StopReason.CRASH, "spoke after its end")
        self._finished = Finished(self.prints())
        self._stopped = Stopped(StopReason.EXIT, detail="the session is finished")
        return self._finished

    def prints(self) -> Prints:
        """What the learner's code has printed so far; complete after `finish`."""
        return self._channels.printed.prints()

    def cancel(self) -> None:
        """End the process now, from any thread: what is being asked answers `Stopped` at once."""
        self._channels.release()  # one byte on a socket: the thread that asks reads how it ended

    def end(self) -> bool:
        """End the process and everything it started; whether the warm process has confirmed it."""
        channels = self._channels
        try:
            if channels.ended is None and channels.unstarted is None:
                channels.release()
                channels.wait_end(_END_LIMIT_S)
            return channels.ended is not None or channels.unstarted is not None
        finally:
            channels.close()

    def _ask(
        self,
        ask: dict[str, Json],
        read: Callable[[dict[str, Json]], Answer],
        *,
        file: str | None = None,
    ) -> Answer | Stopped:
        if self._stopped is not None:
            return self._stopped
        began = time.monotonic()
        try:
            answer = self._answer(ask, began + self._left_s, file or self._path)
            return answer if isinstance(answer, Stopped) else read(answer)
        except wire.WireError as error:
            return self._stop(StopReason.CRASH, str(error))
        finally:
            self._left_s -= time.monotonic() - began

    def _answer(self, ask: dict[str, Json], until: float, file: str) -> dict[str, Json] | Stopped:
        channels = self._channels
        channels.pump(0)
        if not channels.silent:
            return self._stop(StopReason.CRASH, "spoke without being asked")
        nonce = secrets.token_hex(16)
        # What is left is measured by faulthandler too, so that it can tell where it is stuck.
        channels.send({**ask, "nonce": nonce, "remaining_s": max(until - time.monotonic(), 0.001)})
        look = time.monotonic() + _LOOK_S
        while True:
            frame = channels.next_frame()
            if frame is not None:
                return self._checked(frame, nonce)
            trouble = self._trouble()
            now = time.monotonic()
            if trouble is None and now >= until:
                # After a suspension the time is over and the answer lies there all the same.
                channels.drain()
                frame = channels.next_frame()
                if frame is not None:
                    return self._checked(frame, nonce)
                trouble = self._trouble() or (StopReason.TIMEOUT, "")
            if trouble is None and now >= look:
                look = now + _LOOK_S
                trouble = self._memory_trouble()
            if trouble is not None:
                return self._stop(*trouble, file=file)
            channels.pump(min(until, look) - now)

    def _checked(self, frame: dict[str, Json], nonce: str) -> dict[str, Json] | Stopped:
        """The answer, if it came under its nonce and says that all went well."""
        if frame.get("nonce") != nonce:
            return self._stop(StopReason.CRASH, "answered another question")
        if "broken" in frame:
            return self._stop(StopReason.CRASH, str(frame["broken"]))
        for key, reason in (("left", StopReason.EXIT), ("memory", StopReason.MEMORY)):
            if key in frame:
                raised = raised_from_wire(frame[key]) if frame[key] is not None else None
                at = raised.frames[-1] if raised and raised.frames else None
                return self._stop(reason, raised.exception if raised else "", at=at)
        return frame

    def _trouble(self) -> tuple[StopReason, str] | None:
        channels = self._channels
        if channels.printed.total > wire.OUTPUT_STOP:
            return StopReason.OUTPUT, f"more than {wire.OUTPUT_STOP} bytes printed"
        closed_s = channels.talk_closed_s
        closed_for_long = closed_s is not None and time.monotonic() > closed_s + _CLOSED_GRACE_S
        if closed_for_long or channels.ended is not None:
            channels.drain()
        if channels.ended is not None:
            return self._reason(channels.ended)
        if channels.abandoned:
            return StopReason.CRASH, "the process that started it was ended"
        if closed_for_long:
            return StopReason.CRASH, "closed its channel"
        return None

    def _reason(self, ended: Ended) -> tuple[StopReason, str]:
        """What a wait status means; a kill that is not ours is the system's, if much memory was held."""
        code = os.waitstatus_to_exitcode(ended.status)
        if code >= 0:
            return StopReason.EXIT, f"status {code}"
        name = _signal_name(-code)
        if name == "SIGXFSZ":
            return StopReason.OUTPUT, "a file beyond the limit"
        if name == "SIGKILL" and ended.peak > self._held + MEMORY_LIMIT // 4:
            return StopReason.MEMORY, "killed by the system"
        return StopReason.CRASH, name

    def _memory_trouble(self) -> tuple[StopReason, str] | None:
        # A forked process counts all of torch as its own: only what goes beyond that is the learner's.
        grown = sum(max(seen.resident - self._held, 0) for seen in self._tree(self.pid))
        if grown > MEMORY_LIMIT:
            return StopReason.MEMORY, f"{grown >> 20} MB"
        return None

    def _stop(
        self, reason: StopReason, detail: str, *, file: str | None = None, at: Frame | None = None
    ) -> Stopped:
        channels = self._channels
        if at is None and file is not None and channels.ended is None and not channels.abandoned:
            at = self._stuck_at(file, reason)
        if channels.ended is None:
            channels.release()
            channels.wait_end(_END_LIMIT_S)
        self._stopped = Stopped(reason, at.line if at else None, at.function if at else None, detail)
        return self._stopped

    def _stuck_at(self, file: str, reason: StopReason) -> Frame | None:
        """Where it is in the learner's file: at the deadline it tells by itself, before that if asked."""
        channels = self._channels
        text = channels.stuck_text(0.3 if reason is StopReason.TIMEOUT else 0)
        if not text and channels.pid is not None and hasattr(signal, "SIGUSR2"):
            with suppress(ProcessLookupError, PermissionError):
                os.kill(channels.pid, signal.SIGUSR2)
            text = channels.stuck_text(0.1)
        return stuck_frame(text, file)


def stuck_frame(dump: str, file: str) -> Frame | None:
    """The innermost frame of the main thread in `file`, from a dump of `faulthandler`'s.

    The main thread is the last in the dump, its innermost frame the first.
    """
    main = dump.rpartition("(most recent call first):\n")[2]
    start = f'  File "{_as_dumped(file)}", line '
    for line in main.splitlines():
        if line.startswith(start):
            number, _, function = line[len(start) :].partition(" in ")
            if number.isdecimal():
                return Frame(int(number), function)
    return None


def _as_dumped(path: str) -> str:
    """The path as `faulthandler` writes it: escaped beyond ASCII, and cut after 500 characters."""
    escaped = "".join(
        char
        if " " <= char <= "~"
        else f"\\x{ord(char):02x}"
        if ord(char) < 0x100
        else f"\\u{ord(char):04x}"
        if ord(char) < 0x10000
        else f"\\U{ord(char):08x}"
        for char in path[:500]
    )
    return escaped + ("..." if len(path) > 500 else "")


def raised_from_wire(value: Json) -> Raised:
    """The exception that `describe` has put on the wire. Raises WireError unless it is exactly that."""
    fields = _mapping(value)
    frames = [_mapping(frame) for frame in _list(fields.get("frames"))]
    return Raised(
        exception=_text(fields.get("exception")),
        ancestors=tuple(_text(name) for name in _list(fields.get("ancestors"))),
        message=_text(fields.get("message")),
        frames=tuple(Frame(_int(frame.get("line")), _text(frame.get("function"))) for frame in frames),
    )


def _loaded(answer: dict[str, Json]) -> Loaded | LoadFailed:
    if "raised" in answer:
        return LoadFailed(raised_from_wire(answer["raised"]))
    supplied = _list(_mapping(answer.get("loaded")).get("supplied"))
    return Loaded(tuple(_text(name) for name in supplied))


def _trace(answer: dict[str, Json]) -> Json:
    if "trace" not in answer:
        raise wire.WireError("no trace")
    return answer["trace"]


def _end(answer: dict[str, Json]) -> bool:
    return answer.get("end") is True


def _program_run(answer: dict[str, Json]) -> ProgramRun:
    raised = answer.get("raised")
    return ProgramRun(
        output=_text(answer.get("output")),
        values={name: _text(value) for name, value in _mapping(answer.get("values")).items()},
        raised=None if raised is None else raised_from_wire(raised),
    )


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _mapping(value: Json) -> dict[str, Json]:
    if type(value) is not dict:
        raise wire.WireError("no mapping where one belongs")
    return value


def _list(value: Json) -> list[Json]:
    if type(value) is not list:
        raise wire.WireError("no list where one belongs")
    return value


def _text(value: Json) -> str:
    if type(value) is not str:
        raise wire.WireError("no text where one belongs")
    return value


def _int(value: Json) -> int:
    if type(value) is not int:
        raise wire.WireError("no number where one belongs")
    return value
