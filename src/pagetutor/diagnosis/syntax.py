"""Syntax errors in plain words: what to type instead, with line and column."""

# ruff: noqa: E501 — sentences are kept whole
from __future__ import annotations

import re
from collections.abc import Iterator

from pagetutor.diagnosis.source import Broken, SourceText
from pagetutor.text import Text

# What a Chinese input method or a word processor puts in place of ASCII.
ASCII_FOR = {
    **{chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},
    "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "「": '"', "」": '"', "＂": '"',
    "‘": "'", "’": "'", "‚": "'", "＇": "'", "´": "'",
    "，": ",", "、": ",", "。": ".", "；": ";", "：": ":", "（": "(", "）": ")",
    "【": "[", "】": "]", "《": "<", "》": ">", "！": "!", "？": "?", "￥": "$",
    "—": "-", "–": "-", "−": "-", "‐": "-", "×": "*", "÷": "/", "…": "...",
    "≥": ">=", "≤": "<=", "≠": "!=", "→": "->",
    "\u00a0": " ", "\u3000": " ", "\u2003": " ", "\u2009": " ", "\u202f": " ",
    "\u200b": "", "\ufeff": "", "\u200c": "", "\u200d": "", "\u2060": "",
}  # fmt: skip

_OPENERS = {"(": ")", "[": "]", "{": "}"}
_STATEMENT = re.compile(
    r"\s*(?:(?:if|for|while|return|raise|def|class|else|elif|try|except|finally|with|del|pass|import|from)\b"
    r"|[\w.\[\]]+\s*(?:\+=|-=|=(?!=)))"
)
_MERGE = re.compile(r"(?:<{7}(?: |$)|={7}$|>{7}(?: |$))")


def too_deep() -> Broken:
    """The sentence for source that is nested deeper than Python's parser goes."""
    return Broken(
        "syntax",
        None,
        None,
        Text(
            zh="代码嵌套得太深，Python 读不下去。把它拆成几步来写。",
            en="The code is nested too deeply for Python to read. Write it in several steps.",
        ),
    )


def explain_syntax_error(source: SourceText, error: SyntaxError) -> Broken:
    """Why Python cannot read the file, with the character to type where there is one."""
    line = min(max(error.lineno or 1, 1), len(source.lines))
    column = max(error.offset or 1, 1)
    message = error.msg or "invalid syntax"
    for explain in (_merge_marker, _question_marks, _magic, _foreign_character):
        found = explain(source, line)
        if found is not None:
            return found
    return (
        _bracket(source, line, column, message)
        or _indentation(line, column, message)
        or _phrase(line, column, message)
    )


def _merge_marker(source: SourceText, _line: int) -> Broken | None:
    for number, words in enumerate(source.lines, start=1):
        if _MERGE.match(words) and not words.startswith("="):
            mark = words[:7]
            return _broken(
                number,
                1,
                zh=f"第 {number} 行是合并冲突留下的标记 `{mark}`。两份代码留一份，把三行标记都删掉。",
                en=f"Line {number} is a merge-conflict marker, `{mark}`. "
                "Keep one of the two versions and delete all three marker lines.",
            )
    return None


def _question_marks(source: SourceText, _line: int) -> Broken | None:
    for number, column, words in _code_pieces(source):
        at = re.search(r"\?{2,}|？{2,}", words)
        if at:
            mark = at.group()
            return _broken(
                number,
                column + at.start(),
                zh=f"第 {number} 行的 `{mark}` 是留给你填的空。把它换成你的代码。",
                en=f"The `{mark}` on line {number} is a blank for you to fill. Put your own code in its place.",
            )
    return None


def _magic(source: SourceText, line: int) -> Broken | None:
    for number in (line, *range(1, line)):
        words = source.lines[number - 1]
        stripped = words.lstrip()
        if re.match(r"%{1,2}[A-Za-z]\w*|![A-Za-z./~]", stripped) and _starts_statement(source, number):
            mark = stripped.split()[0]
            return _broken(
                number,
                len(words) - len(stripped) + 1,
                zh=f"第 {number} 行的 `{mark}` 是笔记本（Jupyter）的命令，不是 Python。删掉这一行。",
                en=f"`{mark}` on line {number} is a notebook command, not Python. Delete that line.",
            )
    return None


def _starts_statement(source: SourceText, number: int) -> bool:
    before = next((words for words in reversed(source.lines[: number - 1]) if words.strip()), "")
    return not before.rstrip().endswith(("\\", ",", "(", "[", "+", "-", "*", "/", "%"))


def _foreign_character(source: SourceText, line: int) -> Broken | None:
    pieces = [piece for piece in _code_pieces(source) if piece[0] <= line]
    for number, column, words in sorted(pieces, key=lambda piece: (piece[0] != line, piece[0], piece[1])):
        for at, mark in enumerate(words):
            if mark in ASCII_FOR:
                return _foreign(number, column + at, mark)
    # `"OOM”`: the string never ends, so the mark stands inside it.
    words = source.lines[line - 1]
    for at, mark in enumerate(words):
        if mark in "“”‘’＂＇" and _ends_inside_string(words):
            return _foreign(line, at + 1, mark)
    return None


