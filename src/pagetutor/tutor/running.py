"""A check that runs beside the keys, and can be cancelled: its learner's process then ends at once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, contextmanager
from typing import Generic, TypeVar

from pagetutor.learner.port import Job, Runner, Session

Found = TypeVar("Found")


class Cancelled(Exception):  # noqa: N818 — not an error: what it would have found is no longer asked for
    """The check was cancelled before it needed one more process."""


class Running(Generic[Found]):
    """`work` on a thread of its own; `done` is called on that thread once it is over."""

    def __init__(self, work: Callable[[Runner], Found], runner: Runner, done: Callable[[], None]) -> None:
        self._runner = _CancellableRunner(runner)
        threads = ThreadPoolExecutor(1, thread_name_prefix="check")
        self._future: Future[Found] = threads.submit(work, self._runner)
        threads.shutdown(wait=False)  # the thread ends with its only work
        self._future.add_done_callback(lambda _: done())

    @property
    def over(self) -> bool:
        """Whether it has come to its end, either way."""
        return self._future.done()

    @property
    def cancelled(self) -> bool:
        """Whether it was told to stop; what it found then is worth nothing."""
        return self._runner.cancelled

    def found(self) -> Found:
        """What it found. Raises what it raised; only to be asked once it is over and was not cancelled."""
        return self._future.result()

    def cancel(self) -> None:
        """End the learner's process it is waiting for, and start no other."""
        self._runner.cancel()

    def join(self, limit_s: float | None = None) -> None:
        """Wait until it is over."""
        wait([self._future], timeout=limit_s)


class _CancellableRunner:
    """A `Runner` whose sessions can all be ended from another thread."""

    def __init__(self, runner: Runner) -> None:
        self.cancelled = False
        self._runner = runner
        self._lock = threading.Lock()
        self._open: list[Session] = []

    def cancel(self) -> None:
        with self._lock:
            self.cancelled = True
            for session in self._open:
                session.cancel()

    def warm(self, *, hurry: bool = False) -> None:
        """Whoever watches has warmed it already."""

    def ready(self) -> bool:
        return self._runner.ready()

    def session(self, job: Job) -> AbstractContextManager[Session]:
        return self._session(job)

    def close(self) -> None:
        """The runner is not the check's to close."""

    @contextmanager
    def _session(self, job: Job) -> Iterator[Session]:
        self._go_on()
        with self._runner.session(job) as session:
            with self._lock:
                self._open.append(session)
            try:
                self._go_on()
                yield session
            finally:
                with self._lock:  # ended below: nobody may cancel it any longer
                    self._open.remove(session)

    def _go_on(self) -> None:
        if self.cancelled:
            raise Cancelled
