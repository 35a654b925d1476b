"""Signals that end a command, held back while a prompt's event loop is being set up or taken down."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import FrameType

    from prompt_toolkit import Application

_ENDING = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT") if hasattr(signal, name)
)


@contextmanager
def held(application: Application[Any]) -> Iterator[Callable[[], None]]:
    """Around the run of `application`, which is to call what this gives as its `pre_run`.

    A signal ends the application at once, and has its own effect when the loop is down. An exception
    out of a handler would leave a loop half made, with tracebacks from its destructor; and the
    library's own answer to SIGINT is lost, with a traceback, where it comes before the first draw.
    """
    came: list[int] = []

    def leave() -> None:
        future = application.future
        if came and future is not None and not future.done():
            application.exit(exception=KeyboardInterrupt)

    def hold(number: int, _frame: FrameType | None) -> None:
        came.append(number)
        loop = application.loop
        if loop is not None:
            loop.call_soon_threadsafe(leave)

    if threading.current_thread() is not threading.main_thread():
        yield leave
        return
    before = {number: signal.getsignal(number) for number in _ENDING}
    handled = {number: handler for number, handler in before.items() if callable(handler)}
    for number in handled:
        signal.signal(number, hold)
    try:
        yield leave
    finally:
        for number, handler in handled.items():
            signal.signal(number, handler)
        for number in came[:1]:
            signal.raise_signal(number)
