"""Words for a stream: on a terminal broken between words, where it would tear them."""

from __future__ import annotations

import shutil
from typing import TextIO


def fitted(words: str, stream: TextIO) -> str:
    """The words as they are, or, on a terminal, with line breaks between words, ids and Chinese characters.

    A word wider than the terminal, as a path can be, stays whole: so it can be copied.
    """
    if not stream.isatty():
        return words
    from rich.cells import cell_len  # noqa: PLC0415 — Rich: only where there is a terminal

    columns = shutil.get_terminal_size().columns
    rows = (row if cell_len(row) <= columns else _broken(row, columns) for row in words.split("\n"))
    return "\n".join(rows)


def _broken(row: str, columns: int) -> str:
    from pagetutor.text import Language  # noqa: PLC0415
    from pagetutor.ui.render.look import Look  # noqa: PLC0415
    from pagetutor.ui.render.words import wrapped  # noqa: PLC0415

    look = Look(Language.EN, max(columns, 1), colour=False)
    indent = len(row) - len(row.lstrip())
    return "\n".join(line.plain for line in wrapped(row, look, indent=indent, folds=False))
