"""The history on a machine that behaves: what is recorded comes back, and nothing else is touched."""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from itertools import chain, count, repeat
from pathlib import Path

import pytest

from pagetutor.errors import WorkspaceError
from pagetutor.store import database, events
from pagetutor.store.database import Record
from pagetutor.store.events import Event, Unread
from pagetutor.store.exchange import _NO_EXPORT, export_history, import_history, read_export
from pagetutor.store.history import History, open_history, state_folder
from tests.store.child import start_child

EVERY_EVENT: Sequence[Event] = (
    events.LanguageChosen("zh"),
    events.PrologueSeen(skipped=True),
    events.Seeded("0af3"),
    events.Answered("1", "1.guess", "two", right=False),
    events.ConfidenceGiven("1", "1.guess", 3),
    events.ConfidenceGiven("2", "2.guess", None),
    events.AgainSkipped("1.quiz.again"),
    events.PartDone("1", "guess-again"),
    events.PartDone("1", "quiz", skipped=True),
    events.Predicted("1", "assigned", None),
    events.Predicted("1", "available", "[9]"),
    events.WarmUpRun("1"),
    events.WarmUpRun("1", "item_count", 21),
    events.HandTraced("1", 0, 1, "八个 \udce4", right=False),
    events.Checked("1", "failed", ("prefill.floor-division", "prefill.no-capacity-check"), "ab", "cd", 0.25),
    events.StructureMet("2", "structure.misspelt-attribute", "ab", "是 `free_blocks` 吗？", "`free_blocks`?"),
    events.UnknownMet("1", "allocate_for_prefill", "0123456789ab", None),
    events.MethodsSeen("1", "ab", "def allocate_for_prefill(self, req):\n    够不够 = 1 \udce4"),
    events.HintOpened("1", "prefill.floor-division", 3, "cd", now=True),
    events.SaidBack("1", None, "尾块也要算"),
    events.GaveUp("1", "solution"),
    events.CardSeen("1", "block-size-one"),
    events.FolderUsed("1", "/home/学习/[x] %41"),
    events.Forgotten("1", ("ab", "cd")),
)
RECORDED: Sequence[Event] = (*EVERY_EVENT, events.Imported(("ab", "cd")))


def recorded(history: History) -> list[Event]:
    return [record.event for record in history.records()]


def test_every_kind_of_event_comes_back_unchanged_in_another_process_life(tmp_path: Path) -> None:
    assert {type(event) for event in RECORDED} == set(events.Known.__args__)
    History(tmp_path / "history.db").append(*RECORDED)
    assert recorded(History(tmp_path / "history.db")) == list(RECORDED)


def test_nothing_touches_the_disk_until_something_is_recorded(tmp_path: Path) -> None:
    history = History(tmp_path / "deep" / "er" / "history.db")
    assert (history.records(), history.trouble) == ((), None)
    history.flush()
    assert list(tmp_path.iterdir()) == []
    history.append(events.Seeded("1"))
    assert [path.name for path in (tmp_path / "deep" / "er").iterdir()] == ["history.db"]


def test_events_keep_the_order_they_were_recorded_in_when_the_clock_is_set_back(tmp_path: Path) -> None:
    times = iter([300.0, 200.0, 100.0])
    history = History(tmp_path / "history.db", clock=lambda: next(times))
    for name in ("a", "b", "c"):
        history.append(events.Seeded(name))
    assert [(r.at, r.event) for r in History(tmp_path / "history.db").records()] == [
        (300.0, events.Seeded("a")),
        (200.0, events.Seeded("b")),
        (100.0, events.Seeded("c")),
    ]


def test_pagetutor_home_moves_the_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGETUTOR_HOME", str(tmp_path / "elsewhere"))
    open_history().append(events.Seeded("1"))
    assert state_folder() == tmp_path / "elsewhere"
    assert (tmp_path / "elsewhere" / "history.db").exists()


