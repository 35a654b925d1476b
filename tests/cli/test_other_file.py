"""A file that is not the folder's own: what is advised about it names it, and works as it stands."""

from __future__ import annotations

import re
import shlex

import pytest

from tests.cli.command import Command
from tests.cli.test_replay import FLOORS

NAME = "my first try.py"


def advised(words: str) -> list[list[str]]:
    """The commands in backticks that are about the learner's file, as a shell takes them."""
    spans = re.findall(r"`(pagetutor (?:replay|hint|check)[^`]*)`", words.replace("\n", " "))
    return [shlex.split(span)[1:] for span in spans]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_commands_that_a_report_and_a_hint_advise_are_about_that_file(
    pagetutor: Command, language: str
) -> None:
    (pagetutor.folder / NAME).write_text(FLOORS, encoding="utf-8")
    report = pagetutor("check", "1", NAME, "--lang", language, COLUMNS="200")
    assert report.status == 1
    assert advised(report.out) == [["replay", "1", NAME], ["hint", "1", NAME]]
    replay, hint = (pagetutor(*words, "--lang", language, COLUMNS="200") for words in advised(report.out))
    assert (replay.status, replay.err, hint.status, hint.err) == (0, "", 0, "")
    assert advised(hint.out)[-1] == ["hint", "1", NAME, "--now"]
    deeper = pagetutor(*advised(hint.out)[-1], "--lang", language)
    assert (deeper.status, deeper.err) == (0, "")


def test_the_folders_own_file_is_not_named(pagetutor: Command) -> None:
    (pagetutor.folder / "block_manager.py").write_text(FLOORS, encoding="utf-8")
    report = pagetutor("check", "1", "./block_manager.py", "--lang", "en", COLUMNS="200")
    assert advised(report.out) == [["replay", "1"], ["hint", "1"]]
