"""The text of a course file, or the faults that keep it from being text at all."""

from __future__ import annotations

import re
from pathlib import Path

from pagetutor.content.fault import Fault
from pagetutor.text import Text

LARGEST = 1_000_000
"""Bytes. The largest mission file of the course is under a tenth of it."""

# What YAML 1.1 takes for a line break but editors do not (their line numbers would differ), and
# what it refuses: all control characters but line feed, carriage return and the tab.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


def read_source(root: Path, file: str, faults: list[Fault]) -> str | None:
    """The text of `root/file`, or None after telling `faults` why it cannot be had.

    Refused: missing or unreadable files, more than `LARGEST` bytes, a byte order mark, bytes that
    are not UTF-8, control characters, tabs.
    """
    try:
        raw = (root / file).read_bytes()
    except FileNotFoundError:
        faults.append(_fault(file, 1, 1, _MISSING, _MISSING_WRITE))
        return None
    except OSError as error:
        why = error.strerror or type(error).__name__
        faults.append(_fault(file, 1, 1, _UNREADABLE.with_(why=why), _UNREADABLE_WRITE))
        return None
    if len(raw) > LARGEST:
        faults.append(_fault(file, 1, 1, _LARGE.with_(size=len(raw), most=LARGEST), _LARGE_WRITE))
        return None
    if raw.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        faults.append(_fault(file, 1, 1, _BOM, _UTF8_WRITE))
        return None
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        before = raw[: error.start].decode("utf-8")
        line, column = _position(before, len(before))
        faults.append(_fault(file, line, column, _NOT_UTF8.with_(byte=raw[error.start]), _UTF8_WRITE))
        return None
    return text if _is_clean(file, text, faults) else None


def _is_clean(file: str, text: str, faults: list[Fault]) -> bool:
    known = len(faults)
    for match in _CONTROL.finditer(text):
        line, column = _position(text, match.start())
        faults.append(_fault(file, line, column, _CONTROLS.with_(code=ord(match[0])), _CONTROLS_WRITE))
    if "\t" in text:
        for number, line_text in enumerate(text.split("\n"), start=1):
            if "\t" in line_text:
                faults.append(_fault(file, number, line_text.index("\t") + 1, _TAB, _TAB_WRITE))
    return len(faults) == known


def _position(text: str, index: int) -> tuple[int, int]:
    return text.count("\n", 0, index) + 1, index - (text.rfind("\n", 0, index) + 1) + 1


def _fault(file: str, line: int, column: int, found: Text, write: Text) -> Fault:
    return Fault(file, line, column, "", found, write)


_MISSING = Text(zh="没有这个文件", en="this file is not there")
_MISSING_WRITE = Text(
    zh="请补上它，或者从 course.yaml 里去掉它的文件夹",
    en="write it, or take its folder out of course.yaml",
)
_UNREADABLE = Text(zh="读不了这个文件（{why}）", en="this file cannot be read ({why})")
_UNREADABLE_WRITE = Text(zh="请检查它的权限", en="look at its permissions")
_LARGE = Text(zh="这个文件有 {size} 字节，上限是 {most}", en="this file has {size} bytes, more than {most}")
_LARGE_WRITE = Text(zh="请写短一些", en="write less")
_BOM = Text(zh="文件开头有字节序标记（BOM）", en="the file begins with a byte order mark (BOM)")
_NOT_UTF8 = Text(zh="字节 0x{byte:02x} 不是 UTF-8", en="byte 0x{byte:02x} is not UTF-8")
_UTF8_WRITE = Text(zh="请存成不带 BOM 的 UTF-8", en="save it as UTF-8 without a BOM")
_CONTROLS = Text(zh="有一个控制字符 U+{code:04X}", en="there is a control character U+{code:04X}")
_CONTROLS_WRITE = Text(zh="请删掉它", en="delete it")
_TAB = Text(zh="有一个制表符（Tab）", en="there is a tab")
_TAB_WRITE = Text(zh="请改用空格", en="write spaces")
