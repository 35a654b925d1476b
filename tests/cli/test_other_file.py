"""A file that is not the folder's own: what is advised about it names it, and works as it stands."""

from __future__ import annotations

import re
import shlex

import pytest

from tests.cli.command import Command
from tests.cli.test_replay import FLOORS
from tests.long import some_long

NAME = "my first try.py"


def advised(words: str) -> list[list[str]]:
    """The commands in backticks that are about the learner's file, as a shell takes them."""
    spans = re.findall(r"`(pagetutor (?:replay|hint|check)[^`]*)`", words.replace("\n", " "))
    return [shlex.split(span)[1:] for span in spans]


@pytest.mark.parametrize("language", some_long(["en", "zh"], each=2))
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


@pytest.mark.parametrize(
    ("language", "empty", "with_one"),
    [
        (
            "en",
            "`there` is a folder, and there is no `block_manager.py` in it. Name the file that is meant.",
            "`there` is a folder. For the file in it, write `there/block_manager.py`.",
        ),
        (
            "zh",
            "`there` 是一个文件夹，里面没有 `block_manager.py`。这里要写一个文件的路径。",
            "`there` 是一个文件夹。要检查里面的文件，就写 `there/block_manager.py`。",
        ),
    ],
)
@pytest.mark.parametrize("verb", ["check", "hint", "replay", "watch"])
def test_a_folder_in_a_files_place_is_wrong_usage_and_the_file_in_it_is_named(
    pagetutor: Command, verb: str, language: str, empty: str, with_one: str
) -> None:
    (pagetutor.folder / "there").mkdir()
    ran = pagetutor(verb, "1", "there", "--lang", language)
    assert (ran.status, ran.out, ran.err) == (2, "", f"pagetutor: {empty}\n")
    (pagetutor.folder / "there" / "block_manager.py").touch()
    ran = pagetutor(verb, "1", "there/", "--lang", language)
    assert (ran.status, ran.err) == (2, f"pagetutor: {with_one.replace('`there`', '`there/`')}\n")


def test_a_folder_in_a_files_place_is_an_error_document(pagetutor: Command) -> None:
    ran = pagetutor("check", "1", ".", "--json", "--lang", "en")
    say = "`.` is a folder, and there is no `block_manager.py` in it. Name the file that is meant."
    assert (ran.status, ran.document) == (2, {"schema": 1, "error": {"code": 2, "say": say}})
