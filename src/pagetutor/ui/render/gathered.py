"""What a gather gave as strips by block: wrong order, a missing cut, a wrong dimension are seen."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text as Line

from pagetutor.exercise.scenario import MakeManager
from pagetutor.exercise.trace import Odd, Step, TensorSeen
from pagetutor.exercise.words import outcome_words
from pagetutor.text import Text
from pagetutor.ui import pool_phrases as phrases
from pagetutor.ui.render.boxes import Box, Slots, in_rows, listed
from pagetutor.ui.render.look import Look
from pagetutor.ui.render.pool import legend_lines
from pagetutor.ui.render.pool_words import filled
from pagetutor.ui.render.strips import Strip, chunks, rows_of, shape_in_words, strips
from pagetutor.ui.render.words import prose

_MOST_STRIPS = 12
_MOST_WIDE_ROWS = 4
_DIFFERS = "bold red"


def gather_lines(
    step: Step, size: MakeManager, row: int | None, look: Look, *, counted: bool
) -> list[list[Line]]:
    """Two sections: the shape in words, and the rows; the strip with the row `row` bears the mark.

    The shape's dimensions are `counted` where it is their number that matters.
    """
    value = step.outcome.value
    if not isinstance(value, TensorSeen):
        return [prose(outcome_words(step.outcome), look)]
    return [
        prose(shape_in_words(value.shape, counted=counted), look),
        _rows(value, _pool(step, size), row, look),
    ]


def gather_sentences(step: Step, size: MakeManager, *, counted: bool) -> list[Text]:
    """The same in sentences."""
    value = step.outcome.value
    if not isinstance(value, TensorSeen):
        return [outcome_words(step.outcome) + phrases.STOP]
    pool = _pool(step, size)
    said = [shape_in_words(value.shape, counted=counted) + phrases.STOP]
    if _is_wide(value, pool):
        wide = [(at, chunks(one, pool)) for at, one in enumerate(rows_of(value)[:_MOST_WIDE_ROWS])]
        return said + [_wide_row_said(at, places) for at, places in wide]
    found, deep = strips(value, pool), len(value.shape) > 2
    said += [_strip_said(strip, at if deep else None) for at, strip in enumerate(found[:_MOST_STRIPS])]
    return said + _more_said(found)


def gather_legend(steps: Sequence[Step], size: MakeManager, look: Look) -> list[Line]:
    """What stands where in the strips."""
    seen = [(step.outcome.value, _pool(step, size)) for step in steps]
    tensors = [(value, pool) for value, pool in seen if isinstance(value, TensorSeen)]
    wide = [(value, pool) for value, pool in tensors if _is_wide(value, pool)]
    found = [strip for value, pool in tensors if (value, pool) not in wide for strip in strips(value, pool)]
    items = [phrases.LEGEND_ROWS.in_(look.language)] if found else []
    places = [place for value, pool in wide for place in chunks(rows_of(value)[0], pool)]
    known = next((place for place in places if place is not None), None)
    if known is not None:
        block, slot = known
        words = phrases.PLACE.with_(block=block, slot=slot).in_(look.language)
        items.append(f"{block}[{slot}] {words}")
    if None in places or any(strip.block is None for strip in found):
        items.append(f"{look.marks.lost} {phrases.LEGEND_NOWHERE.in_(look.language)}")
    return legend_lines(items, look)


def _pool(step: Step, size: MakeManager) -> TensorSeen | Odd:
    manager = step.managers.get(size.manager)
    return Odd("", "") if manager is None else manager.pool


def _rows(value: TensorSeen, pool: TensorSeen | Odd, row: int | None, look: Look) -> list[Line]:
    if _is_wide(value, pool):
        return _wide_rows(value, pool, look)
    found = strips(value, pool)
    deep = len(value.shape) > 2
    boxes = [_box(strip, look, row, deep=deep, number=at) for at, strip in enumerate(found[:_MOST_STRIPS])]
    lines = in_rows(boxes, look.width)
    left = sum(strip.count for strip in found[_MOST_STRIPS:])
    return lines + (prose(_more_rows(left), look, style="dim") if left else [])


def _box(strip: Strip, look: Look, row: int | None, *, deep: bool, number: int) -> Box:
    known = strip.block is not None
    style = "cyan" if known else "bold magenta"
    head = Line(look.marks.lost if not known else _place(strip.block, strip.slot), "" if known else style)
    if row is not None and strip.first <= row <= strip.last:
        head.append(f" {look.marks.differs}", _DIFFERS)
    mark = look.marks.used if known else look.marks.lost
    label = f"[{number}]" if deep else _range(strip.first, strip.last)
    return Box(head, (Slots(mark, strip.count, style),), (Line(label, "dim"),))


def _place(block: int | None, slot: int) -> str:
    return f"{block}[{slot}]" if slot else str(block)


def _range(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"


# ── rows that are several rows of the pool ───────────────────────────────────────────────────────


def _is_wide(value: TensorSeen, pool: TensorSeen | Odd) -> bool:
    """Whether each row is several rows of the pool, as after joining along the wrong dimension."""
    if (
        not (value.shape and value.values)
        or isinstance(pool, Odd)
        or len(pool.shape) != 3
        or not pool.shape[2]
    ):
        return False
    return value.shape[-1] > pool.shape[2] and value.shape[-1] % pool.shape[2] == 0


def _wide_rows(value: TensorSeen, pool: TensorSeen | Odd, look: Look) -> list[Line]:
    rows = rows_of(value)
    lines: list[Line] = []
    for at, row in enumerate(rows[:_MOST_WIDE_ROWS]):
        places = [look.marks.lost if one is None else f"{one[0]}[{one[1]}]" for one in chunks(row, pool)]
        lines += listed([phrases.ROW.with_(row=at).in_(look.language)], places, look)
    left = len(rows) - _MOST_WIDE_ROWS
    return lines + (prose(_more_rows(left), look, style="dim") if left > 0 else [])


# ── sentences ────────────────────────────────────────────────────────────────────────────────────


def _strip_said(strip: Strip, number: int | None) -> Text:
    if strip.block is None:
        return phrases.SAYS_ROWS_NOWHERE.with_(rows=_range(strip.first, strip.last))
    slots = _range(strip.slot, strip.slot + strip.count - 1)
    if number is not None:
        return phrases.SAYS_SLICE.with_(number=number, block=strip.block, slots=slots)
    if strip.count == 1:
        place = phrases.PLACE.with_(block=strip.block, slot=strip.slot)
        return filled(phrases.SAYS_ROW, row=str(strip.first), place=place)
    return phrases.SAYS_ROWS.with_(
        rows=_range(strip.first, strip.last),
        block=strip.block,
        slots=slots,
    )


def _more_said(found: Sequence[Strip]) -> list[Text]:
    left = sum(strip.count for strip in found[_MOST_STRIPS:])
    return [_more_rows(left) + phrases.STOP] if left else []


def _wide_row_said(at: int, places: Sequence[tuple[int, int] | None]) -> Text:
    said = [
        phrases.NOWHERE if one is None else phrases.PLACE.with_(block=one[0], slot=one[1]) for one in places
    ]
    joined = said[0] if said else phrases.NOWHERE
    for one in said[1:]:
        joined += phrases.COMMA + one
    return filled(phrases.SAYS_ROW, row=str(at), place=joined)


def _more_rows(left: int) -> Text:
    return phrases.ONE_MORE_ROW if left == 1 else phrases.MORE_ROWS.with_(count=left)
