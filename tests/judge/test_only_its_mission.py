"""A mistake in one method fails that method's mission and the whole exercise, and no other mission."""

from __future__ import annotations

import pytest

from pagetutor.judge.report import Verdict
from tests.corpus.build import SOLUTION
from tests.judge.conftest import Judge
from tests.long import some_long

CEILING = "(req.seq_len + self.block_size - 1) // self.block_size"

MISTAKES = {
    "floor division": ("1", CEILING, "req.seq_len // self.block_size"),
    "floor plus one": ("1", CEILING, "req.seq_len // self.block_size + 1"),
    "no capacity check": ("1", "if needed_blocks > len(self.free_blocks):", "if False:"),
    "a message without OOM": ("1", 'RuntimeError("OOM")\n        for', 'RuntimeError("full")\n        for'),
    "remainder zero": ("2", "% self.block_size) == 1", "% self.block_size) == 0"),
    "always allocating": ("2", "if is_new_block_needed:", "if True:"),
    "a missing cat": ("3", "torch.cat(blocks, dim=0)", "torch.stack(blocks)"),
    "cat along dim 1": ("3", "dim=0", "dim=1"),
    "a missing slice": ("3", "[: req.seq_len]", ""),
    "sorted ids": ("3", "in req.block_table]", "in sorted(req.block_table)]"),
    "a logical index as a physical one": ("3", "in req.block_table]", "in range(len(req.block_table))]"),
}


@pytest.mark.parametrize("name", some_long(MISTAKES, each=2))
def test_a_mistake_fails_its_mission_and_no_other(judge: Judge, name: str) -> None:
    mission, old, new = MISTAKES[name]
    assert old in SOLUTION
    wrong = SOLUTION.replace(old, new)
    failed = [one for one in ("1", "2", "3", "final") if judge(one, wrong).verdict is Verdict.FAILED]
    assert failed == [mission, "final"]
