"""How sure a guess is: asked once, before it is told whether it was right, and never in the way."""

from __future__ import annotations

import pytest

from pagetutor.store.events import ConfidenceGiven
from pagetutor.text import Language
from pagetutor.tutor.lesson import run_mission
from pagetutor.tutor.progress import read_progress
from pagetutor.tutor.screen import LessonLeft
from tests.tutor.conftest import Desk
from tests.tutor.scripted import Answer, Scripted

HOW_SURE = "> How sure are you? 1 a guess, 2 fairly sure, 3 sure"
GUESS = "? ask 1.guess [right wrong odd]"


def sit(desk: Desk, *script: Answer, sure: tuple[Answer, ...], language: Language = Language.EN) -> list[str]:
    """One sitting at mission 1, with these answers to how sure the guess is."""
    screen = Scripted(*script, language=language, sure=sure)
    run_mission(
        desk.course,
        desk.mission("1"),
        screen,
        history=desk.history,
        runner=desk.runner,
        workspace=desk.workspace,
        shuffle=False,
    )
    return screen.log


def given(desk: Desk) -> list[int | None]:
    return [event.level for event in desk.events if isinstance(event, ConfidenceGiven)]


def test_it_is_asked_between_the_guess_and_its_explanation(desk: Desk) -> None:
    log = sit(desk, "s", "wrong", LessonLeft, sure=("3",))
    assert log[log.index(GUESS) :][:3] == [GUESS, HOW_SURE, "explained: why wrong"]
    assert given(desk) == [3]
    assert read_progress(desk.history).of("1").confidence == {"1.guess": 3}


def test_an_empty_line_leaves_it_open_and_that_is_recorded(desk: Desk) -> None:
    sit(desk, "s", "right", LessonLeft, sure=(None,))
    assert given(desk) == [None]
    assert read_progress(desk.history).of("1").confidence == {"1.guess": None}


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (Language.EN, "1, 2 or 3 here; or Enter alone, to leave it open."),
        (Language.ZH, "这里填 1、2 或 3；不想说就直接回车。"),
    ],
)
def test_anything_else_is_asked_again_and_a_full_width_digit_is_one(
    desk: Desk, language: Language, said: str
) -> None:
    log = sit(desk, "s", "right", LessonLeft, sure=("4", "sure", "２"), language=language)
    assert log.count(said) == 2
    assert given(desk) == [2]


def test_leaving_at_it_keeps_the_guess_and_asks_it_again_and_nothing_else(desk: Desk) -> None:
    sit(desk, "s", "wrong", sure=(LessonLeft,))
    assert given(desk) == []
    log = sit(desk, LessonLeft, sure=("1",))
    assert log == [
        "== 1 guess 1/8 in the lesson",
        HOW_SURE,
        "explained: why wrong",
        "--",
        "Everything you did is kept. `pagetutor mission 1` goes on from here.",
    ]
    log = sit(desk, LessonLeft, sure=("3",))
    assert HOW_SURE not in log
    assert given(desk) == [1]


def test_the_guess_after_the_diagram_and_the_quiz_ask_for_none(desk: Desk) -> None:
    log = sit(
        desk,
        *("s", "right", "", "", "", "odd", "", None, None, "on", "", "right", LessonLeft),
        sure=("2",),
    )
    assert log.count(HOW_SURE) == 1
    assert given(desk) == [2]


def test_a_level_from_elsewhere_that_is_none_counts_as_not_said(desk: Desk) -> None:
    desk.history.append(ConfidenceGiven("1", "1.guess", 7))
    assert read_progress(desk.history).of("1").confidence == {"1.guess": None}


def test_the_first_one_recorded_holds(desk: Desk) -> None:
    desk.history.append(ConfidenceGiven("1", "1.guess", 3), ConfidenceGiven("1", "1.guess", 1))
    assert read_progress(desk.history).of("1").confidence == {"1.guess": 3}
