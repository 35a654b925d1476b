"""The lines of a call are told as they run, and nothing the code does is disturbed by it."""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable
from typing import Any

import pytest

from pagetutor.exercise.contract import first_violation
from pagetutor.exercise.scenario import Scenario, decode, holding, pool, prefill, request, scenario
from pagetutor.exercise.trace import LinesSeen, Outcome, Trace, TraceError, hung_from_wire, trace_from_wire
from pagetutor.learner.port import Frame
from tests.corpus.build import SOLUTION, with_method
from tests.exercise.playing import described, played

Stage = Callable[..., Any]
SIX_TOKENS = scenario(pool(3, 4), request("a", 6), prefill("a"))


def lines_of(trace: Trace) -> LinesSeen:
    """The lines of the last step, which is a call."""
    lines = trace.steps[-1].lines
    assert lines is not None
    return lines


def told(lines: LinesSeen) -> list[tuple[Any, ...]]:
    return [(one.how, one.depth, one.function, dict(one.values), one.table, one.free) for one in lines.seen]


def test_after_each_line_stands_what_it_left_behind(stage_lines: Stage) -> None:
    source = with_method("""
def allocate_for_prefill(self, req):
    need = self._need(req.seq_len)
    for _ in range(need):
        req.block_table.append(self.free_blocks.pop(0))

def _need(self, tokens):
    return -(-tokens // self.block_size)
""")
    lines = lines_of(played(stage_lines, source, SIX_TOKENS))
    first = source[: source.index("    need = self._need")].count("\n") + 1
    helper = source[: source.index("    return -(-tokens")].count("\n") + 1
    assert lines.ended == "whole"
    assert [one.line - first for one in lines.seen] == [0, helper - first, 0, 1, 2, 1, 2, 1]
    assert told(lines)[:4] == [
        ("calls", 0, "allocate_for_prefill", {}, (), (0, 1, 2)),
        ("done", 1, "_need", {"tokens": "6"}, (), (0, 1, 2)),
        ("done", 0, "allocate_for_prefill", {"need": "2"}, (), (0, 1, 2)),
        ("done", 0, "allocate_for_prefill", {"need": "2", "_": "0"}, (), (0, 1, 2)),
    ]
    assert told(lines)[4][4:] == ((0,), (1, 2))
    assert told(lines)[-1] == (
        *("done", 0, "allocate_for_prefill", {"need": "2", "_": "1"}),
        *((0, 1), (2,)),
    )


def test_an_exception_is_told_where_it_comes_up_and_the_outcome_is_the_same(
    stage: Stage, stage_lines: Stage
) -> None:
    scene = scenario(pool(1, 4), request("a", 6), prefill("a"))
    watched = played(stage_lines, SOLUTION, scene)
    lines = lines_of(watched)
    raising = SOLUTION[: SOLUTION.index(" " * 12 + "raise RuntimeError")].count("\n") + 1
    assert [(one.line, one.how) for one in lines.seen] == [
        (raising - 2, "done"),
        (raising - 1, "done"),
        (raising, "raised"),
    ]
    assert watched.steps[-1].outcome == played(stage, SOLUTION, scene).steps[-1].outcome


def test_an_exception_caught_on_the_way_is_told_too(stage_lines: Stage) -> None:
    source = with_method("""
def allocate_for_prefill(self, req):
    try:
        self.no_such_thing
    except AttributeError:
        pass
""")
    lines = lines_of(played(stage_lines, source, SIX_TOKENS))
    assert [one.how for one in lines.seen] == ["done", "raised", "done", "done"]


def test_only_calls_and_only_the_learners_own_lines_are_told(stage_lines: Stage) -> None:
    trace = played(stage_lines, SOLUTION, scenario(pool(3, 4), holding("a", [2], 4), decode("a")))
    assert [step.lines is None for step in trace.steps] == [True, True, True, False]
    assert {one.function for one in lines_of(trace).seen} == {"allocate_for_decode"}


@pytest.mark.parametrize("scene", [SIX_TOKENS, scenario(pool(3, 4), holding("a", [2, 0], 8), decode("a", 2))])
def test_a_watched_run_ends_as_any_other(stage: Stage, stage_lines: Stage, scene: Scenario) -> None:
    plain, watched = played(stage, SOLUTION, scene), played(stage_lines, SOLUTION, scene)
    assert [(one.outcome, one.requests, one.managers) for one in watched.steps] == [
        (one.outcome, one.requests, one.managers) for one in plain.steps
    ]
    assert first_violation(watched) is None


def test_a_long_call_is_cut_after_200_lines(stage_lines: Stage) -> None:
    source = with_method("""
def allocate_for_prefill(self, req):
    total = 0
    for number in range(1000):
        total += number
    req.block_table += [self.free_blocks.pop(), self.free_blocks.pop()]
""")
    trace = played(stage_lines, source, SIX_TOKENS)
    lines = lines_of(trace)
    assert (len(lines.seen), lines.ended) == (200, "cut")
    assert trace.steps[-1].requests["a"].table == (2, 1)


