"""Where the course is: told by PAGETUTOR_MISSIONS, in the installed package, or in the checkout."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from pagetutor.errors import ContentError
from pagetutor.text import Text

_PACKAGE = Path(__file__).resolve().parents[1]


def find_course(environ: Mapping[str, str] = os.environ, package: Path = _PACKAGE) -> Path:
    """The folder that holds `course.yaml`.

    PAGETUTOR_MISSIONS wins and is then the only place looked at. Otherwise the wheel's own
    `pagetutor/missions`, then `missions/` beside `src/` (a checkout or an editable install).
    Raises ContentError where there is none.
    """
    told = environ.get("PAGETUTOR_MISSIONS")
    if told:
        root = Path(told).expanduser().resolve()
        if not _is_course(root):
            raise ContentError(_NOT_THERE.with_(root=root))
        return root
    places = [package / "missions"]
    if package.parent.name == "src":
        places.append(package.parent.parent / "missions")
    for root in places:
        if _is_course(root):
            return root
    raise ContentError(_NOWHERE.with_(root=places[-1]))


def _is_course(root: Path) -> bool:
    return (root / "course.yaml").is_file()


_NOT_THERE = Text(
    zh="PAGETUTOR_MISSIONS 指向 {root}，可是那里没有 course.yaml。请改成课程所在的文件夹，或者取消这个变量。",
    en="PAGETUTOR_MISSIONS says {root}, but there is no course.yaml in it. "
    "Set it to the course's folder, or unset it.",
)
_NOWHERE = Text(
    zh="找不到课程：{root} 里没有 course.yaml。请重新安装 pagetutor，"
    "或者把 PAGETUTOR_MISSIONS 设为课程所在的文件夹。",
    en="The course is missing: there is no course.yaml in {root}. Install pagetutor again, "
    "or set PAGETUTOR_MISSIONS to the course's folder.",
)
