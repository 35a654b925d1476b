"""The state of a pool as a picture needs it: each block once, with what is in its slots and who owns it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Set
from dataclasses import dataclass
from enum import StrEnum

from pagetutor.exercise.scenario import CallMethod, Hold, MakeManager, Scenario, SetFree
from pagetutor.exercise.trace import Odd, Plain, Step

Ids = tuple[Plain, ...] | Odd


class Condition(StrEnum):
    """What a block is, seen from the request tables and the free list together."""

    USED = "used"  # in one table, once
    FREE = "free"  # in the free list, once
    LOST = "lost"  # in no table and not in the free list
    TWICE = "twice"  # two owners: two tables, one table twice, or a table and the free list
    ASIDE = "aside"  # lost to look at, but the case was prepared without it: no part of this case


@dataclass(frozen=True, slots=True)
class Owner:
    """A place in a request's table: its logical block `logical` is this physical block."""

    request: str
    logical: int


@dataclass(frozen=True, slots=True)
class BlockState:
    """One physical block: its owners, how often the free list names it, and how many slots hold tokens.

    `filled` counts from the block's first slot, for the owner with the most tokens in it. A block is
    `left_out` where nobody names it and the case was prepared without it.
    """

    id: int
    owners: tuple[Owner, ...]
    free: int
    filled: int
    left_out: bool = False

    @property
    def condition(self) -> Condition:
        """Used, free, lost or owned twice; no part of the case where it was left out."""
        claims = len(self.owners) + self.free
        if claims > 1:
            return Condition.TWICE
        if not claims:
            return Condition.ASIDE if self.left_out else Condition.LOST
        return Condition.USED if self.owners else Condition.FREE


@dataclass(frozen=True, slots=True)
class RequestState:
    """A request: its tokens and its block table in logical order, an Odd where it is something else."""

    name: str
    seq_len: Plain
    table: Ids


@dataclass(frozen=True, slots=True)
class PoolState:
    """A pool of blocks with `block_size` slots each, its requests and its free list in its own order."""

    block_size: int
    blocks: tuple[BlockState, ...]
    requests: tuple[RequestState, ...]
    free: Ids

    @property
    def strays(self) -> tuple[Plain, ...]:
        """What tables and free list name that is no block of this pool, in order, each once."""
        named = [one for request in self.requests for one in _listed(request.table)] + [*_listed(self.free)]
        inside = range(len(self.blocks))
        return tuple(dict.fromkeys(one for one in named if isinstance(one, Odd) or one not in inside))


def pool_state(
    num_blocks: int,
    block_size: int,
    requests: tuple[RequestState, ...],
    free: Ids,
    *,
    left_out: Set[int] = frozenset(),
) -> PoolState:
    """The state of `num_blocks` blocks of `block_size` slots between these requests and this free list.

    The case was prepared without the blocks `left_out`.
    """
    owners: dict[int, list[Owner]] = {block: [] for block in range(num_blocks)}
    filled = dict.fromkeys(range(num_blocks), 0)
    for request in requests:
        tokens = request.seq_len if isinstance(request.seq_len, int) else 0
        for logical, block in enumerate(_listed(request.table)):
            if isinstance(block, int) and block in owners:
                owners[block].append(Owner(request.name, logical))
                here = min(block_size, max(0, tokens - logical * block_size))
                filled[block] = max(filled[block], here)
    listed = Counter(_listed(free))
    blocks = tuple(
        BlockState(
            block,
            tuple(owners[block]),
            listed[block],
            filled[block],
            left_out=block in left_out and not (owners[block] or listed[block]),
        )
        for block in range(num_blocks)
    )
    return PoolState(block_size, blocks, requests, free)


def left_out_of(scenario: Scenario, manager: str) -> frozenset[int]:
    """The blocks that stand in no table and not in the free list when the first method is called.

    A case is often prepared with a few ids alone: the others are not lost, they have no part in it.
    """
    blocks: set[int] = set()
    free: set[int] = set()
    held: set[int] = set()
    for op in scenario.ops:
        match op:
            case MakeManager() if op.manager == manager:
                blocks = free = set(range(op.num_blocks))
            case SetFree() if op.manager == manager:
                free = set(op.ids)
            case Hold():
                held.update(op.table)
            case CallMethod():
                break
    return frozenset(blocks - free - held)


def state_after(step: Step, size: MakeManager, left_out: Set[int]) -> PoolState | None:
    """The state of the manager made by `size` after this step; None where there is no such manager."""
    manager = step.managers.get(size.manager)
    if manager is None:
        return None
    requests = tuple(RequestState(name, seen.seq_len, seen.table) for name, seen in step.requests.items())
    return pool_state(size.num_blocks, size.block_size, requests, manager.free, left_out=left_out)


def _listed(ids: Ids) -> Iterator[Plain]:
    return iter(()) if isinstance(ids, Odd) else iter(ids)
