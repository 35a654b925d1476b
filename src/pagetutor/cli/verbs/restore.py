"""`pagetutor restore [NUMBER]`: the backups in this folder, and one of them back."""

from __future__ import annotations

from typing import Annotated

import typer

from pagetutor.cli.desk import Desk

BackupArgument = Annotated[str | None, typer.Argument(metavar="NUMBER")]


def restore(ctx: typer.Context, backup: BackupArgument = None) -> int:
    """List the backups; with a number, ask and bring that one back."""
    from pagetutor.tutor.resetting import list_backups, restore_backup  # noqa: PLC0415

    desk: Desk = ctx.obj
    if backup is None:
        list_backups(desk.workspace, desk.screen(asks=False))
    else:
        restore_backup(backup, desk.workspace, desk.screen())
    return 0
