"""Mission 1: a prompt gets all its blocks at once, or none."""

import pytest

from pagetutor.exercise.scenario import MakeManager, pool, prefill, request


@pytest.mark.parametrize(("num_blocks", "size"), [(10, 4), (40, 24)])
def test_a_new_manager_and_a_new_request(play, num_blocks, size):
    play(
        pool(num_blocks, size, 64), MakeManager(3, 2, manager="other"), request("a", 6), request("b", 6)
    ).expect(blocks={"a": 0, "b": 0}, free=num_blocks)


def test_six_tokens_take_two_blocks(play):
    play(pool(10, 4, 64), request("a", 6), prefill("a")).expect(blocks={"a": 2}, free=8)


def test_one_block_is_not_enough_for_five_tokens(play):
    play(pool(1, 4, 8), request("a", 5), prefill("a")).expect_oom()


@pytest.mark.parametrize(("tokens", "blocks"), [(4, 1), (8, 2), (12, 3)])
def test_full_blocks_take_no_extra_block(play, tokens, blocks):
    play(pool(10, 4), request("a", tokens), prefill("a")).expect(blocks={"a": blocks}, free=10 - blocks)


@pytest.mark.parametrize("tokens", [1, 2, 3])
def test_a_short_prompt_takes_one_block(play, tokens):
    play(pool(10, 4), request("a", tokens), prefill("a")).expect(blocks={"a": 1}, free=9)


@pytest.mark.parametrize(("tokens", "blocks"), [(5, 2), (7, 2), (9, 3), (13, 4)])
def test_a_tail_takes_a_whole_block(play, tokens, blocks):
    play(pool(10, 4), request("a", tokens), prefill("a")).expect(blocks={"a": blocks}, free=10 - blocks)


@pytest.mark.parametrize(
    ("size", "tokens", "blocks"),
    [
        (2, 5, 3),
        (2, 14, 7),
        (3, 7, 3),
        (5, 10, 2),
        (5, 11, 3),
        (8, 9, 2),
        (16, 15, 1),
        (16, 32, 2),
        (26, 27, 2),
        (32, 33, 2),
        (128, 1, 1),
        (256, 257, 2),
    ],
)
def test_other_block_sizes(play, size, tokens, blocks):
    play(pool(9, size), request("a", tokens), prefill("a")).expect(blocks={"a": blocks}, free=9 - blocks)


def test_the_last_free_block_may_be_used(play):
    play(pool(8, 4, free=[6, 1, 3]), request("a", 12), prefill("a")).expect(blocks={"a": 3}, free=0)


@pytest.mark.parametrize(
    ("free", "tokens"), [((), 3), ((5,), 5), ((5,), 12), ((6, 2), 17), ((6, 2, 3, 7, 1), 30)]
)
def test_out_of_memory_changes_nothing(play, free, tokens):
    play(pool(8, 4, free=free), request("a", tokens), prefill("a")).expect_oom()


def test_only_free_ids_are_taken(play):
    play(pool(11, 3, free=[9, 4, 7, 10, 2]), request("a", 8), prefill("a")).expect(blocks={"a": 3}, free=2)


@pytest.mark.parametrize(("first", "second", "left"), [(7, 9, 1), (7, 7, 2)])
def test_two_requests_get_blocks_of_their_own(play, first, second, left):
    play(
        pool(12, 4, free=[11, 3, 8, 5, 0, 6]),
        request("a", first),
        request("b", second),
        prefill("a"),
        prefill("b"),
    ).expect(blocks={"a": 2, "b": 4 - left}, free=left)


def test_two_managers_share_nothing(play):
    play(
        pool(6, 4),
        MakeManager(6, 4, manager="other"),
        MakeManager(7, 3, 5, manager="third"),
        request("a", 9),
        request("b", 4),
        prefill("a"),
        prefill("b"),
    ).expect(blocks={"a": 3, "b": 1}, free=2)


def test_what_is_free_can_all_be_taken_and_nothing_more(play):
    play(pool(7, 3), request("a", 21), request("b", 1), prefill("a"), prefill("b")).expect_oom()


def test_cases_nobody_can_foresee(play, unforeseen):
    for drawn in unforeseen:
        play(drawn).holds()
