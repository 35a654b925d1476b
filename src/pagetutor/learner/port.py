"""The door to the learner's process: what can be asked of it, and every way it can end.

A session is one process that holds one learner's file at a time. It answers one question after the
other; each question travels with a fresh nonce and is answered under it. Whatever goes wrong in
there is a value (`Stopped`, `LoadFailed`), never an exception on this side.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Protocol

DEADLINE_S = 5.0  # for what a learner's process is asked in one check, all of it together

ABANDONED = "the process that started it was ended"  # the detail of a stop

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]


class StopReason(StrEnum):
    """Why a learner's process gave no answer; the values are those of the JSON contract."""

    TIMEOUT = "timeout"  # the deadline passed
    CRASH = "crash"  # a signal ended it, or it spoke something that is not the protocol
    EXIT = "exit"  # it left by os._exit, sys.exit or the like
    MEMORY = "memory"  # it asked for more than it may have
    OUTPUT = "output"  # it printed or wrote more than it may


@dataclass(frozen=True, slots=True)
class Stopped:
    """The process ended, or was ended, before it answered.

    `line` and `function` are where it was stuck in the learner's file, where that is known (1-based).
    """

    reason: StopReason
    line: int | None = None
    function: str | None = None
    detail: str = ""

    @property
    def abandoned(self) -> bool:
        """Whether somebody ended the warm process above it: most likely nothing the learner's code did."""
        return self.detail == ABANDONED


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame of a traceback that lies in the learner's own file."""

    line: int
    function: str


@dataclass(frozen=True, slots=True)
class Raised:
    """An exception as plain data: its class name, its ancestors' names, message and learner frames.

    `frames` run from the outermost to the innermost; only those in the learner's file are kept.
    """

    exception: str
    ancestors: tuple[str, ...]
    message: str
    frames: tuple[Frame, ...] = ()

    @property
    def line(self) -> int | None:
        """The innermost line of the learner's file, where there is one."""
        return self.frames[-1].line if self.frames else None


@dataclass(frozen=True, slots=True)
class Loaded:
    """The file was executed to its end. `supplied` are names the tutor lent it (`List`)."""

    supplied: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LoadFailed:
    """Executing the file itself raised; SystemExit and KeyboardInterrupt count too."""

    raised: Raised


@dataclass(frozen=True, slots=True)
class Prints:
    """What the learner's code printed, both streams together: head and tail, and how much between."""

    head: str = ""
    tail: str = ""
    dropped: int = 0  # bytes left out between head and tail


@dataclass(frozen=True, slots=True)
class ProgramRun:
    """A warm-up program's run: its output, the `repr` of each watched expression, or what it raised."""

    output: str
    values: Mapping[str, str]
    raised: Raised | None


@dataclass(frozen=True, slots=True)
class Echoes:
    """What a second process answered, most questions asked of it twice.

    `answers` holds one or two for each question, in order, as far as it went; `ended` is why it went no
    further than the first process did.
    """

    answers: tuple[tuple[Json, ...], ...]
    ended: LoadFailed | Stopped | None = None


@dataclass(frozen=True, slots=True)
class Finished:
    """The process confirmed its end and left with status 0: the positive evidence a pass needs.

    `echoes` are there where the job was to be done twice.
    """

    prints: Prints = field(default_factory=Prints)
    echoes: Echoes | None = None


@dataclass(frozen=True, slots=True)
class Job:
    """What a session is opened for.

    `path` is where the learner's file lies: it names tracebacks and the module, and its folder goes
    last on `sys.path`. `stage` is the course's `stage.py`. `deadline_s` counts from the moment the
    process is ready to load the file, not from the import of torch, and holds for the whole session.
    `hidden` are folders the process may not read where the system lets us forbid it. `source` is loaded
    as soon as the process is ready; `load` with the same bytes then takes the answer. With `twice`, a
    second process is asked everything too, most of it two times over: see `Echoes`.
    """

    path: Path
    stage: Path
    deadline_s: float = DEADLINE_S
    hidden: tuple[Path, ...] = ()
    source: bytes | None = None
    twice: bool = False


class Session(Protocol):
    """One learner's process, asked one question at a time.

    After the first `Stopped` every further question answers the same `Stopped`. The process may still be
    coming up: the first question waits for it, and raises `MachineError` where no process can be had or
    torch cannot be imported, `ContentError` where the stage fails. Raises RuntimeError where a question is
    asked between `begin_load` of one file and `load` of it: that is a mistake of the tutor's own.
    """

    @property
    def isolation(self) -> tuple[str, ...]:
        """The layers that hold the process in, by name; known with the first answer."""

    @property
    def left_s(self) -> float:
        """Seconds left of the deadline."""

    def load(self, source: bytes) -> Loaded | LoadFailed | Stopped:
        """Execute these bytes as a fresh module; may be called again to replace it."""

    def play(self, scenario: Json, *, then: Json = None) -> Json | Stopped:
        """The trace of this scenario, as the stage tells it.

        `then` is the scenario that will be asked next: the process is given it as soon as it has answered
        this one, and is busy with it while the tutor looks at the answer.
        """

    def run(self, program: str, watch: Sequence[str]) -> ProgramRun | Stopped:
        """Run a warm-up program of ours and report its output and final values."""

    def finish(self) -> Finished | Stopped:
        """Ask for the end frame and wait for a clean exit status."""

    def prints(self) -> Prints:
        """What the learner's code has printed so far; complete after `finish`."""

    def cancel(self) -> None:
        """End the process now, from any thread: what is being asked answers `Stopped` at once."""


class Runner(Protocol):
    """Starts learners' processes. One per tutor; `close` leaves nothing behind."""

    def warm(self, *, hurry: bool = False) -> None:
        """Begin the expensive part (importing torch) in the background, if not begun yet; returns at once.

        At a low priority, so that nothing the learner looks at stutters, unless there is a `hurry`.
        """

    def ready(self) -> bool:
        """Whether the next session starts without waiting for that import."""

    def session(self, job: Job) -> AbstractContextManager[Session]:
        """A new process for this job; leaving the context kills it and everything it started.

        Returns before it is ready, and leaving it does not wait until all is gone. Raises `MachineError`
        where no process can be had.
        """

    def close(self) -> None:
        """End everything this runner started. Idempotent."""
