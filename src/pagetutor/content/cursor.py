"""A place in a course file while it is read: a node, its path, and where its faults are told.

Readers never stop at a fault. They tell it, go on with a `Hole` or an empty value, and the load
refuses the whole course at the end; so an author sees everything at once.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass

from pagetutor.content.fault import Fault
from pagetutor.content.syntax import quoted
from pagetutor.content.tree import Hole, Mapping, Mark, Node, Scalar, Sequence, joined
from pagetutor.text import Text

_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)")


@dataclass(frozen=True, slots=True)
class Cursor:
    """Where a reader is. `path` is said in messages (`missions[1].guess`), `file` is relative."""

    file: str
    path: str
    node: Node
    faults: list[Fault]

    def fault(self, found: Text, write: Text, mark: Mark | None = None) -> None:
        """Tell a fault of this place, or of `mark` inside it."""
        self.faults.append(Fault(self.file, *(mark or self.node.mark), self.path, found, write))

    def key(self, name: str) -> Cursor:
        """The value of a map's key, a hole where it has none; silent."""
        node = self.node.entries.get(name) if isinstance(self.node, Mapping) else None
        return Cursor(self.file, joined(self.path, name), node or Hole(self.node.mark), self.faults)

    def fields(self, *required: str, optional: tuple[str, ...] = ()) -> Fields:
        """This node as a map with just these keys; unknown and missing ones are told."""
        node = self.node
        if isinstance(node, Mapping):
            known = (*required, *optional)
            for name in node.entries:
                if name not in known:
                    self._tell_unknown(node, name, known)
            for name in required:
                if name not in node.entries:
                    self.fault(_KEY_MISSING.with_(key=name), _KEY_MISSING_WRITE.with_(key=name))
        elif not isinstance(node, Hole):
            keys = ", ".join(f"{name}: …" for name in required)
            self.fault(_NOT_A_MAP.with_(written=_written(node)), _NOT_A_MAP_WRITE.with_(keys=keys))
        return Fields(self, frozenset(node.entries if isinstance(node, Mapping) else ()))

    def items(self, least: int = 1) -> list[Cursor]:
        """The items of a list with at least `least` of them."""
        node = self.node
        if isinstance(node, Hole):
            return []
        if not isinstance(node, Sequence):
            self.fault(_NOT_A_LIST.with_(written=_written(node)), _NOT_A_LIST_WRITE)
            return []
        if len(node.items) < least:
            self.fault(_TOO_FEW.with_(count=len(node.items)), _TOO_FEW_WRITE.with_(least=least))
        return [
            Cursor(self.file, f"{self.path}[{index}]", item, self.faults)
            for index, item in enumerate(node.items)
        ]

    def entries(self, known: tuple[str, ...] | None = None) -> list[tuple[str, Cursor]]:
        """The keys and values of a map whose keys are free, or any of those `known`."""
        if not isinstance(self.node, Mapping):
            self.fields("name")
            return []
        if known is not None:
            self.fields(optional=known)
        return [(name, self.key(name)) for name in self.node.entries]

    def scalar(self) -> Scalar | None:
        """This node as a piece of text that is not empty, or None after telling what it is."""
        node = self.node
        if isinstance(node, Hole):
            return None
        if not isinstance(node, Scalar):
            found = _MAP_FOR_WORDS if isinstance(node, Mapping) else _LIST_FOR_WORDS
            written = _written(node)
            self.fault(found.with_(written=written), _QUOTES.with_(quoted=quoted(written)))
            return None
        if not node.text.strip():
            if node.comment:
                quotes = _QUOTES.with_(quoted=quoted(node.comment))
                self.fault(_COMMENT.with_(comment=node.comment), quotes)
            else:
                self.fault(_EMPTY, _EMPTY_WRITE)
            return None
        return node

    def words(self) -> str:
        """The text of this node without the line breaks at its end, "" after a fault."""
        scalar = self.scalar()
        return scalar.text.rstrip("\n") if scalar else ""

    def code(self) -> str:
        """The text of this node, whole, as a program: ends with one line break. "" after a fault."""
        scalar = self.scalar()
        return scalar.text.rstrip("\n") + "\n" if scalar else ""

    def number(self) -> int:
        """A whole number; 0 after a fault."""
        words = self.words()
        if words and not _NUMBER.fullmatch(words):
            self.fault(_NOT_A_NUMBER.with_(words=words), _NOT_A_NUMBER_WRITE)
            return 0
        return int(words or "0")

    def one_of(self, options: Iterable[str]) -> str:
        """One of a few names; "" after a fault."""
        words, names = self.words(), tuple(options)
        if words and names and words not in names:  # no names: they are at fault themselves
            self.fault(_NOT_ONE_OF.with_(words=words), _one_of_write(words, names))
            return ""
        return words

    def shaped(self, pattern: re.Pattern[str], example: str) -> str:
        """Words of the shape of `example`; "" after a fault."""
        words = self.words()
        if words and not pattern.fullmatch(words):
            self.fault(_SHAPE.with_(words=words), _SHAPE_WRITE.with_(example=example))
            return ""
        return words

    def _tell_unknown(self, node: Mapping, name: str, known: tuple[str, ...]) -> None:
        value = node.entries[name]
        if node.flow and isinstance(value, Scalar) and value.style == "plain" and not value.text:
            self.fault(_COMMA.with_(key=name), _COMMA_WRITE, node.keys[name])
        else:
            self.fault(_KEY_UNKNOWN.with_(key=name), _one_of_write(name, known), node.keys[name])


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of a map that was checked: `fields["ask"]` is a hole if its lack was told."""

    at: Cursor
    names: frozenset[str]

    def __getitem__(self, name: str) -> Cursor:
        return self.at.key(name)

    def get(self, name: str) -> Cursor | None:
        """An optional field, or None."""
        return self.at.key(name) if name in self.names else None


def tell_duplicates(cursors: Iterable[tuple[Cursor, str]]) -> None:
    """Tell every id of a list that stood in it before; empty ids were told already."""
    seen: dict[str, int] = {}
    for cursor, name in cursors:
        if name and name in seen:
            cursor.fault(_ID_TWICE.with_(id=name, line=seen[name]), _ID_TWICE_WRITE)
        seen.setdefault(name, cursor.node.mark.line)


def nearest(words: str, names: Iterable[str]) -> str | None:
    """The name `words` was probably meant to be."""
    matches = difflib.get_close_matches(words, tuple(names), n=1, cutoff=0.6)
    return matches[0] if matches else None


def _one_of_write(words: str, names: tuple[str, ...]) -> Text:
    if (near := nearest(words, names)) is not None:
        return _NEAREST.with_(near=near)
    listed = ", ".join(f"`{name}`" for name in names)
    return _LISTED.with_(names=listed)


def _written(node: Node) -> str:
    """Roughly what the author wrote, on one line: enough to recognise it."""
    if isinstance(node, Scalar):
        first = node.text.strip().split("\n", 1)[0]
        return first if len(first) <= 60 else first[:59] + "…"
    if isinstance(node, Sequence):
        inside = ", ".join(_written(item) for item in node.items)
        return f"[{inside}]" if node.flow and len(inside) <= 60 else "- …"
    if isinstance(node, Mapping):
        inside = ", ".join(f"{key}: {_written(value)}".rstrip() for key, value in node.entries.items())
        short = len(inside) <= 60
        return (f"{{{inside}}}" if node.flow else inside) if short else f"{next(iter(node.entries))}: …"
    return "…"


_KEY_MISSING = Text(zh="缺少 `{key}`", en="`{key}` is missing")
_KEY_MISSING_WRITE = Text(zh="请补上 `{key}: …`", en="write `{key}: …`")
_KEY_UNKNOWN = Text(zh="没有 `{key}` 这个键", en="there is no key `{key}` here")
_COMMA = Text(
    zh="花括号里的逗号会断开文字，`{key}` 成了一个键",
    en="a comma ends a value inside braces, so `{key}` became a key",
)
_COMMA_WRITE = Text(zh="请给带逗号的文字加引号", en="put the words with the comma in quotes")
_NOT_A_MAP = Text(
    zh="这里该是“键: 值”，却是 `{written}`", en="keys and values are wanted here, found `{written}`"
)
_NOT_A_MAP_WRITE = Text(zh="请写成 `{keys}`", en="write `{keys}`")
_NOT_A_LIST = Text(zh="这里该是列表，却是 `{written}`", en="a list is wanted here, found `{written}`")
_NOT_A_LIST_WRITE = Text(zh="请每项一行，以 `- ` 开头", en="write one item per line, each behind `- `")
_TOO_FEW = Text(zh="列表里只有 {count} 项", en="items in this list: {count}")
_TOO_FEW_WRITE = Text(zh="至少要写 {least} 项", en="write at least {least}")
_MAP_FOR_WORDS = Text(
    zh="这里该是文字，YAML 却把 `{written}` 读成了“键: 值”",
    en="words are wanted here, but `{written}` is a `key: value` to YAML",
)
_LIST_FOR_WORDS = Text(
    zh="这里该是文字，YAML 却把 `{written}` 读成了列表",
    en="words are wanted here, but `{written}` is a list to YAML",
)
_QUOTES = Text(zh="请加引号：{quoted}", en="put it in quotes: {quoted}")
_COMMENT = Text(
    zh="`{comment}` 被 YAML 当成注释，什么也没留下", en="`{comment}` is a comment to YAML, so nothing is left"
)
_EMPTY = Text(zh="这里是空的", en="there is nothing here")
_EMPTY_WRITE = Text(zh="请写上内容", en="write the words")
_NOT_A_NUMBER = Text(zh="`{words}` 不是整数", en="`{words}` is not a whole number")
_NOT_A_NUMBER_WRITE = Text(zh="请写成 `4` 这样的整数", en="write a number such as `4`")
_NOT_ONE_OF = Text(zh="没有 `{words}` 这个名字", en="there is no `{words}`")
_NEAREST = Text(zh="你要写的可能是 `{near}`", en="write `{near}`, if that is what you meant")
_LISTED = Text(zh="可以写 {names}", en="write one of {names}")
_SHAPE = Text(zh="`{words}` 的写法不对", en="`{words}` has the wrong shape")
_SHAPE_WRITE = Text(zh="请写成 `{example}` 这样", en="write it like `{example}`")
_ID_TWICE = Text(zh="`{id}` 已经用过了（第 {line} 行）", en="`{id}` is taken already (line {line})")
_ID_TWICE_WRITE = Text(zh="请换一个", en="write another")
