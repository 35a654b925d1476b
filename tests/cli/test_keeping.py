"""What a learner has is theirs: reset, restore, forget, progress, where the file is; as real processes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import Command
from tests.long import LONG

_MISSIONS = Path(__file__).resolve().parents[2] / "missions"
STARTER = (_MISSIONS / "block_manager.py").read_bytes()
SOLUTION = (_MISSIONS / "solution.py").read_bytes()


@pytest.fixture
def own(pagetutor: Command) -> Path:
    """The learner's file: the solution, under its own name."""
    file = pagetutor.folder / "block_manager.py"
    file.write_bytes(SOLUTION)
    return file


def names(pagetutor: Command) -> list[str]:
    return sorted(path.name for path in pagetutor.folder.iterdir())


# ── reset ────────────────────────────────────────────────────────────────────────────────────────


def test_reset_asks_and_enter_alone_changes_nothing(pagetutor: Command, own: Path) -> None:
    ran = pagetutor("reset", "file", typed="\n")
    assert (ran.status, ran.err) == (0, "")
    assert "Make the whole file the starter again? What is there now is kept as a backup." in ran.out
    assert ran.out.endswith("Nothing was changed.\n\n")
    assert own.read_bytes() == SOLUTION
    assert names(pagetutor) == ["block_manager.py"]


def test_reset_whose_input_ends_changes_nothing(pagetutor: Command, own: Path) -> None:
    ran = pagetutor("reset", "file")
    assert ran.status == 2
    assert own.read_bytes() == SOLUTION


def test_reset_file_keeps_what_was_there_lists_it_and_gives_it_back(pagetutor: Command, own: Path) -> None:
    ran = pagetutor("reset", "file", "--lang", "zh", typed="y\n")
    assert ran.status == 0
    assert "换回起始文件了。原来的那份是 `block_manager.py.backup-1`，想要它回来：" in ran.out
    assert own.read_bytes() == STARTER
    listed = pagetutor("restore").out
    assert listed.startswith("- backup 1: 20")
    assert "`block_manager.py.backup-1`" in listed
    assert "To bring one back: `pagetutor restore 1`." in listed
    ran = pagetutor("restore", "1", typed="y\n")
    assert "Backup 1 is your file again. What was there is `block_manager.py.backup-2`;" in ran.out
    assert own.read_bytes() == SOLUTION
    assert (pagetutor.folder / "block_manager.py.backup-2").read_bytes() == STARTER


def test_reset_2_puts_back_one_method_and_the_others_still_pass(pagetutor: Command, own: Path) -> None:
    ran = pagetutor("reset", "2", typed="y\n")
    assert ran.status == 0
    assert "`allocate_for_decode`: as the starter has it again." in ran.out
    document = pagetutor("check", "all", "--json").document
    verdicts = {one["mission"]: one["verdict"] for one in document["missions"]}
    assert verdicts == {1: "passed", 2: "unfilled", 3: "passed", "final": "unfilled"}


def test_reset_all_puts_back_every_method_and_keeps_what_else_is_there(pagetutor: Command, own: Path) -> None:
    own.write_bytes(SOLUTION + b"\n\nMINE = 1\n")
    assert pagetutor("reset", "all", typed="y\n").status == 0
    assert own.read_bytes().endswith(b"MINE = 1\n")
    assert own.read_bytes().count(b"...") == STARTER.count(b"...")


def test_reset_keeps_windows_newlines(pagetutor: Command, own: Path) -> None:
    own.write_bytes(SOLUTION.replace(b"\n", b"\r\n"))
    pagetutor("reset", "file", typed="y\n")
    assert own.read_bytes() == STARTER.replace(b"\n", b"\r\n")


def test_reset_of_the_starter_has_nothing_to_do(pagetutor: Command, own: Path) -> None:
    own.write_bytes(STARTER)
    for what, said in [("file", "The file is the starter"), ("1", "That part is as the starter has it")]:
        ran = pagetutor("reset", what)
        assert (ran.status, ran.err) == (0, "")
        assert said in ran.out
    assert names(pagetutor) == ["block_manager.py"]


