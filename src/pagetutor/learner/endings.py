"""The ends of sessions, seen to by a thread: nobody waits for a process to be torn down."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor


class Endings:
    """Does what belongs to the end of a session, one after the other, in a thread of its own."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._thread: ThreadPoolExecutor | None = ThreadPoolExecutor(1, "pagetutor-end")
        self._ending: list[Future[None]] = []

    @property
    def busy(self) -> bool:
        """Whether something is still being ended."""
        with self._lock:
            return not all(one.done() for one in self._ending)

    def add(self, end: Callable[[], None]) -> None:
        """Have `end` called soon; at once where this is closed."""
        with self._lock:
            if self._thread is not None:
                self._ending.append(self._thread.submit(end))
                return
        end()

    def take(self) -> None:
        """Forget what is over. Raises the first error among it: it is ours."""
        with self._lock:
            over = [one for one in self._ending if one.done()]
            self._ending = [one for one in self._ending if one not in over]
        for one in over:
            one.result()

    def settle(self) -> None:
        """Wait until all of it is over. Raises the first error among it."""
        with self._lock:
            ending = list(self._ending)
        for one in ending:
            one.exception()
        self.take()

    def close(self) -> None:
        """Settle, and end the thread. Idempotent."""
        with self._lock:
            thread, self._thread = self._thread, None
        if thread is not None:
            thread.shutdown()
        self.take()
