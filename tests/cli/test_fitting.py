"""Words for a stream are broken between words on a terminal, and left alone elsewhere."""

from __future__ import annotations

import io

import pytest

from pagetutor.cli.fitting import fitted
from tests.cli.command import Command
from tests.ui.pty_screen import Terminal


class Tty(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("short", "short"),
        ("one two three four five", "one two three four\nfive"),
        ("一二三四五六七八九十一二", "一二三四五六七八九十\n一二"),
        ("see /a/path/longer/than/the/screen now", "see\n/a/path/longer/than/the/screen\nnow"),
        ("first:\n  1  as  it  is", "first:\n  1  as  it  is"),
        ("  2  indented and too long", "  2 indented and too\n  long"),
    ],
)
def test_a_terminal_gets_whole_words(monkeypatch: pytest.MonkeyPatch, words: str, shown: str) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    assert fitted(words, Tty()) == shown
    assert fitted(words, io.StringIO()) == words


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        (("show", "2", "xyz"), ["diagram", "hand-trace", "exercise"]),
        (("doctor",), ["landlock:read", "namespace:pid"]),
    ],
)
def test_no_id_is_torn_at_the_edge_of_a_terminal(
    pagetutor: Command, words: tuple[str, ...], kept: list[str]
) -> None:
    for columns in (60, 74, 80):
        environ = {"PAGETUTOR_HOME": str(pagetutor.home)}
        whole = ["-m", "pagetutor", *words, "--lang", "en"]
        with Terminal(whole, cwd=pagetutor.folder, columns=columns, environ=environ) as terminal:
            terminal.end()
            there = [one for one in kept if one in terminal.seen]
            assert [one for one in there if one not in terminal.screen] == []
            assert words[0] == "doctor" or there == kept
