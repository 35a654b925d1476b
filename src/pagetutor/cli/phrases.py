"""What the commands say of themselves: help texts and errors, in Chinese and in English."""

from __future__ import annotations

from pagetutor.learner.port import DEADLINE_S
from pagetutor.text import Text

# ── help ─────────────────────────────────────────────────────────────────────────────────────────

ABOUT = Text(
    zh="一步一步学 vLLM 的 PagedAttention。单独运行 pagetutor，看看学到哪了、接下来做什么。",
    en="Learn vLLM's PagedAttention step by step. pagetutor alone shows where you are and what is next.",
)
EPILOG = Text(
    zh="--lang、--plain、--no-shuffle 放在命令前后都可以。",
    en="--lang, --plain and --no-shuffle may stand before or after the command.",
)
COMMANDS = {
    "mission": Text(
        zh="学一个 Mission：先猜，再读，再动手，最后检查", en="Take a mission: guess, read, try, check"
    ),
    "list": Text(zh="列出所有 mission 和它们的各个部分", en="List the missions and their parts"),
    "status": Text(zh="看看学到哪了", en="Show how far you are"),
    "words": Text(
        zh="重读开头的几个词：token、KV cache、块……", en="Reread the first words: token, KV cache, block"
    ),
    "show": Text(zh="重读某个 mission 的一部分", en="Reread a part of a mission"),
    "check": Text(zh="检查你的文件", en="Check your file"),
    "watch": Text(zh="盯着你的文件，一保存就检查", en="Check your file on every save"),
    "replay": Text(
        zh="一步一步回放你的代码，看哪里开始不一样", en="Step through your code, to the first difference"
    ),
    "hint": Text(zh="再要一点提示，每次深一层", en="Get a hint, one step deeper each time"),
    "start": Text(zh="把起始文件放到当前文件夹", en="Put the starter file into this folder"),
    "solution": Text(zh="通过之后看参考解和别的写法", en="See the reference and other ways, after a pass"),
    "reset": Text(
        zh="换回起始文件：整个文件，或一个 mission 的方法（会先问，留备份）",
        en="Put the starter back: all of it, or a mission's methods (asks)",
    ),
    "restore": Text(zh="列出备份，或换回其中一份", en="List the backups, or bring one back"),
    "forget": Text(
        zh="忘掉一个 mission 里做过的一切（会先问）", en="Forget all you did in a mission (asks first)"
    ),
    "recap": Text(
        zh="回顾做过的：回答、遇到的错误和改法、用时",
        en="Look back: answers, mistakes and how you mended them, time",
    ),
    "progress": Text(
        zh="导出或导入进度，换机器时用", en="Export or import your progress, to move to another machine"
    ),
    "doctor": Text(
        zh="看看这台机器：Python、torch、终端、隔离",
        en="Look at this machine: Python, torch, terminal, isolation",
    ),
    "author": Text(
        zh="写课的人用：自查课程，重建指纹表，列出叫不出名字的错误",
        en="For authors: audit the course, build its fingerprint tables, list failures without a name",
    ),
}
OPTIONS = {
    "lang": Text(zh="语言：zh 或 en", en="language: zh or en"),
    "plain": Text(zh="纯文本，不用按键菜单", en="plain text, without key menus"),
    "no_shuffle": Text(zh="选项保持课程里的顺序", en="options in the course's own order"),
    "version": Text(zh="显示版本", en="show the version"),
    "mission": Text(zh="1、2、3 或 final", en="1, 2, 3 or final"),
    "missions": Text(zh="1、2、3、final 或 all", en="1, 2, 3, final or all"),
    "what": Text(
        zh="1、2、3 或 final：那里的方法；all：所有方法；file：整个文件",
        en="1, 2, 3 or final: its methods; all: all of them; file: the whole file",
    ),
    "backup": Text(zh="备份的号码；不写就列出所有备份", en="the backup's number; without it, all are listed"),
    "export": Text(
        zh="导出到的新文件，或要导入的文件；不写就用标准输出、标准输入",
        en="the new file to export to, or the file to import; otherwise stdout and stdin",
    ),
    "part": Text(
        zh="guess、background、diagram、warm-up、mapping、quiz、hand-trace、exercise",
        en="guess, background, diagram, warm-up, mapping, quiz, hand-trace, exercise",
    ),
    "file": Text(
        zh="要检查的文件，默认是当前文件夹里的 block_manager.py",
        en="the file to check; otherwise block_manager.py in this folder",
    ),
    "md": Text(zh="写成一份 Markdown 存进这个新文件", en="write it as Markdown into this new file instead"),
    "json": Text(zh="结果输出为一个 JSON 文档", en="the result as one JSON document"),
    "deadline": Text(
        zh=f"你的代码最多跑几秒（默认 {DEADLINE_S:g}）", en=f"seconds your code may take ({DEADLINE_S:g})"
    ),
    "case": Text(
        zh="回放哪个测试：check --json 里的 id；不写就是最小的失败例子",
        en="the test to replay, by its id in check --json; otherwise the smallest case that fails",
    ),
    "svg": Text(
        zh="不逐步看，把第一处不同画成 SVG，存到这个新文件",
        en="draw the first difference as an SVG into this new file instead",
    ),
    "now": Text(zh="不等，马上要下一层", en="do not wait, the next step at once"),
    "give_up": Text(zh="放弃自己做，直接看（会记下来）", en="give up and look (this is recorded)"),
}

