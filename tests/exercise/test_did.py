"""What a call did, in numbers: the words that a guess meets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pagetutor.exercise.scenario import FillBlocks, Scenario, decode, gather, holding, pool, prefill, request
from pagetutor.exercise.scenario import scenario as of
from pagetutor.exercise.words import did
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
