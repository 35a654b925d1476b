"""Traces: what was observed while a scenario was played, step by step, as plain values.

The learner's process turns everything it sees into exact plain types before it speaks: an id that is
int-like arrives as int, anything else as an `Odd` (its class's name and a short rendering). Nothing
here is ever compared through an object of the learner's making.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Literal, cast

from pagetutor.exercise.scenario import MakeManager, MakeRequest, Op, Scenario
from pagetutor.learner.port import Frame, Json, Raised


@dataclass(frozen=True, slots=True)
class Odd:
    """Something that is not what the contract wants there: `Odd("float", "1.5")`, `Odd("list", "[3]")`."""

    kind: str
    shown: str

    @property
    def is_too_long(self) -> bool:
        """Whether it is a container of more than `MOST_IDS` ids: a finite one may be as right as any."""
        return self.shown == "endless"


MOST_IDS = 100_000  # the stage's: of more it tells that alone
Plain = int | Odd


@dataclass(frozen=True, slots=True)
class TensorSeen:
    """A tensor's true shape and its values in row-major order (None where too many to send).

    A value is an int where it is whole (as everything a scenario fills in is), else its `repr`.
    """

    shape: tuple[int, ...]
    values: tuple[int | str, ...] | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an operation ended.

    `done`: it returned (`value` is a tensor, an Odd, or None for None) · `raised` · `missing`: the class
    or method is not there · `unset`: a prepared state could not be set · `hung`: it ran on and was given
    up `at` a line of the learner's file, in a replay alone.
    """

    kind: Literal["done", "raised", "missing", "unset", "hung"]
    value: TensorSeen | Odd | None = None
    raised: Raised | None = None
    what: str = ""
    at: Frame | None = None


@dataclass(frozen=True, slots=True)
class RequestSeen:
    """A request after a step: `seq_len` and `block_table` (an Odd where it is no list of ids).

    `extra` are attributes beyond the starter's; `shares` names the field that is another request's object.
    """

    seq_len: Plain
    table: tuple[Plain, ...] | Odd
    extra: tuple[str, ...] = ()
    shares: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ManagerSeen:
    """A manager after a step.

    `free` are the ids in the learner's own order; `pool` is the cache's shape and, where values matter
    (after a fill, around a gather), its values. `extra` are attributes beyond the starter's: code
    that keeps books of its own. `shares` names the fields that are another manager's too.
    """

    free: tuple[Plain, ...] | Odd
    pool: TensorSeen | Odd
    extra: tuple[str, ...] = ()
    shares: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LineSeen:
    """A line of the learner's file that ran in a call, and what it left behind.

    `depth` counts the learner's own frames above it. `how`: it was `done`, it `calls` a method of the file
    (the state is the one before that), or it `raised`. `values` are the frame's small local values by name.
    `table` and `free` are None where they were too long to be told.
    """

    line: int
    function: str
    depth: int
    how: Literal["done", "calls", "raised"]
    seq_len: Plain
    table: tuple[Plain, ...] | Odd | None
    free: tuple[Plain, ...] | Odd | None
    values: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class LinesSeen:
    """The lines of a call in the order they ended.

    `ended`: these are the `whole` call; or it was `cut` after the first 200; or the rest was `lost`, as
    where the code sets a trace function of its own; or the call was given up after them, `hung`.
    """

    seen: tuple[LineSeen, ...]
    ended: Literal["whole", "cut", "lost", "hung"]


@dataclass(frozen=True, slots=True)
class Step:
    """One operation, how it ended, the whole state after it, and the lines that ran where they were told."""

    op: Op
    outcome: Outcome
    requests: dict[str, RequestSeen]
    managers: dict[str, ManagerSeen]
    lines: LinesSeen | None = None


@dataclass(frozen=True, slots=True)
class Trace:
    """A scenario and what was observed at each of its operations, in order.

    `books` are names of containers the learner's file keeps at module level.
    """

    scenario: Scenario
    steps: tuple[Step, ...]
    books: tuple[str, ...] = ()


