"""What a mission file must hold, beyond being YAML; each row one fault, with its whole message."""

from __future__ import annotations

import pytest

from tests.content.small_course import SmallCourse, faults_of

FILE = "01-prefill/mission.yaml"
MODELS = "01-prefill/mistakes.yaml"
FINAL = "final/mission.yaml"
COURSE = "course.yaml"

# file, what is replaced, by what, and what is said: Chinese, English
BREAKS = {
    "evidence that is no test's name": (
        FILE,
        "  reread: background\n  choices:\n",
        "  reread: background\n  evidence: six_tokens\n  choices:\n",
        "12:13 missions[1].guess.evidence：`six_tokens` 的写法不对；"
        "请写成 `test_six_tokens_take_two_blocks` 这样",
        "12:13 missions[1].guess.evidence: `six_tokens` has the wrong shape; "
        "write it like `test_six_tokens_take_two_blocks`",
    ),
    "Chinese only": (
        FILE,
        "      - pool\n",
        "      - 空闲池\n",
        "30:9 missions[1].background[1].points[1]：只有中文，缺少英文；请写成 `{zh: …, en: …}`",
        "30:9 missions[1].background[1].points[1]: there is Chinese only, the English is missing; "
        "write `{zh: …, en: …}`",
    ),
    "code spans differ": (
        FILE,
        "zh: 少了 `6 % 4` 个 token。",
        "zh: 少了 `6 // 4` 个 token。",
        "19:16 missions[1].guess.choices[1].explain："
        "代码 `6 // 4` 只有 zh 里有，代码 `6 % 4` 只有 en 里有；请让两边的代码一致",
        "19:16 missions[1].guess.choices[1].explain: "
        "the code `6 // 4` is in zh only, the code `6 % 4` is in en only; write the same code in both",
    ),
    "code span once less": (
        FILE,
        "en: Work out `needed_blocks`.",
        "en: Work out.",
        "8:11 missions[1].todos[0].task：代码 `needed_blocks` 只有 zh 里有；请让两边的代码一致",
        "8:11 missions[1].todos[0].task: the code `needed_blocks` is in zh only; write the same code in both",
    ),
    "lone backtick": (
        FILE,
        "en: Work out `needed_blocks`.",
        "en: Work out `needed_blocks.",
        "8:41 missions[1].todos[0].task.en：有一个反引号没有配对；代码两边各写一个反引号",
        "8:41 missions[1].todos[0].task.en: a backtick has no partner on its line; "
        "write one on each side of the code",
    ),
    "drawing too wide": (
        FILE,
        "          │ 块 │\n",
        "          │ 块 │ " + "块" * 17 + "\n",
        "46:1 missions[1].diagram[0].drawing.art.zh："
        f"图里这一行宽 41 格，超过了 40 格：`│ 块 │ {'块' * 17}`；请画窄一些（一个汉字占 2 格）",
        "46:1 missions[1].diagram[0].drawing.art.zh: "
        f"this line of the drawing is 41 cells wide, more than 40: `│ 块 │ {'块' * 17}`; "
        "draw it narrower (a Chinese character takes 2)",
    ),
    "no such block": (
        FILE,
        "  - steps:\n",
        "  - step:\n",
        "31:5 missions[1].background[2]：没有 `step` 这个键；你要写的可能是 `steps`",
        "31:5 missions[1].background[2]: there is no key `step` here; "
        "write `steps`, if that is what you meant",
    ),
    "two keys in a block": (
        FILE,
        "      pool.pop(0)\n",
        "      pool.pop(0)\n    text: n\n",
        "33:5 missions[1].background[3]：一个块里有 2 个键；请每块只写一个键，各以 `- ` 开头",
        "33:5 missions[1].background[3]: this block has 2 keys; write one key per block, each behind `- `",
    ),
    "a table inside more": (
        FILE,
        "      - text: {zh: 还有。, en: There is more.}\n",
        "      - table: {head: [a], rows: [[b]]}\n",
        "40:9 missions[1].background[5].more[0]：没有 `table` 这个键；可以写 `text`, `points`, `code`",
        "40:9 missions[1].background[5].more[0]: there is no key `table` here; "
        "write one of `text`, `points`, `code`",
    ),
    "a row too short": (
        FILE,
        '        - ["9", "1"]\n',
        '        - ["9"]\n',
        "38:11 missions[1].background[4].table.rows[0]：这一行有 1 格；表头有 2 列，请写 2 格",
        "38:11 missions[1].background[4].table.rows[0]: cells in this row: 1; "
        "write 2, as many as the head has",
    ),
    "an empty page": (
        COURSE,
        "prologue:\n  - text: {zh: 先认识几个词。, en: A few words first.}\n",
        "prologue: []\n",
        "2:11 prologue：列表里只有 0 项；至少要写 1 项",
        "2:11 prologue: items in this list: 0; write at least 1",
    ),
    "not a list": (
        FILE,
        "methods: [allocate_for_prefill]",
        "methods: allocate_for_prefill",
        "3:10 missions[1].methods：这里该是列表，却是 `allocate_for_prefill`；请每项一行，以 `- ` 开头",
        "3:10 missions[1].methods: a list is wanted here, found `allocate_for_prefill`; "
        "write one item per line, each behind `- `",
    ),
    "a TODO of another method": (
        FILE,
        "    method: allocate_for_prefill\n",
        "    method: allocate_prefill\n",
        "6:13 missions[1].todos[0].method：没有 `allocate_prefill` 这个名字；"
        "你要写的可能是 `allocate_for_prefill`",
        "6:13 missions[1].todos[0].method: there is no `allocate_prefill`; "
        "write `allocate_for_prefill`, if that is what you meant",
    ),
    "not a part": (
        FILE,
        "  reread: diagram\n",
        "  reread: warm_up\n",
        "71:11 missions[1].quiz.reread：没有 `warm_up` 这个名字；你要写的可能是 `warm-up`",
        "71:11 missions[1].quiz.reread: there is no `warm_up`; write `warm-up`, if that is what you meant",
    ),
    "not a mistake's id": (
        FILE,
        "mistake: prefill.floor-division",
        "mistake: prefill.floor_division",
        "20:16 missions[1].guess.choices[1].mistake：`prefill.floor_division` 的写法不对；"
        "请写成 `prefill.floor-division` 这样",
        "20:16 missions[1].guess.choices[1].mistake: `prefill.floor_division` has the wrong shape; "
        "write it like `prefill.floor-division`",
    ),
    "two options of one id": (
        FILE,
        "    - id: one\n",
        "    - id: two\n",
        "17:11 missions[1].guess.choices[1].id：`two` 已经用过了（第 13 行）；请换一个",
        "17:11 missions[1].guess.choices[1].id: `two` is taken already (line 13); write another",
    ),
    "one option": (
        FILE,
        '      - {id: four, text: "4", explain: {zh: 多了。, en: Too many.}}\n',
        "",
        "24:7 missions[1].guess.again.choices：列表里只有 1 项；至少要写 2 项",
        "24:7 missions[1].guess.again.choices: items in this list: 1; write at least 2",
    ),
    "right: yes": (
        FILE,
        '      right: "true"\n',
        "      right: yes\n",
        '16:14 missions[1].guess.choices[0].right：`right` 的值是 `yes`；正确的选项写 `right: "true"`，'
        "其他选项不写 `right`",
        "16:14 missions[1].guess.choices[0].right: `right` is `yes`; "
        'write `right: "true"` on the right option, and no `right` on the others',
    ),
    "the right option names a mistake": (
        FILE,
        '      right: "true"\n',
        '      right: "true"\n      mistake: prefill.floor-division\n',
        "17:16 missions[1].guess.choices[0].mistake：正确选项不会是一种错误；请去掉这里的 `mistake`",
        "17:16 missions[1].guess.choices[0].mistake: the right option is no mistake; "
        "leave out its `mistake`, or write it on the option it belongs to",
    ),
    "a knob the program lacks": (
        FILE,
        "{name: item_count, suggested",
        "{name: item_cuont, suggested",
        "62:14 missions[1].warm_up.knobs[0].name：程序里没有给 `item_cuont` 赋过整数；"
        "请在程序里写 `item_cuont = 11` 这样一行，或者改用 `item_count`",
        "62:14 missions[1].warm_up.knobs[0].name: the program assigns no whole number to `item_cuont`; "
        "write a line such as `item_cuont = 11` in the program, or name another variable, "
        "such as `item_count`",
    ),
    "a knob that is no number": (
        FILE,
        "{name: item_count, suggested",
        "{name: boxes, suggested",
        "62:14 missions[1].warm_up.knobs[0].name：程序里没有给 `boxes` 赋过整数；"
        "请在程序里写 `boxes = 11` 这样一行，或者改用 `item_count`",
        "62:14 missions[1].warm_up.knobs[0].name: the program assigns no whole number to `boxes`; "
        "write a line such as `boxes = 11` in the program, or name another variable, "
        "such as `item_count`",
    ),
    "a program that does not compile": (
        FILE,
        "    boxes = item_count // 5\n",
        "    boxes = item_count //\n",
        "57:1 missions[1].warm_up.program：程序里这一行编译不过（invalid syntax）；请改对它",
        "57:1 missions[1].warm_up.program: the program does not compile here (invalid syntax); "
        "write it as Python",
    ),
    "a prediction that is no expression": (
        FILE,
        "{expression: boxes,",
        "{expression: boxes = 2,",
        "60:20 missions[1].warm_up.predictions[0].expression："
        "`boxes = 2` 不是 Python 表达式（invalid syntax）；请写成 `len(assigned)` 这样",
        "60:20 missions[1].warm_up.predictions[0].expression: "
        "`boxes = 2` is not a Python expression (invalid syntax); write one such as `len(assigned)`",
    ),
    "a hand-trace row too long": (
        FILE,
        '        - {answer: "2", explain: {zh: 向上取整。, en: Rounded up.}}\n',
        '        - {answer: "2", explain: {zh: 向上取整。, en: Rounded up.}}\n'
        "        - {answer: b, explain: n}\n",
        "81:9 missions[1].hand_trace.rows[0].cells：这一行有 2 格要填；按表头应该写 1 格",
        "81:9 missions[1].hand_trace.rows[0].cells: cells to fill in: 2; "
        "write 1, one for each column behind the given one",
    ),
    "an id that does not fit the folder": (
        FILE,
        'id: "1"\n',
        'id: "2"\n',
        '1:5 missions[1].id：文件夹和 id `2` 对不上；请写 `id: "1"`',
        '1:5 missions[1].id: the id `2` does not fit the folder; write `id: "1"`',
    ),
    "a test file that is not there": (
        FILE,
        "tests: test_prefill.py\n",
        "tests: test_prefil.py\n",
        "87:8 missions[1].tests：没有测试文件 01-prefill/test_prefil.py；请改对文件名，或者补上这个文件",
        "87:8 missions[1].tests: there is no test file 01-prefill/test_prefil.py; "
        "write its right name, or write the file",
    ),
    "a test file elsewhere": (
        FILE,
        "tests: test_prefill.py\n",
        "tests: ../test_prefill.py\n",
        "87:8 missions[1].tests：`../test_prefill.py` 的写法不对；请写成 `test_prefill.py` 这样",
        "87:8 missions[1].tests: `../test_prefill.py` has the wrong shape; write it like `test_prefill.py`",
    ),
    "a title of no test": (
        FILE,
        "  test_six_tokens: {",
        "  six_tokens: {",
        "89:15 missions[1].test_titles.six_tokens：`six_tokens` 不是测试函数的名字；请写成 `test_…`",
        "89:15 missions[1].test_titles.six_tokens: `six_tokens` is not the name of a test function; "
        "write it like `test_six_tokens_take_two_blocks`",
    ),
    "a lesson in the final mission": (
        FINAL,
        "background: []\n",
        "background: []\nquiz: x\n",
        "7:1 missions[final]：没有 `quiz` 这个键；可以写 `id`, `title`, `methods`, `todos`, `background`, "
        "`exercise`, `tests`, `test_titles`, `other_ways`, `cards`",
        "7:1 missions[final]: there is no key `quiz` here; write one of `id`, `title`, `methods`, `todos`, "
        "`background`, `exercise`, `tests`, `test_titles`, `other_ways`, `cards`",
    ),
    "a folder without a number": (
        COURSE,
        "missions: [01-prefill, final]",
        "missions: [prefill, 01-prefill, final]",
        "4:12 missions[0]：从 `prefill` 看不出是哪个 Mission；请写成 `01-prefill` 或 `final` 这样",
        "4:12 missions[0]: `prefill` does not say which mission it is; write it like `01-prefill` or `final`",
    ),
    "a mission twice": (
        COURSE,
        "missions: [01-prefill, final]",
        "missions: [01-prefill, final, 01-other]",
        "4:31 missions[2]：Mission 1 出现了两次；只留一个",
        "4:31 missions[2]: mission 1 stands twice; write it once",
    ),
    "a slot of no model": (
        MODELS,
        'code: {count: "n // b"}',
        'code: {counts: "n // b"}',
        "23:16 missions[1].models[0].variants[0].code：没有 `counts` 这个键；你要写的可能是 `count`",
        "23:16 missions[1].models[0].variants[0].code: there is no key `counts` here; "
        "write `count`, if that is what you meant",
    ),
    "slot code without quotes or code": (
        MODELS,
        'code: {check: ""}',
        "code: {check: }",
        '28:23 missions[1].models[0].variants[1].code.check：这里没有代码；请写上代码；要去掉这一行就写 `""`',
        "28:23 missions[1].models[0].variants[1].code.check: there is no code here; "
        'write it, or `""` to remove the line',
    ),
    "slot code that loses a comment": (
        MODELS,
        '        reference: "(n + b - 1) // b"\n',
        "        reference: (n + b - 1) // b # up\n",
        "8:20 missions[1].models[0].slots.count.reference：`# up` 被 YAML 当成注释丢掉了；"
        '请给代码加引号；要去掉这一行就写 `""`',
        "8:20 missions[1].models[0].slots.count.reference: `# up` is a comment to YAML, so it is lost; "
        'put the code in quotes, or write `""` to remove the line',
    ),
    "a hint that is missing in zh": (
        MODELS,
        "belief: {zh: 像是没检查。, en: It seems not to check.}",
        "belief: {en: It seems not to check.}",
        "29:17 missions[1].models[0].variants[1].belief：缺少 `zh`；请补上 `zh: …`",
        "29:17 missions[1].models[0].variants[1].belief: `zh` is missing; write `zh: …`",
    ),
    "a tie of one": (
        MODELS,
        "models:\n",
        "ties:\n  - [prefill.floor-division]\nmodels:\n",
        "2:5 missions[1].ties[0]：列表里只有 1 项；至少要写 2 项",
        "2:5 missions[1].ties[0]: items in this list: 1; write at least 2",
    ),
}


@pytest.mark.parametrize("name", BREAKS)
def test_one_message_with_file_line_and_what_to_write(course: SmallCourse, name: str) -> None:
    file, old, new, zh, en = BREAKS[name]
    course.change(file, old, new)
    assert faults_of(course) == [(f"{file}:{zh}", f"{file}:{en}")]


def test_the_small_course_is_valid(course: SmallCourse) -> None:
    assert faults_of(course) == []


def test_a_drawing_of_forty_cells_fits(course: SmallCourse) -> None:
    course.change(FILE, "          │ 块 │\n", "          " + "块" * 20 + "\n")
    assert faults_of(course) == []


def test_a_drawing_that_is_one_for_both_is_measured_too(course: SmallCourse) -> None:
    course.change(FILE, "diagram:\n", f"diagram:\n  - drawing:\n      art: {'x' * 41}\n      says: same\n")
    assert [en for _, en in faults_of(course)] == [
        f"{FILE}:43:12 missions[1].diagram[0].drawing.art: this line of the drawing is 41 cells wide, "
        f"more than 40: `{'x' * 41}`; draw it narrower (a Chinese character takes 2)"
    ]
