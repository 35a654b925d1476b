"""`pagetutor progress export|import [FILE]`: the progress as JSON, to go on on another machine."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from pagetutor.cli import phrases
from pagetutor.cli.desk import Desk
from pagetutor.errors import UsageError

_TASKS = ("export", "import")

TaskArgument = Annotated[str, typer.Argument(metavar="export|import", autocompletion=lambda: list(_TASKS))]
ExportArgument = Annotated[str | None, typer.Argument(metavar="FILE")]


def progress(ctx: typer.Context, task: TaskArgument, export: ExportArgument = None) -> int:
    """Write the progress out, or add another machine's to it; without a file, through stdout and stdin."""
    desk: Desk = ctx.obj
    path = None if export is None else Path(export)
    match task:
        case "export":
            _export(desk, path)
        case "import":
            _import(desk, path)
        case _:
            raise UsageError(phrases.NO_PROGRESS_TASK.with_(typed=task))
    return 0


def _export(desk: Desk, path: Path | None) -> None:
    from pagetutor.tutor.moving import export_to, exported  # noqa: PLC0415

    if path is None:
        typer.echo(json.dumps(exported(desk.history), indent=1))
    else:
        typer.echo(desk.told(export_to(path, desk.history)))


def _import(desk: Desk, path: Path | None) -> None:
    from pagetutor.tutor.moving import import_document, import_from  # noqa: PLC0415

    if path is not None:
        typer.echo(desk.told(import_from(path, desk.history)))
        return
    if sys.stdin.isatty():
        raise UsageError(phrases.NOTHING_TO_IMPORT)
    typer.echo(desk.told(import_document(sys.stdin.buffer.read(), desk.history)))
