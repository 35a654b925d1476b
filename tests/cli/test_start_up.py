"""What a command may load before it is needed; `python -m tests.bench start-up` has the times."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.cli.command import Command


@pytest.mark.parametrize("words", [["status"], ["show", "1", "guess"], ["start"], ["reset", "file"]])
def test_reading_loads_no_pydantic_no_pytest_no_torch_and_no_prompts(
    pagetutor: Command, words: list[str]
) -> None:
    program = (
        "import sys\n"
        "from pagetutor.cli.boundary import run\n"
        f"run({words!r})\n"
        "heavy = set('torch numpy pytest questionary pydantic pagetutor.judge.check'.split())\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        cwd=pagetutor.folder,
        env=pagetutor.environ(),
    )
    assert ran.stderr.splitlines()[-1] == "[]"
