"""Each claim of the content broken in turn, in a copy of the real course: the message names it."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from pagetutor.content.fault import CourseError
from pagetutor.content.lint import lint_course
from pagetutor.content.read import load_course, load_models
from tests.coverage.row import mission_of
from tests.coverage.seen import complaints
from tests.coverage.table import ROWS
from tests.coverage.yaml_places import ROOT

MISSION_1 = "01-prefill/mission.yaml"
MISSION_2 = "02-decode/mission.yaml"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The real course, to be broken."""
    return shutil.copytree(ROOT, tmp_path / "missions", ignore=shutil.ignore_patterns("__pycache__"))


def broken(root: Path, file: str, old: str, new: str, *, count: int = 1) -> int:
    """Replace the first `old` of a file; the line it stood in, counted from 1."""
    path = root / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, count), encoding="utf-8")
    return text[: text.index(old)].count("\n") + 1


def said_in_english(root: Path) -> list[str]:
    return [fault.say.en for fault in lint_course(root)]


def red_rows(root: Path, mission: str) -> list[str]:
    course = load_course(root)
    rows = (row for row in ROWS if mission_of(row.paths[0]) == mission)
    return [line for row in rows for line in complaints(course, row)]


def test_the_copy_as_it_is_has_no_fault(copy: Path) -> None:
    assert said_in_english(copy) == []


RIGHT_OF_GUESS = """      right: "true"
    - id: drop-the-last
"""


def test_no_option_right(copy: Path) -> None:
    broken(copy, MISSION_1, RIGHT_OF_GUESS, "    - id: drop-the-last\n")
    [said] = said_in_english(copy)
    assert f"{MISSION_1}:" in said
    assert "missions[1].guess.choices: " in said


def test_two_options_right(copy: Path) -> None:
    broken(copy, MISSION_1, "      mistake: prefill.takes-what-there-is\n", '      right: "true"\n')
    [said] = said_in_english(copy)
    assert "missions[1].guess.choices[2]" in said


def test_the_right_option_exchanged_for_one_that_is_a_mistake(copy: Path) -> None:
    broken(copy, MISSION_1, RIGHT_OF_GUESS, "    - id: drop-the-last\n")
    broken(
        copy,
        MISSION_1,
        "      mistake: prefill.floor-division\n",
        '      right: "true"\n      mistake: prefill.floor-division\n',
    )
    assert any("missions[1].guess.choices[1].mistake" in said for said in said_in_english(copy))


def test_the_right_option_exchanged_for_another_is_a_red_row(copy: Path) -> None:
    broken(copy, MISSION_2, '      right: "true"\n    - id: id-is-nine\n', "    - id: id-is-nine\n")
    line = "    - id: every-third-call\n"
    broken(copy, MISSION_2, line, line + '      right: "true"\n')
    assert said_in_english(copy) == []  # nothing a reader can see
    assert red_rows(copy, "2") == [
        "2.quiz.right.is-right: missions[2].quiz.choices[0].right is 'False', not 'True'"
    ]


@pytest.mark.parametrize(("half", "other"), [("zh", "en"), ("en", "zh")])
@pytest.mark.parametrize("hint", ["belief", "ask"])
def test_a_hint_missing_in_one_language(copy: Path, half: str, other: str, hint: str) -> None:
    path = copy / "01-prefill" / "mistakes.yaml"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    number = next(index for index, line in enumerate(lines) if line.lstrip().startswith(f"{hint}: {{zh: "))
    match = re.search(rf'{other}: "(?:[^"\\]|\\.)*"', lines[number])
    assert match is not None
    lines[number] = f"{lines[number].split(hint)[0]}{hint}: {{{match[0]}}}\n"
    path.write_text("".join(lines), encoding="utf-8")
    with pytest.raises(CourseError) as caught:
        load_models(copy, "1")
    [fault] = caught.value.faults
    assert f"01-prefill/mistakes.yaml:{number + 1}:" in fault.say.en
    assert re.search(rf"missions\[1\]\.models\[0\]\.variants\[0\]\.{hint}: `{half}` is missing", fault.say.en)
    assert fault.say.en in said_in_english(copy)


def test_a_hint_missing_altogether(copy: Path) -> None:
    path = copy / "02-decode" / "mistakes.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(re.sub(r"(?m)^ +ask: .*\n", "", text, count=1), encoding="utf-8")
    assert any("variants[0]: `ask` is missing" in said for said in said_in_english(copy))


