"""Linux namespaces for the warm process and all it starts: no network, one writable folder, own pids.

Set up once, before torch is imported, so that a check pays nothing for it (2.3 ms per process
otherwise). The warm process becomes the first process of its pid namespace: whatever ends it, the kernel
kills everything below; code inside can neither see nor signal anything outside.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from pagetutor.learner.system import is_linux

_NEWNS, _NEWIPC, _NEWUSER, _NEWPID, _NEWNET = 0x20000, 0x8000000, 0x10000000, 0x20000000, 0x40000000
_FLAGS = {"user": _NEWUSER, "mount": _NEWNS, "net": _NEWNET, "ipc": _NEWIPC, "pid": _NEWPID}
# Best first. A fresh /proc, which pid needs, is refused in many containers; some refuse mounts too.
_LEVELS = (("user", "mount", "net", "ipc", "pid"), ("user", "mount", "net", "ipc"), ("user", "net", "ipc"))

_MS_BIND, _MS_REC, _MS_PRIVATE, _MS_NOSUID_NODEV_NOEXEC = 0x1000, 0x4000, 1 << 18, 2 | 4 | 8
_MOUNT_SETATTR, _AT_FDCWD, _AT_RECURSIVE, _ATTR_RDONLY = 442, -100, 0x8000, 1
_PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS, _CAPABILITY_VERSION = 24, 38, 0x20080522


def available(writable: Path) -> tuple[str, ...]:
    """The namespaces that can be had here, tried out in a process of its own; none but on Linux."""
    if not is_linux():
        return ()
    for names in _LEVELS:
        if _succeeds(lambda names=names: _try_out(names, writable)):  # type: ignore[misc]
            return names
    return ()


def enter(names: tuple[str, ...]) -> None:
    """Move this process into new namespaces; with "pid" among them, its next child.

    Only a process of one thread can. Call `shut` in the process that is to live in them. Raises OSError.
    """
    uid, gid = os.geteuid(), os.getegid()
    flags = 0
    for name in names:
        flags |= _FLAGS[name]
    _call("unshare", flags)
    with contextlib.suppress(OSError):  # kernels before 3.19 have no such file
        Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1")
    Path("/proc/self/gid_map").write_text(f"{gid} {gid} 1")


def shut(names: tuple[str, ...], writable: Path) -> None:
    """Make everything but `writable` read-only, show only own pids, and give up all capabilities for good."""
    if "mount" in names:
        _call("mount", b"none", b"/", None, _MS_REC | _MS_PRIVATE, None)
        if "pid" in names:
            _call("mount", b"proc", b"/proc", b"proc", _MS_NOSUID_NODEV_NOEXEC, None)
        folder = os.fsencode(writable)
        _call("mount", folder, folder, None, _MS_BIND, None)
        _set_read_only(b"/", recursive=True)
        _set_writable(folder)
    if names:
        _drop_capabilities()


def _try_out(names: tuple[str, ...], writable: Path) -> None:
    enter(names)
    if "pid" not in names:
        shut(names, writable)
    elif not _succeeds(lambda: shut(names, writable)):
        raise OSError


def _succeeds(act: Callable[[], None]) -> bool:
    """Whether `act`, done in a child that then leaves, raises no OSError."""
    pid = os.fork()
    if not pid:
        _leave(act)
    return os.waitpid(pid, 0)[1] == 0


def _leave(act: Callable[[], None]) -> NoReturn:
    try:
        act()
        os._exit(0)
    finally:
        os._exit(1)


class _MountAttr(ctypes.Structure):
    _fields_ = tuple((name, ctypes.c_uint64) for name in ("set", "clear", "propagation", "userns_fd"))


def _set_read_only(path: bytes, *, recursive: bool) -> None:
    _set_attributes(path, _MountAttr(set=_ATTR_RDONLY), _AT_RECURSIVE if recursive else 0)


def _set_writable(path: bytes) -> None:
    _set_attributes(path, _MountAttr(clear=_ATTR_RDONLY), 0)


def _set_attributes(path: bytes, attributes: _MountAttr, flags: int) -> None:
    size = ctypes.c_size_t(ctypes.sizeof(attributes))
    _call("syscall", ctypes.c_long(_MOUNT_SETATTR), _AT_FDCWD, path, flags, ctypes.byref(attributes), size)


class _CapabilityHeader(ctypes.Structure):
    _fields_ = (("version", ctypes.c_uint32), ("pid", ctypes.c_int))


def _drop_capabilities() -> None:
    system = ctypes.CDLL(None, use_errno=True)
    capability = 0
    while system.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0) == 0:
        capability += 1
    header = _CapabilityHeader(_CAPABILITY_VERSION, 0)
    _call("capset", ctypes.byref(header), ctypes.byref((ctypes.c_uint32 * 6)()))
    _call("prctl", _PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)


def _call(name: str, *arguments: object) -> None:
    system = ctypes.CDLL(None, use_errno=True)
    if getattr(system, name)(*arguments) < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), name)
