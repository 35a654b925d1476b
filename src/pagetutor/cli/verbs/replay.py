"""`pagetutor replay N [FILE]`: one case on the learner's own code, frame by frame."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pagetutor.cli.arguments import DeadlineOption, FileArgument, MissionArgument
from pagetutor.cli.desk import Desk
from pagetutor.cli.status import DONE, NOT_PASSED
from pagetutor.cli.verbs.check import seconds
from pagetutor.text import Language

if TYPE_CHECKING:
    from pagetutor.tutor.replaying import Replay

CaseOption = Annotated[str | None, typer.Option("--case", metavar="ID")]
SvgOption = Annotated[str | None, typer.Option("--svg", metavar="FILE")]

_SLIDE_COLUMNS = 96


def replay(
    ctx: typer.Context,
    mission: MissionArgument,
    file: FileArgument = None,
    *,
    case: CaseOption = None,
    svg: SvgOption = None,
    deadline: DeadlineOption = None,
) -> int:
    """Step through a case, or draw its first difference; 1 where there is nothing to replay."""
    desk: Desk = ctx.obj
    deadline_s = seconds(deadline)
    slide = None if svg is None else desk.new_file(svg, "--svg", "slide.svg")
    desk.runner.warm(hurry=True)  # before the imports and the course: torch takes longer than both
    from pagetutor.tutor.checking import read_file  # noqa: PLC0415
    from pagetutor.tutor.replaying import Replay, show_replay  # noqa: PLC0415
    from pagetutor.tutor.replaying import replay as replay_case  # noqa: PLC0415
    from pagetutor.tutor.waiting import REPLAYING  # noqa: PLC0415

    found = desk.mission(mission)
    path = desk.learner_file(found, file)
    screen = desk.screen(asks=slide is None, pages=False)
    desk.point_out_unsaved(path, screen)
    with screen.working(REPLAYING):
        replayed = replay_case(
            desk.course, found, path, read_file(path), desk.runner, case=case, deadline_s=deadline_s
        )
    if slide is None or not isinstance(replayed, Replay):
        return DONE if show_replay(replayed, screen, path) else NOT_PASSED
    _draw(desk, replayed, slide)
    return DONE


def _draw(desk: Desk, replayed: Replay, path: Path) -> None:
    from pagetutor.store.new_file import write_new_file  # noqa: PLC0415
    from pagetutor.ui.render.look import Look  # noqa: PLC0415
    from pagetutor.ui.render.replay import replay_slide  # noqa: PLC0415
    from pagetutor.ui.replay_phrases import DRAWN  # noqa: PLC0415
    from pagetutor.ui.svg import screen_of_lines, svg  # noqa: PLC0415

    # A file shows Chinese, colours and marks wherever this terminal may be.
    language = desk.known_language or Language.EN
    lines = replay_slide(replayed, Look(language, _SLIDE_COLUMNS))
    drawn = svg(screen_of_lines(lines, _SLIDE_COLUMNS), f"pagetutor replay {replayed.mission}", language)
    write_new_file(path, drawn)
    typer.echo(desk.told(DRAWN.with_(path=path)))
