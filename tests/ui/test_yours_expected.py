"""Yours | expected: whatever two steps hold, it fits the screen and says the first difference."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagetutor.exercise.contract import first_violation
from pagetutor.exercise.expected import DONE, OOM, expected_steps
from pagetutor.exercise.scenario import (
    CallMethod,
    FillBlocks,
    MakeManager,
    Method,
    gather,
    holding,
    prefill,
    request,
    scenario,
)
from pagetutor.exercise.scenario import pool as a_pool
from pagetutor.exercise.trace import ManagerSeen, Odd, Outcome, RequestSeen, Step, TensorSeen, Trace
from pagetutor.judge.report import FailingCase
from pagetutor.learner.port import Raised
from pagetutor.text import Language, Text, same
from pagetutor.tutor.screen import ReportShown
from pagetutor.ui.render import render
from pagetutor.ui.render.difference import first_difference
from pagetutor.ui.render.look import PLAIN_MARKS, UNICODE_MARKS, Look
from pagetutor.ui.render.yours_expected import yours_and_expected
from tests.corpus.build import SOLUTION
from tests.exercise.playing import played
from tests.exercise.test_contract import BREAKS
from tests.ui.pictures import MISTAKES, beside, stage, trace_of
from tests.ui.values import FAILED

SIZE = MakeManager(5, 2, 2)
_IDS = st.lists(st.one_of(st.integers(-1, 6), st.just(Odd("str", "'x`y'"))), max_size=6).map(tuple)
_ODD = st.just(Odd("NoneType", "None"))
_POOLS = (
    TensorSeen((5, 2, 2), tuple(range(20))),
    TensorSeen((5, 2, 2), None),
    TensorSeen((2, 2), (1, 2, 3, 4)),
    Odd("list", "[]"),
)
_SEEN = (
    TensorSeen((3, 2), (4, 5, 6, 7, 0, 1)),
    TensorSeen((2, 2, 2), (4, 5, 6, 7, 0, 1, 2, 3)),
    TensorSeen((2, 4), (4, 5, 0, 1, 6, 7, 99, 3)),
    TensorSeen((6,), (4, 5, 6, 7, 0, 1)),
    TensorSeen((0, 2), ()),
    TensorSeen((), (1,)),
    TensorSeen((3, 2), ("0.5", "nan", 1, 2, 3, 4)),
    TensorSeen((4, 2), None),
    TensorSeen((3, 2), None),
    TensorSeen((3, 4), None),
    TensorSeen((0, 4), ()),
)
_TENSORS = st.sampled_from(_SEEN)
_OUTCOMES = st.one_of(
    st.builds(Outcome, st.just("done"), st.one_of(_TENSORS, st.none(), _ODD)),
    st.sampled_from([DONE, OOM, Outcome("hung"), Outcome("missing", what="allocate_for_decode")]),
    st.builds(
        Outcome, st.just("raised"), st.none(), st.just(Raised("ValueError", ("Exception",), "no `x`\n" * 40))
    ),
)
_REQUESTS = st.builds(RequestSeen, st.one_of(st.integers(0, 12), _ODD), st.one_of(_IDS, _ODD))
_MANAGERS = st.builds(
    ManagerSeen,
    st.one_of(_IDS, _ODD),
    st.sampled_from(_POOLS),
)
_STEPS = st.builds(
    Step,
    st.builds(CallMethod, st.sampled_from(list(Method)), st.just("a")),
    _OUTCOMES,
    st.dictionaries(st.sampled_from(["a", "b"]), _REQUESTS),
    st.dictionaries(st.just("m"), _MANAGERS),
)
LOOKS = st.builds(
    Look, language=st.sampled_from(list(Language)), width=st.integers(20, 200), plain=st.booleans()
)


@pytest.fixture(scope="module")
def play() -> Callable[..., Any]:
    return stage()


@settings(max_examples=150, deadline=None)
@given(yours=_STEPS, expected=_STEPS, look=LOOKS, brief=st.booleans())
def test_any_two_steps_fit_any_screen(yours: Step, expected: Step, look: Look, brief: bool) -> None:  # noqa: FBT001
    look = replace(look, marks=PLAIN_MARKS if look.plain else UNICODE_MARKS, colour=not look.plain)
    lines = yours_and_expected(yours, replace(expected, op=yours.op), SIZE, look, brief=brief)
    assert max(line.cell_len for line in lines) <= look.width
    assert all(char.isprintable() for line in lines for char in line.plain)
    if look.plain:
        assert not re.search("[\x1b\u2500-\u257f]", "".join(line.plain for line in lines))


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("held", _POOLS, ids=["told", "not told", "flat", "odd"])
def test_any_two_tensors_can_be_compared(held: TensorSeen | Odd, plain: bool) -> None:  # noqa: FBT001
    for mine, due in itertools.product(_SEEN, _SEEN):
        yours, expected = (
            Step(
                CallMethod(Method.GATHER, "a"),
                Outcome("done", value),
                {"a": RequestSeen(3, (1, 0))},
                {"m": ManagerSeen((2, 3, 4), pool)},
            )
            for value, pool in ((mine, held), (due, _POOLS[0]))
        )
        look = Look(Language.EN, 80, marks=PLAIN_MARKS if plain else UNICODE_MARKS, plain=plain)
        assert yours_and_expected(yours, expected, SIZE, look)


@settings(max_examples=50, deadline=None)
@given(step=_STEPS, width=st.integers(20, 120))
def test_nothing_differs_from_itself(step: Step, width: int) -> None:
    outcome = OOM if step.outcome.kind == "raised" else step.outcome
    step = replace(step, outcome=outcome)
    assert first_difference(step, step, SIZE) is None
    lines = yours_and_expected(step, step, SIZE, Look(Language.EN, width))
    assert "Both are the same." in " ".join(" ".join(line.plain for line in lines).split())
    assert not any(re.search(r"\d \*|^\* ", line.plain) for line in lines)


# name, what is said first: English, Chinese
FIRST = {
    "floor-division": (
        "a lacks logical block 1; physical block 1 would do",
        "a 缺逻辑块 1，用物理块 1 就可以",
    ),
    "remainder-zero": (
        "a has a logical block 2 (physical block 8), expected none",
        "a 多了逻辑块 2（物理块 8）",
    ),
    "never-adds": (
        "a lacks logical block 2; physical block 8 would do",
        "a 缺逻辑块 2，用物理块 8 就可以",
    ),
    "peeks": (
        "logical block 1 of a is physical block 0, expected physical block 1",
        "a 的逻辑块 1 是物理块 0，应该是物理块 1",
    ),
    "loses-blocks": ("physical block 1 is missing from the free list", "物理块 1 不在空闲池里了"),
    "half-updated": (
        "raised `IndexError('pop from empty list')`, expected: `RuntimeError('OOM')` raised",
        "抛出 `IndexError('pop from empty list')`，应该抛出 `RuntimeError('OOM')`",
    ),
    "no-cut": ("shape [12, 2], should be [9, 2]", "形状 [12, 2]，应该是 [9, 2]"),
    "sorted-ids": (
        "row 0 is from slot 0 of physical block 2, expected slot 0 of physical block 7",
        "第 0 行来自物理块 2 的槽位 0，应该来自物理块 7 的槽位 0",
    ),
    "no-cat": ("3 dimensions [2, 4, 8], should be 2 dimensions [5, 8]", "3 维 [2, 4, 8]，应该是 2 维 [5, 8]"),
    "no-tensor": (
        "returned `None`, should be a tensor of shape [5, 8]",
        "返回了 `None`，应该是 [5, 8] 的张量",
    ),
    "gives-blocks-back": ("physical block 5 is still in the free list", "物理块 5 还在空闲池里"),
}


@pytest.mark.parametrize("name", FIRST)
def test_the_first_difference_is_said(play: Callable[..., Any], name: str) -> None:
    trace = trace_of(name, play)
    for language, said in zip((Language.EN, Language.ZH), FIRST[name], strict=True):
        lines = [line.plain for line in beside(trace, Look(language, 200, colour=False))]
        head = "* first difference: " if language is Language.EN else "* 第一处不同："
        assert head + said in lines


@pytest.mark.parametrize("name", MISTAKES)
def test_a_dozen_lines_show_it_at_80_columns(play: Callable[..., Any], name: str) -> None:
    trace = trace_of(name, play)
    for language in Language:
        assert len(beside(trace, Look(language, 78), brief=True)) <= 12


@pytest.mark.parametrize("name", BREAKS)
def test_there_is_a_difference_where_a_rule_is_broken_and_none_before(
    play: Callable[..., Any], name: str
) -> None:
    old, new, scene, _ = BREAKS[name]
    for source, broken in ((SOLUTION.replace(old, new), True), (SOLUTION, False)):
        trace = played(play, source, scene)
        violation = first_violation(trace)
        assert (violation is not None) is broken
        size: MakeManager | None = None
        for at, (yours, expected) in enumerate(zip(trace.steps, expected_steps(trace), strict=True)):
            size = yours.op if isinstance(yours.op, MakeManager) else size
            assert size is not None
            difference = first_difference(yours, expected, size)
            assert (difference is not None) is (violation is not None and at == violation.step), at
            if difference is not None:
                break


@pytest.mark.parametrize(
    ("pool", "ends", "en", "zh"),
    [
        (
            "[torch.zeros(block_size, head_dim) for _ in range(num_blocks)]",
            (0, -1),
            "physical_kv_cache: [tensor[4, 3], tensor[4, 3]] (list), should be a tensor of shape [2, 4, 3]",
            "physical_kv_cache：[tensor[4, 3], tensor[4, 3]] (list)，应该是 [2, 4, 3] 的张量",
        ),
        (
            "torch.zeros(num_blocks * block_size, head_dim)",
            (0,),  # reading it gives another shape
            "physical_kv_cache: 2 dimensions [8, 3], should be 3 dimensions [2, 4, 3]",
            "physical_kv_cache：2 维 [8, 3]，应该是 3 维 [2, 4, 3]",
        ),
    ],
    ids=["a list", "two dimensions"],
)
def test_a_pool_of_another_kind_is_told_by_its_shape(
    play: Callable[..., Any], pool: str, ends: Sequence[int], en: str, zh: str
) -> None:
    source = SOLUTION.replace("torch.zeros(num_blocks, block_size, head_dim)", pool)
    trace = played(
        play, source, scenario(a_pool(2, 4, 3), holding("a", [1], 3), FillBlocks("a", (5,)), gather("a"))
    )
    expected = expected_steps(trace)
    size = trace.scenario.ops[0]
    assert isinstance(size, MakeManager)
    for at in ends:
        difference = first_difference(trace.steps[at], expected[at], size)
        assert difference is not None
        assert difference.say == Text(zh=zh, en=en)


def test_a_call_that_does_not_end_is_the_first_difference() -> None:
    op = CallMethod(Method.PREFILL, "a")
    yours, expected = (
        Step(op, outcome, {"a": RequestSeen(3, table)}, {"m": ManagerSeen((3, 4), _POOLS[0])})
        for outcome, table in ((Outcome("hung"), ()), (DONE, (1, 0)))
    )
    difference = first_difference(yours, expected, SIZE)
    assert difference is not None
    assert difference.say == Text(zh="这次调用一直没有结束", en="the call did not come to an end")


LONG = (
    "block_table of a is too long to show: more than 100,000 ids",
    "a 的 block_table 超过 100,000 个，太长了，列不出来",
    "free_blocks is too long to show: more than 100,000 ids",
    "free_blocks 超过 100,000 个，太长了，列不出来",
)


def test_a_list_that_is_too_long_is_not_called_endless_and_is_a_list(play: Callable[..., Any]) -> None:
    for source, (en, zh) in (
        (SOLUTION.replace("req.block_table.append(", "req.block_table.extend([0] * 100_001); ("), LONG[:2]),
        (
            SOLUTION.replace(
                "req.block_table.append(", "self.free_blocks += [0] * 100_001; req.block_table.append("
            ),
            LONG[2:],
        ),
    ):
        trace = played(play, source, scenario(a_pool(2, 4), request("a", 4), prefill("a")))
        yours, expected = trace.steps[-1], expected_steps(trace)[-1]
        difference = first_difference(yours, expected, MakeManager(2, 4))
        assert difference is not None
        assert difference.say == Text(zh=zh, en=en)
        violation = first_violation(trace)
        assert violation is not None
        assert "[… (> 100000)]`" in violation.actual.en
        for plain in (False, True):
            drawn = yours_and_expected(yours, expected, MakeManager(2, 4), Look(Language.EN, 80, plain=plain))
            words = "\n".join(line.plain for line in drawn)
            assert "> 100000 (list)" in words
            assert "endless" not in words


# ── in the report ────────────────────────────────────────────────────────────────────────────────


def report(trace: Trace, look: Look) -> list[str]:
    case = FailingCase("t::b", same("call"), same("due"), same("got it"), "", trace)
    return [line.plain for line in render(ReportShown(replace(FAILED, case=case)), look)]


@pytest.mark.parametrize("name", MISTAKES)
@pytest.mark.parametrize("width", [40, 80])
def test_a_failing_report_shows_the_broken_step_between_numbers_and_place(
    play: Callable[..., Any], name: str, width: int
) -> None:
    lines = report(trace_of(name, play), Look(Language.EN, width, colour=False))
    whole = " ".join(" ".join(lines).split())
    order = [whole.find(words) for words in ("got it", "yours", "* first difference:", "Look at line 3")]
    assert -1 not in order
    assert order == sorted(order)


@pytest.mark.parametrize("name", MISTAKES)
def test_a_picture_in_a_report_is_a_dozen_lines_at_80_columns(play: Callable[..., Any], name: str) -> None:
    lines = report(trace_of(name, play), Look(Language.EN, 80))
    start = next(at for at, line in enumerate(lines) if line.startswith("  yours"))
    assert lines.index("", start) - start <= 12


@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("name", MISTAKES)
def test_where_the_picture_is_too_long_its_first_difference_is_said(
    play: Callable[..., Any],
    name: str,
    language: Language,
    plain: bool,  # noqa: FBT001
) -> None:
    look = Look(language, 20, marks=PLAIN_MARKS if plain else UNICODE_MARKS, plain=plain, colour=False)
    trace = trace_of(name, play)
    squeezed = "".join("".join(report(trace, look)).split())
    violation = first_violation(trace)
    assert violation is not None
    size = trace.scenario.ops[0]
    assert isinstance(size, MakeManager)
    at = violation.step
    difference = first_difference(trace.steps[at], expected_steps(trace)[at], size)
    assert difference is not None
    assert "".join(difference.say.in_(language).split()) in squeezed


def test_a_constructor_that_fails_has_no_picture(play: Callable[..., Any]) -> None:
    trace = trace_of("floor-division", play)
    made = replace(trace.steps[0], outcome=OOM, managers={})
    broken = replace(trace, steps=(made, *trace.steps[1:]))
    violation = first_violation(broken)
    assert violation is not None
    assert violation.step == 0
    assert not any("first difference" in line for line in report(broken, Look(Language.EN)))
