"""What a diagnosis says: a named mistake, and the piece of the learner's file where it stands."""

from __future__ import annotations

from dataclasses import dataclass

from pagetutor.content.model import MissionId, PartName
from pagetutor.text import Text


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of the learner's file, 1-based, end exclusive in columns."""

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class Mistake:
    """A named misunderstanding found in the code, and where.

    `certain` is False where it is only one of several explanations. `belief` and `ask` are the hint:
    what the learner seems to believe, and the question that shakes it. `reread` is a part of the
    mission `reread_in`; where that is None, of the mission that was checked.
    """

    id: str
    certain: bool
    span: Span | None
    belief: Text
    ask: Text
    reread: PartName
    slot: str | None = None
    method: str | None = None
    missing: bool = False  # True: a statement is missing before `span`, not wrong at it
    reread_in: MissionId | None = None


@dataclass(frozen=True, slots=True)
class Unknown:
    """A method that fails as no explanation does: its fingerprint, to count how often it is met."""

    method: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What was found in a failing file: named mistakes, and methods that nothing explains."""

    mistakes: tuple[Mistake, ...] = ()
    unknown: tuple[Unknown, ...] = ()
