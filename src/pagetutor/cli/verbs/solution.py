"""`pagetutor solution N`: the reference and other right ways, after a pass or by giving up."""

from __future__ import annotations

import typer

from pagetutor.cli.arguments import GiveUpOption, MissionArgument
from pagetutor.cli.desk import Desk


def solution(ctx: typer.Context, mission: MissionArgument, *, give_up: GiveUpOption = False) -> int:
    """Show the reference beside the learner's own."""
    from pagetutor.tutor.solution import solution as find_solution  # noqa: PLC0415

    desk: Desk = ctx.obj
    screen = desk.screen(asks=False)
    found = desk.mission(mission)
    screen.show(find_solution(desk.course, found, desk.workspace.file, desk.history, give_up=give_up))
    return 0
