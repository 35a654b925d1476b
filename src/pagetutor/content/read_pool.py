"""Pictures of a pool out of a course file: states that can be, every block free or in a table, once."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pagetutor.content.cursor import Cursor, tell_duplicates
from pagetutor.content.model import Pool, PoolRequest, Pools
from pagetutor.content.read_text import read_text
from pagetutor.content.tree import Hole
from pagetutor.text import Text

MOST_BLOCKS = 64
"""A picture of more blocks would be summarised."""
MOST_SLOTS = 16
"""A box of more slots is hard to count, and does not fit a narrow screen."""

_NAME = re.compile(r"[a-z]")


def read_pool(at: Cursor) -> Pool:
    """One state of a pool; a state that cannot be is told, with the block that is wrong."""
    before = len(at.faults)
    fields = at.fields("blocks", "block_size", "free", "requests", optional=("shown", "caption"))
    blocks = _between(fields["blocks"], 1, MOST_BLOCKS)
    size = _between(fields["block_size"], 2, MOST_SLOTS)
    items = fields["requests"].items(least=0)
    requests = [_read_request(item, blocks, size) for item in items]
    tell_duplicates((item.key("name"), one.name) for item, one in zip(items, requests, strict=True))
    free = _read_ids(fields["free"], blocks)
    shown, caption = fields.get("shown"), fields.get("caption")
    read = Pool(
        blocks=blocks,
        block_size=size,
        free=free,
        requests=tuple(requests),
        shown=None if shown is None else _read_ids(shown, blocks, least=1),
        caption=None if caption is None else read_text(caption),
    )
    if len(at.faults) == before:  # a state that could not be read is not counted
        _tell_books(at, read)
    return read


def read_pools(at: Cursor) -> Pools:
    """At least two pictures, one after the other."""
    return Pools(tuple(read_pool(item) for item in at.items(least=2)))


def _read_request(at: Cursor, blocks: int, size: int) -> PoolRequest:
    fields = at.fields("name", "tokens", "table")
    name = fields["name"].shaped(_NAME, "a")
    before = len(at.faults)
    tokens = fields["tokens"].number()
    table = _read_ids(fields["table"], blocks)
    read = len(at.faults) == before and {"tokens", "table"} <= fields.names
    need = -(-tokens // size) if size else 0
    if read and size and len(table) != need:
        found = _TOKENS.with_(tokens=tokens, size=size, blocks=len(table))
        fields["tokens"].fault(found, _TOKENS_WRITE.with_(need=max(0, need)))
    return PoolRequest(name, tokens, table)


def _between(at: Cursor, least: int, most: int) -> int:
    if isinstance(at.node, Hole):
        return 0
    before = len(at.faults)
    number = at.number()
    if least <= number <= most:
        return number
    if len(at.faults) == before:
        at.fault(_OUT_OF_RANGE.with_(number=number), _OUT_OF_RANGE_WRITE.with_(least=least, most=most))
    return 0


def _read_ids(at: Cursor, blocks: int, least: int = 0) -> tuple[int, ...]:
    """Ids of blocks; what is none is told and left out. `blocks` is 0 where that is at fault itself."""
    ids: list[int] = []
    for item in at.items(least):
        before = len(item.faults)
        number = item.number()
        if len(item.faults) > before:
            continue
        if blocks and number not in range(blocks):
            item.fault(_NO_BLOCK.with_(number=number, blocks=blocks), _NO_BLOCK_WRITE.with_(last=blocks - 1))
            continue
        ids.append(number)
    return tuple(ids)


def _tell_books(at: Cursor, pool: Pool) -> None:
    """Every block stands once: in one table or in the free list."""
    named: Sequence[int] = [*pool.free, *(block for request in pool.requests for block in request.table)]
    for block in range(pool.blocks):
        count = named.count(block)
        if count != 1:
            at.fault((_NOWHERE if count == 0 else _TWICE).with_(block=block), _ONCE)


_OUT_OF_RANGE = Text(zh="{number} 画不了", en="{number} cannot be drawn")
_OUT_OF_RANGE_WRITE = Text(zh="请写 {least} 到 {most}", en="write {least} to {most}")
_NO_BLOCK = Text(zh="{blocks} 块的池里没有 {number}", en="a pool of {blocks} blocks has no {number}")
_NO_BLOCK_WRITE = Text(zh="请写 0 到 {last}", en="write 0 to {last}")
_TOKENS = Text(
    zh="每块 {size} 个槽位，{tokens} 个 token 的块表却有 {blocks} 块",
    en="{tokens} tokens in blocks of {size}, but blocks in the table: {blocks}",
)
_TOKENS_WRITE = Text(zh="块表请写 {need} 块", en="write a table of {need}")
_NOWHERE = Text(zh="块 {block} 不在块表里，也不空闲", en="block {block} is in no table and not free")
_TWICE = Text(zh="块 {block} 出现了不止一次", en="block {block} is there more than once")
_ONCE = Text(
    zh="每块请只写一次，写进一个 `table` 或 `free`", en="write each block once, in a `table` or in `free`"
)
