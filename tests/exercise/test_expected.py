"""Yours and expected differ in mistakes alone; a state names every block once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pagetutor.exercise.contract import first_violation
from pagetutor.exercise.expected import expected_steps
from pagetutor.exercise.scenario import (
    FillBlocks,
    FillPool,
    MakeManager,
    Scenario,
    decode,
    gather,
    holding,
    pool,
    prefill,
    request,
    scenario,
)
from pagetutor.exercise.state import (
    BlockState,
    Condition,
    Owner,
    RequestState,
    left_out_of,
    pool_state,
    state_after,
)
from pagetutor.exercise.trace import Odd, Trace
from tests.corpus.build import SOLUTION
from tests.exercise.playing import played

WHOLE = scenario(
    pool(10, 4, 2),
    request("a", 6),
    prefill("a"),
    decode("a", 3),
    FillBlocks("a", (1, 2, 3)),
    gather("a"),
    request("b", 40),
    prefill("b"),
)
SCATTERED = scenario(
    pool(9, 4, 3, free=[5, 1]), holding("a", [7, 2, 8], 12), FillPool(), gather("a"), decode("a", 9)
)
FROM_THE_TAIL = SOLUTION.replace("pop(0)", "pop()")
FLOORS = SOLUTION.replace(
    "(req.seq_len + self.block_size - 1) // self.block_size", "req.seq_len // self.block_size"
)


ONES = SOLUTION.replace("torch.zeros(", "torch.ones(")
FLAGS = SOLUTION.replace("head_dim)\n        self.free", "head_dim, dtype=torch.bool)\n        self.free")
WRITES = SOLUTION.replace("req.seq_len += 1", "req.seq_len += 1; self.physical_kv_cache[0] = req.seq_len")
READ_TWICE = scenario(
    pool(4, 2, 1), holding("a", [3, 1], 3), FillPool(), gather("a"), decode("a"), gather("a")
)
RIGHT = {
    "from the head": SOLUTION,
    "from the tail": FROM_THE_TAIL,
    "a pool of ones": ONES,
    "a pool of flags": FLAGS,
    "writing into the pool": WRITES,
}


@pytest.mark.parametrize("source", RIGHT.values(), ids=RIGHT)
@pytest.mark.parametrize("scene", [WHOLE, SCATTERED, READ_TWICE], ids=["whole", "scattered", "read twice"])
def test_a_right_file_does_what_is_expected(stage: Callable[..., Any], source: str, scene: Scenario) -> None:
    trace = played(stage, source, scene)
    assert first_violation(trace) is None
    for yours, expected in zip(trace.steps, expected_steps(trace), strict=True):
        assert expected.requests == yours.requests
        assert expected.managers == yours.managers
        assert expected.outcome.value == yours.outcome.value
        assert (expected.outcome.raised is None) == (yours.outcome.raised is None)


def test_a_file_that_is_right_is_no_copy_of_another() -> None:
    assert len({SOLUTION, *RIGHT.values()}) == len(RIGHT)


def test_a_read_that_changes_the_pool_differs_once(stage: Callable[..., Any]) -> None:
    spoils = SOLUTION.replace("cat_blocks = torch", "self.physical_kv_cache += 1; cat_blocks = torch")
    trace = played(stage, spoils, READ_TWICE)
    pairs = list(zip(trace.steps, expected_steps(trace), strict=True))
    same_pool = [yours.managers["m"].pool == right.managers["m"].pool for yours, right in pairs]
    assert [at for at, is_same in enumerate(same_pool) if not is_same] == [4, 6]


def test_where_the_fill_could_not_be_the_right_file_has_its_own(stage: Callable[..., Any]) -> None:
    trace = played(
        stage, FLOORS, scenario(pool(4, 4, 1), request("a", 6), prefill("a"), FillBlocks("a", (5, 6)))
    )
    assert trace.steps[-1].outcome.kind == "unset"
    assert expected_steps(trace)[-1].managers["m"].pool.values[:8] == (5,) * 4 + (6,) * 4  # type: ignore[union-attr,index]


def test_after_a_mistake_the_right_file_goes_its_own_way(stage: Callable[..., Any]) -> None:
    trace = played(stage, FLOORS, WHOLE)
    expected = expected_steps(trace)
    assert first_violation(trace).step == 2  # type: ignore[union-attr]
    assert [step.requests["a"].table for step in expected[2:6]] == [(0, 1), (0, 1), (0, 1), (0, 1, 2)]
    assert trace.steps[2].requests["a"].table == (0,)
    assert expected[-3].outcome.value.shape == (9, 2)  # type: ignore[union-attr]


def state(trace: Trace, at: int) -> Any:
    size = trace.scenario.ops[0]
    assert isinstance(size, MakeManager)
    return state_after(trace.steps[at], size, left_out_of(trace.scenario, size.manager))


def test_a_state_tells_each_block_once(stage: Callable[..., Any]) -> None:
    seen = state(played(stage, SOLUTION, WHOLE), 2)
    assert [block.id for block in seen.blocks] == list(range(10))
    assert seen.blocks[0] == BlockState(0, (Owner("a", 0),), 0, 4)
    assert seen.blocks[1] == BlockState(1, (Owner("a", 1),), 0, 2)
    assert {block.condition for block in seen.blocks[2:]} == {Condition.FREE}
    assert seen.strays == ()


def test_lost_blocks_blocks_owned_twice_and_strays_are_told() -> None:
    seen = pool_state(
        5, 4, (RequestState("a", 7, (1, 1)), RequestState("b", 4, (2, 9))), (0, 2, Odd("str", "'x'"))
    )
    assert [block.condition for block in seen.blocks] == [
        Condition.FREE,
        Condition.TWICE,
        Condition.TWICE,
        Condition.LOST,
        Condition.LOST,
    ]
    assert seen.blocks[1].filled == 4
    assert seen.strays == (9, Odd("str", "'x'"))


PREPARED = scenario(pool(5, 4, free=[4]), holding("a", [0], 4), decode("a", 2))


def test_a_block_the_case_was_prepared_without_is_not_lost(stage: Callable[..., Any]) -> None:
    assert left_out_of(PREPARED, "m") == {1, 2, 3}
    for at, of_4 in ((2, Condition.FREE), (3, Condition.FREE), (4, Condition.USED)):
        seen = state(played(stage, SOLUTION, PREPARED), at)
        conditions = [block.condition for block in seen.blocks[1:]]
        assert conditions == [Condition.ASIDE] * 3 + [of_4]


def test_a_block_of_no_part_is_used_once_somebody_names_it_and_what_goes_missing_is_lost(
    stage: Callable[..., Any],
) -> None:
    takes_the_next_number = SOLUTION.replace(
        "block_id = self.free_blocks.pop(0)",
        "block_id = (req.block_table or [0])[-1] + 1; self.free_blocks.pop()",
    )
    seen = state(played(stage, takes_the_next_number, PREPARED), 4)
    assert [block.condition for block in seen.blocks] == [
        Condition.USED,
        Condition.USED,
        Condition.ASIDE,
        Condition.ASIDE,
        Condition.LOST,
    ]


def test_nothing_is_left_out_where_no_free_list_was_prepared() -> None:
    assert left_out_of(scenario(pool(5, 4), request("a", 6), prefill("a")), "m") == frozenset()
    two = scenario(pool(2, 4), pool(3, 4, free=[1]), request("a", 2), prefill("a"), pool(9, 4, free=[]))
    assert left_out_of(two, "m") == {0, 2}  # as before the first call


def test_what_is_no_list_of_ids_owns_nothing() -> None:
    seen = pool_state(
        2, 4, (RequestState("a", Odd("float", "1.5"), Odd("NoneType", "None")),), Odd("int", "3")
    )
    assert [block.condition for block in seen.blocks] == [Condition.LOST, Condition.LOST]
