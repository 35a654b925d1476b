"""The terminal screen under real keys, in a real pty."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping

import pytest

from tests.ui.pty_screen import Terminal

ASKING = ["-m", "tests.ui.asking"]
ASKED = {"choose": "q) leave", "type": "❯", "pause": "leave)", "confirm": "leave)"}  # what stands there last


def asking(
    what: str,
    *,
    language: str = "en",
    columns: int = 80,
    rows: int = 24,
    environ: Mapping[str, str] | None = None,
) -> Terminal:
    return Terminal([*ASKING, language, what], columns=columns, rows=rows, environ=environ)


@pytest.mark.parametrize(
    ("keys", "chosen"),
    [
        (["enter"], "a"),
        (["2", "enter"], "b"),
        (["３", "enter"], "c"),
        (["down", "down", "enter"], "c"),
        (["down", "up", "enter"], "a"),
        (["x", "9", "2", "enter"], "b"),
    ],
)
def test_digits_and_arrows_choose_the_row_they_point_at(keys: list[str], chosen: str) -> None:
    with asking("choose") as terminal:
        terminal.wait_for("q) leave")
        terminal.press(*keys)
        terminal.wait_for(f"RESULT {chosen}")
        assert terminal.end() == 0
        assert not terminal.cursor_is_hidden


def test_the_row_pointed_at_bears_a_mark_and_the_chosen_one_stays_on_the_screen() -> None:
    with asking("choose") as terminal:
        terminal.wait_for("q) leave")
        assert "❯ 1) give one block" in terminal.screen
        terminal.press("2")
        terminal.wait_for("❯ 2) raise")
        terminal.press("enter")
        terminal.wait_for('❯ raise RuntimeError("OOM")')
        terminal.end()


def test_the_answer_so_far_is_marked_and_kept_by_enter() -> None:
    with asking("keep") as terminal:
        terminal.wait_for("q) leave")
        assert '❯ 2) raise RuntimeError("OOM") (your choice so far)' in terminal.screen
        terminal.press("enter")
        terminal.wait_for("RESULT b")


@pytest.mark.parametrize("what", ["choose", "type", "pause", "confirm"])
@pytest.mark.parametrize(
    ("key", "told", "status"), [("ctrl-c", "INTERRUPTED", 130), ("ctrl-d", "LEFT", 10), ("esc", "LEFT", 10)]
)
def test_every_prompt_can_be_left_and_interrupted(what: str, key: str, told: str, status: int) -> None:
    with asking(what) as terminal:
        terminal.wait_for(ASKED[what])
        terminal.press(key)
        terminal.wait_for(told)
        assert terminal.end() == status
        assert not terminal.cursor_is_hidden


@pytest.mark.parametrize("what", ["choose", "type", "pause", "confirm"])
def test_every_prompt_switches_the_language_and_asks_again(what: str) -> None:
    with asking(what) as terminal:
        terminal.wait_for(ASKED[what])
        terminal.press(*(["l"] if what in {"pause", "confirm"} else ["l", "enter"]))
        terminal.wait_for("LANGUAGE zh")
        terminal.wait_until(
            lambda: ("❯" if what == "type" else "离开") in terminal.screen.rpartition("LANGUAGE zh")[2],
            "it was not asked again",
        )
        terminal.press(*(["q"] if what in {"pause", "confirm"} else ["q", "enter"]))
        assert terminal.end() == 10


def test_typing_is_stripped_and_an_empty_line_skips() -> None:
    with asking("type") as terminal:
        terminal.wait_for("❯")
        terminal.press(" [20, 7] ", "enter")
        terminal.wait_for("RESULT [20, 7]")
    with asking("type") as terminal:
        terminal.wait_for("❯")
        terminal.press("enter")
        terminal.wait_for("RESULT None")


def test_what_must_be_typed_is_asked_again() -> None:
    with asking("type-needed") as terminal:
        terminal.wait_for("❯")
        terminal.press("enter")
        terminal.wait_for("This one needs an answer.")
        terminal.press("7", "enter")
        terminal.wait_for("RESULT 7")


@pytest.mark.parametrize(("key", "told"), [("enter", "on"), ("s", "skip"), ("S", "skip")])
def test_a_pause_goes_on_or_skips(key: str, told: str) -> None:
    with asking("pause") as terminal:
        terminal.wait_for("s skips")
        terminal.press("z", key)
        terminal.wait_for(f"RESULT {told}")


@pytest.mark.parametrize(("key", "told"), [("enter", "False"), ("n", "False"), ("y", "True")])
def test_enter_alone_never_confirms(key: str, told: str) -> None:
    with asking("confirm") as terminal:
        terminal.wait_for("y yes")
        terminal.press(key)
        terminal.wait_for(f"RESULT {told}")


def test_keys_typed_while_something_runs_do_nothing_later() -> None:
    with asking("work") as terminal:
        terminal.wait_for("counting…")
        terminal.press("3", "enter")
        terminal.wait_for("q) leave")
        assert "❯ 1) give one block" in terminal.screen
        terminal.press("2", "enter")
        terminal.wait_for("RESULT b")
        assert not terminal.cursor_is_hidden


def test_extras_wait_until_they_are_asked_for() -> None:
    with asking("more") as terminal:
        terminal.wait_for("m a little more")
        assert "extra words" not in terminal.seen
        terminal.press("m")
        terminal.wait_for("extra words")
        terminal.wait_for("(Enter goes on")
        terminal.press("m", "enter")
        terminal.wait_for("RESULT on")


def test_extras_can_be_asked_for_at_a_menu_too() -> None:
    with asking("more-choose") as terminal:
        terminal.wait_for("q) leave")
        assert "m) a little more" in terminal.screen
        assert "extra words" not in terminal.seen
        terminal.press("m", "enter")
        terminal.wait_for("extra words")
        terminal.wait_for("q) leave")
        assert "m) a little more" not in terminal.screen
        terminal.press("2", "enter")
        terminal.wait_for("RESULT b")


@pytest.mark.parametrize("key", ["enter", " ", "down", "\x1b[6~"])
def test_enter_space_and_the_keys_that_go_down_turn_a_page(key: str) -> None:
    with asking("long-page", rows=16) as terminal:
        terminal.wait_for("More below")
        assert "paragraph 7" not in terminal.screen
        terminal.press(key)
        terminal.wait_for("paragraph 7")


@pytest.mark.parametrize(
    ("what", "question"), [("choose", "One free block"), ("type", "x ="), ("confirm", "sure?")]
)
def test_after_ctrl_z_and_fg_what_is_asked_is_shown_once_more(what: str, question: str) -> None:
    bash = shutil.which("bash")
    assert bash is not None
    with Terminal(["--norc", "-i"], program=bash, environ={"PS1": "shell> "}) as terminal:
        terminal.wait_for("shell>")
        terminal.press(f"{sys.executable} -m tests.ui.asking en {what}", "enter")
        terminal.wait_for(ASKED[what])
        terminal.press("\x1a")
        terminal.wait_for("Stopped")
        assert question not in terminal.screen.rpartition("Stopped")[2]
        terminal.press("fg", "enter")
        terminal.wait_until(
            lambda: question in terminal.screen.rpartition("Stopped")[2], "what is asked did not come again"
        )


def test_the_question_for_the_language_offers_no_other_way_to_it() -> None:
    with asking("language") as terminal:
        terminal.wait_for("q) leave")
        assert "1) 中文" in terminal.screen
        assert "l)" not in terminal.screen
        terminal.press("l", "1", "enter")
        terminal.wait_for("RESULT zh")


def test_a_page_taller_than_the_screen_pauses() -> None:
    with asking("long-page", rows=16) as terminal:
        terminal.wait_for("More below")
        assert "paragraph 0" in terminal.screen
        assert "paragraph 19" not in terminal.seen
        while "RESULT read" not in terminal.screen:
            terminal.press("enter")
            terminal.child.expect(["More below", "RESULT read"])
            if terminal.child.after == "RESULT read":
                break
        assert terminal.child.before is not None


def test_a_long_chinese_question_is_whole_on_twenty_columns() -> None:
    with asking("choose", language="zh", columns=20, rows=40) as terminal:
        terminal.wait_for("q)")
        shown = "".join(terminal.screen.split())
        assert "空闲池里只有一个物理块，allocate_for_prefill应该怎么做？" in shown
        assert "给一个块，忽略最后的token" in shown
        assert "pool[block_id]" in shown
        terminal.press("3", "enter")
        terminal.wait_for("RESULT c")


@pytest.mark.parametrize("environ", [{"TERM": "dumb"}, {"ACCESSIBLE": "1"}])
def test_a_dumb_terminal_or_a_wish_for_it_gets_plain_text(environ: dict[str, str]) -> None:
    with asking("choose", environ=environ) as terminal:
        terminal.wait_for("Type 1–3, then Enter")
        assert "\x1b" not in terminal.seen
        terminal.press("2", "enter")
        terminal.wait_for("RESULT b")


def test_ctrl_d_on_plain_text_leaves() -> None:
    with asking("choose", environ={"ACCESSIBLE": "1"}) as terminal:
        terminal.wait_for("Type 1–3, then Enter")
        terminal.press("ctrl-d")
        terminal.wait_for("LEFT")
