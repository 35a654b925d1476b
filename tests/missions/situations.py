"""Many situations for each method, wider than the probes: what an error model is tried on.

All within the contract: no block_size 1, no empty prompt or table, no table that disagrees with its
length, nothing after a call that runs out of memory. Ids are scattered, unsorted, and larger than any
count or index; the number of blocks is never the block size.
"""

from __future__ import annotations

from collections.abc import Iterator

from pagetutor.exercise.contract import blocks_for
from pagetutor.exercise.scenario import (
    FillPool,
    Method,
    Scenario,
    decode,
    gather,
    holding,
    pool,
    prefill,
    request,
    scenario,
)

SIZES = (2, 3, 4, 5, 16)
SCATTERED = (31, 27, 39, 22, 35, 29, 24, 38, 26, 33)
NUM_BLOCKS = 40


def situations(method: Method) -> tuple[Scenario, ...]:
    """The situations of one method, each a short scenario of its own."""
    match method:
        case Method.PREFILL:
            return tuple(_prefills())
        case Method.DECODE:
            return tuple(_decodes())
        case Method.GATHER:
            return tuple(_gathers())


def _prefills() -> Iterator[Scenario]:
    for size in SIZES:
        for tokens in sorted(
            {1, size - 1, size, size + 1, size + 2, 2 * size - 1, 2 * size, 2 * size + 2, 3 * size + 1}
        ):
            need = blocks_for(tokens, size)
            for free in sorted({0, need - 2, need - 1, need, need + 1, len(SCATTERED)}):
                if free >= 0:
                    yield scenario(
                        pool(NUM_BLOCKS, size, 3, free=SCATTERED[:free]), request("a", tokens), prefill("a")
                    )
    # more is needed than the pool has in all, and than its free slots are
    yield scenario(pool(5, 4, 3, free=(4, 3)), request("a", 29), prefill("a"))
    yield scenario(pool(NUM_BLOCKS, 2, 3, free=(31,)), request("a", 6), prefill("a"))
    yield scenario(
        pool(NUM_BLOCKS, 4, 3, free=SCATTERED[:5]),
        request("a", 7),
        request("b", 9),
        prefill("a"),
        prefill("b"),
    )


def _decodes() -> Iterator[Scenario]:
    for size in SIZES:
        for tokens in range(1, 2 * size + 2):
            held = blocks_for(tokens, size)
            table, others = SCATTERED[:held], SCATTERED[held:]
            for free in (0, 1, 2):
                ops = pool(NUM_BLOCKS, size, 3, free=others[:free])
                yield scenario(ops, holding("a", table, tokens), decode("a"))
        for tokens in (1, size - 1, size, size + 1):
            held = blocks_for(tokens, size)
            yield scenario(
                pool(NUM_BLOCKS, size, 3, free=SCATTERED[held:]),
                holding("a", SCATTERED[:held], tokens),
                decode("a", 2 * size + 2),
            )
    yield scenario(
        pool(NUM_BLOCKS, 4, 3, free=SCATTERED[3:]),
        holding("a", SCATTERED[:2], 7),
        holding("b", SCATTERED[2:3], 4),
        (*decode("a"), *decode("b"), *decode("b"), *decode("a"), *decode("b")),
    )


def _gathers() -> Iterator[Scenario]:
    tables = ((7,), (7, 2), (2, 7), (7, 2, 9), (8, 3, 1, 5))
    for size in (2, 3, 4, 5, 16):
        for table in tables:
            full = len(table) * size
            for tokens in sorted({full - size + 1, full - 1, full}):
                for head_dim in (3, 9):
                    yield scenario(
                        pool(11, size, head_dim, free=(10, 4, 6)),
                        holding("a", table, tokens),
                        FillPool(),
                        gather("a"),
                    )
    yield scenario(
        pool(11, 4, 3, free=(10, 6)),
        holding("a", (7, 2), 6),
        holding("b", (9, 1, 4), 10),
        FillPool(),
        gather("a"),
        gather("b"),
        gather("a"),
    )
    # an id twice, as a table that shares blocks has it
    yield scenario(pool(9, 4, 2), holding("a", (7, 2, 7), 11), FillPool(), gather("a"))
