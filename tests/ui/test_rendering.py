"""What holds for every screen: nothing wider than it, nothing cut, nothing interpreted, Chinese by cells."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from pagetutor.content.find import find_course
from pagetutor.content.model import Code, Paragraph, PartName
from pagetutor.content.read import load_course, load_models
from pagetutor.diagnosis.mistake import Span
from pagetutor.judge import report as reports
from pagetutor.judge.report import CheckReport, Verdict
from pagetutor.learner.port import Frame, Prints, Raised
from pagetutor.text import Language, Text, same
from pagetutor.tutor.screen import HintShown, Option, PageShown, PartHeading, ReportShown, Said, Showable
from pagetutor.ui import phrases
from pagetutor.ui.render import render
from pagetutor.ui.render.brief_report import brief_report
from pagetutor.ui.render.code import code, quoted, whole_line
from pagetutor.ui.render.look import ASCII_MARKS, PLAIN_MARKS, UNICODE_MARKS, Look, fit_width, marks_for
from tests.ui.replays import trace_of_remainder_0
from tests.ui.values import BROKEN, EVERY_VALUE, FAILED, FLOOR, MISSION, PAGE, PASSED

LANGUAGES = list(Language)
WIDTHS = [20, 24, 33, 40, 57, 80, 100]
_CHINESE_AND_CODE = st.text(alphabet="块表，。（）、：！abc 012`[]{}:/\\_*→…", max_size=120)


def look(
    language: Language = Language.EN, width: int = 80, *, plain: bool = False, colour: bool = False
) -> Look:
    return Look(language, width, marks=PLAIN_MARKS if plain else UNICODE_MARKS, plain=plain, colour=colour)


def shown(value: Showable, at: Look) -> str:
    return "\n".join(line.plain for line in render(value, at))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("number", range(len(EVERY_VALUE)))
def test_no_line_is_wider_than_the_screen(number: int, plain: bool, language: Language, width: int) -> None:  # noqa: FBT001
    for line in render(EVERY_VALUE[number], look(language, width, plain=plain, colour=not plain)):
        assert line.cell_len <= width, line.plain


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "words",
    ["pool[block_id]", "List[int]", "x[a:b:c]", "{a:b:c}", ":smile:", "[/x]", "[bold]x[/bold]", "\\[y]"],
)
def test_brackets_and_colons_survive_in_content_and_prints(
    words: str, language: Language, width: int
) -> None:
    assert words in shown(PAGE, look(language, width))
    printed = ReportShown(replace(FAILED, prints=Prints(head=f"{words}\n")))
    assert words in shown(printed, look(language, width))


@settings(max_examples=150, deadline=None)
@given(words=_CHINESE_AND_CODE, width=st.integers(20, 100), language=st.sampled_from(LANGUAGES))
def test_wrapping_loses_nothing_but_spaces(words: str, width: int, language: Language) -> None:
    lines = render(Said(same(words)), look(language, width))
    assert all(line.cell_len <= width for line in lines)
    assert re.sub(r"[\s`]", "", "".join(line.plain for line in lines)) == re.sub(r"[\s`]", "", words)


@settings(max_examples=100, deadline=None)
@given(words=st.text(max_size=200), width=st.integers(20, 100))
def test_whatever_a_learner_prints_stays_inside_and_harmless(words: str, width: int) -> None:
    value = ReportShown(replace(FAILED, prints=Prints(head=words), file=words[:30], source=words))
    for line in render(value, look(width=width)):
        assert line.cell_len <= width
        assert all(char.isprintable() for char in line.plain)


@settings(max_examples=60, deadline=None)
@given(source=st.text(alphabet="ab块 \t=[]:_()", max_size=150), width=st.integers(20, 100))
def test_code_is_folded_and_never_cut(source: str, width: int) -> None:
    at = look(width=width, colour=True)
    lines = render(PageShown((Code(source),)), at)
    assert all(line.cell_len <= width for line in lines)
    drawn = "".join(line.plain for line in lines)
    assert re.sub(r"\s", "", drawn) == re.sub(r"\s", "", source)


def test_chinese_punctuation_never_begins_a_line() -> None:
    text = same("先检查空闲池够不够，再一块一块取出来，把编号追加到块表里。（不够就报错）")
    for width in range(20, 60):
        for line in render(Said(text), look(Language.ZH, width)):
            assert not line.plain.startswith(tuple("，。）"))
            assert not line.plain.endswith("（")


def test_a_chinese_sentence_fills_its_lines() -> None:
    first = render(Said(same("块" * 100)), look(Language.ZH, 40))[0]
    assert first.cell_len == 40


def test_an_unpaired_backtick_is_only_a_backtick() -> None:
    assert shown(Said(same("a ` b")), look()) == "a ` b"
    assert shown(Said(same("`a` ` b")), look(colour=True)) == "a ` b"


def test_a_drawing_is_drawn_whole_or_told_in_a_sentence() -> None:
    assert "│t0│t1│ ───→ │t2│  │" in shown(PAGE, look(width=40))
    told = shown(PAGE, look(width=20))
    assert "│" not in told
    assert "Drawing: Three tokens" in " ".join(told.split())


@pytest.mark.parametrize("language", LANGUAGES)
def test_plain_text_has_no_box_and_no_escape(language: Language) -> None:
    for value in EVERY_VALUE:
        assert not re.search("[\x1b\u2500-\u257f]", shown(value, look(language, plain=True)))


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "gbk", None])
def test_marks_can_be_shown_in_every_encoding(encoding: str | None) -> None:
    marks = marks_for(encoding, plain=False)
    assert marks == ASCII_MARKS
    at = Look(Language.EN, marks=marks, colour=False)
    for value in EVERY_VALUE:
        text = shown(value, at)
        assert "✓" not in text
        assert "│" not in text.replace("30│", "")


def test_extras_are_left_out_where_they_wait() -> None:
    assert "A little more" in shown(PAGE, look())
    assert "A little more" not in shown(PAGE, replace(look(), unfolded=False))


def test_what_a_guess_is_for_is_said_once() -> None:
    once = PartHeading(MISSION, PartName.GUESS, 1, 8)
    assert "Guess first, then compare" in shown(once, look())
    assert "Guess first, then compare" not in shown(replace(once, again=True), look())


def test_a_mark_stands_beside_every_colour() -> None:
    text = shown(ReportShown(FAILED), look(colour=True))
    assert "✗ Mission 1 · not passing yet" in text
    assert "✓ full blocks take no extra one" in text


# ── the report ───────────────────────────────────────────────────────────────────────────────────


def test_a_failing_report_is_told_in_the_order_a_learner_can_use_it() -> None:
    raised = FAILED.raised
    text = shown(ReportShown(replace(FAILED, raised=raised)), look())
    order = [
        "The smallest case that fails",
        "expected  `req.block_table` holds 2 ids",
        "Look at line 3 (prefill.floor-division)",
        "This looks as if plain division were enough.",
        "where do the last 2 go?",
        "Reread: `pagetutor show 1 diagram`",
        "This works already\n✓ full blocks take no extra one",
        "A few lines to reproduce it",
        "For a deeper hint: `pagetutor hint 1`",
        "What your code printed",
    ]
    assert [text.find(words) for words in order] == sorted(text.find(words) for words in order)
    assert -1 not in [text.find(words) for words in order]


@pytest.mark.parametrize(
    ("language", "several", "more"),
    [
        (Language.EN, "✓ works 0 (3 tests)\n✓ works 1\n", "and 5 more tests"),
        (Language.ZH, "✓ works 0（3 个测试）\n✓ works 1\n", "还有 5 个测试"),
    ],
)
def test_what_works_adds_up_to_the_tests_that_pass(language: Language, several: str, more: str) -> None:
    titles = ["works 0"] * 3 + [f"works {number}" for number in range(1, 17)] + ["works 16"] * 2
    tests = tuple(reports.TestResult(f"t::{at}", same(title), "passed") for at, title in enumerate(titles))
    text = shown(ReportShown(replace(PASSED, tests=tests)), look(language))
    assert several in text
    assert more in text
    assert text.count("✓ works ") == 14


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (Language.EN, "This works already (9 tests)\n✓ w0\n✓ w1\n✓ w2\n  and 6 more tests\n"),
        (Language.ZH, "这些已经对了（9 个测试）\n✓ w0\n✓ w1\n✓ w2\n  还有 6 个测试\n"),
    ],
)
def test_under_a_mistake_what_works_is_short(language: Language, said: str) -> None:
    tests = tuple(reports.TestResult(f"t::{at}", same(f"w{at}"), "passed") for at in range(9))
    assert said in shown(ReportShown(replace(FAILED, tests=tests)), look(language))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("rows", [5, 10, 14, 19, 40, 100])
def test_a_brief_report_fits_its_rows_with_the_place_and_what_there_is_room_for(
    language: Language, rows: int
) -> None:
    lines = [line.plain for line in brief_report(ReportShown(FAILED, by_keys=True), look(language), rows)]
    assert len(lines) <= rows
    text = "\n".join(lines)
    assert FLOOR.id in text
    assert "^" in text
    if rows >= 19:
        assert phrases.SMALLEST_CASE.in_(language) in text
        assert FLOOR.ask.in_(language) in text
    whole = shown(ReportShown(FAILED, by_keys=True), look(language))
    assert (text == whole) is (whole.count("\n") < rows)


def test_in_watch_a_report_advises_keys_and_no_commands() -> None:
    text = shown(ReportShown(FAILED, by_keys=True), look())
    assert "To watch your code get there, line by line: `t`\nFor a deeper hint: `h`\n" in text
    assert "pagetutor" not in text


@pytest.mark.parametrize(
    ("language", "said"),
    [(Language.EN, "Where to look first: `pagetutor hint 1`"), (Language.ZH, "先看哪里：`pagetutor hint 1`")],
)
def test_where_nothing_is_diagnosed_no_deeper_hint_is_promised(language: Language, said: str) -> None:
    text = shown(ReportShown(replace(FAILED, mistakes=())), look(language))
    assert said in text
    assert shown(ReportShown(FAILED), look(language)).count(said) == 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_where_the_line_is_all_there_is_no_hint_is_advised(language: Language) -> None:
    misspelt = replace(FLOOR, id="structure.misspelt-attribute")
    text = shown(ReportShown(replace(FAILED, mistakes=(misspelt,))), look(language))
    assert "pagetutor hint" not in text
    assert "pagetutor replay 1" in text


def test_the_first_certain_mistake_is_shown_alone() -> None:
    second = replace(FLOOR, id="prefill.never-appends", belief=same("second"))
    assert "second" not in shown(ReportShown(replace(FAILED, mistakes=(FLOOR, second))), look())


def test_mistakes_that_are_only_possible_are_all_shown_as_one_of_several() -> None:
    either = tuple(replace(FLOOR, id=name, certain=False, belief=same(name)) for name in ("one", "two"))
    text = shown(ReportShown(replace(FAILED, mistakes=either)), look())
    assert "It is one of these; I cannot tell which yet:" in text
    assert "(one)" in text
    assert "(two)" in text


def test_an_unknown_mistake_is_not_guessed_at() -> None:
    text = shown(ReportShown(replace(FAILED, mistakes=())), look())
    assert "I will not guess" in text


def test_a_missing_statement_is_told_by_the_line_it_belongs_before() -> None:
    missing = replace(FLOOR, missing=True, span=Span(4, 9, 4, 55))
    text = shown(ReportShown(replace(FAILED, mistakes=(missing,))), look())
    assert "Something is missing before line 4 (prefill.floor-division)" in text


def test_carets_stand_under_the_span_also_after_chinese_and_tabs() -> None:
    source = 'x\n\tname = "块表" + n // b  # 注释\n'
    start = source.splitlines()[1].index("n //") + 1
    lines = [line.plain for line in quoted(source, Span(2, start, 2, start + 6), look())]
    at = cell_len(lines[0][: lines[0].index("n // b")])
    assert lines[1] == "    │ " + " " * (at - 6) + "^" * 6


# Python ends no line at these, `str.splitlines` does.
_NO_LINE_ENDS = "# \x0c \x0b \x1c \x85 \u2028 \u2029\n"


def test_the_line_quoted_is_the_one_of_pythons_number() -> None:
    source = f"{_NO_LINE_ENDS}b = 2\nwrong = 3\n"
    lines = [line.plain for line in quoted(source, Span(3, 9, 3, 10), look())]
    assert lines == ["  3 │ wrong = 3", "    │         ^"]
    assert whole_line(source, 3) == Span(3, 1, 3, 10)
    assert [line.plain for line in code(f"{_NO_LINE_ENDS}b = 2", look())] == [
        "    # \\x0c \\x0b \\x1c \\x85 \\u2028 \\u2029",
        "    b = 2",
    ]


def test_a_traceback_quotes_the_line_of_pythons_number() -> None:
    raised = Raised("ValueError", (), "no", (Frame(3, "take"),))
    found = replace(FAILED, raised=raised, source=f"{_NO_LINE_ENDS}b = 2\nwrong = 3\n")
    assert "line 3, in take\n    wrong = 3\n" in shown(ReportShown(found), look())


def test_what_was_printed_shows_its_controls() -> None:
    text = shown(ReportShown(replace(FAILED, prints=Prints(head="a\x0cb\u2028c\r\nd\n"))), look())
    assert "a\\x0cb\\u2028c\n" in text


def test_a_span_beyond_the_file_quotes_nothing() -> None:
    assert quoted("x = 1\n", Span(7, 1, 7, 5), look()) == []


@pytest.mark.parametrize("verdict", [Verdict.UNFILLED, Verdict.STOPPED])
def test_what_did_not_run_is_told_in_its_own_sentence_with_its_line(verdict: Verdict) -> None:
    report: CheckReport = replace(
        FAILED, verdict=verdict, say=same("told so"), case=None, mistakes=(), line=3
    )
    text = shown(ReportShown(report), look())
    assert "told so" in text
    assert "3 │ needed_blocks = req.seq_len // self.block_size" in text


# ── widths ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("columns", "width"), [(0, 80), (1, 20), (20, 20), (72, 72), (200, 100)])
def test_a_screen_is_laid_out_between_20_and_100_cells(columns: int, width: int) -> None:
    assert fit_width(columns) == width


def test_a_paragraph_of_nothing_is_one_empty_line() -> None:
    assert [line.plain for line in render(PageShown((Paragraph(same("")),)), look())] == [""]


@pytest.mark.parametrize(
    ("count", "language", "said"),
    [
        (15, Language.EN, "and 1 more test"),
        (16, Language.EN, "and 2 more tests"),
        (15, Language.ZH, "还有 1 个测试"),
    ],
)
def test_one_more_test_is_one(count: int, language: Language, said: str) -> None:
    tests = tuple(reports.TestResult(str(at), same(f"works {at}"), "passed") for at in range(count))
    assert shown(ReportShown(replace(PASSED, tests=tests)), look(language)).split("\n")[-1].strip() == said


def test_a_sentence_about_a_bracket_has_its_caret_under_the_bracket_alone() -> None:
    source = "def f():\n    blocks = g(h(1, 2)\n\n    return blocks\n"
    report = replace(BROKEN, line=2, column=15, source=source, raised=None)
    lines = shown(ReportShown(report), look()).split("\n")
    at = next(number for number, line in enumerate(lines) if "blocks = g(h(1, 2)" in line)
    assert lines[at].index("(") == lines[at + 1].index("^")
    assert lines[at + 1].count("^") == 1


def test_without_a_column_or_with_one_beyond_the_line_the_whole_line_is_marked() -> None:
    for column in (None, 400):
        report = replace(BROKEN, line=1, column=column, source="x = (1\n", raised=None)
        assert "^^^^^^" in shown(ReportShown(report), look())


_OPTIONS = (Option("check", same("c")), Option("hint", same("h")), Option("replay", same("r"), key="t"))


@pytest.mark.parametrize(
    ("language", "plain", "replay", "hint"),
    [
        (
            Language.EN,
            False,
            "To watch your code get there, line by line: `t` in the menu below",
            "For a deeper hint: `2` in the menu below",
        ),
        (
            Language.EN,
            True,
            "To watch your code get there, line by line: `3` in the menu below",
            "For a deeper hint: `2` in the menu below",
        ),
        (
            Language.ZH,
            False,
            "一行一行看你的代码怎么走到这一步：下面菜单里的 `t`",
            "想再要一点提示：下面菜单里的 `2`",
        ),
    ],
)
def test_above_a_menu_a_report_advises_its_keys(
    language: Language,
    plain: bool,  # noqa: FBT001
    replay: str,
    hint: str,
) -> None:
    text = shown(ReportShown(FAILED, menu=_OPTIONS), look(language, plain=plain))
    assert f"{replay}\n{hint}\n" in text + "\n"
    assert "pagetutor hint" not in text
    assert "pagetutor replay" not in text


_GUARD = Text(
    zh='加上两行：`if n ___ len(free):`，下面缩进一行 `raise ___("OOM")`',
    en='After the count, two lines: `if n ___ len(free):` and indented under it `raise ___("OOM")`',
)
_INSIDE = Text(
    zh='在 `if new:` 里面写 `if not free:`，下面缩进一行 `raise RuntimeError("OOM")`',
    en='Inside `if new:`, before the take, `if not free:` and indented under it `raise RuntimeError("OOM")`',
)
_BLANK = Text(zh="再填空：`new = n % b == ___`", en="Fill in the blank: `new = n % b == ___`")
_AMID = Text(
    zh="第一条语句是 `n = ___`，前面没有别的。", en="It begins with `n = ___`; nothing is before it."
)


@pytest.mark.parametrize(
    ("text", "language", "lines"),
    [
        (
            _GUARD,
            Language.EN,
            ["After the count, two lines:", "    if n ___ len(free):", '        raise ___("OOM")'],
        ),
        (
            _GUARD,
            Language.ZH,
            ["加上两行：", "    if n ___ len(free):", '        raise ___("OOM")'],
        ),
        (
            _INSIDE,
            Language.EN,
            [
                "Inside `if new:`, before the take:",
                "    if not free:",
                '        raise RuntimeError("OOM")',
            ],
        ),
        (
            _INSIDE,
            Language.ZH,
            ["在 `if new:` 里面写：", "    if not free:", '        raise RuntimeError("OOM")'],
        ),
        (_BLANK, Language.EN, ["Fill in the blank:", "    new = n % b == ___"]),
        (_BLANK, Language.ZH, ["再填空：", "    new = n % b == ___"]),
        (same("`n = 1`"), Language.EN, ["    n = 1"]),
        (_AMID, Language.EN, [_AMID.en]),
        (_AMID, Language.ZH, [_AMID.zh]),
    ],
)
@pytest.mark.parametrize("plain", [False, True])
def test_the_code_of_a_hint_is_a_block_below_its_words(
    text: Text,
    language: Language,
    lines: list[str],
    plain: bool,  # noqa: FBT001
) -> None:
    hint = HintShown(Text(zh="题", en="title"), text)
    assert shown(hint, look(language, plain=plain)).split("\n")[-len(lines) :] == lines


def test_no_hint_of_the_course_mixes_a_block_into_its_words() -> None:
    """Every rung that says how a line is indented under another shows the two below one another."""
    root = find_course()
    for mission in load_course(root).missions:
        for model in load_models(root, mission.id):
            for words in (text for slot in model.slots for text in (slot.pattern, slot.line)):
                for language in Language:
                    said = shown(HintShown(same("t"), words), look(language))
                    assert not re.search(r"(indented under it|缩进一行)\s+`", said)


def test_a_case_of_another_mistake_than_the_first_says_so() -> None:
    case = FAILED.case
    assert case is not None
    decodes = replace(FAILED, case=replace(case, trace=trace_of_remainder_0()))
    another = {
        Language.EN: "(This case shows another mistake, in `allocate_for_decode`; the one named below comes "
        "first.)",
        Language.ZH: "（这个例子是 `allocate_for_decode` 里的另一处错；下面先说最靠前的那一处。）",
    }
    several = {
        Language.EN: "(There is more than one mistake: this case may show another than the one named below, "
        "which comes first.)",
        Language.ZH: "（这里不止一处错：这个例子里也可能是别的那处；下面先说最靠前的。）",
    }
    first = replace(FLOOR, id="decode.first", method="allocate_for_decode")
    for language in Language:
        at = look(language, 140)
        assert another[language] in shown(ReportShown(decodes), at)
        alone = shown(ReportShown(replace(decodes, mistakes=(first, FLOOR))), at)
        both = shown(ReportShown(replace(decodes, mistakes=(first, replace(first, id="decode.second")))), at)
        assert several[language] in both
        for said in (another[language], several[language]):
            assert said not in alone
            assert said not in shown(ReportShown(FAILED), at)
