"""A mission's tests, called in the tutor's own process: they never see the learner's objects, only traces."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from pagetutor.exercise.scenario import Scenario
from pagetutor.exercise.trace import Trace
from pagetutor.judge.collect import MissionTest, at_fault, collect, named
from pagetutor.judge.foreseen import foreseen
from pagetutor.judge.play import ContractBroken, NoAnswer, Play
from pagetutor.learner.port import Stopped


@dataclass(slots=True)
class TestOutcome:
    """One test function: how it ended, and what broke first where it failed.

    `stopped` is set where the learner's process ended before the test had its answers; `trace` is what
    was played last.
    """

    __test__ = False

    id: str
    broken: ContractBroken | None = None
    stopped: Stopped | None = None
    trace: Trace | None = None


def run_tests(
    files: Sequence[Path],
    play: Play,
    unforeseen: Mapping[str, tuple[Scenario, ...]],
    *,
    ready: Callable[[], bool] = lambda: True,
) -> tuple[TestOutcome, ...]:
    """Run the tests of these files with `play`; `unforeseen` are the drawn scenarios by file name.

    The outcomes come in the order of the files; the cases of a parametrized test count as one. `ready` is
    asked once all tests are collected, whether to run them: the learner's process comes up meanwhile.

    They are called without pytest's fixtures and reports: each goes through a dozen hooks, and together
    they would take half of a check, and of a failing one another quarter for tracebacks that nobody reads.

    Raises ContentError where a test file itself is at fault, and what `ready` raises.
    """
    tests = collect(files)
    gave_up = _gave_up()
    drawn = {test.file: unforeseen.get(test.file, ()) for test in tests}
    asking = (partial(_call, test, unforeseen=drawn[test.file]) for test in tests)
    play.will_ask(foreseen(asking, gave_up))
    if not ready():
        return ()
    outcomes: dict[str, TestOutcome] = {}
    for test in tests:
        outcome = outcomes.setdefault(test.id, TestOutcome(test.id))
        played = len(play.traces)
        try:
            _call(test, play, unforeseen=drawn[test.file])
        except ContractBroken as broken:
            outcome.broken = outcome.broken or broken
        except NoAnswer as without:
            outcome.stopped = outcome.stopped or without.stopped
        except gave_up as error:  # whatever else a test raises is the course's fault
            if play.judging:
                raise
            raise at_fault(f"{test.id}: {named(error, str(error))}") from error
        outcome.trace = next(iter(play.traces[played:][-1:]), outcome.trace)
    return tuple(outcomes.values())


def _call(test: MissionTest, play: Callable[..., object], *, unforeseen: tuple[Scenario, ...]) -> None:
    test.call(play=play, unforeseen=unforeseen)


def _gave_up() -> tuple[type[BaseException], ...]:
    """What a test may raise; what `pytest.fail` and its like raise are no Exceptions."""
    import pytest  # noqa: PLC0415 — `collect` has imported it

    given_up = (pytest.fail.Exception, pytest.skip.Exception, pytest.xfail.Exception)
    return (Exception, SystemExit, *given_up)
