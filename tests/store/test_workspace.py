"""The learner's folder: the starter is placed once, and a file that is there is never lost."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pagetutor.errors import WorkspaceError
from pagetutor.store.workspace import FileState, Workspace, in_style_of
from tests.store.child import open_folder, run_child

STARTER = b"class KVCacheManager:\n    def allocate_for_prefill(self, req):\n        ...\n"


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    (tmp_path / "course").mkdir()
    (tmp_path / "course" / "block_manager.py").write_bytes(STARTER)
    (tmp_path / "my work [x]").mkdir()
    return Workspace(
        tmp_path / "my work [x]",
        tmp_path / "course" / "block_manager.py",
        ("allocate_for_prefill", "allocate_for_decode", "get_physical_cache"),
    )


def names(workspace: Workspace) -> list[str]:
    return sorted(path.name for path in workspace.folder.iterdir())


def test_the_starter_is_placed_where_there_is_none_and_nothing_else_is_left_there(
    workspace: Workspace,
) -> None:
    assert workspace.state() is FileState.ABSENT
    assert workspace.place_starter() is True
    assert workspace.file.read_bytes() == STARTER
    assert names(workspace) == ["block_manager.py"]
    assert workspace.state() is FileState.THEIRS


@pytest.mark.parametrize("content", [b"", b"x = 1\n", STARTER + b"# mine\n"])
def test_a_file_that_is_there_is_never_touched(workspace: Workspace, content: bytes) -> None:
    workspace.file.write_bytes(content)
    os.utime(workspace.file, (1, 1))
    assert workspace.place_starter() is False
    assert workspace.file.read_bytes() == content
    assert workspace.file.stat().st_mtime == 1
    assert names(workspace) == ["block_manager.py"]


def test_a_dangling_link_is_not_written_through(workspace: Workspace, tmp_path: Path) -> None:
    workspace.file.symlink_to(tmp_path / "gone.py")
    assert workspace.state() is FileState.NO_FILE
    assert workspace.place_starter() is False
    assert not (tmp_path / "gone.py").exists()


def test_a_folder_of_that_name_is_left_alone(workspace: Workspace) -> None:
    workspace.file.mkdir()
    assert workspace.state() is FileState.NO_FILE
    assert workspace.place_starter() is False


def test_a_pipe_of_that_name_is_not_waited_for(workspace: Workspace) -> None:
    os.mkfifo(workspace.file)
    assert workspace.state() is FileState.NO_FILE


@pytest.mark.parametrize(
    ("content", "state"),
    [
        (STARTER, FileState.THEIRS),
        (b"class BlockManager:\n    pass\n", FileState.THEIRS),
        (b"class KVCacheManager(\n  def broken", FileState.THEIRS),
        (b"def get_physical_cache(self, req)\n", FileState.THEIRS),
        ("class KVCacheManager: pass".encode("utf-16"), FileState.THEIRS),
        (b"", FileState.EMPTY),
        (b" \n\t\n", FileState.EMPTY),
        (b"class BlockSpaceManager:\n    def allocate(self): ...\n", FileState.FOREIGN),
        (b"allocate_for_prefills = 1\n", FileState.FOREIGN),
        (b"\xff\xfe\x00", FileState.FOREIGN),
    ],
)
def test_a_foreign_file_is_told_from_the_learners_own(
    workspace: Workspace, content: bytes, state: FileState
) -> None:
    workspace.file.write_bytes(content)
    assert workspace.state() is state


def test_what_is_replaced_is_kept_listed_and_restorable(workspace: Workspace) -> None:
    workspace.file.write_bytes(b"first\n")
    workspace.file.chmod(0o640)
    kept = workspace.replace(STARTER)
    assert kept is not None
    assert workspace.file.read_bytes() == STARTER
    assert workspace.file.stat().st_mode & 0o777 == 0o640
    workspace.replace(b"third\n")
    assert [backup.path.read_bytes() for backup in workspace.backups()] == [b"first\n", STARTER]
    workspace.restore(workspace.backups()[0])
    assert workspace.file.read_bytes() == b"first\n"
    assert [backup.number for backup in workspace.backups()] == [1, 2, 3]
    assert names(workspace) == ["block_manager.py", *(f"block_manager.py.backup-{n}" for n in (1, 2, 3))]


def test_the_tenth_backup_is_listed_after_the_ninth(workspace: Workspace) -> None:
    for number in range(12):
        workspace.replace(f"{number}\n".encode())
    assert [backup.number for backup in workspace.backups()] == list(range(1, 12))


def test_a_backup_is_restored_byte_for_byte_whatever_the_present_newlines(workspace: Workspace) -> None:
    workspace.file.write_bytes(b"a\nb\n")
    kept = workspace.replace(b"c\n")
    assert kept is not None
    workspace.file.write_bytes(b"x\r\ny\r\n")
    workspace.restore(kept)
    assert workspace.file.read_bytes() == b"a\nb\n"


def test_replacing_through_a_link_keeps_the_link(workspace: Workspace, tmp_path: Path) -> None:
    real = tmp_path / "real.py"
    real.write_bytes(b"mine\n")
    workspace.file.symlink_to(real)
    workspace.replace(STARTER)
    assert workspace.file.is_symlink()
    assert real.read_bytes() == STARTER
    assert [backup.path.read_bytes() for backup in workspace.backups()] == [b"mine\n"]


def test_replacing_nothing_keeps_nothing(workspace: Workspace) -> None:
    assert workspace.replace(STARTER) is None
    assert workspace.backups() == ()
    assert workspace.file.read_bytes() == STARTER


@pytest.mark.parametrize(
    ("old", "new", "styled"),
    [
        (b"a\nb\n", b"c\nd\n", b"c\nd\n"),
        (b"a\r\nb\r\n", b"c\nd\n", b"c\r\nd\r\n"),
        (b"a\r\nb\nc\n", b"c\r\nd\n", b"c\nd\n"),
        (b"\xef\xbb\xbfa\r\n", b"c\n", b"\xef\xbb\xbfc\r\n"),
        (b"\xef\xbb\xbfa\n", b"\xef\xbb\xbfc\n", b"\xef\xbb\xbfc\n"),
    ],
)
def test_newlines_and_the_byte_order_mark_are_kept(old: bytes, new: bytes, styled: bytes) -> None:
    assert in_style_of(old, new) == styled


def test_the_starter_replaces_a_windows_file_in_its_own_newlines(workspace: Workspace) -> None:
    workspace.file.write_bytes(b"x = 1\r\ny = 2\r\n")
    workspace.replace(STARTER)
    assert workspace.file.read_bytes() == STARTER.replace(b"\n", b"\r\n")


def test_a_swap_file_with_unsaved_edits_is_noticed_and_one_of_a_saved_file_is_not(
    workspace: Workspace,
) -> None:
    """Vim's first block: `b0VIM 9.0` at 0, and byte 1007 is 0x55 only while there is something to save."""
    swap = workspace.folder / ".block_manager.py.swp"
    block = bytearray(4096)
    block[:9] = b"b0VIM 9.0"
    swap.write_bytes(block)
    assert workspace.unsaved() is None
    block[1007] = 0x55
    swap.write_bytes(block)
    assert workspace.unsaved() == swap


