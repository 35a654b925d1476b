from __future__ import annotations

import pytest

from pagetutor.content.lint import lint_course
from tests.content.small_course import SmallCourse

FILE = "01-prefill/mission.yaml"
MODELS = "01-prefill/mistakes.yaml"
TESTS = "01-prefill/test_prefill.py"
STARTER = "block_manager.py"
LONG_EN = " ".join(["word"] * 56)

# file, what is replaced, by what, and what is said: Chinese, English
BREAKS = {
    "a TODO gone from the starter": (
        STARTER,
        "# TODO 1: how many?",
        "# how many?",
        f"{FILE}:5:5 missions[1].todos[0]：起始文件的 `allocate_for_prefill` 里没有 TODO 1；"
        "请在那里写上 `# TODO 1: …`，或者改对 `number` 和 `method`",
        f"{FILE}:5:5 missions[1].todos[0]: TODO 1 is not in the starter's `allocate_for_prefill`; "
        "write `# TODO 1: …` there, or correct `number` and `method`",
    ),
    "a TODO in another method": (
        STARTER,
        "        # TODO 1: how many?\n        needed_blocks = ...\n",
        "        needed_blocks = ...\n\n    def other(self):\n        # TODO 1: how many?\n        pass\n",
        f"{FILE}:5:5 missions[1].todos[0]：起始文件的 `allocate_for_prefill` 里没有 TODO 1；"
        "请在那里写上 `# TODO 1: …`，或者改对 `number` 和 `method`",
        f"{FILE}:5:5 missions[1].todos[0]: TODO 1 is not in the starter's `allocate_for_prefill`; "
        "write `# TODO 1: …` there, or correct `number` and `method`",
    ),
    "a placeholder gone from the starter": (
        STARTER,
        "needed_blocks = ...",
        "...",
        f"{FILE}:7:11 missions[1].todos[0].name：起始文件的 `allocate_for_prefill` 里没有给 "
        "`needed_blocks` 赋值；请在那里写上 `needed_blocks = ...`，或者改对 `name`",
        f"{FILE}:7:11 missions[1].todos[0].name: the starter's `allocate_for_prefill` does not assign "
        "`needed_blocks`; write `needed_blocks = ...` there, or correct `name`",
    ),
    "a TODO nobody knows": (
        STARTER,
        "needed_blocks = ...\n",
        "needed_blocks = ...\n        # TODO 4: and this?\n",
        f"{STARTER}:6:1：没有哪个 Mission 有 TODO 4；请写进它所属的 mission.yaml，或者删掉这条注释",
        f"{STARTER}:6:1: no mission has TODO 4; write it in its mission.yaml, or delete the comment",
    ),
    "a starter that is not Python": (
        STARTER,
        "class KVCacheManager:",
        "class KVCacheManager",
        f"{STARTER}:1:21：这里不是 Python（expected ':'）；请改对它",
        f"{STARTER}:1:21: this is not Python (expected ':'); write it as Python",
    ),
    "evidence that no test gives": (
        FILE,
        "  reread: background\n  choices:\n",
        "  reread: background\n  evidence: test_sixtokens\n  choices:\n",
        f"{FILE}:12:13 missions[1].guess.evidence：01-prefill/test_prefill.py 里没有测试 `test_sixtokens`；"
        "你要写的可能是 `test_six_tokens`",
        f"{FILE}:12:13 missions[1].guess.evidence: 01-prefill/test_prefill.py has no test `test_sixtokens`; "
        "write `test_six_tokens`, if that is what you meant",
    ),
    "evidence that is like no test": (
        FILE,
        "  reread: background\n  choices:\n",
        "  reread: background\n  evidence: test_what_nobody_knows\n  choices:\n",
        f"{FILE}:12:13 missions[1].guess.evidence：01-prefill/test_prefill.py 里没有测试 "
        "`test_what_nobody_knows`；请写上一个有的测试，或者去掉 `evidence`",
        f"{FILE}:12:13 missions[1].guess.evidence: 01-prefill/test_prefill.py has no test "
        "`test_what_nobody_knows`; write the name of a test it has, or leave out `evidence`",
    ),
    "a test without a title": (
        TESTS,
        "def test_six_tokens(play): ...\n",
        "def test_six_tokens(play): ...\ndef test_five(play): ...\n",
        f"{FILE}:89:3 missions[1].test_titles：测试 `test_five`（{TESTS}:2）没有标题；"
        "请写 `test_five: {zh: …, en: …}`",
        f"{FILE}:89:3 missions[1].test_titles: the test `test_five` ({TESTS}:2) has no title; "
        "write `test_five: {zh: …, en: …}`",
    ),
    "a title left over": (
        FILE,
        "  test_six_tokens: {",
        "  test_gone: n\n  test_six_tokens: {",
        f"{FILE}:89:3 missions[1].test_titles：{TESTS} 里没有测试 `test_gone`；请删掉这个标题",
        f"{FILE}:89:3 missions[1].test_titles: {TESTS} has no test `test_gone`; delete the title",
    ),
    "another way that is not Python": (
        FILE,
        "needed_blocks = -(-req",
        "needed_blocks = -(-(req",
        f"{FILE}:92:11 missions[1].other_ways[0].code：这里不是 Python（'(' was never closed）；请改对它",
        f"{FILE}:92:11 missions[1].other_ways[0].code: this is not Python ('(' was never closed); "
        "write it as Python",
    ),
    "a mistake the model lacks": (
        FILE,
        "mistake: prefill.floor-division",
        "mistake: prefill.floor-plus-one",
        f"{FILE}:20:16 missions[1].guess.choices[1].mistake：错误模型里没有 `prefill.floor-plus-one`；"
        "请改成 `prefill.floor-division` 这样已有的 id，或者补上这个变体",
        f"{FILE}:20:16 missions[1].guess.choices[1].mistake: the error model has no "
        "`prefill.floor-plus-one`; write an id that it has, "
        "such as `prefill.floor-division`, or write the variant",
    ),
    "a trailing space": (
        FILE,
        "          │ 块 │\n",
        "          │ 块 │ \n",
        f"{FILE}:46:1 missions[1].diagram[0].drawing.art.zh：`│ 块 │` 后面有多余的空格；请删掉",
        f"{FILE}:46:1 missions[1].diagram[0].drawing.art.zh: there are spaces behind `│ 块 │`; delete them",
    ),
    "full-width punctuation in code": (
        FILE,
        "      - pool\n",
        "      - '`pop（0)`'\n",
        f"{FILE}:30:9 missions[1].background[1].points[1]：代码 `pop（0)` 里有全角的 （；请改成半角",
        f"{FILE}:30:9 missions[1].background[1].points[1]: the code `pop（0)` has a full-width （; "
        "write the ASCII character",
    ),
    "an ASCII comma in Chinese": (
        FILE,
        "zh: 块有大小。",
        'zh: "块有大小,一样大。"',
        f"{FILE}:27:16 missions[1].background[0].text.zh：“小,一”里的 , 是半角；请改成 ，",
        f"{FILE}:27:16 missions[1].background[0].text.zh: the , in “小,一” is an ASCII one; write ，",
    ),
    "Chinese broken over two lines": (
        FILE,
        "zh: 块有大小。",
        "zh: 块有大小，\n      一样大。",
        f"{FILE}:27:16 missions[1].background[0].text.zh：“， 一”里多了一个空格；"
        "请删掉；换行的中文请写成一行",
        f"{FILE}:27:16 missions[1].background[0].text.zh: there is a space in “， 一”; "
        "delete it, and write Chinese on one line (YAML joins lines with a space)",
    ),
    "Chinese in the English": (
        FILE,
        "en: A block has a size.",
        "en: A block (块) has a size.",
        f"{FILE}:27:27 missions[1].background[0].text.en：英文里有汉字“块”；请写成英文",
        f"{FILE}:27:27 missions[1].background[0].text.en: the English has the Chinese character 块; "
        "write it in English",
    ),
    "full-width punctuation in the English": (
        FILE,
        "en: A block has a size.",
        "en: A block has a size。",
        f"{FILE}:27:27 missions[1].background[0].text.en：英文里有全角的 。；请改成半角",
        f"{FILE}:27:27 missions[1].background[0].text.en: the English has a full-width 。; "
        "write the ASCII character",
    ),
    "an English hint too long": (
        MODELS,
        "en: It seems to round down.",
        f"en: {LONG_EN}",
        f"{MODELS}:22:9 missions[1].models[0].variants[0]：英文有 61 个词；请写到 60 个词以内",
        f"{MODELS}:22:9 missions[1].models[0].variants[0]: the English has 61 words; write at most 60",
    ),
    "a Chinese hint too long": (
        MODELS,
        "zh: 像是向下取整了。",
        f"zh: {'字' * 97}",
        f"{MODELS}:22:9 missions[1].models[0].variants[0]：中文有 101 个汉字；请写到 100 个字以内",
        f"{MODELS}:22:9 missions[1].models[0].variants[0]: the Chinese has 101 characters; write at most 100",
    ),
    "a deeper hint too long": (
        MODELS,
        "en: Say 5 goods.",
        f"en: {' '.join(['word'] * 161)}",
        f"{MODELS}:10:18 missions[1].models[0].slots.count.example：英文有 161 个词；请写到 160 个词以内",
        f"{MODELS}:10:18 missions[1].models[0].slots.count.example: the English has 161 words; "
        "write at most 160",
    ),
    "a hint that gives the answer away": (
        MODELS,
        'ask: {zh: "第 5 个放哪？", en: "Where does the 5th go?"}',
        'ask: "`(n+b-1) // b`"',
        f"{MODELS}:25:14 missions[1].models[0].variants[0].ask：这条提示直接写出了答案 `(n + b - 1) // b`；"
        "请改成一个可以去看的东西和一个问题",
        f"{MODELS}:25:14 missions[1].models[0].variants[0].ask: this hint shows the answer "
        "`(n + b - 1) // b`; write something to look at and a question",
    ),
    "a marker without its slot": (
        MODELS,
        "      {check}\n",
        "      {check}\n      {chek}\n",
        f"{MODELS}:3:15 missions[1].models[0].template：模板里的 `{{chek}}` 没有对应的 slot；"
        f"你要写的可能是 `{{check}}`",
        f"{MODELS}:3:15 missions[1].models[0].template: the template's `{{chek}}` is no slot; "
        "write `{check}`, if that is what you meant",
    ),
    "a slot without its marker": (
        MODELS,
        "      {check}\n",
        "      pass\n",
        f"{MODELS}:13:7 missions[1].models[0].slots：模板里没有 `{{check}}`；请写进模板，或者删掉这个 slot",
        f"{MODELS}:13:7 missions[1].models[0].slots: the template has no `{{check}}`; "
        "write it in the template, or delete the slot",
    ),
    "a model of another mission's method": (
        MODELS,
        "  - method: allocate_for_prefill\n",
        "  - method: allocate_for_decode\n",
        f"{MODELS}:2:13 missions[1].models[0].method：这个 Mission 不考方法 `allocate_for_decode`；"
        "请改成 `methods` 里的一个",
        f"{MODELS}:2:13 missions[1].models[0].method: the mission has no method `allocate_for_decode`; "
        "write one of its `methods`",
    ),
}