# ── errors ───────────────────────────────────────────────────────────────────────────────────────

NO_OPTION = Text(
    zh="没有 {typed} 这个选项。{nearest}试试 {command} --help。",
    en="There is no option {typed}. {nearest}Try {command} --help.",
)
PERHAPS = Text(zh="是不是想写 {nearest}？", en="Did you mean {nearest}? ")
MISSING = Text(
    zh="后面还要写上 {what}。试试 {command} --help。", en="{what} is missing. Try {command} --help."
)
WRONG_USE = Text(zh="命令写得不对：{message}", en="That is not how it is called: {message}")
NO_FILE_NAME = Text(
    zh="`{option}` 后面要写文件名，比如 `{option} {example}`。",
    en="`{option}` needs the name of a file, as in `{option} {example}`.",
)
A_FOLDER = Text(
    zh="`{typed}` 是一个文件夹，里面没有 `block_manager.py`。这里要写一个文件的路径。",
    en="`{typed}` is a folder, and there is no `block_manager.py` in it. Name the file that is meant.",
)
A_FOLDER_WITH_ONE = Text(
    zh="`{typed}` 是一个文件夹。要检查里面的文件，就写 `{file}`。",
    en="`{typed}` is a folder. For the file in it, write `{file}`.",
)
NO_NUMBER = Text(
    zh="--deadline 要一个 0 到 600 之间的秒数，{typed} 不行。",
    en="--deadline wants a number of seconds between 0 and 600, not {typed}.",
)
FOLDER_GONE = Text(
    zh="你所在的文件夹已经被删掉了。先 `cd` 到别的文件夹，再运行一次。",
    en="The folder you are in has been deleted. `cd` to another one and run this again.",
)
STDOUT_FAILS = Text(
    zh="结果写不出去（{why}）。腾出空间，或者换个地方输出，再运行一次。",
    en="The result could not be written ({why}). Make room, or send it elsewhere, and run this again.",
)
BUG = Text(
    zh="pagetutor 自己出错了，不是你的问题。请把这个文件贴给我们：{log}",
    en="pagetutor itself went wrong; it is not your fault. Please paste this file to us: {log}",
)
BUG_UNLOGGED = Text(
    zh="pagetutor 自己出错了，不是你的问题，而且日志也写不下来：{what}",
    en="pagetutor itself went wrong; it is not your fault, and no log could be written: {what}",
)

# ── commands ─────────────────────────────────────────────────────────────────────────────────────

