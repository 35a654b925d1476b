"""Lines as Python numbers them."""

from __future__ import annotations

import re

_END = re.compile("\r\n|\r|\n")


def lines_of(words: str) -> list[str]:
    """The lines without their ends, numbered as in Python's messages and syntax trees.

    `str.splitlines` ends a line at form feeds, U+2028 and a few more too, which Python does not count.
    """
    *lines, last = _END.split(words)
    return [*lines, last] if last else lines
