"""Watching as a real process on a real terminal, with files saved as editors save them."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pagetutor.store.events import LanguageChosen, PartDone, PrologueSeen
from pagetutor.store.history import History
from pagetutor.tutor.parts import Step
from tests.cli.command import Command
from tests.long import LONG
from tests.ui.pty_screen import Terminal

RIGHT = (Path(__file__).resolve().parents[2] / "missions" / "solution.py").read_bytes()
WRONG = RIGHT.replace(b") == 1", b") == 0")
# Found without a process, so that saves can follow one another quickly; the line is quoted.
OPEN_0, OPEN_1 = (RIGHT.replace(b") == 1", b") == %d  )" % digit) for digit in (0, 1))
ENDLESS = RIGHT.replace(b"import torch\n", b"import torch\nwhile True: pass\n", 1)
RESULT = re.compile(r"──── \d\d:\d\d:\d\d ─")
FAILING = re.compile(r"Watching block_manager\.py · last checked \d\d:\d\d:\d\d · not passing yet\n")
KEPT = "Everything you did is kept. pagetutor mission 2 goes on from here."
PASSED = "Passed: block_manager.py is no longer watched"


KEYS = "r run   h hint   t replay   m full report   l list   q leave"


class Watching(Terminal):
    """`pagetutor watch 2` on a terminal."""

    def __init__(self, pagetutor: Command, *words: str, rows: int = 50, language: str = "en") -> None:
        self.file = pagetutor.folder / "block_manager.py"
        super().__init__(
            ["-m", "pagetutor", "watch", *(words or ("2",)), "--lang", language],
            cwd=pagetutor.folder,
            rows=rows,
            environ={"PAGETUTOR_HOME": str(pagetutor.home)},
            patience_s=20,
        )

    @property
    def results(self) -> int:
        """How many results were shown so far."""
        return len(RESULT.findall(self.seen))

    def wait_for_result(self, number: int) -> None:
        """Wait until so many results were shown, and the line stands below the last."""
        self.wait_until(
            lambda: self.results >= number and "Checking" not in self.screen and "   q leave" in self.screen,
            f"result {number} never came",
        )
        assert self.results == number

    def stays_quiet(self, seconds: float = 0.6) -> None:
        """Read on for so long: what would have come by then has come."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self.child.timeout = 0.05
            patience, self._patience_s = self._patience_s, 0.05
            self._read()
            self._patience_s = patience


@pytest.fixture
def file(pagetutor: Command) -> Path:
    file = pagetutor.folder / "block_manager.py"
    file.write_bytes(WRONG)
    return file


# ── saves ────────────────────────────────────────────────────────────────────────────────────────


def in_place(file: Path, content: bytes) -> None:
    file.write_bytes(content)


def by_rename(file: Path, content: bytes) -> None:
    """As vim does with `backupcopy=no`: the old file is moved away, a new one made, the old one removed."""
    backup = file.with_suffix(".py~")
    file.rename(backup)
    file.write_bytes(content)
    backup.unlink()


def through_a_temporary_file(file: Path, content: bytes) -> None:
    beside = file.with_suffix(".tmp")
    beside.write_bytes(content)
    os.utime(beside, ns=(0, 0))
    beside.replace(file)


def through_absence(file: Path, content: bytes) -> None:
    file.unlink()
    time.sleep(0.15)
    file.write_bytes(content)


def truncated_first(file: Path, content: bytes) -> None:
    with file.open("wb") as stream:
        stream.flush()
        time.sleep(0.15)
        stream.write(content[:400])
        stream.flush()
        time.sleep(0.02)
        stream.write(content[400:])


def through_a_link(file: Path, content: bytes) -> None:
    elsewhere = file.with_name(f"version-{time.monotonic_ns()}.py")
    elsewhere.write_bytes(content)
    file.unlink()
    file.symlink_to(elsewhere.name)


def by_sed(file: Path, content: bytes) -> None:
    old, new = ("0", "1") if content == OPEN_1 else ("1", "0")
    subprocess.run(["sed", "-i", f"s/) == {old}/) == {new}/", str(file)], check=True)
    assert file.read_bytes() == content


def by_vi(file: Path, content: bytes) -> None:
    old, new = ("0", "1") if content == OPEN_1 else ("1", "0")
    script = f"%s/) == {old}/) == {new}/\nwq\n"
    subprocess.run(["vi", "-e", "-s", str(file)], input=script, text=True, check=True)
    assert file.read_bytes() == content


