"""The recap's chart on any screen, and the recap as Markdown."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pagetutor.text import Language, same
from pagetutor.tutor.mending import Met
from pagetutor.tutor.recap import Day, OwnWords, Recap
from pagetutor.tutor.screen import EvidenceShown, RecapShown
from pagetutor.ui.markdown import recap_as_markdown
from pagetutor.ui.render import render
from pagetutor.ui.render.look import ASCII_MARKS, PLAIN_MARKS, Look
from tests.ui.values import EVERY_VALUE, MISSION, RECAP

_BARE = replace(RECAP.missions[0], given=(), met=(), days=())


def shown(recap: Recap, look: Look) -> list[str]:
    return [line.plain.rstrip() for line in render(RecapShown(recap), look)]


def chart(look: Look, *days: Day) -> list[str]:
    """The lines below the chart's head."""
    lines = shown(Recap(same("c"), (replace(_BARE, days=days),)), look)
    head = "Checks over time" if look.language is Language.EN else "每次检查"
    return lines[lines.index(head) + 1 :]


LONG = Day("2026-11-29", "09:00", "19:45", ("failed",) * 30 + ("stopped", "passed"))


def test_without_the_usual_marks_the_chart_is_drawn_in_ascii() -> None:
    lines = chart(Look(Language.EN, 80, marks=ASCII_MARKS, colour=False), LONG)
    assert lines == [
        "  2026-11-29  09:00-19:45  " + "x" * 30 + "o+",
        "  + passed - x not passing - o came to no result",
    ]


def test_many_checks_of_a_day_go_on_below_and_no_line_is_wider_than_the_screen() -> None:
    assert chart(Look(Language.ZH, 40, colour=False), LONG) == [
        "  2026-11-29  09:00-19:45  ✗✗✗✗✗✗✗✗✗✗✗✗✗",
        "                           ✗✗✗✗✗✗✗✗✗✗✗✗✗",
        "                           ✗✗✗✗○✓",
        "  ✓ 通过 · ✗ 没通过 · ○ 没有跑出结果",
    ]
    assert chart(Look(Language.ZH, 20, colour=False), LONG)[:5] == [
        "  2026-11-29",
        "  09:00-19:45",
        "    ✗✗✗✗✗✗✗✗✗✗✗✗✗✗✗✗",
        "    ✗✗✗✗✗✗✗✗✗✗✗✗✗✗○✓",
        "  ✓ 通过 · ✗ 没通过",
    ]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            Language.EN,
            "2026-11-29, 09:00 to 19:45: 32 checks, in this order: not passing yet (30 times), it did not "
            "finish, passed.",
        ),
        (
            Language.ZH,
            "2026-11-29，09:00 到 19:45：检查了 32 次，依次是：还没通过（30 次），没有跑完，通过了。",
        ),
    ],
)
def test_on_a_plain_screen_the_chart_is_a_sentence(language: Language, said: str) -> None:
    lines = chart(Look(language, 100, marks=PLAIN_MARKS, plain=True, colour=False), LONG)
    assert "".join(" ".join(lines).split()) == "".join(said.split())


@pytest.mark.parametrize("width", [20, 40, 80, 100])
@pytest.mark.parametrize("language", list(Language))
def test_no_line_of_recap_and_evidence_is_wider_than_the_screen(language: Language, width: int) -> None:
    values = [value for value in EVERY_VALUE if isinstance(value, RecapShown | EvidenceShown)]
    assert len(values) == 3
    for value in values:
        assert all(line.cell_len <= width for line in render(value, Look(language, width, colour=False)))


def test_a_diff_of_a_hundred_lines_is_cut_and_says_so() -> None:
    met = Met("gather.stacks", None, 1, mended=True, diff=tuple(f"+{number}" for number in range(100)))
    recap = Recap(same("c"), (replace(_BARE, met=(met,)),))
    lines = shown(recap, Look(Language.EN, 80, colour=False))
    assert lines[-2:] == ["    +59", "    … and 40 more lines"]
    assert recap_as_markdown(recap, Language.ZH).endswith("  +59\n  ```\n\n  … 还有 40 行\n")


def test_the_markdown_fences_code_that_has_fences_of_its_own() -> None:
    assert "  ````diff\n  @@ -1,3 +1,3 @@\n" in recap_as_markdown(RECAP, Language.EN)


SLY = "x` \n# T\x1b[31m<script>"
SLY_RECAP = Recap(
    same("c"),
    (
        replace(
            _BARE,
            met=(Met(SLY, None, 1, mended=True, diff=("@@ -1 +1 @@", "-a\x1b]0;T\x07", "+b\u2028\r# T")),),
            own_words=(OwnWords(SLY, "# T\n- <script>\x1b[31m [a](b) `c` &lt;"), OwnWords(None, "5 % 4")),
            days=(Day("2026-11-29", "09:00", "19:45", ("\n# T\x1b[31m", "passed")),),
        ),
    ),
)


