"""The keys of a menu's options, the same where they are advised and where they are chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pagetutor.tutor.screen import Option


def keys_of(options: Sequence[Option], *, numbered: bool) -> Mapping[str, str]:
    """The key of each option by its id: its own letter, else its number; `numbered`: numbers for all."""
    keys: dict[str, str] = {}
    number = 0
    for option in options:
        if numbered or not option.key:
            number += 1
            keys[option.id] = str(number)
        else:
            keys[option.id] = option.key
    return keys
