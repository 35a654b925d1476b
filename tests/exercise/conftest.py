"""The stage, as the learner's process has it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.exercise.playing import play_of


@pytest.fixture(scope="module")
def stage() -> Callable[..., Any]:
    return play_of("stage.py")


@pytest.fixture(scope="module")
def stage_lines() -> Callable[..., Any]:
    """The stage that watches calls line by line."""
    return play_of("stage_lines.py")
