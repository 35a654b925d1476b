"""One learner's way through mission 1, and the screens on it that the README shows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from pagetutor.content.find import find_course
from pagetutor.content.model import Course
from pagetutor.content.read import load_course
from pagetutor.store.events import PrologueSeen, Seeded
from pagetutor.store.history import History
from pagetutor.text import Language, Text, same
from tests.pictures.screen import Seen, screen_of
from tests.terminal import said
from tests.terminal.learner import Learner, Place, squeezed
from tests.terminal.pick import there
from tests.terminal.writing import FLOOR, PREFILL, write

_COLUMNS = 80
_CLOCK = re.compile(r"(?<!\d)\d\d:\d\d:\d\d(?!\d)")
_BEGUN_AT = 1_767_261_600.0  # 2026-01-01 10:00:00 UTC; each thing done takes half a minute from there
_STEP_S = 30.0
_NOTHING = same("")
_MORE_BELOW = Text(zh="下面还有：", en="More below:")
_LEAVE = Text(zh="q 离开）", en="q leave)")
_FIRST_STEP = Text(zh="第 1/", en="step 1 of")
_FIRST_DIFFERENCE = Text(zh="第一处不同就在这里", en="Here is the first difference")
_FRAME_IS_DRAWN = "\x1b[J"  # a frame is drawn over the last one; then what is below it is cleared
_REPLAY_KEY = Text(zh="t 回放", en="t replay")
_PASSED = Text(zh="通过了，不再盯着 block_manager.py", en="Passed: block_manager.py is no longer watched")
_WATCHES = Text(zh="q 离开", en="q leave")


@dataclass(frozen=True, slots=True)
class Picture:
    """A screen worth showing: of which feature, in which language, after which command."""

    feature: str
    language: Language
    command: str
    screen: Seen

    @property
    def name(self) -> str:
        """The name of its file."""
        return f"{self.feature}.{self.language}.svg"


def pictures(language: Language) -> Iterator[Picture]:
    """The screens of the whole way in this language, from real runs of the installed `pagetutor`.

    The same every time: the order of the options is fixed by the history's seed, the times on the
    screens are set to one, and no folder of this machine shows.
    """
    course = load_course(find_course(), with_models=True)
    with TemporaryDirectory() as folder:
        place = Place(Path(folder, "practice"), Path(folder, "home"))
        place.folder.mkdir()
        history = History(place.home / "history.db")
        history.append(PrologueSeen(skipped=True), Seeded("pictures"))
        yield _guess(place, language, course)
        yield _diagram(place, language)
        write(place, course, PREFILL, wrong=FLOOR)
        yield _check(place, language)
        yield _replay(place, language)
        yield _watch(place, language, course)
        yield _recap(place, language, history)


def _guess(place: Place, language: Language, course: Course) -> Picture:
    """A wrong guess with its explanation; later on the learner thinks better of it."""
    guess = there(course.missions[0].guess)
    with _learner(place, language, "mission 1", rows=36) as learner:
        learner.guesses(guess.choice("drop-the-last").text, sure="2")
        learner.reads(said.WRONG)
        learner.waits_at_a_pause()
        picture = _picture("guess", learner)
        learner.goes_on()
        learner.reads(said.BACKGROUND)
        learner.goes_on()
        learner.reads(said.DIAGRAM)
        learner.goes_on()
        learner.chooses(guess.right.text)
        learner.reads(said.RIGHT)
        learner.goes_on("q")
        assert learner.ends() == 0
    return picture


def _diagram(place: Place, language: Language) -> Picture:
    with _learner(place, language, "show 3 diagram", rows=32) as learner:
        _shows(learner, _MORE_BELOW, last=_LEAVE)
        return _picture("diagram", learner)


def _check(place: Place, language: Language) -> Picture:
    with _learner(place, language, "check 1", rows=50) as learner:
        assert learner.ends() == 1
        return _picture("check", learner)


def _replay(place: Place, language: Language) -> Picture:
    with _learner(place, language, "replay 1", rows=30) as learner:
        _shows(learner, _FIRST_STEP, printed=_FRAME_IS_DRAWN)
        learner.presses("d")
        _shows(learner, _FIRST_DIFFERENCE, printed=_FRAME_IS_DRAWN)
        return _picture("replay", learner)


def _watch(place: Place, language: Language, course: Course) -> Picture:
    """The mistake is still there; then it is mended and saved."""
    with _learner(place, language, "watch 1", rows=25) as learner:
        _shows(learner, _REPLAY_KEY, last=_WATCHES)
        write(place, course, PREFILL)
        _shows(learner, _PASSED, last=_WATCHES)
        picture = _picture("watch", learner)
        learner.presses("q")
        assert learner.ends() == 0
        return picture


def _recap(place: Place, language: Language, history: History) -> Picture:
    """All that was done, as if the clock had stood at fixed times."""
    told = History(place.home.with_name("told") / "history.db")
    told.append_records(
        [replace(one, at=_BEGUN_AT + number * _STEP_S) for number, one in enumerate(history.records())]
    )
    with _learner(replace(place, home=place.home.with_name("told")), language, "recap", rows=60) as learner:
        assert learner.ends() == 0
        return _picture("recap", learner)


def _learner(place: Place, language: Language, command: str, *, rows: int) -> Learner:
    words = tuple(command.split())
    return Learner(place, language, words, rows=rows, environ={"PAGETUTOR_LANG": language, "TZ": "UTC"})


def _shows(learner: Learner, words: Text, *, last: Text = _NOTHING, printed: str = "") -> None:
    """Wait until these words are on the screen, `last` at its end, and `printed` came last of all."""
    wanted, end = (squeezed(one.in_(learner.language)) for one in (words, last))

    def is_shown() -> bool:
        screen = squeezed(learner.terminal.screen)
        return wanted in screen and screen.endswith(end) and learner.terminal.seen.endswith(printed)

    learner.terminal.wait_until(is_shown, f"{wanted!r} never showed up")


def _picture(feature: str, learner: Learner) -> Picture:
    printed = _CLOCK.sub("10:00:00", learner.terminal.seen)
    screen = screen_of(printed, _COLUMNS, learner.rows)
    return Picture(feature, learner.language, f"$ pagetutor {' '.join(learner.words)}", screen)
