"""A YAML file as a tree of nodes that know their line: every scalar stays text, nothing is guessed.

Built from PyYAML's events, libyaml's where it is there (about 20 times faster than PyYAML's own).
Duplicate keys, anchors, aliases and tags are refused: with them gone a tree is a tree, as large as
its file, whatever the file says.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import yaml

from pagetutor.content.fault import Fault
from pagetutor.content.source import read_source
from pagetutor.content.syntax import fault_of_syntax, quoted
from pagetutor.text import Text

DEEPEST = 30
"""Levels of nesting; the course has 12. More would be an attack on the stack."""


class Mark(NamedTuple):
    """A place in a file, 1-based."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Scalar:
    """A piece of text.

    `style` is "plain", "quoted" or "block" (`|`, `>`); `comment` is what YAML took for a comment
    right behind plain words, and dropped.
    """

    mark: Mark
    text: str
    style: str
    comment: str = ""

    def line_mark(self, index: int) -> Mark:
        """Where line `index` (from 0) of the text stands in the file: exact for `|` blocks."""
        return Mark(self.mark.line + 1 + index, 1) if self.style == "block" else self.mark


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list of nodes; `flow` if written in brackets."""

    mark: Mark
    items: tuple[Node, ...]
    flow: bool = False


@dataclass(frozen=True, slots=True)
class Mapping:
    """A map from text to nodes, in the order of the file; `keys` are where the keys stand."""

    mark: Mark
    entries: dict[str, Node]
    keys: dict[str, Mark]
    flow: bool = False


@dataclass(frozen=True, slots=True)
class Hole:
    """What stands where a node should be, after its fault was told: reads as anything, silently."""

    mark: Mark


Node = Scalar | Sequence | Mapping | Hole


def read_tree(root: Path, file: str, path: str, faults: list[Fault]) -> Node:
    """The tree of `root/file`, a `Hole` if it has none; what is wrong is told to `faults`.

    `path` is where in the course the file begins (`missions[1]`).
    """
    text = read_source(root, file, faults)
    if text is None:
        return Hole(Mark(1, 1))
    builder = _Builder(file, text, faults)
    try:
        return builder.document(path)
    except yaml.MarkedYAMLError as error:
        faults.append(fault_of_syntax(file, text, error))
    except _RefusedError as error:
        faults.append(error.fault)
    return Hole(Mark(1, 1))


def joined(path: str, name: str) -> str:
    """The path of a key of the map at `path`."""
    return f"{path}.{name}" if path else name


class _RefusedError(Exception):
    """A file that is not read on: the schema's faults would only bury this one."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault)
        self.fault = fault


