"""No test ever touches the real home directory, and none inherits this machine's settings."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

SETTINGS = frozenset(
    {
        # the language and how it is written
        *("LANG", "LANGUAGE", "PYTHONIOENCODING", "PYTHONUTF8", "PYTHONCOERCECLOCALE"),
        # the terminal
        *("TERM", "COLORTERM", "COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "ACCESSIBLE"),
        # programs and folders
        *("VISUAL", "EDITOR", "XDG_STATE_HOME", "PYTEST_ADDOPTS"),
        # hides the fault of two edits within a second, of which a plain import runs the first
        "PYTHONDONTWRITEBYTECODE",
    }
)
BEGINNINGS = ("PAGETUTOR_", "LC_", "CLICOLOR", "TTY_")


# Here and not in a fixture: the conftests below this one find the course when they are imported.
for _name in list(os.environ):
    if _name in SETTINGS or _name.startswith(BEGINNINGS):
        del os.environ[_name]


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of the test's own, for this process and every process it starts; TMPDIR stays as it is."""
    folder = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("PAGETUTOR_HOME", str(folder / "state"))
    monkeypatch.setenv("HOME", str(folder))
    return folder
