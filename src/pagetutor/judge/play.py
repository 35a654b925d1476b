"""`play`, the one tool of a mission test: play a scenario on the learner's code, then say what must hold.

    def test_six_tokens_take_two_blocks(play):
        play(pool(10, 4, 64), request("a", 6), prefill("a")).expect(blocks={"a": 2}, free=8)

Whatever a test expects, the whole contract is checked at every step first, so a test names the
figures a reader should see and the contract keeps the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from pagetutor.exercise import words
from pagetutor.exercise.contract import Rule, Violation, first_violation, is_oom, unprepared
from pagetutor.exercise.reach import reached_by_calls, shares_a_block
from pagetutor.exercise.scenario import CallMethod, Op, Scenario, scenario
from pagetutor.exercise.trace import Odd, TensorSeen, Trace, TraceError, trace_from_wire
from pagetutor.learner.port import Json, Raised, Session, Stopped, StopReason
from pagetutor.text import Text


class ContractBroken(AssertionError):  # noqa: N818 — read as a sentence in a test's report
    """The learner's code broke the contract, or a figure a test expects; carries both for people."""

    def __init__(self, violation: Violation, trace: Trace) -> None:
        super().__init__(f"expected {violation.expected.en}; got {violation.actual.en}")
        self.violation = violation
        self.trace = trace


class NoAnswer(Exception):  # noqa: N818 — not an error of ours: the learner's process ended
    """The learner's process gave no answer; the test counts as not run."""

    def __init__(self, stopped: Stopped) -> None:
        super().__init__(f"no result: {stopped.reason}")
        self.stopped = stopped


@dataclass(frozen=True, slots=True)
class Played:
    """A scenario that was played, with what may be expected of it."""

    trace: Trace
    violation: Violation | None

    def holds(self) -> None:
        """The contract held at every step. Raises ContractBroken."""
        if self.violation is not None:
            raise ContractBroken(self.violation, self.trace)

    def expect(self, *, blocks: Mapping[str, int], free: int | None = None) -> None:
        """Each request ends with that many blocks, and that many stay free."""
        self.holds()
        end = self.trace.steps[-1]
        for name, count in blocks.items():
            table = end.requests[name].table
            if isinstance(table, Odd) or len(table) != count:
                self._fail(
                    Rule.COUNT, Text(zh=f"{count} 块", en=words.block_count(count)), words.table_seen(table)
                )
        seen = end.managers["m"].free
        if free is not None and (isinstance(seen, Odd) or len(seen) != free):
            self._fail(Rule.COUNT, Text(zh=f"剩 {free} 块", en=f"{free} left"), words.free_seen(seen))

    def expect_oom(self) -> None:
        """The last call ran out of memory: a RuntimeError that says OOM, and nothing changed."""
        self.holds()
        raised = self.trace.steps[-1].outcome.raised
        if raised is None or not is_oom(raised):
            self._fail(Rule.OOM, Text(zh="OOM", en="OOM"), words.outcome_words(self.trace.steps[-1].outcome))

    def expect_rows(self, *rows: int, width: int) -> None:
        """The last call gave a tensor `[len(rows), width]` whose row i holds `rows[i]` in each place."""
        self.holds()
        value = self.trace.steps[-1].outcome.value
        due = tuple(row for row in rows for _ in range(width))
        if not isinstance(value, TensorSeen) or value.shape != (len(rows), width) or value.values != due:
            self._fail(Rule.ROWS, words.rows(due, width), words.gathered(self.trace.steps[-1].outcome))

    def _fail(self, rule: Rule, expected: Text, actual: Text) -> None:
        last = self.trace.steps[-1].op
        method = last.method if isinstance(last, CallMethod) else None
        raise ContractBroken(Violation(rule, len(self.trace.steps) - 1, method, expected, actual), self.trace)


