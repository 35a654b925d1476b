"""The picture of a pool holds all of its state, at every width, in marks that every terminal counts alike."""

from __future__ import annotations

import re
import unicodedata
from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pagetutor.exercise.state import Condition, PoolState, RequestState, pool_state
from pagetutor.exercise.trace import Odd
from pagetutor.text import Language
from pagetutor.ui.render.look import ASCII_MARKS, PLAIN_MARKS, UNICODE_MARKS, Look, Marks
from pagetutor.ui.render.pool import pool_picture
from pagetutor.ui.render.pool_words import Marked
from tests.ui.read_picture import read_drawn, read_told

ODDS = st.sampled_from([Odd("str", "'x'"), Odd("float", "2.5"), Odd("NoneType", "None"), Odd("bool", "True")])
LOOKS = st.builds(
    Look,
    language=st.sampled_from(list(Language)),
    width=st.integers(20, 200),
    marks=st.sampled_from([UNICODE_MARKS, ASCII_MARKS]),
    colour=st.booleans(),
)


@st.composite
def states(draw: st.DrawFn) -> PoolState:
    """Any state a learner's file may leave: blocks of nobody or of several, strays, odd things."""
    count = draw(st.integers(1, 14))
    size = draw(st.integers(2, 24))
    ids = st.one_of(st.integers(0, count - 1), st.integers(0, count - 1), st.integers(-1, count + 2), ODDS)
    tables = st.one_of(st.lists(ids, max_size=6).map(tuple), ODDS)
    lengths = st.one_of(st.integers(0, 6 * size), ODDS)
    names = draw(st.lists(st.sampled_from(["a", "b", "c2", "seq"]), max_size=3, unique=True))
    requests = tuple(RequestState(name, draw(lengths), draw(tables)) for name in names)
    whole = st.permutations(range(count)).map(tuple)
    left_out = st.one_of(st.just(frozenset[int]()), st.frozensets(st.integers(0, count - 1)))
    free = draw(st.one_of(st.lists(ids, max_size=30).map(tuple), whole, ODDS))
    return pool_state(count, size, requests, free, left_out=draw(left_out))


@settings(max_examples=120, deadline=None)
@given(state=states(), look=LOOKS)
def test_the_picture_alone_determines_the_state(state: PoolState, look: Look) -> None:
    lines = pool_picture(state, look, legend=False)
    assert read_drawn([line.plain for line in lines], look.marks) == state


@settings(max_examples=100, deadline=None)
@given(state=states(), language=st.sampled_from(list(Language)), width=st.integers(20, 200))
def test_the_sentences_alone_determine_the_state(state: PoolState, language: Language, width: int) -> None:
    look = Look(language, width, marks=PLAIN_MARKS, plain=True, colour=False)
    lines = [line.plain for line in pool_picture(state, look)]
    assert read_told(lines) == state
    assert not re.search("[\x1b\u2500-\u257f]", "".join(lines))


@settings(max_examples=100, deadline=None)
@given(
    state=states(),
    look=LOOKS,
    marked=st.frozensets(st.integers(0, 13)),
)
def test_no_line_is_wider_than_the_screen_and_no_width_is_a_matter_of_opinion(
    state: PoolState, look: Look, marked: frozenset[int]
) -> None:
    lines = pool_picture(state, look, marked=Marked(marked, "a", free=True))
    assert max(line.cell_len for line in lines) <= look.width
    assert {unicodedata.east_asian_width(char) for line in lines for char in line.plain} <= {
        *"NH",
        "Na",
        "W",
        "F",
    }
    if look.only_ascii and look.language is Language.EN:
        assert "".join(line.plain for line in lines).isascii()


@pytest.mark.parametrize("marks", [UNICODE_MARKS, ASCII_MARKS, PLAIN_MARKS])
def test_every_condition_has_a_mark_of_its_own(marks: Marks) -> None:
    slots = [marks.used, marks.tail, marks.free, marks.lost, marks.twice, marks.aside, marks.differs]
    assert len(set(slots)) == len(slots)
    assert all(len(mark) == 1 for mark in slots)


# one of each condition: used, free, lost, owned twice, left out
_ONE_OF_EACH = pool_state(
    5, 2, (RequestState("a", 3, (0,)), RequestState("b", 2, (3, 3))), (1,), left_out={4, 0}
)


def test_every_condition_has_a_colour_of_its_own() -> None:
    assert [block.condition for block in _ONE_OF_EACH.blocks] == [*Condition]
    slots = next(line for line in pool_picture(_ONE_OF_EACH, Look(Language.EN)) if "[" in line.plain)
    styles = [str(span.style) for span in slots.spans]
    assert len(styles) == 5
    # what is left out is as pale as what is free: nothing to look at


def test_a_mark_is_explained_where_it_is_seen_and_only_there() -> None:
    whole = [line.plain for line in pool_picture(_ONE_OF_EACH, Look(Language.EN))]
    assert whole[-1] == "▮ token   X owned twice   - no part of this case   a[0] logical block 0 of a"
    empty = pool_state(2, 4, (), (1, 0))
    assert [line.plain for line in pool_picture(empty, Look(Language.ZH))] == [
        " 0      1",
        "[....] [....]",
        " 空闲   空闲",
        "空闲池，2 块：1, 0",
    ]


# ── big pools ────────────────────────────────────────────────────────────────────────────────────


def big(used: int, lost: int = 0) -> PoolState:
    table = tuple(range(100, 100 + used))
    free = tuple(chain(range(100), range(100 + used + lost, 10_000)))
    return pool_state(10_000, 16, (RequestState("a", used * 16, table),), free)


@pytest.mark.parametrize("language", list(Language))
@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.parametrize("width", [40, 80, 120])
@pytest.mark.parametrize("used", [0, 2, 5_000])
def test_ten_thousand_blocks_are_a_few_lines(used: int, width: int, plain: bool, language: Language) -> None:  # noqa: FBT001
    look = Look(language, width, marks=PLAIN_MARKS if plain else UNICODE_MARKS, plain=plain, colour=not plain)
    lines = pool_picture(big(used), look)
    assert len(lines) <= 24
    assert max(line.cell_len for line in lines) <= width


def test_a_summary_counts_every_condition_and_names_the_worst() -> None:
    lines = [line.plain for line in pool_picture(big(20, lost=2), Look(Language.EN, 80))]
    assert lines[0] == "10,000 blocks of 16 slots: 20 used, 9,978 free, 2 lost, 0 owned twice"
    assert any("120                121" in line for line in lines)
    assert "14 more not drawn" in lines
    assert "free, 9,978 blocks: 0-99, 122-9999" in lines


def test_a_pool_of_64_blocks_is_still_drawn_whole() -> None:
    state = pool_state(64, 4, (), tuple(range(64)))
    lines = [line.plain for line in pool_picture(state, Look(Language.EN, 80), legend=False)]
    assert read_drawn(lines, UNICODE_MARKS) == state
    assert lines[-1] == "free, 64 blocks: 0-63"
