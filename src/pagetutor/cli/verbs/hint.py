"""`pagetutor hint N [FILE]`: one step deeper."""

from __future__ import annotations

import typer

from pagetutor.cli.arguments import FileArgument, GiveUpOption, MissionArgument, NowOption
from pagetutor.cli.desk import Desk


def hint(
    ctx: typer.Context,
    mission: MissionArgument,
    file: FileArgument = None,
    *,
    now: NowOption = False,
    give_up: GiveUpOption = False,
) -> int:
    """Give the next hint on what the file shows now."""
    from pagetutor.tutor.hints import hint as give_hint  # noqa: PLC0415

    desk: Desk = ctx.obj
    found, screen = desk.mission(mission), desk.screen()
    path = desk.learner_file(found, file)
    desk.point_out_unsaved(path, screen)
    give_hint(
        desk.course,
        found,
        path,
        screen=screen,
        history=desk.history,
        runner=desk.runner,
        now=now,
        give_up=give_up,
    )
    return 0
