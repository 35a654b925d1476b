"""The door to whoever shows what happens by itself: results one below the other, single keys, a line below.

`pagetutor.ui` implements it twice, as it does `screen.Screen`, whose `live` opens it.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from enum import Enum, StrEnum, auto
from typing import TYPE_CHECKING, Protocol

from pagetutor.judge.report import Verdict

if TYPE_CHECKING:
    from pagetutor.tutor.screen import Showable


class Key(StrEnum):
    """What a learner can ask for at any moment of watching; the values are the keys."""

    RUN = "r"
    HINT = "h"
    REPLAY = "t"
    MORE = "m"  # the whole report
    LIST = "l"
    NEXT = "n"
    QUIT = "q"
    END = ""  # no key: the input is over, nothing will ever be asked for again


class Phase(Enum):
    """What is going on with the file that is watched."""

    WAITING = auto()  # for the next save
    LOADING = auto()  # a check runs, and torch is loaded first
    CHECKING = auto()
    GONE = auto()  # there is no such file now
    PASSED = auto()  # it passed: nothing is watched any more


@dataclass(frozen=True, slots=True)
class WatchState:
    """The line below the results: what is watched, and when it was last checked.

    `checked_at` is a time of day in words, `verdict` what came of that check; `keys` are those that
    do something now. `stops_after_s`: the check takes long, and is stopped once it took so many seconds.
    """

    file: str
    phase: Phase
    keys: tuple[Key, ...]
    checked_at: str | None = None
    verdict: Verdict | None = None
    stops_after_s: float | None = None


class Live(Protocol):
    """A screen for the time of watching. Results scroll as they come; nothing waits for a key."""

    @property
    def single_keys(self) -> bool:
        """Whether keys act as they are pressed, so that the learner can be left to choose one."""

    def begin(self, at: str) -> None:
        """Begin a new result below the last one; `at` is the time of day."""

    def show(self, value: Showable) -> None:
        """Show one value above the line."""

    def state(self, state: WatchState) -> None:
        """Show this state in place of the one before."""

    def wait(self, seconds: float, *, busy: bool) -> Key | None:
        """The next key, waited for at most so long or until `wake`; lets KeyboardInterrupt pass.

        While `busy` only QUIT is given: other keys pressed meanwhile are thrown away, and a script on
        stdin is not read on.
        """

    def wake(self) -> None:
        """End the wait that is going on; may be called from any thread, also afterwards."""

    def aside(self) -> AbstractContextManager[None]:
        """Leave the terminal to the ordinary screen in the meantime."""
