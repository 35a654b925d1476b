"""The pictures that are kept, and in what they differ from those just drawn."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import unified_diff
from pathlib import Path

from tests.pictures.svg import lines_of

FOLDER = Path(__file__).parent


def differences(drawn: Mapping[str, str], folder: Path = FOLDER) -> list[str]:
    """For each picture that is not kept as it was drawn: its name, and the lines that differ."""
    kept = {file.name: file.read_text(encoding="utf-8") for file in folder.glob("*.svg")}
    return [
        _difference(name, kept.get(name), drawn.get(name))
        for name in sorted(kept.keys() | drawn.keys())
        if kept.get(name) != drawn.get(name)
    ]


def _difference(name: str, kept: str | None, drawn: str | None) -> str:
    if kept is None:
        return f"{name}: is not there"
    if drawn is None:
        return f"{name}: no run makes it"
    changes = list(unified_diff(lines_of(kept), lines_of(drawn), "kept", "now", lineterm=""))
    if not changes:
        return f"{name}: the same words, drawn otherwise"
    return "\n".join([f"{name}: the screen has changed", *changes])
