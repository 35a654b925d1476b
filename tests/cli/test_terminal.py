"""Commands on a real terminal: the first question, Enter goes on, Ctrl-C."""

from __future__ import annotations

from pathlib import Path

from tests.cli.command import Command
from tests.ui.pty_screen import Terminal


def on_terminal(pagetutor: Command, *words: str) -> Terminal:
    return Terminal(
        ["-m", "pagetutor", *words],
        cwd=pagetutor.folder,
        rows=40,
        environ={"PAGETUTOR_HOME": str(pagetutor.home)},
    )


def test_the_first_run_asks_for_the_language_once_and_remembers_it(pagetutor: Command) -> None:
    with on_terminal(pagetutor, "status") as terminal:
        terminal.wait_for("2) English")
        terminal.press("1", "enter")
        terminal.wait_for("通过 0/4")
        assert terminal.end() == 0
    with on_terminal(pagetutor, "status") as terminal:
        assert terminal.end() == 0
        assert "通过 0/4" in terminal.screen
        assert "English" not in terminal.screen


def test_enter_goes_on_from_the_overview(pagetutor: Command) -> None:
    with on_terminal(pagetutor, "--lang", "en") as terminal:
        terminal.wait_for("Enter goes on")
        assert "░░░░░░░░░░" in terminal.screen
        terminal.press("enter")
        terminal.wait_for("Before you begin")
        terminal.press("s")
        terminal.wait_for("█░░░░░░░ 1/8")
        terminal.wait_for("Guess first")


def test_ctrl_c_in_the_middle_is_status_130_and_the_answers_are_kept(pagetutor: Command) -> None:
    with on_terminal(pagetutor, "mission", "1", "--lang", "en", "--no-shuffle") as terminal:
        terminal.wait_for("s skips")
        terminal.press("s")
        terminal.wait_for("q) leave")
        terminal.press("2", "enter")
        terminal.wait_for("How sure are you?")
        terminal.press("3", "enter")
        terminal.wait_for("Not quite.")
        terminal.press("ctrl-c")
        assert terminal.end() == 130
        assert "Traceback" not in terminal.seen
        assert not terminal.cursor_is_hidden
    assert "Go on with Mission 1" in pagetutor("status").out


def test_a_language_chosen_in_a_menu_is_remembered(pagetutor: Command) -> None:
    with on_terminal(pagetutor, "mission", "1", "--lang", "en") as terminal:
        terminal.wait_for("s skips")
        terminal.press("s")
        terminal.wait_for("q) leave")
        terminal.press("l", "enter")
        terminal.wait_for("q) 离开")
        terminal.press("q", "enter")
        assert terminal.end() == 0
    assert "通过 0/4" in pagetutor("status").out


def test_the_check_on_a_terminal_says_its_verdict(pagetutor: Command) -> None:
    solution = Path(__file__).resolve().parents[2] / "missions" / "solution.py"
    with on_terminal(pagetutor, "check", "1", str(solution), "--lang", "en") as terminal:
        terminal.wait_for("✓ Mission 1 · passed")
        assert terminal.end() == 0
        assert not terminal.cursor_is_hidden


def test_a_check_on_a_low_terminal_is_printed_without_a_stop(pagetutor: Command) -> None:
    solution = Path(__file__).resolve().parents[2] / "missions" / "solution.py"
    words = ["-m", "pagetutor", "check", "1", str(solution), "--lang", "en"]
    environ = {"PAGETUTOR_HOME": str(pagetutor.home)}
    with Terminal(words, cwd=pagetutor.folder, rows=10, environ=environ) as terminal:
        assert terminal.end() == 0
        assert "More below" not in terminal.seen
        assert "Next: pagetutor mission 2" in terminal.screen
