"""Wrong files as candidates write them at a whiteboard or in an online judge: terse, clever, half-remembered."""

from __future__ import annotations

from tests.corpus.wrong import Wrong

PREFILL = (
    Wrong(
        name="cdiv half remembered",
        mission="1",
        mistakes=("prefill.floor-division",),
        at=("return -(-a) // b", "self._cdiv(req.seq_len"),
        code="""
def _cdiv(self, a, b):
    # cdiv, as in vllm/utils
    return -(-a) // b

def allocate_for_prefill(self, req):
    need = self._cdiv(req.seq_len, self.block_size)
    if len(self.free_blocks) < need:
        raise RuntimeError("OOM")
    req.block_table += self.free_blocks[:need]
    self.free_blocks = self.free_blocks[need:]
""",
    ),
    Wrong(
        name="ceil without importing math",
        mission="1",
        mistakes=("prefill.rounds-to-nearest",),
        at="+ 0.5)",
        code="""
def allocate_for_prefill(self, req):
    pages = int(req.seq_len / self.block_size + 0.5)  # ceil, no import needed
    if pages > len(self.free_blocks):
        raise RuntimeError("OOM")
    req.block_table.extend(self.free_blocks.pop(0) for _ in range(pages))
""",
    ),
    Wrong(
        name="half a block by a shift",
        mission="1",
        mistakes=("prefill.rounds-to-nearest",),
        at="(size >> 1)",
        code='''
def allocate_for_prefill(self, req):
    """Time O(k * pool) because of pop(0); a deque would make it O(k)."""
    size = self.block_size
    k = (req.seq_len + (size >> 1)) // size  # 向上取整
    if k > len(self.free_blocks):
        raise RuntimeError(f"OOM: want {k}, have {len(self.free_blocks)}")
    while k:
        req.block_table.append(self.free_blocks.pop(0))
        k -= 1
''',
    ),
    Wrong(
        name="divmod and always a tail",
        mission="1",
        mistakes=("prefill.floor-plus-one",),
        at=("return full + 1", "full, tail = divmod"),
        code="""
def allocate_for_prefill(self, req):
    def blocks_for(tokens):
        full, tail = divmod(tokens, self.block_size)
        return full + 1  # the tail gets a block of its own

    k = blocks_for(req.seq_len)
    if k <= len(self.free_blocks):
        taken, self.free_blocks = self.free_blocks[:k], self.free_blocks[k:]
        req.block_table.extend(taken)
    else:
        raise RuntimeError("OOM")
""",
    ),
    Wrong(
        name="index of the last block",
        mission="1",
        mistakes=("prefill.minus-one-then-floor",),
        at=("last = (req.seq_len - 1)", "for _ in range(last)"),
        code="""
def allocate_for_prefill(self, req):
    # the last token sits at position seq_len - 1
    last = (req.seq_len - 1) // self.block_size
    if last > len(self.free_blocks):
        raise RuntimeError("OOM")
    for _ in range(last):
        req.block_table.append(self.free_blocks.pop())
""",
    ),
    Wrong(
        name="ceil comes too late",
        mission="1",
        mistakes=("prefill.ceil-after-floor",),
        at="ceil(req.seq_len // self.block_size)",
        code="""
from dataclasses import dataclass, field
from math import ceil
from typing import List

import torch


@dataclass
class Request:
    request_id: int
    prompt_len: int
    block_table: List[int] = field(default_factory=list)

    def __post_init__(self):
        self.seq_len = self.prompt_len


class KVCacheManager:
    def __init__(self, num_blocks, block_size, head_dim):
        self.num_blocks, self.block_size, self.head_dim = num_blocks, block_size, head_dim
        self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim)
        self.free_blocks = list(range(num_blocks))

    def _take(self, k):
        if k > len(self.free_blocks):
            raise RuntimeError("OOM")
        return [self.free_blocks.pop(0) for _ in range(k)]

    def allocate_for_prefill(self, req):
        req.block_table += self._take(ceil(req.seq_len // self.block_size))

    def allocate_for_decode(self, req):
        req.seq_len += 1
        req.block_table += self._take(int(req.seq_len % self.block_size == 1))

    def get_physical_cache(self, req):
        return torch.cat([self.physical_kv_cache[i] for i in req.block_table])[: req.seq_len]
""",
    ),
    Wrong(
        name="allocator method that raises",
        mission="1",
        mistakes=("prefill.check-inside-loop",),
        at=(
            "if len(self.free_blocks) == 0",
            "OOM: no free block left",
            "for _ in range(n)",
            "append(self._allocate())",
        ),
        code='''
def _allocate(self):
    """BlockAllocator.allocate(): one block or bust."""
    if len(self.free_blocks) == 0:
        raise RuntimeError("OOM: no free block left")
    return self.free_blocks.pop(0)

def allocate_for_prefill(self, req):
    n = (req.seq_len + self.block_size - 1) // self.block_size
    for _ in range(n):
        req.block_table.append(self._allocate())
''',
    ),
    Wrong(
        name="greedy while tokens remain",
        mission="1",
        mistakes=("prefill.check-inside-loop",),
        at=("while remaining > 0", "if self.free_blocks == []", '"OOM at token'),
        code="""
def allocate_for_prefill(self, req):
    remaining = req.seq_len
    while remaining > 0:
        if self.free_blocks == []:
            raise RuntimeError(f"OOM at token {req.seq_len - remaining}")
        head, *self.free_blocks = self.free_blocks
        req.block_table.append(head)
        remaining -= self.block_size
""",
    ),
    Wrong(
        name="zip stops at the shorter",
        mission="1",
        mistakes=("prefill.takes-what-there-is",),
        at="in zip(range(k), self.free_blocks[:])",
        code="""
def allocate_for_prefill(self, req):
    k = len(range(0, req.seq_len, self.block_size))
    for _, b in zip(range(k), self.free_blocks[:]):
        self.free_blocks.remove(b)
        req.block_table.append(b)
""",
    ),
    Wrong(
        name="one line and no guard",
        mission="1",
        mistakes=("prefill.no-capacity-check",),
        at="req.block_table += [",
        code="""
def allocate_for_prefill(self, req):
    req.block_table += [self.free_blocks.pop(0) for _ in range(-(-req.seq_len // self.block_size))]
""",
    ),
    Wrong(
        name="watermark of zero",
        mission="1",
        mistakes=("prefill.refuses-exact-fit",),
        at="<= watermark_blocks",
        code="""
def allocate_for_prefill(self, req):
    # vLLM keeps a watermark so that running sequences are not evicted at once; here it is 0
    watermark_blocks = 0
    num_required = (req.seq_len + self.block_size - 1) // self.block_size
    num_free = len(self.free_blocks)
    if num_free - num_required <= watermark_blocks:
        raise RuntimeError("OOM")
    for _ in range(num_required):
        block = self.free_blocks.pop()
        req.block_table.append(block)
""",
    ),
    Wrong(
        name="size added whole and a ValueError",
        mission="1",
        mistakes=("prefill.floor-plus-one", "prefill.wrong-exception"),
        at=("n_blocks = (req.seq_len + self.block_size)", "raise ValueError"),
        code="""
def allocate_for_prefill(self, req):
    if req.seq_len <= 0:
        return
    n_blocks = (req.seq_len + self.block_size) // self.block_size
    if n_blocks > len(self.free_blocks):
        raise ValueError("OOM: not enough KV blocks")
    for _ in range(n_blocks):
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="the message from memory",
        mission="1",
        mistakes=("prefill.message-without-oom",),
        at=("No free blocks are available", "if not self.can_allocate(k)"),
        code="""
def can_allocate(self, k):
    return k <= len(self.free_blocks)

def allocate_for_prefill(self, req):
    k = 1 + (req.seq_len - 1) // self.block_size
    if not self.can_allocate(k):
        raise RuntimeError("Out of memory! No free blocks are available.")
    req.block_table.extend([self.free_blocks.pop(0) for _ in range(k)])
""",
    ),
    Wrong(
        name="an allocation status",
        mission="1",
        mistakes=("prefill.returns-instead-of-raising",),
        at=("return status", "if status is not AllocStatus.OK", "return AllocStatus.LATER"),
        code="""
import enum

import torch


class AllocStatus(enum.Enum):
    OK = enum.auto()
    LATER = enum.auto()


class Request:
    def __init__(self, request_id, prompt_len):
        self.request_id, self.seq_len, self.block_table = request_id, prompt_len, []


class KVCacheManager:
    def __init__(self, num_blocks, block_size, head_dim):
        self.num_blocks = num_blocks
        self.block_size = block_size
        self.head_dim = head_dim
        self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim)
        self.free_blocks = list(range(num_blocks))

    def _required(self, req):
        return (req.seq_len + self.block_size - 1) // self.block_size

    def can_allocate(self, req):
        if self._required(req) <= len(self.free_blocks):
            return AllocStatus.OK
        return AllocStatus.LATER

    def allocate_for_prefill(self, req):
        status = self.can_allocate(req)
        if status is not AllocStatus.OK:
            return status  # OOM: the scheduler tries again later
        for _ in range(self._required(req)):
            req.block_table.append(self.free_blocks.pop(0))
        return AllocStatus.OK

    def allocate_for_decode(self, req):
        req.seq_len += 1
        if req.seq_len % self.block_size == 1:
            if not self.free_blocks:
                raise RuntimeError("OOM")
            req.block_table.append(self.free_blocks.pop(0))

    def get_physical_cache(self, req):
        return self.physical_kv_cache[req.block_table].reshape(-1, self.head_dim)[: req.seq_len]
""",
    ),
    Wrong(
        name="easier to ask forgiveness",
        mission="1",
        mistakes=("prefill.catches-without-giving-back",),
        at=("try:", "for _ in range(k)", "except IndexError", 'raise RuntimeError("OOM") from None'),
        code="""
def allocate_for_prefill(self, req):
    k, r = divmod(req.seq_len, self.block_size)
    k += r > 0
    try:
        for _ in range(k):
            req.block_table.append(self.free_blocks.pop(0))
    except IndexError:
        raise RuntimeError("OOM") from None
""",
    ),
    Wrong(
        name="islice only looks",
        mission="1",
        mistakes=("prefill.reads-without-removing",),
        at="islice(self.free_blocks, need)",
        code="""
def allocate_for_prefill(self, req):
    from itertools import islice

    need = -(req.seq_len // -self.block_size)
    if len(self.free_blocks) < need:
        raise RuntimeError("OOM")
    req.block_table.extend(islice(self.free_blocks, need))
""",
    ),
    Wrong(
        name="logical instead of physical",
        mission="1",
        mistakes=("prefill.appends-loop-index",),
        at=("append(logical)", "for logical in range"),
        code="""
def allocate_for_prefill(self, req):
    num_logical = (req.seq_len + self.block_size - 1) // self.block_size
    if num_logical > len(self.free_blocks):
        raise RuntimeError("OOM")
    for logical in range(num_logical):
        physical = self.free_blocks.pop(0)
        req.block_table.append(logical)
""",
    ),
    Wrong(
        name="int and other words",
        mission="1",
        mistakes=("prefill.floor-division", "prefill.message-without-oom"),
        at=("int(req.seq_len / self.block_size)", "not enough blocks"),
        code="""
def allocate_for_prefill(self, req):
    need = int(req.seq_len / self.block_size)
    free = self.free_blocks
    if need > len(free):
        raise RuntimeError(f"not enough blocks: {need} > {len(free)}")
    req.block_table.extend(free[:need])
    del free[:need]
""",
    ),
    Wrong(
        name="size without self",
        mission="1",
        mistakes=("structure.bare-name",),
        at="block_size - 1",
        code="""
def allocate_for_prefill(self, req):
    need = (req.seq_len + block_size - 1) // self.block_size
    if need > len(self.free_blocks):
        raise RuntimeError("OOM")
    for _ in range(need):
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="append where extend was meant",
        mission="1",
        mistakes=("prefill.nests-a-list",),
        at="req.block_table.append(chunk)",
        code="""
def allocate_for_prefill(self, req):
    size = self.block_size
    k = sum(1 for pos in range(req.seq_len) if pos % size == 0)
    if k > len(self.free_blocks):
        raise RuntimeError("OOM")
    chunk = self.free_blocks[:k]
    self.free_blocks[:k] = []
    req.block_table.append(chunk)
""",
    ),
)

