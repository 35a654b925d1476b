"""Signals that end the tutor, from wherever: the terminal is the shell's again, and no process is left."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.hostile.place import PAGETUTOR, SOLUTION, Place
from tests.ui.pty_screen import Terminal

ENDLESS = SOLUTION.replace("        needed_blocks", "        while True: pass\n        needed_blocks", 1)
USABLE = r"^usable (icanon\+echo|echo\+icanon)$"
# where: the command, and what stands there once it has come so far
WHERE = {
    "a menu": ("mission 1", "q) leave"),
    "a pause": ("mission 1", "s skips"),
    "plain text": ("mission 1 --plain", "s skips"),
    "a check": ("check 1 --deadline 300", "Checking"),
    "watch": ("watch 1 --deadline 300", "Checking"),
}
CASES = [
    ("a menu", "SIGTERM"),
    ("a menu", "SIGHUP"),
    ("a pause", "SIGQUIT"),
    ("plain text", "SIGTERM"),
    ("a check", "SIGTERM"),
    ("a check", "SIGQUIT"),
    ("watch", "SIGHUP"),
]


@contextmanager
def tutor(place: Place, where: str) -> Iterator[tuple[Terminal, int]]:
    """A shell in which the tutor has come to this place, and the tutor's process."""
    words, asked = WHERE[where]
    place.file.write_text(ENDLESS)
    environ = {"PS1": "shell> ", **place.environ()}
    words_of_bash = ["--norc", "--noprofile", "-i"]
    with Terminal(
        words_of_bash, program="/bin/bash", cwd=place.folder, rows=40, environ=environ, patience_s=20
    ) as terminal:
        terminal.wait_for("shell>")
        terminal.press(f"(echo $BASHPID > ../pid; exec {PAGETUTOR} {words} --lang en)", "enter")
        if where == "a menu":
            terminal.wait_for("s skips")
            terminal.press("s")
        terminal.wait_for(asked)
        yield terminal, int((place.folder.parent / "pid").read_text())
        terminal.press("exit", "enter")
        terminal.end()


@pytest.mark.parametrize(("where", "name"), CASES)
def test_the_terminal_is_usable_after_a_signal(place: Place, where: str, name: str) -> None:
    number = signal.Signals[name]
    with tutor(place, where) as (terminal, pid):
        os.kill(pid, number)
        terminal.wait_until(lambda: terminal.screen.rstrip().endswith("shell>"), "the shell is not back")
        assert not terminal.cursor_is_hidden
        terminal.press("echo status $?", "enter")
        terminal.wait_for(f"status {128 + number}")
        terminal.press(
            "echo usable $(stty -a | tr ' ;' '\\n\\n' | grep -xE -- '-?(echo|icanon)' | paste -sd+)", "enter"
        )
        terminal.wait_until(
            lambda: re.search(USABLE, terminal.screen, re.MULTILINE) is not None, "the terminal is changed"
        )
        assert "Traceback" not in terminal.seen
        assert "\x1b[?2004l" in terminal.seen or where not in ("a menu", "a pause", "watch")
    assert not list(place.home.rglob("*.log"))


@pytest.mark.parametrize("where", ["a pause", "a check", "watch"])
def test_a_closed_terminal_ends_the_tutor_and_no_bug_is_logged(place: Place, where: str) -> None:
    words, asked = WHERE[where]
    place.file.write_text(ENDLESS)
    arguments = [*words.split(), "--lang", "en"]
    with Terminal(
        arguments, program=PAGETUTOR, cwd=place.folder, environ=place.environ(), patience_s=20
    ) as terminal:
        terminal.wait_for(asked)
        nowhere = os.open(os.devnull, os.O_RDWR)
        os.dup2(nowhere, terminal.child.child_fd)  # closes our end of the pty, and the learner's hangs up
        os.close(nowhere)
        terminal.child.wait()
    assert not list(place.home.rglob("*.log"))
