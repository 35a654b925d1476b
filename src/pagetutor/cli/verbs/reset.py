"""`pagetutor reset N|all|file`: the starter once more, for a mission's methods or the whole file."""

from __future__ import annotations

import typer

from pagetutor.cli.arguments import ResetArgument
from pagetutor.cli.desk import Desk


def reset(ctx: typer.Context, what: ResetArgument) -> int:
    """Ask, then put the methods of a mission, of all of them, or the whole file back to the starter."""
    from pagetutor.tutor.resetting import reset_file, reset_methods  # noqa: PLC0415

    desk: Desk = ctx.obj
    missions = desk.course.missions if what in ("all", "file") else (desk.mission(what),)
    desk.own_file(missions[0])  # says where it is, rather than putting a starter into the wrong folder
    if what == "file":
        reset_file(desk.workspace, desk.screen())
        return 0
    reset_methods(desk.course, missions, desk.workspace, desk.screen())
    return 0
