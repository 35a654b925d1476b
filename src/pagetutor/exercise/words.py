"""States and outcomes as short sentences in both languages: the numbers a failing case is told in."""

from __future__ import annotations

from collections.abc import Sequence

from pagetutor.exercise.scenario import CallMethod, MakeManager, MakeRequest, Method, Op
from pagetutor.exercise.trace import (
    MOST_IDS,
    ManagerSeen,
    Odd,
    Outcome,
    Plain,
    RequestSeen,
    TensorSeen,
    Trace,
)
from pagetutor.learner.port import Raised
from pagetutor.text import Text, same
from pagetutor.text.spans import unticked

COMES_READY = Text(zh="对象能照常使用", en="objects that can be used as usual")
OWN_POOL = Text(zh="每个管理器有自己的 KV cache", en="each manager has a KV cache of its own")
POOL_SHARED = Text(
    zh="两个管理器用的是同一个 `physical_kv_cache`",
    en="two managers use one and the same `physical_kv_cache`",
)
OWN_FREE_LIST = Text(zh="每个管理器有自己的 `free_blocks`", en="each manager has a `free_blocks` of its own")
FREE_LIST_SHARED = Text(
    zh="两个管理器用的是同一个 `free_blocks`：动了一个，另一个也变",
    en="two managers use one and the same `free_blocks`: touching one changes the other",
)
OWN_TABLE = Text(zh="每个请求有自己的 `block_table`", en="each request has a `block_table` of its own")
TABLE_SHARED = Text(
    zh="两个请求用的是同一个 `block_table`：动了一个，另一个也变",
    en="two requests use one and the same `block_table`: touching one changes the other",
)
EMPTY_TABLE = Text(zh="新请求的 `block_table` 是空的", en="a fresh request has an empty `block_table`")
POOL_AS_IT_WAS = Text(zh="`physical_kv_cache` 原样不动", en="`physical_kv_cache` left as it was")
POOL_CHANGED = Text(zh="`physical_kv_cache` 被改了", en="`physical_kv_cache` was changed")

MOST_SHOWN = 12
_COMMA = Text(zh="，", en=", ")


def makes_manager(op: MakeManager) -> Text:
    """What the manager's constructor should do."""
    call = f"`KVCacheManager({op.num_blocks}, {op.block_size}, {op.head_dim})`"
    return Text(zh=f"{call} 能建好", en=f"{call} can be made")


def makes_request(op: MakeRequest) -> Text:
    """What the request's constructor should do."""
    return Text(zh=f"`Request(…, {op.prompt_len})` 能建好", en=f"`Request(…, {op.prompt_len})` can be made")


def pool_shape(shape: Sequence[int]) -> Text:
    """The cache's shape as it should be."""
    words = f"`physical_kv_cache`: {_shape(shape)}"
    return same(words)


def pool_seen(pool: TensorSeen | Odd) -> Text:
    """The cache as it was found."""
    if isinstance(pool, TensorSeen):
        return pool_shape(pool.shape)
    return same(f"`physical_kv_cache`: {_odd(pool)}")


def all_free(num_blocks: int) -> Text:
    """All ids free at the start."""
    if num_blocks == 1:
        return Text(zh="一开始唯一的一块空闲：0", en="the only block, 0, free at first")
    return Text(
        zh=f"一开始 {num_blocks} 块全部空闲：0 到 {num_blocks - 1}",
        en=f"all {num_blocks} blocks free at first: 0 to {num_blocks - 1}",
    )


def free_seen(free: tuple[Plain, ...] | Odd) -> Text:
    """The free list as it was found."""
    return same(f"`free_blocks == {_ids(free)}`")


def seq_len_is(tokens: int) -> Text:
    """The length that is due."""
    return same(f"`seq_len == {tokens}`")


def seq_len_seen(seq_len: Plain) -> Text:
    """The length that was found."""
    return same(f"`seq_len == {_one(seq_len)}`")


def table_seen(table: tuple[Plain, ...] | Odd) -> Text:
    """The block table as it was found."""
    return same(f"`block_table == {_ids(table)}`")


def other_request(name: str, was: RequestSeen) -> Text:
    """Another request must stay as it was."""
    return Text(zh=f"请求 {name} 不受影响：", en=f"request {name} stays as it was: ") + request_state(was)


def request_seen(name: str, now: RequestSeen | None) -> Text:
    """A request as it was found."""
    state = same("?") if now is None else request_state(now)
    return Text(zh=f"请求 {name}：", en=f"request {name}: ") + state