def by_ed(file: Path, content: bytes) -> None:
    old, new = ("0", "1") if content == OPEN_1 else ("1", "0")
    script = f",s/) == {old}/) == {new}/\nw\nq\n"
    subprocess.run(["ed", "-s", str(file)], input=script, text=True, check=True)
    assert file.read_bytes() == content


SAVES: tuple[Callable[[Path, bytes], None], ...] = (
    *(in_place, by_rename, through_a_temporary_file, through_absence, truncated_first, by_sed),
    *((by_vi,) if shutil.which("vi") else ()),
    *((by_ed,) if shutil.which("ed") else ()),
    through_a_link,  # last: afterwards the file is one
)


def test_each_way_to_save_is_one_result_on_the_new_text(pagetutor: Command, file: Path) -> None:
    file.write_bytes(OPEN_0)
    with Watching(pagetutor) as terminal:
        terminal.wait_for_result(1)
        for save in SAVES:
            count = terminal.results
            for number, content in enumerate((OPEN_1, OPEN_0), start=1):
                save(file, content)
                terminal.wait_for_result(count + number)
                assert f") == {number % 2}  )" in terminal.screen.rpartition("────")[2], save.__name__
            terminal.stays_quiet(0.2)
            assert terminal.results == count + 2, save.__name__
        terminal.press("q")
        assert terminal.end() == 0


@LONG
def test_twenty_edits_of_equal_length_within_seconds_are_each_judged_on_the_new_text(
    pagetutor: Command, file: Path
) -> None:
    with Watching(pagetutor) as terminal:
        terminal.wait_for_result(1)
        for number in range(20):
            file.write_bytes((OPEN_0, OPEN_1)[number % 2])
            os.utime(file, (1_000_000_000, 1_000_000_000))
            terminal.wait_for_result(number + 2)
            assert f") == {number % 2}  )" in terminal.screen.rpartition("────")[2]
        terminal.press("q")
        assert terminal.end() == 0


def test_a_pass_is_the_end_until_a_run_is_asked_for(pagetutor: Command, file: Path) -> None:
    with Watching(pagetutor) as terminal:
        terminal.wait_for_result(1)
        assert FAILING.search(terminal.screen)
        file.write_bytes(RIGHT)
        terminal.wait_for_result(2)
        assert "✓ Mission 2 · passed · 13 of 13 tests pass" in terminal.screen
        assert PASSED in terminal.screen
        file.write_bytes(WRONG)
        terminal.stays_quiet()
        assert terminal.results == 2
        terminal.press("r")
        terminal.wait_for_result(3)
        assert FAILING.search(terminal.screen)
        terminal.press("ctrl-d")
        assert terminal.end() == 0


def test_a_file_that_is_not_there_yet_or_gone_is_waited_for(pagetutor: Command) -> None:
    with Watching(pagetutor) as terminal:
        file = terminal.file
        terminal.wait_for("There is no block_manager.py now")
        assert terminal.results == 0
        file.write_bytes(WRONG)
        terminal.wait_for_result(1)
        file.unlink()
        terminal.wait_for("There is no block_manager.py now")
        assert "The smallest case that fails" in terminal.screen  # the last result stays
        file.mkdir()
        terminal.wait_for_result(2)
        assert "block_manager.py is a folder, not a file." in terminal.screen.replace("\n", " ")
        file.rmdir()
        file.write_bytes(RIGHT)
        terminal.wait_for(PASSED)


def test_a_save_during_a_check_ends_it_at_once(pagetutor: Command, file: Path) -> None:
    file.write_bytes(ENDLESS)
    with Watching(pagetutor, "2", "--deadline", "300") as terminal:
        terminal.wait_for("Checking block_manager.py")
        terminal.stays_quiet(1.5)
        assert terminal.results == 0
        file.write_bytes(RIGHT)
        terminal.wait_for_result(1)
        assert PASSED in terminal.screen
        terminal.press("q")
        assert terminal.end() == 0
    assert not _processes_of(pagetutor)


# ── keys ─────────────────────────────────────────────────────────────────────────────────────────


def test_keys_pressed_during_a_run_do_nothing_later(pagetutor: Command, file: Path) -> None:
    file.write_bytes(ENDLESS)
    with Watching(pagetutor, "2", "--deadline", "1") as terminal:
        terminal.wait_for("Checking block_manager.py")
        terminal.press("r", "h", "l", "n", "l")
        terminal.wait_for_result(1)
        terminal.stays_quiet()
        assert terminal.results == 1
        assert "the file cannot be loaded" in terminal.screen
        assert "Level 22" not in terminal.screen