@pytest.mark.parametrize(
    "code",
    [
        "    import sys; sys.settrace(lambda *_: None); seen = sys.gettrace()",
        "    import sys; sys.settrace(None)",
    ],
)
def test_code_with_a_trace_function_of_its_own_keeps_it(stage_lines: Stage, code: str) -> None:
    source = with_method(f"""
def allocate_for_prefill(self, req):
{code}
    req.block_table += [self.free_blocks.pop(), self.free_blocks.pop()]
    sys.settrace(None)
""")
    trace = played(stage_lines, source, SIX_TOKENS)
    assert trace.steps[-1].outcome.kind == "done"
    assert trace.steps[-1].requests["a"].table == (2, 1)
    assert lines_of(trace).ended == "lost"
    assert sys.gettrace() is None


def test_a_trace_function_set_while_loading_is_left_alone(stage_lines: Stage) -> None:
    source = f"import sys\nsys.settrace(mine := lambda *_: None)\n{SOLUTION}"
    try:
        trace = played(stage_lines, source, SIX_TOKENS)
        assert sys.gettrace().__name__ == "<lambda>"  # type: ignore[union-attr]
    finally:
        sys.settrace(None)
    assert lines_of(trace) == LinesSeen((), "lost")
    assert trace.steps[-1].requests["a"].table == (0, 1)


def test_objects_that_raise_when_looked_at_do_not_reach_the_code(stage_lines: Stage) -> None:
    source = with_method("""
def allocate_for_prefill(self, req):
    class Sly(list):
        def __len__(self):
            raise KeyError("looked at")
    odd = Sly()
    self.free_blocks, kept = odd, self.free_blocks
    req.block_table += [kept.pop(), kept.pop()]
    self.free_blocks = kept
""")
    trace = played(stage_lines, source, SIX_TOKENS)
    assert trace.steps[-1].outcome.kind == "done"
    assert trace.steps[-1].managers["m"].free == (0,)
    assert lines_of(trace).ended == "whole"


def test_ids_that_are_too_long_are_told_as_that(stage_lines: Stage) -> None:
    source = with_method("""
def allocate_for_prefill(self, req):
    zero = 0
    req.block_table.extend([zero] * 3000)
    del req.block_table[:]
    req.block_table += [self.free_blocks.pop(), self.free_blocks.pop()]
""")
    lines = lines_of(played(stage_lines, source, SIX_TOKENS))
    assert [(one.table, one.free) for one in lines.seen] == [
        ((), (0, 1, 2)),
        (None, (0, 1, 2)),
        ((), (0, 1, 2)),
        ((2, 1), (0,)),
    ]


# ── reading ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("line",), "7"),
        (("depth",), True),
        (("how",), "gone"),
        (("table",), "none"),
        (("table",), None),
        (("values",), {"x": 1}),
        (("seq_len",), None),
    ],
)
def test_what_is_no_line_is_refused(stage_lines: Stage, place: tuple[str, ...], value: object) -> None:
    namespace: dict[str, Any] = {"__file__": "block_manager.py"}
    exec(compile(SOLUTION, "block_manager.py", "exec"), namespace)
    wire = copy.deepcopy(stage_lines(namespace, SIX_TOKENS.to_wire(), described))
    assert lines_of(trace_from_wire(SIX_TOKENS, wire)).ended == "whole"
    wire["steps"][-1]["lines"]["seen"][0][place[0]] = value
    with pytest.raises(TraceError):
        trace_from_wire(SIX_TOKENS, wire)


HUNG = {"kind": "hung", "line": 3, "function": "allocate_for_prefill", "requests": {}, "managers": {}}


def test_a_trace_that_was_given_up_is_shorter_and_no_trace_to_be_judged(stage_lines: Stage) -> None:
    namespace: dict[str, Any] = {"__file__": "block_manager.py"}
    exec(compile(SOLUTION, "block_manager.py", "exec"), namespace)
    wire = stage_lines(namespace, SIX_TOKENS.to_wire(limit_s=60), described)
    assert hung_from_wire(SIX_TOKENS, wire) is None  # it came to its end
    wire["steps"][1:] = [HUNG]
    given_up = hung_from_wire(SIX_TOKENS, wire)
    assert given_up is not None
    assert given_up.scenario.ops == SIX_TOKENS.ops[:2]
    assert given_up.steps[-1].outcome == Outcome("hung", at=Frame(3, "allocate_for_prefill"))
    with pytest.raises(TraceError):
        trace_from_wire(SIX_TOKENS, wire)


@pytest.mark.parametrize("steps", [[HUNG] * 4, [HUNG | {"line": "3"}], [HUNG | {"function": 3}], ["hung"]])
def test_what_is_no_trace_up_to_its_end_is_refused(steps: list[Any]) -> None:
    with pytest.raises(TraceError):
        hung_from_wire(SIX_TOKENS, {"steps": steps, "books": []})


def test_lines_end_in_a_known_way(stage_lines: Stage) -> None:
    namespace: dict[str, Any] = {"__file__": "block_manager.py"}
    exec(compile(SOLUTION, "block_manager.py", "exec"), namespace)
    wire = stage_lines(namespace, SIX_TOKENS.to_wire(), described)
    wire["steps"][-1]["lines"]["ended"] = "well"
    with pytest.raises(TraceError):
        trace_from_wire(SIX_TOKENS, wire)
