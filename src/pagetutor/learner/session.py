"""One session on the tutor's side: questions, the deadline, and every way an answer can fail to come."""

from __future__ import annotations

import base64
import os
import secrets
import signal
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pagetutor.errors import ContentError, MachineError
from pagetutor.learner import answers, processes, wire
from pagetutor.learner.channels import Channels, Ended
from pagetutor.learner.port import (
    ABANDONED,
    Finished,
    Frame,
    Job,
    Loaded,
    LoadFailed,
    Prints,
    ProgramRun,
    Stopped,
    StopReason,
)
from pagetutor.learner.stuck import stuck_frame
from pagetutor.learner.warm_process import NO_PROCESS, GoneError, WarmProcess
from pagetutor.text import Text

if TYPE_CHECKING:
    from pagetutor.learner.port import Json

Answer = TypeVar("Answer")
Tree = Callable[[WarmProcess, int], Sequence[processes.Seen]]
Hire = Callable[[], tuple[WarmProcess, Channels]]

MEMORY_LIMIT = 1 << 30  # bytes that the whole tree may grow by
PROCESS_LIMIT = 64  # processes and threads in the whole tree
SCRATCH_LIMIT = 64 << 20  # bytes in the scratch folder
SCRATCH_ENTRIES = 10_000  # files and folders in it; empty ones take no bytes
IMPORT_LIMIT_S = 120.0  # for torch, from a cold disk on a busy machine
_LOOK_S = 0.1  # between two looks at what is used up; a check that takes less is never looked at
_CANCEL_S = 0.1  # between two looks whether it was cancelled while torch is imported
_CLOSED_GRACE_S = 1.0  # from the end of the talk to the news of how the process ended
_END_LIMIT_S = 3.0  # for the warm process to confirm an end; it fights a fork bomb for two of them
_WARM_UP = "<warm-up>"

_STAGE_BROKEN = Text(
    zh="课程文件 {path} 运行出错：{why}",
    en="The course file {path} fails: {why}",
)


class NotStartedError(Exception):
    """The learner's process did not come up; another may."""


@dataclass(slots=True)
class _Asked:
    """A question on its way: what answers it, and in which file it can be stuck."""

    frame: dict[str, Json]
    file: str
    expected: bytes | None = None  # the body of the answer, where it is foreseen


