"""One check, from the file's bytes to a `CheckReport`: gate, run, verdict, then the explanation.

A pass needs positive evidence: every test answered, the learner's process confirmed its end and left
with status 0. Whatever else happens is a named reason, never a pass.
"""

from __future__ import annotations

import ast
import gc
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from pagetutor.content.model import Course, Mission, Todo
from pagetutor.diagnosis.gate import (
    Broken,
    OpenTodos,
    SourceText,
    find_method,
    open_todos,
    parse,
    read_source,
)
from pagetutor.diagnosis.manager_class import FUNCTIONS
from pagetutor.diagnosis.playing import OpenSession
from pagetutor.diagnosis.structure import load_mistakes
from pagetutor.exercise.trace import Trace
from pagetutor.judge import say
from pagetutor.judge.begun_early import BegunEarly
from pagetutor.judge.beside import shadowed_imports, shadowing_mistake, shadowing_notes
from pagetutor.judge.case import smallest_case
from pagetutor.judge.explain import explain, taught_in
from pagetutor.judge.mission_run import MissionRun, run_mission
from pagetutor.judge.notes import lent_request
from pagetutor.judge.out_of_memory import ran_out
from pagetutor.judge.play import ContractBroken
from pagetutor.judge.report import CheckReport, Reason, TestResult, Verdict
from pagetutor.judge.run_tests import TestOutcome
from pagetutor.judge.same_answer import Difference
from pagetutor.learner.port import (
    DEADLINE_S,
    Job,
    Raised,
    Runner,
    Stopped,
)
from pagetutor.text import Text, same


def check(
    course: Course,
    mission: Mission,
    path: Path,
    source: bytes,
    runner: Runner,
    *,
    deadline_s: float = DEADLINE_S,
    clock: Callable[[], float] = time.perf_counter,
) -> CheckReport:
    """Check these bytes, which lie at `path`, against `mission`.

    `course` must hold the mission and, for the final one, all the others. Raises `MachineError` where
    no learner's process can be had and `ContentError` where the course itself is at fault.
    """
    started = clock()
    with _without_collections():
        report = _Check(course, mission, path, source, runner, deadline_s).report()
    return replace(report, seconds=round(clock() - started, 3))


