"""The whole exercise: prefill, decode and gather in one run."""

from pagetutor.exercise.scenario import (
    FillBlocks,
    FillPool,
    MakeManager,
    decode,
    gather,
    pool,
    prefill,
    request,
)


def test_a_new_manager_and_a_new_request(play):
    play(pool(10, 4, 64), request("a", 6)).expect(blocks={"a": 0}, free=10)


def test_six_tokens_take_two_blocks(play):
    play(pool(10, 4, 64), request("a", 6), prefill("a")).expect(blocks={"a": 2}, free=8)


def test_the_seventh_token_has_room(play):
    play(pool(10, 4, 64), request("a", 6), prefill("a"), decode("a")).expect(blocks={"a": 2}, free=8)


def test_the_ninth_token_takes_a_third_block(play):
    play(pool(10, 4, 64), request("a", 6), prefill("a"), decode("a", 3)).expect(blocks={"a": 3}, free=7)


def test_nine_tokens_are_gathered_in_order(play):
    play(
        pool(10, 4, 64),
        request("a", 6),
        prefill("a"),
        decode("a", 3),
        FillBlocks("a", (1, 2, 3)),
        gather("a"),
    ).expect_rows(1, 1, 1, 1, 2, 2, 2, 2, 3, width=64)


def test_five_tokens_keep_one_row_of_the_second_block(play):
    play(
        pool(4, 4, 8), request("a", 4), prefill("a"), decode("a"), FillBlocks("a", (7, 8)), gather("a")
    ).expect_rows(7, 7, 7, 7, 8, width=8)


def test_one_block_is_not_enough_for_five_tokens(play):
    play(pool(1, 4, 8), request("a", 5), prefill("a")).expect_oom()


def test_decode_runs_out_of_memory_too(play):
    play(pool(1, 4, 8), request("a", 4), prefill("a"), decode("a")).expect_oom()


def test_two_requests_live_side_by_side(play):
    play(
        pool(9, 3, 2),
        request("a", 3),
        request("b", 5),
        prefill("a"),
        prefill("b"),
        decode("a", 4),
        decode("b", 2),
        FillPool(),
        gather("a"),
        gather("b"),
    ).expect(blocks={"a": 3, "b": 3}, free=3)


def test_what_is_free_after_a_decode_can_all_be_taken_and_nothing_more(play):
    play(
        pool(4, 4, 2),
        request("a", 4),
        request("b", 12),
        request("c", 8),
        request("d", 1),
        prefill("a"),
        decode("a"),
        prefill("b"),
        prefill("c"),
        prefill("d"),
    ).expect_oom()


def test_blocks_given_out_later_leave_a_request_alone(play):
    play(
        pool(6, 4, 2),
        request("a", 5),
        request("b", 4),
        prefill("a"),
        FillBlocks("a", (7, 8)),
        prefill("b"),
        decode("b"),
        gather("a"),
    ).expect_rows(7, 7, 7, 7, 8, width=2)


def test_two_managers_share_nothing(play):
    play(
        pool(6, 4, 2),
        MakeManager(6, 4, 2, manager="other"),
        MakeManager(7, 3, 5, manager="third"),
        request("a", 7),
        prefill("a"),
        FillPool(),
        gather("a"),
    ).holds()


def test_cases_nobody_can_foresee(play, unforeseen):
    for drawn in unforeseen:
        play(drawn).holds()
