"""A place to learn in, and the course that is learnt."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagetutor.content.find import find_course
from pagetutor.content.model import Course
from pagetutor.content.read import load_course
from tests.terminal.learner import PAGETUTOR, Place


@pytest.fixture(scope="session")
def course() -> Course:
    """The course that `pagetutor` plays here, with its error models."""
    assert PAGETUTOR.exists(), "install the package first: pip install -e ."
    return load_course(find_course(), with_models=True)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """An empty folder, and a home nobody was in yet."""
    folder = tmp_path / "work"
    folder.mkdir()
    return Place(folder, tmp_path / "home")
