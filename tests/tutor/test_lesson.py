"""The guided lesson as whole dialogues, left and resumed anywhere."""

from __future__ import annotations

from contextlib import suppress
from copy import deepcopy

import pytest

from pagetutor.store import events
from pagetutor.store.events import Event
from pagetutor.text import Language
from pagetutor.tutor.answers import Form, wanted_form
from pagetutor.tutor.lesson import LessonEnd, run_mission
from pagetutor.tutor.progress import read_progress
from pagetutor.tutor.screen import LessonLeft
from tests.tutor.conftest import Desk
from tests.tutor.scripted import Answer, Scripted
from tests.tutor.small import FLOORED, RIGHT, STARTER, marked_check

TO_THE_GUESS = ("", "")  # read the prologue
TO_THE_EXERCISE = (
    *("right", ""),  # guess
    *("", ""),  # background, diagram
    *("right", ""),  # the guess again
    *("3", "[20, 7, 31]", "on"),  # warm-up
    "",  # mapping
    *("right", ""),  # quiz
    "s",  # hand-trace
)

WHOLE_EN = """\
Before you begin, one page of words you will need; `pagetutor words` shows it again later.
-- or skip
page: prologue
--
== 1 guess 1/8 in the lesson
? ask 1.guess [right wrong odd]
> How sure are you? 1 a guess, 2 fairly sure, 3 sure
explained: why wrong
--
== 1 background 2/8 in the lesson
page: background 1
--
== 1 diagram 3/8 in the lesson
page: diagram 1
--
== 1 guess again 3/8 in the lesson
You have seen the explanation and the drawing. Back to the first question: keep your guess, or change it?
? ask 1.guess [right *wrong odd]
Changed; both answers are kept.
explained: why right
--
== 1 warm-up 4/8 in the lesson
warm-up: intro 1
Do not run it yet: what will these be when it has ended?
> In the end, `boxes` is
> In the end, `assigned` is
ran: 'boxes: 3\\n' {'boxes': '3', 'assigned': '[20, 7, 31]'} predicted {'boxes': '2', 'assigned': None}
? Change a number and run it again? [try:item_count own:item_count on]
`item_count = 21`
ran: '' {'boxes': '5'} predicted {} raised FULL
too many
? Change a number and run it again? [on try:item_count own:item_count]
> What should `item_count` be?
A whole number is needed here, such as `12`.
> What should `item_count` be?
That is too large; take one up to 10000.
> What should `item_count` be?
`item_count = 5`
ran: 'boxes: 1\\n' {'boxes': '1', 'assigned': '[20]'} predicted {}
? Change a number and run it again? [on try:item_count own:item_count]
== 1 mapping 5/8 in the lesson
mapping: mapping 1, 1 rows
--
== 1 quiz 6/8 in the lesson
? ask 1.quiz [right wrong odd]
explained: why odd
The answer is in “How it works, drawn”; reread it any time: `pagetutor show 1 diagram`.
? What next? [retry reread on]
== 1 diagram 3/8
page: diagram 1
--
The answer is in “How it works, drawn”; reread it any time: `pagetutor show 1 diagram`.
? What next? [retry reread on]
? ask 1.quiz [right wrong odd]
explained: why right
--
== 1 hand-trace 7/8 in the lesson
table: ((None, None), (None, None))
Work it out by hand before you write the code: one cell at a time, each checked at once. \
Enter alone skips a cell, s all the rest.
-- or skip
> tokens: 4; blocks?
Right.
> tokens: 4; left?
Not quite: 10 - 1
table: (('1', '8'), (None, None))
> tokens: 5; blocks?
> tokens: 5; left?
Right.
table: (('1', '8'), (None, '８'))
--
== 1 exercise 8/8 in the lesson
page: exercise 1
The starter is in place: {file}
page: Still open: | TODO 1: task 1; TODO 2: task 2
? What now? [check watch edit hint reread]
report: unfilled []
? What now? [check watch edit hint reread]
Everything you did is kept. `pagetutor mission 1` goes on from here."""

WHOLE_ANSWERS = (
    *TO_THE_GUESS,
    *("wrong", ""),
    *("", ""),
    *("right", ""),
    *("2", None, "try:item_count", "own:item_count", "x", "10001", "5", "on"),
    "",
    *("odd", "reread", "", "retry", "right", ""),
    *("", "1", "8", None, "８", ""),
    *("check", "leave"),
)


