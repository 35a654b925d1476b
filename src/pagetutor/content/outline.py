"""The course at a glance, quick to read: for `list`, the progress bar and the prologue."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pagetutor.content.fault import CourseError, Fault, in_order
from pagetutor.content.model import MissionId, Page, PartName
from pagetutor.content.read import mission_cursor, read_front
from pagetutor.content.read_text import read_text
from pagetutor.content.tree import Sequence
from pagetutor.text import Text


@dataclass(frozen=True, slots=True)
class OutlinedMission:
    """A mission as a list shows it."""

    id: MissionId
    title: Text
    parts: tuple[PartName, ...]


@dataclass(frozen=True, slots=True)
class Outline:
    """The course's title and prologue, and its missions in order."""

    root: Path
    title: Text
    prologue: Page
    missions: tuple[OutlinedMission, ...]


def load_outline(root: Path) -> Outline:
    """The outline of the course of `root`. Raises CourseError.

    Missions are not checked beyond their title: a fault inside mission 3 must not keep anybody
    from mission 1.
    """
    faults: list[Fault] = []
    front = read_front(root, faults)
    missions = []
    for mission_id, folder in front.folders.items():
        at = mission_cursor(root, folder, mission_id, faults)
        background = at.key("background").node
        is_bare = isinstance(background, Sequence) and not background.items
        missions.append(
            OutlinedMission(mission_id, read_text(at.key("title")), _parts(mission_id, is_bare=is_bare))
        )
    if faults:
        raise CourseError(in_order(faults))
    return Outline(root, front.title, front.prologue, tuple(missions))


def _parts(mission_id: MissionId, *, is_bare: bool) -> tuple[PartName, ...]:
    if mission_id != "final":
        return tuple(PartName)
    return (PartName.EXERCISE,) if is_bare else (PartName.BACKGROUND, PartName.EXERCISE)
