"""Wrong only in a corner: at certain sizes, at the second request, after a write, between managers."""

from __future__ import annotations

import pytest

from pagetutor.judge.report import Verdict
from tests.corpus.build import SOLUTION, with_method
from tests.judge.conftest import Judge
from tests.long import some_long

GATHER = "cat_blocks[: req.seq_len]"
FREE = "self.free_blocks: List[int] = list(range(num_blocks))"
POOL = "self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim)"

_ONE_SIZE_FOR_ALL = (
    SOLUTION.replace(
        "        self.block_size = block_size\n",
        "        self.block_size = block_size\n        global BLOCK_SIZE\n        BLOCK_SIZE = block_size\n",
    )
    .replace("// self.block_size", "// BLOCK_SIZE")
    .replace("% self.block_size", "% BLOCK_SIZE")
)

SUBTLE = {
    "a gather that is remembered for ever": (
        "3",
        with_method(
            """
def get_physical_cache(self, req):
    self.seen = getattr(self, "seen", {})
    key = (req.request_id, req.seq_len)
    if key not in self.seen:
        blocks = [self.physical_kv_cache[one] for one in req.block_table]
        self.seen[key] = torch.cat(blocks)[: req.seq_len]
    return self.seen[key]
"""
        ),
    ),
    "values cast to whole numbers": ("3", SOLUTION.replace(GATHER, f"{GATHER}.int()")),
    "values cast to half precision": ("3", SOLUTION.replace(GATHER, f"{GATHER}.half()")),
    "values without their sign": ("3", SOLUTION.replace(GATHER, f"{GATHER}.abs()")),
    "one free list for all managers": (
        "3",
        SOLUTION.replace(FREE, "self.free_blocks = FREE").replace(
            "class Request", "FREE = list(range(40))\n\n\nclass Request", 1
        ),
    ),
    "one pool for all managers of a shape": (
        "1",
        SOLUTION.replace(
            POOL,
            f"{POOL}\n        self.physical_kv_cache = POOLS.setdefault("
            "(num_blocks, block_size, head_dim), self.physical_kv_cache)",
        ).replace("class Request", "POOLS = {}\n\n\nclass Request", 1),
    ),
    "blocks by the size of the request": (
        "1",
        with_method(
            """
def allocate_for_prefill(self, req):
    self.by_size = getattr(self, "by_size", {})
    needed = -(-req.seq_len // self.block_size)
    if req.seq_len not in self.by_size:
        if needed > len(self.free_blocks):
            raise RuntimeError("OOM")
        self.by_size[req.seq_len] = [self.free_blocks.pop(0) for _ in range(needed)]
    req.block_table = self.by_size[req.seq_len]
"""
        ),
    ),
    "a count of used blocks that decode forgets": (
        "final",
        SOLUTION.replace(FREE, f"{FREE}\n        self.used = 0")
        .replace(
            "if needed_blocks > len(self.free_blocks):", "if self.used + needed_blocks > self.num_blocks:"
        )
        .replace(
            "        for _ in range(needed_blocks):",
            "        self.used += needed_blocks\n        for _ in range(needed_blocks):",
        ),
    ),
    "a prefill that wipes the whole cache": (
        "final",
        SOLUTION.replace(
            "        needed_blocks =", "        self.physical_kv_cache.zero_()\n        needed_blocks =", 1
        ),
    ),
    "a ceiling that fails for large blocks": (
        "1",
        SOLUTION.replace(
            "(req.seq_len + self.block_size - 1) // self.block_size",
            "int(req.seq_len / self.block_size + 0.95)",
        ),
    ),
    "a table cut to its last four blocks": (
        "2",
        SOLUTION.replace(
            "            req.block_table.append(block_id)\n\n    def get",
            "            req.block_table = req.block_table[-4:] + [block_id]\n\n    def get",
        ),
    ),
    "one length too many at blocks of eight": (
        "2",
        SOLUTION.replace(
            "req.seq_len += 1", "req.seq_len += 1 + (self.block_size == 8 and req.seq_len == 9)"
        ),
    ),
    "one block size for all managers, prefill": ("1", _ONE_SIZE_FOR_ALL),
    "one block size for all managers, decode": ("2", _ONE_SIZE_FOR_ALL),
    "blocks kept in a dict by their ids": (
        "3",
        SOLUTION.replace(
            "for block_id in req.block_table]", "for block_id in dict.fromkeys(req.block_table)]"
        ),
    ),
    "a pool of never more than ten": (
        "1",
        SOLUTION.replace("list(range(num_blocks))", "list(range(min(num_blocks, 32)))"),
    ),
}


@pytest.mark.parametrize("name", some_long(SUBTLE, each=2))
def test_a_file_that_is_wrong_in_a_corner_does_not_pass(judge: Judge, name: str) -> None:
    mission, source = SUBTLE[name]
    assert source != SOLUTION
    assert judge(mission, source).verdict is Verdict.FAILED
