"""Looking back: what the history tells of answers, mistakes and time."""

from __future__ import annotations

import time

import pytest

from pagetutor.store import events
from pagetutor.store.database import Record
from pagetutor.store.events import Checked, Event, MethodsSeen
from pagetutor.store.exchange import export_history, import_history
from pagetutor.store.history import History
from pagetutor.text import Text
from pagetutor.tutor.checking import check_file, source_hash
from pagetutor.tutor.mending import Met
from pagetutor.tutor.recap import Day, MissionRecap, OwnWords, recap
from tests.tutor.conftest import Desk
from tests.tutor.small import FLOORED, RIGHT, STARTER, marked_check, text

FLOOR = "prefill.floor-division"
WRONG = "def allocate(self):\n    n = a // b\n    return n"
MENDED = "def allocate(self):\n    n = -(-a // b)\n    return n"


@pytest.fixture(autouse=True)
def _utc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()


def records(*timed: tuple[float, Event]) -> tuple[Record, ...]:
    return tuple(Record(str(number), at, event) for number, (at, event) in enumerate(timed))


def checked(source: str, *mistakes: str, verdict: str = "failed", mission: str = "1") -> Checked:
    return Checked(mission, verdict, mistakes, source, "shape", 0.1)


def one(desk: Desk, *timed: tuple[float, Event]) -> MissionRecap:
    (found,) = recap(desk.course, records(*timed)).missions
    return found


def test_a_mission_not_begun_is_left_out_and_an_empty_history_has_none(desk: Desk) -> None:
    assert recap(desk.course, ()).missions == ()
    found = recap(
        desk.course, records((1.0, events.LanguageChosen("zh")), (2.0, events.PartDone("2", "guess")))
    )
    assert [mission.mission.id for mission in found.missions] == ["2"]


def test_a_forgotten_mission_is_left_out_though_its_folder_is_remembered(desk: Desk) -> None:
    begun = records(
        (1.0, events.FolderUsed("1", "/home/learner")),
        (1.0, events.FolderUsed("2", "/home/learner")),
        (2.0, checked("a", FLOOR)),
        (3.0, events.PartDone("2", "guess")),
    )
    found = recap(desk.course, (*begun, Record("f", 4.0, events.Forgotten("2", (begun[3].id,)))))
    assert [mission.mission.id for mission in found.missions] == ["1"]


def test_the_learners_own_words_are_kept_by_mistake(desk: Desk) -> None:
    found = one(
        desk,
        (1.0, checked("a", FLOOR)),
        (2.0, events.SaidBack("1", FLOOR, "at 9 tokens, the tail")),
        (3.0, events.SaidBack("2", FLOOR, "of another mission")),
        (4.0, events.SaidBack("1", None, "5 % 4 is 1")),
        (5.0, events.SaidBack("1", FLOOR, "  ")),
    )
    assert found.own_words == (OwnWords(FLOOR, "at 9 tokens, the tail"), OwnWords(None, "5 % 4 is 1"))


def test_the_first_and_the_final_answer_with_how_sure_the_first_was(desk: Desk) -> None:
    found = one(
        desk,
        (1.0, events.Answered("1", "1.guess", "wrong", right=False)),
        (2.0, events.ConfidenceGiven("1", "1.guess", 2)),
        (3.0, events.Answered("1", "1.guess", "odd", right=False)),
        (4.0, events.Answered("1", "1.guess", "right", right=True)),
        (5.0, events.Answered("1", "1.quiz.again", "right", right=True)),
        (6.0, events.Answered("1", "1.quiz", "gone", right=True)),
    )
    told = [(given.ask.en, given.first.id, given.final.id, given.confidence) for given in found.given]
    assert told == [("ask 1.guess", "wrong", "right", 2), ("ask 1.quiz.again", "right", "right", None)]


def test_a_mended_mistake_is_told_with_the_change_of_the_method(desk: Desk) -> None:
    found = one(
        desk,
        (1.0, checked("a", FLOOR)),
        (1.0, MethodsSeen("1", "a", "def other(): ...")),
        (2.0, checked("b", FLOOR)),
        (2.0, MethodsSeen("1", "b", WRONG)),
        (3.0, checked("c", verdict="broken")),  # a file that does not load has mended nothing
        (4.0, checked("d", verdict="passed")),
        (4.0, MethodsSeen("1", "d", MENDED)),
    )
    diff = (
        "@@ -1,3 +1,3 @@",
        " def allocate(self):",
        "-    n = a // b",
        "+    n = -(-a // b)",
        "     return n",
    )
    assert found.met == (Met(FLOOR, text("the tail is lost"), 2, mended=True, diff=diff, passed=True),)


