"""Hostile files: each has its verdict, reason, line and whole sentence, and the honest file next passes."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagetutor.content.model import Course
from pagetutor.judge.check import check
from pagetutor.judge.report import CheckReport
from pagetutor.learner.port import Runner
from pagetutor.text import Text
from tests.corpus.build import SOLUTION
from tests.hostile.codes import TABLE, Row
from tests.long import some_long


@pytest.mark.parametrize("name", some_long(TABLE, each=2))
def test_a_hostile_file_is_named_and_the_next_check_is_right(
    course: Course, runner: Runner, name: str
) -> None:
    assert_named(course, runner, TABLE[name])


def assert_named(course: Course, runner: Runner, row: Row) -> None:
    report = checked(course, runner, row.mission, row.source, row.deadline_s)
    said = None if row.say is None else (row.say.zh, row.say.en)
    assert (report.verdict.value, report.reason, told(report)) == (row.verdict, row.reason, said)
    assert row.verdict == "failed" or report.line == row.line
    assert checked(course, runner, row.mission, SOLUTION).verdict == "passed"


def checked(
    course: Course, runner: Runner, mission_id: str, source: str, deadline_s: float = 20.0
) -> CheckReport:
    mission = next(one for one in course.missions if one.id == mission_id)
    path = Path("block_manager.py").absolute()
    return check(course, mission, path, source.encode(), runner, deadline_s=deadline_s)


def told(report: CheckReport) -> tuple[str, str] | None:
    """The report's sentence, or what the first failing test got."""
    failed: list[Text | None] = [test.actual for test in report.tests if test.outcome == "failed"]
    say = failed[0] if report.verdict == "failed" else report.say
    return None if say is None else (say.zh, say.en)
