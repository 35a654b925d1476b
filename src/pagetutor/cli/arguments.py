"""The arguments and options that verbs share.

All are plain words: what they mean is decided by the tutor, which knows the nearest one to a typo.
"""

from __future__ import annotations

from typing import Annotated

import typer

_MISSIONS = ("1", "2", "3", "final")
_PARTS = ("guess", "background", "diagram", "warm-up", "mapping", "quiz", "hand-trace", "exercise")


def _missions() -> list[str]:
    return list(_MISSIONS)


def _missions_or_all() -> list[str]:
    return [*_MISSIONS, "all"]


def _parts() -> list[str]:
    return list(_PARTS)


def _what_to_reset() -> list[str]:
    return [*_MISSIONS, "all", "file"]


MissionArgument = Annotated[str, typer.Argument(metavar="N", autocompletion=_missions)]
MissionsArgument = Annotated[str, typer.Argument(metavar="N|all", autocompletion=_missions_or_all)]
ResetArgument = Annotated[str, typer.Argument(metavar="N|all|file", autocompletion=_what_to_reset)]
PartArgument = Annotated[str | None, typer.Argument(metavar="PART", autocompletion=_parts)]
FileArgument = Annotated[str | None, typer.Argument(metavar="FILE")]
JsonOption = Annotated[bool, typer.Option("--json")]
DeadlineOption = Annotated[str | None, typer.Option("--deadline", metavar="SECONDS")]
NowOption = Annotated[bool, typer.Option("--now")]
GiveUpOption = Annotated[bool, typer.Option("--give-up")]
