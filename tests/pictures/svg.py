"""The words on a screen, back out of its picture."""

from __future__ import annotations

from itertools import groupby
from xml.etree import ElementTree

from pagetutor.ui.svg import CELL, ROW, SIZE
from tests.pictures.screen import in_columns


def lines_of(picture: str) -> list[str]:
    """The words on the screen in a picture that `svg` drew, row by row."""
    space = "{http://www.w3.org/2000/svg}"
    (screen,) = ElementTree.fromstring(picture).iter(f"{space}g")
    placed = [
        (
            round((float(text.get("y", "0")) - SIZE) / ROW),
            round(float(text.get("x", "0")) / CELL),
            text.text or "",
        )
        for text in screen.iter(f"{space}text")
    ]
    lines = {
        row: in_columns(one[1:] for one in group) for row, group in groupby(placed, key=lambda one: one[0])
    }
    return [lines.get(row, "") for row in range(max(lines, default=-1) + 1)]
