"""A place to be hostile in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hostile.place import Place


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """An empty folder, home and folder for scratch; afterwards no process is left and scratch is empty."""
    here = Place(tmp_path / "work", tmp_path / "home", tmp_path / "scratch")
    here.folder.mkdir()
    here.scratch.mkdir()
    yield here
    assert here.processes() == {}
    assert sorted(here.scratch.iterdir()) == []
