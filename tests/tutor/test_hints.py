"""The hint ladder as a learner climbs it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from pagetutor.content.model import Mapped, Paragraph, Points
from pagetutor.judge.report import CheckReport
from pagetutor.store import events
from pagetutor.text import Language
from pagetutor.tutor.hints import HintEnd
from pagetutor.tutor.means import KEYS, Means
from pagetutor.tutor.screen import Option
from tests.tutor.conftest import Desk
from tests.tutor.small import FLOORED, RIGHT, STARTER, text

EXAMPLE = "hint: The same with other numbers: 7 goods, boxes of 3: 3 boxes"
PATTERN = "hint: The line, with a blank to fill: `(n + ▢) // b`"
LINE = "hint: The line itself: `(n + b - 1) // b`"
REPORT = "report: failed ['prefill.floor-division']"
LINE_SHUT = (
    "Only the line itself is left. Change your code first, then ask again; to give up: `pagetutor hint 1 "
    "--give-up`."
)
OPENS_IN_20 = "The next hint opens once you change the code, or in 20 s."
LINE_IS_LEFT = "Only the line itself is left. Change your code first, then ask again."
EXPLAIN = "> Before you copy it, in your own words: with which numbers does your own line go wrong, and why?"


def opens_in(seconds: int) -> str:
    return (
        f"The next hint opens once you change the code, or in {seconds} s; not to wait: `pagetutor hint 1 "
        f"--now`."
    )


def changed(times: int) -> str:
    return FLOORED.replace("n // b", f"n // b + 0 * {times}")


def test_a_mistake_met_for_the_first_time_is_told_as_a_report_before_any_deeper_rung(desk: Desk) -> None:
    desk.write(FLOORED)
    assert desk.hint() == (HintEnd.WAITS, [REPORT, opens_in(20)])
    desk.now += 7.5
    assert desk.hint() == (HintEnd.WAITS, [opens_in(13)])


@pytest.mark.parametrize("source", [STARTER, RIGHT])
def test_asking_again_about_the_same_file_makes_no_further_check(desk: Desk, source: str) -> None:
    desk.write(source)
    first, *others = [desk.hint() for _ in range(3)]
    assert others == [first, first]
    assert [type(event) for event in desk.events].count(events.Checked) == 1


def test_asking_again_about_what_cannot_be_read_makes_no_further_check(desk: Desk) -> None:
    desk.workspace.file.mkdir()
    assert desk.hint() == desk.hint()
    (checked,) = [event for event in desk.events if isinstance(event, events.Checked)]
    assert (checked.verdict, checked.source_hash, checked.shape) == ("broken", "", "")


def test_the_advised_commands_name_a_file_that_is_not_the_folders_own(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    (desk.folder / "sub").mkdir()
    monkeypatch.chdir(desk.folder / "sub")
    desk.write(FLOORED)
    named = f"1 {desk.workspace.file}"
    assert desk.hint() == (HintEnd.WAITS, [REPORT, opens_in(20).replace("hint 1", f"hint {named}")])
    desk.hint(now=True)
    desk.hint(now=True)
    assert desk.hint() == (HintEnd.LINE_WAITS, [PATTERN, LINE_SHUT.replace("hint 1", f"hint {named}")])


@pytest.mark.parametrize(
    ("language", "question", "all_there_is"),
    [
        (
            Language.EN,
            "did you mean blocks?",
            "There is no deeper hint for this one: the line that the report points at is all there is to it.",
        ),
        (
            Language.ZH,
            "（did you mean blocks?）",
            "这一处没有更深的提示了：报告指出的那一行，就是要改的全部。",
        ),
    ],
)
def test_a_mistake_of_structure_asks_its_own_question_again_and_is_checked_once(
    desk: Desk, language: Language, question: str, all_there_is: str
) -> None:
    desk.write(STARTER.replace("needed_blocks = ...", "needed_blocks = self.blcks"))
    report = "report: failed ['structure.misspelt-attribute']"
    assert desk.hint(language=language) == (HintEnd.SHOWN, [report, all_there_is])
    for _ in range(2):
        assert desk.hint(check=never, language=language) == (HintEnd.SHOWN, [question, all_there_is])
    desk.write(STARTER.replace("needed_blocks = ...", "needed_blocks = self.blcks + 1"))
    assert desk.hint(language=language) == (HintEnd.SHOWN, [report, all_there_is])


def never(*_: object, **__: object) -> CheckReport:
    raise AssertionError("these bytes were checked before")


def test_rungs_open_with_time_and_the_line_does_not(desk: Desk) -> None:
    desk.write(FLOORED)
    desk.hint()
    desk.now += 20
    assert desk.hint() == (HintEnd.SHOWN, [EXAMPLE])
    assert desk.hint() == (HintEnd.WAITS, [EXAMPLE, opens_in(20)])
    desk.now += 20
    assert desk.hint() == (HintEnd.SHOWN, [PATTERN])
    desk.now += 1000
    assert desk.hint() == (HintEnd.LINE_WAITS, [PATTERN, LINE_SHUT])
    assert desk.hint(now=True) == (HintEnd.LINE_WAITS, [PATTERN, LINE_SHUT])


def test_rungs_open_with_each_change_of_the_code_and_the_line_after_a_changed_attempt(desk: Desk) -> None:
    desk.write(FLOORED)
    desk.hint()
    desk.write(changed(1))
    assert desk.hint() == (HintEnd.SHOWN, [EXAMPLE])
    desk.write(changed(2))
    assert desk.hint() == (HintEnd.SHOWN, [PATTERN])
    desk.write(changed(3))
    assert desk.hint("with 5 and 4") == (
        HintEnd.SHOWN,
        [LINE, EXPLAIN, "Noted. Now write it yourself, without looking."],
    )
    assert events.SaidBack("1", "prefill.floor-division", "with 5 and 4") in desk.events
    assert desk.hint() == (HintEnd.SHOWN, [LINE])


@pytest.mark.parametrize(
    "edit",
    [
        lambda source: source + "\n\n# a thought\n",
        lambda source: source.replace("blocks = n // b", "blocks  =  n // b  # hm"),
        lambda source: source.replace("        # TODO 2", '        """Take them."""\n        # TODO 2'),
    ],
)
def test_comments_blanks_and_docstrings_are_no_change(desk: Desk, edit: Callable[[str], str]) -> None:
    desk.write(FLOORED)
    desk.hint()
    desk.write(edit(FLOORED))
    end, log = desk.hint()
    assert (end, log[-1]) == (HintEnd.WAITS, opens_in(20))


def test_checking_the_same_code_again_winds_no_clock_back(desk: Desk) -> None:
    desk.write(FLOORED)
    desk.hint()
    desk.now += 15
    desk.write(FLOORED + "# again\n")
    desk.hint()
    desk.now += 5
    assert desk.hint() == (HintEnd.SHOWN, [EXAMPLE])


def test_who_will_not_wait_need_not_and_it_is_recorded(desk: Desk) -> None:
    desk.write(FLOORED)
    assert desk.hint(now=True) == (HintEnd.SHOWN, [EXAMPLE])
    assert desk.hint(now=True) == (HintEnd.SHOWN, [PATTERN])
    opened = [event for event in desk.events if isinstance(event, events.HintOpened)]
    assert [(event.rung, event.now) for event in opened] == [(3, True), (4, True)]


def test_a_rung_that_was_open_anyway_is_not_recorded_as_hurried(desk: Desk) -> None:
    desk.write(FLOORED)
    desk.hint()
    desk.now += 30
    desk.hint(now=True)
    assert [event.now for event in desk.events if isinstance(event, events.HintOpened)] == [False]


def test_giving_up_shows_the_line_at_once_and_is_recorded(desk: Desk) -> None:
    desk.write(FLOORED)
    assert desk.hint(None, give_up=True) == (HintEnd.SHOWN, [LINE, EXPLAIN])
    assert events.GaveUp("1", "line") in desk.events
    assert not any(isinstance(event, events.SaidBack) for event in desk.events)


def test_where_nobody_can_answer_the_line_comes_without_the_question(desk: Desk) -> None:
    desk.write(FLOORED)
    assert desk.hint(give_up=True, ask_back=False) == (HintEnd.SHOWN, [LINE])


def test_a_clock_set_back_makes_nobody_wait(desk: Desk) -> None:
    desk.write(FLOORED)
    desk.hint()
    desk.now -= 10_000
    assert desk.hint() == (HintEnd.SHOWN, [EXAMPLE])


WAY_OUT = (
    "There is no deeper hint for this one. Follow the smallest failing case step by step; if you are stuck, "
    "`pagetutor solution 1 --give-up` shows the reference (this is recorded)."
)
LOOK_FIRST = "page: look here first | one block short?; shrunk after OOM?"


def with_questions(desk: Desk) -> None:
    """The first mission's exercise ends with what to look at first, as the real ones do."""
    first, *others = desk.course.missions
    questions = Points((text("one block short?"), text("shrunk after OOM?")))
    page = (*first.exercise.page, Paragraph(text("look here first")), questions)
    first = replace(first, exercise=replace(first.exercise, page=page))
    desk.course = replace(desk.course, missions=(first, *others))


