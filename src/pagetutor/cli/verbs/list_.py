"""`pagetutor list`: the missions, and the parts that `show` rereads."""

from __future__ import annotations

import typer

from pagetutor.cli import phrases
from pagetutor.cli.desk import Desk


def list_(ctx: typer.Context) -> int:
    """List the missions and their parts."""
    from pagetutor.content.model import Points  # noqa: PLC0415
    from pagetutor.tutor.overview import overview  # noqa: PLC0415
    from pagetutor.tutor.parts import parts_of  # noqa: PLC0415
    from pagetutor.tutor.screen import PageShown  # noqa: PLC0415

    desk: Desk = ctx.obj
    screen = desk.screen(asks=False)
    screen.show(overview(desk.course, desk.progress(), cwd=desk.folder))
    items = tuple(
        phrases.PARTS_TO_SHOW.with_(mission=mission.id, parts=", ".join(parts_of(mission)))
        for mission in desk.course.missions
    )
    screen.show(PageShown((Points((*items, phrases.RECAP_LOOKS_BACK)),)))
    return 0
