"""Where the learner is and what is next: `pagetutor` alone, `list`, `status`."""

from __future__ import annotations

import time
from pathlib import Path

from pagetutor.content.model import Course, Mission
from pagetutor.store.workspace import FILE_NAME
from pagetutor.text import Text
from pagetutor.tutor.parts import filled, mission_name, part_title, parts_of, steps_of
from pagetutor.tutor.progress import MissionProgress, Progress, next_step
from pagetutor.tutor.screen import MissionLine, Overview


def overview(course: Course, progress: Progress, *, cwd: Path | None = None) -> Overview:
    """The whole course as it stands for this learner.

    With `cwd`, what is next also says where the learner's file is, if it is not there.
    """
    lines = tuple(_line(mission, progress) for mission in course.missions)
    return Overview(course.title, lines, _next_up(course, progress, cwd))


def mission_to_go_on_with(course: Course, progress: Progress) -> Mission | None:
    """The first mission that is not passed; None once all are."""
    return next((mission for mission in course.missions if not progress.passed(mission.id)), None)


def _line(mission: Mission, progress: Progress) -> MissionLine:
    before = progress.of(mission.id)
    still = {step.counts_with(mission) for step in steps_of(mission) if step not in before.done}
    parts = parts_of(mission)
    done = [part for part in parts if part not in still]
    return MissionLine(
        mission,
        len(done),
        len(parts),
        before.passed,
        before.checks,
        _last_check(before),
        begun=bool(before.done or before.answers or before.checks),
    )


def _last_check(before: MissionProgress) -> tuple[str, str] | None:
    if before.last_verdict is None or before.last_checked_at is None:
        return None
    return before.last_verdict, time.strftime("%Y-%m-%d %H:%M", time.localtime(before.last_checked_at))


def _next_up(course: Course, progress: Progress, cwd: Path | None) -> Text:
    mission = mission_to_go_on_with(course, progress)
    if mission is None:
        return _ALL_PASSED
    part = part_title(mission, next_step(mission, progress).part)
    begun = _line(mission, progress).begun
    said = filled(_GO_ON if begun else _BEGIN, mission=mission_name(mission), part=part)
    said += _COMMAND.with_(mission=mission.id)
    folder = progress.of(mission.id).folder or progress.folder
    if cwd is None or folder is None or not _elsewhere(Path(folder), cwd):
        return said
    return said + _FILE_IS_IN.with_(file=FILE_NAME, folder=folder)


def _elsewhere(folder: Path, cwd: Path) -> bool:
    return folder != cwd.absolute() and not (cwd / FILE_NAME).exists() and (folder / FILE_NAME).exists()


_BEGIN = Text(zh="从 {mission} 的「{part}」开始：", en="Begin {mission} with “{part}”: ")
_GO_ON = Text(zh="接着学 {mission} 的「{part}」：", en="Go on with {mission}, “{part}”: ")
_COMMAND = Text(zh="`pagetutor mission {mission}`。", en="`pagetutor mission {mission}`.")
_FILE_IS_IN = Text(zh="你的 `{file}` 在 {folder}。", en=" Your `{file}` is in {folder}.")
_ALL_PASSED = Text(
    zh="全部通过了。回顾这一路：`pagetutor recap`；想看别的写法：`pagetutor solution final`。",
    en="Everything is passed. Look back on your way: `pagetutor recap`. Other right ways to write it: "
    "`pagetutor solution final`.",
)
