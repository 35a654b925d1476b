"""The contract: what any right block manager does at each step, whatever its code looks like.

Every rule compares a step with the state observed just before it, so one early mistake is reported
once and not again at each later step. What the contract leaves open passes: which free block is
taken, the order of the free list, return values, seq_len after a decode that ran out of memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from pagetutor.exercise import words
from pagetutor.exercise.scenario import (
    CallMethod,
    FillBlocks,
    FillPool,
    Hold,
    MakeManager,
    MakeRequest,
    Method,
    SetFree,
)
from pagetutor.exercise.trace import ManagerSeen, Odd, Outcome, Plain, RequestSeen, Step, TensorSeen, Trace
from pagetutor.learner.port import Raised
from pagetutor.text import Text


class Rule(StrEnum):
    """The invariants, by name; a violation says which one is broken."""

    CONSTRUCTOR = "constructor"  # the pool's shape, all ids free, an empty table, the prompt's length
    SHARES_NOTHING = "shares-nothing"  # other managers and requests stay as they were
    RETURNS = "returns"  # a call that can succeed does
    COUNT = "count"  # as many blocks as the tokens need, and no more
    FROM_THE_POOL = "from-the-pool"  # distinct ids that were free, and are free no longer
    KEEPS_OLD = "keeps-old"  # blocks held before stay, in their order, in front
    LENGTH = "length"  # seq_len counts the tokens
    OOM = "oom"  # not enough blocks: a RuntimeError whose message contains OOM
    NOTHING_CHANGED = "nothing-changed"  # … with table and pool untouched
    SHAPE = "shape"  # the gather gives [seq_len, head_dim]
    ROWS = "rows"  # … with the right rows in logical order
    READ_ONLY = "read-only"  # … and changes nothing


@dataclass(frozen=True, slots=True)
class Violation:
    """One broken rule: at which step, by which method (None: a constructor), expected and got."""

    rule: Rule
    step: int
    method: Method | None
    expected: Text
    actual: Text


def blocks_for(tokens: int, block_size: int) -> int:
    """Physical blocks that `tokens` tokens occupy: ⌈tokens / block_size⌉, since a tail block counts whole."""
    return (tokens + block_size - 1) // block_size


def first_violation(trace: Trace) -> Violation | None:
    """The first rule this trace breaks, or None where it keeps the contract.

    A prepared state that could not be set is nobody's mistake; see `unprepared`.
    """
    return next(violations(trace), None)


def unprepared(trace: Trace) -> bool:
    """Whether some prepared state could not be set in the learner's objects."""
    return any(step.outcome.kind == "unset" for step in trace.steps)


def is_oom(raised: Raised) -> bool:
    """Whether this is the exercise's own signal: a RuntimeError whose message contains OOM.

    NotImplementedError and RecursionError are RuntimeErrors too, and signal something else.
    """
    return (
        "RuntimeError" in raised.ancestors
        and not {"NotImplementedError", "RecursionError"} & {*raised.ancestors}
        and "OOM" in raised.message
    )


def violations(trace: Trace) -> Iterator[Violation]:
    """The broken rules in order; each step gives at most one."""
    sizes: dict[str, MakeManager] = {}
    for index, step in enumerate(trace.steps):
        if isinstance(step.op, MakeManager):
            sizes[step.op.manager] = step.op
        before = trace.steps[index - 1] if index else None
        broken = _step_breaks(step, before, sizes)
        if broken is not None:
            rule, expected, actual = broken
            method = step.op.method if isinstance(step.op, CallMethod) else None
            yield Violation(rule, index, method, expected, actual)


Broken = tuple[Rule, Text, Text]


def _step_breaks(step: Step, before: Step | None, sizes: dict[str, MakeManager]) -> Broken | None:
    match step.op:
        case MakeManager() as op:
            return _manager_breaks(op, step) or _others_break(step, before, manager=op.manager)
        case MakeRequest() as op:
            return _request_breaks(op, step) or _others_break(step, before, request=op.request)
        case SetFree() | Hold() | FillPool() | FillBlocks():
            return _missing_breaks(step.outcome)
        case CallMethod() as op:
            if before is None or op.manager not in before.managers or op.request not in before.requests:
                return None  # the constructor that failed has been reported
            return _call_breaks(op, step, before, sizes[op.manager])
    raise AssertionError(step.op)


def _missing_breaks(outcome: Outcome) -> Broken | None:
    if outcome.kind == "raised":
        return Rule.CONSTRUCTOR, words.COMES_READY, words.outcome_words(outcome)
    return None