def test_without_a_diagnosis_the_hint_is_where_to_look_first_and_the_way_out(desk: Desk) -> None:
    with_questions(desk)
    desk.write(FLOORED.replace("n // b", "odd"))
    assert desk.hint() == (HintEnd.SHOWN, ["report: failed []", LOOK_FIRST, WAY_OUT])
    assert desk.hint() == (HintEnd.SHOWN, [LOOK_FIRST, WAY_OUT])
    assert desk.hint(language=Language.ZH)[1] == [
        "page: （look here first） | （one block short?）; （shrunk after OOM?）",
        "这里没有更深的提示了。先拿最小的失败例子一步步推；实在卡住，用 `pagetutor solution 1 --give-up` "
        "看参考解（会记下来）。",
    ]


def test_while_todos_are_open_the_hint_is_the_first_of_them_and_the_mapping(desk: Desk) -> None:
    desk.write(STARTER)
    reread = (
        "How the warm-up becomes the exercise, line by line: reread the table with `pagetutor show 1 "
        "mapping`."
    )
    assert desk.hint() == (HintEnd.SHOWN, ["TODO 1 is still open: task 1", reread])
    assert desk.hint(language=Language.ZH)[1] == [
        "TODO 1 还没填：（task 1）",
        "热身程序怎么一行行变成练习，重读这张对照表：`pagetutor show 1 mapping`。",
    ]