class TraceError(ValueError):
    """The learner's process sent something that is no trace; judged as a crash, never as a pass."""


def trace_from_wire(scenario: Scenario, wire: Json) -> Trace:
    """The trace in this JSON. Raises TraceError unless it has the scenario's steps, each to its end."""
    trace = _trace(scenario, wire)
    if any(step.outcome.kind == "hung" for step in trace.steps):
        raise TraceError("an operation was given up")
    return trace


def hung_from_wire(scenario: Scenario, wire: Json) -> Trace | None:
    """The trace up to the operation that was given up; None where none was. Raises TraceError.

    Shorter than the scenario, so never to be judged: for the eye alone.
    """
    steps = _list(_map(wire).get("steps"))
    if not steps or _map(steps[-1]).get("kind") != "hung":
        return None
    return _trace(Scenario(scenario.ops[: len(steps)]), wire)


def _trace(scenario: Scenario, wire: Json) -> Trace:
    steps = _list(_map(wire).get("steps"))
    if len(steps) != len(scenario.ops):
        raise TraceError(f"{len(steps)} steps for {len(scenario.ops)} operations")
    seen: list[Step] = []
    made: set[str] = set()
    for op, step in zip(scenario.ops, steps, strict=True):
        seen.append(_step(op, step, seen[-1].managers if seen else {}))
        kind, shown = seen[-1].outcome.kind, {*seen[-1].managers, *seen[-1].requests}
        if isinstance(op, (MakeManager, MakeRequest)) and kind == "done":
            made.add(op.manager if isinstance(op, MakeManager) else op.request)
        if kind != "hung" and not made <= shown:  # where one was given up, nothing could be looked at
            raise TraceError("not all the managers and requests that were made")
    return Trace(
        scenario,
        tuple(seen),
        books=tuple(_text(name) for name in _list(_map(wire).get("books"))),
    )


def _step(op: Op, wire: Json, before: dict[str, ManagerSeen]) -> Step:
    fields = _map(wire)
    return Step(
        op=op,
        outcome=_outcome(fields),
        requests={name: _request(seen) for name, seen in _map(fields.get("requests")).items()},
        managers={
            name: _manager(seen, before.get(name)) for name, seen in _map(fields.get("managers")).items()
        },
        lines=_lines(_map(fields["lines"])) if "lines" in fields else None,
    )


def _lines(fields: dict[str, Json]) -> LinesSeen:
    seen: list[LineSeen] = []
    for line in map(_map, _list(fields.get("seen"))):
        seen.append(_line(line, seen[-1] if seen else None))
    match fields.get("ended"):
        case "whole" | "cut" | "lost" | "hung" as ended:
            return LinesSeen(tuple(seen), ended)
    raise TraceError("lines that end in no known way")


def _line(fields: dict[str, Json], before: LineSeen | None) -> LineSeen:
    """A line; ids that are as before are told once."""
    match fields.get("how"):
        case "done" | "calls" | "raised" as how:
            return LineSeen(
                line=_int(fields.get("line")),
                function=_text(fields.get("function")),
                depth=_int(fields.get("depth")),
                how=how,
                seq_len=_plain(fields.get("seq_len")),
                table=_told(fields.get("table"), None if before is None else (before.table,)),
                free=_told(fields.get("free"), None if before is None else (before.free,)),
                values=tuple((name, _text(shown)) for name, shown in _map(fields.get("values")).items()),
            )
    raise TraceError("a line that ended in no known way")


def _told(wire: Json, before: tuple[tuple[Plain, ...] | Odd | None] | None) -> tuple[Plain, ...] | Odd | None:
    """The ids after a line, None where they are too long; on the wire a null stands for those `before` it."""
    if wire is None:
        if before is None:
            raise TraceError("ids as before, and none before")
        return before[0]
    return None if wire == "too long" else _ids(wire)


