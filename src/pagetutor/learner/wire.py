"""The wire between tutor, warm process and learner's process: the protocol, and its frames.

A frame is four bytes of length (big-endian) and that many bytes of JSON in ASCII, at most
`FRAME_LIMIT`. Nothing is ever unpickled: what arrives is what `json.loads` makes of it, exact plain
types, and whoever reads it checks its shape again.

Three processes, two hops::

    tutor ──control──▶ warm process          one socketpair for the tutor's life
    tutor ──leash────▶ warm process          one socketpair per session
    tutor ──talk─────▶ learner's process     one socketpair per session
    tutor ◀─output, stuck── learner's process        two pipes per session

Control. The warm process says `{"ready": true, "pid": n}` once torch is imported (its pid as the tutor
sees it), or `{"failed": {...}}` and leaves. Before or after that the tutor sends `{"start": true}` with
four descriptors (talk, output, stuck, leash) for each session, and `{"end": true}` to dismiss it:
everything is killed. End of file without that means that the tutor is gone: then the scratch folders are
removed, too.

Leash. The warm process says `{"status": n, "peak": bytes}` with the wait status
of the learner's process, after everything that process started has been killed; `{"unstarted": why}`
where no process could be had. Any byte or end of file from the tutor means: kill it now.

Talk. The tutor sends an opening frame: the stage's code, the learner's path, the scratch folder, the
limits. The learner's process answers `{"ready": true, "pid": n, "isolation": [...]}` (or
`{"unready": why}`: the stage is at fault) and only then does the deadline start to count. The first
question may be sent along with the opening: nothing of the learner's has run before it is read. From
there on strictly one question, one answer:
`{"nonce": …, "ask": "load" | "play" | "play all" | "run" | "end", …}` is answered by
`{"nonce": …, …}` with the same nonce, which is drawn fresh and handed out only after the previous
answer has come. The answer to "end" is the end frame `{"nonce": …, "end": true}`; then the process
leaves with status 0.

A session passes only with all of it: each answer under its nonce, the end frame, end of file, wait
status 0. What else can happen, and the `StopReason` it gets:

====================================================  ==========================================
the answer is late                                    TIMEOUT, with the line where it was stuck
wait status is a signal                               CRASH (see the two below)
SIGKILL that we did not send, and a large peak        MEMORY
SIGXFSZ: a file beyond the limit                      OUTPUT
the tree's resident memory passes the limit           MEMORY
the tree has more than `PROCESS_LIMIT` processes      MEMORY
the scratch folder holds more than `SCRATCH_LIMIT`    OUTPUT
no memory left even to answer: `{"memory": …}`        MEMORY
more than `OUTPUT_STOP` bytes printed                 OUTPUT
left with any status before the end frame             EXIT
SystemExit out of the stage: `{"left": …}`            EXIT, with the line
end frame, then another status than 0                 EXIT
end of file, but still running                        CRASH
a frame that is too long, no JSON, of a wrong shape   CRASH
a frame under another nonce, or one nobody asked for  CRASH
the stage itself raised: `{"broken": …}`              CRASH, with the traceback as detail
the warm process was killed or stopped                CRASH; the next session starts another
====================================================  ==========================================

The tutor itself out of turn (a question before the answer to the last one is taken): RuntimeError.

A check asks two processes (`twins`). What the second one says comes with the end of the first, and only
if that one passed all of the above; the reasons then mean:

====================================================  ==========================================
TIMEOUT, MEMORY, OUTPUT                               the same, as if the first had stopped so
any other reason, or a load that failed               nondeterministic
an answer that differs (ids renamed by first use)     nondeterministic
====================================================  ==========================================

The descriptors `output` and `stuck` are never parsed for answers. `output` is shown to the learner;
`stuck` carries the traceback that `faulthandler` writes shortly before the deadline.
"""

from __future__ import annotations

import json
import socket
import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pagetutor.learner.port import Json

FRAME_LIMIT = 16 << 20  # bytes; a 5 MB learner's file in base64 fits three times
OUTPUT_STOP = 1 << 20  # bytes printed before the process is ended
OUTPUT_KEPT = 64 << 10  # bytes kept, half of them head and half of them tail

_HEADER = struct.Struct(">I")
# Bound now: code in the learner's process may patch json, struct or builtins afterwards.
_pack, _unpack = _HEADER.pack, _HEADER.unpack_from
_to_json = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode
_from_json = json.JSONDecoder().raw_decode
_len, _ascii = len, str.encode


EXPECTED: dict[str, Json] = {}
"""What stands for a frame that is, to the letter, the expected one; compare by `is`."""


class WireError(ValueError):
    """What arrived is no frame of the protocol."""


def encode(value: Json) -> bytes:
    """The frame that carries `value`. Raises WireError where it is too long or no plain data."""
    try:
        body = _ascii(_to_json(value), "ascii")
    except (TypeError, ValueError, RecursionError) as error:
        raise WireError(f"not plain data: {error}") from error
    if _len(body) > FRAME_LIMIT:
        raise WireError(f"a frame of {_len(body)} bytes")
    return _pack(_len(body)) + body


class FrameReader:
    """Takes bytes as they come and gives whole frames, one after the other."""

    def __init__(self) -> None:
        self.taken = 0  # bytes, in all
        self.body = b""  # of the frame given last
        self._bytes = bytearray()

    def feed(self, more: bytes) -> None:
        """Add bytes that have arrived."""
        self.taken += len(more)
        self._bytes += more

    def pop(self, expected: bytes | None = None) -> dict[str, Json] | None:
        """The next whole frame, or None; the very object `EXPECTED`, unread, where its body is `expected`.

        Raises WireError as soon as it cannot become one.
        """
        size = self._size()
        if size is None or _len(self._bytes) < _HEADER.size + size:
            return None
        self.body = bytes(self._bytes[_HEADER.size : _HEADER.size + size])
        del self._bytes[: _HEADER.size + size]
        return EXPECTED if self.body == expected else _mapping(self.body)

    @property
    def empty(self) -> bool:
        """Whether nothing is left over, not even a part of a frame."""
        return not self._bytes

    def _size(self) -> int | None:
        if _len(self._bytes) < _HEADER.size:
            return None
        size: int = _unpack(self._bytes)[0]
        if size > FRAME_LIMIT:
            raise WireError(f"a frame of {size} bytes")
        return size


def receive(channel: socket.socket) -> dict[str, Json] | None:
    """The next frame of a blocking socket, or None at its end. Raises WireError."""
    head = _exactly(channel, _HEADER.size)
    if head is None:
        return None
    size = _unpack(head)[0]
    if size > FRAME_LIMIT:
        raise WireError(f"a frame of {size} bytes")
    body = _exactly(channel, size)
    return None if body is None else _mapping(body)


def _exactly(channel: socket.socket, size: int) -> bytes | None:
    parts = bytearray()
    while _len(parts) < size:
        part = channel.recv(size - _len(parts))
        if not part:
            return None
        parts += part
    return bytes(parts)


def _mapping(body: bytes) -> dict[str, Json]:
    try:
        value, end = _from_json(body.decode("ascii"))
    except (ValueError, RecursionError) as error:
        raise WireError(f"no JSON: {error}") from error
    if end != _len(body):
        raise WireError("more than one value in a frame")
    if type(value) is not dict:
        raise WireError("a frame that is no mapping")
    return value
