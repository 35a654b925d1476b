"""Hostile files: the verdict is the one the same code gets elsewhere, where it can be read at all."""

from __future__ import annotations

import itertools
import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from pagetutor.text import Text
from tests.hostile.place import CAN_BE_POWERLESS, SOLUTION, STARTER, Place
from tests.long import some_long

# ── what cannot be read ──────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Row:
    """Something in the place of the file, and what is said of it."""

    make: Callable[[Path], object]
    reason: str
    line: int | None
    say: Text


UTF_16 = Text(
    zh="文件存成了 UTF-16，Python 读不了。请在编辑器里选“另存为 UTF-8”，再检查一次。",
    en="The file is saved as UTF-16, which Python cannot read. Save it as UTF-8 and check again.",
)
NUL_LINE = SOLUTION[: SOLUTION.index("needed_blocks")].count("\n") + 1
ROWS = {
    "a folder of that name": Row(
        lambda file: file.mkdir(),
        "unreadable",
        None,
        Text(
            zh="`block_manager.py` 是一个文件夹，不是文件。给它改个名，再运行 `pagetutor start`。",
            en="`block_manager.py` is a folder, not a file. Rename it, then run `pagetutor start`.",
        ),
    ),
    "a pipe": Row(
        os.mkfifo,
        "unreadable",
        None,
        Text(
            zh="`block_manager.py` 不是普通文件（是管道或设备）。给它改个名，再运行 `pagetutor start`。",
            en="`block_manager.py` is no ordinary file but a pipe or a device. Rename it, then run "
            "`pagetutor start`.",
        ),
    ),
    "a file of 20 MB": Row(
        lambda file: file.write_bytes(b"# " + b"x" * (20 << 20)),
        "unreadable",
        None,
        Text(
            zh="`block_manager.py` 有 20 MB，作为这道练习的文件太大了。看看是不是存错了内容。",
            en="`block_manager.py` is 20 MB: far too big for this exercise. See whether something else "
            "was saved into it.",
        ),
    ),
    "a NUL byte": Row(
        lambda file: file.write_bytes(SOLUTION.encode().replace(b"needed_blocks", b"needed\0_blocks", 1)),
        "encoding",
        NUL_LINE,
        Text(
            zh=f"第 {NUL_LINE} 行混进了一个看不见的空字节（NUL），Python 不接受。删掉这一行，重新敲一遍。",
            en=f"Line {NUL_LINE} holds an invisible NUL byte, which Python refuses. "
            "Delete that line and type it again.",
        ),
    ),
    "UTF-16": Row(lambda file: file.write_bytes(SOLUTION.encode("utf-16")), "encoding", 1, UTF_16),
    "UTF-16 without its mark": Row(
        lambda file: file.write_bytes(SOLUTION.encode("utf-16-le")), "encoding", 1, UTF_16
    ),
    "Latin-1": Row(
        lambda file: file.write_bytes("# café à côté\n".encode("latin-1") + SOLUTION.encode()),
        "encoding",
        1,
        Text(
            zh="第 1 行不是 UTF-8，看起来是 Latin-1。请在编辑器里选“另存为 UTF-8”，再检查一次。",
            en="Line 1 is not UTF-8; it looks like Latin-1. Save the file as UTF-8 and check again.",
        ),
    ),
    "GBK without a cookie": Row(
        lambda file: file.write_bytes("# 块管理器\n".encode("gbk") + SOLUTION.encode()),
        "encoding",
        1,
        Text(
            zh="第 1 行不是 UTF-8，看起来是 GBK。请在编辑器里选“另存为 UTF-8”，再检查一次。",
            en="Line 1 is not UTF-8; it looks like GBK. Save the file as UTF-8 and check again.",
        ),
    ),
}


