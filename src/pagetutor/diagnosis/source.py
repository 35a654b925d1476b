"""The learner's file as text: decoding it, and turning syntax-tree positions into characters."""

# ruff: noqa: E501 — sentences are kept whole
from __future__ import annotations

import ast
import codecs
import re
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from pagetutor.diagnosis.mistake import Span
from pagetutor.text import Text

_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_BLANK = re.compile(rb"^[ \t\f]*(?:#.*)?$")
_BOMS = ((codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"))
_BOMS_16 = ((codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


@dataclass(frozen=True, slots=True)
class Broken:
    """The file cannot be read as Python: why, where (1-based, in characters), and the sentence for it."""

    reason: Literal["encoding", "syntax"]
    line: int | None
    column: int | None
    say: Text


@dataclass(frozen=True)
class SourceText:
    """A learner's file: its bytes, its text with `\\n` line ends and no BOM, and its encoding.

    Lines are numbered as Python numbers them, so form feeds and Unicode line separators end no line.
    """

    raw: bytes
    text: str
    encoding: str = "utf-8"

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The text's lines without their ends."""
        return tuple(self.text.split("\n"))

    @cached_property
    def _starts(self) -> tuple[int, ...]:
        starts = [0]
        for line in self.lines:
            starts.append(starts[-1] + len(line) + 1)
        return tuple(starts)

    def encoded(self, text: str) -> bytes:
        """An edited text as bytes in this file's own encoding, for a learner's process to load."""
        return text.encode(self.encoding)

    def column(self, line: int, offset: int) -> int:
        """The 1-based character column of a syntax tree's `col_offset`, which counts UTF-8 bytes."""
        return len(self.lines[line - 1].encode()[:offset].decode(errors="ignore")) + 1

    def span(self, node: ast.expr | ast.stmt | ast.excepthandler | ast.arg | ast.keyword) -> Span:
        """The piece of the file that `node` covers."""
        end_line = node.end_lineno or node.lineno
        end_offset = node.end_col_offset if node.end_col_offset is not None else node.col_offset
        return Span(
            line=node.lineno,
            column=self.column(node.lineno, node.col_offset),
            end_line=end_line,
            end_column=self.column(end_line, end_offset),
        )

    def line_span(self, line: int) -> Span:
        """The whole of one line without its indentation."""
        words = self.lines[line - 1]
        indent = len(words) - len(words.lstrip())
        return Span(line, indent + 1, line, max(len(words.rstrip()), indent) + 1)

    def offsets(self, span: Span) -> tuple[int, int]:
        """Where `span` begins and ends in `text`, in characters from 0."""
        return (
            self._starts[span.line - 1] + span.column - 1,
            self._starts[span.end_line - 1] + span.end_column - 1,
        )

    def replaced(self, span: Span, words: str) -> str:
        """The text with `span` replaced by `words`."""
        start, end = self.offsets(span)
        return self.text[:start] + words + self.text[end:]


def read_source(raw: bytes) -> SourceText | Broken:
    """The file's bytes as text by Python's own rules (BOM, then PEP 263's cookie, then UTF-8).

    What Python would refuse is a `Broken` with the reason "encoding", a line and a way out.
    """
    for bom, name in (*_BOMS, *_BOMS_16):
        if raw.startswith(bom):
            return _wrong_unicode(name.upper())
    nul = raw.find(b"\0")
    if nul >= 0:
        return _nul_byte(raw, nul)
    body, encoding = raw, "utf-8"
    if raw.startswith(codecs.BOM_UTF8):
        body, encoding = raw[len(codecs.BOM_UTF8) :], "utf-8-sig"
    cookie = _cookie(body)
    if cookie is not None:
        name, line = cookie
        try:
            codec = codecs.lookup(name).name
        except LookupError:
            return _unknown_cookie(name, line)
        if encoding == "utf-8-sig" and codec != "utf-8":
            return _bom_and_cookie(name, line)
        encoding = encoding if codec == "utf-8" else codec
    try:
        text = body.decode("utf-8" if encoding == "utf-8-sig" else encoding)
    except UnicodeDecodeError as error:
        return _undecodable(body, error, cookie[0] if cookie else None)
    except LookupError:  # a codec that is not text: rot13, hex
        name, line = cookie if cookie else (encoding, 1)
        return _unknown_cookie(name, line)
    return SourceText(raw, text.replace("\r\n", "\n").replace("\r", "\n"), encoding)


def _cookie(body: bytes) -> tuple[str, int] | None:
    for number, line in enumerate(re.split(rb"\r\n|\r|\n", body, maxsplit=2)[:2], start=1):
        found = _COOKIE.match(line)
        if found:
            return found.group(1).decode("ascii", "replace"), number
        if not _BLANK.match(line):
            return None
    return None


def _wrong_unicode(name: str) -> Broken:
    return Broken(
        "encoding",
        1,
        1,
        Text(
            zh=f"文件存成了 {name}，Python 读不了。请在编辑器里选“另存为 UTF-8”，再检查一次。",
            en=f"The file is saved as {name}, which Python cannot read. Save it as UTF-8 and check again.",
        ),
    )


def _nul_byte(raw: bytes, at: int) -> Broken:
    body = raw.removeprefix(codecs.BOM_UTF8)
    if len(body) >= 4 and (body[1::2].count(0) > len(body) // 4 or body[::2].count(0) > len(body) // 4):
        return _wrong_unicode("UTF-16")
    line = _line_ends(raw[:at]) + 1
    return Broken(
        "encoding",
        line,
        None,
        Text(
            zh=f"第 {line} 行混进了一个看不见的空字节（NUL），Python 不接受。删掉这一行，重新敲一遍。",
            en=f"Line {line} holds an invisible NUL byte, which Python refuses. "
            "Delete that line and type it again.",
        ),
    )


def _unknown_cookie(name: str, line: int) -> Broken:
    return Broken(
        "encoding",
        line,
        None,
        Text(
            zh=f"第 {line} 行声明的编码 `{name}` Python 不认识。删掉这个声明，把文件存成 UTF-8。",
            en=f"Line {line} declares the encoding `{name}`, which Python does not know. "
            "Remove the declaration and save the file as UTF-8.",
        ),
    )


def _bom_and_cookie(name: str, line: int) -> Broken:
    return Broken(
        "encoding",
        line,
        None,
        Text(
            zh=f"文件开头是 UTF-8 的标记，第 {line} 行却声明了 `{name}`，两者矛盾。删掉这个声明就好。",
            en=f"The file begins with a UTF-8 mark, but line {line} declares `{name}`. Remove the declaration.",
        ),
    )


def _undecodable(body: bytes, error: UnicodeDecodeError, declared: str | None) -> Broken:
    line = _line_ends(body[: error.start]) + 1
    if declared is not None:
        return Broken(
            "encoding",
            line,
            None,
            Text(
                zh=f"文件声明的编码是 `{declared}`，第 {line} 行却不是这种编码。请把文件存成 UTF-8，并删掉这个声明。",
                en=f"The file declares the encoding `{declared}`, but line {line} is not written in it. "
                "Save the file as UTF-8 and remove the declaration.",
            ),
        )
    guess = _guess(body)
    return Broken(
        "encoding",
        line,
        None,
        Text(
            zh=f"第 {line} 行不是 UTF-8，看起来是 {guess}。请在编辑器里选“另存为 UTF-8”，再检查一次。",
            en=f"Line {line} is not UTF-8; it looks like {guess}. Save the file as UTF-8 and check again.",
        ),
    )


def _line_ends(body: bytes) -> int:
    return len(re.findall(rb"\r\n|\r|\n", body))


def _guess(body: bytes) -> str:
    try:
        chinese = body.decode("gbk")
    except UnicodeDecodeError:
        return "Latin-1"
    strange = [mark for mark in chinese if ord(mark) > 127]
    common = sum("一" <= mark <= "鿿" or mark in "，。：；（）、“”" for mark in strange)
    # A lone accented letter before an ASCII one also decodes as one rare GBK character.
    return "GBK" if common >= 2 and common * 10 >= len(strange) * 8 else "Latin-1"
