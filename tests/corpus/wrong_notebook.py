"""Wrong files in the hand of students who work in notebooks and half-remember the lesson."""

from __future__ import annotations

from tests.corpus.wrong import Wrong

PREFILL = (
    Wrong(
        name="int around a slash",
        mission="1",
        mistakes=("prefill.floor-division",),
        at="n_blk = int(",
        code="""
def allocate_for_prefill(self, req: Request) -> None:
    # 算出需要几个块，注意要转成整数，不然 range 会报错
    n_blk = int(req.seq_len / self.block_size)
    print("需要的块数:", n_blk)
    if n_blk > len(self.free_blocks):
        raise RuntimeError("OOM")
    for k in range(n_blk):
        bid = self.free_blocks.pop(0)
        req.block_table.append(bid)
    print(req.block_table)
""",
    ),
    Wrong(
        name="divmod and the rest forgotten",
        mission="1",
        mistakes=("prefill.floor-division",),
        at="boxes_needed, rest = divmod",
        code="""
def allocate_for_prefill(self, req):
    item_count = req.seq_len
    box_capacity = self.block_size
    boxes_needed, rest = divmod(item_count, box_capacity)
    available = self.free_blocks
    # 先检查容量
    if len(available) < boxes_needed:
        raise RuntimeError('OOM')
    for _ in range(boxes_needed):
        req.block_table.append(available.pop(0))
""",
    ),
    Wrong(
        name="a global helper with math.floor",
        mission="1",
        mistakes=("prefill.floor-division",),
        at="return math.floor(",
        code='''
# %%
import math
from typing import List
import torch

# %%
def blocks_for(tokens: int, size: int) -> int:
    """token 数 -> 块数"""
    return math.floor(tokens / size)

# %%
class Request:
    def __init__(self, request_id, prompt_len):
        self.request_id = request_id
        self.seq_len = prompt_len
        self.block_table: List[int] = []

# %%
class KVCacheManager:
    def __init__(self, num_blocks, block_size, head_dim):
        self.num_blocks = num_blocks
        self.block_size = block_size
        self.head_dim = head_dim
        self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim)
        self.free_blocks = list(range(num_blocks))

    def allocate_for_prefill(self, req):
        need = blocks_for(req.seq_len, self.block_size)
        if need > len(self.free_blocks):
            raise RuntimeError("OOM")
        for _ in range(need):
            req.block_table.append(self.free_blocks.pop(0))

    def allocate_for_decode(self, req):
        req.seq_len += 1
        if req.seq_len % self.block_size == 1:
            if len(self.free_blocks) == 0:
                raise RuntimeError("OOM")
            req.block_table.append(self.free_blocks.pop(0))

    def get_physical_cache(self, req):
        ordered = [self.physical_kv_cache[i] for i in req.block_table]
        return torch.cat(ordered, dim=0)[:req.seq_len]

# %%
mgr = KVCacheManager(10, 4, 64)
print(mgr.free_blocks)
''',
    ),
    Wrong(
        name="always one more for the tail",
        mission="1",
        mistakes=("prefill.floor-plus-one",),
        at="needed = full + 1",
        code="""
def allocate_for_prefill(self, req: Request):
    full = req.seq_len // self.block_size     # 装满的块
    needed = full + 1                         # 再加一个尾块
    if needed > len(self.free_blocks):
        raise RuntimeError("OOM: 需要 %d 块" % needed)
    while needed:
        req.block_table.append(self.free_blocks.pop(0))
        needed -= 1
""",
    ),
    Wrong(
        name="the minus one lost and a full pool refused",
        mission="1",
        mistakes=("prefill.floor-plus-one", "prefill.refuses-exact-fit"),
        at=("k = (req.seq_len + self.block_size)", "if k >= len("),
        code="""
def allocate_for_prefill(self, req):
    # 向上取整公式 (a + b) // b
    k = (req.seq_len + self.block_size) // self.block_size
    if k >= len(self.free_blocks):
        raise RuntimeError("OOM")
    got = []
    for _ in range(k):
        got.append(self.free_blocks.pop(0))
    req.block_table.extend(got)
""",
    ),
    Wrong(
        name="boxes counted while they hold no more than the items",
        mission="1",
        mistakes=("prefill.floor-plus-one",),
        at="while boxes * self.block_size <=",
        code="""
def allocate_for_prefill(self, req):
    boxes = 0
    # 一直加箱子，直到装得下
    while boxes * self.block_size <= req.seq_len:
        boxes += 1
    print('boxes =', boxes, 'free =', len(self.free_blocks))
    if boxes > len(self.free_blocks):
        raise RuntimeError('OOM')
    for i in range(boxes):
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="python's round",
        mission="1",
        mistakes=("prefill.rounds-to-nearest",),
        at="cnt: int = round(",
        code='''
def allocate_for_prefill(self, req: Request) -> None:
    """给 prompt 分配物理块"""
    cnt: int = round(req.seq_len / self.block_size)   # 取整
    free: List[int] = self.free_blocks
    if cnt > len(free):
        raise RuntimeError("OOM")
    for _ in range(cnt):
        first: int = free.pop(0)
        req.block_table.append(first)
''',
    ),
    Wrong(
        name="half added then int",
        mission="1",
        mistakes=("prefill.rounds-to-nearest",),
        at="return int(x + 0.5)",
        code="""
def allocate_for_prefill(self, req):
    def up(x):
        # 不想 import math，自己写一个向上取整
        return int(x + 0.5)

    needed_boxes = up(req.seq_len / self.block_size)
    if len(self.free_blocks) < needed_boxes:
        raise RuntimeError("OOM")
    for _ in range(needed_boxes):
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="half a block added and each pop checked",
        mission="1",
        mistakes=("prefill.rounds-to-nearest", "prefill.check-inside-loop"),
        at=(
            "num = (req.seq_len + size // 2)",
            "if not self.free_blocks:  # 没了",
            'raise RuntimeError("OOM 没有空闲块")',
        ),
        code="""
def allocate_for_prefill(self, req):
    size = self.block_size
    num = (req.seq_len + size // 2) // size
    for _ in range(num):
        if not self.free_blocks:  # 没了
            raise RuntimeError("OOM 没有空闲块")
        block = self.free_blocks.pop(0)
        req.block_table.append(block)
""",
    ),
    Wrong(
        name="math.ceil of a floor with FULL copied",
        mission="1",
        mistakes=("prefill.ceil-after-floor", "prefill.message-without-oom"),
        at=("math.ceil(req.seq_len // self.block_size)", "raise RuntimeError('FULL')"),
        code="""
def allocate_for_prefill(self, req):
    import math
    boxes_needed = math.ceil(req.seq_len // self.block_size)  # ceil = 向上取整
    if boxes_needed > len(self.free_blocks):
        raise RuntimeError('FULL')
    for _ in range(boxes_needed):
        box = self.free_blocks.pop(0)
        req.block_table.append(box)
""",
    ),
    Wrong(
        name="math.ceil of an int",
        mission="1",
        mistakes=("prefill.ceil-after-floor",),
        at="ratio = int(req.seq_len / self.block_size)",
        code="""
def allocate_for_prefill(self, req):
    from math import ceil
    ratio = int(req.seq_len / self.block_size)
    total = ceil(ratio)
    print(f"{req.seq_len} tokens -> {total} blocks")
    if total <= len(self.free_blocks):
        for _ in range(total):
            req.block_table.append(self.free_blocks.pop(0))
    else:
        raise RuntimeError("OOM")
""",
    ),
    Wrong(
        name="one added where size minus one belongs",
        mission="1",
        mistakes=("prefill.plus-one-then-floor",),
        at="needs = (req.seq_len + 1)",
        code="""
def allocate_for_prefill(self, req):
    needs = (req.seq_len + 1) // self.block_size  # +1 再整除就是向上取整
    enough = len(self.free_blocks) >= needs
    if not enough:
        raise RuntimeError("OOM")
    for j in range(0, needs):
        req.block_table += [self.free_blocks.pop(0)]
""",
    ),
    Wrong(
        name="a float into range",
        mission="1",
        mistakes=("prefill.float-count",),
        at=("boxes = (req.seq_len + self.block_size - 1) /", "in range(boxes)"),
        code="""
def allocate_for_prefill(self, req):
    # boxes_needed = (item_count + box_capacity - 1) / box_capacity
    boxes = (req.seq_len + self.block_size - 1) / self.block_size
    if boxes > len(self.free_blocks):
        raise RuntimeError("OOM")
    for _ in range(boxes):
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="capacity typed as four and a bare Exception",
        mission="1",
        mistakes=("prefill.hard-coded-block-size", "prefill.wrong-exception"),
        at=("box_capacity = 4", "boxes_needed = (req.seq_len + box_capacity", 'raise Exception("OOM")'),
        code="""
def allocate_for_prefill(self, req):
    box_capacity = 4
    boxes_needed = (req.seq_len + box_capacity - 1) // box_capacity
    if len(self.free_blocks) < boxes_needed:
        raise Exception("OOM")
    for _ in range(boxes_needed):
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="a block for each token",
        mission="1",
        mistakes=("prefill.one-block-per-token",),
        at="need = len(tokens)",
        code="""
def allocate_for_prefill(self, req):
    tokens = list(range(req.seq_len))
    need = len(tokens)   # 每个 token 都要放进去
    if need > len(self.free_blocks):
        raise RuntimeError("OOM")
    for t in tokens:
        slot = self.free_blocks.pop(0)
        print("token", t, "->", slot)
        req.block_table.append(slot)
""",
    ),
    Wrong(
        name="a ceil and then straight to popping",
        mission="1",
        mistakes=("prefill.no-capacity-check",),
        at=("for _ in range(how_many)", "head = self.free_blocks.pop(0)"),
        code="""
def allocate_for_prefill(self, req):
    import math
    how_many = math.ceil(req.seq_len / self.block_size)
    print("how_many", how_many)
    for _ in range(how_many):
        head = self.free_blocks.pop(0)
        req.block_table.append(head)
    # pop 空列表会自己报错的吧
""",
    ),
    Wrong(
        name="a countdown without a check",
        mission="1",
        mistakes=("prefill.no-capacity-check",),
        at=("while left > 0", "req.block_table.append(self.free_blocks.pop(0))"),
        code="""
def allocate_for_prefill(self, req):
    left = req.seq_len
    while left > 0:
        # 每个块装 block_size 个 token
        req.block_table.append(self.free_blocks.pop(0))
        left = left - self.block_size
""",
    ),
    Wrong(
        name="the check commented out for debugging",
        mission="1",
        mistakes=("prefill.no-capacity-check",),
        at="taken = [self.free_blocks.pop(0) for",
        code="""
def allocate_for_prefill(self, req):
    q, r = divmod(req.seq_len, self.block_size)
    boxes_needed = q + (1 if r else 0)
    # if len(available) < boxes_needed:
    #     raise RuntimeError('FULL')
    taken = [self.free_blocks.pop(0) for _ in range(boxes_needed)]
    req.block_table.extend(taken)
    print("assigned:", req.block_table, "available:", self.free_blocks)
""",
    ),
    Wrong(
        name="length of the pool asked before every pop",
        mission="1",
        mistakes=("prefill.check-inside-loop",),
        at=("if len(pool) == 0:", 'raise RuntimeError("OOM 显存不够")'),
        code="""
def allocate_for_prefill(self, req):
    boxes = (req.seq_len + self.block_size - 1) // self.block_size
    pool = self.free_blocks
    for n in range(boxes):
        if len(pool) == 0:
            raise RuntimeError("OOM 显存不够")
        req.block_table.append(pool.pop(0))
        print(n, pool)
""",
    ),
    Wrong(
        name="a nested taker that checks for itself",
        mission="1",
        mistakes=("prefill.check-inside-loop",),
        at=(
            "if self.free_blocks == []:",
            'raise RuntimeError("OOM!")',
            "while len(req.block_table) < needed",
        ),
        code="""
def allocate_for_prefill(self, req):
    def take_one():
        if self.free_blocks == []:
            raise RuntimeError("OOM!")
        return self.free_blocks.pop(0)

    needed = -(-req.seq_len // self.block_size)
    while len(req.block_table) < needed:
        req.block_table.append(take_one())
""",
    ),
    Wrong(
        name="min of the need and the stock",
        mission="1",
        mistakes=("prefill.takes-what-there-is",),
        at="boxes = min(",
        code="""
def allocate_for_prefill(self, req):
    import math
    boxes = math.ceil(req.seq_len / self.block_size)
    # 不能超过空闲的数量
    boxes = min(boxes, len(self.free_blocks))
    for _ in range(boxes):
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="a slice from the front of the pool",
        mission="1",
        mistakes=("prefill.takes-what-there-is",),
        at="chosen: List[int] = self.free_blocks[:m]",
        code="""
def allocate_for_prefill(self, req: Request) -> List[int]:
    m: int = (req.seq_len + self.block_size - 1) // self.block_size
    chosen: List[int] = self.free_blocks[:m]
    self.free_blocks = self.free_blocks[m:]
    req.block_table += chosen
    return chosen
""",
    ),
    Wrong(
        name="a break when nothing is left",
        mission="1",
        mistakes=("prefill.takes-what-there-is",),
        at=("if len(self.free_blocks) < 1:", "break"),
        code="""
def allocate_for_prefill(self, req):
    need = req.seq_len // self.block_size
    if req.seq_len % self.block_size != 0:
        need = need + 1
    for _ in range(need):
        if len(self.free_blocks) < 1:
            print("没有空闲块了")
            break
        x = self.free_blocks.pop(0)
        req.block_table.append(x)
""",
    ),
    Wrong(
        name="the size of the whole cache in the check",
        mission="1",
        mistakes=("prefill.compares-with-num-blocks",),
        at="if boxes_needed > self.num_blocks",
        code="""
def allocate_for_prefill(self, req):
    boxes_needed = (req.seq_len + self.block_size - 1) // self.block_size
    available = self.free_blocks
    if boxes_needed > self.num_blocks:
        raise RuntimeError("OOM")
    for _ in range(boxes_needed):
        block_id = available.pop(0)
        req.block_table.append(block_id)
""",
    ),
    Wrong(
        name="tokens against blocks",
        mission="1",
        mistakes=("prefill.compares-tokens-with-blocks",),
        at="if available < item_count",
        code="""
def allocate_for_prefill(self, req):
    item_count = req.seq_len
    available = len(self.free_blocks)
    if available < item_count:
        raise RuntimeError("OOM")
    needed_blocks = (item_count + self.block_size - 1) // self.block_size
    for _ in range(needed_blocks):
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="try and except around the loop",
        mission="1",
        mistakes=("prefill.catches-without-giving-back",),
        at=("except IndexError", 'raise RuntimeError("OOM: pool is empty")'),
        code="""
def allocate_for_prefill(self, req):
    count = (req.seq_len + self.block_size - 1) // self.block_size
    try:
        for _ in range(count):
            req.block_table.append(self.free_blocks.pop(0))
    except IndexError as e:
        print("err:", e)
        raise RuntimeError("OOM: pool is empty")
""",
    ),
    Wrong(
        name="a ValueError that says OOM",
        mission="1",
        mistakes=("prefill.wrong-exception",),
        at="raise ValueError(",
        code="""
def allocate_for_prefill(self, req):
    nb = sum(1 for _ in range(0, req.seq_len, self.block_size))
    if nb > len(self.free_blocks):
        raise ValueError(f"OOM: need {nb}, only {len(self.free_blocks)} free")
    for _ in range(nb):
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="MemoryError and blocks only looked at",
        mission="1",
        mistakes=("prefill.wrong-exception", "prefill.reads-without-removing"),
        at=("raise MemoryError(", "req.block_table.append(self.free_blocks[i])"),
        code="""
def allocate_for_prefill(self, req):
    need = (req.seq_len + self.block_size - 1) // self.block_size
    if len(self.free_blocks) < need:
        # out of memory 当然是 MemoryError
        raise MemoryError("OOM")
    for i in range(need):
        req.block_table.append(self.free_blocks[i])
""",
    ),
    Wrong(
        name="a message in Chinese alone",
        mission="1",
        mistakes=("prefill.message-without-oom",),
        at="raise RuntimeError(msg)",
        code="""
def allocate_for_prefill(self, req):
    full_boxes, tail = divmod(req.seq_len, self.block_size)
    need = full_boxes + 1 if tail > 0 else full_boxes
    msg = "显存不足，空闲块不够"
    if need > len(self.free_blocks):
        raise RuntimeError(msg)
    for _ in range(need):
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="False handed back",
        mission="1",
        mistakes=("prefill.returns-instead-of-raising",),
        at="return False",
        code="""
def allocate_for_prefill(self, req) -> bool:
    import math
    needed = math.ceil(req.seq_len / self.block_size)
    if needed > len(self.free_blocks):
        return False   # OOM
    for _ in range(needed):
        req.block_table.append(self.free_blocks.pop(0))
    return True
""",
    ),
    Wrong(
        name="enumerate keeps the counter",
        mission="1",
        mistakes=("prefill.appends-loop-index",),
        at=("req.block_table.append(idx)",),
        code="""
def allocate_for_prefill(self, req):
    needed = (req.seq_len + self.block_size - 1) // self.block_size
    if needed > len(self.free_blocks):
        raise RuntimeError("OOM")
    boxes = [self.free_blocks.pop(0) for _ in range(needed)]
    for idx, box in enumerate(boxes):
        req.block_table.append(idx)
        print("逻辑块", idx, "物理块", box)
""",
    ),
    Wrong(
        name="a local table grows",
        mission="1",
        mistakes=("prefill.drops-new-list",),
        at=("assigned = assigned + [", "print(assigned)"),
        code="""
def allocate_for_prefill(self, req):
    boxes_needed = (req.seq_len + self.block_size - 1) // self.block_size
    assigned = req.block_table
    if len(self.free_blocks) < boxes_needed:
        raise RuntimeError('OOM')
    for _ in range(boxes_needed):
        assigned = assigned + [self.free_blocks.pop(0)]
    print(assigned)
""",
    ),
    Wrong(
        name="the slice appended whole",
        mission="1",
        mistakes=("prefill.nests-a-list",),
        at="req.block_table.append(picked)",
        code="""
def allocate_for_prefill(self, req):
    n = -(-req.seq_len // self.block_size)
    if n > len(self.free_blocks):
        raise RuntimeError("OOM")
    picked = self.free_blocks[0:n]
    del self.free_blocks[0:n]
    req.block_table.append(picked)
""",
    ),
)

