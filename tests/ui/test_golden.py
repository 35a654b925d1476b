"""Whole screens as frozen text; `python -m tests.ui.test_golden` writes them anew: read them then."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from pagetutor.text import Language
from pagetutor.tutor.screen import ReportShown, Showable
from pagetutor.ui.render import render
from pagetutor.ui.render.look import PLAIN_MARKS, UNICODE_MARKS, Look
from tests.ui.values import BROKEN, EVERY_VALUE, FAILED, PAGE

_FOLDER = Path(__file__).parent / "golden"
_SCREENS: dict[str, tuple[tuple[Showable, ...], Look]] = {
    "failed-en-80": ((ReportShown(FAILED),), Look(Language.EN, 80, colour=False)),
    "failed-zh-80": ((ReportShown(FAILED),), Look(Language.ZH, 80, colour=False)),
    "failed-zh-30": ((ReportShown(FAILED),), Look(Language.ZH, 30, colour=False)),
    "broken-en-80": ((ReportShown(BROKEN),), Look(Language.EN, 80, colour=False)),
    "page-zh-80": ((PAGE,), Look(Language.ZH, 80, colour=False)),
    "page-zh-40": ((PAGE,), Look(Language.ZH, 40, colour=False)),
    "page-en-plain": ((PAGE,), Look(Language.EN, 80, marks=PLAIN_MARKS, plain=True, colour=False)),
    "lesson-zh-80": (EVERY_VALUE, Look(Language.ZH, 80, colour=False)),
    "lesson-en-80": (EVERY_VALUE, Look(Language.EN, 80, colour=False)),
    "lesson-zh-plain": (EVERY_VALUE, Look(Language.ZH, 80, marks=PLAIN_MARKS, plain=True, colour=False)),
}


@pytest.mark.parametrize("name", _SCREENS)
def test_the_screen_is_as_it_was(name: str) -> None:
    assert _drawn(name) == (_FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def test_colours_change_no_character_but_the_backticks() -> None:
    plain = _drawn("failed-en-80").replace("`", "")
    look = Look(Language.EN, 80, marks=UNICODE_MARKS, colour=True)
    coloured = "\n".join(line.plain for line in render(ReportShown(FAILED), look))
    assert coloured.split() == plain.split()


def _drawn(name: str) -> str:
    values, look = _SCREENS[name]
    console = Console(
        file=StringIO(), width=look.width, color_system=None, markup=False, emoji=False, highlight=False
    )
    for value in values:
        for line in render(value, look):
            console.print(line, soft_wrap=True)
        console.print()
    file = console.file
    assert isinstance(file, StringIO)
    return "\n".join(row.rstrip() for row in file.getvalue().split("\n"))


if __name__ == "__main__":
    _FOLDER.mkdir(exist_ok=True)
    for screen in _SCREENS:
        (_FOLDER / f"{screen}.txt").write_text(_drawn(screen), encoding="utf-8")
