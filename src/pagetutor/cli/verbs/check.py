"""`pagetutor check N|final|all [FILE]`: the verdict, on the screen or as one JSON document."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from pagetutor.cli import phrases
from pagetutor.cli.arguments import DeadlineOption, FileArgument, JsonOption, MissionsArgument
from pagetutor.cli.desk import Desk
from pagetutor.errors import UsageError
from pagetutor.learner.port import DEADLINE_S

if TYPE_CHECKING:
    from pagetutor.content.model import Mission
    from pagetutor.judge.report import CheckReport
    from pagetutor.tutor.screen import Showable


def check(
    ctx: typer.Context,
    missions: MissionsArgument,
    file: FileArgument = None,
    *,
    json: JsonOption = False,
    deadline: DeadlineOption = None,
) -> int:
    """Check the file: 0 where everything asked for passes, 1 where not."""
    desk: Desk = ctx.obj
    deadline_s = seconds(deadline)
    everything = missions == "all"
    chosen = desk.course.missions if everything else (desk.mission(missions),)
    path = desk.learner_file(chosen[0], file)
    reports = _reports(desk, chosen, path, deadline_s) if json else _shown(desk, chosen, path, deadline_s)
    if json:
        _print(desk, reports, everything=everything)
    return 0 if all(report.verdict == "passed" for report in reports) else 1


def _reports(desk: Desk, missions: tuple[Mission, ...], path: Path, deadline_s: float) -> list[CheckReport]:
    return [_checked(desk, mission, path, deadline_s) for mission in missions]


def _shown(desk: Desk, missions: tuple[Mission, ...], path: Path, deadline_s: float) -> list[CheckReport]:
    from pagetutor.tutor.naming import file_argument  # noqa: PLC0415
    from pagetutor.tutor.screen import ReportShown, Said  # noqa: PLC0415
    from pagetutor.tutor.waiting import CHECKING  # noqa: PLC0415

    screen = desk.screen(asks=False, pages=False)
    desk.point_out_unsaved(path, screen)
    reports = []
    for mission in missions:
        with screen.working(CHECKING):
            report = _checked(desk, mission, path, deadline_s)
        screen.show(ReportShown(report, file_argument(path)))
        reports.append(report)
    if all(report.verdict == "passed" for report in reports):
        say_passed(desk, missions, reports, screen.show)
    elif len(missions) > 1:
        from pagetutor.tutor.summary import summary  # noqa: PLC0415

        screen.show(Said(summary(missions, reports)))
    return reports


def say_passed(
    desk: Desk,
    missions: tuple[Mission, ...],
    reports: Sequence[CheckReport],
    show: Callable[[Showable], None],
) -> None:
    """After a pass: what works now, guess and evidence, a card, what to run next if something is left."""
    from pagetutor.tutor.after_pass import LOOK_BACK, following_mission, say_what_works  # noqa: PLC0415
    from pagetutor.tutor.evidence import evidence  # noqa: PLC0415
    from pagetutor.tutor.screen import Said  # noqa: PLC0415

    if len(missions) == 1:
        say_what_works(desk.course, missions[0], reports[0], show, desk.history)
    else:
        progress = desk.progress()
        for mission, report in zip(missions, reports, strict=True):
            if (compared := evidence(mission, report, progress)) is not None:
                show(compared)
        show(Said(phrases.ALL_PASS))
        show(Said(LOOK_BACK))
    following = following_mission(desk.course, missions[-1], desk.progress())
    if following is not None:
        show(Said(phrases.NEXT.with_(mission=following.id)))


def _checked(desk: Desk, mission: Mission, path: Path, deadline_s: float) -> CheckReport:
    from pagetutor.judge.check import check as judge  # noqa: PLC0415
    from pagetutor.tutor.checking import check_file  # noqa: PLC0415

    return check_file(
        desk.course, mission, path, desk.history, desk.runner, check=judge, deadline_s=deadline_s
    )


def _print(desk: Desk, reports: list[CheckReport], *, everything: bool) -> None:
    from pagetutor.cli.boundary import print_json  # noqa: PLC0415
    from pagetutor.judge.encode import encode, encode_all  # noqa: PLC0415

    language = desk.language
    print_json(encode_all(reports, language) if everything else encode(reports[0], language))


def seconds(typed: str | None) -> float:
    """The deadline that was typed. Raises UsageError where it is none."""
    if typed is None:
        return DEADLINE_S
    try:
        number = float(typed)
    except ValueError:
        number = math.nan
    if not 0 < number <= 600:  # also false for nan
        raise UsageError(phrases.NO_NUMBER.with_(typed=typed))
    return number
