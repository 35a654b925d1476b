"""What the recap says of its own, on the screen and in Markdown."""

from __future__ import annotations

from pagetutor.text import Text

TITLE = Text(zh="回顾：", en="Recap: ")
NOTHING = Text(
    zh="还没有可回顾的。从 `pagetutor mission 1` 开始。",
    en="There is nothing to look back on yet. Begin with `pagetutor mission 1`.",
)
PASSED = Text(zh="已通过", en="passed")
NOT_YET = Text(zh="还没通过", en="not passed yet")
CHECKS = Text(zh="检查过 {count} 次", en="{count} checks")
ONE_CHECK = Text(zh="检查过 1 次", en="1 check")
HINTS = Text(zh="提示 {count} 个", en="{count} hints")
ONE_HINT = Text(zh="提示 1 个", en="1 hint")
SAW_THE_LINE = Text(zh="看过答案那一行", en="looked at the line")
SAW_THE_SOLUTION = Text(zh="通过之前看过参考解", en="looked at the reference before the pass")
MINUTES = Text(zh="用时 {minutes} 分钟", en="{minutes} min")
HOURS = Text(zh="用时 {hours} 小时 {minutes} 分钟", en="{hours} h {minutes} min")
UNDER_A_MINUTE = Text(zh="用时不到 1 分钟", en="less than a minute")

ANSWERED = Text(zh="你的回答", en="What you answered")
FIRST = Text(zh="先选的是：", en="first: ")
FINALLY = Text(zh="后来改成：", en="and then: ")
ONCE = Text(zh="选的是：", en="you chose: ")
SURE = {
    1: Text(zh="（当时是猜的）", en=" (a guess, you said)"),
    2: Text(zh="（当时比较有把握）", en=" (fairly sure, you said)"),
    3: Text(zh="（当时很有把握）", en=" (sure, you said)"),
}

MISTAKES = Text(zh="路上遇到的错误", en="Mistakes you met on the way")
MET = Text(zh="`{mistake}`，{count} 次检查里都有", en="`{mistake}`, in {count} checks")
MET_ONCE = Text(zh="`{mistake}`，1 次检查里有", en="`{mistake}`, in 1 check")
MENDED_SO = Text(zh="后来这样改好了：", en="You mended it like this:")
GONE_SO = Text(
    zh="这样改了以后，它不再出现（这个 Mission 还没通过）：",
    en="It is gone since this change (the mission does not pass yet):",
)
MENDED_ELSEWHERE = Text(
    zh="后来改好了，改的地方不在这个方法里。", en="You mended it, by a change outside the method."
)
GONE_ELSEWHERE = Text(
    zh="它不再出现，改的地方不在这个方法里（这个 Mission 还没通过）。",
    en="It is gone, by a change outside the method (the mission does not pass yet).",
)
MENDED_UNKEPT = Text(
    zh="后来改好了；当时的代码没有留下来。", en="You mended it; the code of that time was not kept."
)
GONE_UNKEPT = Text(
    zh="它不再出现；当时的代码没有留下来（这个 Mission 还没通过）。",
    en="It is gone; the code of that time was not kept (the mission does not pass yet).",
)
NOT_MENDED = Text(zh="还没改好。", en="It is still there.")
LINES_LEFT_OUT = Text(zh="… 还有 {count} 行", en="… and {count} more lines")
ONE_LINE_LEFT_OUT = Text(zh="… 还有 1 行", en="… and 1 more line")

OWN_WORDS = Text(zh="你自己的话", en="In your own words")
OF_NO_NAME = Text(zh="还没有名字的错误", en="a mistake without a name")

OVER_TIME = Text(zh="每次检查", en="Checks over time")
DAY = Text(zh="日期", en="day")
TIME = Text(zh="时间", en="time")
RESULTS = Text(zh="结果", en="results")
LEGEND = Text(
    zh="{passed} 通过 · {failed} 没通过 · {other} 没有跑出结果",
    en="{passed} passed · {failed} not passing · {other} came to no result",
)
ON_A_DAY = Text(
    zh="{date}，{first} 到 {last}：检查了 {count} 次，依次是：",
    en="{date}, {first} to {last}: {count} checks, in this order: ",
)
AT_ONE_TIME = Text(zh="{date} {first}：检查了 1 次：", en="{date} {first}: 1 check: ")
IN_A_ROW = Text(zh="{verdict}（{count} 次）", en="{verdict} ({count} times)")
COMMA = Text(zh="，", en=", ")
FULL_STOP = Text(zh="。", en=".")
MARKS_IN_A_ROW = 60  # of a table in Markdown
MOST_LINES = 60  # of a diff; a method has ten, the whole exercise forty


def facts(
    *, passed: bool, checks: int, hints: int, saw_the_line: bool, saw_the_solution: bool, seconds: float
) -> tuple[Text, ...]:
    """How a mission stands, what it took: state, checks, hints, time."""
    found = [PASSED if passed else NOT_YET]
    if checks:
        found.append(ONE_CHECK if checks == 1 else CHECKS.with_(count=checks))
    if hints:
        found.append(ONE_HINT if hints == 1 else HINTS.with_(count=hints))
    if saw_the_line:
        found.append(SAW_THE_LINE)
    if saw_the_solution:
        found.append(SAW_THE_SOLUTION)
    return (*found, _duration(seconds))


def _duration(seconds: float) -> Text:
    hours, minutes = divmod(int(seconds) // 60, 60)
    if hours:
        return HOURS.with_(hours=hours, minutes=minutes)
    return MINUTES.with_(minutes=minutes) if minutes else UNDER_A_MINUTE


def lines_left_out(count: int) -> Text:
    """That a diff goes on for so many lines."""
    return ONE_LINE_LEFT_OUT if count == 1 else LINES_LEFT_OUT.with_(count=count)


def cut(diff: tuple[str, ...]) -> tuple[tuple[str, ...], int]:
    """The lines of a diff worth reading, and how many were left out."""
    return diff[:MOST_LINES], max(len(diff) - MOST_LINES, 0)