@pytest.mark.parametrize("what", ["file", "1", "all"])
def test_somebody_elses_file_is_left_alone_and_said_so(pagetutor: Command, own: Path, what: str) -> None:
    own.write_text("print('another project')\n")
    ran = pagetutor("reset", what, typed="y\n")
    assert ran.status == 3
    assert ran.err == (
        f"pagetutor: {own} has none of the exercise's classes or methods, so it seems to belong to something "
        "else; it was left as it is. Go to an empty folder and run `pagetutor start` there.\n"
    )
    assert own.read_text() == "print('another project')\n"
    assert names(pagetutor) == ["block_manager.py"]


def test_start_leaves_somebody_elses_file_alone_too(pagetutor: Command, own: Path) -> None:
    own.write_text("print('another project')\n")
    ran = pagetutor("start", "--lang", "zh")
    assert "像是别的项目的文件，我没有动它" in ran.out.replace("\n", "")
    assert own.read_text() == "print('another project')\n"


def test_a_file_that_is_no_python_is_reset_as_a_whole_only(pagetutor: Command, own: Path) -> None:
    own.write_bytes(SOLUTION.replace(b"req.seq_len += 1", b"req.seq_len += (1"))
    ran = pagetutor("reset", "1", typed="y\n")
    assert ran.status == 3
    assert "`pagetutor reset file`" in ran.err
    assert pagetutor("reset", "file", typed="y\n").status == 0
    assert own.read_bytes() == STARTER


def test_a_backup_there_is_not_is_said_with_where_they_are_listed(pagetutor: Command, own: Path) -> None:
    ran = pagetutor("restore", "7")
    assert ran.status == 2
    assert ran.err == (
        f"pagetutor: There is no backup 7 in {pagetutor.folder}. `pagetutor restore` lists those there are.\n"
    )
    assert pagetutor("restore").out.split() == f"There are no backups in {pagetutor.folder}.".split()


@pytest.mark.parametrize("words", [["check", "1"], ["hint", "1"]])
def test_unsaved_edits_in_an_editor_are_pointed_out(pagetutor: Command, own: Path, words: list[str]) -> None:
    (pagetutor.folder / ".#block_manager.py").symlink_to("me@host.1")
    told = " ".join(pagetutor(*words).out.split())
    assert (
        "`block_manager.py` seems to have unsaved edits in your editor (there is a `.#block_manager.py`); "
        "what counts here is the file on disk." in told
    )


# ── progress ─────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def begun(pagetutor: Command, own: Path) -> Command:
    """A learner who has answered a question of mission 1 and passed mission 2."""
    pagetutor("mission", "1", "--no-shuffle", typed="s\n1\nq\n")
    assert pagetutor("check", "2").status == 0
    return pagetutor


def state(pagetutor: Command) -> str:
    return pagetutor("status").out


def test_progress_moves_to_another_machine_through_a_file(begun: Command, tmp_path: Path) -> None:
    ran = begun("progress", "export", "moved.json")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == (
        "Your progress is in moved.json. On the other machine, run `pagetutor progress import moved.json`.\n"
    )
    other = Command(begun.folder, tmp_path / "other")
    said = other("progress", "import", "moved.json").out
    count = len(json.loads((begun.folder / "moved.json").read_text())["events"])
    assert said == f"{count} records are new here and were added; what was here before is still here.\n"
    assert state(other) == state(begun)
    assert other("progress", "import", "moved.json", "--lang", "zh").out == (
        "里面的记录这里都有了，没有要导入的。\n"
    )


@LONG
def test_progress_moves_through_pipes(begun: Command, tmp_path: Path) -> None:
    exported = begun("progress", "export")
    assert exported.document["schema"] == 1
    other = Command(begun.folder, tmp_path / "other")
    assert other("progress", "import", typed=exported.out).status == 0
    assert state(other) == state(begun)


