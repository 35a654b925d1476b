"""Extras wait behind a key until the learner asks for more."""

from __future__ import annotations

from pagetutor.content.model import More
from pagetutor.tutor.screen import PageShown, Showable


class Extras:
    """The extras of what was shown since the last pause; where `unfolded`, nothing waits."""

    def __init__(self, *, unfolded: bool) -> None:
        self.unfolded = unfolded
        self._waiting: list[More] = []

    def notice(self, value: Showable) -> None:
        """Keep the extras of this value for the next pause."""
        if isinstance(value, PageShown) and not self.unfolded:
            self._waiting += [block for block in value.blocks if isinstance(block, More)]

    @property
    def wait(self) -> bool:
        """Whether there is more to be asked for."""
        return bool(self._waiting)

    def take(self) -> PageShown:
        """Everything that waits, as a page; nothing waits any longer."""
        page = PageShown(tuple(self._waiting))
        self._waiting = []
        return page
