"""Leaving in the middle, by `q`, by Ctrl-C, while something runs; and coming back to where one was."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

import pytest

from pagetutor.content.model import Course
from pagetutor.text import Language, Text
from tests.terminal import said
from tests.terminal.learner import PAGETUTOR, Learner, Place
from tests.terminal.pick import text, there
from tests.terminal.writing import DECODE, GATHER, PREFILL, write

GUESS_AGAIN = Text(zh="先猜一猜", en="Guess first")
WARM_UP = Text(zh="语法热身", en="Syntax warm-up")
BACKGROUND = Text(zh="先补的知识", en="What you need to know")
FIRST_AND_FINAL = Text(
    zh="你先选的是：{first}；后来改成：{final}", en="You first chose: {first}; and then: {final}"
)
NOTHING_BEGUN = Text(
    zh="从 Mission 1 的「先猜一猜」开始：pagetutor mission 1。",
    en="Begin Mission 1 with “Guess first”: pagetutor mission 1.",
)
ONE_PART_DONE = Text(
    zh="接着学 Mission 1 的「先补的知识」：pagetutor mission 1。",
    en="Go on with Mission 1, “What you need to know”: pagetutor mission 1.",
)
TURNS_FOR_EVER = ("needed_blocks = (", "while True: pass\n        needed_blocks = (")


@pytest.mark.parametrize("language", list(Language))
def test_ctrl_c_in_a_question_and_at_a_pause_keeps_both_answers(
    language: Language, place: Place, course: Course
) -> None:
    mission = course.missions[0]
    guess = there(mission.guess)
    wrong = guess.choice("take-what-there-is")
    words = ("mission", "1", "--lang", language)
    with Learner(place, language, words) as learner:
        learner.goes_on("s")
        learner.guesses(wrong.text)
        learner.goes_on()
        learner.reads(text(mission.background[0]))
        learner.goes_on()
        learner.reads(text(mission.diagram[0]))
        learner.goes_on()
        learner.reads(said.KEEP_OR_CHANGE)
        learner.menu()
        learner.presses("ctrl-c")
        _ended_by_ctrl_c(learner)

    with Learner(place, language, words) as learner:
        learner.reads(said.RESUMED.with_(mission=1, part=GUESS_AGAIN.in_(language)), said.KEEP_OR_CHANGE)
        assert learner.pointed_at() == learner.spoken(wrong.text)
        learner.chooses(guess.right.text)
        learner.reads(said.CHANGED, said.RIGHT + guess.right.explain)
        learner.waits_at_a_pause()
        learner.presses("ctrl-c")
        learner.reads(said.LEFT.with_(mission=1))
        _ended_by_ctrl_c(learner)

    with Learner(place, language, words) as learner:
        learner.reads(said.RESUMED.with_(mission=1, part=WARM_UP.in_(language)), there(mission.warm_up).intro)
        learner.presses("ctrl-c")
        _ended_by_ctrl_c(learner)

    with Learner(place, language, ("show", "1", "guess", "--lang", language)) as learner:
        first, final = wrong.text.in_(language), guess.right.text.in_(language)
        learner.reads(FIRST_AND_FINAL.with_(first=first, final=final))
        assert learner.ends() == 0


def test_ctrl_c_while_the_file_is_checked_leaves_a_usable_terminal_and_no_process(
    place: Place, course: Course
) -> None:
    """A shell of the learner's own, as the terminal and the status belong to it afterwards."""
    write(place, course, PREFILL, DECODE, GATHER, wrong=TURNS_FOR_EVER)
    tutor = f"{shlex.quote(str(PAGETUTOR))} mission final --lang en"
    shell = f'trap : INT; {tutor}; echo "status $?"; read -r typed; echo "got <$typed>"'
    with Learner(place, Language.EN, ("-c", shell), program=Path("/bin/sh")) as learner:
        learner.goes_on("s")
        learner.chooses(said.CHECK)
        terminal = learner.terminal
        terminal.wait_for(said.CHECKING.en)
        assert terminal.cursor_is_hidden
        children = _descendants(terminal.child.pid)
        terminal.press("ctrl-c")
        terminal.wait_for("status 130")
        assert not terminal.cursor_is_hidden
        assert said.CHECKING.en not in terminal.screen
        assert "Traceback" not in terminal.seen
        terminal.press("hello", "enter")
        terminal.wait_for("got <hello>")
        assert "\nhello\n" in terminal.screen, "what is typed is echoed again"
        assert learner.ends() == 0
        assert not [process for process in children if _runs(process)]


