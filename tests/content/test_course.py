"""The course that ships: it loads, agrees with itself, and reads the same without libyaml."""

from __future__ import annotations

import pytest
import yaml

from pagetutor.content.find import find_course
from pagetutor.content.lint import lint_course
from pagetutor.content.read import load_course

ROOT = find_course()


def test_the_course_loads_with_its_models() -> None:
    course = load_course(ROOT, with_models=True)
    assert [mission.id for mission in course.missions] == ["1", "2", "3", "final"]
    assert all(mission.models for mission in course.missions)


def test_the_course_is_clean() -> None:
    assert [fault.say.en for fault in lint_course(ROOT)] == []


def test_a_question_once_missed_can_be_asked_again() -> None:
    questions = [
        question
        for mission in load_course(ROOT).missions
        for question in (mission.guess, mission.quiz)
        if question is not None
    ]
    assert len(questions) == 6
    assert all(question.again is not None for question in questions)


def test_every_guess_names_the_test_that_plays_its_case() -> None:
    guesses = [mission.guess for mission in load_course(ROOT).missions if mission.guess is not None]
    assert [guess.evidence for guess in guesses] == [
        "test_one_block_is_not_enough_for_five_tokens",
        "test_the_ninth_token_takes_a_third_block",
        "test_five_tokens_keep_one_row_of_the_second_block",
    ]


def test_without_libyaml_it_reads_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    before = load_course(ROOT)
    monkeypatch.delattr(yaml, "CBaseLoader")
    assert load_course(ROOT) == before