def request_state(seen: RequestSeen) -> Text:
    """A request in numbers."""
    return same(f"`seq_len == {_one(seen.seq_len)}`, `block_table == {_ids(seen.table)}`")


def has_method(method: Method) -> Text:
    """A method must be there."""
    return Text(zh=f"有 `{method.full_name}` 这个方法", en=f"a method called `{method.full_name}`")


def holds(blocks: int, free: int) -> Text:
    """What a request holds after a call, and what is left."""
    return Text(
        zh=f"`block_table` 里 {blocks} 块，空闲池剩 {free} 块",
        en=f"{block_count(blocks)} in `block_table`, {free} left in the free pool",
    )


def keeps(old: tuple[Plain, ...]) -> Text:
    """Old entries stay in front."""
    return Text(
        zh=f"原有的 {_ids(old)} 按原来的顺序留在 `block_table` 前面",
        en=f"the old entries {_ids(old)} stay at the front of `block_table`, in their order",
    )


def takes_free(need: int, left: int) -> Text:
    """Distinct free ids move from pool to table."""
    rest = Text(zh=f"；空闲池剩 {left} 块", en=f"; {left} left in the free pool")
    if need == 0:
        return Text(zh="一块也不领", en="no id moved from the free pool to `block_table`") + rest
    if need == 1:
        one = Text(
            zh="从空闲池领走 1 个 id，放进 `block_table`",
            en="1 id moved from the free pool to `block_table`",
        )
        return one + rest
    several = Text(
        zh=f"从空闲池领走 {need} 个不同的 id，放进 `block_table`",
        en=f"{need} different ids moved from the free pool to `block_table`",
    )
    return several + rest


def oom(need: int, free: int) -> Text:
    """Not enough blocks."""
    return Text(
        zh=f'需要 {need} 块，只有 {free} 块：`RuntimeError("OOM")`，块表和空闲池都不变',
        en=f'{block_count(need)} needed, {free} free: `RuntimeError("OOM")`, table and free pool unchanged',
    )


def after_call(outcome: Outcome, now: RequestSeen, seen: ManagerSeen) -> Text:
    """How a call ended, and the numbers after it."""
    table, free = f"`block_table == {_ids(now.table)}`", f"`free_blocks == {_ids(seen.free)}`"
    state = same(table) + _COMMA + same(free)
    if outcome.kind == "done":
        return state
    return outcome_words(outcome) + Text(zh="；", en="; ") + state


def after_call_without_oom(outcome: Outcome, now: RequestSeen, seen: ManagerSeen) -> Text:
    """How a call ended that should have raised, and the numbers after it."""
    if outcome.kind != "done":
        return after_call(outcome, now, seen)
    ended = Text(zh="没有抛出异常，", en="no exception, ") + outcome_words(outcome)
    return ended + Text(zh="；", en="; ") + after_call(outcome, now, seen)


def gives_shape(shape: Sequence[int]) -> Text:
    """The gather's shape."""
    return Text(zh=f"返回张量，形状 {_shape(shape)}", en=f"a tensor of shape {_shape(shape)}")


def gathered(outcome: Outcome) -> Text:
    """What the gather gave."""
    if outcome.kind == "done" and isinstance(outcome.value, TensorSeen):
        return gives_shape(outcome.value.shape)
    return outcome_words(outcome)


def rows(values: Sequence[int | str], width: int) -> Text:
    """Rows by their first value: enough to see order and cut."""
    firsts = [str(values[at]) for at in range(0, len(values), width)]
    shown = ", ".join(firsts[:MOST_SHOWN]) + (", …" if len(firsts) > MOST_SHOWN else "")
    return Text(zh=f"各行第一个值依次是 {shown}", en=f"rows whose first values are {shown}")


def outcome_due(outcome: Outcome) -> Text:
    """How an operation should have ended, as it reads after "expected": the exception first."""
    if outcome.raised is None:
        return outcome_words(outcome)
    name = _exception(outcome.raised)
    return Text(zh=f"抛出 {name}", en=f"{name} raised")


def _exception(raised: Raised) -> str:
    message = unticked(raised.message).split("\n")[0][:80]
    return f"`{raised.exception}({message!r})`" if message else f"`{raised.exception}()`"


