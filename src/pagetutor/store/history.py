"""The learner's history: append-only, saved at once, and never the reason a lesson stops."""

from __future__ import annotations

import os
import sqlite3
import time
import uuid
from collections.abc import Callable, Sequence
from pathlib import Path

from pagetutor.store import database
from pagetutor.store.database import Fault, Mark, Record, SetAside, UnusableFileError
from pagetutor.store.events import Event, Imported
from pagetutor.store.order import in_order
from pagetutor.text import Text


def state_folder() -> Path | None:
    """Where this learner's state lies: PAGETUTOR_HOME, else the system's place; None where there is none.

    None too for a `~somebody` nobody knows, or a relative path in a folder that has been deleted.
    """
    moved = os.environ.get("PAGETUTOR_HOME")
    if moved:
        try:
            return Path(moved).expanduser().absolute()
        except (RuntimeError, FileNotFoundError):
            return None
    from platformdirs import user_state_path  # noqa: PLC0415 — `--help` needs no folder

    folder = user_state_path("pagetutor", appauthor=False)
    return folder if folder.is_absolute() else None  # no home known: `~` stays as it is


def open_history() -> History:
    """This learner's history. Touches nothing until something is recorded."""
    folder = state_folder()
    return History(folder / "history.db" if folder else None)


class History:
    """The events of one learner, each machine's in the order they were recorded.

    What cannot be saved now is kept in memory and tried again with the next event; `trouble` then
    says so in one sentence. No method raises for the file's sake. Several tutors may share a file.
    """

    def __init__(
        self, path: Path | None, *, clock: Callable[[], float] = time.time, busy_s: float = 5.0
    ) -> None:
        self.path = path
        self.clock = clock
        self._busy_s = busy_s
        self._seen: dict[str, Record] = {}
        self._pending: list[Record] = []
        self._looked_thoroughly = False
        self._last_read: Mark | None = None
        self._failing: Text | None = None
        self._why: str | None = None  # of `_failing`; None where the file was busy
        self._notices: list[Text] = []
        self._told: set[Text] = set()

    def append(self, *events: Event) -> None:
        """Record these events now."""
        self.append_records([self._recorded_now(event) for event in events])

    def append_records(self, records: Sequence[Record]) -> None:
        """Record what was recorded elsewhere, with its ids and times; what is known already is left alone."""
        self._pending.extend(records)
        self.flush()

    def take_over(self, records: Sequence[Record]) -> None:
        """Record what another machine recorded; `records()` then gives it among this one's, by time."""
        if records:
            imported = Imported(tuple(record.id for record in records))
            self.append_records([*records, self._recorded_now(imported)])

    def _recorded_now(self, event: Event) -> Record:
        return Record(uuid.uuid4().hex, self.clock(), event)

    def flush(self) -> None:
        """Try again to save what could not be saved."""
        if self._pending:
            self._attempt(self._save)

    def records(self) -> tuple[Record, ...]:
        """Everything recorded so far, as it happened: other tutors' events too, and what is unsaved."""
        self._attempt(self._read)
        merged = dict(self._seen)
        for record in self._pending:
            merged.setdefault(record.id, record)
        return in_order(tuple(merged.values()))

    @property
    def trouble(self) -> Text | None:
        """What is wrong with saving, in one sentence with the next thing to do; None where all is well."""
        return self._failing or (self._notices[-1] if self._notices else None)

    def new_trouble(self) -> Text | None:
        """The sentence about trouble that has not been said yet; each is given out once."""
        for text in (*self._notices, self._failing):
            if text is not None and text not in self._told:
                self._told.add(text)
                return text
        return None

    def lost(self) -> Text | None:
        """At the end of a command: the sentence about what could not be saved even now, if there is any.

        It takes the place of the sentence that said it was kept in memory.
        """
        if not self._pending or self.path is None:
            return None
        self._attempt(self._save)
        if not self._pending or self._failing is None:
            return None
        self._told.add(self._failing)
        if self._why is None:
            return _LOST_BUSY.with_(path=self.path)
        return _LOST.with_(path=self.path, why=self._why)

    def _attempt(self, work: Callable[[Path, float], None]) -> None:
        """Do this with the file; a bad file is set aside and the work done on the new one."""
        if self.path is None:
            self._failing = _NOWHERE if self._pending else None
            return
        # Once it was busy, ask only briefly: nobody should wait 5 s at every answer.
        busy_s = self._busy_s if self._failing is None else min(self._busy_s, 0.1)
        try:
            try:
                work(self.path, busy_s)
            except UnusableFileError:
                self._note(database.set_aside(self.path, busy_s=busy_s))
                work(self.path, busy_s)
        except UnusableFileError:
            self._why = "damaged again"
            self._failing = _cannot_save(self.path, self._why)
        except sqlite3.Error as error:
            busy = database.is_busy(error)
            self._why = None if busy else str(error)
            self._failing = _LOCKED.with_(path=self.path) if busy else _cannot_save(self.path, str(error))
        except OSError as error:
            self._why = error.strerror or str(error)
            self._failing = _cannot_save(self.path, self._why)
        else:
            if not self._pending:
                self._failing = None

    def _read(self, path: Path, busy_s: float) -> None:
        if not path.exists():
            return
        saved, last = database.read(
            path, busy_s=busy_s, thorough=not self._looked_thoroughly, after=self._last_read
        )
        self._looked_thoroughly = True
        self._last_read = last
        merged = {record.id: record for record in saved}
        # A file deleted under a running tutor does not send the learner back to the start.
        for record_id in merged.keys() & self._seen.keys():
            del self._seen[record_id]
        self._seen |= merged

    def _save(self, path: Path, busy_s: float) -> None:
        fresh = not path.exists()
        database.add(path, [*(self._seen.values() if fresh else ()), *self._pending], busy_s=busy_s)
        self._seen |= {record.id: record for record in self._pending if record.id not in self._seen}
        self._pending.clear()

    def _note(self, aside: SetAside | None) -> None:
        if aside is None:
            return
        if aside.fault is Fault.NEWER:
            self._notices.append(_NEWER.with_(kept=aside.kept))
        else:
            self._notices.append(_DAMAGED.with_(kept=aside.kept, carried=aside.carried))


