"""`pagetutor watch N|all [FILE]`: every save is checked, until it passes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from pagetutor.cli.arguments import DeadlineOption, FileArgument, MissionsArgument
from pagetutor.cli.desk import Desk
from pagetutor.cli.status import DONE, NOT_PASSED
from pagetutor.cli.verbs.check import say_passed, seconds

if TYPE_CHECKING:
    from pagetutor.content.model import Mission
    from pagetutor.text import Text


def watch(
    ctx: typer.Context,
    missions: MissionsArgument,
    file: FileArgument = None,
    *,
    deadline: DeadlineOption = None,
) -> int:
    """Check on every save; 0 once it passes or the learner leaves, 1 where input ends before a pass."""
    desk: Desk = ctx.obj
    deadline_s = seconds(deadline)
    desk.runner.warm(hurry=True)  # before the imports and the course: torch takes longer than both
    from pagetutor.judge.check import check  # noqa: PLC0415
    from pagetutor.tutor.checking import read_file  # noqa: PLC0415
    from pagetutor.tutor.lesson import farewell  # noqa: PLC0415
    from pagetutor.tutor.screen import Said  # noqa: PLC0415
    from pagetutor.tutor.watching import Watched, WatchEnd  # noqa: PLC0415
    from pagetutor.tutor.watching import watch as watch_file  # noqa: PLC0415

    path = desk.named_file(file)
    if not path.parent.is_dir():
        read_file(path)  # raises the sentence for it: nothing can be saved there
    chosen = desk.course.missions if missions == "all" else (desk.mission(missions),)
    watched = Watched(
        desk.course,
        chosen,
        path,
        desk.screen(),
        desk.history,
        desk.runner,
        check=check,
        deadline_s=deadline_s,
        has_next=lambda: _following(desk, chosen) is not None,
    )

    def told() -> Text:
        return farewell(chosen[0], passed=len(chosen) > 1 or desk.progress().passed(chosen[0].id))

    desk.farewell = told
    end = watch_file(watched, after_pass=lambda reports, show: say_passed(desk, chosen, reports, show))
    if end is WatchEnd.NEXT and (following := _following(desk, chosen)) is not None:
        from pagetutor.cli.verbs.mission import take  # noqa: PLC0415

        return take(desk, following)
    if end is WatchEnd.LEFT:
        desk.screen().show(Said(told()))
    return NOT_PASSED if end is WatchEnd.INPUT_ENDED else DONE


def _following(desk: Desk, chosen: tuple[Mission, ...]) -> Mission | None:
    from pagetutor.tutor.after_pass import following_mission  # noqa: PLC0415

    return following_mission(desk.course, chosen[-1], desk.progress())
