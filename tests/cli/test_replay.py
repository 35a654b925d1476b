"""`pagetutor replay` where there are no keys: told call by call, or drawn as a slide."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagetutor.store.events import Checked
from pagetutor.store.history import History
from tests.cli.command import Command, Ran

RIGHT = (Path(__file__).resolve().parents[2] / "missions" / "solution.py").read_text(encoding="utf-8")
FLOORS = RIGHT.replace(
    "(req.seq_len + self.block_size - 1) // self.block_size", "req.seq_len // self.block_size"
)
LINE = FLOORS[: FLOORS.index("        needed_blocks =")].count("\n") + 1
WAITING = (
    "Replaying (loading torch takes a few seconds)…\n",
    "正在回放（加载 torch 要几秒）…\n",
    "正在检查（加载 torch 要几秒）…\n",
)


def told(ran: Ran) -> str:
    """What stands on stdout, without the line that comes where it lasts."""
    out = ran.out
    for line in WAITING:
        out = out.removeprefix(line)
    return out


@pytest.fixture
def file(pagetutor: Command) -> Path:
    file = pagetutor.folder / "block_manager.py"
    file.write_text(FLOORS, encoding="utf-8")
    return file


def test_a_failing_case_is_told_call_by_call(pagetutor: Command, file: Path) -> None:
    ran = pagetutor("replay", "1", "--lang", "en")
    assert (ran.status, ran.err) == (0, "")
    before, _, pictures = told(ran).partition("Yours:\n")
    assert before == (
        "Replay · Mission 1 · a prompt shorter than a block takes a whole one\n"
        "\n"
        "Call 1 of 1: `allocate_for_prefill(a)`\n"
        "Before the call: `block_size=4`, `free_blocks=[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]`;\n"
        "`seq_len=1`, `block_table=[]` → `allocate_for_prefill(a)`\n"
        f"  line {LINE} `needed_blocks = req.seq_len // self.block_size`: `needed_blocks == 0`\n"
        f"  line {LINE + 1} `if needed_blocks > len(self.free_blocks):`: the condition is `False`\n"
        f"  line {LINE + 3} `for _ in range(needed_blocks):`: the loop runs no round (0 rounds)\n"
        "✗ Here is the first difference\n"
        "  expected  1 block in `block_table`, 9 left in the free pool\n"
        "  got       `block_table == []`, `free_blocks == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]`\n"
    )
    assert "Request a: 1 token, an empty block table.\n" in pictures.partition("Expected:\n")[0]
    assert "Request a: 1 token, block table 0.\n" in pictures.partition("Expected:\n")[2]
    events = [record.event for record in History(pagetutor.home / "history.db").records()]
    assert not any(isinstance(event, Checked) for event in events)  # a replay is no check


@pytest.mark.parametrize("name", ["", " ", "-"])
@pytest.mark.parametrize(
    ("words", "lang", "said"),
    [
        (("replay", "1", "--svg"), "en", "`--svg` needs the name of a file, as in `--svg slide.svg`.\n"),
        (("replay", "1", "--svg"), "zh", "`--svg` 后面要写文件名，比如 `--svg slide.svg`。\n"),
        (("recap", "--md"), "en", "`--md` needs the name of a file, as in `--md recap.md`.\n"),
    ],
)
def test_a_file_to_write_has_a_name(
    pagetutor: Command, file: Path, name: str, words: tuple[str, ...], lang: str, said: str
) -> None:
    ran = pagetutor(*words, name, "--lang", lang)
    assert (ran.status, ran.out, ran.err) == (2, "", f"pagetutor: {said}")
    assert [path.name for path in pagetutor.folder.iterdir()] == ["block_manager.py"]


def test_it_speaks_chinese(pagetutor: Command, file: Path) -> None:
    ran = pagetutor("replay", "1", "--lang", "zh")
    assert (ran.status, ran.err) == (0, "")
    assert told(ran).partition("你的：\n")[0] == (
        "回放 · Mission 1 · 不足一块，也领一整块\n"
        "\n"
        "第 1/1 次调用：`allocate_for_prefill(a)`\n"
        "调用之前：`block_size=4`，`free_blocks=[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]`；\n"
        "`seq_len=1`，`block_table=[]` → `allocate_for_prefill(a)`\n"
        f"  第 {LINE} 行 `needed_blocks = req.seq_len // self.block_size`：\n"
        "  `needed_blocks == 0`\n"
        f"  第 {LINE + 1} 行 `if needed_blocks > len(self.free_blocks):`：条件为 `False`\n"
        f"  第 {LINE + 3} 行 `for _ in range(needed_blocks):`：循环一圈也没转（0 圈）\n"
        "✗ 第一处不同就在这里\n"
        "  应该  `block_table` 里 1 块，空闲池剩 9 块\n"
        "  实际  `block_table == []`，`free_blocks == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]`\n"
    )


def test_a_right_file_says_so_and_replays_its_first_test(pagetutor: Command, file: Path) -> None:
    file.write_text(RIGHT, encoding="utf-8")
    ran = pagetutor("replay", "2", "block_manager.py", "--lang", "zh")
    assert ran.status == 0
    assert told(ran).startswith(
        "回放 · Mission 2 · 从 6 到 9：第三次才补块\n每个测试你的代码都做对了，这里回放第一个。\n"
    )
    assert told(ran).replace("\n", "").endswith("；和应该的一样")


def test_a_case_there_is_not_is_wrong_usage(pagetutor: Command, file: Path) -> None:
    ran = pagetutor("replay", "3", "--case", "nope", "--lang", "en")
    assert (ran.status, told(ran)) == (2, "")
    assert ran.err.startswith("pagetutor: There is no case `nope`. There are:\n  test_gather.py::test_")
    assert "\n  test_gather.py::test_cases_nobody_can_foresee: eight more cases, not shown here\n" in ran.err


def test_a_file_that_cannot_be_loaded_gets_the_checks_own_message(pagetutor: Command, file: Path) -> None:
    file.write_text(FLOORS + "\nclass\n", encoding="utf-8")
    checked = pagetutor("check", "1", "--lang", "zh")
    ran = pagetutor("replay", "1", "--lang", "zh")
    assert (ran.status, told(ran)) == (1, told(checked))


def test_a_file_that_is_not_there_is_the_folders_fault(pagetutor: Command) -> None:
    ran = pagetutor("replay", "1", "nothing.py", "--lang", "en")
    assert ran.status == 3
    assert ran.err == (
        f"pagetutor: There is no `nothing.py` in {pagetutor.folder}. See whether the name is right.\n"
    )


def test_the_first_difference_becomes_a_slide_in_a_new_file(pagetutor: Command, file: Path) -> None:
    slide = pagetutor.folder / "slide.svg"
    ran = pagetutor("replay", "1", "--svg", "slide.svg", "--lang", "zh")
    assert (ran.status, told(ran), ran.err) == (0, f"画好了：{slide}\n", "")
    drawn = slide.read_text(encoding="utf-8")
    assert drawn.startswith("<svg ")
    assert "allocate_for_prefill" in drawn
    again = pagetutor("replay", "1", "--svg", "slide.svg", "--lang", "en")
    assert (again.status, told(again)) == (3, "")
    assert again.err == (
        f"pagetutor: {slide} is there already and was left as it is; run this again with another name.\n"
    )
    assert slide.read_text(encoding="utf-8") == drawn
    assert file.read_text(encoding="utf-8") == FLOORS
