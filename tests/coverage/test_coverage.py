"""CONTENT.md is in the course, and a learner sees it: row by row, in the rendered lesson of each language."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pagetutor.content.model import Course, PartName, Question
from pagetutor.text import Language
from pagetutor.tutor.parts import Step, parts_of, steps_of
from pagetutor.tutor.screen import PartHeading
from pagetutor.ui.render import render
from pagetutor.ui.render.look import Look
from tests.coverage.row import Exact, Row
from tests.coverage.seen import bare, complaints, part_shown, sight, whole_lesson
from tests.coverage.table import ROWS
from tests.coverage.yaml_places import FILES, ROOT, stands_at

LESSON = ["guess", "background", "diagram", "warm-up", "mapping", "quiz", "hand-trace", "exercise"]
LABELS = {
    "guess": "🎯 先猜一猜",
    "background": "先补的知识",
    "diagram": "图解原理",
    "warm-up": "语法热身",
    "mapping": "从语法例子迁移到当前练习",
    "quiz": "巩固一下",
    "exercise": "学完这一段，试着做",
}
MAPPING_LABELS = {"1": "从语法例子迁移到当前练习", "2": "迁移到 TODO 3", "3": "迁移到 TODO 5"}
TERMS = [
    *(
        "物理块",
        "逻辑块",
        "块表",
        "空闲池",
        "槽位",
        "尾块",
        "跨界",
        "补块",
        "向上取整",
        "半更新状态",
        "拼接",
        "截尾",
    ),
    *("Prefill", "Decode", "token", "OOM"),
]
NOT_OUR_WORDS = ["关卡", "预填充", "令牌", "词元", "内存不足", "内存溢出"]


def ids(rows: tuple[Row | Exact, ...]) -> list[str]:
    return [row.id for row in rows]


def test_every_row_has_a_name_of_its_own() -> None:
    assert sorted(set(ids(ROWS))) == sorted(ids(ROWS))


def test_every_row_stands_in_the_yaml() -> None:
    for row in ROWS:
        for path in row.paths:
            assert stands_at(path), row.id


def test_every_row_looks_for_something_in_each_language() -> None:
    for row in ROWS:
        if isinstance(row, Row):
            assert row.wanted(Language.ZH), row.id
            assert row.wanted(Language.EN), row.id


@pytest.mark.parametrize("row", ROWS, ids=ids(ROWS))
def test_a_learner_sees_it(course: Course, row: Row | Exact) -> None:
    assert complaints(course, row) == []


# ── order and labels ─────────────────────────────────────────────────────────────────────────────


def test_the_order_is_guess_background_diagram_guess_warm_up_mapping_quiz_hand_trace_exercise(
    course: Course,
) -> None:
    for mission in course.missions[:3]:
        assert [part.value for part in parts_of(mission)] == LESSON
        assert steps_of(mission) == tuple(Step)
    assert [part.value for part in parts_of(course.missions[3])] == ["exercise"]


@pytest.mark.parametrize("mission_id", ["1", "2", "3"])
@pytest.mark.parametrize("part", list(LABELS))
def test_the_heads_carry_the_chinese_labels(course: Course, mission_id: str, part: str) -> None:
    mission = next(one for one in course.missions if one.id == mission_id)
    head = part_shown(mission, PartName(part))[0]
    assert isinstance(head, PartHeading)
    words = [line.plain for line in render(head, Look(Language.ZH, colour=False))]
    label = MAPPING_LABELS[mission_id] if part == "mapping" else LABELS[part]
    assert f"Mission {mission_id} · 概念练习" in words[0]
    assert any(line.startswith(f"{label} (") for line in words)


def test_the_head_of_the_whole_exercise(course: Course) -> None:
    final = course.missions[3]
    assert "官方题目" in sight(part_shown(final, PartName.EXERCISE), Look(Language.ZH))


@pytest.mark.parametrize(
    ("language", "needles"),
    [
        (Language.ZH, ["先猜，再和后面的讲解对照", "随时可以改", "会有解释", "不会卡住你"]),
        (
            Language.EN,
            [
                "Guess first, then compare with the explanation that follows",
                "change your choice at any time",
                "a wrong guess gets an explanation and never blocks",
            ],
        ),
    ],
)
def test_the_guess_says_what_a_guess_is_for(course: Course, language: Language, needles: list[str]) -> None:
    for mission in course.missions[:3]:
        words = sight(part_shown(mission, PartName.GUESS), Look(language))
        assert [needle for needle in needles if bare(needle) not in words] == []


@pytest.fixture(scope="module")
def chinese(course: Course) -> str:
    look = Look(Language.ZH, colour=False)
    return "\n".join(sight(whole_lesson(course, mission), look) for mission in course.missions)


@pytest.mark.parametrize("term", TERMS)
def test_the_term_is_used(chinese: str, term: str) -> None:
    assert term in chinese


@pytest.mark.parametrize("word", NOT_OUR_WORDS)
def test_the_word_is_not_used(chinese: str, word: str) -> None:
    prologue_and_names = "".join(str(data) for data in FILES.values())
    assert word not in chinese + prologue_and_names


def test_the_starter_says_that_there_is_no_todo_4() -> None:
    starter = (ROOT / "block_manager.py").read_text(encoding="utf-8")
    assert "it has no TODO 4" in starter
    assert "initialisation as TODO 1, so its 2-4 are 1-3 here" in " ".join(starter.split())
    assert "官方题目里没有 TODO 4" in starter
    assert "它的 2–4 就是这里的 1–3" in starter


# ── questions ────────────────────────────────────────────────────────────────────────────────────


def questions(course: Course) -> Iterator[Question]:
    for mission in course.missions:
        for question in (mission.guess, mission.quiz):
            if question is not None:
                yield question
                if question.again is not None:
                    yield question.again


def test_every_question_has_three_options_one_right_and_an_explanation_of_its_own_for_each(
    course: Course,
) -> None:
    found = list(questions(course))
    assert len(found) == 12
    for question in found:
        assert len(question.choices) == 3, question.id
        assert [choice.right for choice in question.choices].count(True) == 1, question.id
        for words in (
            {choice.explain.zh for choice in question.choices},
            {choice.explain.en for choice in question.choices},
            {choice.text.zh for choice in question.choices},
            {choice.text.en for choice in question.choices},
        ):
            assert len(words) == 3, question.id
            assert all(words), question.id


def test_a_question_that_comes_back_has_other_numbers(course: Course) -> None:
    for question in questions(course):
        if question.again is not None:
            assert question.again.ask != question.ask
            assert [choice.right for choice in question.again.choices] == [
                choice.right for choice in question.choices
            ]
