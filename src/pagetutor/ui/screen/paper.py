"""What lines are printed on: stdout with its width, height, encoding and colours."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Sequence
from typing import TextIO

from rich.console import Console
from rich.text import Text as Line

from pagetutor.text import Language
from pagetutor.ui.render.code import Listed
from pagetutor.ui.render.look import Look, fit_width, marks_for

_LOWEST = 6  # rows; on a lower screen a pause after every few lines would only be in the way


class Paper:
    """Prints lines on a stream; knows how many rows have gone by since the learner last pressed a key."""

    def __init__(self, stream: TextIO | None = None, *, plain: bool) -> None:
        self._stream = stream if stream is not None else sys.stdout
        self._plain = plain
        self._console = console_on(self._stream, plain=plain)
        self._rows = 0

    def look(self, language: Language, *, unfolded: bool = True) -> Look:
        """The look of a screen in `language`, as wide as the terminal is now."""
        return Look(
            language=language,
            width=fit_width(_columns()),
            marks=marks_for(getattr(self._stream, "encoding", None), plain=self._plain),
            plain=self._plain,
            colour=self._console.color_system is not None and not self._console.no_color,
            unfolded=unfolded,
        )

    def print(self, lines: Sequence[Line]) -> None:
        """Print the lines as they are."""
        for line in lines:
            self._console.print(line, soft_wrap=True)
        self._rows += len(lines)

    def print_paged(self, lines: Sequence[Line], pause: Callable[[], None]) -> None:
        """Print the lines; `pause` before anything the learner has not read would leave the screen.

        A page ends at a blank line where one stands in its second half, but not at one after a colon:
        what is announced should be on the same page. What would begin low begins a new page, and so does a
        listing that would be broken and fits on one.
        """
        height = shutil.get_terminal_size().lines
        if height < _LOWEST:
            self.print(lines)
            return
        rest = list(lines)
        while self._rows + len(rest) > height - 2:
            room = max(height - 2 - self._rows, 0)
            at_worst = 0 if self._rows > height // 2 else room
            cut = next((at for at in range(room, room // 2, -1) if _may_end_a_page(rest, at)), at_worst)
            cut = _before_the_listing(rest, cut, height - 2) or (0 if self._rows else cut)
            self.print(rest[:cut])
            rest = rest[cut:]
            if rest and not rest[0].plain:  # one blank line goes below the page, where the prompt had its row
                self.print(rest[:1])
            while rest and not rest[0].plain:
                del rest[0]
            if not rest:
                return
            pause()
            self.fresh()
        self.print(rest)

    def fresh(self) -> None:
        """Everything so far has been read: the learner pressed a key."""
        self._rows = 0

    @property
    def console(self) -> Console:
        """The Rich console underneath, for what moves: a spinner."""
        return self._console


def _before_the_listing(lines: Sequence[Line], cut: int, room: int) -> int:
    """`cut`, or where the listing it would break begins, with what announces it, if all that has `room`."""
    if not 0 < cut < len(lines) or not all(isinstance(line, Listed) for line in lines[cut - 1 : cut + 1]):
        return cut
    start = next((at for at in range(cut, 0, -1) if not isinstance(lines[at - 1], Listed)), 0)
    end = next((at for at in range(cut, len(lines)) if not isinstance(lines[at], Listed)), len(lines))
    if end - start > room:
        return cut
    return next((at for at in range(start, 0, -1) if _may_end_a_page(lines, at) and end - at <= room), start)


def _may_end_a_page(lines: Sequence[Line], at: int) -> bool:
    return not lines[at - 1].plain and not (at > 1 and lines[at - 2].plain.endswith((":", "：")))


class _Console(Console):
    """A console that leaves a closed pipe to the boundary; Rich would end with status 1, a failed check's."""

    def on_broken_pipe(self) -> None:
        """Raise it on: this is called while the BrokenPipeError is handled."""
        raise  # noqa: PLE0704


def console_on(stream: TextIO, *, plain: bool) -> Console:
    """A console that interprets nothing in what it prints; sixteen colours, or none where plain."""
    return _Console(
        file=stream,
        markup=False,
        emoji=False,
        highlight=False,
        color_system=None if plain else "auto",
        width=fit_width(_columns()),  # Rich takes COLUMNS=0 for a width, and prints nothing
        no_color=True if plain or os.environ.get("NO_COLOR") else None,
        force_terminal=False if plain else None,
    )


def _columns() -> int:
    """The terminal's columns; 0 in COLUMNS, or words, count as unknown."""
    return shutil.get_terminal_size(fallback=(80, 24)).columns