def test_emacs_marks_an_unsaved_file_by_a_dangling_link(workspace: Workspace) -> None:
    lock = workspace.folder / ".#block_manager.py"
    lock.symlink_to("learner@host.123:1")
    assert workspace.unsaved() == lock


PLACE = """
import os
from pathlib import Path
from pagetutor.errors import WorkspaceError
folder = Path(os.environ["FOLDER"])
here = workspace.Workspace(folder, folder / "starter.py", ("allocate_for_prefill",))
try:
    print(here.place_starter() if os.environ["DO"] == "place" else here.replace(b"new"))
except WorkspaceError as error:
    print(error.say.zh)
    print(error.say.en)
"""


@pytest.mark.parametrize("do", ["place", "replace"])
def test_a_read_only_folder_is_said_so_and_nothing_is_changed(do: str) -> None:
    with open_folder() as folder:
        (folder / "starter.py").write_bytes(STARTER)
        if do == "replace":
            (folder / "block_manager.py").write_bytes(b"mine")
        before = {path.name: path.read_bytes() for path in folder.iterdir()}
        folder.chmod(0o555)
        said = run_child(PLACE, env={"FOLDER": str(folder), "DO": do})
        assert said.splitlines() == [
            f"在 {folder} 里写不了文件（Permission denied），什么也没有改；换一个可写的文件夹，再运行一次。",
            f"Nothing could be written in {folder} (Permission denied), and nothing was changed; go to a "
            f"folder you can write to and run it again.",
        ]
        assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
        folder.chmod(0o777)


def test_in_a_read_only_folder_a_file_that_is_there_needs_no_writing() -> None:
    with open_folder() as folder:
        (folder / "starter.py").write_bytes(STARTER)
        (folder / "block_manager.py").write_bytes(b"mine")
        folder.chmod(0o555)
        assert run_child(PLACE, env={"FOLDER": str(folder), "DO": "place"}) == "False\n"
        folder.chmod(0o777)


def test_where_hard_links_are_refused_the_starter_is_still_placed_and_never_over_a_file(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(source: object, target: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr("pagetutor.store.workspace.os.link", refuse)
    assert workspace.place_starter() is True
    assert workspace.file.read_bytes() == STARTER
    assert names(workspace) == ["block_manager.py"]
    workspace.file.write_bytes(b"mine")
    assert workspace.place_starter() is False
    assert workspace.file.read_bytes() == b"mine"


def test_a_backup_that_is_gone_is_said_so(workspace: Workspace) -> None:
    workspace.file.write_bytes(b"first")
    kept = workspace.replace(STARTER)
    assert kept is not None
    kept.path.unlink()
    with pytest.raises(WorkspaceError) as refused:
        workspace.restore(kept)
    assert refused.value.say.zh == f"读不到备份 {kept.path}（No such file or directory），什么也没有改。"
    assert (
        refused.value.say.en
        == f"The backup {kept.path} cannot be read (No such file or directory); nothing was changed."
    )
    assert workspace.file.read_bytes() == STARTER
