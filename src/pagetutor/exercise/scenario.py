"""Scenarios: the calls made on the learner's code, as plain frozen values.

A scenario is a tuple of operations, played in order by `missions/stage.py` in the learner's process.
`to_wire` gives the JSON the stage reads; the field names there are the field names here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from pagetutor.learner.port import Json


class Method(StrEnum):
    """The three methods of the exercise, by the short names scenarios use."""

    PREFILL = "prefill"
    DECODE = "decode"
    GATHER = "gather"

    @property
    def full_name(self) -> str:
        """The method's name in the learner's file."""
        return _FULL_NAMES[self]


_FULL_NAMES = {
    Method.PREFILL: "allocate_for_prefill",
    Method.DECODE: "allocate_for_decode",
    Method.GATHER: "get_physical_cache",
}


@dataclass(frozen=True, slots=True)
class MakeManager:
    """`KVCacheManager(num_blocks, block_size, head_dim)`."""

    op: ClassVar[str] = "manager"
    num_blocks: int
    block_size: int
    head_dim: int = 1
    manager: str = "m"


@dataclass(frozen=True, slots=True)
class SetFree:
    """Prepare the manager's `free_blocks` to hold exactly `ids`, in the learner's own container."""

    op: ClassVar[str] = "free"
    ids: tuple[int, ...]
    manager: str = "m"


@dataclass(frozen=True, slots=True)
class MakeRequest:
    """`Request(request, prompt_len)`."""

    op: ClassVar[str] = "request"
    request: str
    prompt_len: int


@dataclass(frozen=True, slots=True)
class Hold:
    """Prepare a request that already holds the blocks `table` and `seq_len` tokens."""

    op: ClassVar[str] = "hold"
    request: str
    table: tuple[int, ...]
    seq_len: int


@dataclass(frozen=True, slots=True)
class FillPool:
    """Give every (block, slot, dim) of the pool its own value: 0, 1, 2, … in memory order.

    With `signed`, half of the values are negative, and a pool of floats gets fractions that half
    precision cannot hold.
    """

    op: ClassVar[str] = "fill"
    signed: bool = False
    manager: str = "m"


@dataclass(frozen=True, slots=True)
class FillBlocks:
    """Fill the request's blocks, in the order of its table, each with one constant."""

    op: ClassVar[str] = "fill_blocks"
    request: str
    values: tuple[int, ...]
    manager: str = "m"


@dataclass(frozen=True, slots=True)
class CallMethod:
    """Call one of the three methods with the request."""

    op: ClassVar[str] = "call"
    method: Method
    request: str
    manager: str = "m"


Op = MakeManager | SetFree | MakeRequest | Hold | FillPool | FillBlocks | CallMethod


@dataclass(frozen=True, slots=True)
class Scenario:
    """Operations on the learner's code, in order."""

    ops: tuple[Op, ...]

    def to_wire(self, *, limit_s: float | None = None) -> Json:
        """The scenario as the stage reads it: `{"ops": [{"op": "manager", …}, …]}`.

        With `limit_s` a replay's stage gives it up after so many seconds.
        """
        limit: dict[str, Json] = {} if limit_s is None else {"limit_s": limit_s}
        return {"ops": [_wire(op) for op in self.ops], **limit}

    @property
    def methods(self) -> frozenset[Method]:
        """The methods this scenario calls."""
        return frozenset(op.method for op in self.ops if isinstance(op, CallMethod))


def scenario(*ops: Op | Sequence[Op] | Scenario) -> Scenario:
    """A scenario of these operations; a sequence or a scenario among them is taken apart."""
    flat: list[Op] = []
    for op in ops:
        if isinstance(op, Scenario):
            flat.extend(op.ops)
        elif isinstance(op, Sequence):
            flat.extend(op)
        else:
            flat.append(op)
    return Scenario(tuple(flat))


def _wire(op: Op) -> Json:
    wire: dict[str, Json] = {"op": op.op}
    for name in op.__slots__:  # `asdict` copies deeply and takes ten times as long
        value = getattr(op, name)
        wire[name] = list(value) if isinstance(value, tuple) else value
    return wire


# ── the short forms that mission tests are written in ────────────────────────────────────────────


def pool(
    num_blocks: int, block_size: int, head_dim: int = 1, *, free: Sequence[int] | None = None
) -> tuple[Op, ...]:
    """A manager with a pool of `num_blocks` blocks, and, if given, exactly these ids free."""
    made: tuple[Op, ...] = (MakeManager(num_blocks, block_size, head_dim),)
    return made if free is None else (*made, SetFree(tuple(free)))


def request(name: str, tokens: int) -> Op:
    """A fresh request whose prompt has `tokens` tokens."""
    return MakeRequest(name, tokens)


def holding(name: str, table: Sequence[int], tokens: int) -> tuple[Op, ...]:
    """A request of `tokens` tokens that already holds the physical blocks `table`, in logical order."""
    return (MakeRequest(name, tokens), Hold(name, tuple(table), tokens))


def prefill(name: str) -> Op:
    """Call `allocate_for_prefill(name)`."""
    return CallMethod(Method.PREFILL, name)


def decode(name: str, times: int = 1) -> tuple[Op, ...]:
    """Call `allocate_for_decode(name)`, `times` times."""
    return (CallMethod(Method.DECODE, name),) * times


def gather(name: str) -> Op:
    """Call `get_physical_cache(name)`."""
    return CallMethod(Method.GATHER, name)
