"""Boxes in rows: `[##_]` with a head above and labels below, as many side by side as fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from rich.cells import cell_len
from rich.text import Text as Line

from pagetutor.text import Language
from pagetutor.ui.render.look import Look
from pagetutor.ui.render.words import folded, padded, wrapped

_GAP = 1
_CONTINUED = 2


@dataclass(frozen=True, slots=True)
class Slots:
    """Neighbouring slots of a box that look alike."""

    mark: str
    count: int
    style: str = ""


@dataclass(frozen=True, slots=True)
class Box:
    """A block as it is drawn: its head (`7`), its slots from the first, and labels (`a[0]`, `free`)."""

    head: Line
    slots: tuple[Slots, ...]
    labels: tuple[Line, ...]

    @property
    def width(self) -> int:
        """The cells it would like to have."""
        return max(
            sum(slots.count for slots in self.slots) + 2,
            1 + self.head.cell_len,
            *(1 + label.cell_len for label in self.labels),
        )


def in_rows(boxes: Sequence[Box], width: int) -> list[Line]:
    """The boxes in rows of `width` cells; a box that is wider has its slots in several lines."""
    if not boxes:
        return []
    column = min(width, max(box.width for box in boxes))
    per_row = max(1, (width + _GAP) // (column + _GAP))
    lines: list[Line] = []
    for at in range(0, len(boxes), per_row):
        row = boxes[at : at + per_row]
        for part in (_heads, _slots, _labels):
            lines += _beside([part(box, column) for box in row], column, _GAP)
    return lines


def _beside(columns: Sequence[Sequence[Line]], width: int, gap: int) -> list[Line]:
    lines = []
    for cells in zip_longest(*columns, fillvalue=Line("")):
        line = Line("")
        for number, cell in enumerate(cells):
            last = number == len(cells) - 1
            line.append_text(cell if last else padded(cell, width + gap))
        line.rstrip()
        lines.append(line)
    return lines


def _heads(box: Box, width: int) -> list[Line]:
    return [Line(" ") + part for part in folded(box.head, width - 1)]


def _slots(box: Box, width: int) -> list[Line]:
    marks = Line("")
    for slots in box.slots:
        marks.append(slots.mark * slots.count, slots.style)
    inside = width - 2
    parts = [marks[at : at + inside] for at in range(0, len(marks), inside)] or [Line("")]
    lines = [Line(" " if number else "[") + part for number, part in enumerate(parts)]
    lines[-1].append("]")
    return lines


def _labels(box: Box, width: int) -> list[Line]:
    return [Line(" ") + part for label in box.labels for part in folded(label, width - 1)]


def abreast(columns: Sequence[Sequence[Sequence[Line]]], width: int, gap: int) -> list[Line]:
    """Columns of sections side by side, each `width` cells wide: the same sections begin on the same line."""
    lines = []
    for sections in zip_longest(*columns, fillvalue=()):
        lines += _beside(sections, width, gap)
    return lines


def listed(words: Sequence[str], items: Sequence[str], look: Look, *, style: str = "") -> list[Line]:
    """`a, 6 tokens: 0->7, 1->2`: some words and then items, wrapped between two of them only.

    What is wider than the screen is wrapped itself; lines after the first are indented by two.
    """
    comma, colon = (",", ":") if look.language is Language.EN else ("，", "：")
    units = [word + comma for word in words[:-1]]
    units += [word + (colon if items else "") for word in words[-1:]]
    units += [item + "," for item in items[:-1]] + list(items[-1:])
    lines: list[Line] = []
    for unit in units:
        gap = "" if not lines or lines[-1].plain.endswith(("，", "：")) else " "
        if lines and lines[-1].cell_len + len(gap) + cell_len(unit) <= look.width:
            lines[-1].append(gap + unit, style)
            continue
        parts = wrapped(unit, look, indent=_CONTINUED, style=style)
        if not lines:
            parts[0] = parts[0][_CONTINUED:]
        lines += parts
    return lines
