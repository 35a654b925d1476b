"""Pictures as frozen text; `python -m tests.ui.test_pictures` draws them anew: look at them then."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pagetutor.text import Language
from pagetutor.ui.render.look import ASCII_MARKS, PLAIN_MARKS, UNICODE_MARKS, Look
from tests.ui.pictures import MISTAKES, Draw, all_pictures, frozen

_FOLDER = Path(__file__).parent / "golden" / "pictures"
NAMES = [
    "pool-mission-1",
    "pool-mission-2",
    "pool-mission-3",
    "pool-all-wrong",
    "pool-two-requests",
    "pool-10000",
    *(f"beside-{name}" for name in MISTAKES),
]


@pytest.fixture(scope="module")
def pictures() -> dict[str, Draw]:
    return all_pictures()


def test_every_picture_is_frozen(pictures: dict[str, Draw]) -> None:
    assert sorted(pictures) == sorted(NAMES)
    assert sorted(path.stem for path in _FOLDER.glob("*.txt")) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_the_picture_is_as_it_was(pictures: dict[str, Draw], name: str) -> None:
    assert frozen(pictures[name]) == (_FOLDER / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_no_picture_is_wider_than_the_screen(pictures: dict[str, Draw], name: str) -> None:
    for language in Language:
        for marks in (UNICODE_MARKS, ASCII_MARKS):
            for width in (20, 21, 30, 39, 40, 65, 66, 80, 120, 200):
                for line in pictures[name](Look(language, width, marks=marks)):
                    assert line.cell_len <= width, (language, width, line.plain)


@pytest.mark.parametrize("name", NAMES)
def test_a_plain_picture_has_no_box_and_no_escape(pictures: dict[str, Draw], name: str) -> None:
    for language in Language:
        for width in (20, 40, 80):
            look = Look(language, width, marks=PLAIN_MARKS, plain=True, colour=False)
            lines = [line.plain for line in pictures[name](look)]
            assert not re.search("[\x1b\u2500-\u257f]", "".join(lines))
            assert max(map(len, lines)) <= width


if __name__ == "__main__":
    _FOLDER.mkdir(exist_ok=True)
    for picture, draw in all_pictures().items():
        (_FOLDER / f"{picture}.txt").write_text(frozen(draw), encoding="utf-8")