@pytest.mark.parametrize("language", list(Language))
def test_pagetutor_alone_shows_where_one_is_and_enter_goes_on(
    language: Language, place: Place, course: Course
) -> None:
    mission = course.missions[0]
    with Learner(place, language, ("--lang", language), rows=40) as learner:
        learner.reads(course.title, mission.title, "░░░░░░░░░░", NOTHING_BEGUN)
        learner.goes_on()
        learner.reads(said.FIRST_WORDS)
        learner.goes_on("s")
        learner.reads(said.GUESS)
        learner.guesses(there(mission.guess).right.text)
        learner.reads(said.RIGHT)
        learner.goes_on()
        learner.reads(said.BACKGROUND, text(mission.background[0]))
        learner.goes_on("q")
        learner.reads(said.LEFT.with_(mission=1))
        assert learner.ends() == 0

    with Learner(place, language, ("--lang", language), rows=40) as learner:
        learner.reads(course.title, ONE_PART_DONE)
        learner.goes_on()
        learner.reads(said.RESUMED.with_(mission=1, part=BACKGROUND.in_(language)))
        learner.reads(said.BACKGROUND, text(mission.background[0]))
        learner.goes_on("q")
        learner.reads(said.LEFT.with_(mission=1))
        assert learner.ends() == 0


def test_the_language_is_switched_at_any_prompt_and_what_is_being_read_comes_again(
    place: Place, course: Course
) -> None:
    mission = course.missions[0]
    guess = there(mission.guess)
    with Learner(place, Language.ZH, ("mission", "1", "--lang", "zh"), rows=40) as learner:
        learner.reads(said.FIRST_WORDS)
        learner.switches_language_at_a_pause()
        learner.reads(said.FIRST_WORDS)
        learner.goes_on("s")
        learner.reads(said.GUESS, guess.ask)
        learner.switches_language()
        learner.reads(said.GUESS, guess.ask)
        learner.guesses(guess.right.text)
        learner.reads(said.RIGHT + guess.right.explain)
        learner.switches_language_at_a_pause()
        learner.reads(said.RIGHT + guess.right.explain)
        learner.goes_on()
        learner.reads(said.BACKGROUND, text(mission.background[0]))
        learner.switches_language_at_a_pause()
        learner.reads(said.BACKGROUND, text(mission.background[0]))
        learner.goes_on("q")
        learner.reads(said.LEFT.with_(mission=1))
        assert learner.ends() == 0
    with Learner(place, Language.ZH, ("mission", "1")) as learner:
        learner.reads(said.RESUMED.with_(mission=1, part=BACKGROUND.zh))


def _ended_by_ctrl_c(learner: Learner) -> None:
    assert learner.ends() == 130
    assert not learner.terminal.cursor_is_hidden
    assert "Traceback" not in learner.terminal.seen


def _descendants(process: int | None) -> list[int]:
    """The processes below this one, as Linux lists them; where it does not, the test has less to say."""
    found = []
    for task in Path(f"/proc/{process}/task").glob("*/children"):
        for child in task.read_text(encoding="ascii").split():
            found += [int(child), *_descendants(int(child))]
    return found


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{process}/stat")
    return not stat.exists() or stat.read_text(encoding="utf-8").rpartition(") ")[2][0] != "Z"
