"""The history as JSON values, to move it to another machine."""

from __future__ import annotations

import json
from pathlib import Path

from pagetutor.errors import WorkspaceError
from pagetutor.store.database import FORMAT, Record
from pagetutor.store.events import Event, from_data, to_data
from pagetutor.store.history import History
from pagetutor.text import Text


def export_history(history: History) -> dict[str, object]:
    """Everything recorded, as `{"schema": 1, "events": [{"id", "at", "kind", "data"}, …]}`."""
    return {
        "schema": FORMAT,
        "events": [
            {"id": r.id, "at": r.at, "kind": r.event.kind, "data": to_data(r.event)}
            for r in history.records()
        ],
    }


def import_history(history: History, exported: object) -> int:
    """Add an export's events to this history; the number that was new. Importing twice adds nothing.

    Raises WorkspaceError, with nothing added, where it is no export or one of a newer version.
    """
    records = _records(exported)
    known = {record.id for record in history.records()}
    new = {record.id: record for record in records if record.id not in known}
    history.append_records(list(new.values()))
    return len(new)


def exported_events(content: bytes) -> list[Event]:
    """The events in an export, in its order, each once. Raises WorkspaceError where it is none."""
    return list({record.id: record.event for record in _records(read_export(content))}.values())


def write_export(history: History, path: Path) -> None:
    """Write the export into a new file. Raises WorkspaceError where one is there, or none can be made."""
    text = json.dumps(export_history(history), indent=1)
    try:
        with path.open("x", encoding="ascii") as file:
            file.write(text + "\n")
    except FileExistsError as error:
        raise WorkspaceError(_THERE_ALREADY.with_(path=path)) from error
    except OSError as error:
        raise WorkspaceError(_CANNOT_WRITE.with_(path=path, why=error.strerror)) from error


def read_export(content: bytes) -> object:
    """The JSON value in these bytes. Raises WorkspaceError where there is none."""
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise WorkspaceError(_NO_EXPORT) from error


def _records(exported: object) -> list[Record]:
    if not isinstance(exported, dict) or not isinstance(exported.get("events"), list):
        raise WorkspaceError(_NO_EXPORT)
    schema = exported.get("schema")
    if type(schema) is not int or schema < 1:
        raise WorkspaceError(_NO_EXPORT)
    if schema > FORMAT:
        raise WorkspaceError(_NEWER_EXPORT)
    return [_record(item) for item in exported["events"]]


def _record(item: object) -> Record:
    match item:
        case {"id": str(i), "at": int() | float() as at, "kind": str(kind), "data": dict(data)} if i:
            return Record(i, float(at), from_data(kind, data))
        case _:
            raise WorkspaceError(_NO_EXPORT)


_THERE_ALREADY = Text(
    zh="{path} 已经有了，没有覆盖它；换一个文件名再导出。",
    en="{path} is there already and was left as it is; export to another name.",
)
_CANNOT_WRITE = Text(
    zh="写不了 {path}（{why}）；换一个可写的文件夹，再导出一次。",
    en="{path} cannot be written ({why}); export into a folder you can write to.",
)
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
