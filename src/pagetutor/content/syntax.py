"""What to say of a file that is not YAML: nearly always words that want quotes."""

from __future__ import annotations

import re

import yaml

from pagetutor.content.fault import Fault
from pagetutor.text import Text

_BEGINS = "%@`*&!|>[]{},?#"
"""Characters that mean something to YAML at the beginning of a value."""

_LINE = re.compile(r"(?P<lead>\s*(?:- +)*(?P<key>[\w.-]+(?P<colon>:) +)?)(?P<value>\S.*)?")


def fault_of_syntax(file: str, text: str, error: yaml.MarkedYAMLError) -> Fault:
    """The parser's complaint as a fault: where, what stands there, what to write instead."""
    lines = text.split("\n")
    mark, opened = error.problem_mark, error.context_mark
    assert mark is not None
    context = error.context or ""
    if "quoted scalar" in context and "escape" in (error.problem or ""):
        return Fault(file, mark.line + 1, mark.column + 1, "", _ESCAPE, _ESCAPE_WRITE)
    if "quoted scalar" in context and opened is not None:
        return Fault(file, opened.line + 1, opened.column + 1, "", _OPEN_QUOTE, _OPEN_QUOTE_WRITE)
    line = lines[mark.line] if mark.line < len(lines) else ""
    if "flow mapping" in context or "flow sequence" in context:
        assert opened is not None
        bracket = lines[opened.line][opened.column]
        found = _OPEN_BRACKET.with_(bracket=bracket, line=opened.line + 1)
        return Fault(file, mark.line + 1, mark.column + 1, "", found, _OPEN_BRACKET_WRITE)
    found, write = _found(line, mark.column, error.problem or context)
    return Fault(file, mark.line + 1, mark.column + 1, "", found, write)


def quoted(words: str) -> str:
    """`words` as a YAML scalar in quotes, on one line."""
    if '"' not in words and "\\" not in words:
        return f'"{words}"'
    return "'" + words.replace("'", "''") + "'"


def _clipped(value: str) -> str:
    return value if len(value) <= 80 else value[:79] + "…"


def _found(line: str, column: int, problem: str) -> tuple[Text, Text]:
    match = _LINE.match(line)
    assert match is not None  # every part of the pattern is optional
    value = _clipped((match["value"] or "").rstrip())
    if value and column >= len(match["lead"]):
        if value.startswith("{zh:"):
            return _FLOW, _FLOW_WRITE
        if value[0] in _BEGINS or value.startswith("- "):
            return _BEGIN.with_(value=value, mark=value[0]), _QUOTES.with_(quoted=quoted(value))
        if value[0] in "'\"":
            return _AFTER_QUOTE, _AFTER_QUOTE_WRITE
        if ": " in value or value.endswith(":"):
            return _COLON.with_(value=value), _QUOTES.with_(quoted=quoted(value))
    if column <= len(match["lead"]):
        return _INDENT, _INDENT_WRITE
    return _OTHER.with_(problem=problem), _OTHER_WRITE


_OPEN_QUOTE = Text(zh="这里的引号一直没有收尾", en="the quote that opens here is never closed")
_OPEN_QUOTE_WRITE = Text(
    zh="请补上收尾的引号（文字里的单引号要写两遍）",
    en="write the closing quote (a ' inside '…' is written twice)",
)
_ESCAPE = Text(zh="双引号里的 `\\` 会被当成转义", en='a `\\` inside "…" begins an escape')
_ESCAPE_WRITE = Text(
    zh="请改用单引号，或者写成 `\\\\`", en="write the words in '…', or the backslash as `\\\\`"
)
_OPEN_BRACKET = Text(
    zh="第 {line} 行的 `{bracket}` 到这里还没有好好收尾",
    en="the `{bracket}` of line {line} is not closed as YAML expects",
)
_OPEN_BRACKET_WRITE = Text(
    zh='请补上右括号；文字里如果有 `,` `:` `[` `]` `{` `}`，请给文字加引号 "…"',
    en='close it, and write words that hold `,` `:` `[` `]` `{` or `}` in quotes: "…"',
)
_FLOW = Text(zh="`{zh: …, en: …}` 里的文字让 YAML 读错了", en="YAML misreads the words in `{zh: …, en: …}`")
_FLOW_WRITE = Text(zh='请给两边的文字加引号：{zh: "…", en: "…"}', en='put both in quotes: {zh: "…", en: "…"}')
_BEGIN = Text(
    zh="`{value}` 以 `{mark}` 开头，YAML 会读成别的意思",
    en="`{value}` begins with `{mark}`, which means something else to YAML",
)
_COLON = Text(
    zh="`{value}` 里有冒号，YAML 会读成“键: 值”",
    en="`{value}` has a colon, which makes it a `key: value` to YAML",
)
_QUOTES = Text(zh="请加引号：{quoted}", en="put it in quotes: {quoted}")
_AFTER_QUOTE = Text(
    zh="收尾的引号后面还有文字，或者前面有个引号没收尾",
    en="there are words after a closing quote, or a quote above was never closed",
)
_AFTER_QUOTE_WRITE = Text(
    zh="请把整句放进引号里（文字里的单引号要写两遍）",
    en="put the whole value in quotes (a ' inside '…' is written twice)",
)
_INDENT = Text(zh="这一行的缩进和上下文对不上", en="this line's indentation does not fit the lines above")
_INDENT_WRITE = Text(zh="请和同一级的键对齐", en="line it up with the keys it belongs to")
_OTHER = Text(zh="这里的 YAML 读不通（{problem}）", en="YAML cannot be read here ({problem})")
_OTHER_WRITE = Text(
    zh="请检查这一行和上一行的引号与缩进",
    en="look at the quotes and the indentation of this line and the one above",
)
