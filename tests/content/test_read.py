from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from pagetutor.content.fault import CourseError
from pagetutor.content.model import (
    Choice,
    Code,
    Drawing,
    Knob,
    Mapped,
    Mission,
    More,
    Paragraph,
    PartName,
    Points,
    Prediction,
    Steps,
    Table,
    Todo,
    TraceCell,
    TraceRow,
)
from pagetutor.content.read import load_course, load_models
from pagetutor.text import Text, same
from tests.content.small_course import MISSION, MISTAKES, SmallCourse, faults_of

YES = Text(zh="对。", en="Yes.")


def first(course: SmallCourse) -> Mission:
    """The first mission as it reads now."""
    return load_course(course.root).missions[0]


def test_a_course_is_its_title_its_prologue_and_its_missions(course: SmallCourse) -> None:
    read = load_course(course.root)
    assert read.root == course.root
    assert read.title == Text(zh="分页注意力", en="Paged attention")
    assert read.prologue == (Paragraph(Text(zh="先认识几个词。", en="A few words first.")),)
    assert [mission.id for mission in read.missions] == ["1", "final"]
    assert [mission.models for mission in read.missions] == [(), ()]


def test_a_page_keeps_its_blocks_in_order(course: SmallCourse) -> None:
    assert first(course).background == (
        Paragraph(Text(zh="块有大小。", en="A block has a size.")),
        Points((Text(zh="一", en="first"), same("pool"))),
        Steps((Text(zh="再来", en="again"),)),
        Code("pool.pop(0)\n"),
        Table((same("n"), Text(zh="余数", en="remainder")), ((same("9"), same("1")),)),
        More((Paragraph(Text(zh="还有。", en="There is more.")),)),
    )


def test_a_drawing_keeps_its_lines(course: SmallCourse) -> None:
    (drawing,) = first(course).diagram
    assert drawing == Drawing(
        art=Text(zh="┌────┐\n│ 块 │\n└────┘", en="+----+\n| 7  |\n+----+"),
        says=Text(zh="一个块。", en="One block."),
    )


def test_a_question_knows_its_id_its_right_option_and_its_second_asking(course: SmallCourse) -> None:
    mission = first(course)
    guess, quiz = mission.guess, mission.quiz
    assert guess is not None
    assert guess.again is not None
    assert quiz is not None
    assert (guess.id, guess.again.id, quiz.id, quiz.again) == ("1.guess", "1.guess.again", "1.quiz", None)
    assert guess.right == Choice("two", Text(zh="两个", en="two"), YES, right=True)
    assert guess.choice("one").mistake == "prefill.floor-division"
    assert (guess.reread, guess.again.reread, quiz.reread) == (
        PartName.BACKGROUND,
        PartName.BACKGROUND,
        PartName.DIAGRAM,
    )
    assert guess.again.right.text == same("3")


def test_the_hands_on_parts(course: SmallCourse) -> None:
    mission = first(course)
    warm_up, trace = mission.warm_up, mission.hand_trace
    assert warm_up is not None
    assert trace is not None
    assert warm_up.program == "item_count = 11\nboxes = item_count // 5\nprint(boxes)\n"
    assert warm_up.output == "2\n"
    assert warm_up.predictions == (Prediction("boxes", "2"),)
    assert warm_up.knobs == (Knob("item_count", 21, Text(zh="变成 4。", en="It becomes 4.")),)
    assert mission.mapping_intro == Text(zh="一一对应。", en="One by one.")
    assert mission.mapping == (Mapped("item_count", "req.seq_len", Text(zh="长度", en="the length")),)
    assert trace.head == (same("tokens"), Text(zh="块数", en="blocks"))
    assert trace.rows == (TraceRow(same("6"), (TraceCell("2", Text(zh="向上取整。", en="Rounded up.")),)),)


def test_the_exercise_and_what_belongs_to_it(course: SmallCourse) -> None:
    mission = first(course)
    assert mission.methods == ("allocate_for_prefill",)
    task = Text(zh="算出 `needed_blocks`。", en="Work out `needed_blocks`.")
    assert mission.todos == (Todo(1, "allocate_for_prefill", "needed_blocks", task),)
    assert mission.tests == course.root / "01-prefill" / "test_prefill.py"
    assert mission.test_titles == {"test_six_tokens": Text(zh="六个 token", en="six tokens")}
    assert [way.code for way in mission.other_ways] == [
        "needed_blocks = -(-req.seq_len // self.block_size)\n"
    ]
    assert [card.id for card in mission.cards] == ["size-one"]


