"""How the course's words are written: punctuation, spaces, and which language is where."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pagetutor.content.cursor import Cursor
from pagetutor.content.read_text import IDEOGRAPH
from pagetutor.content.tree import Mapping, Scalar, Sequence
from pagetutor.text import Text
from pagetutor.text.spans import spans

_FULL_WIDTH = re.compile("[，。：；！？、（）【】《》“”‘’「」]")
_FULL_WIDTH_IN_ENGLISH = re.compile("[，。：；！？、（）【】《》「」]")
_HALF_WIDTH = re.compile(
    "[\u3400-\u4dbf\u4e00-\u9fff]([,;:!?])(?!\\w)|[\u3400-\u4dbf\u4e00-\u9fff]([,;:!?])[\u3400-\u9fff]"
)
_GAP = re.compile("[\u3400-\u9fff，。：；！？、）] [\u3400-\u9fff]|[，。：；！？、] ")


def lint_words(at: Cursor) -> None:
    """Tell what is written wrongly in any words at or below this place."""
    for each in _places(at):
        node = each.node
        if isinstance(node, Scalar):
            _lint_scalar(each, node)
        elif (
            isinstance(node, Mapping)
            and node.entries.keys() == {"zh", "en"}
            and not each.path.endswith(".art")
        ):
            _lint_chinese(each.key("zh"))
            _lint_english(each.key("en"))


def _places(at: Cursor) -> Iterator[Cursor]:
    yield at
    if isinstance(at.node, Mapping):
        for _, each in at.entries():
            yield from _places(each)
    elif isinstance(at.node, Sequence):
        for each in at.items(least=0):
            yield from _places(each)


def _lint_scalar(at: Cursor, scalar: Scalar) -> None:
    for index, line in enumerate(scalar.text.split("\n")):
        if line != line.rstrip():
            at.fault(_TRAILING.with_(line=line.strip()), _TRAILING_WRITE, scalar.line_mark(index))
    for span in spans(scalar.text):
        if span.code and (match := _FULL_WIDTH.search(span.words)):
            at.fault(_FULL_IN_CODE.with_(code=span.words, mark=match[0]), _FULL_IN_CODE_WRITE)


def _lint_chinese(at: Cursor) -> None:
    words = _prose(at)
    if match := _HALF_WIDTH.search(words):
        mark = match[1] or match[2]
        full = {",": "，", ";": "；", ":": "：", "!": "！", "?": "？"}[mark]
        at.fault(_HALF_WIDTH_IN_ZH.with_(around=match[0], mark=mark), _FULL_WRITE.with_(full=full))
    if match := _GAP.search(words):
        at.fault(_GAP_IN_ZH.with_(around=match[0]), _GAP_WRITE)


def _lint_english(at: Cursor) -> None:
    words = _prose(at)
    if match := IDEOGRAPH.search(words):
        at.fault(_CHINESE_IN_EN.with_(character=match[0]), _CHINESE_IN_EN_WRITE)
    elif match := _FULL_WIDTH_IN_ENGLISH.search(words):
        at.fault(_FULL_IN_EN.with_(mark=match[0]), _FULL_IN_EN_WRITE)


def _prose(at: Cursor) -> str:
    """The words without their code, in whose place stands a letter, so that nothing new meets."""
    if not isinstance(at.node, Scalar):
        return ""
    return "".join("x" if span.code else span.words for span in spans(at.node.text))


_TRAILING = Text(zh="`{line}` 后面有多余的空格", en="there are spaces behind `{line}`")
_TRAILING_WRITE = Text(zh="请删掉", en="delete them")
_FULL_IN_CODE = Text(zh="代码 `{code}` 里有全角的 {mark}", en="the code `{code}` has a full-width {mark}")
_FULL_IN_CODE_WRITE = Text(zh="请改成半角", en="write the ASCII character")
_HALF_WIDTH_IN_ZH = Text(zh="“{around}”里的 {mark} 是半角", en="the {mark} in “{around}” is an ASCII one")
_FULL_WRITE = Text(zh="请改成 {full}", en="write {full}")
_GAP_IN_ZH = Text(zh="“{around}”里多了一个空格", en="there is a space in “{around}”")
_GAP_WRITE = Text(
    zh="请删掉；换行的中文请写成一行",
    en="delete it, and write Chinese on one line (YAML joins lines with a space)",
)
_CHINESE_IN_EN = Text(zh="英文里有汉字“{character}”", en="the English has the Chinese character {character}")
_CHINESE_IN_EN_WRITE = Text(zh="请写成英文", en="write it in English")
_FULL_IN_EN = Text(zh="英文里有全角的 {mark}", en="the English has a full-width {mark}")
_FULL_IN_EN_WRITE = Text(zh="请改成半角", en="write the ASCII character")
