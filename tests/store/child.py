"""Python run in a process of its own, as somebody who may not do everything."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from shutil import rmtree

NOBODY = 65534


def run_child(code: str, *, env: Mapping[str, str | None]) -> str:
    """What this code prints, run as an unprivileged user; None takes a name out of its environment."""
    changed = {**os.environ, **env}
    done = subprocess.run(
        [sys.executable, "-c", _BECOME_NOBODY + code],
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
        cwd="/",
        env={name: value for name, value in changed.items() if value is not None},
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


# Only after the imports: nobody may not read the interpreter of somebody else's home.
_BECOME_NOBODY = f"""
import json, os, platformdirs.unix, pwd, resource
from pagetutor.store import exchange, history, workspace
if os.getuid() == 0:
    os.setgroups([])
    os.setgid({NOBODY})
    os.setuid({NOBODY})
"""


def start_child(code: str, *arguments: str) -> subprocess.Popen[str]:
    """This code running on its own, its prints in `stdout`."""
    return subprocess.Popen([sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, text=True)


@contextmanager
def open_folder() -> Iterator[Path]:
    """A folder that everybody may enter and write to: pytest's own are closed to others, TMPDIR may be."""
    folder = Path(tempfile.mkdtemp(prefix="pagetutor-test-", dir="/tmp"))
    folder.chmod(0o777)
    try:
        yield folder
    finally:
        rmtree(folder)
