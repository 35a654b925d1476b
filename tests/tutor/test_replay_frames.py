"""Frames of real code: what each line did, where the first difference is, what there is where little ran."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import pytest

from pagetutor.exercise.contract import first_violation
from pagetutor.exercise.scenario import (
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
from pagetutor.exercise.state import state_after
from pagetutor.tutor.replay_frames import Moment, ReplayFrame, frames_of
from tests.corpus.build import SOLUTION, with_method
from tests.exercise.playing import play_of, played

SIX_TOKENS = scenario(pool(3, 4), request("a", 6), prefill("a"))
FLOORS = with_method("""
def allocate_for_prefill(self, req):
    needed = req.seq_len // self.block_size
    for _ in range(needed):
        block_id = self.free_blocks.pop(0)
        req.block_table.append(block_id)
""")


@pytest.fixture(scope="module")
def stage_lines() -> Callable[..., Any]:
    return play_of("stage_lines.py")


def frames(stage_lines: Callable[..., Any], source: str, scene: Scenario) -> tuple[ReplayFrame, ...]:
    trace = played(stage_lines, source, scene)
    return frames_of(trace, first_violation(trace), ast.parse(source))


def says(frame: ReplayFrame) -> str:
    return "; ".join(text.en for text in frame.says)


def line_of(source: str, words: str) -> tuple[int, int]:
    number = source[: source.index(words)].count("\n") + 1
    return number, number


def test_a_frame_before_one_for_each_line_and_one_at_the_end(stage_lines: Callable[..., Any]) -> None:
    taken = frames(stage_lines, FLOORS, SIX_TOKENS)
    assert [frame.moment for frame in taken] == [Moment.BEFORE, *[Moment.LINE] * 5, Moment.AFTER]
    assert [says(frame) for frame in taken] == [
        "`block_size=4`, `free_blocks=[0, 1, 2]`; `seq_len=6`, `block_table=[]` → `allocate_for_prefill(a)`",
        "`needed == 1`",
        "`_ == 0`",
        "`block_id == 0`; `free_blocks == [1, 2]`",
        "`block_table == [0]`",
        "",
        "`block_table == [0]`, `free_blocks == [1, 2]`",
    ]
    assert [frame.marked for frame in taken[1:4]] == [
        line_of(FLOORS, "    needed ="),
        line_of(FLOORS, "    for _ in range(needed)"),
        line_of(
            FLOORS, "    block_id = self.free_blocks.pop(0)\n            req.block_table.append(block_id)"
        ),
    ]
    assert taken[4].yours.requests["a"].table == (0,)
    assert taken[3].yours.requests["a"].table == ()
    assert taken[3].yours.managers["m"].free == (1, 2)


def test_the_end_of_the_call_that_breaks_a_rule_is_the_first_difference(
    stage_lines: Callable[..., Any],
) -> None:
    taken = frames(stage_lines, FLOORS, scenario(SIX_TOKENS, decode("a", 2)))
    differing = [at for at, frame in enumerate(taken) if frame.differs is not None]
    assert differing[0] == 6
    end = taken[6]
    assert end.expected is not None
    assert end.expected.requests["a"].table == (0, 1)
    assert end.yours.requests["a"].table == (0,)
    assert end.marked == line_of(FLOORS, "    for _ in range(needed)")


def test_what_is_due_after_the_first_difference_is_what_a_right_file_has(
    stage_lines: Callable[..., Any],
) -> None:
    swells = with_method("""
def allocate_for_prefill(self, req):
    req.block_table += [self.free_blocks.pop(0), self.free_blocks.pop(0)]
    req.seq_len = 5900
""")
    scene = scenario(pool(4, 4, 2), request("a", 8), prefill("a"), decode("a"), FillPool(), gather("a"))
    due = [frame.differs.expected.en for frame in frames(stage_lines, swells, scene) if frame.differs]
    assert due == [
        "`seq_len == 8`",
        "`block_table == [0, 1, 2]`, `free_blocks == [3]`",
        "a tensor of shape `[9, 2]`",
    ]


def test_a_length_that_is_due_later_is_the_right_files_too(
    stage_lines: Callable[..., Any],
) -> None:
    stays = with_method("""
