"""The course as values: what `missions/` becomes once it is read and found complete.

Everything is frozen. Words are `Text` (zh and en); identifiers, figures and code are plain `str`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Literal

from pagetutor.text import Text

MissionId = Literal["1", "2", "3", "final"]


class PartName(StrEnum):
    """The parts of a mission in the order a learner meets them; the names `show N PART` takes."""

    GUESS = "guess"
    BACKGROUND = "background"
    DIAGRAM = "diagram"
    WARM_UP = "warm-up"
    MAPPING = "mapping"
    QUIZ = "quiz"
    HAND_TRACE = "hand-trace"
    EXERCISE = "exercise"


# ── blocks: what a page is made of ───────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A few sentences."""

    text: Text


@dataclass(frozen=True, slots=True)
class Points:
    """A list of short points."""

    items: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Steps:
    """A numbered list: things that happen in this order."""

    items: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Drawing:
    """A drawn text diagram, at most 40 cells wide, and a sentence that says the same without it."""

    art: Text
    says: Text


@dataclass(frozen=True, slots=True)
class PoolRequest:
    """A request of a pool: its tokens, and the physical blocks of its table in logical order."""

    name: str
    tokens: int
    table: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Pool:
    """A state of a pool to be drawn, or told where nothing is drawn; the free list in its order.

    Only the blocks `shown` get a box, all where it is None; `caption` stands above the picture.
    """

    blocks: int
    block_size: int
    free: tuple[int, ...]
    requests: tuple[PoolRequest, ...]
    shown: tuple[int, ...] | None = None
    caption: Text | None = None


