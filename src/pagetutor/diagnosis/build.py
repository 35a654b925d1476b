"""Building the fingerprint tables of a whole course, for its author."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pagetutor.content.model import ErrorModel
from pagetutor.content.read import load_course
from pagetutor.diagnosis.playing import OpenSession, Playground
from pagetutor.diagnosis.table import FILE_NAME, BuiltTable, build, save_tables
from pagetutor.exercise.scenario import Method


@dataclass(frozen=True, slots=True)
class BuiltFile:
    """The tables that one mission's file was written with, and the models they were made from."""

    path: Path
    models: tuple[ErrorModel, ...]
    tables: tuple[BuiltTable, ...]


def build_tables(course_root: Path, open_session: OpenSession) -> Iterator[BuiltFile]:
    """Build and write the `fingerprints.json` of each mission with error models, one after the other.

    Takes about half a minute a method. `open_session` opens a learner's process for a job without a
    short deadline. Raises CourseError or ContentError.
    """
    course = load_course(course_root, with_models=True)
    solution = course.solution.read_text(encoding="utf-8")
    stage = course.stage.read_bytes()
    by_name = {method.full_name: method for method in Method}
    for mission in course.missions:
        if mission.id == "final" or not mission.models:
            continue
        built = []
        for model in mission.models:
            with Playground(open_session) as playground:
                built.append(build(playground, model, by_name[model.method], solution=solution, stage=stage))
        path = mission.tests.parent / FILE_NAME
        save_tables(path, [one.table for one in built])
        yield BuiltFile(path, mission.models, tuple(built))