class _Builder:
    def __init__(self, file: str, text: str, faults: list[Fault]) -> None:
        self.file = file
        self.lines = text.split("\n")
        self.faults = faults
        loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
        self.events: Iterator[yaml.Event] = iter(yaml.parse(text, Loader=loader))

    def document(self, path: str) -> Node:
        root: Node | None = None
        for event in self.events:
            if isinstance(event, yaml.NodeEvent):
                node = self.node(event, path, depth=0)
                if root is None:
                    root = node
                else:
                    self.fault(node.mark, "", _TWO_DOCUMENTS, _TWO_DOCUMENTS_WRITE)
        if root is None:
            self.fault(Mark(1, 1), path, _EMPTY, _EMPTY_WRITE)
            return Hole(Mark(1, 1))
        return root

    def node(self, event: yaml.Event, path: str, depth: int) -> Node:
        assert event.start_mark is not None  # read from a string, every event has its marks
        mark = Mark(event.start_mark.line + 1, event.start_mark.column + 1)
        if depth > DEEPEST:
            raise _RefusedError(Fault(self.file, *mark, "", _DEEP.with_(most=DEEPEST), _DEEP_WRITE))
        if isinstance(event, yaml.AliasEvent):
            written = f"*{event.anchor}"
            self.fault(mark, path, _ALIAS.with_(written=written), _QUOTE.with_(quoted=quoted(written)))
            return Hole(mark)
        self.refuse_properties(event, mark, path)
        if isinstance(event, yaml.ScalarEvent):
            return self.scalar(event, mark)
        if isinstance(event, yaml.SequenceStartEvent):
            items: list[Node] = []
            while not isinstance(inner := next(self.events), yaml.SequenceEndEvent):
                items.append(self.node(inner, f"{path}[{len(items)}]", depth + 1))
            return Sequence(mark, tuple(items), flow=bool(event.flow_style))
        assert isinstance(event, yaml.MappingStartEvent)
        return self.mapping(mark, path, depth, flow=bool(event.flow_style))

    def refuse_properties(self, event: yaml.Event, mark: Mark, path: str) -> None:
        anchor, tag = getattr(event, "anchor", None), getattr(event, "tag", None)
        if anchor:
            found = _ANCHOR.with_(written=f"&{anchor}")
            raise _RefusedError(Fault(self.file, *mark, path, found, _WORDS_IN_QUOTES))
        if tag:
            written = self.lines[mark.line - 1][mark.column - 1 :].split()[0].rstrip(",]}")
            self.fault(mark, path, _TAG.with_(written=written), _WORDS_IN_QUOTES)

    def scalar(self, event: yaml.ScalarEvent, mark: Mark) -> Scalar:
        if event.style in {"|", ">"}:
            return Scalar(mark, event.value, "block")
        if event.style:
            return Scalar(mark, event.value, "quoted")
        end = event.end_mark
        assert end is not None
        rest = self.lines[end.line][end.column :] if end.line < len(self.lines) else ""
        comment = rest.strip() if rest.lstrip().startswith("#") else ""
        return Scalar(mark, event.value, "plain", comment)

    def mapping(self, mark: Mark, path: str, depth: int, *, flow: bool) -> Mapping:
        entries: dict[str, Node] = {}
        keys: dict[str, Mark] = {}
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            key = self.node(event, path, depth + 1)
            name = key.text if isinstance(key, Scalar) else "…"
            value = self.node(next(self.events), joined(path, name), depth + 1)
            if not isinstance(key, Scalar):
                if not isinstance(key, Hole):
                    self.fault(key.mark, path, _ODD_KEY, _ODD_KEY_WRITE)
            elif name in entries:
                found = _TWICE.with_(key=name, first=keys[name].line)
                self.fault(key.mark, path, found, _TWICE_WRITE)
            else:
                entries[name], keys[name] = value, key.mark
        return Mapping(mark, entries, keys, flow)

    def fault(self, mark: Mark, path: str, found: Text, write: Text) -> None:
        self.faults.append(Fault(self.file, *mark, path, found, write))


_EMPTY = Text(zh="这个文件是空的", en="this file is empty")
_EMPTY_WRITE = Text(zh="请写上内容，或者恢复原来的文件", en="write it, or restore the file")
_TWO_DOCUMENTS = Text(zh="`---` 之后又开始了一份文档", en="a second document begins after `---`")
_TWO_DOCUMENTS_WRITE = Text(zh="一个文件只写一份", en="write one document per file")
_ALIAS = Text(zh="`{written}` 在 YAML 里是别名，课程里不用别名", en="`{written}` is an alias to YAML")
_ANCHOR = Text(zh="`{written}` 在 YAML 里是锚点，课程里不用锚点", en="`{written}` is an anchor to YAML")
_TAG = Text(zh="`{written}` 在 YAML 里是标签，课程里不用标签", en="`{written}` is a tag to YAML")
_WORDS_IN_QUOTES = Text(
    zh="请去掉它；如果本来就是文字，请给整句加引号",
    en="leave it out, or put the whole value in quotes if it is meant as words",
)
_QUOTE = Text(zh="如果本来就是文字，请加引号：{quoted}", en="if it is meant as words, write {quoted}")
_ODD_KEY = Text(zh="键必须是文字", en="a key must be plain words")
_ODD_KEY_WRITE = Text(
    zh="请写成 `键: 值`；如果 `?` `[` `{` 是文字的一部分，请给整句加引号",
    en="write `key: value`, or put the words in quotes if `?`, `[` or `{` belongs to them",
)
_TWICE = Text(
    zh="键 `{key}` 出现了两次（第一次在第 {first} 行）",
    en="the key `{key}` stands twice (first in line {first})",
)
_TWICE_WRITE = Text(zh="只留一个", en="write it once")
_DEEP = Text(zh="嵌套超过了 {most} 层", en="nested more than {most} levels deep")
_DEEP_WRITE = Text(
    zh="请拆平一些，并检查括号是否都配对", en="write it flatter, and look for brackets that are not closed"
)