@pytest.mark.parametrize("name", some_long(ROWS, each=2))
def test_what_cannot_be_read_has_its_own_sentence(place: Place, name: str) -> None:
    row = ROWS[name]
    row.make(place.file)
    document = place.check()
    assert (document["verdict"], document["reason"], document["line"]) == ("broken", row.reason, row.line)
    place.says(row.say)


@pytest.mark.skipif(not CAN_BE_POWERLESS, reason="root reads everything, and setpriv is not here")
def test_a_file_that_may_not_be_read_is_said_with_how_to_open_it(place: Place) -> None:
    place.file.write_text(SOLUTION)
    place.file.chmod(0)
    document = place.check(powerless=True)
    assert (document["verdict"], document["reason"]) == ("broken", "unreadable")
    place.says(
        Text(
            zh="`block_manager.py` 读不了（Permission denied）。让自己有读它的权限（`chmod u+r "
            "block_manager.py`），再检查一次。",
            en="`block_manager.py` cannot be read (Permission denied). Give yourself the right to read it "
            "(`chmod u+r block_manager.py`) and check again.",
        ),
        powerless=True,
    )


GONE: dict[str, tuple[Callable[[Path], object], str]] = {
    "no file": (
        lambda file: None,
        "{folder} 里没有 `block_manager.py`。先运行 `pagetutor start`，起始文件就放到当前文件夹里了。",
    ),
    "a dangling link": (
        lambda file: file.symlink_to("nowhere.py"),
        "{folder} 里的 `block_manager.py` 是一个链接，指向的文件已经不在了。删掉这个链接，再运行 "
        "`pagetutor start`。",
    ),
}


@pytest.mark.parametrize("name", GONE)
def test_a_file_that_is_not_there_is_status_3(place: Place, name: str) -> None:
    make, said = GONE[name]
    make(place.file)
    ran = place.run("check", "1", "--json", "--lang", "zh")
    assert (ran.status, ran.err) == (3, "")
    assert ran.document["error"] == {"code": 3, "say": said.format(folder=place.folder)}


@pytest.mark.parametrize("source", ["", "\n \n", "# nothing yet\n", '"""Mine."""\nimport torch\n', STARTER])
def test_nothing_done_yet_is_unfilled(place: Place, source: str) -> None:
    place.file.write_text(source)
    assert place.check()["verdict"] == "unfilled"


# ── what can be read ─────────────────────────────────────────────────────────────────────────────

READABLE = {
    "a byte order mark": b"\xef\xbb\xbf" + SOLUTION.encode(),
    "Windows newlines": SOLUTION.replace("\n", "\r\n").encode(),
    "GBK with a cookie": "# coding: gbk\n# 块管理器\n".encode("gbk") + SOLUTION.encode(),
    "tabs": SOLUTION.replace("    ", "\t").encode(),
    "5 MB": SOLUTION.encode() + b"# " + b"x" * 79 * 65536,
}


@pytest.mark.parametrize("name", some_long(READABLE, each=2))
def test_how_it_is_written_changes_no_verdict(place: Place, name: str) -> None:
    place.file.write_bytes(READABLE[name])
    assert place.check()["verdict"] == "passed"


# All that a shell, a template or a pattern may take for its own in one name; a long one; two of Python's.
PATHS = ["with space quo'te\"s [x] {a:b:c} 块管理器 %41 %s", "y" * 250, "test/torch"]


@pytest.mark.parametrize("name", PATHS, ids=["marks", "long", "modules"])
def test_no_name_of_a_folder_changes_a_verdict(place: Place, name: str) -> None:
    file = place.folder / name / "block_manager.py"
    file.parent.mkdir(parents=True)
    file.write_text(SOLUTION)
    assert Place(file.parent, place.home, place.scratch).check()["verdict"] == "passed"


@pytest.mark.parametrize("name", ["[x] 块 %s.py", "torch.py"])
def test_a_file_of_any_name_is_checked(place: Place, name: str) -> None:
    (place.folder / name).write_text(SOLUTION)
    document = place.check(name)
    assert (document["verdict"], document["file"]) == ("passed", name)


