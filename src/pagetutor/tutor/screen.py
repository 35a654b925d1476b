"""The door to whoever shows a lesson: what can be shown, what can be asked.

`pagetutor.ui` implements it twice (a terminal with keys; plain numbered text). A lesson shows values,
never strings it formatted itself; the screen knows the language, the width and the marks.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from pagetutor.content.model import (
    Block,
    Card,
    Choice,
    HandTrace,
    Mapped,
    Mission,
    OtherWay,
    PartName,
    WarmUp,
)
from pagetutor.text import Language, Text

if TYPE_CHECKING:  # 10 ms of dataclasses that a lesson's first question shows nothing of
    from pagetutor.judge.report import CheckReport
    from pagetutor.learner.port import ProgramRun
    from pagetutor.tutor.live import Live
    from pagetutor.tutor.recap import Recap
    from pagetutor.tutor.replaying import Replay


class LessonLeft(Exception):  # noqa: N818 — not an error: the learner chose to leave; everything is recorded
    """The learner left (the menu's leave, Ctrl-D, Esc). Every answer given so far is already recorded."""


@dataclass(frozen=True, slots=True)
class Option:
    """One thing to choose: its id and its words; `key` is a letter of its own where it has no number."""

    id: str
    text: Text
    key: str = ""


# ── what can be shown ────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class PartHeading:
    """The head of a part: which mission, which part, its number among the mission's parts.

    `again` is True where the guess is met once more, after the diagram, and has its number. `in_lesson` is
    False where a part is only reread.
    """

    mission: Mission
    part: PartName
    number: int
    of: int
    again: bool = False
    in_lesson: bool = False


@dataclass(frozen=True, slots=True)
class PageShown:
    """A page of content; the screen pauses it where it is taller than the screen."""

    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Said:
    """One plain sentence of the tutor."""

    text: Text


@dataclass(frozen=True, slots=True)
class Explained:
    """The explanation of the option that was chosen, right or wrong."""

    choice: Choice


@dataclass(frozen=True, slots=True)
class MappingShown:
    """How the warm-up's names become the exercise's."""

    intro: Text
    rows: tuple[Mapped, ...]


@dataclass(frozen=True, slots=True)
class WarmUpShown:
    """The warm-up's program, as it is about to run."""

    warm_up: WarmUp
    program: str


@dataclass(frozen=True, slots=True)
class WarmUpRan:
    """A run: output, final values, and what the learner had predicted for each (None: skipped)."""

    run: ProgramRun
    predicted: dict[str, str | None]


@dataclass(frozen=True, slots=True)
class TraceProgress:
    """The hand-trace so far: `filled[row][column]` is the learner's cell, None where not answered yet."""

    trace: HandTrace
    filled: tuple[tuple[str | None, ...], ...]


@dataclass(frozen=True, slots=True)
class ReportShown:
    """The result of a check, with the hint for the first mistake, told in full.

    `file_argument` names the file in the commands it advises: see `naming.file_argument`. With `by_keys` it
    advises the keys of watching in their place, with `menu` what has these options below; `brief`, it tells
    only as much as fits the screen.
    """

    report: CheckReport
    file_argument: str = ""
    by_keys: bool = False
    brief: bool = False
    menu: tuple[Option, ...] = ()


@dataclass(frozen=True, slots=True)
class EvidenceShown:
    """The guess beside what the learner's own code just did in that very case.

    `guessed` is the first guess, or the right one that the learner changed to.
    """

    guessed: Choice
    call: Text
    did: Text
    calibration: Text


@dataclass(frozen=True, slots=True)
class HintShown:
    """One rung of the hint ladder."""

    title: Text
    text: Text


@dataclass(frozen=True, slots=True)
class CardShown:
    """A card "beyond the exercise"."""

    card: Card


@dataclass(frozen=True, slots=True)
class SolutionShown:
    """The reference and the other right ways, beside the learner's own method where there is one."""

    reference: str
    others: tuple[OtherWay, ...]
    own: str | None


@dataclass(frozen=True, slots=True)
class MissionLine:
    """A mission in the overview: state, parts done, checks made; the last check's verdict and local time.

    `begun`: something was done in it, if only a guess.
    """

    mission: Mission
    parts_done: int
    parts: int
    passed: bool
    checks: int
    last_check: tuple[str, str] | None = None
    begun: bool = False


@dataclass(frozen=True, slots=True)
class RecapShown:
    """Everything the learner did in the course so far."""

    recap: Recap


@dataclass(frozen=True, slots=True)
class Overview:
    """Where the learner is and what is next."""

    course: Text
    lines: tuple[MissionLine, ...]
    next_up: Text


Showable = (
    PartHeading
    | PageShown
    | Said
    | Explained
    | MappingShown
    | WarmUpShown
    | WarmUpRan
    | TraceProgress
    | ReportShown
    | EvidenceShown
    | HintShown
    | CardShown
    | SolutionShown
    | RecapShown
    | Overview
)


# ── what can be asked ────────────────────────────────────────────────────────────────────────────


class Pause(StrEnum):
    """What the learner did at a pause between parts."""

    ON = "on"
    SKIP = "skip"


class Screen(Protocol):
    """Shows values and asks questions, in the learner's language.

    Every method that asks raises `LessonLeft` when the learner leaves (menu, Ctrl-D, Esc), lets
    KeyboardInterrupt pass, raises `UsageError` when input ends too early, and offers switching the
    language on the spot: it then tells `on_language` and asks the same thing again.
    """

    @property
    def language(self) -> Language:
        """The language now in use."""

    def show(self, value: Showable) -> None:
        """Show one value."""

    def choose(self, ask: Text, options: Sequence[Option], *, chosen: str | None = None) -> str:
        """The id of the option chosen by arrows or by its number; `chosen` is marked and preselected."""

    def type_in(self, ask: Text, *, skippable: bool = True) -> str | None:
        """What the learner typed, stripped; None where an empty line skips."""

    def pause(self, *, skippable: bool = False) -> Pause:
        """Wait for Enter; where skippable, `s` skips what comes."""

    def confirm(self, ask: Text) -> bool:
        """Yes or no, asked plainly; Enter alone means no."""

    def replay(self, value: Replay) -> None:
        """Let the learner step through it, until they leave it; where there are no keys, tell all of it."""

    def working(self, what: Text) -> AbstractContextManager[None]:
        """Say what is going on, once it has lasted 200 ms; keys typed meanwhile do nothing later."""

    def edit(self, path: Path, line: int | None = None) -> bool:
        """Open the file in the learner's editor and wait; False where no editor could be started."""

    def live(self) -> AbstractContextManager[Live]:
        """A screen for what happens by itself; leaving the context gives the terminal back."""
