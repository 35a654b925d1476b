"""Every sentence the screens say of their own, in Chinese and in English."""

from __future__ import annotations

from pagetutor.text import Text, same
from pagetutor.tutor.waiting import LOADING_TORCH

# ── parts ────────────────────────────────────────────────────────────────────────────────────────

CONCEPT_PRACTICE = Text(zh="概念练习", en="concept practice")
OFFICIAL = Text(zh="官方题目", en="The official exercise")

GUESS_INTRO = Text(
    zh="先猜，再和后面的讲解对照。选了随时可以改；猜错了也没关系，会有解释，不会卡住你。",
    en="Guess first, then compare with the explanation that follows. You can change your choice at any time; "
    "a wrong guess gets an explanation and never blocks you.",
)


def mission_name(mission_id: str) -> Text:
    """`Mission 1`, or the whole exercise."""
    return OFFICIAL if mission_id == "final" else same(f"Mission {mission_id}")


def bracketed(words: Text) -> Text:
    """The words in their language's brackets."""
    return Text(zh=f"（{words.zh}）", en=f"({words.en})")


# ── lesson ───────────────────────────────────────────────────────────────────────────────────────

PART = Text(zh="第 {at} 部分，共 {of} 部分", en="part {at} of {of}")
GUESS_AND_CODE = Text(zh="你的猜测和你的代码", en="Your guess, and your code")
GUESSED = Text(zh="你猜的", en="you guessed")
DID = Text(zh="你的代码", en="your code")
RIGHT = Text(zh="对了。", en="Right.")
NOT_QUITE = Text(zh="不对。", en="Not quite.")
MORE = Text(zh="再多说一点", en="A little more")
DRAWING_SAYS = Text(zh="图：", en="Drawing: ")
WARM_UP_NAME = Text(zh="热身", en="warm-up")
EXERCISE_NAME = Text(zh="练习", en="exercise")
REMARK = Text(zh="说明", en="remark")
PRINTED = Text(zh="输出", en="Output")
PRINTED_NOTHING = Text(zh="没有输出。", en="It printed nothing.")
ENDED_AS = Text(zh="最后的值", en="Final values")
YOU_SAID_SO = Text(zh="和你猜的一样", en="as you predicted")
YOU_SAID = Text(zh="你猜的是 {value}", en="you predicted {value}")
RAISED = Text(zh="它停在第 {line} 行：", en="It stopped in line {line}:")
RAISED_SOMEWHERE = Text(zh="它停了下来：", en="It stopped:")
BEYOND = Text(zh="练习之外", en="Beyond the exercise")
YOUR_OWN = Text(zh="你写的", en="Yours")
REFERENCE = Text(zh="参考解", en="The reference")
TRADE_OFF = Text(zh="取舍：", en="Trade-off: ")

# ── overview ─────────────────────────────────────────────────────────────────────────────────────

PASSED_STATE = Text(zh="已通过", en="passed")
PARTS_STATE = Text(zh="完成 {done}/{of} 部分", en="{done} of {of} parts done")
NOT_BEGUN = Text(zh="还没开始", en="not begun")
CHECKS_MADE = Text(zh="检查过 {count} 次", en="{count} checks")
ONE_CHECK = Text(zh="检查过 1 次", en="1 check")
LAST_CHECK = Text(zh="上次 {at}：{verdict}", en="last {at}: {verdict}")
MISSIONS_PASSED = Text(zh="通过 {passed}/{of}", en="{passed} of {of} passed")

# ── report ───────────────────────────────────────────────────────────────────────────────────────

