"""What can go wrong outside the learner's code, each with its exit code.

A learner's failure is data (a `CheckReport`), never one of these. Only `pagetutor.cli` turns them
into words on the screen and an exit status.
"""

from __future__ import annotations

from typing import ClassVar

from pagetutor.text import Text


class TutorError(Exception):
    """Something expected went wrong; `say` is the one sentence, with the next thing to do."""

    code: ClassVar[int] = 3

    def __init__(self, say: Text) -> None:
        super().__init__(say.en)
        self.say = say


class UsageError(TutorError):
    """The command was called wrongly, or needs a terminal that is not there (exit 2)."""

    code = 2


class ContentError(TutorError):
    """The course's own files are at fault: names file and line and what to write (exit 3)."""


class WorkspaceError(TutorError):
    """The learner's folder or the progress file cannot be used (exit 3)."""


class MachineError(TutorError):
    """The machine lacks what a check needs: torch missing, no process can be started (exit 3)."""
