"""Notes: what is legal, and worth knowing."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from pagetutor.exercise.scenario import CallMethod, Method
from pagetutor.exercise.trace import Trace
from pagetutor.judge.report import Note
from pagetutor.text import Text

BY_OWN_CALLS = Note(
    "by-own-calls",
    Text(
        zh="你的代码自己另外记了一份数据，测试从外面摆好的状态它不知道；通过你自己的方法走到同样的状态，结果是对的。",
        en="Your code keeps records of its own, so it does not know of states that the tests set up. "
        "Reached through your own methods, the same states give the right results.",
    ),
)
TAKES_FROM_TAIL = Note(
    "takes-from-tail",
    Text(
        zh="你从 `free_blocks` 的末尾领块。领哪个空闲块都可以；从列表末尾 `pop()`，别的元素都不用挪。",
        en="You take blocks from the end of `free_blocks`. Any free block will do, "
        "and `pop()` at the end of a list moves nothing.",
    ),
)


LENT_REQUEST = Note(
    "lent-request",
    Text(
        zh="文件里没有 `Request` 这个类，这次检查用的是现成的一个；报告里说到新建的请求，说的也是它。"
        "完整的文件里要有这个类，从起始文件里抄回来就行。",
        en="The file has no class `Request`, so this check used one of its own; what the report says of a "
        "new request is said of that one. A whole file has the class: copy it back from the starter.",
    ),
)


def lent_request(tree: ast.Module) -> Iterator[Note]:
    """A note where the file makes no class `Request`, and the check served it with one."""
    if not any(_makes_request(node) for node in ast.walk(tree)):
        yield LENT_REQUEST


def _makes_request(node: ast.AST) -> bool:
    """Whether this may give the file a class of that name: define, assign, import or spell it."""
    match node:
        case ast.ClassDef(name="Request") | ast.Name(id="Request", ctx=ast.Store()):
            return True
        case ast.alias(name=name, asname=asname):
            return (asname or name) in ("Request", "*")
        case ast.Constant(value=str(words)):
            return words == "Request"
    return False


def lent_names(supplied: Iterable[str]) -> Iterator[Note]:
    """A note for typing names the file used in annotations without importing them."""
    names = ", ".join(supplied)
    if names:
        yield Note(
            "lent-typing-names",
            Text(
                zh=f"文件里用了 `{names}` 却没有导入；这次检查替你补上了。"
                f"单独运行时请加上 `from typing import {names}`。",
                en=f"The file uses `{names}` without importing it; this check supplied it. "
                f"To run the file on its own, add `from typing import {names}`.",
            ),
        )


def taking_notes(traces: Iterable[Trace]) -> Iterator[Note]:
    """A note where blocks come off the tail of the free list whenever that can be told."""
    seen = [from_tail for trace in traces for from_tail in _from_tail(trace)]
    if seen and all(seen):
        yield TAKES_FROM_TAIL


def _from_tail(trace: Trace) -> Iterator[bool]:
    """For each call that took some of the free blocks and left some, whether it took the last ones."""
    for before, after in zip(trace.steps, trace.steps[1:], strict=False):
        op = after.op
        if not isinstance(op, CallMethod) or op.method is Method.GATHER or op.manager not in before.managers:
            continue
        old, new = before.managers[op.manager].free, after.managers[op.manager].free
        if isinstance(old, tuple) and isinstance(new, tuple) and 0 < len(new) < len(old):
            yield old[: len(new)] == new
