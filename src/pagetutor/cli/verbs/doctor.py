"""`pagetutor doctor`: what this machine offers, a line each; for a learner who asks for help."""

from __future__ import annotations

import os
import platform
import shutil
import sys

import typer

from pagetutor import __version__
from pagetutor.cli import phrases
from pagetutor.cli.desk import Desk
from pagetutor.cli.fitting import fitted
from pagetutor.text import Text


def doctor(ctx: typer.Context) -> int:
    """Tell the versions of Python, torch and the terminal, and what holds the learner's code in."""
    from pagetutor.tutor.examining import examine  # noqa: PLC0415

    desk: Desk = ctx.obj
    desk.runner.warm(hurry=True)
    typer.echo(f"pagetutor {__version__}")
    python = f"Python {platform.python_version()} ({sys.executable}), {platform.platform(terse=True)}"
    typer.echo(fitted(python, sys.stdout))
    typer.echo(desk.told(_terminal(desk)))
    found = examine(desk.course, desk.runner, desk.folder / desk.course.starter.name)
    typer.echo(f"torch {found.torch}")
    typer.echo(desk.told(phrases.ISOLATION.with_(layers=", ".join(found.isolation) or "-") + found.held))
    return 0


def _terminal(desk: Desk) -> Text:
    size = shutil.get_terminal_size()
    kind = phrases.A_TERMINAL if sys.stdin.isatty() and sys.stdout.isatty() else phrases.NO_TERMINAL
    return kind.with_(
        term=os.environ.get("TERM", "-"),
        columns=size.columns,
        lines=size.lines,
        encoding=sys.stdout.encoding,
        language=desk.language.value,
    )