class LearnerSession:
    """A `Session` with a process behind `Channels`.

    It is opened without waiting: the process comes up while the tutor does something else, and the
    first question waits for it. A process that does not come up because the warm process was killed
    is replaced, once. `hire` starts one; `tree` gives the processes that count for the one of a pid.

    The deadline is a budget of time spent waiting for answers: what the tutor does between two
    questions is not counted. `left_s` is what is left of it. `output_share` multiplies the output allowed,
    for one that is asked more often than the job foresees.

    One question at a time: whoever asks the next one before taking the answer, or takes an answer to
    nothing, gets a RuntimeError; it is the tutor that is wrong then, not the learner's code.
    """

    def __init__(
        self, job: Job, stage: bytes, scratch: Path, *, hire: Hire, tree: Tree, output_share: int = 1
    ) -> None:
        self._job = job
        self._path = os.path.abspath(job.path)
        self.left_s = job.deadline_s
        self._output_stop = wire.OUTPUT_STOP * output_share
        self._scratch = scratch
        self._hire, self._tree = hire, tree
        hidden: list[Json] = [os.path.abspath(folder) for folder in job.hidden]
        opening: dict[str, Json] = {"path": self._path, "scratch": str(scratch), "hidden": hidden}
        code = base64.b64encode(stage).decode("ascii")
        self._opening = {**opening, "stage": code, "stage_path": os.path.abspath(job.stage)}
        self.pid = 0  # of the learner's process; 0 before it has come up
        self._held = 0  # bytes resident before the learner's code ran
        self._asked: _Asked | None = None
        self._ahead: Json = None  # the scenario on its way whose turn has not come
        self._kept: list[tuple[Json, Json | Stopped, bytes]] = []  # its answer, until its turn comes
        self.told = b""
        self._loading: bytes | None = None
        self._cancelled = False
        self._stopped: Stopped | None = None
        self._finished: Finished | None = None
        self.isolation: tuple[str, ...] = ()
        self.warm, self._channels = self._hired()

    # ── the questions ────────────────────────────────────────────────────────────────────────────

    def load(self, source: bytes) -> Loaded | LoadFailed | Stopped:
        """Execute these bytes as a fresh module; may be called again to replace it."""
        self.begin_load(source)
        self._loading = None
        return self.answer(answers.loaded)

    def begin_load(self, source: bytes) -> None:
        """Ask for it without waiting; `load` with the same bytes then takes the answer."""
        if self._loading == source:
            return
        if self._loading is not None:
            self.answer(answers.loaded)
        self._come_back()
        self._kept.clear()
        self._loading = source
        self._begin({"ask": "load", "source": base64.b64encode(source).decode("ascii")})

    def play(self, scenario: Json, *, then: Json = None) -> Json | Stopped:
        """The trace of this scenario, as the stage tells it; `then` is asked as soon as it is there.

        What is asked in between waits for the answer to `then`, which is kept for its own `play`. The trace's
        text is `told` from then on.
        """
        if scenario == self._ahead:
            self._come_back()
        answer = self._take_kept(scenario)
        if answer is None:
            self._begin({"ask": "play", "scenario": scenario})
            answer = self._trace()
        if then is not None and self._ahead is None:
            self._begin({"ask": "play", "scenario": then})
            self._ahead = then
        return answer

    def _take_kept(self, scenario: Json) -> Json | Stopped:
        """What was answered ahead; what came before it is not going to be asked."""
        for place, (asked, answer, told) in enumerate(self._kept):
            if asked == scenario:
                del self._kept[: place + 1]
                self.told = told
                return answer
        return None

    def _come_back(self) -> None:
        """Take the answer to what was asked ahead, and keep it."""
        if self._ahead is not None:
            ahead, self._ahead = self._ahead, None
            self._kept.append((ahead, self._trace(), self.told))

    def _trace(self) -> Json | Stopped:
        nonce = "" if self._asked is None else str(self._asked.frame["nonce"])
        answer = self.answer(answers.trace)
        start = b'{"nonce":"%s","trace":' % nonce.encode()
        self.told = self._channels.body[len(start) : -1] if self._channels.body.startswith(start) else b""
        return answer

    def begin_play_all(self, scenarios: list[Json]) -> None:
        """Ask for the traces of several scenarios, without waiting; `traces` waits."""
        self._begin({"ask": "play all", "scenarios": scenarios})

    def traces(self, expected: Sequence[bytes] = ()) -> list[Json] | Stopped | None:
        """The traces asked for; None, unread, where they are to the letter the `expected` ones."""
        if self._asked is not None and expected and all(expected):
            start = b'{"nonce":"%s","traces":[' % str(self._asked.frame["nonce"]).encode()
            self._asked.expected = start + b",".join(expected) + b"]}"
        return self.answer(lambda frame: None if frame is wire.EXPECTED else answers.traces(frame))

    def run(self, program: str, watch: Sequence[str]) -> ProgramRun | Stopped:
        """Run a warm-up program of ours and report its output and final values."""
        self._begin({"ask": "run", "program": program, "watch": list(watch)}, file=_WARM_UP)
        return self.answer(answers.program_run)

    def finish(self) -> Finished | Stopped:
        """Ask for the end frame and wait for a clean exit status."""
        self.begin_finish()
        return self.finished()

    def begin_finish(self) -> None:
        """Ask for the end without waiting; `finished` waits."""
        if self._finished is None:
            self._begin({"ask": "end"})

    def finished(self) -> Finished | Stopped:
        """How the process left, once it was asked to."""
        if self._finished is not None:
            return self._finished
        ended = self.answer(answers.end)
        if isinstance(ended, Stopped):
            return ended
        self._channels.wait_end(_END_LIMIT_S)
        left = self._channels.ended
        if left is None:
            return self._stop(
                StopReason.CRASH, ABANDONED if self._channels.abandoned else "no news of its end"
            )
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
        self._cancelled = True
        self.release()

    def release(self) -> None:
        """Have the process killed, without waiting for it."""
        self._channels.release()  # one byte on a socket: whoever asks reads how it ended

    def end(self) -> None:
        """End the process and everything it started. Raises GoneError unless that is confirmed."""
        channels = self._channels
        if channels.closed:  # no other process was to be had after it
            return
        try:
            if not channels.over and self._awaited_end() and not channels.over:
                raise GoneError("no news of an end")
        finally:
            channels.close()

    # ── asking ───────────────────────────────────────────────────────────────────────────────────

    def _begin(self, ask: dict[str, Json], *, file: str | None = None) -> None:
        """Send a question, under a nonce that nobody has seen before."""
        self._come_back()
        if self._asked is not None:
            raise RuntimeError(f"asked to {ask['ask']} before the answer to {self._asked.frame['ask']}")
        channels = self._channels
        if self._stopped is not None:
            return
        try:
            if self.pid:
                channels.pump(0)
                channels.forget_stuck()  # told between two questions: it was waiting for this one
                if not channels.silent:
                    self._stop(StopReason.CRASH, "spoke without being asked")
                    return
            # What is left is measured by faulthandler too, so that it can tell where it is stuck.
            nonce, left_s = secrets.token_hex(16), max(self.left_s, 0.001)
            self._asked = _Asked({**ask, "nonce": nonce, "remaining_s": left_s}, file or self._path)
            channels.send(self._asked.frame)
        except wire.WireError as error:
            self._asked = None
            self._stop(StopReason.CRASH, str(error))

    @property
    def stopped(self) -> Stopped | None:
        """What every further question answers, once there is that."""
        return self._stopped

    def answered(self) -> bool:
        """Whether `answer` would come without waiting; takes what has arrived."""
        if self._stopped is not None:
            return True
        if not self.pid:
            return False
        try:
            self._channels.pump(0)
        except wire.WireError:
            return True
        return not self._channels.silent or self._channels.talk_closed_s is not None

    def answer(self, read: Callable[[dict[str, Json]], Answer]) -> Answer | Stopped:
        """The answer to the question asked; Stopped where there is none.

        Raises MachineError where no process can be had, ContentError where the stage fails.
        """
        asked, self._asked = self._asked, None
        if self._stopped is not None:
            return self._stopped
        if asked is None:
            raise RuntimeError("nothing was asked")
        self._become_ready(asked)
        if self._stopped is not None:
            return self._stopped
        if self._cancelled:
            return self._stop(StopReason.CRASH, "cancelled")
        began = time.monotonic()
        try:
            answer = self._wait(asked, began + self.left_s)
            return answer if isinstance(answer, Stopped) else read(answer)
        except wire.WireError as error:
            return self._stop(StopReason.CRASH, str(error))
        finally:
            self.left_s -= time.monotonic() - began

    def _wait(self, asked: _Asked, until: float) -> dict[str, Json] | Stopped:
        channels, nonce = self._channels, asked.frame["nonce"]
        look = time.monotonic() + _LOOK_S
        while True:
            frame = channels.next_frame(asked.expected)
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
                trouble = self._used_up()
            if trouble is not None:
                return self._stop(*trouble, file=asked.file)
            channels.pump(min(until, look) - now)

    def _checked(self, frame: dict[str, Json], nonce: Json) -> dict[str, Json] | Stopped:
        """The answer, if it came under its nonce and says that all went well."""
        if frame is wire.EXPECTED:
            return frame
        if frame.get("nonce") != nonce:
            return self._stop(StopReason.CRASH, "answered another question")
        if "broken" in frame:
            return self._stop(StopReason.CRASH, str(frame["broken"]))
        for key, reason in (("left", StopReason.EXIT), ("memory", StopReason.MEMORY)):
            if key in frame:
                raised = answers.raised(frame[key]) if frame[key] is not None else None
                at = raised.frames[-1] if raised and raised.frames else None
                return self._stop(reason, raised.exception if raised else "", at=at)
        return frame

    # ── coming up ────────────────────────────────────────────────────────────────────────────────

    def _hired(self) -> tuple[WarmProcess, Channels]:
        """A process that is told its job, not waited for. Raises MachineError."""
        failure: GoneError | None = None
        for _ in range(2):
            try:
                warm, channels = self._hire()
            except GoneError as error:
                failure = error
                continue
            channels.send(self._opening)
            return warm, channels
        raise MachineError(NO_PROCESS.with_(why=failure)) from failure

    def _become_ready(self, asked: _Asked) -> None:
        if self.pid:
            return
        for last in (False, True):
            try:
                self._wait_ready()
            except (GoneError, NotStartedError, wire.WireError) as error:
                if self._cancelled:
                    self._stop(StopReason.CRASH, "cancelled")
                elif last:
                    raise MachineError(NO_PROCESS.with_(why=error)) from error
                else:
                    self._channels.close()
                    self.warm, self._channels = self._hired()
                    self._channels.send(asked.frame)
                    continue
            return

    def _wait_ready(self) -> None:
        until = time.monotonic() + IMPORT_LIMIT_S
        while not self.warm.listen(_CANCEL_S):
            if self._cancelled:
                raise NotStartedError("cancelled")
            if time.monotonic() >= until:
                self.warm.wait_ready(0)
        self.warm.raise_if_failed()
        channels = self._channels
        while (said := channels.next_frame()) is None:
            if channels.unstarted is not None:
                raise NotStartedError(channels.unstarted)
            if channels.ended is not None:
                raise NotStartedError(str(self._reason(channels.ended)[1]))
            if channels.abandoned:
                raise NotStartedError("the warm process ended")
            if time.monotonic() >= until:
                raise NotStartedError("not ready in time")
            channels.pump(until - time.monotonic())
        if said.get("ready") is not True:
            raise ContentError(_STAGE_BROKEN.with_(path=self._job.stage, why=said.get("unready")))
        self.pid = answers.whole(said.get("pid"))
        self._held = processes.resident_bytes(self.pid)
        self.isolation = tuple(answers.text(layer) for layer in answers.listed(said.get("isolation")))

    def _warm_is_ready(self) -> bool:
        try:
            return self.warm.ready()
        except GoneError:
            return True

    # ── what can go wrong ────────────────────────────────────────────────────────────────────────

    def _trouble(self) -> tuple[StopReason, str] | None:
        channels = self._channels
        if channels.printed.total > self._output_stop or channels.stuck_total > wire.OUTPUT_STOP:
            return StopReason.OUTPUT, f"more than {self._output_stop} bytes printed"
        closed_s = channels.talk_closed_s
        closed_for_long = closed_s is not None and time.monotonic() > closed_s + _CLOSED_GRACE_S
        if closed_for_long or channels.ended is not None:
            channels.drain()
        if channels.ended is not None:
            return self._reason(channels.ended)
        if channels.abandoned:
            return StopReason.CRASH, ABANDONED
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

    def _used_up(self) -> tuple[StopReason, str] | None:
        tree = self._tree(self.warm, self.pid)
        # A forked process counts all of torch as its own: only what goes beyond that is the learner's.
        grown = sum(max(seen.resident - self._held, 0) for seen in tree)
        if grown > MEMORY_LIMIT:
            return StopReason.MEMORY, f"{grown >> 20} MB"
        running = sum(seen.threads for seen in tree)
        if running > PROCESS_LIMIT:
            return StopReason.MEMORY, f"{running} processes and threads"
        overfull = _overfull(self._scratch)
        return (StopReason.OUTPUT, overfull) if overfull else None

    def _stop(
        self, reason: StopReason, detail: str, *, file: str | None = None, at: Frame | None = None
    ) -> Stopped:
        channels = self._channels
        if at is None and file is not None and channels.ended is None and not channels.abandoned:
            at = self._stuck_at(file, reason)
        if channels.ended is None:
            self._awaited_end()
        self._stopped = Stopped(reason, at.line if at else None, at.function if at else None, detail)
        return self._stopped

    def _awaited_end(self) -> bool:
        """Have the process killed and wait for news of it, for a while; False where there can be none yet.

        Before torch is there the warm process reads nothing: it will find the leash let go.
        """
        self._channels.release()
        if not (self.pid or self._warm_is_ready()):
            return False
        self._channels.wait_end(_END_LIMIT_S)
        return True

    def _stuck_at(self, file: str, reason: StopReason) -> Frame | None:
        """Where it is in the learner's file: at the deadline it tells by itself, before that if asked."""
        channels = self._channels
        text = channels.stuck_text(0.3 if reason is StopReason.TIMEOUT else 0)
        if not text and self.pid and hasattr(signal, "SIGUSR2"):
            with suppress(ProcessLookupError, PermissionError):
                os.kill(self.pid, signal.SIGUSR2)
            text = channels.stuck_text(0.1)
        return stuck_frame(text, file)


def _overfull(folder: Path) -> str:
    """What is too much below `folder`, bytes on disk or entries, or ""; looks no further than that.

    What cannot be looked at counts for nothing.
    """
    written = entries = 0
    open_ends = [os.fspath(folder)]
    while open_ends:
        with suppress(OSError), os.scandir(open_ends.pop()) as found:
            for entry in found:
                entries += 1
                written += entry.stat(follow_symlinks=False).st_blocks * 512
                if written > SCRATCH_LIMIT:
                    return f"{written >> 20} MB of files"
                if entries > SCRATCH_ENTRIES:
                    return f"{entries} files and folders"
                if entry.is_dir(follow_symlinks=False):
                    open_ends.append(entry.path)
    return ""


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