def test_without_pagetutor_home_the_state_is_the_systems_place_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PAGETUTOR_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    folder = state_folder()
    assert folder is not None
    assert folder.is_relative_to(tmp_path)


def test_a_folder_name_full_of_marks_is_only_a_name(tmp_path: Path) -> None:
    path = tmp_path / "a b?mode=ro&x#y%41 [z] 学" / "history.db"
    History(path).append(events.Seeded("1"))
    assert path.exists()
    assert recorded(History(path)) == [events.Seeded("1")]


def test_an_event_of_an_unknown_kind_is_kept_and_exported_as_it_is(tmp_path: Path) -> None:
    history = History(tmp_path / "history.db")
    history.append(Unread("from-the-future", {"x": [1, {"y": None}]}), events.Seeded("1"))
    again = History(tmp_path / "history.db")
    assert recorded(again) == [Unread("from-the-future", {"x": [1, {"y": None}]}), events.Seeded("1")]
    exported = export_history(again)
    assert isinstance(exported["events"], list)
    assert exported["events"][0]["data"] == {"x": [1, {"y": None}]}


@pytest.mark.parametrize(
    "data",
    [
        {"language": 1},
        {"language": None},
        {},
        {"language": "zh", "more": 1},
    ],
)
def test_fields_of_other_types_are_not_taken_for_ours(data: dict[str, object]) -> None:
    assert events.from_data("language", data) == Unread("language", data)


def test_a_json_true_is_no_row_number() -> None:
    data: dict[str, object] = {"mission": "1", "row": True, "column": 0, "answer": "8", "right": True}
    assert events.from_data("hand-trace", data) == Unread("hand-trace", data)


def test_an_export_moves_to_another_machine_and_importing_it_twice_adds_nothing(tmp_path: Path) -> None:
    here, there = machine(tmp_path, "here", 2000.0), machine(tmp_path, "there", 1000.0)
    here.append(*EVERY_EVENT)
    there.append(events.Seeded("there"))
    exported = json.loads(json.dumps(export_history(here)))
    assert import_history(there, exported) == len(EVERY_EVENT)
    assert import_history(there, exported) == 0
    *moved, imported = there.records()
    assert [record.event for record in moved] == [events.Seeded("there"), *EVERY_EVENT]
    assert moved[1:] == list(here.records())
    assert imported.event == events.Imported(tuple(record.id for record in here.records()))
    assert History(tmp_path / "there.db").records() == (*moved, imported)


def machine(tmp_path: Path, name: str, *times: float) -> History:
    """A history there, whose clock tells these times and then the last of them for ever."""
    clock = chain(times, repeat(times[-1]))
    return History(tmp_path / f"{name}.db", clock=lambda: next(clock))


def seeds(history: History) -> list[str]:
    """The order of what was recorded, by the names it was given."""
    return [event.seed for event in recorded(history) if isinstance(event, events.Seeded)]


def test_what_is_imported_stands_where_it_happened(tmp_path: Path) -> None:
    here, there = machine(tmp_path, "here", 2.0, 4.0), machine(tmp_path, "there", 1.0, 3.0, 5.0)
    for name in ("b", "d"):
        here.append(events.Seeded(name))
    for name in ("a", "c", "e"):
        there.append(events.Seeded(name))
    import_history(here, export_history(there))
    here.append(events.Seeded("f"))
    assert seeds(here) == seeds(History(tmp_path / "here.db")) == ["a", "b", "c", "d", "e", "f"]


def test_each_machine_keeps_its_own_order_when_its_clock_was_set_back(tmp_path: Path) -> None:
    here, there = (
        machine(tmp_path, "here", 300.0, 200.0, 400.0),
        machine(tmp_path, "there", 250.0, 100.0, 350.0),
    )
    for name in ("here-1", "here-2", "here-3"):
        here.append(events.Seeded(name))
    for name in ("there-1", "there-2", "there-3"):
        there.append(events.Seeded(name))
    import_history(here, export_history(there))
    assert seeds(here) == ["there-1", "there-2", "here-1", "here-2", "there-3", "here-3"]


