"""Where a page ends, and what is left of the blank line there."""

from __future__ import annotations

import io
from collections.abc import Sequence

import pytest
from rich.text import Text as Line

from pagetutor.ui.render.code import Listed
from pagetutor.ui.screen.paper import Paper

PAUSE = "(pause)"


@pytest.fixture(autouse=True)
def ten_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("LINES", "10")


def printed(*pages: list[str], listed: Sequence[str] = ()) -> list[str]:
    """What is printed of these pages, the last one ending with a listing."""
    stream = io.StringIO()
    paper = Paper(stream, plain=True)
    for number, page in enumerate(pages, start=1):
        lines = [Line(line) for line in page]
        if number == len(pages):
            lines += [Listed(line) for line in listed]
        paper.print_paged(lines, lambda: print(PAUSE, file=stream))
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


def test_a_listing_that_fits_on_one_page_is_not_broken() -> None:
    intro, listing = ["1", "2", "3", ""], [f"    line {number}" for number in range(7)]
    assert printed(intro, listed=listing) == [*intro, PAUSE, *listing, ""]


def test_a_listing_takes_what_announces_it_along() -> None:
    intro, announced = ["1", "2", ""], ["as in:", ""]
    listing = [f"    line {number}" for number in range(6)]
    assert printed([*intro, *announced], listed=listing) == [*intro, PAUSE, *announced, *listing, ""]


def test_a_listing_longer_than_a_page_is_broken_where_the_page_ends() -> None:
    listing = [f"    line {number}" for number in range(12)]
    assert printed(["1", ""], listed=listing) == ["1", "", *listing[:6], PAUSE, *listing[6:], ""]


def test_the_blank_line_at_the_foot_of_a_full_page_is_kept() -> None:
    first, second = ["1", "2", "3", "4", "5", "6", "7", "8", ""], ["next", ""]
    assert printed(first, second) == [*first, PAUSE, *second, ""]