DECODE = (
    Wrong(
        name="rows of seats with remainder zero",
        mission="2",
        mistakes=("decode.remainder-zero",),
        at="needs_row = (req.seq_len % seats_per_row) == 0",
        code="""
def allocate_for_decode(self, req):
    seats_per_row = self.block_size
    req.seq_len += 1
    needs_row = (req.seq_len % seats_per_row) == 0   # 余数为 0 说明满了，要新的一排
    if needs_row:
        if not self.free_blocks:
            raise RuntimeError('OOM')
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="an early return on any rest",
        mission="2",
        mistakes=("decode.remainder-zero",),
        at="if req.seq_len % self.block_size:",
        code="""
def allocate_for_decode(self, req: Request):
    req.seq_len = req.seq_len + 1
    if req.seq_len % self.block_size:
        return            # 还没有跨界
    if len(self.free_blocks) < 1:
        raise RuntimeError("OOM: decode")
    new_block = self.free_blocks.pop(0)
    req.block_table.append(new_block)
""",
    ),
    Wrong(
        name="divmod with rest zero and FULL copied",
        mission="2",
        mistakes=("decode.remainder-zero", "decode.message-without-oom"),
        at=("if rest == 0", "raise RuntimeError('FULL')"),
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    row, rest = divmod(req.seq_len, self.block_size)
    print("row", row, "rest", rest)
    if rest == 0:
        free_rows = self.free_blocks
        if len(free_rows) == 0:
            raise RuntimeError('FULL')
        req.block_table.append(free_rows.pop(0))
""",
    ),
    Wrong(
        name="the cells pasted in the wrong order",
        mission="2",
        mistakes=("decode.condition-before-increment",),
        at="is_new = (req.seq_len % self.block_size) == 1",
        code="""
def allocate_for_decode(self, req):
    is_new = (req.seq_len % self.block_size) == 1
    req.seq_len += 1
    if is_new:
        if not self.free_blocks:
            raise RuntimeError("OOM")
        row = self.free_blocks.pop(0)
        req.block_table.append(row)
""",
    ),
    Wrong(
        name="the people from before are asked",
        mission="2",
        mistakes=("decode.condition-before-increment",),
        at="if current_people % seats_per_row == 1",
        code="""
def allocate_for_decode(self, req):
    current_people = req.seq_len
    seats_per_row = self.block_size
    req.seq_len += 1
    # 只有第一个位置才要新的一排
    if current_people % seats_per_row == 1:
        if len(self.free_blocks) == 0:
            raise RuntimeError("OOM")
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="a helper called one line too early",
        mission="2",
        mistakes=("decode.condition-before-increment",),
        at="cross: bool = self._first_slot(req.seq_len)",
        code='''
def _first_slot(self, length: int) -> bool:
    """是不是新块的第一个槽位"""
    return length % self.block_size == 1

def allocate_for_decode(self, req: Request) -> None:
    cross: bool = self._first_slot(req.seq_len)
    req.seq_len += 1
    if not cross:
        return
    if not len(self.free_blocks):
        raise RuntimeError("OOM")
    req.block_table.append(self.free_blocks.pop(0))
''',
    ),
    Wrong(
        name="every token brings a block",
        mission="2",
        mistakes=("decode.always-allocates",),
        at=("if not self.free_blocks: raise", "nxt = self.free_blocks.pop(0)", "req.block_table.append(nxt)"),
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1   # 新 token
    if not self.free_blocks: raise RuntimeError("OOM")
    nxt = self.free_blocks.pop(0)
    req.block_table.append(nxt)
    print(req.seq_len, req.block_table)
""",
    ),
    Wrong(
        name="the branch only prints",
        mission="2",
        mistakes=("decode.always-allocates",),
        at=(
            'print("跨界了，需要补块")',
            "if len(self.free_blocks) == 0:",
            "req.block_table.append(self.free_blocks.pop(0))",
        ),
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    is_new_block_needed = (req.seq_len % self.block_size) == 1
    if is_new_block_needed:
        print("跨界了，需要补块")
    if len(self.free_blocks) == 0:
        raise RuntimeError("OOM")
    req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="a remainder that is at least zero",
        mission="2",
        mistakes=("decode.always-allocates",),
        at="needs_row = pos >= 0",
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    pos = req.seq_len % self.block_size
    needs_row = pos >= 0
    if needs_row:
        try:
            row = self.free_blocks.pop(0)
        except IndexError:
            raise RuntimeError("OOM")
        req.block_table.append(row)
""",
    ),
    Wrong(
        name="the arrival counted twice",
        mission="2",
        mistakes=("decode.increments-twice",),
        at=("current_people += 1", "req.seq_len = current_people"),
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    current_people = req.seq_len
    current_people += 1
    req.seq_len = current_people
    needs_row = (current_people % self.block_size) == 1
    if needs_row:
        if not self.free_blocks:
            raise RuntimeError("OOM")
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="any remainder counts and an IndexError",
        mission="2",
        mistakes=("decode.remainder-nonzero", "decode.wrong-exception"),
        at=("is_new_block_needed = req.seq_len % self.block_size", 'raise IndexError("OOM")'),
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    is_new_block_needed = req.seq_len % self.block_size
    if is_new_block_needed:
        if not self.free_blocks:
            raise IndexError("OOM")
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="the quotient instead of the rest",
        mission="2",
        mistakes=("decode.floor-equals-one",),
        at="flag = (req.seq_len // self.block_size) == 1",
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    flag = (req.seq_len // self.block_size) == 1
    print('seq_len', req.seq_len, 'flag', flag)
    if flag:
        if self.free_blocks == []:
            raise RuntimeError("OOM")
        b = self.free_blocks.pop(0)
        req.block_table.append(b)
""",
    ),
    Wrong(
        name="no room left means a block now",
        mission="2",
        mistakes=("decode.one-step-early",),
        at="if room <= 0",
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    capacity = len(req.block_table) * self.block_size
    room = capacity - req.seq_len      # 还剩几个槽位
    if room <= 0:
        if len(self.free_blocks) == 0:
            raise RuntimeError("OOM")
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="the inner if left out",
        mission="2",
        mistakes=("decode.no-empty-check",),
        at=("new_row = self.free_blocks.pop(0)",),
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    if (req.seq_len - 1) % self.block_size == 0:
        new_row = self.free_blocks.pop(0)
        print("new row", new_row)
        req.block_table.append(new_row)
""",
    ),
    Wrong(
        name="the pool asked before the question",
        mission="2",
        mistakes=("decode.check-outside-condition",),
        at=("if not self.free_blocks:", 'raise RuntimeError("OOM: 空闲池空了")'),
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    # 先做完整的容量检查（第一关学的）
    if not self.free_blocks:
        raise RuntimeError("OOM: 空闲池空了")
    needs_row = req.seq_len % self.block_size == 1
    if needs_row:
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="an and that hides the empty pool",
        mission="2",
        mistakes=("decode.skips-silently-when-empty",),
        at="if is_first and len(self.free_blocks) > 0",
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    is_first = req.seq_len % self.block_size == 1
    if is_first and len(self.free_blocks) > 0:
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="the last seat of the row and a peek",
        mission="2",
        mistakes=("decode.remainder-last-slot", "decode.reads-without-removing"),
        at=("if seat == self.block_size - 1", "req.block_table.append(self.free_blocks[0])"),
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    seat = req.seq_len % self.block_size
    if seat == self.block_size - 1:
        if not self.free_blocks:
            raise RuntimeError("OOM")
        req.block_table.append(self.free_blocks[0])
""",
    ),
)

