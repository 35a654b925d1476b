"""Traces of real code, played by the stage in this process."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from pagetutor.exercise.scenario import Scenario
from pagetutor.exercise.trace import Trace, trace_from_wire
from pagetutor.learner.learner_file import describe

MISSIONS = Path(__file__).parents[2] / "missions"


def play_of(stage: str) -> Callable[..., Any]:
    """The `play` of this stage of the course."""
    path = MISSIONS / stage
    namespace: dict[str, Any] = {"__name__": "stage", "__file__": str(path)}
    exec(compile(path.read_text(encoding="utf-8"), stage, "exec"), namespace)
    play: Callable[..., Any] = namespace["play"]
    return play


def played(stage: Callable[..., Any], source: str, scene: Scenario) -> Trace:
    namespace: dict[str, Any] = {"__name__": "block_manager", "__file__": "block_manager.py"}
    exec(compile(source, "block_manager.py", "exec"), namespace)
    return trace_from_wire(scene, stage(namespace, scene.to_wire(), described))


def described(error: BaseException) -> Any:
    return describe(error, "block_manager.py")