# ── constructors ─────────────────────────────────────────────────────────────────────────────────


def _manager_breaks(op: MakeManager, step: Step) -> Broken | None:
    seen = step.managers.get(op.manager)
    if step.outcome.kind != "done" or seen is None:
        return Rule.CONSTRUCTOR, words.makes_manager(op), words.outcome_words(step.outcome)
    shape = (op.num_blocks, op.block_size, op.head_dim)
    if not isinstance(seen.pool, TensorSeen) or seen.pool.shape != shape:
        return Rule.CONSTRUCTOR, words.pool_shape(shape), words.pool_seen(seen.pool)
    if "physical_kv_cache" in seen.shares:
        return Rule.SHARES_NOTHING, words.OWN_POOL, words.POOL_SHARED
    if "free_blocks" in seen.shares:
        return Rule.SHARES_NOTHING, words.OWN_FREE_LIST, words.FREE_LIST_SHARED
    ids = _distinct_ids(seen.free)
    if ids != set(range(op.num_blocks)):
        return Rule.CONSTRUCTOR, words.all_free(op.num_blocks), words.free_seen(seen.free)
    return None


def _request_breaks(op: MakeRequest, step: Step) -> Broken | None:
    seen = step.requests.get(op.request)
    if step.outcome.kind != "done" or seen is None:
        return Rule.CONSTRUCTOR, words.makes_request(op), words.outcome_words(step.outcome)
    if seen.seq_len != op.prompt_len:
        return Rule.CONSTRUCTOR, words.seq_len_is(op.prompt_len), words.seq_len_seen(seen.seq_len)
    if seen.table != ():
        return Rule.CONSTRUCTOR, words.EMPTY_TABLE, words.table_seen(seen.table)
    if seen.shares:
        return Rule.SHARES_NOTHING, words.OWN_TABLE, words.TABLE_SHARED
    return None


def _others_break(
    step: Step, before: Step | None, *, manager: str | None = None, request: str | None = None
) -> Broken | None:
    """What the step did not name must be as it was."""
    if before is None:
        return None
    for name, was in before.requests.items():
        now = step.requests.get(name)
        if name != request and (now is None or (now.seq_len, now.table) != (was.seq_len, was.table)):
            return Rule.SHARES_NOTHING, words.other_request(name, was), words.request_seen(name, now)
    for name, held in before.managers.items():
        seen = step.managers.get(name)
        if name == manager or seen is None:
            continue
        if _distinct_ids(seen.free) != _distinct_ids(held.free):
            return Rule.SHARES_NOTHING, words.OWN_FREE_LIST, words.FREE_LIST_SHARED
    return None


# ── the three methods ────────────────────────────────────────────────────────────────────────────


def _call_breaks(op: CallMethod, step: Step, before: Step, size: MakeManager) -> Broken | None:
    if step.outcome.kind == "missing":
        return Rule.RETURNS, words.has_method(op.method), words.outcome_words(step.outcome)
    was, held = before.requests[op.request], before.managers[op.manager]
    now, seen = step.requests[op.request], step.managers[op.manager]
    call = _Call(op, size, step.outcome, was, now, held, seen)
    match op.method:
        case Method.PREFILL:
            broken = _prefill_breaks(call)
        case Method.DECODE:
            broken = _decode_breaks(call)
        case Method.GATHER:
            broken = _gather_breaks(call)
    return broken or _pool_breaks(call) or _others_break(step, before, manager=op.manager, request=op.request)


@dataclass(frozen=True, slots=True)
class _Call:
    """A call with the request and the manager before (`was`, `held`) and after it (`now`, `seen`)."""

    op: CallMethod
    size: MakeManager
    outcome: Outcome
    was: RequestSeen
    now: RequestSeen
    held: ManagerSeen
    seen: ManagerSeen

    @property
    def tokens(self) -> int:
        return self.was.seq_len if isinstance(self.was.seq_len, int) else 0

    @property
    def old_table(self) -> tuple[Plain, ...]:
        return self.was.table if isinstance(self.was.table, tuple) else ()

    @property
    def free(self) -> set[int]:
        return _distinct_ids(self.held.free) or set()


def _prefill_breaks(call: _Call) -> Broken | None:
    need = blocks_for(call.tokens, call.size.block_size)
    if need > len(call.free):
        return _oom_breaks(call, need) or _length_breaks(call, call.tokens)
    return _taking_breaks(call, need) or _length_breaks(call, call.tokens)


