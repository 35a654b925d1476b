"""Words in both languages out of a course file: a `{zh, en}` map, or one string for both."""

from __future__ import annotations

import re
from collections import Counter

from pagetutor.content.cursor import Cursor
from pagetutor.content.syntax import quoted
from pagetutor.content.tree import Mapping, Scalar
from pagetutor.text import Text
from pagetutor.text.spans import spans

IDEOGRAPH = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
"""A Chinese character, punctuation aside."""

# What YAML 1.1 readers take for something else than words; other tools that read the course would.
_NOT_WORDS = re.compile(r"(?i:yes|no|on|off|true|false|null)|~")

_NOTHING = Text(zh="", en="")


def read_text(at: Cursor) -> Text:
    """The words at this place, both halves complete and with the same code spans."""
    if isinstance(at.node, Mapping) and not at.node.entries.keys().isdisjoint({"zh", "en"}):
        halves = at.fields("zh", "en")
        zh, en = _half(halves["zh"]), _half(halves["en"])
        if zh and en:
            _compare_code(at, zh, en)
        return Text(zh=zh, en=en)
    words = _half(at)
    if IDEOGRAPH.search(words):
        at.fault(_NO_ENGLISH, _NO_ENGLISH_WRITE)
    return Text(zh=words, en=words) if words else _NOTHING


def _half(at: Cursor) -> str:
    scalar = at.scalar()
    if scalar is None:
        return ""
    if scalar.style == "plain":
        _refuse_misread(at, scalar)
    words = scalar.text.rstrip("\n")
    if "`" in words and any("`" in span.words for span in spans(words)):
        at.fault(_LONE_BACKTICK, _LONE_BACKTICK_WRITE)
        return ""
    return words


def _refuse_misread(at: Cursor, scalar: Scalar) -> None:
    if _NOT_WORDS.fullmatch(scalar.text):
        write = _QUOTES.with_(quoted=quoted(scalar.text))
        at.fault(_NOT_WORDS_TO_YAML.with_(words=scalar.text), write)
    if scalar.comment:
        write = _QUOTES.with_(quoted=quoted(f"{scalar.text} {scalar.comment}"))
        at.fault(_COMMENT.with_(comment=scalar.comment), write)


def _compare_code(at: Cursor, zh: str, en: str) -> None:
    if "`" not in zh and "`" not in en:
        return
    in_zh, in_en = _code(zh), _code(en)
    differences = [_ONLY_ZH.with_(code=code) for code in in_zh - in_en]
    differences += [_ONLY_EN.with_(code=code) for code in in_en - in_zh]
    if differences:
        found = Text(
            zh="，".join(difference.zh for difference in differences),
            en=", ".join(difference.en for difference in differences),
        )
        at.fault(found, _SAME_CODE)


def _code(words: str) -> Counter[str]:
    return Counter(span.words for span in spans(words) if span.code)


_NO_ENGLISH = Text(zh="只有中文，缺少英文", en="there is Chinese only, the English is missing")
_NO_ENGLISH_WRITE = Text(zh="请写成 `{zh: …, en: …}`", en="write `{zh: …, en: …}`")
_LONE_BACKTICK = Text(zh="有一个反引号没有配对", en="a backtick has no partner on its line")
_LONE_BACKTICK_WRITE = Text(zh="代码两边各写一个反引号", en="write one on each side of the code")
_NOT_WORDS_TO_YAML = Text(
    zh="没加引号的 `{words}`，很多 YAML 工具不当它是文字",
    en="`{words}` without quotes is not words to many YAML tools",
)
_COMMENT = Text(zh="`{comment}` 被 YAML 当成注释丢掉了", en="`{comment}` is a comment to YAML, so it is lost")
_QUOTES = Text(zh="请加引号：{quoted}", en="put it in quotes: {quoted}")
_ONLY_ZH = Text(zh="代码 `{code}` 只有 zh 里有", en="the code `{code}` is in zh only")
_ONLY_EN = Text(zh="代码 `{code}` 只有 en 里有", en="the code `{code}` is in en only")
_SAME_CODE = Text(zh="请让两边的代码一致", en="write the same code in both")
