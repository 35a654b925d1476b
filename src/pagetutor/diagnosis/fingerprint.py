"""Fingerprints: what a file does on the probes, with everything legal normalised away.

Two right files have the same fingerprint, whichever free block they take and in what order they keep
the rest; two files with the same mistake have the same one too. What is left out: which free id is
taken (ids are renamed by their part: held before, free before, neither), the order of the free list,
what the allocators return, `seq_len` after a decode that had no block to take; of an exception that a
`raise` of the file brought about, its words beyond "OOM" and its class beyond being a RuntimeError; of one
that was stumbled over, the numbers in its words.
"""

from __future__ import annotations

import ast
import builtins
import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pagetutor.exercise.contract import blocks_for
from pagetutor.exercise.scenario import CallMethod, MakeManager, Method
from pagetutor.exercise.trace import (
    ManagerSeen,
    Odd,
    Outcome,
    Plain,
    RequestSeen,
    Step,
    TensorSeen,
    Trace,
)
from pagetutor.learner.port import Raised

VERSION = 4

Canonical = str | int | float | None | tuple["Canonical", ...]


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """One short hex string per probe, in the probes' order."""

    probes: tuple[str, ...]

    @property
    def whole(self) -> str:
        """One string for all the probes together."""
        return _digest(" ".join(self.probes), 12)


class RaisingLines:
    """The `raise` statements of a text: an exception from there was meant, not stumbled into.

    Looked for once somebody asks: most edited copies raise nothing, and parsing each took a quarter of
    the search for a place.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._classes: dict[int, str | None] | None = None

    def meant(self, raised: Raised) -> bool:
        """Whether a `raise` on its line raised it, and not what stands in that line beside it.

        `raise RuntimeError("OOM: " + 3)` stumbles: what it names is another class than what came.
        """
        if self._classes is None:
            self._classes = dict(_raising(ast.parse(self._text)))
        if raised.line not in self._classes:
            return False
        named = self._classes[raised.line]
        return named is None or not hasattr(builtins, named) or named == raised.exception


def _raising(tree: ast.Module) -> Iterator[tuple[int, str | None]]:
    """Each line of a `raise`, with the class it names; None where it names none."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise):
            named = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
            name = named.id if isinstance(named, ast.Name) else None
            yield from ((line, name) for line in range(node.lineno, (node.end_lineno or node.lineno) + 1))


def of_trace(trace: Trace, raising: RaisingLines) -> str:
    """The fingerprint of one probe's trace; `raising` are the file's `RaisingLines`."""
    return _digest(repr(canonical(trace, raising)), 8)


def _digest(words: str, length: int) -> str:
    return hashlib.sha256(words.encode()).hexdigest()[:length]


def canonical(trace: Trace, raising: RaisingLines) -> Canonical:
    """The trace with everything legal normalised away, as nested tuples."""
    sizes: dict[str, int] = {}
    steps: list[Canonical] = []
    for index, step in enumerate(trace.steps):
        if isinstance(step.op, MakeManager):
            sizes[step.op.manager] = step.op.block_size
        if isinstance(step.op, CallMethod):
            steps.append(_call(step.op, step, trace.steps[index - 1], sizes.get(step.op.manager, 1), raising))
        elif step.outcome.kind != "done":
            steps.append((step.op.op, *_ended(step.outcome, raising)))
    return tuple(steps)


def _call(op: CallMethod, step: Step, before: Step, block_size: int, raising: RaisingLines) -> Canonical:
    was, now = before.requests.get(op.request), step.requests.get(op.request)
    held, seen = before.managers.get(op.manager), step.managers.get(op.manager)
    ended = _ended(step.outcome, raising)
    if was is None or now is None or held is None or seen is None:
        return (op.method.value, *ended)
    must_fail = _must_fail(op.method, was, held, block_size)
    value = _value(step.outcome.value) if op.method is Method.GATHER else None
    length = None if op.method is Method.DECODE and must_fail else _length(was, now)
    parts = _Parts.of(was, held)
    table = parts.table(now)
    return (
        op.method.value,
        ended,
        value,
        length,
        table,
        parts.pool(seen, now),
        _others(op, step, before),
        _pool_change(held, seen),
    )


def _must_fail(method: Method, was: RequestSeen, held: ManagerSeen, block_size: int) -> bool:
    """Whether no right file could succeed: the free list is too short for this call."""
    if not isinstance(was.seq_len, int) or isinstance(was.table, Odd) or isinstance(held.free, Odd):
        return False
    match method:
        case Method.PREFILL:
            return blocks_for(was.seq_len, block_size) > len(held.free)
        case Method.DECODE:
            return blocks_for(was.seq_len + 1, block_size) - len(was.table) > len(held.free)
        case Method.GATHER:
            return False