def lint(course: SmallCourse) -> list[tuple[str, str]]:
    return [(fault.say.zh, fault.say.en) for fault in lint_course(course.root)]


@pytest.mark.parametrize("name", BREAKS)
def test_one_message_for_what_does_not_agree(course: SmallCourse, name: str) -> None:
    file, old, new, zh, en = BREAKS[name]
    course.change(file, old, new)
    if file == STARTER:  # the final mission has the same TODO and is told of it as well
        assert (zh, en) in lint(course)
    else:
        assert lint(course) == [(zh, en)]


def test_the_small_course_is_clean(course: SmallCourse) -> None:
    assert lint(course) == []


def test_a_misspelt_title_is_told_the_test_it_belongs_to(course: SmallCourse) -> None:
    course.change(FILE, "  test_six_tokens: {", "  test_six_token: {")
    assert [en.split("; ")[-1] for _, en in lint(course)] == [
        "write `test_six_tokens: {zh: …, en: …}`",
        "write `test_six_tokens`, if that is what you meant",
    ]


def test_faults_of_reading_are_told_alone_and_of_every_file(course: SmallCourse) -> None:
    course.change(FILE, "reread: diagram", "reread: nowhere")
    course.change(MODELS, "reread: diagram", "reread: nowhere")
    course.change("course.yaml", "zh: 先认识几个词。", "zh: '先认识,几个词。'")
    assert [(fault.file, fault.path) for fault in lint_course(course.root)] == [
        (FILE, "missions[1].quiz.reread"),
        (MODELS, "missions[1].models[0].variants[1].reread"),
    ]


