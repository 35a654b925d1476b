"""Single keys from a terminal while something else goes on."""

from __future__ import annotations

import codecs
import os
import select
import signal
import socket
import sys
import time
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from prompt_toolkit.key_binding.key_processor import KeyPress

Meant = TypeVar("Meant")

INPUT_ENDED = ""  # the input is over: no key will ever be pressed again
ESCAPE = "escape"
_ESC_S = 0.1  # what follows an Esc within this time belongs to it: an arrow, not the key itself
_PASTES = "\x1b[?2004h", "\x1b[?2004l"  # pasted text comes as one piece then, and is no keys


class Waker:
    """Ends a `select` from another thread."""

    def __init__(self) -> None:
        self._theirs, self._ours = socket.socketpair()
        self._ours.setblocking(False)
        self._theirs.setblocking(False)

    def fileno(self) -> int:
        """What becomes readable."""
        return self._ours.fileno()

    def wake(self) -> None:
        """Make it readable; nothing happens where it is closed already, or was woken a thousand times."""
        with suppress(OSError):
            self._theirs.send(b"w")

    def clear(self) -> None:
        """Make it unreadable again."""
        with suppress(BlockingIOError):
            self._ours.recv(4096)

    def close(self) -> None:
        """Close both ends."""
        self._theirs.close()
        self._ours.close()


class Keyboard(Generic[Meant]):
    """The keys of the terminal on stdin, one by one and not echoed, while it is `open`.

    `meanings` says what each key stands for, by its sign (letters as small ones) or its name as the prompt
    library has it (`left`, `home`), with ESCAPE for Esc and Ctrl-D, and INPUT_ENDED; others do nothing.
    Ctrl-C stays a KeyboardInterrupt. Ctrl-Z gives the terminal back before the stop and takes it again
    afterwards; `before_stop` is called first, and `resumed` tells of it.
    """

    def __init__(self, before_stop: Callable[[], None], meanings: Mapping[str, Meant]) -> None:
        from prompt_toolkit.input.vt100_parser import Vt100Parser  # noqa: PLC0415 — a tenth of a second

        self.resumed = False
        self._before_stop = before_stop
        self._meanings = meanings
        self._waker = Waker()
        self._pressed: list[Meant] = []
        self._parser = Vt100Parser(self._on_key)
        self._decoder = codecs.getincrementaldecoder("utf-8")("ignore")
        self._last_read = 0.0
        self._stop_asked = False
        self._before: list[Any] | None = None
        self.wake = self._waker.wake

    @contextmanager
    def open(self) -> Iterator[None]:
        """Take the terminal for the length of the body."""
        handlers = {
            number: signal.signal(number, handler)
            for number, handler in ((signal.SIGTSTP, self._on_stop), (signal.SIGCONT, self._on_continue))
            if signal.getsignal(number) is not signal.SIG_IGN
        }
        try:
            self._take()
            yield
        finally:
            self.give_back()
            for number, handler in handlers.items():
                signal.signal(number, handler)
            self._waker.close()

    def wait(self, seconds: float) -> Meant | None:
        """The next key, waited for at most so long or until `wake`."""
        self._stop_if_asked()
        if not self._pressed:
            readable, _, _ = select.select([sys.stdin, self._waker], [], [], seconds)
            if self._waker in readable:
                self._waker.clear()
            if sys.stdin in readable:
                self._read()
            elif time.monotonic() - self._last_read > _ESC_S:
                self._parser.flush()
            self._stop_if_asked()
        return self._pressed.pop(0) if self._pressed else None

    @contextmanager
    def given_back(self) -> Iterator[None]:
        """The terminal as it was, for the length of the body; keys nobody has read are thrown away."""
        self.give_back()
        try:
            yield
        finally:
            self._take()

    def give_back(self) -> None:
        """Put the terminal back as it was. Idempotent."""
        import termios  # noqa: PLC0415 — not on every system

        if self._before is None:
            return
        self._pressed.clear()
        self._write(_PASTES[1])
        with suppress(termios.error):  # the terminal has gone
            termios.tcsetattr(sys.stdin, termios.TCSAFLUSH, self._before)
        self._before = None

    def _take(self) -> None:
        import termios  # noqa: PLC0415

        self._before = termios.tcgetattr(sys.stdin)
        single = termios.tcgetattr(sys.stdin)
        single[3] &= ~(termios.ECHO | termios.ICANON | termios.IEXTEN)
        single[3] |= termios.ISIG
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, single)
        self._write(_PASTES[0])

    def _read(self) -> None:
        self._last_read = time.monotonic()
        try:
            typed = os.read(sys.stdin.fileno(), 4096)
        except OSError:  # the terminal has gone
            typed = b""
        if not typed:
            self._press(INPUT_ENDED)
        self._parser.feed(self._decoder.decode(typed))

    def _on_key(self, press: KeyPress) -> None:
        from prompt_toolkit.keys import Keys  # noqa: PLC0415

        if press.key is Keys.ControlC:
            raise KeyboardInterrupt
        if press.key in (Keys.ControlD, Keys.Escape):
            self._press(ESCAPE)
        elif isinstance(press.key, Keys):
            self._press(press.key.value)
        else:
            self._press(unicodedata.normalize("NFKC", press.key).lower())  # Chinese input: full-width letters

    def _press(self, key: str) -> None:
        if key in self._meanings:
            self._pressed.append(self._meanings[key])

    # ── suspend and resume ───────────────────────────────────────────────────────────────────────

    def _on_stop(self, _number: int, _frame: object) -> None:
        self._stop_asked = True  # nothing is written from here: the signal may have come amid a line
        self.wake()

    def _on_continue(self, _number: int, _frame: object) -> None:
        self.resumed = True
        self.wake()

    def _stop_if_asked(self) -> None:
        if self._stop_asked:
            self._stop_asked = False
            self._before_stop()
            self.give_back()
            ours = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
            signal.raise_signal(signal.SIGTSTP)  # returns once there was an `fg`
            signal.signal(signal.SIGTSTP, ours)
            self._take()
            self.resumed = True
        elif self.resumed and self._before is not None:
            # Stopped without asking us, and the shell has changed the terminal meanwhile.
            before = self._before
            self._take()
            self._before = before

    def _write(self, codes: str) -> None:
        sys.stdout.write(codes)
        sys.stdout.flush()
