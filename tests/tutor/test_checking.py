"""The check: the bytes that are there now are judged, and the verdict is recorded."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pagetutor.errors import WorkspaceError
from pagetutor.judge.report import CheckReport, Reason, Verdict
from pagetutor.store import events
from pagetutor.text import Text
from pagetutor.tutor.checking import LARGEST_FILE, check_file, source_hash
from pagetutor.tutor.progress import read_progress
from pagetutor.tutor.shape import code_shape
from tests.tutor.conftest import Desk
from tests.tutor.small import FLOORED, RIGHT, marked_check


def check(desk: Desk, path: Path | None = None) -> CheckReport:
    return check_file(
        desk.course,
        desk.mission("1"),
        path or desk.workspace.file,
        desk.history,
        desk.runner,
        check=marked_check,
    )


def test_the_verdict_is_recorded_with_what_was_judged(desk: Desk) -> None:
    desk.write(FLOORED)
    assert check(desk).verdict is Verdict.FAILED
    checked = events.Checked(
        "1",
        "failed",
        ("prefill.floor-division",),
        source_hash(FLOORED.encode()),
        code_shape(FLOORED.encode()),
        0.1,
    )
    todos = "    # TODO 1\n    needed_blocks = n // b\n\n    # TODO 2\n    ..."
    method = f"def allocate_for_prefill(self, req):\n{todos}"
    assert desk.events == [
        checked,
        events.MethodsSeen("1", checked.source_hash, method),
        events.FolderUsed("1", str(desk.folder)),
    ]


def test_a_pass_is_remembered_whatever_is_checked_later(desk: Desk) -> None:
    desk.write(RIGHT)
    check(desk)
    desk.write(FLOORED)
    check(desk)
    before = read_progress(desk.history).of("1")
    assert (before.passed, before.last_verdict, before.checks) == (True, "failed", 2)


def test_a_file_elsewhere_is_checked_and_does_not_move_the_learners_folder(
    desk: Desk, tmp_path: Path
) -> None:
    other = tmp_path / "my answer.py"
    other.write_text(RIGHT)
    assert check(desk, other).verdict is Verdict.PASSED
    assert read_progress(desk.history).folder is None


def test_a_missing_file_says_what_to_run(desk: Desk) -> None:
    with pytest.raises(WorkspaceError) as refused:
        check(desk)
    assert refused.value.say == Text(
        zh=f"{desk.folder} 里没有 `block_manager.py`。先运行 `pagetutor start`，起始文件就放到当前文件夹里"
        f"了。",
        en=f"There is no `block_manager.py` in {desk.folder}. Run `pagetutor start` to put the starter "
        f"into the current folder.",
    )
    assert desk.events == []


def test_a_path_through_a_file_is_a_missing_file(desk: Desk) -> None:
    desk.write(RIGHT)
    with pytest.raises(WorkspaceError):
        check(desk, desk.workspace.file / "deeper.py")


def a_folder(path: Path) -> None:
    path.mkdir()


def a_pipe(path: Path) -> None:
    os.mkfifo(path)


def a_large_file(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(LARGEST_FILE + 1)


@pytest.mark.parametrize(
    ("make", "zh", "en"),
    [
        (
            a_folder,
            "`block_manager.py` 是一个文件夹，不是文件。给它改个名，再运行 `pagetutor start`。",
            "`block_manager.py` is a folder, not a file. Rename it, then run `pagetutor start`.",
        ),
        (
            a_pipe,
            "`block_manager.py` 不是普通文件（是管道或设备）。给它改个名，再运行 `pagetutor start`。",
            "`block_manager.py` is no ordinary file but a pipe or a device. Rename it, then run "
            "`pagetutor start`.",
        ),
        (
            a_large_file,
            "`block_manager.py` 有 16 MB，作为这道练习的文件太大了。看看是不是存错了内容。",
            "`block_manager.py` is 16 MB: far too big for this exercise. See whether something else "
            "was saved into it.",
        ),
    ],
)
def test_what_cannot_be_read_is_broken_and_says_why(desk: Desk, make: object, zh: str, en: str) -> None:
    assert callable(make)
    make(desk.workspace.file)
    report = check(desk)
    assert (report.verdict, report.reason, report.say) == (
        Verdict.BROKEN,
        Reason.UNREADABLE,
        Text(zh=zh, en=en),
    )
    assert [(test.id, test.outcome) for test in report.tests] == [("test_prefill.py::test_six", "not_run")]
    assert read_progress(desk.history).of("1").last_verdict == "broken"


@pytest.mark.parametrize(
    "source",
    [b"def f(:\n", b"\x00", b"\xff\xfe\x00d", b"(" * 5000, b""],
)
def test_a_file_that_is_no_python_has_a_shape_too(source: bytes) -> None:
    assert code_shape(source) == code_shape(source + b"  # a comment\n\n")
    assert code_shape(source) != code_shape(source + b"\nx = 1\n")
