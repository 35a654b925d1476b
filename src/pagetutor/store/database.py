"""The progress file as SQLite sees it: opening, reading, adding, and setting a bad one aside.

One connection per operation: a file that another tutor has set aside in the meantime is then never
written to through an old handle. A rollback journal and not a write-ahead log: one file, no shared
memory, so it also works on network folders. The price is two fsyncs an event, a few milliseconds.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from pagetutor.store.events import Event, from_data, to_data

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Record:
    """An event as recorded: `id` is its own for ever, `at` seconds since the epoch by that clock."""

    id: str
    at: float
    event: Event


class Fault(StrEnum):
    """Why a file is no progress file of ours; the value is part of the name it is kept under."""

    DAMAGED = "damaged"
    NEWER = "newer"


class UnusableFileError(Exception):
    """The file is there and cannot be used as it is."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault)
        self.fault = fault


@dataclass(frozen=True, slots=True)
class SetAside:
    """A bad file was put out of the way: why, where it is now, how many records could be carried over."""

    fault: Fault
    kept: Path
    carried: int


@dataclass(frozen=True, slots=True)
class Mark:
    """How far a file was read: the place and the id of the last record."""

    seq: int
    id: str


def read(
    path: Path, *, busy_s: float, thorough: bool, after: Mark | None = None
) -> tuple[list[Record], Mark | None]:
    """Every record in the order they were added, and how far that is; nothing is created.

    With `after`, only those added since, unless another file is there now. `thorough` also has SQLite
    look for damage (under 1 ms for a thousand records).
    Raises UnusableFileError, or sqlite3.Error where the file cannot be opened or read now.
    """
    with _opened(path, "rw", busy_s) as db:
        _look(db, thorough=thorough)
        return _rows(db, after) if _has_table(db) else ([], None)


def add(path: Path, records: Sequence[Record], *, busy_s: float) -> None:
    """Add these records in one transaction, making folder, file and table where there are none.

    A record whose id is there already is left alone, so adding twice is harmless.
    Raises as `read` does, and OSError where the folder cannot be made.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with _opened(path, "rwc", busy_s) as db:
        _look(db, thorough=False)
        db.execute("BEGIN IMMEDIATE")
        _insert(db, records)
        db.execute("COMMIT")


def set_aside(path: Path, *, busy_s: float) -> SetAside | None:
    """Put a bad progress file out of the way and begin a new one with the records that can still be read.

    None where another tutor has done so already. The old bytes are kept under a name of their own;
    at no moment is there neither file. Raises sqlite3.Error or OSError where the folder cannot be changed.
    """
    with _alone(path.with_name("history.lock"), busy_s):
        try:
            read(path, busy_s=busy_s, thorough=True)
        except UnusableFileError as bad:
            fault = bad.fault
        else:
            return None
        carried = _readable_rows(path) if fault is Fault.DAMAGED else []
        fresh = path.with_name("history.new.db")
        fresh.unlink(missing_ok=True)
        add(fresh, carried, busy_s=busy_s)
        kept = _free_name(path, fault)
        try:
            os.link(path, kept)
        except OSError:  # no hard links here: for a moment there is no file, and none is lost
            os.rename(path, kept)
        os.replace(fresh, path)
        return SetAside(fault, kept, len(carried))


@contextmanager
def _opened(path: Path, mode: str, busy_s: float) -> Iterator[sqlite3.Connection]:
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    with closing(sqlite3.connect(uri, uri=True, timeout=busy_s, isolation_level=None)) as db:
        try:
            yield db
        except sqlite3.DatabaseError as error:
            if _primary_code(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
                raise UnusableFileError(Fault.DAMAGED) from error
            raise


def is_busy(error: sqlite3.Error) -> bool:
    """Whether another program holds the file."""
    return _primary_code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _primary_code(error: sqlite3.Error) -> int:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF  # the upper bits only say more of the same


def _look(db: sqlite3.Connection, *, thorough: bool) -> None:
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version > FORMAT:
        raise UnusableFileError(Fault.NEWER)
    tables = db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if (version == FORMAT and not _has_table(db)) or (version < FORMAT and tables):
        raise UnusableFileError(Fault.DAMAGED)  # somebody else's database, or what is left of ours
    if thorough and db.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
        raise UnusableFileError(Fault.DAMAGED)


def _has_table(db: sqlite3.Connection) -> bool:
    return db.execute("SELECT 1 FROM sqlite_master WHERE name = 'event'").fetchone() is not None


def _rows(db: sqlite3.Connection, after: Mark | None) -> tuple[list[Record], Mark | None]:
    begun = after is not None and _is_there(db, after)
    first = after.seq if after is not None and begun else 0
    query = "SELECT seq, id, at, kind, data FROM event WHERE seq > ? ORDER BY seq"
    rows = db.execute(query, (first,)).fetchall()
    last = Mark(*rows[-1][:2]) if rows else (after if begun else None)
    return [_record(row[1:]) for row in rows], last


def _is_there(db: sqlite3.Connection, mark: Mark) -> bool:
    """Whether this is still the file of that mark: one put in its place has other records there."""
    return (
        db.execute("SELECT 1 FROM event WHERE (seq, id) = (?, ?)", (mark.seq, mark.id)).fetchone() is not None
    )


def _record(row: tuple[str, float, str, str]) -> Record:
    record_id, at, kind, data = row
    try:
        fields = json.loads(data)
    except ValueError as error:
        raise UnusableFileError(Fault.DAMAGED) from error
    if not isinstance(fields, dict):
        raise UnusableFileError(Fault.DAMAGED)
    return Record(record_id, at, from_data(kind, fields))


def _readable_rows(path: Path) -> list[Record]:
    """What a damaged file still gives, up to the first record that cannot be read."""
    found: list[Record] = []
    with (
        suppress(sqlite3.Error, UnusableFileError),
        closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as db,
    ):
        for row in db.execute("SELECT id, at, kind, data FROM event ORDER BY seq"):
            found.append(_record(row))
    return found


def _insert(db: sqlite3.Connection, records: Sequence[Record]) -> None:
    db.execute(
        "CREATE TABLE IF NOT EXISTS event (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL "
        "UNIQUE, at REAL NOT NULL, kind TEXT NOT NULL, data TEXT NOT NULL)"
    )
    db.execute(f"PRAGMA user_version = {FORMAT}")
    # Plain ASCII JSON: what a learner typed or named a folder may hold half a character.
    db.executemany(
        "INSERT INTO event (id, at, kind, data) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
        [(r.id, r.at, r.event.kind, json.dumps(to_data(r.event))) for r in records],
    )


@contextmanager
def _alone(lock: Path, busy_s: float) -> Iterator[None]:
    """Hold a lock that the system gives back however this process ends: SQLite's own, on an empty file."""
    with closing(sqlite3.connect(lock, timeout=busy_s, isolation_level=None)) as db:
        db.execute("BEGIN EXCLUSIVE")
        yield
        db.execute("ROLLBACK")


def _free_name(path: Path, fault: Fault) -> Path:
    number = 1
    while (name := path.with_name(f"{path.stem}.{fault}-{number}{path.suffix}")).exists():
        number += 1
    return name
