"""`author unknowns`: failures that have no name are counted, by what the code does and never by its text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import Command
from tests.corpus.build import SOLUTION

NAMELESS = SOLUTION.replace(
    "(req.seq_len + self.block_size - 1) // self.block_size",
    "3 if req.seq_len % 7 == 5 else 8 // (1 + req.seq_len)",
)


@pytest.fixture
def nameless(pagetutor: Command) -> Path:
    """A file whose mistake no explanation fits."""
    assert NAMELESS != SOLUTION
    file = pagetutor.folder / "block_manager.py"
    file.write_text(NAMELESS, encoding="utf-8")
    return file


def test_a_failure_without_a_name_is_listed_by_how_often_it_was_met(
    pagetutor: Command, nameless: Path, tmp_path: Path
) -> None:
    assert pagetutor("author", "unknowns").out == "No failure without a name has been met.\n"
    assert pagetutor("check", "1", "--json").document["diagnoses"] == []
    pagetutor("check", "1")  # unchanged: met once
    head, row = pagetutor("author", "unknowns").out.splitlines()
    assert head == (
        "Failures that have no name yet, the most frequent first (times, mission, method, fingerprint of "
        "what the code does, test of the smallest case):"
    )
    times, mission, method, fingerprint, test = row.split()
    assert (times, mission, method) == ("1", "1", "allocate_for_prefill")
    assert len(fingerprint) == 12
    assert test.startswith("test_prefill.py::")

    export = tmp_path / "one.json"
    pagetutor("progress", "export", str(export))
    assert "seq_len" not in export.read_text()  # what the code does, not the code
    elsewhere = tmp_path / "two.json"
    told = json.loads(export.read_text())
    for event in told["events"]:
        event["id"] += "-other"
    elsewhere.write_text(json.dumps(told))
    ran = pagetutor("author", "unknowns", str(export), str(elsewhere), str(export), "--lang", "zh")
    assert ran.out.splitlines() == [
        "还没有名字的错误，遇到次数多的在前（次数、mission、方法、行为指纹、最小失败例子的测试）：",
        f"    3  1      allocate_for_prefill  {fingerprint}  {test}",
    ]


def test_what_is_no_export_is_refused_with_the_next_thing_to_do(pagetutor: Command) -> None:
    ran = pagetutor("author", "unknowns", "nowhere.json")
    assert (ran.status, ran.out) == (3, "")
    path = pagetutor.folder / "nowhere.json"
    assert ran.err == (
        f"pagetutor: {path} cannot be read (No such file or directory), and nothing was taken from it. See "
        "whether the path is right.\n"
    )
    (pagetutor.folder / "no.json").write_text("[]")
    ran = pagetutor("author", "unknowns", "no.json")
    assert ran.status == 3
    assert "This is no progress exported by pagetutor" in ran.err


def test_an_unknown_task_is_told_which_there_are(pagetutor: Command) -> None:
    ran = pagetutor("author", "adit")
    assert ran.status == 2
    assert "There is no task `adit`. There are `pagetutor author audit`, `build` and `unknowns`." in ran.err
