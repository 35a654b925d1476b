"""The command line as a real process with a home of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_NOT_INHERITED = (
    "PAGETUTOR_LANG",
    "PAGETUTOR_MISSIONS",
    "LANG",
    "LC_ALL",
    "LC_MESSAGES",
    "ACCESSIBLE",
    "NO_COLOR",
)


@dataclass(frozen=True)
class Ran:
    """How a command ended and what it said."""

    status: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """The one JSON document on stdout."""
        return json.loads(self.out)


@dataclass(frozen=True)
class Command:
    """Runs `python -m pagetutor` in `folder`, with its state under `home`."""

    folder: Path
    home: Path

    def environ(self, **more: str) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if name not in _NOT_INHERITED}
        return {**kept, "PAGETUTOR_HOME": str(self.home), "PYTHONIOENCODING": "utf-8", **more}

    def __call__(self, *words: str, typed: str | None = None, **environ: str) -> Ran:
        ran = subprocess.run(
            [sys.executable, "-m", "pagetutor", *words],
            input=typed,
            stdin=subprocess.DEVNULL if typed is None else None,
            capture_output=True,
            check=False,
            cwd=self.folder,
            env=self.environ(**environ),
            encoding="utf-8",
            timeout=120,
        )
        return Ran(ran.returncode, ran.stdout, ran.stderr)
