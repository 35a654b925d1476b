"""Lines of a screen as an SVG picture, for a slide."""

from __future__ import annotations

import re
from collections.abc import Sequence
from io import StringIO

from rich.console import Console
from rich.text import Text as Line

# Whoever opens the picture should not call on a stranger's server: the fonts of the machine will do.
_FONT_FROM_AFAR = re.compile(r"@font-face \{.*?\}\s*", flags=re.DOTALL)


def svg(lines: Sequence[Line], width: int, title: str) -> str:
    """The picture of a terminal of `width` columns that shows these lines, under this title."""
    console = Console(
        file=StringIO(),
        record=True,
        width=width,
        force_terminal=True,
        color_system="truecolor",
        markup=False,
        emoji=False,
        highlight=False,
    )
    for line in lines:
        console.print(line, soft_wrap=True)
    return _FONT_FROM_AFAR.sub("", console.export_svg(title=title))
