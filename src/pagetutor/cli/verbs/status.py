"""`pagetutor status`: how far the learner is."""

from __future__ import annotations

import typer

from pagetutor.cli.desk import Desk


def status(ctx: typer.Context) -> int:
    """Show how far the learner is."""
    from pagetutor.tutor.overview import overview  # noqa: PLC0415

    desk: Desk = ctx.obj
    desk.screen(asks=False).show(overview(desk.course, desk.progress(), cwd=desk.folder))
    return 0
