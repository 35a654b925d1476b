"""The hands-on parts out of a mission file: warm-up, mapping, hand-trace."""

from __future__ import annotations

import ast
import re

from pagetutor.content.cursor import Cursor, nearest, tell_duplicates
from pagetutor.content.model import HandTrace, Knob, Mapped, Prediction, TraceCell, TraceRow, WarmUp
from pagetutor.content.read_page import read_texts
from pagetutor.content.read_text import read_text
from pagetutor.content.tree import Scalar
from pagetutor.text import Text

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def read_warm_up(at: Cursor) -> WarmUp:
    """The warm-up; its program compiles, and assigns a whole number to every knob."""
    fields = at.fields("intro", "program", "predictions", "knobs", "output")
    program = fields["program"].code()
    return WarmUp(
        intro=read_text(fields["intro"]),
        program=program,
        predictions=tuple(_read_prediction(item) for item in fields["predictions"].items()),
        knobs=_read_knobs(fields["knobs"], _numbers(fields["program"], program)),
        output=fields["output"].code(),
    )


def read_mapping(at: Cursor) -> tuple[Text, tuple[Mapped, ...]]:
    """The mapping: its introduction and its rows."""
    fields = at.fields("intro", "rows")
    rows = []
    for item in fields["rows"].items():
        row = item.fields("warm_up", "exercise", "remark")
        rows.append(Mapped(row["warm_up"].words(), row["exercise"].words(), read_text(row["remark"])))
    return read_text(fields["intro"]), tuple(rows)


def read_hand_trace(at: Cursor) -> HandTrace:
    """The hand-trace; every row has one cell for each column behind the given one."""
    fields = at.fields("intro", "head", "rows")
    head = read_texts(fields["head"], least=2)
    rows = []
    for item in fields["rows"].items():
        row = item.fields("given", "cells")
        cells = tuple(_read_cell(cell) for cell in row["cells"].items())
        if head and cells and len(cells) != len(head) - 1:
            wanted = _CELLS_WRITE.with_(wanted=len(head) - 1)
            row["cells"].fault(_CELLS.with_(cells=len(cells)), wanted)
        rows.append(TraceRow(read_text(row["given"]), cells))
    return HandTrace(read_text(fields["intro"]), head, tuple(rows))


def _read_prediction(at: Cursor) -> Prediction:
    fields = at.fields("expression", "ends_as")
    expression = fields["expression"].words()
    try:
        ast.parse(expression or "0", mode="eval")
    except SyntaxError as error:
        found = _NOT_PYTHON.with_(words=expression, problem=error.msg)
        fields["expression"].fault(found, _EXPRESSION_WRITE)
    return Prediction(expression, fields["ends_as"].words())


def _read_knobs(at: Cursor, numbers: set[str] | None) -> tuple[Knob, ...]:
    knobs = []
    items = at.items()
    for item in items:
        fields = item.fields("name", "suggested", "what_happens")
        name = fields["name"].shaped(NAME, "item_count")
        if name and numbers is not None and name not in numbers:
            near = nearest(name, numbers) or next(iter(sorted(numbers)), "item_count")
            fields["name"].fault(_NO_KNOB.with_(name=name), _NO_KNOB_WRITE.with_(name=name, near=near))
        knobs.append(Knob(name, fields["suggested"].number(), read_text(fields["what_happens"])))
    tell_duplicates((item.key("name"), knob.name) for item, knob in zip(items, knobs, strict=True))
    return tuple(knobs)


def _numbers(at: Cursor, program: str) -> set[str] | None:
    """The names the program assigns a whole number to, or None if it is not Python."""
    try:
        module = ast.parse(program)
    except SyntaxError as error:
        assert isinstance(at.node, Scalar)  # an empty program parses
        mark = at.node.line_mark((error.lineno or 1) - 1)
        at.fault(_PROGRAM.with_(problem=error.msg), _PROGRAM_WRITE, mark)
        return None
    names = set()
    for statement in module.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=int(value))):
                if not isinstance(value, bool):
                    names.add(name)
    return names


def _read_cell(at: Cursor) -> TraceCell:
    fields = at.fields("answer", "explain")
    return TraceCell(fields["answer"].words(), read_text(fields["explain"]))


_CELLS = Text(zh="这一行有 {cells} 格要填", en="cells to fill in: {cells}")
_CELLS_WRITE = Text(
    zh="按表头应该写 {wanted} 格", en="write {wanted}, one for each column behind the given one"
)
_NOT_PYTHON = Text(
    zh="`{words}` 不是 Python 表达式（{problem}）", en="`{words}` is not a Python expression ({problem})"
)
_EXPRESSION_WRITE = Text(zh="请写成 `len(assigned)` 这样", en="write one such as `len(assigned)`")
_NO_KNOB = Text(zh="程序里没有给 `{name}` 赋过整数", en="the program assigns no whole number to `{name}`")
_NO_KNOB_WRITE = Text(
    zh="请在程序里写 `{name} = 11` 这样一行，或者改用 `{near}`",
    en="write a line such as `{name} = 11` in the program, or name another variable, such as `{near}`",
)
_PROGRAM = Text(zh="程序里这一行编译不过（{problem}）", en="the program does not compile here ({problem})")
_PROGRAM_WRITE = Text(zh="请改对它", en="write it as Python")
