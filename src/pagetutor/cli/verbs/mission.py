"""`pagetutor mission N`: the guided lesson."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from pagetutor.cli.arguments import MissionArgument
from pagetutor.cli.desk import Desk

if TYPE_CHECKING:
    from pagetutor.content.model import Mission
    from pagetutor.text import Text


def mission(ctx: typer.Context, mission: MissionArgument) -> int:
    """Take a mission."""
    desk: Desk = ctx.obj
    return take(desk, desk.mission(mission))


def take(desk: Desk, mission: Mission) -> int:
    """Take this mission, and each one the learner then chooses to go on with."""
    from pagetutor.tutor.lesson import farewell, run_mission  # noqa: PLC0415

    screen = desk.screen()

    def told() -> Text:
        return farewell(mission, passed=desk.progress().passed(mission.id))

    desk.farewell = told
    while True:
        end = run_mission(
            desk.course,
            mission,
            screen,
            history=desk.history,
            runner=desk.runner,
            workspace=desk.workspace,
            shuffle=desk.shuffle,
        )
        if end.next_mission is None:
            return 0
        mission = desk.mission(end.next_mission)
