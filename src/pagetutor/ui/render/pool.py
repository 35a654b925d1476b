"""The picture of a pool: each physical block a box of slots, the tables, the free list in its order.

Drawn where the screen draws, told in sentences where it is plain; both are made from the state alone,
and unless the pool is summarised they hold all of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from rich.text import Text as Line

from pagetutor.exercise.state import BlockState, Condition, Ids, PoolState, RequestState
from pagetutor.exercise.trace import Odd
from pagetutor.ui import pool_phrases as phrases
from pagetutor.ui.render.boxes import Box, Slots, in_rows, listed
from pagetutor.ui.render.look import Look
from pagetutor.ui.render.pool_sentences import pool_sentences
from pagetutor.ui.render.pool_words import (
    MORE,
    MOST_BOXES,
    NOTHING_MARKED,
    Marked,
    blocks_counted,
    counts,
    ids_shown,
    is_summarised,
    shown,
    summarised,
    tokens_counted,
    worth_telling,
)
from pagetutor.ui.render.words import prose, wrapped

_STYLES = {
    Condition.USED: "cyan",
    Condition.FREE: "dim",
    Condition.LOST: "bold magenta",
    Condition.TWICE: "bold red",
    Condition.ASIDE: "dim",
}
DIFFERS = "bold red"


def pool_picture(
    state: PoolState,
    look: Look,
    *,
    marked: Marked = NOTHING_MARKED,
    shown_blocks: Collection[int] | None = None,
    legend: bool = True,
) -> list[Line]:
    """The picture of `state`, no line wider than `look.width` cells.

    What is `marked` bears the mark of a difference. With `shown_blocks` just these get boxes.
    """
    if look.plain:
        return pool_sentences(state, look, marked=marked)
    return [
        *pool_boxes(state, look, marked=marked, shown_blocks=shown_blocks),
        *pool_lists(state, look, marked=marked),
        *(pool_legend([state], look) if legend else []),
    ]


def pool_boxes(
    state: PoolState,
    look: Look,
    *,
    marked: Marked = NOTHING_MARKED,
    shown_blocks: Collection[int] | None = None,
) -> list[Line]:
    """The boxes alone, under the counts where the pool is summarised."""
    if shown_blocks is not None:
        return _boxes([block for block in state.blocks if block.id in shown_blocks], state, look, marked)
    if not is_summarised(state):
        return _boxes(state.blocks, state, look, marked)
    chosen, left = summarised(worth_telling(state.blocks, marked), marked)
    boxes = _boxes(chosen, state, look, marked)
    more = prose(phrases.MORE_BOXES.with_(count=f"{left:,}"), look, style="dim") if left else []
    return [*prose(counts(state), look), *boxes, *more]


def pool_lists(state: PoolState, look: Look, *, marked: Marked = NOTHING_MARKED) -> list[Line]:
    """Each request's table, the free list in its order, and what is no block of this pool."""
    many = is_summarised(state)
    lines: list[Line] = []
    for request in state.requests:
        lines += _request(request, look, cut=many, marked=request.name == marked.request)
    lines += _free(state.free, look, cut=many, marked=marked.free)
    if state.strays:
        head = phrases.STRAYS.in_(look.language)
        lines += listed([head], [shown(one) for one in state.strays], look, style=DIFFERS)
    return lines


def pool_legend(states: Sequence[PoolState], look: Look) -> list[Line]:
    """What the marks in these pictures mean, as far as it is not written beside them."""
    blocks = [block for state in states for block in state.blocks]
    size = max((state.block_size for state in states), default=0)
    conditions = {block.condition for block in blocks}
    items = []
    if any(block.filled for block in blocks if block.condition is Condition.USED):
        items.append(f"{look.marks.used} {phrases.LEGEND_USED.in_(look.language)}")
    if any(block.owners and block.filled < size for block in blocks):
        items.append(f"{look.marks.tail} {phrases.LEGEND_TAIL.in_(look.language)}")
    if Condition.TWICE in conditions:
        items.append(f"{look.marks.twice} {phrases.LEGEND_TWICE.in_(look.language)}")
    if Condition.ASIDE in conditions:
        items.append(f"{look.marks.aside} {phrases.LEGEND_ASIDE.in_(look.language)}")
    owner = next((owner for block in blocks for owner in block.owners), None)
    if owner is not None:
        words = phrases.LEGEND_OWNER.with_(request=owner.request, logical=owner.logical)
        items.append(f"{owner.request}[{owner.logical}] {words.in_(look.language)}")
    return legend_lines(items, look)


