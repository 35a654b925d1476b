"""What stands on a terminal, with its colours, as a value that can be drawn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from itertools import groupby
from typing import Any

import pyte
from pyte.screens import Char

from pagetutor.text.cells import cells


class Kind(Enum):
    """How the characters of a run take their cells."""

    ASCII = auto()
    SIGNS = auto()  # one cell each, often out of a font of another width: ✓ ▮ │
    WIDE = auto()  # two cells each


@dataclass(frozen=True, slots=True)
class Style:
    """How characters look; colours by their ANSI names or as six hexadecimal digits, None the usual one."""

    colour: str | None = None
    behind: str | None = None
    bold: bool = False
    dim: bool = False
    italic: bool = False
    underlined: bool = False
    reversed: bool = False


@dataclass(frozen=True, slots=True)
class Run:
    """Characters of one style and kind, from that column (0 is the first) on."""

    column: int
    words: str
    style: Style
    kind: Kind

    @property
    def width(self) -> int:
        """In cells."""
        return cells(self.words)


@dataclass(frozen=True, slots=True)
class Screen:
    """The rows of a terminal of so many columns, without the empty ones at its top and bottom."""

    columns: int
    rows: tuple[tuple[Run, ...], ...]

    @property
    def lines(self) -> list[str]:
        """The words alone, as they stand."""
        return [in_columns((run.column, run.words) for run in row) for row in self.rows]


def screen_of(printed: str, columns: int, rows: int) -> Screen:
    """The screen of a terminal of this size after all this was printed on it."""
    terminal = _Terminal(columns, rows)
    pyte.Stream(terminal).feed(printed)
    drawn = [tuple(_runs([terminal.buffer[row][at] for at in range(columns)])) for row in range(rows)]
    full = [number for number, row in enumerate(drawn) if row]
    return Screen(columns, tuple(drawn[min(full) : max(full) + 1]) if full else ())


def in_columns(pieces: Iterator[tuple[int, str]]) -> str:
    """One line of these pieces, each at its column."""
    line = ""
    for column, words in pieces:
        line += " " * (column - cells(line)) + words
    return line.rstrip()


def _runs(characters: list[Char]) -> Iterator[Run]:
    """The runs of a row; spaces at the ends of a run are drawn only where something is seen of them."""
    placed = [(column, one) for column, one in enumerate(characters) if one.data]  # "": a wide one's second
    for (style, kind), group in groupby(placed, key=lambda at: (_style(at[1]), _kind(at[1].data))):
        pieces = list(group)
        words = "".join(one.data for _, one in pieces)
        column = pieces[0][0]
        if not (style.behind or style.reversed or style.underlined):
            column += len(words) - len(words.lstrip(" "))
            words = words.strip(" ")
        if words:
            yield Run(column, words, style, kind)


def _style(character: Char) -> Style:
    return Style(
        colour=_colour(character.fg),
        behind=_colour(character.bg),
        bold=character.bold,
        dim=character.blink,
        italic=character.italics,
        underlined=character.underscore,
        reversed=character.reverse,
    )


def _colour(name: str) -> str | None:
    return None if name == "default" else name.replace("bfight", "bright").replace("brown", "yellow")


def _kind(character: str) -> Kind:
    if character.isascii():
        return Kind.ASCII
    return Kind.WIDE if cells(character) > 1 else Kind.SIGNS


class _Terminal(pyte.Screen):
    """A screen that remembers what is dim: pyte knows no such thing; blinking, unused here, stands for it."""

    def select_graphic_rendition(self, *codes: int, **more: Any) -> None:
        super().select_graphic_rendition(*_dim_as_blinking(codes), **more)


_DIM, _BLINKING, _NEITHER_BOLD_NOR_DIM, _NOT_BLINKING = 2, 5, 22, 25
_OPERANDS = {2: 3, 5: 1}  # after 38 and 48: red, green and blue, or a number out of 256


def _dim_as_blinking(codes: tuple[int, ...]) -> Iterator[int]:
    left = iter(codes)
    for code in left:
        if code == _DIM:
            yield _BLINKING
        elif code == _NEITHER_BOLD_NOR_DIM:
            yield from (code, _NOT_BLINKING)
        else:
            yield code
        if code in (38, 48) and (form := next(left, None)) is not None:
            yield form
            for _ in range(_OPERANDS.get(form, 0)):
                yield next(left, 0)
