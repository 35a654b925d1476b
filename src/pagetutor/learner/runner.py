"""The way in: a `Runner` for this machine. Importing this is cheap; torch is imported elsewhere."""

from __future__ import annotations

import os
import shutil
import stat
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

from pagetutor.errors import ContentError, MachineError
from pagetutor.learner import processes
from pagetutor.learner.port import Job, Runner, Session
from pagetutor.learner.session import LearnerSession, NotStartedError
from pagetutor.learner.warm_process import NO_PROCESS, GoneError, WarmProcess
from pagetutor.text import Text

IMPORT_LIMIT_S = 120.0  # for torch, from a cold disk on a busy machine

_NO_WINDOWS = Text(
    zh="目前还不能直接在 Windows 上运行检查。请在 WSL（Windows 里的 Linux）里使用 pagetutor。",
    en="Checks do not run on Windows itself yet. Use pagetutor inside WSL, the Linux within Windows.",
)
_STAGE_UNREADABLE = Text(
    zh="读不了课程文件 {path}：{why}。请重新安装 pagetutor。",
    en="The course file {path} cannot be read: {why}. Reinstall pagetutor.",
)
_STAGE_BROKEN = Text(
    zh="课程文件 {path} 运行出错：{why}",
    en="The course file {path} fails: {why}",
)


def open_runner(environ: Mapping[str, str] = os.environ) -> Runner:
    """The runner of this machine; `PAGETUTOR_START=spare` makes it start processes without fork.

    Raises MachineError where there is none.
    """
    if sys.platform == "win32":
        raise MachineError(_NO_WINDOWS)
    return WarmRunner(spare=environ.get("PAGETUTOR_START") == "spare")


class WarmRunner:
    """A `Runner` that keeps one warm process, and starts each learner's process from it.

    With `spare`, the warm process hands each job to a fresh Python that has imported torch on its
    own, instead of forking. A context manager: leaving it closes it.
    """

    def __init__(self, *, spare: bool = False) -> None:
        self._spare = spare
        self._lock = threading.Lock()
        self._warm: WarmProcess | None = None
        self._open: dict[int, LearnerSession] = {}
        self._scratches: set[Path] = set()

    def warm(self) -> None:
        """Begin to import torch in the background, if not begun yet; returns at once."""
        self._process()

    def ready(self) -> bool:
        """Whether the next session starts without waiting for that import."""
        try:
            return self._warm is not None and self._warm.ready()
        except GoneError:
            return False

    def session(self, job: Job) -> AbstractContextManager[Session]:
        """A new process for this job; leaving the context ends it and everything it started.

        Raises MachineError where no process can be had or torch cannot be imported, ContentError
        where the stage cannot be read or fails.
        """
        return self._session(job)

    def close(self) -> None:
        """End everything this runner started. Idempotent."""
        with self._lock:
            warm, self._warm = self._warm, None
        if warm is not None:
            warm.close()
        for scratch in list(self._scratches):
            self._remove(scratch)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def _session(self, job: Job) -> Iterator[Session]:
        stage = _read_stage(job.stage)
        scratch = Path(tempfile.mkdtemp(prefix="pagetutor-"))
        self._scratches.add(scratch)
        try:
            with self._started(job, stage, scratch) as session:
                yield session
        finally:
            self._remove(scratch)

    @contextmanager
    def _started(self, job: Job, stage: str, scratch: Path) -> Iterator[LearnerSession]:
        warm, session = self._start(job, stage, scratch)
        self._open[id(session)] = session
        try:
            yield session
        finally:
            del self._open[id(session)]
            if not session.end():
                self._give_up(warm)

    def _start(self, job: Job, stage: str, scratch: Path) -> tuple[WarmProcess, LearnerSession]:
        """A session that is ready. A warm process that was killed meanwhile is replaced, once."""
        failure: Exception | None = None
        for _ in range(2):
            warm = self._process()
            until = time.monotonic() + IMPORT_LIMIT_S
            try:
                warm.wait_ready(IMPORT_LIMIT_S)
                session = LearnerSession(warm.start(), job, partial(self._tree, warm))
            except GoneError as error:
                failure = error
                self._give_up(warm)
                continue
            try:
                session.open(stage, job, scratch, limit_s=max(until - time.monotonic(), 1))
            except NotStartedError as error:
                if not session.end():
                    self._give_up(warm)
                if error.stage:
                    raise ContentError(_STAGE_BROKEN.with_(path=job.stage, why=error)) from error
                failure = error
                continue
            except BaseException:
                session.end()
                raise
            return warm, session
        raise MachineError(NO_PROCESS.with_(why=failure)) from failure

    def _process(self) -> WarmProcess:
        with self._lock:
            if self._warm is None or not self._warm.alive():
                if self._warm is not None:
                    self._warm.destroy()
                self._warm = WarmProcess(spare=self._spare)
            return self._warm

    def _tree(self, warm: WarmProcess, pid: int) -> tuple[processes.Seen, ...]:
        """The learner's process `pid` and what it has started, also what its orphans have become."""
        others = frozenset(session.pid for session in list(self._open.values()))
        return processes.descendants(warm.pid, without=others - {pid})

    def _give_up(self, warm: WarmProcess) -> None:
        with self._lock:
            if self._warm is warm:
                self._warm = None
        warm.destroy()

    def _remove(self, scratch: Path) -> None:
        _remove_folder(scratch)
        self._scratches.discard(scratch)


def _read_stage(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ContentError(_STAGE_UNREADABLE.with_(path=path, why=error)) from error


def _remove_folder(folder: Path) -> None:
    """Remove it whatever became of it: locked folders inside, a link or a file in its place."""

    def unlock(_act: Callable[..., object], path: str, _error: object) -> None:
        with suppress(OSError):
            os.chmod(os.path.dirname(path), stat.S_IRWXU)
            if os.path.isdir(path) and not os.path.islink(path):
                os.chmod(path, stat.S_IRWXU)
                shutil.rmtree(path, ignore_errors=True)
            else:
                os.unlink(path)

    if folder.is_symlink() or folder.is_file():
        with suppress(OSError):
            folder.unlink()
    elif folder.exists():
        shutil.rmtree(folder, onerror=unlock)
