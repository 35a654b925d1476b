"""A lesson answered out of a file: one line an answer, none for the pauses, and no more than was answered."""

from __future__ import annotations

from typing import Any

import pytest

from pagetutor.content.find import find_course
from pagetutor.content.model import Mission, Question
from pagetutor.content.read import load_course
from tests.hostile.place import SOLUTION, Place

ENDED = {
    "zh": "pagetutor: 输入提前结束了：已经回答的都保存了，请在终端里运行，或补上剩下的回答。\n",
    "en": "pagetutor: The input ended too early: what was answered is kept. Run this in a terminal, or give "
    "the answers that are missing.\n",
}


@pytest.fixture(scope="module")
def mission() -> Mission:
    return load_course(find_course()).missions[0]


def answers_to(mission: Mission) -> list[tuple[str, list[Any] | None]]:
    """Line by line what is answered, and what of it is then recorded."""
    assert mission.guess is not None
    assert mission.quiz is not None
    assert mission.warm_up is not None
    assert mission.hand_trace is not None
    lines: list[tuple[str, list[Any] | None]] = [
        (number_of_right(mission.guess), ["answered", mission.guess.right.id]),
        ("3", ["confidence", 3]),
        (number_of_right(mission.guess), ["answered", mission.guess.right.id]),
    ]
    for prediction in mission.warm_up.predictions:
        lines.append((prediction.ends_as, ["predicted", prediction.ends_as]))
    lines.append((str(2 * len(mission.warm_up.knobs) + 1), None))  # the menu's last row: go on
    lines.append((number_of_right(mission.quiz), ["answered", mission.quiz.right.id]))
    for row in mission.hand_trace.rows:
        lines += [(cell.answer, ["hand-trace", cell.answer]) for cell in row.cells]
    return lines


def number_of_right(question: Question) -> str:
    return str(1 + question.choices.index(question.right))


def recorded(place: Place) -> list[list[Any]]:
    kept = {"answered": "choice", "confidence": "level", "predicted": "value", "hand-trace": "answer"}
    events = place.run("progress", "export").document["events"]
    return [[one["kind"], one["data"][kept[one["kind"]]]] for one in events if one["kind"] in kept]


@pytest.mark.parametrize("language", ENDED)
def test_a_whole_lesson_out_of_a_file_of_answers(place: Place, mission: Mission, language: str) -> None:
    place.file.write_text(SOLUTION)
    lines = answers_to(mission)
    typed = "".join(f"{line}\n" for line, _ in lines)
    ran = place.run("mission", "1", "--no-shuffle", "--lang", language, typed=f"{typed}q\n")
    assert (ran.status, ran.err) == (0, "")
    assert recorded(place) == [event for _, event in lines if event is not None]


@pytest.mark.parametrize("language", ENDED)
def test_a_file_that_ends_too_early_leaves_what_was_answered(
    place: Place, mission: Mission, language: str
) -> None:
    for given in ([], answers_to(mission)[:3]):  # at the first pause, and in the middle
        typed = "".join(f"{line}\n" for line, _ in given)
        ran = place.run("mission", "1", "--no-shuffle", "--lang", language, typed=typed)
        assert (ran.status, ran.err) == (2, ENDED[language])
        assert recorded(place) == [event for _, event in given]
