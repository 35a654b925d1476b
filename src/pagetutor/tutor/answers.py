"""Comparing what a learner typed with what is so: by value, not by the way it is written."""

from __future__ import annotations

import re
import unicodedata


def same_answer(typed: str, expected: str) -> bool:
    """Whether both say the same: `[9, 64]`, `(9,64)`, `9x64` and `9×64` are one; so are `'FULL'` and `full`.

    Spaces, full-width forms, the kind of brackets and quotes, case, and a full stop at the end do not count.
    """
    return _plain(typed) == _plain(expected)


def _plain(words: str) -> str:
    flat = unicodedata.normalize("NFKC", words).casefold()
    flat = flat.replace("、", ",").replace("“", "'").replace("”", "'").replace("‘", "'").replace("’", "'")
    flat = re.sub(r"\s*([,x×*])\s*(?=\d)", ",", flat) if re.search(r"\d\s*[x×*]\s*\d", flat) else flat
    flat = re.sub(r"(?<=\d)\s+(?=\d)", ",", flat)  # `9 64` is a list, never the number 964
    flat = re.sub(r"[\s\[\](){}'\"`]|torch\.size", "", flat)
    return re.sub(r",+$", "", flat.rstrip(".。"))
