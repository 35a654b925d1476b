"""Files that are hardly YAML: HOSTILE's "Content", and what else an editor can do to a file."""

from __future__ import annotations

import pytest

from tests.content.small_course import MISSION, SmallCourse, faults_of

FILE = "01-prefill/mission.yaml"
POOL = "      - pool\n"
TWO = "text: {zh: 两个, en: two}"

# what is replaced, by what, and what is said: Chinese, English
BREAKS = {
    "duplicate key": (
        "quiz:\n",
        "title: again\nquiz:\n",
        "69:1 missions[1]：键 `title` 出现了两次（第一次在第 2 行）；只留一个",
        "69:1 missions[1]: the key `title` stands twice (first in line 2); write it once",
    ),
    "tab": (
        "    name: needed_blocks\n",
        "\t name: needed_blocks\n",
        "7:1：有一个制表符（Tab）；请改用空格",
        "7:1: there is a tab; write spaces",
    ),
    "no as an option": (
        TWO,
        "text: no",
        "14:13 missions[1].guess.choices[0].text："
        '没加引号的 `no`，很多 YAML 工具不当它是文字；请加引号："no"',
        "14:13 missions[1].guess.choices[0].text: "
        '`no` without quotes is not words to many YAML tools; put it in quotes: "no"',
    ),
    "unquoted % b": (
        POOL,
        "      - % b == 1\n",
        '30:9：`% b == 1` 以 `%` 开头，YAML 会读成别的意思；请加引号："% b == 1"',
        '30:9: `% b == 1` begins with `%`, which means something else to YAML; put it in quotes: "% b == 1"',
    ),
    "unquoted slice": (
        POOL,
        "      - [:n]\n",
        '30:10：`[:n]` 以 `[` 开头，YAML 会读成别的意思；请加引号："[:n]"',
        '30:10: `[:n]` begins with `[`, which means something else to YAML; put it in quotes: "[:n]"',
    ),
    "unquoted list": (
        POOL,
        "      - [n]\n",
        '30:9 missions[1].background[1].points[1]：这里该是文字，YAML 却把 `[n]` 读成了列表；请加引号："[n]"',
        "30:9 missions[1].background[1].points[1]: "
        'words are wanted here, but `[n]` is a list to YAML; put it in quotes: "[n]"',
    ),
    "unquoted alias": (
        POOL,
        "      - *x\n",
        "30:9 missions[1].background[1].points[1]："
        '`*x` 在 YAML 里是别名，课程里不用别名；如果本来就是文字，请加引号："*x"',
        "30:9 missions[1].background[1].points[1]: "
        '`*x` is an alias to YAML; if it is meant as words, write "*x"',
    ),
    "anchor": (
        POOL,
        "      - &x b\n",
        "30:9 missions[1].background[1].points[1]："
        "`&x` 在 YAML 里是锚点，课程里不用锚点；请去掉它；如果本来就是文字，请给整句加引号",
        "30:9 missions[1].background[1].points[1]: `&x` is an anchor to YAML; "
        "leave it out, or put the whole value in quotes if it is meant as words",
    ),
    "tag": (
        TWO,
        "text: !x two",
        "14:13 missions[1].guess.choices[0].text："
        "`!x` 在 YAML 里是标签，课程里不用标签；请去掉它；如果本来就是文字，请给整句加引号",
        "14:13 missions[1].guess.choices[0].text: `!x` is a tag to YAML; "
        "leave it out, or put the whole value in quotes if it is meant as words",
    ),
    "comment instead of words": (
        POOL,
        "      - # floor\n",
        "30:8 missions[1].background[1].points[1]："
        '`# floor` 被 YAML 当成注释，什么也没留下；请加引号："# floor"',
        "30:8 missions[1].background[1].points[1]: "
        '`# floor` is a comment to YAML, so nothing is left; put it in quotes: "# floor"',
    ),
    "comment behind words": (
        POOL,
        "      - n // b # floor\n",
        "30:9 missions[1].background[1].points[1]："
        '`# floor` 被 YAML 当成注释丢掉了；请加引号："n // b # floor"',
        "30:9 missions[1].background[1].points[1]: "
        '`# floor` is a comment to YAML, so it is lost; put it in quotes: "n // b # floor"',
    ),
    "colon that makes a map": (
        POOL,
        "      - ceil: (n+b-1)//b\n",
        "30:9 missions[1].background[1].points[1]："
        '这里该是文字，YAML 却把 `ceil: (n+b-1)//b` 读成了“键: 值”；请加引号："ceil: (n+b-1)//b"',
        "30:9 missions[1].background[1].points[1]: words are wanted here, but `ceil: (n+b-1)//b` "
        'is a `key: value` to YAML; put it in quotes: "ceil: (n+b-1)//b"',
    ),
    "colon that is no YAML": (
        TWO,
        "text: 余数: b",
        '14:15：`余数: b` 里有冒号，YAML 会读成“键: 值”；请加引号："余数: b"',
        '14:15: `余数: b` has a colon, which makes it a `key: value` to YAML; put it in quotes: "余数: b"',
    ),
    "comma in braces": (
        TWO,
        "text: {zh: 两个, en: two, not 1}",
        "14:31 missions[1].guess.choices[0].text："
        "花括号里的逗号会断开文字，`not 1` 成了一个键；请给带逗号的文字加引号",
        "14:31 missions[1].guess.choices[0].text: "
        "a comma ends a value inside braces, so `not 1` became a key; "
        "put the words with the comma in quotes",
    ),
    "bracket in braces": (
        TWO,
        "text: {zh: 两个, en: x[1]}",
        "14:27：第 14 行的 `{` 到这里还没有好好收尾；"
        '请补上右括号；文字里如果有 `,` `:` `[` `]` `{` `}`，请给文字加引号 "…"',
        "14:27: the `{` of line 14 is not closed as YAML expects; "
        'close it, and write words that hold `,` `:` `[` `]` `{` or `}` in quotes: "…"',
    ),
    "backtick in braces": (
        TWO,
        "text: {zh: `n`, en: two}",
        '14:18：`{zh: …, en: …}` 里的文字让 YAML 读错了；请给两边的文字加引号：{zh: "…", en: "…"}',
        '14:18: YAML misreads the words in `{zh: …, en: …}`; put both in quotes: {zh: "…", en: "…"}',
    ),
    "backtick first": (
        TWO,
        'text: `x` is "two"',
        '14:13：``x` is "two"` 以 ``` 开头，YAML 会读成别的意思；请加引号：\'`x` is "two"\'',
        '14:13: ``x` is "two"` begins with ```, which means something else to YAML; '
        "put it in quotes: '`x` is \"two\"'",
    ),
    "quote inside quotes": (
        TWO,
        "text: 'it's two'",
        "14:17：收尾的引号后面还有文字，或者前面有个引号没收尾；请把整句放进引号里（文字里的单引号要写两遍）",
        "14:17: there are words after a closing quote, or a quote above was never closed; "
        "put the whole value in quotes (a ' inside '…' is written twice)",
    ),
    "escape": (
        TWO,
        'text: "\\q"',
        "14:14：双引号里的 `\\` 会被当成转义；请改用单引号，或者写成 `\\\\`",
        "14:14: a `\\` inside \"…\" begins an escape; write the words in '…', or the backslash as `\\\\`",
    ),
    "quote never closed": (
        "cards:\n",
        'cards: "\n',
        "95:8：这里的引号一直没有收尾；请补上收尾的引号（文字里的单引号要写两遍）",
        "95:8: the quote that opens here is never closed; "
        "write the closing quote (a ' inside '…' is written twice)",
    ),
    "indentation": (
        "    name: needed_blocks\n",
        "   name: needed_blocks\n",
        "7:4：这一行的缩进和上下文对不上；请和同一级的键对齐",
        "7:4: this line's indentation does not fit the lines above; line it up with the keys it belongs to",
    ),
    "nested beyond reason": (
        POOL,
        "      - " + "[" * 300 + "\n",
        "30:36：嵌套超过了 30 层；请拆平一些，并检查括号是否都配对",
        "30:36: nested more than 30 levels deep; write it flatter, and look for brackets that are not closed",
    ),
    "list as a key": (
        POOL,
        "      - pool\n  - ? [a]\n    : b\n",
        "31:7 missions[1].background[2]：键必须是文字；"
        "请写成 `键: 值`；如果 `?` `[` `{` 是文字的一部分，请给整句加引号",
        "31:7 missions[1].background[2]: a key must be plain words; "
        "write `key: value`, or put the words in quotes if `?`, `[` or `{` belongs to them",
    ),
    "nothing": (
        TWO,
        "text:",
        "14:12 missions[1].guess.choices[0].text：这里是空的；请写上内容",
        "14:12 missions[1].guess.choices[0].text: there is nothing here; write the words",
    ),
    "missing translation": (
        TWO,
        "text: {zh: 两个}",
        "14:13 missions[1].guess.choices[0].text：缺少 `en`；请补上 `en: …`",
        "14:13 missions[1].guess.choices[0].text: `en` is missing; write `en: …`",
    ),
    "unknown key": (
        "now_works: {zh: 能用了。",
        "now_work: x\n  now_works: {zh: 能用了。",
        "85:3 missions[1].exercise：没有 `now_work` 这个键；你要写的可能是 `now_works`",
        "85:3 missions[1].exercise: there is no key `now_work` here; "
        "write `now_works`, if that is what you meant",
    ),
    "no right option": (
        '      right: "true"\n',
        "",
        '13:5 missions[1].guess.choices：没有正确选项；请给正确的那一项写上 `right: "true"`',
        '13:5 missions[1].guess.choices: no option is right; write `right: "true"` on the right one',
    ),
    "two right options": (
        "      mistake: prefill.floor-division\n",
        '      right: "true"\n',
        '20:14 missions[1].guess.choices[1]：正确选项不止一个（第一个在第 16 行）；`right: "true"` 只留一个',
        "20:14 missions[1].guess.choices[1]: a second option is right (the first is in line 16); "
        'write `right: "true"` on one option only',
    ),
}


