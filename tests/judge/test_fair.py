"""FAIR.md, a test each: whatever keeps the contract passes, whatever it looks like."""

from __future__ import annotations

import pytest

from pagetutor.judge.report import Verdict
from tests.corpus.right import RIGHT
from tests.corpus.right_unusual import RIGHT_UNUSUAL
from tests.judge.conftest import Judge
from tests.long import LONG


def _missions(name: str, missions: str) -> list[str]:
    """Those to check: the whole exercise runs every mission's tests, so it speaks for them."""
    every = ["1", "2", "3", "final"] if missions == "all" else missions.split()
    return ["final"] if "final" in every and name != "the reference" else every


CASES = [
    pytest.param(mission, source, id=f"{mission} {name}", marks=[LONG] if name in RIGHT_UNUSUAL else [])
    for name, (missions, source) in {**RIGHT, **RIGHT_UNUSUAL}.items()
    for mission in _missions(name, missions)
]


@pytest.mark.parametrize(("mission", "source"), CASES)
def test_a_right_file_passes(judge: Judge, mission: str, source: str) -> None:
    report = judge(mission, source)
    failed = [(test.id, test.expected, test.actual) for test in report.tests if test.outcome != "passed"]
    assert (report.verdict, report.say, failed) == (Verdict.PASSED, None, [])


@pytest.mark.parametrize(
    ("name", "note"),
    [
        ("prefill: takes from the tail", "takes-from-tail"),
        ("noise: List in a signature, without its import", "lent-typing-names"),
        ("an owner map beside the free list", "by-own-calls"),
        ("a bitmap decides what is free", "by-own-calls"),
    ],
)
def test_what_is_legal_and_worth_knowing_is_noted(judge: Judge, name: str, note: str) -> None:
    report = judge("1" if "owner" not in name else "3", RIGHT[name][1])
    assert [one.id for one in report.notes] == [note]


def test_an_ordinary_pass_has_no_notes(judge: Judge) -> None:
    assert judge("1", RIGHT["the reference"][1]).notes == ()
