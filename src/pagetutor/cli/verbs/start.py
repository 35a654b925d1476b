"""`pagetutor start`: the starter file, where there is none."""

from __future__ import annotations

import typer

from pagetutor.cli.desk import Desk


def start(ctx: typer.Context) -> int:
    """Put the starter into this folder; a file that is there is never touched."""
    from pagetutor.tutor.starter import place_starter  # noqa: PLC0415

    desk: Desk = ctx.obj
    place_starter(desk.workspace, desk.screen(asks=False))
    return 0
