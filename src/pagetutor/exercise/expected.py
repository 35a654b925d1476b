"""What a right block manager would have done, step by step: the other half of "yours | expected".

The contract leaves open which free block is taken and how the free list is ordered: wherever the
learner's choice is legal it is taken over, so that yours and expected differ in mistakes alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pagetutor.exercise.contract import blocks_for
from pagetutor.exercise.scenario import (
    CallMethod,
    FillBlocks,
    FillPool,
    Hold,
    MakeManager,
    MakeRequest,
    Method,
    SetFree,
)
from pagetutor.exercise.trace import ManagerSeen, Odd, Outcome, Plain, RequestSeen, Step, TensorSeen, Trace
from pagetutor.learner.port import Raised

OOM = Outcome("raised", raised=Raised("RuntimeError", ("RuntimeError", "Exception"), "OOM"))
DONE = Outcome("done")


def expected_steps(trace: Trace) -> tuple[Step, ...]:
    """For each step of `trace`, the step of a right file from the same beginning.

    The right file goes its own way after a mistake: each step follows from the expected one before it.
    """
    world = _World()
    return tuple(world.after(step) for step in trace.steps)


@dataclass(slots=True)
class _World:
    """The objects of the right file as plain values."""

    sizes: dict[str, MakeManager] = field(default_factory=dict)
    requests: dict[str, RequestSeen] = field(default_factory=dict)
    managers: dict[str, ManagerSeen] = field(default_factory=dict)

    def after(self, yours: Step) -> Step:
        """Do what the step's operation asks for; `yours` is what the learner's file did."""
        outcome = DONE
        match yours.op:
            case MakeManager() as op:
                self.sizes[op.manager] = op
                shape = (op.num_blocks, op.block_size, op.head_dim)
                self.managers[op.manager] = ManagerSeen(tuple(range(op.num_blocks)), TensorSeen(shape, None))
            case MakeRequest() as op:
                self.requests[op.request] = RequestSeen(op.prompt_len, ())
            case SetFree() as op:
                self.managers[op.manager] = replace(self.managers[op.manager], free=op.ids)
            case Hold() as op:
                self.requests[op.request] = RequestSeen(op.seq_len, op.table)
            case FillPool():
                pass  # the values come from us, not from the learner: what was seen is what is right
            case FillBlocks() as op:
                self._fill_blocks(op, yours)
            case CallMethod() as op:
                outcome = self._call(op, yours)
        self._order_free_as(yours)
        reads = isinstance(yours.op, CallMethod) and yours.op.method is Method.GATHER
        if not (reads or isinstance(yours.op, FillBlocks)):
            self._hold_values_of(yours)
        step = Step(yours.op, outcome, dict(self.requests), dict(self.managers))
        if reads:  # what a read has changed is told once, as the contract tells it
            self._hold_values_of(yours)
        return step

    def _hold_values_of(self, yours: Step) -> None:
        """The learner's own values in the pools: whatever is in one before it is read is right."""
        for name, held in self.managers.items():
            seen = yours.managers.get(name)
            if seen is None or isinstance(seen.pool, Odd) or isinstance(held.pool, Odd):
                continue
            if seen.pool.values is not None and seen.pool.shape == held.pool.shape:
                self.managers[name] = replace(held, pool=seen.pool)

    def _fill_blocks(self, op: FillBlocks, yours: Step) -> None:
        """What was seen, as after any fill; where the learner's table is another, our own blocks filled."""
        size, table = self.sizes[op.manager], _whole(self.requests[op.request].table)
        self._hold_values_of(yours)
        now = yours.requests.get(op.request)
        if yours.outcome.kind == "done" and now is not None and now.table == table:
            return
        pool = self.managers[op.manager].pool
        assert isinstance(pool, TensorSeen)
        block = size.block_size * size.head_dim
        values = list(pool.values or (0,) * (size.num_blocks * block))
        for block_id, value in zip(table, op.values, strict=False):
            values[block_id * block : (block_id + 1) * block] = [value] * block
        self.managers[op.manager] = replace(
            self.managers[op.manager], pool=TensorSeen(pool.shape, tuple(values))
        )

    def _call(self, op: CallMethod, yours: Step) -> Outcome:
        was, size = self.requests[op.request], self.sizes[op.manager]
        tokens = was.seq_len
        assert isinstance(tokens, int)
        match op.method:
            case Method.PREFILL:
                return self._take(op, yours, blocks_for(tokens, size.block_size), seq_len=tokens)
            case Method.DECODE:
                need = blocks_for(tokens + 1, size.block_size) - len(_whole(was.table))
                return self._take(op, yours, max(0, need), seq_len=tokens + 1)
            case Method.GATHER:
                return Outcome("done", _rows(self.managers[op.manager], was, size))

    def _take(self, op: CallMethod, yours: Step, need: int, *, seq_len: int) -> Outcome:
        was, held = self.requests[op.request], self.managers[op.manager]
        old, free = _whole(was.table), _whole(held.free)
        now = yours.requests.get(op.request)
        if need > len(free):
            # seq_len after a decode that runs out is free: raised, as the reference leaves it, or rolled back
            told = now.seq_len if now is not None and now.seq_len in (was.seq_len, seq_len) else seq_len
            self.requests[op.request] = replace(was, seq_len=told)
            return OOM
        theirs = () if now is None or isinstance(now.table, Odd) else now.table[len(old) :]
        taken = _picked(free, theirs, need)
        self.requests[op.request] = RequestSeen(seq_len, old + taken)
        self.managers[op.manager] = replace(held, free=tuple(one for one in free if one not in taken))
        return DONE

    def _order_free_as(self, yours: Step) -> None:
        """The learner's own order of the free list, where it holds the same ids."""
        for name, held in self.managers.items():
            seen = yours.managers.get(name)
            if seen is None or isinstance(seen.free, Odd) or isinstance(held.free, Odd):
                continue
            whole = _whole(seen.free)
            if len(whole) == len(seen.free) and sorted(whole) == sorted(_whole(held.free)):
                self.managers[name] = replace(held, free=seen.free)


def _picked(free: Sequence[int], theirs: Sequence[Plain], need: int) -> tuple[int, ...]:
    """`need` ids of `free`: the learner's where they are free, the head of the list for the rest."""
    taken = [one for one in dict.fromkeys(theirs) if isinstance(one, int) and one in free][:need]
    taken += [one for one in free if one not in taken][: need - len(taken)]
    return tuple(taken)


def _rows(held: ManagerSeen, was: RequestSeen, size: MakeManager) -> TensorSeen:
    """The pool's own rows, block by block in the table's order, cut to the request's tokens."""
    tokens = was.seq_len
    assert isinstance(tokens, int)
    shape = (tokens, size.head_dim)
    if not isinstance(held.pool, TensorSeen) or held.pool.values is None:
        return TensorSeen(shape, None)
    block = size.block_size * size.head_dim
    joined = [
        value for one in _whole(was.table) for value in held.pool.values[one * block : (one + 1) * block]
    ]
    return TensorSeen(shape, tuple(joined[: tokens * size.head_dim]))


def _whole(ids: tuple[Plain, ...] | Odd) -> tuple[int, ...]:
    return () if isinstance(ids, Odd) else tuple(one for one in ids if isinstance(one, int))
