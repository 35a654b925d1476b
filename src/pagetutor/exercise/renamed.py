"""A trace with its block ids renamed by first use: two runs that only take other free blocks are equal.

Random ids are legal, random answers are not. Kept: how each call ended, lengths, each table with its
ids renamed, how many ids are free and which of those seen in a table are among them, shapes, and values
with the block they lie in renamed. Left out: the words of an exception beyond "OOM", the order of the
free list, which of its ids nobody has taken yet, and what the allocators return.
"""

from __future__ import annotations

from dataclasses import replace

from pagetutor.exercise.scenario import CallMethod, FillPool, MakeManager, Method
from pagetutor.exercise.trace import ManagerSeen, Odd, Outcome, Plain, RequestSeen, Step, TensorSeen, Trace

Renamed = str | int | None | tuple["Renamed", ...]


def renamed(trace: Trace) -> tuple[Renamed, ...]:
    """One value per step; equal for two runs that differ only in which free blocks they took."""
    names = _Names()
    return tuple(names.step(step) for step in trace.steps)


_Filled = dict[int | str, tuple[int, int]]  # what a fill wrote: value → block and place in it


class _Names:
    """The new names of a trace's block ids, in order of first use, and how its values are laid out."""

    def __init__(self) -> None:
        self._ids: dict[int, int] = {}
        self._filled: dict[str, _Filled] = {}
        self._shapes: dict[str, tuple[int, int, int]] = {}

    def step(self, step: Step) -> Renamed:
        if isinstance(step.op, MakeManager):
            self._shapes[step.op.manager] = (step.op.num_blocks, step.op.block_size, step.op.head_dim)
        if isinstance(step.op, FillPool) and step.op.manager in self._shapes:
            _, slots, dims = self._shapes[step.op.manager]
            pool = step.managers[step.op.manager].pool
            values = pool.values or () if isinstance(pool, TensorSeen) else ()
            self._filled[step.op.manager] = {
                value: divmod(at, slots * dims) for at, value in enumerate(values)
            }
        requests = tuple((name, self._request(seen)) for name, seen in step.requests.items())
        managers = tuple((name, self._manager(name, seen)) for name, seen in step.managers.items())
        filled = self._filled.get(step.op.manager) if isinstance(step.op, CallMethod) else None
        gathers = isinstance(step.op, CallMethod) and step.op.method is Method.GATHER
        outcome = step.outcome if gathers else replace(step.outcome, value=None)
        return (self._outcome(outcome, filled), requests, managers)

    def _outcome(self, outcome: Outcome, filled: _Filled | None) -> Renamed:
        raised = outcome.raised
        if raised is not None:
            return ("raised", raised.exception, "OOM" if "OOM" in raised.message else "")
        return (outcome.kind, outcome.what, self._value(outcome.value, filled))

    def _value(self, value: TensorSeen | Odd | None, filled: _Filled | None) -> Renamed:
        if not isinstance(value, TensorSeen):
            return None if value is None else ("odd", value.kind)
        if value.values is None or filled is None:
            return (value.shape, value.values)
        return (value.shape, tuple(self._place(one, filled) for one in value.values))

    def _place(self, value: int | str, filled: _Filled) -> Renamed:
        """The block, renamed, and the place in it; all that nobody filled in is alike: it may be anything."""
        if value not in filled:
            return "not from the pool"
        block, place = filled[value]
        return (self._ids.get(block, "in no table"), place)

    def _request(self, seen: RequestSeen) -> Renamed:
        table = seen.table
        ids: Renamed = ("odd", table.kind) if isinstance(table, Odd) else tuple(map(self._id, table))
        return (_plain(seen.seq_len), ids, seen.shares)

    def _id(self, one: Plain) -> Renamed:
        if isinstance(one, Odd):
            return ("odd", one.kind)
        return self._ids.setdefault(one, len(self._ids))

    def _manager(self, name: str, seen: ManagerSeen) -> Renamed:
        free = seen.free
        if isinstance(free, Odd):
            return ("odd", free.kind)
        whole = [one for one in free if isinstance(one, int)]
        known = sorted(self._ids[one] for one in whole if one in self._ids)
        return (len(free), len(set(whole)), tuple(known), self._pool(name, seen.pool), seen.shares)

    def _pool(self, name: str, pool: TensorSeen | Odd) -> Renamed:
        if isinstance(pool, Odd):
            return ("odd", pool.kind)
        # Before all of it is filled it may hold anything: `torch.empty` is a right pool.
        return (pool.shape, pool.values if name in self._filled else None)


def _plain(one: Plain) -> Renamed:
    return one if isinstance(one, int) else ("odd", one.kind)
