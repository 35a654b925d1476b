"""The exercise's menu: the learner's file placed, opened, checked, and never touched."""

from __future__ import annotations

import pytest

from pagetutor.store.history import History
from pagetutor.text import Language
from pagetutor.tutor.lesson import run_mission
from pagetutor.tutor.screen import LessonLeft, ReportShown, Showable
from tests.tutor.conftest import Desk
from tests.tutor.scripted import Scripted
from tests.tutor.small import FLOORED, RIGHT, STARTER, marked_check

BEFORE = ("s", "right", "", "", "", "right", "", None, None, "on", "", "right", "", "s")


def exercise(
    desk: Desk, *script: str | bool | type[BaseException], language: Language = Language.EN
) -> list[str]:
    """The dialogue from the exercise's page on."""
    _, log = desk.sit("1", *BEFORE, *script, language=language)
    return log[log.index("== 1 exercise 8/8 in the lesson") + 2 :]


MENU = "? What now? [check watch edit hint reread]"
MENU_PASSED = "? What now? [next check edit solution reread]"
MENU_PASSED_AND_CHANGED = "? What now? [next check watch edit hint solution reread]"
MENU_PASSED_AND_FAILING = "? What now? [next check watch edit hint solution reread replay]"
KEPT = "Everything you did is kept. `pagetutor mission 1` goes on from here."
MENU_AFTER_FAILING = "? What now? [check watch edit hint reread replay]"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (
            "",
            "{file} is empty; it was left as it is. To begin with the starter, delete it and run "
            "`pagetutor start`.",
        ),
        (
            "class Other: ...\n",
            "{file} has none of the exercise's classes or methods, so it seems to belong to something "
            "else; it was left as it is. Go to an empty folder and run `pagetutor start` there.",
        ),
        (FLOORED, "Go on with your file: {file}"),
    ],
)
def test_a_file_that_is_there_is_named_for_what_it_is_and_left_alone(
    desk: Desk, content: str, said: str
) -> None:
    desk.write(content)
    log = exercise(desk, "leave")
    assert log[0] == said.format(file=desk.workspace.file)
    assert desk.workspace.file.read_text() == content


def test_only_the_todos_still_open_are_named(desk: Desk) -> None:
    desk.write(FLOORED)
    assert exercise(desk, "leave")[1:] == ["page: Still open: | TODO 2: task 2", MENU, KEPT]


def test_the_editor_opens_at_the_line_of_the_mistake(desk: Desk) -> None:
    desk.write(FLOORED)
    log = exercise(desk, "edit", True, "check", "edit", True, "leave")
    assert log[2:] == [
        *(MENU, "edit block_manager.py at None", "Save it in your editor, then choose “Check my file”."),
        *(MENU, "report: failed ['prefill.floor-division']"),
        *(MENU_AFTER_FAILING, "edit block_manager.py at 7"),
        *("Save it in your editor, then choose “Check my file”.", MENU_AFTER_FAILING, KEPT),
    ]


def test_whoever_checked_last_decides_whether_there_is_a_failing_case_to_step_through(desk: Desk) -> None:
    desk.write(FLOORED)
    log = exercise(desk, "check", "leave")
    assert log[-2:] == [MENU_AFTER_FAILING, KEPT]
    desk.write(RIGHT)
    _, log = desk.sit("1", "watch", "leave")
    assert [line for line in log if line.startswith("? What now?")] == [MENU_AFTER_FAILING, MENU_PASSED]
    desk.write(FLOORED)
    _, log = desk.sit("1", "watch", "q", "edit", True, "leave")
    assert [line for line in log if line.startswith(("? What now?", "edit"))] == [
        *(
            MENU_PASSED_AND_CHANGED,
            MENU_PASSED_AND_FAILING,
            "edit block_manager.py at 7",
            MENU_PASSED_AND_FAILING,
        ),
    ]
    desk.write(RIGHT)
    _, log = desk.sit("1", "hint", "leave")
    assert [line for line in log if line.startswith("? What now?")] == [MENU_PASSED_AND_FAILING, MENU_PASSED]


def test_where_no_editor_can_be_started_the_path_is_told(desk: Desk) -> None:
    log = exercise(desk, "edit", False, "leave", language=Language.ZH)
    assert log[-3] == f"打不开编辑器：自己打开 {desk.workspace.file}，或者先设好 `EDITOR` 环境变量。"


