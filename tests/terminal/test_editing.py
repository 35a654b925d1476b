"""The learner's `$EDITOR` on a real terminal: it waits, or returns at once, or is not there."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pagetutor.content.model import Course
from pagetutor.text import Language, Text, same
from tests.terminal import said
from tests.terminal.learner import PATIENCE_S, Learner, Place
from tests.terminal.writing import DECODE, FLOOR, GATHER, PREFILL, line_of, write

LAST_CASE = Text(zh="第三个：", en="Third: ")
NO_EDITOR = Text(
    zh="打不开编辑器：自己打开 {path}，或者先设好 EDITOR 环境变量。",
    en="No editor could be started: open {path} yourself, or set EDITOR first.",
)


@pytest.mark.parametrize("language", list(Language))
def test_an_editor_that_edits_and_returns(language: Language, place: Place, course: Course) -> None:
    mended = written_elsewhere(place, course)
    editor = a_script(place, "scribe", f'cp "{mended}" "$1"\necho "edited $# file"')
    with at_the_exercise(place, language, EDITOR=str(editor)) as learner:
        learner.chooses(said.EDIT)
        learner.reads("edited 1 file", said.SAVE_FIRST)
        learner.chooses(said.CHECK)
        learner.reads(said.WHOLE_PASSED)
        learner.leaves()
        assert learner.ends() == 0
        assert not learner.terminal.cursor_is_hidden
    assert place.file.read_bytes() == mended.read_bytes()


def test_an_editor_that_returns_at_once_is_opened_at_the_mistake_s_line(place: Place, course: Course) -> None:
    """Like VS Code's `code`: the command is back before anything is saved."""
    mended = written_elsewhere(place, course)
    told, go = place.home.with_name("told"), place.home.with_name("go")
    later = f'while [ ! -e "{go}" ]; do sleep 0.05; done; cp "{mended}" "{place.file}"'
    editor = a_script(place, "code", f'echo "$@" > "{told}"\n( {later} ) </dev/null >/dev/null 2>&1 &')
    wrong = write(place, course, PREFILL, DECODE, GATHER, wrong=FLOOR)
    line = line_of(place.file, "needed_blocks = req.seq_len // self.block_size")
    with at_the_exercise(place, Language.EN, VISUAL=str(editor)) as learner:
        learner.chooses(said.CHECK)
        learner.reads(said.WHOLE_FAILED, f"Look at line {line}")
        learner.chooses(said.EDIT)
        learner.reads(said.SAVE_FIRST)
        assert told.read_text(encoding="utf-8").split() == ["--goto", f"{place.file}:{line}"]
        assert place.file.read_bytes() == wrong
        learner.menu()
        go.touch()
        _until_saved(place, mended.read_bytes())
        learner.chooses(said.CHECK)
        learner.reads(said.WHOLE_PASSED)
        learner.leaves()
        assert learner.ends() == 0


@pytest.mark.parametrize("language", list(Language))
def test_where_no_editor_can_be_started_the_file_is_named(language: Language, place: Place) -> None:
    with at_the_exercise(place, language, EDITOR="no-such-editor", PATH="/nowhere") as learner:
        learner.chooses(said.EDIT)
        learner.reads(NO_EDITOR.with_(path=place.file))
        learner.leaves()
        assert learner.ends() == 0


@contextmanager
def at_the_exercise(place: Place, language: Language, **environ: str) -> Iterator[Learner]:
    """A learner who has come to the menu of the whole exercise."""
    words = ("mission", "final", "--lang", language)
    with Learner(place, language, words, environ=environ) as learner:
        learner.goes_on("s")
        learner.reads(LAST_CASE, same(str(place.file)))
        yield learner


def written_elsewhere(place: Place, course: Course) -> Path:
    """A right file, which an editor can put in the place of the learner's."""
    write(place, course, PREFILL, DECODE, GATHER)
    return place.file.rename(place.home.with_name("mended.py"))


def a_script(place: Place, name: str, body: str) -> Path:
    """A command of this name."""
    script = place.home.with_name(name)
    script.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    script.chmod(0o755)
    return script


def _until_saved(place: Place, source: bytes) -> None:
    patience = time.monotonic() + PATIENCE_S
    while place.file.read_bytes() != source:
        assert time.monotonic() < patience, "the editor never saved"
        time.sleep(0.02)
