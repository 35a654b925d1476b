"""The smallest failing case: told in numbers, and as a few lines of Python that reproduce it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from pagetutor.diagnosis.manager_class import manager_class
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
    """The smallest of these failures as a learner meets it; None where nothing failed."""
    found = smallest(failures)
    if found is None:
        return None
    test_id, broken = found
    violation, trace = broken.violation, broken.trace
    return FailingCase(
        test_id=test_id,
        call=words.situation(trace, violation.step),
        expected=violation.expected,
        actual=violation.actual,
        reproduce=reproduce(
            trace.scenario.ops[: violation.step + 1], tree, module, caught=_runtime_errors(trace)
        ),
        trace=trace,
    )


def smallest(failures: Iterable[tuple[str, ContractBroken]]) -> tuple[str, ContractBroken] | None:
    """The failure with the fewest calls, tokens and blocks; `failures` are test ids with what broke.

    Ties go to the earlier test: the fixed cases come before the drawn ones.
    """
    return min(failures, key=lambda failure: _size(failure[1].violation, failure[1].trace), default=None)


def _size(violation: Violation, trace: Trace) -> tuple[int, int, int]:
    played = trace.scenario.ops[: violation.step + 1]
    calls = sum(isinstance(op, CallMethod) for op in played)
    managers = [op for op in played if isinstance(op, MakeManager)]
    tokens = sum(op.prompt_len for op in played if isinstance(op, MakeRequest))
    return len(managers) + calls, tokens, managers[0].num_blocks


def _runtime_errors(trace: Trace) -> frozenset[int]:
    """The steps that ended in a RuntimeError, as running out of blocks does."""
    outcomes = (step.outcome.raised for step in trace.steps)
    return frozenset(
        at for at, raised in enumerate(outcomes) if raised is not None and "RuntimeError" in raised.ancestors
    )


def reproduce(
    ops: Iterable[Op], tree: ast.Module, module: str, *, caught: frozenset[int] = frozenset()
) -> str:
    """Python that makes the same calls on the learner's file, to paste beside it.

    The calls at the places `caught` end in a RuntimeError: it is printed, so that the state after it is
    still shown.
    """
    ops = list(ops)
    found = manager_class(tree)
    manager = "KVCacheManager" if found is None else found.name
    has_request = any(isinstance(node, ast.ClassDef) and node.name == "Request" for node in tree.body)
    names = [manager, "Request"] if has_request else [manager]
    lines: list[str] = []
    made = 0
    for at, op in enumerate(ops):
        if isinstance(op, MakeRequest):
            lines.append(f"{op.request} = Request({made}, {op.prompt_len})")
            made += 1
        else:
            lines += _catching(_lines(op, manager)) if at in caught else _lines(op, manager)
    imports = list(_imports(module, names))
    if any("torch." in line for line in lines):
        imports.insert(0, "import torch")
    return "\n".join([*imports, "", *lines, *_last_look(ops, raised=len(ops) - 1 in caught)])


def _imports(module: str, names: Sequence[str]) -> Iterator[str]:
    """How to get at the learner's classes, whatever the file is called; a stand-in where one is missing."""
    if module.isidentifier():
        yield f"from {module} import {', '.join(names)}"
    else:
        yield "from importlib import import_module"
        yield f"learner = import_module({module!r})"
        yield from (f"{name} = learner.{name}" for name in names)
    if "Request" not in names:
        yield "from types import SimpleNamespace"
        made = "SimpleNamespace(request_id=name, seq_len=tokens, block_table=[])"
        yield f"Request = lambda name, tokens: {made}"


_COUNTED = "torch.arange(pool.numel())"
_SIGNED = "((torch.arange(pool.numel()) - pool.numel() // 2) * 1.0009765625)"  # as missions/stage.py fills


def _lines(op: Op, manager: str) -> Iterator[str]:
    match op:
        case MakeManager():
            yield f"{op.manager} = {manager}({op.num_blocks}, {op.block_size}, {op.head_dim})"
        case SetFree():
            yield f"{op.manager}.free_blocks = {list(op.ids)}"
        case Hold():
            yield f"{op.request}.block_table, {op.request}.seq_len = {list(op.table)}, {op.seq_len}"
        case FillPool():
            yield f"pool = {op.manager}.physical_kv_cache"
            yield f"pool[:] = {_SIGNED if op.signed else _COUNTED}.reshape(pool.shape)"
        case FillBlocks():
            yield f"for block_id, value in zip({op.request}.block_table, {list(op.values)}):"
            yield f"    {op.manager}.physical_kv_cache[block_id] = value"
        case CallMethod(method=Method.GATHER):
            yield f"rows = {op.manager}.{op.method.full_name}({op.request})"
        case CallMethod():
            yield f"{op.manager}.{op.method.full_name}({op.request})"


def _catching(lines: Iterable[str]) -> Iterator[str]:
    yield "try:"
    yield from (f"    {line}" for line in lines)
    yield "except RuntimeError as error:"
    yield "    print(error)"


def _last_look(ops: Sequence[Op], *, raised: bool) -> Iterator[str]:
    last = ops[-1]
    match last:
        case CallMethod(method=Method.GATHER) if not raised:
            yield "print(rows.shape, rows[:, 0])"
        case CallMethod():
            yield f"print({last.request}.block_table, {last.manager}.free_blocks)"
        case MakeManager():
            yield f"print({last.manager}.physical_kv_cache.shape, {last.manager}.free_blocks)"
        case MakeRequest():
            yield f"print({last.request}.seq_len, {last.request}.block_table)"