def _decode_breaks(call: _Call) -> Broken | None:
    need = blocks_for(call.tokens + 1, call.size.block_size) - len(call.old_table)
    if need > len(call.free):
        return _oom_breaks(call, need)
    return _taking_breaks(call, max(need, 0)) or _length_breaks(call, call.tokens + 1)


def _oom_breaks(call: _Call, need: int) -> Broken | None:
    expected = words.oom(need, len(call.free))
    raised = call.outcome.raised
    changed = call.now.table != call.was.table or _distinct_ids(call.seen.free) != call.free
    if raised is None or not is_oom(raised):
        return Rule.OOM, expected, words.after_call_without_oom(call.outcome, call.now, call.seen)
    if changed:
        return Rule.NOTHING_CHANGED, expected, words.after_call(call.outcome, call.now, call.seen)
    return None


def _taking_breaks(call: _Call, need: int) -> Broken | None:
    """Exactly `need` distinct ids move from the free list to the end of the table."""
    old = call.old_table
    expected = words.holds(len(old) + need, len(call.free) - need)
    actual = words.after_call(call.outcome, call.now, call.seen)
    if call.outcome.kind != "done":
        return Rule.RETURNS, expected, actual
    table = call.now.table
    if isinstance(table, Odd) or len(table) != len(old) + need:
        return Rule.COUNT, expected, actual
    if table[: len(old)] != old:
        return Rule.KEEPS_OLD, words.keeps(old), actual
    taken = table[len(old) :]
    free_now = _distinct_ids(call.seen.free)
    if not call.free.issuperset(taken) or len(set(taken)) != need or free_now != call.free.difference(taken):
        return Rule.FROM_THE_POOL, words.takes_free(need, len(call.free) - need), actual
    return None


def _length_breaks(call: _Call, tokens: int) -> Broken | None:
    if call.now.seq_len != tokens:
        return Rule.LENGTH, words.seq_len_is(tokens), words.seq_len_seen(call.now.seq_len)
    return None


def _gather_breaks(call: _Call) -> Broken | None:
    shape = (call.tokens, call.size.head_dim)
    value = call.outcome.value
    if call.outcome.kind != "done" or not isinstance(value, TensorSeen) or value.shape != shape:
        return Rule.SHAPE, words.gives_shape(shape), words.gathered(call.outcome)
    rows = _expected_rows(call)
    if rows is not None and value.values != rows:
        width = call.size.head_dim
        return Rule.ROWS, words.rows(rows, width), words.rows(value.values or (), width)
    if (call.now.seq_len, call.now.table) != (call.was.seq_len, call.was.table):
        return Rule.READ_ONLY, words.request_state(call.was), words.request_state(call.now)
    if _distinct_ids(call.seen.free) != call.free:
        return Rule.READ_ONLY, words.free_seen(call.held.free), words.free_seen(call.seen.free)
    if call.seen.pool != call.held.pool:
        return Rule.READ_ONLY, words.POOL_AS_IT_WAS, words.POOL_CHANGED
    return None


def _expected_rows(call: _Call) -> tuple[int | str, ...] | None:
    """The pool's own values, block by block in the table's order, cut to the request's tokens."""
    pool = call.held.pool
    if not isinstance(pool, TensorSeen) or pool.values is None:
        return None
    block = call.size.block_size * call.size.head_dim
    joined: list[int | str] = []
    for block_id in call.old_table:
        if isinstance(block_id, int):
            joined.extend(pool.values[block_id * block : (block_id + 1) * block])
    return tuple(joined[: call.tokens * call.size.head_dim])


def _pool_breaks(call: _Call) -> Broken | None:
    if call.now.shares:
        return Rule.SHARES_NOTHING, words.OWN_TABLE, words.TABLE_SHARED
    shape = (call.size.num_blocks, call.size.block_size, call.size.head_dim)
    if not isinstance(call.seen.pool, TensorSeen) or call.seen.pool.shape != shape:
        return Rule.READ_ONLY, words.pool_shape(shape), words.pool_seen(call.seen.pool)
    return None


def _distinct_ids(ids: tuple[Plain, ...] | Odd) -> set[int] | None:
    """The ids as a set; None where something else is among them or one stands there twice."""
    if isinstance(ids, Odd):
        return None
    plain = {one for one in ids if isinstance(one, int)}
    return plain if len(plain) == len(ids) else None
