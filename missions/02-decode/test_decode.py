"""Mission 2: one more token, and a new block only when the token enters one."""

import pytest

from pagetutor.exercise.scenario import MakeManager, decode, holding, pool, request


@pytest.mark.parametrize(("num_blocks", "size"), [(10, 4), (40, 24)])
def test_a_new_manager_and_a_new_request(play, num_blocks, size):
    play(
        pool(num_blocks, size, 64), MakeManager(3, 2, manager="other"), request("a", 6), request("b", 6)
    ).expect(blocks={"a": 0, "b": 0}, free=num_blocks)


def test_from_six_to_nine_tokens(play):
    free = [8, 3, 5, 0, 9, 1, 4, 6]
    play(pool(10, 4, 64, free=free), holding("a", [7, 2], 6), decode("a", 3)).expect(blocks={"a": 3}, free=7)


@pytest.mark.parametrize(
    ("tokens", "table"), [(5, [7, 2]), (6, [7, 2]), (7, [7, 2]), (1, [7]), (11, [7, 2, 9])]
)
def test_a_token_with_room_takes_no_block(play, tokens, table):
    play(pool(10, 4, free=[8, 3, 5]), holding("a", table, tokens), decode("a")).expect(
        blocks={"a": len(table)}, free=3
    )


@pytest.mark.parametrize(
    ("tokens", "table"), [(4, [7]), (8, [7, 2]), (12, [7, 2, 9]), (24, [7, 2, 9, 0, 6, 4])]
)
def test_a_token_past_the_last_block_takes_one(play, tokens, table):
    play(pool(10, 4, free=[8, 3, 5]), holding("a", table, tokens), decode("a")).expect(
        blocks={"a": len(table) + 1}, free=2
    )


def test_the_ninth_token_takes_a_third_block(play):
    play(pool(10, 4, free=[8, 3, 5]), holding("a", [7, 2], 8), decode("a")).expect(blocks={"a": 3}, free=2)


@pytest.mark.parametrize("size", [2, 3, 5, 8, 16, 24])
def test_other_block_sizes(play, size):
    play(pool(9, size, free=[8, 3, 5]), holding("a", [7], 1), decode("a", 2 * size)).expect(
        blocks={"a": 3}, free=1
    )


@pytest.mark.parametrize("tokens", [5, 6, 7])
def test_an_empty_pool_is_no_trouble_while_there_is_room(play, tokens):
    play(pool(10, 4, free=[]), holding("a", [7, 2], tokens), decode("a")).expect(blocks={"a": 2}, free=0)


@pytest.mark.parametrize(("tokens", "table"), [(4, [7]), (8, [7, 2]), (12, [7, 2, 9])])
def test_out_of_memory_changes_neither_table_nor_pool(play, tokens, table):
    play(pool(10, 4, free=[]), holding("a", table, tokens), decode("a")).expect_oom()


def test_the_last_free_block_may_be_used(play):
    play(pool(10, 4, free=[6]), holding("a", [7, 2], 8), decode("a")).expect(blocks={"a": 3}, free=0)


def test_two_requests_grow_side_by_side(play):
    play(
        pool(10, 4, free=[8, 3, 5]),
        holding("a", [7], 4),
        holding("b", [2, 9], 7),
        [step for pair in zip(decode("a", 3), decode("b", 3), strict=True) for step in pair],
    ).expect(blocks={"a": 2, "b": 3}, free=1)


def test_two_managers_share_nothing(play):
    play(
        pool(6, 4, free=[5, 2]),
        MakeManager(6, 4, manager="other"),
        MakeManager(7, 3, 5, manager="third"),
        holding("a", [0], 4),
        request("b", 3),
        decode("a"),
    ).expect(blocks={"a": 2, "b": 0}, free=1)


def test_what_is_free_can_all_be_taken_and_nothing_more(play):
    play(pool(5, 3, free=[4, 1]), holding("a", [2], 3), decode("a", 7)).expect_oom()


def test_cases_nobody_can_foresee(play, unforeseen):
    for drawn in unforeseen:
        play(drawn).holds()