def test_what_went_over_two_machines_stands_where_it_happened(tmp_path: Path) -> None:
    first, second, third = (
        machine(tmp_path, "first", 1.5),
        machine(tmp_path, "second", 1.0, 2.0),
        machine(tmp_path, "third", 5.0),
    )
    first.append(events.Seeded("b"))
    for name in ("a", "c"):
        second.append(events.Seeded(name))
    third.append(events.Seeded("d"))
    import_history(second, export_history(first))
    import_history(third, export_history(second))
    assert seeds(third) == ["a", "b", "c", "d"]
    import_history(first, export_history(third))
    assert seeds(first) == ["a", "b", "c", "d"]


@pytest.mark.parametrize(
    "at",
    [
        "NaN",
        "Infinity",
        "-Infinity",
        "1e999",
        "1e20",
        "-1e18",
        "1" + "0" * 400,
        "true",
        '"1"',
        "null",
    ],
)
def test_a_time_that_no_calendar_has_is_no_export(tmp_path: Path, at: str) -> None:
    history = History(tmp_path / "history.db")
    record = f'{{"id": "a", "at": {at}, "kind": "seed", "data": {{"seed": "1"}}}}'
    with pytest.raises(WorkspaceError) as refused:
        import_history(history, read_export(f'{{"schema": 1, "events": [{record}]}}'.encode()))
    assert refused.value.say == _NO_EXPORT
    assert not (tmp_path / "history.db").exists()


@pytest.mark.parametrize("record", [{"id": "\ud800", "kind": "seed"}, {"id": "a", "kind": "\ud800"}])
def test_half_a_character_for_a_name_is_no_export(tmp_path: Path, record: dict[str, object]) -> None:
    with pytest.raises(WorkspaceError) as refused:
        import_history(
            History(tmp_path / "history.db"), {"schema": 1, "events": [{"at": 1, "data": {}, **record}]}
        )
    assert refused.value.say == _NO_EXPORT


def test_only_a_known_id_keeps_a_record_from_being_added(tmp_path: Path) -> None:
    """Never a broken rule of the table: such a record would be gone without a word."""
    history = History(tmp_path / "history.db")
    history.append_records([Record("a", math.nan, events.Seeded("1"))])
    assert history.trouble is not None
    assert "at" in history.trouble.en


def test_another_file_in_the_place_of_the_one_that_was_read_is_read_from_its_beginning(
    tmp_path: Path,
) -> None:
    history, other = History(tmp_path / "history.db"), History(tmp_path / "other.db")
    history.append(events.Seeded("a"))
    assert recorded(history) == [events.Seeded("a")]
    other.append(events.Seeded("b"), events.Seeded("c"))
    (tmp_path / "other.db").replace(tmp_path / "history.db")
    assert recorded(history) == [events.Seeded("a"), events.Seeded("b"), events.Seeded("c")]


def test_only_what_is_new_is_read_from_the_file(tmp_path: Path) -> None:
    path = tmp_path / "history.db"
    records, mark = [Record(name, 1.0, events.Seeded(name)) for name in "abc"], None
    for record in records:
        database.add(path, [record], busy_s=1.0)
        found, mark = database.read(path, busy_s=1.0, thorough=False, after=mark)
        assert found == [record]
    assert database.read(path, busy_s=1.0, thorough=False, after=mark) == ([], mark)


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        {"schema": 1},
        {"schema": True, "events": []},
        {"schema": 1, "events": [{"id": "", "at": 0, "kind": "seed", "data": {}}]},
        {"schema": 1, "events": [{"id": "a", "at": 0, "kind": "seed", "data": {"seed": "1"}}, {"id": 7}]},
    ],
)
def test_what_is_no_export_adds_nothing_and_says_so(tmp_path: Path, value: object) -> None:
    history = History(tmp_path / "history.db")
    with pytest.raises(WorkspaceError) as refused:
        import_history(history, value)
    assert refused.value.say.en == (
        "This is no progress exported by pagetutor, so nothing was imported; export it again with "
        "`pagetutor progress export`."
    )
    assert refused.value.say.zh == (
        "这不是 pagetutor 导出的进度，什么也没有导入；用 `pagetutor progress export` 重新导出一份。"
    )
    assert not (tmp_path / "history.db").exists()


