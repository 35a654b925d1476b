"""The error models of a mission out of its `mistakes.yaml`."""

from __future__ import annotations

from pagetutor.content.cursor import Cursor
from pagetutor.content.model import ErrorModel, Slot, Variant
from pagetutor.content.read_question import MISTAKE_ID, read_part
from pagetutor.content.read_text import read_text
from pagetutor.content.read_warm_up import NAME
from pagetutor.content.tree import Scalar
from pagetutor.text import Text


def read_models(at: Cursor) -> tuple[ErrorModel, ...]:
    """The error models of one file, in its order."""
    return tuple(_read_model(item) for item in at.fields("models")["models"].items())


def _read_model(at: Cursor) -> ErrorModel:
    fields = at.fields("method", "template", "slots", "variants")
    slots = tuple(_read_slot(name, slot) for name, slot in fields["slots"].entries())
    names = tuple(slot.name for slot in slots)
    return ErrorModel(
        method=fields["method"].shaped(NAME, "allocate_for_prefill"),
        template=fields["template"].code(),
        slots=slots,
        variants=tuple(_read_variant(item, names) for item in fields["variants"].items()),
    )


def _read_slot(name: str, at: Cursor) -> Slot:
    fields = at.fields("reference", "neutral", "example", "pattern", "line")
    return Slot(
        name=name,
        reference=_read_code(fields["reference"]),
        neutral=tuple(_read_code(item) for item in fields["neutral"].items(least=0)),
        example=read_text(fields["example"]),
        pattern=read_text(fields["pattern"]),
        line=read_text(fields["line"]),
    )


def _read_variant(at: Cursor, slots: tuple[str, ...]) -> Variant:
    fields = at.fields("id", "code", "belief", "ask", "reread")
    code = {}
    for name, wrong in fields["code"].fields(optional=slots).at.entries():
        code[name] = _read_code(wrong)
    return Variant(
        id=fields["id"].shaped(MISTAKE_ID, "prefill.floor-division"),
        code=code,
        belief=read_text(fields["belief"]),
        ask=read_text(fields["ask"]),
        reread=read_part(fields["reread"]),
    )


def _read_code(at: Cursor) -> str:
    """Code for a slot, without a line break at its end; `""`, in quotes, removes the line."""
    node = at.node
    if isinstance(node, Scalar) and node.style != "plain" and not node.text.strip():
        return ""
    if isinstance(node, Scalar) and node.comment:
        at.fault(_COMMENT.with_(comment=node.comment), _COMMENT_WRITE)
    return at.words()


_COMMENT = Text(zh="`{comment}` 被 YAML 当成注释丢掉了", en="`{comment}` is a comment to YAML, so it is lost")
_COMMENT_WRITE = Text(
    zh='请给代码加引号；要去掉这一行就写 `""`', en='put the code in quotes, or write `""` to remove the line'
)
