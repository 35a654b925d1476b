"""The learner's file in the commands that are advised: named where they would otherwise mean another."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

from pagetutor.store.workspace import FILE_NAME


def file_argument(path: Path) -> str:
    """What follows the mission in a command about the file at `path`, which is absolute.

    Empty for the working folder's own; else a space and the path as a shell takes it.
    """
    here = working_folder()
    if here is not None and path == here / FILE_NAME:
        return ""
    typed = str(path.relative_to(here) if here is not None and path.is_relative_to(here) else path)
    return f" {_quoted(f'./{typed}' if typed.startswith('-') else typed)}"


def working_folder() -> Path | None:
    """The folder the learner is in; None where it has been deleted meanwhile."""
    try:
        return Path.cwd()
    except FileNotFoundError:
        return None


def _quoted(word: str) -> str:
    if word.isprintable() and "`" not in word:  # the screen takes a backtick for the command's end
        return shlex.quote(word)
    return "$'" + "".join(_escaped(char) for char in word) + "'"


def _escaped(char: str) -> str:
    if char.isprintable() and char not in "`'\\":
        return char
    return "".join(f"\\x{byte:02x}" for byte in os.fsencode(char))
