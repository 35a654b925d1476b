"""Same answer twice: a second process is asked everything the first one is, the first part two times over.

At the same time, on the machine's other core: it costs a check a few milliseconds. In the first process
each question comes once, in order; in the second each of the first `TWICE` comes twice in a row (the
whole exercise asks 128: more would cost it a third of its time). An answer that depends on
chance, on the clock, or on what was asked before it differs somewhere between the three.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from pagetutor.learner import answers
from pagetutor.learner.port import (
    Echoes,
    Finished,
    Loaded,
    LoadFailed,
    Prints,
    ProgramRun,
    Stopped,
    StopReason,
)
from pagetutor.learner.session import LearnerSession

if TYPE_CHECKING:
    from pagetutor.learner.port import Json

TWICE = 48  # questions; a mission asks about 40
OUTPUT_SHARE = 2  # of the output allowed: what is asked twice prints twice
_AT_ONCE = 24  # scenarios, a third of what a mission asks
_LONG_S = 0.005  # for an answer: the second process is then asked at once, or it would fall behind
_SLOW = 0.25  # of the deadline: once the first process has used so much, nothing more is asked twice
_GRACE = 0.5  # of the deadline, for the second process where the first one needed nearly all of it


class TwinSession:
    """A `Session` of two processes: the first one answers, the second one's answers come with the end."""

    def __init__(self, first: LearnerSession, second: LearnerSession, deadline_s: float) -> None:
        self._first, self._second = first, second
        self._deadline_s = deadline_s
        self._waiting: list[Json] = []
        self._asked = 0  # scenarios in the question that is on its way
        self._times: list[int] = []  # how often each question was asked
        self._answers: list[Json] = []
        self._ended: LoadFailed | Stopped | None = None

    @property
    def isolation(self) -> tuple[str, ...]:
        """The layers that hold the processes in."""
        return self._first.isolation

    def load(self, source: bytes) -> Loaded | LoadFailed | Stopped:
        """Execute these bytes in both; what happened in the first."""
        self.begin_load(source)
        loaded = self._first.load(source)
        if isinstance(loaded, Loaded):
            self._take_load(source)
        return loaded

    def begin_load(self, source: bytes) -> None:
        """Have both begin, without waiting for either, once all that was asked before is answered."""
        self._take_echoes()
        for session in (self._first, self._second):
            session.begin_load(source)

    def play(self, scenario: Json, *, then: Json = None) -> Json | Stopped:
        """The trace of this scenario in the first process."""
        slow = self._first.left_s < self._deadline_s * (1 - _SLOW)
        times = 2 if len(self._times) < TWICE and not slow else 1
        self._times.append(times)
        self._waiting += [scenario] * times
        self._feed(at_least=_AT_ONCE)
        left_s = self._first.left_s
        answer = self._first.play(scenario, then=then)
        took_long = left_s - self._first.left_s > _LONG_S
        self._feed(at_least=1 if took_long else _AT_ONCE)
        return answer

    def run(self, program: str, watch: Sequence[str]) -> ProgramRun | Stopped:
        """Run a warm-up program of ours, in the first process alone."""
        return self._first.run(program, watch)

    def finish(self) -> Finished | Stopped:
        """How the first process left, and with it what the second one said.

        Where the first was stopped, nobody waits for the second: the deadline passes once.
        """
        self._first.begin_finish()
        if self._first.stopped is None:
            self._second.left_s = max(self._first.left_s, self._deadline_s * _GRACE)
            self._take_echoes()
        self._second.release()
        finished = self._first.finished()
        if isinstance(finished, Stopped):
            return finished
        return replace(finished, echoes=Echoes(tuple(self._echoes()), self._ended))

    def prints(self) -> Prints:
        """What the first process has printed so far."""
        return self._first.prints()

    def cancel(self) -> None:
        """End both now, from any thread."""
        self._first.cancel()
        self._second.cancel()

    def _echoes(self) -> Iterator[tuple[Json, ...]]:
        """The answers by question, as far as all of one's are there."""
        told = iter(self._answers)
        for times in self._times:
            echoes = tuple(islice(told, times))
            if len(echoes) < times:
                return
            yield echoes

    def _take_echoes(self) -> None:
        """Wait until the second process has answered all that the first one has."""
        while self._ended is None and (self._waiting or self._asked):
            self._feed(wait=True)

    def _take_load(self, source: bytes) -> None:
        loaded = self._second.load(source)
        if not isinstance(loaded, Loaded):
            self._ended = self._ended or loaded

    def _feed(self, *, at_least: int = 1, wait: bool = False) -> None:
        """Take the second process's answer, if it is there or `wait`; ask what waits, if it is so much."""
        if self._ended is not None:
            return
        if self._asked:
            if not wait and not self._second.answered():
                return
            asked, self._asked = self._asked, 0
            told = self._second.answer(answers.traces)
            if isinstance(told, Stopped):
                self._ended = told
                return
            if len(told) != asked:
                self._ended = Stopped(StopReason.CRASH, detail="another number of traces")
                return
            self._answers += told
        # Many at once: it needs no prompting, what it says decides no pass alone, and each time costs the
        # tutor a third of a millisecond.
        if len(self._waiting) >= at_least:
            self._second.begin_play_all(self._waiting)
            self._asked, self._waiting = len(self._waiting), []
