"""Watching: every save of the learner's file is checked at once, until it passes."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from pathlib import Path

from pagetutor.content.model import Course, Mission
from pagetutor.errors import WorkspaceError
from pagetutor.judge.report import CheckReport, Verdict
from pagetutor.learner.port import DEADLINE_S, Runner
from pagetutor.store.history import History
from pagetutor.text import Text, same
from pagetutor.tutor.checking import Check, check_source, read_file, record_check
from pagetutor.tutor.hints import HintEnd, hint
from pagetutor.tutor.live import Key, Live, Phase, WatchState
from pagetutor.tutor.means import KEYS
from pagetutor.tutor.naming import working_folder
from pagetutor.tutor.overview import overview
from pagetutor.tutor.parts import filled, mission_name
from pagetutor.tutor.progress import read_progress
from pagetutor.tutor.replaying import replay, show_replay
from pagetutor.tutor.running import Running
from pagetutor.tutor.saves import LOOK_S, Content, Disk, Files, Gone, Saved, Saves
from pagetutor.tutor.screen import ReportShown, Said, Screen, Showable
from pagetutor.tutor.verdicts import VERDICTS
from pagetutor.tutor.waiting import REPLAYING

AfterCheck = Callable[[Sequence[CheckReport]], None]
AfterPass = Callable[[Sequence[CheckReport], Callable[[Showable], None]], None]

_SLOW_S = 1.0  # a check that takes longer is told when it will be stopped
_ABANDON_S = 0.5  # for a check to end where the whole command ends; its process goes with the runner


class WatchEnd(Enum):
    """How watching ended."""

    PASSED = auto()  # everything passes, and nobody is there to press a key
    NEXT = auto()  # it passes, and the learner wants to go on
    LEFT = auto()  # the learner left
    INPUT_ENDED = auto()  # there was nothing left to read before it passed


@dataclass(frozen=True, slots=True)
class Watched:
    """What is watched, for which missions (`check all` has several), and with what.

    `lingers` keeps the keys after a pass, so that the learner can choose what comes; `has_next` says
    whether there is something to go on with.
    """

    course: Course
    missions: tuple[Mission, ...]
    path: Path
    screen: Screen
    history: History
    runner: Runner
    check: Check | None = None
    deadline_s: float = DEADLINE_S
    lingers: bool = True
    has_next: Callable[[], bool] = lambda: False


@dataclass(frozen=True, slots=True)
class Clocks:
    """The time of day, in seconds since the epoch, and a clock that never goes back."""

    now: Callable[[], float] = time.time
    monotonic: Callable[[], float] = time.monotonic


def watch(
    watched: Watched,
    *,
    after_check: AfterCheck = lambda _reports: None,
    after_pass: AfterPass = lambda _reports, _show: None,
    files: Files | None = None,
    clocks: Clocks | None = None,
) -> WatchEnd:
    """Check the file as it is, then after every save, until everything passes or the learner leaves.

    A save that comes while a check runs cancels it: what is shown is always of bytes that stood in the
    file last. `after_check` is given the reports of each; `after_pass` says what there is to say about a
    pass, with the reports and what shows it. What was cancelled is not recorded. Lets KeyboardInterrupt
    pass; raises WorkspaceError where input has ended and there is no file to be checked, and what the check
    raises (MachineError, ContentError).
    """
    watched.runner.warm(hurry=True)
    with watched.screen.live() as live:
        watching = _Watching(
            watched, live, after_check, after_pass, files=files or Disk(), clocks=clocks or Clocks()
        )
        try:
            end = watching.run()
        except BaseException:
            watching.stop(_ABANDON_S)
            raise
        watching.stop(None)
        return end


class _Watching:
    def __init__(
        self,
        watched: Watched,
        live: Live,
        after_check: AfterCheck,
        after_pass: AfterPass,
        *,
        files: Files,
        clocks: Clocks,
    ) -> None:
        self._watched = watched
        self._live = live
        self._after_check = after_check
        self._after_pass = after_pass
        self._clocks = clocks
        self._path = watched.path.absolute()
        self._saves = Saves(self._path, files)
        self._known = False  # whether a look has told what stands there
        self._waiting: Content | None = None  # saved, and not being checked yet
        self._running: Running[list[CheckReport]] | None = None
        self._checking: Content = b""
        self._checked: Content = b""  # what the reports shown are about
        self._loading = not watched.runner.ready()
        self._reports: list[CheckReport] = []
        self._shown: ReportShown | None = None
        self._checked_at: str | None = None
        self._stopped = False  # it passed
        self._busy_since: float | None = None
        self._hint_waits: tuple[Sequence[CheckReport], HintEnd] | None = None

    def run(self) -> WatchEnd:
        """The loop: a key, a result, a save, the next check."""
        while True:
            now = self._clocks.monotonic()
            self._busy_since = (now if self._busy_since is None else self._busy_since) if self._busy else None
            self._live.state(self._state())
            key = self._live.wait(self._patience_s(), busy=self._busy)
            end = None if key is None else self._pressed(key)
            if end is None and self._running is not None and self._running.over:
                end = self._take(self._running)
            if end is not None:
                return end
            self._look()
            self._start()

    def stop(self, limit_s: float | None) -> None:
        """Cancel what runs, and wait for its end."""
        if self._running is not None:
            self._running.cancel()
            self._running.join(limit_s)

    @property
    def _busy(self) -> bool:
        return not self._known or self._waiting is not None or self._running is not None

    def _patience_s(self) -> float:
        if self._stopped:
            return LOOK_S  # only the terminal's size has to be looked at
        return max(self._saves.due - self._clocks.monotonic(), 0.0)

    # ── saves and checks ─────────────────────────────────────────────────────────────────────────

    def _look(self) -> None:
        if self._stopped:
            return
        found = self._saves.look(self._clocks.monotonic())
        match found:
            case Saved(content=content):
                self._waiting = content
            case Gone():
                self._waiting = None
            case None:
                return
        self._known = True
        if self._running is not None:
            self._running.cancel()

    def _start(self) -> None:
        """Begin with what was saved last; a cancelled check is over before the next begins."""
        if self._waiting is None or self._running is not None:
            return
        content, self._waiting = self._waiting, None
        watched = self._watched
        self._checking = content
        self._loading = not watched.runner.ready()  # not to be asked while a check is using the runner

        def work(runner: Runner) -> list[CheckReport]:
            return [
                check_source(
                    *(watched.course, mission, self._path, content, runner),
                    check=watched.check,
                    deadline_s=watched.deadline_s,
                )
                for mission in watched.missions
            ]

        self._running = Running(work, watched.runner, self._live.wake)

    def _take(self, running: Running[list[CheckReport]]) -> WatchEnd | None:
        """Show what the check found, then record it: the learner waits for the one, not for the other."""
        self._running = None
        self._loading = False
        if running.cancelled:
            return None
        self._reports, self._checked = running.found(), self._checking
        self._checked_at = time.strftime("%H:%M:%S", time.localtime(self._clocks.now()))
        self._stopped = all(report.verdict is Verdict.PASSED for report in self._reports)
        self._show()
        self._live.state(self._state())
        for mission, report in zip(self._watched.missions, self._reports, strict=True):
            record_check(self._watched.history, mission, self._path, self._checked, report)
        if (trouble := self._watched.history.new_trouble()) is not None:
            self._live.show(Said(trouble))
        self._after_check(self._reports)
        return self._passed() if self._stopped else None

    def _show(self) -> None:
        """Each mission in a line, and in full the first that does not pass: four reports nobody reads."""
        assert self._checked_at is not None
        self._live.begin(self._checked_at)
        worst = next((report for report in self._reports if report.verdict is not Verdict.PASSED), None)
        if len(self._reports) == 1:
            worst = self._reports[0]
        else:
            both = zip(self._watched.missions, self._reports, strict=True)
            lines = [_stands(one, report.verdict) for one, report in both]
            self._live.show(Said(functools.reduce(lambda above, line: above + same("\n") + line, lines)))
        if worst is not None:
            self._shown = KEYS.report(worst, self._path)
            self._live.show(replace(self._shown, brief=True))

    def _passed(self) -> WatchEnd | None:
        self._after_pass(self._reports, self._live.show)
        return None if self._watched.lingers and self._live.single_keys else WatchEnd.PASSED

    # ── keys ─────────────────────────────────────────────────────────────────────────────────────

    def _pressed(self, key: Key) -> WatchEnd | None:
        match key:
            case Key.QUIT:
                return WatchEnd.LEFT
            case Key.END:
                return self._input_ended()
            case Key.NEXT if Key.NEXT in self._keys():
                return WatchEnd.NEXT
            case Key.RUN:
                self._stopped = False
                self._known = False
                self._saves.forget()
            case Key.HINT if Key.HINT in self._keys():
                self._hint()
            case Key.REPLAY if Key.REPLAY in self._keys():
                self._replay()
            case Key.MORE if self._shown is not None and Key.MORE in self._keys():
                self._live.show(self._shown)
            case Key.LIST:
                progress = read_progress(self._watched.history)
                self._live.show(overview(self._watched.course, progress, cwd=working_folder()))
        return None

    def _input_ended(self) -> WatchEnd:
        if not self._reports:
            read_file(self._path)  # the sentence for a file that is not there
        if self._stopped:
            return WatchEnd.PASSED
        if not self._live.single_keys:  # otherwise the terminal has gone
            self._live.show(Said(_NOT_WATCHED.with_(file=self._path.name)))
        return WatchEnd.INPUT_ENDED

    def _hint(self) -> None:
        """The next hint; a second press for the same result opens one that said it would wait."""
        watched, before = self._watched, self._hint_waits
        waited = before[1] if before is not None and before[0] is self._reports else None
        self._hint_waits = None
        with self._live.aside():
            try:
                end = hint(
                    *(watched.course, self._first_open(), self._path),
                    screen=watched.screen,
                    history=watched.history,
                    runner=watched.runner,
                    check=watched.check,
                    now=waited is HintEnd.WAITS,
                    give_up=waited is HintEnd.LINE_WAITS,
                    means=KEYS,
                )
            except WorkspaceError as error:
                watched.screen.show(Said(error.say))
            else:
                if end in (HintEnd.WAITS, HintEnd.LINE_WAITS):
                    self._hint_waits = self._reports, end

    def _replay(self) -> None:
        """The case that failed, on the very bytes that were checked."""
        watched = self._watched
        both = zip(watched.missions, self._reports, strict=True)
        mission = next(mission for mission, report in both if report.verdict is Verdict.FAILED)
        with self._live.aside():
            with watched.screen.working(REPLAYING):
                replayed = replay(
                    *(watched.course, mission, self._path, self._checked, watched.runner),
                    check=watched.check,
                    deadline_s=watched.deadline_s,
                )
            show_replay(replayed, watched.screen, self._path, KEYS)

    def _first_open(self) -> Mission:
        """The first mission that does not pass, for which a hint is of use."""
        both = zip(self._watched.missions, self._reports, strict=False)
        still = (mission for mission, report in both if report.verdict is not Verdict.PASSED)
        return next(still, self._watched.missions[0])

    # ── the line ─────────────────────────────────────────────────────────────────────────────────

    def _state(self) -> WatchState:
        verdicts = [report.verdict for report in self._reports]
        since, phase = self._busy_since, self._phase()
        is_slow = since is not None and self._clocks.monotonic() - since > _SLOW_S
        return WatchState(
            file=self._path.name,
            phase=phase,
            keys=self._keys(),
            checked_at=self._checked_at,
            verdict=next((verdict for verdict in verdicts if verdict is not Verdict.PASSED), None)
            or next(iter(verdicts), None),
            stops_after_s=self._watched.deadline_s if is_slow and phase is Phase.CHECKING else None,
        )

    def _phase(self) -> Phase:
        if self._stopped:
            return Phase.PASSED
        if self._busy:
            return Phase.LOADING if self._loading else Phase.CHECKING
        return Phase.WAITING if self._saves.there else Phase.GONE

    def _keys(self) -> tuple[Key, ...]:
        if self._busy:
            return (Key.QUIT,)
        if self._stopped:
            following = (Key.NEXT,) if self._watched.has_next() else ()
            return (*following, Key.RUN, Key.LIST, Key.QUIT)
        failed = any(report.verdict is Verdict.FAILED for report in self._reports)
        about_a_report = (
            *((Key.REPLAY,) if failed else ()),
            *((Key.MORE,) if self._reports and self._live.single_keys else ()),
        )
        return (Key.RUN, Key.HINT, *about_a_report, Key.LIST, Key.QUIT)


def _stands(mission: Mission, verdict: Verdict) -> Text:
    mark = same("✓" if verdict is Verdict.PASSED else "✗")
    return filled(_STANDS, mark=mark, mission=mission_name(mission), verdict=VERDICTS[verdict])


_NOT_WATCHED = Text(
    zh="这里没有终端，`{file}` 检查完就结束，不再盯着。",
    en="There is no terminal here, so `{file}` was checked and is not watched.",
)
_STANDS = Text(zh="{mark} {mission}：{verdict}", en="{mark} {mission}: {verdict}")