def test_an_export_overwrites_nothing(begun: Command) -> None:
    (begun.folder / "there.json").write_text("mine")
    ran = begun("progress", "export", "there.json")
    assert ran.status == 3
    assert ran.err == (
        "pagetutor: there.json is there already and was left as it is; run this again with another name.\n"
    )
    assert (begun.folder / "there.json").read_text() == "mine"


NO_EXPORTS = ["", "[]", "{", '{"schema": 1}', '{"schema": 1, "events": [{"id": "a"}]}', "[" * 100_000]


@LONG
def test_what_is_no_export_imports_nothing(begun: Command) -> None:
    before = begun("progress", "export").out
    for content in NO_EXPORTS:
        ran = begun("progress", "import", typed=content)
        assert (ran.status, ran.out) == (3, "")
        assert ran.err == (
            "pagetutor: This is no progress exported by pagetutor, so nothing was imported; export it again "
            "with `pagetutor progress export`.\n"
        )
    assert begun("progress", "export").out == before


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (
            ["import", "nowhere.json"],
            3,
            "nowhere.json cannot be read (No such file or directory), and nothing was",
        ),
        (["exprt"], 2, "There is no task `exprt`. There are `pagetutor progress export` and"),
    ],
)
def test_a_wrong_call_of_progress_is_one_sentence(
    pagetutor: Command, words: list[str], status: int, said: str
) -> None:
    ran = pagetutor("progress", *words)
    assert (ran.status, ran.out) == (status, "")
    assert ran.err.startswith(f"pagetutor: {said}")


def test_forget_takes_back_one_mission_and_leaves_the_file_and_the_others(begun: Command, own: Path) -> None:
    assert begun("forget", "2", typed="\n").out.endswith("Nothing was changed.\n\n")
    assert "1 of 4 passed" in state(begun)
    ran = begun("forget", "2", typed="y\n")
    assert (ran.status, ran.err) == (0, "")
    assert "Mission 2 is forgotten and can be taken from its beginning." in ran.out
    assert "0 of 4 passed" in state(begun)
    assert "Go on with Mission 1" in state(begun)
    assert own.read_bytes() == SOLUTION
    assert "没有要忘掉的" in begun("forget", "2", "--lang", "zh").out


def test_what_is_done_after_forgetting_counts(begun: Command) -> None:
    begun("forget", "2", typed="y\n")
    assert begun("check", "2").status == 0
    assert "1 of 4 passed" in state(begun)


@LONG
def test_an_import_forgets_nothing_that_was_done_here(begun: Command, tmp_path: Path) -> None:
    other = Command(begun.folder, tmp_path / "other")
    other("check", "2")
    other("forget", "2", typed="y\n")
    begun("progress", "import", typed=other("progress", "export").out)
    assert "1 of 4 passed" in state(begun)


# ── where the file is ────────────────────────────────────────────────────────────────────────────


@LONG
def test_elsewhere_the_tutor_says_where_the_file_is(begun: Command, own: Path, tmp_path: Path) -> None:
    away = Command(tmp_path, begun.home)
    assert f"Your `block_manager.py` is in {own.parent}." in " ".join(away("status").out.split())
    for words in (["check", "2"], ["hint", "1"], ["reset", "file"]):
        ran = away(*words)
        assert (ran.status, ran.out) == (3, "")
        assert ran.err == (
            f"pagetutor: There is no `block_manager.py` in {tmp_path}; yours is in {own.parent}: `cd` there "
            "and run this again.\n"
        )
    assert not (tmp_path / "block_manager.py").exists()
    document = away("check", "2", "--json", "--lang", "zh").document
    assert document["error"] == {
        "code": 3,
        "say": f"{tmp_path} 里没有 `block_manager.py`，你的那份在 {own.parent}：先 `cd` 到那里，再运行一次。",
    }
