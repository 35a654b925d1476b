"""A file beside the learner's that bears a module's name: named where it is the reason, else a note."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagetutor.judge.report import Verdict
from tests.corpus.build import SOLUTION
from tests.judge.conftest import Judge

MINE = "def rounded_up(a, b):\n    return -(-a // b)\n"


def test_wanting_ones_own_helper_from_random_is_named_on_its_line(judge: Judge, tmp_path: Path) -> None:
    (tmp_path / "random.py").write_text(MINE)
    report = judge("1", "from random import rounded_up\n" + SOLUTION)
    assert report.verdict is Verdict.BROKEN
    assert [(one.id, one.certain) for one in report.mistakes] == [("structure.file-shadows-module", True)]
    assert report.line == 1
    span = report.mistakes[0].span
    assert span is not None
    assert span.line == 1
    assert "`random.py`" in report.mistakes[0].belief.zh
    assert "`random.py`" in report.mistakes[0].belief.en


def test_a_wrong_import_without_such_a_file_is_not_blamed_on_one(judge: Judge) -> None:
    report = judge("1", "from random import rounded_up\n" + SOLUTION)
    assert (report.verdict, report.mistakes) == (Verdict.BROKEN, ())


@pytest.mark.parametrize("name", ["torch", "typing"])
def test_a_file_that_would_shadow_an_import_elsewhere_is_a_note(
    judge: Judge, tmp_path: Path, name: str
) -> None:
    (tmp_path / f"{name}.py").write_text("raise RuntimeError\n")
    report = judge("1", SOLUTION)
    assert report.verdict is Verdict.PASSED
    (note,) = (one for one in report.notes if one.id == "file-shadows-module")
    assert f"`import {name}` gets that one" in note.say.en
    assert f"`import {name}` 拿到的会是它" in note.say.zh


def test_a_helper_with_a_name_of_its_own_is_no_note(judge: Judge, tmp_path: Path) -> None:
    (tmp_path / "rounding.py").write_text(MINE)
    report = judge("1", "import rounding\n" + SOLUTION)
    assert (report.verdict, report.notes) == (Verdict.PASSED, ())
