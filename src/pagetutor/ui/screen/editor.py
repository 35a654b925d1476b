"""The learner's editor: which one, and how it is told the line."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import FrameType

from pagetutor.text import Text, same
from pagetutor.ui import phrases

# fmt: off
_GOTO = frozenset(
    {
        "code", "code-insiders", "codium", "cursor", "windsurf",
    }
)
_COLON_LINE = frozenset(
    {
        "subl", "sublime_text", "zed", "hx", "helix", "micro",
    }
)
_PLUS_LINE = frozenset(
    {
        "vi", "vim", "nvim", "view", "gvim", "mvim", "nano", "pico", "emacs", "emacsclient", "joe",
        "kak", "ne", "gedit", "kate",
    }
)
# fmt: on
_OTHERWISE = ("nano", "vim", "vi", "emacs", "notepad")


@dataclass(frozen=True, slots=True)
class Editor:
    """A command that opens a file. It may return at once, as editors with a window of their own do.

    `unasked`: the learner has set none, and may never have seen this one.
    """

    name: str
    words: tuple[str, ...]
    unasked: bool = False

    def command(self, path: Path, line: int | None) -> list[str]:
        """The words that open `path`, at `line` where this editor can be told one."""
        if line is None:
            return [*self.words, str(path)]
        if self.name in _GOTO:
            return [*self.words, "--goto", f"{path}:{line}"]
        if self.name in _COLON_LINE:
            return [*self.words, f"{path}:{line}"]
        if self.name in _PLUS_LINE:
            return [*self.words, f"+{line}", str(path)]
        return [*self.words, str(path)]


def find_editor(environ: Mapping[str, str]) -> Editor | None:
    """$VISUAL, then $EDITOR, then what is usually there; None where nothing of it can be started."""
    for variable in ("VISUAL", "EDITOR"):
        editor = _editor(environ.get(variable, ""))
        if editor is not None:
            return editor
    found = next((editor for name in _OTHERWISE if (editor := _editor(name)) is not None), None)
    return None if found is None else replace(found, unasked=True)


def open_editor(path: Path, line: int | None, announce: Callable[[Text], None]) -> bool:
    """Open `path` in the learner's editor and wait; False where none could be started.

    One they have not set is announced before it takes the screen: which it is, how to save and to leave.
    """
    editor = find_editor(os.environ)
    if editor is None:
        return False
    if editor.unasked:
        leaving = phrases.LEAVE_EDITOR.get(editor.name, same(""))
        announce(phrases.OPENS_IN.with_(editor=editor.name) + leaving)
    return run_editor(editor, path, line)


def run_editor(editor: Editor, path: Path, line: int | None) -> bool:
    """Open the file and wait for the command to return; False where it could not be started.

    Ctrl-C belongs to the editor meanwhile. An editor that ends with an error has still been started.
    """

    def leave_to_the_editor(_signal: int, _frame: FrameType | None) -> None:
        return None

    before = signal.signal(
        signal.SIGINT, leave_to_the_editor
    )  # a handler, not SIG_IGN: that would be inherited
    try:
        subprocess.run(editor.command(path, line), check=False)
    except OSError:
        return False
    finally:
        signal.signal(signal.SIGINT, before)
    return True


def _editor(setting: str) -> Editor | None:
    try:
        words = shlex.split(setting, posix=os.name != "nt")
    except ValueError:  # an unclosed quote
        return None
    if not words or shutil.which(words[0]) is None:
        return None
    return Editor(Path(words[0]).stem.lower(), tuple(words))
