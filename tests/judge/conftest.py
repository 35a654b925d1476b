"""One warm runner and the real course for all of the judge's tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pagetutor.content.find import find_course
from pagetutor.content.model import Course
from pagetutor.content.read import load_course
from pagetutor.judge.check import check
from pagetutor.judge.report import CheckReport
from pagetutor.learner.port import Runner
from pagetutor.learner.runner import open_runner

Judge = Callable[..., CheckReport]


@pytest.fixture(scope="session")
def course() -> Course:
    return load_course(find_course(), with_models=True)


@pytest.fixture(scope="session")
def runner() -> Iterator[Runner]:
    opened = open_runner()
    opened.warm()
    yield opened
    opened.close()


@pytest.fixture
def judge(course: Course, runner: Runner, tmp_path: Path) -> Judge:
    """`judge("1", source)`: the report on these words or bytes, lying in a folder of their own."""

    def judged(mission_id: str, source: str | bytes, *, deadline_s: float = 5.0) -> CheckReport:
        raw = source.encode() if isinstance(source, str) else source
        path = tmp_path / "block_manager.py"
        path.write_bytes(raw)
        mission = next(one for one in course.missions if one.id == mission_id)
        return check(course, mission, path, raw, runner, deadline_s=deadline_s)

    return judged
