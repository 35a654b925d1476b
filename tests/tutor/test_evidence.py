"""After a pass: the first guess beside what the learner's own code just did in that very case."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pagetutor.content.model import Course, Mission
from pagetutor.exercise.scenario import MakeManager, decode, holding, pool, scenario
from pagetutor.exercise.trace import ManagerSeen, Outcome, RequestSeen, Step, TensorSeen, Trace
from pagetutor.judge.report import CheckReport, Verdict
from pagetutor.learner.port import Runner
from pagetutor.store.events import Answered, Checked, ConfidenceGiven
from pagetutor.text import Language
from pagetutor.tutor.evidence import evidence
from pagetutor.tutor.lesson import run_mission
from pagetutor.tutor.progress import read_progress
from tests.tutor.conftest import Desk
from tests.tutor.scripted import Scripted
from tests.tutor.small import RIGHT, marked_check

CASE = scenario(pool(4, 4, free=[3, 1]), holding("a", [0, 2], 8), decode("a"))


def _step(at: int, tokens: int, table: tuple[int, ...], free: tuple[int, ...]) -> Step:
    there = at > 1
    requests = {"a": RequestSeen(tokens, table)} if there else {}
    seen = ManagerSeen(free, TensorSeen((4, 4, 1), None))
    return Step(CASE.ops[at], Outcome("done"), requests, {"m": seen})


THIRD_BLOCK = Trace(
    CASE,
    (
        _step(0, 0, (), (0, 1, 2, 3)),
        _step(1, 0, (), (3, 1)),
        _step(2, 8, (), (3, 1)),
        _step(3, 8, (0, 2), (3, 1)),
        _step(4, 9, (0, 2, 3), (1,)),
    ),
)


def witnessed(
    course: Course, mission: Mission, path: Path, source: bytes, runner: Runner, *, deadline_s: float
) -> CheckReport:
    """A check whose pass tells what the code did in the guess's case."""
    report = marked_check(course, mission, path, source, runner, deadline_s=deadline_s)
    return replace(report, evidence=THIRD_BLOCK) if report.verdict is Verdict.PASSED else report


CALL = {
    Language.EN: "`block_size=4`, `free_blocks=[3, 1]`; `seq_len=8`, `block_table=[0, 2]` → "
    "`allocate_for_decode(a)`",
    Language.ZH: "`block_size=4`，`free_blocks=[3, 1]`；`seq_len=8`，`block_table=[0, 2]` → "
    "`allocate_for_decode(a)`",
}
DID = {
    Language.EN: "at 9 tokens it took 1 block and holds 3: `block_table == [0, 2, 3]`, `free_blocks == [1]`",
    Language.ZH: "到 9 个 token 时领了 1 块，现在共 3 块：`block_table == [0, 2, 3]`，`free_blocks == [1]`",
}


def test_the_case_is_the_one_that_is_told() -> None:
    assert isinstance(CASE.ops[0], MakeManager)
    assert len(THIRD_BLOCK.steps) == len(CASE.ops)


@pytest.mark.parametrize(
    ("choice", "sure", "en", "zh"),
    [
        ("right", 3, "You were sure, and right.", "当时很有把握，也猜对了。"),
        ("right", 2, "You were fairly sure, and right.", "当时比较有把握，猜对了。"),
        (
            "right",
            1,
            "It was only a guess, and right; now your code shows why.",
            "当时只是猜，猜对了；现在你的代码说明了为什么。",
        ),
        ("right", None, "You guessed right.", "当时猜对了。"),
        (
            "wrong",
            3,
            "You were sure, and it turned out otherwise: a surprise like this is worth remembering most.",
            "当时很有把握，结果却不一样：这样的意外最值得记住。",
        ),
        (
            "wrong",
            2,
            "You were fairly sure; now your own code has shown you how it really goes.",
            "当时比较有把握，结果却不一样；你自己写的代码刚刚做给你看了。",
        ),
        (
            "wrong",
            1,
            "You said it was a guess; now you need not guess: your own code has the answer.",
            "当时只是猜；现在不用猜了，你自己写的代码就是答案。",
        ),
        (
            "wrong",
            None,
            "It turned out otherwise than you guessed; now your own code has the answer.",
            "结果和当时猜的不一样；现在你自己写的代码就是答案。",
        ),
    ],
)
def test_the_guess_the_case_what_the_code_did_and_how_they_go_together(
    desk: Desk, choice: str, sure: int | None, en: str, zh: str
) -> None:
    desk.history.append(
        Answered("1", "1.guess", choice, choice == "right"),
        ConfidenceGiven("1", "1.guess", sure),
    )
    report = witnessed(*_asked(desk), deadline_s=5.0)
    compared = evidence(desk.mission("1"), report, read_progress(desk.history))
    assert compared is not None
    assert compared.guessed.id == choice
    assert {language: compared.call.in_(language) for language in Language} == CALL
    assert {language: compared.did.in_(language) for language in Language} == DID
    assert (compared.calibration.en, compared.calibration.zh) == (en, zh)