ALL_PASS = Text(zh="整套练习都通过了。", en="The whole exercise passes.")
NEXT = Text(zh="接下来：`pagetutor mission {mission}`", en="Next: `pagetutor mission {mission}`")
RECAP_WRITTEN = Text(zh="回顾写进 {path} 了。", en="Your recap is in {path}.")
PARTS_TO_SHOW = Text(
    zh="`pagetutor show {mission}` 可以重读：{parts}", en="`pagetutor show {mission}` rereads: {parts}"
)
RECAP_LOOKS_BACK = Text(
    zh="`pagetutor recap` 回顾做过的一切", en="`pagetutor recap` looks back on all you did"
)

NO_TASK = Text(
    zh="没有 `{typed}` 这项。可用的是 `pagetutor author audit`、`build` 和 `unknowns`。",
    en="There is no task `{typed}`. There are `pagetutor author audit`, `build` and `unknowns`.",
)
NO_PROGRESS_TASK = Text(
    zh="没有 `{typed}` 这项。可用的是 `pagetutor progress export` 和 `pagetutor progress import`。",
    en="There is no task `{typed}`. There are `pagetutor progress export` and `pagetutor progress import`.",
)
NOTHING_TO_IMPORT = Text(
    zh="要导入哪个文件？写成 `pagetutor progress import FILE`。",
    en="Which file is to be imported? Write `pagetutor progress import FILE`.",
)
UNKNOWNS = Text(
    zh="还没有名字的错误，遇到次数多的在前（次数、mission、方法、行为指纹、最小失败例子的测试）：",
    en="Failures that have no name yet, the most frequent first (times, mission, method, fingerprint of what "
    "the code does, test of the smallest case):",
)
NO_UNKNOWNS = Text(zh="没有遇到叫不出名字的错误。", en="No failure without a name has been met.")
AUDITED = Text(
    zh="{tried} 项里有 {right} 项符合预期；课程文件的问题：{faults} 个。",
    en="{right} of {tried} as they should be; faults in the course's files: {faults}.",
)
BUILT = Text(
    zh="`{file}`：`{method}` 共 {rows} 个指纹。",
    en="`{file}`: {rows} fingerprints of `{method}`.",
)
SINGLES = Text(
    zh="  单个错误 {of} 个：说对 {exact}，说出确定的名字 {named}；"
    "确定的名字共 {certain} 个，其中对的 {right} 个。",
    en="  {of} single mistakes: {exact} named exactly, {named} with a certain name; "
    "{right} of {certain} certain names right.",
)
DOUBLES = Text(
    zh="  成对错误 {of} 对：说对 {exact}，说出确定的名字 {named}；"
    "确定的名字共 {certain} 个，其中对的 {right} 个。",
    en="  {of} double mistakes: {exact} named exactly, {named} with a certain name; "
    "{right} of {certain} certain names right.",
)
NO_MISTAKES = Text(
    zh="这些写法和参考解没有区别，不算错误：{found}。",
    en="These behave as the reference and are no mistakes: {found}.",
)
UNDECLARED_TIES = Text(
    zh="这些错误探针分不开，又没有写进 `ties`：{found}。",
    en="No probe tells these apart, and `ties` does not list them: {found}.",
)
NOT_NEUTRAL = Text(
    zh="这些写法列在 `neutral` 里，行为却和参考解不同：{found}。",
    en="These are listed as `neutral` and do not behave as the reference: {found}.",
)

A_TERMINAL = Text(
    zh="终端 {term}，{columns} 列 {lines} 行，{encoding}，语言 {language}",
    en="terminal {term}, {columns} columns, {lines} lines, {encoding}, language {language}",
)
NO_TERMINAL = Text(
    zh="没有接终端（TERM={term}），{encoding}，语言 {language}",
    en="no terminal (TERM={term}), {encoding}, language {language}",
)
ISOLATION = Text(zh="隔离（{layers}）：你的代码运行时，", en="isolation ({layers}): while your code runs, ")
