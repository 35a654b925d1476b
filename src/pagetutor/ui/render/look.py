"""How things look on one screen: language, width, marks, colours."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from pagetutor.text import Language
from pagetutor.ui.language import can_encode

NARROWEST = 20
WIDEST = 100  # longer lines of prose are tiring to read


@dataclass(frozen=True, slots=True)
class Marks:
    """The signs that stand beside every colour, so that no meaning is lost without it."""

    ok: str
    no: str
    bullet: str
    pointer: str
    gutter: str
    rule: str
    full: str
    empty: str
    dots: str
    target: str
    used: str  # a slot with a token in it
    tail: str  # a slot of a used block with none yet
    free: str  # a slot of a free block
    lost: str  # a slot of a block that nobody has
    twice: str  # a token's slot in a block that is owned twice
    aside: str  # a slot of a block that has no part in the case shown
    differs: str  # where yours and expected part


# None of a width that terminals disagree about: a picture's columns stand or fall by it.
_SLOTS = ("▮", "▯", ".", "?", "X", "-", "*")
UNICODE_MARKS = Marks("✓", "✗", "•", "❯", "│", "─", "█", "░", "…", "🎯", *_SLOTS)
# For screen readers and pipes: real characters, but nothing out of U+2500–257F and no picture.
PLAIN_MARKS = Marks("✓", "✗", "-", ">", "|", "-", "#", ".", "…", "", *_SLOTS)
ASCII_MARKS = Marks(
    "[ok]", "[no]", "-", ">", "|", "-", "#", ".", "...", "", "#", "_", ".", "?", "X", "-", "*"
)


def marks_for(encoding: str | None, *, plain: bool) -> Marks:
    """The marks that a stdout of this encoding can show."""
    marks = PLAIN_MARKS if plain else UNICODE_MARKS
    return marks if can_encode(encoding, "✓✗•❯│─█░…🎯▮▯") else ASCII_MARKS


@dataclass(frozen=True, slots=True)
class Look:
    """One screen: `width` in cells; `plain` for pipes and screen readers; `colour` whether styles show.

    Where colour does not show, code spans keep their backticks. Extras are shown where `unfolded`.
    """

    language: Language
    width: int = 80
    marks: Marks = field(default=UNICODE_MARKS)
    plain: bool = False
    colour: bool = True
    unfolded: bool = True

    @property
    def only_ascii(self) -> bool:
        """Whether this screen cannot show the usual marks, so content's arrows are spelled out too."""
        return self.marks is ASCII_MARKS

    def narrower(self, cells: int) -> Look:
        """The same screen with so many cells less of width."""
        return replace(self, width=self.width - cells)


def fit_width(columns: int) -> int:
    """The width to lay out for, on a terminal of so many columns (0 where unknown)."""
    return max(NARROWEST, min(columns or 80, WIDEST))
