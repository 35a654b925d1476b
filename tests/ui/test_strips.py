"""Rows are told by the block and slot they come from, as far as their values tell."""

from __future__ import annotations

from pagetutor.exercise.trace import Odd, TensorSeen
from pagetutor.ui.render.strips import Strip, chunks, place_at, strips

# 3 blocks of 2 slots, 2 values a slot: block 1 holds (4, 5) and (6, 7)
POOL = TensorSeen((3, 2, 2), tuple(range(12)))


def rows(*values: int | str, width: int = 2) -> TensorSeen:
    return TensorSeen((len(values) // width, width), values)


def test_neighbouring_slots_are_one_strip() -> None:
    assert strips(rows(4, 5, 6, 7, 0, 1), POOL) == [Strip(0, 2, 1, 0), Strip(2, 1, 0, 0)]


def test_slots_out_of_order_are_strips_of_their_own() -> None:
    assert strips(rows(6, 7, 4, 5), POOL) == [Strip(0, 1, 1, 1), Strip(1, 1, 1, 0)]


def test_rows_from_elsewhere_are_of_no_block() -> None:
    assert strips(rows(4, 5, 99, 1, "0.5", 3, 6, 7), POOL) == [
        Strip(0, 1, 1, 0),
        Strip(1, 2, None),
        Strip(3, 1, 1, 1),
    ]


def test_a_constant_block_is_read_from_its_first_slot_on() -> None:
    pool = TensorSeen((2, 2, 1), (7, 7, 8, 8))
    assert strips(rows(8, 8, 7, width=1), pool) == [Strip(0, 2, 1, 0), Strip(2, 1, 0, 0)]


def test_values_of_several_blocks_name_none() -> None:
    zeros = TensorSeen((2, 2, 1), (0, 0, 0, 0))
    assert strips(rows(0, 0, width=1), zeros) == [Strip(0, 2, None)]


def test_a_third_dimension_begins_a_strip_with_each_slice() -> None:
    same_block = TensorSeen((2, 1, 2), (4, 5, 6, 7))
    assert strips(same_block, POOL) == [Strip(0, 1, 1, 0), Strip(1, 1, 1, 1)]


def test_a_wide_row_is_told_piece_by_piece() -> None:
    assert chunks((4, 5, 99, 0, 10, 11), POOL) == [(1, 0), None, (2, 1)]
    assert chunks((4, 5, 6), POOL) == []
    assert chunks((4, 5), Odd("list", "[]")) == []


def test_a_row_is_placed_in_words() -> None:
    assert place_at(rows(4, 5, 6, 7), 1, POOL).en == "slot 1 of physical block 1"
    assert place_at(rows(99, 5), 0, POOL).zh == "别处"
