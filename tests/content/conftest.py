from __future__ import annotations

from pathlib import Path

import pytest

from tests.content.small_course import SmallCourse, small_course


@pytest.fixture
def course(tmp_path: Path) -> SmallCourse:
    """A valid small course, on disk."""
    return small_course(tmp_path)
