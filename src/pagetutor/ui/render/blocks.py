"""The blocks of a page: paragraphs, points, steps, drawings, tables, code, extras."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from rich.text import Text as Line

from pagetutor.content.model import (
    Block,
    Code,
    Drawing,
    More,
    Paragraph,
    Points,
    Pool,
    Pools,
    Steps,
    Table,
)
from pagetutor.text import Text
from pagetutor.ui import phrases
from pagetutor.ui.render.code import code
from pagetutor.ui.render.look import Look
from pagetutor.ui.render.table import table
from pagetutor.ui.render.words import prose, spelled

HEADING = "bold"


def page(blocks: Sequence[Block], look: Look) -> list[Line]:
    """The blocks under one another, a blank line between each two."""
    return stacked(*(block(one, look) for one in blocks))


def stacked(*parts: Sequence[Line]) -> list[Line]:
    """The parts under one another, a blank line between each two that hold anything."""
    lines: list[Line] = []
    for part in parts:
        if part and lines:
            lines.append(Line(""))
        lines += part
    return lines


def heading(text: Text, look: Look) -> list[Line]:
    """A small head over something."""
    return prose(text, look, style=HEADING)


def named_rows(rows: Sequence[tuple[Text, Text, str]], look: Look) -> list[Line]:
    """Rows of a name, what there is to say under it, and its style; the names stand in one column."""
    room = max(cell_len(name.in_(look.language)) for name, _, _ in rows) + 4
    lines = []
    for name, text, style in rows:
        lines += prose(text, look, indent=room, first=f"  {name.in_(look.language)}", style=style)
    return lines


def block(one: Block, look: Look) -> list[Line]:
    """The lines of one block."""
    match one:
        case Paragraph(text):
            return prose(text, look)
        case Points(items):
            return points(items, look)
        case Steps(items):
            return _steps(items, look)
        case Drawing():
            return _drawing(one, look)
        case Pool() | Pools():
            from pagetutor.ui.render.pools import pools  # noqa: PLC0415 — the exercise's own values with it

            return pools(one.items if isinstance(one, Pools) else (one,), look)
        case Table(head, rows):
            return table(head, rows, look)
        case Code(source):
            return code(source, look)
        case More(blocks):
            return [*heading(phrases.MORE, look), *page(blocks, look)] if look.unfolded else []


def points(items: Sequence[Text], look: Look) -> list[Line]:
    """A list of short points."""
    first = f"{look.marks.bullet} "
    return [line for item in items for line in prose(item, look, indent=len(first), first=first)]


def _steps(items: Sequence[Text], look: Look) -> list[Line]:
    indent = len(str(len(items))) + 2
    lines = []
    for number, item in enumerate(items, start=1):
        lines += prose(item, look, indent=indent, first=f"{number}. ")
    return lines


def _drawing(drawing: Drawing, look: Look) -> list[Line]:
    """The drawing as drawn; a sentence instead where it would have to be wrapped or could not be shown."""
    rows = [Line("  " + row.rstrip()) for row in drawing.art.in_(look.language).strip("\n").split("\n")]
    if look.plain or look.only_ascii or any(row.cell_len > look.width for row in rows):
        return prose(phrases.DRAWING_SAYS + drawing.says, look)
    return [Line(spelled(row.plain, look)) for row in rows]
