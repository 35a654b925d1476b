"""Ids, counts and odd things as pictures of a pool name them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from pagetutor.exercise.state import BlockState, Condition, PoolState
from pagetutor.exercise.trace import MOST_IDS, Odd, Plain
from pagetutor.text import Text
from pagetutor.text.spans import unticked
from pagetutor.ui import pool_phrases as phrases
from pagetutor.ui.render.words import visible

MOST_BLOCKS = 64
"""A pool of more blocks is summarised: counts, and only some of the blocks that are not just free."""
MOST_BOXES = 8
"""The blocks of a summary, and the entries of a table in it."""

MORE = "..."
"""And so on; the usual dots are of a width that terminals disagree about."""

_MOST_IDS = 8  # more of them are told as runs: 3-9
_MOST_RUNS = 24  # and of these, in a summary, only the first
_SHORTEST_RUN = 3


@dataclass(frozen=True, slots=True)
class Marked:
    """What of a picture bears the mark of a difference: blocks, a request's line, the free list."""

    blocks: frozenset[int] = frozenset()
    request: str | None = None
    free: bool = False


NOTHING_MARKED = Marked()


def shown(one: Plain | Odd) -> str:
    """An id as it is, anything odd with its class: `'x' (str)`; of ids too many to tell, how many."""
    if not isinstance(one, Odd):
        return str(one)
    if one.is_too_long:
        return f"> {MOST_IDS} ({visible(one.kind)})"
    return unticked(f"{visible(one.shown)} ({visible(one.kind)})")


def tokens_counted(count: int) -> Text:
    """`6 tokens`."""
    return phrases.ONE_TOKEN if count == 1 else phrases.TOKENS.with_(count=count)


def blocks_counted(count: int) -> Text:
    """`2 blocks`."""
    return phrases.ONE_BLOCK if count == 1 else phrases.BLOCKS.with_(count=f"{count:,}")


def is_summarised(state: PoolState) -> bool:
    """Whether a picture of this pool leaves blocks out."""
    return len(state.blocks) > MOST_BLOCKS


def worth_telling(blocks: Sequence[BlockState], marked: Marked) -> list[BlockState]:
    """The blocks that are not just free, and those with a mark, by their id."""
    return [block for block in blocks if block.id in marked.blocks or block.condition not in _UNTOLD]


_UNTOLD = {Condition.FREE, Condition.ASIDE}


def summarised(blocks: Sequence[BlockState], marked: Marked) -> tuple[list[BlockState], int]:
    """The first of these blocks, by their id, and how many are left out; the worst come first."""
    worst = sorted(blocks, key=lambda block: (block.id not in marked.blocks, _ORDER.index(block.condition)))
    return sorted(worst[:MOST_BOXES], key=lambda block: block.id), len(worst[MOST_BOXES:])


_ORDER = (Condition.TWICE, Condition.LOST, Condition.USED, Condition.FREE, Condition.ASIDE)


def counts(state: PoolState) -> Text:
    """How many blocks there are, and how many of each condition."""
    found = Counter(block.condition for block in state.blocks)
    return phrases.COUNTS.with_(
        all=f"{len(state.blocks):,}",
        size=state.block_size,
        **{condition.value: f"{found[condition]:,}" for condition in Condition},
    )


def ids_shown(ids: Sequence[Plain], *, cut: bool) -> list[str]:
    """Ids in their order; where there are many, a run of neighbours as `3-9`, in a summary the first few."""
    if len(ids) <= _MOST_IDS:
        return [shown(one) for one in ids]
    runs: list[list[Plain]] = []
    for one in ids:
        before = runs[-1][-1] if runs else None
        if isinstance(one, int) and isinstance(before, int) and before >= 0 and one == before + 1:
            runs[-1].append(one)
        else:
            runs.append([one])
    items: list[str] = []
    for run in runs:
        if len(run) >= _SHORTEST_RUN:
            items.append(f"{shown(run[0])}-{shown(run[-1])}")
        else:
            items += [shown(one) for one in run]
    return [*items[:_MOST_RUNS], MORE] if cut and len(items) > _MOST_RUNS else items


def filled(template: Text, **values: Text | str) -> Text:
    """The template with each `{name}` filled in, a text in its own language."""
    return Text(
        zh=template.zh.format(
            **{name: value if isinstance(value, str) else value.zh for name, value in values.items()}
        ),
        en=template.en.format(
            **{name: value if isinstance(value, str) else value.en for name, value in values.items()}
        ),
    )
