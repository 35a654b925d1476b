"""Linux's Landlock by its three system calls: a process gives up file rights it will never need again.

It holds for the process and all it starts, needs no privilege, and takes about 0.3 ms. It does not
cover chmod, chown and utime, nor descriptors that are open already. See landlock(7).
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from pagetutor.learner.system import is_linux

_CREATE, _ADD, _RESTRICT = 444, 445, 446  # the same numbers on every architecture
_PR_SET_NO_NEW_PRIVS = 38
_VERSION, _PATH_BENEATH = 1, 1

_WRITE_FILE, _READ_FILE = 1 << 1, 1 << 2
_REMOVE_AND_MAKE = sum(1 << bit for bit in range(4 + 1, 12 + 1))
_REFER, _TRUNCATE = 1 << 13, 1 << 14  # since ABI 2 and 3
_BIND_TCP, _CONNECT_TCP = 1 << 0, 1 << 1  # since ABI 4
_ABSTRACT_SOCKETS, _SIGNALS = 1 << 0, 1 << 1  # since ABI 6


class _Ruleset(ctypes.Structure):
    _fields_ = (
        ("handled_access_fs", ctypes.c_uint64),
        ("handled_access_net", ctypes.c_uint64),
        ("scoped", ctypes.c_uint64),
    )

    @property
    def size(self) -> ctypes.c_size_t:
        """Without the fields that are zero at the end: an older kernel knows nothing of them."""
        return ctypes.c_size_t(24 if self.scoped else 16 if self.handled_access_net else 8)


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("allowed_access", ctypes.c_uint64), ("parent_fd", ctypes.c_int32))


def restrict(*, writable: Path, hidden: Iterable[Path]) -> list[str]:
    """Let this thread write only beneath `writable`, read no file beneath `hidden`, use no TCP.

    Nor can it signal any process but those it starts. The names of what holds from now on; nothing where
    the kernel has no Landlock. Listing folders stays allowed: imports need it.
    """
    if not is_linux():
        return []
    system = ctypes.CDLL(None, use_errno=True)
    version = system.syscall(_CREATE, None, ctypes.c_size_t(0), _VERSION)
    if version < 1:
        return []
    write = _WRITE_FILE | _REMOVE_AND_MAKE
    write |= (_REFER if version >= 2 else 0) | (_TRUNCATE if version >= 3 else 0)
    hidden = [path for path in (Path(os.path.realpath(path)) for path in hidden) if path.exists()]
    rules = [(os.path.realpath(writable), write), (os.devnull, _WRITE_FILE)]
    if hidden:
        rules += [(path, _READ_FILE) for path in _beside(hidden)]
    handled = _Ruleset(
        write | (_READ_FILE if hidden else 0),
        _BIND_TCP | _CONNECT_TCP if version >= 4 else 0,
        _ABSTRACT_SOCKETS | _SIGNALS if version >= 6 else 0,
    )
    ruleset = system.syscall(_CREATE, ctypes.byref(handled), handled.size, 0)
    if ruleset < 0:
        return []
    try:
        for path, rights in rules:
            _allow(system, ruleset, path, rights)
        if system.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or system.syscall(_RESTRICT, ruleset, 0):
            return []
    finally:
        os.close(ruleset)
    holds = {"write": True, "read": bool(hidden), "tcp": version >= 4, "signal": version >= 6}
    return [f"landlock:{what}" for what, held in holds.items() if held]


def _beside(hidden: list[Path]) -> Iterator[str]:
    """Everything but what is hidden: Landlock can only allow, so the ways that lead elsewhere are named.

    As plain texts: a folder of downloads has a thousand ways, and each of them as a `Path` costs 5 µs.
    """
    on_the_way = {os.fspath(ancestor) for path in hidden for ancestor in path.parents}
    left_out = on_the_way | {os.fspath(path) for path in hidden}
    for folder in on_the_way:
        try:
            names = os.listdir(folder)
        except OSError:
            continue
        paths = (os.path.join(folder, name) for name in names)
        yield from (path for path in paths if path not in left_out)


def _allow(system: ctypes.CDLL, ruleset: int, path: str, rights: int) -> None:
    """Allow these rights beneath `path`; a path that cannot be opened stays forbidden."""
    try:
        # Not through a link: one that leads to a folder above a hidden one would open it again.
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return
    try:
        rule = _PathBeneath(rights, descriptor)
        system.syscall(_ADD, ruleset, _PATH_BENEATH, ctypes.byref(rule), 0)
    finally:
        os.close(descriptor)