def test_a_mission_without_its_models_is_linted_all_the_same(course: SmallCourse) -> None:
    (course.root / MODELS).unlink()
    course.change(FILE, "mistake: prefill.floor-division", "mistake: prefill.floor-plus-one")
    assert lint(course) == []


def test_a_course_without_starter_and_solution(course: SmallCourse) -> None:
    (course.root / STARTER).unlink()
    (course.root / "solution.py").unlink()
    assert lint(course) == [
        (
            f"{file}:1:1：读不了这个文件（No such file or directory）；请补上它",
            f"{file}:1:1: this file cannot be read (No such file or directory); write it",
        )
        for file in (STARTER, "solution.py")
    ]


@pytest.mark.parametrize(
    "zh",
    [
        "用 `a, b` 来写。",
        "从 6 到 9：三次 Decode。",
        "块表 `[7, 2]`，顺序就是逻辑顺序。",
        "比例 3:2 不变",
        "Level 22 · vLLM 分页注意力",
    ],
)
def test_good_chinese_is_left_alone(course: SmallCourse, zh: str) -> None:
    en = " ".join(f"`{code}`" for code in zh.split("`")[1::2]) or "x"
    course.change(FILE, "{zh: 块有大小。, en: A block has a size.}", f"{{zh: '{zh}', en: '{en}'}}")
    assert lint(course) == []