ANOTHER = "structure.another"  # of no error model: the small course has one mistake


def seen(source: str, line: str) -> MethodsSeen:
    return MethodsSeen("1", source, f"def allocate(self):\n    {line}")


def test_going_to_another_mistake_and_back_mends_neither_until_it_passes(desk: Desk) -> None:
    back = (
        (1.0, checked("floor", FLOOR)),
        (1.0, seen("floor", "floor")),
        (100.0, checked("inside", ANOTHER)),
        (100.0, seen("inside", "inside")),
        (200.0, checked("floor again", FLOOR)),
        (200.0, seen("floor again", "floor again")),
    )
    assert [(met.mistake, met.checks, met.mended, met.passed) for met in one(desk, *back).met] == [
        (FLOOR, 2, False, False),
        (ANOTHER, 1, True, False),
    ]
    passed = ((300.0, checked("right", verdict="passed")), (300.0, seen("right", "right")))
    assert [
        (met.mistake, met.passed, met.diff and met.diff[2:]) for met in one(desk, *back, *passed).met
    ] == [
        (FLOOR, True, ("-    floor again", "+    right")),
        (ANOTHER, True, ("-    inside", "+    right")),
    ]


def test_the_change_is_the_one_to_the_pass_and_not_to_what_failed_in_between(desk: Desk) -> None:
    between = (
        (1.0, checked("floor", FLOOR)),
        (1.0, seen("floor", "floor")),
        (100.0, checked("nameless")),
        (100.0, seen("nameless", "nameless")),
        (200.0, checked("right", verdict="passed")),
    )
    (met,) = one(desk, *between).met
    assert met.diff is not None
    assert met.diff[-1] == "+    nameless"  # as older histories have it, which did not keep the pass
    (met,) = one(desk, *between, (200.0, seen("right", "right"))).met
    assert met.diff is not None
    assert met.diff[-1] == "+    right"


def test_a_half_written_save_holds_no_mistake_of_structure(desk: Desk) -> None:
    def told(verdict: str, lived_s: float) -> list[str]:
        found = one(
            desk,
            (1.0, checked("half", "structure.unknown-name", verdict=verdict)),
            (1.0 + lived_s, checked("whole", FLOOR)),
        )
        return [met.mistake for met in found.met]

    assert told("broken", 12.0) == [FLOOR]
    assert told("broken", 31.0) == ["structure.unknown-name", FLOOR]
    assert told("failed", 12.0) == ["structure.unknown-name", FLOOR]  # its tests ran
    last = one(desk, (1.0, checked("half", "structure.unknown-name", verdict="broken")))
    assert [met.mistake for met in last.met] == ["structure.unknown-name"]


def test_a_mistake_of_structure_is_told_with_what_it_asked(desk: Desk) -> None:
    found = one(
        desk,
        (1.0, checked("a", "structure.missing-self")),
        (1.0, events.StructureMet("1", "structure.missing-self", "a", "谁？", "Whose?")),
    )
    assert [met.belief for met in found.met] == [Text(zh="谁？", en="Whose?")]


def test_a_mistake_that_is_still_there_though_it_was_gone_and_one_of_no_model(desk: Desk) -> None:
    found = one(
        desk,
        (1.0, checked("a", FLOOR, "structure.missing-self")),
        (2.0, checked("b", "structure.missing-self")),
        (3.0, checked("c", FLOOR)),
    )
    assert [(met.mistake, met.belief is None, met.checks, met.mended, met.diff) for met in found.met] == [
        (FLOOR, False, 2, False, None),
        ("structure.missing-self", True, 2, True, None),  # the methods of those checks were not kept
    ]


def test_a_change_elsewhere_in_the_file_leaves_an_empty_diff(desk: Desk) -> None:
    found = one(
        desk,
        (1.0, checked("a", FLOOR)),
        (1.0, MethodsSeen("1", "a", WRONG)),
        (2.0, checked("b", verdict="passed")),
        (2.0, MethodsSeen("1", "b", WRONG)),
    )
    assert found.met[0].diff == ()


def test_the_methods_of_another_mission_are_not_taken_for_these(desk: Desk) -> None:
    found = one(
        desk,
        (1.0, checked("a", FLOOR)),
        (1.0, MethodsSeen("2", "a", WRONG)),
        (2.0, checked("b", verdict="passed")),
        (2.0, MethodsSeen("2", "b", MENDED)),
    )
    assert (found.met[0].mended, found.met[0].diff) == (True, None)


