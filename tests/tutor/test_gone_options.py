"""An option that was chosen and is gone from the course counts as not answered, at every place."""

from __future__ import annotations

import pytest

from pagetutor.content.model import PartName
from pagetutor.store.events import Answered, Checked, ConfidenceGiven, PartDone
from pagetutor.text import Language
from pagetutor.tutor.evidence import evidence
from pagetutor.tutor.open_quiz import open_quiz
from pagetutor.tutor.parts import Step
from pagetutor.tutor.progress import read_progress
from pagetutor.tutor.recap import recap
from pagetutor.tutor.reread import show_contents
from pagetutor.tutor.screen import LessonLeft
from tests.tutor.conftest import Desk
from tests.tutor.scripted import Scripted
from tests.tutor.small import RIGHT
from tests.tutor.test_evidence import witnessed


def answered(desk: Desk, question: str, *choices: str) -> None:
    desk.history.append(*(Answered("1", question, choice, right=choice == "right") for choice in choices))


def behind(desk: Desk, *steps: Step) -> None:
    desk.history.append(*(PartDone("1", step) for step in steps))


def test_the_guess_is_asked_again(desk: Desk) -> None:
    answered(desk, "1.guess", "gone")
    desk.history.append(ConfidenceGiven("1", "1.guess", 2))
    _, log = desk.sit("1", "s", "right", LessonLeft)
    assert "? ask 1.guess [right wrong odd]" in log


def test_the_guess_is_met_again_with_nothing_preselected(desk: Desk) -> None:
    answered(desk, "1.guess", "gone")
    behind(desk, Step.GUESS, Step.BACKGROUND, Step.DIAGRAM)
    _, log = desk.sit("1", "s", "right", LessonLeft)
    assert "? ask 1.guess [right wrong odd]" in log


def test_the_quiz_is_asked_again(desk: Desk) -> None:
    answered(desk, "1.quiz", "gone")
    behind(desk, *(step for step in Step if step not in (Step.QUIZ, Step.HAND_TRACE, Step.EXERCISE)))
    _, log = desk.sit("1", "s", "right", LessonLeft)
    assert "? ask 1.quiz [right wrong odd]" in log


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        (("gone",), []),
        (("right", "gone"), []),
        (("gone", "right"), ["You chose: option right", "explained: why right"]),
        (
            ("wrong", "right"),
            ["You first chose: option wrong; and then: option right", "explained: why right"],
        ),
    ],
)
def test_a_question_is_reread_with_the_answers_that_are_left(
    desk: Desk, choices: tuple[str, ...], said: list[str]
) -> None:
    answered(desk, "1.guess", *choices)
    screen = Scripted(language=Language.EN)
    show_contents(desk.mission("1"), PartName.GUESS, screen, desk.history)
    assert screen.log[1:] == said


def test_the_quiz_is_mentioned_as_not_answered_with_the_first_pass(desk: Desk) -> None:
    answered(desk, "1.quiz", "gone")
    desk.history.append(Checked("1", "passed", (), "", "", 0.1))
    said = open_quiz(desk.mission("1"), desk.history)
    assert said is not None
    assert said.en == (
        "The question of “Make it stick” is not answered yet: `pagetutor mission 1` takes you there."
    )


def test_neither_the_evidence_nor_the_recap_tells_of_it(desk: Desk) -> None:
    answered(desk, "1.guess", "gone", "right")
    answered(desk, "1.quiz", "right", "gone")
    mission = desk.mission("1")
    report = witnessed(desk.course, mission, desk.workspace.file, RIGHT.encode(), desk.runner, deadline_s=1.0)
    assert evidence(mission, report, read_progress(desk.history)) is None
    (found,) = recap(desk.course, desk.history.records()).missions
    assert found.given == ()