def allocate_for_decode(self, req):
    req.block_table.append(self.free_blocks.pop(0))
""").replace("self.seq_len = prompt_len", "self.seq_len = 0")
    scene = scenario(pool(4, 4), request("a", 5), prefill("a"), decode("a"))
    due = [frame.differs.expected.en for frame in frames(stage_lines, stays, scene) if frame.differs]
    assert due == ["`seq_len == 5`", "`seq_len == 6`"]  # not the 1 that follows from the 0


def test_a_right_call_ends_as_expected_and_a_later_one_says_that_nothing_new_is_wrong(
    stage_lines: Callable[..., Any],
) -> None:
    right = frames(stage_lines, SOLUTION, SIX_TOKENS)
    assert says(right[-1]) == "`block_table == [0, 1]`, `free_blocks == [2]`; just as expected"
    early = SOLUTION.replace("% self.block_size) == 1", "% self.block_size) == 0")
    scene = scenario(pool(5, 4), holding("a", [4], 3), decode("a", 2))
    assert says(frames(stage_lines, early, scene)[-1]).endswith("; nothing new goes wrong in this call")


def test_a_statement_of_several_lines_is_one_frame(stage_lines: Callable[..., Any]) -> None:
    source = with_method("""
def get_physical_cache(self, req):
    return torch.cat(
        [
            self.physical_kv_cache[block_id]
            for block_id in req.block_table
        ],
        dim=0,
    )[: req.seq_len]
""")
    taken = frames(stage_lines, source, scenario(pool(5, 4), holding("a", [4, 1], 6), gather("a")))
    assert [frame.moment for frame in taken] == [Moment.BEFORE, Moment.LINE, Moment.AFTER]
    first = line_of(source, "    return torch.cat(")[0]
    assert taken[1].marked == (first, first + 6)
    assert says(taken[2]) == "a tensor of shape `[6, 1]`; just as expected"


def test_the_lines_of_a_match_are_frames_of_their_own(stage_lines: Callable[..., Any]) -> None:
    source = with_method("""
def allocate_for_prefill(self, req):
    match req.seq_len:
        case 6:
            first = self.free_blocks.pop(0)
            req.block_table.append(first)
            req.block_table.append(self.free_blocks.pop(0))
""")
    taken = frames(stage_lines, source, SIX_TOKENS)
    assert [says(frame) for frame in taken[1:-1]] == [
        "",
        "",
        "`first == 0`; `free_blocks == [1, 2]`",
        "`block_table == [0]`",
        "`block_table == [0, 1]`; `free_blocks == [2]`",
    ]
    match = line_of(source, "    match req")[0]
    assert [frame.marked for frame in taken[1:-1]] == [(at, at) for at in range(match, match + 5)]


def test_ids_that_are_too_long_are_said_to_be_and_not_drawn_as_they_were(
    stage_lines: Callable[..., Any],
) -> None:
    source = with_method("""
def allocate_for_prefill(self, req):
    req.block_table.extend([0] * 3000)
    taken = [self.free_blocks.pop(0), self.free_blocks.pop(0)]
    req.block_table[:] = []
    req.block_table += taken
""")
    taken = frames(stage_lines, source, SIX_TOKENS)
    assert [says(frame) for frame in taken[1:-1]] == [
        "`block_table` is too long to be told line by line; see it after the call",
        "`taken == [0, 1]`; `free_blocks == [2]`",
        "`block_table == []`",
        "`block_table == [0, 1]`",
    ]
    assert taken[1].says[0].zh == "`block_table` 太长了，这里不列出来，调用之后再看"
    drawn = [state_after(frame.yours, frame.size, frame.left_out) is not None for frame in taken]
    assert drawn == [True, False, False, True, True, True]


def test_a_helper_has_frames_of_its_own(stage_lines: Callable[..., Any]) -> None:
    source = with_method("""
def allocate_for_prefill(self, req):
    need = self._need(req.seq_len)
    req.block_table += [self.free_blocks.pop() for _ in range(need)]

