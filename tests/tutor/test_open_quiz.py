"""The quiz that was left open is mentioned with the first pass, with what takes it up; and only then."""

from __future__ import annotations

import pytest

from pagetutor.text import Language
from pagetutor.tutor.checking import check_file
from pagetutor.tutor.open_quiz import open_quiz
from pagetutor.tutor.screen import LessonLeft
from tests.tutor.conftest import Desk
from tests.tutor.small import RIGHT, marked_check

TO_THE_QUIZ = ("s", "right", "", "", "", "right", "", None, None, "on", "")
LEFT_OPEN = {
    "en": "You left the question of “Make it stick” open: the next mission asks it again with other numbers, "
    "and from tomorrow on `pagetutor mission 1` does.",
    "zh": "「巩固一下」那道题你先放着了：学下一个 Mission 时会换一组数字再问一次，"
    "从明天起 `pagetutor mission 1` 也会。",
}
NOT_ANSWERED = {
    "en": "The question of “Make it stick” is not answered yet: `pagetutor mission 1` takes you there.",
    "zh": "「巩固一下」那道题还没答：运行 `pagetutor mission 1` 就能回去做。",
}
SAID = {*LEFT_OPEN.values(), *NOT_ANSWERED.values()}


@pytest.mark.parametrize("language", list(Language))
def test_a_quiz_left_open_is_mentioned_once_and_comes_back_as_told(desk: Desk, language: Language) -> None:
    desk.write(RIGHT)
    _, log = desk.sit("1", *TO_THE_QUIZ, "wrong", "on", "s", "check", "check", "leave", language=language)
    assert [line for line in log if line in SAID] == [LEFT_OPEN[language]]
    ask = "ask 1.quiz.again" if language is Language.EN else "（ask 1.quiz.again）"
    _, log = desk.sit("1", LessonLeft, language=language)
    assert f"? {ask} [right wrong odd]" not in log
    _, log = desk.sit("2", "", LessonLeft, language=language)
    assert f"? {ask} [right wrong odd]" in log
    desk.now += 86_400
    _, log = desk.sit("1", "", LessonLeft, language=language)
    assert f"? {ask} [right wrong odd]" in log


def test_a_quiz_answered_in_the_end_is_not_mentioned(desk: Desk) -> None:
    desk.write(RIGHT)
    _, log = desk.sit("1", *TO_THE_QUIZ, "wrong", "retry", "right", "", "s", "check", "leave")
    assert not SAID.intersection(log)


@pytest.mark.parametrize("language", list(Language))
def test_a_file_that_passes_before_the_quiz_was_met(desk: Desk, language: Language) -> None:
    desk.write(RIGHT)
    mission = desk.course.missions[0]
    desk.sit("1", "s", "right", LessonLeft)
    assert open_quiz(mission, desk.history) is None
    check_file(desk.course, mission, desk.workspace.file, desk.history, desk.runner, check=marked_check)
    said = open_quiz(mission, desk.history)
    assert said is not None
    assert said.in_(language) == NOT_ANSWERED[language]
