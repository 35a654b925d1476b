"""A wheel, an editable install and a checkout all find the missions."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FIND = "from pagetutor.content.find import find_course; print(find_course())"
COUNT = (
    "from pagetutor.content.find import find_course; from pagetutor.content.read import load_course; "
    "print(len(load_course(find_course(), with_models=True).missions))"
)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel built from this checkout and installed into a folder of its own."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (wheel,) = folder.glob("*.whl")
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "install",
            "--no-deps",
            "--no-index",
            "--target",
            str(folder / "site"),
            wheel,
        ],
        check=True,
        capture_output=True,
    )
    return folder / "site"


def run(code: str, cwd: Path, python_path: Path | None = None) -> str:
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    if python_path is not None:
        environ["PYTHONPATH"] = str(python_path)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=cwd, env=environ, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def test_a_wheel_brings_the_missions_along(installed: Path, tmp_path: Path) -> None:
    assert run(FIND, tmp_path, installed) == str(installed / "pagetutor" / "missions")
    assert run(COUNT, tmp_path, installed) == "4"


def test_a_wheel_holds_nothing_else(installed: Path) -> None:
    (wheel,) = installed.parent.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0].split("-")[0] for name in names} == {"pagetutor"}
    assert [name for name in names if "__pycache__" in name or name.split("/")[-2:-1] == ["tests"]] == []


def test_a_checkout_finds_its_own_missions(tmp_path: Path) -> None:
    assert run(FIND, tmp_path, ROOT / "src") == str(ROOT / "missions")


def test_an_editable_install_finds_the_checkouts_missions(tmp_path: Path) -> None:
    assert run(FIND, tmp_path) == str(ROOT / "missions")


def test_the_source_archive_can_be_built_from(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(tmp_path)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (archive,) = tmp_path.iterdir()
    with tarfile.open(archive) as opened:
        names = [name.split("/", 1)[1] for name in opened.getnames()]
    assert {"missions/course.yaml", "src/pagetutor/__main__.py", "constraints.txt"} <= set(names)
