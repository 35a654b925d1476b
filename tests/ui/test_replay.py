"""A replay's frames: what they say, and that none is larger than the screen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pagetutor.text import Language
from pagetutor.tutor.replay_frames import Moment
from pagetutor.ui.render.look import ASCII_MARKS, PLAIN_MARKS, UNICODE_MARKS, Look, Marks
from pagetutor.ui.render.replay import most_top, replay_screen, replay_slide, replay_text
from pagetutor.ui.screen.stepping import Move, moved
from pagetutor.ui.svg import screen_of_lines, svg
from tests.pictures.svg import lines_of
from tests.ui.replays import replay_of_remainder_0

REPLAY = replay_of_remainder_0()
FIRST = 6


def shown(at: int, language: Language, columns: int = 80, rows: int = 24, *, colour: bool = False) -> str:
    lines = replay_screen(REPLAY, at, Look(language, columns, colour=colour), rows)
    return "\n".join(line.plain.rstrip() for line in lines)


def test_the_frames_are_before_each_line_and_after() -> None:
    assert "".join(frame.moment[0] for frame in REPLAY.frames) == "blllllablla"
    assert REPLAY.first_difference == FIRST
    assert REPLAY.frames[FIRST].moment is Moment.AFTER


def test_the_frame_of_the_first_difference_in_chinese() -> None:
    assert shown(FIRST, Language.ZH) == "\n".join(
        [
            "回放 · Mission 2 · 正好装满，不补块",
            "第 7/11 步 · 第 1/2 次调用：`allocate_for_decode(a)`",
            "✗ 第一处不同就在这里",
            "  应该  `block_table` 里 1 块，空闲池剩 2 块",
            "  实际  `block_table == [3, 5]`，`free_blocks == [0]`",
            "  4 │     req.seq_len += 1",
            "  5 │     if self.is_full(",
            "  6 │         req,",
            "  7 │     ):",
            "❯ 8 │         req.block_table.append(self.free_blocks.pop(0))",
            "局部变量：`is == True`，`word == '''`",
            "",
            *_pictures(Look(Language.ZH, 80, colour=False)),
            "→ 下一步   ← 上一步   d 第一处不同   c 下一次调用   l English   q 离开",
        ]
    )


def test_a_line_says_what_it_did_and_where_it_is() -> None:
    says = [shown(at, Language.EN, 160).split("\n")[2] for at in range(len(REPLAY.frames))]
    assert says == [
        "Before the call: `block_size=4`, `free_blocks=[5, 0]`; `seq_len=3`, `block_table=[3]` → "
        "`allocate_for_decode(a)`",
        "line 4: `seq_len == 4`",
        "line 5: calls `is_full`",
        "line 11 in `is_full`: nothing new",
        "line 5: the condition is `True`; `is == True`",
        "line 8: `word == '''`; `block_table == [3, 5]`; `free_blocks == [0]`",
        "✗ Here is the first difference",
        "Before the call: `block_size=4`, `free_blocks=[0]`; `seq_len=4`, `block_table=[3, 5]` → "
        "`allocate_for_decode(a)`",
        "line 4: `seq_len == 5`",
        "line 5: the condition is `False`",
        "After the call: `block_table == [3, 5]`, `free_blocks == [0]`; nothing new goes wrong in this call",
    ]


def test_a_helper_is_shown_while_its_lines_run() -> None:
    assert "❯ 11 │     return req.seq_len % self.block_size == 0" in shown(3, Language.EN).split("\n")


@pytest.mark.parametrize("marks", [UNICODE_MARKS, ASCII_MARKS], ids=["unicode", "ascii"])
@pytest.mark.parametrize("language", Language)
def test_no_frame_is_larger_than_the_screen(marks: Marks, language: Language) -> None:
    for columns in (20, 31, 66, 100):
        for rows in (1, 5, 9, 24):
            for at in range(len(REPLAY.frames)):
                lines = replay_screen(REPLAY, at, Look(language, columns, marks=marks), rows)
                assert len(lines) <= rows
                assert max(line.cell_len for line in lines) <= columns


@pytest.mark.parametrize("columns", [20, 40, 80])
def test_the_marked_line_stays_and_the_picture_gives_way(columns: int) -> None:
    for rows in (12, 16, 24):
        screen = shown(5, Language.EN, columns, rows)
        assert "❯ 8 │" in screen
        assert screen.split("\n")[-1].startswith("→")
    assert "free, 1 block" in shown(5, Language.EN, columns, 40)
    assert "free, 1 block" not in shown(5, Language.EN, columns, 10)


@pytest.mark.parametrize("size", [(40, 20), (66, 20), (30, 30), (80, 16)])
@pytest.mark.parametrize(("language", "more"), [(Language.EN, "more rows: "), (Language.ZH, "按上下键")])
def test_where_the_picture_is_too_high_that_is_said_and_the_first_difference_stays(
    size: tuple[int, int], language: Language, more: str
) -> None:
    look, rows = Look(language, size[0], colour=False), size[1]
    most = most_top(REPLAY, FIRST, look, rows)
    assert most > 0
    seen: set[str] = set()
    for top in range(most + 3):  # beyond the end it stays at the end
        lines = [line.plain for line in replay_screen(REPLAY, FIRST, look, rows, top)]
        assert len(lines) <= rows
        assert any(more in line for line in lines)
        assert any(line.startswith("* ") for line in lines)
        seen.update(lines)
    assert {line for line in _pictures(look) if line} <= seen  # nothing is out of reach


def test_on_a_screen_too_low_for_a_row_of_it_a_larger_window_is_asked_for() -> None:
    assert most_top(REPLAY, FIRST, Look(Language.EN, 40), 11) == 0
    assert "\n21 more rows in a larger window\n" in shown(FIRST, Language.EN, 40, 11)
    assert "\n还有 20 行：把窗口拉大\n" in shown(FIRST, Language.ZH, 40, 8)


def test_on_a_large_screen_nothing_is_to_be_scrolled() -> None:
    assert most_top(REPLAY, FIRST, Look(Language.EN, 80), 40) == 0
    assert "more rows" not in shown(FIRST, Language.EN, 80, 40)


def test_the_mark_has_a_colour_too() -> None:
    lines = replay_screen(REPLAY, 5, Look(Language.EN, 80), 24)
    marked = next(line for line in lines if line.plain.startswith("❯ 8"))
    assert "yellow" in str(marked.spans[0].style) + str(marked.style)


def test_as_text_each_call_is_a_paragraph_and_the_first_difference_is_told() -> None:
    look = Look(Language.EN, 80, marks=PLAIN_MARKS, plain=True, colour=False)
    assert "\n".join(line.plain.rstrip() for line in replay_text(REPLAY, look)) == "\n".join(
        [
            "Replay · Mission 2 · exactly full: no block yet",
            "",
            "Call 1 of 2: `allocate_for_decode(a)`",
            "Before the call: `block_size=4`, `free_blocks=[5, 0]`; `seq_len=3`,",
            "`block_table=[3]` → `allocate_for_decode(a)`",
            "  line 4 `req.seq_len += 1`: `seq_len == 4`",
            "  line 5 `if self.is_full(`: calls `is_full`",
            "  line 11 in `is_full` `return req.seq_len % self.block_size == 0`",
            "  line 5 `if self.is_full(`: the condition is `True`; `is == True`",
            "  line 8 `req.block_table.append(self.free_blocks.pop(0))`: `word == '''`;",
            "  `block_table == [3, 5]`; `free_blocks == [0]`",
            "✗ Here is the first difference",
            "  expected  1 block in `block_table`, 2 left in the free pool",
            "  got       `block_table == [3, 5]`, `free_blocks == [0]`",
            *_pictures(look),
            "",
            "Call 2 of 2: `allocate_for_decode(a)`",
            "Before the call: `block_size=4`, `free_blocks=[0]`; `seq_len=4`,",
            "`block_table=[3, 5]` → `allocate_for_decode(a)`",
            "  line 4 `req.seq_len += 1`: `seq_len == 5`",
            "  line 5 `if self.is_full(`: the condition is `False`",
            "After the call: `block_table == [3, 5]`, `free_blocks == [0]`; nothing new goes",
            "wrong in this call",
        ]
    )


def _pictures(look: Look) -> list[str]:
    from pagetutor.ui.render.yours_expected import yours_and_expected  # noqa: PLC0415

    frame = REPLAY.frames[FIRST]
    assert frame.expected is not None
    lines = yours_and_expected(frame.yours, frame.expected, frame.size, look, left_out=frame.left_out)
    return [line.plain for line in lines]


def test_as_text_there_are_no_boxes_and_no_escapes() -> None:
    for language in Language:
        look = Look(language, 80, marks=PLAIN_MARKS, plain=True, colour=False)
        text = "\n".join(line.plain for line in replay_text(REPLAY, look))
        assert not any("\u2500" <= char <= "\u257f" or char == "\x1b" for char in text)


def test_a_slide_is_the_first_difference_and_calls_on_nobody() -> None:
    lines = replay_slide(REPLAY, Look(Language.ZH, 96))
    drawn = svg(screen_of_lines(lines, 96), "replay", Language.ZH)
    assert lines_of(drawn) == [line.plain.rstrip() for line in lines]  # each in its columns
    assert "✗ 第一处不同就在这里" in lines_of(drawn)
    assert "http" not in drawn.replace("http://www.w3.org/2000/svg", "")
    assert "下一步" not in drawn


@pytest.mark.parametrize(
    ("at", "move", "to"),
    [
        (0, Move.NEXT, 1),
        (10, Move.NEXT, 10),
        (1, Move.BACK, 0),
        (0, Move.BACK, 0),
        (9, Move.DIFFERENCE, FIRST),
        (9, Move.FIRST, 0),
        (0, Move.LAST, 10),
        (3, Move.CALL, 7),
        (8, Move.CALL, 8),
    ],
)
def test_a_key_leads_to_a_frame_and_never_beyond_the_ends(at: int, move: Move, to: int) -> None:
    assert moved(REPLAY, at, move) == to


def test_the_docstring_gives_its_rows_to_the_code_unless_the_replay_stands_on_it() -> None:
    replay = replay_of_remainder_0()
    look = Look(Language.ZH, 100, colour=False)
    at = next(number for number, frame in enumerate(replay.frames) if frame.docstring is not None)
    assert "块满了" not in "\n".join(line.plain for line in replay_screen(replay, at, look, 40))
    frame = replay.frames[at]
    frames = (*replay.frames[:at], replace(frame, marked=frame.docstring), *replay.frames[at + 1 :])
    stands_on_it = replace(replay, frames=frames)
    assert "块满了" in "\n".join(line.plain for line in replay_screen(stands_on_it, at, look, 40))
