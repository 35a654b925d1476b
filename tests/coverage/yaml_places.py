"""The course's YAML as plain data, and the places in it that teach something."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from pagetutor.content.find import find_course
from tests.coverage.row import mission_of, tokens

ROOT = find_course()
FOLDERS = {"1": "01-prefill", "2": "02-decode", "3": "03-gather", "final": "final"}

ITEMS = {
    "points": ("",),
    "steps": ("",),
    "cards": (".text",),
    "todos": (".task",),
    "knobs": (".what_happens",),
    "predictions": (".ends_as",),
    "choices": (".text", ".explain"),
}
"""Lists whose every item states something, and what of an item does."""

ALONE = {"art", "says", "ask", "program", "output", "code", "answer", "explain", "exercise"}


def read_yaml(path: Path) -> Any:
    """The file as maps, lists and strings."""
    return yaml.load(path.read_bytes(), Loader=yaml.BaseLoader)


FILES: dict[str | None, Any] = {
    None: read_yaml(ROOT / "course.yaml"),
    **{mission: read_yaml(ROOT / folder / "mission.yaml") for mission, folder in FOLDERS.items()},
}


def stands_at(path: str) -> Any:
    """What the YAML has at a path of the table. Raises KeyError or IndexError where it has nothing."""
    mission = mission_of(path)
    value = FILES[mission]
    for token in tokens(path)[0 if mission is None else 2 :]:
        value = value[token]
    return value


def bullets() -> Iterator[str]:
    """The path of every bullet, step, option, table cell, drawing, card … of the lessons.

    The questions that come back with changed numbers are extras, and other right ways have a test of
    their own.
    """
    for mission, data in FILES.items():
        prefix = "" if mission is None else f"missions[{mission}]."
        for name, value in data.items():
            if name not in {"missions", "other_ways", "test_titles", "methods"}:
                yield from _bullets(value, prefix + name, name)


def _bullets(value: Any, path: str, name: str) -> Iterator[str]:
    if name in ITEMS:
        for index, _ in enumerate(value):
            yield from (f"{path}[{index}]{field}" for field in ITEMS[name])
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _bullets(item, f"{path}[{index}]", "")
    elif isinstance(value, dict) and "zh" not in value:
        for name_below, below in value.items():
            if name_below != "again":
                yield from _bullets(below, f"{path}.{name_below}", name_below)
    elif name in ALONE or ".table.rows" in path:
        yield path
