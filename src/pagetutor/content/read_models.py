"""The error models of a mission out of its `mistakes.yaml`."""

from __future__ import annotations

from dataclasses import replace

from pagetutor.content.cursor import Cursor
from pagetutor.content.model import ErrorModel, Slot, Variant
from pagetutor.content.read_question import MISTAKE_ID, read_part
from pagetutor.content.read_text import read_text
from pagetutor.content.read_warm_up import NAME
from pagetutor.content.tree import Scalar
from pagetutor.text import Text


def read_models(at: Cursor) -> tuple[ErrorModel, ...]:
    """The error models of one file, in its order."""
    fields = at.fields("models", optional=("ties",))
    ties = fields.get("ties")
    groups = () if ties is None else tuple(_read_tie(item) for item in ties.items(least=0))
    return tuple(_read_model(item, groups) for item in fields["models"].items())


def _read_tie(at: Cursor) -> tuple[str, ...]:
    return tuple(item.shaped(MISTAKE_ID, "prefill.floor-division") for item in at.items(least=2))


def _read_model(at: Cursor, ties: tuple[tuple[str, ...], ...]) -> ErrorModel:
    fields = at.fields("method", "template", "slots", "variants")
    slots = tuple(_read_slot(name, slot) for name, slot in fields["slots"].entries())
    names = tuple(slot.name for slot in slots)
    variants = tuple(variant for item in fields["variants"].items() for variant in _read_variant(item, names))
    known = {variant.id for variant in variants}
    return ErrorModel(
        method=fields["method"].shaped(NAME, "allocate_for_prefill"),
        template=fields["template"].code(),
        slots=slots,
        variants=variants,
        ties=tuple(tie for tie in ties if known.issuperset(tie)),
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


def _read_variant(at: Cursor, slots: tuple[str, ...]) -> list[Variant]:
    """The variant, and one more of the same words for each other code it lists as `also`."""
    fields = at.fields("id", "code", "belief", "ask", "reread", optional=("also",))
    also = fields.get("also")
    codes = [fields["code"], *([] if also is None else also.items())]
    first = Variant(
        id=fields["id"].shaped(MISTAKE_ID, "prefill.floor-division"),
        code={},
        belief=read_text(fields["belief"]),
        ask=read_text(fields["ask"]),
        reread=read_part(fields["reread"]),
    )
    return [replace(first, code=_read_slots_code(code, slots)) for code in codes]


def _read_slots_code(at: Cursor, slots: tuple[str, ...]) -> dict[str, str]:
    return {name: _read_code(wrong) for name, wrong in at.entries(slots)}


def _read_code(at: Cursor) -> str:
    """Code for a slot, without a line break at its end; `""`, in quotes, removes the line."""
    node = at.node
    if isinstance(node, Scalar) and not node.text.strip() and not node.comment:
        if node.style == "plain":
            at.fault(_NO_CODE, _NO_CODE_WRITE)
        return ""
    if isinstance(node, Scalar) and node.comment:
        at.fault(_COMMENT.with_(comment=node.comment), _COMMENT_WRITE)
    return at.words()


_NO_CODE = Text(zh="这里没有代码", en="there is no code here")
_NO_CODE_WRITE = Text(zh='请写上代码；要去掉这一行就写 `""`', en='write it, or `""` to remove the line')
_COMMENT = Text(zh="`{comment}` 被 YAML 当成注释丢掉了", en="`{comment}` is a comment to YAML, so it is lost")
_COMMENT_WRITE = Text(
    zh='请给代码加引号；要去掉这一行就写 `""`', en='put the code in quotes, or write `""` to remove the line'
)
