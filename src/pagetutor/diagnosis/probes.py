"""The probes: frozen scenarios that tell one mistake from another, each method alone.

Their lessons were paid for: running out by two or more (off by one hides the OOM path otherwise), an
empty pool at every remainder, scattered ids larger than the list and than any count, exact multiples
and their neighbours, less than one block, block sizes 2, 3, 4, 5 and 16, never as many blocks as a block
has slots, head_dim both equal and unequal to the block size, a distinct value for every (block, slot,
dim), full and partial last blocks, requests in turns.

Nothing here is left open by the contract: no block_size 1, no empty prompt or table, no second prefill,
no table that disagrees with its length, nothing after a decode that runs out of memory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pagetutor.exercise.scenario import (
    FillPool,
    MakeManager,
    MakeRequest,
    Method,
    Op,
    Scenario,
    decode,
    gather,
    holding,
    pool,
    prefill,
    request,
    scenario,
)

VERSION = 1


def _prefills(num_blocks: int, block_size: int, free: Sequence[int], *tokens: int) -> Scenario:
    """Fresh requests of these lengths, prefilled one after the other."""
    ops: list[Op] = [*pool(num_blocks, block_size, 3, free=free)]
    for name, length in zip("abcde", tokens, strict=False):
        ops += [request(name, length), prefill(name)]
    return scenario(ops)


def _decodes(
    size: tuple[int, int], free: Sequence[int], table: Sequence[int], *, tokens: int, times: int
) -> Scenario:
    """One request that grows by `times` tokens; `size` is (num_blocks, block_size)."""
    return scenario(pool(*size, 3, free=free), holding("a", table, tokens), decode("a", times))


def _gathers(num_blocks: int, block_size: int, head_dim: int, *held: tuple[Sequence[int], int]) -> Scenario:
    """Requests that hold these tables and lengths, gathered in turns from a pool of distinct values."""
    taken = {block_id for table, _ in held for block_id in table}
    free = [block_id for block_id in reversed(range(num_blocks)) if block_id not in taken]
    ops: list[Op] = [*pool(num_blocks, block_size, head_dim, free=free)]
    names = "abc"[: len(held)]
    for name, (table, tokens) in zip(names, held, strict=True):
        ops += holding(name, table, tokens)
    ops += [FillPool(), *(gather(name) for name in names)]
    return scenario(ops)


PROBES: Mapping[Method, tuple[Scenario, ...]] = {
    Method.PREFILL: (
        _prefills(13, 4, (12, 5, 9, 7, 11, 6, 10, 8), 6, 8, 3, 1, 5),
        _prefills(13, 4, (11, 6, 8), 9),
        _prefills(13, 4, (11, 6), 9),
        _prefills(13, 4, (9, 12), 16),
        _prefills(13, 4, (9,), 21),
        _prefills(5, 4, (4, 3), 29),
        _prefills(13, 4, (), 3),
        _prefills(14, 3, (13, 5, 9, 7, 11, 6, 10, 8), 7, 3, 2, 4),
        _prefills(15, 2, (14, 9, 12, 8, 10, 7, 13), 5, 1, 4),
        _prefills(16, 5, (15, 9, 12, 8, 10, 14, 13, 11), 11, 4, 10, 9),
        _prefills(12, 16, (11, 7, 9, 8, 10, 5, 6), 17, 16, 33, 7),
    ),
    Method.DECODE: (
        _decodes((13, 4), (12, 5, 9, 11, 8), (10, 6), tokens=6, times=8),
        _decodes((13, 4), (9,), (6, 10), tokens=8, times=1),
        _decodes((13, 4), (), (10, 6), tokens=5, times=4),
        _decodes((13, 4), (), (7,), tokens=4, times=1),
        _decodes((13, 4), (12, 5, 9, 11), (7,), tokens=1, times=4),
        _decodes((14, 2), (13, 6, 11, 8, 5), (9,), tokens=1, times=5),
        _decodes((14, 3), (13, 6, 11, 9), (12, 7), tokens=5, times=6),
        _decodes((12, 5), (11, 4, 9, 6), (7,), tokens=4, times=7),
        _decodes((11, 16), (10, 4, 8), (6,), tokens=15, times=3),
        scenario(
            pool(13, 4, 3, free=(12, 5, 9, 11)),
            holding("a", (10, 6), 7),
            holding("b", (7,), 4),
            (*decode("a"), *decode("b"), *decode("b"), *decode("a"), *decode("b")),
        ),
    ),
    Method.GATHER: (
        _gathers(11, 4, 3, ((7, 2, 9), 9)),
        _gathers(11, 4, 3, ((7, 2, 9), 12)),
        _gathers(7, 3, 3, ((6, 1), 5)),
        _gathers(11, 4, 2, ((5,), 1)),
        _gathers(11, 4, 2, ((5,), 4)),
        _gathers(9, 2, 5, ((8, 3, 1, 5), 7)),
        _gathers(6, 5, 2, ((4, 1, 3), 13)),
        _gathers(11, 4, 2, ((7, 2), 6), ((9, 1, 4), 10)),
        _gathers(5, 16, 2, ((3, 1), 17)),
        _gathers(9, 4, 2, ((7, 2, 7), 11)),  # an id twice, as a table that shares blocks has it
    ),
}

# Constructors alone, and what two managers and two requests share.
CONSTRUCTORS: Scenario = scenario(
    MakeManager(7, 3, 2),
    MakeManager(5, 4, 1, "other"),
    MakeRequest("a", 3),
    MakeRequest("b", 6),
    prefill("a"),
)
