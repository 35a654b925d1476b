"""A mistake met while the file is loaded sends its reader to a part that is there, as any other does."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagetutor.content.model import Course
from pagetutor.judge.report import CheckReport, Reason
from pagetutor.learner.port import Runner
from pagetutor.text import same
from pagetutor.tutor.checking import check_source
from pagetutor.tutor.finding import find_mission, find_part
from tests.corpus.build import SOLUTION
from tests.judge.conftest import Judge


def parts_to_reread(course: Course, report: CheckReport) -> list[str]:
    """The command's two words for each mistake; UsageError where `show` knows no such part."""
    told = []
    for mistake in report.mistakes:
        assert mistake.reread_in is not None
        part = find_part(find_mission(course, mistake.reread_in), str(mistake.reread))
        told.append(f"{mistake.reread_in} {part}")
    return told


@pytest.mark.parametrize(("mission", "told"), [("final", "1 mapping"), ("2", "2 mapping")])
def test_an_unknown_name_at_the_files_own_level(
    judge: Judge, course: Course, mission: str, told: str
) -> None:
    report = judge(mission, SOLUTION + "\nno_such_name\n")
    assert report.reason is Reason.IMPORT
    assert parts_to_reread(course, report) == [told]


def test_a_module_shadowed_by_a_file_beside(judge: Judge, course: Course, tmp_path: Path) -> None:
    (tmp_path / "random.py").write_text("")
    report = judge("final", "from random import rounded_up\n" + SOLUTION)
    assert [mistake.id for mistake in report.mistakes] == ["structure.file-shadows-module"]
    assert len(parts_to_reread(course, report)) == 1


@pytest.mark.parametrize("mission", ["1", "final"])
def test_what_cannot_be_read_and_what_is_no_python_list_the_same_tests(
    judge: Judge, course: Course, runner: Runner, mission: str
) -> None:
    unreadable = check_source(
        course, find_mission(course, mission), Path("block_manager.py"), same("cannot be read"), runner
    )
    assert unreadable.reason is Reason.UNREADABLE
    assert unreadable.tests == judge(mission, "def").tests
