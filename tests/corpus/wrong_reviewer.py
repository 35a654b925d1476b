"""Wrong files as four people write them: a student from Shanghai, a C++ programmer, a data scientist, somebody pasting notebook cells."""

from __future__ import annotations

from tests.corpus.wrong import Wrong

PREFILL = (
    Wrong(
        name="student halves the box",
        mission="1",
        mistakes=("prefill.floor-division",),
        at="kuai_shu = ",
        code="""
def allocate_for_prefill(self, req):
    # 先算要几块
    kuai_shu = req.seq_len // self.block_size
    # 再看够不够
    if len(self.free_blocks) < kuai_shu:
        raise RuntimeError("OOM: 空闲块不够")
    # 一块一块领
    for i in range(kuai_shu):
        kuai = self.free_blocks.pop(0)
        req.block_table.append(kuai)
""",
    ),
    Wrong(
        name="cell int of true division",
        mission="1",
        mistakes=("prefill.floor-division",),
        at="n_blk = int(",
        code="""
def allocate_for_prefill(self, req):
    n_blk = int(req.seq_len / self.block_size)
    print("need", n_blk, "have", len(self.free_blocks))
    if n_blk > len(self.free_blocks): raise RuntimeError("OOM")
    for _ in range(n_blk): req.block_table.append(self.free_blocks.pop(0))
    print(req.block_table)
""",
    ),
    Wrong(
        name="math floor and a polite complaint",
        mission="1",
        mistakes=("prefill.floor-division", "prefill.message-without-oom"),
        at=("math.floor", "not enough KV blocks"),
        code="""
def allocate_for_prefill(self, req: Request) -> None:
    import math

    wanted = math.floor(req.seq_len / self.block_size)
    available = len(self.free_blocks)
    if wanted > available:
        raise RuntimeError(f"not enough KV blocks: wanted {wanted}, have {available}")
    req.block_table += [self.free_blocks.pop(0) for _ in range(wanted)]
""",
    ),
    Wrong(
        name="divmod rest is only logged",
        mission="1",
        mistakes=("prefill.floor-division",),
        at="full, tail = divmod",
        code="""
def allocate_for_prefill(self, req):
    full, tail = divmod(req.seq_len, self.block_size)
    if tail:
        print(f"request {req.request_id}: {tail} tokens in the tail")
    if full > len(self.free_blocks):
        raise RuntimeError("OOM")
    taken, self.free_blocks = self.free_blocks[:full], self.free_blocks[full:]
    req.block_table.extend(taken)
""",
    ),
    Wrong(
        name="cpp always one spare",
        mission="1",
        mistakes=("prefill.floor-plus-one",),
        at="num_needed = ",
        code="""
def allocate_for_prefill(self, req: Request) -> None:
    num_needed = (req.seq_len // self.block_size) + 1  # integer division truncates
    if num_needed > len(self.free_blocks):
        raise RuntimeError("OOM")
    i = 0
    while i < num_needed:
        req.block_table.append(self.free_blocks[0])
        del self.free_blocks[0]
        i += 1
""",
    ),
    Wrong(
        name="adds a whole block before dividing",
        mission="1",
        mistakes=("prefill.floor-plus-one",),
        at="return (length + self.block_size) // self.block_size",
        code="""
def allocate_for_prefill(self, req):
    needed_blocks = self._blocks_for(req.seq_len)
    if needed_blocks > len(self.free_blocks):
        raise RuntimeError('OOM')
    for _ in range(needed_blocks):
        req.block_table.append(self.free_blocks.pop(0))

def _blocks_for(self, length):
    return (length + self.block_size) // self.block_size
""",
    ),
    Wrong(
        name="divmod quotient bumped regardless",
        mission="1",
        mistakes=("prefill.floor-plus-one", "prefill.wrong-exception"),
        at=("q += 1", "raise MemoryError"),
        code="""
def allocate_for_prefill(self, req):
    q, r = divmod(req.seq_len, self.block_size)
    q += 1  # the last, partly filled one
    if len(self.free_blocks) < q:
        raise MemoryError("OOM")
    for _ in range(q):
        head = self.free_blocks.pop(0)
        req.block_table.append(head)
""",
    ),
    Wrong(
        name="student rounds with round",
        mission="1",
        mistakes=("prefill.rounds-to-nearest",),
        at="xu_yao = round(",
        code="""
def allocate_for_prefill(self, req: Request) -> None:
    # 向上取整
    xu_yao = round(req.seq_len / self.block_size)
    sheng_yu = len(self.free_blocks)
    if xu_yao > sheng_yu:
        raise RuntimeError("OOM")
    else:
        for _ in range(xu_yao):
            req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="plus a half returns false",
        mission="1",
        mistakes=("prefill.rounds-to-nearest", "prefill.returns-instead-of-raising"),
        at=("+ 0.5", "return False"),
        code="""
def allocate_for_prefill(self, req):
    cnt = int(req.seq_len / self.block_size + 0.5)
    if cnt > len(self.free_blocks):
        return False
    while cnt:
        req.block_table.append(self.free_blocks.pop(0))
        cnt -= 1
    return True
""",
    ),
    Wrong(
        name="tensor rounding",
        mission="1",
        mistakes=("prefill.rounds-to-nearest",),
        at="torch.round(",
        code="""
def allocate_for_prefill(self, req):
    ratio = torch.tensor(req.seq_len) / self.block_size
    k = int(torch.round(ratio).item())
    if k > len(self.free_blocks):
        raise RuntimeError("OOM")
    req.block_table.extend(self.free_blocks[:k])
    self.free_blocks = self.free_blocks[k:]
""",
    ),
    Wrong(
        name="asks at every pop",
        mission="1",
        mistakes=("prefill.check-inside-loop",),
        at=("if not self.free_blocks", 'raise RuntimeError("OOM")'),
        code="""
def allocate_for_prefill(self, req):
    needed = (req.seq_len + self.block_size - 1) // self.block_size
    for _ in range(needed):
        # 没有空闲块就报错
        if not self.free_blocks:
            raise RuntimeError("OOM")
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="cpp while table too short",
        mission="1",
        mistakes=("prefill.check-inside-loop",),
        at=("if len(self.free_blocks) <= 0", 'raise RuntimeError("OOM: pool exhausted")'),
        code="""
def allocate_for_prefill(self, req: Request) -> None:
    tokens_left = req.seq_len
    while tokens_left > 0:
        if len(self.free_blocks) <= 0:
            raise RuntimeError("OOM: pool exhausted")
        block_id = self.free_blocks.pop(0)
        req.block_table.append(block_id)
        tokens_left -= self.block_size
""",
    ),
    Wrong(
        name="helper grabs one and may fail",
        mission="1",
        mistakes=("prefill.check-inside-loop",),
        at=(
            "if len(self.free_blocks) == 0",
            'raise RuntimeError("OOM")',
            "req.block_table.append(self._grab())",
        ),
        code="""
def _grab(self):
    if len(self.free_blocks) == 0:
        raise RuntimeError("OOM")
    return self.free_blocks.pop(0)

def allocate_for_prefill(self, req):
    import math
    for _ in range(math.ceil(req.seq_len / self.block_size)):
        req.block_table.append(self._grab())
""",
    ),
    Wrong(
        name="comprehension trusts the pool",
        mission="1",
        mistakes=("prefill.no-capacity-check",),
        at="ids = [",
        code="""
def allocate_for_prefill(self, req):
    n_needed = -(-req.seq_len // self.block_size)
    ids = [self.free_blocks.pop(0) for _ in range(n_needed)]
    req.block_table.extend(ids)
""",
    ),
    Wrong(
        name="cpp countdown without a guard",
        mission="1",
        mistakes=("prefill.no-capacity-check",),
        at="block_id = self.free_blocks.pop(0)",
        code="""
def allocate_for_prefill(self, req: Request) -> None:
    bs = self.block_size
    remaining = (req.seq_len + bs - 1) // bs
    while remaining > 0:
        block_id = self.free_blocks.pop(0)
        req.block_table.append(block_id)
        remaining -= 1
    # TODO: OOM handling
""",
    ),
    Wrong(
        name="last one wins and nobody checked",
        mission="1",
        mistakes=("prefill.no-capacity-check", "prefill.keeps-last-only"),
        at=("blk = self.free_blocks.pop(0)", "req.block_table = [blk]"),
        code="""
def allocate_for_prefill(self, req):
    num = req.seq_len // self.block_size
    if req.seq_len % self.block_size != 0:
        num = num + 1
    for j in range(0, num):
        blk = self.free_blocks.pop(0)
        req.block_table = [blk]
""",
    ),
    Wrong(
        name="min of need and stock",
        mission="1",
        mistakes=("prefill.takes-what-there-is",),
        at="can_take = min(",
        code="""
def allocate_for_prefill(self, req):
    need = (req.seq_len + self.block_size - 1) // self.block_size
    can_take = min(need, len(self.free_blocks))
    if can_take == 0:
        raise RuntimeError("OOM")
    for _ in range(can_take):
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="slices are forgiving",
        mission="1",
        mistakes=("prefill.takes-what-there-is",),
        at="head = self.free_blocks[:k]",
        code="""
def allocate_for_prefill(self, req):
    k = -(req.seq_len // -self.block_size)   # ceil
    head = self.free_blocks[:k]
    del self.free_blocks[:k]
    req.block_table += head
""",
    ),
    Wrong(
        name="breaks off when nothing is left",
        mission="1",
        mistakes=("prefill.takes-what-there-is",),
        at=("if len(self.free_blocks) == 0", "break"),
        code="""
def allocate_for_prefill(self, req):
    total = (req.seq_len - 1) // self.block_size + 1
    for idx in range(total):
        if len(self.free_blocks) == 0:
            print("warning: 块不够了, got only", idx)
            break
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="value error says oom",
        mission="1",
        mistakes=("prefill.wrong-exception",),
        at="raise ValueError",
        code="""
def allocate_for_prefill(self, req: Request):
    need_num = int((req.seq_len + self.block_size - 1) / self.block_size)
    enough = need_num <= len(self.free_blocks)
    if not enough:
        raise ValueError("OOM")
    for _ in range(need_num):
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="slice without removing",
        mission="1",
        mistakes=("prefill.reads-without-removing",),
        at=("ids[:k]", "ids = list(self.free_blocks)"),
        code="""
def allocate_for_prefill(self, req):
    import numpy as np

    k = int(np.ceil(req.seq_len / self.block_size))
    ids = list(self.free_blocks)
    if k > len(ids):
        raise RuntimeError("OOM")
    req.block_table.extend(ids[:k])
""",
    ),
    Wrong(
        name="room counted on the whole pool",
        mission="1",
        mistakes=("prefill.compares-with-num-blocks",),
        at="if required > self.num_blocks",
        code="""
def allocate_for_prefill(self, req):
    required = len(range(0, req.seq_len, self.block_size))
    # self.num_blocks is how many blocks the cache has
    if required > self.num_blocks:
        raise RuntimeError("OOM")
    while required:
        required -= 1
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="block size as in cpp members",
        mission="1",
        mistakes=("structure.bare-name",),
        at="needed_blocks = ",
        code="""
def allocate_for_prefill(self, req: Request) -> None:
    needed_blocks = (req.seq_len + block_size - 1) // block_size
    if needed_blocks > len(self.free_blocks):
        raise RuntimeError("OOM")
    for _ in range(needed_blocks):
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="free list counts from one",
        mission="1",
        mistakes=("structure.edits-init",),
        at="range(1, num_blocks)",
        code="""
def __init__(self, num_blocks, block_size, head_dim):
    self.num_blocks = num_blocks
    self.block_size = block_size
    self.head_dim = head_dim
    self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim)
    # 块号从 1 开始
    self.free_blocks = list(range(1, num_blocks))

def allocate_for_prefill(self, req):
    need = (req.seq_len + self.block_size - 1) // self.block_size
    if need > len(self.free_blocks):
        raise RuntimeError("OOM")
    for _ in range(need):
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="one table for everybody",
        mission="1",
        mistakes=("structure.shared-class-attribute",),
        at="block_table = []",
        code="""
import torch
from typing import List

class Request:
    block_table = []

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
        if len(self.free_blocks) < needed_blocks:
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
        blocks = [self.physical_kv_cache[i] for i in req.block_table]
        return torch.cat(blocks, dim=0)[:req.seq_len]
""",
    ),
)

