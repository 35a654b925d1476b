"""Random ids are legal, random answers are not: what is asked twice is answered alike."""

from __future__ import annotations

import pytest

from pagetutor.exercise.renamed import renamed
from pagetutor.exercise.scenario import FillPool, Scenario, decode, gather, pool, prefill, request, scenario
from pagetutor.exercise.trace import trace_from_wire
from pagetutor.judge.report import Reason, Verdict
from pagetutor.learner.port import Json
from tests.corpus.build import SOLUTION, with_method
from tests.judge.conftest import Judge

PREFILL = """
def allocate_for_prefill(self, req):
    need = (req.seq_len + self.block_size - 1) // self.block_size
    if need > len(self.free_blocks):
        raise RuntimeError("OOM")
    {body}
"""
TAKE = "req.block_table += [self.free_blocks.pop(0) for _ in range(need)]"

CHANCE = {
    "a block more, now and then": "import random; need += random.random() < 0.2 and need < len(self.free_blocks)",
    "by the clock": "import time; need += time.perf_counter_ns() % 3 == 0 and need < len(self.free_blocks)",
    "an order by chance in the old table": "import random; random.shuffle(req.block_table); need += random.choice([0, 0, -1])",
    "by the identity of an object": "need += id(object()) // 16 % 5 == 0 and need < len(self.free_blocks)",
}


@pytest.mark.parametrize("name", CHANCE)
def test_an_answer_by_chance_is_never_a_pass(judge: Judge, name: str) -> None:
    report = judge("1", with_method(PREFILL.format(body=f"{CHANCE[name]}\n    {TAKE}")))
    assert report.verdict in (Verdict.STOPPED, Verdict.FAILED)
    if report.verdict is Verdict.STOPPED:
        assert report.reason is Reason.NONDETERMINISTIC


RIGHT_ONCE = """
def allocate_for_prefill(self, req):
    need = (req.seq_len + self.block_size - 1) // self.block_size
    if need > len(self.free_blocks):
        raise RuntimeError("OOM")
    KVCacheManager.calls = getattr(KVCacheManager, "calls", 0) + 1
    need += KVCacheManager.calls > {most} and need < len(self.free_blocks)
    req.block_table += [self.free_blocks.pop(0) for _ in range(need)]
"""


def test_what_a_class_remembers_must_not_change_answers(judge: Judge) -> None:
    # Right for as long as one run of the tests lasts: only asking more often shows it.
    for most in (50, 60):
        report = judge("1", with_method(RIGHT_ONCE.format(most=most)))
        assert (report.verdict, report.reason) == (Verdict.STOPPED, Reason.NONDETERMINISTIC)


def test_the_sentence_tells_the_call_and_both_answers(judge: Judge) -> None:
    source = with_method(RIGHT_ONCE.format(most=50))
    report = judge("1", source)
    assert report.say is not None
    assert report.say.en.startswith("The same call does not always give the same result: `block_size=")
    assert "`allocate_for_prefill(" in report.say.en
    assert ". Once it was `seq_len == " in report.say.en
    assert report.say.zh.startswith("同样的调用，每次结果不一样：`block_size=")
    assert "。一次是 `seq_len == " in report.say.zh
    assert report.line == source[: source.index("def allocate_for_prefill")].count("\n") + 1


def test_a_process_that_ends_in_one_run_alone_is_no_pass(judge: Judge) -> None:
    # In the second process the odd calls are the same ones, the even ones their repetition.
    body = "import os; KVCacheManager.n = getattr(KVCacheManager, 'n', 0) + 1\n    os._exit(0) if KVCacheManager.n > 50 else 0"
    report = judge("1", with_method(PREFILL.format(body=f"{body}\n    {TAKE}")))
    assert (report.verdict, report.reason) == (Verdict.STOPPED, Reason.NONDETERMINISTIC)
    assert report.say is not None
    assert report.say.en == (
        "The same code was run twice: once it came to its end, once it did not. Look for chance, for the "
        "clock, or for what a class or module remembers."
    )
    assert report.say.zh == (
        "同样的代码跑两遍，一遍跑完了，一遍没跑完。看看哪里用了随机数、时间，或者类和模块里记着的东西。"
    )


