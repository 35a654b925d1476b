"""`solution N`: the reference and other right ways, beside the learner's own."""

from __future__ import annotations

from pathlib import Path

from pagetutor.content.model import Course, Mission
from pagetutor.errors import UsageError, WorkspaceError
from pagetutor.store.events import GaveUp
from pagetutor.store.history import History
from pagetutor.text import Text
from pagetutor.tutor.checking import read_file
from pagetutor.tutor.methods import methods_in
from pagetutor.tutor.progress import read_progress
from pagetutor.tutor.screen import SolutionShown


def solution(
    course: Course, mission: Mission, path: Path, history: History, *, give_up: bool = False
) -> SolutionShown:
    """The mission's methods in the reference, other right ways, and the learner's own where there are any.

    Before a pass only for who gives up, which is recorded. Raises UsageError where it is not open yet.
    """
    before = read_progress(history).of(mission.id)
    if not before.passed:
        if not give_up and not before.gave_up_solution:
            raise UsageError(_NOT_YET.with_(mission=mission.id))
        if not before.gave_up_solution:
            history.append(GaveUp(mission.id, "solution"))
    reference = methods_in(course.solution.read_bytes(), mission.methods)
    assert reference is not None, "the course's own solution has every method"
    return SolutionShown(reference, mission.other_ways, _own(path, mission.methods))


def _own(path: Path, methods: tuple[str, ...]) -> str | None:
    try:
        source = read_file(path.absolute())
    except WorkspaceError:
        return None
    return None if isinstance(source, Text) else methods_in(source, methods)


_NOT_YET = Text(
    zh="参考解在通过之后打开。真想现在就看，用 `pagetutor solution {mission} --give-up`（会记下来）。",
    en="The reference opens after a pass. To see it now: `pagetutor solution {mission} --give-up` (this "
    "is recorded).",
)
