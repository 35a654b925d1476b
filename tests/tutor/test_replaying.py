"""Which case is replayed, and what comes where there is none: real processes, the real course."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, cast

import pytest

from pagetutor.content.find import find_course
from pagetutor.content.read import load_course
from pagetutor.errors import UsageError
from pagetutor.judge.report import CheckReport, Reason, Verdict
from pagetutor.learner.port import Job, Runner, Session
from pagetutor.learner.runner import open_runner
from pagetutor.text import Text, same
from pagetutor.tutor.checking import read_file
from pagetutor.tutor.finding import find_mission
from pagetutor.tutor.replaying import Replay, replay
from tests.corpus.build import SOLUTION, STARTER, with_method

FLOORS = SOLUTION.replace(
    "(req.seq_len + self.block_size - 1) // self.block_size", "req.seq_len // self.block_size"
)
Replaying = Callable[..., Replay | CheckReport | Text]


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    opened = open_runner()
    opened.warm()
    yield opened
    opened.close()


@pytest.fixture
def replaying(runner: Runner, tmp_path: Path) -> Replaying:
    """`replaying("1", source)`: the replay of these words, lying in a folder of their own."""
    course = load_course(find_course())

    def replayed(
        mission: str, source: str, *, case: str | None = None, deadline_s: float = 5.0
    ) -> Replay | CheckReport | Text:
        path = tmp_path / "block_manager.py"
        path.write_text(source, encoding="utf-8")
        return replay(
            *(course, find_mission(course, mission), path, read_file(path), runner),
            case=case,
            deadline_s=deadline_s,
        )

    return replayed


def a_replay(found: Replay | CheckReport | Text) -> Replay:
    assert isinstance(found, Replay), found
    return found


def test_the_smallest_failing_case_is_replayed(replaying: Replaying) -> None:
    found = a_replay(replaying("1", FLOORS))
    assert found.test_id == "test_prefill.py::test_a_short_prompt_takes_one_block"
    assert found.title.en == "a prompt shorter than a block takes a whole one"
    assert found.source == FLOORS
    assert found.remark is None
    assert found.first_difference == len(found.frames) - 1
    assert [frame.yours.requests["a"].seq_len for frame in found.frames] == [1] * 5


@pytest.mark.parametrize(
    "case", ["test_prefill.py::test_six_tokens_take_two_blocks", "test_six_tokens_take_two_blocks"]
)
def test_a_case_is_found_by_its_id_or_the_tests_name(replaying: Replaying, case: str) -> None:
    found = a_replay(replaying("1", FLOORS, case=case))
    assert found.test_id == "test_prefill.py::test_six_tokens_take_two_blocks"
    assert found.first_difference is not None


def test_the_same_name_in_several_files_needs_its_file(replaying: Replaying) -> None:
    with pytest.raises(UsageError, match="There is no case `test_two_managers_share_nothing`"):
        replaying("final", SOLUTION, case="test_two_managers_share_nothing")
    asked = "test_gather.py::test_two_managers_share_nothing"
    assert a_replay(replaying("final", SOLUTION, case=asked)).test_id == asked


def test_a_case_there_is_not_is_answered_with_those_there_are(replaying: Replaying) -> None:
    with pytest.raises(UsageError) as error:
        replaying("2", SOLUTION, case="test_six_tokens_take_two_blocks")
    assert error.value.say.en.startswith(
        "There is no case `test_six_tokens_take_two_blocks`. There are:\n  test_decode.py::test_"
    )
    assert error.value.say.zh.startswith(
        "没有 `test_six_tokens_take_two_blocks` 这个测试。有这些：\n  test_decode.py::"
    )
    rows = error.value.say.en.split("\n")[1:]
    assert "  test_decode.py::test_other_block_sizes: block sizes other than 4" in rows
    assert [row for row in rows if not re.fullmatch(r"  test_decode\.py::test_\w+(: \S.*)?", row)] == []


def test_a_right_file_replays_the_first_test_that_calls_something_and_says_so(replaying: Replaying) -> None:
    found = a_replay(replaying("1", SOLUTION))
    assert found.test_id == "test_prefill.py::test_six_tokens_take_two_blocks"
    assert found.first_difference is None
    assert found.remark == Text(
        zh="每个测试你的代码都做对了，这里回放第一个。",
        en="Your code is right in every test; this is the first.",
    )


def test_a_right_case_of_a_wrong_file_is_replayed_all_the_same(replaying: Replaying) -> None:
    found = a_replay(replaying("1", FLOORS, case="test_full_blocks_take_no_extra_block"))
    assert found.first_difference is None
    assert found.remark == Text(zh="这个测试，你的代码做对了。", en="Your code is right in this test.")


TESTS = """
from pagetutor.exercise.scenario import pool, prefill, request

