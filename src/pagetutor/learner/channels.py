"""The tutor's ends of one learner's process: what it says, prints, and how it ended."""

from __future__ import annotations

import codecs
import contextlib
import os
import selectors
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pagetutor.learner import wire
from pagetutor.learner.port import Prints

if TYPE_CHECKING:
    from pagetutor.learner.port import Json

_CHUNK = 64 << 10  # bytes
_DRAIN_ROUNDS = 64  # a dead process leaves no more than the kernel's buffers hold
_STUCK_KEPT = 256 << 10  # bytes: a traceback of 100 lines for each of 60 threads takes more than half of it
_STUCK_PAUSE_S = 0.2  # within which a traceback is written to its end
_HALF = wire.OUTPUT_KEPT // 2


@dataclass(frozen=True, slots=True)
class Ended:
    """How the process left: its wait status, and its largest resident memory in bytes."""

    status: int
    peak: int


class Channels:
    """The open ends towards one learner's process, and what has come out of them so far.

    `pump` is the only place that waits, so nothing the process does can hold the tutor up.
    """

    def __init__(
        self, *, talk: socket.socket, leash: socket.socket, output: int, stuck: int, wake: Callable[[], None]
    ) -> None:
        self.unstarted: str | None = None
        self.ended: Ended | None = None
        self.abandoned = False  # the warm process is gone without a word on how this one ended
        self.talk_closed_s: float | None = None  # when the talk came to its end
        self.printed = Printed()
        self._wake = wake
        self._talk, self._leash, self._output, self._stuck = talk, leash, output, stuck
        self._talk_reader, self._leash_reader = wire.FrameReader(), wire.FrameReader()
        self.stuck_total = 0  # bytes
        self._stuck_bytes = bytearray()
        self._to_send = bytearray()
        self._events = selectors.DefaultSelector()
        talk.setblocking(False)
        leash.setblocking(False)
        self._watch(talk, self._on_talk)
        self._watch(leash, self._on_leash)
        for descriptor, act in ((output, self._on_output), (stuck, self._on_stuck)):
            os.set_blocking(descriptor, False)
            self._watch(descriptor, act)

    def send(self, frame: dict[str, Json]) -> None:
        """Queue a frame; `pump` sends it. Raises WireError where it is too long."""
        self._to_send += wire.encode(frame)
        self._send_more()

    def next_frame(self, expected: bytes | None = None) -> dict[str, Json] | None:
        """The next whole frame that has arrived, or EXPECTED for the one expected. Raises WireError."""
        return self._talk_reader.pop(expected)

    @property
    def body(self) -> bytes:
        """The text of the frame taken last."""
        return self._talk_reader.body

    @property
    def silent(self) -> bool:
        """Whether nothing has arrived that was not asked for."""
        return self._talk_reader.empty

    def pump(self, wait_s: float) -> None:
        """Take what there is, waiting at most `wait_s` for the first of it.

        Raises WireError where the warm process itself does not keep to the protocol.
        """
        for key, _ in self._events.select(max(wait_s, 0)):
            act: Callable[[], None] = key.data
            act()

    def release(self) -> None:
        """Tell the warm process to kill it, and everything it started."""
        with contextlib.suppress(OSError):
            self._leash.send(b"k")
            self._wake()

    def wait_end(self, limit_s: float) -> bool:
        """Whether the warm process has confirmed the end within `limit_s`; takes the last output too."""
        until = time.monotonic() + limit_s
        while self.ended is None and not self.abandoned and time.monotonic() < until:
            self.pump(until - time.monotonic())
        self.drain()
        return self.ended is not None

    def drain(self) -> None:
        """Take all that lies ready."""
        for _ in range(_DRAIN_ROUNDS):
            before = self._taken()
            self.pump(0)
            if self._taken() == before:
                return

    def stuck_text(self, limit_s: float) -> str:
        """The last that `faulthandler` has written, waited for at most `limit_s`, and until it pauses.

        One that never pauses is the learner's code: it is not waited for.
        """
        begun = time.monotonic()
        seen = -1
        while seen != self.stuck_total or (not seen and time.monotonic() < begun + limit_s):
            if time.monotonic() > begun + limit_s + _STUCK_PAUSE_S:
                break
            seen = self.stuck_total
            self.pump(0.02)
        return self._stuck_bytes.decode("ascii", "replace")

    def forget_stuck(self) -> None:
        """Drop what `faulthandler` has written so far."""
        self.stuck_total = 0
        self._stuck_bytes.clear()

    @property
    def over(self) -> bool:
        """Whether it is known how the process left, or that it never began."""
        return self.ended is not None or self.unstarted is not None

    @property
    def closed(self) -> bool:
        """Whether `close` was called: there is nothing more to hear."""
        return self._output < 0

    def close(self) -> None:
        """Close every end. Idempotent."""
        self._events.close()
        self._talk.close()
        self._leash.close()
        for descriptor in (self._output, self._stuck):
            if descriptor >= 0:
                os.close(descriptor)
        self._output = self._stuck = -1

    def _taken(self) -> int:
        return self.printed.total + self.stuck_total + self._talk_reader.taken

    def _watch(self, channel: socket.socket | int, act: Callable[[], None]) -> None:
        self._events.register(channel, selectors.EVENT_READ, act)

    def _on_talk(self) -> None:
        self._send_more()
        try:
            more = self._talk.recv(_CHUNK)
        except BlockingIOError:
            return
        except OSError:
            more = b""
        if more:
            self._talk_reader.feed(more)
        else:
            self._events.unregister(self._talk)
            self.talk_closed_s = time.monotonic()

    def _send_more(self) -> None:
        if self.talk_closed_s is not None:
            return
        with contextlib.suppress(OSError):  # its end shows when reading
            while self._to_send:
                del self._to_send[: self._talk.send(self._to_send)]
        wanted = selectors.EVENT_READ | (selectors.EVENT_WRITE if self._to_send else 0)
        self._events.modify(self._talk, wanted, self._on_talk)

    def _on_leash(self) -> None:
        try:
            more = self._leash.recv(_CHUNK)
        except BlockingIOError:
            return
        except OSError:
            more = b""
        if not more:
            self._events.unregister(self._leash)
            self.abandoned = not self.over
            return
        self._leash_reader.feed(more)
        while (said := self._leash_reader.pop()) is not None:
            match said:
                case {"unstarted": str(why)}:
                    self.unstarted = why
                case {"status": int(status), "peak": int(peak)}:
                    self.ended = Ended(status, peak)

    def _on_output(self) -> None:
        self.printed.feed(self._read(self._output))

    def _on_stuck(self) -> None:
        more = self._read(self._stuck)
        self.stuck_total += len(more)
        self._stuck_bytes += more
        del self._stuck_bytes[:-_STUCK_KEPT]

    def _read(self, descriptor: int) -> bytes:
        try:
            more = os.read(descriptor, _CHUNK)
        except BlockingIOError:
            return b""
        if not more:
            self._events.unregister(descriptor)
        return more


class Printed:
    """What was printed: head and tail kept, the rest counted."""

    def __init__(self) -> None:
        self.total = 0  # bytes
        self._head, self._tail = bytearray(), bytearray()

    def feed(self, more: bytes) -> None:
        """Take what has been printed next."""
        self.total += len(more)
        room = max(_HALF - len(self._head), 0)
        self._head += more[:room]
        self._tail += more[room:]
        del self._tail[:-_HALF]

    def prints(self) -> Prints:
        """Head, tail, and how many bytes lie between; all in the head where nothing was left out."""
        dropped = self.total - len(self._head) - len(self._tail)
        if not dropped:
            return Prints(head=(self._head + self._tail).decode("utf-8", "replace"))
        # A character that the cut went through is left out whole.
        head = codecs.getincrementaldecoder("utf-8")("replace").decode(bytes(self._head))
        tail = bytes(self._tail).lstrip(bytes(range(0x80, 0xC0))).decode("utf-8", "replace")
        return Prints(head, tail, dropped)
