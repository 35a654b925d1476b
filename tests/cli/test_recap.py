"""`pagetutor recap`, the guess beside the code after a check, and how sure one was: as real processes."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagetutor.store import events
from pagetutor.store.events import Event
from pagetutor.store.history import History
from tests.cli.command import Command

_MISSIONS = Path(__file__).resolve().parents[2] / "missions"
_GOLDEN = Path(__file__).with_name("golden")
SOLUTION = (_MISSIONS / "solution.py").read_text(encoding="utf-8")
CEILING = "(req.seq_len + self.block_size - 1) // self.block_size"
FLOOR = "req.seq_len // self.block_size"
FLOORED = SOLUTION.replace(CEILING, FLOOR)

BEGUN_AT = 1_795_000_000.0  # 2026-11-18 11:06:40 UTC
WRONG = (
    "def allocate_for_prefill(self, req: Request) -> None:\n"
    "    needed_blocks = req.seq_len // self.block_size\n"
    "    if len(self.free_blocks) < needed_blocks:\n"
    '        raise RuntimeError("OOM")'
)
MENDED = WRONG.replace("req.seq_len // self.block_size", "-(-req.seq_len // self.block_size)")
HAPPENED: tuple[tuple[float, Event], ...] = (
    (0, events.Answered("1", "1.guess", "drop-the-last", right=False)),
    (5, events.ConfidenceGiven("1", "1.guess", 3)),
    (300, events.Answered("1", "1.guess", "refuse-first", right=True)),
    (360, events.Answered("1", "1.quiz", "no-half-update", right=True)),
    (420, events.Checked("1", "unfilled", (), "a", "a", 0.2)),
    (500, events.Checked("1", "failed", ("prefill.floor-division",), "b", "b", 0.2)),
    (500, events.MethodsSeen("1", "b", WRONG)),
    (530, events.HintOpened("1", "prefill.floor-division", 3, "b")),
    (90_000, events.Checked("1", "passed", (), "c", "c", 0.2)),
    (90_000, events.MethodsSeen("1", "c", MENDED)),
)


@pytest.fixture
def lived(pagetutor: Command) -> Command:
    """A learner whose clock went as HAPPENED says."""
    times = iter([BEGUN_AT + at for at, _ in HAPPENED])
    history = History(pagetutor.home / "history.db", clock=lambda: next(times))
    for _, event in HAPPENED:
        history.append(event)
    return pagetutor


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_whole_recap_as_it_is_shown(lived: Command, language: str) -> None:
    ran = lived("recap", "--lang", language, TZ="UTC")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == (_GOLDEN / f"recap-{language}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("language", "said"), [("en", "Your recap is in {path}.\n"), ("zh", "回顾写进 {path} 了。\n")]
)
def test_the_whole_recap_as_markdown(lived: Command, language: str, said: str) -> None:
    path = lived.folder / "recap.md"
    ran = lived("recap", "--md", "recap.md", "--lang", language, TZ="UTC")
    assert (ran.status, ran.out, ran.err) == (0, said.format(path=path), "")
    assert path.read_bytes() == (_GOLDEN / f"recap-{language}.md").read_bytes()


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "{path} is there already and was left as it is; run this again with another name."),
        ("zh", "{path} 已经有了，没有覆盖它；换一个文件名再来一次。"),
    ],
)
def test_a_file_that_is_there_is_not_touched(lived: Command, language: str, said: str) -> None:
    path = lived.folder / "mine.md"
    path.write_text("mine")
    ran = lived("recap", "--md", str(path), "--lang", language)
    assert (ran.status, ran.out, ran.err) == (3, "", f"pagetutor: {said.format(path=path)}\n")
    assert path.read_text() == "mine"


def test_a_folder_that_is_not_there_is_said(lived: Command) -> None:
    path = lived.folder / "nowhere" / "recap.md"
    ran = lived("recap", "--md", str(path), "--lang", "en")
    assert (ran.status, ran.out) == (3, "")
    assert ran.err == (
        f"pagetutor: {path} cannot be written (No such file or directory); run this again with a folder you "
        "can write to.\n"
    )


def test_chinese_goes_into_the_file_though_this_terminal_cannot_show_it(lived: Command) -> None:
    ran = lived("recap", "--md", "recap.md", "--lang", "zh", TZ="UTC", PYTHONIOENCODING="ascii")
    assert (ran.status, ran.out) == (0, f"Your recap is in {lived.folder / 'recap.md'}.\n")
    written = (lived.folder / "recap.md").read_bytes()
    assert written == (_GOLDEN / "recap-zh.md").read_bytes()


def test_before_anything_was_done_there_is_nothing_to_look_back_on(pagetutor: Command) -> None:
    ran = pagetutor("recap", "--lang", "en")
    assert ran.out == ("There is nothing to look back on yet. Begin with `pagetutor mission 1`.\n\n")
    assert ran.status == 0


def test_the_list_tells_state_attempts_and_the_last_check(lived: Command) -> None:
    assert "  passed · 3 checks · last 2026-11-19 12:06: passed\n" in lived("list", TZ="UTC").out
    told = lived("list", "--lang", "zh", TZ="UTC").out
    assert "  已通过 · 检查过 3 次 · 上次 2026-11-19 12:06：通过了\n" in told


# ── with real checks ─────────────────────────────────────────────────────────────────────────────


def test_a_mistake_that_was_mended_is_recapped_with_the_learners_own_change_and_moves_with_an_export(
    pagetutor: Command,
) -> None:
    file = pagetutor.folder / "block_manager.py"
    for source in (FLOORED, SOLUTION):
        file.write_text(source, encoding="utf-8")
        pagetutor("check", "1")
    told = pagetutor("recap", "--lang", "en").out
    assert f"    -    needed_blocks = {FLOOR}\n    +    needed_blocks = {CEILING}\n" in told
    assert "- `prefill.floor-division`, in 1 check\n" in told
    assert pagetutor("progress", "export", "moved.json").status == 0
    there = Command(pagetutor.folder, pagetutor.home.with_name("there"))
    assert there("progress", "import", "moved.json").status == 0
    assert there("recap", "--lang", "en").out == told


TOLD = {
    "en": """\
