"""20 edits of the same length within one second, judged cold and warm; and a plain import for comparison."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from pagetutor.content.find import find_course
from pagetutor.content.read import load_course
from pagetutor.judge.check import check
from pagetutor.learner.runner import WarmRunner
from tests.bench.figure import Figure
from tests.soak.files import RIGHT, WRONG

EDITS = 20
ONE_SECOND = (1_000_000_000, 1_000_000_000)
PLAIN = "import block_manager; print(block_manager.EDIT)"


def run(edits: int) -> Iterator[Figure]:
    """How many edits a plain import, a cold check and a warm one see."""
    environ = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environ["PAGETUTOR_HOME"] = str(folder / "state")
        plain = cold = warm = 0
        course = load_course(find_course(), with_models=True)
        mission = next(one for one in course.missions if one.id == "2")
        path = folder / "block_manager.py"
        with WarmRunner() as runner:
            for number in range(-1, edits):
                source, due = ((RIGHT, "passed"), (WRONG, "failed"))[number % 2]
                path.write_text(f"{source}\nEDIT = {200 + number}\n", encoding="utf-8")
                os.utime(path, ONE_SECOND)
                seen = _said([sys.executable, "-c", PLAIN], folder, environ)
                if number < 0:  # what was there before the first edit, and is now cached
                    continue
                plain += int(seen) == 200 + number
                command = [sys.executable, "-m", "pagetutor", "check", "2", "--json"]
                cold += json.loads(_said(command, folder, environ))["verdict"] == due
                warm += check(course, mission, path, path.read_bytes(), runner).verdict.value == due
    yield Figure("stale: plain import", edits - plain, f"of {edits}")
    yield Figure("edits that a plain import saw; more would prove nothing", plain, "", 0)
    yield Figure("stale: cold check", edits - cold, f"of {edits}", 0)
    yield Figure("stale: warm check", edits - warm, f"of {edits}", 0)


def _said(command: list[str], folder: Path, environ: dict[str, str]) -> str:
    return subprocess.run(
        command, cwd=folder, env=environ, stdout=subprocess.PIPE, text=True, check=False
    ).stdout