def test_any_part_can_be_reread_with_ones_own_answers(desk: Desk) -> None:
    log = exercise(desk, "reread", "quiz", "", "reread", "back", "leave")
    which = "? Which part? [guess background diagram warm-up mapping quiz hand-trace exercise back]"
    assert log[2:] == [
        *(MENU, which, "== 1 quiz 6/8", "page: ask 1.quiz | option right; option wrong; option odd"),
        *("You chose: option right", "explained: why right", "--"),
        *(MENU, which),
        *(MENU, KEPT),
    ]


def test_a_file_deleted_meanwhile_is_said_so_and_the_lesson_stays(desk: Desk) -> None:
    _, log = desk.sit("1", *BEFORE, LessonLeft)
    desk.workspace.file.unlink()
    (desk.folder / "block_manager.py").symlink_to(desk.folder / "gone.py")
    _, log = desk.sit("1", "check", "hint", "leave")
    said = (
        f"`block_manager.py` in {desk.folder} is a link to a file that is gone. Delete the link, then run "
        f"`pagetutor start`."
    )
    assert log.count(said) == 2
    assert log[-2:] == [MENU, KEPT]


def test_an_unsaved_edit_is_pointed_out_before_the_check(desk: Desk) -> None:
    desk.write(RIGHT)
    (desk.folder / ".#block_manager.py").symlink_to("somebody@host.1")
    log = exercise(desk, "check", "leave", language=Language.ZH)
    assert log[2:4] == [
        "编辑器里的 `block_manager.py` 好像还没保存（有 `.#block_manager.py`），这里用的是磁盘上的那一份。",
        "report: passed []",
    ]


def test_after_a_pass_ones_own_method_stands_beside_the_reference(desk: Desk) -> None:
    desk.write(RIGHT)
    log = exercise(desk, "check", "solution", "leave")
    reference = "def allocate_for_prefill(self, req):\\n    # TODO 1\\n    needed_blocks = (n + b - 1) // b"
    own = "def allocate_for_prefill(self, req):\\n    # TODO 1\\n    needed_blocks = -(-n // b)"
    rest = "\\n\\n    # TODO 2\\n    "
    assert log[-3] == f"solution: '{reference}{rest}...', 1 others, own '{own}{rest}take()'"


def test_the_starter_is_placed_once_and_survives_a_second_sitting(desk: Desk) -> None:
    exercise(desk, "leave")
    assert desk.workspace.file.read_text() == STARTER
    desk.write(FLOORED)
    desk.sit("1", "leave")
    assert desk.workspace.file.read_text() == FLOORED


@pytest.mark.parametrize(
    ("language", "known", "ask", "go_there"),
    [
        (
            Language.EN,
            "Your file is in another folder: {file}",
            "y/n Put a second starter into {here}, and begin anew?",
            "Nothing was placed. `cd {there}`, then `pagetutor mission 1`.",
        ),
        (
            Language.ZH,
            "你的文件在别的文件夹：{file}",
            "y/n 要在 {here} 再放一份起始文件，从头写吗？",
            "什么都没放。先 `cd {there}`，再运行 `pagetutor mission 1`。",
        ),
    ],
)
def test_in_another_folder_a_second_starter_is_placed_only_for_who_wants_it(
    desk: Desk, language: Language, known: str, ask: str, go_there: str
) -> None:
    exercise(desk, "leave")
    there, file = desk.folder, desk.workspace.file
    desk.folder = there.parent / "elsewhere"
    desk.folder.mkdir()
    words = {"file": file, "here": desk.folder, "there": there}
    _, log = desk.sit("1", False, language=language)
    assert log[-3:] == [said.format(**words) for said in (known, ask, go_there)]
    assert not desk.workspace.file.exists()
    desk.sit("1", True, "leave")
    assert desk.workspace.file.read_text() == STARTER
    assert file.read_text() == STARTER


def test_a_report_above_the_menu_advises_the_menu_as_it_will_be(desk: Desk) -> None:
    class Noting(Scripted):
        def show(self, value: Showable) -> None:
            super().show(value)
            if isinstance(value, ReportShown):
                noted.append([option.id for option in value.menu])

    noted: list[list[str]] = []
    desk.write(FLOORED)
    for first in ("check", "hint"):
        script = (first, "leave") if first == "check" else (first, "back", "leave")
        run_mission(
            desk.course,
            desk.mission("final"),
            Noting("s", *script),
            history=History(desk.path.with_name(f"{first}.db")),
            runner=desk.runner,
            workspace=desk.workspace,
            shuffle=False,
            check=marked_check,
        )
    assert noted == [["check", "watch", "edit", "hint", "reread", "replay"]] * 2
