"""`pagetutor forget N`: a mission as if it had never been begun."""

from __future__ import annotations

import typer

from pagetutor.cli.arguments import MissionArgument
from pagetutor.cli.desk import Desk


def forget(ctx: typer.Context, mission: MissionArgument) -> int:
    """Ask, then forget what was done in the mission."""
    from pagetutor.tutor.forgetting import forget as forget_mission  # noqa: PLC0415

    desk: Desk = ctx.obj
    forget_mission(desk.mission(mission), desk.screen(), desk.history)
    return 0