DECODE = (
    Wrong(
        name="append slot then count",
        mission="2",
        mistakes=("decode.increment-after-test",),
        at=("if req.seq_len % self.block_size == 1", "req.seq_len += 1"),
        code="""
def allocate_for_decode(self, req):
    # 1. make room  2. append the token
    if req.seq_len % self.block_size == 1:
        if not self.free_blocks:
            raise RuntimeError("OOM")
        req.block_table.append(self.free_blocks.pop(0))
    req.seq_len += 1
""",
    ),
    Wrong(
        name="match on the old length",
        mission="2",
        mistakes=("decode.condition-before-increment",),
        at=("match old % self.block_size", "case 1:", "old, req.seq_len ="),
        code="""
def _grab(self):
    if not self.free_blocks:
        raise RuntimeError("OOM")
    return self.free_blocks.pop(0)

def allocate_for_decode(self, req):
    old, req.seq_len = req.seq_len, req.seq_len + 1
    match old % self.block_size:
        case 1:
            req.block_table.append(self._grab())
        case _:
            pass
""",
    ),
    Wrong(
        name="not remainder",
        mission="2",
        mistakes=("decode.remainder-zero",),
        at="if not req.seq_len % self.block_size",
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    if not req.seq_len % self.block_size:
        try:
            req.block_table.append(self.free_blocks.pop(0))
        except IndexError:
            raise RuntimeError("OOM")
""",
    ),
    Wrong(
        name="leaves early unless full",
        mission="2",
        mistakes=("decode.remainder-zero",),
        at=("if slot > 0", "_, slot = divmod"),
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    _, slot = divmod(req.seq_len, self.block_size)
    if slot > 0:
        return  # still room in the last block
    if len(self.free_blocks) < 1:
        raise RuntimeError("OOM")
    req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="truth of the remainder",
        mission="2",
        mistakes=("decode.remainder-nonzero",),
        at=("bool(req.seq_len % self.block_size)",),
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    is_new_block_needed = bool(req.seq_len % self.block_size)
    if not is_new_block_needed: return
    if not self.free_blocks: raise RuntimeError("OOM")
    req.block_table += [self.free_blocks.pop(0)]
""",
    ),
    Wrong(
        name="no empty slots left",
        mission="2",
        mistakes=("decode.one-step-early",),
        at=("num_empty_slots = ", "if num_empty_slots < 1"),
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    # get_num_empty_slots() of the last logical block
    num_empty_slots = len(req.block_table) * self.block_size - req.seq_len
    if num_empty_slots < 1:
        if not self.free_blocks:
            raise RuntimeError("OOM")
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="a block for each step",
        mission="2",
        mistakes=("decode.always-allocates",),
        at=("try:", "append(self.free_blocks.pop())"),
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    try:
        req.block_table.append(self.free_blocks.pop())
    except IndexError as e:
        raise RuntimeError("OOM") from e
""",
    ),
    Wrong(
        name="advance counts again",
        mission="2",
        mistakes=("decode.increments-twice",),
        at=("# the new token", "# given", "if self._advance(req)"),
        code='''
def _advance(self, req):
    """True if the new token opens a block."""
    req.seq_len += 1  # the new token
    return (req.seq_len - 1) % self.block_size == 0

def allocate_for_decode(self, req):
    req.seq_len += 1  # given
    if self._advance(req):
        if not self.free_blocks:
            raise RuntimeError("OOM")
        req.block_table.append(self.free_blocks.pop(0))
''',
    ),
    Wrong(
        name="a pure new length",
        mission="2",
        mistakes=("decode.no-increment",),
        at=("n = req.seq_len + 1", "if n % self.block_size == 1", "def allocate_for_decode"),
        code="""
def allocate_for_decode(self, req):
    n = req.seq_len + 1
    if n % self.block_size == 1:
        if not self.free_blocks:
            raise RuntimeError("OOM")
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="and for if",
        mission="2",
        mistakes=("decode.no-empty-check",),
        at="== 1 and req.block_table.append",
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    req.seq_len % self.block_size == 1 and req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="guard clause first",
        mission="2",
        mistakes=("decode.check-outside-condition",),
        at=("if not len(self.free_blocks)", "OOM: pool exhausted"),
        code="""
def allocate_for_decode(self, req):
    # edge cases first
    if not len(self.free_blocks):
        raise RuntimeError("OOM: pool exhausted")
    req.seq_len += 1
    capacity = len(req.block_table) * self.block_size
    if req.seq_len > capacity:
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="memory error from index error",
        mission="2",
        mistakes=("decode.wrong-exception",),
        at=('raise MemoryError("OOM")', "except IndexError"),
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    if req.seq_len % self.block_size == 1:
        try:
            bid = self.free_blocks.pop(0)
        except IndexError as exc:
            raise MemoryError("OOM") from exc
        else:
            req.block_table.append(bid)
""",
    ),
    Wrong(
        name="crossing known beforehand",
        mission="2",
        mistakes=("decode.condition-before-increment", "decode.message-without-oom"),
        at=("crosses = ", "no blocks to allocate"),
        code="""
def allocate_for_decode(self, req):
    crosses = (req.seq_len % self.block_size) == 1
    req.seq_len += 1
    if crosses:
        if not self.free_blocks:
            raise RuntimeError("no blocks to allocate")
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="only if there is one",
        mission="2",
        mistakes=("decode.skips-silently-when-empty",),
        at=("and self.free_blocks:",),
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    # 跨界才补块
    if (req.seq_len - 1) % self.block_size == 0 and self.free_blocks:
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="next of iter",
        mission="2",
        mistakes=("decode.reads-without-removing",),
        at=("next(iter(self.free_blocks), None)", "req.block_table.append(block)"),
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    if -(-req.seq_len // self.block_size) == len(req.block_table):
        return
    block = next(iter(self.free_blocks), None)
    if block is None:
        raise RuntimeError("OOM")
    req.block_table.append(block)
""",
    ),
    Wrong(
        name="contiguous by assumption",
        mission="2",
        mistakes=("decode.appends-next-id",),
        at="req.block_table.append(last + 1)",
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    if req.seq_len % self.block_size == 1:
        if not self.free_blocks:
            raise RuntimeError("OOM")
        self.free_blocks.pop(0)
        *_, last = req.block_table
        req.block_table.append(last + 1)
""",
    ),
    Wrong(
        name="placeholder before the check",
        mission="2",
        mistakes=("decode.half-updates-on-oom",),
        at=(
            "req.block_table.append(-1)",
            "if not self.free_blocks:  # nothing",
            'raise RuntimeError("OOM")  # sorry',
        ),
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    if req.seq_len % self.block_size == 1:
        req.block_table.append(-1)  # open the logical block, map it below
        if not self.free_blocks:  # nothing to map
            raise RuntimeError("OOM")  # sorry
        req.block_table[-1] = self.free_blocks.pop(0)
""",
    ),
    Wrong(
        name="last offset and a bare pop",
        mission="2",
        mistakes=("decode.remainder-last-slot", "decode.no-empty-check"),
        at=(
            "offset == self.block_size - 1",
            "offset = req.seq_len %",
            "head = self.free_blocks.pop(0)",
        ),
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    offset = req.seq_len % self.block_size
    if offset == self.block_size - 1:
        head = self.free_blocks.pop(0)  # O(n)
        req.block_table.append(head)
""",
    ),
    Wrong(
        name="renamed on one line only",
        mission="2",
        mistakes=("structure.unbound-name",),
        at=("if is_new_block_needed:", "need_block ="),
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    need_block = req.seq_len % self.block_size == 1
    if is_new_block_needed:
        if not self.free_blocks:
            raise RuntimeError("OOM")
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="lookahead slots",
        mission="2",
        mistakes=("structure.wrong-signature",),
        at="def allocate_for_decode",
        code="""
def allocate_for_decode(self, req, num_lookahead_slots):
    req.seq_len += 1
    need = -(-(req.seq_len + num_lookahead_slots) // self.block_size) - len(req.block_table)
    if need > len(self.free_blocks):
        raise RuntimeError("OOM")
    for _ in range(need):
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
)

GATHER = (
    Wrong(
        name="map over sorted",
        mission="3",
        mistakes=("gather.sorts-ids",),
        at="sorted(req.block_table)",
        code="""
def get_physical_cache(self, req):
    blocks = map(self.physical_kv_cache.__getitem__, sorted(req.block_table))
    return torch.cat(tuple(blocks))[:req.seq_len]
""",
    ),
    Wrong(
        name="slot arithmetic without the table",
        mission="3",
        mistakes=("gather.logical-as-physical",),
        at=("self.physical_kv_cache[t // b, t % b]",),
        code="""
def get_physical_cache(self, req):
    b = self.block_size
    # token t -> (block, offset)
    return torch.stack([self.physical_kv_cache[t // b, t % b] for t in range(req.seq_len)])
""",
    ),
    Wrong(
        name="view of the first blocks",
        mission="3",
        mistakes=("gather.first-blocks-of-pool",),
        at="self.physical_kv_cache[: len(req.block_table)]",
        code="""
def get_physical_cache(self, req):
    return (
        self.physical_kv_cache[: len(req.block_table)]
        .view(-1, self.head_dim)
        [: req.seq_len]
    )
""",
    ),
    Wrong(
        name="a set against double copies",
        mission="3",
        mistakes=("gather.dedupes-ids",),
        at=("set(req.block_table)", "for bid in unique"),
        code="""
def get_physical_cache(self, req):
    if not req.block_table:
        return self.physical_kv_cache.new_empty(0, self.head_dim)
    unique = set(req.block_table)  # never copy a block twice
    out = []
    for bid in unique:
        assert 0 <= bid < self.num_blocks
        out.append(self.physical_kv_cache[bid])
    return torch.cat(out, dim=0)[: req.seq_len]
""",
    ),
    Wrong(
        name="fold from the wrong side",
        mission="3",
        mistakes=("gather.reversed",),
        at=("torch.cat([self.physical_kv_cache[bid], acc])",),
        code="""
def get_physical_cache(self, req):
    from functools import reduce

    empty = self.physical_kv_cache.new_zeros(0, self.head_dim)
    joined = reduce(
        lambda acc, bid: torch.cat([self.physical_kv_cache[bid], acc]),
        req.block_table,
        empty,
    )
    return joined[: req.seq_len]
""",
    ),
    Wrong(
        name="tail by remainder",
        mission="3",
        mistakes=("gather.slice-by-remainder",),
        at=("tail = self.physical_kv_cache[last][: req.seq_len % self.block_size]",),
        code="""
def get_physical_cache(self, req):
    # all but the last block are full, so only the last one is cut
    *body, last = req.block_table
    full = [self.physical_kv_cache[i] for i in body]
    tail = self.physical_kv_cache[last][: req.seq_len % self.block_size]
    return torch.cat([*full, tail])
""",
    ),
    Wrong(
        name="fancy index and done",
        mission="3",
        mistakes=("gather.missing-cat",),
        at="return self.physical_kv_cache[req.block_table]",
        code="""
def get_physical_cache(self, req):
    # advanced indexing does the gather
    return self.physical_kv_cache[req.block_table][: req.seq_len]
""",
    ),
    Wrong(
        name="ordered ids and one row more",
        mission="3",
        mistakes=("gather.sorts-ids", "gather.slice-off-by-one"),
        at=("in sorted(table)", "[: req.seq_len + 1]"),
        code="""
def get_physical_cache(self, req):
    table = req.block_table
    blocks = [self.physical_kv_cache[block] for block in sorted(table)]
    merged = torch.cat(blocks, 0)
    return merged[: req.seq_len + 1]  # the end is exclusive
""",
    ),
    Wrong(
        name="cat with a positional one",
        mission="3",
        mistakes=("gather.cat-dim-one",),
        at="torch.cat(pages, 1)",
        code="""
def get_physical_cache(self, req):
    pages = []
    for p in req.block_table:
        pages.append(self.physical_kv_cache[p])
    # [b, d] * k -> [k*b, d]
    kv = torch.cat(pages, 1)
    return kv[:req.seq_len]
""",
    ),
    Wrong(
        name="concatenate on the last axis",
        mission="3",
        mistakes=("gather.cat-dim-one",),
        at="axis=-1",
        code="""
def get_physical_cache(self, req):
    gather = lambda ids: (self.physical_kv_cache[i, :, :] for i in ids)
    return torch.concatenate(list(gather(req.block_table)), axis=-1)[: req.seq_len, :]
""",
    ),
    Wrong(
        name="stack for cat",
        mission="3",
        mistakes=("gather.stacks",),
        at="torch.stack(",
        code='''
def get_physical_cache(self, req):
    """Gather -> join -> trim."""
    k, n = self.physical_kv_cache, req.seq_len
    joined = torch.stack([k[i] for i in req.block_table], dim=0)
    return joined[:n]
''',
    ),
    Wrong(
        name="flatten keeps the tail",
        mission="3",
        mistakes=("gather.missing-slice",),
        at=("flatten(0, 1)",),
        code="""
def get_physical_cache(self, req):
    return self.physical_kv_cache[torch.tensor(req.block_table)].flatten(0, 1)
""",
    ),
    Wrong(
        name="enumerate and no trim",
        mission="3",
        mistakes=("gather.logical-as-physical", "gather.missing-slice"),
        at=("self.physical_kv_cache[i] for i, _ in", "return torch.cat(list(blocks))"),
        code="""
def get_physical_cache(self, req):
    blocks = (self.physical_kv_cache[i] for i, _ in enumerate(req.block_table))
    return torch.cat(list(blocks))
""",
    ),
    Wrong(
        name="narrow to the last index",
        mission="3",
        mistakes=("gather.slice-off-by-one",),
        at=("seq.narrow(0, 0, last)", "last = req.seq_len - 1"),
        code="""
def get_physical_cache(self, req):
    ids = torch.as_tensor(req.block_table, dtype=torch.long)
    seq = self.physical_kv_cache.index_select(0, ids).view(-1, self.head_dim)
    last = req.seq_len - 1  # tokens 0 .. seq_len-1
    return seq.narrow(0, 0, last)
""",
    ),
    Wrong(
        name="trims the other axis",
        mission="3",
        mistakes=("gather.slices-heads",),
        at="[:, : req.seq_len]",
        code="""
def get_physical_cache(self, req):
    return torch.vstack([self.physical_kv_cache[b] for b in req.block_table])[:, : req.seq_len]
""",
    ),
    Wrong(
        name="ravel everything",
        mission="3",
        mistakes=("gather.flattens-to-one-dim",),
        at=("self.physical_kv_cache[i].ravel()", "flat = torch.cat"),
        code="""
def get_physical_cache(self, req):
    rows = [self.physical_kv_cache[i].ravel() for i in req.block_table]
    flat = torch.cat(rows)
    return flat[: req.seq_len]
""",
    ),
    Wrong(
        name="stacked on dim one then reshaped",
        mission="3",
        mistakes=("gather.interleaves-tokens",),
        at=("torch.stack(bs, dim=1)", "x.reshape(-1, self.head_dim)"),
        code="""
def get_physical_cache(self, req):
    bs = [self.physical_kv_cache[i] for i in req.block_table]
    x = torch.stack(bs, dim=1)
    x = x.reshape(-1, self.head_dim)
    return x[: req.seq_len]
""",
    ),
    Wrong(
        name="drains the table like a queue",
        mission="3",
        mistakes=("gather.changes-table",),
        at=("queue = req.block_table", "while queue", "queue.pop(0)"),
        code="""
def get_physical_cache(self, req):
    parts = []
    queue = req.block_table
    while queue:
        parts.append(self.physical_kv_cache[queue.pop(0)])
    return torch.cat(parts, dim=0)[: req.seq_len]
""",
    ),
    Wrong(
        name="gather outside the class",
        mission="3",
        mistakes=("structure.missing-method",),
        at=("def get_physical_cache", "class KVCacheManager"),
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

    def _grow(self, req):
        need = -(-req.seq_len // self.block_size) - len(req.block_table)
        if need > len(self.free_blocks):
            raise RuntimeError("OOM")
        req.block_table += [self.free_blocks.pop(0) for _ in range(need)]

    def allocate_for_prefill(self, req):
        self._grow(req)

    def allocate_for_decode(self, req):
        req.seq_len += 1
        self._grow(req)


def get_physical_cache(self, req):
    blocks = [self.physical_kv_cache[i] for i in req.block_table]
    return torch.cat(blocks, dim=0)[: req.seq_len]
""",
    ),
    Wrong(
        name="a slip in cache",
        mission="3",
        mistakes=("structure.misspelt-attribute",),
        at="self.physical_kv_cahce[i]",
        code="""
def get_physical_cache(self, req):
    table, n = req.block_table, req.seq_len
    return torch.cat([self.physical_kv_cahce[i] for i in table], dim=0)[:n]
""",
    ),
)

WRONG = (*PREFILL, *DECODE, *GATHER)