def test_a_whole_mission_from_the_prologue_to_the_exercise(desk: Desk) -> None:
    end, log = desk.sit("1", *WHOLE_ANSWERS)
    assert "\n".join(log) == WHOLE_EN.replace("{file}", str(desk.workspace.file))
    assert end == LessonEnd(None, passed=False)
    assert desk.workspace.file.read_text() == STARTER


def test_the_same_mission_in_chinese_says_every_sentence_in_chinese(desk: Desk) -> None:
    _, log = desk.sit("1", *WHOLE_ANSWERS, language=Language.ZH)
    said = [
        line
        for line in log
        if not line.startswith(("==", "page: （", "explained", "table", "ran", "--", "report"))
    ]
    assert said == [
        "开始之前，先用一页认识几个词；以后想重看，运行 `pagetutor words`。",
        "? （ask 1.guess） [right wrong odd]",
        "> 有多大把握？1 纯猜，2 比较有把握，3 很有把握",
        "现在看过讲解和图了，再回头看开头这道题：保留原来的选择，还是改？",
        "? （ask 1.guess） [right *wrong odd]",
        "改好了，两次的选择都会留着。",
        "warm-up: （intro 1）",
        "先别运行：猜一猜跑完之后这些值是什么。",
        "> 跑完之后，`boxes` 是",
        "> 跑完之后，`assigned` 是",
        "? 改一个数再跑一次？ [try:item_count own:item_count on]",
        "`item_count = 21`",
        "（too many）",
        "? 改一个数再跑一次？ [on try:item_count own:item_count]",
        "> `item_count` 改成几？",
        "这里要一个整数，比如 `12`。",
        "> `item_count` 改成几？",
        "太大了，取 10000 以内的数。",
        "> `item_count` 改成几？",
        "`item_count = 5`",
        "? 改一个数再跑一次？ [on try:item_count own:item_count]",
        "mapping: （mapping 1）, 1 rows",
        "? （ask 1.quiz） [right wrong odd]",
        "答案在「图解原理」里，随时可以重读：`pagetutor show 1 diagram`。",
        "? 接下来呢？ [retry reread on]",
        "答案在「图解原理」里，随时可以重读：`pagetutor show 1 diagram`。",
        "? 接下来呢？ [retry reread on]",
        "? （ask 1.quiz） [right wrong odd]",
        "写代码之前先用手推一遍：一格一格地填，填一格对一格；直接回车跳过一格，s 跳过剩下的。",
        "> （tokens）：4；（blocks）？",
        "对。",
        "> （tokens）：4；（left）？",
        "不对。（10 - 1）",
        "> （tokens）：5；（blocks）？",
        "> （tokens）：5；（left）？",
        "对。",
        f"起始文件放好了：{desk.workspace.file}",
        "page: 还没填的： | TODO 1：（task 1）; TODO 2：（task 2）",
        "? 现在做什么？ [check watch edit hint reread]",
        "? 现在做什么？ [check watch edit hint reread]",
        "做过的都存好了。想接着学，运行 `pagetutor mission 1`，就从这里继续。",
    ]


def test_both_the_first_and_the_final_answer_are_kept(desk: Desk) -> None:
    desk.sit("1", *WHOLE_ANSWERS)
    mission, before = desk.mission("1"), read_progress(desk.history).of("1")
    assert mission.guess is not None
    assert mission.quiz is not None
    given = [
        choice.id if choice else None
        for question in (mission.guess, mission.quiz)
        for choice in (before.first_answer(question), before.final_answer(question))
    ]
    assert given == ["wrong", "right", "odd", "right"]


RESTLESS_ANSWERS: dict[str, list[str | None]] = {
    "? ask 1.guess.again [": ["right"],
    "? ask 1.quiz.again [": ["right"],
    "? ask 1.guess [": ["wrong", "right"],
    "> In the end, `boxes` is": ["2"],
    "> In the end, `assigned` is": [None],
    "? Change a number": ["try:item_count", "on"],
    "? ask 1.quiz [": ["odd", "wrong", "right"],
    "? What next?": ["reread", "retry"],
    "> tokens: 4; blocks?": ["1"],
    "> tokens: 4; left?": ["8"],
    "> tokens: 5; blocks?": [None],
    "> tokens: 5; left?": ["8"],
    "? What now?": ["leave"],
}


