"""Multiple-choice questions out of a course file."""

from __future__ import annotations

import re
from dataclasses import replace

from pagetutor.content.cursor import Cursor, tell_duplicates
from pagetutor.content.model import Choice, PartName, Question
from pagetutor.content.read_text import read_text
from pagetutor.content.tree import Hole
from pagetutor.text import Text

ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
TEST = re.compile(r"test_\w+")
MISTAKE_ID = re.compile(r"(prefill|decode|gather|structure)\.[a-z0-9]+(-[a-z0-9]+)*")


def read_guess(at: Cursor, question_id: str) -> Question:
    """A question as `read_question` reads it, and the test whose trace is its evidence."""
    question = read_question(at, question_id, optional=("evidence",))
    named = at.key("evidence")
    if isinstance(named.node, Hole):
        return question
    return replace(question, evidence=named.shaped(TEST, "test_six_tokens_take_two_blocks") or None)


def read_question(at: Cursor, question_id: str, *, optional: tuple[str, ...] = ()) -> Question:
    """A question with exactly one right option, and its `again` with changed numbers."""
    fields = at.fields("ask", "reread", "choices", optional=("again", *optional))
    reread = read_part(fields["reread"])
    again = fields.get("again")
    return Question(
        id=question_id,
        ask=read_text(fields["ask"]),
        choices=_read_choices(fields["choices"]),
        reread=reread,
        again=None if again is None else _read_again(again, f"{question_id}.again", reread),
    )


def read_part(at: Cursor) -> PartName:
    """The name of a part, as `show N PART` takes it."""
    name = at.one_of(PartName)
    return PartName(name) if name else PartName.BACKGROUND


def _read_again(at: Cursor, question_id: str, reread: PartName) -> Question:
    fields = at.fields("ask", "choices")
    return Question(question_id, read_text(fields["ask"]), _read_choices(fields["choices"]), reread)


def _read_choices(at: Cursor) -> tuple[Choice, ...]:
    items = at.items(least=2)
    choices = [_read_choice(item) for item in items]
    tell_duplicates((item.key("id"), choice.id) for item, choice in zip(items, choices, strict=True))
    right = [item for item, choice in zip(items, choices, strict=True) if choice.right]
    if items and not right:
        at.fault(_NONE_RIGHT, _NONE_RIGHT_WRITE)
    for another in right[1:]:
        first = right[0].key("right").node.mark.line
        another.fault(_TWO_RIGHT.with_(line=first), _TWO_RIGHT_WRITE, another.key("right").node.mark)
    return tuple(choices)


def _read_choice(at: Cursor) -> Choice:
    fields = at.fields("id", "text", "explain", optional=("right", "mistake"))
    right, mistake = fields.get("right"), fields.get("mistake")
    is_right = right is not None and _read_right(right)
    if is_right and mistake is not None:
        mistake.fault(_RIGHT_MISTAKE, _RIGHT_MISTAKE_WRITE)
    return Choice(
        id=fields["id"].shaped(ID, "rounds-up"),
        text=read_text(fields["text"]),
        explain=read_text(fields["explain"]),
        right=is_right,
        mistake=None if mistake is None else mistake.shaped(MISTAKE_ID, "prefill.floor-division"),
    )


def _read_right(at: Cursor) -> bool:
    words = at.words()
    if words and words != "true":
        at.fault(_NOT_TRUE.with_(words=words), _NOT_TRUE_WRITE)
    return words not in {"", "false", "no"}  # `yes` is told once, not also as "no option is right"


_NONE_RIGHT = Text(zh="没有正确选项", en="no option is right")
_NONE_RIGHT_WRITE = Text(
    zh='请给正确的那一项写上 `right: "true"`', en='write `right: "true"` on the right one'
)
_TWO_RIGHT = Text(
    zh="正确选项不止一个（第一个在第 {line} 行）", en="a second option is right (the first is in line {line})"
)
_TWO_RIGHT_WRITE = Text(zh='`right: "true"` 只留一个', en='write `right: "true"` on one option only')
_NOT_TRUE = Text(zh="`right` 的值是 `{words}`", en="`right` is `{words}`")
_NOT_TRUE_WRITE = Text(
    zh='正确的选项写 `right: "true"`，其他选项不写 `right`',
    en='write `right: "true"` on the right option, and no `right` on the others',
)
_RIGHT_MISTAKE = Text(zh="正确选项不会是一种错误", en="the right option is no mistake")
_RIGHT_MISTAKE_WRITE = Text(
    zh="请去掉这里的 `mistake`", en="leave out its `mistake`, or write it on the option it belongs to"
)
