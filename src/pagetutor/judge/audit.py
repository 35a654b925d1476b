"""The course proves its own content: the kill matrix of every named mistake, and what must pass.

What the schema and the lint cannot see is tried here on real processes: the starter is unfilled, the
solution and every neutral spelling pass, every other way passes, and every mistake of the error
models fails its mission, is named as itself, and names no other.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pagetutor.content.model import Course, ErrorModel, Mission, MissionId, twins_of
from pagetutor.diagnosis.manager_class import manager_class
from pagetutor.diagnosis.programs import choices, neutrals, program, singles
from pagetutor.judge.check import check
from pagetutor.judge.report import CheckReport, Verdict
from pagetutor.learner.port import Runner
from pagetutor.text.lines import lines_of


@dataclass(frozen=True, slots=True)
class Tried:
    """One program of the course and what a check said of it.

    `mistake` is the id it must be named as, None where it must get `due`. `certain` and `possible` are
    the names it got; `ties` are the ids no probe can tell from its own.
    """

    mission: MissionId
    what: str
    due: Verdict
    got: Verdict
    mistake: str | None = None
    certain: tuple[str, ...] = ()
    possible: tuple[str, ...] = ()
    ties: frozenset[str] = frozenset()

    @property
    def right(self) -> bool:
        """The verdict that was due and, for a mistake, its own name and no other's.

        A mistake with ties may be told as "one of" them.
        """
        if self.got is not self.due:
            return False
        if self.mistake is None:
            return not self.certain and not self.possible
        alike = self.ties | {self.mistake}
        return bool(alike & {*self.certain, *self.possible}) and alike.issuperset(self.certain)


def audit(course: Course, runner: Runner) -> Iterator[Tried]:
    """Try the starter, the solution, its neutral spellings, the other ways and every named mistake.

    `course` must hold its error models. Takes a few tenths of a second for each of some 300 programs.
    """
    bench = _Bench(course, runner)
    solution = course.solution.read_text(encoding="utf-8")
    starter = course.starter.read_text(encoding="utf-8")
    for mission in course.missions:
        yield bench.tried(mission, "the starter", starter, due=Verdict.UNFILLED)
        yield bench.tried(mission, "the solution", solution, due=Verdict.PASSED)
        for way in mission.other_ways:
            yield bench.tried(mission, way.title.en, with_methods(way.code, solution), due=Verdict.PASSED)
    for mission in course.missions:
        if mission.id != "final":
            for model in mission.models:
                yield from _models_programs(bench, mission, model, solution)


def _models_programs(bench: _Bench, mission: Mission, model: ErrorModel, solution: str) -> Iterator[Tried]:
    for chosen in neutrals(model):
        ((slot, code),) = chosen.items()
        yield bench.tried(mission, f"{slot}: {code}", program(model, solution, chosen), due=Verdict.PASSED)
    twins = twins_of(model.ties)
    for single in singles(model):
        name = model.variants[single[0]].id
        source = program(model, solution, choices(model, single))
        yield bench.tried(
            mission,
            " / ".join(model.variants[single[0]].code.values()),
            source,
            due=Verdict.FAILED,
            mistake=name,
            ties=twins.get(name, frozenset()),
        )


@dataclass(frozen=True, slots=True)
class _Bench:
    course: Course
    runner: Runner

    def tried(
        self,
        mission: Mission,
        what: str,
        source: str,
        *,
        due: Verdict,
        mistake: str | None = None,
        ties: frozenset[str] = frozenset(),
    ) -> Tried:
        report = self._report(mission, source)
        return Tried(
            mission=mission.id,
            what=what,
            due=due,
            got=report.verdict,
            mistake=mistake,
            certain=tuple(one.id for one in report.mistakes if one.certain),
            possible=tuple(one.id for one in report.mistakes if not one.certain),
            ties=ties,
        )

    def _report(self, mission: Mission, source: str) -> CheckReport:
        path = Path(self.course.starter.name)
        return check(self.course, mission, path, source.encode(), self.runner)


def with_methods(code: str, source: str) -> str:
    """`source` with the methods that `code` defines put in their place in the manager, or added to it."""
    for node in ast.parse(code).body:
        piece = ast.get_source_segment(code, node)
        if isinstance(node, ast.FunctionDef) and piece is not None:
            source = _with_method(source, node.name, piece)
    return source


def _with_method(source: str, name: str, piece: str) -> str:
    lines = [f"{line}\n" for line in lines_of(source)]
    manager = manager_class(ast.parse(source))
    assert manager is not None, "the solution has the manager's class"
    indented = "".join(f"    {line}\n" if line else "\n" for line in lines_of(piece))
    for node in manager.body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return "".join([*lines[: node.lineno - 1], indented, *lines[node.end_lineno :]])
    return "".join([*lines[: manager.end_lineno], "\n", indented, *lines[manager.end_lineno or 0 :]])
