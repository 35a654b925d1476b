"""The way in: a `Runner` for this machine. Importing this is cheap; torch is imported elsewhere."""

from __future__ import annotations

import marshal
import os
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

from pagetutor.errors import ContentError, MachineError
from pagetutor.learner import processes
from pagetutor.learner.ahead import FORKS_AHEAD, SPARES_AHEAD
from pagetutor.learner.channels import Channels
from pagetutor.learner.endings import Endings
from pagetutor.learner.port import Job, Runner, Session
from pagetutor.learner.scratch import ScratchRoot, remove_scratch
from pagetutor.learner.session import LearnerSession
from pagetutor.learner.system import forks_by_default
from pagetutor.learner.twins import OUTPUT_SHARE, TwinSession
from pagetutor.learner.warm_process import GoneError, WarmProcess
from pagetutor.learner.wire import WireError
from pagetutor.text import Text

_NO_WINDOWS = Text(
    zh="目前还不能直接在 Windows 上运行检查。请在 WSL（Windows 里的 Linux）里使用 pagetutor。",
    en="Checks do not run on Windows itself yet. Use pagetutor inside WSL, the Linux within Windows.",
)
_STAGE_UNREADABLE = Text(
    zh="读不了课程文件 {path}：{why}。请重新安装 pagetutor。",
    en="The course file {path} cannot be read: {why}. Reinstall pagetutor.",
)
_STAGE_BROKEN = Text(
    zh="课程文件 {path} 第 {line} 行有语法错误：{why}",
    en="The course file {path} has a syntax error at line {line}: {why}",
)
_CLOSED = Text(
    zh="pagetutor 正在退出，不再运行代码。需要的话请再启动一次。",
    en="pagetutor is ending and runs no more code. Start it again if you need it.",
)


def open_runner(environ: Mapping[str, str] = os.environ) -> Runner:
    """The runner of this machine.

    `PAGETUTOR_START=spare` makes it start processes without fork, which is so on macOS anyway unless that
    says `fork`. Raises MachineError where there is none.
    """
    if sys.platform == "win32":
        raise MachineError(_NO_WINDOWS)
    start = environ.get("PAGETUTOR_START", "fork" if forks_by_default() else "spare")
    return WarmRunner(spare=start == "spare")


@dataclass(frozen=True, slots=True)
class Footprint:
    """What of a runner can be seen from outside: two pids of its warm process, which are one where that has
    no namespace of pids; the mark in the environment of all below it; the folder of all scratch folders;
    how many processes wait there for a job.
    """

    launcher: int
    server: int
    mark: str
    scratch: Path
    waiting: int


