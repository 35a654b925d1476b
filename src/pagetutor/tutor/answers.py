"""Comparing what a learner typed with what is so: by value, not by the way it is written."""

from __future__ import annotations

import re
import unicodedata
from enum import Enum, auto


def same_answer(typed: str, expected: str) -> bool:
    """Whether both say the same: `[9, 64]`, `(9,64)`, `9x64` and `9×64` are one; so are `'FULL'` and `full`.

    Spaces, full-width forms, the kind of brackets and quotes, case, and a full stop at the end do not count.
    """
    return _plain(typed) == _plain(expected)


class Form(Enum):
    """The form of an answer: one number, or several as in a list or a shape."""

    NUMBER = auto()
    NUMBERS = auto()


def wanted_form(typed: str, expected: str) -> Form | None:
    """The form that is wanted where what was typed can be no answer at all; None where it can be one.

    Words are no number; but one number where several are due is an answer, and a wrong one.
    """
    if re.search(r"[0-9]", _plain(typed)):
        return None
    if re.fullmatch(r"-?[0-9]+", _plain(expected)):
        return Form.NUMBER
    if re.fullmatch(r"-?[0-9]+(,-?[0-9]+)+", _plain(expected)):
        return Form.NUMBERS
    return None


def _plain(words: str) -> str:
    flat = unicodedata.normalize("NFKC", words).casefold()
    flat = flat.replace("、", ",").replace("“", "'").replace("”", "'").replace("‘", "'").replace("’", "'")
    flat = re.sub(r"\s*([,x×*])\s*(?=\d)", ",", flat) if re.search(r"\d\s*[x×*]\s*\d", flat) else flat
    flat = re.sub(r"(?<=\d)\s+(?=\d)", ",", flat)  # `9 64` is a list, never the number 964
    flat = re.sub(r"[\s\[\](){}'\"`]|torch\.size", "", flat)
    return re.sub(r",+$", "", flat.rstrip(".。"))