TESTS_PASS = Text(zh="{passed}/{of} 个测试通过", en="{passed} of {of} tests pass")
WORKS_ALREADY = Text(zh="这些已经对了", en="This works already")
WORKS_NOW = Text(zh="现在这些都对了", en="All of this works now")
SO_MANY_TESTS = Text(zh="（{count} 个测试）", en=" ({count} tests)")
AND_MORE = Text(zh="还有 {count} 个测试", en="and {count} more tests")
AND_ONE_MORE = Text(zh="还有 1 个测试", en="and 1 more test")
SMALLEST_CASE = Text(zh="最小的失败例子", en="The smallest case that fails")
CASE_OF_ANOTHER = Text(
    zh="（这个例子是 `{method}` 里的另一处错；下面先说最靠前的那一处。）",
    en="(This case shows another mistake, in `{method}`; the one named below comes first.)",
)
CASE_OF_SEVERAL = Text(
    zh="（这里不止一处错：这个例子里也可能是别的那处；下面先说最靠前的。）",
    en="(There is more than one mistake: this case may show another than the one named below, which comes "
    "first.)",
)
CALL = Text(zh="调用", en="call")
EXPECTED = Text(zh="应该", en="expected")
GOT = Text(zh="实际", en="got")
WHERE = Text(zh="看第 {line} 行", en="Look at line {line}")
WHERE_MISSING = Text(zh="第 {line} 行之前少了点什么", en="Something is missing before line {line}")
MISTAKE_NOWHERE = Text(zh="看这里", en="Look at this")
ONE_OF = Text(
    zh="可能是下面几种情况之一，我还分不清是哪一种：",
    en="It is one of these; I cannot tell which yet:",
)
UNKNOWN = Text(
    zh="我说不准这是哪一种误解，就不乱猜了。上面的例子是能看出问题的最小情形，从它入手最快。",
    en="I cannot tell which misunderstanding this is, so I will not guess. "
    "The case above is the smallest one that shows it: start there.",
)
REREAD = Text(zh="重读：", en="Reread: ")
REPRODUCE = Text(zh="几行代码就能重现", en="A few lines to reproduce it")
PYTHON_SAID = Text(
    zh="Python 的报错（只留了你文件里的部分）", en="What Python said (only the lines of your file)"
)
FRAME = Text(zh="第 {line} 行，在 {function} 里", en="line {line}, in {function}")
YOUR_PRINTS = Text(zh="你的代码打印的内容", en="What your code printed")
LEFT_OUT = Text(zh="中间省略 {bytes} 字节", en="{bytes} bytes left out")
MORE_MAY_APPEAR = Text(
    zh="先改好这一处，再检查一次；后面可能还有。",
    en="Fix this and check again; there may be another one behind it.",
)
REPLAY = Text(zh="一行一行看你的代码怎么走到这一步：", en="To watch your code get there, line by line: ")
DEEPER = Text(zh="想再要一点提示：", en="For a deeper hint: ")
IN_THE_MENU = Text(zh="下面菜单里的 `{key}`", en="`{key}` in the menu below")
LOOK_FIRST = Text(zh="先看哪里：", en="Where to look first: ")
NOTE = Text(zh="提醒", en="Note")

# ── watching ─────────────────────────────────────────────────────────────────────────────────────

WATCHING = Text(zh="正在盯着 {file}，一保存就检查", en="Watching {file}")
WATCH_CHECKING = Text(zh="正在检查 {file}…", en="Checking {file}…")
WATCH_STOPS = Text(zh="（最多 {seconds} 秒，到时就停）", en=" (it is stopped after {seconds} s)")
WATCH_LOADING = Text(zh="正在检查 {file}", en="Checking {file}") + LOADING_TORCH
WATCH_GONE = Text(
    zh="现在没有 {file}，一出现就检查（起始文件可以用 pagetutor start 放好）",
    en="There is no {file} now; it is checked as soon as it is there (pagetutor start places the starter)",
)
WATCH_PASSED = Text(zh="通过了，不再盯着 {file}", en="Passed: {file} is no longer watched")
LAST_CHECKED = Text(zh=" · 上次检查 {at}", en=" · last checked {at}")
WATCH_RUN = Text(zh="再查一次", en="run")
WATCH_HINT = Text(zh="提示", en="hint")
WATCH_MORE = Text(zh="完整报告", en="full report")
WATCH_LIST = Text(zh="列表", en="list")
WATCH_NEXT = Text(zh="下一个", en="next")
WATCH_LEAVE = Text(zh="离开", en="leave")
WATCH_PLAIN_KEYS = Text(zh="输入一个字母后回车：", en="Type one of these letters, then Enter:")

# ── prompts ──────────────────────────────────────────────────────────────────────────────────────

