"""What a developer has set on their own machine decides no test."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

LEAKS = {
    "LANG": "zh_CN.UTF-8",
    "LC_ALL": "zh_CN.UTF-8",
    "PAGETUTOR_LANG": "zh",
    "PAGETUTOR_START": "spawn",
    "PAGETUTOR_MISSIONS": "/nowhere",
    "FORCE_COLOR": "1",
    "CLICOLOR_FORCE": "1",
    "TERM": "dumb",
    "COLUMNS": "20",
    "XDG_STATE_HOME": "/nowhere",
    "PYTHONDONTWRITEBYTECODE": "1",
}


def test_none_of_this_machines_settings_reaches_a_test() -> None:
    assert [name for name in LEAKS if name in os.environ] == []


def test_it_holds_where_everything_is_set() -> None:
    here = Path(__file__)
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"{here}::{_FIRST}"],
        cwd=here.parents[1],
        env={**os.environ, **LEAKS},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout


_FIRST = test_none_of_this_machines_settings_reaches_a_test.__name__