def test_time_is_summed_without_long_gaps_and_goes_to_the_mission_that_ends_the_gap(desk: Desk) -> None:
    found = recap(
        desk.course,
        records(
            (1000.0, events.PrologueSeen(skipped=True)),
            (1100.0, events.PartDone("1", "guess")),  # 100 s
            (1699.0, events.PartDone("1", "background")),  # 599 s
            (2299.0, events.PartDone("1", "diagram")),  # 600 s: too long
            (2329.0, events.PartDone("2", "guess")),  # 30 s of mission 2
            (2399.0, events.LanguageChosen("en")),  # of no mission
            (2400.0, events.PartDone("1", "mapping")),  # 1 s
        ),
    )
    assert {mission.mission.id: mission.seconds for mission in found.missions} == {"1": 700.0, "2": 30.0}


def test_records_imported_from_another_machine_are_told_in_the_order_of_their_times(desk: Desk) -> None:
    other = History(desk.path.with_name("other.db"), clock=lambda: desk.now)
    for desk.now in (60.0, 120.0):
        other.append(checked("a", FLOOR), events.Answered("1", "1.guess", "wrong", right=False))
    desk.now = 90_000.0
    desk.history.append(events.Answered("1", "1.guess", "right", right=True), checked("b", verdict="passed"))
    import_history(desk.history, export_history(other))
    (found,) = recap(desk.course, desk.history.records()).missions
    assert [(given.first.id, given.final.id) for given in found.given] == [("wrong", "right")]
    assert found.days == (
        Day("1970-01-01", "00:01", "00:02", ("failed", "failed")),
        Day("1970-01-02", "01:00", "01:00", ("passed",)),
    )
    assert [(met.mistake, met.mended) for met in found.met] == [(FLOOR, True)]


def test_what_was_forgotten_is_not_told(desk: Desk) -> None:
    happened = records((1.0, checked("a", FLOOR)), (2.0, events.Forgotten("1", ("0",))))
    assert recap(desk.course, happened).missions == ()


def test_hints_and_looks_at_the_answer_are_counted(desk: Desk) -> None:
    found = one(
        desk,
        (1.0, events.HintOpened("1", FLOOR, 3, "s")),
        (2.0, events.HintOpened("1", FLOOR, 4, "s")),
        (3.0, events.GaveUp("1", "line")),
        (4.0, events.GaveUp("1", "solution")),
    )
    assert (found.hints, found.saw_the_line, found.saw_the_solution) == (2, True, True)


# ── what a check keeps ───────────────────────────────────────────────────────────────────────────


def check(desk: Desk, source: str) -> None:
    desk.write(source)
    check_file(
        desk.course, desk.mission("1"), desk.workspace.file, desk.history, desk.runner, check=marked_check
    )


def kept(desk: Desk) -> list[str]:
    return [event.source_hash for event in desk.events if isinstance(event, MethodsSeen)]


def names(*sources: str) -> list[str]:
    return [source_hash(source.encode()) for source in sources]


def test_only_the_methods_around_a_named_mistake_are_kept_and_each_once(desk: Desk) -> None:
    check(desk, STARTER)
    check(desk, RIGHT)
    assert kept(desk) == []
    check(desk, FLOORED)
    check(desk, FLOORED)
    check(desk, STARTER)  # unfilled: tells nothing
    check(desk, RIGHT)
    check(desk, RIGHT + "# more\n")
    assert kept(desk) == names(FLOORED, RIGHT)


def test_the_methods_of_the_pass_are_kept_though_a_nameless_failure_came_between(desk: Desk) -> None:
    check(desk, FLOORED)
    desk.history.append(checked("x"), checked("y"))
    check(desk, RIGHT)
    check(desk, RIGHT + "# more\n")
    assert kept(desk) == names(FLOORED, RIGHT)


def test_a_method_of_many_pages_is_not_kept(desk: Desk) -> None:
    check(desk, FLOORED.replace("        # TODO 2\n", "        # TODO 2\n" + "        x = 1\n" * 2000))
    assert kept(desk) == []


def test_no_more_than_so_many_are_kept(desk: Desk) -> None:
    desk.history.append(*(MethodsSeen("1", str(number), "x") for number in range(300)))
    check(desk, FLOORED)
    assert names(FLOORED)[0] not in kept(desk)


def test_a_checked_file_ends_up_in_the_recap_with_its_change(desk: Desk) -> None:
    check(desk, FLOORED)
    check(desk, RIGHT)
    (found,) = recap(desk.course, desk.history.records()).missions
    (met,) = found.met
    assert met.diff is not None
    assert "-    needed_blocks = n // b" in met.diff
    assert "+    needed_blocks = -(-n // b)" in met.diff
