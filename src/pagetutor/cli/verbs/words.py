"""`pagetutor words`: the prologue again."""

from __future__ import annotations

import typer

from pagetutor.cli.desk import Desk


def words(ctx: typer.Context) -> int:
    """Show the first words again."""
    from pagetutor.tutor.reread import show_words  # noqa: PLC0415

    desk: Desk = ctx.obj
    show_words(desk.course, desk.screen(asks=False))
    return 0
