"""The pools of a lesson's diagram: their pictures side by side where they fit, else one below the other."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text as Line

from pagetutor.content.model import Pool
from pagetutor.exercise.state import PoolState, RequestState, pool_state
from pagetutor.ui.render.boxes import abreast
from pagetutor.ui.render.look import Look
from pagetutor.ui.render.pool import pool_boxes, pool_legend, pool_lists
from pagetutor.ui.render.pool_sentences import pool_sentences
from pagetutor.ui.render.words import prose

_GAP = 3


def pools(drawn: Sequence[Pool], look: Look) -> list[Line]:
    """The pictures with their captions and one legend; sentences on a plain screen."""
    if look.plain:
        return [line for at, pool in enumerate(drawn) for line in _told(pool, look, first=at == 0)]
    width = (look.width + _GAP) // len(drawn) - _GAP
    beside = all(_in_one_row(pool) <= width for pool in drawn)
    each = look.narrower(look.width - width) if beside else look
    columns = [_sections(pool, each) for pool in drawn]
    if beside:
        pictures = abreast(columns, width, _GAP)
    else:
        pictures = [line for column in columns for section in column for line in section]
    return [*pictures, *pool_legend([_state(pool) for pool in drawn], look)]


def _in_one_row(pool: Pool) -> int:
    """The cells its boxes need side by side."""
    boxes = pool.blocks if pool.shown is None else len(pool.shown)
    return boxes * (pool.block_size + 3) - 1


def _sections(pool: Pool, look: Look) -> list[list[Line]]:
    state = _state(pool)
    caption = [] if pool.caption is None else prose(pool.caption, look, style="bold")
    return [caption, pool_boxes(state, look, shown_blocks=pool.shown), pool_lists(state, look)]


def _told(pool: Pool, look: Look, *, first: bool) -> list[Line]:
    caption = [] if pool.caption is None else prose(pool.caption, look)
    return [*caption, *pool_sentences(_state(pool), look, size_too=first)]


def _state(pool: Pool) -> PoolState:
    requests = tuple(RequestState(one.name, one.tokens, one.table) for one in pool.requests)
    return pool_state(pool.blocks, pool.block_size, requests, pool.free)
