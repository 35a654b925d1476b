"""Playing a program's text on the probes, in a learner's process that is opened anew when it dies."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from types import TracebackType
from typing import Self

from pagetutor.diagnosis.fingerprint import Fingerprint, RaisingLines, of_trace
from pagetutor.diagnosis.probes import PROBES
from pagetutor.exercise.scenario import Method, Scenario
from pagetutor.exercise.trace import Trace, TraceError, trace_from_wire
from pagetutor.learner.port import Loaded, Session, Stopped

OpenSession = Callable[[], AbstractContextManager[Session]]


class Playground:
    """Loads one text after the other into a session and plays scenarios on it.

    A context manager: the session is opened at the first question and closed at the end. `deaths`
    counts sessions that stopped; after `most_deaths` no further session is opened.
    """

    def __init__(
        self,
        open_session: OpenSession,
        *,
        encode: Callable[[str], bytes] = str.encode,
        most_deaths: int = 1000,
    ) -> None:
        self._open_session = open_session
        self._encode = encode
        self._stack = ExitStack()
        self._session: Session | None = None
        self._loadable = ""  # the first text that could be loaded
        self._most_deaths = most_deaths
        self.deaths = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    @property
    def exhausted(self) -> bool:
        """Whether so many sessions stopped that no further one is opened."""
        return self.deaths >= self._most_deaths

    def traces(
        self, text: str, scenarios: Sequence[Scenario], *, ahead: bool = True
    ) -> Iterator[Trace | None]:
        """The trace of each scenario, played lazily on `text`; None for one that gave no answer.

        Nothing at all comes for a text that cannot be loaded. Each next one is played while this one is
        looked at, unless `ahead` is off: where most are given up after the first, it would be for nothing.
        """
        session = self._loaded(text)
        if session is None:
            return
        wires = [scenario.to_wire() for scenario in scenarios]
        following = [*wires[1:], None] if ahead else [None] * len(wires)
        for scenario, wire, then in zip(scenarios, wires, following, strict=True):
            answer = session.play(wire, then=then)
            if isinstance(answer, Stopped) and answer.abandoned:
                self._close()
                session = self._loaded(text)
                if session is None:
                    return
                answer = session.play(wire, then=then)
            if isinstance(answer, Stopped):
                self._bury()
                yield None
                return
            try:
                yield trace_from_wire(scenario, answer)
            except TraceError:
                yield None

    def fingerprint(self, text: str, method: Method) -> Fingerprint:
        """What `text` does on the method's probes."""
        return fingerprint_of(text, self.traces(text, PROBES[method]), method)

    def matches(self, text: str, method: Method, target: Fingerprint, *, order: Sequence[int]) -> bool:
        """Whether `text` does on every probe what `target` says; stops at the first that differs.

        `order` names the probes in the order to try them: the telling ones first save most of the work.
        """
        raising = RaisingLines(text)
        wanted = [PROBES[method][index] for index in order]
        played = 0
        for index, trace in zip(order, self.traces(text, wanted, ahead=False), strict=False):
            if trace is None or of_trace(trace, raising) != target.probes[index]:
                return False
            played += 1
        return played == len(order)

    def _loaded(self, text: str) -> Session | None:
        """A session that has loaded `text`; None where it cannot be.

        A text that could be loaded before, and now cannot, is given a process of its own: not every file
        can be loaded twice in one (it makes a folder, or fills half of the memory).
        """
        for last in (False, True):
            if self.exhausted:
                return None
            if self._session is None:
                self._session = self._stack.enter_context(self._open_session())
            loaded = self._session.load(self._encode(text))
            if isinstance(loaded, Loaded):
                self._loadable = self._loadable or text
                return self._session
            abandoned = isinstance(loaded, Stopped) and loaded.abandoned
            if not last and (abandoned or text == self._loadable):
                self._close()
            elif isinstance(loaded, Stopped):
                self._bury()
                return None
            else:
                return None
        return None

    def _bury(self) -> None:
        self.deaths += 1
        self._close()

    def _close(self) -> None:
        self._session = None
        self._stack.close()
        self._stack = ExitStack()


def fingerprint_of(text: str, traces: Iterable[Trace | None], method: Method) -> Fingerprint:
    """The fingerprint in these traces of `text` on the method's probes, as far as they go."""
    raising = RaisingLines(text)
    found = ["stopped" if trace is None else of_trace(trace, raising) for trace in traces]
    return Fingerprint(tuple(found + ["not played"] * (len(PROBES[method]) - len(found))))
