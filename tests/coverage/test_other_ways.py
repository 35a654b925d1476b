"""Every other right way a learner is shown keeps the contract: the real judge passes it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pagetutor.content.model import Course
from pagetutor.content.read import load_course
from pagetutor.judge.check import check
from pagetutor.judge.report import Verdict
from pagetutor.learner.port import Runner
from pagetutor.learner.runner import open_runner
from tests.corpus.build import SOLUTION, with_method
from tests.coverage.yaml_places import ROOT

WAYS = [
    pytest.param(mission.id, way.code, id=f"{mission.id} {way.title.en}")
    for mission in load_course(ROOT).missions
    for way in mission.other_ways
]


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    opened = open_runner()
    opened.warm()
    yield opened
    opened.close()


def test_every_mission_has_two() -> None:
    assert [[way.title.en for way in mission.other_ways] for mission in load_course(ROOT).missions] == [
        ["Slice them off the tail", "`divmod`, and a new list"],
        ["Count the tokens before it", "Check first, count last"],
        ["Index with the whole table at once", "Make the result first, then copy block by block"],
        ["One method behind prefill and decode", "Fetch by slot, not by block"],
    ]


@pytest.mark.parametrize(("mission_id", "code"), WAYS)
def test_it_passes(course: Course, runner: Runner, tmp_path: Path, mission_id: str, code: str) -> None:
    mission = next(one for one in course.missions if one.id == mission_id)
    source = with_method(code).encode()
    assert source != SOLUTION.encode()
    path = tmp_path / "block_manager.py"
    path.write_bytes(source)
    report = check(course, mission, path, source, runner)
    failed = [(test.id, test.expected, test.actual) for test in report.tests if test.outcome != "passed"]
    assert (report.verdict, report.say, failed) == (Verdict.PASSED, None, [])