@dataclass(frozen=True, slots=True)
class Pools:
    """States that follow one another: their pictures side by side where they fit."""

    items: tuple[Pool, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A small table: column heads and rows of cells."""

    head: tuple[Text, ...]
    rows: tuple[tuple[Text, ...], ...]


@dataclass(frozen=True, slots=True)
class Code:
    """A piece of Python to read."""

    source: str


@dataclass(frozen=True, slots=True)
class More:
    """Extras, shown only when the learner asks for more."""

    blocks: tuple[Paragraph | Points | Code, ...]


Block = Paragraph | Points | Steps | Drawing | Pool | Pools | Table | Code | More
Page = tuple[Block, ...]


# ── questions ────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Choice:
    """One option of a question, with its own explanation; a wrong one may name a mistake's id."""

    id: str
    text: Text
    explain: Text
    right: bool = False
    mistake: str | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A multiple-choice question with exactly one right option.

    `id` is unique in the course (`1.guess`, `1.quiz`, `1.quiz.again`); `reread` is the part that
    answers it; `again` is the same question with changed numbers, for a later start. `evidence` is the
    test that plays the very case a guess is about.
    """

    id: str
    ask: Text
    choices: tuple[Choice, ...]
    reread: PartName
    again: Question | None = None
    evidence: str | None = None

    @property
    def right(self) -> Choice:
        """The one right option."""
        return next(choice for choice in self.choices if choice.right)

    def choice(self, choice_id: str) -> Choice:
        """The option of that id. Raises KeyError for an id that is not there."""
        choice = self.find_choice(choice_id)
        if choice is None:
            raise KeyError(choice_id)
        return choice

    def find_choice(self, choice_id: str) -> Choice | None:
        """The option of that id; None where it is not there, as one that was chosen from an older course."""
        return next((choice for choice in self.choices if choice.id == choice_id), None)


# ── the hands-on parts ───────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Prediction:
    """An expression over the warm-up's final variables, and the `repr` it ends with."""

    expression: str
    ends_as: str


@dataclass(frozen=True, slots=True)
class Knob:
    """A number of the warm-up the learner may change (`item_count = 11`), with a value worth trying."""

    name: str
    suggested: int
    what_happens: Text


@dataclass(frozen=True, slots=True)
class WarmUp:
    """A runnable program that rehearses the very syntax of the task.

    `predictions` are asked before the run and compared after it; `output` is what it prints, whole.
    """

    intro: Text
    program: str
    predictions: tuple[Prediction, ...]
    knobs: tuple[Knob, ...]
    output: str


@dataclass(frozen=True, slots=True)
class Mapped:
    """One row of the mapping: a name of the warm-up, what it becomes in the exercise, and a remark."""

    warm_up: str
    exercise: str
    remark: Text


@dataclass(frozen=True, slots=True)
class TraceCell:
    """A cell the learner fills in by hand: the accepted answer, and why it is so."""

    answer: str
    explain: Text


@dataclass(frozen=True, slots=True)
class TraceRow:
    """A row of the hand-trace: what is given (`6`, `cat`), and the cells to fill in."""

    given: Text
    cells: tuple[TraceCell, ...]


@dataclass(frozen=True, slots=True)
class HandTrace:
    """A small table filled in by hand before the code: `head[0]` names what is given."""

    intro: Text
    head: tuple[Text, ...]
    rows: tuple[TraceRow, ...]


@dataclass(frozen=True, slots=True)
class Todo:
    """One TODO of the starter.

    `name` is the variable the starter leaves as a placeholder (`needed_blocks`), or None where
    the placeholder is a bare statement; `method` is where it stands.
    """

    number: int
    method: str
    name: str | None
    task: Text


@dataclass(frozen=True, slots=True)
class ExercisePart:
    """The last part: what to do, what to look at when it fails, and what works after a pass."""

    page: Page
    now_works: Text
    next_up: Text


# ── the error model ──────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Variant:
    """One named mistake of the error model: slot → wrong code, and its hints.

    `code` replaces the reference in one slot or several; the first slot named is where the mistake
    lives (it fixes the causal order). `belief` says what the learner seems to believe, `ask` is the
    question that shakes it; neither shows the answer. Several variants may share one id.
    """

    id: str
    code: dict[str, str]
    belief: Text
    ask: Text
    reread: PartName


@dataclass(frozen=True, slots=True)
class Slot:
    """One place of the reference method: its reference code, legal neutral variants, deeper hints.

    `example`, `pattern` and `line` are hint rungs 3, 4 and 5: a worked example with other numbers,
    the pattern with a hole, the line itself.
    """

    name: str
    reference: str
    neutral: tuple[str, ...]
    example: Text
    pattern: Text
    line: Text


@dataclass(frozen=True, slots=True)
class ErrorModel:
    """The reference of one method written with slots, and its named wrong variants.

    `template` holds `{slot}` markers, each alone at its indentation or inside a line. Each of the
    `ties` lists ids of variants that are one behaviour: no call on the learner's code tells them apart.
    """

    method: str
    template: str
    slots: tuple[Slot, ...]
    variants: tuple[Variant, ...]
    ties: tuple[tuple[str, ...], ...] = ()

    def slot(self, name: str) -> Slot:
        """The slot of that name. Raises KeyError for a name that is not there."""
        for slot in self.slots:
            if slot.name == name:
                return slot
        raise KeyError(name)


def twins_of(ties: Iterable[Sequence[str]]) -> dict[str, frozenset[str]]:
    """For each id in these ties, the ids it shares a behaviour with, itself among them."""
    twins: dict[str, frozenset[str]] = {}
    for tie in ties:
        for name in tie:
            twins[name] = twins.get(name, frozenset()) | frozenset(tie)
    return twins


# ── mission and course ───────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Card:
    """A card "beyond the exercise", shown only after a pass, one at a time."""

    id: str
    title: Text
    text: Text


@dataclass(frozen=True, slots=True)
class OtherWay:
    """Another right way to write the exercise, with what it buys and what it costs."""

    title: Text
    code: str
    trade_off: Text


@dataclass(frozen=True, slots=True)
class Mission:
    """One mission as a learner meets it. The final one has only `exercise` and no guess to quiz."""

    id: MissionId
    title: Text
    methods: tuple[str, ...]
    todos: tuple[Todo, ...]
    guess: Question | None
    background: Page
    diagram: Page
    warm_up: WarmUp | None
    mapping_intro: Text | None
    mapping: tuple[Mapped, ...]
    quiz: Question | None
    hand_trace: HandTrace | None
    exercise: ExercisePart
    tests: Path
    test_titles: dict[str, Text]
    models: tuple[ErrorModel, ...]
    other_ways: tuple[OtherWay, ...]
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Course:
    """The whole course, read from `root`."""

    root: Path
    title: Text
    prologue: Page
    missions: tuple[Mission, ...]

    @property
    def starter(self) -> Path:
        """The starter file the learner's own begins as."""
        return self.root / "block_manager.py"

    @property
    def solution(self) -> Path:
        """The reference solution."""
        return self.root / "solution.py"

    @property
    def stage(self) -> Path:
        """The course's own Python that plays scenarios in the learner's process."""
        return self.root / "stage.py"
