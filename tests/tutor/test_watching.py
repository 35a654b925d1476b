"""Watching on a played screen: what is checked, what is shown, which keys do what."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from pagetutor.content.model import Course, Mission
from pagetutor.errors import WorkspaceError
from pagetutor.judge.report import CheckReport
from pagetutor.learner.port import Runner
from pagetutor.store.events import Checked, GaveUp, HintOpened
from pagetutor.text import Language
from pagetutor.tutor.live import Key, Live, Phase, WatchState
from pagetutor.tutor.saves import Disk
from pagetutor.tutor.watching import Clocks, Watched, WatchEnd, watch
from tests.tutor.conftest import Desk
from tests.tutor.scripted import Answer, Scripted, ScriptedLive
from tests.tutor.small import FLOORED, RIGHT, STARTER, marked_check

Step = Key | Callable[[], None] | type[BaseException] | float  # a number: so many seconds without a key
PATIENCE = 400  # waits of at most a tenth of a second


class StepsLive(ScriptedLive):
    """Takes the next step once nothing runs: a key, or something done to the file and then its check."""

    def __init__(self, screen: Played) -> None:
        super().__init__(screen)
        self.single_keys = screen.single_keys
        self._played = screen
        self._waits = 0

    def state(self, state: WatchState) -> None:
        if self._played.states[-1:] != [state]:
            self._played.states.append(state)

    def wait(self, seconds: float, *, busy: bool) -> Key | None:
        self._waits += 1
        assert self._waits < PATIENCE, "nothing happened at:\n" + "\n".join(self._played.log)
        if busy and self._played.during:
            return self._played.during.pop(0)
        if busy or self._played.awaits_news():
            self._woken.wait(min(seconds, 0.1) + 0.001)
            self._woken.clear()
            return None
        assert self._played.steps, "no step is left at:\n" + "\n".join(self._played.log)
        step = self._played.steps.pop(0)
        if isinstance(step, float):
            if step > 0:
                time.sleep(0.02)
                self._played.steps.insert(0, step - 0.02)
            return None
        if isinstance(step, Key):
            return step
        if isinstance(step, type):
            raise step
        self._played.done_to_file(step)
        return None


class Played(Scripted):
    """A screen on which these steps are taken; `during` are keys pressed while a check runs."""

    def __init__(
        self,
        *steps: Step,
        during: tuple[Key, ...] = (),
        single_keys: bool = True,
        script: tuple[Answer, ...] = (),
    ) -> None:
        super().__init__(*script, language=Language.EN)
        self.steps = list(steps)
        self.during = list(during)
        self.single_keys = single_keys
        self.states: list[WatchState] = []
        self._news: int | None = None

    @contextmanager
    def live(self) -> Iterator[Live]:
        yield StepsLive(self)

    def done_to_file(self, act: Callable[[], None]) -> None:
        self._news = len(self.states)
        act()

    def awaits_news(self) -> bool:
        """Whether what was done to the file has not shown yet in a state."""
        if self._news is not None and len(self.states) > self._news:
            self._news = None
        return self._news is not None


@dataclass
class Watcher:
    """Watches in this desk's folder."""

    desk: Desk
    check: Callable[..., CheckReport] = marked_check
    passes: list[str] = field(default_factory=list)
    monotonic: Callable[[], float] = time.monotonic

    def __call__(
        self, screen: Played, *missions: str, lingers: bool = True, has_next: bool = True
    ) -> WatchEnd:
        desk = self.desk
        watched = Watched(
            desk.course,
            tuple(desk.mission(name) for name in missions or ("1",)),
            desk.workspace.file,
            screen,
            desk.history,
            desk.runner,
            check=self.check,
            lingers=lingers,
            has_next=lambda: has_next,
        )
        return watch(
            watched,
            after_pass=lambda _reports, _show: self.passes.append("passed"),
            files=Disk(),
            clocks=Clocks(now=lambda: 1_000_000_000.0, monotonic=self.monotonic),
        )


@pytest.fixture
def watcher(desk: Desk) -> Watcher:
    desk.write(FLOORED)
    return Watcher(desk)


FAILS = "report: failed ['prefill.floor-division']"
PASSES = "report: passed []"


def test_the_file_is_checked_at_once_and_after_every_save(watcher: Watcher) -> None:
    desk = watcher.desk
    screen = Played(lambda: desk.write(STARTER), lambda: desk.write(FLOORED), Key.QUIT)
    assert watcher(screen) is WatchEnd.LEFT
    assert screen.log == ["----", FAILS, "----", "report: unfilled []", "----", FAILS]
    checked = [event.verdict for event in desk.events if isinstance(event, Checked)]
    assert checked == ["failed", "unfilled", "failed"]