def test_the_final_mission_has_no_lesson(course: SmallCourse) -> None:
    final = load_course(course.root).missions[-1]
    assert (final.guess, final.quiz, final.warm_up, final.hand_trace) == (None, None, None, None)
    assert (final.background, final.diagram, final.mapping) == ((), (), ())
    assert final.todos[0].name is None


def test_error_models_are_slots_and_variants(course: SmallCourse) -> None:
    (model,) = load_models(course.root, "1")
    assert model.method == "allocate_for_prefill"
    assert model.template == "needed_blocks = {count}\n{check}\n"
    assert [slot.name for slot in model.slots] == ["count", "check"]
    assert model.slot("count").neutral == ("-(-n // b)",)
    assert model.slot("check").reference == (
        'if needed_blocks > len(self.free_blocks):\n    raise RuntimeError("OOM")'
    )
    assert [(variant.id, variant.code) for variant in model.variants] == [
        ("prefill.floor-division", {"count": "n // b"}),
        ("prefill.no-capacity-check", {"check": ""}),
    ]


def test_other_code_of_a_mistake_is_a_variant_with_the_same_words(course: SmallCourse) -> None:
    course.change(
        "01-prefill/mistakes.yaml",
        '        code: {count: "n // b"}\n',
        '        code: {count: "n // b"}\n        also:\n          - {count: "int(n / b)", check: pass}\n',
    )
    first, second, _ = load_models(course.root, "1")[0].variants
    assert (first.id, first.belief, first.ask) == (second.id, second.belief, second.ask)
    assert (first.code, second.code) == ({"count": "n // b"}, {"count": "int(n / b)", "check": "pass"})


def test_ties_belong_to_the_model_that_has_them(course: SmallCourse) -> None:
    course.change(
        "01-prefill/mistakes.yaml",
        "models:\n",
        "ties:\n  - [prefill.floor-division, prefill.no-capacity-check]\n  - [decode.a, decode.b]\nmodels:\n",
    )
    (model,) = load_models(course.root, "1")
    assert model.ties == (("prefill.floor-division", "prefill.no-capacity-check"),)


def test_the_final_mission_has_the_models_of_all_the_others(course: SmallCourse) -> None:
    assert load_models(course.root, "final") == load_models(course.root, "1")
    read = load_course(course.root, with_models=True)
    assert read.missions[0].models == read.missions[1].models == load_models(course.root, "1")


def test_a_course_is_read_without_its_models_and_models_without_the_missions(course: SmallCourse) -> None:
    models = load_models(course.root, "1")
    course.write("01-prefill/mistakes.yaml", "broken: [")
    assert [mission.id for mission in load_course(course.root).missions] == ["1", "final"]
    course.change("01-prefill/mistakes.yaml", "broken: [", MISTAKES)
    course.write("final/mission.yaml", "broken: [")
    assert load_models(course.root, "1") == models


def test_a_mission_that_the_course_lacks_is_said(course: SmallCourse) -> None:
    with pytest.raises(CourseError) as caught:
        load_models(course.root, "3")
    assert caught.value.say.zh == "course.yaml:4:11 missions：课程里没有 Mission 3；请把它的文件夹写进来"
    assert caught.value.say.en == (
        "course.yaml:4:11 missions: the course has no mission 3; write its folder here"
    )


def test_windows_line_ends_change_nothing(course: SmallCourse) -> None:
    before = first(course)
    course.write("01-prefill/mission.yaml", MISSION.replace("\n", "\r\n"))
    assert first(course) == before


def test_without_libyaml_the_same_course_is_read(
    course: SmallCourse, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = load_course(course.root, with_models=True)
    monkeypatch.delattr(yaml, "CBaseLoader")
    assert load_course(course.root, with_models=True) == before
    course.change("01-prefill/mission.yaml", "      - pool\n", "      - % b == 1\n")
    assert [en for _, en in faults_of(course)] == [
        "01-prefill/mission.yaml:30:9: `% b == 1` begins with `%`, which means something else to YAML; "
        'put it in quotes: "% b == 1"'
    ]


def test_every_scalar_stays_text(course: SmallCourse) -> None:
    course.change("01-prefill/mission.yaml", "      - pool\n", "      - 1:30\n      - 0x10\n      - 1e3\n")
    points = first(course).background[1]
    assert points == Points((Text(zh="一", en="first"), same("1:30"), same("0x10"), same("1e3")))


def test_a_missing_folder_is_one_fault(tmp_path: Path) -> None:
    with pytest.raises(CourseError) as caught:
        load_course(tmp_path)
    assert caught.value.say.en == (
        "course.yaml:1:1: this file is not there; write it, or take its folder out of course.yaml"
    )
