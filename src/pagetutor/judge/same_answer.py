"""Whether the same questions got the same answers: in one process once, in another up to twice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pagetutor.exercise import words
from pagetutor.exercise.renamed import renamed
from pagetutor.exercise.scenario import CallMethod, Method
from pagetutor.exercise.trace import Trace, TraceError, trace_from_wire
from pagetutor.judge.play import Play
from pagetutor.learner.port import Echoes, Json, LoadFailed, Raised, Stopped, StopReason
from pagetutor.text import Text

_USED_UP = (StopReason.TIMEOUT, StopReason.MEMORY, StopReason.OUTPUT)


@dataclass(frozen=True, slots=True)
class Difference:
    """Where two runs went apart: in which method, if it was in one, and the sentence that says so."""

    method: Method | None
    say: Text


def first_difference(play: Play, echoes: Echoes) -> Difference | Stopped | None:
    """The first question that got different answers; Stopped where the second process used up too much, or
    was ended by the machine.

    Compared are the answers with their block ids renamed by first use, never raw: random ids are legal.
    """
    for trace, answer, told in zip(play.traces, play.answers, echoes.answers, strict=False):
        if any(echo != answer for echo in told):  # seldom: plain files answer alike to the letter
            found = _difference(trace, told, play.ran_out)
            if found is not None:
                return found
    match echoes.ended:
        case Stopped() as ended if ended.reason in _USED_UP or ended.abandoned:
            return ended
        case Stopped() | LoadFailed():
            return Difference(None, _ENDED)
    return None


def _difference(
    trace: Trace, echoes: Sequence[Json], ran_out: Callable[[Raised], bool]
) -> Difference | Stopped | None:
    first = renamed(trace)
    for echo in echoes:
        try:
            other = trace_from_wire(trace.scenario, echo)
        except TraceError:
            return Difference(None, _ENDED)
        raised = [step.outcome.raised for step in other.steps if step.outcome.raised is not None]
        if any(ran_out(one) for one in raised):  # it is asked twice as much, and the code keeps too much
            return Stopped(StopReason.MEMORY)
        for index, (one, two) in enumerate(zip(first, renamed(other), strict=True)):
            if one != two:
                return _told(trace, other, index)
    return None


def _told(one: Trace, other: Trace, index: int) -> Difference:
    op = one.steps[index].op
    method = op.method if isinstance(op, CallMethod) else None
    first, second = _seen(one, index), _seen(other, index)
    if first == second:  # the difference lies in what no sentence shows
        return Difference(method, _DIFFERS.with_(call=words.situation(one, index)))
    return Difference(
        method,
        Text(
            zh=f"{_DIFFERS.zh.format(call=words.situation(one, index).zh)}"
            f"一次是 {first.zh}，一次是 {second.zh}。",
            en=f"{_DIFFERS.en.format(call=words.situation(one, index).en)} "
            f"Once it was {first.en}, once {second.en}.",
        ),
    )


def _seen(trace: Trace, index: int) -> Text:
    step = trace.steps[index]
    op = step.op
    if isinstance(op, CallMethod) and step.outcome.kind == "done" and step.outcome.value is None:
        request = step.requests.get(op.request)
        if request is not None:
            return words.request_state(request)
    return words.outcome_words(step.outcome)


_DIFFERS = Text(
    zh="同样的调用，每次结果不一样：{call}。取哪个空闲块可以随意，结果不能靠随机数、时间，"
    "也不能靠类或模块里记着的东西。",
    en="The same call does not always give the same result: {call}. Which free block is taken is yours to "
    "choose, but the result must not depend on chance, on the clock, or on what a class or module remembers.",
)
_ENDED = Text(
    zh="同样的代码跑两遍，一遍跑完了，一遍没跑完。看看哪里用了随机数、时间，或者类和模块里记着的东西。",
    en="The same code was run twice: once it came to its end, once it did not. Look for chance, for the "
    "clock, or for what a class or module remembers.",
)