def test_an_export_of_a_newer_version_adds_nothing_and_says_so(tmp_path: Path) -> None:
    with pytest.raises(WorkspaceError) as refused:
        import_history(History(tmp_path / "history.db"), {"schema": 2, "events": []})
    assert refused.value.say.en == (
        "This progress was exported by a newer pagetutor, so nothing was imported; upgrade pagetutor here "
        "first."
    )


WRITER = """
import sys
from pathlib import Path
from pagetutor.store.events import HandTraced
from pagetutor.store.history import History

history = History(Path(sys.argv[1]), busy_s=30)
for number in range(100):
    history.append(HandTraced(sys.argv[2], number, 0, None, True))
assert history.trouble is None, history.trouble
"""


def test_two_tutors_on_one_file_lose_nothing_in_a_hundred_rounds(tmp_path: Path) -> None:
    path = tmp_path / "history.db"
    both = [start_child(WRITER, str(path), name) for name in ("1", "2")]
    assert [child.wait(60) for child in both] == [0, 0]
    for child in both:
        assert child.stdout is not None
        child.stdout.close()
    rows = [event for event in recorded(History(path)) if isinstance(event, events.HandTraced)]
    for name in ("1", "2"):
        assert [event.row for event in rows if event.mission == name] == list(range(100))


def test_a_tutor_sees_what_another_one_records_meanwhile(tmp_path: Path) -> None:
    mine, yours = History(tmp_path / "history.db"), History(tmp_path / "history.db")
    mine.append(events.Seeded("mine"))
    yours.append(events.Seeded("yours"))
    assert recorded(mine) == recorded(yours) == [events.Seeded("mine"), events.Seeded("yours")]


SAVER = """
import sys
from pathlib import Path
from pagetutor.store.events import HandTraced
from pagetutor.store.history import History

history = History(Path(sys.argv[1]))
first = len(history.records())
for number in range(first, first + 10_000):
    history.append(HandTraced("1", number, 0, None, True))
    print(number, flush=True)
"""


def test_kill_9_while_saving_loses_nothing_that_was_saved(tmp_path: Path) -> None:
    """Killed at any moment: all that was said to be saved is there, and at most the one being saved."""
    path = tmp_path / "history.db"
    saved = -1
    for killed_after in [1 + turn * 7 % 11 for turn in range(30)]:
        child = start_child(SAVER, str(path))
        assert child.stdout is not None
        for _ in range(killed_after):
            saved = int(child.stdout.readline())
        child.kill()
        saved = max([saved, *(int(line) for line in child.stdout.read().split("\n")[:-1])])
        child.stdout.close()
        child.wait()
        history = History(path)
        rows = [event.row for event in recorded(history) if isinstance(event, events.HandTraced)]
        assert rows in (list(range(saved + 1)), list(range(saved + 2)))
        assert history.trouble is None
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    History(path).append(events.Seeded("after"))
    assert sorted(file.name for file in tmp_path.iterdir()) == ["history.db"]


def test_a_file_deleted_under_a_running_tutor_comes_back_whole(tmp_path: Path) -> None:
    names = count()
    history = History(tmp_path / "history.db", clock=lambda: float(next(names)))
    history.append(events.Seeded("a"))
    assert recorded(history) == [events.Seeded("a")]
    (tmp_path / "history.db").unlink()
    assert recorded(history) == [events.Seeded("a")]
    history.append(events.Seeded("b"))
    assert recorded(History(tmp_path / "history.db")) == [events.Seeded("a"), events.Seeded("b")]
