"""Traces: what was observed while a scenario was played, step by step, as plain values.

The learner's process turns everything it sees into exact plain types before it speaks: an id that is
int-like arrives as int, anything else as an `Odd` (its class's name and a short rendering). Nothing
here is ever compared through an object of the learner's making.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pagetutor.exercise.scenario import Op, Scenario
from pagetutor.learner.port import Json, Raised


@dataclass(frozen=True, slots=True)
class Odd:
    """Something that is not what the contract wants there: `Odd("float", "1.5")`, `Odd("list", "[3]")`."""

    kind: str
    shown: str


Plain = int | Odd


@dataclass(frozen=True, slots=True)
class TensorSeen:
    """A tensor's true shape and its values in row-major order (None where too many to send)."""

    shape: tuple[int, ...]
    values: tuple[float, ...] | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an operation ended.

    `done`: it returned (`value` is a tensor, an Odd, or None for None) · `raised` · `missing`: the class
    or method is not there · `unset`: a prepared state could not be set.
    """

    kind: Literal["done", "raised", "missing", "unset"]
    value: TensorSeen | Odd | None = None
    raised: Raised | None = None
    what: str = ""


@dataclass(frozen=True, slots=True)
class RequestSeen:
    """A request after a step: `seq_len` and `block_table` (an Odd where it is no list of ids)."""

    seq_len: Plain
    table: tuple[Plain, ...] | Odd


@dataclass(frozen=True, slots=True)
class ManagerSeen:
    """A manager after a step.

    `free` are the ids in the learner's own order; `pool` is the cache's shape and, where values matter
    (after a fill, around a gather), its values. `extra` are attributes beyond the starter's: code
    that keeps books of its own.
    """

    free: tuple[Plain, ...] | Odd
    pool: TensorSeen | Odd
    extra: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """One operation, how it ended, and the whole state after it."""

    op: Op
    outcome: Outcome
    requests: dict[str, RequestSeen]
    managers: dict[str, ManagerSeen]


@dataclass(frozen=True, slots=True)
class Trace:
    """A scenario and what was observed at each of its operations, in order."""

    scenario: Scenario
    steps: tuple[Step, ...]


class TraceError(ValueError):
    """The learner's process sent something that is no trace; judged as a crash, never as a pass."""


def trace_from_wire(scenario: Scenario, wire: Json) -> Trace:
    """The trace in this JSON. Raises TraceError unless it has exactly the scenario's steps."""
    raise NotImplementedError