def _need(self, tokens):
    return -(-tokens // self.block_size)
""")
    taken = frames(stage_lines, source, SIX_TOKENS)
    assert [says(frame) for frame in taken[1:4]] == ["calls `_need`", "`tokens == 6`", "`need == 2`"]
    assert [frame.function for frame in taken[1:4]] == [
        "allocate_for_prefill",
        "_need",
        "allocate_for_prefill",
    ]
    helper = line_of(source, "    def _need")[0]
    assert taken[2].shown == (helper, helper + 1)


def test_an_exception_is_told_on_its_line(stage_lines: Callable[..., Any]) -> None:
    taken = frames(stage_lines, SOLUTION, scenario(pool(1, 4), request("a", 6), prefill("a")))
    assert says(taken[-2]) == "raised `RuntimeError('OOM')`"
    crashing = SOLUTION.replace("self.free_blocks.pop(0)", "self.free_blocks[7]")
    taken = frames(stage_lines, crashing, SIX_TOKENS)
    assert says(taken[-2]) == "raised `IndexError('list index out of range')`"
    assert taken[-1].differs is not None


def test_a_constructor_has_a_frame_where_it_goes_wrong_or_nothing_else_is_called(
    stage_lines: Callable[..., Any],
) -> None:
    wrong = SOLUTION.replace("self.seq_len = prompt_len", "self.seq_len = 0")
    taken = frames(stage_lines, wrong, scenario(pool(3, 4), request("a", 6)))
    assert [(frame.function, frame.call, frame.differs is None) for frame in taken] == [
        ("__init__", 1, True),
        ("__init__", 2, False),
    ]
    assert says(taken[0]) == "it is made; just as expected"
    assert frames(stage_lines, wrong, SIX_TOKENS)[0].differs is not None


def test_a_constructor_that_raises_and_a_method_that_is_missing(stage_lines: Callable[..., Any]) -> None:
    raising = SOLUTION.replace("self.num_blocks = num_blocks", "raise TypeError")
    assert says(frames(stage_lines, raising, SIX_TOKENS)[0]).startswith("raised `TypeError()`")
    missing = SOLUTION.replace("def allocate_for_prefill", "def allocate")
    taken = frames(stage_lines, missing, SIX_TOKENS)
    assert [frame.moment for frame in taken] == [Moment.BEFORE, Moment.AFTER]
    assert taken[0].shown is None
    assert taken[1].differs is not None
    assert taken[1].differs.actual.en == "there is no `allocate_for_prefill`"


def test_each_call_is_drawn_for_the_manager_it_was_made_on(stage_lines: Callable[..., Any]) -> None:
    scene = scenario(pool(3, 4), MakeManager(5, 2, manager="other"), request("a", 6), prefill("a"))
    assert {frame.size for frame in frames(stage_lines, SOLUTION, scene)} == {MakeManager(3, 4)}


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("    for _ in range(1000): pass", "the call ran on: only its first 200 lines are told"),
        (
            "    import sys; sys.settrace(None)",
            "your code uses a trace function of its own, so the other lines cannot be told",
        ),
    ],
    ids=["cut", "lost"],
)
def test_it_says_when_lines_are_left_out(stage_lines: Callable[..., Any], code: str, told: str) -> None:
    source = with_method(f"def allocate_for_prefill(self, req):\n{code}\n    return None")
    assert says(frames(stage_lines, source, SIX_TOKENS)[-1]).endswith(told)


def test_the_docstring_is_left_out_of_what_is_read_unless_something_else_stands_on_its_line(
    stage_lines: Callable[..., Any],
) -> None:
    told = FLOORS.replace("    needed =", '    """Blocks for\n\n        a prompt."""\n        needed =', 1)
    first = line_of(told, '    """Blocks')[0]
    assert {frame.docstring for frame in frames(stage_lines, told, SIX_TOKENS)} == {(first, first + 2)}
    beside = FLOORS.replace("    needed =", '    """Blocks."""; x = 1\n        needed =', 1)
    assert {frame.docstring for frame in frames(stage_lines, beside, SIX_TOKENS)} == {None}
    assert {frame.docstring for frame in frames(stage_lines, FLOORS, SIX_TOKENS)} == {None}