@pytest.mark.parametrize(
    ("guesses", "sure", "told", "en", "zh"),
    [
        (
            ("wrong", "right"),
            2,
            "right",
            "You changed your mind, rightly.",
            "后来你改了主意，改对了。",
        ),
        (
            ("wrong", "odd", "right"),
            3,
            "right",
            "You had been sure of something else and changed your mind, rightly: that is worth remembering "
            "most.",
            "一开始你很有把握，后来还是改了主意，改对了：这样的转变最值得记住。",
        ),
        (
            ("right", "wrong"),
            3,
            "right",
            "Your very first guess was right, though you left it later: your own code sides with it.",
            "你最先猜的就是对的，后来才改掉。你自己写的代码站在最先那个想法一边。",
        ),
        (
            ("wrong", "odd"),
            None,
            "wrong",
            "It turned out otherwise than you guessed; now your own code has the answer.",
            "结果和当时猜的不一样；现在你自己写的代码就是答案。",
        ),
    ],
)
def test_a_changed_mind_is_told_and_a_right_one_bears_no_cross(
    desk: Desk, guesses: tuple[str, ...], sure: int | None, told: str, en: str, zh: str
) -> None:
    for choice in guesses:
        desk.history.append(Answered("1", "1.guess", choice, choice == "right"))
    desk.history.append(ConfidenceGiven("1", "1.guess", sure))
    report = witnessed(*_asked(desk), deadline_s=5.0)
    compared = evidence(desk.mission("1"), report, read_progress(desk.history))
    assert compared is not None
    assert compared.guessed.id == told
    assert (compared.calibration.en, compared.calibration.zh) == (en, zh)


def test_it_is_told_at_the_first_pass_after_the_guess_and_never_again(desk: Desk) -> None:
    passed = Checked("1", "passed", (), "a", "shape", 0.1)
    report = witnessed(*_asked(desk), deadline_s=5.0)

    def is_told() -> bool:
        return evidence(desk.mission("1"), report, read_progress(desk.history)) is not None

    desk.history.append(passed, passed)  # checked before the lesson was begun
    desk.history.append(Answered("1", "1.guess", "wrong", right=False))
    desk.history.append(Checked("1", "failed", (), "a", "shape", 0.1), passed)
    assert is_told()
    desk.history.append(Answered("1", "1.guess", "right", right=True))
    assert is_told()
    desk.history.append(passed)
    assert not is_told()


def _asked(desk: Desk) -> tuple[Course, Mission, Path, bytes, Runner]:
    return desk.course, desk.mission("1"), desk.workspace.file, RIGHT.encode(), desk.runner


def test_nothing_is_told_where_nothing_was_guessed_or_no_such_case_was_played(desk: Desk) -> None:
    report = witnessed(*_asked(desk), deadline_s=5.0)
    mission = desk.mission("1")
    assert evidence(mission, report, read_progress(desk.history)) is None
    desk.history.append(Answered("1", "1.guess", "gone", right=False))
    assert evidence(mission, report, read_progress(desk.history)) is None
    assert evidence(desk.mission("final"), report, read_progress(desk.history)) is None


def test_it_stands_between_what_works_and_the_card(desk: Desk) -> None:
    desk.write(RIGHT)
    before = ("s", "right", "", "", "", "right", "", None, None, "on", "", "right", "", "s")
    screen = Scripted(*before, "check", "leave", sure=("3",))
    run_mission(
        desk.course,
        desk.mission("1"),
        screen,
        history=desk.history,
        runner=desk.runner,
        workspace=desk.workspace,
        shuffle=False,
        check=witnessed,
    )
    at = screen.log.index("report: passed []")
    told = f"evidence: option right | {CALL[Language.EN]} | {DID[Language.EN]} | You were sure, and right."
    assert screen.log[at + 1 : at + 4] == ["prefill works", told, "card: card one"]