def _cannot_save(path: Path, why: str) -> Text:
    return _UNSAVED.with_(path=path, why=why)


_NOWHERE = Text(
    zh="找不到可以存进度的地方，这次的进度只留在内存里，退出就没了；把环境变量 `PAGETUTOR_HOME` 设成一个可"
    "写的文件夹就能存下来。",
    en="There is no folder to keep your progress in, so it lasts only until you leave; set "
    "`PAGETUTOR_HOME` to a folder you can write to.",
)
_UNSAVED = Text(
    zh="进度存不进 {path}（{why}），先留在内存里，课程照常继续；腾出空间，或把 `PAGETUTOR_HOME` 设成一个可"
    "写的文件夹。",
    en="Your progress cannot be saved to {path} ({why}); it is kept in memory and the lesson goes on. "
    "Free some space, or set `PAGETUTOR_HOME` to a folder you can write to.",
)
_LOCKED = Text(
    zh="进度文件 {path} 正被别的程序占着，新的进度先留在内存里，一放开就补存。",
    en="Another program is holding the progress file {path}; new progress is kept in memory and saved as "
    "soon as the file is free.",
)
_LOST = Text(
    zh="进度存不进 {path}（{why}），这条命令做的没有记下来；腾出空间，或把 `PAGETUTOR_HOME` 设成一个"
    "可写的文件夹，再运行一次。",
    en="Your progress cannot be saved to {path} ({why}), so what this command did is not recorded. Free some "
    "space, or set `PAGETUTOR_HOME` to a folder you can write to, and run it again.",
)
_LOST_BUSY = Text(
    zh="进度文件 {path} 一直被别的程序占着，这条命令做的没有记下来；等它放开，再运行一次。",
    en="Another program kept holding the progress file {path}, so what this command did is not recorded. Run "
    "it again once the file is free.",
)
_DAMAGED = Text(
    zh="进度文件损坏了，原样留在 {kept}；里面还能读出的 {carried} 条记录已经接着用，课程照常继续。",
    en="The progress file was damaged. It is kept as {kept}; the {carried} records that could still be "
    "read are carried over, and the lesson goes on.",
)
_NEWER = Text(
    zh="进度文件是更新版本的 pagetutor 存的，这个版本读不了；它原样留在 {kept}，这里从头记起。升级 "
    "pagetutor 后可以再用它。",
    en="The progress file was saved by a newer pagetutor and cannot be read by this one. It is kept as "
    "{kept} and a new one was begun; upgrade pagetutor to use it again.",
)
