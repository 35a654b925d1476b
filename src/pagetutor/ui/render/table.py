"""Small tables without a box: columns where they fit, otherwise one record under the other."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from rich.cells import cell_len
from rich.text import Text as Line

from pagetutor.text import Text
from pagetutor.ui.render.look import Look
from pagetutor.ui.render.words import padded, wrapped

_GAP = 2
_NARROWEST_LAST = (
    24  # cells; a last column of sentences gets at least this much, or the table becomes records
)


def table(head: Sequence[Text], rows: Sequence[Sequence[Text]], look: Look, *, indent: int = 2) -> list[Line]:
    """The table as lines no wider than the screen; plain screens get records, which read well aloud."""
    words = [[cell.in_(look.language) for cell in row] for row in (head, *rows)]
    widths = _widths(words, look, look.width - indent)
    if widths is None or look.plain:
        return _records(words[0], words[1:], look, indent)
    lines = []
    for number, row in enumerate(words):
        lines += _row(row, widths, look, indent, "bold" if number == 0 else "")
        if number == 0:
            rule = look.marks.rule * (sum(widths) + _GAP * (len(widths) - 1))
            lines.append(Line(" " * indent + rule, style="dim"))
    return lines


def _widths(words: Sequence[Sequence[str]], look: Look, room: int) -> list[int] | None:
    """The columns' widths, the last one wrapped if need be; None where even that does not fit."""
    natural = [max(_natural(cell, look) for cell in column) for column in zip(*words, strict=True)]
    left = room - sum(natural[:-1]) - _GAP * (len(natural) - 1)
    if natural[-1] <= left:
        return natural
    return [*natural[:-1], left] if left >= _NARROWEST_LAST else None


def _natural(cell: str, look: Look) -> int:
    return cell_len(cell) - (cell.count("`") if look.colour else 0)


def _row(row: Sequence[str], widths: Sequence[int], look: Look, indent: int, style: str) -> list[Line]:
    cells = [
        wrapped(cell, look.narrower(look.width - width), style=style)
        for cell, width in zip(row, widths, strict=True)
    ]
    lines = []
    for parts in zip_longest(*cells, fillvalue=Line("")):
        line = Line(" " * indent)
        for number, (part, width) in enumerate(zip(parts, widths, strict=True)):
            last = number == len(widths) - 1
            line.append_text(part if last else padded(part, width + _GAP))
        line.rstrip()
        lines.append(line)
    return lines


def _records(head: Sequence[str], rows: Sequence[Sequence[str]], look: Look, indent: int) -> list[Line]:
    colon = "：" if look.language == "zh" else ": "
    lines = []
    for row in rows:
        for number, (name, cell) in enumerate(zip(head, row, strict=True)):
            first = f"{' ' * (indent - 2)}{look.marks.bullet} " if number == 0 else None
            shown = cell or look.marks.dots
            lines += wrapped(f"{name}{colon}{shown}" if name else shown, look, indent=indent, first=first)
    return lines
