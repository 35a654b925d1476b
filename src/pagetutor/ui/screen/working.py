"""While something runs: a spinner after 200 ms, and keys that do nothing later."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from rich.console import Console

_AFTER_S = 0.2


@contextmanager
def spinner(console: Console, what: str) -> Iterator[None]:
    """Say `what` with a spinner, once it has lasted 200 ms; the cursor is back afterwards."""
    from rich.status import Status  # noqa: PLC0415 — the spinners' table: only where something takes long
    from rich.text import Text as Line  # noqa: PLC0415

    status = Status(Line(what, no_wrap=True, overflow="ellipsis"), console=console, spinner="dots")
    try:
        with after_a_moment(status.start):
            yield
    finally:
        status.stop()


@contextmanager
def after_a_moment(start: Callable[[], None]) -> Iterator[None]:
    """Call `start` once the body has lasted 200 ms; never while or after the body ends.

    Where it cannot write, whoever writes the result meets the same and tells it.
    """

    def quietly() -> None:
        with suppress(OSError):
            start()

    timer = threading.Timer(_AFTER_S, quietly)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()


@contextmanager
def deaf() -> Iterator[None]:
    """Keys pressed in the body are neither echoed nor kept; Ctrl-C still interrupts."""
    if sys.stdin is None or not sys.stdin.isatty():
        yield
        return
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415 — this system has no termios

        try:
            yield
        finally:
            while msvcrt.kbhit():
                msvcrt.getwch()
        return
    import termios  # noqa: PLC0415 — the other systems have no msvcrt

    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    quiet = termios.tcgetattr(descriptor)
    quiet[3] &= ~(termios.ECHO | termios.ICANON)
    termios.tcsetattr(descriptor, termios.TCSADRAIN, quiet)
    try:
        yield
    finally:
        with suppress(termios.error):  # the terminal has gone
            termios.tcflush(descriptor, termios.TCIFLUSH)
            termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