def test_what_lies_beside_the_file_shadows_nothing(place: Place) -> None:
    for name in ("torch", "random", "typing", "test", "json", "conftest", "pagetutor", "yaml", "rich"):
        (place.folder / f"{name}.py").write_text("raise SystemExit('shadowed')\n")
    (place.folder / "pytest.ini").write_text("[pytest]\naddopts = --nonsense\n")
    (place.folder / "pyproject.toml").write_text("nonsense")
    place.file.write_text(SOLUTION)
    assert place.check()["verdict"] == "passed"
    place.file.write_text(SOLUTION.replace("+ self.block_size - 1", "", 1))
    assert place.check()["verdict"] == "failed"


def test_nor_for_python_m_pagetutor(place: Place) -> None:
    """Which has the working folder first on its path: but for a `pagetutor.py`, that is undone."""
    for name in ("torch", "random", "test", "json", "conftest", "yaml", "rich", "typer"):
        (place.folder / f"{name}.py").write_text("raise SystemExit('shadowed')\n")
    place.file.write_text(STARTER)
    ran = place.run("check", "1", "--json", program=(sys.executable, "-m", "pagetutor"))
    assert ran.document["verdict"] == "unfilled"


def test_a_link_to_the_file_is_followed(place: Place) -> None:
    (place.folder / "real.py").write_text(SOLUTION)
    place.file.symlink_to("real.py")
    assert place.check()["verdict"] == "passed"


def test_a_file_replaced_within_the_same_second_is_judged_on_the_new_text(place: Place) -> None:
    """Same length, same second; twenty times in a row is `python -m tests.soak edits`."""
    for digit, verdict in (("0", "failed"), ("1", "passed"), ("0", "failed")):
        place.file.write_text(SOLUTION.replace("% self.block_size) == 1", f"% self.block_size) == {digit}"))
        os.utime(place.file, (1_000_000_000, 1_000_000_000))
        assert place.check(mission="2")["verdict"] == verdict


def test_a_file_replaced_while_it_is_read_is_the_old_or_the_new_and_never_half_of_each(place: Place) -> None:
    """What is judged is what was read at once, however often the file is saved meanwhile."""
    halves = (SOLUTION, SOLUTION.replace("+ self.block_size - 1", "", 1))
    with saved_over_and_over(place.file, halves):
        ran = place.run("check", "1", "--json")
    assert ran.err == ""
    document = ran.document
    outcomes = [test["outcome"] for test in document["tests"]]
    assert document["verdict"] == ("passed" if set(outcomes) == {"passed"} else "failed")
    assert "not_run" not in outcomes


def test_a_file_that_comes_and_goes_is_there_or_not_there_and_nothing_else(place: Place) -> None:
    with saved_over_and_over(place.file, (STARTER, None)):
        ended = [place.run("check", "1", "--json", "--lang", "en") for _ in range(3)]
    for ran in ended:
        assert (ran.status, ran.err) in ((1, ""), (3, ""))
        if ran.status == 1:
            assert ran.document["verdict"] == "unfilled"
        else:
            assert ran.document["error"]["say"].startswith(
                f"There is no `block_manager.py` in {place.folder}. "
            )


@contextmanager
def saved_over_and_over(file: Path, contents: Sequence[str | None]) -> Iterator[None]:
    """Each of these in the file's place in turn, thousands of times a second; None is no file."""
    fresh = file.with_name("fresh")
    done = threading.Event()

    def save() -> None:
        for content in itertools.cycle(contents):
            if content is None:
                file.unlink(missing_ok=True)
            else:
                fresh.write_text(content)
                fresh.replace(file)
            if done.wait(0.0005):
                return

    saving = threading.Thread(target=save)
    saving.start()
    try:
        yield
    finally:
        done.set()
        saving.join()
