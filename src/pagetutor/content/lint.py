"""What the schema cannot see: whether the course's files agree with one another, and its style."""

from __future__ import annotations

from pathlib import Path

from pagetutor.content.cursor import Cursor, nearest
from pagetutor.content.fault import CourseError, Fault, in_order
from pagetutor.content.lint_models import lint_models
from pagetutor.content.lint_python import (
    lint_course_python,
    lint_evidence,
    lint_other_ways,
    lint_test_titles,
    lint_todos,
)
from pagetutor.content.lint_words import lint_words
from pagetutor.content.model import Course, ErrorModel, MissionId, Question
from pagetutor.content.read import (
    COURSE_FILE,
    load_course,
    load_models,
    mission_cursor,
    models_cursor,
    read_front,
)
from pagetutor.content.tree import read_tree
from pagetutor.text import Text


def lint_course(root: Path) -> tuple[Fault, ...]:
    """All faults of the course of `root`, file by file; none if it may be taught.

    A course that cannot be read gives just its reading faults. A mission whose `mistakes.yaml`
    is not there is linted without its error models. Nothing of the course is executed.
    """
    faults: list[Fault] = []
    folders = read_front(root, []).folders
    have_models = [known for known, folder in folders.items() if (root / folder / "mistakes.yaml").is_file()]
    try:
        course = load_course(root)
    except CourseError as error:
        faults += error.faults
    models: dict[MissionId, tuple[ErrorModel, ...]] = {}
    for mission_id in have_models:
        try:
            models[mission_id] = load_models(root, mission_id)
        except CourseError as error:
            faults += error.faults
    if not faults:
        _lint(course, folders, models, faults)
    return tuple(in_order(faults))


def _lint(
    course: Course,
    folders: dict[MissionId, str],
    models: dict[MissionId, tuple[ErrorModel, ...]],
    faults: list[Fault],
) -> None:
    lint_words(Cursor(COURSE_FILE, "", read_tree(course.root, COURSE_FILE, "", faults), faults))
    lint_course_python(course, faults)
    mistakes = {variant.id for each in models.values() for model in each for variant in model.variants}
    for mission in course.missions:
        at = mission_cursor(course.root, folders[mission.id], mission.id, faults)
        lint_words(at)
        lint_todos(at, mission, course.starter)
        lint_test_titles(at, mission)
        lint_evidence(at, mission)
        lint_other_ways(at, mission)
        for name, question in (("guess", mission.guess), ("quiz", mission.quiz)):
            if question is not None:
                _lint_mistakes(at.key(name), question, mistakes)
    for mission_id, each in models.items():
        at = models_cursor(course.root, folders[mission_id], mission_id, faults)
        lint_words(at)
        methods = next(mission.methods for mission in course.missions if mission.id == mission_id)
        lint_models(at, each, methods)


def _lint_mistakes(at: Cursor, question: Question, mistakes: set[str]) -> None:
    """Mistakes of a method whose error model is there must be in it; `structure.…` are no variants."""
    modelled = {mistake.partition(".")[0] for mistake in mistakes}
    for item, choice in zip(at.key("choices").items(), question.choices, strict=True):
        mistake = choice.mistake
        if mistake is None or mistake in mistakes or mistake.partition(".")[0] not in modelled:
            continue
        near = nearest(mistake, mistakes) or "prefill.floor-division"
        item.key("mistake").fault(_NO_MISTAKE.with_(id=mistake), _NO_MISTAKE_WRITE.with_(near=near))
    if question.again is not None:
        _lint_mistakes(at.key("again"), question.again, mistakes)


_NO_MISTAKE = Text(zh="错误模型里没有 `{id}`", en="the error model has no `{id}`")
_NO_MISTAKE_WRITE = Text(
    zh="请改成 `{near}` 这样已有的 id，或者补上这个变体",
    en="write an id that it has, such as `{near}`, or write the variant",
)