@pytest.mark.parametrize("name", BREAKS)
def test_one_message_with_file_line_and_what_to_write(course: SmallCourse, name: str) -> None:
    old, new, zh, en = BREAKS[name]
    course.change(FILE, old, new)
    said = faults_of(course)
    if name == "list as a key":  # the block that is left has no key at all, which is told too
        said = said[1:]
    assert said == [(f"{FILE}:{zh}", f"{FILE}:{en}")]


ALL_KEYS = (
    "id: …, title: …, methods: …, todos: …, background: …, exercise: …, tests: …, test_titles: …, "
    "other_ways: …, cards: …, guess: …, diagram: …, warm_up: …, mapping: …, quiz: …, hand_trace: …"
)

# the bytes of the whole file, and what is said
FILES: dict[str, tuple[bytes, str, str]] = {
    "BOM": (
        b"\xef\xbb\xbf" + MISSION.encode(),
        "1:1：文件开头有字节序标记（BOM）；请存成不带 BOM 的 UTF-8",
        "1:1: the file begins with a byte order mark (BOM); save it as UTF-8 without a BOM",
    ),
    "UTF-16": (
        MISSION.encode("utf-16"),
        "1:1：文件开头有字节序标记（BOM）；请存成不带 BOM 的 UTF-8",
        "1:1: the file begins with a byte order mark (BOM); save it as UTF-8 without a BOM",
    ),
    "GBK": (
        MISSION.encode("gbk", "replace"),
        "2:14：字节 0xcf 不是 UTF-8；请存成不带 BOM 的 UTF-8",
        "2:14: byte 0xcf is not UTF-8; save it as UTF-8 without a BOM",
    ),
    "NUL": (
        MISSION.replace("装箱, en", "装\0箱, en").encode(),
        "2:14：有一个控制字符 U+0000；请删掉它",
        "2:14: there is a control character U+0000; delete it",
    ),
    "line separator": (
        MISSION.replace("装箱, en", "装\u2028箱, en").encode(),
        "2:14：有一个控制字符 U+2028；请删掉它",
        "2:14: there is a control character U+2028; delete it",
    ),
    "empty": (
        b"",
        "1:1 missions[1]：这个文件是空的；请写上内容，或者恢复原来的文件",
        "1:1 missions[1]: this file is empty; write it, or restore the file",
    ),
    "comments only": (
        b"# to be written\n",
        "1:1 missions[1]：这个文件是空的；请写上内容，或者恢复原来的文件",
        "1:1 missions[1]: this file is empty; write it, or restore the file",
    ),
    "one word": (
        b"hello\n",
        f"1:1 missions[1]：这里该是“键: 值”，却是 `hello`；请写成 `{ALL_KEYS}`",
        f"1:1 missions[1]: keys and values are wanted here, found `hello`; write `{ALL_KEYS}`",
    ),
    "1.2 MB": (
        b"#" * 1_200_000,
        "1:1：这个文件有 1200000 字节，上限是 1000000；请写短一些",
        "1:1: this file has 1200000 bytes, more than 1000000; write less",
    ),
    "two documents": (
        MISSION.encode() + b"---\na: b\n",
        "98:1：`---` 之后又开始了一份文档；一个文件只写一份",
        "98:1: a second document begins after `---`; write one document per file",
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_hardly_one(course: SmallCourse, name: str) -> None:
    content, zh, en = FILES[name]
    course.write(FILE, content)
    assert faults_of(course) == [(f"{FILE}:{zh}", f"{FILE}:{en}")]


def test_an_alias_bomb_is_refused_without_being_unfolded(course: SmallCourse) -> None:
    bomb = 'a: &a ["x", "x", "x", "x", "x", "x", "x", "x", "x"]\n'
    for before, name in zip("abcdefgh", "bcdefghi", strict=True):
        bomb += f"{name}: &{name} [" + ", ".join([f"*{before}"] * 9) + "]\n"
    course.write(FILE, bomb)
    assert faults_of(course) == [
        (
            f"{FILE}:1:4 missions[1].a：`&a` 在 YAML 里是锚点，课程里不用锚点；"
            "请去掉它；如果本来就是文字，请给整句加引号",
            f"{FILE}:1:4 missions[1].a: `&a` is an anchor to YAML; "
            "leave it out, or put the whole value in quotes if it is meant as words",
        )
    ]


def test_a_screen_of_faults_is_enough(course: SmallCourse) -> None:
    course.change(FILE, POOL, "      - no\n" * 23)
    said = faults_of(course)
    assert len(said) == 21
    assert said[-1] == ("…… 还有 3 处", "… and 3 more")


def test_a_file_that_is_gone_and_a_folder_of_its_name(course: SmallCourse) -> None:
    (course.root / FILE).unlink()
    assert faults_of(course) == [
        (
            f"{FILE}:1:1：没有这个文件；请补上它，或者从 course.yaml 里去掉它的文件夹",
            f"{FILE}:1:1: this file is not there; write it, or take its folder out of course.yaml",
        )
    ]
    (course.root / FILE).mkdir()
    assert faults_of(course) == [
        (
            f"{FILE}:1:1：读不了这个文件（Is a directory）；请检查它的权限",
            f"{FILE}:1:1: this file cannot be read (Is a directory); look at its permissions",
        )
    ]


def test_lines_and_columns_count_characters_also_in_chinese(course: SmallCourse) -> None:
    course.change(FILE, "zh: 六个 token, en: six tokens", "zh: 六个汉字在前面, en: no")
    assert [en for _, en in faults_of(course)] == [
        f"{FILE}:89:38 missions[1].test_titles.test_six_tokens.en: "
        '`no` without quotes is not words to many YAML tools; put it in quotes: "no"'
    ]


def test_several_faults_in_several_files_are_told_at_once(course: SmallCourse) -> None:
    course.change("course.yaml", "en: Paged attention", "en: ~")
    course.change(FILE, "reread: background", "reread: backgruond")
    course.change(FILE, "suggested: 21", "suggested: many")
    course.change("01-prefill/mistakes.yaml", "id: prefill.floor-division", "id: floor-division")
    course.change("final/mission.yaml", "cards: []\n", "")
    assert [en for _, en in faults_of(course)] == [
        "course.yaml:1:24 title.en: `~` without quotes is not words to many YAML tools; "
        'put it in quotes: "~"',
        f"{FILE}:11:11 missions[1].guess.reread: there is no `backgruond`; "
        "write `background`, if that is what you meant",
        f"{FILE}:62:37 missions[1].warm_up.knobs[0].suggested: `many` is not a whole number; "
        "write a number such as `4`",
        "01-prefill/mistakes.yaml:22:13 missions[1].models[0].variants[0].id: "
        "`floor-division` has the wrong shape; write it like `prefill.floor-division`",
        "final/mission.yaml:1:1 missions[final]: `cards` is missing; write `cards: …`",
    ]


def test_faults_stand_in_the_order_of_the_file(course: SmallCourse) -> None:
    course.change(FILE, "  reread: background\n", "  reread: nowhere\n")
    course.change(FILE, "cards:\n", "card: n\ncards:\n")  # told before anything inside is read
    assert [en.split(" ")[0] for _, en in faults_of(course)] == [f"{FILE}:11:11", f"{FILE}:95:1"]
