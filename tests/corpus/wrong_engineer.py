"""Wrong files as experienced engineers write them who are new to serving engines. `WRONG` holds them all."""

from __future__ import annotations

from tests.corpus.wrong import Wrong

PREFILL = (
    Wrong(
        name="divmod helper drops the rest",
        mission="1",
        mistakes=("prefill.floor-division",),
        at="full, _ = divmod(tokens, self.block_size)",
        code="""
def _blocks_for(self, tokens):
    full, _ = divmod(tokens, self.block_size)
    return full

def allocate_for_prefill(self, req):
    n = self._blocks_for(req.seq_len)
    if n > len(self.free_blocks):
        raise RuntimeError("OOM")
    req.block_table.extend(self.free_blocks.pop(0) for _ in range(n))
""",
    ),
    Wrong(
        name="counts whole blocks by subtraction and refuses equality",
        mission="1",
        mistakes=("prefill.floor-division", "prefill.refuses-exact-fit"),
        at=("while remaining >= self.block_size:", "if count >= len(self.free_blocks):"),
        code="""
def allocate_for_prefill(self, req):
    remaining = req.seq_len
    count = 0
    while remaining >= self.block_size:
        remaining -= self.block_size
        count += 1
    if count >= len(self.free_blocks):
        raise RuntimeError("OOM")
    while count:
        req.block_table.append(self.free_blocks.pop(0))
        count -= 1
""",
    ),
    Wrong(
        name="math floor inside a lambda",
        mission="1",
        mistakes=("prefill.floor-division",),
        at="blocks_of = lambda tokens: math.floor(",
        code="""
def allocate_for_prefill(self, req):
    import math

    blocks_of = lambda tokens: math.floor(tokens / self.block_size)
    if (need := blocks_of(req.seq_len)) > len(self.free_blocks):
        raise RuntimeError("OOM")
    [req.block_table.append(self.free_blocks.pop()) for _ in range(need)]
""",
    ),
    Wrong(
        name="last logical index inclusive",
        mission="1",
        mistakes=("prefill.floor-plus-one",),
        at=("last_logical = req.seq_len // self.block_size", "count = last_logical + 1"),
        code="""
def allocate_for_prefill(self, req):
    # logical blocks are 0..last_logical, both ends included
    last_logical = req.seq_len // self.block_size
    count = last_logical + 1
    if len(self.free_blocks) < count:
        raise RuntimeError("OOM: not enough KV blocks")
    for _logical in range(count):
        phys = self.free_blocks.pop(0)
        req.block_table.append(phys)
""",
    ),
    Wrong(
        name="range with an inclusive end",
        mission="1",
        mistakes=("prefill.floor-plus-one",),
        at="starts = list(range(0, req.seq_len + 1, self.block_size))",
        code='''
def allocate_for_prefill(self, req):
    """Allocate one physical block per chunk start."""
    starts = list(range(0, req.seq_len + 1, self.block_size))
    if len(starts) > len(self.free_blocks):
        raise RuntimeError("OOM")
    for start in starts:
        block = self.free_blocks[0]
        del self.free_blocks[0]
        print("chunk", start, "->", block)
        req.block_table.append(block)
''',
    ),
    Wrong(
        name="adds a whole block and only peeks",
        mission="1",
        mistakes=("prefill.floor-plus-one", "prefill.reads-without-removing"),
        at=(
            "k = (req.seq_len + self.block_size) // self.block_size",
            "req.block_table.extend(self.free_blocks[:k])",
        ),
        code="""
def allocate_for_prefill(self, req):
    k = (req.seq_len + self.block_size) // self.block_size
    if not len(self.free_blocks) >= k:
        raise RuntimeError("OOM")
    req.block_table.extend(self.free_blocks[:k])
""",
    ),
    Wrong(
        name="builtin round in a nested function",
        mission="1",
        mistakes=("prefill.rounds-to-nearest",),
        at="return round(tokens / per_block)",
        code="""
def allocate_for_prefill(self, req):
    def block_count(tokens, per_block):
        return round(tokens / per_block)

    wanted = block_count(req.seq_len, self.block_size)
    if wanted > len(self.free_blocks):
        raise RuntimeError("OOM")
    taken = []
    while len(taken) != wanted:
        taken.append(self.free_blocks.pop(0))
    req.block_table = [*req.block_table, *taken]
""",
    ),
    Wrong(
        name="half a block added in C style",
        mission="1",
        mistakes=("prefill.rounds-to-nearest",),
        at="needed_blocks = (req.seq_len + (self.block_size >> 1)) // self.block_size",
        code="""
def allocate_for_prefill(self, req):
    # integer rounding, the usual C idiom
    needed_blocks = (req.seq_len + (self.block_size >> 1)) // self.block_size
    free = self.free_blocks
    if needed_blocks > len(free):
        raise RuntimeError("OOM")
    for i in range(0, needed_blocks, 1):
        req.block_table.append(free.pop(0))
    return None
""",
    ),
    Wrong(
        name="rounded through a format string with a friendly message",
        mission="1",
        mistakes=("prefill.rounds-to-nearest", "prefill.message-without-oom"),
        at=('int(f"{req.seq_len / self.block_size:.0f}")', 'raise RuntimeError(f"pool exhausted'),
        code="""
def allocate_for_prefill(self, req):
    need = int(f"{req.seq_len / self.block_size:.0f}")
    have = len(self.free_blocks)
    if need > have:
        raise RuntimeError(f"pool exhausted: need {need}, have {have}")
    for _ in range(need):
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="off by one before dividing and unguarded",
        mission="1",
        mistakes=("prefill.plus-one-then-floor", "prefill.no-capacity-check"),
        at=("pages = (req.seq_len + 1) // self.block_size", "for _ in range(pages):"),
        code="""
def allocate_for_prefill(self, req):
    pages = (req.seq_len + 1) // self.block_size
    for _ in range(pages):
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="ceil one too many with MemoryError",
        mission="1",
        mistakes=("prefill.ceil-one-too-many", "prefill.wrong-exception"),
        at=("quota = (req.seq_len + self.block_size + 1) // self.block_size", "raise MemoryError("),
        code="""
def allocate_for_prefill(self, req):
    quota = (req.seq_len + self.block_size + 1) // self.block_size
    if quota > len(self.free_blocks):
        raise MemoryError("OOM")
    head = self.free_blocks[:quota]
    del self.free_blocks[:quota]
    req.block_table.extend(head)
""",
    ),
    Wrong(
        name="ceil of an already floored quotient",
        mission="1",
        mistakes=("prefill.ceil-after-floor",),
        at="num = math.ceil(req.seq_len // self.block_size)",
        code="""
def allocate_for_prefill(self, req):
    import math

    num = math.ceil(req.seq_len // self.block_size)  # 向上取整
    if num > len(self.free_blocks):
        raise RuntimeError("OOM")
    for _ in range(num):
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="one id per token",
        mission="1",
        mistakes=("prefill.one-block-per-token",),
        at=("if req.seq_len > len(pool):", "for token in range(req.seq_len):"),
        code="""
def allocate_for_prefill(self, req):
    pool = self.free_blocks
    if req.seq_len > len(pool):
        raise RuntimeError("OOM")
    for token in range(req.seq_len):
        req.block_table.append(pool.pop(0))
""",
    ),
    Wrong(
        name="guard clause in the loop body",
        mission="1",
        mistakes=("prefill.check-inside-loop",),
        at=("for logical_idx in range(ceil_div(", "if len(self.free_blocks) <= 0:"),
        code="""
def allocate_for_prefill(self, req):
    ceil_div = lambda a, b: -(-a // b)
    for logical_idx in range(ceil_div(req.seq_len, self.block_size)):
        if len(self.free_blocks) <= 0:
            raise RuntimeError(f"OOM at logical block {logical_idx}")
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="raising helper called once per block",
        mission="1",
        mistakes=("prefill.check-inside-loop",),
        at=(
            "if not self.free_blocks:  # nothing left",
            "req.block_table.append(self._pop_free())",
            "for _ in range(blocks + (tail > 0)):",
        ),
        code="""
def _pop_free(self):
    if not self.free_blocks:  # nothing left
        raise RuntimeError("OOM")
    return self.free_blocks.pop(0)

def allocate_for_prefill(self, req):
    blocks, tail = divmod(req.seq_len, self.block_size)
    for _ in range(blocks + (tail > 0)):
        req.block_table.append(self._pop_free())
""",
    ),
    Wrong(
        name="walrus over the missing blocks",
        mission="1",
        mistakes=("prefill.check-inside-loop",),
        at=("while (missing := needed - len(req.block_table)) > 0:", "if 0 == len(self.free_blocks):"),
        code="""
def allocate_for_prefill(self, req):
    needed = (req.seq_len - 1) // self.block_size + 1
    while (missing := needed - len(req.block_table)) > 0:
        if 0 == len(self.free_blocks):
            raise RuntimeError("OOM, still missing " + str(missing))
        nxt, *self.free_blocks = self.free_blocks
        req.block_table.append(nxt)
""",
    ),
    Wrong(
        name="comprehension pops on trust",
        mission="1",
        mistakes=("prefill.no-capacity-check",),
        at="req.block_table += [self.free_blocks.pop(0) for _ in range(n)]",
        code="""
def allocate_for_prefill(self, req):
    n = -(-req.seq_len // self.block_size)
    req.block_table += [self.free_blocks.pop(0) for _ in range(n)]
""",
    ),
    Wrong(
        name="recursive taking without a guard",
        mission="1",
        mistakes=("prefill.no-capacity-check",),
        at=("head = self.free_blocks.pop(0)", "def take(left):", "take(needed_blocks)"),
        code="""
def allocate_for_prefill(self, req):
    needed_blocks = (req.seq_len + self.block_size - 1) // self.block_size

    def take(left):
        if left == 0:
            return
        head = self.free_blocks.pop(0)
        req.block_table.append(head)
        return take(left - 1)

    take(needed_blocks)
""",
    ),
    Wrong(
        name="slices both lists like Go",
        mission="1",
        mistakes=("prefill.takes-what-there-is",),
        at="got, rest = self.free_blocks[:want], self.free_blocks[want:]",
        code="""
def allocate_for_prefill(self, req):
    want = (req.seq_len + self.block_size - 1) // self.block_size
    got, rest = self.free_blocks[:want], self.free_blocks[want:]
    self.free_blocks = rest
    req.block_table = req.block_table + got
""",
    ),
    Wrong(
        name="clamps the request to the supply",
        mission="1",
        mistakes=("prefill.takes-what-there-is",),
        at="granted = min(requested, len(self.free_blocks))",
        code="""
def allocate_for_prefill(self, req):
    import math

    requested = math.ceil(req.seq_len / self.block_size)
    granted = min(requested, len(self.free_blocks))
    if granted == 0:
        raise RuntimeError("OOM")
    for _ in range(granted):
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="islice over the pool",
        mission="1",
        mistakes=("prefill.takes-what-there-is",),
        at=("picked = list(itertools.islice(self.free_blocks, demand))", "for block_id in picked:"),
        code="""
def allocate_for_prefill(self, req):
    import itertools

    demand = len(range(0, req.seq_len, self.block_size))
    # islice never fails, so there is no IndexError to care about
    picked = list(itertools.islice(self.free_blocks, demand))
    for block_id in picked:
        self.free_blocks.remove(block_id)
        req.block_table.append(block_id)
""",
    ),
    Wrong(
        name="except branch keeps the loot",
        mission="1",
        mistakes=("prefill.catches-without-giving-back",),
        at=("except IndexError as exc:", 'raise RuntimeError("OOM") from exc', "# EAFP"),
        code="""
def allocate_for_prefill(self, req):
    needed = (req.seq_len + self.block_size - 1) // self.block_size
    try:  # EAFP
        for _ in range(needed):
            req.block_table.append(self.free_blocks.pop(0))
    except IndexError as exc:
        raise RuntimeError("OOM") from exc
""",
    ),
    Wrong(
        name="verifies the chunk after cutting it out",
        mission="1",
        mistakes=("prefill.check-after-loop",),
        at=("if len(chunk) < need:", "self.free_blocks = self.free_blocks[need:]"),
        code="""
def allocate_for_prefill(self, req):
    need = req.seq_len // self.block_size + bool(req.seq_len % self.block_size)
    chunk = self.free_blocks[:need]
    self.free_blocks = self.free_blocks[need:]
    if len(chunk) < need:
        raise RuntimeError("OOM")
    req.block_table.extend(chunk)
""",
    ),
    Wrong(
        name="capacity is the pool's size at birth",
        mission="1",
        mistakes=("prefill.compares-with-num-blocks",),
        at="if needed_blocks > capacity:",
        code="""
def allocate_for_prefill(self, req):
    needed_blocks = (req.seq_len + self.block_size - 1) // self.block_size
    capacity, _slots, _dim = self.num_blocks, self.block_size, self.head_dim
    if needed_blocks > capacity:
        raise RuntimeError("OOM")
    for _ in range(needed_blocks):
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="custom exception from Exception",
        mission="1",
        mistakes=("prefill.wrong-exception",),
        at=("class OutOfBlocksError(Exception):", 'raise OutOfBlocksError("OOM")'),
        code='''
from typing import List

import torch


class OutOfBlocksError(Exception):
    """The pool cannot serve the request."""


class Request:
    def __init__(self, request_id: int, prompt_len: int):
        self.request_id = request_id
        self.seq_len = prompt_len
        self.block_table: List[int] = []


class KVCacheManager:
    def __init__(self, num_blocks: int, block_size: int, head_dim: int):
        self.num_blocks = num_blocks
        self.block_size = block_size
        self.head_dim = head_dim
        self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim)
        self.free_blocks: List[int] = list(range(num_blocks))

    def _ceil_div(self, a: int, b: int) -> int:
        return (a + b - 1) // b

    def allocate_for_prefill(self, req: Request) -> None:
        needed = self._ceil_div(req.seq_len, self.block_size)
        if needed > len(self.free_blocks):
            raise OutOfBlocksError("OOM")
        for _ in range(needed):
            req.block_table.append(self.free_blocks.pop(0))

    def allocate_for_decode(self, req: Request) -> None:
        req.seq_len += 1
        is_new_block_needed = ...
        if is_new_block_needed:
            ...

    def get_physical_cache(self, req: Request) -> torch.Tensor:
        blocks = ...
        cat_blocks = ...
        return ...
''',
    ),
    Wrong(
        name="spells out out of memory",
        mission="1",
        mistakes=("prefill.message-without-oom",),
        at=('raise RuntimeError("Out of memory', '"no room for request'),
        code="""
def _require(self, count, who):
    if count > len(self.free_blocks):
        raise RuntimeError("Out of memory: " "no room for request %s" % who)

def allocate_for_prefill(self, req):
    needed = (req.seq_len + self.block_size - 1) // self.block_size
    self._require(needed, req.request_id)
    for _ in range(needed):
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="error value returned as in Go",
        mission="1",
        mistakes=("prefill.returns-instead-of-raising",),
        at='return RuntimeError("OOM")',
        code="""
def allocate_for_prefill(self, req):
    needed = (req.seq_len + self.block_size - 1) // self.block_size
    if needed > len(self.free_blocks):
        return RuntimeError("OOM")
    for _ in range(needed):
        req.block_table.append(self.free_blocks.pop(0))
    return None
""",
    ),
    Wrong(
        name="logs the exception it has just raised",
        mission="1",
        mistakes=("prefill.swallows-own-exception",),
        at=("except RuntimeError as err:", 'logging.warning("request'),
        code="""
def allocate_for_prefill(self, req):
    import logging

    needed = -(-req.seq_len // self.block_size)
    try:
        if needed > len(self.free_blocks):
            raise RuntimeError("OOM")
        for _ in range(needed):
            req.block_table.append(self.free_blocks.pop(0))
    except RuntimeError as err:
        logging.warning("request %s rejected: %s", req.request_id, err)
""",
    ),
    Wrong(
        name="immutable table rebound locally",
        mission="1",
        mistakes=("prefill.drops-new-list",),
        at=("table = table + [self.free_blocks.pop(0)]", "table = req.block_table"),
        code="""
def allocate_for_prefill(self, req):
    needed = (req.seq_len + self.block_size - 1) // self.block_size
    if needed > len(self.free_blocks):
        raise RuntimeError("OOM")
    table = req.block_table
    for _ in range(needed):
        table = table + [self.free_blocks.pop(0)]
""",
    ),
    Wrong(
        name="removes from the list it walks",
        mission="1",
        mistakes=("unknown",),
        at=("for block_id in self.free_blocks:", "self.free_blocks.remove(block_id)"),
        code="""
def allocate_for_prefill(self, req):
    needed = (req.seq_len + self.block_size - 1) // self.block_size
    if needed > len(self.free_blocks):
        raise RuntimeError("OOM")
    for block_id in self.free_blocks:
        if len(req.block_table) == needed:
            break
        req.block_table.append(block_id)
        self.free_blocks.remove(block_id)
""",
    ),
)

DECODE = (
    Wrong(
        name="falsy remainder",
        mission="2",
        mistakes=("decode.remainder-zero",),
        at="if not req.seq_len % self.block_size:",
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    if not req.seq_len % self.block_size:
        if not self.free_blocks:
            raise RuntimeError("OOM")
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="a multiple of the block size",
        mission="2",
        mistakes=("decode.remainder-zero",),
        at=("full_blocks * self.block_size == req.seq_len", "if not block_is_full:"),
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1

    full_blocks = req.seq_len // self.block_size
    block_is_full = full_blocks * self.block_size == req.seq_len
    if not block_is_full:
        return

    if len(self.free_blocks) == 0:
        raise RuntimeError("OOM")
    new_block = self.free_blocks.pop(0)
    req.block_table.append(new_block)
""",
    ),
    Wrong(
        name="zero offset and a bare pop",
        mission="2",
        mistakes=("decode.remainder-zero", "decode.no-empty-check"),
        at=("if offset == 0:", "req.block_table.append(self.free_blocks.pop(0))"),
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    _, offset = divmod(req.seq_len, self.block_size)
    if offset == 0:
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="crossing decided up front",
        mission="2",
        mistakes=("decode.condition-before-increment",),
        at=("crossing = req.seq_len % self.block_size == 1", "req.seq_len += 1  # the new token"),
        code="""
def allocate_for_decode(self, req):
    crossing = req.seq_len % self.block_size == 1
    req.seq_len += 1  # the new token
    if crossing and not self.free_blocks:
        raise RuntimeError("OOM")
    if crossing:
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="post-increment through a tuple",
        mission="2",
        mistakes=("decode.condition-before-increment",),
        at=("before, req.seq_len = req.seq_len, req.seq_len + 1", "if before % self.block_size != 1:"),
        code="""
def allocate_for_decode(self, req):
    before, req.seq_len = req.seq_len, req.seq_len + 1
    if before % self.block_size != 1:
        return
    if len(self.free_blocks) < 1:
        raise RuntimeError("OOM")
    req.block_table.append(self.free_blocks.pop())
""",
    ),
    Wrong(
        name="predicate asked too soon and a quiet skip",
        mission="2",
        mistakes=("decode.condition-before-increment", "decode.skips-silently-when-empty"),
        at=("grow = self._at_first_slot(req)", "if grow and self.free_blocks:"),
        code="""
def _at_first_slot(self, req):
    return (req.seq_len % self.block_size) == 1

def allocate_for_decode(self, req):
    grow = self._at_first_slot(req)
    req.seq_len += 1
    if grow and self.free_blocks:
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="a block for every step",
        mission="2",
        mistakes=("decode.always-allocates",),
        at=("block = next(iter(self.free_blocks), None)", "if block is None:"),
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    block = next(iter(self.free_blocks), None)
    if block is None:
        raise RuntimeError("OOM")
    self.free_blocks.remove(block)
    req.block_table.append(block)
""",
    ),
    Wrong(
        name="predicate method never called",
        mission="2",
        mistakes=("decode.always-allocates",),
        at="if self._needs_block:",
        code="""
def _needs_block(self, req):
    return req.seq_len % self.block_size == 1

def allocate_for_decode(self, req):
    req.seq_len += 1
    if self._needs_block:
        if not self.free_blocks:
            raise RuntimeError("OOM")
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="remainder that is never negative",
        mission="2",
        mistakes=("decode.always-allocates",),
        at="is_new_block_needed = req.seq_len % self.block_size >= 0",
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    is_new_block_needed = req.seq_len % self.block_size >= 0
    if is_new_block_needed:
        try:
            req.block_table.append(self.free_blocks.pop(0))
        except IndexError:
            raise RuntimeError("OOM") from None
""",
    ),
    Wrong(
        name="any nonzero offset",
        mission="2",
        mistakes=("decode.remainder-nonzero",),
        at="if spill := req.seq_len % self.block_size:",
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    if spill := req.seq_len % self.block_size:
        if not self.free_blocks:
            raise RuntimeError(f"OOM ({spill} tokens spilled)")
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="capacity compared with equality",
        mission="2",
        mistakes=("decode.one-step-early",),
        at="if req.seq_len < capacity:",
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    capacity = len(req.block_table) * self.block_size
    if req.seq_len < capacity:
        return  # still room in the last block
    if not self.free_blocks:
        raise RuntimeError("OOM")
    req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="fail fast before looking",
        mission="2",
        mistakes=("decode.check-outside-condition",),
        at=("if not len(self.free_blocks):", 'raise RuntimeError("OOM: decode")'),
        code="""
def allocate_for_decode(self, req):
    if not len(self.free_blocks):
        raise RuntimeError("OOM: decode")

    req.seq_len += 1
    if (req.seq_len - 1) % self.block_size == 0:
        block_id, *self.free_blocks = self.free_blocks
        req.block_table.append(block_id)
""",
    ),
    Wrong(
        name="reserves the table entry first",
        mission="2",
        mistakes=("decode.half-updates-on-oom",),
        at=("req.block_table.append(-1)", "if not self.free_blocks:"),
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    if req.seq_len > len(req.block_table) * self.block_size:
        req.block_table.append(-1)  # reserve the entry, fill it in below
        if not self.free_blocks:
            raise RuntimeError("OOM")
        req.block_table[-1] = self.free_blocks.pop(0)
""",
    ),
    Wrong(
        name="asserts that the pool is not empty",
        mission="2",
        mistakes=("decode.assert-instead-of-raise",),
        at='assert self.free_blocks, "OOM"',
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    is_new_block_needed = (req.seq_len % self.block_size) == 1
    if is_new_block_needed:
        assert self.free_blocks, "OOM"
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="empty pool reported without the word",
        mission="2",
        mistakes=("decode.message-without-oom",),
        at='raise RuntimeError("no free blocks',
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    if req.seq_len % self.block_size != 1:
        return
    try:
        block_id = self.free_blocks.pop(0)
    except IndexError:
        raise RuntimeError("no free blocks available") from None
    req.block_table.append(block_id)
""",
    ),
    Wrong(
        name="double step and an index error",
        mission="2",
        mistakes=("decode.increments-twice", "decode.wrong-exception"),
        at=("new_len = req.seq_len = req.seq_len + 1", 'raise IndexError("OOM")'),
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    new_len = req.seq_len = req.seq_len + 1
    if new_len % self.block_size == 1:
        if not self.free_blocks:
            raise IndexError("OOM")
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
)

GATHER = (
    Wrong(
        name="list of blocks sliced",
        mission="3",
        mistakes=("gather.missing-cat",),
        at=("return blocks[: req.seq_len]", "blocks = list(map(fetch, req.block_table))"),
        code="""
def get_physical_cache(self, req):
    fetch = self.physical_kv_cache.__getitem__
    blocks = list(map(fetch, req.block_table))
    return blocks[: req.seq_len]
""",
    ),
    Wrong(
        name="fancy index left in three dimensions",
        mission="3",
        mistakes=("gather.missing-cat",),
        at="return self.physical_kv_cache[req.block_table][: req.seq_len]",
        code="""
def get_physical_cache(self, req):
    # numpy-style fancy indexing does the whole gather at once
    return self.physical_kv_cache[req.block_table][: req.seq_len]
""",
    ),
    Wrong(
        name="index_select without a reshape",
        mission="3",
        mistakes=("gather.missing-cat",),
        at=("kv = torch.index_select(self.physical_kv_cache, 0, idx)", "return kv[0 : req.seq_len]"),
        code="""
def get_physical_cache(self, req):
    idx = torch.as_tensor(req.block_table, dtype=torch.long, device=self.physical_kv_cache.device)
    kv = torch.index_select(self.physical_kv_cache, 0, idx)
    print(kv.shape)
    return kv[0 : req.seq_len]
""",
    ),
    Wrong(
        name="joined along axis one",
        mission="3",
        mistakes=("gather.cat-dim-one",),
        at="merged = torch.cat(parts, 1)",
        code="""
def get_physical_cache(self, req):
    parts = []
    for pid in req.block_table:
        parts.append(self.physical_kv_cache[pid])
    merged = torch.cat(parts, 1)
    return merged[: req.seq_len]
""",
    ),
    Wrong(
        name="hstack from numpy habit",
        mission="3",
        mistakes=("gather.cat-dim-one",),
        at="return torch.hstack(",
        code="""
def get_physical_cache(self, req):
    return torch.hstack([self.physical_kv_cache[b] for b in req.block_table])[: req.seq_len]
""",
    ),
    Wrong(
        name="blocks laid side by side by permute",
        mission="3",
        mistakes=("gather.cat-dim-one",),
        at=("picked.permute(1, 0, 2)", "wide.reshape(self.block_size, -1)"),
        code="""
def get_physical_cache(self, req):
    picked = self.physical_kv_cache[torch.tensor(req.block_table)]
    wide = picked.permute(1, 0, 2)
    flat = wide.reshape(self.block_size, -1)
    return flat[: req.seq_len]
""",
    ),
    Wrong(
        name="flattened and returned whole",
        mission="3",
        mistakes=("gather.missing-slice",),
        at="return self.physical_kv_cache[req.block_table].reshape(-1, self.head_dim)",
        code="""
def get_physical_cache(self, req):
    # [k, block_size, head_dim] -> [k * block_size, head_dim]
    return self.physical_kv_cache[req.block_table].reshape(-1, self.head_dim)
""",
    ),
    Wrong(
        name="preallocated buffer of whole blocks",
        mission="3",
        mistakes=("gather.missing-slice",),
        at=("out = torch.empty(len(req.block_table) * bs, self.head_dim)", "return out"),
        code="""
def get_physical_cache(self, req):
    bs = self.block_size
    out = torch.empty(len(req.block_table) * bs, self.head_dim)
    for logical, physical in enumerate(req.block_table):
        lo = logical * bs
        out[lo : lo + bs].copy_(self.physical_kv_cache[physical])
    return out
""",
    ),
    Wrong(
        name="sorted copy and no cut",
        mission="3",
        mistakes=("gather.sorts-ids", "gather.missing-slice"),
        at=(
            "order = sorted(req.block_table)",
            "return torch.cat(tuple(self.physical_kv_cache[i] for i in order), dim=0)",
        ),
        code="""
def get_physical_cache(self, req):
    order = sorted(req.block_table)
    return torch.cat(tuple(self.physical_kv_cache[i] for i in order), dim=0)
""",
    ),
    Wrong(
        name="boolean mask over the pool",
        mission="3",
        mistakes=("gather.sorts-ids",),
        at=("mask[req.block_table] = True", "self.physical_kv_cache[mask]", "mask = torch.zeros("),
        code="""
def get_physical_cache(self, req):
    mask = torch.zeros(self.num_blocks, dtype=torch.bool)
    mask[req.block_table] = True
    owned = self.physical_kv_cache[mask]
    return owned.flatten(0, 1)[: req.seq_len]
""",
    ),
    Wrong(
        name="heap of ids for sequential reads",
        mission="3",
        mistakes=("gather.sorts-ids",),
        at=("heapq.heapify(heap)", "heapq.heappop(heap)"),
        code="""
def get_physical_cache(self, req):
    import heapq

    heap = req.block_table.copy()
    heapq.heapify(heap)  # ascending ids: sequential memory reads
    chunks = []
    while heap:
        chunks.append(self.physical_kv_cache[heapq.heappop(heap)])
    return torch.cat(chunks)[: req.seq_len]
""",
    ),
    Wrong(
        name="enumerate keeps the wrong half",
        mission="3",
        mistakes=("gather.logical-as-physical",),
        at="for i, _ in enumerate(req.block_table)",
        code="""
def get_physical_cache(self, req):
    blocks = [self.physical_kv_cache[i] for i, _ in enumerate(req.block_table)]
    cat_blocks = torch.cat(blocks, dim=0)
    return cat_blocks.narrow(0, 0, req.seq_len)
""",
    ),
    Wrong(
        name="token positions straight into the pool",
        mission="3",
        mistakes=("gather.logical-as-physical",),
        at=(
            "block, offset = divmod(pos, self.block_size)",
            "rows.append(self.physical_kv_cache[block, offset])",
        ),
        code="""
def get_physical_cache(self, req):
    rows = []
    for pos in range(req.seq_len):
        block, offset = divmod(pos, self.block_size)
        rows.append(self.physical_kv_cache[block, offset])
    return torch.stack(rows)
""",
    ),
    Wrong(
        name="arange as the index and a tail view",
        mission="3",
        mistakes=("gather.logical-as-physical", "gather.slices-from-end"),
        at=("where = torch.arange(len(req.block_table))", "return seq[-req.seq_len :]"),
        code="""
def get_physical_cache(self, req):
    where = torch.arange(len(req.block_table))
    seq = self.physical_kv_cache.index_select(0, where).view(-1, self.head_dim)
    return seq[-req.seq_len :]
""",
    ),
    Wrong(
        name="unique ids cut to one block",
        mission="3",
        mistakes=("gather.dedupes-ids", "gather.slice-by-block-size"),
        at=("for b in set(req.block_table)", "return joined[: self.block_size]"),
        code="""
def get_physical_cache(self, req):
    joined = torch.concat([self.physical_kv_cache[b] for b in set(req.block_table)])
    return joined[: self.block_size]
""",
    ),
    Wrong(
        name="stack instead of join",
        mission="3",
        mistakes=("gather.stacks",),
        at="cat_blocks = torch.stack(",
        code="""
def get_physical_cache(self, req):
    cat_blocks = torch.stack([self.physical_kv_cache[b] for b in req.block_table], dim=0)
    return cat_blocks[: req.seq_len]
""",
    ),
    Wrong(
        name="transposed before flattening",
        mission="3",
        mistakes=("gather.interleaves-tokens",),
        at=".transpose(0, 1)",
        code="""
def get_physical_cache(self, req):
    return (
        self.physical_kv_cache[req.block_table]
        .transpose(0, 1)
        .reshape(-1, self.head_dim)
        .narrow(0, 0, req.seq_len)
    )
""",
    ),
    Wrong(
        name="ellipsis cuts the last axis",
        mission="3",
        mistakes=("gather.slices-heads",),
        at="return long[..., : req.seq_len]",
        code="""
def get_physical_cache(self, req):
    long = torch.vstack([self.physical_kv_cache[b] for b in req.block_table])
    return long[..., : req.seq_len]
""",
    ),
    Wrong(
        name="drains the table as a queue",
        mission="3",
        mistakes=("gather.changes-table",),
        at=("while req.block_table:", "block_id = req.block_table.pop(0)"),
        code="""
def get_physical_cache(self, req):
    pieces = []
    while req.block_table:
        block_id = req.block_table.pop(0)
        pieces.append(self.physical_kv_cache[block_id])
    return torch.cat(pieces, dim=0)[: req.seq_len]
""",
    ),
    Wrong(
        name="nested python lists handed back",
        mission="3",
        mistakes=("gather.returns-other-type",),
        at="return [row.tolist() for row in rows]",
        code="""
def get_physical_cache(self, req):
    from itertools import chain, islice

    every = chain.from_iterable(self.physical_kv_cache[b] for b in req.block_table)
    rows = islice(every, req.seq_len)
    return [row.tolist() for row in rows]
""",
    ),
    Wrong(
        name="reshaped head first then transposed",
        mission="3",
        mistakes=("unknown",),
        at=".reshape(self.head_dim, -1)",
        code="""
def get_physical_cache(self, req):
    picked = self.physical_kv_cache[req.block_table]
    columns = picked.reshape(self.head_dim, -1)
    return columns.T[: req.seq_len]
""",
    ),
)

STRUCTURE = (
    Wrong(
        name="functions over a record",
        mission="1",
        mistakes=("structure.missing-class",),
        at="def allocate_for_prefill(state, req):",
        code='''
"""Plain functions over a state record; a class KVCacheManager would only add ceremony."""

from types import SimpleNamespace

import torch


def make_state(num_blocks, block_size, head_dim):
    return SimpleNamespace(
        block_size=block_size,
        physical_kv_cache=torch.zeros(num_blocks, block_size, head_dim),
        free_blocks=list(range(num_blocks)),
    )


def allocate_for_prefill(state, req):
    needed = -(-req.seq_len // state.block_size)
    if needed > len(state.free_blocks):
        raise RuntimeError("OOM")
    req.block_table.extend(state.free_blocks.pop(0) for _ in range(needed))
''',
    ),
    Wrong(
        name="camel case methods from Java",
        mission="2",
        mistakes=("structure.missing-method",),
        at="def allocateForDecode(self, req):",
        code="""
import torch


class Request:
    def __init__(self, request_id, prompt_len):
        self.request_id = request_id
        self.seq_len = prompt_len
        self.block_table = []


class KVCacheManager:
    def __init__(self, num_blocks, block_size, head_dim):
        self.num_blocks = num_blocks
        self.block_size = block_size
        self.head_dim = head_dim
        self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim)
        self.free_blocks = list(range(num_blocks))

    def allocate_for_prefill(self, req):
        needed = (req.seq_len + self.block_size - 1) // self.block_size
        if needed > len(self.free_blocks):
            raise RuntimeError("OOM")
        for _ in range(needed):
            req.block_table.append(self.free_blocks.pop(0))

    def allocateForDecode(self, req):
        req.seq_len += 1
        if req.seq_len % self.block_size == 1:
            if not self.free_blocks:
                raise RuntimeError("OOM")
            req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="receiver left out of decode",
        mission="2",
        mistakes=("structure.missing-self",),
        at="def allocate_for_decode(req):",
        code="""
def allocate_for_decode(req):
    req.seq_len += 1
    if req.seq_len % self.block_size == 1:
        if not self.free_blocks:
            raise RuntimeError("OOM")
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="field used as if in C++",
        mission="1",
        mistakes=("structure.bare-name",),
        at="return (tokens + block_size - 1) // block_size",
        code="""
def _blocks_for(self, tokens):
    return (tokens + block_size - 1) // block_size

def allocate_for_prefill(self, req):
    needed = self._blocks_for(req.seq_len)
    if needed > len(self.free_blocks):
        raise RuntimeError("OOM")
    for _ in range(needed):
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="cache attribute without an underscore",
        mission="3",
        mistakes=("structure.misspelt-attribute",),
        at="pool = self.physical_kvcache",
        code="""
def get_physical_cache(self, req):
    pool = self.physical_kvcache
    return torch.cat([pool[b] for b in req.block_table], dim=0)[: req.seq_len]
""",
    ),
    Wrong(
        name="field declared as a Java member",
        mission="1",
        mistakes=("structure.shared-class-attribute",),
        at="block_table: List[int] = []",
        code="""
from typing import List

import torch


class Request:
    request_id: int
    seq_len: int
    block_table: List[int] = []

    def __init__(self, request_id: int, prompt_len: int):
        self.request_id = request_id
        self.seq_len = prompt_len


class KVCacheManager:
    def __init__(self, num_blocks: int, block_size: int, head_dim: int):
        self.num_blocks = num_blocks
        self.block_size = block_size
        self.head_dim = head_dim
        self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim)
        self.free_blocks: List[int] = list(range(num_blocks))

    def allocate_for_prefill(self, req: Request) -> None:
        needed_blocks = (req.seq_len + self.block_size - 1) // self.block_size
        if needed_blocks > len(self.free_blocks):
            raise RuntimeError("OOM")
        for _ in range(needed_blocks):
            req.block_table.append(self.free_blocks.pop(0))

    def allocate_for_decode(self, req: Request) -> None:
        req.seq_len += 1

    def get_physical_cache(self, req: Request) -> torch.Tensor:
        raise NotImplementedError
""",
    ),
    Wrong(
        name="block zero kept as a null page",
        mission="1",
        mistakes=("structure.edits-init",),
        at="self.free_blocks = list(range(1, num_blocks))",
        code="""
def __init__(self, num_blocks, block_size, head_dim):
    self.num_blocks = num_blocks
    self.block_size = block_size
    self.head_dim = head_dim
    self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim)
    # id 0 stands for "no page", like a null pointer
    self.free_blocks = list(range(1, num_blocks))
""",
    ),
    Wrong(
        name="length passed as a parameter of its own",
        mission="3",
        mistakes=("structure.wrong-signature",),
        at="def get_physical_cache(self, block_table, seq_len):",
        code="""
def get_physical_cache(self, block_table, seq_len):
    pages = self.physical_kv_cache[block_table]
    return pages.reshape(-1, self.head_dim)[:seq_len]
""",
    ),
)

WRONG = (*PREFILL, *DECODE, *GATHER, *STRUCTURE)