def test_a_code_span_different_in_english(copy: Path) -> None:
    line = broken(copy, MISSION_1, "now. `pop(0)` returns", "now. `pop()` returns")
    [said] = said_in_english(copy)
    assert said == (
        f"{MISSION_1}:{line - 1}:9 missions[1].background[1].points[2]: the code `pop(0)` is in zh only, "
        "the code `pop()` is in en only; write the same code in both"
    )


def test_a_figure_different_in_english_is_a_red_row(copy: Path) -> None:
    broken(copy, MISSION_2, "lengths 1–4 use the first block, 5–8", "lengths 1–4 use the first block, 5–9")
    assert {said.split(":")[0] for said in red_rows(copy, "2")} == {"2.background.lengths"}


@pytest.mark.parametrize(
    ("number", "index", "mission", "folder", "method"),
    [
        (1, 0, "1", "01-prefill", "allocate_for_prefill"),
        (2, 1, "1", "01-prefill", "allocate_for_prefill"),
        (3, 0, "2", "02-decode", "allocate_for_decode"),
        (5, 0, "3", "03-gather", "get_physical_cache"),
    ],
)
def test_a_todo_gone_from_the_starter(
    copy: Path, number: int, index: int, mission: str, folder: str, method: str
) -> None:
    broken(copy, "block_manager.py", f"# TODO {number}", "# to do", count=2)  # in English and in Chinese
    in_mission, in_final = said_in_english(copy)
    assert (
        f"missions[{mission}].todos[{index}]: TODO {number} is not in the starter's `{method}`" in in_mission
    )
    assert in_mission.startswith(f"{folder}/mission.yaml:")
    assert "missions[final].todos[" in in_final


def test_a_test_title_missing(copy: Path) -> None:
    title = '    zh: "6 个 token 领 2 块"\n    en: "6 tokens take 2 blocks"\n'
    broken(copy, MISSION_1, f"  test_six_tokens_take_two_blocks:\n{title}", "")
    [said] = said_in_english(copy)
    assert "missions[1].test_titles: the test `test_six_tokens_take_two_blocks`" in said
    assert "has no title" in said


def test_a_wrong_end_value_is_a_red_row(copy: Path) -> None:
    broken(copy, MISSION_1, 'ends_as: "[20, 7, 31]"', 'ends_as: "[20, 7, 9]"')
    said = red_rows(copy, "1")
    wanted = "missions[1].warm_up.predictions[1].ends_as is '[20, 7, 9]', not '[20, 7, 31]'"
    assert f"1.warm-up.assigned.ends-as: {wanted}" in said
    assert {line.split(":")[0] for line in said} == {"1.warm-up.assigned", "1.warm-up.assigned.ends-as"}


def test_a_wrong_hand_trace_answer_is_a_red_row(copy: Path) -> None:
    broken(copy, "03-gather/mission.yaml", 'answer: "[12, 64]"', 'answer: "[3, 4, 64]"')
    assert (
        "3.hand-trace.joined.shape: missions[3].hand_trace.rows[1].cells[0].answer is '[3, 4, 64]', "
        "not '[12, 64]'"
    ) in red_rows(copy, "3")


def test_a_wrong_mistake_id(copy: Path) -> None:
    line = broken(copy, MISSION_1, "mistake: prefill.floor-division", "mistake: prefill.flor-division")
    assert said_in_english(copy) == [
        f"{MISSION_1}:{line}:16 missions[1].guess.choices[1].mistake: the error model has no "
        "`prefill.flor-division`; write an id that it has, such as `prefill.floor-division`, "
        "or write the variant"
    ]


def test_a_drawing_too_wide(copy: Path) -> None:
    broken(copy, MISSION_1, "          6 个 token，block_size 4\n", f"          {'块' * 21}\n")
    [said] = said_in_english(copy)
    assert "missions[1].diagram[1].drawing.art.zh" in said
    assert "42 cells wide" in said


def test_an_explanation_missing(copy: Path) -> None:
    path = copy / MISSION_1
    text = path.read_text(encoding="utf-8")
    path.write_text(
        re.sub(r'(?m)^      explain:\n        zh: "`5 // 4`.*\n        en: .*\n', "", text, count=1),
        encoding="utf-8",
    )
    [said] = said_in_english(copy)
    assert "missions[1].guess.choices[1]: `explain` is missing" in said