def _ended(outcome: Outcome, raising: RaisingLines) -> tuple[Canonical, ...]:
    raised = outcome.raised
    if raised is None:
        return (outcome.kind, outcome.what)
    names = (raised.exception, *raised.ancestors)
    for special in ("NotImplementedError", "SystemExit", "AssertionError", "RecursionError"):
        if special in names:
            return ("raised", special)
    runtime, out_of_memory = "RuntimeError" in names, "OOM" in raised.message
    meant = raising.meant(raised)
    if meant and "exceptions must derive from BaseException" in raised.message:
        return ("raised", "no exception")
    if meant or (runtime and out_of_memory):
        return ("raised", "meant", "RuntimeError" if runtime else "other", out_of_memory)
    kind = next((name for name in names if hasattr(builtins, name)), "Exception")
    return ("raised", kind, "" if kind in _TAKEN_FROM_NOTHING else _stumbled_over(raised.message))


# However a block is taken from an empty container, it is one mistake; each container words it its own way.
_TAKEN_FROM_NOTHING = {"IndexError", "KeyError", "StopIteration"}


def _stumbled_over(message: str) -> str:
    """Python's words without their numbers: a TypeError in one line says nothing of one in another."""
    return re.sub(r"\d+", "#", message)[:120]


def _value(value: TensorSeen | Odd | None) -> Canonical:
    match value:
        case TensorSeen(shape=shape, values=values):
            return ("tensor", shape, values)
        case Odd(kind=kind, shown=shown):
            return ("odd", kind, shown)
        case None:
            return None


def _length(was: RequestSeen, now: RequestSeen) -> Canonical:
    if isinstance(was.seq_len, int) and isinstance(now.seq_len, int):
        return now.seq_len - was.seq_len
    return ("odd", now.seq_len.kind if isinstance(now.seq_len, Odd) else "")


@dataclass(frozen=True, slots=True)
class _Parts:
    """The part each id played before the call: held at a place of the table, free, or neither."""

    old: tuple[Plain, ...]
    free: tuple[Plain, ...]

    @classmethod
    def of(cls, was: RequestSeen, held: ManagerSeen) -> _Parts:
        return cls(
            was.table if isinstance(was.table, tuple) else (),
            held.free if isinstance(held.free, tuple) else (),
        )

    def table(self, now: RequestSeen) -> Canonical:
        """The table with its ids renamed; free ones are numbered as they appear, so repeats show."""
        if isinstance(now.table, Odd):
            return ("odd", now.table.kind)
        order = self._order(now.table)
        return tuple(self._part(one, order) for one in now.table)

    def pool(self, seen: ManagerSeen, now: RequestSeen) -> Canonical:
        """What left the free list and what came into it; its order does not matter."""
        if isinstance(seen.free, Odd):
            return ("odd", seen.free.kind)
        if seen.free == self.free:
            return ()
        order = self._order(now.table if isinstance(now.table, tuple) else ())
        gone = Counter(self.free) - Counter(seen.free)
        come = Counter(seen.free) - Counter(self.free)
        taken = sorted(repr(self._part(one, order)) for one in gone.elements() if one in order)
        lost = sum(count for one, count in gone.items() if one not in order)
        return (tuple(taken), lost, tuple(sorted(repr(self._part(one, order)) for one in come.elements())))

    def _order(self, table: Sequence[Plain]) -> dict[Plain, int]:
        fresh = dict.fromkeys(one for one in table if one in self.free and one not in self.old)
        return {one: place for place, one in enumerate(fresh)}

    def _part(self, one: Plain, order: dict[Plain, int]) -> Canonical:
        if isinstance(one, Odd):
            return ("odd", one.kind)
        if one in self.old:
            return ("held", self.old.index(one))
        if one in order:
            return ("free", order[one])
        return ("free",) if one in self.free else ("neither", one)


def _others(op: CallMethod, step: Step, before: Step) -> Canonical:
    """The requests and managers the call does not name, but changed."""
    changed = [
        name for name, was in before.requests.items() if name != op.request and step.requests.get(name) != was
    ]
    changed += [
        name for name, was in before.managers.items() if name != op.manager and step.managers.get(name) != was
    ]
    return tuple(changed)


def _pool_change(held: ManagerSeen, seen: ManagerSeen) -> Canonical:
    if held.pool == seen.pool:
        return None
    match seen.pool:
        case TensorSeen(shape=shape, values=values):
            return (shape, values)
        case Odd(kind=kind):
            return ("odd", kind)
