"""Plain text over pipes: numbered, line by line, and honest about input that ends."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pagetutor.errors import UsageError
from pagetutor.text import Language
from pagetutor.tutor.screen import LessonLeft, Pause
from pagetutor.ui.language import ask_language
from pagetutor.ui.screen.plain import PlainScreen
from tests.ui.asking import OPTIONS, QUESTION, ask

_ROOT = Path(__file__).resolve().parents[2]


class Pipe:
    """A plain screen whose answers come from a pipe."""

    def __init__(self, typed: str, language: Language = Language.EN) -> None:
        self.languages: list[Language] = []
        self.stream = io.StringIO()
        self.screen = PlainScreen(
            language, self.languages.append, typed=io.StringIO(typed), stream=self.stream
        )

    @property
    def told(self) -> str:
        return self.stream.getvalue()


def test_a_question_is_numbered_and_answered_by_a_number() -> None:
    pipe = Pipe("2\n")
    assert pipe.screen.choose(QUESTION, OPTIONS) == "b"
    assert pipe.told == (
        "One free block: what should it do?\n"
        "1.  give one block and ignore the last token\n"
        '2.  raise `RuntimeError("OOM")`\n'
        "3.  take `pool[block_id]` first\n"
        "Type 1-3, then Enter (l language, q leave): 2\n"
    )


def test_the_question_for_the_language_offers_no_other_way_to_it() -> None:
    stream = io.StringIO()
    screen = PlainScreen(Language.EN, None, typed=io.StringIO("l\n2\n"), stream=stream)
    assert ask_language(screen) is Language.EN
    assert stream.getvalue() == (
        "中文 / English\n1.  中文\n2.  English\n"
        "输入 / type 1-2 + Enter（q 离开 / leave）： l\n"
        "There is only 1 to 2 here.\n"
        "输入 / type 1-2 + Enter（q 离开 / leave）： 2\n"
    )


@pytest.mark.parametrize(("typed", "chosen"), [("２\n", "b"), (" 3 \n", "c"), ("2.\n", "b"), ("2)\n", "b")])
def test_a_number_may_be_written_in_other_ways(typed: str, chosen: str) -> None:
    assert Pipe(typed).screen.choose(QUESTION, OPTIONS) == chosen


@pytest.mark.parametrize("nothing", ["\n", "0\n", "4\n", "b\n", "-1\n", "1 2\n"])
def test_enter_on_nothing_and_numbers_that_are_not_there_choose_nothing(nothing: str) -> None:
    pipe = Pipe(f"{nothing}3\n")
    assert pipe.screen.choose(QUESTION, OPTIONS) == "c"
    assert "There is only 1 to 3 here." in pipe.told


def test_enter_alone_keeps_the_answer_so_far() -> None:
    pipe = Pipe("\n")
    assert pipe.screen.choose(QUESTION, OPTIONS, chosen="b") == "b"
    assert "Enter alone keeps 2" in pipe.told


def test_switching_the_language_asks_the_same_again() -> None:
    pipe = Pipe("l\n1\n")
    assert pipe.screen.choose(QUESTION, OPTIONS) == "a"
    assert pipe.languages == [Language.ZH]
    assert "空闲池里只有一个物理块，`allocate_for_prefill` 应该怎么做？" in pipe.told


@pytest.mark.parametrize("what", ["choose", "type", "type-needed", "pause", "confirm"])
def test_input_that_ends_too_early_is_a_usage_error_in_one_sentence(what: str) -> None:
    with pytest.raises(UsageError) as ended:
        ask(Pipe("").screen, what)
    assert ended.value.say.en == (
        "The input ended too early: what was answered is kept. Run this in a terminal, or give the answers "
        "that are missing."
    )


def test_an_empty_line_skips_what_may_be_skipped_and_nothing_else() -> None:
    assert ask(Pipe("\n").screen, "type") is None
    assert ask(Pipe("\n7\n").screen, "type-needed") == "7"


def test_a_pause_goes_on_or_skips() -> None:
    assert Pipe("\n").screen.pause(skippable=True) is Pause.ON
    assert Pipe("s\n").screen.pause(skippable=True) is Pause.SKIP
    assert Pipe("s\n").screen.pause() is Pause.ON


def test_a_pause_eats_no_answer_out_of_a_pipe() -> None:
    pipe = Pipe("2\n１２\ns\n")
    assert pipe.screen.pause(skippable=True) is Pause.ON
    assert pipe.screen.pause() is Pause.ON
    assert pipe.screen.choose(QUESTION, OPTIONS) == "b"
    assert pipe.screen.pause() is Pause.ON
    assert ask(pipe.screen, "type") == "12"
    assert pipe.screen.pause(skippable=True) is Pause.SKIP
    with pytest.raises(UsageError):
        pipe.screen.pause()


@pytest.mark.parametrize("word", ["q", "leave", "LEAVE"])
def test_one_leaves_with_the_letter_or_the_word_on_the_screen(word: str) -> None:
    with pytest.raises(LessonLeft):
        Pipe(f"{word}\n").screen.pause()


def test_a_pause_still_leaves_and_switches_the_language_out_of_a_pipe() -> None:
    pipe = Pipe("l\nq\n")
    with pytest.raises(LessonLeft):
        pipe.screen.pause()
    assert pipe.languages == [Language.ZH]


@pytest.mark.parametrize(
    ("typed", "said"), [("\n", False), ("y\n", True), ("是\n", True), ("what\nn\n", False)]
)
def test_enter_alone_never_confirms(typed: str, said: object) -> None:
    assert ask(Pipe(typed).screen, "confirm") is said


def test_extras_wait_until_they_are_asked_for() -> None:
    pipe = Pipe("m\n\n")
    ask(pipe.screen, "more")
    assert pipe.told == (
        "first\n\n(m a little more, Enter goes on, l language, q leave) m\n"
        "A little more\nextra words\n\n(Enter goes on, l language, q leave) \n"
    )


def test_no_editor_is_opened_without_a_terminal(tmp_path: Path) -> None:
    assert Pipe("").screen.edit(tmp_path / "block_manager.py") is False


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "gbk", "utf-8"])
@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_pipe_of_any_encoding_gets_through(encoding: str, language: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "tests.ui.asking", language, "choose"],
        input=b"2\n",
        capture_output=True,
        check=False,
        cwd=_ROOT,
        env={**os.environ, "PYTHONIOENCODING": f"{encoding}:replace"},
    )
    assert ran.returncode == 0, ran.stderr
    assert b"RESULT b" in ran.stdout
    assert b"\x1b" not in ran.stdout


def test_a_closed_stdin_is_input_that_ended() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "tests.ui.asking", "en", "choose"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        cwd=_ROOT,
    )
    assert (ran.returncode, ran.stderr) == (2, b"")
    assert b"USAGE The input ended too early" in ran.stdout
