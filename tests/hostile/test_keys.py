"""Keys that stop, resize or interrupt: at every kind of prompt, and while the learner's code runs."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from tests.hostile.place import PAGETUTOR, SOLUTION, STARTER, Place
from tests.long import some_long
from tests.ui.pty_screen import Terminal

PROMPTS = {  # what is asked: what stands at its end, the keys that answer it, what then comes
    "choose": ("q) leave", ["3", "enter"], "RESULT c"),
    "keep": ("q) leave", ["enter"], "RESULT b"),
    "type": ("❯", ["7", "enter"], "RESULT 7"),
    "pause": ("leave)", ["enter"], "RESULT on"),
    "confirm": ("leave)", ["y"], "RESULT True"),
}
ENDLESS = SOLUTION.replace("        needed_blocks", "        while True: pass\n        needed_blocks", 1)


def shell(folder: Path, environ: dict[str, str]) -> Terminal:
    """A shell that can stop and go on with what runs in it."""
    terminal = Terminal(
        ["--norc", "--noprofile", "-i"],
        program="/bin/bash",
        cwd=folder,
        rows=40,
        environ={"PS1": "shell> ", **environ},
    )
    terminal.wait_for("shell>")
    return terminal


@pytest.mark.parametrize("what", some_long(PROMPTS, each=2))
def test_ctrl_z_stops_at_a_prompt_and_fg_goes_on_with_it(tmp_path: Path, what: str) -> None:
    asked, keys, then = PROMPTS[what]
    with shell(tmp_path, {}) as terminal:
        terminal.press(f"{sys.executable} -m tests.ui.asking en {what}", "enter")
        terminal.wait_for(asked)
        terminal.press("\x1a")
        terminal.wait_for("Stopped")
        assert not terminal.cursor_is_hidden
        terminal.press("echo $((40 + 2)) here", "enter")
        terminal.wait_for("42 here")
        terminal.press("fg", "enter")
        terminal.wait_until(
            lambda: terminal.screen.rstrip().rfind(asked) > terminal.screen.rfind("42 here"),
            "not asked again",
        )
        terminal.press(*keys)
        terminal.wait_for(then)


@pytest.mark.parametrize("what", some_long(PROMPTS, each=2))
@pytest.mark.parametrize(("columns", "rows"), [(20, 40), (200, 24)])
def test_a_window_resized_at_a_prompt_still_takes_the_answer(what: str, columns: int, rows: int) -> None:
    asked, keys, then = PROMPTS[what]
    with Terminal(["-m", "tests.ui.asking", "en", what], columns=60, rows=24) as terminal:
        terminal.wait_for(asked)
        terminal.resize(columns, rows)
        terminal.press(*keys)
        terminal.wait_for(then)
        assert terminal.end() == 0
        assert not terminal.cursor_is_hidden


def test_a_menu_is_wrapped_anew_for_the_resized_window() -> None:
    with Terminal(["-m", "tests.ui.asking", "zh", "choose"], columns=60, rows=24) as terminal:
        terminal.wait_for("q) 离开")
        terminal.resize(20, 40)
        terminal.press("2")
        terminal.wait_for("❯ 2) 抛出")
        assert "pool[block_id]" in "".join(terminal.screen.split())
        terminal.press("enter")
        terminal.wait_for("RESULT b")


@pytest.mark.parametrize("what", some_long(PROMPTS, each=2))
def test_an_interrupt_from_outside_is_a_ctrl_c(what: str) -> None:
    with Terminal(["-m", "tests.ui.asking", "en", what]) as terminal:
        terminal.wait_for(PROMPTS[what][0])
        assert terminal.child.pid is not None
        os.kill(terminal.child.pid, signal.SIGINT)
        terminal.wait_for("INTERRUPTED")
        assert terminal.end() == 130
        assert not terminal.cursor_is_hidden


@pytest.mark.parametrize("plain", [[], ["--plain"]])
def test_ctrl_c_while_the_learner_s_code_runs_ends_everything_at_once(place: Place, plain: list[str]) -> None:
    place.file.write_text(ENDLESS)
    with checking(place, "--deadline", "300", *plain) as terminal:
        terminal.wait_for("Checking")
        terminal.press("ctrl-c")
        assert terminal.end() == 130
        assert "Traceback" not in terminal.seen
        assert not terminal.cursor_is_hidden
    place.file.write_text(SOLUTION)
    assert place.check()["verdict"] == "passed"


def test_keys_typed_during_a_check_are_not_there_afterwards(place: Place) -> None:
    place.file.write_text(ENDLESS)
    with shell(place.folder, place.environ()) as terminal:
        terminal.press(f"{PAGETUTOR} check 1 --lang en --deadline 1", "enter")
        terminal.wait_for("Checking")
        terminal.press("echo never typed", "enter", "esc", "2", "ctrl-d")
        terminal.wait_for("it did not finish")
        terminal.press("echo $((40 + 2)) here", "enter")
        terminal.wait_for("42 here")
        assert "never typed" not in terminal.scrolled
        assert not terminal.cursor_is_hidden


def test_ctrl_z_during_a_check_stops_it_and_fg_brings_the_verdict(place: Place) -> None:
    place.file.write_text(SOLUTION)
    with shell(place.folder, place.environ()) as terminal:
        terminal.press(f"{PAGETUTOR} check 1 --lang en", "enter")
        terminal.wait_for("Checking")
        terminal.press("\x1a")
        terminal.wait_for("Stopped")
        terminal.press("fg", "enter")
        terminal.wait_for("✓ Mission 1 · passed")
        terminal.press("echo $? status", "enter")
        terminal.wait_for("0 status")


@pytest.mark.parametrize("key", ["ctrl-c", "ctrl-d", "esc"])
def test_every_key_that_ends_leaves_the_answers_of_a_mission(place: Place, key: str) -> None:
    place.file.write_text(STARTER)
    words = ["mission", "1", "--lang", "en", "--no-shuffle"]
    environ = place.environ()
    with Terminal(words, program=PAGETUTOR, cwd=place.folder, rows=40, environ=environ) as terminal:
        terminal.wait_for("s skips")
        terminal.press("s")
        terminal.wait_for("q) leave")
        terminal.press("1", "enter")
        terminal.wait_for("How sure are you?")
        terminal.press("enter")
        terminal.wait_until(
            lambda: "Enter goes on" in terminal.screen.rpartition("Right.")[2],
            "nothing came after the answer",
        )
        terminal.press(key)
        assert terminal.end() == (130 if key == "ctrl-c" else 0)
        assert not terminal.cursor_is_hidden
    events = place.run("progress", "export").document["events"]
    answers = [event["data"]["question"] for event in events if event["kind"] == "answered"]
    assert answers == ["1.guess"]


def checking(place: Place, *words: str) -> Terminal:
    return Terminal(
        ["check", "1", "--lang", "en", *words],
        program=PAGETUTOR,
        cwd=place.folder,
        environ=place.environ(),
        patience_s=20,
    )
