"""A frame of yours | expected: drawn from two states, for a pool that is drawn whole and one that is not."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator

from pagetutor.exercise.expected import DONE
from pagetutor.exercise.scenario import CallMethod, MakeManager, Method
from pagetutor.exercise.trace import ManagerSeen, RequestSeen, Step, TensorSeen
from pagetutor.text import Language
from pagetutor.ui.render.look import PLAIN_MARKS, Look
from pagetutor.ui.render.yours_expected import yours_and_expected
from tests.bench.figure import Figure

FRAMES = 50
BLOCK_SIZE = 16
LIMIT_MS = 15.0


def run() -> Iterator[Figure]:
    """The median of drawing one frame."""
    for blocks, limit in ((64, LIMIT_MS), (10_000, None)):
        for name, look in (
            ("80 columns", Look(Language.EN, 80)),
            ("200 columns", Look(Language.ZH, 200)),
            ("plain", Look(Language.EN, 80, marks=PLAIN_MARKS, plain=True, colour=False)),
        ):
            frames = sorted(_frame_ms(blocks, look) for _ in range(FRAMES))
            yield Figure(
                f"frame of {blocks:,} blocks, {name}, median", statistics.median(frames), "ms", limit
            )


def _frame_ms(blocks: int, look: Look) -> float:
    size = MakeManager(blocks, BLOCK_SIZE)
    half = blocks // 2
    yours, expected = _step(blocks, half - 1), _step(blocks, half)
    began = time.perf_counter()
    yours_and_expected(yours, expected, size, look)
    return (time.perf_counter() - began) * 1000


def _step(blocks: int, taken: int) -> Step:
    """A request that holds every other block, as far as it took any."""
    scattered = (*range(0, blocks, 2), *range(1, blocks, 2))
    table, free = scattered[:taken], scattered[taken:]
    manager = ManagerSeen(free, TensorSeen((blocks, BLOCK_SIZE, 1), None))
    tokens = blocks // 2 * BLOCK_SIZE
    call = CallMethod(Method.PREFILL, "a")
    return Step(call, DONE, {"a": RequestSeen(tokens, table)}, {"m": manager})
