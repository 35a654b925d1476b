"""The fold, and what is read off it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetutor.content.model import MissionId
from pagetutor.errors import UsageError
from pagetutor.store import events
from pagetutor.store.database import Record
from pagetutor.store.events import Event, Unread
from pagetutor.store.exchange import export_history, import_history
from pagetutor.store.history import History
from pagetutor.text import Language, Text
from pagetutor.tutor.answers import same_answer
from pagetutor.tutor.finding import find_mission, find_part, unknown_command
from pagetutor.tutor.overview import mission_to_go_on_with, overview
from pagetutor.tutor.parts import Step, parts_of, steps_of
from pagetutor.tutor.progress import Progress, fold, next_step, question_to_ask_again, read_progress
from pagetutor.tutor.shuffle import ordered
from pagetutor.tutor.solution import solution
from pagetutor.tutor.warming_up import turned
from tests.tutor.conftest import Desk
from tests.tutor.small import FLOORED


def progress_after(*happened: Event) -> Progress:
    return fold(Record(str(number), 0.0, event) for number, event in enumerate(happened))


def checked(mission: str, verdict: str) -> events.Checked:
    return events.Checked(mission, verdict, (), "", "", 0.1)


def test_no_progress_is_the_beginning(desk: Desk) -> None:
    assert next_step(desk.mission("1"), Progress()) is Step.GUESS
    assert next_step(desk.mission("final"), Progress()) is Step.EXERCISE


@given(st.lists(st.sampled_from(["passed", "failed", "broken", "stopped", "unfilled"])))
def test_done_stays_done(verdicts: list[str]) -> None:
    assert progress_after(*(checked("1", verdict) for verdict in verdicts)).passed("1") == (
        "passed" in verdicts
    )


def test_missions_do_not_touch_one_another() -> None:
    progress = progress_after(checked("2", "passed"), events.PartDone("1", "guess"))
    assert (progress.passed("1"), progress.passed("2"), progress.of("2").done) == (False, True, frozenset())


def test_an_unknown_event_or_language_changes_nothing() -> None:
    chinese = events.LanguageChosen("zh")
    assert progress_after(chinese, Unread("later", {})) == progress_after(chinese)
    assert progress_after(chinese, events.LanguageChosen("fr")).language is Language.ZH


def test_the_last_verdict_is_the_last_one_given_on_whichever_machine(desk: Desk) -> None:
    other = History(desk.path.with_name("other.db"), clock=lambda: desk.now)
    other.append(checked("1", "failed"), events.Answered("1", "1.guess", "wrong", right=False))
    desk.now = 2000.0
    desk.history.append(checked("1", "passed"), events.Answered("1", "1.guess", "right", right=True))
    import_history(desk.history, export_history(other))
    before, guess = read_progress(desk.history).of("1"), desk.mission("1").guess
    assert (before.last_verdict, before.last_checked_at) == ("passed", 2000.0)
    assert guess is not None
    assert (before.first_answer(guess), before.final_answer(guess)) == (
        guess.choice("wrong"),
        guess.choice("right"),
    )


def test_the_first_seed_holds() -> None:
    assert progress_after(events.Seeded("a"), events.Seeded("b")).seed == "a"


def test_the_question_skipped_least_often_comes_back_first(desk: Desk) -> None:
    missed: list[Event] = [
        events.Answered("1", "1.guess", "wrong", right=False),
        events.Answered("1", "1.quiz", "odd", right=False),
        events.PartDone("1", "quiz"),
    ]

    def comes_back(*more: Event) -> str | None:
        found = question_to_ask_again(desk.course, progress_after(*missed, *more), "2", desk.now)
        return found[1].id if found else None

    assert comes_back() == "1.guess.again"
    assert comes_back(events.AgainSkipped("1.guess.again")) == "1.quiz.again"
    hit = events.Answered("1", "1.guess.again", "right", right=True)
    assert comes_back(hit) == "1.quiz.again"
    assert comes_back(hit, events.Answered("1", "1.quiz.again", "odd", right=False)) == "1.quiz.again"
    assert comes_back(hit, events.Answered("1", "1.quiz.again", "right", right=True)) is None


def test_a_question_put_right_at_last_does_not_come_back(desk: Desk) -> None:
    progress = progress_after(
        events.Answered("1", "1.guess", "wrong", right=False),
        events.Answered("1", "1.guess", "right", right=True),
        events.PartDone("1", "quiz"),
    )
    assert question_to_ask_again(desk.course, progress, "2", desk.now + 1_000_000) is None


def test_a_missed_question_comes_back_the_next_day_or_in_another_mission(desk: Desk) -> None:
    missed = progress_after(
        events.Answered("1", "1.guess", "wrong", right=False), events.PartDone("1", "quiz")
    )

    def comes_back(here: MissionId, now: float) -> bool:
        return question_to_ask_again(desk.course, missed, here, now) is not None

    at = missed.of("1").missed_at["1.guess"]
    assert [comes_back("1", at), comes_back("1", at + 86_400), comes_back("2", at)] == [False, True, True]


def test_resuming_before_the_quiz_is_not_broken_into(desk: Desk) -> None:
    progress = progress_after(
        events.Answered("1", "1.guess", "wrong", right=False), events.PartDone("1", "guess-again")
    )
    assert question_to_ask_again(desk.course, progress, "2", desk.now) is None


def test_options_are_ordered_by_learner_and_question_alone(desk: Desk) -> None:
    question = desk.mission("1").guess
    assert question is not None
    orders = {tuple(choice.id for choice in ordered(question, str(seed))) for seed in range(100)}
    assert len(orders) == 6
    others = {tuple(choice.id for choice in ordered(replace(question, id=str(n)), "a")) for n in range(100)}
    assert len(others) == 6
    assert ordered(question, "a") == ordered(question, "a")
    assert ordered(question, None) == question.choices


def test_a_missions_parts_are_those_it_has(desk: Desk) -> None:
    assert [part.value for part in parts_of(desk.mission("1"))] == [
        *("guess", "background", "diagram", "warm-up"),
        *("mapping", "quiz", "hand-trace", "exercise"),
    ]
    assert steps_of(desk.mission("final")) == (Step.EXERCISE,)


def test_the_overview_counts_parts_checks_and_passes_and_says_what_is_next(desk: Desk) -> None:
    progress = progress_after(
        *(events.PartDone("1", step) for step in steps_of(desk.mission("1"))),
        checked("1", "failed"),
        checked("1", "passed"),
        events.PartDone("2", "guess"),
        events.PartDone("2", "background"),
    )
    seen = overview(desk.course, progress)
    assert [
        (line.mission.id, line.parts_done, line.parts, line.passed, line.checks) for line in seen.lines
    ] == [
        ("1", 8, 8, True, 2),
        ("2", 2, 8, False, 0),
        ("final", 0, 1, False, 0),
    ]
    assert seen.next_up == Text(
        zh="接着学 Mission 2 的「图解原理」：`pagetutor mission 2`。",
        en="Go on with Mission 2, “How it works, drawn”: `pagetutor mission 2`.",
    )


def test_the_overview_begins_with_the_first_mission_and_ends_when_all_are_passed(desk: Desk) -> None:
    assert overview(desk.course, Progress()).next_up == Text(
        zh="从 Mission 1 的「先猜一猜」开始：`pagetutor mission 1`。",
        en="Begin Mission 1 with “Guess first”: `pagetutor mission 1`.",
    )
    everything = progress_after(*(checked(mission, "passed") for mission in ("1", "2", "final")))
    assert mission_to_go_on_with(desk.course, everything) is None
    assert overview(desk.course, everything).next_up == Text(
        zh="全部通过了。回顾这一路：`pagetutor recap`；想看别的写法：`pagetutor solution final`。",
        en="Everything is passed. Look back on your way: `pagetutor recap`. Other right ways to write it: "
        "`pagetutor solution final`.",
    )


def test_elsewhere_the_overview_says_where_the_file_is(desk: Desk, tmp_path: Path) -> None:
    desk.write(FLOORED)
    progress = progress_after(events.PartDone("1", "guess"), events.FolderUsed("1", str(desk.folder)))
    assert overview(desk.course, progress, cwd=desk.folder).next_up.en == (
        "Go on with Mission 1, “What you need to know”: `pagetutor mission 1`."
    )
    assert overview(desk.course, progress, cwd=tmp_path).next_up == Text(
        zh=f"接着学 Mission 1 的「先补的知识」：`pagetutor mission 1`。你的 `block_manager.py` 在 "
        f"{desk.folder}。",
        en=f"Go on with Mission 1, “What you need to know”: `pagetutor mission 1`. Your "
        f"`block_manager.py` is in {desk.folder}.",
    )


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("1", "1"),
        ("01", "1"),
        ("１", "1"),
        ("mission 2", "2"),
        ("Final", "final"),
        ("prefill", "1"),
        ("decode", "2"),
    ],
)
def test_a_mission_is_found_by_what_people_type(desk: Desk, typed: str, found: str) -> None:
    assert find_mission(desk.course, typed).id == found


def test_mission_4_says_which_there_are(desk: Desk) -> None:
    with pytest.raises(UsageError) as refused:
        find_mission(desk.course, "4")
    assert refused.value.say == Text(
        zh="没有 mission 4。有这些：\n  1  （title 1）\n  2  （title 2）\n  final  （title final）",
        en="There is no mission 4. There are:\n  1  title 1\n  2  title 2\n  final  title final",
    )


def test_a_misspelt_mission_gets_the_nearest(desk: Desk) -> None:
    with pytest.raises(UsageError) as refused:
        find_mission(desk.course, "finale{x}")
    assert refused.value.say.en.startswith(
        "There is no mission finale{x}. Did you mean `final`? There are:\n"
    )
    assert refused.value.say.zh.startswith("没有 mission finale{x}。是不是 `final`？有这些：\n")


@pytest.mark.parametrize("typed", ["hand-trace", "handtrace", "HAND_TRACE", "hand trace", "用手推一遍"])
def test_a_part_is_found_by_what_people_type(desk: Desk, typed: str) -> None:
    assert find_part(desk.mission("1"), typed) == "hand-trace"


def test_a_misspelt_part_gets_the_nearest_and_the_list(desk: Desk) -> None:
    with pytest.raises(UsageError) as refused:
        find_part(desk.mission("1"), "quizz")
    assert refused.value.say == Text(
        zh="Mission 1 里没有叫 quizz 的部分。是不是 `quiz`？有这些：guess, background, diagram, warm-up, "
        "mapping, quiz, hand-trace, exercise。",
        en="Mission 1 has no part called quizz. Did you mean `quiz`? There are: guess, background, "
        "diagram, warm-up, mapping, quiz, hand-trace, exercise.",
    )
    with pytest.raises(UsageError) as refused:
        find_part(desk.mission("final"), "quiz")
    assert refused.value.say.en == "The official exercise has no part called quiz. There are: exercise."


def test_a_misspelt_command_gets_the_nearest() -> None:
    commands = ["mission", "check", "hint"]
    assert unknown_command("chekc", commands) == Text(
        zh="没有 chekc 这个命令。是不是 `pagetutor check`？",
        en="There is no command chekc. Did you mean `pagetutor check`?",
    )
    assert unknown_command("zzz", commands) == Text(
        zh="没有 zzz 这个命令。`pagetutor --help` 列出所有命令。",
        en="There is no command zzz. `pagetutor --help` lists them all.",
    )


@pytest.mark.parametrize(
    "typed",
    ["[9, 64]", "(9,64)", "9x64", "9 × 64", "9*64", "９，６４", "torch.Size([9, 64])", "9 64", "[9, 64]。"],
)
def test_one_answer_in_many_spellings(typed: str) -> None:
    assert same_answer(typed, "[9, 64]")


@pytest.mark.parametrize("typed", ["[64, 9]", "964", "9", "[9, 6, 4]", "", "9 - 64"])
def test_another_answer_is_another(typed: str) -> None:
    assert not same_answer(typed, "[9, 64]")


@pytest.mark.parametrize(
    ("typed", "is_so"), [("true", "True"), ("“FULL”", "'FULL'"), ("3.", "3"), ("[ ]", "[]")]
)
def test_case_quotes_and_full_stops_do_not_count(typed: str, is_so: str) -> None:
    assert same_answer(typed, is_so)


def test_a_knob_turns_only_the_line_that_sets_it() -> None:
    program = "# item_count = 11\nbig_item_count = 2\nitem_count  = 11  # goods\nitem_count = 3\n"
    assert turned(program, "item_count", -4) == (
        "# item_count = 11\nbig_item_count = 2\nitem_count  = -4  # goods\nitem_count = 3\n"
    )


def test_the_solution_is_shut_before_a_pass_and_opens_for_who_gives_up_which_is_recorded(desk: Desk) -> None:
    with pytest.raises(UsageError) as refused:
        solution(desk.course, desk.mission("1"), desk.workspace.file, desk.history)
    assert refused.value.say == Text(
        zh="参考解在通过之后打开。真想现在就看，用 `pagetutor solution 1 --give-up`（会记下来）。",
        en="The reference opens after a pass. To see it now: `pagetutor solution 1 --give-up` (this is "
        "recorded).",
    )
    assert desk.events == []
    shown = solution(desk.course, desk.mission("1"), desk.workspace.file, desk.history, give_up=True)
    assert shown.own is None
    assert desk.events == [events.GaveUp("1", "solution")]
    desk.write("def broken(:\n")
    assert solution(desk.course, desk.mission("1"), desk.workspace.file, desk.history).own is None
    assert desk.events == [events.GaveUp("1", "solution")]
