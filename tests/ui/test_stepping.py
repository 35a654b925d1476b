"""Stepping through a replay in a real pty: keys both ways, resizes, and the terminal given back."""

from __future__ import annotations

import re
import shutil
import sys

import pytest

from tests.ui.pty_screen import KEYS, Terminal
from tests.ui.test_terminal_keys import asking

LAST_ROW = {"en": "q leave", "zh": "q 离开"}
RIGHT, LEFT, HOME, END, UP, DOWN = "\x1b[C", "\x1b[D", "\x1b[H", "\x1b[F", "\x1b[A", "\x1b[B"
OPENED, CLOSED = "\x1b[?1049h", "\x1b[?1049l"


def waits_at(terminal: Terminal, frame: int, language: str = "en") -> None:
    """Wait until this frame stands there in full."""
    words = f"step {frame} of 11" if language == "en" else f"第 {frame}/11 步"
    terminal.wait_until(
        lambda: words in terminal.screen and terminal.screen.rstrip().endswith(LAST_ROW[language]),
        f"frame {frame} never came",
    )


def test_keys_go_both_ways_and_never_beyond_the_ends() -> None:
    with asking("replay") as terminal:
        waits_at(terminal, 1)
        for key, frame in (
            (RIGHT, 2),
            ("n", 3),
            (" ", 4),
            (LEFT, 3),
            ("p", 2),
            ("c", 8),
            ("c", 8),
            (END, 11),
            ("n", 11),
            ("d", 7),
            ("x", 7),
            (HOME, 1),
            ("p", 1),
            ("ｎ", 2),
            ("N", 3),
        ):
            terminal.press(key)
            waits_at(terminal, frame)
        terminal.press("l")
        waits_at(terminal, 3, "zh")
        terminal.press("d", "q")
        terminal.wait_for("RESULT replayed")
        assert terminal.end() == 0


def test_a_frame_is_drawn_in_one_piece_over_the_one_before() -> None:
    with asking("replay") as terminal:
        waits_at(terminal, 1)
        terminal.seen = ""
        terminal.press("n")
        terminal.wait_until(lambda: terminal.seen.endswith("\x1b[J"), "no frame was drawn to its end")
        waits_at(terminal, 2)
        assert re.fullmatch(r"\x1b\[H(\x1b\[K[^\n]*\r+\n)*\x1b\[K[^\n]*\x1b\[J", terminal.seen)
        assert terminal.seen.count("\x1b[J") == 1


def test_what_a_low_screen_leaves_out_comes_with_up_and_down() -> None:
    with asking("replay") as terminal:
        waits_at(terminal, 1)
        terminal.resize(40, 20)
        terminal.press("d")
        terminal.wait_until(lambda: "more rows: up, down" in terminal.screen, "no word of more")
        assert "first difference" in terminal.screen
        assert "\nexpected\n" not in terminal.screen
        for _ in range(30):
            terminal.press(DOWN)
        terminal.wait_until(lambda: "no part of this case" in terminal.screen, "the end never came")
        assert "first difference" in terminal.screen
        for _ in range(30):
            terminal.press(UP)
        terminal.wait_until(lambda: "yours\n" in terminal.screen, "the start never came")
        terminal.press("q")
        terminal.wait_for("RESULT replayed")


def marked_rows(terminal: Terminal) -> list[str]:
    """How the rows of code begin that are marked as current."""
    return [row[:5] for row in terminal.screen.split("\n") if re.match(r"❯ +\d+ │", row)]


@pytest.mark.parametrize("size", [(120, 40), (40, 20), (20, 24), (80, 8), (66, 24), (12, 10)])
def test_a_resize_draws_the_frame_anew_without_a_broken_line(size: tuple[int, int]) -> None:
    columns, rows = size
    with asking("replay") as terminal:
        waits_at(terminal, 1)
        terminal.press("n", "n", "n", "n", "n")
        waits_at(terminal, 6)
        terminal.seen = ""
        terminal.resize(columns, rows)
        terminal.wait_until(
            lambda: terminal.seen.endswith("\x1b[J") and marked_rows(terminal) == ["❯ 8 │"],
            "it was not drawn anew",
        )
        assert len(re.findall(r"\r+\n", terminal.seen.rpartition("\x1b[H")[2])) < rows
        keys = terminal.screen.rstrip("\n").split("\n")[-1]
        assert keys.startswith("→ next" if columns >= 80 else "→ ")
        terminal.press("p")
        terminal.wait_until(
            lambda: "❯ 5 │" in terminal.screen and terminal.seen.endswith("\x1b[J"), "the keys are dead"
        )
        terminal.press("q")
        assert terminal.end() == 0


@pytest.mark.parametrize(
    ("key", "status"), [("q", 0), (KEYS["esc"], 0), (KEYS["ctrl-d"], 0), (KEYS["ctrl-c"], 130)]
)
def test_the_terminal_is_given_back_however_it_ends(key: str, status: int) -> None:
    with asking("replay") as terminal:
        waits_at(terminal, 1)
        assert terminal.cursor_is_hidden
        assert not terminal.child.getecho()
        terminal.press(key)
        assert terminal.end() == status
        assert not terminal.cursor_is_hidden
        assert terminal.seen.count(OPENED) == terminal.seen.count(CLOSED) == 1
        assert terminal.seen.index(CLOSED) < terminal.seen.index("RESULT" if status == 0 else "INTERRUPTED")


def test_ctrl_z_gives_the_terminal_back_and_fg_draws_the_frame_again() -> None:
    bash = shutil.which("bash")
    assert bash is not None
    with Terminal(["--norc", "-i"], program=bash, environ={"PS1": "shell> "}) as terminal:
        terminal.wait_for("shell>")
        terminal.press(f"{sys.executable} -m tests.ui.asking en replay", "enter")
        waits_at(terminal, 1)
        terminal.press("n")
        waits_at(terminal, 2)
        terminal.seen = ""
        terminal.press("\x1a")
        terminal.wait_for("Stopped")
        assert CLOSED in terminal.seen
        assert "\x1b[?25h" in terminal.seen
        terminal.seen = ""
        terminal.press("fg", "enter")
        terminal.wait_until(lambda: OPENED in terminal.seen, "nothing was drawn again")
        waits_at(terminal, 2)
        terminal.press("n")
        waits_at(terminal, 3)
        terminal.press("q")
        terminal.wait_for("RESULT replayed")