class Restless(Scripted):
    """Answers by what is asked (the last answer stays); leaves at the question after the `patience`-th."""

    def __init__(
        self, answers: dict[str, list[str | None]], patience: int, leaving: type[BaseException]
    ) -> None:
        super().__init__()
        self._answers = answers
        self._patience = patience
        self._leaving = leaving

    def _answer(self) -> Answer:
        if self._patience == 0:
            raise self._leaving
        self._patience -= 1
        asked = self.log[-1]
        if asked.startswith("--"):
            return ""
        answers = next(answers for start, answers in self._answers.items() if asked.startswith(start))
        return answers.pop(0) if len(answers) > 1 else answers[0]


@pytest.mark.parametrize(
    ("patience", "leaving"),
    [
        (2, LessonLeft),
        (3, KeyboardInterrupt),
        (4, LessonLeft),
        (5, EOFError),
        (6, LessonLeft),
        (7, KeyboardInterrupt),
    ],
)
def test_leaving_anywhere_loses_no_answer_and_asks_nothing_twice(
    desk: Desk, patience: int, leaving: type[BaseException]
) -> None:
    """Many short sittings record exactly what one long one does."""
    once = Desk(desk.course, desk.folder, desk.path.with_name("once.db"))
    sit_restlessly(once, Restless(deepcopy(RESTLESS_ANSWERS), 1000, leaving))
    answers = deepcopy(RESTLESS_ANSWERS)
    sittings = 1
    while not sit_restlessly(desk, Restless(answers, patience, leaving)):
        sittings += 1
        assert sittings < 40
    assert sittings > 20 // patience
    assert substance(desk) == substance(once)
    done = [event for event in desk.events if isinstance(event, events.PartDone)]
    assert len(done) == len(set(done))


def substance(desk: Desk) -> list[Event]:
    """What was answered and done; runs of the warm-up and questions that came back are extras."""
    kinds = (events.Answered, events.Predicted, events.HandTraced, events.PartDone, events.PrologueSeen)
    came_back = ("1.guess.again", "1.quiz.again")
    return [e for e in desk.events if isinstance(e, kinds) and getattr(e, "question", "") not in came_back]


def sit_restlessly(desk: Desk, screen: Restless) -> bool:
    """One sitting; whether the exercise's menu was answered."""
    with suppress(KeyboardInterrupt, EOFError):
        run_mission(
            desk.course,
            desk.mission("1"),
            screen,
            history=desk.history,
            runner=desk.runner,
            workspace=desk.workspace,
            shuffle=False,
            check=marked_check,
        )
        return screen.log[-2].startswith("? What now?")
    return False


def test_leaving_says_how_to_come_back_and_coming_back_says_where_one_is(desk: Desk) -> None:
    _, log = desk.sit("1", *TO_THE_GUESS, "right", "", "", LessonLeft)
    assert log[-1] == "Everything you did is kept. `pagetutor mission 1` goes on from here."
    _, log = desk.sit("1", LessonLeft, language=Language.ZH)
    assert log == [
        "接着上次：Mission 1 的「图解原理」。",
        "== 1 diagram 3/8 in the lesson",
        "page: （diagram 1）",
        "--",
        "做过的都存好了。想接着学，运行 `pagetutor mission 1`，就从这里继续。",
    ]


def test_the_prologue_can_be_skipped_and_is_met_once(desk: Desk) -> None:
    _, log = desk.sit("1", "s", LessonLeft)
    assert log[:3] == [
        "Before you begin, one page of words you will need; `pagetutor words` shows it again later.",
        "-- or skip",
        "== 1 guess 1/8 in the lesson",
    ]
    _, log = desk.sit("2", LessonLeft)
    assert log[0] == "== 2 guess 1/8 in the lesson"


def test_a_pass_stops_says_what_works_shows_one_card_and_begins_nothing(desk: Desk) -> None:
    desk.sit("1", *TO_THE_GUESS, *TO_THE_EXERCISE, "leave")
    desk.write(RIGHT)
    end, log = desk.sit("1", "check", "leave")
    assert log == [
        "Where you left off: Mission 1, “You have read it, now try it”.",
        "== 1 exercise 8/8 in the lesson",
        "page: exercise 1",
        f"Go on with your file: {desk.workspace.file}",
        "? What now? [check watch edit hint reread]",
        "report: passed []",
        "prefill works",
        "card: card one",
        "decode comes next",
        "? What now? [next check edit solution reread]",
        "Everything you did is kept. `pagetutor` shows what is next.",
    ]
    assert end == LessonEnd(None, passed=True)


