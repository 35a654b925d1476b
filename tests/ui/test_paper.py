"""Where a page ends, and what is left of the blank line there."""

from __future__ import annotations

import io

import pytest
from rich.text import Text as Line

from pagetutor.ui.screen.paper import Paper

PAUSE = "(pause)"


@pytest.fixture(autouse=True)
def ten_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("LINES", "10")


def printed(*pages: list[str]) -> list[str]:
    stream = io.StringIO()
    paper = Paper(stream, plain=True)
    for page in pages:
        paper.print_paged([Line(line) for line in page], lambda: print(PAUSE, file=stream))
    return stream.getvalue().split("\n")


def test_a_page_ends_at_a_blank_line_in_its_second_half() -> None:
    lines = ["1", "2", "3", "4", "5", "", "7", "8", "9", "10"]
    assert printed(lines) == ["1", "2", "3", "4", "5", "", PAUSE, "7", "8", "9", "10", ""]


def test_what_is_announced_stands_on_the_same_page() -> None:
    lines = ["1", "2", "3", "4", "", "the contract:", "", "8", "9", "10"]
    assert printed(lines) == ["1", "2", "3", "4", "", PAUSE, "the contract:", "", "8", "9", "10", ""]


def test_what_would_begin_low_begins_a_new_page() -> None:
    first, second = ["1", "2", "3", "4", "5", ""], ["still open:", "", "8", "9"]
    assert printed(first, second) == [*first, PAUSE, *second, ""]


def test_the_blank_line_at_the_foot_of_a_full_page_is_kept() -> None:
    first, second = ["1", "2", "3", "4", "5", "6", "7", "8", ""], ["next", ""]
    assert printed(first, second) == [*first, PAUSE, *second, ""]
