"""Mission 3: the blocks of the table, joined in its order and cut to the tokens there are."""

import pytest

from pagetutor.exercise.scenario import FillBlocks, FillPool, MakeManager, gather, holding, pool, request


@pytest.mark.parametrize(("num_blocks", "size"), [(10, 4), (40, 24)])
def test_a_new_manager_and_a_new_request(play, num_blocks, size):
    play(
        pool(num_blocks, size, 64), MakeManager(3, 2, manager="other"), request("a", 6), request("b", 6)
    ).expect(blocks={"a": 0, "b": 0}, free=num_blocks)


def test_nine_tokens_in_three_blocks(play):
    free = [8, 3, 5, 0, 1, 4, 6]
    play(
        pool(10, 4, 64, free=free), holding("a", [7, 2, 9], 9), FillBlocks("a", (1, 2, 3)), gather("a")
    ).expect_rows(1, 1, 1, 1, 2, 2, 2, 2, 3, width=64)


def test_five_tokens_keep_one_row_of_the_second_block(play):
    play(
        pool(6, 4, 8, free=[0, 3]), holding("a", [5, 1], 5), FillBlocks("a", (7, 8)), gather("a")
    ).expect_rows(7, 7, 7, 7, 8, width=8)


@pytest.mark.parametrize(
    ("table", "tokens"), [([7, 2, 9], 12), ([7, 2, 9], 10), ([3, 8], 8), ([4], 4), ([4], 1)]
)
def test_full_and_partly_filled_last_blocks(play, table, tokens):
    play(pool(10, 4, 3), holding("a", table, tokens), FillPool(signed=True), gather("a")).holds()


@pytest.mark.parametrize("table", [[9, 7, 2], [2, 9, 7], [1, 0, 3]])
def test_the_order_of_the_table_is_the_order_of_the_rows(play, table):
    play(pool(10, 4, 3), holding("a", table, 11), FillPool(), gather("a")).holds()


def test_a_block_that_stands_in_the_table_twice_is_read_twice(play):
    play(pool(10, 4, 3), holding("a", [7, 2, 7], 11), FillPool(), gather("a")).holds()


@pytest.mark.parametrize(("size", "width"), [(2, 5), (3, 3), (5, 2), (16, 1)])
def test_other_block_sizes(play, size, width):
    play(pool(8, size, width), holding("a", [6, 1, 4], 2 * size + 1), FillPool(), gather("a")).holds()


def test_reading_twice_gives_the_same_and_changes_nothing(play):
    play(
        pool(10, 4, 3, free=[0, 1]), holding("a", [7, 2, 9], 9), FillPool(), gather("a"), gather("a")
    ).holds()


def test_what_is_written_later_is_read_too(play):
    play(
        pool(10, 4, 2, free=[0]),
        holding("a", [7, 2], 6),
        FillPool(),
        gather("a"),
        FillBlocks("a", (5, 6)),
        gather("a"),
    ).expect_rows(5, 5, 5, 5, 6, 6, width=2)


def test_two_requests_read_their_own_blocks(play):
    play(
        pool(10, 4, 3, free=[0]),
        holding("a", [7, 2], 6),
        holding("b", [5, 8, 1], 9),
        FillPool(),
        gather("a"),
        gather("b"),
        gather("a"),
    ).holds()


def test_two_managers_share_nothing(play):
    play(
        pool(6, 4, 2),
        MakeManager(6, 4, 2, manager="other"),
        MakeManager(7, 3, 5, manager="third"),
        holding("a", [5, 2], 7),
        FillPool(),
        gather("a"),
    ).holds()


def test_cases_nobody_can_foresee(play, unforeseen):
    for drawn in unforeseen:
        play(drawn).holds()
