"""A command in an empty folder with an empty home."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import Command


@pytest.fixture
def pagetutor(tmp_path: Path) -> Command:
    folder, home = tmp_path / "work", tmp_path / "home"
    folder.mkdir()
    return Command(folder, home)
