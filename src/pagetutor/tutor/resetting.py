"""`reset` and `restore`: the starter once more, and the way back. What is replaced is always kept."""

from __future__ import annotations

import time
from collections.abc import Sequence

from pagetutor.content.model import Course, Mission, Points
from pagetutor.errors import UsageError, WorkspaceError
from pagetutor.store.workspace import Backup, FileState, Workspace
from pagetutor.text import Text
from pagetutor.tutor.screen import PageShown, Said, Screen
from pagetutor.tutor.starter import left_alone, place_starter, unsaved_edits
from pagetutor.tutor.starters_methods import with_starters_methods


def reset_file(workspace: Workspace, screen: Screen) -> None:
    """Ask, then make the whole file the starter again. Raises WorkspaceError for somebody else's file."""
    if not _is_theirs(workspace, screen):
        return
    starter = workspace.starter.read_bytes()
    if _present(workspace) == starter:
        screen.show(Said(_STARTER_ALREADY))
    elif _agreed(_ASK_FILE, workspace, screen):
        _say_kept(_RESET_FILE, workspace.replace(starter), screen)


def reset_methods(course: Course, missions: Sequence[Mission], workspace: Workspace, screen: Screen) -> None:
    """Ask, then put these missions' methods back to the starter's; everything else in the file stays.

    Raises WorkspaceError for somebody else's file, and where the methods cannot be found in it.
    """
    if not _is_theirs(workspace, screen):
        return
    methods = tuple(dict.fromkeys(method for mission in missions for method in mission.methods))
    present = _present(workspace)
    content = with_starters_methods(present, course.starter.read_bytes(), methods)
    names = Text(
        zh="、".join(f"`{method}`" for method in methods),
        en=", ".join(f"`{method}`" for method in methods),
    )
    if content == present:
        screen.show(Said(_METHODS_ALREADY))
    elif _agreed(_in(_ASK_METHODS, names), workspace, screen):
        _say_kept(_in(_RESET_METHODS, names), workspace.rewrite(content), screen)


def list_backups(workspace: Workspace, screen: Screen) -> None:
    """Say which former states there are, oldest first."""
    kept = workspace.backups()
    if not kept:
        screen.show(Said(_NO_BACKUPS.with_(folder=workspace.folder)))
        return
    screen.show(PageShown((Points(tuple(_line(backup) for backup in kept)),)))
    screen.show(Said(_RESTORE_ONE.with_(number=kept[-1].number)))


def restore_backup(number: str, workspace: Workspace, screen: Screen) -> None:
    """Ask, then make this former state the file again, byte for byte; the present one is kept as well.

    Raises UsageError where there is none of that number, WorkspaceError where it cannot be put back.
    """
    chosen = next((backup for backup in workspace.backups() if str(backup.number) == number.strip()), None)
    if chosen is None:
        raise UsageError(_NO_SUCH.with_(number=number, folder=workspace.folder))
    if workspace.state() is FileState.NO_FILE:
        raise WorkspaceError(left_alone(workspace, FileState.NO_FILE))
    if _agreed(_ASK_RESTORE.with_(number=chosen.number), workspace, screen):
        _say_kept(_RESTORED.with_(number=chosen.number), workspace.restore(chosen), screen)


def _is_theirs(workspace: Workspace, screen: Screen) -> bool:
    """Whether there is a file of the learner's own; where there is none at all, the starter is placed."""
    found = workspace.state()
    if found in (FileState.FOREIGN, FileState.NO_FILE):
        raise WorkspaceError(left_alone(workspace, found))
    if found is FileState.ABSENT:
        place_starter(workspace, screen)
        return False
    return True


def _present(workspace: Workspace) -> bytes:
    try:
        return workspace.file.read_bytes()
    except OSError as error:  # went away or was locked since it was looked at
        raise WorkspaceError(left_alone(workspace, FileState.NO_FILE)) from error


def _agreed(ask: Text, workspace: Workspace, screen: Screen) -> bool:
    if (unsaved := unsaved_edits(workspace)) is not None:
        screen.show(Said(unsaved))
    agreed = screen.confirm(ask)
    if not agreed:
        screen.show(Said(_LEFT))
    return agreed


def _say_kept(done: Text, backup: Backup | None, screen: Screen) -> None:
    kept = Text(zh="", en="") if backup is None else _KEPT.with_(name=backup.path.name, number=backup.number)
    screen.show(Said(done + kept))


def _line(backup: Backup) -> Text:
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(backup.kept_at))
    return _BACKUP.with_(number=backup.number, when=when, name=backup.path.name)


def _in(template: Text, methods: Text) -> Text:
    return Text(zh=template.zh.format(methods=methods.zh), en=template.en.format(methods=methods.en))


_ASK_FILE = Text(
    zh="把整个文件换回起始文件？现在这一份会留作备份。",
    en="Make the whole file the starter again? What is there now is kept as a backup.",
)
_ASK_METHODS = Text(
    zh="把 {methods} 换回起始文件里的样子？文件的其余部分不动，现在这一份会留作备份。",
    en="Put {methods} back to how the starter has it? The rest of the file stays, and what is there now is "
    "kept as a backup.",
)
_ASK_RESTORE = Text(
    zh="换回第 {number} 份备份？现在这一份也会留作备份。",
    en="Bring backup {number} back? What is there now is kept as a backup too.",
)
_LEFT = Text(zh="什么也没有改。", en="Nothing was changed.")
_STARTER_ALREADY = Text(
    zh="文件就是起始文件，没有要换的。", en="The file is the starter; there is nothing to put back."
)
_METHODS_ALREADY = Text(
    zh="这一部分就是起始文件里的样子，没有要换的。",
    en="That part is as the starter has it; there is nothing to put back.",
)
_RESET_FILE = Text(zh="换回起始文件了。", en="The file is the starter again.")
_RESET_METHODS = Text(zh="{methods} 换回起始文件里的样子了。", en="{methods}: as the starter has it again.")
_RESTORED = Text(zh="第 {number} 份备份换回来了。", en="Backup {number} is your file again.")
_KEPT = Text(
    zh="原来的那份是 `{name}`，想要它回来：`pagetutor restore {number}`。",
    en=" What was there is `{name}`; to have it back: `pagetutor restore {number}`.",
)
_NO_BACKUPS = Text(zh="{folder} 里没有备份。", en="There are no backups in {folder}.")
_BACKUP = Text(zh="备份 {number}：{when}，`{name}`", en="backup {number}: {when}, `{name}`")
_RESTORE_ONE = Text(
    zh="换回其中一份：`pagetutor restore {number}`。", en="To bring one back: `pagetutor restore {number}`."
)
_NO_SUCH = Text(
    zh="{folder} 里没有第 {number} 份备份。`pagetutor restore` 列出所有备份。",
    en="There is no backup {number} in {folder}. `pagetutor restore` lists those there are.",
)
