"""The two screens, and which of them a learner gets."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping

from pagetutor.text import Language
from pagetutor.tutor.screen import Said, Screen
from pagetutor.ui import phrases


def choose_screen(
    language: Language, on_language: Callable[[Language], None], *, plain: bool, asks: bool = True
) -> Screen:
    """The screen for this terminal: keys where there are any, otherwise plain text.

    With `asks`, a prompt library that cannot start is found out now, and said once.
    """
    from pagetutor.ui.screen.plain import PlainScreen  # noqa: PLC0415 — Rich: not for --help

    if plain or not has_keys(os.environ):
        return PlainScreen(language, on_language)
    from pagetutor.ui.screen.terminal import TerminalScreen  # noqa: PLC0415

    if asks and not _keys_start():
        screen = PlainScreen(language, on_language)
        screen.show(Said(phrases.NO_KEYS))
        return screen
    return TerminalScreen(language, on_language)


def has_keys(environ: Mapping[str, str]) -> bool:
    """Whether a terminal that can show menus is there, and the learner has not asked for plain text."""
    if environ.get("ACCESSIBLE", "0") not in {"", "0"} or environ.get("TERM") == "dumb":
        return False
    return is_terminal()


def is_terminal() -> bool:
    """Whether somebody can read and type here: stdin and stdout are both a terminal."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


def _keys_start() -> bool:
    from pagetutor.ui.screen import keys  # noqa: PLC0415

    try:
        keys.start()
    except (ImportError, OSError, AssertionError):  # no library, no terminal, git-bash without a console
        return False
    return True


def can_show(language: Language) -> bool:
    """Whether stdout's encoding can show this language at all."""
    from pagetutor.ui.render.look import can_show_chinese  # noqa: PLC0415

    return language is Language.EN or can_show_chinese(getattr(sys.stdout, "encoding", None))
