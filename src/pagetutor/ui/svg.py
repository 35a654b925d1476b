"""A screen as an SVG picture, for a slide.

Every run is placed by its column, so that Chinese and English stand in line whatever fonts there are:
rich's export sets the two in one run, which a font that is not exactly twice as wide puts out of line.
No font is fetched from anywhere, and nothing in the file depends on when or where it was made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from itertools import groupby
from xml.sax.saxutils import escape, quoteattr

from rich.color import Color
from rich.console import Console
from rich.style import Style as RichStyle
from rich.text import Text as Line

from pagetutor.text import Language
from pagetutor.text.cells import cells

SIZE = 14  # of the font; every length here is in pixels
_WIDE_SIZE = 15  # of Chinese, which would look small beside it
CELL = 8.4
ROW = 17
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
    """The rows of a terminal of so many columns."""

    columns: int
    rows: tuple[tuple[Run, ...], ...]


def svg(screen: Screen, title: str, language: Language) -> str:
    """The picture of this screen in a window of this title; the same every time."""
    width = round(screen.columns * CELL) + 2 * _MARGIN
    height = len(screen.rows) * ROW + _BAR + 2 * _MARGIN
    rows = [_row(number, row) for number, row in enumerate(screen.rows)]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" role="img" xml:lang={quoteattr(language)} '
            'xml:space="preserve">',
            f"<title>{escape(title)}</title>",
            "<style>",
            f"text {{ font: {SIZE}px {_FONTS}; fill: {_FOREGROUND}; white-space: pre; "
            "font-variant-ligatures: none }",
            f".wide {{ font-size: {_WIDE_SIZE}px; letter-spacing: {_short(2 * CELL - _WIDE_SIZE)}px }}",
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


def _row(number: int, row: tuple[Run, ...]) -> str:
    return "\n".join(element for run in row for element in _run(run, number))


def _run(run: Run, row: int) -> Iterator[str]:
    colour, behind = _colours(run.style)
    left, width = run.column * CELL, run.width * CELL
    if behind is not None:
        yield (
            f'<rect x="{_short(left)}" y="{row * ROW}" width="{_short(width)}" height="{ROW}" '
            f'fill="{behind}"/>'
        )
    if run.words.isspace():
        return
    fitted = ""
    if run.kind is Kind.WIDE:
        left += (2 * CELL - _WIDE_SIZE) / 2  # each in the middle of its two cells
    elif run.kind is Kind.ASCII:
        fitted = f' textLength="{_short(width)}"'
    else:
        fitted = f' textLength="{_short(width)}" lengthAdjust="spacingAndGlyphs"'
    names = [name for name in ("bold", "dim", "italic", "underlined") if getattr(run.style, name)]
    names += ["wide"] if run.kind is Kind.WIDE else []
    shape = f' class="{" ".join(names)}"' if names else ""
    fill = f' style="fill: {colour}"' if colour else ""
    yield f'<text x="{_short(left)}" y="{row * ROW + SIZE}"{fitted}{shape}{fill}>{escape(run.words)}</text>'


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


# ── from lines ───────────────────────────────────────────────────────────────────────────────────


def screen_of_lines(lines: Sequence[Line], columns: int) -> Screen:
    """The screen of a terminal of so many columns that shows these lines."""
    console = Console(width=columns, color_system="truecolor", force_terminal=True)
    return Screen(columns, tuple(tuple(runs_of(_placed(line, console))) for line in lines))


def _placed(line: Line, console: Console) -> Iterator[tuple[int, str, Style]]:
    """Each character with its column; what takes no cell stays with the one before it."""
    column = 0
    pending: tuple[int, str, Style] | None = None
    for segment in Line.assemble(line).render(console):  # `render` alone forgets a style of the whole line
        style = _style(segment.style)
        for char in segment.text:
            if pending is not None and not cells(char):
                pending = (pending[0], pending[1] + char, pending[2])
                continue
            if pending is not None:
                yield pending
            pending = (column, char, style)
            column += cells(char)
    if pending is not None:
        yield pending


def _style(style: RichStyle | None) -> Style:
    if style is None:
        return Style()
    return Style(
        colour=_name(style.color),
        behind=_name(style.bgcolor),
        bold=bool(style.bold),
        dim=bool(style.dim),
        italic=bool(style.italic),
        underlined=bool(style.underline),
        reversed=bool(style.reverse),
    )


def _name(colour: Color | None) -> str | None:
    if colour is None or colour.is_default:
        return None
    if colour.number is not None and colour.number < len(_COLOURS):
        return [*_COLOURS][colour.number]
    return colour.get_truecolor().hex.removeprefix("#")


def runs_of(placed: Iterable[tuple[int, str, Style]]) -> Iterator[Run]:
    """The runs of a row of characters, each with its column and its style.

    Spaces at the ends of a run are drawn only where something is seen of them.
    """
    for (style, kind), group in groupby(placed, key=lambda one: (one[2], _kind(one[1]))):
        pieces = list(group)
        words = "".join(char for _, char, _ in pieces)
        column = pieces[0][0]
        if not (style.behind or style.reversed or style.underlined):
            column += len(words) - len(words.lstrip(" "))
            words = words.strip(" ")
        if words:
            yield Run(column, words, style, kind)


def _kind(character: str) -> Kind:
    if character.isascii():
        return Kind.ASCII
    return Kind.WIDE if cells(character) > 1 else Kind.SIGNS
