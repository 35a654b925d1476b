"""No test ever touches the real home directory, and none inherits this machine's settings."""

from __future__ import annotations

from pathlib import Path

import pytest

SETTINGS = (
    "PAGETUTOR_LANG",
    "PAGETUTOR_MISSIONS",
    "ACCESSIBLE",
    "NO_COLOR",
    "VISUAL",
    "EDITOR",
    "COLUMNS",
    "LINES",
)


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of the test's own, for this process and every process it starts."""
    folder = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("PAGETUTOR_HOME", str(folder / "state"))
    monkeypatch.setenv("HOME", str(folder))
    for name in SETTINGS:
        monkeypatch.delenv(name, raising=False)
    return folder