def test_after_a_pass_it_stops_and_waits_for_what_the_learner_wants(watcher: Watcher) -> None:
    desk = watcher.desk
    screen = Played(lambda: desk.write(RIGHT), Key.HINT, Key.NEXT)
    assert watcher(screen) is WatchEnd.NEXT
    assert screen.log == ["----", FAILS, "----", PASSES]
    assert watcher.passes == ["passed"]
    assert screen.states[-1].phase is Phase.PASSED
    assert screen.states[-1].keys == (Key.NEXT, Key.RUN, Key.LIST, Key.QUIT)


def test_after_a_pass_saves_are_no_longer_checked_until_a_run_is_asked_for(watcher: Watcher) -> None:
    desk = watcher.desk
    desk.write(RIGHT)

    def spoil() -> None:
        desk.write(FLOORED)
        screen._news = None  # no news will come of it

    screen = Played(spoil, 0.4, Key.LIST, Key.LIST, Key.RUN, Key.QUIT)
    assert watcher(screen) is WatchEnd.LEFT
    overview = "overview: "
    assert [line for line in screen.log if not line.startswith(overview)] == ["----", PASSES, "----", FAILS]
    assert len([line for line in screen.log if line.startswith(overview)]) == 2


def test_the_list_is_shown_in_a_folder_that_is_gone(
    watcher: Watcher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    screen = Played(Key.LIST, Key.QUIT)
    assert watcher(screen) is WatchEnd.LEFT
    assert [line.partition(":")[0] for line in screen.log] == ["----", "report", "overview"]


def test_next_is_no_key_before_a_pass_or_where_nothing_follows(watcher: Watcher) -> None:
    assert watcher(Played(Key.NEXT, Key.QUIT)) is WatchEnd.LEFT
    watcher.desk.write(RIGHT)
    screen = Played(Key.NEXT, Key.QUIT)
    assert watcher(screen, has_next=False) is WatchEnd.LEFT
    assert Key.NEXT not in screen.states[-1].keys


def test_in_a_lesson_or_without_single_keys_a_pass_is_the_end(watcher: Watcher) -> None:
    watcher.desk.write(RIGHT)
    assert watcher(Played(), lingers=False) is WatchEnd.PASSED
    assert watcher(Played(single_keys=False)) is WatchEnd.PASSED


def test_a_run_checks_the_same_bytes_again(watcher: Watcher) -> None:
    screen = Played(Key.RUN, Key.QUIT)
    watcher(screen)
    assert screen.log == ["----", FAILS, "----", FAILS]


def test_a_hint_is_about_the_file_as_it_was_checked(watcher: Watcher) -> None:
    screen = Played(Key.HINT, Key.QUIT)
    watcher(screen)
    assert screen.log[:2] == ["----", FAILS]
    assert "prefill" in screen.log[2] or "hint" in screen.log[2]
    assert len(screen.log) == 3


OPENS = "The next hint opens once you change the code, or in 20 s; not to wait, press `h` once more."
LINE_LEFT = (
    "Only the line itself is left. Change your code first, then ask again; to give up, press `h` once more "
    "(this is recorded)."
)


def test_a_second_press_opens_the_hint_that_would_have_waited_and_is_recorded(watcher: Watcher) -> None:
    screen = Played(*[Key.HINT] * 6, Key.QUIT, script=(None,))
    watcher(screen)
    example, pattern, line = (
        "hint: The same with other numbers: 7 goods, boxes of 3: 3 boxes",
        "hint: The line, with a blank to fill: `(n + ▢) // b`",
        "hint: The line itself: `(n + b - 1) // b`",
    )
    assert screen.log[2:-1] == [OPENS, example, OPENS, pattern, LINE_LEFT, line]
    opened = [(event.rung, event.now) for event in watcher.desk.events if isinstance(event, HintOpened)]
    assert opened == [(3, True), (4, True), (5, False)]
    assert [event.what for event in watcher.desk.events if isinstance(event, GaveUp)] == ["line"]


def test_a_save_between_two_presses_makes_the_second_a_first_one(watcher: Watcher) -> None:
    desk = watcher.desk
    screen = Played(Key.HINT, lambda: desk.write(FLOORED + "# as before\n"), Key.HINT, Key.QUIT)
    watcher(screen)
    assert screen.log[2:] == [OPENS, "----", FAILS, OPENS]


def test_while_a_check_runs_only_quit_is_offered(watcher: Watcher) -> None:
    desk = watcher.desk
    screen = Played(lambda: desk.write(STARTER), lambda: desk.write(RIGHT), Key.RUN, Key.QUIT)
    watcher(screen)
    offered = {
        (state.phase in (Phase.CHECKING, Phase.LOADING), state.keys == (Key.QUIT,)) for state in screen.states
    }
    assert offered == {(True, True), (False, False)}


def test_a_slow_check_is_told_when_it_will_be_stopped(watcher: Watcher) -> None:
    held = threading.Event()

    def slow(*arguments: object, **more: object) -> CheckReport:
        assert held.wait(10)
        return marked_check(*arguments, **more)  # type: ignore[arg-type]

    class Noted(Played):
        """Lets the check go on once the screen was told of its end."""

        @contextmanager
        def live(self) -> Iterator[Live]:
            yield NotedLive(self)

    class NotedLive(StepsLive):
        def state(self, state: WatchState) -> None:
            super().state(state)
            if state.stops_after_s is not None:
                held.set()

    watcher.check = slow
    watcher.monotonic = lambda: time.monotonic() * 20
    screen = Noted(Key.QUIT)
    watcher(screen)
    assert [state.stops_after_s for state in screen.states][-2:] == [5.0, None]
    assert screen.states[0].stops_after_s is None


def test_keys_pressed_while_a_check_runs_are_gone_but_for_quit(watcher: Watcher) -> None:
    """The port throws others away; the loop itself leaves a running check at once."""
    held = threading.Event()

    def slow(*arguments: object, **more: object) -> CheckReport:
        held.wait(10)
        return marked_check(*arguments, **more)  # type: ignore[arg-type]

    watcher.check = slow
    timer = threading.Timer(0.2, held.set)
    timer.start()
    screen = Played(during=(Key.QUIT,))
    assert watcher(screen) is WatchEnd.LEFT
    timer.join()
    assert screen.log == []
    assert watcher.desk.events == []


def test_a_save_during_a_check_cancels_it_and_only_the_new_bytes_are_shown_and_recorded(desk: Desk) -> None:
    desk.write(FLOORED)
    seen: list[bytes] = []

    def slow(
        course: Course, mission: Mission, path: Path, source: bytes, runner: Runner, *, deadline_s: float
    ) -> CheckReport:
        seen.append(source)
        if source == FLOORED.encode():
            desk.write(RIGHT)
            while not runner.cancelled:  # type: ignore[attr-defined]
                threading.Event().wait(0.01)
        return marked_check(course, mission, path, source, runner, deadline_s=deadline_s)

    screen = Played()
    assert Watcher(desk, slow)(screen, lingers=False) is WatchEnd.PASSED
    assert seen == [FLOORED.encode(), RIGHT.encode()]
    assert screen.log == ["----", PASSES]
    assert [event.verdict for event in desk.events if isinstance(event, Checked)] == ["passed"]


def test_a_file_that_goes_away_is_told_and_checked_when_it_is_back(watcher: Watcher) -> None:
    desk = watcher.desk
    file = desk.workspace.file
    screen = Played(file.unlink, lambda: desk.write(STARTER), Key.QUIT)
    watcher(screen)
    assert screen.log == ["----", FAILS, "----", "report: unfilled []"]
    phases = [state.phase for state in screen.states]
    assert phases.index(Phase.GONE) < len(phases) - 1
    gone = screen.states[phases.index(Phase.GONE)]
    assert (gone.file, gone.verdict) == ("block_manager.py", "failed")


def test_what_is_no_file_any_more_is_told_as_a_report(watcher: Watcher) -> None:
    file = watcher.desk.workspace.file

    def folder() -> None:
        file.unlink()
        file.mkdir()

    screen = Played(folder, Key.QUIT)
    watcher(screen)
    assert screen.log[2:] == ["----", "report: broken []"]


def test_several_missions_are_told_in_a_line_each_and_the_first_failure_in_full(watcher: Watcher) -> None:
    screen = Played(Key.QUIT)
    watcher(screen, "1", "2")
    assert screen.log == ["----", "✗ Mission 1: not passing yet\n✗ Mission 2: not passing yet", FAILS]
    watcher.desk.write(RIGHT)
    screen = Played()
    assert watcher(screen, "1", "2", lingers=False) is WatchEnd.PASSED
    assert screen.log == ["----", "✓ Mission 1: passed\n✓ Mission 2: passed"]


def test_when_input_is_over_the_last_verdict_is_the_end(watcher: Watcher) -> None:
    assert watcher(Played(Key.END)) is WatchEnd.INPUT_ENDED
    watcher.desk.workspace.file.unlink()
    with pytest.raises(WorkspaceError) as error:
        watcher(Played(Key.END))
    assert error.value.say.en == (
        f"There is no `block_manager.py` in {watcher.desk.folder}. "
        "Run `pagetutor start` to put the starter into the current folder."
    )


def test_ctrl_c_passes_through_with_everything_recorded(watcher: Watcher) -> None:
    with pytest.raises(KeyboardInterrupt):
        watcher(Played(KeyboardInterrupt))
    assert [event.verdict for event in watcher.desk.events if isinstance(event, Checked)] == ["failed"]


def test_in_the_exercise_a_pass_while_watching_leads_back_to_the_menu(desk: Desk) -> None:
    desk.write(RIGHT)
    before = ("s", "right", "", "", "", "right", "", None, None, "on", "", "right", "", "s")
    end, log = desk.sit("1", *before, "watch", "next")
    assert end.next_mission == "2"
    after = log[log.index("? What now? [check watch edit hint reread]") + 1 :]
    assert after == [
        *("----", PASSES, "prefill works", *(line for line in after if line.startswith("card: "))),
        *("decode comes next", "? What now? [next check edit solution reread]"),
    ]
