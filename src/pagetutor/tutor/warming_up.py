"""The warm-up: say what it will end with, run it, compare, change a number, run it again."""

from __future__ import annotations

import re
from collections.abc import Mapping

from pagetutor.content.model import Knob, WarmUp
from pagetutor.learner.port import Job, Stopped
from pagetutor.store.events import Predicted, WarmUpRun
from pagetutor.text import Text, same
from pagetutor.tutor.parts import Step
from pagetutor.tutor.screen import Option, WarmUpRan, WarmUpShown
from pagetutor.tutor.sitting import Sitting
from pagetutor.tutor.waiting import RUNNING_WARM_UP


def warm_up(sitting: Sitting) -> None:
    """Predict the end values, run, see output and values, then change a number as often as wanted."""
    program = sitting.mission.warm_up
    assert program is not None, "this step is only there where there is a program"
    sitting.head(Step.WARM_UP)
    sitting.screen.show(WarmUpShown(program, program.program))
    _predict(sitting, program)
    before = sitting.here()
    if before.warm_up_runs == 0:
        _run(sitting, program, program.program, before.predicted)
        sitting.record(WarmUpRun(sitting.mission.id))
    _turn_knobs(sitting, program)


def turned(program: str, knob: str, value: int) -> str:
    """The program with the first line that sets `knob` to a number setting it to `value`."""
    line = re.compile(rf"^(\s*{re.escape(knob)}\s*=\s*)-?\d+", re.MULTILINE)
    return line.sub(lambda found: f"{found[1]}{value}", program, count=1)


def _predict(sitting: Sitting, program: WarmUp) -> None:
    waiting = [p for p in program.predictions if p.expression not in sitting.here().predicted]
    if waiting:
        sitting.say(_PREDICT)
    for prediction in waiting:
        value = sitting.screen.type_in(_ENDS_AS.with_(expression=prediction.expression))
        sitting.record(Predicted(sitting.mission.id, prediction.expression, value))


def _run(sitting: Sitting, warm_up: WarmUp, program: str, predicted: Mapping[str, str | None]) -> None:
    watch = [prediction.expression for prediction in warm_up.predictions]
    job = Job(path=sitting.mission.tests.parent / "warm_up.py", stage=sitting.course.stage)
    with sitting.screen.working(RUNNING_WARM_UP), sitting.runner.session(job) as session:
        run = session.run(program, watch)
    if isinstance(run, Stopped):
        sitting.say(_STOPPED)
    else:
        sitting.screen.show(WarmUpRan(run, dict(predicted)))


def _turn_knobs(sitting: Sitting, warm_up: WarmUp) -> None:
    options: list[Option] = []
    for knob in reversed(warm_up.knobs):
        line = f"{knob.name} = {knob.suggested}"
        options.insert(0, Option(f"own:{knob.name}", _OWN.with_(name=knob.name)))
        options.insert(0, Option(f"try:{knob.name}", _TRY.with_(line=line)))
    knobs = {knob.name: knob for knob in warm_up.knobs}
    if not knobs:
        sitting.screen.pause()
        return
    go_on = Option("on", _GO_ON)
    tried = False
    while True:
        in_order = [go_on, *options] if tried else [*options, go_on]
        how, _, name = sitting.screen.choose(_CHANGE, in_order).partition(":")
        if how == "on":
            return
        knob = knobs[name]
        value = knob.suggested if how == "try" else _own_number(sitting, knob)
        if value is None:
            continue
        sitting.say(same(f"`{knob.name} = {value}`"))
        _run(sitting, warm_up, turned(warm_up.program, knob.name, value), {})
        sitting.record(WarmUpRun(sitting.mission.id, knob.name, value))
        tried = True  # Enter alone, on the first option, no longer runs the same again
        if value == knob.suggested:
            sitting.say(knob.what_happens)


def _own_number(sitting: Sitting, knob: Knob) -> int | None:
    """The number the learner wants to try; None where they thought better of it."""
    while (typed := sitting.screen.type_in(_WHICH.with_(name=knob.name))) is not None:
        try:
            value = int(typed)  # full-width digits are digits to Python too
        except ValueError:
            sitting.say(_NO_NUMBER)
            continue
        if abs(value) <= _LARGEST:
            return value
        sitting.say(_TOO_LARGE.with_(largest=_LARGEST))
    return None


_LARGEST = 10_000  # more would only make the program slow and its output long
_PREDICT = Text(
    zh="先别运行：猜一猜跑完之后这些值是什么。",
    en="Do not run it yet: what will these be when it has ended?",
)
_ENDS_AS = Text(zh="跑完之后，`{expression}` 是", en="In the end, `{expression}` is")
_STOPPED = Text(
    zh="热身程序这次没有跑完，可以换个数再试，或者继续往下。",
    en="The warm-up did not finish this time; try another number, or go on.",
)
_CHANGE = Text(zh="改一个数再跑一次？", en="Change a number and run it again?")
_TRY = Text(zh="改成 `{line}` 再跑", en="Run it with `{line}`")
_OWN = Text(zh="`{name}` 换成我自己想的数", en="Run it with another `{name}`")
_GO_ON = Text(zh="继续往下", en="Go on")
_WHICH = Text(zh="`{name}` 改成几？", en="What should `{name}` be?")
_NO_NUMBER = Text(zh="这里要一个整数，比如 `12`。", en="A whole number is needed here, such as `12`.")
_TOO_LARGE = Text(zh="太大了，取 {largest} 以内的数。", en="That is too large; take one up to {largest}.")
