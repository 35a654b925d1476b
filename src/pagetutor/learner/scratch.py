"""The folder of all scratch folders of one tutor, and those that killed tutors have left behind."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Callable
from contextlib import suppress
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
        self.path = Path(tempfile.mkdtemp(prefix=PREFIX))
        self._lock = _locked(self.path / LOCK)

    def new(self) -> Path:
        """A fresh scratch folder."""
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
            held = _locked(lock)
            if held is not None:
                remove_folder(lock.parent)
                os.close(held)


def remove_scratches(root: Path) -> None:
    """Remove the scratch folders in it; the root stays, for a process that may write only below it."""
    with suppress(OSError):
        for entry in os.scandir(root):
            if entry.name != LOCK:
                remove_folder(Path(entry.path))


def remove_folder(folder: Path) -> None:
    """Remove it whatever became of it: locked folders inside, a link or a file in its place."""

    def unlock(_act: Callable[..., object], path: str, _error: object) -> None:
        with suppress(OSError):
            os.chmod(os.path.dirname(path), stat.S_IRWXU)
            if os.path.isdir(path) and not os.path.islink(path):
                os.chmod(path, stat.S_IRWXU)
                shutil.rmtree(path, ignore_errors=True)
            else:
                os.unlink(path)

    if folder.is_symlink() or folder.is_file():
        with suppress(OSError):
            folder.unlink()
    elif folder.exists():
        shutil.rmtree(folder, onerror=unlock)


def _locked(path: Path) -> int | None:
    """A descriptor that holds the lock for as long as it is open; None where another process does."""
    if fcntl is None:
        return None
    lock = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        return None
    return lock
