"""Scenarios nobody can foresee from the shipped files: seeded by the learner's own bytes.

The same bytes give the same scenarios, so a verdict is repeatable; another byte gives others, so a
table of right answers to the fixed cases does not pass.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence

from pagetutor.exercise.contract import blocks_for
from pagetutor.exercise.scenario import (
    FillPool,
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

COUNT = 8
BLOCK_SIZES = (2, 3, 4, 5, 6, 7, 8, 9, 11, 16, 24, 32)


def unforeseen(methods: Sequence[Method], source: bytes, version: str) -> tuple[Scenario, ...]:
    """Eight scenarios for these methods, seeded by a hash of the file's bytes and our version.

    With one method each scenario probes it alone on a prepared state; with several, each scenario
    is a whole life of a request: prefill, decodes, gather.
    """
    digest = hashlib.sha256(version.encode() + b"\0" + ",".join(methods).encode() + b"\0" + source)
    dice = random.Random(digest.digest())  # noqa: S311 — repeatable on purpose, guards no secret
    makers = {Method.PREFILL: _prefill, Method.DECODE: _decode, Method.GATHER: _gather}
    make = makers[methods[0]] if len(methods) == 1 else _life
    return tuple(make(dice) for _ in range(COUNT))


def _prefill(dice: random.Random) -> Scenario:
    size, num_blocks, ids = _pool(dice)
    free = ids[: dice.randint(1, len(ids))]
    tokens = [dice.randint(1, size * (len(free) + 2)), *(dice.randint(1, size * 2) for _ in "bcd")]
    return scenario(
        pool(num_blocks, size, free=free),
        [request(name, count) for name, count in zip("abcd", tokens, strict=True)],
        [prefill(name) for name in "abcd"],
    )


def _decode(dice: random.Random) -> Scenario:
    size, num_blocks, ids = _pool(dice)
    held = dice.randint(1, min(4, num_blocks - 1))
    tokens = dice.randint((held - 1) * size + 1, held * size)
    free = ids[held : held + dice.choice((0, 1, 2, num_blocks))]
    until_oom = (held + len(free)) * size - tokens + 1
    times = min(until_oom, dice.randint(1, 2 * size + 1))
    return scenario(pool(num_blocks, size, free=free), holding("a", ids[:held], tokens), decode("a", times))


def _gather(dice: random.Random) -> Scenario:
    size, num_blocks, ids = _pool(dice)
    held = dice.randint(2, min(5, num_blocks - 1))
    tokens = dice.randint((held - 1) * size + 1, held * size)
    return scenario(
        pool(num_blocks, size, dice.randint(1, 6), free=ids[held:]),
        holding("a", ids[:held], tokens),
        FillPool(signed=True),
        gather("a"),
    )


def _life(dice: random.Random) -> Scenario:
    size, num_blocks, ids = _pool(dice)
    first = dice.randint(1, size * (num_blocks - 2))
    left = num_blocks - blocks_for(first, size)
    second = dice.randint(1, size * (left + 1))
    ops: list[Op | Sequence[Op]] = [pool(num_blocks, size, dice.randint(1, 6), free=ids)]
    ops += [request("a", first), request("b", second), prefill("a"), prefill("b")]
    left -= blocks_for(second, size) if blocks_for(second, size) <= left else 0
    grown = min(dice.randint(1, 2 * size), (blocks_for(first, size) + left) * size - first)
    ops += [FillPool(signed=True), gather("a"), decode("a", grown), gather("a")]
    return scenario(*ops)


def _pool(dice: random.Random) -> tuple[int, int, list[int]]:
    """A block size, a number of blocks that differs from it, and all ids in random order."""
    size = dice.choice(BLOCK_SIZES)
    num_blocks = dice.choice([count for count in range(5, 14) if count != size])
    return size, num_blocks, dice.sample(range(num_blocks), num_blocks)
