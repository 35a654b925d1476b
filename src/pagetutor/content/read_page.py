"""Pages out of a course file: a list of blocks, each a map with exactly one key."""

from __future__ import annotations

from collections.abc import Callable

from pagetutor.content.cursor import Cursor
from pagetutor.content.model import Block, Code, Drawing, More, Page, Paragraph, Points, Steps, Table
from pagetutor.content.read_pool import read_pool, read_pools
from pagetutor.content.read_text import read_text
from pagetutor.content.tree import Mapping, Scalar
from pagetutor.text import Text
from pagetutor.text.cells import cells

WIDEST_DRAWING = 40
"""Cells. A drawing cannot be wrapped, so this is the narrowest terminal it can be read in."""


def read_page(at: Cursor, *, least: int = 1) -> Page:
    """The blocks of a page, at least `least` of them."""
    blocks = (_read_block(item, _BLOCKS) for item in at.items(least))
    return tuple(block for block in blocks if block is not None)


def read_texts(at: Cursor, *, least: int = 1) -> tuple[Text, ...]:
    """A list of texts."""
    return tuple(read_text(item) for item in at.items(least))


def _read_block(at: Cursor, readers: dict[str, Callable[[Cursor], Block]]) -> Block | None:
    fields = at.fields(optional=tuple(readers))
    if not isinstance(at.node, Mapping):
        return None
    if len(at.node.entries) != 1:
        at.fault(_ONE_KEY.with_(count=len(at.node.entries)), _ONE_KEY_WRITE)
    name = next((name for name in at.node.entries if name in readers), None)
    return readers[name](fields[name]) if name is not None else None


def _read_paragraph(at: Cursor) -> Paragraph:
    return Paragraph(read_text(at))


def _read_points(at: Cursor) -> Points:
    return Points(read_texts(at))


def _read_steps(at: Cursor) -> Steps:
    return Steps(read_texts(at))


def _read_drawing(at: Cursor) -> Drawing:
    fields = at.fields("art", "says")
    art = fields["art"]
    for half in (art, art.key("zh"), art.key("en")):
        if isinstance(half.node, Scalar):
            _measure(half, half.node)
    return Drawing(read_text(art), read_text(fields["says"]))


def _measure(at: Cursor, art: Scalar) -> None:
    for index, line in enumerate(art.text.split("\n")):
        if (width := cells(line)) > WIDEST_DRAWING:
            at.fault(_WIDE.with_(width=width, line=line), _WIDE_WRITE, art.line_mark(index))


def _read_table(at: Cursor) -> Table:
    fields = at.fields("head", "rows")
    head = read_texts(fields["head"])
    rows = []
    for row in fields["rows"].items():
        cell_texts = read_texts(row)
        if head and cell_texts and len(cell_texts) != len(head):
            row.fault(_CELLS.with_(cells=len(cell_texts)), _CELLS_WRITE.with_(head=len(head)))
        rows.append(cell_texts)
    return Table(head, tuple(rows))


def _read_code(at: Cursor) -> Code:
    return Code(at.code())


def _read_more(at: Cursor) -> More:
    read = [_read_block(item, _BLOCKS_OF_MORE) for item in at.items()]
    return More(tuple(block for block in read if isinstance(block, Paragraph | Points | Code)))


_BLOCKS_OF_MORE: dict[str, Callable[[Cursor], Block]] = {
    "text": _read_paragraph,
    "points": _read_points,
    "code": _read_code,
}
_BLOCKS: dict[str, Callable[[Cursor], Block]] = {
    **_BLOCKS_OF_MORE,
    "steps": _read_steps,
    "drawing": _read_drawing,
    "pool": read_pool,
    "pools": read_pools,
    "table": _read_table,
    "more": _read_more,
}

_ONE_KEY = Text(zh="一个块里有 {count} 个键", en="this block has {count} keys")
_ONE_KEY_WRITE = Text(zh="请每块只写一个键，各以 `- ` 开头", en="write one key per block, each behind `- `")
_WIDE = Text(
    zh="图里这一行宽 {width} 格，超过了 40 格：`{line}`",
    en="this line of the drawing is {width} cells wide, more than 40: `{line}`",
)
_WIDE_WRITE = Text(zh="请画窄一些（一个汉字占 2 格）", en="draw it narrower (a Chinese character takes 2)")
_CELLS = Text(zh="这一行有 {cells} 格", en="cells in this row: {cells}")
_CELLS_WRITE = Text(zh="表头有 {head} 列，请写 {head} 格", en="write {head}, as many as the head has")
