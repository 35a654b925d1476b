"""A pool told in sentences, for pipes and for ears: from the same state as the picture."""

from __future__ import annotations

from rich.text import Text as Line

from pagetutor.exercise.state import BlockState, Condition, Ids, PoolState, RequestState
from pagetutor.exercise.trace import Odd
from pagetutor.text import Text, same
from pagetutor.ui import pool_phrases as phrases
from pagetutor.ui.render.look import Look
from pagetutor.ui.render.pool_words import (
    NOTHING_MARKED,
    Marked,
    counts,
    filled,
    ids_shown,
    is_summarised,
    shown,
    summarised,
    tokens_counted,
    worth_telling,
)
from pagetutor.ui.render.words import prose


def pool_sentences(
    state: PoolState, look: Look, *, marked: Marked = NOTHING_MARKED, size_too: bool = True
) -> list[Line]:
    """The whole state, or its summary, as sentences; blocks that are just free only in the free list.

    How large the pool is was said before where not `size_too`.
    """
    cut = is_summarised(state)
    told_pool = phrases.SAYS_POOL_OF_ONE if len(state.blocks) == 1 else phrases.SAYS_POOL
    pool = told_pool.with_(all=len(state.blocks), size=state.block_size)
    sentences = [counts(state) + phrases.STOP if cut else pool] if size_too or cut else []
    sentences += [_request(request, cut=cut) for request in state.requests]
    told, left = worth_telling(state.blocks, marked), 0
    if cut:
        told, left = summarised(told, marked)
    sentences += [_block(block, state.block_size) for block in told]
    if left:
        sentences.append(phrases.SAYS_MORE.with_(count=f"{left:,}"))
    sentences.append(_free(state.free, cut=cut))
    if state.strays:
        sentences.append(phrases.SAYS_STRAYS.with_(ids=", ".join(shown(one) for one in state.strays)))
    return [line for sentence in sentences for line in prose(sentence, look)]


def _request(request: RequestState, *, cut: bool) -> Text:
    if isinstance(request.seq_len, Odd):
        length = phrases.ODD_LENGTH.with_(shown=shown(request.seq_len))
    else:
        length = tokens_counted(request.seq_len)
    return filled(
        phrases.SAYS_REQUEST,
        request=same(request.name),
        length=length,
        table=_table(request.table, cut=cut),
    )


def _table(table: Ids, *, cut: bool) -> Text:
    if isinstance(table, Odd):
        return phrases.ODD_TABLE.with_(shown=shown(table))
    if not table:
        return phrases.SAYS_EMPTY_TABLE
    return phrases.SAYS_TABLE.with_(ids=", ".join(ids_shown(table, cut=cut)))


def _block(block: BlockState, size: int) -> Text:
    owners = [
        phrases.LEGEND_OWNER.with_(request=owner.request, logical=owner.logical) for owner in block.owners
    ]
    claims = _joined([*owners, *[phrases.SAYS_IN_FREE] * block.free])
    slots = phrases.SAYS_SLOTS.with_(filled=block.filled, size=size)
    head = phrases.SAYS_BLOCK.with_(block=block.id)
    if block.condition is Condition.LOST:
        return head + phrases.SAYS_LOST + phrases.STOP
    if block.condition is Condition.FREE:
        return head + phrases.FREE + phrases.STOP
    if block.condition is Condition.ASIDE:
        return head + phrases.LEGEND_ASIDE + phrases.STOP
    if block.condition is Condition.TWICE:
        claims = filled(phrases.SAYS_TWICE, claims=claims)
    return head + slots + phrases.COMMA + claims + phrases.STOP


def _joined(parts: list[Text]) -> Text:
    joined = parts[0] if parts else same("")
    for part in parts[1:]:
        joined += phrases.AND + part
    return joined


def _free(free: Ids, *, cut: bool) -> Text:
    if isinstance(free, Odd):
        return phrases.ODD_FREE.with_(shown=shown(free)) + phrases.STOP
    if not free:
        return phrases.SAYS_NONE_FREE
    ids = ", ".join(ids_shown(free, cut=cut))
    return phrases.SAYS_FREE.with_(count=f"{len(free):,}", ids=ids)
