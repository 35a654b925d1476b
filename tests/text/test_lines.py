from __future__ import annotations

import ast

import pytest

from pagetutor.text.lines import lines_of


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        ("", []),
        ("a", ["a"]),
        ("a\n", ["a"]),
        ("a\n\n", ["a", ""]),
        ("a\r\nb\rc\nd", ["a", "b", "c", "d"]),
        ("a\x0cb\x0bc\x1cd\x85e\u2028f\u2029g", ["a\x0cb\x0bc\x1cd\x85e\u2028f\u2029g"]),
    ],
)
def test_lines_end_where_python_ends_them(words: str, lines: list[str]) -> None:
    assert lines_of(words) == lines


@pytest.mark.parametrize("sign", ["\n", "\r\n", "\r", "\x0c", "\x0b", "\x1c", "\x85", "\u2028", "\u2029"])
def test_a_syntax_trees_line_is_the_one_of_that_number(sign: str) -> None:
    source = f"first = 1  # {sign}# on\nsecond = 2\n"
    second = ast.parse(source).body[-1]
    assert lines_of(source)[second.lineno - 1] == "second = 2"
