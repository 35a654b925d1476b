"""A tutor that checks a right and a wrong file by turns, for ever: what `kills` kills.

Each line it prints is `STATE pid …`: `warm LAUNCHER SERVER` when a warm process is there,
`check DUE VERDICT` after each check.
"""

from __future__ import annotations

import sys
from pathlib import Path

from pagetutor.content.find import find_course
from pagetutor.content.read import load_course
from pagetutor.errors import MachineError
from pagetutor.judge.check import check
from pagetutor.learner.runner import WarmRunner
from tests.soak.files import RIGHT, WRONG


def main(folder: str) -> None:
    """Check until killed."""
    course = load_course(find_course(), with_models=True)
    mission = next(one for one in course.missions if one.id == "2")
    path = Path(folder) / "block_manager.py"
    with WarmRunner() as runner:
        runner.warm()
        print("begun", flush=True)
        while True:
            for source, due in ((RIGHT, "passed"), (WRONG, "failed")):
                try:
                    got = check(course, mission, path, source.encode(), runner).verdict.value
                except MachineError:  # the warm process and its replacement were both killed
                    got = "no process"
                print("check", due, got, flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
