"""What stands on a terminal, with its colours, as a value that can be drawn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pyte
from pyte.screens import Char

from pagetutor.text.cells import cells
from pagetutor.ui.svg import Run, Screen, Style, runs_of


@dataclass(frozen=True, slots=True)
class Seen(Screen):
    """The rows of a terminal, without the empty ones at its top and bottom."""

    @property
    def lines(self) -> list[str]:
        """The words alone, as they stand."""
        return [in_columns((run.column, run.words) for run in row) for row in self.rows]


def screen_of(printed: str, columns: int, rows: int) -> Seen:
    """The screen of a terminal of this size after all this was printed on it."""
    terminal = _Terminal(columns, rows)
    pyte.Stream(terminal).feed(printed)
    drawn = [tuple(_runs([terminal.buffer[row][at] for at in range(columns)])) for row in range(rows)]
    full = [number for number, row in enumerate(drawn) if row]
    return Seen(columns, tuple(drawn[min(full) : max(full) + 1]) if full else ())


def in_columns(pieces: Iterator[tuple[int, str]]) -> str:
    """One line of these pieces, each at its column."""
    line = ""
    for column, words in pieces:
        line += " " * (column - cells(line)) + words
    return line.rstrip()


def _runs(characters: list[Char]) -> Iterator[Run]:
    # "": the second cell of a wide one
    return runs_of((column, one.data, _style(one)) for column, one in enumerate(characters) if one.data)


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
