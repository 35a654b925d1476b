"""Signals that end the command: all is put back first, as after Ctrl-C, and the status tells which it was."""

from __future__ import annotations

import _thread
import signal
import sys
import threading
from types import FrameType

_ENDS = ("SIGTERM", "SIGHUP", "SIGQUIT")


class Ending:
    """Which signal ends this command; None as long as none does, or where it is Ctrl-C."""

    def __init__(self) -> None:
        self.by: int | None = None

    def listen(self) -> None:
        """From now on these signals interrupt as Ctrl-C does; one that is ignored (`nohup`) stays so."""
        for name in _ENDS:
            number = getattr(signal, name, None)  # not every system has them
            if number is not None and signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, self._interrupt)
        sys.unraisablehook = _interrupt_once_more

    def status(self, otherwise: int) -> int:
        """128 and the signal, as shells count; `otherwise` where none came."""
        return otherwise if self.by is None else 128 + self.by

    def _interrupt(self, number: int, _frame: FrameType | None) -> None:
        if self.by is None:  # a second one must not break into what the first has begun
            self.by = number
            raise KeyboardInterrupt


def _interrupt_once_more(ignored: sys.UnraisableHookArgs) -> None:
    """A Ctrl-C that falls into a destructor or a weak reference's callback is ignored there: repeat it."""
    if ignored.exc_type is KeyboardInterrupt:
        threading.Timer(0.01, _thread.interrupt_main).start()  # a moment later, out of that callback
    else:
        sys.__unraisablehook__(ignored)