@pytest.mark.parametrize("mission", ["1", "2", "final"])
def test_random_ids_are_legal(judge: Judge, mission: str) -> None:
    source = SOLUTION.replace(
        "self.free_blocks.pop(0)",
        "self.free_blocks.pop(__import__('random').randrange(len(self.free_blocks)))",
    )
    assert source != SOLUTION
    assert judge(mission, source).verdict is Verdict.PASSED


def test_memory_that_changes_no_answer_is_legal(judge: Judge) -> None:
    body = "KVCacheManager.seen = getattr(KVCacheManager, 'seen', []) + [req.request_id]"
    assert judge("1", with_method(PREFILL.format(body=f"{body}\n    {TAKE}"))).verdict is Verdict.PASSED


def test_prints_of_the_second_process_are_not_shown(judge: Judge) -> None:
    body = "KVCacheManager.n = getattr(KVCacheManager, 'n', 0) + 1; print('call', KVCacheManager.n)"
    report = judge("1", with_method(PREFILL.format(body=f"{body}\n    {TAKE}")))
    shown = report.prints.head.splitlines()
    assert shown == [f"call {number}" for number in range(1, len(shown) + 1)]


# ── the normal form ──────────────────────────────────────────────────────────────────────────────

LIFE = scenario(pool(4, 2, 1), request("a", 3), prefill("a"), decode("a"), FillPool(), gather("a"))


def told(first: int, second: int, *, free: list[int], values: list[int]) -> Json:
    """The trace of `LIFE` where the request holds these two blocks."""

    def step(
        kind: dict[str, Json], seq_len: int | None, table: list[int], left: list[int], *, full: bool
    ) -> Json:
        pool_seen: Json = {"shape": [4, 2, 1], "values": list(range(8)) if full else None}
        seen: Json = {"seq_len": seq_len, "table": list(table), "extra": [], "shares": []}
        requests: Json = {} if seq_len is None else {"a": seen}
        return {
            **kind,
            "requests": requests,
            "managers": {"m": {"free": list(left), "pool": pool_seen, "extra": [], "shares": []}},
        }

    done: dict[str, Json] = {"kind": "done", "value": None}
    held, every = [first, second], [0, 1, 2, 3]
    rows: dict[str, Json] = {"kind": "done", "value": {"shape": [4, 1], "values": list(values)}}
    steps = [
        step(done, None, [], every, full=False),
        step(done, 3, [], every, full=False),
        step(done, 3, held, free, full=False),
        step(done, 4, held, free, full=False),
        step(done, 4, held, free, full=True),
        step(rows, 4, held, free, full=True),
    ]
    return {"steps": list(steps), "books": []}


def form(played: Scenario, wire: Json) -> object:
    return renamed(trace_from_wire(played, wire))


def test_other_ids_are_the_same_answer() -> None:
    one = form(LIFE, told(0, 1, free=[2, 3], values=[0, 1, 2, 3]))
    other = form(LIFE, told(3, 1, free=[2, 0], values=[6, 7, 2, 3]))
    assert one == other


@pytest.mark.parametrize(
    "wrong",
    [
        told(0, 0, free=[2, 3], values=[0, 1, 0, 1]),  # one block twice
        told(0, 1, free=[2], values=[0, 1, 2, 3]),  # another number free
        told(0, 1, free=[1, 3], values=[0, 1, 2, 3]),  # a block both held and free
        told(0, 1, free=[2, 3], values=[2, 3, 0, 1]),  # rows in another order
        told(0, 1, free=[2, 3], values=[0, 1, 2, 5]),  # a row out of no table's block
    ],
)
def test_another_answer_is_told_apart(wrong: Json) -> None:
    assert form(LIFE, wrong) != form(LIFE, told(0, 1, free=[2, 3], values=[0, 1, 2, 3]))
