"""The guided lesson: one mission from the guess to the pass, to be left and resumed anywhere."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pagetutor.content.model import Course, Mission, MissionId, Question
from pagetutor.errors import MachineError
from pagetutor.store.events import PartDone
from pagetutor.store.history import History
from pagetutor.store.workspace import Workspace
from pagetutor.text import Text
from pagetutor.tutor import questions, reading
from pagetutor.tutor.hand_tracing import hand_trace
from pagetutor.tutor.parts import Step, filled, mission_name, part_title
from pagetutor.tutor.progress import Progress, next_step, question_to_ask_again
from pagetutor.tutor.screen import LessonLeft, Said, Screen
from pagetutor.tutor.sitting import Sitting
from pagetutor.tutor.warming_up import warm_up

if TYPE_CHECKING:
    from pagetutor.learner.port import Runner
    from pagetutor.tutor.checking import Check


_WARM_AFTER_S = 0.2  # the first question is there 100 ms after the lesson begins


@dataclass(frozen=True, slots=True)
class LessonEnd:
    """How a sitting ended: the mission the learner wants next, if any, and whether this one is passed."""

    next_mission: MissionId | None
    passed: bool


def run_mission(
    course: Course,
    mission: Mission,
    screen: Screen,
    *,
    history: History,
    runner: Runner,
    workspace: Workspace,
    shuffle: bool = True,
    check: Check | None = None,
) -> LessonEnd:
    """Lead the learner through what is left of this mission, from exactly where they left.

    Every answer is recorded the moment it is given. Leaving is an end like any other; KeyboardInterrupt,
    UsageError (input that ends too early), MachineError and WorkspaceError pass through with everything
    recorded.
    """
    sitting = Sitting(course, mission, screen, history, runner, workspace, check, shuffle)
    try:
        with _warming(runner):
            return LessonEnd(_lead(sitting), sitting.here().passed)
    except LessonLeft:
        passed = sitting.here().passed
        screen.show(Said(farewell(mission, passed=passed)))
        return LessonEnd(None, passed)
    finally:
        history.flush()


def farewell(mission: Mission, *, passed: bool) -> Text:
    """What who leaves this mission is told: that everything is kept, and how to come back."""
    return _LEFT_PASSED if passed else _LEFT.with_(mission=mission.id)


@contextmanager
def _warming(runner: Runner) -> Iterator[None]:
    """Warm the runner while the learner reads: importing torch at once would hold the first question up."""

    def warm() -> None:
        with suppress(MachineError):  # said when something is to be run; reading needs no process
            runner.warm()

    later = threading.Timer(_WARM_AFTER_S, warm)
    later.daemon = True
    later.start()
    try:
        yield
    finally:
        later.cancel()
        later.join()


def _lead(sitting: Sitting) -> MissionId | None:
    """The state machine: the first step not done is played and recorded, until only the exercise is left."""
    progress = sitting.progress()
    if not progress.prologue_seen:
        reading.prologue(sitting)
    elif sitting.here().done:
        step = next_step(sitting.mission, progress)
        sitting.say(
            filled(
                _RESUMED, mission=mission_name(sitting.mission), part=part_title(sitting.mission, step.part)
            )
        )
    if (missed := _missed_before(sitting, progress)) is not None:
        questions.ask_missed(sitting, *missed)
    while (step := next_step(sitting.mission, sitting.progress())) is not Step.EXERCISE:
        _PLAY[step](sitting)
        if step not in sitting.here().done:
            sitting.record(PartDone(sitting.mission.id, step))
    from pagetutor.tutor.exercising import exercise  # noqa: PLC0415 — brings the gate: not before it is met

    return exercise(sitting)


def _missed_before(sitting: Sitting, progress: Progress) -> tuple[Mission, Question] | None:
    return question_to_ask_again(sitting.course, progress, sitting.mission.id, sitting.history.clock())


_PLAY: Mapping[Step, Callable[[Sitting], None]] = {
    Step.GUESS: questions.guess,
    Step.BACKGROUND: reading.background,
    Step.DIAGRAM: reading.diagram,
    Step.GUESS_AGAIN: questions.guess_again,
    Step.WARM_UP: warm_up,
    Step.MAPPING: reading.mapping,
    Step.QUIZ: questions.quiz,
    Step.HAND_TRACE: hand_trace,
}

_LEFT = Text(
    zh="做过的都存好了。想接着学，运行 `pagetutor mission {mission}`，就从这里继续。",
    en="Everything you did is kept. `pagetutor mission {mission}` goes on from here.",
)
_LEFT_PASSED = Text(
    zh="做过的都存好了。接下来学什么，运行 `pagetutor` 就能看到。",
    en="Everything you did is kept. `pagetutor` shows what is next.",
)
_RESUMED = Text(zh="接着上次：{mission} 的「{part}」。", en="Where you left off: {mission}, “{part}”.")