def test_of_nothing():
    pass

def test_without_a_title(play):
    play(pool(10, 4), request("a", 6), prefill("a")).holds()
"""


def replayed_with(tests: str, runner: Runner, folder: Path, case: str | None) -> Replay | CheckReport | Text:
    """The replay of a right file, with mission 1's tests replaced by these, which have no titles."""
    course = load_course(find_course())
    path, file = folder / "block_manager.py", folder / "test_own.py"
    path.write_text(SOLUTION, encoding="utf-8")
    file.write_text(tests, encoding="utf-8")
    mission = dataclasses.replace(find_mission(course, "1"), tests=file, test_titles={})
    return replay(course, mission, path, read_file(path), runner, case=case)


@pytest.mark.parametrize("case", [None, "test_without_a_title"])
def test_a_test_without_a_title_is_called_by_its_id(runner: Runner, tmp_path: Path, case: str | None) -> None:
    found = a_replay(replayed_with(TESTS, runner, tmp_path, case))
    assert found.test_id == "test_own.py::test_without_a_title"
    assert found.title == same("test_own.py::test_without_a_title")


def test_a_test_that_plays_nothing_is_said_to(runner: Runner, tmp_path: Path) -> None:
    assert replayed_with(TESTS, runner, tmp_path, "test_of_nothing") == Text(
        zh="`test_own.py::test_of_nothing` 这个测试不调用你的代码，没有可以回放的。",
        en="The test `test_own.py::test_of_nothing` does not call your code: nothing to replay.",
    )
    assert replayed_with("def test_of_nothing(): pass", runner, tmp_path, None) == Text(
        zh="这些测试都不调用你的代码，没有可以回放的。",
        en="None of these tests calls your code: nothing to replay.",
    )


def test_where_no_test_calls_a_method_a_constructor_is_replayed(runner: Runner, tmp_path: Path) -> None:
    tests = TESTS.replace(', prefill("a")', "")
    found = a_replay(replayed_with(tests, runner, tmp_path, None))
    assert [frame.function for frame in found.frames] == ["__init__", "__init__"]


@pytest.mark.parametrize(
    ("source", "verdict", "reason"),
    [
        (STARTER, Verdict.UNFILLED, None),
        (SOLUTION + "\nx = (", Verdict.BROKEN, Reason.SYNTAX),
        (SOLUTION + "\nno_such_name", Verdict.BROKEN, Reason.IMPORT),
    ],
    ids=["unfilled", "syntax", "import"],
)
def test_where_there_is_nothing_to_replay_the_checks_report_comes(
    replaying: Replaying, source: str, verdict: Verdict, reason: Reason | None
) -> None:
    found = replaying("1", source)
    assert isinstance(found, CheckReport)
    assert (found.verdict, found.reason) == (verdict, reason)


class Counting:
    """A runner that keeps what it was asked for."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self.jobs: list[Job] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._runner, name)

    def session(self, job: Job) -> AbstractContextManager[Session]:
        self.jobs.append(job)
        return self._runner.session(job)


def replayed_once(
    runner: Runner, folder: Path, source: str, *, case: str | None = None, deadline_s: float = 0.6
) -> Replay | CheckReport | Text:
    """What the one process says that is started for it, and that the whole deadline is for."""
    course, counting = load_course(find_course()), Counting(runner)
    (folder / "block_manager.py").write_text(source, encoding="utf-8")
    path = folder / "block_manager.py"
    found = replay(
        *(course, find_mission(course, "1"), path, read_file(path), cast("Runner", counting)),
        case=case,
        deadline_s=deadline_s,
    )
    assert [job.deadline_s for job in counting.jobs] == [deadline_s]
    return found


ENDLESS = with_method("""
def allocate_for_prefill(self, req):
    needed = req.seq_len
    while True:
        needed -= 0
