"""The learner's file before it is worked on: placed where there is none, its open TODOs named."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pagetutor.content.model import Course, Mission, Todo
from pagetutor.store.workspace import FILE_NAME, FileState, Workspace
from pagetutor.text import Text
from pagetutor.tutor.progress import Progress
from pagetutor.tutor.screen import Said, Screen

if TYPE_CHECKING:
    import ast


def workspace_in(folder: Path, course: Course) -> Workspace:
    """The workspace for this course in that folder; nothing is touched."""
    methods = dict.fromkeys(method for mission in course.missions for method in mission.methods)
    return Workspace(folder.absolute(), course.starter, tuple(methods))


def place_starter(workspace: Workspace, screen: Screen) -> FileState:
    """Put the starter into the folder unless something of that name is there, and say which it was.

    The state is the one found: ABSENT where the starter was placed. Raises WorkspaceError where nothing
    can be written there.
    """
    found = workspace.state()
    if found is FileState.ABSENT and not workspace.place_starter():
        found = workspace.state()  # another tutor was quicker
    screen.show(Said(_SAID[found].with_(path=workspace.file)))
    return found


def left_alone(workspace: Workspace, found: FileState) -> Text:
    """The sentence for a file of that name that is none of the learner's."""
    return _SAID[found].with_(path=workspace.file)


def missing_here(workspace: Workspace, progress: Progress, mission: Mission) -> Text | None:
    """The sentence on where the learner's file is, if it is not in this folder; None otherwise."""
    known = known_file(workspace, progress, mission)
    if known is None:
        return None
    return _ELSEWHERE.with_(file=FILE_NAME, folder=known.parent, here=workspace.folder)


def known_file(workspace: Workspace, progress: Progress, mission: Mission) -> Path | None:
    """The learner's file, if it is not in this folder but in the one they worked in last."""
    remembered = progress.of(mission.id).folder or progress.folder
    if remembered is None or workspace.state() is not FileState.ABSENT:
        return None
    known = Path(remembered) / FILE_NAME
    return known if known.is_file() else None


def unsaved_edits(workspace: Workspace) -> Text | None:
    """That an editor shows edits which are not on the disk yet; None where there is no sign of any."""
    swap = workspace.unsaved()
    return None if swap is None else _UNSAVED.with_(file=FILE_NAME, swap=swap.name)


def still_open(mission: Mission, workspace: Workspace) -> tuple[Todo, ...]:
    """The mission's TODOs that are still open in the learner's file; none where it cannot be read."""
    from pagetutor.diagnosis.gate import open_todos  # noqa: PLC0415 — the lesson's first question needs none

    tree = _tree(workspace)
    if tree is None:
        return ()
    numbers = open_todos(tree, mission.todos).numbers
    return tuple(todo for todo in mission.todos if todo.number in numbers)


def _tree(workspace: Workspace) -> ast.Module | None:
    from pagetutor.diagnosis.gate import Broken, parse, read_source  # noqa: PLC0415
    from pagetutor.tutor.checking import read_file  # noqa: PLC0415

    if workspace.state() is not FileState.THEIRS:
        return None
    source = read_file(workspace.file)
    if isinstance(source, Text):
        return None
    text = read_source(source)
    tree = text if isinstance(text, Broken) else parse(text)
    return None if isinstance(tree, Broken) else tree


_ELSEWHERE = Text(
    zh="{here} 里没有 `{file}`，你的那份在 {folder}：先 `cd` 到那里，再运行一次。",
    en="There is no `{file}` in {here}; yours is in {folder}: `cd` there and run this again.",
)
_UNSAVED = Text(
    zh="编辑器里的 `{file}` 好像还没保存（有 `{swap}`），这里用的是磁盘上的那一份。",
    en="`{file}` seems to have unsaved edits in your editor (there is a `{swap}`); what counts here is the "
    "file on disk.",
)
_SAID = {
    FileState.ABSENT: Text(zh="起始文件放好了：{path}", en="The starter is in place: {path}"),
    FileState.THEIRS: Text(zh="接着写你的文件：{path}", en="Go on with your file: {path}"),
    FileState.EMPTY: Text(
        zh="{path} 是空的，我没有动它。想从起始文件开始，删掉它再运行 `pagetutor start`。",
        en="{path} is empty; it was left as it is. To begin with the starter, delete it and run "
        "`pagetutor start`.",
    ),
    FileState.FOREIGN: Text(
        zh="{path} 里没有这道练习的类和方法，像是别的项目的文件，我没有动它。换一个空文件夹，再运行 "
        "`pagetutor start`。",
        en="{path} has none of the exercise's classes or methods, so it seems to belong to something "
        "else; it was left as it is. Go to an empty folder and run `pagetutor start` there.",
    ),
    FileState.NO_FILE: Text(
        zh="{path} 不是能读的普通文件，我没有动它。给它改个名，再运行 `pagetutor start`。",
        en="{path} is no ordinary file that can be read; it was left as it is. Rename it, then run "
        "`pagetutor start`.",
    ),
}