def test_quit_and_ctrl_c_end_a_run_that_would_never_end(pagetutor: Command, file: Path) -> None:
    file.write_bytes(ENDLESS)
    for key, status in (("q", 0), ("ctrl-c", 130)):
        with Watching(pagetutor, "2", "--deadline", "300") as terminal:
            terminal.wait_for("Checking block_manager.py")
            terminal.stays_quiet(1.5)
            terminal.press(key)
            assert terminal.end() == status
            assert "Traceback" not in terminal.seen
            assert "\x1b[?2004l" in terminal.seen
            assert KEPT in terminal.screen.replace("`", "")
            assert not terminal.cursor_is_hidden
    assert not _processes_of(pagetutor)


def test_hint_list_and_quit(pagetutor: Command, file: Path) -> None:
    with Watching(pagetutor) as terminal:
        terminal.wait_for_result(1)
        terminal.press("ｌ")  # as a Chinese input method types it
        terminal.wait_for("0 of 4 passed")
        terminal.press("\x1b[H", "\x1b[C", "\x1b[200~q\x1b[201~", "x")  # Home, right, a pasted q
        terminal.press("h")
        terminal.wait_for("The next hint opens once you change the code")
        terminal.wait_until(lambda: "   q leave" in terminal.screen, "the line did not come back")
        terminal.press("h", "h")
        terminal.stays_quiet()
        terminal.press("esc")
        assert terminal.end() == 0


def test_after_a_save_the_whole_finding_stands_on_a_small_screen_and_m_tells_the_rest(
    pagetutor: Command, file: Path
) -> None:
    with Watching(pagetutor, rows=24) as terminal:
        terminal.wait_for_result(1)
        rows = terminal.screen.split("\n")
        assert re.match("──── ", next(row for row in rows if row))
        told = [
            "✗ Mission 2",
            "expected ",
            "got ",
            "(decode.remainder-zero)",
            "^^^^",
            "As soon as a block is full",
        ]
        assert [words for words in told if words not in terminal.screen] == []
        assert "pagetutor" not in terminal.screen
        assert "A few lines to reproduce it" not in terminal.screen
        terminal.press("m")
        terminal.wait_for("More below: (Enter goes on, q goes back)")
        assert "✗ Mission 2" in terminal.screen
        while "For a deeper hint: h" not in terminal.screen:
            pages = terminal.seen.count("More below")
            terminal.press("\r")
            terminal.wait_until(
                lambda pages=pages: terminal.seen.count("More below") > pages or KEYS in terminal.screen,  # type: ignore[misc]
                "no further page",
            )
        assert "A few lines to reproduce it" in terminal.scrolled + terminal.screen
        terminal.wait_for(KEYS)


def test_who_has_read_enough_of_the_full_report_goes_back_to_watching(pagetutor: Command, file: Path) -> None:
    with Watching(pagetutor, rows=24, language="zh") as terminal:
        terminal.wait_for("m 完整报告")
        terminal.press("m")
        terminal.wait_for("下面还有：（回车继续，q 回去）")
        terminal.press("q")
        terminal.wait_for("m 完整报告   l 列表   q 离开")
        assert "几行代码就能重现" not in terminal.scrolled + terminal.screen
        terminal.file.write_bytes(RIGHT)
        terminal.wait_for("通过了，不再盯着 block_manager.py")


def test_next_goes_on_with_the_next_mission(pagetutor: Command, file: Path) -> None:
    file.write_bytes(RIGHT)
    with Watching(pagetutor, "2") as terminal:
        terminal.wait_for("n next")
        terminal.press("n")
        terminal.wait_for("Enter goes on")


def test_ctrl_z_gives_the_terminal_back_and_fg_goes_on(pagetutor: Command, file: Path) -> None:
    bash = shutil.which("bash")
    assert bash is not None
    with Terminal(
        ["--norc", "-i"],
        program=bash,
        cwd=pagetutor.folder,
        rows=50,
        environ={"PAGETUTOR_HOME": str(pagetutor.home), "PS1": "shell> "},
        patience_s=20,
    ) as terminal:
        terminal.wait_for("shell>")
        terminal.press(f"{sys.executable} -m pagetutor watch 2 --lang en", "enter")
        terminal.wait_until(lambda: FAILING.search(terminal.screen) is not None, "no result")
        terminal.press("\x1a")
        terminal.wait_for("Stopped")
        _shows_what_is_typed(terminal, 1)
        file.write_bytes(RIGHT)
        terminal.press("fg", "enter")
        terminal.wait_for(PASSED)
        terminal.press("q")
        terminal.wait_until(lambda: terminal.screen.rstrip().endswith("shell>"), "no shell")
        terminal.press("echo status $?", "enter")
        terminal.wait_for("status 0")
        _shows_what_is_typed(terminal, 2)


