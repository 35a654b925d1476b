"""A screen as an SVG picture, and the words on it back out of the picture.

Every run is placed by its column, so that Chinese and English stand in line whatever fonts there are:
rich's export sets the two in one run, which a font that is not exactly twice as wide puts out of line.
No font is fetched from anywhere, and nothing in the file depends on when or where it was made.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from xml.etree import ElementTree
from xml.sax.saxutils import escape, quoteattr

from tests.pictures.screen import Kind, Run, Screen, Style, in_columns

_SIZE = 14  # of the font; every length here is in pixels
_WIDE_SIZE = 15  # of Chinese, which would look small beside it
_CELL = 8.4
_ROW = 17
_MARGIN = 14
_BAR = 30  # the title's
_BACKGROUND = "#15181e"
_FOREGROUND = "#d7dce2"
_COLOURS = {  # each at least 5:1 on the background
    "black": "#7d8590",
    "red": "#ff7b72",
    "green": "#56d364",
    "yellow": "#e3b341",
    "blue": "#79b8ff",
    "magenta": "#d2a8ff",
    "cyan": "#4fd1d9",
    "white": "#d7dce2",
    "brightblack": "#8b949e",
    "brightred": "#ffa198",
    "brightgreen": "#7ee787",
    "brightyellow": "#f2cc60",
    "brightblue": "#a5d6ff",
    "brightmagenta": "#e2c5ff",
    "brightcyan": "#8be9ef",
    "brightwhite": "#ffffff",
}
_FONTS = (
    "ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', "
    "'PingFang SC', 'Microsoft YaHei', 'Noto Sans Mono CJK SC', 'Noto Sans CJK SC', monospace"
)


def svg(screen: Screen, title: str, language: str) -> str:
    """The picture of this screen in a window of this title; the same every time."""
    width = round(screen.columns * _CELL) + 2 * _MARGIN
    height = len(screen.rows) * _ROW + _BAR + 2 * _MARGIN
    rows = [_row(number, row) for number, row in enumerate(screen.rows)]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" role="img" xml:lang={quoteattr(language)} '
            'xml:space="preserve">',
            f"<title>{escape(title)}</title>",
            "<style>",
            f"text {{ font: {_SIZE}px {_FONTS}; fill: {_FOREGROUND}; white-space: pre; "
            "font-variant-ligatures: none }",
            f".wide {{ font-size: {_WIDE_SIZE}px; letter-spacing: {_short(2 * _CELL - _WIDE_SIZE)}px }}",
            ".bold { font-weight: bold } .dim { fill-opacity: 0.62 } .italic { font-style: italic } "
            ".underlined { text-decoration: underline } .title { text-anchor: middle; fill: #9aa2ac }",
            "</style>",
            f'<rect width="{width}" height="{height}" rx="8" fill="{_BACKGROUND}"/>',
            f'<rect x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="8" fill="none" '
            'stroke="#7d8590" stroke-opacity="0.5"/>',
            f'<text class="title" x="{width // 2}" y="20">{escape(title)}</text>',
            f'<g transform="translate({_MARGIN} {_BAR + _MARGIN // 2})">',
            *(row for row in rows if row),
            "</g>",
            "</svg>",
            "",
        ]
    )


def lines_of(picture: str) -> list[str]:
    """The words on the screen in a picture that `svg` drew, row by row."""
    space = "{http://www.w3.org/2000/svg}"
    (screen,) = ElementTree.fromstring(picture).iter(f"{space}g")
    placed = [
        (
            round((float(text.get("y", "0")) - _SIZE) / _ROW),
            round(float(text.get("x", "0")) / _CELL),
            text.text or "",
        )
        for text in screen.iter(f"{space}text")
    ]
    lines = {
        row: in_columns(one[1:] for one in group) for row, group in groupby(placed, key=lambda one: one[0])
    }
    return [lines.get(row, "") for row in range(max(lines, default=-1) + 1)]


def _row(number: int, row: tuple[Run, ...]) -> str:
    return "\n".join(element for run in row for element in _run(run, number))


def _run(run: Run, row: int) -> Iterator[str]:
    colour, behind = _colours(run.style)
    left, width = run.column * _CELL, run.width * _CELL
    if behind is not None:
        yield (
            f'<rect x="{_short(left)}" y="{row * _ROW}" width="{_short(width)}" height="{_ROW}" '
            f'fill="{behind}"/>'
        )
    if run.words.isspace():
        return
    fitted = ""
    if run.kind is Kind.WIDE:
        left += (2 * _CELL - _WIDE_SIZE) / 2  # each in the middle of its two cells
    elif run.kind is Kind.ASCII:
        fitted = f' textLength="{_short(width)}"'
    else:
        fitted = f' textLength="{_short(width)}" lengthAdjust="spacingAndGlyphs"'
    names = [name for name in ("bold", "dim", "italic", "underlined") if getattr(run.style, name)]
    names += ["wide"] if run.kind is Kind.WIDE else []
    shape = f' class="{" ".join(names)}"' if names else ""
    fill = f' style="fill: {colour}"' if colour else ""
    yield f'<text x="{_short(left)}" y="{row * _ROW + _SIZE}"{fitted}{shape}{fill}>{escape(run.words)}</text>'


def _colours(style: Style) -> tuple[str | None, str | None]:
    """The colour of the characters and the one behind them; None is the picture's own."""
    colour, behind = _colour(style.colour), _colour(style.behind)
    if style.reversed:
        return behind or _BACKGROUND, colour or _FOREGROUND
    return colour, behind


def _colour(name: str | None) -> str | None:
    return None if name is None else _COLOURS.get(name, f"#{name}")


def _short(length: float) -> str:
    return f"{length:.1f}".removesuffix(".0")
