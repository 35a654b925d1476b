"""The smallest failing case: told in numbers, and as a few lines of Python that reproduce it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from pagetutor.exercise import words
from pagetutor.exercise.contract import Violation
from pagetutor.exercise.scenario import (
    CallMethod,
    FillBlocks,
    FillPool,
    Hold,
    MakeManager,
    MakeRequest,
    Method,
    Op,
    SetFree,
)
from pagetutor.exercise.trace import Trace
from pagetutor.judge.play import ContractBroken
from pagetutor.judge.report import FailingCase


def smallest_case(
    failures: Iterable[tuple[str, ContractBroken]], tree: ast.Module, module: str
) -> FailingCase | None:
    """The failing case with the fewest calls, tokens and blocks; `failures` are test ids with what broke.

    Ties go to the earlier test: the fixed cases come before the drawn ones.
    """
    failed = list(failures)
    if not failed:
        return None
    test_id, broken = min(failed, key=lambda failure: _size(failure[1].violation, failure[1].trace))
    violation, trace = broken.violation, broken.trace
    return FailingCase(
        test_id=test_id,
        call=words.situation(trace, violation.step),
        expected=violation.expected,
        actual=violation.actual,
        reproduce=reproduce(trace.scenario.ops[: violation.step + 1], tree, module),
        trace=trace,
    )


def _size(violation: Violation, trace: Trace) -> tuple[int, int, int]:
    played = trace.scenario.ops[: violation.step + 1]
    calls = sum(isinstance(op, CallMethod) for op in played)
    managers = [op for op in played if isinstance(op, MakeManager)]
    tokens = sum(op.prompt_len for op in played if isinstance(op, MakeRequest))
    return len(managers) + calls, tokens, managers[0].num_blocks


def reproduce(ops: Iterable[Op], tree: ast.Module, module: str) -> str:
    """Python that makes the same calls on the learner's file, to paste beside it."""
    classes = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
    manager = next((name for name in ("KVCacheManager", "BlockManager") if name in classes), "KVCacheManager")
    lines = [line for op in ops for line in _lines(op, manager)]
    imports = [f"from {module} import {manager}" + (", Request" if "Request" in classes else "")]
    if any("torch." in line for line in lines):
        imports.insert(0, "import torch")
    return "\n".join([*imports, "", *lines, *_last_look(ops)])


def _lines(op: Op, manager: str) -> Iterator[str]:
    match op:
        case MakeManager():
            yield f"{op.manager} = {manager}({op.num_blocks}, {op.block_size}, {op.head_dim})"
        case SetFree():
            yield f"{op.manager}.free_blocks = {list(op.ids)}"
        case MakeRequest():
            yield f"{op.request} = Request({op.request!r}, {op.prompt_len})"
        case Hold():
            yield f"{op.request}.block_table, {op.request}.seq_len = {list(op.table)}, {op.seq_len}"
        case FillPool():
            yield f"pool = {op.manager}.physical_kv_cache"
            yield "pool[:] = torch.arange(pool.numel()).reshape(pool.shape)"
        case FillBlocks():
            yield f"for block_id, value in zip({op.request}.block_table, {list(op.values)}):"
            yield f"    {op.manager}.physical_kv_cache[block_id] = value"
        case CallMethod(method=Method.GATHER):
            yield f"rows = {op.manager}.{op.method.full_name}({op.request})"
        case CallMethod():
            yield f"{op.manager}.{op.method.full_name}({op.request})"


def _last_look(ops: Iterable[Op]) -> Iterator[str]:
    last = list(ops)[-1]
    match last:
        case CallMethod(method=Method.GATHER):
            yield "print(rows.shape, rows[:, 0])"
        case CallMethod():
            yield f"print({last.request}.block_table, {last.manager}.free_blocks)"
        case MakeManager():
            yield f"print({last.manager}.physical_kv_cache.shape, {last.manager}.free_blocks)"
        case MakeRequest():
            yield f"print({last.request}.seq_len, {last.request}.block_table)"
