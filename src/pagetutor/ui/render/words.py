"""Sentences become lines: code spans styled, wrapped by cells, Chinese never cut or left overflowing."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.cells import cell_len, get_character_cell_size
from rich.text import Text as Line

from pagetutor.text import Text
from pagetutor.text.lines import lines_of
from pagetutor.ui.render.look import Look

CODE = "bold cyan"

_CLOSING = "，。；：！？、）」』”’》】〉…—·.,;:!?)]}%"
_OPENING = "（「『“‘《【〈([{"
_SEAMS = " ,.([{=/"
_SPELLED_OUT = str.maketrans(
    {"→": "->", "←": "<-", "↓": "v", "↑": "^", "…": "...", "·": "-", "•": "-", "×": "x", "≥": ">=", "≤": "<="}
    | {"“": '"', "”": '"', "‘": "'", "’": "'", "—": "-", "–": "-", "✓": "[ok]", "✗": "[no]", "🎯": ""}
)


def prose(
    text: Text, look: Look, *, indent: int = 0, first: str | None = None, style: str = ""
) -> list[Line]:
    """The sentences of `text` as lines, each at most `look.width` cells wide.

    `first` (a bullet, a number) stands before the first line, within the indentation.
    """
    return wrapped(text.in_(look.language), look, indent=indent, first=first, style=style)


def wrapped(
    words: str,
    look: Look,
    *,
    indent: int = 0,
    first: str | None = None,
    style: str = "",
    folds: bool = True,
) -> list[Line]:
    """Words already in the screen's language, with code spans in backticks, as lines.

    A word that is wider than the screen is cut, unless `folds` is off.
    """
    lines: list[Line] = []
    for paragraph in spelled(words, look).strip("\n").split("\n"):
        pieces = list(_pieces(paragraph, look, style))
        lines += _lines(pieces, look.width - indent, folds=folds)
    return _indented(lines, indent, first, style)


def literal(
    words: str, look: Look, *, indent: int = 0, first: str | None = None, style: str = ""
) -> list[Line]:
    """Words that are not ours (a message, a path, a print): nothing in them is markup, controls are shown."""
    lines: list[Line] = []
    for paragraph in lines_of(words) or [""]:
        lines += folded(Line(visible(paragraph), style=style), look.width - indent)
    return _indented(lines, indent, first, style)


def visible(words: str) -> str:
    """The words with control characters and lone surrogates spelled out: no terminal obeys them."""
    return "".join(
        char if char == " " or (char.isprintable() and unicodedata.category(char) != "Cf") else _escaped(char)
        for char in words.expandtabs(4)
    )


def _escaped(char: str) -> str:
    code = ord(char)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def spelled(words: str, look: Look) -> str:
    """The words with arrows and quotes spelled out where the screen cannot show them."""
    return words.translate(_SPELLED_OUT) if look.only_ascii else words


def folded(line: Line, width: int) -> list[Line]:
    """A line cut into lines of at most `width` cells: for code and output, never for prose.

    It is cut after a sign that parts code where one stands in the second half, otherwise anywhere.
    """
    pieces: list[Line] = []
    start, used, seam = 0, 0, 0
    for position, char in enumerate(line.plain):
        size = get_character_cell_size(char)
        if used + size > width and position > start:
            cut = seam if seam > start and (position - seam) * 2 < width else position
            pieces.append(line[start:cut])
            start, used = cut, line[cut:position].cell_len
        used += size
        if char in _SEAMS:
            seam = position + 1
    pieces.append(line[start:])
    return pieces


def padded(line: Line, width: int) -> Line:
    """The line followed by spaces up to `width` cells."""
    line = line.copy()
    line.append(" " * max(0, width - line.cell_len))
    return line


def _indented(lines: list[Line], indent: int, first: str | None, style: str) -> list[Line]:
    result = []
    for number, line in enumerate(lines or [Line("")]):
        head = first or "" if number == 0 else ""
        result.append(Line(head, style=style) + Line(" " * (indent - cell_len(head))) + line)
    return result


# ── wrapping ─────────────────────────────────────────────────────────────────────────────────────


@dataclass(slots=True)
class _Unit:
    """What may not be parted: a word, a code span, a Chinese character with its punctuation."""

    line: Line
    after_space: bool
    kind: str


def _pieces(words: str, look: Look, style: str) -> Iterator[tuple[str, str, str]]:
    """The kind (`space`, `word`, `wide`, `code`), text and style of each piece of a paragraph."""
    parts = words.split("`")
    if len(parts) % 2 == 0:  # an unpaired backtick is only a backtick
        parts[-2:] = ["`".join(parts[-2:])]
    for number, part in enumerate(parts):
        if number % 2:
            if part:
                yield "code", part if look.colour else f"`{part}`", CODE
        else:
            yield from _plain_pieces(part, style)


def _plain_pieces(words: str, style: str) -> Iterator[tuple[str, str, str]]:
    word = ""
    for char in words:
        if char in " \t":
            kind = "space"
        elif get_character_cell_size(char) == 2 or char in "“”‘’…—·":
            kind = "wide"
        else:
            word += char
            continue
        if word:
            yield "word", word, style
            word = ""
        yield kind, char, style
    if word:
        yield "word", word, style


def _units(pieces: Sequence[tuple[str, str, str]]) -> list[_Unit]:
    units: list[_Unit] = []
    after_space = False
    for kind, text, style in pieces:
        if kind == "space":
            after_space = True
            continue
        if units and not after_space and _glued(units[-1], kind, text):
            units[-1].line.append(text, style)
            units[-1].kind = kind
        else:
            units.append(_Unit(Line(text, style=""), after_space, kind))
            units[-1].line.stylize(style)
        after_space = False
    return units


def _glued(unit: _Unit, kind: str, text: str) -> bool:
    before = unit.line.plain[-1]
    if all(char in _CLOSING for char in text) or before in _OPENING:
        return True
    return kind != "wide" and unit.kind != "wide"


def _lines(pieces: Sequence[tuple[str, str, str]], width: int, *, folds: bool) -> list[Line]:
    lines = [Line("")]
    for unit in _units(pieces):
        space = " " if unit.after_space and lines[-1].plain else ""
        if lines[-1].plain and lines[-1].cell_len + len(space) + unit.line.cell_len > width:
            lines.append(Line(""))
            space = ""
        if folds and unit.line.cell_len > width:
            *whole, rest = folded(unit.line, width)
            lines[-1:] = [*whole, rest] if not lines[-1].plain else [lines[-1], *whole, rest]
        else:
            lines[-1].append(space)
            lines[-1].append_text(unit.line)
    return lines
