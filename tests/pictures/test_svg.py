"""From what is printed to a screen, from a screen to a picture, and the words back out of it."""

from __future__ import annotations

import re
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.text import Text as Line

from pagetutor.text import Language
from pagetutor.ui.svg import Kind, Run, Style, screen_of_lines, svg
from tests.pictures.screen import screen_of
from tests.pictures.stored import FOLDER, differences
from tests.pictures.svg import lines_of

COLUMNS = 40
LINES = st.lists(st.text('aZ [<&"中，✓▮│█—', max_size=COLUMNS // 2).map(str.rstrip), max_size=6)


def drawn(*lines: str) -> str:
    return svg(screen_of("\r\n".join(lines), COLUMNS, 10), "$ pagetutor", Language.ZH)


def runs(printed: str) -> tuple[Run, ...]:
    (row,) = screen_of(printed, COLUMNS, 1).rows
    return row


@given(LINES)
def test_the_words_come_back_out_of_the_picture(lines: list[str]) -> None:
    while lines and not lines[0]:
        del lines[0]
    while lines and not lines[-1]:
        del lines[-1]
    assert lines_of(drawn(*lines)) == lines


def test_what_comes_after_chinese_stands_in_its_column() -> None:
    picture = drawn("你的 ab  应该  │ cd", "yours    expected")
    placed = re.findall(r'<text x="([\d.]+)" y="(\d+)"[^>]*>([^<]+)</text>', picture)
    assert placed == [
        ("0.9", "14", "你的"),
        ("42", "14", "ab"),
        ("76.5", "14", "应该"),
        ("126", "14", "│"),
        ("142.8", "14", "cd"),
        ("0", "31", "yours    expected"),
    ]


def test_a_run_is_as_wide_as_its_cells_whatever_the_font() -> None:
    assert re.findall('textLength="[^>]*"', drawn("abc", "✓▮▯│")) == [
        'textLength="25.2"',
        'textLength="33.6" lengthAdjust="spacingAndGlyphs"',
    ]


def test_rows_at_the_top_and_bottom_that_are_empty_are_left_out() -> None:
    assert screen_of("\r\n\r\na\r\n\r\nb\r\n", COLUMNS, 10).lines == ["a", "", "b"]
    assert screen_of("", COLUMNS, 10).lines == lines_of(drawn()) == []


@pytest.mark.parametrize(
    ("codes", "style"),
    [
        ("1;2;36", Style(colour="cyan", bold=True, dim=True)),
        ("2;49", Style(dim=True)),
        ("3;4;93", Style(colour="brightyellow", italic=True, underlined=True)),
        ("7", Style(reversed=True)),
        ("33;105", Style(colour="yellow", behind="brightmagenta")),
        ("38;5;2", Style(colour="00cd00")),
        ("38;2;2;5;22", Style(colour="020516")),
        ("2;48;5;5", Style(behind="cd00cd", dim=True)),
    ],
)
def test_a_run_keeps_how_it_looks(codes: str, style: Style) -> None:
    assert runs(f"\x1b[{codes}mword\x1b[0m plain") == (
        Run(0, "word", style, Kind.ASCII),
        Run(5, "plain", Style(), Kind.ASCII),
    )


def test_lines_are_drawn_as_a_terminal_would_show_them() -> None:
    lines = [
        Line.assemble(
            ("红色的 ", "bold red"), ("plain", ""), (" x\u0301 ", "dim on #010203"), ("│", "color(14)")
        ),
        Line("turned", "reverse italic underline"),
        Line(""),
        Line("  Code", "bright_black"),
    ]
    with_codes = Console(file=StringIO(), width=COLUMNS, color_system="truecolor", force_terminal=True)
    for line in lines:
        with_codes.print(line, soft_wrap=True, markup=False, highlight=False)
    assert isinstance(with_codes.file, StringIO)
    printed = screen_of(with_codes.file.getvalue().replace("\n", "\r\n"), COLUMNS, 10)
    assert screen_of_lines(lines, COLUMNS).rows == printed.rows
    assert screen_of_lines(lines, COLUMNS).rows[0][:2] == (
        Run(0, "红色的", Style(colour="red", bold=True), Kind.WIDE),
        Run(7, "plain", Style(), Kind.ASCII),
    )


def test_what_is_no_longer_bold_is_no_longer_dim_either() -> None:
    assert [run.style for run in runs("\x1b[1;2mab\x1b[22m cd")] == [Style(bold=True, dim=True), Style()]


def test_colours_are_drawn() -> None:
    picture = drawn("\x1b[1;2;31mred\x1b[0m \x1b[7mturned\x1b[0m \x1b[44m  \x1b[0m")
    assert re.findall(r"<(?:rect|text) [xy].*", picture.partition("<g ")[2]) == [
        '<text x="0" y="14" textLength="25.2" class="bold dim" style="fill: #ff7b72">red</text>',
        '<rect x="33.6" y="0" width="50.4" height="17" fill="#d7dce2"/>',
        '<text x="33.6" y="14" textLength="50.4" style="fill: #15181e">turned</text>',
        '<rect x="92.4" y="0" width="16.8" height="17" fill="#79b8ff"/>',
    ]


def test_nothing_is_fetched_from_anywhere() -> None:
    picture = drawn("a").replace('xmlns="http://www.w3.org/2000/svg"', "")
    assert not re.search("http|url|@import|@font-face|href", picture)


def test_what_has_changed_is_told_by_the_lines_of_the_screen(tmp_path: Path) -> None:
    kept = {
        "a.svg": drawn("one", "two"),
        "b.svg": drawn("same"),
        "c.svg": drawn("same"),
        "d.svg": drawn("old"),
    }
    for name, picture in kept.items():
        (tmp_path / name).write_text(picture, encoding="utf-8")
    now = {
        "a.svg": drawn("one", "zwei"),
        "b.svg": drawn("same"),
        "c.svg": drawn("\x1b[1msame\x1b[0m"),
        "e.svg": drawn("new"),
    }
    assert differences(now, tmp_path) == [
        "a.svg: the screen has changed\n--- kept\n+++ now\n@@ -1,2 +1,2 @@\n one\n-two\n+zwei",
        "c.svg: the same words, drawn otherwise",
        "d.svg: no run makes it",
        "e.svg: is not there",
    ]
    assert differences(kept, tmp_path) == []


def test_the_readme_shows_every_picture_once_and_says_what_is_on_it() -> None:
    readme = (FOLDER.parents[1] / "README.md").read_text(encoding="utf-8")
    shown = re.findall(
        r"!\[(.{20,})\]\(tests/pictures/([a-z]+\.[a-z]+\.svg)\)", re.sub(r"\) \| !", ")\n!", readme)
    )
    assert sorted(name for _, name in shown) == sorted(file.name for file in FOLDER.glob("*.svg"))
