"""The frames of a replay: before each call, after each line that ran, at the call's end. Pure."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from pagetutor.diagnosis.gate import find_method
from pagetutor.exercise import words
from pagetutor.exercise.contract import Rule, Violation, violations
from pagetutor.exercise.expected import expected_steps
from pagetutor.exercise.scenario import CallMethod, MakeManager, MakeRequest, Method, Op
from pagetutor.exercise.state import left_out_of
from pagetutor.exercise.trace import LinesSeen, Step, TensorSeen, Trace
from pagetutor.text import Text
from pagetutor.tutor.replay_conditions import condition_at, runs_no_round
from pagetutor.tutor.replay_lines import Told, after_line, merged
from pagetutor.tutor.replay_places import Lines, docstring_in, extent, function_around, statement_at


class Moment(StrEnum):
    """When a frame is taken."""

    BEFORE = "before"  # a call, with everything prepared
    LINE = "line"  # a line has run
    AFTER = "after"  # the call has ended


@dataclass(frozen=True, slots=True)
class ReplayFrame:
    """One moment of a replay.

    `call` counts from 1. `yours` is the learner's state at that moment; `expected`, after a call, that of a
    right file. `shown` are the lines of the function to be shown, `marked` those that ran, `docstring` those
    that need no reading. `says` tells what the moment is or did; `values` are the function's small local
    values. `differs` is the rule that this call breaks. The case was prepared without the blocks `left_out`.
    Where ids were too long to be told after a line, `yours` has no managers: no picture.
    """

    moment: Moment
    call: int
    op: Op
    size: MakeManager
    yours: Step
    expected: Step | None = None
    shown: Lines | None = None
    marked: Lines | None = None
    function: str = ""
    says: tuple[Text, ...] = ()
    values: tuple[tuple[str, str], ...] = ()
    differs: Violation | None = None
    left_out: frozenset[int] = frozenset()
    docstring: Lines | None = None


def frames_of(trace: Trace, broken: Violation | None, tree: ast.Module) -> tuple[ReplayFrame, ...]:
    """The frames of this trace, of the file whose syntax tree is `tree`; at least one.

    `broken` is what the test found, where it fails. A constructor has a frame, at its end, where it breaks
    a rule or where nothing else is called.
    """
    return tuple(
        replace(
            frame,
            left_out=left_out_of(trace.scenario, frame.size.manager),
            docstring=None if frame.shown is None else docstring_in(tree, frame.shown),
        )
        for frame in _Reel(trace, broken, tree).frames()
    )


class _Reel:
    def __init__(self, trace: Trace, broken: Violation | None, tree: ast.Module) -> None:
        self._trace = trace
        self._tree = tree
        self._expected = expected_steps(trace)
        self._broken = dict(_broken(trace, self._expected))
        if broken is not None:
            self._broken.setdefault(broken.step, broken)
        ops = trace.scenario.ops
        self._sizes = {op.manager: op for op in ops if isinstance(op, MakeManager)}
        self._calls = any(isinstance(op, CallMethod) for op in ops)

    def frames(self) -> Iterator[ReplayFrame]:
        call = 0
        for at, op in enumerate(self._trace.scenario.ops):
            if isinstance(op, CallMethod):
                call += 1
                yield from self._of_call(at, op, call)
            elif at in self._broken or (not self._calls and isinstance(op, MakeManager | MakeRequest)):
                call += 1
                yield self._after(at, op, call)

    def _of_call(self, at: int, op: CallMethod, call: int) -> Iterator[ReplayFrame]:
        before, lines = self._trace.steps[at - 1], self._trace.steps[at].lines
        method = find_method(self._tree, op.method.full_name)
        yield ReplayFrame(
            Moment.BEFORE,
            call,
            op,
            self._sizes[op.manager],
            before,
            shown=None if method is None else extent(method),
            function=op.method.full_name,
            says=(words.situation(self._trace, at),),
        )
        last = None
        for last in self._of_lines(at, op, call, lines):
            yield last
        after = self._after(at, op, call)
        hung_at = after.yours.outcome.at
        if hung_at is not None:
            here = (hung_at.line, hung_at.line)
            yield replace(after, shown=function_around(self._tree, hung_at.line), marked=here)
        elif last is None:
            yield replace(after, shown=None if method is None else extent(method))
        else:
            yield replace(after, shown=last.shown, marked=last.marked, values=last.values)

    def _of_lines(self, at: int, op: CallMethod, call: int, lines: LinesSeen | None) -> Iterator[ReplayFrame]:
        step = self._trace.steps[at - 1]
        told = Told(op, self._trace.steps[at].outcome)
        told_lines = list(merged(() if lines is None else lines.seen, self._tree))
        for number, line in enumerate(told_lines):
            now = after_line(step, op, line)
            is_known = line.table is not None and line.free is not None
            callee = told_lines[number + 1].function if number + 1 < len(told_lines) else ""
            came_to = condition_at(self._tree, line, told_lines[number + 1 :], is_whole=_is_whole(lines))
            condition = () if came_to is None else (_CONDITION.with_(came_to=came_to),)
            around = told_lines[:number], told_lines[number + 1 :]
            rounds = (
                (_NO_ROUND,) if runs_no_round(self._tree, line, *around, is_whole=_is_whole(lines)) else ()
            )
            yield ReplayFrame(
                Moment.LINE,
                call,
                op,
                self._sizes[op.manager],
                now if is_known else replace(now, managers={}),  # no picture of what is not known
                shown=function_around(self._tree, line.line),
                marked=statement_at(self._tree, line.line) or (line.line, line.line),
                function=line.function,
                says=(*condition, *rounds, *told.of(line, step, now, callee)),
                values=line.values,
            )
            step = now

    def _after(self, at: int, op: Op, call: int) -> ReplayFrame:
        yours = self._trace.steps[at]
        function = op.method.full_name if isinstance(op, CallMethod) else "__init__"
        size = op if isinstance(op, MakeManager) else None
        if isinstance(op, CallMethod):
            size = self._sizes[op.manager]
        says = [_ended(op, yours)]
        if at not in self._broken and any(one < at for one in self._broken):
            says.append(_NOTHING_NEW)
        elif at not in self._broken:
            says.append(_AS_EXPECTED)
        if yours.lines is not None and yours.lines.ended in _NOT_WHOLE:
            says.append(_NOT_WHOLE[yours.lines.ended].with_(count=len(yours.lines.seen)))
        return ReplayFrame(
            Moment.AFTER,
            call,
            op,
            size or next(iter(self._sizes.values())),
            yours,
            expected=self._expected[at],
            function=function,
            says=tuple(says),
            differs=self._broken.get(at),
        )


def _broken(trace: Trace, expected: Sequence[Step]) -> Iterator[tuple[int, Violation]]:
    """The broken rules by their steps; what is due after the first is what a right file has there.

    The contract compares a step with the one before it: after a mistake that is the mistake's own state.
    """
    for number, one in enumerate(violations(trace)):
        op, ended = trace.steps[one.step].op, trace.steps[one.step].outcome.kind
        if number and isinstance(op, CallMethod) and one.rule not in _AS_IT_WAS and ended != "missing":
            yield one.step, replace(one, expected=_due(op, one.rule, expected[one.step]))
        else:
            yield one.step, one


_AS_IT_WAS = {Rule.SHARES_NOTHING, Rule.READ_ONLY}  # due is what was there, whatever that is


def _due(op: CallMethod, rule: Rule, right: Step) -> Text:
    request, value = right.requests[op.request], right.outcome.value
    if rule is Rule.LENGTH:
        return words.seq_len_seen(request.seq_len)
    if op.method is not Method.GATHER:
        return words.after_call(right.outcome, request, right.managers[op.manager])
    if rule is Rule.ROWS and isinstance(value, TensorSeen) and value.values is not None:
        return words.rows(value.values, value.shape[-1])
    return words.gathered(right.outcome)


def _ended(op: Op, yours: Step) -> Text:
    """How the call ended, and what it left behind, in numbers."""
    if not isinstance(op, CallMethod):
        return words.outcome_words(yours.outcome) if yours.outcome.kind != "done" else _MADE
    now, seen = yours.requests.get(op.request), yours.managers.get(op.manager)
    if now is None or seen is None:
        return words.outcome_words(yours.outcome)
    if op.method is Method.GATHER:
        return words.gathered(yours.outcome)
    return words.after_call(yours.outcome, now, seen)


def _is_whole(lines: LinesSeen | None) -> bool:
    return lines is not None and lines.ended == "whole"


_MADE = Text(zh="建好了", en="it is made")
_CONDITION = Text(zh="条件为 `{came_to}`", en="the condition is `{came_to}`")
_NO_ROUND = Text(zh="循环一圈也没转（0 圈）", en="the loop runs no round (0 rounds)")
_AS_EXPECTED = Text(zh="和应该的一样", en="just as expected")
_NOTHING_NEW = Text(zh="这次调用没有再出新的问题", en="nothing new goes wrong in this call")
_NOT_WHOLE = {
    "cut": Text(
        zh="这次调用跑了很多行，只记下了前 {count} 行",
        en="the call ran on: only its first {count} lines are told",
    ),
    "lost": Text(
        zh="你的代码自己用了 trace 函数，其余的行没法记下来",
        en="your code uses a trace function of its own, so the other lines cannot be told",
    ),
}
