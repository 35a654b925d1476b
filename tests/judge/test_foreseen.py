"""What tests will ask is known before they run, so that the process can begin on it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest

from pagetutor.content.model import Course
from pagetutor.exercise.scenario import Scenario, pool, prefill, request, scenario
from pagetutor.judge.foreseen import foreseen
from pagetutor.judge.mission_run import test_files as files_of
from pagetutor.judge.play import Play
from pagetutor.judge.run_tests import run_tests
from pagetutor.learner.port import Job, Loaded, Runner
from tests.corpus.build import SOLUTION


class _Told(Play):
    """A `Play` that remembers what it was told to expect."""

    told: tuple[Scenario, ...] = ()

    def will_ask(self, scenarios: Sequence[Scenario]) -> None:
        self.told = tuple(scenarios)
        super().will_ask(scenarios)


FIRST = scenario(pool(10, 4), request("a", 6), prefill("a"))
SECOND = scenario(pool(10, 4), request("a", 7), prefill("a"))


def test_every_question_of_a_test_is_foreseen_whatever_it_expects() -> None:
    def asks_twice(play: Play, tokens: int) -> None:
        play(FIRST).expect(blocks={"a": 99}, free=tokens)
        play(*SECOND.ops).expect_oom()

    assert foreseen([partial(asks_twice, tokens=3)]) == (FIRST, SECOND)


def test_a_test_that_looks_at_a_trace_is_foreseen_up_to_there_and_the_next_one_again() -> None:
    def looks(play: Play) -> None:
        if play(FIRST).trace.steps[-1].outcome.raised is None:
            play(SECOND)

    def asks(play: Play) -> None:
        play(SECOND).holds()

    def asks_nothing(play: Play) -> None:
        raise AssertionError

    assert foreseen([looks, asks_nothing, asks]) == (FIRST, SECOND)


@pytest.mark.parametrize("mission", ["1", "2", "3", "final"])
def test_all_that_a_right_file_is_asked_was_foreseen(course: Course, runner: Runner, mission: str) -> None:
    source = SOLUTION.encode()
    found = next(one for one in course.missions if one.id == mission)
    files, drawn = files_of(course, found, source)
    with runner.session(Job(Path("block_manager.py").absolute(), course.stage)) as session:
        play = _Told(session)
        run_tests(files, play, drawn, ready=lambda: session.load(source) == Loaded())
    assert tuple(trace.scenario for trace in play.traces) == play.told
    assert len(play.told) > 20