def _shows_what_is_typed(terminal: Terminal, times: int) -> None:
    """The shell's terminal echoes and takes whole lines, and has said so for the n-th time."""
    terminal.press("stty -a | tr ' ;' '\\n\\n' | grep -xE -- '-?(echo|icanon)' | paste -sd+", "enter")
    terminal.wait_until(
        lambda: len(re.findall(r"^icanon\+echo$", terminal.screen, re.M)) == times, "the terminal is changed"
    )


# ── in the lesson ────────────────────────────────────────────────────────────────────────────────


def test_in_the_exercise_watching_ends_with_the_pass_and_the_menu_goes_on(
    pagetutor: Command, file: Path
) -> None:
    steps = [PartDone("2", step.value) for step in Step if step is not Step.EXERCISE]
    History(pagetutor.home / "history.db").append(LanguageChosen("en"), PrologueSeen(skipped=True), *steps)
    with Terminal(
        ["-m", "pagetutor", "mission", "2"],
        cwd=pagetutor.folder,
        rows=60,
        environ={"PAGETUTOR_HOME": str(pagetutor.home)},
        patience_s=20,
    ) as terminal:
        terminal.wait_for("2) Check on every save")
        terminal.press("2", "enter")
        terminal.wait_until(lambda: FAILING.search(terminal.screen) is not None, "no result")
        terminal.press("q")
        terminal.wait_for("q) leave")
        assert "Watching" not in terminal.screen
        terminal.press("2", "enter")
        terminal.wait_until(lambda: FAILING.search(terminal.screen) is not None, "no result")
        file.write_bytes(RIGHT)
        terminal.wait_for("1) Go on to Mission 3")
        terminal.wait_for("q) leave")
        assert "✓ Mission 2 · passed" in terminal.scrolled
        terminal.press("q", "enter")
        assert terminal.end() == 0
    events = [record.event for record in History(pagetutor.home / "history.db").records()]
    assert PartDone("2", "exercise") in events


# ── the terminal ─────────────────────────────────────────────────────────────────────────────────


def test_a_resize_draws_the_line_anew(pagetutor: Command, file: Path) -> None:
    with Watching(pagetutor) as terminal:
        terminal.wait_for_result(1)
        seen = len(terminal.seen)
        terminal.child.setwinsize(50, 30)
        terminal.wait_until(lambda: len(terminal.seen) > seen, "nothing was drawn")
        terminal.stays_quiet(0.3)
        drawn = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", terminal.seen[seen:]).replace("\r\n", "\n")
        assert re.fullmatch(
            r"\rWatching block_manager\.py ·\nlast checked \d\d:\d\d:\d\d · not\npassing yet\n"
            r"r run   h hint   t replay\nm full report   l list\nq leave\r\r?",
            drawn,
        )


def test_a_low_terminal_shows_the_line_and_the_report_scrolls_without_a_key(
    pagetutor: Command, file: Path
) -> None:
    with Watching(pagetutor, rows=10) as terminal:
        terminal.wait_for_result(1)
        assert terminal.screen.rstrip().endswith(
            "r run   h hint   t replay   m full report   l list   q leave"
        )
        assert "✗ Mission 2 · not passing yet" in terminal.scrolled
        assert "More below" not in terminal.seen


def test_it_speaks_chinese(pagetutor: Command, file: Path) -> None:
    with Watching(pagetutor, language="zh") as terminal:
        terminal.wait_for("r 再查一次   h 提示   t 回放   m 完整报告   l 列表   q 离开")
        terminal.wait_until(
            lambda: (
                re.search(
                    r"正在盯着 block_manager\.py，一保存就检查 · 上次检查 \d\d:\d\d:\d\d · 还没通过",
                    terminal.screen,
                )
                is not None
            ),
            "no result",
        )
        terminal.file.write_bytes(RIGHT)
        terminal.wait_for("通过了，不再盯着 block_manager.py · 上次检查")
        terminal.wait_for("n 下一个   r 再查一次   l 列表   q 离开")