def outcome_words(outcome: Outcome) -> Text:
    """How an operation ended, without the state."""
    if outcome.raised is not None:
        name = _exception(outcome.raised)
        return Text(zh=f"抛出 {name}", en=f"raised {name}")
    if outcome.kind == "hung":
        return Text(zh="一直没有结束", en="did not come to an end")
    if outcome.kind == "missing":
        return Text(zh=f"找不到 `{outcome.what}`", en=f"there is no `{outcome.what}`")
    if isinstance(outcome.value, Odd):
        value = f"`{unticked(outcome.value.shown)}`"
        if outcome.value.kind == "bool":
            return Text(zh=f"返回了 {value}", en=f"returned {value}")
        kind = outcome.value.kind
        return Text(zh=f"返回了 {value}（{kind}）", en=f"returned {value} ({kind})")
    if outcome.value is None:
        return Text(zh="返回了 `None`", en="returned `None`")
    return gives_shape(outcome.value.shape)


def did(trace: Trace) -> tuple[Text, Text]:
    """The last call of a trace in numbers, and what it did: what was taken and is held, or what came back.

    `trace` must hold a call.
    """
    at = max(at for at, op in enumerate(trace.scenario.ops) if isinstance(op, CallMethod))
    op, step = trace.scenario.ops[at], trace.steps[at]
    assert isinstance(op, CallMethod)
    if op.method is Method.GATHER:
        return situation(trace, at), gathered(step.outcome)
    was, now = trace.steps[at - 1].requests[op.request], step.requests[op.request]
    state = after_call(step.outcome, now, step.managers[op.manager])
    if step.outcome.kind == "raised":
        return situation(trace, at), state
    return situation(trace, at), _took(was, now) + state


def _took(was: RequestSeen, now: RequestSeen) -> Text:
    """How many blocks came into the table, and at how many tokens."""
    before, held = (0 if isinstance(table, Odd) else len(table) for table in (was.table, now.table))
    taken, tokens = held - before, _one(now.seq_len)
    return Text(
        zh=f"到 {tokens} 个 token 时{f'领了 {taken} 块' if taken else '没有领块'}，现在共 {held} 块：",
        en=f"at {tokens} tokens it took {block_count(taken) if taken else 'no block'} and holds {held}: ",
    )


def block_count(blocks: int) -> str:
    """So many blocks, in English."""
    return "1 block" if blocks == 1 else f"{blocks} blocks"


def _shape(shape: Sequence[int]) -> str:
    return "`[" + ", ".join(map(str, shape)) + "]`"


def _ids(ids: tuple[Plain, ...] | Odd) -> str:
    if isinstance(ids, Odd):
        return f"[… (> {MOST_IDS})]" if ids.is_too_long else f"{ids.kind} {unticked(ids.shown)}"
    shown = ", ".join(_one(one) for one in ids[:MOST_SHOWN])
    return f"[{shown}, … ({len(ids)})]" if len(ids) > MOST_SHOWN else f"[{shown}]"


def _one(plain: Plain) -> str:
    return unticked(plain.shown) if isinstance(plain, Odd) else str(plain)


def _odd(odd: Odd) -> str:
    return f"`{unticked(odd.shown)}` ({odd.kind})"


def situation(trace: Trace, index: int) -> Text:
    """The call at that step and what stood before it, in numbers."""
    op = trace.scenario.ops[index]
    if not isinstance(op, CallMethod) or index == 0:
        return _made(op)
    before = trace.steps[index - 1]
    made = next(
        one for one in trace.scenario.ops if isinstance(one, MakeManager) and one.manager == op.manager
    )
    was, held = before.requests.get(op.request), before.managers.get(op.manager)
    call = same(f" → `{op.method.full_name}({op.request})`")
    if was is None or held is None:
        return call
    pool = Text(
        zh=f"`block_size={made.block_size}`，`free_blocks={_ids(held.free)}`；",
        en=f"`block_size={made.block_size}`, `free_blocks={_ids(held.free)}`; ",
    )
    if op.method is Method.GATHER:
        pool = Text(
            zh=f"`block_size={made.block_size}`，`head_dim={made.head_dim}`；",
            en=f"`block_size={made.block_size}`, `head_dim={made.head_dim}`; ",
        )
    length, table = f"`seq_len={_one(was.seq_len)}`", f"`block_table={_ids(was.table)}`"
    return pool + same(length) + _COMMA + same(table) + call


def _made(op: Op) -> Text:
    match op:
        case MakeManager():
            return same(f"`KVCacheManager({op.num_blocks}, {op.block_size}, {op.head_dim})`")
        case MakeRequest():
            return same(f"`Request({op.request!r}, {op.prompt_len})`")
    return same(f"`{op.op}`")
