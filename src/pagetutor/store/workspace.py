"""The learner's folder: the file is placed when there is none, and never touched when there is one."""

from __future__ import annotations

import os
import re
import stat
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from pagetutor.errors import WorkspaceError
from pagetutor.text import Text

FILE_NAME = "block_manager.py"


class FileState(StrEnum):
    """What is there under the name of the learner's file."""

    ABSENT = "absent"
    THEIRS = "theirs"  # the exercise, as far as it is
    EMPTY = "empty"
    FOREIGN = "foreign"  # a file of that name that has nothing to do with the exercise
    NO_FILE = "no file"  # a folder, a dangling link, or a file that may not be read


@dataclass(frozen=True, slots=True)
class Backup:
    """A former state of the learner's file, kept beside it."""

    path: Path
    number: int

    @property
    def kept_at(self) -> float:
        """When it was put there, in seconds since the epoch."""
        return self.path.stat().st_mtime


@dataclass(frozen=True, slots=True)
class Workspace:
    """The folder a learner works in.

    `starter` is the file theirs begins as; `methods` are the exercise's methods, by which a file of
    theirs is told from somebody else's.
    """

    folder: Path
    starter: Path
    methods: tuple[str, ...]

    @property
    def file(self) -> Path:
        """The learner's file, there or not."""
        return self.folder / FILE_NAME

    def state(self) -> FileState:
        """What is there now, judged by its text alone: it may well not be valid Python."""
        if not os.path.lexists(self.file):
            return FileState.ABSENT
        try:
            if not stat.S_ISREG(self.file.stat().st_mode):
                return FileState.NO_FILE
            source = self.file.read_bytes()
        except OSError:
            return FileState.NO_FILE
        if not source.strip():
            return FileState.EMPTY
        text = source.replace(b"\0", b"").decode("utf-8", "replace")  # UTF-16 shows its ASCII this way too
        names = "|".join(map(re.escape, self.methods))
        ours = re.search(rf"\b(?:{names})\b|\bclass\s+(?:KVCacheManager|BlockManager)\b", text)
        return FileState.THEIRS if ours else FileState.FOREIGN

    def place_starter(self) -> bool:
        """Put the starter there whole, unless anything of that name exists; whether it was put there.

        Raises WorkspaceError where the folder cannot be written to.
        """
        try:
            return _create(self.file, self.starter.read_bytes())
        except OSError as error:
            raise WorkspaceError(_CANNOT_WRITE.with_(folder=self.folder, why=error.strerror)) from error

    def replace(self, content: bytes) -> Backup | None:
        """Put this in place of the learner's file, in its own newline style, and keep the old one.

        None where there was no file. Raises WorkspaceError, with the file untouched, where either
        cannot be written.
        """
        try:
            old = self.file.read_bytes() if self.file.exists() else b""
        except OSError as error:
            raise WorkspaceError(_CANNOT_WRITE.with_(folder=self.folder, why=error.strerror)) from error
        return self._put(in_style_of(old, content) if old.strip() else content)

    def rewrite(self, content: bytes) -> Backup | None:
        """Put exactly these bytes in place of the learner's file, and keep the old one.

        None where there was no file. Raises WorkspaceError as `replace` does.
        """
        return self._put(content)

    def backups(self) -> tuple[Backup, ...]:
        """The former states that were kept, oldest first."""
        found = []
        for path in self.folder.glob(f"{FILE_NAME}.backup-*"):
            number = path.name.rpartition("-")[2]
            if number.isdecimal():
                found.append(Backup(path, int(number)))
        return tuple(sorted(found, key=lambda backup: backup.number))

    def restore(self, backup: Backup) -> Backup | None:
        """Make this former state the learner's file again, byte for byte; the present one is kept as well.

        Raises WorkspaceError as `replace` does.
        """
        try:
            content = backup.path.read_bytes()
        except OSError as error:
            raise WorkspaceError(_NO_BACKUP.with_(path=backup.path, why=error.strerror)) from error
        return self._put(content)

    def unsaved(self) -> Path | None:
        """An editor's file that shows an edit not saved yet; None where there is none to be seen."""
        for name in (f".{FILE_NAME}.swp", f".{FILE_NAME}.swo", f"._{FILE_NAME}.swp"):
            swap = self.folder / name
            if _is_dirty_swap(swap):
                return swap
        for name in (f".#{FILE_NAME}", f"#{FILE_NAME}#"):  # Emacs keeps these only while there are changes
            if os.path.lexists(self.folder / name):
                return self.folder / name
        return None

    def _put(self, content: bytes) -> Backup | None:
        target = self.file.resolve()  # a link stays a link: what it points to is replaced
        fresh = target.with_name(f".{FILE_NAME}.{os.getpid()}.new")
        try:
            old = target.read_bytes() if target.exists() else None
            backup = None if old is None else self._keep(old)
            try:
                fresh.write_bytes(content)
                if old is not None:
                    fresh.chmod(stat.S_IMODE(target.stat().st_mode))
                os.replace(fresh, target)
            finally:
                fresh.unlink(missing_ok=True)
        except OSError as error:
            raise WorkspaceError(_CANNOT_WRITE.with_(folder=self.folder, why=error.strerror)) from error
        return backup

    def _keep(self, old: bytes) -> Backup:
        number = max((backup.number for backup in self.backups()), default=0) + 1
        while not _create(path := self.folder / f"{FILE_NAME}.backup-{number}", old):
            number += 1
        return Backup(path, number)


def in_style_of(old: bytes, new: bytes) -> bytes:
    """`new` with the newlines and the byte order mark that `old` has."""
    unix = new.replace(b"\r\n", b"\n")
    newlines = old.count(b"\n")
    styled = unix.replace(b"\n", b"\r\n") if old.count(b"\r\n") * 2 > newlines else unix
    bom = b"\xef\xbb\xbf"
    return bom + styled.removeprefix(bom) if old.startswith(bom) else styled


def _create(path: Path, content: bytes) -> bool:
    """Make this file whole, or not at all where something of that name exists.

    Written beside it first and then linked: a link never replaces, and no reader sees half a file.
    """
    if os.path.lexists(path):
        return False
    fresh = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        fresh.write_bytes(content)
        try:
            os.link(fresh, path)
        except FileExistsError:
            return False
        except OSError:  # a file system without hard links
            return _create_in_place(path, content)
    finally:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
    return True


def _create_in_place(path: Path, content: bytes) -> bool:
    try:
        with path.open("xb") as file:
            try:
                file.write(content)
            except OSError:
                path.unlink()  # ours and only half there
                raise
    except FileExistsError:
        return False
    return True


def _is_dirty_swap(path: Path) -> bool:
    """Whether this is the swap file of an edit that is not saved.

    Vim and nano keep one as long as the file is open; byte 1007 of its first block is 0x55 only
    while the text differs from the file (struct block0, `b0_dirty`).
    """
    try:
        with path.open("rb") as file:
            block = file.read(1008)
    except OSError:
        return False
    return len(block) == 1008 and block[1007] == 0x55


_CANNOT_WRITE = Text(
    zh="在 {folder} 里写不了文件（{why}），什么也没有改；换一个可写的文件夹，再运行一次。",
    en="Nothing could be written in {folder} ({why}), and nothing was changed; go to a folder you can "
    "write to and run it again.",
)
_NO_BACKUP = Text(
    zh="读不到备份 {path}（{why}），什么也没有改。",
    en="The backup {path} cannot be read ({why}); nothing was changed.",
)
