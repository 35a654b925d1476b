"""Whether an error model fits together, and whether its hints are short and give nothing away."""

from __future__ import annotations

import re

from pagetutor.content.cursor import Cursor, nearest
from pagetutor.content.model import ErrorModel
from pagetutor.content.read_text import IDEOGRAPH, read_text
from pagetutor.content.tree import Mapping
from pagetutor.text import Text, same

_MARKER = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)\}")

FIRST_RUNGS = (60, 100)
"""English words and Chinese characters of a belief and its question together: read while annoyed."""

DEEPER_RUNG = (160, 260)
"""The same, of a worked example, a pattern or a line."""

_TELLING = 8
"""Characters of reference code from which on quoting it gives the answer away; `1` or `n` does not."""


def lint_models(at: Cursor, models: tuple[ErrorModel, ...], methods: tuple[str, ...]) -> None:
    """Tell what is wrong in the models of one mission, which has `methods`."""
    for item, model in zip(at.key("models").items(), models, strict=True):
        if model.method not in methods:
            item.key("method").fault(_NO_METHOD.with_(method=model.method), _NO_METHOD_WRITE)
        _lint_slots(item, model)
        for variant in item.key("variants").items():
            _lint_variant(variant, model)


def _lint_slots(at: Cursor, model: ErrorModel) -> None:
    filled = (model.template, *(slot.reference for slot in model.slots))  # a slot may hold other slots
    markers = {name for text in filled for name in _MARKER.findall(text)}
    names = {slot.name for slot in model.slots}
    slots = at.key("slots")
    assert isinstance(slots.node, Mapping)
    for name in sorted(markers - names):
        near = nearest(name, names)
        write = _NEAREST.with_(near=f"{{{near}}}") if near else _SLOT_WRITE.with_(name=name)
        at.key("template").fault(_NO_SLOT.with_(name=name), write)
    for slot in model.slots:
        if slot.name not in markers:
            write = _MARKER_WRITE.with_(name=slot.name)
            slots.fault(_NO_MARKER.with_(name=slot.name), write, slots.node.keys[slot.name])
        for rung, words in (("example", slot.example), ("pattern", slot.pattern), ("line", slot.line)):
            _lint_length(slots.key(slot.name).key(rung), words, DEEPER_RUNG)


def _lint_variant(at: Cursor, model: ErrorModel) -> None:
    belief, ask = read_text(at.key("belief")), read_text(at.key("ask"))
    _lint_length(at, belief + same(" ") + ask, FIRST_RUNGS)
    for name, _ in at.key("code").entries():
        reference = model.slot(name).reference
        answer = _bare(reference)
        for rung, words in (("belief", belief), ("ask", ask)):
            if len(answer) >= _TELLING and (answer in _bare(words.zh) or answer in _bare(words.en)):
                at.key(rung).fault(_GIVES_AWAY.with_(code=reference), _GIVES_AWAY_WRITE)


def _lint_length(at: Cursor, words: Text, most: tuple[int, int]) -> None:
    in_english, in_chinese = len(words.en.split()), len(IDEOGRAPH.findall(words.zh))
    if in_english > most[0]:
        at.fault(_LONG_EN.with_(count=in_english), _LONG_WRITE_EN.with_(most=most[0]))
    if in_chinese > most[1]:
        at.fault(_LONG_ZH.with_(count=in_chinese), _LONG_WRITE_ZH.with_(most=most[1]))


def _bare(code: str) -> str:
    return "".join(code.split())


_NO_METHOD = Text(zh="这个 Mission 不考方法 `{method}`", en="the mission has no method `{method}`")
_NO_METHOD_WRITE = Text(zh="请改成 `methods` 里的一个", en="write one of its `methods`")
_NO_SLOT = Text(zh="模板里的 `{{{name}}}` 没有对应的 slot", en="the template's `{{{name}}}` is no slot")
_NEAREST = Text(zh="你要写的可能是 `{near}`", en="write `{near}`, if that is what you meant")
_SLOT_WRITE = Text(zh="请在 `slots` 里补上 `{name}`", en="write `{name}` under `slots`")
_NO_MARKER = Text(zh="模板里没有 `{{{name}}}`", en="the template has no `{{{name}}}`")
_MARKER_WRITE = Text(zh="请写进模板，或者删掉这个 slot", en="write it in the template, or delete the slot")
_GIVES_AWAY = Text(zh="这条提示直接写出了答案 `{code}`", en="this hint shows the answer `{code}`")
_GIVES_AWAY_WRITE = Text(
    zh="请改成一个可以去看的东西和一个问题", en="write something to look at and a question"
)
_LONG_EN = Text(zh="英文有 {count} 个词", en="the English has {count} words")
_LONG_WRITE_EN = Text(zh="请写到 {most} 个词以内", en="write at most {most}")
_LONG_ZH = Text(zh="中文有 {count} 个汉字", en="the Chinese has {count} characters")
_LONG_WRITE_ZH = Text(zh="请写到 {most} 个字以内", en="write at most {most}")
