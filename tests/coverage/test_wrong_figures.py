"""No figure of the course can be wrong unseen: each one raised by one, some row turns red and names it."""

from __future__ import annotations

import re

import pytest

from pagetutor.content.model import Course
from tests.coverage.row import changed, find, mission_of
from tests.coverage.seen import complaints
from tests.coverage.table import ROWS
from tests.coverage.yaml_places import bullets

FIGURES = [
    path for path in bullets() if re.search(r"hand_trace\.rows.*\.answer$|predictions\[\d+\]\.ends_as$", path)
]


def test_every_kind_of_figure_is_met() -> None:
    missions = {mission_of(path) for path in FIGURES}
    assert missions == {"1", "2", "3"}
    assert len([path for path in FIGURES if path.endswith(".answer")]) >= 3 * 3
    assert len([path for path in FIGURES if path.endswith(".ends_as")]) >= 3 * 2


@pytest.mark.parametrize("path", FIGURES)
def test_a_wrong_figure_turns_a_row_red_that_names_it(course: Course, path: str) -> None:
    wrong = changed(course, path, _raised)
    assert find(wrong, path) != find(course, path)
    near = [row for row in ROWS if any(at.startswith(path) or path.startswith(at) for at in row.paths)]
    said = [line for row in near for line in complaints(wrong, row)]
    assert any(path in line for line in said), f"nobody saw {find(wrong, path)!r}"


def _raised(value: object) -> str:
    """The words with their last figure raised by one, or with a mark where there is none."""
    words = str(value)
    figures = list(re.finditer(r"\d+", words))
    if not figures:
        return f"{words}?"
    last = figures[-1]
    return f"{words[: last.start()]}{int(last[0]) + 1}{words[last.end() :]}"
