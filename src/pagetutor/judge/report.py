"""What a check found, as one value: everything the screen and the JSON are made from."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from pagetutor.content.model import MissionId
from pagetutor.diagnosis.mistake import Mistake, Unknown
from pagetutor.exercise.trace import Trace
from pagetutor.learner.port import Prints, Raised
from pagetutor.text import Text


class Verdict(StrEnum):
    """What a check says of the file; only `passed` is a pass."""

    PASSED = "passed"
    FAILED = "failed"
    UNFILLED = "unfilled"  # the mission's TODOs are still open
    BROKEN = "broken"  # the file could not be loaded
    STOPPED = "stopped"  # it started and did not finish


class Reason(StrEnum):
    """Why a file is broken or a run stopped; the values are those of the JSON contract."""

    UNREADABLE = "unreadable"
    SYNTAX = "syntax"
    ENCODING = "encoding"
    IMPORT = "import"
    TIMEOUT = "timeout"
    CRASH = "crash"
    EXIT = "exit"
    MEMORY = "memory"
    OUTPUT = "output"
    NONDETERMINISTIC = "nondeterministic"


@dataclass(frozen=True, slots=True)
class TestResult:
    """One test of the mission: what was expected and what was got, for people, if it failed."""

    id: str
    title: Text
    outcome: Literal["passed", "failed", "not_run"]
    expected: Text | None = None
    actual: Text | None = None


@dataclass(frozen=True, slots=True)
class Note:
    """Legal, and worth knowing."""

    id: str
    say: Text


@dataclass(frozen=True, slots=True)
class FailingCase:
    """The smallest failing case: the call, expected and got, the whole trace, and Python to reproduce it."""

    test_id: str
    call: Text
    expected: Text
    actual: Text
    reproduce: str
    trace: Trace


@dataclass(frozen=True, slots=True)
class CheckReport:
    """The whole result of checking one file against one mission.

    `say` is the one sentence for a verdict that no test speaks for (broken, stopped, unfilled); `column` is
    the character on `line`, from 1, that such a sentence points at;
    `open_todos` are the numbers still open; `works` are the titles of what already works; `raised` is the
    learner's own traceback, cut to the learner's frames; `source` is the text that was judged; `isolation`
    names the layers that held the learner's process in (none where it did not come to a run); `unknown` are
    methods whose failure has no name; `evidence` is, after a pass, what the code did in the guess's case.
    """

    mission: MissionId
    file: str
    verdict: Verdict
    reason: Reason | None
    line: int | None
    tests: tuple[TestResult, ...]
    mistakes: tuple[Mistake, ...]
    notes: tuple[Note, ...]
    seconds: float
    say: Text | None = None
    column: int | None = None
    open_todos: tuple[int, ...] = ()
    case: FailingCase | None = None
    raised: Raised | None = None
    prints: Prints = field(default_factory=Prints)
    source: str = ""
    isolation: tuple[str, ...] = ()
    evidence: Trace | None = None
    unknown: tuple[Unknown, ...] = ()

    @property
    def works(self) -> tuple[Text, ...]:
        """The titles of the tests that pass already."""
        return tuple(test.title for test in self.tests if test.outcome == "passed")
