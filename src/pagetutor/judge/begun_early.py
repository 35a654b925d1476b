"""The session of an explanation, begun before it is known to be needed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from types import TracebackType
from typing import Self

from pagetutor.diagnosis.playing import OpenSession
from pagetutor.errors import MachineError
from pagetutor.learner.port import Session


class BegunEarly:
    """Opens sessions with `open_session`; the first of them as soon as `begin` is called.

    So a process comes up while those of the tests come to their end: it saves an explanation 10 ms. A
    context manager: a session that was begun and never asked for is ended with it.
    """

    def __init__(self, open_session: OpenSession) -> None:
        self._open_session = open_session
        self._stack = ExitStack()
        self._begun: Session | None = None

    def begin(self) -> None:
        """Open a session, unless one is open that nobody has taken.

        Where none can be had now, that is told once one is asked for.
        """
        if self._begun is None:
            with suppress(MachineError):
                self._begun = self._stack.enter_context(self._open_session())

    def session(self) -> AbstractContextManager[Session]:
        """The session that was begun, where nobody has taken it yet; else a new one."""
        begun, self._begun = self._begun, None
        return self._open_session() if begun is None else _until_left(begun, self._stack.pop_all())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()


@contextmanager
def _until_left(session: Session, stack: ExitStack) -> Iterator[Session]:
    with stack:
        yield session