GATHER = (
    Wrong(
        name="the table as an index and a cut",
        mission="3",
        mistakes=("gather.missing-cat",),
        at=("kv = self.physical_kv_cache[req.block_table]", "return kv[:req.seq_len]"),
        code="""
def get_physical_cache(self, req):
    kv = self.physical_kv_cache[req.block_table]   # 高级索引，一次取完
    print(kv.shape)
    return kv[:req.seq_len]
""",
    ),
    Wrong(
        name="a list of pages cut as a list",
        mission="3",
        mistakes=("gather.missing-cat",),
        at="used_rows = ordered_pages[:req.seq_len]",
        code="""
def get_physical_cache(self, req):
    pages = self.physical_kv_cache
    page_table = req.block_table
    ordered_pages = []
    for page_id in page_table:
        ordered_pages.append(pages[page_id])
    used_rows = ordered_pages[:req.seq_len]
    return used_rows
""",
    ),
    Wrong(
        name="index_select and nothing joined",
        mission="3",
        mistakes=("gather.missing-cat",),
        at=("continuous = torch.index_select(", "return continuous[0:req.seq_len]"),
        code="""
def get_physical_cache(self, req: Request) -> torch.Tensor:
    ids: torch.Tensor = torch.tensor(req.block_table)
    continuous: torch.Tensor = None
    continuous = torch.index_select(self.physical_kv_cache, 0, ids)
    return continuous[0:req.seq_len]
""",
    ),
    Wrong(
        name="pages side by side",
        mission="3",
        mistakes=("gather.cat-dim-one",),
        at="continuous = torch.cat(ordered_pages, dim=1)",
        code="""
def get_physical_cache(self, req):
    ordered_pages = [self.physical_kv_cache[page_id] for page_id in req.block_table]
    continuous = torch.cat(ordered_pages, dim=1)
    used_rows = continuous[:req.seq_len]
    print(continuous.shape, used_rows.shape)
    return used_rows
""",
    ),
    Wrong(
        name="concatenated along the last axis",
        mission="3",
        mistakes=("gather.cat-dim-one",),
        at="axis=-1",
        code="""
def get_physical_cache(self, req):
    parts = tuple(map(lambda i: self.physical_kv_cache[i], req.block_table))
    joined = torch.concatenate(parts, axis=-1)  # 沿着最后一维拼
    return joined[:req.seq_len, :]
""",
    ),
    Wrong(
        name="grown to the right in a loop",
        mission="3",
        mistakes=("gather.cat-dim-one",),
        at="out = torch.cat((out, blk), 1)",
        code="""
def get_physical_cache(self, req):
    out = None
    for bid in req.block_table:
        blk = self.physical_kv_cache[bid]
        if out is None:
            out = blk
        else:
            out = torch.cat((out, blk), 1)
    return out[:req.seq_len]
""",
    ),
    Wrong(
        name="reshaped and handed over whole",
        mission="3",
        mistakes=("gather.missing-slice",),
        at="return flat",
        code="""
def get_physical_cache(self, req):
    picked = self.physical_kv_cache[req.block_table]
    flat = picked.reshape(-1, self.head_dim)
    return flat
""",
    ),
    Wrong(
        name="the cut made but not the one returned",
        mission="3",
        mistakes=("gather.missing-slice",),
        at="return continuous",
        code="""
def get_physical_cache(self, req):
    pages = self.physical_kv_cache
    ordered_pages = [pages[p] for p in req.block_table]
    continuous = torch.cat(ordered_pages, dim=0)
    used_rows = continuous[:req.seq_len]
    print("used_rows", used_rows.shape)
    return continuous
""",
    ),
    Wrong(
        name="a set of ids and the tail kept",
        mission="3",
        mistakes=("gather.dedupes-ids", "gather.missing-slice"),
        at=("set(req.block_table)", "return torch.cat(rows)"),
        code="""
def get_physical_cache(self, req):
    unique_ids = set(req.block_table)    # 去重，防止同一个块读两次
    rows = []
    for u in unique_ids:
        rows.append(self.physical_kv_cache[u])
    return torch.cat(rows)
""",
    ),
    Wrong(
        name="the directory put in order",
        mission="3",
        mistakes=("gather.sorts-ids",),
        at="page_table.sort()",
        code="""
def get_physical_cache(self, req):
    page_table = list(req.block_table)
    page_table.sort()   # 按顺序读
    ordered_pages = [self.physical_kv_cache[page_id] for page_id in page_table]
    continuous = torch.cat(ordered_pages, dim=0)
    return continuous[:req.seq_len]
""",
    ),
    Wrong(
        name="sorted inside the comprehension",
        mission="3",
        mistakes=("gather.sorts-ids",),
        at="for b in sorted(req.block_table)",
        code='''
def get_physical_cache(self, req):
    """取出这个请求的 KV"""
    kv: List[torch.Tensor] = [
        self.physical_kv_cache[b]
        for b in sorted(req.block_table)
    ]
    return torch.vstack(kv)[:req.seq_len]
''',
    ),
    Wrong(
        name="torch.sort and one row short",
        mission="3",
        mistakes=("gather.sorts-ids", "gather.slice-off-by-one"),
        at=("ids, _ = torch.sort(", "[:req.seq_len - 1]"),
        code="""
def get_physical_cache(self, req):
    ids, _ = torch.sort(torch.tensor(req.block_table))
    blocks = [self.physical_kv_cache[i] for i in ids.tolist()]
    whole = torch.cat(blocks, dim=0)
    # 下标从 0 开始，所以最后一个是 seq_len - 1
    return whole[:req.seq_len - 1]
""",
    ),
    Wrong(
        name="places in the table used as ids",
        mission="3",
        mistakes=("gather.logical-as-physical",),
        at="for i in range(len(req.block_table))",
        code="""
def get_physical_cache(self, req):
    blocks = [self.physical_kv_cache[i] for i in range(len(req.block_table))]
    cat_blocks = torch.cat(blocks, dim=0)
    return cat_blocks[:req.seq_len]
""",
    ),
    Wrong(
        name="enumerate with the wrong half used",
        mission="3",
        mistakes=("gather.logical-as-physical",),
        at="page = self.physical_kv_cache[logic]",
        code="""
def get_physical_cache(self, req):
    ordered = []
    for logic, phys in enumerate(req.block_table):
        page = self.physical_kv_cache[logic]
        print(logic, phys, page.shape)
        ordered.append(page)
    return torch.cat(ordered, dim=0)[:req.seq_len]
""",
    ),
    Wrong(
        name="a counter as id and one block kept",
        mission="3",
        mistakes=("gather.logical-as-physical", "gather.slice-by-block-size"),
        at=("pieces.append(self.physical_kv_cache[k])", "return cat_blocks[:self.block_size]"),
        code="""
def get_physical_cache(self, req):
    k = 0
    pieces = []
    while k < len(req.block_table):
        pieces.append(self.physical_kv_cache[k])
        k += 1
    cat_blocks = torch.cat(pieces, dim=0)
    return cat_blocks[:self.block_size]
""",
    ),
    Wrong(
        name="stack where cat belongs",
        mission="3",
        mistakes=("gather.stacks",),
        at="continuous = torch.stack(",
        code="""
def get_physical_cache(self, req):
    ordered_pages = [self.physical_kv_cache[pid] for pid in req.block_table]
    continuous = torch.stack(ordered_pages, dim=0)
    return continuous[:req.seq_len]
""",
    ),
    Wrong(
        name="the last line shows it as in a cell",
        mission="3",
        mistakes=("gather.no-return",),
        at="    continuous[:req.seq_len]",
        code="""
def get_physical_cache(self, req):
    ordered_pages = [self.physical_kv_cache[page_id] for page_id in req.block_table]
    continuous = torch.cat(ordered_pages, dim=0)
    continuous[:req.seq_len]
""",
    ),
    Wrong(
        name="the rest of the division as the cut",
        mission="3",
        mistakes=("gather.slice-by-remainder",),
        at=("tail = req.seq_len % self.block_size", "return seq[:tail]"),
        code="""
def get_physical_cache(self, req):
    seq = torch.cat([self.physical_kv_cache[b] for b in req.block_table], 0)
    tail = req.seq_len % self.block_size   # 尾块里真正用到的
    return seq[:tail]
""",
    ),
)