def legend_lines(items: Sequence[str], look: Look) -> list[Line]:
    """A legend: its items three cells apart, wrapped between two."""
    rows: list[str] = []
    for item in items:
        if rows and Line(f"{rows[-1]}   {item}").cell_len <= look.width:
            rows[-1] += f"   {item}"
        else:
            rows.append(item)
    fits = [Line(row).cell_len <= look.width for row in rows]
    return [
        line
        for row, whole in zip(rows, fits, strict=True)
        for line in ([Line(row, "dim")] if whole else wrapped(row, look, style="dim"))
    ]


# ── boxes ────────────────────────────────────────────────────────────────────────────────────────


def _boxes(blocks: Sequence[BlockState], state: PoolState, look: Look, marked: Marked) -> list[Line]:
    return in_rows([_box(block, state.block_size, look, marked) for block in blocks], look.width)


def _box(block: BlockState, size: int, look: Look, marked: Marked) -> Box:
    condition = block.condition
    style = _STYLES[condition]
    head = Line.assemble((str(block.id), "" if condition is Condition.USED else style))
    if block.id in marked.blocks:
        head.append(f" {look.marks.differs}", DIFFERS)
    return Box(head, tuple(_slots(block, size, look, style)), tuple(_labels(block, look, style)))


def _slots(block: BlockState, size: int, look: Look, style: str) -> Iterator[Slots]:
    marks = look.marks
    match block.condition:
        case Condition.LOST:
            yield Slots(marks.lost, size, style)
            return
        case Condition.FREE:
            yield Slots(marks.free, size, style)
            return
        case Condition.ASIDE:
            yield Slots(marks.aside, size, style)
            return
        case Condition.USED:
            filled = marks.used
        case Condition.TWICE:
            filled = marks.twice
    yield Slots(filled, block.filled, style)
    yield Slots(marks.tail if block.owners else marks.free, size - block.filled, style)


def _labels(block: BlockState, look: Look, style: str) -> Iterator[Line]:
    for owner in block.owners:
        yield Line(f"{owner.request}[{owner.logical}]", style)
    for _ in range(block.free):
        yield Line(phrases.FREE.in_(look.language), style)
    if block.condition is Condition.LOST:
        yield Line(phrases.LOST.in_(look.language), style)


# ── lists ────────────────────────────────────────────────────────────────────────────────────────


def _request(request: RequestState, look: Look, *, cut: bool, marked: bool) -> list[Line]:
    if isinstance(request.seq_len, Odd):
        length = phrases.ODD_LENGTH.with_(shown=shown(request.seq_len))
    else:
        length = tokens_counted(request.seq_len)
    if isinstance(request.table, Odd):
        table, arrows = phrases.ODD_TABLE.with_(shown=shown(request.table)), []
    else:
        table = blocks_counted(len(request.table))
        arrows = [f"{logical}->{shown(block)}" for logical, block in enumerate(request.table)]
    if cut and len(arrows) > MOST_BOXES:
        arrows = [*arrows[:MOST_BOXES], MORE]
    words = [
        _starred(request.name, look, marked=marked),
        *(one.in_(look.language) for one in (length, table)),
    ]
    return listed(words, arrows, look, style=DIFFERS if marked else "")


def _free(free: Ids, look: Look, *, cut: bool, marked: bool) -> list[Line]:
    style = DIFFERS if marked else "dim"
    if isinstance(free, Odd):
        words = phrases.ODD_FREE.with_(shown=shown(free)).in_(look.language)
        return listed([_starred(words, look, marked=marked)], [], look, style=style)
    words = _starred(phrases.FREE_LIST.in_(look.language), look, marked=marked)
    count = blocks_counted(len(free)).in_(look.language)
    return listed([words, count], ids_shown(free, cut=cut), look, style=style)


def _starred(words: str, look: Look, *, marked: bool) -> str:
    return f"{look.marks.differs} {words}" if marked else words
