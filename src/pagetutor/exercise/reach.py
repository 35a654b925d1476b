"""The same situation reached by the learner's own calls, for code that keeps books of its own.

A right file may keep an owner map or a bitmap beside `free_blocks`; a state prepared from outside is
news to those books. Here the pool is brought to the same numbers by `allocate_for_prefill` and
`allocate_for_decode`. Before any block is taken the free list is shuffled (all blocks are free, so no
book can disagree): otherwise every table would come out sorted, and a gather that sorts would pass.
"""

from __future__ import annotations

from pagetutor.exercise.contract import blocks_for
from pagetutor.exercise.scenario import (
    CallMethod,
    Hold,
    MakeManager,
    MakeRequest,
    Method,
    Op,
    Scenario,
    SetFree,
)


def reached_by_calls(prepared: Scenario) -> Scenario | None:
    """`prepared` with each prepared state replaced by calls; None where no calls lead there.

    The state prepared is that of the first manager; a second one is only made.
    """
    made = prepared.ops[0]
    if not isinstance(made, MakeManager):
        return None
    free = next((op for op in prepared.ops if isinstance(op, SetFree)), None)
    holds = [op for op in prepared.ops if isinstance(op, Hold)]
    if any(len(op.table) != blocks_for(op.seq_len, made.block_size) for op in holds):
        return None
    if shares_a_block(prepared):
        return None
    held = sum(len(op.table) for op in holds)
    spare = made.num_blocks - held - (made.num_blocks - held if free is None else len(free.ids))
    if spare < 0:
        return None
    taking = [_taking(op, made) for op in holds]
    ops: list[Op] = [made, SetFree(_scattered(made.num_blocks))]
    ops += _fillers(spare, made, after=taking)
    skipped = {op.request for op in holds}
    ops += [op for op in prepared.ops[1:] if not _is_staging(op, skipped)]
    return Scenario(tuple(ops))


def shares_a_block(prepared: Scenario) -> bool:
    """Whether a block stands in tables twice, which no call of the exercise brings about."""
    ids = [block for op in prepared.ops if isinstance(op, Hold) for block in op.table]
    return len(set(ids)) < len(ids)


def _scattered(num_blocks: int) -> tuple[int, ...]:
    """All ids, no two neighbours in order: odd ids downwards, then even ids upwards."""
    odd = range(num_blocks - 1 - num_blocks % 2, 0, -2)
    return (*odd, *range(0, num_blocks, 2))


def _taking(hold: Hold, made: MakeManager) -> tuple[list[Op], list[Op]]:
    """The first block by a prefill, and the tokens after it by decodes."""
    first = min(hold.seq_len, made.block_size)
    begin: list[Op] = [MakeRequest(hold.request, first), CallMethod(Method.PREFILL, hold.request)]
    return begin, [CallMethod(Method.DECODE, hold.request)] * (hold.seq_len - first)


def _fillers(spare: int, made: MakeManager, *, after: list[tuple[list[Op], list[Op]]]) -> list[Op]:
    """The holders' first blocks, then a request that keeps the spare blocks, then the holders' growth."""
    ops = [op for begin, _ in after for op in begin]
    if spare:
        ops += [MakeRequest("filler", spare * made.block_size), CallMethod(Method.PREFILL, "filler")]
    return ops + [op for _, grow in after for op in grow]


def _is_staging(op: Op, held: set[str]) -> bool:
    match op:
        case SetFree() | Hold():
            return True
        case MakeRequest(request=name):
            return name in held
    return False
