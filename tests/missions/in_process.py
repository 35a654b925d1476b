"""A session that plays in the test's own process: for thousands of small programs of our own making.

Never for a learner's file: nothing here stops an endless loop. The real session is used end to end.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import cast

from pagetutor.learner.learner_file import LearnerFile, describe
from pagetutor.learner.port import (
    Finished,
    Frame,
    Json,
    Loaded,
    LoadFailed,
    Prints,
    ProgramRun,
    Raised,
    Session,
)

MISSIONS = Path(__file__).parents[2] / "missions"
STAGE = MISSIONS / "stage.py"
FILE = "/learner/block_manager.py"


class InProcessSession:
    """Implements `Session` without a process, and so without any isolation."""

    isolation: tuple[str, ...] = ()
    left_s = 60.0

    def __init__(self, stage: ModuleType) -> None:
        self._stage = stage
        self._file = LearnerFile(FILE)

    def load(self, source: bytes) -> Loaded | LoadFailed:
        answer = cast("dict[str, dict[str, object]]", self._file.load(source))
        if "raised" in answer:
            return LoadFailed(_raised(answer["raised"]))
        return Loaded()

    def play(self, scenario: Json, *, then: Json = None) -> Json:
        return cast(
            "Json", self._stage.play(self._file.namespace, scenario, lambda error: describe(error, FILE))
        )

    def run(self, program: str, watch: Sequence[str]) -> ProgramRun:
        raise NotImplementedError

    def finish(self) -> Finished:
        return Finished()

    def prints(self) -> Prints:
        return Prints()

    def cancel(self) -> None:
        """Nothing runs that could be ended."""


def _raised(wire: dict[str, object]) -> Raised:
    frames = cast("list[dict[str, object]]", wire["frames"])
    return Raised(
        str(wire["exception"]),
        tuple(cast("list[str]", wire["ancestors"])),
        str(wire["message"]),
        tuple(Frame(cast("int", frame["line"]), str(frame["function"])) for frame in frames),
    )


def in_process() -> Callable[[], AbstractContextManager[Session]]:
    """Opens sessions in this process."""
    name = "pagetutor_test_stage"
    if name not in sys.modules:
        spec = spec_from_file_location(name, STAGE)
        assert spec is not None
        assert spec.loader is not None
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        sys.modules[name] = module
    stage = sys.modules[name]

    @contextmanager
    def session() -> Iterator[Session]:
        yield InProcessSession(stage)

    return session
