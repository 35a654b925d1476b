"""What this kernel offers to hold a process in, asked of it without any of our own code."""

from __future__ import annotations

import ctypes
import functools
import os
import subprocess
import sys

_LANDLOCK_CREATE, _LANDLOCK_VERSION = 444, 1
_NAMESPACES = {"user": "-U", "mount": "-m", "net": "-n", "ipc": "-i", "pid": "-p"}


@functools.cache
def landlock_abi() -> int:
    """The version of Landlock; 0 where there is none."""
    if sys.platform != "linux":
        return 0
    nothing = ctypes.c_void_p(None)
    version = ctypes.CDLL(None).syscall(
        ctypes.c_long(_LANDLOCK_CREATE), nothing, ctypes.c_size_t(0), ctypes.c_uint32(_LANDLOCK_VERSION)
    )
    return max(int(version), 0)


@functools.cache
def namespaces() -> frozenset[str]:
    """The namespaces that `unshare(1)` gets us: all, all but pid, those without mounts, or none.

    A namespace of pids counts with a /proc of its own, one of mounts with a read-only root.
    """
    read_only = "mount --make-rprivate / && mount -o bind,remount,ro /"
    tries = (
        (("user", "mount", "net", "ipc", "pid"), f"mount -t proc proc /proc && {read_only}"),
        (("user", "mount", "net", "ipc"), read_only),
        (("user", "net", "ipc"), "true"),
    )
    for names, act in tries:
        flags = [_NAMESPACES[name] for name in names] + (["-f"] if "pid" in names else [])
        if _succeeds(["unshare", *flags, "-r", "sh", "-c", act]):
            return frozenset(names)
    return frozenset()


def _succeeds(command: list[str]) -> bool:
    try:
        return subprocess.run(command, capture_output=True, check=False, cwd=os.sep).returncode == 0
    except OSError:
        return False
