"""The history on a machine that misbehaves: nothing lost, the old file kept, one sentence, and on it goes."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from pagetutor.store import events
from pagetutor.store.events import Event, Seeded
from pagetutor.store.history import History
from pagetutor.text import Text
from tests.store.child import open_folder, run_child


def recorded(history: History) -> list[Event]:
    return [record.event for record in history.records()]


def kept_aside(path: Path) -> tuple[Path, ...]:
    """The files that were put out of the way, by their names."""
    return tuple(sorted(path.parent.glob("history.*-*.db")))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "history.db"


def test_an_empty_file_is_a_new_history(path: Path) -> None:
    path.touch()
    history = History(path)
    assert recorded(history) == []
    history.append(Seeded("1"))
    assert (recorded(History(path)), history.trouble, kept_aside(path)) == ([Seeded("1")], None, ())


@pytest.mark.parametrize("first", ["read", "append"])
def test_a_corrupt_file_is_kept_aside_and_the_history_goes_on(path: Path, first: str) -> None:
    path.write_bytes(b"not a database at all\n" * 100)
    history = History(path)
    if first == "read":
        assert recorded(history) == []
    history.append(Seeded("1"))
    kept = path.with_name("history.damaged-1.db")
    assert kept_aside(path) == (kept,)
    assert kept.read_bytes() == b"not a database at all\n" * 100
    assert history.new_trouble() == Text(
        zh=f"进度文件损坏了，原样留在 {kept}；里面还能读出的 0 条记录已经接着用，课程照常继续。",
        en=f"The progress file was damaged. It is kept as {kept}; the 0 records that could still be read "
        f"are carried over, and the lesson goes on.",
    )
    assert history.new_trouble() is None
    assert recorded(History(path)) == [Seeded("1")]


def test_what_a_damaged_file_still_gives_is_carried_over(path: Path) -> None:
    whole = History(path)
    whole.append(*(Seeded(f"{number:0200}") for number in range(500)))
    content = bytearray(path.read_bytes())
    content[len(content) // 2 : len(content) // 2 + 8192] = b"\xff" * 8192
    path.write_bytes(content)
    history = History(path)
    carried = recorded(history)
    assert 10 < len(carried) < 500
    assert carried == [Seeded(f"{number:0200}") for number in range(len(carried))]
    assert kept_aside(path)[0].read_bytes() == content
    history.append(Seeded("next"))
    assert recorded(History(path)) == [*carried, Seeded("next")]


def test_somebody_elses_database_is_kept_aside_whole(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE bookmarks (url)")
    before = path.read_bytes()
    history = History(path)
    history.append(Seeded("1"))
    assert kept_aside(path)[0].read_bytes() == before
    assert recorded(History(path)) == [Seeded("1")]


def test_a_file_of_a_newer_version_is_kept_aside_untouched(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE event (other)")
        db.execute("PRAGMA user_version = 2")
    before = path.read_bytes()
    history = History(path)
    history.append(Seeded("1"))
    kept = path.with_name("history.newer-1.db")
    assert kept.read_bytes() == before
    assert history.trouble == Text(
        zh=f"进度文件是更新版本的 pagetutor 存的，这个版本读不了；它原样留在 {kept}，这里从头记起。升级 "
        f"pagetutor 后可以再用它。",
        en=f"The progress file was saved by a newer pagetutor and cannot be read by this one. It is kept "
        f"as {kept} and a new one was begun; upgrade pagetutor to use it again.",
    )
    assert recorded(History(path)) == [Seeded("1")]


def test_a_second_bad_file_is_kept_beside_the_first(path: Path) -> None:
    for content in (b"first" * 50, b"second" * 50):
        path.write_bytes(content)
        History(path).append(Seeded("1"))
    assert [kept.read_bytes() for kept in kept_aside(path)] == [b"first" * 50, b"second" * 50]


def test_a_locked_file_loses_nothing_and_is_caught_up_with_once_it_is_free(path: Path) -> None:
    history = History(path, busy_s=0.01)
    history.append(Seeded("before"))
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        history.append(Seeded("during"))
        assert recorded(history) == [Seeded("before"), Seeded("during")]
        assert history.new_trouble() == Text(
            zh=f"进度文件 {path} 正被别的程序占着，新的进度先留在内存里，一放开就补存。",
            en=f"Another program is holding the progress file {path}; new progress is kept in memory and "
            f"saved as soon as the file is free.",
        )
        history.append(Seeded("still"))
        assert history.new_trouble() is None
        other.execute("ROLLBACK")
    history.flush()
    assert history.trouble is None
    assert recorded(History(path)) == [Seeded("before"), Seeded("during"), Seeded("still")]


def test_a_folder_under_the_files_name_is_left_alone(path: Path) -> None:
    path.mkdir()
    history = History(path)
    history.append(Seeded("1"))
    assert recorded(history) == [Seeded("1")]
    assert history.trouble is not None
    assert history.trouble.en.startswith(f"Your progress cannot be saved to {path} (")
    assert list(path.iterdir()) == []


def test_where_no_home_is_known_progress_lives_in_memory_and_says_so() -> None:
    history = History(None)
    assert (history.records(), history.trouble) == ((), None)
    history.append(Seeded("1"))
    assert recorded(history) == [Seeded("1")]
    assert history.new_trouble() == Text(
        zh="找不到可以存进度的地方，这次的进度只留在内存里，退出就没了；把环境变量 `PAGETUTOR_HOME` 设成一"
        "个可写的文件夹就能存下来。",
        en="There is no folder to keep your progress in, so it lasts only until you leave; set "
        "`PAGETUTOR_HOME` to a folder you can write to.",
    )


RECORD_TWO = """
from pagetutor.store.events import Seeded
from pagetutor.store.history import open_history

