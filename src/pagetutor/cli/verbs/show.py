"""`pagetutor show N [PART]`: a part of a mission again, or all of it."""

from __future__ import annotations

import typer

from pagetutor.cli.arguments import MissionArgument, PartArgument
from pagetutor.cli.desk import Desk


def show(ctx: typer.Context, mission: MissionArgument, part: PartArgument = None) -> int:
    """Show a part of a mission again; without a part, all of them."""
    from pagetutor.tutor.finding import find_part  # noqa: PLC0415
    from pagetutor.tutor.parts import parts_of  # noqa: PLC0415
    from pagetutor.tutor.reread import show_part  # noqa: PLC0415

    desk: Desk = ctx.obj
    found = desk.mission(mission)
    parts = parts_of(found) if part is None else (find_part(found, part),)
    screen = desk.screen(asks=False)
    for one in parts:
        show_part(found, one, screen, desk.history)
    return 0