STRUCTURE = (
    Wrong(
        name="a signature without self",
        mission="1",
        mistakes=("structure.missing-self",),
        at="def allocate_for_prefill(req)",
        code="""
def allocate_for_prefill(req):
    need = (req.seq_len + self.block_size - 1) // self.block_size
    if need > len(self.free_blocks):
        raise RuntimeError("OOM")
    for _ in range(need):
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="a bare name from the parameter list",
        mission="1",
        mistakes=("structure.bare-name",),
        at="boxes_needed = (req.seq_len + block_size - 1)",
        code="""
def allocate_for_prefill(self, req):
    boxes_needed = (req.seq_len + block_size - 1) // block_size
    if len(self.free_blocks) < boxes_needed:
        raise RuntimeError("OOM")
    for _ in range(boxes_needed):
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="an s lost from the pool",
        mission="2",
        mistakes=("structure.misspelt-attribute",),
        at="if len(self.free_block) == 0",
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    needs_row = (req.seq_len % self.block_size) == 1
    if needs_row:
        if len(self.free_block) == 0:
            raise RuntimeError("OOM")
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="the gather in a cell of its own",
        mission="3",
        mistakes=("structure.missing-method",),
        at=("def get_physical_cache(self, req)", "class KVCacheManager:"),
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

# In[5]: TODO 5
def get_physical_cache(self, req):
    blocks = [self.physical_kv_cache[i] for i in req.block_table]
    return torch.cat(blocks, dim=0)[:req.seq_len]
""",
    ),
    Wrong(
        name="cells of functions and no class",
        mission="1",
        mistakes=("structure.missing-class",),
        at=("# class KVCacheManager", "def allocate_for_prefill(self, req)", "class Request"),
        code="""
import torch

class Request:
    def __init__(self, request_id, prompt_len):
        self.request_id = request_id
        self.seq_len = prompt_len
        self.block_table = []

# class KVCacheManager 在上一个 cell 里已经定义过了，这里只写要改的函数
def allocate_for_prefill(self, req):
    needed_blocks = (req.seq_len + self.block_size - 1) // self.block_size
    if needed_blocks > len(self.free_blocks):
        raise RuntimeError("OOM")
    for _ in range(needed_blocks):
        req.block_table.append(self.free_blocks.pop(0))

def allocate_for_decode(self, req):
    req.seq_len += 1

def get_physical_cache(self, req):
    pass
""",
    ),
    Wrong(
        name="a prompt length typed by hand",
        mission="1",
        mistakes=("structure.asks-for-input",),
        at="n = int(input(",
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
        self.free_blocks = list(range(num_blocks))

    def allocate_for_prefill(self, req):
        needed = -(-req.seq_len // self.block_size)
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
        return torch.cat([self.physical_kv_cache[b] for b in req.block_table])[:req.seq_len]

# 试一下
m = KVCacheManager(10, 4, 64)
n = int(input("prompt_len = "))
r = Request(1, n)
m.allocate_for_prefill(r)
print(r.block_table, m.free_blocks)
""",
    ),
    Wrong(
        name="a block table declared for the class",
        mission="1",
        mistakes=("structure.shared-class-attribute",),
        at="block_table: List[int] = []",
        code="""
from typing import List
import torch

class Request:
    request_id: int
    seq_len: int
    block_table: List[int] = []   # 块表，一开始是空的

    def __init__(self, request_id: int, prompt_len: int) -> None:
        self.request_id = request_id
        self.seq_len = prompt_len


class KVCacheManager:
    def __init__(self, num_blocks: int, block_size: int, head_dim: int) -> None:
        self.num_blocks = num_blocks
        self.block_size = block_size
        self.head_dim = head_dim
        self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim)
        self.free_blocks = [i for i in range(num_blocks)]

    def allocate_for_prefill(self, req: Request) -> None:
        cnt = (req.seq_len + self.block_size - 1) // self.block_size
        if cnt > len(self.free_blocks):
            raise RuntimeError("OOM")
        for _ in range(cnt):
            req.block_table.append(self.free_blocks.pop(0))

    def allocate_for_decode(self, req: Request) -> None:
        req.seq_len += 1
        if req.seq_len % self.block_size == 1:
            if not self.free_blocks:
                raise RuntimeError("OOM")
            req.block_table.append(self.free_blocks.pop(0))

    def get_physical_cache(self, req: Request) -> torch.Tensor:
        pieces = [self.physical_kv_cache[b] for b in req.block_table]
        return torch.cat(pieces, dim=0)[:req.seq_len]
""",
    ),
)

WRONG = PREFILL + DECODE + GATHER + STRUCTURE
