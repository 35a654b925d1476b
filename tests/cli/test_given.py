"""The global options are found wherever they stand."""

from __future__ import annotations

import pytest

from pagetutor.cli.given import Given, read_given


@pytest.mark.parametrize(
    ("argv", "given"),
    [
        ([], Given(())),
        (["check", "1", "--lang", "zh", "--plain"], Given(("check", "1"), "zh", plain=True)),
        (["--lang=en", "--no-shuffle", "mission", "1"], Given(("mission", "1"), "en", no_shuffle=True)),
        (["check", "1", "--", "--plain"], Given(("check", "1", "--", "--plain"))),
        (["list", "--lang"], Given(("list", "--lang"))),
        (["--lang", "zh", "--lang", "en"], Given((), "en")),
    ],
)
def test_global_options_are_taken_out_up_to_two_dashes(argv: list[str], given: Given) -> None:
    assert read_given(argv) == given


@pytest.mark.parametrize(
    ("argv", "wants"),
    [
        (["check", "1", "--json"], True),
        (["--lang", "zh", "check", "--json"], True),
        (["check", "1", "--", "--json"], False),
        (["hint", "1", "--json"], False),
    ],
)
def test_only_a_check_answers_in_json(argv: list[str], wants: object) -> None:
    assert read_given(argv).wants_json is wants
