"""`progress export|import`: the history as one JSON document, to go on learning on another machine."""

from __future__ import annotations

import json
from pathlib import Path

from pagetutor.errors import WorkspaceError
from pagetutor.store.exchange import export_history, import_history, read_export
from pagetutor.store.history import History
from pagetutor.store.new_file import write_new_file
from pagetutor.text import Text


def exported(history: History) -> dict[str, object]:
    """The document to print."""
    return export_history(history)


def export_to(path: Path, history: History) -> Text:
    """Write the document into a new file, and the sentence that says so. Raises WorkspaceError."""
    write_new_file(path, json.dumps(export_history(history), indent=1) + "\n")
    return _EXPORTED.with_(path=path)


def import_from(path: Path, history: History) -> Text:
    """Take over what the file at `path` holds, as `import_document` does. Raises WorkspaceError."""
    return import_document(read_document(path), history)


def read_document(path: Path) -> bytes:
    """What the file at `path` holds. Raises WorkspaceError where it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise WorkspaceError(_CANNOT_READ.with_(path=path, why=error.strerror)) from error


def import_document(content: bytes, history: History) -> Text:
    """Add what is new in the document to the history, and the sentence that says how much that was.

    Nothing that is there is changed. Raises WorkspaceError, with nothing added, for what is no export.
    """
    new = import_history(history, read_export(content))
    if new == 1:
        return _IMPORTED_ONE
    return _IMPORTED.with_(count=new) if new else _NOTHING_NEW


_EXPORTED = Text(
    zh="进度导出到 {path} 了。在另一台机器上运行 `pagetutor progress import {path}`。",
    en="Your progress is in {path}. On the other machine, run `pagetutor progress import {path}`.",
)
_CANNOT_READ = Text(
    zh="读不了 {path}（{why}），没有从中取任何东西。看看路径写对了没有。",
    en="{path} cannot be read ({why}), and nothing was taken from it. See whether the path is right.",
)
_IMPORTED = Text(
    zh="导入了 {count} 条新记录，原有的进度都还在。",
    en="{count} records are new here and were added; what was here before is still here.",
)
_IMPORTED_ONE = Text(
    zh="导入了 1 条新记录，原有的进度都还在。",
    en="1 record is new here and was added; what was here before is still here.",
)
_NOTHING_NEW = Text(
    zh="里面的记录这里都有了，没有要导入的。",
    en="Everything in it is here already; there was nothing to import.",
)
