"""What the tutor says of its own in a lesson, word for word, in both languages."""

from __future__ import annotations

from pagetutor.text import Text

# ── reading and guessing ─────────────────────────────────────────────────────────────────────────

FIRST_WORDS = Text(
    zh="开始之前，先用一页认识几个词；以后想重看，运行 pagetutor words。",
    en="Before you begin, one page of words you will need; pagetutor words shows it again later.",
)
GUESS = Text(zh="🎯 先猜一猜", en="🎯 Guess first")
GUESS_INTRO = Text(
    zh="先猜，再和后面的讲解对照。选了随时可以改；猜错了也没关系，会有解释，不会卡住你。",
    en="Guess first, then compare with the explanation that follows. You can change your choice at any "
    "time; a wrong guess gets an explanation and never blocks you.",
)
HOW_SURE = Text(
    zh="有多大把握？1 纯猜，2 比较有把握，3 很有把握", en="How sure are you? 1 a guess, 2 fairly sure, 3 sure"
)
RIGHT = Text(zh="✓ 对了。", en="✓ Right. ")
WRONG = Text(zh="✗ 不对。", en="✗ Not quite. ")
BACKGROUND = Text(zh="██░░░░░░ 2/8 先补的知识", en="██░░░░░░ 2/8 What you need to know")
DIAGRAM = Text(zh="███░░░░░ 3/8 图解原理", en="███░░░░░ 3/8 How it works, drawn")
DIAGRAM_AGAIN = Text(zh="图解原理 (3/8)", en="How it works, drawn (3/8)")
KEEP_OR_CHANGE = Text(
    zh="现在看过讲解和图了，再回头看开头这道题：保留原来的选择，还是改？",
    en="You have seen the explanation and the drawing. Back to the first question: keep your guess, or "
    "change it?",
)
KEPT = Text(zh="保留原来的选择。", en="You kept your guess.")
CHANGED = Text(zh="改好了，两次的选择都会留着。", en="Changed; both answers are kept.")

# ── warm-up ──────────────────────────────────────────────────────────────────────────────────────

WARM_UP = Text(zh="████░░░░ 4/8 语法热身", en="████░░░░ 4/8 Syntax warm-up")
ENDS_AS = Text(zh="跑完之后，{expression} 是", en="In the end, {expression} is")
OUTPUT = Text(zh="输出", en="Output")
FINAL_VALUES = Text(zh="最后的值", en="Final values")
AS_PREDICTED = Text(
    zh="✓ {expression} = {value}（和你猜的一样）", en="✓ {expression} = {value} (as you predicted)"
)
NOT_AS_PREDICTED = Text(
    zh="✗ {expression} = {value}（你猜的是 {guess}）", en="✗ {expression} = {value} (you predicted {guess})"
)
CHANGE_A_NUMBER = Text(zh="改一个数再跑一次？", en="Change a number and run it again?")
TRY = Text(zh="改成 {line} 再跑", en="Run it with {line}")
OWN = Text(zh="{name} 换成我自己想的数", en="Run it with another {name}")
WHICH = Text(zh="{name} 改成几？", en="What should {name} be?")
NO_NUMBER = Text(zh="这里要一个整数，比如 12。", en="A whole number is needed here, such as 12.")
GO_ON = Text(zh="继续往下", en="Go on")
MAPPING = {
    "1": Text(zh="█████░░░ 5/8 从语法例子迁移到当前练习", en="█████░░░ 5/8 From the warm-up to the exercise"),
    "2": Text(zh="█████░░░ 5/8 迁移到 TODO 3", en="█████░░░ 5/8 From the warm-up to TODO 3"),
    "3": Text(zh="█████░░░ 5/8 迁移到 TODO 5", en="█████░░░ 5/8 From the warm-up to TODO 5"),
}

# ── quiz and hand-trace ──────────────────────────────────────────────────────────────────────────