DECODE = (
    Wrong(
        name="student full means new",
        mission="2",
        mistakes=("decode.remainder-zero",),
        at="is_new_block_needed = ",
        code="""
def allocate_for_decode(self, req: Request) -> None:
    req.seq_len += 1
    # 能整除说明这个块满了, 要新的块
    is_new_block_needed = (req.seq_len % self.block_size) == 0
    if is_new_block_needed:
        if len(self.free_blocks) == 0:
            raise RuntimeError("OOM")
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="early way out on any rest",
        mission="2",
        mistakes=("decode.remainder-zero",),
        at=("if req.seq_len % bs:", "return"),
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    bs = self.block_size
    if req.seq_len % bs:
        return
    if not self.free_blocks: raise RuntimeError("OOM")
    blk, *self.free_blocks = self.free_blocks
    req.block_table.append(blk)
""",
    ),
    Wrong(
        name="divmod rest is none",
        mission="2",
        mistakes=("decode.remainder-zero", "decode.wrong-exception"),
        at=("if not slot", "raise MemoryError"),
        code="""
def allocate_for_decode(self, req: Request) -> None:
    req.seq_len += 1
    row, slot = divmod(req.seq_len, self.block_size)
    if not slot:
        # slot 0 of the next block
        if not self.free_blocks:
            raise MemoryError(f"OOM while growing to block {row}")
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="crossing tested too soon",
        mission="2",
        mistakes=("decode.condition-before-increment",),
        at="crossed = ",
        code="""
def allocate_for_decode(self, req):
    crossed = req.seq_len % self.block_size == 1
    req.seq_len += 1
    if crossed:
        if not self.free_blocks:
            raise RuntimeError("OOM")
        new_id = self.free_blocks.pop(0)
        req.block_table.append(new_id)
""",
    ),
    Wrong(
        name="cpp keeps the old length",
        mission="2",
        mistakes=("decode.condition-before-increment",),
        at="if (old_len % self.block_size) == 1",
        code="""
def allocate_for_decode(self, req: Request) -> None:
    old_len = req.seq_len
    req.seq_len = old_len + 1
    if (old_len % self.block_size) == 1:
        if len(self.free_blocks) > 0:
            req.block_table.append(self.free_blocks.pop(0))
        else:
            raise RuntimeError("OOM")
""",
    ),
    Wrong(
        name="helper called before the plus",
        mission="2",
        mistakes=("decode.condition-before-increment", "decode.message-without-oom"),
        at=("flag = self._is_first_slot(req)", "Out of memory"),
        code="""
def _is_first_slot(self, r):
    return (r.seq_len % self.block_size) == 1

def allocate_for_decode(self, req):
    flag = self._is_first_slot(req)
    req.seq_len += 1
    if flag and not self.free_blocks:
        raise RuntimeError("Out of memory")
    if flag:
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="one block per token",
        mission="2",
        mistakes=("decode.always-allocates",),
        at=("new_block = self.free_blocks.pop(0)", "if not self.free_blocks"),
        code="""
def allocate_for_decode(self, req):
    # 每生成一个 token 就分配一个块
    req.seq_len += 1
    if not self.free_blocks:
        raise RuntimeError("OOM")
    new_block = self.free_blocks.pop(0)
    req.block_table.append(new_block)
""",
    ),
    Wrong(
        name="flag stuck at true",
        mission="2",
        mistakes=("decode.always-allocates",),
        at="is_new_block_needed = True",
        code="""
def allocate_for_decode(self, req: Request) -> None:
    req.seq_len += 1
    is_new_block_needed = True  # one new token -> one new block
    if is_new_block_needed:
        try:
            block_id = self.free_blocks.pop(0)
        except IndexError:
            raise RuntimeError("OOM") from None
        req.block_table.append(block_id)
""",
    ),
    Wrong(
        name="remainder at least nought",
        mission="2",
        mistakes=("decode.always-allocates", "decode.no-empty-check"),
        at=(">= 0", "self.free_blocks.pop(0)"),
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    if (pos := req.seq_len % self.block_size) >= 0:
        print("pos in block:", pos)
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="index error passed on",
        mission="2",
        mistakes=("decode.wrong-exception",),
        at="raise IndexError",
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    if req.seq_len % self.block_size == 1:
        try:
            nxt = self.free_blocks.pop(0)
        except IndexError as err:
            raise IndexError("OOM") from err
        req.block_table.append(nxt)
""",
    ),
    Wrong(
        name="own exception class",
        mission="2",
        mistakes=("decode.wrong-exception",),
        at=("class OutOfBlocks(Exception)", "raise OutOfBlocks"),
        code="""
def allocate_for_decode(self, req: Request) -> None:
    class OutOfBlocks(Exception):
        pass

    req.seq_len += 1
    needs_block = (req.seq_len - 1) % self.block_size == 0
    if not needs_block:
        return
    if len(self.free_blocks) < 1:
        raise OutOfBlocks("OOM")
    req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="complains in chinese only",
        mission="2",
        mistakes=("decode.message-without-oom",),
        at="显存不足",
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    yu_shu = req.seq_len % self.block_size
    if yu_shu == 1:
        # 跨界了, 补一个块
        if len(self.free_blocks) == 0:
            raise RuntimeError("显存不足, 没有空闲的物理块")
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="any rest is a new block",
        mission="2",
        mistakes=("decode.remainder-nonzero",),
        at="need_new = ",
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    need_new = bool(req.seq_len % self.block_size)
    if need_new and not len(self.free_blocks):
        raise RuntimeError("OOM")
    if need_new:
        req.block_table += [self.free_blocks.pop(0)]
""",
    ),
    Wrong(
        name="zero based last slot",
        mission="2",
        mistakes=("decode.remainder-last-slot",),
        at="offset == self.block_size - 1",
        code="""
def allocate_for_decode(self, req: Request) -> None:
    req.seq_len += 1
    offset = req.seq_len % self.block_size
    if offset == self.block_size - 1:
        if not self.free_blocks:
            raise RuntimeError("OOM")
        block = self.free_blocks[0]
        self.free_blocks = self.free_blocks[1:]
        req.block_table.append(block)
""",
    ),
    Wrong(
        name="capacity reached so grow",
        mission="2",
        mistakes=("decode.one-step-early",),
        at="req.seq_len >= capacity",
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    capacity = len(req.block_table) * self.block_size
    if req.seq_len >= capacity:
        if not self.free_blocks:
            raise RuntimeError("OOM")
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="cpp precondition at the top",
        mission="2",
        mistakes=("decode.check-outside-condition",),
        at=("if len(self.free_blocks) == 0", 'raise RuntimeError("OOM")'),
        code="""
def allocate_for_decode(self, req: Request) -> None:
    # precondition
    if len(self.free_blocks) == 0:
        raise RuntimeError("OOM")

    req.seq_len += 1
    is_new_block_needed = (req.seq_len % self.block_size) == 1
    if is_new_block_needed:
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="forgets what it took",
        mission="2",
        mistakes=("decode.pops-without-appending",),
        at="block_id = self.free_blocks.pop(0)",
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    is_new = req.seq_len % self.block_size == 1
    if is_new:
        if not self.free_blocks:
            raise RuntimeError("OOM")
        block_id = self.free_blocks.pop(0)
        print(f"req {req.request_id} -> new block {block_id}")
    return is_new
""",
    ),
    Wrong(
        name="counts the token again in the branch",
        mission="2",
        mistakes=("decode.increments-twice",),
        at="req.seq_len = req.seq_len + 1",
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    is_new_block_needed = (req.seq_len % self.block_size) == 1
    if is_new_block_needed:
        if not self.free_blocks:
            raise RuntimeError("OOM")
        req.block_table.append(self.free_blocks.pop(0))
    # 新 token 写进去, 长度加一
    req.seq_len = req.seq_len + 1
""",
    ),
    Wrong(
        name="place held before the check",
        mission="2",
        mistakes=("decode.half-updates-on-oom",),
        at=("req.block_table.append(-1)", "if not self.free_blocks"),
        code="""
def allocate_for_decode(self, req: Request) -> None:
    req.seq_len += 1
    if req.seq_len % self.block_size != 1:
        return
    req.block_table.append(-1)  # reserve the slot, fill it in below
    if not self.free_blocks:
        raise RuntimeError("OOM")
    req.block_table[-1] = self.free_blocks.pop(0)
""",
    ),
    Wrong(
        name="shrugs when the pool is dry",
        mission="2",
        mistakes=("decode.skips-silently-when-empty",),
        at=("if req.seq_len % self.block_size == 1 and self.free_blocks", "req.block_table.append"),
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    if req.seq_len % self.block_size == 1 and self.free_blocks:
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="todo name renamed half way",
        mission="2",
        mistakes=("structure.unbound-name",),
        at="if is_new_block_needed",
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    need_new_block = req.seq_len % self.block_size == 1
    if is_new_block_needed:
        if not self.free_blocks:
            raise RuntimeError("OOM")
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="cpp implicit this",
        mission="2",
        mistakes=("structure.missing-self",),
        at="def allocate_for_decode(req)",
        code="""
def allocate_for_decode(req):
    req.seq_len += 1
    if (req.seq_len % self.block_size) == 1:
        if not self.free_blocks:
            raise RuntimeError("OOM")
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="assignment where a test belongs",
        mission="2",
        mistakes=("structure.syntax",),
        at="if req.seq_len % self.block_size = 1",
        code="""
import torch

class Request:
    def __init__(self, request_id, prompt_len):
        self.request_id = request_id
        self.seq_len = prompt_len
        self.block_table = []

class KVCacheManager:
    def __init__(self, num_blocks, block_size, head_dim):
        self.num_blocks, self.block_size, self.head_dim = num_blocks, block_size, head_dim
        self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim)
        self.free_blocks = list(range(num_blocks))

    def allocate_for_prefill(self, req):
        n = -(-req.seq_len // self.block_size)
        if n > len(self.free_blocks):
            raise RuntimeError("OOM")
        for _ in range(n):
            req.block_table.append(self.free_blocks.pop(0))

    def allocate_for_decode(self, req):
        req.seq_len += 1
        if req.seq_len % self.block_size = 1:
            if not self.free_blocks:
                raise RuntimeError("OOM")
            req.block_table.append(self.free_blocks.pop(0))

    def get_physical_cache(self, req):
        return torch.cat([self.physical_kv_cache[b] for b in req.block_table])[: req.seq_len]
""",
    ),
)

GATHER = (
    Wrong(
        name="fancy index and done",
        mission="3",
        mistakes=("gather.missing-cat",),
        at="return self.physical_kv_cache[req.block_table]",
        code="""
def get_physical_cache(self, req):
    # advanced indexing picks the rows in order
    return self.physical_kv_cache[req.block_table][: req.seq_len]
""",
    ),
    Wrong(
        name="hands back the list",
        mission="3",
        mistakes=("gather.missing-cat",),
        at="return blocks[:req.seq_len]",
        code="""
def get_physical_cache(self, req: Request):
    blocks = []
    for wu_li_id in req.block_table:
        kuai = self.physical_kv_cache[wu_li_id]   # [block_size, head_dim]
        blocks.append(kuai)
    # 截尾
    return blocks[:req.seq_len]
""",
    ),
    Wrong(
        name="index select stays three deep",
        mission="3",
        mistakes=("gather.missing-cat",),
        at=("torch.index_select(", "gathered[0 : req.seq_len]"),
        code="""
def get_physical_cache(self, req):
    table = torch.tensor(req.block_table, dtype=torch.long)
    gathered = torch.index_select(self.physical_kv_cache, 0, table)
    print(gathered.shape)
    result = gathered[0 : req.seq_len]
    return result
""",
    ),
    Wrong(
        name="side by side by position",
        mission="3",
        mistakes=("gather.cat-dim-one",),
        at="torch.cat(parts, 1)",
        code="""
def get_physical_cache(self, req):
    parts = [self.physical_kv_cache[i] for i in req.block_table]
    joined = torch.cat(parts, 1)
    return joined[:req.seq_len]
""",
    ),
    Wrong(
        name="hstack like in numpy",
        mission="3",
        mistakes=("gather.cat-dim-one",),
        at="torch.hstack(",
        code="""
def get_physical_cache(self, req):
    pool = self.physical_kv_cache
    seq = torch.hstack(tuple(pool[b] for b in req.block_table))
    return seq[: req.seq_len, :]
""",
    ),
    Wrong(
        name="last axis and columns cut",
        mission="3",
        mistakes=("gather.cat-dim-one", "gather.slices-heads"),
        at=("dim=-1", "[:, :req.seq_len]"),
        code="""
def get_physical_cache(self, req: Request) -> torch.Tensor:
    blocks = list(map(lambda bid: self.physical_kv_cache[bid], req.block_table))
    cat_blocks = torch.cat(blocks, dim=-1)
    return cat_blocks[:, :req.seq_len]
""",
    ),
    Wrong(
        name="student forgets the tail",
        mission="3",
        mistakes=("gather.missing-slice",),
        at="return pin_jie",
        code="""
def get_physical_cache(self, req):
    # 1. 取块 2. 拼接 3. 返回
    kuai_lie_biao = [self.physical_kv_cache[k] for k in req.block_table]
    pin_jie = torch.cat(kuai_lie_biao, dim=0)
    return pin_jie
""",
    ),
    Wrong(
        name="reshape keeps every row",
        mission="3",
        mistakes=("gather.missing-slice",),
        at="reshape(-1, self.head_dim)",
        code="""
def get_physical_cache(self, req):
    return self.physical_kv_cache[req.block_table].reshape(-1, self.head_dim)
""",
    ),
    Wrong(
        name="cut thrown away",
        mission="3",
        mistakes=("gather.missing-slice",),
        at=("    out[: req.seq_len]", "return out"),
        code="""
def get_physical_cache(self, req: Request) -> torch.Tensor:
    out = self.physical_kv_cache[req.block_table[0]]
    for block_id in req.block_table[1:]:
        out = torch.cat((out, self.physical_kv_cache[block_id]), dim=0)
    out[: req.seq_len]  # drop the unused slots
    return out
""",
    ),
    Wrong(
        name="reads in address order",
        mission="3",
        mistakes=("gather.sorts-ids",),
        at="in sorted(req.block_table)",
        code="""
def get_physical_cache(self, req):
    acc = []
    for block_id in sorted(req.block_table):
        acc.append(self.physical_kv_cache[block_id, :, :])
    return torch.cat(acc, dim=0)[:req.seq_len, :]
""",
    ),
    Wrong(
        name="cpp sorts a copy",
        mission="3",
        mistakes=("gather.sorts-ids",),
        at="ids.sort()",
        code="""
def get_physical_cache(self, req: Request) -> torch.Tensor:
    ids = list(req.block_table)  # copy, do not touch the original
    ids.sort()
    result = torch.empty(len(ids) * self.block_size, self.head_dim)
    for i in range(len(ids)):
        begin = i * self.block_size
        end = begin + self.block_size
        result[begin:end] = self.physical_kv_cache[ids[i]]
    return result[:req.seq_len]
""",
    ),
    Wrong(
        name="numpy sort and every row",
        mission="3",
        mistakes=("gather.sorts-ids", "gather.missing-slice"),
        at=("np.sort(", "torch.vstack("),
        code="""
def get_physical_cache(self, req):
    import numpy as np
    order = np.sort(np.asarray(req.block_table))
    return torch.vstack([self.physical_kv_cache[int(o)] for o in order])
""",
    ),
    Wrong(
        name="position taken for address",
        mission="3",
        mistakes=("gather.logical-as-physical", "gather.slice-off-by-one"),
        at=("range(len(req.block_table))", "req.seq_len - 1"),
        code="""
def get_physical_cache(self, req):
    blocks = [self.physical_kv_cache[i] for i in range(len(req.block_table))]
    cat_blocks = torch.cat(blocks, dim=0)
    return cat_blocks[:req.seq_len - 1]  # index starts at 0
""",
    ),
    Wrong(
        name="enumerate takes the wrong half",
        mission="3",
        mistakes=("gather.logical-as-physical",),
        at=("self.physical_kv_cache[idx]", "for idx, phys in enumerate"),
        code="""
def get_physical_cache(self, req):
    chunks = []
    for idx, phys in enumerate(req.block_table):
        chunks.append(self.physical_kv_cache[idx])
    return torch.concat(chunks)[:req.seq_len]
""",
    ),
    Wrong(
        name="token by token past the table",
        mission="3",
        mistakes=("gather.logical-as-physical",),
        at=("self.physical_kv_cache[blk][slot]", "blk, slot = divmod"),
        code="""
def get_physical_cache(self, req):
    rows = []
    t = 0
    while t < req.seq_len:
        blk, slot = divmod(t, self.block_size)
        rows.append(self.physical_kv_cache[blk][slot])
        t += 1
    return torch.stack(rows)
""",
    ),
    Wrong(
        name="stack instead of join",
        mission="3",
        mistakes=("gather.stacks",),
        at="torch.stack(",
        code="""
def get_physical_cache(self, req):
    blocks = [self.physical_kv_cache[block_id] for block_id in req.block_table]
    cat_blocks = torch.stack(blocks, dim=0)
    print(cat_blocks.shape)
    return cat_blocks[:req.seq_len]
""",
    ),
    Wrong(
        name="full last block has no rest",
        mission="3",
        mistakes=("gather.slice-by-remainder",),
        at=("used = req.seq_len % self.block_size", "last[:used]", "return torch.cat(pieces, dim=0)"),
        code="""
def get_physical_cache(self, req: Request) -> torch.Tensor:
    *front, last_id = req.block_table
    used = req.seq_len % self.block_size
    last = self.physical_kv_cache[last_id]
    pieces = [self.physical_kv_cache[b] for b in front]
    pieces.append(last[:used])
    return torch.cat(pieces, dim=0)
""",
    ),
    Wrong(
        name="eats the table while reading",
        mission="3",
        mistakes=("gather.changes-table",),
        at="bid = req.block_table.pop(0)",
        code="""
def get_physical_cache(self, req):
    got = []
    while req.block_table:
        bid = req.block_table.pop(0)
        got.append(self.physical_kv_cache[bid])
    return torch.cat(got, dim=0)[:req.seq_len]
""",
    ),
    Wrong(
        name="cell ends in a bare expression",
        mission="3",
        mistakes=("gather.no-return",),
        at="    cat_blocks[:req.seq_len]",
        code="""
def get_physical_cache(self, req):
    blocks = [self.physical_kv_cache[b] for b in req.block_table]
    cat_blocks = torch.cat(blocks, dim=0)
    cat_blocks[:req.seq_len]
""",
    ),
    Wrong(
        name="ravels every block",
        mission="3",
        mistakes=("gather.flattens-to-one-dim",),
        at=".ravel()",
        code="""
def get_physical_cache(self, req):
    flat = torch.cat([self.physical_kv_cache[p].ravel() for p in req.block_table])
    return flat[: req.seq_len * self.head_dim]
""",
    ),
    Wrong(
        name="attribute in the plural",
        mission="3",
        mistakes=("structure.misspelt-attribute",),
        at="self.physical_kv_caches",
        code="""
def get_physical_cache(self, req: Request) -> torch.Tensor:
    blocks = [self.physical_kv_caches[block_id] for block_id in req.block_table]
    return torch.cat(blocks, dim=0)[:req.seq_len]
""",
    ),
    Wrong(
        name="pasted outside the class",
        mission="3",
        mistakes=("structure.missing-method",),
        at="def get_physical_cache(self, req)",
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
        self.free_blocks: List[int] = list(range(num_blocks))

    def allocate_for_prefill(self, req):
        needed = (req.seq_len + self.block_size - 1) // self.block_size
        if needed > len(self.free_blocks):
            raise RuntimeError("OOM")
        for _ in range(needed):
            req.block_table.append(self.free_blocks.pop(0))

    def allocate_for_decode(self, req):
        req.seq_len += 1
        if req.seq_len % self.block_size == 1:
            if not self.free_blocks:
                raise RuntimeError("OOM")
            req.block_table.append(self.free_blocks.pop(0))

def get_physical_cache(self, req):
    blocks = [self.physical_kv_cache[i] for i in req.block_table]
    return torch.cat(blocks, dim=0)[:req.seq_len]
""",
    ),
)

WRONG = PREFILL + DECODE + GATHER
