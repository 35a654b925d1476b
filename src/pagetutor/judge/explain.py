"""Why it failed: the diagnosis of the methods whose tests failed, and the line to look at."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from pagetutor.content.model import Course, ErrorModel, Mission, MissionId
from pagetutor.content.read import load_models
from pagetutor.diagnosis.diagnose import diagnose
from pagetutor.diagnosis.gate import SourceText
from pagetutor.diagnosis.mistake import Mistake, Unknown
from pagetutor.diagnosis.playing import OpenSession
from pagetutor.diagnosis.table import FILE_NAME, FingerprintTable, load_table
from pagetutor.exercise.contract import is_oom
from pagetutor.exercise.scenario import Method
from pagetutor.judge.case import smallest
from pagetutor.judge.play import ContractBroken
from pagetutor.learner.port import Raised


@dataclass(frozen=True, slots=True)
class Explained:
    """The mistakes found, the line to look at first, and the learner's own exception in the smallest case."""

    mistakes: tuple[Mistake, ...]
    line: int | None
    raised: Raised | None
    unknown: tuple[Unknown, ...] = ()


def explain(
    course: Course,
    mission: Mission,
    text: SourceText,
    tree: ast.Module,
    failures: Sequence[tuple[str, ContractBroken]],
    *,
    open_session: OpenSession,
) -> Explained:
    """The named mistakes behind these failures; none is an honest answer too."""
    broken = {failure.violation.method for _, failure in failures}
    # A constructor's failure belongs to no method and may hide in any.
    methods = [method for method in Method if method in broken or None in broken]
    models = _models(course, mission, methods)
    found = diagnose(
        open_session,
        text,
        tree,
        methods,
        models=models,
        tables=_tables(course, models),
        evidence=[failure.trace for _, failure in failures],
    )
    mistakes = tuple(replace(one, reread_in=taught_in(course, mission, one)) for one in found.mistakes)
    raised = _own_exception(failures)
    line = next((mistake.span.line for mistake in mistakes if mistake.span is not None), None)
    if line is None and raised is not None:
        line = raised.line
    return Explained(mistakes, line, raised, found.unknown)


def taught_in(course: Course, mission: Mission, mistake: Mistake) -> MissionId:
    """The mission whose parts tell of this mistake: the whole exercise has no parts of its own to reread."""
    if len(mission.methods) == 1:
        return mission.id
    teaching = [one.id for one in course.missions if one.methods == (mistake.method,)]
    return teaching[0] if teaching else course.missions[0].id


def _models(course: Course, mission: Mission, methods: Sequence[Method]) -> dict[Method, ErrorModel]:
    models = mission.models or load_models(course.root, mission.id)
    return {method: model for model in models for method in methods if method.full_name == model.method}


def _tables(course: Course, models: Mapping[Method, ErrorModel]) -> dict[Method, FingerprintTable]:
    """The shipped fingerprint table of each method, from the folder of the mission that teaches it."""
    stage = course.stage.read_bytes()
    folders = {
        method: one.tests.parent
        for one in course.missions
        for method in models
        if one.methods == (method.full_name,)
    }
    return {
        method: load_table(folders[method] / FILE_NAME, model, method, stage)
        for method, model in models.items()
    }


def _own_exception(failures: Sequence[tuple[str, ContractBroken]]) -> Raised | None:
    """The exception in the smallest failing case, unless it is the exercise's own OOM.

    The report shows that case alone: an exception from another would contradict what it got.
    """
    found = smallest(failures)
    if found is None:
        return None
    _, failure = found
    raised = failure.trace.steps[failure.violation.step].outcome.raised
    return None if raised is None or is_oom(raised) else raised
