"""Hostile machines: the verdict is the one it gets elsewhere, and what was lost is one sentence."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pagetutor.store.history import History
from tests.hostile.place import CAN_BE_POWERLESS, PAGETUTOR, SOLUTION, STARTER, Place, squeezed
from tests.long import LONG

needs_permissions = pytest.mark.skipif(
    not CAN_BE_POWERLESS, reason="root may do everything, and setpriv is not here"
)


def can_mount() -> bool:
    if os.geteuid() != 0 or shutil.which("unshare") is None:
        return False
    tried = subprocess.run(
        ["unshare", "-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"], capture_output=True, check=False
    )
    return tried.returncode == 0


# ── home and folder ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("home", [None, "", "/proc/nowhere"])
@pytest.mark.parametrize("words", [["status"], ["show", "1", "diagram"], ["words"]])
def test_what_is_only_read_needs_no_home(place: Place, home: str | None, words: list[str]) -> None:
    ran = place.run(*words, PAGETUTOR_HOME=None, HOME=home)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out


UNSAVED = (
    "pagetutor: Your progress cannot be saved to {path} (No such file or directory), so what this command did is "
    "not recorded. Free some space, or set `PAGETUTOR_HOME` to a folder you can write to, and run it again.\n"
)


@pytest.mark.parametrize(
    ("words", "typed", "status"),
    [
        (["start"], None, 0),
        (["forget", "1"], "y\n", 0),
        (["reset", "file"], "y\n", 0),
        (["mission", "1", "--no-shuffle"], "1\n", 2),
        (["watch", "1"], "q\n", 0),
    ],
)
def test_what_writes_does_its_work_where_progress_has_no_place(
    place: Place, words: list[str], typed: str | None, status: int
) -> None:
    place.file.write_text(STARTER)
    ran = place.run(*words, "--lang", "en", typed=typed, PAGETUTOR_HOME=None, HOME="/proc/nowhere")
    assert ran.status == status
    records = words[0] in ("mission", "watch")
    unsaved = UNSAVED.format(path="/proc/nowhere/.local/state/pagetutor/history.db")
    told = squeezed(ran.out + ran.err)
    assert told.count(squeezed(unsaved.removeprefix("pagetutor: "))) == (1 if records else 0), ran
    assert "Traceback" not in ran.err
    assert place.file.read_text() == STARTER


@pytest.mark.skipif(not can_mount(), reason="needs a list of users of its own")
@pytest.mark.parametrize("known", ["known", "unknown"])
def test_with_home_unset_progress_lies_where_the_system_says_the_home_is(place: Place, known: str) -> None:
    home = place.home if known == "known" else Path("/proc/nowhere")
    users = place.scratch.with_name("passwd")
    users.write_text(f"root:x:0:0:root:{home}:/bin/sh\n")
    place.file.write_text(STARTER)
    program = (
        "unshare",
        "-m",
        "sh",
        "-c",
        f'mount --bind "{users}" /etc/passwd; exec {PAGETUTOR} "$@"',
        "sh",
    )
    ran = place.run("check", "1", "--lang", "en", PAGETUTOR_HOME=None, HOME=None, program=program)
    assert ran.status == 1
    path = home / ".local" / "state" / "pagetutor" / "history.db"
    assert path.exists() is (known == "known")
    assert ran.err == ("" if known == "known" else UNSAVED.format(path=path))


def test_a_home_that_cannot_be_made_costs_the_progress_and_no_verdict(place: Place) -> None:
    place.file.write_text(STARTER)
    ran = place.run("check", "1", "--json", "--lang", "en", PAGETUTOR_HOME="/proc/nowhere")
    assert ran.status == 1
    assert ran.document["verdict"] == "unfilled"
    assert ran.err == UNSAVED.format(path="/proc/nowhere/history.db")


@needs_permissions
def test_a_read_only_home_costs_the_progress_and_no_verdict(place: Place) -> None:
    place.home.mkdir(mode=0o555)
    place.file.write_text(SOLUTION)
    ran = place.run("check", "1", "--json", "--lang", "zh", powerless=True)
    assert (ran.status, ran.document["verdict"]) == (0, "passed")
    assert ran.err.startswith(f"pagetutor: 进度存不进 {place.home}/history.db（")
    assert ran.err.count("\n") == 1
    assert list(place.home.iterdir()) == []


@needs_permissions
def test_a_read_only_folder_is_checked_and_never_written_to(place: Place) -> None:
    place.file.write_text(SOLUTION)
    place.folder.chmod(0o555)
    assert place.check(powerless=True)["verdict"] == "passed"
    ran = place.run("reset", "file", typed="y\n", powerless=True)
    assert (ran.status, place.file.read_text()) == (3, SOLUTION)
    assert ran.err == (
        f"pagetutor: Nothing could be written in {place.folder} (Permission denied), and nothing was changed; "
        "go to a folder you can write to and run it again.\n"
    )


@needs_permissions
def test_no_starter_is_placed_in_a_read_only_folder_and_half_of_none(place: Place) -> None:
    place.folder.chmod(0o555)
    ran = place.run("start", "--lang", "zh", powerless=True)
    assert (ran.status, ran.out) == (3, "")
    assert ran.err == (
        f"pagetutor: 在 {place.folder} 里写不了文件（Permission denied），什么也没有改；换一个可写的文件夹，再运行"
        "一次。\n"
    )
    assert list(place.folder.iterdir()) == []


@needs_permissions
def test_a_read_only_folder_costs_no_answer_and_no_backup(place: Place) -> None:
    (place.folder / "block_manager.py.backup-1").write_text(SOLUTION)
    place.folder.chmod(0o555)
    before = place.contents()
    for words, typed in ((["mission", "final"], "s\n"), (["restore", "1"], "y\n")):
        ran = place.run(*words, "--lang", "en", typed=typed, powerless=True)
        assert ran.status == 3
        assert ran.err == (
            f"pagetutor: Nothing could be written in {place.folder} (Permission denied), and nothing was changed; "
            "go to a folder you can write to and run it again.\n"
        )
    ran = place.run("progress", "export", "mine.json", "--lang", "en", powerless=True)
    assert (ran.status, ran.err.count("\n")) == (3, 1)
    assert place.contents() == before
    assert [event["kind"] for event in place.run("progress", "export").document["events"]] == ["prologue"]


def test_a_folder_that_was_deleted_is_said(place: Place) -> None:
    ran = place.run("check", "1", program=("sh", "-c", f'rmdir "$PWD"; exec {PAGETUTOR} "$@"', "sh"))
    assert (ran.status, ran.out) == (3, "")
    assert ran.err == (
        "pagetutor: The folder you are in has been deleted. `cd` to another one and run this again.\n"
    )


# ── no space left ────────────────────────────────────────────────────────────────────────────────


def on_a_full_disk(place: Place, folder: Path, *words: str) -> tuple[int, str, list[str]]:
    """Status, stderr and what lies in `folder` afterwards, where that is a full disk."""
    folder.mkdir(exist_ok=True)
    ran = place.run(
        *words,
        program=(
            *("unshare", "-m", "sh", "-c"),
            f'mount -t tmpfs -o size=16k tmpfs "{folder}"; cd "{place.folder}"; head -c 16384 /dev/zero > "{folder}/fill"; '
            f'{PAGETUTOR} "$@"; ended=$?; ls -A "{folder}"; exit $ended',
            "sh",
        ),
    )
    return ran.status, ran.err, ran.out.split("\n")[-2:]


@pytest.mark.skipif(not can_mount(), reason="needs a disk of its own")
def test_a_full_disk_at_home_costs_the_progress_and_no_verdict(place: Place) -> None:
    place.file.write_text(STARTER)
    status, err, left = on_a_full_disk(place, place.home, "check", "1", "--lang", "en")
    assert status == 1
    assert err == (
        f"pagetutor: Your progress cannot be saved to {place.home}/history.db (database or disk is full), so what "
        "this command did is not recorded. Free some space, or set `PAGETUTOR_HOME` to a folder you can write "
        "to, and run it again.\n"
    )
    assert left[-1] == ""


@pytest.mark.skipif(not can_mount(), reason="needs a disk of its own")
def test_a_full_disk_gets_no_half_a_starter(place: Place) -> None:
    status, err, left = on_a_full_disk(place, place.folder, "start", "--lang", "en")
    assert status == 3
    assert err == (
        f"pagetutor: Nothing could be written in {place.folder} (No space left on device), and nothing was "
        "changed; go to a folder you can write to and run it again.\n"
    )
    assert left == ["fill", ""]


# ── streams ──────────────────────────────────────────────────────────────────────────────────────

ENDED = {
    "zh": "pagetutor: 输入提前结束了：已经回答的都保存了，请在终端里运行，或补上剩下的回答。\n",
    "en": "pagetutor: The input ended too early: what was answered is kept. Run this in a terminal, or give "
    "the answers that are missing.\n",
}


@pytest.mark.parametrize("language", ENDED)
@pytest.mark.parametrize(
    "words", [["mission", "1"], ["mission", "final"], ["reset", "file"], ["restore", "1"]]
)
def test_without_anybody_to_answer_a_question_is_status_2(
    place: Place, words: list[str], language: str
) -> None:
    place.file.write_text(SOLUTION)
    (place.folder / "block_manager.py.backup-1").write_text(STARTER)
    ran = place.run(*words, "--lang", language)
    assert (ran.status, ran.err) == (2, ENDED[language])
    assert place.file.read_text() == SOLUTION


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "gbk"])
@pytest.mark.parametrize("words", [[], ["--json"]])
def test_no_encoding_of_stdout_spoils_a_check(place: Place, encoding: str, words: list[str]) -> None:
    place.file.write_text(STARTER)
    ran = place.run("check", "1", *words, "--lang", "en", PYTHONIOENCODING=encoding)
    assert (ran.status, ran.err) == (1, "")
    if words:
        assert ran.document["verdict"] == "unfilled"
    else:
        assert "TODO 1 and 2 are still open" in ran.out


def test_the_locale_c_without_python_s_help_shows_english_and_says_why(place: Place) -> None:
    ran = place.run(
        "show", "1", "guess", "--lang", "zh", LANG=None, LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0"
    )
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("This terminal's encoding (")
    assert "Guess first" in ran.out


def test_no_stdout_at_all_is_no_crash(place: Place) -> None:
    ran = place.run("status", program=("sh", "-c", f'exec {PAGETUTOR} "$@" >&-', "sh"))
    assert (ran.status, ran.err) == (0, "")


@pytest.mark.parametrize(
    "words", [["status"], ["list"], ["show", "1"], ["words"], ["--help"], ["check", "1"]]
)
def test_head_1_sees_a_line_and_nobody_complains(place: Place, words: list[str]) -> None:
    place.file.write_text(STARTER)
    ran = place.run(*words, program=("bash", "-c", f'{PAGETUTOR} "$@" | head -1', "bash"))
    assert ran.err == ""
    assert ran.out.count("\n") == 1


# ── the progress file ────────────────────────────────────────────────────────────────────────────


def spoil_corrupt(path: Path) -> None:
    path.write_bytes(b"no database at all " * 100)


def spoil_newer(path: Path) -> None:
    History(path).append()
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE event (x)")
        db.execute("PRAGMA user_version = 99")
    db.close()


def spoil_empty(path: Path) -> None:
    path.write_bytes(b"")


SPOILT = {
    "empty": (spoil_empty, None),
    "corrupt": (
        spoil_corrupt,
        "pagetutor: The progress file was damaged. It is kept as {kept}; the 0 records that could still be "
        "read are carried over, and the lesson goes on.\n",
    ),
    "newer": (
        spoil_newer,
        "pagetutor: The progress file was saved by a newer pagetutor and cannot be read by this one. It is "
        "kept as {kept} and a new one was begun; upgrade pagetutor to use it again.\n",
    ),
}


@pytest.mark.parametrize("name", SPOILT)
def test_a_spoilt_progress_file_is_kept_aside_said_once_and_the_next_run_is_quiet(
    place: Place, name: str
) -> None:
    spoil, said = SPOILT[name]
    place.home.mkdir()
    path = place.home / "history.db"
    spoil(path)
    old = path.read_bytes()
    place.file.write_text(STARTER)
    ran = place.run("check", "1", "--json", "--lang", "en")
    assert (ran.status, ran.document["verdict"]) == (1, "unfilled")
    if said is None:
        assert ran.err == ""
    else:
        (kept,) = place.home.glob("history.*-1.db")
        assert ran.err == said.format(kept=kept)
        assert kept.read_bytes() == old
    assert "1 check" in place.run("status").out
    assert place.run("status").err == ""


# The command as it is, but that it waits 0.2 s for a lock and not 5.
IMPATIENT = (
    sys.executable,
    "-c",
    "from pagetutor.store.history import History; History.__init__.__kwdefaults__['busy_s'] = 0.2; "
    "from pagetutor.__main__ import main; main()",
)


def test_a_locked_progress_file_costs_no_verdict(place: Place) -> None:
    place.file.write_text(STARTER)
    place.run("check", "1")
    with sqlite3.connect(place.home / "history.db", isolation_level=None) as db:
        db.execute("BEGIN EXCLUSIVE")
        ran = place.run("check", "1", "--json", "--lang", "en", program=IMPATIENT)
    db.close()
    assert (ran.status, ran.document["verdict"]) == (1, "unfilled")
    assert ran.err == (
        f"pagetutor: Another program kept holding the progress file {place.home}/history.db, so what this "
        "command did is not recorded. Run it again once the file is free.\n"
    )
    assert place.run("status").err == ""


# ── clocks and terminals ─────────────────────────────────────────────────────────────────────────


@LONG
def test_a_clock_set_back_makes_nobody_wait_and_mixes_nothing_up(place: Place) -> None:
    """What was recorded yesterday is dated tomorrow: its order counts, not its dates."""
    place.file.write_text(SOLUTION.replace(" + self.block_size - 1", "", 1))
    assert place.check()["verdict"] == "failed"
    assert re.search(r"or in \d+ s;", place.run("hint", "1", "--lang", "en").out)
    with sqlite3.connect(place.home / "history.db") as db:
        db.execute("UPDATE event SET at = at + 86400")
    db.close()
    hinted = place.run("hint", "1", "--lang", "en")
    assert hinted.status == 0
    assert "The same with other numbers" in hinted.out
    place.file.write_text(SOLUTION)
    assert place.check()["verdict"] == "passed"
    assert "1 of 4 passed" in place.run("status", "--lang", "en").out
    events = place.run("progress", "export").document["events"]
    verdicts = [event["data"]["verdict"] for event in events if event["kind"] == "checked"]
    assert verdicts == ["failed", "passed"]
    assert [event["at"] for event in events] != sorted(event["at"] for event in events)


@pytest.mark.parametrize(
    "setting",
    [
        {"COLUMNS": "0"},
        {"COLUMNS": "abc"},
        {"COLUMNS": "20"},
        {"COLUMNS": "-5", "LINES": "0"},
        {"TERM": "dumb"},
        {"TERM": "no-such-terminal", "NO_COLOR": "1"},
    ],
)
def test_no_setting_of_the_terminal_keeps_anything_from_the_reader(
    place: Place, setting: dict[str, Any]
) -> None:
    plainly = place.run("show", "1", "guess", "--lang", "zh")
    ran = place.run("show", "1", "guess", "--lang", "zh", **setting)
    assert (ran.status, ran.err) == (0, "")
    assert "\x1b" not in ran.out
    rule = re.compile("-{5,}")  # as long as the screen is wide
    assert rule.sub("-", squeezed(ran.out)) == rule.sub("-", squeezed(plainly.out))
