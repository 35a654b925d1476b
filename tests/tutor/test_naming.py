"""The file in an advised command: named where it must be, and so that a shell reads that very name."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from pagetutor.tutor.naming import file_argument, working_folder


def test_the_working_folders_own_file_needs_no_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert file_argument(tmp_path / "block_manager.py") == ""
    assert file_argument(tmp_path / "mine.py") == " mine.py"
    assert file_argument(tmp_path / "a b" / "block_manager.py") == " 'a b/block_manager.py'"
    assert file_argument(tmp_path.parent / "block_manager.py") == f" {tmp_path.parent}/block_manager.py"


@pytest.mark.parametrize(
    "name", ["a b.py", "it's.py", "-x.py", "$HOME.py", "a`b`.py", "a\nb\x1b[2J.py", "学\udcff.py"]
)
def test_a_shell_reads_the_very_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / name
    path.write_bytes(b"here")
    argument = file_argument(path)
    assert argument.isprintable()
    assert "`" not in argument
    assert subprocess.run(["bash", "-c", f"cat{argument}"], capture_output=True, check=True).stdout == b"here"


def test_in_a_deleted_folder_a_file_is_named_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    os.rmdir(gone)
    assert working_folder() is None
    assert file_argument(tmp_path / "block_manager.py") == f" {tmp_path}/block_manager.py"
