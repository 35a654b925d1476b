"""How wide words are in a terminal: counted in cells, of which a Chinese character takes two."""

from __future__ import annotations

import unicodedata


def cells(words: str) -> int:
    """The number of terminal cells one line of `words` takes.

    By Unicode's East Asian Width: wide and full-width are 2, combining marks and format
    characters 0, everything else 1. Box drawing is "ambiguous" there and counts 1, as terminals
    do outside old CJK settings.
    """
    return sum(_cell(character) for character in words)


def _cell(character: str) -> int:
    if " " <= character <= "~":
        return 1
    if unicodedata.category(character) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in {"W", "F"} else 1
