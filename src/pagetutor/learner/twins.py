"""Same answer twice: a second process is asked everything the first one is, the first part two times over.

At the same time, on the machine's other core: it costs a check a few milliseconds. In the first process
each question comes once, in order; in the second each of the first `TWICE` comes twice in a row (the
whole exercise asks 128: more would cost it a third of its time). An answer that depends on
chance, on the clock, or on what was asked before it differs somewhere between the three.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

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


@dataclass(slots=True)
class _Asked:
    """A question, the first process's answer and its text, and what the second one answered."""

    scenario: Json
    times: int  # that the second process is asked
    answer: Json = None
    told: bytes = b""
    echoes: list[Json] = field(default_factory=list)


class TwinSession:
    """A `Session` of two processes: the first one answers, the second one's answers come with the end."""

    def __init__(self, first: LearnerSession, second: LearnerSession, deadline_s: float) -> None:
        self._first, self._second = first, second
        self._deadline_s = deadline_s
        self._asked: list[_Asked] = []
        self._waiting: list[_Asked] = []  # what is still to be asked of the second process, some of it twice
        self._on_its_way: list[_Asked] = []
        self._ended: LoadFailed | Stopped | None = None

    @property
    def isolation(self) -> tuple[str, ...]:
        """The layers that hold the processes in."""
        return self._first.isolation

    @property
    def left_s(self) -> float:
        """Seconds left of the first process's deadline."""
        return self._first.left_s

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
        asked = _Asked(scenario, times=2 if len(self._asked) < TWICE and not slow else 1)
        self._asked.append(asked)
        self._waiting += [asked] * asked.times
        self._feed(at_least=_AT_ONCE)
        left_s = self._first.left_s
        answer = self._first.play(scenario, then=then)
        if not isinstance(answer, Stopped):
            asked.answer, asked.told = answer, self._first.told
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
        for asked in self._asked:
            if len(asked.echoes) < asked.times:
                return
            yield tuple(asked.echoes)

    def _take_echoes(self) -> None:
        """Wait until the second process has answered all that the first one has."""
        while self._ended is None and (self._waiting or self._on_its_way):
            self._feed(wait=True)

    def _take_load(self, source: bytes) -> None:
        loaded = self._second.load(source)
        if not isinstance(loaded, Loaded):
            self._ended = self._ended or loaded

    def _feed(self, *, at_least: int = 1, wait: bool = False) -> None:
        """Take the second process's answer, if it is there or `wait`; ask what waits, if it is so much."""
        if self._ended is not None:
            return
        if self._on_its_way:
            if not wait and (len(self._waiting) < at_least or not self._second.answered()):
                return
            answered, self._on_its_way = self._on_its_way, []
            traces = self._second.traces([asked.told for asked in answered])
            if traces is None:  # most files answer alike to the letter: reading it again costs more than this
                traces = [asked.answer for asked in answered]
            if isinstance(traces, Stopped):
                self._ended = traces
                return
            if len(traces) != len(answered):
                self._ended = Stopped(StopReason.CRASH, detail="another number of traces")
                return
            for asked, trace in zip(answered, traces, strict=True):
                asked.echoes.append(trace)
        # Many at once: it needs no prompting, what it says decides no pass alone, and each time costs the
        # tutor a third of a millisecond.
        if len(self._waiting) >= at_least:
            self._second.begin_play_all([asked.scenario for asked in self._waiting])
            self._on_its_way, self._waiting = self._waiting, []
