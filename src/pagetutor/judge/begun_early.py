"""The session of an explanation, begun before it is known to be needed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from types import TracebackType
from typing import Self

from pagetutor.diagnosis.playing import OpenSession
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
        """Open the first session, once. Raises what opening it raises."""
        if self._begun is None:
            self._begun = self._stack.enter_context(self._open_session())

    def session(self) -> AbstractContextManager[Session]:
        """The session that was begun, at the first call; a new one at each further call."""
        return self._open_session() if self._begun is None else self._handed_over(self._begun)

    @contextmanager
    def _handed_over(self, session: Session) -> Iterator[Session]:
        self._begun = None
        with self._stack.pop_all():
            yield session

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()
