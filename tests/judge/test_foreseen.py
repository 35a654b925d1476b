"""What tests will ask is known before they run, so that the process can begin on it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pagetutor.content.model import Course
from pagetutor.exercise.scenario import pool, prefill, request, scenario
from pagetutor.judge.check import test_files as files_of
from pagetutor.judge.foreseen import foreseen
from pagetutor.judge.play import Play
from pagetutor.judge.run_tests import run_tests
from pagetutor.learner.port import Job, Loaded, Runner
from tests.corpus.build import SOLUTION

Test = tuple[Callable[..., object], dict[str, object]]
FIRST = scenario(pool(10, 4), request("a", 6), prefill("a"))
SECOND = scenario(pool(10, 4), request("a", 7), prefill("a"))


def test_every_question_of_a_test_is_foreseen_whatever_it_expects() -> None:
    def asks_twice(play: Play, tokens: int) -> None:
        play(FIRST).expect(blocks={"a": 99}, free=tokens)
        play(*SECOND.ops).expect_oom()

    assert foreseen([(asks_twice, {"play": None, "tokens": 3})]) == (FIRST, SECOND)


def test_a_test_that_looks_at_a_trace_is_foreseen_up_to_there_and_the_next_one_again() -> None:
    def looks(play: Play) -> None:
        if play(FIRST).trace.steps[-1].outcome.raised is None:
            play(SECOND)

    def asks(play: Play) -> None:
        play(SECOND).holds()

    def asks_nothing(tokens: int) -> None:
        raise AssertionError(tokens)

    tests: list[Test] = [(looks, {"play": None}), (asks_nothing, {"tokens": 3}), (asks, {"play": None})]
    assert foreseen(tests) == (FIRST, SECOND)


@pytest.mark.parametrize("mission", ["1", "2", "3", "final"])
def test_all_that_a_right_file_is_asked_was_foreseen(course: Course, runner: Runner, mission: str) -> None:
    source = SOLUTION.encode()
    found = next(one for one in course.missions if one.id == mission)
    files, drawn = files_of(course, found, source)
    with runner.session(Job(Path("block_manager.py").absolute(), course.stage)) as session:
        play = Play(session)
        run_tests(files, play, drawn, ready=lambda: session.load(source) == Loaded())
    assert tuple(trace.scenario for trace in play.traces) == tuple(play.foreseen)
    assert len(play.foreseen) > 20
