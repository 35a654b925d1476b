"""The folder of all scratch folders of one tutor, and those that killed tutors have left behind."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows has other locks; there, nothing is swept
    fcntl = None  # type: ignore[assignment]

PREFIX = "pagetutor-"
LOCK = "in-use"


class ScratchRoot:
    """A folder that is this tutor's for as long as it lives: the lock in it goes with the process."""

    def __init__(self) -> None:
        sweep(Path(tempfile.gettempdir()))
        self._lock: int | None = None
        while self._lock is None:  # another tutor's sweep may have come first
            self.path = Path(tempfile.mkdtemp(prefix=PREFIX))
            self._lock = _locked(self.path / LOCK, create=True)
            if fcntl is None:
                break

    def new(self) -> Path:
        """A fresh scratch folder. Raises OSError."""
        os.chmod(self.path, stat.S_IRWXU)  # the learner's code may have shut it
        return Path(tempfile.mkdtemp(prefix=PREFIX, dir=self.path))

    def remove(self) -> None:
        """Remove everything. Idempotent."""
        remove_folder(self.path)
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def sweep(folder: Path) -> None:
    """Remove what tutors that were killed have left in `folder`: theirs are the locks that nobody holds."""
    for lock in folder.glob(f"{PREFIX}*/{LOCK}"):
        with suppress(OSError):
            held = _locked(lock, create=False)
            if held is not None:
                remove_folder(lock.parent)
                os.close(held)


def remove_scratch(folder: Path) -> None:
    """Remove one scratch folder, also where the root above it was shut. Never raises."""
    with suppress(OSError):
        os.chmod(folder.parent, stat.S_IRWXU)
    remove_folder(folder)


def remove_scratches(root: Path) -> None:
    """Remove the scratch folders in it; the root stays, for a process that may write only below it."""
    with suppress(OSError):
        os.chmod(root, stat.S_IRWXU)
        for entry in os.scandir(root):
            if entry.name != LOCK:
                remove_folder(Path(entry.path))


def remove_folder(folder: Path) -> None:
    """Remove it whatever became of it: locked, thousands of folders deep, a link or a file in its place.

    Never raises; what cannot be removed stays.
    """
    with suppress(OSError):
        if not stat.S_ISDIR(os.lstat(folder).st_mode):
            os.unlink(folder)
            return
    with suppress(OSError):
        os.chmod(folder, stat.S_IRWXU)
        top = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            _empty(top)
        finally:
            os.close(top)
        os.rmdir(folder)


def _empty(top: int) -> None:
    """Remove what is in the folder that is open as `top`, as far as that can be done.

    A folder in it gives its own folders to `top` and goes: so nothing becomes deeper than two, where
    `shutil.rmtree` recurses and fails at a thousand.
    """
    names = (f"{PREFIX}{number}" for number in count())
    kept: set[str] = set()
    while folders := [name for name in _without_files(top) if name not in kept]:
        for name in folders:
            try:
                _flatten(top, name, names)
            except OSError:
                kept.add(name)


def _flatten(top: int, name: str, names: Iterator[str]) -> None:
    os.chmod(name, stat.S_IRWXU, dir_fd=top)
    folder = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=top)
    try:
        for deeper in _without_files(folder):
            os.chmod(deeper, stat.S_IRWXU, dir_fd=folder)  # or it could not be moved
            _move(folder, deeper, top, names)
    finally:
        os.close(folder)
    os.rmdir(name, dir_fd=top)


def _without_files(folder: int) -> list[str]:
    """The names of the folders in it, once all else is unlinked."""
    with os.scandir(folder) as entries:
        found = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
    for name, is_folder in found:
        if not is_folder:
            with suppress(OSError):
                os.unlink(name, dir_fd=folder)
    return [name for name, is_folder in found if is_folder]


def _move(source: int, name: str, top: int, names: Iterator[str]) -> None:
    """Into `top`, under the next of `names` that is free there."""
    for other in names:
        try:
            os.rename(name, other, src_dir_fd=source, dst_dir_fd=top)
        except OSError as error:
            if error.errno not in (errno.EEXIST, errno.ENOTEMPTY, errno.ENOTDIR):
                raise
        else:
            return


def _locked(path: Path, *, create: bool) -> int | None:
    """A descriptor that holds the lock for as long as it is open; None where another process does, or did
    and has removed it.

    Raises OSError where it cannot be opened. A sweep does not `create`: its owner may just have removed it.
    """
    if fcntl is None:
        return None
    lock = os.open(path, os.O_WRONLY | (os.O_CREAT if create else 0) | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.fstat(lock).st_nlink:
            return lock
    except OSError:
        pass
    os.close(lock)
    return None
