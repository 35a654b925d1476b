"""One mission out of its `mission.yaml`."""

from __future__ import annotations

import re
from pathlib import Path

from pagetutor.content.cursor import Cursor, tell_duplicates
from pagetutor.content.model import Card, ExercisePart, Mission, MissionId, OtherWay, Todo
from pagetutor.content.read_page import read_page
from pagetutor.content.read_question import ID, TEST, read_guess, read_question
from pagetutor.content.read_text import read_text
from pagetutor.content.read_warm_up import NAME, read_hand_trace, read_mapping, read_warm_up
from pagetutor.text import Text

_OF_EVERY_MISSION = ("id", "title", "methods", "todos", "background", "exercise")
_BEHIND_THE_LESSON = ("tests", "test_titles", "other_ways", "cards")
_OF_A_LESSON = ("guess", "diagram", "warm_up", "mapping", "quiz", "hand_trace")
_TEST_FILE = re.compile(r"test_[a-z0-9_]+\.py")


def read_mission(at: Cursor, folder: Path, mission_id: MissionId) -> Mission:
    """The mission of `folder`, without its error models. The final one has no lesson."""
    is_lesson = mission_id != "final"
    fields = at.fields(*_OF_EVERY_MISSION, *_BEHIND_THE_LESSON, *(_OF_A_LESSON if is_lesson else ()))
    _check_id(fields["id"], mission_id)
    methods = tuple(item.shaped(NAME, "allocate_for_prefill") for item in fields["methods"].items())
    mapping_intro, mapping = read_mapping(fields["mapping"]) if is_lesson else (None, ())
    return Mission(
        id=mission_id,
        title=read_text(fields["title"]),
        methods=methods,
        todos=_read_todos(fields["todos"], methods),
        guess=read_guess(fields["guess"], f"{mission_id}.guess") if is_lesson else None,
        background=read_page(fields["background"], least=1 if is_lesson else 0),
        diagram=read_page(fields["diagram"]) if is_lesson else (),
        warm_up=read_warm_up(fields["warm_up"]) if is_lesson else None,
        mapping_intro=mapping_intro,
        mapping=mapping,
        quiz=read_question(fields["quiz"], f"{mission_id}.quiz") if is_lesson else None,
        hand_trace=read_hand_trace(fields["hand_trace"]) if is_lesson else None,
        exercise=_read_exercise(fields["exercise"]),
        tests=_read_tests(fields["tests"], folder),
        test_titles=_read_test_titles(fields["test_titles"]),
        models=(),
        other_ways=tuple(_read_other_way(item) for item in fields["other_ways"].items(least=0)),
        cards=_read_cards(fields["cards"]),
    )


def _check_id(at: Cursor, mission_id: MissionId) -> None:
    words = at.words()
    if words and words != mission_id:
        at.fault(_WRONG_ID.with_(words=words), _WRONG_ID_WRITE.with_(id=mission_id))


def _read_todos(at: Cursor, methods: tuple[str, ...]) -> tuple[Todo, ...]:
    todos = []
    items = at.items()
    for item in items:
        fields = item.fields("number", "method", "task", optional=("name",))
        name = fields.get("name")
        todos.append(
            Todo(
                number=fields["number"].number(),
                method=fields["method"].one_of(methods),
                name=None if name is None else name.shaped(NAME, "needed_blocks"),
                task=read_text(fields["task"]),
            )
        )
    tell_duplicates((item.key("number"), str(todo.number)) for item, todo in zip(items, todos, strict=True))
    return tuple(todos)


def _read_exercise(at: Cursor) -> ExercisePart:
    fields = at.fields("page", "now_works", "next_up")
    return ExercisePart(
        read_page(fields["page"]), read_text(fields["now_works"]), read_text(fields["next_up"])
    )


def _read_tests(at: Cursor, folder: Path) -> Path:
    name = at.shaped(_TEST_FILE, "test_prefill.py")
    if name and not (folder / name).is_file():
        at.fault(_NO_TESTS.with_(file=f"{folder.name}/{name}"), _NO_TESTS_WRITE)
    return folder / (name or "test_.py")


def _read_test_titles(at: Cursor) -> dict[str, Text]:
    titles = {}
    for name, title in at.entries():
        if not TEST.fullmatch(name):
            title.fault(_NOT_A_TEST.with_(name=name), _NOT_A_TEST_WRITE)
        titles[name] = read_text(title)
    return titles


def _read_other_way(at: Cursor) -> OtherWay:
    fields = at.fields("title", "code", "trade_off")
    return OtherWay(read_text(fields["title"]), fields["code"].code(), read_text(fields["trade_off"]))


def _read_cards(at: Cursor) -> tuple[Card, ...]:
    cards = []
    items = at.items(least=0)
    for item in items:
        fields = item.fields("id", "title", "text")
        card_id = fields["id"].shaped(ID, "block-size-one")
        cards.append(Card(card_id, read_text(fields["title"]), read_text(fields["text"])))
    tell_duplicates((item.key("id"), card.id) for item, card in zip(items, cards, strict=True))
    return tuple(cards)


_WRONG_ID = Text(zh="文件夹和 id `{words}` 对不上", en="the id `{words}` does not fit the folder")
_WRONG_ID_WRITE = Text(zh='请写 `id: "{id}"`', en='write `id: "{id}"`')
_NO_TESTS = Text(zh="没有测试文件 {file}", en="there is no test file {file}")
_NO_TESTS_WRITE = Text(zh="请改对文件名，或者补上这个文件", en="write its right name, or write the file")
_NOT_A_TEST = Text(zh="`{name}` 不是测试函数的名字", en="`{name}` is not the name of a test function")
_NOT_A_TEST_WRITE = Text(zh="请写成 `test_…`", en="write it like `test_six_tokens_take_two_blocks`")
