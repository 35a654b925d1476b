"""Picks the words of a course that a test waits for."""

from __future__ import annotations

from typing import TypeVar

from pagetutor.content.model import Block, Mission, Paragraph, Points, Variant
from pagetutor.text import Text

_Part = TypeVar("_Part")


def there(part: _Part | None) -> _Part:
    """A part that this mission has."""
    assert part is not None
    return part


def text(block: Block) -> Text:
    """The words of a paragraph."""
    assert isinstance(block, Paragraph)
    return block.text


def points(block: Block) -> tuple[Text, ...]:
    """The points of a list."""
    assert isinstance(block, Points)
    return block.items


def variant(mission: Mission, mistake: str) -> Variant:
    """The mistake of this id, with its words."""
    return next(v for model in mission.models for v in model.variants if v.id == mistake)
