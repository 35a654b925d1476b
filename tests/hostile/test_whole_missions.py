"""Whole missions, read to their end: no line over the width, no word cut, nothing interpreted."""

from __future__ import annotations

import re

import pytest
from rich.cells import cell_len

from pagetutor.content.find import find_course
from pagetutor.content.model import Course
from pagetutor.content.read import load_course
from pagetutor.text import Language
from tests.hostile.place import SOLUTION, Place, squeezed
from tests.hostile.reader import read_plainly, read_with_keys, sentences
from tests.long import some_long

_COLOURS = re.compile(r"\x1b\[[\d;]*m")


@pytest.fixture(scope="module")
def course() -> Course:
    return load_course(find_course())


@pytest.mark.parametrize("language", some_long((Language.ZH, Language.EN), each=2))
def test_all_missions_in_plain_text_without_escapes_and_boxes(
    place: Place, course: Course, language: Language
) -> None:
    place.file.write_text(SOLUTION)
    said = read_plainly(place, language, "mission", "1")
    assert not re.findall("[\x1b\u2500-\u257f]", said)
    assert [line for line in said.split("\n") if cell_len(line.rstrip()) > 80] == []
    told = squeezed(said)
    assert [
        one.in_(language)
        for one in sentences(course, course.missions)
        if squeezed(one.in_(language)) not in told
    ] == []
    assert "4 of 4 passed" in place.run("status").out


@pytest.mark.parametrize(
    ("columns", "language"),
    [
        *((columns, language) for columns in (20, 40) for language in Language),
        (80, Language.ZH),
        (200, Language.EN),
    ],
)
def test_a_mission_with_keys_at_every_width(
    place: Place, course: Course, language: Language, columns: int
) -> None:
    terminal = read_with_keys(place, language, columns, "mission", "1")
    printed = [line.rstrip("\r") for line in _COLOURS.sub("", terminal.seen).split("\n")]
    assert [line for line in printed if "\x1b" not in line and cell_len(line.rstrip()) > columns] == []
    told = squeezed(terminal.scrolled)
    missing = [
        one.in_(language)
        for one in sentences(course, course.missions[:1])
        if squeezed(one.in_(language).replace("`", "")) not in told
    ]
    assert missing == []
    assert not terminal.cursor_is_hidden
