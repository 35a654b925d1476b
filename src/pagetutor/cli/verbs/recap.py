"""`pagetutor recap [--md FILE]`: what was answered, met and mended; as Markdown to keep."""

from __future__ import annotations

from typing import Annotated

import typer

from pagetutor.cli import phrases
from pagetutor.cli.desk import Desk
from pagetutor.text import Language

MarkdownOption = Annotated[str | None, typer.Option("--md", metavar="FILE")]


def recap(ctx: typer.Context, *, md: MarkdownOption = None) -> int:
    """Show the recap, or write it into a new Markdown file."""
    from pagetutor.tutor.recap import recap as look_back  # noqa: PLC0415
    from pagetutor.tutor.screen import RecapShown  # noqa: PLC0415

    desk: Desk = ctx.obj
    path = None if md is None else desk.new_file(md, "--md", "recap.md")
    found = look_back(desk.course, desk.history.records())
    if path is None:
        desk.screen(asks=False).show(RecapShown(found))
        return 0
    from pagetutor.store.new_file import write_new_file  # noqa: PLC0415
    from pagetutor.ui.markdown import recap_as_markdown  # noqa: PLC0415

    # A file shows Chinese wherever this terminal may be.
    write_new_file(path, recap_as_markdown(found, desk.known_language or Language.EN))
    typer.echo(desk.told(phrases.RECAP_WRITTEN.with_(path=path)))
    return 0
