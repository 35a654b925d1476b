"""Checking the learner's file: read its bytes, have them judged, record what was found."""

from __future__ import annotations

import hashlib
import stat
from pathlib import Path
from typing import Protocol

from pagetutor.content.model import Course, Mission
from pagetutor.errors import WorkspaceError
from pagetutor.judge.report import CheckReport, Reason, Verdict
from pagetutor.learner.port import DEADLINE_S, Runner
from pagetutor.store.events import Checked, FolderUsed, StructureMet
from pagetutor.store.history import History
from pagetutor.store.workspace import FILE_NAME
from pagetutor.text import Text
from pagetutor.tutor.methods import remember_methods
from pagetutor.tutor.progress import read_progress, remembered
from pagetutor.tutor.shape import code_shape
from pagetutor.tutor.unknowns import remember_unknown

LARGEST_FILE = 16 * 1024 * 1024  # bytes; the starter has 3,000


class Check(Protocol):
    """What judges the bytes of a file: `judge.check.check`, or another that keeps its promises."""

    def __call__(
        self,
        course: Course,
        mission: Mission,
        path: Path,
        source: bytes,
        runner: Runner,
        *,
        deadline_s: float,
    ) -> CheckReport:
        """The report on these bytes, which lie at `path`."""


def check_file(
    course: Course,
    mission: Mission,
    path: Path,
    history: History,
    runner: Runner,
    *,
    check: Check | None = None,
    deadline_s: float = DEADLINE_S,
) -> CheckReport:
    """Check the file at `path` as it is now, and record the verdict.

    Something that is there and cannot be read is a `broken` report. Raises WorkspaceError where there is
    no file, and what `check` raises (MachineError, ContentError).
    """
    path = path.absolute()
    source = read_file(path)
    report = check_source(course, mission, path, source, runner, check=check, deadline_s=deadline_s)
    record_check(history, mission, path, source, report)
    return report


def check_source(
    course: Course,
    mission: Mission,
    path: Path,
    source: bytes | Text,
    runner: Runner,
    *,
    check: Check | None = None,
    deadline_s: float = DEADLINE_S,
) -> CheckReport:
    """Check exactly this, as `read_file` gave it; nothing is recorded. Raises what `check` raises."""
    if isinstance(source, Text):
        return _unreadable(course, mission, path, source)
    return (check or _judge())(course, mission, path, source, runner, deadline_s=deadline_s)


def record_check(
    history: History, mission: Mission, path: Path, source: bytes | Text, report: CheckReport
) -> None:
    """Record the verdict on what stood at `path`, which is absolute."""
    checked = Checked(
        mission=report.mission,
        verdict=report.verdict.value,
        mistakes=certain_mistakes(report),
        source_hash=source_hash(source),
        shape=source_shape(source),
        seconds=report.seconds,
    )
    history.append(checked)
    if not isinstance(source, Text):
        remember_methods(history, mission, source, checked)
    remember_unknown(history, report)
    _remember_question(history, report, checked)
    folder = str(path.parent)
    if path.name == FILE_NAME and read_progress(history).of(report.mission).folder != folder:
        history.append(FolderUsed(report.mission, folder))


def _remember_question(history: History, report: CheckReport, checked: Checked) -> None:
    """Record what the first certain mistake asks, where it is one of structure."""
    first = next((mistake for mistake in report.mistakes if mistake.certain), None)
    if first is None or not first.id.startswith("structure."):
        return
    told = StructureMet(checked.mission, first.id, checked.source_hash, first.ask.zh, first.ask.en)
    if not any(record.event == told for record in remembered(history.records())):
        history.append(told)


