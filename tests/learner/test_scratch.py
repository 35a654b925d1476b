"""Scratch folders: whose they are, and what a killed tutor leaves."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pagetutor.learner.scratch import ScratchRoot, remove_folder, remove_scratch, sweep


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return tmp_path


def test_what_a_killed_tutor_left_is_swept_by_the_next(temporary: Path) -> None:
    program = (
        "import os; from pagetutor.learner.scratch import ScratchRoot; root = ScratchRoot(); "
        "(root.new() / 'left').write_text('x'); os.kill(os.getpid(), 9)"
    )
    environ = {**os.environ, "TMPDIR": str(temporary)}
    subprocess.run([sys.executable, "-c", program], env=environ, check=False)
    assert len(list(temporary.iterdir())) == 1
    root = ScratchRoot()
    assert list(temporary.iterdir()) == [root.path]


def test_a_living_tutors_folder_is_let_alone(temporary: Path) -> None:
    root = ScratchRoot()
    kept = root.new()
    sweep(temporary)
    other = ScratchRoot()
    assert kept.is_dir()
    assert {one.name for one in temporary.iterdir()} == {root.path.name, other.path.name}
    root.remove()
    root.remove()
    other.remove()
    assert list(temporary.iterdir()) == []


def test_a_strangers_folder_is_let_alone(temporary: Path) -> None:
    (temporary / "pagetutor-mine").mkdir()
    (temporary / "pagetutor-mine" / "thesis.txt").write_text("years")
    sweep(temporary)
    assert (temporary / "pagetutor-mine" / "thesis.txt").exists()


def test_a_folder_is_removed_whatever_became_of_it(temporary: Path) -> None:
    locked = temporary / "locked" / "deep"
    locked.mkdir(parents=True)
    (locked / "file").write_text("x")
    locked.chmod(0)
    (temporary / "link").symlink_to("/")
    for name in ("locked", "link", "nothing"):
        remove_folder(temporary / name)
    assert list(temporary.iterdir()) == []


def deep(folder: Path, *, levels: int) -> None:
    """That many folders in one another, each with a file; deeper than a path may be long."""
    below = os.open(folder, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir("x" * 20, dir_fd=below)
        inner = os.open("x" * 20, os.O_RDONLY, dir_fd=below)
        os.close(os.open("file", os.O_CREAT, dir_fd=inner))
        os.close(below)
        below = inner
    os.close(below)


def test_more_folders_in_one_another_than_python_calls_functions_are_removed(temporary: Path) -> None:
    for name in ("one", "pagetutor-0", "pagetutor-1"):  # names that moved ones get, too
        (temporary / "deep" / name / "below").mkdir(parents=True)
    deep(temporary / "deep" / "one", levels=1100)
    remove_folder(temporary / "deep")
    assert list(temporary.iterdir()) == []


def test_what_cannot_be_removed_stays_and_nothing_is_raised(temporary: Path) -> None:
    remove_folder(temporary / "nothing" / "below")
    remove_folder(Path("/proc/self/fd"))
    assert os.listdir("/proc/self/fd")


def test_a_root_that_was_shut_is_opened_again(temporary: Path) -> None:
    root = ScratchRoot()
    scratch = root.new()
    root.path.chmod(0)
    second = root.new()
    root.path.chmod(0)
    remove_scratch(scratch)
    assert [one.name for one in root.path.iterdir() if one.is_dir()] == [second.name]
    root.path.chmod(0)
    root.remove()
    assert list(temporary.iterdir()) == []
