"""The stage, as the learner's process has it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

STAGE = Path(__file__).parents[2] / "missions" / "stage.py"


@pytest.fixture(scope="module")
def stage() -> Callable[..., Any]:
    namespace: dict[str, Any] = {"__name__": "stage"}
    exec(compile(STAGE.read_text(encoding="utf-8"), "stage.py", "exec"), namespace)
    played: Callable[..., Any] = namespace["play"]
    return played
