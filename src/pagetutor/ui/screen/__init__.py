"""The two screens, and which of them a learner gets."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from pagetutor.text import Language
from pagetutor.ui import phrases

if TYPE_CHECKING:
    from pagetutor.tutor.screen import Screen


def choose_screen(
    language: Language,
    on_language: Callable[[Language], None] | None,
    *,
    plain: bool,
    asks: bool = True,
    pages: bool = True,
    unfolded: bool = False,
) -> Screen:
    """The screen for this terminal: keys where there are any, otherwise plain text.

    Where `on_language` is None, the language cannot be switched: it is being asked for.
    With `asks`, a prompt library that cannot start is found out now, and said once. Extras wait for
    the learner to ask at a pause; `unfolded` shows them at once, where no pause follows. Without
    `pages`, what is taller than the terminal scrolls by.
    """
    from pagetutor.ui.screen.plain import PlainScreen  # noqa: PLC0415 — Rich: not for --help

    if plain or not has_keys(os.environ):
        return PlainScreen(language, on_language, unfolded=unfolded)
    from pagetutor.tutor.screen import Said  # noqa: PLC0415
    from pagetutor.ui.screen.terminal import TerminalScreen  # noqa: PLC0415

    if asks and not _keys_start():
        screen = PlainScreen(language, on_language, unfolded=unfolded)
        screen.show(Said(phrases.NO_KEYS))
        return screen
    return TerminalScreen(language, on_language, pages=pages, unfolded=unfolded)


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
