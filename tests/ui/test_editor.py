"""The learner's editor: found, told the line, started for real."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagetutor.ui.screen.editor import Editor, find_editor, open_editor

FILE = Path("block manager.py")


@pytest.mark.parametrize(
    ("words", "command"),
    [
        (("vim",), ["vim", "+31", str(FILE)]),
        (("nano", "-w"), ["nano", "-w", "+31", str(FILE)]),
        (("code", "--wait"), ["code", "--wait", "--goto", f"{FILE}:31"]),
        (("hx",), ["hx", f"{FILE}:31"]),
        (("my-editor",), ["my-editor", str(FILE)]),
    ],
)
def test_an_editor_is_told_the_line_in_its_own_way(words: tuple[str, ...], command: list[str]) -> None:
    assert Editor(words[0], words).command(FILE, 31) == command


def test_visual_comes_before_editor_and_words_are_split() -> None:
    editor = find_editor({"VISUAL": "sh -c 'exit 0'", "EDITOR": "cat"})
    assert editor == Editor("sh", ("sh", "-c", "exit 0"))


def test_an_editor_that_is_not_there_falls_back() -> None:
    assert find_editor({"VISUAL": "no-such-editor", "EDITOR": "cat"}) == Editor("cat", ("cat",))
    assert find_editor({"VISUAL": "'unclosed", "EDITOR": "cat"}) == Editor("cat", ("cat",))


def test_the_editor_really_gets_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "my editor"
    script.write_text('#!/bin/sh\necho edited >> "$1"\n')
    script.chmod(0o755)
    file = tmp_path / "block_manager.py"
    file.write_text("x\n")
    monkeypatch.setenv("VISUAL", f"'{script}'")
    assert open_editor(file, 3)
    assert file.read_text() == "x\nedited\n"


def test_no_editor_at_all_is_said_by_false(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.delenv("EDITOR", raising=False)
    assert not open_editor(tmp_path / "x.py", None)
