"""Programs made from an error model: the reference solution with slots replaced by wrong or neutral code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

from pagetutor.content.model import ErrorModel
from pagetutor.diagnosis.manager_class import find_method
from pagetutor.errors import ContentError
from pagetutor.text import Text

Explanation = tuple[int, ...]  # indices into the model's variants, in causal order

_MARKER = re.compile(r"\{(\w+)\}")


def singles(model: ErrorModel) -> Iterator[Explanation]:
    """Every variant alone."""
    for index in range(len(model.variants)):
        yield (index,)


def doubles(model: ErrorModel) -> Iterator[Explanation]:
    """Every pair of variants that touch different slots, in causal order."""
    order = causal_order(model)
    for place, first in enumerate(order):
        for second in order[place + 1 :]:
            if not model.variants[first].code.keys() & model.variants[second].code.keys():
                yield (first, second)


def causal_order(model: ErrorModel) -> list[int]:
    """The variants' indices in the order of the slots they live in; within a slot, as written."""
    places = {slot.name: place for place, slot in enumerate(model.slots)}
    return sorted(range(len(model.variants)), key=lambda index: (places[home_slot(model, index)], index))


def home_slot(model: ErrorModel, index: int) -> str:
    """The slot a variant lives in: the first one its code names."""
    return next(iter(model.variants[index].code))


def choices(model: ErrorModel, explanation: Explanation) -> dict[str, str]:
    """The code each slot gets under an explanation."""
    chosen: dict[str, str] = {}
    for index in explanation:
        chosen |= model.variants[index].code
    return chosen


def neutrals(model: ErrorModel) -> Iterator[dict[str, str]]:
    """One legal neutral code at a time."""
    for slot in model.slots:
        for code in slot.neutral:
            yield {slot.name: code}


def body(model: ErrorModel, chosen: Mapping[str, str]) -> str:
    """The method's body, unindented: the template with `chosen` code in its slots, else the reference's."""
    code = {slot.name: slot.reference for slot in model.slots} | dict(chosen)
    lines = [line for marked in model.template.splitlines() for line in _filled(marked, code)]
    return "\n".join(_with_passes([line for line in lines if line.strip()] or ["pass"])) + "\n"


def slot_code(model: ErrorModel, name: str, chosen: Mapping[str, str]) -> str:
    """The code of one slot, unindented, with the slots inside it filled in."""
    code = {slot.name: slot.reference for slot in model.slots} | dict(chosen)
    lines = [line for line in _filled("{" + name + "}", code) if line.strip()]
    return "\n".join(_with_passes(lines)) if lines else ""


def stands_alone(model: ErrorModel, name: str) -> bool:
    """Whether the slot's marker has a line of its own, so that it holds statements."""
    marker = "{" + name + "}"
    texts = [model.template, *(slot.reference for slot in model.slots)]
    return any(line.strip() == marker for text in texts for line in text.splitlines())


def _filled(marked: str, code: Mapping[str, str]) -> Iterator[str]:
    """A template line with its markers replaced; code may itself hold markers of other slots."""
    names = [name for name in _MARKER.findall(marked) if name in code]
    if not names:
        yield marked
        return
    indent = marked[: len(marked) - len(marked.lstrip())]
    if marked.strip() == "{" + names[0] + "}":
        for line in code[names[0]].splitlines():
            yield from _filled(indent + line, code)
        return
    line = _MARKER.sub(lambda found: code.get(found.group(1), found.group()).strip(), marked)
    if "\n" in line:
        raise ContentError(
            Text(
                zh=f"错误模型里，行内的空位 `{{{names[0]}}}` 只能填一行代码，现在是：`{line}`。",
                en=f"An error model fills the inline slot `{{{names[0]}}}` with several lines: `{line}`.",
            )
        )
    yield from _filled(line, code) if line != marked else [line]


def _with_passes(lines: list[str]) -> Iterator[str]:
    """The lines, with `pass` where removed code has left a block empty."""
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        yield line
        if line.rstrip().endswith(":") and _depth(following) <= _depth(line):
            yield " " * (_depth(line) + 4) + "pass"


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def program(model: ErrorModel, solution: str, chosen: Mapping[str, str]) -> str:
    """The solution's whole text with the model's method written anew from `chosen`.

    Raises ContentError where the result is not Python.
    """
    definition = find_method(ast.parse(solution), model.method)
    if definition is None:
        raise ContentError(
            Text(
                zh=f"`solution.py` 里没有错误模型要改的方法 `{model.method}`。",
                en=f"`solution.py` has no method `{model.method}` for its error model to rewrite.",
            )
        )
    lines = solution.split("\n")
    first = definition.body[0]
    indent = " " * first.col_offset
    written = [indent + line for line in body(model, chosen).splitlines()]
    text = "\n".join([*lines[: first.lineno - 1], *written, *lines[definition.end_lineno or first.lineno :]])
    try:
        ast.parse(text)
    except SyntaxError as error:
        raise ContentError(
            Text(
                zh=f"`{model.method}` 的错误模型拼出来不是 Python（{error.msg}）：\n{body(model, chosen)}",
                en=f"The error model of `{model.method}` makes no Python ({error.msg}):\n"
                f"{body(model, chosen)}",
            )
        ) from error
    return text
