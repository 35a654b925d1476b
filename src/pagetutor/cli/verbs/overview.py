"""`pagetutor` alone: where you are and what is next; Enter goes on."""

from __future__ import annotations

import typer

from pagetutor.cli.desk import Desk


def overview(ctx: typer.Context) -> int:
    """Show where the learner is; on a terminal, Enter goes on with the next mission."""
    from pagetutor.cli.verbs.mission import take  # noqa: PLC0415
    from pagetutor.tutor.overview import mission_to_go_on_with  # noqa: PLC0415
    from pagetutor.tutor.overview import overview as find_overview  # noqa: PLC0415
    from pagetutor.ui.screen import is_terminal  # noqa: PLC0415

    desk: Desk = ctx.obj
    progress = desk.progress()
    screen = desk.screen()
    screen.show(find_overview(desk.course, progress, cwd=desk.folder))
    following = mission_to_go_on_with(desk.course, progress)
    if following is None or not is_terminal():
        return 0
    screen.pause()
    return take(desk, following)
