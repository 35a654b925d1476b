"""Loading the course: the only functions of this room that open its files for a lesson or a check."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import get_args

from pagetutor.content.cursor import Cursor
from pagetutor.content.fault import CourseError, Fault, in_order
from pagetutor.content.model import Course, ErrorModel, Mission, MissionId, Page
from pagetutor.content.read_mission import read_mission
from pagetutor.content.read_models import read_models
from pagetutor.content.read_page import read_page
from pagetutor.content.read_text import read_text
from pagetutor.content.tree import read_tree
from pagetutor.text import Text

COURSE_FILE = "course.yaml"


def load_course(root: Path, *, with_models: bool = False) -> Course:
    """The whole course of `root`; `Mission.models` are filled only on demand.

    Raises CourseError with every fault of every file.
    """
    faults: list[Fault] = []
    front = read_front(root, faults)
    missions = []
    for mission_id, folder in front.folders.items():
        mission = _read_one_mission(root, folder, mission_id, faults)
        if with_models:
            mission = replace(mission, models=_read_models_of(root, front.folders, mission_id, faults))
        missions.append(mission)
    _refuse(faults)
    return Course(root, front.title, front.prologue, tuple(missions))


def load_models(root: Path, mission_id: MissionId) -> tuple[ErrorModel, ...]:
    """The error models of one mission; the final one's are those of all the others together.

    Raises CourseError.
    """
    faults: list[Fault] = []
    front = read_front(root, faults, wanted=mission_id)
    _refuse(faults)
    models = _read_models_of(root, front.folders, mission_id, faults)
    _refuse(faults)
    return models


@dataclass(frozen=True, slots=True)
class Front:
    """What `course.yaml` says: `folders` has the missions in their order."""

    title: Text
    prologue: Page
    folders: dict[MissionId, str]


def read_front(root: Path, faults: list[Fault], *, wanted: MissionId | None = None) -> Front:
    """`course.yaml`; a mission that is `wanted` and not in it is a fault."""
    at = Cursor(COURSE_FILE, "", read_tree(root, COURSE_FILE, "", faults), faults)
    fields = at.fields("title", "prologue", "missions")
    folders: dict[MissionId, str] = {}
    for item in fields["missions"].items():
        folder = item.words()
        mission_id = _id_of(folder)
        if mission_id is None:
            if folder:
                item.fault(_FOLDER.with_(folder=folder), _FOLDER_WRITE)
        elif mission_id in folders:
            item.fault(_MISSION_TWICE.with_(id=mission_id), _MISSION_TWICE_WRITE)
        else:
            folders[mission_id] = folder
    if wanted is not None and wanted not in folders and not faults:
        fields["missions"].fault(_NO_MISSION.with_(id=wanted), _NO_MISSION_WRITE)
    return Front(read_text(fields["title"]), read_page(fields["prologue"]), folders)


def mission_cursor(root: Path, folder: str, mission_id: MissionId, faults: list[Fault]) -> Cursor:
    """The place where a mission's file begins."""
    file = f"{folder}/mission.yaml"
    path = f"missions[{mission_id}]"
    return Cursor(file, path, read_tree(root, file, path, faults), faults)


def models_cursor(root: Path, folder: str, mission_id: MissionId, faults: list[Fault]) -> Cursor:
    """The place where a mission's error models begin."""
    file = f"{folder}/mistakes.yaml"
    path = f"missions[{mission_id}]"
    return Cursor(file, path, read_tree(root, file, path, faults), faults)


def _id_of(folder: str) -> MissionId | None:
    """`01-prefill` is mission 1: known without opening a file of the mission."""
    number = folder.partition("-")[0].lstrip("0")
    return next((known for known in get_args(MissionId) if known == number), None)


def _read_one_mission(root: Path, folder: str, mission_id: MissionId, faults: list[Fault]) -> Mission:
    at = mission_cursor(root, folder, mission_id, faults)
    return read_mission(at, root / folder, mission_id)


def _read_models_of(
    root: Path, folders: dict[MissionId, str], mission_id: MissionId, faults: list[Fault]
) -> tuple[ErrorModel, ...]:
    wanted: Iterable[MissionId] = [mission_id]
    if mission_id == "final":
        wanted = [known for known in folders if known != "final"]
    models: list[ErrorModel] = []
    for each in wanted:
        models += read_models(models_cursor(root, folders[each], each, faults))
    return tuple(models)


def _refuse(faults: list[Fault]) -> None:
    if faults:
        raise CourseError(in_order(faults))


_FOLDER = Text(zh="从 `{folder}` 看不出是哪个 Mission", en="`{folder}` does not say which mission it is")
_FOLDER_WRITE = Text(zh="请写成 `01-prefill` 或 `final` 这样", en="write it like `01-prefill` or `final`")
_MISSION_TWICE = Text(zh="Mission {id} 出现了两次", en="mission {id} stands twice")
_MISSION_TWICE_WRITE = Text(zh="只留一个", en="write it once")
_NO_MISSION = Text(zh="课程里没有 Mission {id}", en="the course has no mission {id}")
_NO_MISSION_WRITE = Text(zh="请把它的文件夹写进来", en="write its folder here")
