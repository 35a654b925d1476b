"""Which processes descend from which, how much memory they hold, and how to end them all.

Linux tells through /proc; elsewhere `ps` is asked, which takes some 10 ms. Where there is neither, only
the process group is known, and these answer with nothing.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from pagetutor.learner.system import is_linux

MARK = "PAGETUTOR_MARK"  # in the environment of a warm process and of all below it
_PROC = Path("/proc")
_PS_LIMIT_S = 5.0


@dataclass(frozen=True, slots=True)
class Seen:
    """A process as /proc shows it, also one that is dead and not yet waited for; `resident` in bytes."""

    pid: int
    parent: int
    resident: int
    threads: int = 1


def descendants(pid: int, *, without: frozenset[int] = frozenset()) -> tuple[Seen, ...]:
    """Every process below `pid`; the trees that hang from the pids `without` are left out.

    One scan of /proc, about 20 µs per process of the machine: /proc/…/children would be cheaper and
    is missing from many kernels.
    """
    return _below(pid, _everything(), without)


def _below(pid: int, everything: Iterable[Seen], without: frozenset[int]) -> tuple[Seen, ...]:
    below: dict[int, list[Seen]] = {}
    for seen in everything:
        below.setdefault(seen.parent, []).append(seen)
    found: list[Seen] = []
    open_ends = [pid]
    while open_ends:
        for seen in below.pop(open_ends.pop(), ()):
            if seen.pid not in without:
                found.append(seen)
                open_ends.append(seen.pid)
    return tuple(found)


def tree(pid: int) -> tuple[Seen, ...]:
    """A process and every process below it; nothing where it is gone."""
    everything = _everything()
    found = [seen for seen in everything if seen.pid == pid]
    return (*found, *_below(pid, everything, frozenset())) if found else ()


def marked(mark: str) -> tuple[int, ...]:
    """The processes that were started with `mark` in their environment; forked children keep it.

    The last resort for what a killed warm process has left behind: its orphans belong to init then.
    """
    if not is_linux():
        environs = ["-A", "-E", "-ww"] if sys.platform == "darwin" else ["axeww"]
        lines = _ps(*environs, "-o", "pid=,command=")
        return tuple(int(line.split()[0]) for line in lines if mark.encode() in line)
    found = []
    for pid in _pids():
        with contextlib.suppress(OSError):
            if mark.encode() in (_PROC / str(pid) / "environ").read_bytes():
                found.append(pid)
    return tuple(found)


def resident_bytes(pid: int) -> int:
    """The resident memory of a process; 0 where it is not known."""
    if not is_linux():
        return sum(seen.resident for seen in _seen_by_ps("-p", str(pid)))
    seen = _look(pid)
    return seen.resident if seen else 0


def kill_tree(pid: int) -> None:
    """Kill a process, its group and everything below it. Never raises; does not wait."""
    below = tree(pid)
    if sys.platform != "win32":
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
    for one in {pid, *(seen.pid for seen in below)}:
        kill(one)


def kill(pid: int) -> None:
    """Kill one process, if it is there. Does not wait."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)


def _everything() -> list[Seen]:
    if not is_linux():
        return _seen_by_ps("-A")
    return [seen for pid in _pids() if (seen := _look(pid)) is not None]


def _pids() -> list[int]:
    try:
        return [int(name) for name in os.listdir(_PROC) if name.isdigit()]
    except OSError:
        return []


def _look(pid: int) -> Seen | None:
    try:
        with open(f"/proc/{pid}/stat", "rb") as stat:
            # The name in parentheses may hold anything, even blanks and brackets.
            fields = stat.read().rpartition(b")")[2].split()
    except OSError:
        return None
    return Seen(pid, parent=int(fields[1]), resident=int(fields[21]) * _PAGE, threads=int(fields[17]))


def _seen_by_ps(*which: str) -> list[Seen]:
    found = []
    for line in _ps(*which, "-o", "pid=,ppid=,rss="):
        pid, parent, kilobytes = line.split()
        found.append(Seen(int(pid), int(parent), resident=int(kilobytes) << 10))
    return found


def _ps(*words: str) -> list[bytes]:
    """What `ps` lists, but for itself; nothing where there is none."""
    try:
        with subprocess.Popen(
            ["ps", *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ) as process:
            told = process.communicate(timeout=_PS_LIMIT_S)[0].splitlines()
    except (OSError, subprocess.TimeoutExpired):
        return []
    return [line for line in told if line.split()[:1] != [b"%d" % process.pid]]


_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
