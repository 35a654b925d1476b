"""What the learner's process may not do, set up once, in one place, before the learner's code runs.

Each layer is applied where the system has it and reported by name, so that what is missing can be told.
"""

from __future__ import annotations

import contextlib
import os
import signal
from dataclasses import dataclass
from pathlib import Path

from pagetutor.learner import landlock
from pagetutor.learner.system import is_linux

try:
    import resource
except ImportError:  # Windows has no such limits
    resource = None  # type: ignore[assignment]

DATA_LIMIT = 512 << 20  # bytes beyond what the process holds when it starts
_DATA_RESERVE = 64 << 20  # bytes more, kept back so that a full process can still say so
_FILE_LIMIT = 16 << 20  # bytes of one file
_DESCRIPTORS = 256  # beyond those in use


@dataclass(frozen=True, slots=True)
class Borders:
    """What is still allowed: writing in `scratch`; reading anywhere but in `hidden`."""

    scratch: Path
    hidden: tuple[Path, ...]


def confine(borders: Borders) -> list[str]:
    """Shut this process in for good; the names of the layers that hold.

    The stage and torch are loaded by now, so nothing of ours needs what is taken away here.
    """
    return _limit_resources() + landlock.restrict(writable=borders.scratch, hidden=borders.hidden)


def spend_reserve() -> None:
    """Free the memory that was kept back, so that a process without memory can send its last frame."""
    if resource is not None and hasattr(resource, "RLIMIT_DATA"):
        with contextlib.suppress(OSError, ValueError):
            hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
            resource.setrlimit(resource.RLIMIT_DATA, (hard, hard))


def _limit_resources() -> list[str]:
    if resource is None:
        return []
    data = _data_bytes()
    wanted = [
        ("RLIMIT_CORE", 0, 0),
        ("RLIMIT_FSIZE", _FILE_LIMIT, _FILE_LIMIT),
        ("RLIMIT_NOFILE", _highest_descriptor() + _DESCRIPTORS, _highest_descriptor() + _DESCRIPTORS),
    ]
    if data:
        # Not RLIMIT_AS: torch maps far more than it uses, and breaks.
        wanted.append(("RLIMIT_DATA", data + DATA_LIMIT, data + DATA_LIMIT + _DATA_RESERVE))
    if hasattr(signal, "SIGXFSZ"):  # Python ignores it; the end of the process is what tells why
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    return [f"limit:{name[7:].lower()}" for name, soft, hard in wanted if _limit(name, soft, hard)]


def _limit(name: str, soft: int, hard: int) -> bool:
    kind = getattr(resource, name, None)
    if kind is None:
        return False
    allowed = resource.getrlimit(kind)[1]
    if allowed != resource.RLIM_INFINITY:
        hard = min(hard, allowed)
    try:
        resource.setrlimit(kind, (min(soft, hard), hard))
    except (OSError, ValueError):
        return False
    return True


def _data_bytes() -> int:
    """The private writable memory in use, which RLIMIT_DATA counts; 0 where it is not told."""
    if not is_linux():
        return 0
    try:
        with open("/proc/self/status", "rb") as status:
            for line in status:
                if line.startswith(b"VmData:"):
                    return int(line.split()[1]) << 10
    except OSError:
        pass
    return 0


def _highest_descriptor() -> int:
    with contextlib.suppress(OSError):
        return max(int(name) for name in os.listdir("/proc/self/fd"))
    return 64
