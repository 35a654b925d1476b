"""The contract on real traces: the stage plays real torch code, here in this process."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import pytest

from pagetutor.exercise.contract import Rule, first_violation
from pagetutor.exercise.reach import reached_by_calls
from pagetutor.exercise.scenario import (
    FillPool,
    MakeManager,
    decode,
    gather,
    holding,
    pool,
    prefill,
    request,
    scenario,
)
from pagetutor.exercise.trace import TraceError, trace_from_wire
from tests.corpus.build import SOLUTION
from tests.exercise.playing import played

ONE_OVER = scenario(pool(10, 4), request("a", 5), prefill("a"))
TOO_FEW = scenario(pool(9, 4, free=[5, 7]), request("a", 17), prefill("a"))
CROSSING = scenario(pool(9, 4, free=[5, 7]), holding("a", [3, 1], 8), decode("a"))
EMPTY = scenario(pool(9, 4, free=[]), holding("a", [3, 1], 8), decode("a"))
SCATTERED = scenario(pool(9, 4, 3), holding("a", [7, 2, 5], 9), FillPool(), gather("a"))
TWO = scenario(
    pool(6, 4, 2), MakeManager(6, 4, 2, manager="other"), holding("a", [4], 3), FillPool(), gather("a")
)

BREAKS = {
    "a count too low": ("+ self.block_size - 1) //", ") //", ONE_OVER, Rule.COUNT),
    "ids kept free": ("self.free_blocks.pop(0)", "self.free_blocks[0]", ONE_OVER, Rule.FROM_THE_POOL),
    "a changed length": (
        "needed_blocks =",
        "req.seq_len += 0; req.seq_len -= 1; needed_blocks = 1 +",
        ONE_OVER,
        Rule.LENGTH,
    ),
    "an OOM of the wrong class": ("RuntimeError", "ValueError", TOO_FEW, Rule.OOM),
    "an OOM without its name": ('"OOM"', '"full"', TOO_FEW, Rule.OOM),
    "an OOM that is NotImplementedError": ("RuntimeError", "NotImplementedError", TOO_FEW, Rule.OOM),
    "an OOM after taking": (
        'raise RuntimeError("OOM")\n        for',
        'self.free_blocks.pop()\n            raise RuntimeError("OOM")\n        for',
        TOO_FEW,
        Rule.NOTHING_CHANGED,
    ),
    "a crossing missed": ("% self.block_size) == 1", "% self.block_size) == 0", CROSSING, Rule.COUNT),
    "the old table dropped": (
        "            req.block_table.append(block_id)\n\n    def get",
        "            req.block_table = [block_id, *req.block_table]\n\n    def get",
        CROSSING,
        Rule.KEEPS_OLD,
    ),
    "an empty pool unnoticed": ("if not self.free_blocks:", "if False:", EMPTY, Rule.OOM),
    "three dimensions": ("torch.cat(blocks, dim=0)", "torch.stack(blocks)", SCATTERED, Rule.SHAPE),
    "rows in the wrong order": ("in req.block_table]", "in sorted(req.block_table)]", SCATTERED, Rule.ROWS),
    "a table sorted in place": (
        "        return cat_blocks",
        "        req.block_table.sort()\n        return cat_blocks",
        SCATTERED,
        Rule.READ_ONLY,
    ),
    "a pool written into": (
        "        return cat_blocks",
        "        self.physical_kv_cache[0] = 7\n        return cat_blocks",
        SCATTERED,
        Rule.READ_ONLY,
    ),
    "a free list changed by reading": (
        "        return cat_blocks",
        "        self.free_blocks.pop()\n        return cat_blocks",
        SCATTERED,
        Rule.READ_ONLY,
    ),
    "a pool of another shape": (
        "torch.zeros(num_blocks, block_size",
        "torch.zeros(block_size, num_blocks",
        ONE_OVER,
        Rule.CONSTRUCTOR,
    ),
    "a free list from 1": ("range(num_blocks)", "range(1, num_blocks + 1)", ONE_OVER, Rule.CONSTRUCTOR),
    "a pool shared by all": (
        "self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim)",
        "self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim) if not hasattr(torch, '_p') else torch._p; torch._p = self.physical_kv_cache",
        TWO,
        Rule.SHARES_NOTHING,
    ),
    "a free list shared by all": (
        "self.free_blocks: List[int] = list(range(num_blocks))",
        "self.free_blocks = vars(KVCacheManager).get('kept') or [*range(num_blocks)]; KVCacheManager.kept = self.free_blocks",
        TWO,
        Rule.SHARES_NOTHING,
    ),
    "another's free list touched": (
        "self.free_blocks: List[int] = list(range(num_blocks))",
        "self.free_blocks = [*range(num_blocks)]; [one.free_blocks.pop() for one in vars(KVCacheManager).get('made', [])]; KVCacheManager.made = [self]",
        TWO,
        Rule.SHARES_NOTHING,
    ),
    "a table shared by all": (
        "self.block_table: List[int] = []",
        "self.block_table = vars(Request).get('kept', []); Request.kept = self.block_table",
        scenario(pool(10, 4), request("a", 5), request("b", 5)),
        Rule.SHARES_NOTHING,
    ),
}


@pytest.mark.parametrize("name", BREAKS)
def test_each_rule_is_broken_by_what_breaks_it(stage: Callable[..., Any], name: str) -> None:
    old, new, scene, rule = BREAKS[name]
    assert first_violation(played(stage, SOLUTION, scene)) is None
    assert old in SOLUTION
    violation = first_violation(played(stage, SOLUTION.replace(old, new), scene))
    assert violation is not None
    assert violation.rule is rule


def test_a_failure_is_told_in_numbers(stage: Callable[..., Any]) -> None:
    violation = first_violation(
        played(stage, SOLUTION.replace("+ self.block_size - 1) //", ") //"), ONE_OVER)
    )
    assert violation is not None
    assert violation.expected.en == "2 blocks in `block_table`, 8 left in the free pool"
    assert violation.actual.en == "`block_table == [0]`, `free_blocks == [1, 2, 3, 4, 5, 6, 7, 8, 9]`"
    assert violation.expected.zh == "`block_table` 里 2 块，空闲池剩 8 块"


@pytest.mark.parametrize(
    ("instead", "zh", "en"),
    [
        ("return False", "没有抛出异常，返回了 `False`", "no exception, returned `False`"),
        ("return", "没有抛出异常，返回了 `None`", "no exception, returned `None`"),
        ("return [1]", "没有抛出异常，返回了 `[1]`（list）", "no exception, returned `[1]` (list)"),
        ('raise ValueError("OOM")', "抛出 `ValueError('OOM')`", "raised `ValueError('OOM')`"),
    ],
)
def test_where_an_exception_was_due_it_is_told_how_the_call_ended(
    stage: Callable[..., Any], instead: str, zh: str, en: str
) -> None:
    source = SOLUTION.replace('            raise RuntimeError("OOM")', f"            {instead}")
    violation = first_violation(played(stage, source, TOO_FEW))
    assert violation is not None
    assert violation.rule is Rule.OOM
    assert violation.actual.zh == f"{zh}；`block_table == []`，`free_blocks == [5, 7]`"
    assert violation.actual.en == f"{en}; `block_table == []`, `free_blocks == [5, 7]`"


def test_what_the_contract_leaves_open_passes(stage: Callable[..., Any]) -> None:
    from_the_tail = SOLUTION.replace("pop(0)", "pop()").replace('"OOM"', '"显存不足 OOM"')
    for scene in (ONE_OVER, TOO_FEW, CROSSING, EMPTY):
        assert first_violation(played(stage, from_the_tail, scene)) is None


def test_a_lying_free_list_is_found_out_by_draining_it(stage: Callable[..., Any]) -> None:
    lying = SOLUTION.replace(
        "self.free_blocks: List[int] = list(range(num_blocks))",
        "self.free_blocks = type('L', (list,), {'__len__': lambda self: 3, '__iter__': lambda self: iter([0, 1, 2])})"
        "(range(num_blocks))",
    )
    drain = scenario(pool(3, 4), request("a", 12), request("b", 1), prefill("a"), prefill("b"))
    assert first_violation(played(stage, lying, drain)) is not None


def test_reaching_by_calls_keeps_the_numbers(stage: Callable[..., Any]) -> None:
    prepared = scenario(pool(9, 4, free=[5, 7]), holding("a", [3, 1], 7), decode("a", 3))
    reached = reached_by_calls(prepared)
    assert reached is not None
    first, second = played(stage, SOLUTION, prepared), played(stage, SOLUTION, reached)
    assert first_violation(second) is None
    for trace in (first, second):
        end = trace.steps[-1]
        assert isinstance(end.requests["a"].table, tuple)
        assert isinstance(end.managers["m"].free, tuple)
        assert (len(end.requests["a"].table), len(end.managers["m"].free)) == (3, 1)


def test_reaching_by_calls_scatters_the_table_so_that_sorting_shows(stage: Callable[..., Any]) -> None:
    prepared = scenario(pool(9, 4, 2, free=[0, 4, 6]), holding("a", [3, 1, 8], 11), FillPool(), gather("a"))
    reached = reached_by_calls(prepared)
    assert reached is not None
    sorts = SOLUTION.replace("in req.block_table]", "in sorted(req.block_table)]")
    assert first_violation(played(stage, SOLUTION, reached)) is None
    assert first_violation(played(stage, sorts, reached)) is not None


@pytest.mark.parametrize(
    "wire",
    [
        {
            "steps": [
                {
                    "kind": "done",
                    "value": {"shape": [2, 2], "values": [1, 2, 3]},
                    "requests": {},
                    "managers": {},
                }
            ]
            * 3,
            "books": [],
        },
        None,
        [],
        {},
        {"steps": []},
        {"steps": [{"kind": "passed"}] * 3},
        {"steps": [{"kind": "done", "value": 3, "requests": {}, "managers": {}}] * 3},
        {
            "steps": [
                {
                    "kind": "done",
                    "value": None,
                    "requests": {"a": {"seq_len": True, "table": []}},
                    "managers": {},
                }
            ]
            * 3
        },
        {
            "steps": [
                {
                    "kind": "done",
                    "value": None,
                    "requests": {"a": {"seq_len": 1.5, "table": []}},
                    "managers": {},
                }
            ]
            * 3
        },
        {
            "steps": [
                {
                    "kind": "done",
                    "value": None,
                    "requests": {},
                    "managers": {
                        "m": {
                            "free": [],
                            "pool": {"shape": [1], "values": "as before"},
                            "extra": [],
                            "shares": [],
                        }
                    },
                }
            ]
            * 3,
            "books": [],
        },
    ],
)
def test_what_is_no_trace_is_refused(wire: Any) -> None:
    with pytest.raises(TraceError):
        trace_from_wire(ONE_OVER, wire)


def test_a_trace_that_lacks_what_was_made_is_refused() -> None:
    """A file that forges its answers must not be able to make the judge stumble."""
    request = {"seq_len": 5, "table": [], "extra": [], "shares": []}
    manager = {"free": [0], "pool": {"shape": [1, 4, 1], "values": None}, "extra": [], "shares": []}
    done: dict[str, object] = {"kind": "done", "value": None}
    made = [
        {**done, "requests": {}, "managers": {"m": manager}},
        {**done, "requests": {"a": request}, "managers": {"m": manager}},
        {**done, "requests": {"a": request}, "managers": {"m": manager}},
    ]
    assert trace_from_wire(ONE_OVER, cast("Any", {"steps": made, "books": []})).steps
    for step, field in ((2, "managers"), (1, "requests")):
        forged = [dict(one) for one in made]
        forged[step][field] = {}
        with pytest.raises(TraceError, match="not all the managers and requests that were made"):
            trace_from_wire(ONE_OVER, cast("Any", {"steps": forged, "books": []}))


def test_a_pool_is_told_again_only_where_it_has_changed(stage: Callable[..., Any]) -> None:
    untouched = scenario(pool(4, 2, 1), request("a", 4), prefill("a"), FillPool(), decode("a", 3))
    trace = played(stage, SOLUTION, untouched)
    pools = [step.managers["m"].pool for step in trace.steps]
    assert all(one is pools[3] for one in pools[3:])
    writes = SOLUTION.replace("req.seq_len += 1", "req.seq_len += 1; self.physical_kv_cache[0] = req.seq_len")
    assert writes != SOLUTION
    changed = [step.managers["m"].pool for step in played(stage, writes, untouched).steps][3:]
    assert len({str(one) for one in changed}) == len(changed)


def test_a_trace_that_says_it_was_given_up_is_not_judged() -> None:
    hung = {"kind": "hung", "line": 1, "function": "f", "requests": {}, "managers": {}}
    with pytest.raises(TraceError, match="given up"):
        trace_from_wire(ONE_OVER, cast("Any", {"steps": [hung] * 3, "books": []}))