QUIZ = Text(zh="██████░░ 6/8 巩固一下", en="██████░░ 6/8 Make it stick")
REREAD_DIAGRAM = Text(
    zh="答案在「图解原理」里，随时可以重读：pagetutor show {mission} diagram。",
    en="The answer is in “How it works, drawn”; reread it any time: pagetutor show {mission} diagram.",
)
REREAD_FIRST = Text(zh="先重读那一部分", en="Reread that part first")
TRY_AGAIN = Text(zh="再答一次", en="Try again")
LEAVE_IT = Text(zh="先放一放，继续往下", en="Leave it and go on")
HAND_TRACE = Text(zh="███████░ 7/8 用手推一遍", en="███████░ 7/8 Trace it by hand")
CELL_RIGHT = Text(zh="对。", en="Right.")
CELL_WRONG = Text(zh="不对。", en="Not quite: ")

# ── exercise ─────────────────────────────────────────────────────────────────────────────────────

EXERCISE = Text(zh="████████ 8/8 学完这一段，试着做", en="████████ 8/8 You have read it, now try it")
PLACED = Text(zh="起始文件放好了：", en="The starter is in place: ")
YOUR_FILE = Text(zh="接着写你的文件：", en="Go on with your file: ")
STILL_OPEN = Text(zh="还没填的：", en="Still open:")
CHECK = Text(zh="检查我的文件", en="Check my file")
EDIT = Text(zh="在编辑器里打开", en="Open it in my editor")
HINT = Text(zh="要一点提示", en="A hint, please")
SHOW_NOW = Text(zh="现在就看", en="Show it now")
NEXT = Text(zh="去 {mission}", en="Go on to {mission}")
CHECKING = Text(zh="正在检查（加载 torch 要几秒）", en="Checking (loading torch takes a few seconds)")
SAVE_FIRST = Text(
    zh="在编辑器里保存之后，选「检查我的文件」。", en="Save it in your editor, then choose “Check my file”."
)
UNFILLED = Text(zh="✗ Mission {mission} · TODO 还没填", en="✗ Mission {mission} · TODOs still open")
FAILED = Text(zh="✗ Mission {mission} · 还没通过", en="✗ Mission {mission} · not passing yet")
PASSED = Text(zh="✓ Mission {mission} · 通过了", en="✓ Mission {mission} · passed")
WHOLE_FAILED = Text(zh="✗ 官方题目 · 还没通过", en="✗ The official exercise · not passing yet")
WHOLE_PASSED = Text(zh="✓ 官方题目 · 通过了", en="✓ The official exercise · passed")
SMALLEST_CASE = Text(zh="最小的失败例子", en="The smallest case that fails")
LOOK_AT = Text(zh="看第 {line} 行（{mistake}）", en="Look at line {line} ({mistake})")
REREAD = Text(zh="重读：pagetutor show {mission} {part}", en="Reread: pagetutor show {mission} {part}")
WORKS_NOW = Text(zh="现在这些都对了", en="All of this works now")
GUESS_AND_CODE = Text(zh="你的猜测和你的代码", en="Your guess, and your code")
NOT_SO = Text(
    zh="✗ 结果和当时猜的不一样；现在你自己写的代码就是答案。",
    en="✗ It turned out otherwise than you guessed; now your own code has the answer.",
)
MIND_CHANGED = Text(zh="✓ 后来你改了主意，改对了。", en="✓ You changed your mind, rightly.")
MIND_CHANGED_SURELY = Text(
    zh="✓ 一开始你很有把握，后来还是改了主意，改对了：这样的转变最值得记住。",
    en="✓ You had been sure of something else and changed your mind, rightly: that is worth remembering "
    "most.",
)
STILL_TO_READ = Text(
    zh="练习已经完整了。课程里还没学的：Mission 1、Mission 2、Mission 3。",
    en="The exercise is whole. Of the course there is still to read: Mission 1, Mission 2, Mission 3.",
)
BEYOND = Text(zh="练习之外：", en="Beyond the exercise: ")

# ── leaving and coming back ──────────────────────────────────────────────────────────────────────

LEFT = Text(
    zh="做过的都存好了。想接着学，运行 pagetutor mission {mission}，就从这里继续。",
    en="Everything you did is kept. pagetutor mission {mission} goes on from here.",
)
LEFT_PASSED = Text(
    zh="做过的都存好了。接下来学什么，运行 pagetutor 就能看到。",
    en="Everything you did is kept. pagetutor shows what is next.",
)
RESUMED = Text(
    zh="接着上次：Mission {mission} 的「{part}」。", en="Where you left off: Mission {mission}, “{part}”."
)