history = open_history()
before = len(history.records())
history.append(Seeded("1"))
history.append(Seeded("2"))
print(before, len(history.records()), history.path, sep="|")
print(history.new_trouble())
print(history.new_trouble())
"""


@pytest.mark.parametrize("home", [None, "/nonexistent", ""])
def test_a_home_that_is_not_there_stops_nothing(home: str | None) -> None:
    env = {"HOME": home, "XDG_STATE_HOME": None, "PAGETUTOR_HOME": None}
    first, *said = run_child(RECORD_TWO, env=env).splitlines()
    before, after, path = first.split("|")
    assert (before, after) == ("0", "2")
    assert f"cannot be saved to {path} (" in said[0]
    assert said[1] == "None"


def test_a_read_only_folder_gives_what_is_there_and_keeps_the_rest_in_memory() -> None:
    with open_folder() as folder:
        env = {"PAGETUTOR_HOME": str(folder)}
        assert run_child(RECORD_TWO, env=env).splitlines()[1:] == ["None", "None"]
        (folder / "history.db").chmod(0o444)
        folder.chmod(0o555)
        before = (folder / "history.db").read_bytes()
        first, *said = run_child(RECORD_TWO, env=env).splitlines()
        assert first == f"2|4|{folder}/history.db"
        assert f"cannot be saved to {folder}/history.db (" in said[0]
        assert "先留在内存里，课程照常继续" in said[0]
        assert said[1] == "None"
        assert (folder / "history.db").read_bytes() == before
        folder.chmod(0o777)


def test_a_bad_file_in_a_read_only_folder_is_left_alone_and_said_so() -> None:
    with open_folder() as folder:
        (folder / "history.db").write_bytes(b"nonsense" * 100)
        folder.chmod(0o555)
        first, *said = run_child(RECORD_TWO, env={"PAGETUTOR_HOME": str(folder)}).splitlines()
        assert first == f"0|2|{folder}/history.db"
        assert f"cannot be saved to {folder}/history.db (" in said[0]
        assert [file.name for file in folder.iterdir()] == ["history.db"]
        folder.chmod(0o777)


FILL_UP = """
import resource
from pathlib import Path
from pagetutor.store.events import Seeded
from pagetutor.store.history import open_history

history = open_history()
history.append(Seeded("saved"))
resource.setrlimit(resource.RLIMIT_FSIZE, (16384, resource.RLIM_INFINITY))  # as much room as there is left
for number in range(40):
    history.append(Seeded(f"{number:01000}"))
assert len(history.records()) == 41
print(history.new_trouble())
print(history.new_trouble())
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
history.flush()
print(history.trouble)
"""


def test_a_full_disk_loses_nothing_and_is_caught_up_with_once_there_is_room() -> None:
    with open_folder() as folder:
        said = run_child(FILL_UP, env={"PAGETUTOR_HOME": str(folder)}).splitlines()
        assert f"cannot be saved to {folder}/history.db (" in said[0]
        assert said[1:] == ["None", "None"]
        whole = recorded(History(folder / "history.db"))
        assert whole == [Seeded("saved"), *(Seeded(f"{number:01000}") for number in range(40))]


def test_two_tutors_that_meet_a_bad_file_set_it_aside_once(path: Path) -> None:
    path.write_bytes(b"nonsense" * 100)
    mine, yours = History(path), History(path)
    mine.append(Seeded("mine"))
    yours.append(Seeded("yours"))
    assert recorded(mine) == [Seeded("mine"), Seeded("yours")]
    assert len(kept_aside(path)) == 1
    assert yours.trouble is None


def test_a_file_set_aside_can_be_used_again(path: Path, tmp_path: Path) -> None:
    """What was kept of a file that only looked newer is still a whole history."""
    History(path).append(events.Seeded("old"))
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 9")
    History(path).append(events.Seeded("new"))
    kept = kept_aside(path)[0]
    shutil.copy(kept, tmp_path / "again.db")
    with closing(sqlite3.connect(tmp_path / "again.db")) as db:
        db.execute("PRAGMA user_version = 1")
    assert recorded(History(tmp_path / "again.db")) == [events.Seeded("old")]