@contextmanager
def _without_collections() -> Iterator[None]:
    """Python's search for unreachable cycles waits: it takes 40 % of a check's time, and finds little."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


@dataclass(frozen=True, slots=True)
class _Gated:
    """A file that the gate has let through, and which of its TODOs are still open."""

    text: SourceText
    tree: ast.Module
    todos: OpenTodos


@dataclass(frozen=True, slots=True)
class _Check:
    """One check's inputs, and the road from them to the report."""

    course: Course
    mission: Mission
    path: Path
    source: bytes
    runner: Runner
    deadline_s: float

    def report(self) -> CheckReport:
        """Gate first (no process, no torch), then the run."""
        blank = CheckReport(
            mission=self.mission.id,
            file=self.path.name,
            verdict=Verdict.BROKEN,
            reason=None,
            line=None,
            tests=not_run(self.course, self.mission),
            mistakes=(),
            notes=(),
            seconds=0.0,
        )
        text = read_source(self.source)
        if isinstance(text, Broken):
            return _unreadable(blank, text)
        blank = replace(blank, source=text.text)
        tree = parse(text)
        if isinstance(tree, Broken):
            return _unreadable(blank, tree)
        todos = open_todos(tree, self.mission.todos)
        if todos.untouched:
            return _unfilled(blank, tree, self.mission.todos, todos)
        return self._ran(blank, _Gated(text, tree, todos))

    def _ran(self, blank: CheckReport, file: _Gated, *, again: bool = True) -> CheckReport:
        """The report of a run; of a second one where somebody ended the warm process below the first."""
        job = Job(
            self.path, self.course.stage, self.deadline_s, hidden=(self.course.root,), source=self.source
        )
        with BegunEarly(lambda: self.runner.session(job)) as explaining:
            with self.runner.session(replace(job, twice=True)) as session:
                # An unfilled file is explained by its TODOs; in the final mission a failure outranks them.
                explains = self.mission.id == "final" or not file.todos.numbers
                run = run_mission(
                    *(self.course, self.mission, self.source, file.tree, session),
                    on_failure=explaining.begin if explains else lambda: None,
                )
                blank = replace(blank, isolation=session.isolation)
            if not (run.abandoned and again):
                return self._after_run(blank, file, run, explaining.session)
        return self._ran(blank, file, again=False)

    def _after_run(
        self, blank: CheckReport, file: _Gated, run: MissionRun, open_session: OpenSession
    ) -> CheckReport:
        """The verdict of a run: not loaded, stopped, passed, unfilled or failed, in this order."""
        text, tree, todos = file.text, file.tree, file.todos
        shadowed = shadowed_imports(tree, self.path)
        if run.load is not None:
            broken = _not_loaded(blank, run, text, tree, self.deadline_s)
            raised = broken.raised
            mistaken = () if raised is None else shadowing_mistake(shadowed, raised, text)
            found = mistaken or broken.mistakes
            taught = (replace(one, reread_in=taught_in(self.course, self.mission, one)) for one in found)
            return replace(broken, mistakes=tuple(taught))
        report = replace(blank, tests=_results(self.course, self.mission, run.outcomes), prints=run.prints)
        if run.stopped is not None:
            return _stopped(report, run.stopped, self.deadline_s)
        failures = [(outcome.id, outcome.broken) for outcome in run.outcomes if outcome.broken is not None]
        if not failures and run.differs is not None:
            return _nondeterministic(report, run.differs, tree)
        if not failures:
            evidence = _evidence(self.mission, run.outcomes)
            notes = (*run.notes, *lent_request(tree), *shadowing_notes(shadowed))
            return replace(report, verdict=Verdict.PASSED, notes=notes, evidence=evidence)
        if todos.numbers and not _fails_in_a_filled_method(failures, todos, self.mission):
            return _unfilled(report, tree, self.mission.todos, todos)
        explained = explain(self.course, self.mission, text, tree, failures, open_session=open_session)
        # State shared by a whole class makes answers differ too; naming it says more.
        if run.differs is not None and not any(mistake.certain for mistake in explained.mistakes):
            return _nondeterministic(report, run.differs, tree)
        return replace(
            report,
            verdict=Verdict.FAILED,
            mistakes=explained.mistakes,
            unknown=explained.unknown,
            line=explained.line,
            raised=explained.raised,
            case=smallest_case(failures, tree, self.path.stem),
            notes=tuple(lent_request(tree)),
            open_todos=todos.numbers,
        )


# ── from outcomes to a report ────────────────────────────────────────────────────────────────────


def test_titles(course: Course, mission: Mission) -> dict[str, Text]:
    """The titles of the tests that a check of this mission runs, by test id."""
    missions = (mission, *(other for other in course.missions if other.id != mission.id))
    return {
        f"{one.tests.name}::{name}": title
        for one in missions
        if mission.id in (one.id, "final")
        for name, title in one.test_titles.items()
    }


def not_run(course: Course, mission: Mission) -> tuple[TestResult, ...]:
    """The results of a check of this mission that came to no test."""
    titles = test_titles(course, mission)
    return tuple(TestResult(test_id, title, "not_run") for test_id, title in titles.items())


def _results(course: Course, mission: Mission, outcomes: Sequence[TestOutcome]) -> tuple[TestResult, ...]:
    titles = test_titles(course, mission)
    return tuple(_result(outcome, titles.get(outcome.id, same(outcome.id))) for outcome in outcomes)


def _result(outcome: TestOutcome, title: Text) -> TestResult:
    if outcome.broken is not None:
        violation = outcome.broken.violation
        return TestResult(outcome.id, title, "failed", violation.expected, violation.actual)
    return TestResult(outcome.id, title, "passed" if outcome.stopped is None else "not_run")