""")
SLEEPS = with_method("""
def allocate_for_prefill(self, req):
    needed = req.seq_len
    threading.Event().wait()
""").replace("import torch", "import threading\nimport torch", 1)
MAKES_NO_MANAGER = SOLUTION.replace(
    "self.num_blocks = num_blocks", "self.num_blocks = num_blocks\n        while True: pass"
)


@pytest.mark.parametrize(("source", "lines"), [(ENDLESS, 200), (SLEEPS, 1)], ids=["loops", "sleeps"])
def test_a_call_without_an_end_is_shown_up_to_where_it_hangs(
    runner: Runner, tmp_path: Path, source: str, lines: int
) -> None:
    found = a_replay(replayed_once(runner, tmp_path, source))
    assert len(found.frames) == 1 + lines + 1
    assert [text.en for text in found.frames[1].says] == [
        f"`needed == {found.frames[0].yours.requests['a'].seq_len}`"
    ]
    last = found.frames[-1]
    assert found.first_difference == len(found.frames) - 1
    assert last.says[0].en.startswith("did not come to an end; `block_table == []`")
    assert last.says[0].zh.startswith("一直没有结束；`block_table == []`")
    assert last.marked is not None
    line, function = last.marked[0], "allocate_for_prefill"
    assert found.source.split("\n")[line - 1].strip() in (
        "while True:",
        "needed -= 0",
        "threading.Event().wait()",
    )
    assert found.remark == Text(
        zh="一次检查最多 0.6 秒。时间到了，你的代码还没跑完，只好停下。"
        f"当时跑到第 {line} 行（`{function}`），从那里看起，改好后再检查一次。",
        en="Your code was still running after 0.6 s, all the time a check has, so it was stopped. "
        f"It was at line {line}, in `{function}`: look there, fix it, then check again.",
    )


def test_a_constructor_without_an_end_is_shown(runner: Runner, tmp_path: Path) -> None:
    (frame,) = a_replay(replayed_once(runner, tmp_path, MAKES_NO_MANAGER)).frames
    assert [text.en for text in frame.says] == ["did not come to an end"]


@pytest.mark.parametrize(
    "source",
    [
        ENDLESS.replace("import torch", "import signal\nimport torch", 1).replace(
            "needed = req.seq_len", "signal.signal(signal.SIGALRM, signal.SIG_IGN); needed = 0"
        ),
        SOLUTION + "\nwhile True:\n    pass\n",
    ],
    ids=["is not to be interrupted", "while it loads"],
)
def test_what_cannot_be_shown_within_the_deadline_is_said(
    runner: Runner, tmp_path: Path, source: str
) -> None:
    found = replayed_once(runner, tmp_path, source)
    assert isinstance(found, Text)
    assert "still" in found.en
    assert "0.6 s" in found.en


def test_a_case_that_comes_after_the_one_that_hangs_is_not_reached(runner: Runner, tmp_path: Path) -> None:
    found = replayed_once(runner, tmp_path, ENDLESS, case="test_cases_nobody_can_foresee")
    assert isinstance(found, Text)
    assert "still running after 0.6 s" in found.en


def test_a_case_that_came_before_it_is_replayed(runner: Runner, tmp_path: Path) -> None:
    found = a_replay(replayed_once(runner, tmp_path, ENDLESS, case="test_a_new_manager_and_a_new_request"))
    assert found.remark == Text(zh="这个测试，你的代码做对了。", en="Your code is right in this test.")


def test_a_file_that_is_no_file_brings_the_checks_report(runner: Runner, tmp_path: Path) -> None:
    course = load_course(find_course())
    (tmp_path / "block_manager.py").mkdir()
    source = read_file(tmp_path / "block_manager.py")
    found = replay(course, find_mission(course, "1"), tmp_path / "block_manager.py", source, runner)
    assert isinstance(found, CheckReport)
    assert found.reason is Reason.UNREADABLE


def test_a_todo_left_beside_real_work_is_checked_first(replaying: Replaying) -> None:
    half = STARTER.replace("needed_blocks = ...", "needed_blocks = -(-req.seq_len // self.block_size)")
    assert half != STARTER
    found = replaying("1", half)
    assert isinstance(found, CheckReport)
    assert found.verdict is Verdict.UNFILLED
