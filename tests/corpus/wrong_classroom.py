"""Wrong files of one class of twenty: three files each, one per mission, every learner with habits of their own."""

from __future__ import annotations

from tests.corpus.wrong import Wrong

PREFILL = (
    Wrong(
        name="closest whole number in a java helper",
        mission="1",
        mistakes=("prefill.rounds-to-nearest",),
        at=("if upper - ratio <= ratio - lower", "return lower"),
        code="""
def allocate_for_prefill(self, req):
    promptLength = req.seq_len
    numberOfBlocks = self.computeNumberOfBlocks(promptLength, self.block_size)
    availableBlocks = len(self.free_blocks)
    if availableBlocks < numberOfBlocks:
        raise RuntimeError("OOM")
    i = 0
    while i < numberOfBlocks:
        blockId = self.free_blocks.pop(0)
        req.block_table.append(blockId)
        i += 1

def computeNumberOfBlocks(self, tokens, capacity):
    ratio = tokens / capacity
    lower = int(ratio)
    upper = lower + 1
    # pick whichever integer is closer to the real ratio
    if upper - ratio <= ratio - lower:
        return upper
    return lower
""",
    ),
    Wrong(
        name="err as a second value",
        mission="1",
        mistakes=("prefill.returns-instead-of-raising",),
        at=("return err", 'return 0, RuntimeError("OOM")'),
        code="""
def allocate_for_prefill(self, req):
    n, err = self.count_blocks(req)
    if err is not None:
        return err
    for _ in range(n):
        req.block_table.append(self.free_blocks.pop(0))
    return None

def count_blocks(self, req):
    n = (req.seq_len + self.block_size - 1) // self.block_size
    if n > len(self.free_blocks):
        return 0, RuntimeError("OOM")
    return n, None
""",
    ),
    Wrong(
        name="the tail waits for decode",
        mission="1",
        mistakes=("prefill.floor-division",),
        at=("n_full, tail = divmod(", "range(n_full)"),
        code="""
def allocate_for_prefill(self, req):
    # 先看能装满几块，剩下的 tail 不满一块，等 decode 的时候再补
    n_full, tail = divmod(req.seq_len, self.block_size)
    if n_full > len(self.free_blocks):
        raise RuntimeError("OOM")
    for k in range(n_full):
        bid = self.free_blocks.pop(0)  # 从头部拿
        req.block_table.append(bid)
    # print("剩余 token:", tail)
""",
    ),
    Wrong(
        name="plus one then a spare block",
        mission="1",
        mistakes=("prefill.plus-one-then-floor", "prefill.refuses-exact-fit"),
        at=("need = (req.seq_len + 1)", "if need >= len(self.free_blocks)"),
        code="""
def allocate_for_prefill(self, req):
    need = (req.seq_len + 1) // self.block_size
    if need == 0:
        need = 1  # a short prompt got nothing, fixed here
    # sometimes I am one block short, so make sure one is left over
    if need >= len(self.free_blocks):
        raise RuntimeError("OOM")
    while need:
        req.block_table.append(self.free_blocks.pop(0))
        need -= 1
""",
    ),
    Wrong(
        name="a cursor over the free list",
        mission="1",
        mistakes=("prefill.reads-without-removing",),
        at="self.free_blocks[cursor]",
        code="""
def allocate_for_prefill(self, req):
    total = -(-req.seq_len // self.block_size)
    if total > len(self.free_blocks):
        raise RuntimeError("OOM")
    cursor = 0
    while cursor < total:
        req.block_table.append(self.free_blocks[cursor])
        cursor += 1
    self.used_blocks = getattr(self, "used_blocks", 0) + cursor
""",
    ),
    Wrong(
        name="index of the last block as the count",
        mission="1",
        mistakes=("prefill.minus-one-then-floor",),
        at=("lastBlockIndex = lastTokenIndex", "for j in range(0, lastBlockIndex)"),
        code="""
def allocate_for_prefill(self, req):
    lastTokenIndex = req.seq_len - 1
    lastBlockIndex = lastTokenIndex // self.block_size
    if len(self.free_blocks) < lastBlockIndex:
        raise RuntimeError("OOM")
    for j in range(0, lastBlockIndex):
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="plain division into range",
        mission="1",
        mistakes=("prefill.float-count",),
        at=("blocks_f = req.seq_len / self.block_size", "in range(blocks_f)"),
        code="""
def allocate_for_prefill(self, req):
    blocks_f = req.seq_len / self.block_size
    left = len(self.free_blocks) - blocks_f
    if left < 0:
        raise RuntimeError("OOM")
    for x in range(blocks_f):
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="try pop except index error",
        mission="1",
        mistakes=("prefill.catches-without-giving-back",),
        at=("except IndexError", 'raise RuntimeError("OOM: the pool', "block = self.free_blocks.pop(0)"),
        code='''
def allocate_for_prefill(self, req):
    """EAFP: easier to ask forgiveness than permission."""
    how_many = (req.seq_len + self.block_size - 1) // self.block_size
    try:
        for _ in range(how_many):
            block = self.free_blocks.pop(0)
            req.block_table.append(block)
    except IndexError:
        raise RuntimeError("OOM: the pool is exhausted") from None
''',
    ),
    Wrong(
        name="one block or two",
        mission="1",
        mistakes=("unknown",),
        at="need = 1 if req.seq_len <= self.block_size else 2",
        code="""
def allocate_for_prefill(self, req):
    # 一块放得下就要 1 块，放不下就要 2 块
    need = 1 if req.seq_len <= self.block_size else 2
    if len(self.free_blocks) < need:
        raise RuntimeError("OOM")
    for _ in range(need):
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="remove in a comprehension",
        mission="1",
        mistakes=("prefill.appends-none",),
        at="self.free_blocks.remove(b)",
        code="""
def allocate_for_prefill(self, req):
    import math

    k = math.ceil(req.seq_len / self.block_size)
    if k > len(self.free_blocks):
        raise RuntimeError("OOM")
    req.block_table += [self.free_blocks.remove(b) for b in self.free_blocks[:k]]
""",
    ),
    Wrong(
        name="size of the cache as the stock",
        mission="1",
        mistakes=("prefill.compares-with-num-blocks",),
        at=("capacity_ok =", "if not capacity_ok"),
        code="""
def allocate_for_prefill(self, req):
    needed = req.seq_len // self.block_size
    if needed * self.block_size < req.seq_len:
        needed += 1
    capacity_ok = needed <= self.num_blocks
    if not capacity_ok:
        raise RuntimeError("OOM")
    for step in range(needed):
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="pop at the running index",
        mission="1",
        mistakes=("prefill.pops-by-index",),
        at="self.free_blocks.pop(i)",
        code="""
def allocate_for_prefill(self, req):
    n = req.seq_len
    cnt = 0
    while n > 0:
        cnt = cnt + 1
        n = n - self.block_size
    if cnt > len(self.free_blocks):
        raise RuntimeError("OOM")
    i = 0
    while i < cnt:
        id = self.free_blocks.pop(i)
        req.block_table.append(id)
        i = i + 1
""",
    ),
    Wrong(
        name="assert enough",
        mission="1",
        mistakes=("prefill.assert-instead-of-raise",),
        at="assert free_count >= required",
        code="""
def allocate_for_prefill(self, req):
    required = (req.seq_len - 1) // self.block_size + 1
    free_count = len(self.free_blocks)
    assert free_count >= required, "OOM"
    taken = []
    for _ in range(required):
        taken.append(self.free_blocks.pop(0))
    req.block_table.extend(taken)
""",
    ),
    Wrong(
        name="deletes one further than it copies",
        mission="1",
        mistakes=("prefill.loses-blocks",),
        at="del self.free_blocks[: k + 1]",
        code="""
def allocate_for_prefill(self, req):
    k = -(-req.seq_len // self.block_size)
    if k > len(self.free_blocks): raise RuntimeError("OOM")
    req.block_table += self.free_blocks[:k]
    del self.free_blocks[: k + 1]  # 0..k
""",
    ),
    Wrong(
        name="appends the whole batch at once",
        mission="1",
        mistakes=("prefill.nests-a-list",),
        at="req.block_table.append(batch)",
        code="""
def allocate_for_prefill(self, req):
    needed_blocks = (req.seq_len + self.block_size - 1) // self.block_size
    if needed_blocks > len(self.free_blocks):
        raise RuntimeError("OOM")
    # take the blocks of this request as one batch
    batch = []
    for _ in range(needed_blocks):
        batch.append(self.free_blocks.pop(0))
    req.block_table.append(batch)
""",
    ),
    Wrong(
        name="always one for the rest",
        mission="1",
        mistakes=("prefill.floor-plus-one",),
        at=("blocks = full + 1", "full, _rest = divmod"),
        code="""
def allocate_for_prefill(self, req):
    full, _rest = divmod(req.seq_len, self.block_size)
    blocks = full + 1  # 最后那块给零头用
    if blocks > len(self.free_blocks):
        raise RuntimeError("OOM")
    req.block_table.extend(self.free_blocks.pop(0) for _ in range(blocks))
""",
    ),
    Wrong(
        name="field without this",
        mission="1",
        mistakes=("structure.bare-name",),
        at="+ block_size - 1)",
        code="""
def allocate_for_prefill(self, req):
    # in Java `this.` can be left out
    needed_blocks = (req.seq_len + block_size - 1) // block_size
    if needed_blocks > len(self.free_blocks):
        raise RuntimeError("OOM")
    for _ in range(needed_blocks):
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="fields declared like in java",
        mission="1",
        mistakes=("structure.shared-class-attribute",),
        at="block_table: List[int] = []",
        code="""
from typing import List

import torch


class Request:
    request_id: int = 0
    seq_len: int = 0
    block_table: List[int] = []

    def __init__(self, request_id, prompt_len):
        self.request_id = request_id
        self.seq_len = prompt_len


class KVCacheManager:
    def __init__(self, num_blocks, block_size, head_dim):
        self.num_blocks = num_blocks
        self.block_size = block_size
        self.head_dim = head_dim
        self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim)
        self.free_blocks = list(range(num_blocks))

    def allocate_for_prefill(self, req):
        needed_blocks = (req.seq_len + self.block_size - 1) // self.block_size
        if needed_blocks > len(self.free_blocks):
            raise RuntimeError("OOM")
        for _ in range(needed_blocks):
            req.block_table.append(self.free_blocks.pop(0))

    def allocate_for_decode(self, req):
        req.seq_len += 1
        if req.seq_len % self.block_size == 1:
            if not self.free_blocks:
                raise RuntimeError("OOM")
            req.block_table.append(self.free_blocks.pop(0))

    def get_physical_cache(self, req):
        blocks = [self.physical_kv_cache[b] for b in req.block_table]
        return torch.cat(blocks, dim=0)[: req.seq_len]
""",
    ),
    Wrong(
        name="counts what it got afterwards",
        mission="1",
        mistakes=("prefill.check-after-loop", "prefill.message-without-oom"),
        at=("if got != want", 'raise RuntimeError("no memory', "while got < want"),
        code="""
def allocate_for_prefill(self, req):
    want = (req.seq_len + self.block_size - 1) // self.block_size
    got = 0
    while got < want and self.free_blocks:
        req.block_table.append(self.free_blocks.pop(0))
        got += 1
    if got != want:
        raise RuntimeError("no memory left for the prompt")
""",
    ),
    Wrong(
        name="quotient plus remainder and a print",
        mission="1",
        mistakes=("prefill.floor-plus-remainder", "prefill.prints-instead-of-raising"),
        at=("k = q + r", 'print("OOM")'),
        code="""
def allocate_for_prefill(self, req):
    q, r = divmod(req.seq_len, self.block_size)
    k = q + r
    if k > len(self.free_blocks):
        print("OOM")
        return
    for _ in range(k):
        head = self.free_blocks[0]
        self.free_blocks = self.free_blocks[1:]
        req.block_table.append(head)
""",
    ),
)

DECODE = (
    Wrong(
        name="block is full in java",
        mission="2",
        mistakes=("decode.one-step-early",),
        at="isBlockFull = slotsUsed >= self.block_size",
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    currentBlockIndex = len(req.block_table) - 1
    slotsUsed = req.seq_len - currentBlockIndex * self.block_size
    isBlockFull = slotsUsed >= self.block_size
    if isBlockFull:
        if len(self.free_blocks) == 0:
            raise RuntimeError("OOM")
        newBlockId = self.free_blocks.pop(0)
        req.block_table.append(newBlockId)
""",
    ),
    Wrong(
        name="comma ok",
        mission="2",
        mistakes=("decode.skips-silently-when-empty",),
        at=("if ok:", "return -1, False"),
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    if req.seq_len % self.block_size != 1:
        return
    block, ok = self.next_block()
    if ok:
        req.block_table.append(block)

def next_block(self):
    if len(self.free_blocks) == 0:
        return -1, False
    return self.free_blocks.pop(0), True
""",
    ),
    Wrong(
        name="a block wherever there is a tail",
        mission="2",
        mistakes=("decode.remainder-nonzero",),
        at=("tail = req.seq_len % self.block_size", "if tail > 0"),
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    # 除不尽 → 有尾巴 → 要给尾巴一个块
    tail = req.seq_len % self.block_size
    if tail > 0:
        if not self.free_blocks:
            raise RuntimeError("OOM")
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="counted twice so tests for two",
        mission="2",
        mistakes=("decode.increments-twice", "decode.remainder-two"),
        at=("req.seq_len = req.seq_len + 1", "% self.block_size == 2"),
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    # the new token
    req.seq_len = req.seq_len + 1
    # == 1 came out wrong by one, 2 matches what I printed
    is_new_block_needed = req.seq_len % self.block_size == 2
    if is_new_block_needed:
        if not self.free_blocks:
            raise RuntimeError("OOM")
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="remembers where it was",
        mission="2",
        mistakes=("decode.condition-before-increment",),
        at=("first_slot = before - self.block_size", "before = req.seq_len"),
        code="""
def allocate_for_decode(self, req):
    before = req.seq_len
    req.seq_len += 1
    first_slot = before - self.block_size * (before // self.block_size) == 1
    if first_slot and len(self.free_blocks) == 0:
        raise RuntimeError("OOM")
    elif first_slot:
        got = self.free_blocks.pop(0)
        req.block_table.append(got)
""",
    ),
    Wrong(
        name="next index goes into the table",
        mission="2",
        mistakes=("decode.appends-table-length",),
        at=("req.block_table.append(nextIndex)", "nextIndex = len(req.block_table)"),
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    needNew = (req.seq_len % self.block_size) == 1
    if needNew:
        if self.free_blocks == []:
            raise RuntimeError("OOM")
        nextIndex = len(req.block_table)
        self.free_blocks.pop(0)
        req.block_table.append(nextIndex)
""",
    ),
    Wrong(
        name="truth of a fraction",
        mission="2",
        mistakes=("decode.always-allocates",),
        at="if req.seq_len / self.block_size:",
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    # anything left over after dividing?
    if req.seq_len / self.block_size:
        if not len(self.free_blocks):
            raise RuntimeError("OOM")
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="prints its own failure",
        mission="2",
        mistakes=("decode.swallows-own-exception",),
        at=("except Exception as e", 'print("decode failed:"'),
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    try:
        if req.seq_len % self.block_size == 1:
            if not self.free_blocks:
                raise RuntimeError("OOM")
            req.block_table.append(self.free_blocks.pop(0))
    except Exception as e:
        print("decode failed:", e)
""",
    ),
    Wrong(
        name="when the first block overflows",
        mission="2",
        mistakes=("decode.first-crossing-only",),
        at="if req.seq_len == self.block_size + 1",
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    # 第一块装满后，下一个 token 要新的块
    if req.seq_len == self.block_size + 1:
        if len(self.free_blocks) <= 0:
            raise RuntimeError("OOM")
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="a sum of lists nobody keeps",
        mission="2",
        mistakes=("decode.pops-without-appending",),
        at="req.block_table + [self.free_blocks.pop(0)]",
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    crossing = (req.seq_len - 1) % self.block_size == 0
    if not crossing:
        return
    if not self.free_blocks:
        raise RuntimeError("OOM")
    req.block_table + [self.free_blocks.pop(0)]
""",
    ),
    Wrong(
        name="guards at the top",
        mission="2",
        mistakes=("decode.check-outside-condition",),
        at="if len(self.free_blocks) == 0:",
        code="""
def allocate_for_decode(self, req):
    # guard clauses first, then the work
    if len(self.free_blocks) == 0:
        raise RuntimeError("OOM")
    req.seq_len += 1
    is_new_block_needed = req.seq_len > len(req.block_table) * self.block_size
    if is_new_block_needed:
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="remainder by the wrong field",
        mission="2",
        mistakes=("decode.modulo-num-blocks",),
        at="r = req.seq_len % self.num_blocks",
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    r = req.seq_len % self.num_blocks
    flag = 0
    if r == 1:
        flag = 1
    while flag == 1:
        if len(self.free_blocks) == 0:
            raise RuntimeError("OOM")
        req.block_table.append(self.free_blocks.pop(0))
        flag = 0
""",
    ),
    Wrong(
        name="an exception class of my own",
        mission="2",
        mistakes=("decode.remainder-zero", "decode.wrong-exception"),
        at=(
            "if not req.seq_len % self.block_size",
            "class OutOfBlocks(MemoryError)",
            'raise OutOfBlocks("OOM")',
        ),
        code="""
def allocate_for_decode(self, req):
    class OutOfBlocks(MemoryError):
        pass

    req.seq_len += 1
    if not req.seq_len % self.block_size:
        if len(self.free_blocks) < 1:
            raise OutOfBlocks("OOM")
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="golfed into the last place",
        mission="2",
        mistakes=("decode.overwrites-last",),
        at="req.block_table[-1] = self.free_blocks.pop(0)",
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    if req.seq_len % self.block_size == 1:
        if not self.free_blocks: raise RuntimeError("OOM")
        req.block_table[-1] = self.free_blocks.pop(0)
""",
    ),
    Wrong(
        name="as many as the sequence needs",
        mission="2",
        mistakes=("decode.allocates-many",),
        at=("need = (req.seq_len + self.block_size - 1)", "for _ in range(need)"),
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    is_new_block_needed = req.seq_len % self.block_size == 1
    if is_new_block_needed:
        need = (req.seq_len + self.block_size - 1) // self.block_size
        if need > len(self.free_blocks):
            raise RuntimeError("OOM")
        for _ in range(need):
            req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="never touch the last one",
        mission="2",
        mistakes=("decode.keeps-one-in-reserve",),
        at="if remaining < 2",
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    remaining = len(self.free_blocks)
    if (req.seq_len - 1) // self.block_size == len(req.block_table):
        # 至少留一块备用，不然池子就空了
        if remaining < 2:
            raise RuntimeError("OOM")
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="set under another name",
        mission="2",
        mistakes=("structure.unbound-name",),
        at="if is_new_block_needed:",
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    new_block = (req.seq_len % self.block_size) == 1
    if is_new_block_needed:
        if not self.free_blocks:
            raise RuntimeError("OOM")
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="block ids start at one",
        mission="2",
        mistakes=("structure.edits-init",),
        at="self.free_blocks = [i + 1 for i in range(num_blocks)]",
        code="""
from typing import List

import torch


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
        # 块号从 1 开始，0 表示空
        self.free_blocks = [i + 1 for i in range(num_blocks)]

    def allocate_for_prefill(self, req: Request):
        needed_blocks = (req.seq_len + self.block_size - 1) // self.block_size
        if needed_blocks > len(self.free_blocks):
            raise RuntimeError("OOM")
        for _ in range(needed_blocks):
            req.block_table.append(self.free_blocks.pop(0))

    def allocate_for_decode(self, req: Request):
        req.seq_len += 1
        is_new_block_needed = (req.seq_len % self.block_size) == 1
        if is_new_block_needed:
            if len(self.free_blocks) == 0:
                raise RuntimeError("OOM")
            req.block_table.append(self.free_blocks.pop(0))

    def get_physical_cache(self, req: Request):
        blocks = [self.physical_kv_cache[b] for b in req.block_table]
        cat_blocks = torch.cat(blocks, dim=0)
        return cat_blocks[: req.seq_len]
""",
    ),
    Wrong(
        name="operands the other way round",
        mission="2",
        mistakes=("decode.modulo-backwards",),
        at="self.block_size % req.seq_len",
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    where = self.block_size % req.seq_len
    if where == 1:
        try:
            fresh = self.free_blocks.pop(0)
        except IndexError as exc:
            raise RuntimeError("OOM") from exc
        else:
            req.block_table.append(fresh)
""",
    ),
    Wrong(
        name="fetched ahead at the last slot",
        mission="2",
        mistakes=("decode.remainder-last-slot", "decode.no-empty-check"),
        at=("if slot == self.block_size - 1", "req.block_table.append(self.free_blocks.pop(0))"),
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    slot = req.seq_len % self.block_size
    # slots run 0 .. block_size - 1, so this is the last one
    if slot == self.block_size - 1:
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
)

GATHER = (
    Wrong(
        name="iterator and a growing result",
        mission="3",
        mistakes=("gather.cat-dim-one",),
        at="torch.cat((result, block), 1)",
        code="""
def get_physical_cache(self, req):
    blockIterator = iter(req.block_table)
    result = None
    while True:
        blockId = next(blockIterator, None)
        if blockId is None:
            break
        block = self.physical_kv_cache[blockId]
        result = block if result is None else torch.cat((result, block), 1)
    return result[: req.seq_len]
""",
    ),
    Wrong(
        name="range gives the index in go",
        mission="3",
        mistakes=("gather.logical-as-physical",),
        at=("self.physical_kv_cache[i]", "for i, _ in enumerate(req.block_table)"),
        code="""
def get_physical_cache(self, req):
    out = torch.zeros(req.seq_len, self.head_dim)
    for i, _ in enumerate(req.block_table):
        start = i * self.block_size
        end = min(start + self.block_size, req.seq_len)
        out[start:end] = self.physical_kv_cache[i][: end - start]
    return out
""",
    ),
    Wrong(
        name="cut down to the tail",
        mission="3",
        mistakes=("gather.slice-by-remainder",),
        at=("return joined[:tail]", "tail = req.seq_len % self.block_size"),
        code="""
def get_physical_cache(self, req):
    blocks = []
    for bid in req.block_table:
        blocks.append(self.physical_kv_cache[bid])
    joined = torch.cat(blocks, dim=0)
    # 最后一块只用了 tail 个槽位，截到 tail
    tail = req.seq_len % self.block_size
    if tail == 0:
        return joined
    return joined[:tail]
""",
    ),
    Wrong(
        name="wipes the unused slots",
        mission="3",
        mistakes=("gather.writes-into-pool", "gather.missing-slice"),
        at=("self.physical_kv_cache[last][used:] = 0", "return torch.cat(parts, dim=0)"),
        code="""
def get_physical_cache(self, req):
    last = req.block_table[-1]
    used = (req.seq_len - 1) % self.block_size + 1
    # there was rubbish at the end of the answer, so clean it up first
    self.physical_kv_cache[last][used:] = 0
    parts = [self.physical_kv_cache[b] for b in req.block_table]
    return torch.cat(parts, dim=0)
""",
    ),
    Wrong(
        name="blocks kept in a dict",
        mission="3",
        mistakes=("gather.dedupes-ids",),
        at=("pages[b] = self.physical_kv_cache[b]", "pages = {}"),
        code="""
def get_physical_cache(self, req):
    pages = {}
    for b in req.block_table:
        pages[b] = self.physical_kv_cache[b]
    seq = torch.cat(list(pages.values()), dim=0)
    return seq[: req.seq_len]
""",
    ),
    Wrong(
        name="blocks counted from one",
        mission="3",
        mistakes=("gather.id-off-by-one",),
        at="self.physical_kv_cache[blockId - 1]",
        code="""
def get_physical_cache(self, req):
    blockList = []
    for blockId in req.block_table:
        # array index = number - 1
        blockList.append(self.physical_kv_cache[blockId - 1])
    joined = torch.cat(blockList, dim=0)
    return joined[0 : req.seq_len]
""",
    ),
    Wrong(
        name="fancy index and done",
        mission="3",
        mistakes=("gather.missing-cat",),
        at=("return pages[: req.seq_len]", "pages = self.physical_kv_cache[ids]"),
        code="""
def get_physical_cache(self, req):
    ids = torch.tensor(req.block_table)
    pages = self.physical_kv_cache[ids]
    return pages[: req.seq_len]
""",
    ),
    Wrong(
        name="rows handed out as lists",
        mission="3",
        mistakes=("gather.returns-other-type",),
        at="rows.tolist()",
        code="""
def get_physical_cache(self, req):
    chunks = tuple(self.physical_kv_cache[b] for b in req.block_table)
    try:
        rows = torch.cat(chunks)[: req.seq_len]
    except RuntimeError as e:
        print("cat failed", e)
        raise
    return rows.tolist()
""",
    ),
    Wrong(
        name="no longer than a block",
        mission="3",
        mistakes=("gather.slice-by-block-size",),
        at=("keep = min(", "return cat_blocks[:keep]"),
        code="""
def get_physical_cache(self, req):
    blocks = [self.physical_kv_cache[idx] for idx in req.block_table]
    cat_blocks = torch.cat(blocks, dim=0)
    # 最后一块没满的时候要截掉
    keep = min(req.seq_len, self.block_size)
    return cat_blocks[:keep]
""",
    ),
    Wrong(
        name="plus joins lists so it joins tensors",
        mission="3",
        mistakes=("gather.sums",),
        at="reduce(lambda acc, nxt: acc + nxt, blocks)",
        code="""
def get_physical_cache(self, req):
    from functools import reduce

    blocks = map(lambda b: self.physical_kv_cache[b], req.block_table)
    joined = reduce(lambda acc, nxt: acc + nxt, blocks)
    return joined[: req.seq_len]
""",
    ),
    Wrong(
        name="return one level too deep",
        mission="3",
        mistakes=("gather.first-block-only",),
        at="return torch.cat(out, dim=0)[: req.seq_len]",
        code="""
def get_physical_cache(self, req):
    out = []
    for block_id in req.block_table:
        out.append(self.physical_kv_cache[block_id])
        return torch.cat(out, dim=0)[: req.seq_len]
""",
    ),
    Wrong(
        name="loops nested inside out",
        mission="3",
        mistakes=("gather.interleaves-tokens",),
        at=(
            "while s < self.block_size",
            "for blk in req.block_table",
            "rows.append(self.physical_kv_cache[blk, s])",
        ),
        code="""
def get_physical_cache(self, req):
    rows = []
    s = 0
    while s < self.block_size:
        for blk in req.block_table:
            rows.append(self.physical_kv_cache[blk, s])
        s = s + 1
    return torch.stack(rows)[: req.seq_len]
""",
    ),
    Wrong(
        name="shows the result and forgets it",
        mission="3",
        mistakes=("gather.no-return",),
        at=("print(result.shape)", "result = whole[: req.seq_len]"),
        code="""
def get_physical_cache(self, req):
    gathered = [self.physical_kv_cache[n] for n in req.block_table]
    whole = torch.cat(gathered, dim=0)
    result = whole[: req.seq_len]
    print(result.shape)
""",
    ),
    Wrong(
        name="one line from the start of the pool",
        mission="3",
        mistakes=("gather.first-blocks-of-pool",),
        at="self.physical_kv_cache[: len(req.block_table)]",
        code="""
def get_physical_cache(self, req):
    return self.physical_kv_cache[: len(req.block_table)].reshape(-1, self.head_dim)[: req.seq_len]
""",
    ),
    Wrong(
        name="the id once for every slot",
        mission="3",
        mistakes=("gather.ids-instead-of-tensors",),
        at=("torch.tensor([block_id] * self.block_size)", "blocks.append("),
        code="""
def get_physical_cache(self, req):
    blocks = []
    for block_id in req.block_table:
        # every slot of the block
        blocks.append(torch.tensor([block_id] * self.block_size))
    cat_blocks = torch.cat(blocks, dim=0)
    return cat_blocks[: req.seq_len]
""",
    ),
    Wrong(
        name="polls the queue until empty",
        mission="3",
        mistakes=("gather.changes-table",),
        at=("req.block_table.pop(0)", "while req.block_table:"),
        code="""
def get_physical_cache(self, req):
    # 按顺序一个个出队
    pieces = []
    while req.block_table:
        head = req.block_table.pop(0)
        pieces.append(self.physical_kv_cache[head])
    return torch.cat(pieces, 0)[: req.seq_len]
""",
    ),
    Wrong(
        name="two letters swapped",
        mission="3",
        mistakes=("structure.misspelt-attribute",),
        at="req.block_tabel",
        code="""
def get_physical_cache(self, req):
    blocks = [self.physical_kv_cache[bid] for bid in req.block_tabel]
    cat_blocks = torch.cat(blocks, dim=0)
    return cat_blocks[: req.seq_len]
""",
    ),
    Wrong(
        name="this is implicit",
        mission="3",
        mistakes=("structure.missing-self",),
        at="def get_physical_cache(req)",
        code="""
def get_physical_cache(req):
    blocks = [self.physical_kv_cache[block_id] for block_id in req.block_table]
    cat_blocks = torch.cat(blocks, dim=0)
    return cat_blocks[: req.seq_len]
""",
    ),
    Wrong(
        name="tidied up and up to the last index",
        mission="3",
        mistakes=("gather.sorts-ids", "gather.slice-off-by-one"),
        at=("ordered = sorted(req.block_table)", "end = req.seq_len - 1"),
        code="""
def get_physical_cache(self, req):
    ordered = sorted(req.block_table)
    tensors = [self.physical_kv_cache[o] for o in ordered]
    flat = torch.cat(tensors, dim=0)
    end = req.seq_len - 1
    return flat[0:end]
""",
    ),
    Wrong(
        name="reshaped to heads and turned",
        mission="3",
        mistakes=("unknown",),
        at="seq = used.reshape(self.head_dim, -1).t()",
        code="""
def get_physical_cache(self, req):
    used = self.physical_kv_cache[req.block_table]
    # 先变成 [head_dim, token]，再转置成 [token, head_dim]
    seq = used.reshape(self.head_dim, -1).t()
    return seq[: req.seq_len]
""",
    ),
)

WRONG = PREFILL + DECODE + GATHER