def test_where_the_mapping_has_the_todos_own_name_that_row_is_shown(desk: Desk) -> None:
    first, *others = desk.course.missions
    rows = (*first.mapping, Mapped("boxes", "needed_blocks", text("how many")))
    desk.course = replace(desk.course, missions=(replace(first, mapping=rows), *others))
    desk.write(STARTER)
    assert "mapping: The warm-up has a line that becomes it:, 1 rows" in desk.hint()[1]
    assert "mapping: 热身里的这一行，换个名字就是它：, 1 rows" in desk.hint(language=Language.ZH)[1]


def test_a_file_that_passes_needs_no_hint(desk: Desk) -> None:
    desk.write(RIGHT)
    assert desk.hint() == (HintEnd.NOTHING_WRONG, ["Your file passes; there is nothing to hint at."])


def test_in_the_lesson_the_next_rung_can_be_waited_for_or_had_at_once(desk: Desk) -> None:
    desk.write(FLOORED)
    before = ("s", "right", "", "", "", "right", "", None, None, "on", "", "right", "", "s")
    _, log = desk.sit(
        "1", *before, "check", "hint", "back", "hint", "now", "hint", "now", "hint", "give-up", None, "leave"
    )
    menu = "? What now? [check watch edit hint reread replay]"
    wait = "? Wait, or see it now? [back now]"
    assert log[log.index(REPORT) :] == [
        *(REPORT, menu, OPENS_IN_20, wait),
        *(menu, OPENS_IN_20, wait, EXAMPLE),
        *(menu, EXAMPLE, OPENS_IN_20, wait, PATTERN),
        *(menu, PATTERN, LINE_IS_LEFT, "? Wait, or see it now? [back give-up]", LINE, EXPLAIN),
        *(menu, "Everything you did is kept. `pagetutor mission 1` goes on from here."),
    ]


@pytest.mark.parametrize(
    ("language", "waits", "line_waits"),
    [
        (
            Language.EN,
            "The next hint opens once you change the code, or in 20 s; not to wait, press `h` once more.",
            "Only the line itself is left. Change your code first, then ask again; to give up, press `h` "
            "once more (this is recorded).",
        ),
        (
            Language.ZH,
            "下一层提示，改动代码后就能看，或者再等 20 秒；不想等就再按一次 `h`。",
            "只剩答案那一行了：先改一改代码再来看；真想放弃，就再按一次 `h`（会记下来）。",
        ),
    ],
)
def test_by_keys_what_waits_is_one_sentence_that_names_the_key(
    desk: Desk, language: Language, waits: str, line_waits: str
) -> None:
    desk.write(FLOORED)
    assert desk.hint(language=language, means=KEYS) == (HintEnd.WAITS, [REPORT, waits])
    desk.hint(now=True)
    assert desk.hint(language=language, means=KEYS) == (HintEnd.WAITS, [waits])
    desk.hint(now=True)
    assert desk.hint(language=language, means=KEYS) == (HintEnd.LINE_WAITS, [line_waits])


def test_away_from_the_shell_no_command_is_advised_without_the_way_there(desk: Desk) -> None:
    desk.write(STARTER)
    mapping = "How the warm-up becomes the exercise, line by line: "
    assert desk.hint()[1][-1] == mapping + "reread the table with `pagetutor show 1 mapping`."
    by_leaving = mapping + "leave with `q` and reread the table with `pagetutor show 1 mapping`."
    assert desk.hint(means=KEYS)[1][-1] == by_leaving
    menu = Means(menu=lambda: [Option("hint", text("h"))])
    assert desk.hint(means=menu)[1][-1] == mapping + "reread the table, under “Reread a part”."
