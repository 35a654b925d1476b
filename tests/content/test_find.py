from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pagetutor.content.find import find_course
from pagetutor.errors import ContentError


def make(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "course.yaml").write_text("")
    return folder


def test_a_wheel_carries_its_course(tmp_path: Path) -> None:
    package = tmp_path / "site-packages" / "pagetutor"
    root = make(package / "missions")
    assert find_course({}, package) == root


def test_a_checkout_has_its_course_beside_src(tmp_path: Path) -> None:
    root = make(tmp_path / "missions")
    assert find_course({}, tmp_path / "src" / "pagetutor") == root


def test_the_environment_wins(tmp_path: Path) -> None:
    make(tmp_path / "missions")
    told = make(tmp_path / "mine")
    found = find_course({"PAGETUTOR_MISSIONS": str(told)}, tmp_path / "src" / "pagetutor")
    assert found == told


def test_a_wrong_environment_is_said_and_nothing_else_is_tried(tmp_path: Path) -> None:
    make(tmp_path / "missions")
    with pytest.raises(ContentError) as caught:
        find_course({"PAGETUTOR_MISSIONS": str(tmp_path / "gone")}, tmp_path / "src" / "pagetutor")
    assert caught.value.say.zh == (
        f"PAGETUTOR_MISSIONS 指向 {tmp_path}/gone，可是那里没有 course.yaml。"
        "请改成课程所在的文件夹，或者取消这个变量。"
    )
    assert caught.value.say.en == (
        f"PAGETUTOR_MISSIONS says {tmp_path}/gone, but there is no course.yaml in it. "
        "Set it to the course's folder, or unset it."
    )


def test_a_folder_called_missions_beside_a_library_is_not_the_course(tmp_path: Path) -> None:
    make(tmp_path / "missions")
    with pytest.raises(ContentError) as caught:
        find_course({}, tmp_path / "lib" / "pagetutor")
    assert caught.value.say.zh == (
        f"找不到课程：{tmp_path}/lib/pagetutor/missions 里没有 course.yaml。"
        "请重新安装 pagetutor，或者把 PAGETUTOR_MISSIONS 设为课程所在的文件夹。"
    )
    assert caught.value.say.en == (
        f"The course is missing: there is no course.yaml in {tmp_path}/lib/pagetutor/missions. "
        "Install pagetutor again, or set PAGETUTOR_MISSIONS to the course's folder."
    )


def test_finding_the_course_imports_no_yaml_reader() -> None:
    code = (
        "import sys, pagetutor.content, pagetutor.content.find, pagetutor.content.model\n"
        "sys.exit('yaml' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
