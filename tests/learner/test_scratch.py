"""Scratch folders: whose they are, and what a killed tutor leaves."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pagetutor.learner.scratch import ScratchRoot, remove_folder, sweep


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