# ── without keys ─────────────────────────────────────────────────────────────────────────────────


def test_without_a_terminal_the_end_of_input_is_the_end(pagetutor: Command, file: Path) -> None:
    ran = pagetutor("watch", "2", "--lang", "en")
    assert ran.status == 1
    assert "\x1b" not in ran.out
    assert "✗ Mission 2 · not passing yet · 1 of 13 tests pass" in ran.out
    assert ran.out.endswith(
        "\nThere is no terminal here, so `block_manager.py` was checked and is not watched.\n\n"
    )
    assert "Watching" not in ran.out
    said = pagetutor("watch", "2", "--lang", "zh").out
    assert said.endswith("\n这里没有终端，`block_manager.py` 检查完就结束，不再盯着。\n\n")
    file.write_bytes(RIGHT)
    ran = pagetutor("watch", "2", "--lang", "en")
    assert ran.status == 0
    assert re.search(rf"\n{PASSED} · last checked \S+\n\n", ran.out)


def test_without_a_terminal_there_must_be_a_file(pagetutor: Command) -> None:
    ran = pagetutor("watch", "2", "--lang", "en")
    assert ran.status == 3
    assert ran.err == (
        f"pagetutor: There is no `block_manager.py` in {pagetutor.folder}. "
        "Run `pagetutor start` to put the starter into the current folder.\n"
    )


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "There is no folder {folder}/nodir, and so no `x.py` in it. See whether the path is right."),
        ("zh", "没有 {folder}/nodir 这个文件夹，也就没有里面的 `x.py`。看看路径写对了没有。"),
    ],
)
@pytest.mark.parametrize("verb", ["watch", "check", "hint", "replay"])
def test_a_folder_that_is_not_there_is_named(pagetutor: Command, verb: str, language: str, said: str) -> None:
    ran = pagetutor(verb, "1", "nodir/x.py", "--lang", language)
    assert (ran.status, ran.err) == (3, f"pagetutor: {said.format(folder=pagetutor.folder)}\n")


def test_lines_on_a_pipe_are_keys_in_their_order(pagetutor: Command, file: Path) -> None:
    ran = pagetutor("watch", "2", "--lang", "en", typed="r\nl\nq\nl\n")
    assert ran.status == 0
    assert ran.out.count("not passing yet · 1 of 13 tests pass") == 2
    assert ran.out.count("0 of 4 passed") == 1


@LONG
def test_a_pipe_that_stays_open_gets_a_result_for_every_save_until_the_pass(
    pagetutor: Command, file: Path
) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "pagetutor", "watch", "all", "--lang", "en"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=pagetutor.folder,
        env=pagetutor.environ(),
        text=True,
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("Watching"):
                break
        file.write_bytes(RIGHT)
        rest = process.stdout.read()
        assert process.wait(30) == 0
    assert (
        "✓ Mission 1: passed\n✓ Mission 2: passed\n✓ Mission 3: passed\n✓ The official exercise: passed"
        in rest
    )
    assert "The whole exercise passes." in rest


@pytest.mark.parametrize("words", [("watch",), ("watch", "9"), ("watch", "2", "--deadline", "soon")])
def test_wrong_use_is_told_as_for_a_check(pagetutor: Command, words: tuple[str, ...]) -> None:
    ran = pagetutor(*words, "--lang", "en")
    assert ran.status == 2
    assert ran.err == pagetutor("check", *words[1:], "--lang", "en").err.replace(
        "pagetutor check", "pagetutor watch"
    )


def _processes_of(pagetutor: Command) -> list[str]:
    """Processes with this test's home that have not ended two seconds later."""
    mark = f"PAGETUTOR_HOME={pagetutor.home}".encode()
    until = time.monotonic() + 2
    while True:
        left = []
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                if mark in (entry / "environ").read_bytes().split(b"\0"):
                    left.append(entry.name)
            except OSError:
                continue
        if not left or time.monotonic() > until:
            return left
        time.sleep(0.05)


def test_a_tutor_killed_while_it_watches_leaves_no_process(pagetutor: Command, file: Path) -> None:
    file.write_bytes(ENDLESS)
    with Watching(pagetutor, "2", "--deadline", "300") as terminal:
        terminal.wait_for("Checking block_manager.py")
        terminal.stays_quiet(1.5)
        terminal.child.kill(signal.SIGKILL)
        terminal.end()
    assert not _processes_of(pagetutor)
