"""The learner's editor: found, told the line, started for real."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagetutor.text import Text
from pagetutor.ui.screen.editor import Editor, find_editor, open_editor
from tests.hostile.place import squeezed
from tests.ui.pty_screen import Terminal

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
    assert open_editor(file, 3, _unwanted)
    assert file.read_text() == "x\nedited\n"


def test_no_editor_at_all_is_said_by_false(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.delenv("EDITOR", raising=False)
    assert not open_editor(tmp_path / "x.py", None, _unwanted)


def _unwanted(said: Text) -> None:
    raise AssertionError(said.en)


OPENS = {
    "zh": (
        "vi",
        "没有设好能用的编辑器（EDITOR），这就用 vi 打开。按 i 开始改；改完按 Esc，再输入 :wq 回车，保存并退出"
        "（不想保存就用 :q!）。",
    ),
    "en": (
        "nano",
        "No editor that can be started is set (EDITOR), so the file opens in nano. Ctrl-O and Enter save, "
        "Ctrl-X leaves it.",
    ),
}


@pytest.mark.parametrize("language", OPENS)
@pytest.mark.parametrize("flags", [[], ["--plain"]])
def test_an_editor_nobody_has_set_is_announced_with_how_to_leave_it(
    tmp_path: Path, language: str, flags: list[str]
) -> None:
    name, said = OPENS[language]
    editor = tmp_path / name
    editor.write_text("#!/bin/sh\necho opened $1\n")
    editor.chmod(0o755)
    environ = {"PATH": str(tmp_path), "EDITOR": "no-such-editor"}
    with Terminal(["-m", "tests.ui.asking", language, "edit", *flags], environ=environ) as terminal:
        terminal.wait_for("q 离开）" if language == "zh" else "q leave)")
        assert squeezed(said) in squeezed(terminal.screen.replace("`", ""))
        assert "opened" not in terminal.seen
        terminal.press("enter")
        terminal.wait_for("opened x.py")
        terminal.wait_for("RESULT True")