@pytest.mark.parametrize("plain", [False, True])
def test_nothing_of_the_data_is_obeyed_by_a_terminal(plain: bool) -> None:  # noqa: FBT001
    lines = shown(SLY_RECAP, Look(Language.EN, 80, marks=PLAIN_MARKS, plain=plain, colour=False))
    assert all(line.isprintable() for line in lines)
    assert "- `x' \\x0a# T\\x1b[31m<script>`, in 1 check" in lines
    assert lines[lines.index("In your own words") + 1 :][:5] == [
        "- `x' \\x0a# T\\x1b[31m<script>`",
        "  # T",
        "  - <script>\\x1b[31m [a](b) `c` &lt;",
        "- a mistake without a name",
        "  5 % 4",
    ]


def test_nothing_of_the_data_becomes_the_pages_own_markup() -> None:
    page = recap_as_markdown(SLY_RECAP, Language.EN)
    assert all(line.isprintable() for line in page.split("\n"))
    assert [line for line in page.split("\n") if line.lstrip(" >").startswith("#")] == [
        "# Recap: c",
        f"## {_BARE.mission.title.en}",
        "### Mistakes you met on the way",
        "### In your own words",
        "### Checks over time",
    ]
    assert "  -a\\x1b]0;T\\x07\n  +b\\u2028\\x0d# T\n" in page
    assert (
        "- `x' \\x0a# T\\x1b[31m<script>`\n\n"
        r"  > \# T" + "\n"
        r"  > \- \<script\>\\x1b\[31m \[a\](b) \`c\` \&lt;" + "\n\n"
        "- a mistake without a name\n\n  > 5 % 4\n"
    ) in page


def test_many_checks_of_a_day_take_several_rows_of_the_table() -> None:
    day = Day("2026-11-29", "09:00", "19:45", ("failed",) * 130 + ("passed",))
    page = recap_as_markdown(Recap(same("c"), (replace(_BARE, days=(day,)),)), Language.EN)
    assert [line for line in page.split("\n") if line.startswith("|")][2:] == [
        "| 2026-11-29 | 09:00-19:45 | " + "✗" * 60 + " |",
        "|  |  | " + "✗" * 60 + " |",
        "|  |  | " + "✗" * 10 + "✓ |",
    ]


MARKDOWN_ZH = """\
# 回顾：c

## Mission 1 · 概念练习 · Prefill

已通过 · 检查过 4 次 · 提示 1 个 · 通过之前看过参考解 · 用时 1 小时 5 分钟

### 你的回答

5 个 token 要几块？

- ✗ 先选的是：给它一块，`[0]`（当时很有把握）
- ✓ 后来改成：两块才够

### 路上遇到的错误

- `structure.missing-self`，1 次检查里有

  后来改好了；当时的代码没有留下来。

### 每次检查

| 日期 | 时间 | 结果 |
|---|---|---|
| 2026-11-28 | 23:50-23:58 | ○✗✗ |
| 2026-11-29 | 19:45 | ✓ |

✓ 通过 · ✗ 没通过 · ○ 没有跑出结果
"""


def test_a_mission_as_markdown() -> None:
    mission = RECAP.missions[0]
    short = replace(mission, mission=MISSION, given=mission.given[:1], met=mission.met[2:])
    assert recap_as_markdown(Recap(same("c"), (short,)), Language.ZH) == MARKDOWN_ZH


def test_nothing_to_look_back_on_is_said_in_markdown_too() -> None:
    assert recap_as_markdown(Recap(same("c"), ()), Language.EN) == (
        "# Recap: c\n\nThere is nothing to look back on yet. Begin with `pagetutor mission 1`.\n"
    )


@pytest.mark.parametrize(
    ("diff", "en", "zh"),
    [
        (
            ("+x",),
            "It is gone since this change (the mission does not pass yet):",
            "这样改了以后，它不再出现（这个 Mission 还没通过）：",
        ),
        (
            (),
            "It is gone, by a change outside the method (the mission does not pass yet).",
            "它不再出现，改的地方不在这个方法里（这个 Mission 还没通过）。",
        ),
        (
            None,
            "It is gone; the code of that time was not kept (the mission does not pass yet).",
            "它不再出现；当时的代码没有留下来（这个 Mission 还没通过）。",
        ),
    ],
)
def test_what_is_gone_in_a_mission_that_does_not_pass_is_not_called_mended(
    diff: tuple[str, ...] | None, en: str, zh: str
) -> None:
    gone = Recap(same("c"), (replace(_BARE, met=(Met("gather.stacks", None, 1, mended=True, diff=diff),)),))
    for language, words in ((Language.EN, en), (Language.ZH, zh)):
        said = "\n".join(shown(gone, Look(language, 120, colour=False)))
        assert words in said
        assert "mended" not in said
        assert "改好" not in said
        assert words in recap_as_markdown(gone, language)