class WarmRunner:
    """A `Runner` that keeps one warm process, and starts each learner's process from it.

    With `spare`, the warm process hands each job to a fresh Python that has imported torch on its
    own, instead of forking. A context manager: leaving it closes it.

    Whoever leaves a session does not wait for the end of its process: the kernel takes 4 to 8 ms to tear
    one down. A thread of the runner sees to it that all is gone, and to the scratch folder; see `settle`.
    """

    def __init__(self, *, spare: bool = False) -> None:
        self.spare = spare
        self._lock = threading.Lock()
        self._warm: WarmProcess | None = None
        self._open: dict[int, LearnerSession] = {}  # also those that are being ended
        self._given_up: list[WarmProcess] = []  # to be destroyed once no session of theirs is open
        self._endings = Endings()
        self._closed = False
        self._root: ScratchRoot | None = None
        self._stages: dict[bytes, bytes] = {}

    def warm(self, *, hurry: bool = False) -> None:
        """Begin to import torch in the background, if not begun yet; returns at once."""
        self._process(polite=not hurry)

    def ready(self) -> bool:
        """Whether the next session starts without waiting for that import."""
        try:
            return self._warm is not None and self._warm.ready()
        except GoneError:
            return False

    @property
    def footprint(self) -> Footprint | None:
        """Where to look for what it may leave behind; None before it has begun and after it is closed."""
        with self._lock:
            if self._warm is None or self._root is None:
                return None
            waiting = SPARES_AHEAD if self.spare else FORKS_AHEAD
            warm = self._warm
            return Footprint(warm.pid, warm.server_pid, warm.mark, self._root.path, waiting)

    def session(self, job: Job) -> AbstractContextManager[Session]:
        """A new process for this job; leaving the context kills it and everything it started.

        Returns before it is ready, and leaving it does not wait until all is gone. Raises MachineError
        where no process can be had, ContentError where the stage cannot be read.
        """
        return self._twins(job) if job.twice else self._session(job)

    def settle(self) -> None:
        """Wait until everything is gone that the sessions left so far have started."""
        self._endings.settle()

    def close(self) -> None:
        """End everything this runner started, and start nothing more. Idempotent."""
        with self._lock:
            self._closed = True
        with ExitStack() as last_first:  # each of them, whatever becomes of the one before
            last_first.callback(self._remove_root)
            last_first.callback(self._end_warm_processes)
            last_first.callback(self._endings.close)

    def _end_warm_processes(self) -> None:
        with self._lock:
            warm, self._warm = self._warm, None
            given_up, self._given_up = self._given_up, []
        if warm is not None:
            warm.close()
        for one in given_up:
            one.destroy()

    def _remove_root(self) -> None:
        with self._lock:
            root, self._root = self._root, None
        if root is not None:
            root.remove()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def _twins(self, job: Job) -> Iterator[Session]:
        with self._session(job) as first, self._session(job, output_share=OUTPUT_SHARE) as second:
            yield TwinSession(first, second, job.deadline_s)

    @contextmanager
    def _session(self, job: Job, *, output_share: int = 1) -> Iterator[LearnerSession]:
        stage = self._stage(job.stage)
        self._endings.take()
        scratch = self._scratch_root().new()
        try:
            session = LearnerSession(
                job, stage, scratch, hire=self._hire, tree=self._tree, output_share=output_share
            )
        except BaseException:
            remove_scratch(scratch)
            raise
        with self._lock:
            self._open[id(session)] = session
        try:
            if job.source is not None:
                session.begin_load(job.source)
            yield session
        finally:
            session.release()
            self._endings.add(partial(self._end, session, scratch))

    def _end(self, session: LearnerSession, scratch: Path) -> None:
        try:
            session.end()
        except (GoneError, WireError):
            self._give_up(session.warm)
        finally:
            with self._lock:
                del self._open[id(session)]
            remove_scratch(scratch)
            self._destroy_given_up()

    def _hire(self) -> tuple[WarmProcess, Channels]:
        warm = self._process(polite=False)
        try:
            return warm, warm.start()
        except GoneError:
            self._give_up(warm)
            self._destroy_given_up()
            raise

    def _process(self, *, polite: bool) -> WarmProcess:
        root = self._scratch_root()
        with self._lock:
            self._refuse_if_closed()
            if self._warm is None or not self._warm.alive():
                if self._warm is not None:
                    self._warm.destroy()
                self._warm = WarmProcess(scratch=root.path, spare=self.spare, polite=polite)
            return self._warm

    def _scratch_root(self) -> ScratchRoot:
        """The folder of all scratch folders, the only one that is writable for what runs there."""
        with self._lock:
            self._refuse_if_closed()
            if self._root is None or not self._root.path.is_dir():
                self._root = ScratchRoot()
            return self._root

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise MachineError(_CLOSED)

    def _stage(self, path: Path) -> bytes:
        """The stage's code, compiled once for all sessions."""
        text = _read_stage(path)
        if text not in self._stages:
            try:
                code = compile(text, os.path.abspath(path), "exec", dont_inherit=True)
            except SyntaxError as error:
                raise ContentError(
                    _STAGE_BROKEN.with_(path=path, line=error.lineno, why=error.msg)
                ) from error
            self._stages[text] = marshal.dumps(code)
        return self._stages[text]

    def _tree(self, warm: WarmProcess, pid: int) -> tuple[processes.Seen, ...]:
        """The learner's process `pid` and what it has started, also what its orphans have become.

        Without the orphans where they may be another session's: one that is being ended, or one whose
        process is not known yet.
        """
        with self._lock:
            others = [session.pid for session in self._open.values()]
        if self._endings.busy or not all(others):
            return processes.tree(pid)
        return processes.descendants(warm.server_pid, without=frozenset(others) - {pid})

    def _give_up(self, warm: WarmProcess) -> None:
        with self._lock:
            if self._warm is warm:
                self._warm = None
            self._given_up.append(warm)

    def _destroy_given_up(self) -> None:
        """Not below a session that still runs: its learner would get the blame."""
        with self._lock:
            used = {id(session.warm) for session in self._open.values()}
            idle = [warm for warm in self._given_up if id(warm) not in used]
            self._given_up = [warm for warm in self._given_up if id(warm) in used]
        for warm in idle:
            warm.destroy()


def _read_stage(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise ContentError(_STAGE_UNREADABLE.with_(path=path, why=error)) from error
