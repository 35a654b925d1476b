"""The pictures that are frozen: the lessons' own, and yours | expected for mistakes of every kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text as Line

from pagetutor.content.find import find_course
from pagetutor.content.model import Pool, Pools
from pagetutor.content.read import load_course
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
from pagetutor.exercise.state import RequestState, left_out_of, pool_state
from pagetutor.exercise.trace import Odd, Trace
from pagetutor.text import Language
from pagetutor.ui.render.blocks import block
from pagetutor.ui.render.look import PLAIN_MARKS, UNICODE_MARKS, Look
from pagetutor.ui.render.pool import pool_picture
from pagetutor.ui.render.yours_expected import yours_and_expected
from tests.corpus.build import SOLUTION
from tests.exercise.playing import played

Draw = Callable[[Look], list[Line]]
WIDTHS = (40, 80, 120)

_SIX = scenario(pool(10, 4), request("a", 6), prefill("a"))
_NINE = scenario(pool(10, 4, 2, free=[0, 1]), holding("a", [7, 2, 9], 9), FillPool(), gather("a"))
_CONSTANT = scenario(
    pool(10, 4, 2, free=[0, 1]), holding("a", [7, 2, 9], 9), FillBlocks("a", (1, 2, 3)), gather("a")
)
_FIVE = scenario(pool(6, 4, 8, free=[0, 3]), holding("a", [5, 1], 5), FillPool(), gather("a"))
# name, what stands in the solution, what stands in the learner's file, the calls
MISTAKES: dict[str, tuple[str, str, Scenario]] = {
    "floor-division": ("(req.seq_len + self.block_size - 1) // self", "req.seq_len // self", _SIX),
    "remainder-zero": (
        "== 1",
        "== 0",
        scenario(pool(10, 4, free=[8, 0, 1, 3, 4, 6, 9]), holding("a", [7, 2], 7), decode("a", 2)),
    ),
    "never-adds": (
        "== 1",
        "== 5",
        scenario(pool(10, 4, free=[8, 0, 1, 3, 4, 5, 6, 9]), holding("a", [7, 2], 8), decode("a")),
    ),
    "peeks": ("pop(0)", "__getitem__(0)", _SIX),
    "loses-blocks": (
        "= self.free_blocks.pop(0)",
        "= [self.free_blocks.pop(0), self.free_blocks.pop(0)][0]",
        _SIX,
    ),
    "half-updated": (
        "needed_blocks > len(self.free_blocks)",
        "False",
        scenario(pool(1, 4), request("a", 5), prefill("a")),
    ),
    "no-cut": ("cat_blocks[: req.seq_len]", "cat_blocks", _NINE),
    "sorted-ids": ("in req.block_table", "in sorted(req.block_table)", _NINE),
    "sorted-ids-constant": ("in req.block_table", "in sorted(req.block_table)", _CONSTANT),
    "no-cat": ("torch.cat(blocks, dim=0)", "torch.stack(blocks)", _FIVE),
    "wrong-dimension": ("torch.cat(blocks, dim=0)", "torch.cat(blocks, dim=1)", _FIVE),
    "no-tensor": ("return cat_blocks[: req.seq_len]", "return None", _FIVE),
    "gives-blocks-back": (
        "cat_blocks = torch",
        "self.free_blocks += req.block_table; cat_blocks = torch",
        _FIVE,
    ),
}


def trace_of(name: str, play: Callable[..., Any]) -> Trace:
    """The trace of the solution with this mistake in it."""
    right, wrong, calls = MISTAKES[name]
    assert right in SOLUTION
    return played(play, SOLUTION.replace(right, wrong), calls)


def beside(trace: Trace, look: Look, *, brief: bool = False) -> list[Line]:
    """Yours | expected at the step that breaks the contract."""
    violation = first_violation(trace)
    assert violation is not None
    size = trace.scenario.ops[0]
    assert isinstance(size, MakeManager)
    at = violation.step
    expected, left_out = expected_steps(trace)[at], left_out_of(trace.scenario, size.manager)
    return yours_and_expected(trace.steps[at], expected, size, look, left_out=left_out, brief=brief)


def lesson_pictures() -> Iterator[tuple[str, Draw]]:
    """The pools of the missions' diagrams."""
    for mission in load_course(find_course()).missions:
        for one in mission.diagram:
            if isinstance(one, Pool | Pools):
                yield f"pool-mission-{mission.id}", partial(block, one)


def other_pictures() -> Iterator[tuple[str, Draw]]:
    """A state in which everything is wrong, two requests, and a pool too large to be drawn."""
    requests = (RequestState("a", 7, (1, 1)), RequestState("b", Odd("float", "4.0"), (2, 9)))
    yield "pool-all-wrong", partial(pool_picture, pool_state(5, 4, requests, (0, 2, Odd("str", "'x'"))))
    two = (RequestState("a", 6, (7, 2)), RequestState("b", 9, (5, 0, 3)))
    yield "pool-two-requests", partial(pool_picture, pool_state(10, 4, two, (1, 4, 6, 8, 9)))
    one = (RequestState("a", 40, (500, 7, 501)),)
    free = (*range(7), *range(8, 500), *range(502, 10_000))
    yield "pool-10000", partial(pool_picture, pool_state(10_000, 16, one, free))


def frozen(draw: Draw) -> str:
    """The picture at every width, in both languages, drawn and told; at 80 columns also with its colours."""
    parts = []
    for language in Language:
        for width in WIDTHS:
            drawn = draw(Look(language, width, marks=UNICODE_MARKS, colour=False))
            parts.append(_part(f"{language} {width}", [line.plain for line in drawn]))
        told = draw(Look(language, 80, marks=PLAIN_MARKS, plain=True, colour=False))
        parts.append(_part(f"{language} plain", [line.plain for line in told]))
    coloured = draw(Look(Language.EN, 80, marks=UNICODE_MARKS))
    parts.append(_part("en 80 in colour", [_with_styles(line) for line in coloured]))
    return "\n".join(parts)


def _part(name: str, lines: list[str]) -> str:
    return "\n".join([f"== {name}", *(line.rstrip() for line in lines), ""])


def _with_styles(line: Line) -> str:
    """The line with `<style>` where a style begins and `<>` where it ends."""
    console = Console(width=300, color_system=None)
    shown = ""
    for segment in line.render(console):
        style = str(segment.style or "none")
        blank = style == "none" or not segment.text.strip()
        shown += segment.text if blank else f"<{style}>{segment.text}<>"
    return shown


def stage() -> Callable[..., Any]:
    """The stage, as the learner's process has it."""
    source = (Path(find_course()) / "stage.py").read_text(encoding="utf-8")
    namespace: dict[str, Any] = {"__name__": "stage"}
    exec(compile(source, "stage.py", "exec"), namespace)
    play: Callable[..., Any] = namespace["play"]
    return play


def all_pictures() -> dict[str, Draw]:
    """Every frozen picture by the name of its file."""
    play = stage()
    mistakes = {f"beside-{name}": partial(beside, trace_of(name, play)) for name in MISTAKES}
    return {**dict(lesson_pictures()), **dict(other_pictures()), **mistakes}