def test_the_next_mission_is_an_answer_and_never_begun_unasked(desk: Desk) -> None:
    desk.write(RIGHT)
    end, _ = desk.sit("1", *TO_THE_GUESS, *TO_THE_EXERCISE, "check", "next")
    assert end == LessonEnd("2", passed=True)
    assert not [event for event in desk.events if getattr(event, "mission", "1") != "1"]


def test_done_stays_done(desk: Desk) -> None:
    desk.write(RIGHT)
    desk.sit("1", *TO_THE_GUESS, *TO_THE_EXERCISE, "check", "leave")
    desk.write(FLOORED)
    end, log = desk.sit("1", "check", "leave")
    assert "report: failed ['prefill.floor-division']" in log
    assert end == LessonEnd(None, passed=True)


def test_each_pass_shows_the_next_card_and_none_twice(desk: Desk) -> None:
    desk.write(RIGHT)
    _, log = desk.sit("1", *TO_THE_GUESS, *TO_THE_EXERCISE, "check", "check", "check", "leave")
    assert [line for line in log if line.startswith("card")] == ["card: card one", "card: card two"]


@pytest.mark.parametrize(
    ("language", "passed", "said"),
    [
        (
            Language.EN,
            (),
            "The exercise is whole. Of the course there is still to read: Mission 1, Mission 2.",
        ),
        (Language.ZH, (), "练习已经完整了。课程里还没学的：Mission 1、Mission 2。"),
        (Language.EN, ("1",), "The exercise is whole. Of the course there is still to read: Mission 2."),
    ],
)
def test_a_final_that_passes_early_names_what_is_left_of_the_course(
    desk: Desk, language: Language, passed: tuple[str, ...], said: str
) -> None:
    desk.write(RIGHT)
    for mission in passed:
        desk.history.append(events.Checked(mission, "passed", (), "", "", 0.1))
    _, log = desk.sit("final", "s", "check", "leave", language=language)
    assert said in log
    assert "decode comes next" not in log


def test_a_mission_does_not_announce_one_that_is_passed_already(desk: Desk) -> None:
    desk.write(RIGHT)
    desk.history.append(events.Checked("2", "passed", (), "", "", 0.1))
    desk.history.append(events.PrologueSeen(skipped=True))
    before = ("right", "", "", "", "right", "", None, None, "on", "", "right", "", "s")
    _, log = desk.sit("1", *before, "check", "leave")
    assert "prefill works" in log
    assert "decode comes next" not in log


def test_the_final_mission_has_only_its_exercise_and_none_to_go_on_to(desk: Desk) -> None:
    desk.write(RIGHT)
    for mission in ("1", "2"):
        desk.history.append(events.Checked(mission, "passed", (), "", "", 0.1))
    end, log = desk.sit("final", "s", "check", "leave")
    assert log[2:] == [
        "== final exercise 1/1 in the lesson",
        "page: exercise 1",
        f"Go on with your file: {desk.workspace.file}",
        "? What now? [check watch edit hint reread]",
        "report: passed []",
        "prefill works",
        "decode comes next",
        "To look back on your way (guesses, mistakes and how you mended them): `pagetutor recap`.",
        "? What now? [check edit solution reread]",
        "Everything you did is kept. `pagetutor` shows what is next.",
    ]
    assert end == LessonEnd(None, passed=True)


def test_a_missed_question_comes_back_once_a_start_and_not_after_it_was_hit(desk: Desk) -> None:
    missed = list(TO_THE_EXERCISE)
    missed[missed.index("3") + 4 : missed.index("3") + 6] = ["wrong", "on"]
    desk.sit("1", *TO_THE_GUESS, *missed, "leave")
    comes_back = (
        "Mission 1 had a question you once missed. Here it is again with other numbers; you may skip it."
    )
    _, log = desk.sit("1", "leave")
    assert comes_back not in log  # they have just been there
    desk.now += 86_400
    _, log = desk.sit("1", "s", "leave")
    assert log[1:4] == [comes_back, "-- or skip", "== 1 exercise 8/8 in the lesson"]
    _, log = desk.sit("2", "", "odd", "", LessonLeft)
    assert log[:5] == [
        comes_back,
        "-- or skip",
        "? ask 1.quiz.again [right wrong odd]",
        "explained: why odd",
        "--",
    ]
    _, log = desk.sit("2", "", "right", "", LessonLeft, language=Language.ZH)
    assert log[0] == "Mission 1 里有一道题你答错过，换了数字再来一次；不想做可以跳过。"
    _, log = desk.sit("2", LessonLeft)
    assert log[0] == "== 2 guess 1/8 in the lesson"


