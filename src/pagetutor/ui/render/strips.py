"""Rows of a gathered tensor told by where they come from: the block and slot of the pool they equal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod

from pagetutor.exercise.trace import Odd, TensorSeen
from pagetutor.text import Text
from pagetutor.ui import pool_phrases as phrases

Row = tuple[int | str, ...]
Place = tuple[int, int]
"""A block of the pool and a slot in it."""


@dataclass(frozen=True, slots=True)
class Strip:
    """Rows `first` to `first + count - 1`, out of neighbouring slots of one block.

    `block` is None where the pool has no such rows, or has them in several blocks.
    """

    first: int
    count: int
    block: int | None
    slot: int = 0

    @property
    def last(self) -> int:
        """Its last row."""
        return self.first + self.count - 1


def rows_of(tensor: TensorSeen) -> list[Row]:
    """The rows along the last dimension, in memory order; none where the values are not known."""
    if tensor.values is None or not tensor.shape or not tensor.shape[-1]:
        return []
    width = tensor.shape[-1]
    return [tensor.values[at : at + width] for at in range(0, len(tensor.values), width)]


def strips(tensor: TensorSeen, pool: TensorSeen | Odd) -> list[Strip]:
    """The tensor's rows as strips of blocks; each slice of a third dimension begins a strip of its own."""
    places = _places(pool)
    each = prod(tensor.shape[-2:-1]) if len(tensor.shape) > 2 else 0
    found: list[Strip] = []
    for at, row in enumerate(rows_of(tensor)):
        here = places.get(row, [])
        before = found[-1] if found and not (each and at % each == 0) else None
        if before is not None and _goes_on(before, here):
            found[-1] = replace(before, count=before.count + 1)
            continue
        blocks = {block for block, _ in here}
        block = blocks.pop() if len(blocks) == 1 else None
        found.append(Strip(at, 1, block, 0 if block is None else min(slot for _, slot in here)))
    return found


def chunks(row: Row, pool: TensorSeen | Odd) -> list[Place | None]:
    """The places of a row that is several of the pool's rows one behind the other."""
    width = _width(pool)
    if not width or len(row) % width:
        return []
    places = _places(pool)
    return [_only(places.get(row[at : at + width], [])) for at in range(0, len(row), width)]


def place_at(tensor: TensorSeen, row: int, pool: TensorSeen | Odd) -> Text:
    """Where one row comes from, in words."""
    for strip in strips(tensor, pool):
        if strip.first <= row <= strip.last and strip.block is not None:
            return phrases.PLACE.with_(block=strip.block, slot=strip.slot + row - strip.first)
    return phrases.NOWHERE


def shape_in_words(shape: Sequence[int], *, counted: bool) -> Text:
    """`[2, 4, 8]`; with the dimensions `counted`, `3 dimensions [2, 4, 8]`."""
    listed = "[" + ", ".join(map(str, shape)) + "]"
    if not counted:
        return phrases.SHAPE.with_(shape=listed)
    return (
        phrases.ONE_DIMENSION.with_(shape=listed)
        if len(shape) == 1
        else phrases.DIMENSIONS.with_(count=len(shape), shape=listed)
    )


def _goes_on(strip: Strip, here: Sequence[Place]) -> bool:
    if strip.block is None:
        return len({block for block, _ in here}) != 1
    return (strip.block, strip.slot + strip.count) in here


def _only(here: Sequence[Place]) -> Place | None:
    return here[0] if len({block for block, _ in here}) == 1 else None


def _width(pool: TensorSeen | Odd) -> int:
    return pool.shape[2] if isinstance(pool, TensorSeen) and len(pool.shape) == 3 else 0


def _places(pool: TensorSeen | Odd) -> dict[Row, list[Place]]:
    places: dict[Row, list[Place]] = {}
    if isinstance(pool, TensorSeen) and len(pool.shape) == 3 and pool.shape[1]:
        for at, row in enumerate(rows_of(pool)):
            places.setdefault(row, []).append(divmod(at, pool.shape[1]))
    return places
