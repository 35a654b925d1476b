"""A learner's folder with hostile things in it, and `pagetutor check` run there as a process of its own."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pagetutor.text import Text

PAGETUTOR = str(Path(sys.executable).with_name("pagetutor"))
MISSIONS = Path(__file__).resolve().parents[2] / "missions"
SOLUTION = (MISSIONS / "solution.py").read_text(encoding="utf-8")
STARTER = (MISSIONS / "block_manager.py").read_text(encoding="utf-8")
# Root without its capabilities is held by permissions as anybody else is; and it may still read the
# interpreter of its own home, which another user may not.
POWERLESS = ("setpriv", "--bounding-set=-all", "--inh-caps=-all") if os.geteuid() == 0 else ()
CAN_BE_POWERLESS = os.geteuid() != 0 or shutil.which("setpriv") is not None
_PATIENCE_S = 120.0


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    status: int
    out: str
    err: str

    @property
    def document(self) -> dict[str, Any]:
        """The one JSON document on stdout."""
        document = json.loads(self.out)
        assert isinstance(document, dict)
        return document


@dataclass(frozen=True)
class Place:
    """Where a hostile file lies: `home` holds the tutor's state, `scratch` is its temporary folder."""

    folder: Path
    home: Path
    scratch: Path

    @property
    def file(self) -> Path:
        """The learner's file."""
        return self.folder / "block_manager.py"

    def environ(self, **more: str | None) -> dict[str, str]:
        """What a command inherits here; None takes a name away."""
        kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        here = {"PAGETUTOR_HOME": str(self.home), "TMPDIR": str(self.scratch), "LANG": "C.UTF-8"}
        everything = {**kept, **here, **more}
        return {name: value for name, value in everything.items() if value is not None}

    def run(
        self,
        *words: str,
        typed: str | None = None,
        powerless: bool = False,
        program: Sequence[str] = (PAGETUTOR,),
        **environ: str | None,
    ) -> Ended:
        """`pagetutor` with these words; stdin is empty but for what is `typed`."""
        before = POWERLESS if powerless else ()
        ran = subprocess.run(
            [*before, *program, *words],
            input=None if typed is None else typed.encode(),
            stdin=subprocess.DEVNULL if typed is None else None,
            capture_output=True,
            check=False,
            cwd=self.folder,
            env=self.environ(**environ),
            timeout=_PATIENCE_S,
        )
        return Ended(ran.returncode, ran.stdout.decode("utf-8"), ran.stderr.decode("utf-8"))

    def check(self, *words: str, mission: str = "1", powerless: bool = False) -> dict[str, Any]:
        """The document of a check; its status fits, and nothing in the folder has changed."""
        before = self.contents()
        ran = self.run("check", mission, *words, "--json", powerless=powerless)
        assert self.contents() == before
        document = ran.document
        assert (ran.status, ran.err) == (0 if document["verdict"] == "passed" else 1, "")
        return document

    def says(
        self,
        sentence: Text,
        *words: str,
        status: int = 1,
        powerless: bool = False,
        languages: Sequence[str] = ("zh", "en"),
    ) -> None:
        """Assert that the check says this whole sentence on the screen, in these languages."""
        for language in languages:
            ran = self.run("check", "1", *words, "--lang", language, powerless=powerless)
            said = sentence.zh if language == "zh" else sentence.en
            assert (ran.status, ran.err) == (status, "")
            assert squeezed(said) in squeezed(ran.out), ran.out

    def contents(self) -> dict[str, bytes | str]:
        """Everything in the folder: bytes of files, kinds of other things."""
        found: dict[str, bytes | str] = {}
        for path in sorted(self.folder.rglob("*")):
            name = str(path.relative_to(self.folder))
            if path.is_symlink():
                found[name] = os.readlink(path)
            elif path.is_file() and os.access(path, os.R_OK):
                found[name] = path.read_bytes()
            else:
                found[name] = oct(stat.S_IFMT(path.lstat().st_mode))
        return found

    def processes(self) -> dict[int, str]:
        """Processes of this place that are still there a moment later, and what they run."""
        found: dict[int, str] = {}
        for _ in range(20):
            found = self._processes_now()
            if not found:
                break
            time.sleep(0.1)
        return found

    def _processes_now(self) -> dict[int, str]:
        mark = f"PAGETUTOR_HOME={self.home}".encode()
        found = {}
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                if mark in (entry / "environ").read_bytes().split(b"\0"):
                    found[int(entry.name)] = (entry / "cmdline").read_bytes().decode(errors="replace")
            except OSError:  # it ended meanwhile, or is somebody else's
                continue
        return found


def squeezed(words: str) -> str:
    """The words without white space: how they are wrapped is not what is asserted."""
    return "".join(words.split())


def with_line(old: str, new: str) -> tuple[str, int]:
    """The solution with one place changed, and the line of it."""
    assert SOLUTION.count(old) >= 1, old
    return SOLUTION.replace(old, new, 1), SOLUTION[: SOLUTION.index(old)].count("\n") + 1