Your guess, and your code
  you guessed  Yes, because `9 % 4 == 1`
  call         `block_size=4`, `free_blocks=[8, 3, 5]`; `seq_len=8`,
               `block_table=[7, 2]` → `allocate_for_decode(a)`
  your code    at 9 tokens it took 1 block and holds 3:
               `block_table == [7, 2, 8]`, `free_blocks == [3, 5]`
✓ You were fairly sure, and right.
""",
    "zh": """\
你的猜测和你的代码
  你猜的    要，因为 `9 % 4 == 1`
  调用      `block_size=4`，`free_blocks=[8, 3, 5]`；`seq_len=8`，
            `block_table=[7, 2]` → `allocate_for_decode(a)`
  你的代码  到 9 个 token 时领了 1 块，现在共 3 块：`block_table == [7, 2, 8]`，
            `free_blocks == [3, 5]`
✓ 当时比较有把握，猜对了。
""",
}


@pytest.mark.parametrize(
    ("words", "language"), [(["check", "2"], "en"), (["check", "all"], "zh"), (["watch", "2"], "zh")]
)
def test_a_pass_shows_the_first_guess_beside_what_the_code_just_did(
    pagetutor: Command, words: list[str], language: str
) -> None:
    (pagetutor.folder / "block_manager.py").write_text(SOLUTION, encoding="utf-8")
    assert pagetutor("mission", "2", "--no-shuffle", typed="s\n1\n2\n").status == 2
    assert TOLD[language] in pagetutor(*words, "--lang", language).out


def test_input_that_ends_where_it_is_asked_how_sure_one_is_keeps_the_guess(pagetutor: Command) -> None:
    ran = pagetutor("mission", "1", "--no-shuffle", "--lang", "en", typed="s\n1\n")
    assert ran.status == 2
    assert ran.err == (
        "pagetutor: The input ended too early: what was answered is kept. Run this in a terminal, or give "
        "the answers that are missing.\n"
    )
    assert "How sure are you? 1 a guess, 2 fairly sure, 3 sure\n" in ran.out
    exported = pagetutor("progress", "export").document["events"]
    assert [event["kind"] for event in exported if event["kind"] in ("answered", "confidence")] == [
        "answered"
    ]