def test_options_are_shuffled_once_and_stay_so(desk: Desk) -> None:
    _, first = desk.sit("1", "s", LessonLeft, shuffle=True)
    _, again = desk.sit("1", LessonLeft, shuffle=True)
    assert first[-2] == again[-2]
    assert sum(isinstance(event, events.Seeded) for event in desk.events) == 1


def test_the_unshuffled_lesson_makes_no_seed(desk: Desk) -> None:
    desk.sit("1", "s", LessonLeft)
    assert not any(isinstance(event, events.Seeded) for event in desk.events)


def test_a_warm_up_that_does_not_finish_stops_nothing(desk: Desk) -> None:
    desk.runner.stops = True
    _, log = desk.sit("1", "s", "right", "", "", "", "right", "", None, None, "on", LessonLeft)
    assert "The warm-up did not finish this time; try another number, or go on." in log
    assert log[-2] == "--"


def test_trouble_with_saving_is_said_once_and_the_lesson_goes_on(desk: Desk) -> None:
    desk.path.parent.write_text("a file where the folder should be")
    screen = Scripted("s", "right", "", "", "", "right", "", LessonLeft)
    end = run_mission(
        desk.course,
        desk.mission("1"),
        screen,
        history=desk.history,
        runner=desk.runner,
        workspace=desk.workspace,
        shuffle=False,
    )
    said = [line for line in screen.log if line.startswith("Your progress cannot be saved to ")]
    assert len(said) == 1
    assert "== 1 warm-up 4/8 in the lesson" in screen.log
    assert end == LessonEnd(None, passed=False)


TO_THE_HAND_TRACE = ("", "", *TO_THE_EXERCISE[:-1])


@pytest.mark.parametrize(("language", "intro"), [(Language.EN, "by hand 1"), (Language.ZH, "（by hand 1）")])
def test_the_hand_traces_question_is_there_again_after_leaving(
    desk: Desk, language: Language, intro: str
) -> None:
    desk.sit("1", *TO_THE_HAND_TRACE, "", "1", LessonLeft)
    _, log = desk.sit("1", LessonLeft, language=language)
    head = log.index("== 1 hand-trace 7/8 in the lesson")
    assert log[head + 1 : head + 3] == [intro, "table: (('1', None), (None, None))"]


@pytest.mark.parametrize(
    ("language", "wanted"),
    [
        (Language.EN, "A number is wanted here, such as `12`; Enter alone skips the cell, s all the rest."),
        (Language.ZH, "这里要填一个数，比如 `12`；直接回车跳过这一格，s 跳过剩下的。"),
    ],
)
def test_what_is_no_number_at_all_is_asked_for_again_and_not_held_against_anyone(
    desk: Desk, language: Language, wanted: str
) -> None:
    _, log = desk.sit("1", *TO_THE_HAND_TRACE, "", "abc", "二", "1", LessonLeft, language=language)
    assert log.count(wanted) == 2
    traced = [event for event in desk.events if isinstance(event, events.HandTraced)]
    assert [(event.answer, event.right) for event in traced] == [("1", True)]


def test_s_skips_all_that_is_left_of_a_hand_trace(desk: Desk) -> None:
    _, log = desk.sit("1", *TO_THE_HAND_TRACE, "", "1", "S", LessonLeft)
    traced = [event for event in desk.events if isinstance(event, events.HandTraced)]
    assert [(event.row, event.column, event.answer) for event in traced] == [(0, 0, "1")]
    assert log.count("> tokens: 4; left?") == 1  # where `s` was typed, and no cell after it
    assert "> tokens: 5; blocks?" not in log


@pytest.mark.parametrize(
    ("typed", "expected", "wanted"),
    [
        ("abc", "[4, 64]", Form.NUMBERS),
        ("[]", "[4, 64]", Form.NUMBERS),
        ("64", "[4, 64]", None),
        ("４", "1", None),
        ("abc", "1", Form.NUMBER),
        ("[1]", "1", None),
        ("abc", "'FULL'", None),
    ],
)
def test_only_what_can_be_no_answer_at_all_is_asked_for_again(
    typed: str, expected: str, wanted: Form | None
) -> None:
    assert wanted_form(typed, expected) is wanted
