"""When a file was saved: its path looked at twenty times a second, whatever way an editor saves.

Editors write in place, rename a new file over the old one, or take the file away for a moment.
Looking at the path sees all of them, also on network folders, in WSL and in containers, where the
system's notices of changes do not come; a look costs some microseconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from pagetutor.errors import WorkspaceError
from pagetutor.text import Text
from pagetutor.tutor.checking import read_file, source_hash

LOOK_S = 0.05  # between two looks; twice as long would put a fifth on the time from save to verdict
SETTLE_S = 0.025  # a change is believed once a second look finds the same
DOUBT_S = 0.3  # an absent or empty file is most likely about to be written
COARSE_S = 2.0  # for so long a clock of files may show no difference (FAT: 2 s, ext4: 4 ms)

Stamp = tuple[int, ...]  # what `stat` tells; another one means that something was done to the file
Content = bytes | Text  # a file's bytes, or why they cannot be read


class Files(Protocol):
    """The world of files, so that tests can play one."""

    def stamp(self, path: Path) -> Stamp | None:
        """What `stat` tells now, its first figure the size; None where there is no such file."""

    def read(self, path: Path) -> Content | None:
        """What stands there now; None where there is no such file."""


class Disk:
    """`Files` as they are."""

    def stamp(self, path: Path) -> Stamp | None:
        """What `stat` tells now; where it may not be asked, the error's number stands for it."""
        try:
            seen = path.stat()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:  # a folder that may not be searched, links in a circle
            return (-1, error.errno or 0)
        return (
            seen.st_size,
            seen.st_mtime_ns,
            seen.st_ctime_ns,
            seen.st_ino,
            seen.st_dev,
            seen.st_mode,
        )

    def read(self, path: Path) -> Content | None:
        """What stands there now."""
        try:
            return read_file(path)
        except WorkspaceError:
            return None


@dataclass(frozen=True, slots=True)
class Saved:
    """New content stands there: exactly this."""

    content: Content


class Gone:
    """There is no such file any more, and not only for the moment of a save."""


class Saves:
    """Tells each save once; the caller brings the time, in seconds of a clock that never goes back."""

    def __init__(self, path: Path, files: Files) -> None:
        self.due = 0.0  # when to look next
        self._path = path
        self._files = files
        self._known: Stamp | None = None
        self._known_at = -COARSE_S
        self._looked = False
        self._changing: tuple[Stamp | None, float] | None = None  # what was seen, and when first
        self._told: str | Text | None = None  # the content told last, bytes by their hash

    def forget(self) -> None:
        """Tell the content that stands there once more, as if it had just been saved."""
        self._told = None
        self._looked = False
        self.due = 0.0

    def look(self, now: float) -> Saved | Gone | None:
        """What has happened since the last look; None where nothing has, or it is not over yet."""
        if now < self.due:
            return None
        stamp = self._files.stamp(self._path)
        if self._is_old(stamp, now):
            self._changing = None
            self.due = now + LOOK_S
            return None
        if self._changing is None or self._changing[0] != stamp:
            self._changing = (stamp, now)
        if now - self._changing[1] < (SETTLE_S if stamp is not None and stamp[0] else DOUBT_S):
            self.due = now + SETTLE_S
            return None
        content = None if stamp is None else self._files.read(self._path)
        if self._files.stamp(self._path) != stamp or (content is None) != (stamp is None):
            # It was written to, or was gone for a moment, while it was read.
            self._changing = None
            self.due = now + SETTLE_S
            return None
        return self._settled(stamp, content, now)

    def _is_old(self, stamp: Stamp | None, now: float) -> bool:
        """Whether nothing was done to the file: a second save within one tick shows only in the bytes."""
        if not self._looked or stamp != self._known:
            return False
        return stamp is None or now >= self._known_at + COARSE_S

    def _settled(self, stamp: Stamp | None, content: Content | None, now: float) -> Saved | Gone | None:
        if not self._looked or stamp != self._known:
            self._known_at = now
        was_there = self._known is not None or not self._looked
        self._known, self._looked, self._changing = stamp, True, None
        self.due = now + LOOK_S
        if content is None:
            self._told = None  # its check was cancelled, maybe: what comes back is told whatever it is
            return Gone() if was_there else None
        name = content if isinstance(content, Text) else source_hash(content)
        if name == self._told:
            return None
        self._told = name
        return Saved(content)

    @property
    def there(self) -> bool:
        """Whether there was such a file at the last look that found rest."""
        return self._known is not None
