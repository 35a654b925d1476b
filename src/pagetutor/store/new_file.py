"""Writing a file of the learner's own: one that is there already is never touched."""

from __future__ import annotations

from pathlib import Path

from pagetutor.errors import WorkspaceError
from pagetutor.text import Text


def write_new_file(path: Path, content: str) -> None:
    """Write a new UTF-8 file. Raises WorkspaceError where one is there, or none can be made."""
    try:
        with path.open("x", encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            file.write(content)
    except FileExistsError as error:
        raise WorkspaceError(_THERE_ALREADY.with_(path=path)) from error
    except OSError as error:
        raise WorkspaceError(_CANNOT_WRITE.with_(path=path, why=error.strerror)) from error


_THERE_ALREADY = Text(
    zh="{path} 已经有了，没有覆盖它；换一个文件名再来一次。",
    en="{path} is there already and was left as it is; run this again with another name.",
)
_CANNOT_WRITE = Text(
    zh="写不了 {path}（{why}）；换一个可写的文件夹，再来一次。",
    en="{path} cannot be written ({why}); run this again with a folder you can write to.",
)
