"""A learner's file with some of its methods as the starter has them, and everything else as it was."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from pagetutor.diagnosis.gate import Broken, FunctionDef, SourceText, find_method, parse, read_source
from pagetutor.diagnosis.manager_class import first_line
from pagetutor.errors import WorkspaceError
from pagetutor.text import Text

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")
_STARTERS_INDENT = "    "


def with_starters_methods(source: bytes, starter: bytes, methods: Iterable[str]) -> bytes:
    """`source` with these methods as `starter` has them, in its own encoding, newlines and indents.

    Raises WorkspaceError where the file cannot be read as Python, lacks one of them, or has an encoding
    without Chinese: the starter's comments could not be written in it.
    """
    text, tree = _parsed(source)
    starters, starters_tree = _parsed(starter)
    lines: list[str] = _LINE.findall(_decoded(text))
    newline = "\r\n" if sum(line.endswith("\r\n") for line in lines) * 2 > len(lines) else "\n"
    found = [(_method(tree, method), method) for method in methods]
    for definition, method in sorted(found, key=lambda pair: pair[0].lineno, reverse=True):
        original = _method(starters_tree, method)
        first, last = _extent(definition, text.lines)
        indent = _indent_of(text.lines[definition.lineno - 1])
        rows = _indented(starters.lines[slice(*_extent(original, starters.lines))], indent)
        ends_file = last == len(lines) and not lines[-1].endswith(("\r", "\n"))
        lines[first:last] = [row + newline for row in rows]
        if ends_file:
            lines[first + len(rows) - 1] = rows[-1]
    try:
        content = text.encoded("".join(lines))
    except UnicodeEncodeError as error:
        raise WorkspaceError(_NO_CHINESE.with_(encoding=text.encoding)) from error
    _parsed(content)
    return content


def _parsed(source: bytes) -> tuple[SourceText, ast.Module]:
    text = read_source(source)
    if isinstance(text, Broken):
        raise WorkspaceError(text.say + _WHOLE_FILE)
    tree = parse(text)
    if isinstance(tree, Broken):
        raise WorkspaceError(tree.say + _WHOLE_FILE)
    return text, tree


def _decoded(text: SourceText) -> str:
    """The text with the newlines that stand in the file; `text.text` has only `\\n`."""
    return text.raw.decode(text.encoding)


def _method(tree: ast.Module, name: str) -> FunctionDef:
    definition = find_method(tree, name)
    if definition is None:
        raise WorkspaceError(_NO_METHOD.with_(method=name) + _WHOLE_FILE)
    return definition


def _extent(definition: FunctionDef, lines: tuple[str, ...]) -> tuple[int, int]:
    """The slice of the method's lines, from its decorators to the comments at its end."""
    first = first_line(definition) - 1
    last = definition.end_lineno or definition.lineno
    depth = len(_indent_of(lines[definition.lineno - 1]))
    for number in range(last, len(lines)):
        words = lines[number]
        if not words.strip():
            continue
        if not words.lstrip().startswith("#") or len(_indent_of(words)) <= depth:
            break
        last = number + 1
    return first, last


def _indent_of(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t"))]


def _indented(rows: tuple[str, ...], indent: str) -> list[str]:
    """The starter's rows, indented level by level as the learner's class is."""
    depth = len(_indent_of(rows[0]))
    unit = indent or _STARTERS_INDENT
    moved = []
    for row in rows:
        inner = row[depth:]
        words = inner.lstrip(" ")
        levels, rest = divmod(len(inner) - len(words), len(_STARTERS_INDENT))
        moved.append(f"{indent}{unit * levels}{' ' * rest}{words}".rstrip())
    return moved


_WHOLE_FILE = Text(
    zh="什么也没有改；想把整个文件换回起始文件，用 `pagetutor reset file`。",
    en=" Nothing was changed; to have the whole file as the starter again: `pagetutor reset file`.",
)
_NO_METHOD = Text(zh="文件里没有 `{method}`。", en="There is no `{method}` in the file.")
_NO_CHINESE = Text(
    zh="文件的编码是 `{encoding}`，写不了起始文件里的中文注释，什么也没有改；先把它存成 UTF-8。",
    en="The file is saved as `{encoding}`, in which the starter's Chinese comments cannot be written; "
    "nothing was changed. Save it as UTF-8 first.",
)
