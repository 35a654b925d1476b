"""What a call did, in numbers: the words that a guess meets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pagetutor.exercise import words
from pagetutor.exercise.scenario import FillBlocks, Scenario, decode, gather, holding, pool, prefill, request
from pagetutor.exercise.scenario import scenario as of
from pagetutor.exercise.trace import Outcome
from pagetutor.exercise.words import did
from pagetutor.learner.port import Raised
from pagetutor.text import Text
from tests.exercise.playing import played

SOLUTION = (Path(__file__).parents[2] / "missions" / "solution.py").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("scene", "call", "en", "zh"),
    [
        (
            of(pool(1, 4, 8), request("a", 5), prefill("a")),
            "allocate_for_prefill(a)",
            "raised `RuntimeError('OOM')`; `block_table == []`, `free_blocks == [0]`",
            "抛出 `RuntimeError('OOM')`；`block_table == []`，`free_blocks == [0]`",
        ),
        (
            of(pool(4, 4), request("a", 5), prefill("a")),
            "allocate_for_prefill(a)",
            "at 5 tokens it took 2 blocks and holds 2: `block_table == [0, 1]`, `free_blocks == [2, 3]`",
            "到 5 个 token 时领了 2 块，现在共 2 块：`block_table == [0, 1]`，`free_blocks == [2, 3]`",
        ),
        (
            of(pool(4, 4, free=[3]), holding("a", [0, 2], 7), decode("a")),
            "allocate_for_decode(a)",
            "at 8 tokens it took no block and holds 2: `block_table == [0, 2]`, `free_blocks == [3]`",
            "到 8 个 token 时没有领块，现在共 2 块：`block_table == [0, 2]`，`free_blocks == [3]`",
        ),
        (
            of(pool(4, 4, 8), holding("a", [0, 2], 5), FillBlocks("a", (1, 2)), gather("a")),
            "get_physical_cache(a)",
            "a tensor of shape `[5, 8]`",
            "返回张量，形状 `[5, 8]`",
        ),
    ],
)
def test_what_a_call_did(stage: Callable[..., Any], scene: Scenario, call: str, en: str, zh: str) -> None:
    told, done = did(played(stage, SOLUTION, scene))
    assert f" → `{call}`" in told.en
    assert f" → `{call}`" in told.zh
    assert (done.en, done.zh) == (en, zh)


def test_numbers_of_ids_are_told_as_one_says_them() -> None:
    moved = [(words.takes_free(need, 3).en, words.takes_free(need, 3).zh) for need in (0, 1, 2)]
    assert moved == [
        (
            "no id moved from the free pool to `block_table`; 3 left in the free pool",
            "一块也不领；空闲池剩 3 块",
        ),
        (
            "1 id moved from the free pool to `block_table`; 3 left in the free pool",
            "从空闲池领走 1 个 id，放进 `block_table`；空闲池剩 3 块",
        ),
        (
            "2 different ids moved from the free pool to `block_table`; 3 left in the free pool",
            "从空闲池领走 2 个不同的 id，放进 `block_table`；空闲池剩 3 块",
        ),
    ]
    assert words.all_free(1) == Text(zh="一开始唯一的一块空闲：0", en="the only block, 0, free at first")


def test_what_was_due_reads_well_after_expected() -> None:
    raised = Outcome("raised", raised=Raised("RuntimeError", ("RuntimeError",), "OOM", ()))
    assert words.outcome_due(raised) == Text(
        zh="抛出 `RuntimeError('OOM')`", en="`RuntimeError('OOM')` raised"
    )
    assert words.outcome_due(Outcome("done")) == words.outcome_words(Outcome("done"))
