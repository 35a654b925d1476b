"""pytest, run in the tutor's own process: it never sees the learner's objects, only traces.

Plugins, ini files, PYTEST_ADDOPTS and the cache of whoever runs us are kept out: plugin autoload
alone makes a run ten times slower. pytest's text is never parsed; a plugin of ours collects values.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from pagetutor.errors import ContentError, TutorError
from pagetutor.exercise.scenario import Scenario
from pagetutor.exercise.trace import Trace
from pagetutor.judge.foreseen import foreseen
from pagetutor.judge.play import ContractBroken, NoAnswer, Play
from pagetutor.learner.port import Stopped
from pagetutor.text import Text

if TYPE_CHECKING:
    import pytest

PLUGINS_LEFT_OUT = (
    "terminal",
    "cacheprovider",
    "junitxml",
    "pastebin",
    "nose",
    "doctest",
    "stepwise",
    "setuponly",
    "setupplan",
    "debugging",
    "logging",
    "warnings",
    "faulthandler",
    "threadexception",
    "unraisableexception",
    "legacypath",
    "recwarn",
    "monkeypatch",
    "tmpdir",
    "capture",
    "subtests",
    "unittest",
    "skipping",
    "assertion",
    "reports",
)


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


@dataclass(slots=True)
class TestRun:
    """A whole run: outcomes by test id, in the order of the files."""

    __test__ = False

    outcomes: dict[str, TestOutcome] = field(default_factory=dict)


def run_tests(
    files: Sequence[Path],
    play: Play,
    unforeseen: dict[str, tuple[Scenario, ...]],
    *,
    ready: Callable[[], bool] = lambda: True,
) -> TestRun:
    """Run these test files with `play`; `unforeseen` are the drawn scenarios by file name.

    `ready` is asked once all tests are collected, whether to run them: pytest takes 10 ms to get there,
    in which the learner's process comes up.

    A test's id is `test_prefill.py::test_six_tokens_take_two_blocks`; the cases of a parametrized
    test count as one. Raises ContentError where a test file itself is at fault, what `ready` raises, and
    lets KeyboardInterrupt through (pytest would swallow it).
    """
    import pytest  # noqa: PLC0415 — 60 ms that `--help` does not pay

    # What `pytest.fail` and its like raise are no Exceptions.
    outcomes = (Exception, pytest.fail.Exception, pytest.skip.Exception, pytest.xfail.Exception)
    collector = _Collector(play, unforeseen, ready, pytest.Function, outcomes)
    arguments = [
        *(str(file) for file in files),
        *(word for name in PLUGINS_LEFT_OUT for word in ("-p", f"no:{name}")),
        "--noconftest",
        "--import-mode=importlib",
        "-c",
        os.devnull,
        "--rootdir",
        str(files[0].parent),
        # Or pytest lists every folder above the tests up to the root: 40 ms below a full /tmp.
        "--confcutdir",
        os.path.commonpath([file.parent for file in files]),
    ]
    with _quiet_pytest():
        status = pytest.main(arguments, plugins=[collector])
    collector.let_go()
    if collector.interrupted:
        raise KeyboardInterrupt
    if collector.trouble is not None:
        raise collector.trouble
    if collector.called_off:
        return collector.run
    if collector.fault or status is not pytest.ExitCode.OK:
        raise ContentError(_at_fault(collector.fault or f"pytest: {status!r}"))
    return collector.run


class _Collector:
    """The plugin: gives tests what they ask for and keeps what each of them raised."""

    def __init__(
        self,
        play: Play,
        unforeseen: dict[str, tuple[Scenario, ...]],
        ready: Callable[[], bool],
        function: type[pytest.Function],
        outcomes: tuple[type[BaseException], ...],
    ) -> None:
        self.run = TestRun()
        self.trouble: TutorError | None = None
        self.called_off = False
        self.fault = ""
        self.interrupted = False
        self._play = play
        self._unforeseen = unforeseen
        self._ready = ready
        self._function = function
        self._outcomes = outcomes

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Run no test where nothing is there to answer; pytest would make its own of an exception."""
        tests = [item for item in session.items if isinstance(item, self._function)]
        for test in tests:
            self.fault = self.fault or self._asks_for_more(test)
        if not self.fault:
            asked = ((test.obj, self._arguments(test)) for test in tests)
            self._play.foreseen = foreseen(asked, self._outcomes)
        try:
            self.called_off = not self.fault and not self._ready()
        except TutorError as trouble:
            self.trouble = trouble
        if self.called_off or self.trouble is not None:
            session.items.clear()

    def pytest_runtest_protocol(self, item: pytest.Item) -> bool:
        """Call one test with what it asks for, and keep what it raised.

        Without pytest's fixtures and reports: each goes through a dozen hooks, and together they would take
        half of a check, and of a failing one another quarter for tracebacks that nobody reads.
        """
        test_id = f"{item.path.name}::{getattr(item, 'originalname', item.name)}"
        outcome = self.run.outcomes.setdefault(test_id, TestOutcome(test_id))
        played = len(self._play.traces)
        try:
            if not isinstance(item, self._function):
                raise TypeError("no test function")
            item.obj(**self._arguments(item))
        except ContractBroken as broken:
            outcome.broken = outcome.broken or broken
        except NoAnswer as without:
            outcome.stopped = outcome.stopped or without.stopped
        except self._outcomes as error:  # whatever else a test raises is the course's fault
            self.fault = self.fault or f"{test_id}: {type(error).__name__}: {error}"
        outcome.trace = next(iter(self._play.traces[played:][-1:]), outcome.trace)
        return True

    def _asks_for_more(self, test: pytest.Function) -> str:
        """What a test wants of pytest that it would get by hand and not here; "" where nothing.

        Told before anything runs: a check must not pass what `pytest missions` fails.
        """
        given = {"play", "unforeseen", *(test.callspec.params if hasattr(test, "callspec") else ())}
        fixtures = [name for name in test.fixturenames if name not in given]
        marks = [mark.name for mark in test.iter_markers() if mark.name != "parametrize"]
        more = [*(f"the fixture {name}" for name in fixtures), *(f"the mark {name}" for name in marks)]
        if not more:
            return ""
        where = f"{test.path.name}::{test.originalname or test.name}"
        return f"{where} uses {more[0]}; a mission's test has `play`, `unforeseen` and parametrize"

    def _arguments(self, test: pytest.Function) -> dict[str, object]:
        """What it asks for, of its parameters and of what we have to give; the call tells of the rest."""
        given: dict[str, object] = {
            "play": self._play,
            "unforeseen": self._unforeseen.get(test.path.name, ()),
        }
        if hasattr(test, "callspec"):
            given |= test.callspec.params
        return {name: given[name] for name in test.fixturenames if name in given}

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """A test file that cannot be read is the course's fault."""
        if report.failed:
            self.fault = self.fault or f"{report.nodeid}: {report.longreprtext}"

    def let_go(self) -> None:
        """Drop what tests were given; pytest's own cycles would keep every trace until a collection."""
        del self._play, self._unforeseen, self._ready

    def pytest_keyboard_interrupt(self) -> None:
        """Remember Ctrl-C; pytest itself would turn it into exit status 2."""
        self.interrupted = True


@contextmanager
def _quiet_pytest() -> Iterator[None]:
    """Keep the user's pytest settings out, and drop the test modules again.

    A test file edited between two runs in one process would otherwise run stale.
    """
    kept = {name: os.environ.pop(name, None) for name in ("PYTEST_ADDOPTS", "PYTEST_PLUGINS")}
    autoload = os.environ.get("PYTEST_DISABLE_PLUGIN_AUTOLOAD")
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    known, writes = set(sys.modules), sys.dont_write_bytecode
    sys.dont_write_bytecode = True
    try:
        yield
    finally:
        sys.dont_write_bytecode = writes
        for name in set(sys.modules) - known:
            file = getattr(sys.modules[name], "__file__", None) or ""
            if Path(file).name.startswith("test_"):
                del sys.modules[name]
        for name, value in {**kept, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": autoload}.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _at_fault(detail: str) -> Text:
    first = detail.strip().splitlines()[0] if detail.strip() else "?"
    return Text(
        zh=f"课程自带的测试文件有问题：{first}。请重新安装 pagetutor，或检查 missions/ 下的改动。",
        en=f"A test file of the course is at fault: {first}. "
        "Reinstall pagetutor, or look at what changed under missions/.",
    )