def _foreign(line: int, column: int, mark: str) -> Broken:
    ascii_mark = ASCII_FOR[mark]
    if not mark.strip() or not mark.isprintable():
        code = f"U+{ord(mark):04X}"
        zh_do = "换成普通空格" if ascii_mark else "删掉它"
        en_do = "Type an ordinary space instead." if ascii_mark else "Delete it."
        return _broken(
            line,
            column,
            zh=f"第 {line} 行第 {column} 列有一个看不见的特殊字符（{code}），{zh_do}。",
            en=f"Line {line}, column {column} holds an invisible character ({code}). {en_do}",
        )
    return _broken(
        line,
        column,
        zh=f"第 {line} 行第 {column} 列的 `{mark}` 是全角或中文符号。切到英文输入法，改成 `{ascii_mark}`。",
        en=f"`{mark}` on line {line}, column {column} is not an ASCII character. Type `{ascii_mark}` instead.",
    )


def _ends_inside_string(words: str) -> bool:
    quote = ""
    escaped = False
    for mark in words:
        if escaped:
            escaped = False
        elif mark == "\\":
            escaped = True
        elif quote:
            quote = "" if mark == quote else quote
        elif mark in "\"'":
            quote = mark
        elif mark == "#":
            break
    return bool(quote)


def _bracket(source: SourceText, line: int, column: int, message: str) -> Broken | None:
    found = re.match(r"'([(\[{])' was never closed", message)
    if found:
        return _never_closed(line, column, found.group(1))
    found = re.match(
        r"closing parenthesis '(.)' does not match opening parenthesis '(.)'(?: on line (\d+))?", message
    )
    if found:
        closer, opener, opened = found.group(1), found.group(2), int(found.group(3) or line)
        return _broken(
            line,
            column,
            zh=f"第 {line} 行用 `{closer}` 收尾，可第 {opened} 行打开的是 `{opener}`。这里应该是 `{_OPENERS[opener]}`。",
            en=f"Line {line} closes with `{closer}`, but line {opened} opened `{opener}`. "
            f"It should be `{_OPENERS[opener]}` here.",
        )
    found = re.match(r"unmatched '(.)'", message)
    if found:
        closer = found.group(1)
        return _broken(
            line,
            column,
            zh=f"第 {line} 行第 {column} 列多了一个 `{closer}`，前面没有和它配对的括号。",
            en=f"Line {line}, column {column} has one `{closer}` too many: it closes nothing.",
        )
    if _STATEMENT.match(source.lines[line - 1]):
        opened_at = _open_bracket_before(source, line)
        if opened_at is not None:
            return _never_closed(*opened_at)
    return None


def _never_closed(line: int, column: int, opener: str) -> Broken:
    return _broken(
        line,
        column,
        zh=f"第 {line} 行第 {column} 列打开的 `{opener}` 一直没有关上。补上 `{_OPENERS[opener]}`。",
        en=f"The `{opener}` opened on line {line}, column {column} is never closed. Add the `{_OPENERS[opener]}`.",
    )


def _open_bracket_before(source: SourceText, line: int) -> tuple[int, int, str] | None:
    stack: list[tuple[int, int, str]] = []
    for number, column, words in _code_pieces(source):
        if number >= line:
            break
        for at, mark in enumerate(words):
            if mark in _OPENERS:
                stack.append((number, column + at, mark))
            elif mark in _OPENERS.values() and stack:
                stack.pop()
    return stack[-1] if stack else None


def _indentation(line: int, column: int, message: str) -> Broken | None:
    if "tabs and spaces" in message:
        return _broken(
            line,
            None,
            zh=f"第 {line} 行的缩进混用了制表符和空格。整个文件统一用空格（每级 4 个）。",
            en=f"Line {line} mixes tabs and spaces in its indentation. Use spaces only, four per level.",
        )
    found = re.match(r"expected an indented block after (.+?) on line (\d+)", message)
    if found:
        opened = int(found.group(2))
        return _broken(
            line,
            column,
            zh=f"第 {opened} 行以冒号结尾，它下面（第 {line} 行）应该往右缩进一级。",
            en=f"Line {opened} ends with a colon, so the line under it (line {line}) must be indented one level more.",
        )
    if message.startswith("unindent does not match"):
        return _broken(
            line,
            None,
            zh=f"第 {line} 行的缩进和上面任何一级都对不上。让它和同一级的行左边对齐。",
            en=f"The indentation of line {line} matches no level above it. Line it up with the lines of its block.",
        )
    if message.startswith("unexpected indent"):
        return _broken(
            line,
            None,
            zh=f"第 {line} 行比上一行多缩进了，可上一行没有开一个新的代码块。",
            en=f"Line {line} is indented more than the line before it, though that line opens no block.",
        )
    return None