@dataclass(slots=True)
class Play:
    """Plays scenarios in one learner's process and remembers every trace.

    `answers` are the traces as they came. Where a prepared state could not be set, or fails, the same
    situation is reached by the learner's own calls, since the code may keep books of its own: a pass there
    is a pass (`by_own_calls`). Once a situation has failed both ways the file is wrong, and only code that
    is seen to keep books gets a second try at the others: most wrong files fail a dozen tests.

    `ran_out` tells an exception for memory that was refused: after one nothing more is asked, since each
    further call would fill the memory anew, up to the deadline; `stopped` says so.

    `judging` is whether it is at work itself: what is raised meanwhile is not the test's fault.
    """

    session: Session
    ran_out: Callable[[Raised], bool] = lambda _raised: False
    traces: list[Trace] = field(default_factory=list, init=False)
    answers: list[Json] = field(default_factory=list, init=False)
    by_own_calls: bool = field(default=False, init=False)
    fails_both_ways: bool = field(default=False, init=False)
    stopped: Stopped | None = field(default=None, init=False)
    judging: bool = field(default=False, init=False)
    _foreseen: Sequence[Scenario] = field(default=(), init=False)
    _at: int = field(default=0, init=False)  # how far in `_foreseen`

    def __call__(self, *ops: Op | Sequence[Op] | Scenario) -> Played:
        """Play these operations, in order. Raises NoAnswer where the process ended."""
        played = scenario(*ops)
        self.judging = True
        try:
            found = self._played(played)
        except NoAnswer:
            self.judging = False
            raise
        self.judging = False
        return found

    def _played(self, played: Scenario) -> Played:
        trace = self._trace(played)
        violation = first_violation(trace)
        failed = violation is not None or unprepared(trace)
        if failed and shares_a_block(played) and _keeps_own_books(trace):
            return Played(trace, None)  # no call leads to a shared block: books cannot know of one
        if failed and (_keeps_own_books(trace) or not self.fails_both_ways):
            reached = reached_by_calls(played)
            by_calls = None if reached is None else self._trace(reached)
            # Calls on a pool that could not be scattered give sorted tables only: no answer to a set one.
            counts = by_calls is not None and (unprepared(trace) or not unprepared(by_calls))
            if by_calls is not None and counts and first_violation(by_calls) is None:
                self.by_own_calls = True
                return Played(by_calls, None)
            self.fails_both_ways = self.fails_both_ways or by_calls is not None
        return Played(trace, violation)

    def will_ask(self, scenarios: Sequence[Scenario]) -> None:
        """What is going to be played, in order: while one is looked at, the next can be on its way."""
        self._foreseen, self._at = scenarios, 0

    def _trace(self, played: Scenario) -> Trace:
        answer = self._ask(played) if self.stopped is None else self.stopped
        if isinstance(answer, Stopped):
            raise NoAnswer(answer)
        try:
            trace = trace_from_wire(played, answer)
        except TraceError as error:
            raise NoAnswer(Stopped(StopReason.CRASH, detail=str(error))) from error
        self.traces.append(trace)
        self.answers.append(answer)
        self._stop_without_memory(trace)
        return trace

    def _stop_without_memory(self, trace: Trace) -> None:
        for step in trace.steps:
            raised = step.outcome.raised
            if raised is not None and self.ran_out(raised):
                at = raised.frames[-1] if raised.frames else None
                where = (None, None) if at is None else (at.line, at.function)
                self.stopped = Stopped(StopReason.MEMORY, *where)
                raise NoAnswer(self.stopped)

    def _ask(self, played: Scenario) -> Json | Stopped:
        return self.session.play(played.to_wire(), then=self._next(played))

    def _next(self, played: Scenario) -> Json:
        """What is going to be asked after this, where that is foreseen."""
        try:
            self._at = self._foreseen.index(played, self._at) + 1
        except ValueError:  # asked out of turn: the same situation by the learner's own calls
            return None
        return self._foreseen[self._at].to_wire() if self._at < len(self._foreseen) else None


def _keeps_own_books(trace: Trace) -> bool:
    """Whether a state could not be set, or the code has state beyond the starter's that may be books."""
    if unprepared(trace) or trace.books:
        return True
    managers = any(seen.extra for step in trace.steps for seen in step.managers.values())
    return managers or any(seen.extra for step in trace.steps for seen in step.requests.values())
