"""The history as JSON values, to move it to another machine."""

from __future__ import annotations

import json
import time

from pagetutor.errors import WorkspaceError
from pagetutor.store.database import FORMAT, Record
from pagetutor.store.events import Imported, from_data, to_data
from pagetutor.store.history import History
from pagetutor.text import Text


def export_history(history: History) -> dict[str, object]:
    """Everything recorded, as `{"schema": 1, "events": [{"id", "at", "kind", "data"}, …]}`."""
    return {
        "schema": FORMAT,
        "events": [
            {"id": r.id, "at": r.at, "kind": r.event.kind, "data": to_data(r.event)}
            for r in history.records()
            if not isinstance(r.event, Imported)
        ],
    }


def import_history(history: History, exported: object) -> int:
    """Add an export's events to this history; the number that was new. Importing twice adds nothing.

    Raises WorkspaceError, with nothing added, where it is no export or one of a newer version.
    """
    records = _records(exported)
    known = {record.id for record in history.records()}
    new = {record.id: record for record in records if record.id not in known}
    history.take_over(list(new.values()))
    return len(new)


def exported_records(content: bytes) -> list[Record]:
    """The records in an export, in its order, each once. Raises WorkspaceError where it is none."""
    return list({record.id: record for record in _records(read_export(content))}.values())


def read_export(content: bytes) -> object:
    """The JSON value in these bytes. Raises WorkspaceError where there is none."""
    try:
        return json.loads(content, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise WorkspaceError(_NO_EXPORT) from error


def _no_number(name: str) -> float:
    raise ValueError(name)  # NaN and Infinity are Python's own, and no JSON


def _records(exported: object) -> list[Record]:
    if not isinstance(exported, dict) or not isinstance(exported.get("events"), list):
        raise WorkspaceError(_NO_EXPORT)
    schema = exported.get("schema")
    if type(schema) is not int or schema < 1:
        raise WorkspaceError(_NO_EXPORT)
    if schema > FORMAT:
        raise WorkspaceError(_NEWER_EXPORT)
    records = [_record(item) for item in exported["events"]]
    return [record for record in records if not isinstance(record.event, Imported)]


def _record(item: object) -> Record:
    match item:
        case {"id": str(name), "at": at, "kind": str(kind), "data": dict(data)} if (
            name and name.isascii() and kind.isascii() and _is_time(at)
        ):
            return Record(name, float(at), from_data(kind, data))
        case _:
            raise WorkspaceError(_NO_EXPORT)


def _is_time(at: object) -> bool:
    """Whether this is a time that can be told in words: no truth value, no NaN, not beyond the calendar."""
    if not isinstance(at, int | float) or isinstance(at, bool):
        return False
    try:
        time.strftime("%Y-%m-%d", time.localtime(at))
    except (ValueError, OverflowError, OSError):
        return False
    return True


_NO_EXPORT = Text(
    zh="这不是 pagetutor 导出的进度，什么也没有导入；用 `pagetutor progress export` 重新导出一份。",
    en="This is no progress exported by pagetutor, so nothing was imported; export it again with "
    "`pagetutor progress export`.",
)
_NEWER_EXPORT = Text(
    zh="这份进度是更新版本的 pagetutor 导出的，什么也没有导入；先升级这台机器上的 pagetutor。",
    en="This progress was exported by a newer pagetutor, so nothing was imported; upgrade pagetutor here "
    "first.",
)