def _outcome(fields: dict[str, Json]) -> Outcome:
    match fields.get("kind"):
        case "done":
            value = fields.get("value")
            return Outcome("done", value=None if value is None else _tensor_or_odd(value))
        case "raised":
            return Outcome("raised", raised=_raised(_map(fields.get("raised"))))
        case "missing":
            return Outcome("missing", what=_text(fields.get("what")))
        case "unset":
            return Outcome("unset", what=_text(fields.get("what")))
        case "hung":
            line = fields.get("line")
            at = None if line is None else Frame(_int(line), _text(fields.get("function")))
            return Outcome("hung", at=at)
    raise TraceError("an outcome of no known kind")


def _raised(fields: dict[str, Json]) -> Raised:
    frames = tuple(
        Frame(_int(frame.get("line")), _text(frame.get("function")))
        for frame in map(_map, _list(fields.get("frames")))
    )
    return Raised(
        exception=_text(fields.get("exception")),
        ancestors=tuple(_text(name) for name in _list(fields.get("ancestors"))),
        message=_text(fields.get("message")),
        frames=frames,
    )


def _request(wire: Json) -> RequestSeen:
    fields = _map(wire)
    return RequestSeen(
        seq_len=_plain(fields.get("seq_len")),
        table=_ids(fields.get("table")),
        extra=tuple(_text(name) for name in _list(fields.get("extra"))),
        shares=tuple(_text(name) for name in _list(fields.get("shares"))),
    )


def _manager(wire: Json, before: ManagerSeen | None) -> ManagerSeen:
    fields = _map(wire)
    return ManagerSeen(
        free=_ids(fields.get("free")),
        pool=_pool(_map(fields.get("pool")), before),
        extra=tuple(_text(name) for name in _list(fields.get("extra"))),
        shares=tuple(_text(name) for name in _list(fields.get("shares"))),
    )


def _pool(fields: dict[str, Json], before: ManagerSeen | None) -> TensorSeen | Odd:
    """The pool; one that is as before is told without its values, which are most of a long trace."""
    if fields.get("values") != "as before":
        return _tensor_or_odd(fields)
    pool = None if before is None else before.pool
    if not isinstance(pool, TensorSeen) or pool.values is None or list(pool.shape) != fields.get("shape"):
        raise TraceError("a pool as before, and none before")
    return pool


def _ids(wire: Json) -> tuple[Plain, ...] | Odd:
    return tuple(_plain(one) for one in wire) if type(wire) is list else _odd(_map(wire))


def _plain(wire: Json) -> Plain:
    return wire if type(wire) is int else _odd(_map(wire))


def _tensor_or_odd(wire: Json) -> TensorSeen | Odd:
    fields = _map(wire)
    if "odd" in fields:
        return _odd(fields)
    shape = tuple(_int(size) for size in _list(fields.get("shape")))
    if fields.get("values") is None:
        return TensorSeen(shape, None)
    values = _numbers(_list(fields.get("values")))
    if len(values) != prod(shape):
        raise TraceError(f"{len(values)} values in a tensor of shape {shape}")
    return TensorSeen(shape, values)


def _odd(fields: dict[str, Json]) -> Odd:
    return Odd(_text(fields.get("odd")), _text(fields.get("shown")))


def _numbers(wire: list[Json]) -> tuple[int | str, ...]:
    # The whole exercise brings 100,000 of them: asked of all at once, not one by one, they take 2 ms, not 40.
    if not set(map(type, wire)) <= {int, str}:
        raise TraceError("a value that is neither whole nor text")
    return cast("tuple[int | str, ...]", tuple(wire))


def _map(wire: Json) -> dict[str, Json]:
    if type(wire) is not dict:
        raise TraceError(f"{type(wire).__name__} where a map is due")
    return wire


def _list(wire: Json) -> list[Json]:
    if type(wire) is not list:
        raise TraceError(f"{type(wire).__name__} where a list is due")
    return wire


def _int(wire: Json) -> int:
    if type(wire) is not int:
        raise TraceError(f"{type(wire).__name__} where an int is due")
    return wire


def _text(wire: Json) -> str:
    if type(wire) is not str:
        raise TraceError(f"{type(wire).__name__} where text is due")
    return wire
