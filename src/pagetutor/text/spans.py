"""Code spans: the only markup a text has, `like this`."""

from __future__ import annotations

import re
from dataclasses import dataclass

_SPAN = re.compile(r"`([^`\n]+)`")


@dataclass(frozen=True, slots=True)
class Span:
    """A run of words that is either all code or all prose."""

    words: str
    code: bool


def spans(words: str) -> tuple[Span, ...]:
    """`words` cut into prose and code, in order; put together again without backticks it is all there.

    A backtick without its partner on the same line is prose and stays as it is written, so that
    nothing of a learner's own words can vanish.
    """
    found: list[Span] = []
    done = 0
    for match in _SPAN.finditer(words):
        if match.start() > done:
            found.append(Span(words[done : match.start()], code=False))
        found.append(Span(match[1], code=True))
        done = match.end()
    if done < len(words):
        found.append(Span(words[done:], code=False))
    return tuple(found)


def unticked(words: str) -> str:
    """Words of the learner's making, without the backtick that would end a code span."""
    return words.replace("`", "'")
