"""Files that try to be passed without being right: none is, and the honest file checked next is right."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagetutor.content.model import Course
from pagetutor.judge.check import check
from pagetutor.judge.report import CheckReport
from pagetutor.learner.port import Runner
from tests.corpus.build import SOLUTION
from tests.hostile.forging import FORGERIES, attacking, looking_up, lying, telling_cases
from tests.long import some_long

UNFORESEEN = {"1": "test_prefill.py", "2": "test_decode.py", "3": "test_gather.py"}


def checked(course: Course, runner: Runner, mission: str, source: str) -> CheckReport:
    found = next(one for one in course.missions if one.id == mission)
    return check(course, found, Path("block_manager.py").absolute(), source.encode(), runner)


@pytest.mark.parametrize("name", some_long(FORGERIES, each=2))
def test_no_forgery_passes_and_the_honest_neighbour_does(course: Course, runner: Runner, name: str) -> None:
    mission, source = FORGERIES[name]
    assert checked(course, runner, mission, source).verdict in ("failed", "stopped")
    assert checked(course, runner, mission, SOLUTION).verdict == "passed"


@pytest.mark.parametrize("mission", UNFORESEEN)
def test_looking_up_every_fixed_case_fails_in_those_that_nobody_can_foresee(
    course: Course, runner: Runner, mission: str
) -> None:
    told = checked(course, runner, mission, telling_cases(mission))
    assert told.verdict == "passed"
    assert told.prints.dropped == 0
    looked_up = checked(course, runner, mission, looking_up(mission, set(told.prints.head.splitlines())))
    assert looked_up.verdict == "failed"
    failed = [test.id for test in looked_up.tests if test.outcome == "failed"]
    assert failed == [f"{UNFORESEEN[mission]}::test_cases_nobody_can_foresee"]


def test_what_stands_behind_the_attacks_is_wrong_without_them_too(course: Course, runner: Runner) -> None:
    assert checked(course, runner, "1", attacking("pass")).verdict == "failed"
    lie = "def lie(self, req): raise RuntimeError('OOM')"
    assert checked(course, runner, "1", lying(lie)).verdict == "failed"


def test_the_course_is_as_it_was(course: Course) -> None:
    assert "test_cases_nobody_can_foresee" in (course.root / "01-prefill" / "test_prefill.py").read_text()