def read_file(path: Path) -> bytes | Text:
    """The file's bytes, or why they cannot be read. Raises WorkspaceError where there is no file."""
    try:
        kind = path.stat()
        if stat.S_ISDIR(kind.st_mode):
            return _A_FOLDER.with_(name=path.name)
        if not stat.S_ISREG(kind.st_mode):  # reading a pipe or a device would wait for ever
            return _NO_FILE.with_(name=path.name)
        if kind.st_size > LARGEST_FILE:
            return _TOO_LARGE.with_(name=path.name, megabytes=kind.st_size // 2**20)
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError) as error:
        missing = _MISSING if path.name == FILE_NAME else _MISNAMED
        if path.is_symlink():
            missing = _DANGLING
        elif not path.parent.is_dir():
            missing = _NO_FOLDER
        raise WorkspaceError(missing.with_(name=path.name, folder=path.parent)) from error
    except OSError as error:
        return _MAY_NOT_READ.with_(name=path.name, why=error.strerror)


def certain_mistakes(report: CheckReport) -> tuple[str, ...]:
    """The ids of the mistakes that the file certainly holds, in causal order."""
    return tuple(mistake.id for mistake in report.mistakes if mistake.certain)


def source_hash(source: bytes | Text) -> str:
    """The name under which these very bytes are remembered; empty for what could not be read."""
    return "" if isinstance(source, Text) else hashlib.sha256(source).hexdigest()


def source_shape(source: bytes | Text) -> str:
    """The shape of the code in these bytes; empty for what could not be read."""
    return "" if isinstance(source, Text) else code_shape(source)


def _judge() -> Check:
    from pagetutor.judge.check import check  # noqa: PLC0415 — a lesson that is only read needs no judge

    return check


def _unreadable(course: Course, mission: Mission, path: Path, say: Text) -> CheckReport:
    from pagetutor.judge.check import not_run  # noqa: PLC0415 — a lesson that is only read needs no judge

    return CheckReport(
        mission=mission.id,
        file=path.name,
        verdict=Verdict.BROKEN,
        reason=Reason.UNREADABLE,
        line=None,
        tests=not_run(course, mission),
        mistakes=(),
        notes=(),
        seconds=0.0,
        say=say,
    )


_MISSING = Text(
    zh="{folder} 里没有 `{name}`。先运行 `pagetutor start`，起始文件就放到当前文件夹里了。",
    en="There is no `{name}` in {folder}. Run `pagetutor start` to put the starter into the current folder.",
)
_MISNAMED = Text(
    zh="{folder} 里没有 `{name}`。看看文件名写对了没有。",
    en="There is no `{name}` in {folder}. See whether the name is right.",
)
_NO_FOLDER = Text(
    zh="没有 {folder} 这个文件夹，也就没有里面的 `{name}`。看看路径写对了没有。",
    en="There is no folder {folder}, and so no `{name}` in it. See whether the path is right.",
)
_DANGLING = Text(
    zh="{folder} 里的 `{name}` 是一个链接，指向的文件已经不在了。删掉这个链接，再运行 `pagetutor start`。",
    en="`{name}` in {folder} is a link to a file that is gone. Delete the link, then run `pagetutor start`.",
)
_A_FOLDER = Text(
    zh="`{name}` 是一个文件夹，不是文件。给它改个名，再运行 `pagetutor start`。",
    en="`{name}` is a folder, not a file. Rename it, then run `pagetutor start`.",
)
_NO_FILE = Text(
    zh="`{name}` 不是普通文件（是管道或设备）。给它改个名，再运行 `pagetutor start`。",
    en="`{name}` is no ordinary file but a pipe or a device. Rename it, then run `pagetutor start`.",
)
_TOO_LARGE = Text(
    zh="`{name}` 有 {megabytes} MB，作为这道练习的文件太大了。看看是不是存错了内容。",
    en="`{name}` is {megabytes} MB: far too big for this exercise. See whether something else was saved "
    "into it.",
)
_MAY_NOT_READ = Text(
    zh="`{name}` 读不了（{why}）。让自己有读它的权限（`chmod u+r {name}`），再检查一次。",
    en="`{name}` cannot be read ({why}). Give yourself the right to read it (`chmod u+r {name}`) and "
    "check again.",
)