_PHRASES: tuple[tuple[str, str, str], ...] = (
    (r"expected ':'", "第 {line} 行末尾少了冒号 `:`。", "Line {line} is missing a colon `:` at its end."),
    (
        r"unterminated triple-quoted",
        "第 {line} 行开始的三引号字符串一直没有结束。",
        "The triple-quoted string that begins on line {line} never ends.",
    ),
    (
        r"unterminated (?:f-)?string|EOL while",
        "第 {line} 行的字符串少了收尾的引号。",
        "The string on line {line} is missing its closing quote.",
    ),
    (
        r"cannot assign|Maybe you meant '==' or ':='",
        "第 {line} 行：比较相等要写两个等号 `==`，一个 `=` 是赋值。",
        "Line {line}: comparing takes two equals signs, `==`; a single `=` assigns.",
    ),
    (
        r"invalid syntax\. Perhaps you forgot a comma",
        "第 {line} 行的两项之间好像少了逗号 `,`。",
        "Line {line} seems to be missing a comma `,` between two items.",
    ),
    (
        r"Missing parentheses in call to 'print'",
        "第 {line} 行：Python 3 的 `print` 要带括号，写成 `print(…)`。",
        "Line {line}: in Python 3 `print` needs parentheses: `print(…)`.",
    ),
    (
        r"'(return|yield|await)' outside",
        "第 {line} 行的 `{0}` 不在任何函数里面。看看它的缩进。",
        "`{0}` on line {line} stands outside any function. Look at its indentation.",
    ),
    (
        r"'(break)' outside|'(continue)' not properly",
        "第 {line} 行的 `{0}` 不在任何循环里面。看看它的缩进。",
        "`{0}` on line {line} stands outside any loop. Look at its indentation.",
    ),
    (
        r"expected 'else' after 'if' expression",
        "第 {line} 行写在一行里的 `if` 少了它的 `else`。",
        "The one-line `if` on line {line} is missing its `else`.",
    ),
    (
        r"expected 'except' or 'finally'",
        "第 {line} 行之前的 `try` 还没有配上 `except`。",
        "The `try` before line {line} has no `except` yet.",
    ),
    (
        r"unexpected character after line continuation",
        "第 {line} 行的反斜杠 `\\` 后面不能再有别的字符。",
        "Nothing may follow the backslash `\\` on line {line}.",
    ),
    (
        r"invalid (?:decimal|hexadecimal|octal|binary) literal",
        "第 {line} 行：名字不能以数字开头，数字后面也不能直接跟字母。",
        "Line {line}: a name cannot begin with a digit, and a letter cannot follow a number.",
    ),
    (
        r"unexpected EOF|was never closed",
        "文件在第 {line} 行突然结束了，好像还没写完。",
        "The file ends in the middle of something, at line {line}.",
    ),
)


def _phrase(line: int, column: int, message: str) -> Broken:
    for pattern, zh, en in _PHRASES:
        found = re.search(pattern, message)
        if found:
            groups = [group for group in found.groups() if group]
            return _broken(line, column, zh=zh.format(*groups, line=line), en=en.format(*groups, line=line))
    if message in ("invalid syntax", "invalid syntax. Maybe you meant '==' or ':=' instead of '='?"):
        return _broken(
            line,
            column,
            zh=f"第 {line} 行第 {column} 列附近，Python 读不懂。看看这一行和它上面一行有没有少写或多写了什么。",
            en=f"Python cannot make sense of line {line}, near column {column}. "
            "Look at this line and the one above: is something missing, or is there something too many?",
        )
    return _broken(
        line,
        column,
        zh=f"第 {line} 行第 {column} 列附近有语法错误。Python 的原话：{message}。",
        en=f"There is a syntax error on line {line}, near column {column}. Python says: {message}.",
    )


def _broken(line: int, column: int | None, *, zh: str, en: str) -> Broken:
    return Broken("syntax", line, column, Text(zh=zh, en=en))


def _code_pieces(source: SourceText) -> Iterator[tuple[int, int, str]]:
    """The pieces of each line that are neither string nor comment: (line, first column, words)."""
    quote = ""
    for number, words in enumerate(source.lines, start=1):
        at, begun = 0, 0
        if len(quote) == 1:
            quote = ""  # a plain string ends with its line, closed or not
        while at < len(words):
            if quote:
                if words[at] == "\\":
                    at += 2
                elif words.startswith(quote, at):
                    at += len(quote)
                    quote, begun = "", at
                else:
                    at += 1
                continue
            mark = words[at]
            if mark == "#":
                break
            if mark in "\"'":
                if at > begun:
                    yield number, begun + 1, words[begun:at]
                quote = mark * 3 if words.startswith(mark * 3, at) else mark
                at += len(quote)
                continue
            at += 1
        if not quote and at > begun:
            yield number, begun + 1, words[begun:at]
