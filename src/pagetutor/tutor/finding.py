"""What a learner meant: the mission, part or command nearest to what was typed."""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Iterable

from pagetutor.content.model import Course, Mission, PartName
from pagetutor.errors import UsageError
from pagetutor.text import Text, same
from pagetutor.tutor.parts import filled, mission_name, part_title, parts_of


def find_mission(course: Course, typed: str) -> Mission:
    """The mission of that id, or of its folder's name. Raises UsageError that says which there are."""
    plain = _plain(typed).removeprefix("mission").strip().lstrip("0")
    names: dict[str, Mission] = {}
    for mission in course.missions:
        names[mission.id] = mission
        names[mission.tests.parent.name.partition("-")[2] or mission.id] = mission
    if plain in names:
        return names[plain]
    there = Text(zh="", en="")
    for mission in course.missions:
        there += same(f"\n  {mission.id}  ") + mission.title
    near = nearest(plain, names)
    meant = same("") if near is None else _MEANT.with_(near=names[near].id)
    raise UsageError(_NO_MISSION.with_(typed=typed) + meant + _THERE_ARE + there)


def find_part(mission: Mission, typed: str) -> PartName:
    """The part of that name in this mission. Raises UsageError that says which there are."""
    parts = parts_of(mission)
    plain = _plain(typed).replace("_", "-").replace(" ", "-")
    by_name = {part.value: part for part in parts}
    by_name |= {part.value.replace("-", ""): part for part in parts}
    for part in parts:
        by_name[_plain(part_title(mission, part).zh)] = part
    if plain in by_name:
        return by_name[plain]
    names = ", ".join(part.value for part in parts)
    near = nearest(plain, [part.value for part in parts])
    meant = same("") if near is None else _MEANT.with_(near=near)
    said = filled(_NO_PART, mission=mission_name(mission), typed=same(typed))
    raise UsageError(said + meant + _PARTS.with_(names=names))


def unknown_command(typed: str, commands: Iterable[str]) -> Text:
    """The sentence for a command there is not, with the nearest there is."""
    near = nearest(_plain(typed), commands)
    said = _NO_COMMAND.with_(typed=typed)
    return said + (_HELP if near is None else _MEANT_COMMAND.with_(near=near))


def nearest(typed: str, names: Iterable[str]) -> str | None:
    """The name most like what was typed; None where none is like it."""
    found = difflib.get_close_matches(typed, list(names), n=1, cutoff=0.6)
    return found[0] if found else None


def _plain(typed: str) -> str:
    return unicodedata.normalize("NFKC", typed).strip().casefold()


_NO_MISSION = Text(zh="没有 mission {typed}。", en="There is no mission {typed}.")
_THERE_ARE = Text(zh="有这些：", en=" There are:")
_MEANT = Text(zh="是不是 `{near}`？", en=" Did you mean `{near}`?")
_NO_PART = Text(zh="{mission} 里没有叫 {typed} 的部分。", en="{mission} has no part called {typed}.")
_PARTS = Text(zh="有这些：{names}。", en=" There are: {names}.")
_NO_COMMAND = Text(zh="没有 {typed} 这个命令。", en="There is no command {typed}.")
_MEANT_COMMAND = Text(zh="是不是 `pagetutor {near}`？", en=" Did you mean `pagetutor {near}`?")
_HELP = Text(zh="`pagetutor --help` 列出所有命令。", en=" `pagetutor --help` lists them all.")
