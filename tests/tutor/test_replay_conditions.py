"""What a test came to, of code that really ran."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pagetutor.tutor.replay_frames import Moment
from tests.corpus.build import with_method
from tests.exercise.playing import play_of
from tests.tutor.test_replay_frames import SIX_TOKENS, frames


@pytest.fixture(scope="module")
def stage_lines() -> Callable[..., Any]:
    return play_of("stage_lines.py")


def conditions(stage_lines: Callable[..., Any], body: str) -> list[tuple[str, str, str]]:
    """The line, and what is said of its test in both languages, for each line with a test that was told."""
    method = "def allocate_for_prefill(self, req):\n" + "\n".join(f"    {row}" for row in body.split("\n"))
    source = with_method(method)
    rows = source.split("\n")
    return [
        (rows[(frame.marked or (1, 1))[0] - 1].strip(), text.en, text.zh)
        for frame in frames(stage_lines, source, SIX_TOKENS)
        for text in frame.says
        if frame.moment is Moment.LINE and "condition" in text.en
    ]


def said(line: str, came_to: bool) -> tuple[str, str, str]:  # noqa: FBT001
    return line, f"the condition is `{came_to}`", f"条件为 `{came_to}`"


def test_a_loop_and_the_branches_in_it(stage_lines: Callable[..., Any]) -> None:
    body = """\
left = 2
while left:
    left -= 1
    if left:
        continue
    elif left == 0:
        pass
if left:
    left = 7
else:
    left = 8"""
    assert conditions(stage_lines, body) == [
        said("while left:", True),
        said("if left:", True),
        said("while left:", True),
        said("if left:", False),
        said("elif left == 0:", True),
        said("while left:", False),
        said("if left:", False),
    ]


def test_the_last_line_of_a_method_and_a_test_of_several_lines(stage_lines: Callable[..., Any]) -> None:
    body = """\
if (
    req.seq_len
    and not self
):
    return
if req is None:
    return"""
    assert [(en, zh) for _, en, zh in conditions(stage_lines, body)] == [
        said("", False)[1:],
        said("", False)[1:],
    ]


def test_a_test_that_calls_a_method_is_told_once_and_one_in_the_method_by_itself(
    stage_lines: Callable[..., Any],
) -> None:
    helper = "\n\ndef odd(self, req):\n    if req.seq_len == 6:\n        return True"
    found = frames(
        stage_lines,
        with_method("def allocate_for_prefill(self, req):\n    if self.odd(req):\n        left = 1" + helper),
        SIX_TOKENS,
    )
    told = ["; ".join(text.en for text in frame.says) for frame in found if frame.moment is Moment.LINE]
    assert told[:4] == ["calls `odd`", "the condition is `True`", "", "the condition is `True`"]


@pytest.mark.parametrize(
    "body",
    [
        "if req.seq_len: left = 1",
        "if req.seq_len:\n    'words'\nleft = 1",
        "if no_such_name:\n    pass",
        "for left in [1]:\n    pass",
    ],
    ids=["one line", "nothing runs in it", "it raises", "no test"],
)
def test_what_cannot_be_told_is_not_told(stage_lines: Callable[..., Any], body: str) -> None:
    assert conditions(stage_lines, body) == []


def test_where_the_lines_are_cut_the_last_test_is_open(stage_lines: Callable[..., Any]) -> None:
    found = conditions(stage_lines, "left = 1\nwhile left:\n    left += 1\n    if left > 150:\n        break")
    assert found[-1][0] in ("while left:", "if left > 150:")
    assert {en for _, en, _ in found} == {"the condition is `True`", "the condition is `False`"}


def test_the_body_of_a_class_is_no_frame(stage_lines: Callable[..., Any]) -> None:
    source = with_method("""
def allocate_for_prefill(self, req):
    class Row:
        size = 1
    left = Row.size
""")
    told = [frame.says for frame in frames(stage_lines, source, SIX_TOKENS) if frame.moment is Moment.LINE]
    assert [[text.en for text in says] for says in told] == [[], ["`left == 1`"]]


def rounds(stage_lines: Callable[..., Any], body: str) -> list[tuple[str, str, str]]:
    """The same of each loop that is said to run no round."""
    method = "def allocate_for_prefill(self, req):\n" + "\n".join(f"    {row}" for row in body.split("\n"))
    source = with_method(method)
    rows = source.split("\n")
    return [
        (rows[(frame.marked or (1, 1))[0] - 1].strip(), text.en, text.zh)
        for frame in frames(stage_lines, source, SIX_TOKENS)
        for text in frame.says
        if frame.moment is Moment.LINE and "round" in text.en
    ]


def no_round(line: str) -> tuple[str, str, str]:
    return line, "the loop runs no round (0 rounds)", "循环一圈也没转（0 圈）"


def test_a_loop_that_is_not_entered_runs_no_round_and_one_that_was_left_did(
    stage_lines: Callable[..., Any],
) -> None:
    body = """\
for outer in range(2):
    for inner in range(outer):
        pass
for never in []:
    pass
else:
    never = 1
while never > 1:
    never = 0
for (
    broken
) in (
    7,
    8,
):
    break
for last in ():
    last = 1"""
    assert rounds(stage_lines, body) == [
        no_round("for inner in range(outer):"),
        no_round("for never in []:"),
        no_round("while never > 1:"),
        no_round("for last in ():"),
    ]


def test_a_loop_over_a_generator_and_in_one(stage_lines: Callable[..., Any]) -> None:
    body = """\
def count(upto):
    for at in range(upto):
        yield at

for one in count(0):
    pass
for one in count(2):
    pass"""
    assert rounds(stage_lines, body) == [no_round("for one in count(0):")]  # of a generator nobody can tell
