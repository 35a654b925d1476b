"""No page is too long for a screen of 24 lines and 80 columns, and no drawing for one of 40 columns."""

from __future__ import annotations

import io

import pytest
from rich.text import Text as Line

from pagetutor.content.model import Block, Course, Drawing, Page, PartName, Pool, Pools
from pagetutor.text import Language
from pagetutor.text.cells import cells
from pagetutor.tutor.parts import parts_of
from pagetutor.tutor.screen import PageShown, Showable
from pagetutor.ui.render import render
from pagetutor.ui.render.look import Look
from pagetutor.ui.screen.paper import Paper
from tests.coverage.seen import part_shown

HEIGHT = 24


def pages_of(values: list[Showable], look: Look) -> list[list[str]]:
    """What stands between two pauses where the screen of a lesson shows these values, line by line."""
    stream = io.StringIO()
    paper = Paper(stream, plain=True)
    pages: list[list[str]] = []

    def pause() -> None:
        pages.append(stream.getvalue().splitlines())
        stream.seek(0)
        stream.truncate()

    for value in values:
        paper.print_paged([*render(value, look), Line("")], pause)
    pause()
    return pages


def parts(course: Course) -> dict[str, list[Showable]]:
    shown: dict[str, list[Showable]] = {"prologue": [PageShown(course.prologue)]}
    for mission in course.missions:
        for part in parts_of(mission):
            shown[f"{mission.id} {part}"] = part_shown(mission, part)
    return shown


@pytest.fixture(autouse=True)
def screen_of_24_by_80(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", str(HEIGHT))


@pytest.mark.parametrize("language", list(Language))
def test_no_page_between_pauses_is_longer_than_the_screen_and_none_loses_a_line(
    course: Course, language: Language
) -> None:
    for unfolded in (False, True):
        look = Look(language, colour=False, unfolded=unfolded)
        for name, values in parts(course).items():
            pages = pages_of(values, look)
            assert [len(page) for page in pages if len(page) >= HEIGHT] == [], name  # the pause takes a line
            whole = [line.plain for value in values for line in render(value, look) if line.plain]
            assert [line for page in pages for line in page if line] == whole, name


@pytest.mark.parametrize("language", list(Language))
def test_the_prologue_is_one_screen(course: Course, language: Language) -> None:
    [page] = pages_of([PageShown(course.prologue)], Look(language))
    assert len(page) < HEIGHT


@pytest.mark.parametrize("language", list(Language))
def test_a_question_stands_on_one_screen_with_all_its_options(course: Course, language: Language) -> None:
    for mission in course.missions[:3]:
        for part in (PartName.GUESS, PartName.QUIZ):
            [page] = pages_of(part_shown(mission, part), Look(language, colour=False))
            assert len(page) + 4 < HEIGHT  # the menu's own rows and its instruction


def blocks_of(course: Course) -> list[tuple[str, Block]]:
    pages: dict[str, Page] = {"prologue": course.prologue}
    for mission in course.missions:
        pages |= {
            f"{mission.id} background": mission.background,
            f"{mission.id} diagram": mission.diagram,
            f"{mission.id} exercise": mission.exercise.page,
        }
    return [(name, block) for name, page in pages.items() for block in page]


def drawings(course: Course) -> list[tuple[str, Drawing]]:
    return [(name, block) for name, block in blocks_of(course) if isinstance(block, Drawing)]


def pools(course: Course) -> list[tuple[str, Block]]:
    return [(name, block) for name, block in blocks_of(course) if isinstance(block, Pool | Pools)]


def test_every_lesson_has_a_drawing(course: Course) -> None:
    names = {name for name, _ in drawings(course)}
    assert {"prologue", "1 diagram", "2 diagram", "3 diagram"} <= names


@pytest.mark.parametrize("language", list(Language))
def test_every_drawing_is_legible_at_40_columns_and_says_what_it_shows(
    course: Course, language: Language
) -> None:
    for name, drawing in drawings(course):
        rows = drawing.art.in_(language).splitlines()
        assert [row for row in rows if cells(row) > 38] == [], name
        assert len(drawing.says.in_(language)) > 20, name
        at_40 = [line.plain.strip() for line in render(PageShown((drawing,)), Look(language, width=40))]
        assert at_40 == [row.strip() for row in rows], name


def test_every_mission_shows_its_example_in_a_pool(course: Course) -> None:
    assert [name for name, _ in pools(course)] == ["1 diagram", "2 diagram", "3 diagram"]


@pytest.mark.parametrize("language", list(Language))
def test_no_drawing_is_torn_by_a_pause(course: Course, language: Language) -> None:
    look = Look(language, colour=False)
    for name, values in parts(course).items():
        pages = ["\n".join(page) for page in pages_of(values, look)]
        for where, drawing in (*drawings(course), *pools(course)):
            if where == name:
                art = "\n".join(line.plain for line in render(PageShown((drawing,)), look))
                assert any(art in page for page in pages), (name, art)