KEYS_CHOOSE = Text(zh="↑↓ 或数字选择，回车确认", en="arrows or a number, then Enter")
LANGUAGE = Text(zh="语言 / language：English", en="language / 语言：中文")
LEAVE = Text(zh="离开（做过的都已保存）", en="leave (everything so far is kept)")
CHOSEN_BEFORE = Text(zh="（你现在的选择）", en=" (your choice so far)")
PLAIN_CHOOSE = Text(
    zh="输入 1–{count} 后回车（l 换语言，q 离开）：",
    en="Type 1–{count}, then Enter (l language, q leave): ",
)
PLAIN_CHOOSE_LANGUAGE = same("输入 / type 1–{count} + Enter（q 离开 / leave）：")
PLAIN_CHOOSE_KEEP = Text(
    zh="输入 1–{count} 后回车，直接回车保留 {kept}（l 换语言，q 离开）：",
    en="Type 1–{count}, then Enter; Enter alone keeps {kept} (l language, q leave): ",
)
PLAIN_CHOOSE_AGAIN = Text(zh="这里只有 1 到 {count}。", en="There is only 1 to {count} here.")
TYPE_SKIPPABLE = Text(
    zh="直接回车跳过，l 换语言，q 离开",
    en="Enter alone skips, l language, q leave",
)
TYPE_NEEDED = Text(zh="l 换语言，q 离开", en="l language, q leave")
TYPE_AGAIN = Text(zh="这里需要写点什么。", en="This one needs an answer.")
PAUSE = Text(zh="回车继续，l 换语言，q 离开", en="Enter goes on, l language, q leave")
PAUSE_SKIPPABLE = Text(
    zh="回车继续，s 跳过，l 换语言，q 离开",
    en="Enter goes on, s skips, l language, q leave",
)
MORE_KEY = Text(zh="m 再多看一点，", en="m a little more, ")
PLAIN_MORE = Text(zh="m：再多看一点。", en="m: a little more. ")
MORE_ROW = Text(zh="再多看一点", en="a little more")
REPORT_PAUSE = Text(zh="回车继续，q 回去", en="Enter goes on, q goes back")
MORE_BELOW = Text(zh="下面还有：", en="More below: ")
YES_NO = Text(zh="y 是，n 或回车 否，l 换语言，q 离开", en="y yes, n or Enter no, l language, q leave")
YES_NO_AGAIN = Text(zh="请输入 y 或 n。", en="Please type y or n.")
INPUT_ENDED = Text(
    zh="输入提前结束了：已经回答的都保存了，请在终端里运行，或补上剩下的回答。",
    en="The input ended too early: what was answered is kept. Run this in a terminal, or give the answers "
    "that are missing.",
)
OPENS_IN = Text(
    zh="没有设好能用的编辑器（`EDITOR`），这就用 {editor} 打开。",
    en="No editor that can be started is set (`EDITOR`), so the file opens in {editor}. ",
)
_IN_VI = Text(
    zh="按 i 开始改；改完按 Esc，再输入 `:wq` 回车，保存并退出（不想保存就用 `:q!`）。",
    en="Press i to edit; then Esc and `:wq` with Enter saves and leaves (`:q!` leaves without saving).",
)
LEAVE_EDITOR = {
    "nano": Text(
        zh="改完按 Ctrl-O、回车保存，再按 Ctrl-X 退出。", en="Ctrl-O and Enter save, Ctrl-X leaves it."
    ),
    "vim": _IN_VI,
    "vi": _IN_VI,
    "emacs": Text(
        zh="改完按 Ctrl-X Ctrl-S 保存，再按 Ctrl-X Ctrl-C 退出。",
        en="Ctrl-X Ctrl-S saves, Ctrl-X Ctrl-C leaves it.",
    ),
}
NO_KEYS = Text(
    zh="这个终端不支持按键菜单，改用纯文本模式。",
    en="This terminal cannot show key menus, so here is the plain text mode.",
)
ASK_LANGUAGE = Text(zh="中文 / English", en="中文 / English")
CHINESE_UNSHOWABLE = Text(
    zh="This terminal's encoding ({encoding}) cannot show Chinese, so here is English; "
    "PYTHONUTF8=1 or a UTF-8 locale mends that.",
    en="This terminal's encoding ({encoding}) cannot show Chinese, so here is English; "
    "PYTHONUTF8=1 or a UTF-8 locale mends that.",
)
