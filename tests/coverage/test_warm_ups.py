"""Every warm-up ends as it says, and as CONTENT.md says; a changed number does what is told of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pagetutor.content.model import Course
from pagetutor.tutor.warming_up import turned
from tests.coverage.row import changed
from tests.coverage.warm_ups import End, run_programs, warm_up_complaints, warm_ups, watched


@pytest.fixture(scope="module")
def ends(course: Course) -> dict[str, End]:
    """How each warm-up ends, as it is and with each suggested number: torch is imported once."""
    programs = {}
    for mission, warm_up in warm_ups(course).items():
        programs[mission] = (warm_up.program, watched(warm_up))
        for knob in warm_up.knobs:
            program = turned(warm_up.program, knob.name, knob.suggested)
            assert program != warm_up.program
            programs[f"{mission}.{knob.name}"] = (program, watched(warm_up))
    return dict(zip(programs, run_programs(list(programs.values())), strict=True))


@pytest.mark.parametrize("mission", ["1", "2", "3"])
def test_a_warm_up_prints_and_ends_as_it_says(course: Course, ends: dict[str, End], mission: str) -> None:
    assert warm_up_complaints(mission, warm_ups(course)[mission], ends[mission]) == []


def test_a_wrong_end_value_is_told_with_its_place(course: Course, ends: dict[str, End]) -> None:
    wrong = changed(course, "missions[1].warm_up.predictions[0].ends_as", lambda _: "2")
    assert warm_up_complaints("1", warm_ups(wrong)["1"], ends["1"]) == [
        "missions[1].warm_up.predictions[0].ends_as: boxes_needed ends as 3, not 2"
    ]


def test_wrong_output_is_told_with_its_place(course: Course, ends: dict[str, End]) -> None:
    wrong = changed(course, "missions[2].warm_up.output", lambda _: "current_people: 9\n")
    [said] = warm_up_complaints("2", warm_ups(wrong)["2"], ends["2"])
    assert said.startswith("missions[2].warm_up.output is 'current_people: 9\\n', but it prints ")


def test_a_program_that_raises_is_told_with_its_place(course: Course, ends: dict[str, End]) -> None:
    said = warm_up_complaints("1", warm_ups(course)["1"], ends["1.item_count"])
    assert said[0] == "missions[1].warm_up.program raised RuntimeError: FULL"


def test_21_items_are_too_many_and_nothing_is_taken(ends: dict[str, End]) -> None:
    assert ends["1.item_count"] == End(
        output="",
        values={"boxes_needed": "5", "assigned": "[]", "available": "[20, 7, 31, 9]"},
        raised="RuntimeError: FULL",
    )


def test_11_items_fill_a_box_of_11(ends: dict[str, End]) -> None:
    assert (ends["1.box_capacity"].values["boxes_needed"], ends["1.box_capacity"].raised) == ("1", None)


def test_the_8th_person_needs_no_row(ends: dict[str, End]) -> None:
    assert replace(ends["2.current_people"], output="") == End(
        output="",
        values={
            "current_people": "8",
            "needs_row": "False",
            "assigned_rows": "[4, 9]",
            "free_rows": "[12, 13]",
        },
        raised=None,
    )


def test_4_rows_to_a_page_join_to_8(ends: dict[str, End]) -> None:
    assert ends["3.rows_per_page"].output == "[8, 2]\n[5, 2]\n"
