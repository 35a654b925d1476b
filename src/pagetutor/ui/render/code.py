"""Python to read: highlighted in sixteen colours, no background, folded and never cut."""

from __future__ import annotations

from rich.text import Text as Line

from pagetutor.diagnosis.mistake import Span
from pagetutor.text.lines import lines_of
from pagetutor.ui.render.look import Look
from pagetutor.ui.render.words import folded, padded, visible


class Listed(Line):
    """A line of a listing, which a page shows whole where it can."""


def code(source: str, look: Look, *, indent: int = 4) -> list[Line]:
    """The source as lines, tabs expanded, each at most as wide as the screen."""
    lines: list[Line] = []
    for line in highlighted(source.strip("\n"), look):
        for part in folded(line, look.width - indent):
            lines.append(Listed.assemble(" " * indent, part))
    return lines


def highlighted(source: str, look: Look) -> list[Line]:
    """The source's lines with Python's colours, or without where the screen shows none."""
    clean = "\n".join(visible(line) for line in lines_of(source))
    if not look.colour:
        return [Line(line) for line in clean.split("\n")]
    from rich.syntax import Syntax  # noqa: PLC0415 — pygments: only where something is highlighted

    text = Syntax("", "python", theme="ansi_dark", background_color="default").highlight(clean)
    text.rstrip()
    return list(text.split("\n", allow_blank=True))


def quoted(source: str, span: Span, look: Look) -> list[Line]:
    """The learner's lines of `span`, numbered, with a caret under every character of it.

    At most four lines are quoted. A span beyond the source quotes nothing.
    """
    rows = lines_of(source)[span.line - 1 : min(span.end_line, span.line + 3)]
    if not rows:
        return []
    margin = min((len(row) - len(row.lstrip()) for row in rows if row.strip()), default=0)
    gutter = len(str(span.end_line))
    lines = []
    for offset, row in enumerate(rows):
        number = span.line + offset
        start = span.column - 1 if offset == 0 else len(row) - len(row.lstrip())
        end = span.end_column - 1 if number == span.end_line else len(row)
        lines += _numbered(
            row[margin:], number, range(start - margin, max(end, start + 1) - margin), gutter, look
        )
    return lines


def whole_line(source: str, line: int) -> Span:
    """The span of everything that stands on a line, for places known by their line only."""
    rows = lines_of(source)
    row = rows[line - 1] if 0 < line <= len(rows) else ""
    return Span(line, len(row) - len(row.lstrip()) + 1, line, len(row.rstrip()) + 1)


def _numbered(row: str, number: int, marked: range, gutter: int, look: Look) -> list[Line]:
    """One line of the learner's file behind its number, folded, with carets under the marked columns."""
    shown, carets = "", ""
    for position, char in enumerate(row):
        clean = visible(char) if char != "\t" else "    "
        shown += clean
        carets += ("^" if position in marked else " ") * Line(clean).cell_len
    if marked and marked.start >= len(row):
        carets = carets.ljust(Line(shown).cell_len) + "^"
    label = f"  {number:>{gutter}} {look.marks.gutter} "
    blank = f"  {' ' * gutter} {look.marks.gutter} "
    room = look.width - len(label)
    lines = []
    parts = folded(highlighted(shown, look)[0] if shown else Line(""), room)
    for part_number, part in enumerate(parts):
        lines.append(behind(label if part_number == 0 else blank, "dim", part))
        under, carets = carets[: part.cell_len], carets[part.cell_len :]
        if part_number == len(parts) - 1:
            under += carets
        if under.strip():
            lines.append(behind(blank, "dim", Line(under.rstrip()[:room], style="bold red")))
    return lines


def behind(label: str, style: str, part: Line) -> Line:
    """`part` behind a label of that style; a `Line` made with a style would lend it to all that follows."""
    return Line.assemble((label, style), part)


def framed(lines: list[Line], look: Look) -> list[Line]:
    """Output as it was printed, behind a gutter that tells it from the tutor's own words."""
    gutter = padded(Line(f"  {look.marks.gutter} "), 4).plain
    return [behind(gutter, "dim", line) for line in lines]