def _evidence(mission: Mission, outcomes: Sequence[TestOutcome]) -> Trace | None:
    """What the code did in the case that the mission's guess is about."""
    if mission.guess is None or mission.guess.evidence is None:
        return None
    wanted = f"{mission.tests.name}::{mission.guess.evidence}"
    return next((outcome.trace for outcome in outcomes if outcome.id == wanted), None)


def _unreadable(blank: CheckReport, broken: Broken) -> CheckReport:
    return replace(
        blank, reason=Reason(broken.reason), line=broken.line, column=broken.column, say=broken.say
    )


def _unfilled(report: CheckReport, tree: ast.Module, todos: Sequence[Todo], found: OpenTodos) -> CheckReport:
    still_open = tuple(todo for todo in todos if todo.number in found.numbers)
    there = {todo.method: find_method(tree, todo.method) for todo in still_open}
    definitions = [definition for definition in there.values() if definition is not None]
    if not any(isinstance(node, (ast.ClassDef, *FUNCTIONS)) for node in ast.walk(tree)):
        nothing = say.nothing_there(report.file, empty=not report.source.strip())
        return replace(report, verdict=Verdict.UNFILLED, open_todos=found.numbers, say=nothing)
    return replace(
        report,
        verdict=Verdict.UNFILLED,
        open_todos=found.numbers,
        say=say.unfilled(
            still_open,
            {name: definition.lineno for name, definition in there.items() if definition is not None},
            held=len(definitions) == len(there) and all(_has_dots(one) for one in definitions),
        ),
    )


def _has_dots(definition: ast.AST) -> bool:
    return any(isinstance(node, ast.Constant) and node.value is ... for node in ast.walk(definition))


def _not_loaded(
    blank: CheckReport, run: MissionRun, text: SourceText, tree: ast.Module, deadline_s: float
) -> CheckReport:
    if isinstance(run.load, Stopped):
        reason, line = Reason(run.load.reason.value), run.load.line
        sentence = say.stopped_while_loading(run.load, deadline_s)
        return replace(blank, reason=reason, line=line, say=sentence, prints=run.prints)
    assert run.load is not None
    raised = run.load.raised
    return replace(
        blank,
        reason=_load_reason(raised, tree),
        line=raised.line,
        say=say.load_failed(raised),
        mistakes=load_mistakes(text, tree, raised),
        raised=raised,
        prints=run.prints,
    )


def _load_reason(raised: Raised, tree: ast.Module) -> Reason:
    if "SystemExit" in raised.ancestors:
        return Reason.EXIT
    return Reason.MEMORY if ran_out(raised, tree) else Reason.IMPORT


def _stopped(report: CheckReport, stopped: Stopped, deadline_s: float) -> CheckReport:
    return replace(
        report,
        verdict=Verdict.STOPPED,
        reason=Reason(stopped.reason.value),
        line=stopped.line,
        say=say.stopped(stopped, deadline_s),
    )


def _nondeterministic(report: CheckReport, found: Difference, tree: ast.Module) -> CheckReport:
    method = None if found.method is None else find_method(tree, found.method.full_name)
    return replace(
        report,
        verdict=Verdict.STOPPED,
        reason=Reason.NONDETERMINISTIC,
        line=None if method is None else method.lineno,
        say=found.say,
    )


def _fails_in_a_filled_method(
    failures: Sequence[tuple[str, ContractBroken]], todos: OpenTodos, mission: Mission
) -> bool:
    """Whether some failure lies in a method with no open TODO; in the final mission that outranks."""
    if mission.id != "final":
        return False
    still_open = {todo.method for todo in mission.todos if todo.number in todos.numbers}
    return any(
        broken.violation.method is None or broken.violation.method.full_name not in still_open
        for _, broken in failures
    )
