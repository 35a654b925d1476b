"""A course whose files are at fault: one message with file, line, path and what to write, status 3."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.hostile.place import MISSIONS, Place

MISSION = "01-prefill/mission.yaml"


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A copy of the course, to be spoiled."""
    return Path(
        shutil.copytree(MISSIONS, tmp_path / "missions", ignore=shutil.ignore_patterns("__pycache__"))
    )


def first(pattern: str, new: str, text: str) -> str:
    spoiled, count = re.subn(pattern, new, text, count=1, flags=re.MULTILINE)
    assert count == 1, pattern
    return spoiled


# name: (what is found, what is put there; what the message holds besides file and line; its language)
SPOILT = {
    "a duplicate key": (r"^guess:", "title: {zh: a, en: b}\nguess:", ["title"], "en"),
    "a tab": (r"^guess:", "guess:\n\task: x\n_:", ["制表符", "空格"], "zh"),
    "`no` as an option": (
        r"^    - id: drop-the-last\n      text:.*(?:\n        .*)*",
        "    - id: drop-the-last\n      text: no",
        ["missions[1].guess.choices[1].text: ", "`no` without quotes", 'put it in quotes: "no"'],
        "en",
    ),
    "an unquoted % b": (r"^title:.*(?:\n  .*)*", "title: % b", ['请加引号："% b"'], "zh"),
    "a missing translation": (
        r"^title:.*(?:\n  .*)*",
        "title: {zh: 只有中文}",
        ["missions[1].title: `en` is missing; write `en: …`"],
        "en",
    ),
    "an unknown key": (r"^guess:", "guesss: 1\nguess:", ["guesss", "`guess`"], "zh"),
    "no right option": (r"^( *)right: .*\n", "", ["missions[1].guess.choices: ", "right"], "en"),
    "two right options": (
        r"^( *)mistake: prefill.takes-what-there-is\n",
        r'\1right: "true"\n',
        ["missions[1].guess.choices[2]", "right"],
        "zh",
    ),
    "an alias bomb": (
        r"^guess:",
        "a0: &a0 [x, x]\n"
        + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12))
        + "guess:",
        ["a0"],
        "en",
    ),
    "a byte order mark": (r"\A", "\ufeff", ["BOM", "UTF-8"], "zh"),
}


@pytest.mark.parametrize("name", SPOILT)
def test_one_message_with_file_line_and_what_to_write(place: Place, course: Path, name: str) -> None:
    pattern, new, words, language = SPOILT[name]
    file = course / MISSION
    file.write_text(first(pattern, new, file.read_text(encoding="utf-8")), encoding="utf-8")
    ran = place.run("mission", "1", "--lang", language, PAGETUTOR_MISSIONS=str(course))
    assert (ran.status, ran.out) == (3, "")
    assert re.search(rf"{re.escape(MISSION)}:\d+", ran.err), ran.err
    assert [word for word in words if word not in ran.err] == [], ran.err
    assert "Traceback" not in ran.err


def test_faults_of_several_files_are_told_at_once_and_as_one_document(place: Place, course: Path) -> None:
    for mission in ("01-prefill", "02-decode"):
        file = course / mission / "mission.yaml"
        file.write_text(
            first("^guess:", "guesss: 1\nguess:", file.read_text(encoding="utf-8")), encoding="utf-8"
        )
    ran = place.run("check", "1", "--json", "--lang", "en", PAGETUTOR_MISSIONS=str(course))
    assert (ran.status, ran.err) == (3, "")
    say = ran.document["error"]["say"]
    assert "01-prefill/mission.yaml:" in say
    assert "02-decode/mission.yaml:" in say
    assert ran.document["error"]["code"] == 3


def test_a_course_that_is_not_there_is_said(place: Place) -> None:
    ran = place.run("list", "--lang", "en", PAGETUTOR_MISSIONS="/nowhere/at/all")
    assert (ran.status, ran.out) == (3, "")
    assert "/nowhere/at/all" in ran.err
