"""The table can fail: whatever is deleted from the course turns a row red, in both languages."""

from __future__ import annotations

import pytest

from pagetutor.content.model import Course
from pagetutor.text import Language
from tests.coverage.row import Exact, Row, blank, changed, mission_of
from tests.coverage.seen import complaints
from tests.coverage.table import ROWS
from tests.coverage.yaml_places import bullets

PLACES = [pytest.param(row, path, id=f"{row.id} {path}") for row in ROWS for path in row.paths]


@pytest.mark.parametrize(("row", "path"), PLACES)
def test_deleting_its_words_turns_the_row_red(course: Course, row: Row | Exact, path: str) -> None:
    said = complaints(changed(course, path, blank), row)
    assert all(line.startswith(f"{row.id}: ") and path in line for line in said)
    if isinstance(row, Exact):
        assert said
    else:
        assert [language for language in Language if any(f"({language}, " in line for line in said)] == [
            Language.ZH,
            Language.EN,
        ]


@pytest.mark.parametrize("mission", [None, "1", "2", "3", "final"])
def test_deleting_any_bullet_turns_some_row_red(course: Course, mission: str | None) -> None:
    green = []
    for bullet in (bullet for bullet in bullets() if mission_of(bullet) == mission):
        broken = changed(course, bullet, blank)
        near = [row for row in ROWS if any(_one_in_the_other(path, bullet) for path in row.paths)]
        if not any(complaints(broken, row) for row in near):
            green.append(bullet)
    assert green == []


def _one_in_the_other(path: str, bullet: str) -> bool:
    return (
        path == bullet
        or path.startswith((f"{bullet}.", f"{bullet}["))
        or bullet.startswith((f"{path}.", f"{path}["))
    )


def test_every_bullet_is_met() -> None:
    found = list(bullets())
    assert len(found) == len(set(found))
    for path in (
        "prologue[1].points[10]",
        "missions[1].diagram[10].table.rows[4][1]",
        "missions[2].quiz.choices[2].explain",
        "missions[3].hand_trace.rows[2].cells[0].answer",
        "missions[3].mapping.rows[4].exercise",
        "missions[final].cards[0].text",
    ):
        assert path in found


def test_a_renderer_that_loses_something_is_seen(course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    row = next(row for row in ROWS if row.id == "1.diagram.chain.round-up")
    monkeypatch.setattr("pagetutor.ui.render.blocks._steps", lambda items, look: [])
    assert (
        "1.diagram.chain.round-up: '`(seq_len + size - 1) // size`' is not seen" in complaints(course, row)[0]
    )
