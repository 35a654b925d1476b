from __future__ import annotations

import pytest

from pagetutor.text.cells import cells
from pagetutor.text.spans import Span, spans, unticked


def test_backticks_cut_prose_and_code() -> None:
    assert spans("用 `pool[0]` 取块。") == (
        Span("用 ", code=False),
        Span("pool[0]", code=True),
        Span(" 取块。", code=False),
    )


def test_code_alone_and_side_by_side() -> None:
    assert spans("`a``b`") == (Span("a", code=True), Span("b", code=True))


def test_no_words_have_no_spans() -> None:
    assert spans("") == ()


@pytest.mark.parametrize("words", ["a ` b", "``", "`", "`a\nb`", "a``b"])
def test_a_backtick_without_its_partner_stays(words: str) -> None:
    assert spans(words) == (Span(words, code=False),)


@pytest.mark.parametrize(
    ("words", "width"),
    [
        ("", 0),
        ("pool[0]", 7),
        ("块表", 4),
        ("（）", 4),
        ("┌─┐", 3),
        ("→", 1),
        ("🎯", 2),
        ("e\u0301", 1),
        ("a\u200bb", 2),
        ("ＡＢ", 4),
    ],
)
def test_width_is_counted_in_cells(words: str, width: int) -> None:
    assert cells(words) == width


def test_a_learners_words_end_no_code_span() -> None:
    assert spans(f"`{unticked('a`b')}`") == (Span("a'b", code=True),)
