"""Wrong files of three people: a C++ programmer's, a classmate's with names in pinyin, a reader of vLLM's own code."""

from __future__ import annotations

from tests.corpus.wrong import Wrong

PREFILL = (
    Wrong(
        name="cast to int like a size_t",
        mission="1",
        mistakes=("prefill.floor-division",),
        at="num_needed: int = int(num_tokens / self.block_size)",
        code="""
def allocate_for_prefill(self, req: Request) -> None:
    # size_t numBlocks = static_cast<size_t>(len / size)
    num_tokens: int = req.seq_len
    num_needed: int = int(num_tokens / self.block_size)
    available: int = len(self.free_blocks)

    if (num_needed > available):
        raise RuntimeError("OOM")

    i: int = 0
    while i < num_needed:
        block: int = self.free_blocks.pop(0)
        req.block_table.append(block)
        i += 1
""",
    ),
    Wrong(
        name="divides up what was already floored",
        mission="1",
        mistakes=("prefill.ceil-after-floor",),
        at="return math.ceil(a // b)",
        code="""
from typing import List
import math
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

    def _div_up(self, a: int, b: int) -> int:
        return math.ceil(a // b)

    def allocate_for_prefill(self, req: Request) -> None:
        n = self._div_up(req.seq_len, self.block_size)
        if len(self.free_blocks) < n:
            raise RuntimeError("OOM")
        for _ in range(n):
            req.block_table.append(self.free_blocks.pop(0))

    def allocate_for_decode(self, req: Request) -> None:
        req.seq_len += 1
        if req.seq_len % self.block_size != 1:
            return
        if len(self.free_blocks) == 0:
            raise RuntimeError("OOM")
        req.block_table.append(self.free_blocks.pop(0))

    def get_physical_cache(self, req: Request) -> torch.Tensor:
        out = torch.empty(req.seq_len, self.head_dim)
        for t in range(req.seq_len):
            out[t] = self.physical_kv_cache[req.block_table[t // self.block_size]][t % self.block_size]
        return out
""",
    ),
    Wrong(
        name="not fewer than needed",
        mission="1",
        mistakes=("prefill.check-inverted",),
        at="if (not (freeCount < needed)):",
        code="""
import torch

# constexpr
OOM_MSG = "OOM"


class Request(object):
    def __init__(self, request_id, prompt_len):
        self.request_id = request_id;
        self.seq_len = prompt_len;
        self.block_table = [];


class KVCacheManager(object):
    def __init__(self, num_blocks, block_size, head_dim):
        self.num_blocks = num_blocks;
        self.block_size = block_size;
        self.head_dim = head_dim;
        self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim);
        self.free_blocks = [i for i in range(0, num_blocks)];

    # ---- private ----
    def __isEmpty(self) -> bool:
        return len(self.free_blocks) == 0

    def __front(self) -> int:
        return self.free_blocks.pop(0)

    # ---- public ----

    def allocate_for_prefill(self, req):
        needed = (req.seq_len + self.block_size - 1) // self.block_size;
        freeCount = len(self.free_blocks);
        # no space -> throw
        if (not (freeCount < needed)):
            raise RuntimeError(OOM_MSG);
        for k in range(needed):
            id = self.__front();
            req.block_table.append(id);

    def allocate_for_decode(self, req):
        req.seq_len += 1;
        isNew = (req.seq_len % self.block_size == 1);
        if (isNew):
            if (self.__isEmpty()):
                raise RuntimeError(OOM_MSG);
            req.block_table.append(self.__front());

    def get_physical_cache(self, req):
        parts = [];
        for i in range(0, len(req.block_table)):
            parts.append(self.physical_kv_cache[req.block_table[i]]);
        return torch.cat(parts, 0)[0:req.seq_len];
""",
    ),
    Wrong(
        name="bad_alloc by its python name",
        mission="1",
        mistakes=("prefill.wrong-exception",),
        at="raise MemoryError(OOM_MSG);",
        code="""
import torch

# constexpr
OOM_MSG = "OOM"


class Request(object):
    def __init__(self, request_id, prompt_len):
        self.request_id = request_id;
        self.seq_len = prompt_len;
        self.block_table = [];


class KVCacheManager(object):
    def __init__(self, num_blocks, block_size, head_dim):
        self.num_blocks = num_blocks;
        self.block_size = block_size;
        self.head_dim = head_dim;
        self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim);
        self.free_blocks = [i for i in range(0, num_blocks)];

    # ---- private ----
    def __isEmpty(self) -> bool:
        return len(self.free_blocks) == 0

    def __front(self) -> int:
        return self.free_blocks.pop(0)

    # ---- public ----

    def allocate_for_prefill(self, req):
        needed = req.seq_len // self.block_size + (1 if req.seq_len % self.block_size else 0);
        # std::bad_alloc
        if (needed > len(self.free_blocks)):
            raise MemoryError(OOM_MSG);
        while (needed > 0):
            req.block_table.append(self.__front());
            needed -= 1;

    def allocate_for_decode(self, req):
        req.seq_len += 1
        # TODO 3
        is_new_block_needed = ...
        if is_new_block_needed:
            ...

    def get_physical_cache(self, req):
        # TODO 5
        blocks = ...
        cat_blocks = ...
        return ...
""",
    ),
    Wrong(
        name="true on success and false when the pool is used up",
        mission="1",
        mistakes=("prefill.returns-instead-of-raising",),
        at="return False  # OOM",
        code='''
def allocate_for_prefill(self, req: Request) -> bool:
    """@return true on success, false when the pool is exhausted"""
    n = (req.seq_len - 1) // self.block_size + 1
    ok = n <= len(self.free_blocks)
    if not ok:
        return False  # OOM
    for _ in range(n):
        req.block_table.append(self.free_blocks.pop(0))
    return True
''',
    ),
    Wrong(
        name="end must stay past the last",
        mission="1",
        mistakes=("prefill.refuses-exact-fit",),
        at="if not (begin + needed < end):",
        code="""
def allocate_for_prefill(self, req: Request) -> None:
    needed = (req.seq_len + self.block_size - 1) // self.block_size
    begin, end = 0, len(self.free_blocks)
    if not (begin + needed < end):
        raise RuntimeError("OOM")
    for it in range(begin, needed):
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="erase at begin plus i",
        mission="1",
        mistakes=("prefill.pops-by-index",),
        at="req.block_table.append(self.free_blocks.pop(i));",
        code="""
import torch

# constexpr
OOM_MSG = "OOM"


class Request(object):
    def __init__(self, request_id, prompt_len):
        self.request_id = request_id;
        self.seq_len = prompt_len;
        self.block_table = [];


class KVCacheManager(object):
    def __init__(self, num_blocks, block_size, head_dim):
        self.num_blocks = num_blocks;
        self.block_size = block_size;
        self.head_dim = head_dim;
        self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim);
        self.free_blocks = [i for i in range(0, num_blocks)];

    # ---- private ----
    def __isEmpty(self) -> bool:
        return len(self.free_blocks) == 0

    def __front(self) -> int:
        return self.free_blocks.pop(0)

    # ---- public ----

    def allocate_for_prefill(self, req):
        needed = (req.seq_len + self.block_size - 1) // self.block_size;
        if (needed > len(self.free_blocks)):
            raise RuntimeError(OOM_MSG);
        for i in range(0, needed):
            # erase(begin() + i)
            req.block_table.append(self.free_blocks.pop(i));

    def allocate_for_decode(self, req):
        req.seq_len += 1;
        isNew = (req.seq_len % self.block_size == 1);
        if (isNew):
            if (self.__isEmpty()):
                raise RuntimeError(OOM_MSG);
            req.block_table.append(self.__front());

    def get_physical_cache(self, req):
        parts = [];
        for i in range(0, len(req.block_table)):
            parts.append(self.physical_kv_cache[req.block_table[i]]);
        return torch.cat(parts, 0)[0:req.seq_len];
""",
    ),
    Wrong(
        name="half up in a helper of its own",
        mission="1",
        mistakes=("prefill.rounds-to-nearest",),
        at="return int(np.floor(n_tok / self.block_size + 0.5))",
        code='''
import numpy as np
import torch
from dataclasses import dataclass, field


@dataclass
class Request:
    request_id: int
    prompt_len: int
    block_table: list = field(default_factory=list)

    def __post_init__(self):
        self.seq_len = self.prompt_len


class KVCacheManager:
    """显存块管理"""

    def __init__(self, num_blocks, block_size, head_dim):
        self.num_blocks, self.block_size, self.head_dim = num_blocks, block_size, head_dim
        self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim)
        self.free_blocks = list(range(num_blocks))

    def _n_blk(self, n_tok):
        # 四舍五入到整块
        return int(np.floor(n_tok / self.block_size + 0.5))

    def allocate_for_prefill(self, req):
        k = self._n_blk(req.seq_len)
        if k > len(self.free_blocks):
            raise RuntimeError("OOM")
        ids = self.free_blocks[:k]
        self.free_blocks = self.free_blocks[k:]
        req.block_table.extend(ids)

    def allocate_for_decode(self, req):
        req.seq_len += 1
        if req.seq_len > len(req.block_table) * self.block_size:
            if not self.free_blocks:
                raise RuntimeError("OOM")
            req.block_table = req.block_table + [self.free_blocks.pop(0)]

    def get_physical_cache(self, req):
        kv = self.physical_kv_cache[req.block_table]
        return kv.reshape(-1, self.head_dim)[: req.seq_len]
''',
    ),
    Wrong(
        name="the rest always takes one more",
        mission="1",
        mistakes=("prefill.floor-plus-one",),
        at="geshu = shang + 1   # 余数也要占一块",
        code="""
def allocate_for_prefill(self, req):
    shang, yu = divmod(req.seq_len, self.block_size)
    geshu = shang + 1   # 余数也要占一块
    if geshu > len(self.free_blocks):
        raise RuntimeError("OOM 显存不够")
    for _ in range(geshu):
        kid = self.free_blocks.pop(0)
        req.block_table.append(kid)
    print("分配完", req)
""",
    ),
    Wrong(
        name="the first k and no question asked",
        mission="1",
        mistakes=("prefill.takes-what-there-is",),
        at="ids = self.free_blocks[:k]",
        code='''
import numpy as np
import torch
from dataclasses import dataclass, field


@dataclass
class Request:
    request_id: int
    prompt_len: int
    block_table: list = field(default_factory=list)

    def __post_init__(self):
        self.seq_len = self.prompt_len


class KVCacheManager:
    """显存块管理"""

    def __init__(self, num_blocks, block_size, head_dim):
        self.num_blocks, self.block_size, self.head_dim = num_blocks, block_size, head_dim
        self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim)
        self.free_blocks = list(range(num_blocks))

    def allocate_for_prefill(self, req):
        k = int(np.ceil(req.seq_len / self.block_size))
        # 前 k 个给它
        ids = self.free_blocks[:k]
        self.free_blocks = [b for b in self.free_blocks if b not in ids]
        req.block_table = req.block_table + ids

    def allocate_for_decode(self, req):
        req.seq_len += 1
        if req.seq_len > len(req.block_table) * self.block_size:
            if not self.free_blocks:
                raise RuntimeError("OOM")
            req.block_table = req.block_table + [self.free_blocks.pop(0)]

    def get_physical_cache(self, req):
        kv = self.physical_kv_cache[req.block_table]
        return kv.reshape(-1, self.head_dim)[: req.seq_len]
''',
    ),
    Wrong(
        name="a longer list under a local name",
        mission="1",
        mistakes=("prefill.drops-new-list",),
        at="biao = biao + [self.free_blocks.pop(0)]",
        code="""
import math
import torch


def shang_qu_zheng(a, b):
    # 向上取整
    return math.ceil(a / b)


class Request:
    def __init__(self, request_id, prompt_len):
        self.request_id = request_id
        self.seq_len = prompt_len
        self.block_table = []

    def __repr__(self):
        return f"Req<{self.request_id} len={self.seq_len} kuai={self.block_table}>"


class KVCacheManager:
    def __init__(self, num_blocks: int, block_size: int, head_dim: int):
        self.num_blocks = num_blocks
        self.block_size = block_size
        self.head_dim = head_dim
        # [块数, 块大小, 维度]
        self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim)
        self.free_blocks = list(range(num_blocks))

    def allocate_for_prefill(self, req):
        xuyao = shang_qu_zheng(req.seq_len, self.block_size)
        if xuyao > len(self.free_blocks):
            raise RuntimeError("OOM")
        biao = req.block_table
        while xuyao:
            biao = biao + [self.free_blocks.pop(0)]
            xuyao -= 1
        # 块表更新完毕

    def allocate_for_decode(self, req):
        req.seq_len += 1
        yu = req.seq_len % self.block_size
        if yu == 1:  # 新块的第一个槽
            if len(self.free_blocks) < 1:
                raise RuntimeError("OOM, 没有空闲块了")
            req.block_table.append(self.free_blocks.pop(0))

    def get_physical_cache(self, req):
        kuai = [self.physical_kv_cache[b] for b in req.block_table]
        pinjie = torch.cat(kuai, dim=0)
        # 截尾
        return pinjie[:req.seq_len]
""",
    ),
    Wrong(
        name="the table is the newest block",
        mission="1",
        mistakes=("prefill.keeps-last-only",),
        at="req.block_table = [xin]",
        code="""
def allocate_for_prefill(self, req):
    kuaishu = -(-req.seq_len // self.block_size)
    if len(self.free_blocks) < kuaishu:
        raise RuntimeError('OOM')
    for _ in range(kuaishu):
        xin = self.free_blocks.pop(0)
        req.block_table = [xin]
""",
    ),
    Wrong(
        name="the whole batch as one entry",
        mission="1",
        mistakes=("prefill.nests-a-list",),
        at="req.block_table.append(picked)",
        code='''
import numpy as np
import torch
from dataclasses import dataclass, field


@dataclass
class Request:
    request_id: int
    prompt_len: int
    block_table: list = field(default_factory=list)

    def __post_init__(self):
        self.seq_len = self.prompt_len


class KVCacheManager:
    """显存块管理"""

    def __init__(self, num_blocks, block_size, head_dim):
        self.num_blocks, self.block_size, self.head_dim = num_blocks, block_size, head_dim
        self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim)
        self.free_blocks = list(range(num_blocks))

    def allocate_for_prefill(self, req):
        bs = self.block_size
        k = np.ceil(req.seq_len / bs).astype(int)
        assert_ok = len(self.free_blocks) >= k
        if not assert_ok:
            raise RuntimeError("OOM")
        picked = [self.free_blocks.pop(0) for _ in range(k)]
        req.block_table.append(picked)

    def allocate_for_decode(self, req):
        req.seq_len += 1
        if req.seq_len > len(req.block_table) * self.block_size:
            if not self.free_blocks:
                raise RuntimeError("OOM")
            req.block_table = req.block_table + [self.free_blocks.pop(0)]

    def get_physical_cache(self, req):
        kv = self.physical_kv_cache[req.block_table]
        return kv.reshape(-1, self.head_dim)[: req.seq_len]
''',
    ),
    Wrong(
        name="reads by an array of indices",
        mission="1",
        mistakes=("prefill.reads-without-removing",),
        at="req.block_table.extend(kx[idx].tolist())",
        code='''
import numpy as np
import torch
from dataclasses import dataclass, field


@dataclass
class Request:
    request_id: int
    prompt_len: int
    block_table: list = field(default_factory=list)

    def __post_init__(self):
        self.seq_len = self.prompt_len


class KVCacheManager:
    """显存块管理"""

    def __init__(self, num_blocks, block_size, head_dim):
        self.num_blocks, self.block_size, self.head_dim = num_blocks, block_size, head_dim
        self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim)
        self.free_blocks = list(range(num_blocks))

    def allocate_for_prefill(self, req):
        n_kuai = (req.seq_len + self.block_size - 1) // self.block_size
        if n_kuai > len(self.free_blocks):
            raise RuntimeError("OOM")
        idx = np.arange(n_kuai)
        kx = np.array(self.free_blocks)   # 空闲
        req.block_table.extend(kx[idx].tolist())

    def allocate_for_decode(self, req):
        req.seq_len += 1
        if req.seq_len > len(req.block_table) * self.block_size:
            if not self.free_blocks:
                raise RuntimeError("OOM")
            req.block_table = req.block_table + [self.free_blocks.pop(0)]

    def get_physical_cache(self, req):
        kv = self.physical_kv_cache[req.block_table]
        return kv.reshape(-1, self.head_dim)[: req.seq_len]
''',
    ),
    Wrong(
        name="plus one so that it rounds up",
        mission="1",
        mistakes=("prefill.plus-one-then-floor",),
        at="num_prompt_blocks = (req.seq_len + 1) // self.block_size",
        code="""
def get_num_free_blocks(self) -> int:
    return len(self.free_blocks)

def allocate_for_prefill(self, req: Request) -> None:
    # +1 so that it rounds up
    num_prompt_blocks = (req.seq_len + 1) // self.block_size
    if num_prompt_blocks > self.get_num_free_blocks():
        raise RuntimeError("OOM")
    for logical_idx in range(num_prompt_blocks):
        block = self.free_blocks.pop()
        req.block_table.append(block)
""",
    ),
    Wrong(
        name="asks before each block of a while",
        mission="1",
        mistakes=("prefill.check-inside-loop",),
        at=(
            'if not self.free_blocks:\n                raise RuntimeError("OOM")\n            req.block_table.append(self.free_blocks.pop(0))',
            'raise RuntimeError("OOM")\n            req.block_table.append(self.free_blocks.pop(0))',
        ),
        code="""
def allocate_for_prefill(self, req: Request) -> None:
    # seq.logical_token_blocks
    while len(req.block_table) * self.block_size < req.seq_len:
        if not self.free_blocks:
            raise RuntimeError("OOM")
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="a sentence instead of the three letters",
        mission="1",
        mistakes=("prefill.message-without-oom",),
        at='raise RuntimeError("Out of memory! No free blocks are available.")',
        code="""
def get_num_free_blocks(self) -> int:
    return len(self.free_blocks)

def _allocate(self) -> int:
    return self.free_blocks.pop()

def can_allocate(self, req: Request) -> bool:
    need = (req.seq_len + self.block_size - 1) // self.block_size
    return need <= self.get_num_free_blocks()

def allocate_for_prefill(self, req: Request) -> None:
    if not self.can_allocate(req):
        raise RuntimeError("Out of memory! No free blocks are available.")
    for _ in range(0, req.seq_len, self.block_size):
        req.block_table.append(self._allocate())
""",
    ),
    Wrong(
        name="catches the empty pop and raises anew",
        mission="1",
        mistakes=("prefill.catches-without-giving-back",),
        at=("except IndexError:", 'raise RuntimeError("OOM") from None'),
        code="""
def allocate_for_prefill(self, req: Request) -> None:
    needed_blocks = (req.seq_len + self.block_size - 1) // self.block_size
    for _ in range(needed_blocks):
        try:
            block = self.free_blocks.pop(0)
        except IndexError:
            raise RuntimeError("OOM") from None
        req.block_table.append(block)
""",
    ),
    Wrong(
        name="never more than there are at all",
        mission="1",
        mistakes=("prefill.compares-with-num-blocks",),
        at="if self.num_blocks < num_required_blocks:",
        code="""
def allocate_for_prefill(self, req: Request) -> None:
    num_required_blocks = (req.seq_len - 1) // self.block_size + 1
    # AllocStatus.NEVER
    if self.num_blocks < num_required_blocks:
        raise RuntimeError("OOM")
    # AllocStatus.OK
    for _ in range(num_required_blocks):
        req.block_table.append(self.free_blocks.pop())
""",
    ),
    Wrong(
        name="as many tokens as free blocks",
        mission="1",
        mistakes=("prefill.compares-tokens-with-blocks",),
        at="if changdu > len(self.free_blocks):",
        code="""
import math
import torch


def shang_qu_zheng(a, b):
    # 向上取整
    return math.ceil(a / b)


class Request:
    def __init__(self, request_id, prompt_len):
        self.request_id = request_id
        self.seq_len = prompt_len
        self.block_table = []

    def __repr__(self):
        return f"Req<{self.request_id} len={self.seq_len} kuai={self.block_table}>"


class KVCacheManager:
    def __init__(self, num_blocks: int, block_size: int, head_dim: int):
        self.num_blocks = num_blocks
        self.block_size = block_size
        self.head_dim = head_dim
        # [块数, 块大小, 维度]
        self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim)
        self.free_blocks = list(range(num_blocks))

    def allocate_for_prefill(self, req):
        changdu = req.seq_len
        if changdu > len(self.free_blocks):
            raise RuntimeError("OOM")
        for i in range(shang_qu_zheng(changdu, self.block_size)):
            req.block_table.append(self.free_blocks.pop(0))

    def allocate_for_decode(self, req):
        req.seq_len += 1
        yu = req.seq_len % self.block_size
        if yu == 1:  # 新块的第一个槽
            if len(self.free_blocks) < 1:
                raise RuntimeError("OOM, 没有空闲块了")
            req.block_table.append(self.free_blocks.pop(0))

    def get_physical_cache(self, req):
        kuai = [self.physical_kv_cache[b] for b in req.block_table]
        pinjie = torch.cat(kuai, dim=0)
        # 截尾
        return pinjie[:req.seq_len]
""",
    ),
    Wrong(
        name="free block in the singular",
        mission="1",
        mistakes=("structure.misspelt-attribute",),
        at="if len(self.free_block) < needed_blocks:",
        code="""
def allocate_for_prefill(self, req: Request) -> None:
    needed_blocks = (req.seq_len + self.block_size - 1) // self.block_size
    if len(self.free_block) < needed_blocks:
        raise RuntimeError("OOM")
    for _ in range(needed_blocks):
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="one table for every request of the class",
        mission="1",
        mistakes=("structure.shared-class-attribute",),
        at="block_table: List[int] = []",
        code="""
import torch
from typing import List


class Request:
    # member declarations
    request_id: int = 0
    seq_len: int = 0
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
        self.free_blocks = list(range(num_blocks))

    def allocate_for_prefill(self, req: Request) -> None:
        needed = (req.seq_len + self.block_size - 1) // self.block_size
        if needed > len(self.free_blocks):
            raise RuntimeError("OOM")
        for _ in range(needed):
            req.block_table.append(self.free_blocks.pop(0))

    def allocate_for_decode(self, req: Request) -> None:
        req.seq_len += 1
        if req.seq_len % self.block_size == 1:
            if not self.free_blocks:
                raise RuntimeError("OOM")
            req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="cuts one block more than it hands out",
        mission="1",
        mistakes=("prefill.loses-blocks",),
        at="self.free_blocks = self.free_blocks[k + 1:]",
        code="""
def allocate_for_prefill(self, req):
    k = len(range(0, req.seq_len, self.block_size))
    if k > len(self.free_blocks):
        raise RuntimeError("OOM")
    req.block_table.extend(self.free_blocks[:k])
    self.free_blocks = self.free_blocks[k + 1:]  # 剩下的
""",
    ),
    Wrong(
        name="the starts of the blocks that are full",
        mission="1",
        mistakes=("prefill.floor-division",),
        at="qidian = np.arange(0, req.seq_len - self.block_size + 1, self.block_size)  # 每块起点",
        code='''
import numpy as np
import torch
from dataclasses import dataclass, field


@dataclass
class Request:
    request_id: int
    prompt_len: int
    block_table: list = field(default_factory=list)

    def __post_init__(self):
        self.seq_len = self.prompt_len


class KVCacheManager:
    """显存块管理"""

    def __init__(self, num_blocks, block_size, head_dim):
        self.num_blocks, self.block_size, self.head_dim = num_blocks, block_size, head_dim
        self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim)
        self.free_blocks = list(range(num_blocks))

    def allocate_for_prefill(self, req):
        qidian = np.arange(0, req.seq_len - self.block_size + 1, self.block_size)  # 每块起点
        if len(qidian) > len(self.free_blocks):
            raise RuntimeError("OOM")
        for _ in qidian:
            req.block_table.append(self.free_blocks.pop(0))

    def allocate_for_decode(self, req):
        req.seq_len += 1
        if req.seq_len > len(req.block_table) * self.block_size:
            if not self.free_blocks:
                raise RuntimeError("OOM")
            req.block_table = req.block_table + [self.free_blocks.pop(0)]

    def get_physical_cache(self, req):
        kv = self.physical_kv_cache[req.block_table]
        return kv.reshape(-1, self.head_dim)[: req.seq_len]
''',
    ),
    Wrong(
        name="takes whole blocks off until less is left",
        mission="1",
        mistakes=("prefill.floor-division",),
        at="while remaining >= self.block_size:",
        code="""
def allocate_for_prefill(self, req: Request) -> None:
    remaining: int = req.seq_len
    count: int = 0
    while remaining >= self.block_size:
        remaining -= self.block_size
        count += 1
    if count > len(self.free_blocks):
        raise RuntimeError("OOM")
    for _ in range(count):
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="counts up in a loop without a condition",
        mission="1",
        mistakes=("prefill.floor-plus-one",),
        at="if num_blocks * self.block_size > req.seq_len:",
        code="""
def get_num_free_blocks(self) -> int:
    return len(self.free_blocks)

def allocate_for_prefill(self, req: Request) -> None:
    num_blocks = 0
    while True:
        num_blocks += 1
        if num_blocks * self.block_size > req.seq_len:
            break
    if num_blocks > self.get_num_free_blocks():
        raise RuntimeError("OOM")
    req.block_table.extend(self.free_blocks.pop() for _ in range(num_blocks))
""",
    ),
    Wrong(
        name="never more than the pool holds",
        mission="1",
        mistakes=("prefill.takes-what-there-is",),
        at="keyong = min(xuyao, len(self.free_blocks))  # 别越界",
        code="""
import math
import torch


def shang_qu_zheng(a, b):
    # 向上取整
    return math.ceil(a / b)


class Request:
    def __init__(self, request_id, prompt_len):
        self.request_id = request_id
        self.seq_len = prompt_len
        self.block_table = []

    def __repr__(self):
        return f"Req<{self.request_id} len={self.seq_len} kuai={self.block_table}>"


class KVCacheManager:
    def __init__(self, num_blocks: int, block_size: int, head_dim: int):
        self.num_blocks = num_blocks
        self.block_size = block_size
        self.head_dim = head_dim
        # [块数, 块大小, 维度]
        self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim)
        self.free_blocks = list(range(num_blocks))

    def allocate_for_prefill(self, req):
        xuyao = shang_qu_zheng(req.seq_len, self.block_size)
        keyong = min(xuyao, len(self.free_blocks))  # 别越界
        for _ in range(keyong):
            req.block_table.append(self.free_blocks.pop(0))

    def allocate_for_decode(self, req):
        req.seq_len += 1
        yu = req.seq_len % self.block_size
        if yu == 1:  # 新块的第一个槽
            if len(self.free_blocks) < 1:
                raise RuntimeError("OOM, 没有空闲块了")
            req.block_table.append(self.free_blocks.pop(0))

    def get_physical_cache(self, req):
        kuai = [self.physical_kv_cache[b] for b in req.block_table]
        pinjie = torch.cat(kuai, dim=0)
        # 截尾
        return pinjie[:req.seq_len]
""",
    ),
    Wrong(
        name="each block asks for itself",
        mission="1",
        mistakes=("prefill.check-inside-loop",),
        at=(
            'if not self.free_blocks:\n            raise RuntimeError("OOM: no free blocks")',
            'raise RuntimeError("OOM: no free blocks")',
            "req.block_table.append(self.allocate_block())",
        ),
        code="""
def allocate_block(self) -> int:
    if not self.free_blocks:
        raise RuntimeError("OOM: no free blocks")
    return self.free_blocks.pop()

def allocate_for_prefill(self, req: Request) -> None:
    num_prompt_blocks = -(-req.seq_len // self.block_size)
    for _ in range(num_prompt_blocks):
        req.block_table.append(self.allocate_block())
""",
    ),
    Wrong(
        name="takes while it can and complains afterwards",
        mission="1",
        mistakes=("prefill.check-after-loop",),
        at=(
            "if n != 0:",
            'raise RuntimeError("OOM")\n\n    def allocate_for_decode(self, req: Request) -> None:',
        ),
        code="""
def allocate_for_prefill(self, req: Request) -> None:
    n = (req.seq_len + self.block_size - 1) // self.block_size
    while n > 0 and len(self.free_blocks) > 0:
        req.block_table.append(self.free_blocks.pop(0))
        n -= 1
    if n != 0:
        raise RuntimeError("OOM")
""",
    ),
    Wrong(
        name="raises the bare letters",
        mission="1",
        mistakes=("prefill.raises-a-string",),
        at='raise "OOM"',
        code='''
import numpy as np
import torch
from dataclasses import dataclass, field


@dataclass
class Request:
    request_id: int
    prompt_len: int
    block_table: list = field(default_factory=list)

    def __post_init__(self):
        self.seq_len = self.prompt_len


class KVCacheManager:
    """显存块管理"""

    def __init__(self, num_blocks, block_size, head_dim):
        self.num_blocks, self.block_size, self.head_dim = num_blocks, block_size, head_dim
        self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim)
        self.free_blocks = list(range(num_blocks))

    def allocate_for_prefill(self, req):
        need, have = int(np.ceil(req.seq_len / self.block_size)), len(self.free_blocks)
        if need > have:
            raise "OOM"
        req.block_table += self.free_blocks[:need]
        self.free_blocks = self.free_blocks[need:]

    def allocate_for_decode(self, req):
        req.seq_len += 1
        if req.seq_len > len(req.block_table) * self.block_size:
            if not self.free_blocks:
                raise RuntimeError("OOM")
            req.block_table = req.block_table + [self.free_blocks.pop(0)]

    def get_physical_cache(self, req):
        kv = self.physical_kv_cache[req.block_table]
        return kv.reshape(-1, self.head_dim)[: req.seq_len]
''',
    ),
    Wrong(
        name="empty or enough",
        mission="1",
        mistakes=("prefill.checks-only-empty", "prefill.takes-what-there-is"),
        at="if len(self.free_blocks) == 0:",
        code="""
import math
import torch


def shang_qu_zheng(a, b):
    # 向上取整
    return math.ceil(a / b)


class Request:
    def __init__(self, request_id, prompt_len):
        self.request_id = request_id
        self.seq_len = prompt_len
        self.block_table = []

    def __repr__(self):
        return f"Req<{self.request_id} len={self.seq_len} kuai={self.block_table}>"


class KVCacheManager:
    def __init__(self, num_blocks: int, block_size: int, head_dim: int):
        self.num_blocks = num_blocks
        self.block_size = block_size
        self.head_dim = head_dim
        # [块数, 块大小, 维度]
        self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim)
        self.free_blocks = list(range(num_blocks))

    def allocate_for_prefill(self, req):
        if len(self.free_blocks) == 0:
            raise RuntimeError("OOM 没有块")
        n = shang_qu_zheng(req.seq_len, self.block_size)
        fen = self.free_blocks[:n]
        self.free_blocks = self.free_blocks[n:]
        for f in fen:
            req.block_table.append(f)

    def allocate_for_decode(self, req):
        req.seq_len += 1
        yu = req.seq_len % self.block_size
        if yu == 1:  # 新块的第一个槽
            if len(self.free_blocks) < 1:
                raise RuntimeError("OOM, 没有空闲块了")
            req.block_table.append(self.free_blocks.pop(0))

    def get_physical_cache(self, req):
        kuai = [self.physical_kv_cache[b] for b in req.block_table]
        pinjie = torch.cat(kuai, dim=0)
        # 截尾
        return pinjie[:req.seq_len]
""",
    ),
    Wrong(
        name="returns the exception it made",
        mission="1",
        mistakes=("prefill.returns-instead-of-raising",),
        at="return RuntimeError(OOM_MSG);",
        code="""
import torch

# constexpr
OOM_MSG = "OOM"


class Request(object):
    def __init__(self, request_id, prompt_len):
        self.request_id = request_id;
        self.seq_len = prompt_len;
        self.block_table = [];


class KVCacheManager(object):
    def __init__(self, num_blocks, block_size, head_dim):
        self.num_blocks = num_blocks;
        self.block_size = block_size;
        self.head_dim = head_dim;
        self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim);
        self.free_blocks = [i for i in range(0, num_blocks)];

    # ---- private ----
    def __isEmpty(self) -> bool:
        return len(self.free_blocks) == 0

    def __front(self) -> int:
        return self.free_blocks.pop(0)

    # ---- public ----

    def allocate_for_prefill(self, req):
        needed = (req.seq_len + self.block_size - 1) // self.block_size;
        if (needed > len(self.free_blocks)):
            return RuntimeError(OOM_MSG);
        for i in range(0, needed):
            req.block_table.append(self.__front());

    def allocate_for_decode(self, req):
        req.seq_len += 1;
        isNew = (req.seq_len % self.block_size == 1);
        if (isNew):
            if (self.__isEmpty()):
                raise RuntimeError(OOM_MSG);
            req.block_table.append(self.__front());

    def get_physical_cache(self, req):
        parts = [];
        for i in range(0, len(req.block_table)):
            parts.append(self.physical_kv_cache[req.block_table[i]]);
        return torch.cat(parts, 0)[0:req.seq_len];
""",
    ),
    Wrong(
        name="a fresh list of ids and as many pops",
        mission="1",
        mistakes=("prefill.ids-from-range",),
        at="req.block_table = [i for i in range(needed_blocks)]",
        code="""
def allocate_for_prefill(self, req: Request) -> None:
    needed_blocks = (req.seq_len + self.block_size - 1) // self.block_size
    if needed_blocks > len(self.free_blocks):
        raise RuntimeError("OOM")
    req.block_table = [i for i in range(needed_blocks)]
    for _ in range(needed_blocks):
        self.free_blocks.pop(0)
""",
    ),
    Wrong(
        name="remove as if it returned",
        mission="1",
        mistakes=("prefill.appends-none",),
        at="req.block_table.append(self.free_blocks.remove(b))",
        code="""
def allocate_for_prefill(self, req):
    k = -(-req.seq_len // self.block_size)
    if k > len(self.free_blocks):
        raise RuntimeError("OOM")
    for b in list(self.free_blocks)[:k]:
        req.block_table.append(self.free_blocks.remove(b))
""",
    ),
    Wrong(
        name="counts the request's own length down",
        mission="1",
        mistakes=("prefill.changes-seq-len",),
        at="req.seq_len -= self.block_size",
        code="""
from typing import List
import math
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

    def allocate_for_prefill(self, req: Request) -> None:
        if math.ceil(req.seq_len / self.block_size) > len(self.free_blocks):
            raise RuntimeError("OOM")
        while req.seq_len > 0:
            req.block_table.append(self.free_blocks.pop(0))
            req.seq_len -= self.block_size

    def allocate_for_decode(self, req: Request) -> None:
        req.seq_len += 1
        if req.seq_len % self.block_size != 1:
            return
        if len(self.free_blocks) == 0:
            raise RuntimeError("OOM")
        req.block_table.append(self.free_blocks.pop(0))

    def get_physical_cache(self, req: Request) -> torch.Tensor:
        out = torch.empty(req.seq_len, self.head_dim)
        for t in range(req.seq_len):
            out[t] = self.physical_kv_cache[req.block_table[t // self.block_size]][t % self.block_size]
        return out
""",
    ),
)

DECODE = (
    Wrong(
        name="at the boundary when nothing is left over",
        mission="2",
        mistakes=("decode.remainder-zero",),
        at="at_boundary: bool = not (req.seq_len % self.block_size)",
        code="""
def allocate_for_decode(self, req: Request) -> None:
    req.seq_len += 1
    at_boundary: bool = not (req.seq_len % self.block_size)
    if at_boundary and len(self.free_blocks) > 0:
        req.block_table.append(self.free_blocks.pop(0))
    elif at_boundary:
        raise RuntimeError("OOM")
""",
    ),
    Wrong(
        name="plus behind the equals sign",
        mission="2",
        mistakes=("decode.assigns-plus-one",),
        at="req.seq_len =+ 1;",
        code="""
import torch

# constexpr
OOM_MSG = "OOM"


class Request(object):
    def __init__(self, request_id, prompt_len):
        self.request_id = request_id;
        self.seq_len = prompt_len;
        self.block_table = [];


class KVCacheManager(object):
    def __init__(self, num_blocks, block_size, head_dim):
        self.num_blocks = num_blocks;
        self.block_size = block_size;
        self.head_dim = head_dim;
        self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim);
        self.free_blocks = [i for i in range(0, num_blocks)];

    # ---- private ----
    def __isEmpty(self) -> bool:
        return len(self.free_blocks) == 0

    def __front(self) -> int:
        return self.free_blocks.pop(0)

    # ---- public ----

    def allocate_for_prefill(self, req):
        needed = (req.seq_len + self.block_size - 1) // self.block_size;
        if (len(self.free_blocks) < needed):
            raise RuntimeError(OOM_MSG);
        for i in range(0, needed):
            req.block_table.append(self.__front());

    def allocate_for_decode(self, req):
        req.seq_len =+ 1;
        isNewBlockNeeded = (req.seq_len % self.block_size) == 1;
        if (isNewBlockNeeded):
            if (self.__isEmpty()):
                raise RuntimeError(OOM_MSG);
            req.block_table.append(self.__front());

    def get_physical_cache(self, req):
        parts = [];
        for i in range(0, len(req.block_table)):
            parts.append(self.physical_kv_cache[req.block_table[i]]);
        return torch.cat(parts, 0)[0:req.seq_len];
""",
    ),
    Wrong(
        name="offset zero and straight to the front",
        mission="2",
        mistakes=("decode.no-empty-check",),
        at="req.block_table.append(self.__front());",
        code="""
def __front(self) -> int:
    return self.free_blocks.pop(0)

def allocate_for_decode(self, req):
    req.seq_len += 1;
    offset = (req.seq_len - 1) % self.block_size;
    if (offset == 0):
        req.block_table.append(self.__front());
""",
    ),
    Wrong(
        name="the precondition stands first",
        mission="2",
        mistakes=("decode.check-outside-condition",),
        at=("if (self.__isEmpty()):", "raise RuntimeError(OOM_MSG);\n        req.seq_len += 1;"),
        code="""
import torch

# constexpr
OOM_MSG = "OOM"


class Request(object):
    def __init__(self, request_id, prompt_len):
        self.request_id = request_id;
        self.seq_len = prompt_len;
        self.block_table = [];


class KVCacheManager(object):
    def __init__(self, num_blocks, block_size, head_dim):
        self.num_blocks = num_blocks;
        self.block_size = block_size;
        self.head_dim = head_dim;
        self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim);
        self.free_blocks = [i for i in range(0, num_blocks)];

    # ---- private ----
    def __isEmpty(self) -> bool:
        return len(self.free_blocks) == 0

    def __front(self) -> int:
        return self.free_blocks.pop(0)

    # ---- public ----

    def allocate_for_prefill(self, req):
        needed = (req.seq_len + self.block_size - 1) // self.block_size;
        if (len(self.free_blocks) < needed):
            raise RuntimeError(OOM_MSG);
        for i in range(0, needed):
            req.block_table.append(self.__front());

    def allocate_for_decode(self, req):
        # precondition
        if (self.__isEmpty()):
            raise RuntimeError(OOM_MSG);
        req.seq_len += 1;
        if (req.seq_len % self.block_size == 1):
            req.block_table.append(self.__front());

    def get_physical_cache(self, req):
        parts = [];
        for i in range(0, len(req.block_table)):
            parts.append(self.physical_kv_cache[req.block_table[i]]);
        return torch.cat(parts, 0)[0:req.seq_len];
""",
    ),
    Wrong(
        name="writes over the last place",
        mission="2",
        mistakes=("decode.overwrites-last",),
        at="req.block_table[last] = self.free_blocks.pop(0)",
        code="""
def allocate_for_decode(self, req: Request) -> None:
    req.seq_len += 1
    last = len(req.block_table) - 1
    if req.seq_len % self.block_size == 1:
        if len(self.free_blocks) == 0:
            raise RuntimeError("OOM")
        req.block_table[last] = self.free_blocks.pop(0)
""",
    ),
    Wrong(
        name="asserts with the bare letters",
        mission="2",
        mistakes=("decode.assert-instead-of-raise",),
        at='assert len(self.free_blocks) != 0, "OOM"',
        code="""
def allocate_for_decode(self, req: Request) -> None:
    req.seq_len += 1
    is_new_block_needed: bool = ((req.seq_len % self.block_size) == 1)
    if is_new_block_needed:
        assert len(self.free_blocks) != 0, "OOM"
        new_block: int = self.free_blocks.pop(0)
        req.block_table.append(new_block)
""",
    ),
    Wrong(
        name="appends the token once more",
        mission="2",
        mistakes=("decode.increments-twice",),
        at=(
            "req.seq_len += 1\n        return req.seq_len",
            "req.seq_len += 1\n        n = self.append_token(req)",
            "n = self.append_token(req)",
        ),
        code="""
def append_token(self, req):
    req.seq_len += 1
    return req.seq_len

def allocate_for_decode(self, req: Request) -> None:
    req.seq_len += 1
    n = self.append_token(req)
    if n > len(req.block_table) * self.block_size:
        if not self.free_blocks:
            raise RuntimeError("OOM")
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="does not divide so it needs a block",
        mission="2",
        mistakes=("decode.remainder-nonzero",),
        at="if yushu:",
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    yushu = req.seq_len % self.block_size
    # 除不尽 => 要新块
    if yushu:
        if not self.free_blocks:
            raise RuntimeError("OOM")
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="a block for every token",
        mission="2",
        mistakes=("decode.always-allocates",),
        at=("blk = self.free_blocks.pop(0)", "req.block_table.append(blk)"),
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    # 每来一个token领一块
    try:
        blk = self.free_blocks.pop(0)
    except IndexError:
        raise RuntimeError("OOM")
    req.block_table.append(blk)
""",
    ),
    Wrong(
        name="full as soon as it is filled",
        mission="2",
        mistakes=("decode.one-step-early",),
        at="full = cap <= req.seq_len",
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    cap = len(req.block_table) * self.block_size   # 容量
    full = cap <= req.seq_len
    if full:
        if len(self.free_blocks) == 0:
            raise RuntimeError("OOM")
        req.block_table += [self.free_blocks.pop(0)]
""",
    ),
    Wrong(
        name="new and free or nothing at all",
        mission="2",
        mistakes=("decode.skips-silently-when-empty",),
        at="if xin and self.free_blocks:",
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    xin = req.seq_len % self.block_size == 1
    if xin and self.free_blocks:
        kid = self.free_blocks.pop(0)
        req.block_table.append(kid)
""",
    ),
    Wrong(
        name="unpacks the pool and starts the table over",
        mission="2",
        mistakes=("decode.replaces-table",),
        at="req.block_table = [blk]",
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    new = (req.seq_len % self.block_size == 1)
    if not new:
        return
    if len(self.free_blocks) == 0:
        raise RuntimeError("OOM")
    blk, *self.free_blocks = self.free_blocks
    req.block_table = [blk]
""",
    ),
    Wrong(
        name="the smallest free id stays free",
        mission="2",
        mistakes=("decode.reads-without-removing",),
        at="req.block_table.append(min(self.free_blocks))",
        code="""
import math
import torch


def shang_qu_zheng(a, b):
    # 向上取整
    return math.ceil(a / b)


class Request:
    def __init__(self, request_id, prompt_len):
        self.request_id = request_id
        self.seq_len = prompt_len
        self.block_table = []

    def __repr__(self):
        return f"Req<{self.request_id} len={self.seq_len} kuai={self.block_table}>"


class KVCacheManager:
    def __init__(self, num_blocks: int, block_size: int, head_dim: int):
        self.num_blocks = num_blocks
        self.block_size = block_size
        self.head_dim = head_dim
        # [块数, 块大小, 维度]
        self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim)
        self.free_blocks = list(range(num_blocks))

    def allocate_for_prefill(self, req):
        xuyao = shang_qu_zheng(req.seq_len, self.block_size)
        kongxian = len(self.free_blocks)
        # 不够直接报错
        if kongxian < xuyao:
            raise RuntimeError(f"OOM: 需要{xuyao}块, 只有{kongxian}块")
        for _ in range(xuyao):
            req.block_table.append(self.free_blocks.pop(0))

    def allocate_for_decode(self, req):
        req.seq_len += 1
        yao = shang_qu_zheng(req.seq_len, self.block_size)
        you = len(req.block_table)
        if yao > you:
            if not self.free_blocks:
                raise RuntimeError("OOM")
            req.block_table.append(min(self.free_blocks))

    def get_physical_cache(self, req):
        kuai = [self.physical_kv_cache[b] for b in req.block_table]
        pinjie = torch.cat(kuai, dim=0)
        # 截尾
        return pinjie[:req.seq_len]
""",
    ),
    Wrong(
        name="beyond the first block and ever after",
        mission="2",
        mistakes=("decode.any-after-first-block",),
        at="if chaochu > 0:",
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    # 超出一个块就补块
    chaochu = req.seq_len - self.block_size
    if chaochu > 0:
        if len(self.free_blocks) == 0:
            raise RuntimeError("OOM")
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="a placeholder before the check",
        mission="2",
        mistakes=("decode.half-updates-on-oom",),
        at=(
            "req.block_table.append(-1)",
            'raise RuntimeError("OOM")\n            req.block_table[-1] = self.free_blocks.pop(0)',
        ),
        code="""
def allocate_for_decode(self, req: Request) -> None:
    req.seq_len += 1
    if req.seq_len % self.block_size == 1:
        # emplace_back, then fill
        req.block_table.append(-1)
        if not self.free_blocks:
            raise RuntimeError("OOM")
        req.block_table[-1] = self.free_blocks.pop(0)
""",
    ),
    Wrong(
        name="the old length after the new one is stored",
        mission="2",
        mistakes=("decode.condition-before-increment",),
        at="is_new_block_needed = old_len % self.block_size == 1",
        code="""
def get_num_free_blocks(self) -> int:
    return len(self.free_blocks)

def allocate_for_decode(self, req: Request) -> None:
    old_len = req.seq_len
    req.seq_len = old_len + 1
    is_new_block_needed = old_len % self.block_size == 1
    if is_new_block_needed:
        if self.get_num_free_blocks() == 0:
            raise RuntimeError("OOM")
        req.block_table.append(self.free_blocks.pop())
""",
    ),
    Wrong(
        name="the capacity of one block more",
        mission="2",
        mistakes=("decode.one-block-late",),
        at="if req.seq_len > slots:",
        code="""
def allocate_for_decode(self, req: Request) -> None:
    req.seq_len += 1
    slots = (len(req.block_table) + 1) * self.block_size
    if req.seq_len > slots:
        if not self.free_blocks:
            raise RuntimeError("OOM")
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="the watermark keeps one back",
        mission="2",
        mistakes=("decode.keeps-one-in-reserve",),
        at=(
            "return self.get_num_free_blocks() - self.watermark_blocks > 0",
            "if not self.can_append_slot():",
        ),
        code='''
# level22 paged attention, see vllm/core/block_manager.py
from typing import Dict, List, Optional

import torch

BlockTable = List[int]


class Request:

    def __init__(self, request_id: int, prompt_len: int) -> None:
        self.request_id = request_id
        self.seq_len = prompt_len
        self.block_table: BlockTable = []


class KVCacheManager:
    """Manages the mapping between logical and physical token blocks."""

    def __init__(self, num_blocks: int, block_size: int, head_dim: int) -> None:
        self.num_blocks = num_blocks
        self.block_size = block_size
        self.head_dim = head_dim
        self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim)
        self.free_blocks: List[int] = list(range(num_blocks))

    def get_num_free_blocks(self) -> int:
        return len(self.free_blocks)

    def allocate_for_prefill(self, req: Request) -> None:
        num_required = -(-req.seq_len // self.block_size)
        if self.get_num_free_blocks() < num_required:
            raise RuntimeError("OOM")
        block_table = [self.free_blocks.pop() for _ in range(num_required)]
        req.block_table.extend(block_table)

    watermark_blocks = 1

    def can_append_slot(self) -> bool:
        return self.get_num_free_blocks() - self.watermark_blocks > 0

    def allocate_for_decode(self, req: Request) -> None:
        req.seq_len += 1
        if req.seq_len % self.block_size == 1:
            if not self.can_append_slot():
                raise RuntimeError("OOM")
            req.block_table.append(self.free_blocks.pop())

    def get_physical_cache(self, req: Request) -> torch.Tensor:
        blocks = [self.physical_kv_cache[b] for b in req.block_table]
        return torch.cat(blocks)[:req.seq_len]
''',
    ),
    Wrong(
        name="no free blocks with an exclamation mark",
        mission="2",
        mistakes=("decode.message-without-oom",),
        at='raise RuntimeError("No free blocks!")',
        code="""
def allocate_for_decode(self, req: Request) -> None:
    req.seq_len += 1
    is_new_block_needed = (req.seq_len % self.block_size) == 1
    if is_new_block_needed:
        if len(self.free_blocks) <= 0:
            raise RuntimeError("No free blocks!")
        block = self.free_blocks.pop(0)
        req.block_table.append(block)
""",
    ),
    Wrong(
        name="preempts later and swallows now",
        mission="2",
        mistakes=("decode.swallows-own-exception",),
        at=("except RuntimeError as e:", "print(e)"),
        code="""
def allocate_for_decode(self, req: Request) -> None:
    req.seq_len += 1
    try:
        if len(req.block_table) < (req.seq_len + self.block_size - 1) // self.block_size:
            if not self.free_blocks:
                raise RuntimeError("OOM")
            req.block_table.append(self.free_blocks.pop())
    except RuntimeError as e:
        # preempt later
        print(e)
""",
    ),
    Wrong(
        name="the last slot counts as full",
        mission="2",
        mistakes=("decode.remainder-last-slot",),
        at="is_new_block_needed = req.seq_len % self.block_size == self.block_size - 1",
        code="""
def allocate_for_decode(self, req: Request) -> None:
    req.seq_len += 1
    # last_block.is_full()
    is_new_block_needed = req.seq_len % self.block_size == self.block_size - 1
    if is_new_block_needed:
        if not self.free_blocks:
            raise RuntimeError("OOM")
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="block_size without self",
        mission="2",
        mistakes=("structure.bare-name",),
        at="if req.seq_len % block_size == 1:",
        code="""
from typing import List
import math
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

    def allocate_for_prefill(self, req: Request) -> None:
        n: int = req.seq_len // self.block_size
        if req.seq_len % self.block_size != 0:
            n += 1
        if n > len(self.free_blocks):
            raise RuntimeError("OOM")
        i = 0
        while i < n:
            req.block_table.append(self.free_blocks.pop(0))
            i += 1

    def allocate_for_decode(self, req: Request) -> None:
        req.seq_len += 1
        if req.seq_len % block_size == 1:
            if len(self.free_blocks) == 0:
                raise RuntimeError("OOM")
            req.block_table.append(self.free_blocks.pop(0))

    def get_physical_cache(self, req: Request) -> torch.Tensor:
        out = torch.empty(req.seq_len, self.head_dim)
        for t in range(req.seq_len):
            out[t] = self.physical_kv_cache[req.block_table[t // self.block_size]][t % self.block_size]
        return out
""",
    ),
    Wrong(
        name="the new block in front of the old",
        mission="2",
        mistakes=("decode.inserts-at-front",),
        at="req.block_table = [self.free_blocks.pop(0)] + req.block_table",
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    need_new = bool((req.seq_len - 1) % self.block_size == 0)
    if need_new:
        if not len(self.free_blocks):
            raise RuntimeError("OOM")
        req.block_table = [self.free_blocks.pop(0)] + req.block_table
""",
    ),
    Wrong(
        name="the neighbour of the previous block",
        mission="2",
        mistakes=("decode.appends-next-id",),
        at="req.block_table.append(prev + 1)",
        code="""
def get_num_free_blocks(self) -> int:
    return len(self.free_blocks)

def allocate_for_decode(self, req: Request) -> None:
    req.seq_len += 1
    if req.seq_len % self.block_size == 1:
        if self.get_num_free_blocks() < 1:
            raise RuntimeError("OOM")
        self.free_blocks.pop(0)
        prev = req.block_table[-1]
        req.block_table.append(prev + 1)
""",
    ),
    Wrong(
        name="whole blocks of the new length",
        mission="2",
        mistakes=("decode.one-block-late",),
        at=(
            "num_logical_blocks = req.seq_len // self.block_size",
            "if num_logical_blocks > len(req.block_table):",
        ),
        code="""
def get_num_free_blocks(self) -> int:
    return len(self.free_blocks)

def allocate_for_decode(self, req: Request) -> None:
    req.seq_len += 1
    num_logical_blocks = req.seq_len // self.block_size
    if num_logical_blocks > len(req.block_table):
        if self.get_num_free_blocks() == 0:
            raise RuntimeError("OOM")
        req.block_table.append(self.free_blocks.pop())
""",
    ),
    Wrong(
        name="the quotient changes at the multiple",
        mission="2",
        mistakes=("decode.remainder-zero",),
        at="if qian != hou:   # 跨块了",
        code="""
def allocate_for_decode(self, req):
    qian = req.seq_len // self.block_size
    req.seq_len += 1
    hou = req.seq_len // self.block_size
    if qian != hou:   # 跨块了
        if not self.free_blocks:
            raise RuntimeError("OOM")
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="to the error stream and home",
        mission="2",
        mistakes=("decode.prints-instead-of-raising",),
        at=(
            'print("OOM", file=sys.stderr)',
            "return\n            req.block_table.append(self.free_blocks.pop(0))",
        ),
        code="""
def allocate_for_decode(self, req: Request) -> None:
    import sys
    req.seq_len += 1
    if (req.seq_len - 1) % self.block_size == 0:
        if len(self.free_blocks) == 0:
            print("OOM", file=sys.stderr)
            return
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="prints and exits",
        mission="2",
        mistakes=("decode.exits",),
        at="exit(1);",
        code="""
import torch

# constexpr
OOM_MSG = "OOM"


class Request(object):
    def __init__(self, request_id, prompt_len):
        self.request_id = request_id;
        self.seq_len = prompt_len;
        self.block_table = [];


class KVCacheManager(object):
    def __init__(self, num_blocks, block_size, head_dim):
        self.num_blocks = num_blocks;
        self.block_size = block_size;
        self.head_dim = head_dim;
        self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim);
        self.free_blocks = [i for i in range(0, num_blocks)];

    # ---- private ----
    def __isEmpty(self) -> bool:
        return len(self.free_blocks) == 0

    def __front(self) -> int:
        return self.free_blocks.pop(0)

    # ---- public ----

    def allocate_for_prefill(self, req):
        needed = (req.seq_len + self.block_size - 1) // self.block_size;
        if (len(self.free_blocks) < needed):
            raise RuntimeError(OOM_MSG);
        for i in range(0, needed):
            req.block_table.append(self.__front());

    def allocate_for_decode(self, req):
        req.seq_len += 1;
        if (req.seq_len % self.block_size == 1):
            if (len(self.free_blocks) == 0):
                print(OOM_MSG);
                exit(1);
            req.block_table.append(self.__front());

    def get_physical_cache(self, req):
        parts = [];
        for i in range(0, len(req.block_table)):
            parts.append(self.physical_kv_cache[req.block_table[i]]);
        return torch.cat(parts, 0)[0:req.seq_len];
""",
    ),
    Wrong(
        name="the remainder by numpy the wrong way round",
        mission="2",
        mistakes=("decode.modulo-backwards",),
        at="flag = np.mod(self.block_size, req.seq_len) == 1",
        code='''
import numpy as np
import torch
from dataclasses import dataclass, field


@dataclass
class Request:
    request_id: int
    prompt_len: int
    block_table: list = field(default_factory=list)

    def __post_init__(self):
        self.seq_len = self.prompt_len


class KVCacheManager:
    """显存块管理"""

    def __init__(self, num_blocks, block_size, head_dim):
        self.num_blocks, self.block_size, self.head_dim = num_blocks, block_size, head_dim
        self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim)
        self.free_blocks = list(range(num_blocks))

    def allocate_for_prefill(self, req):
        k = int(np.ceil(req.seq_len / self.block_size))
        if k > len(self.free_blocks):
            raise RuntimeError("OOM")
        ids, self.free_blocks = self.free_blocks[:k], self.free_blocks[k:]
        req.block_table += ids

    def allocate_for_decode(self, req):
        req.seq_len += 1
        flag = np.mod(self.block_size, req.seq_len) == 1
        if flag:
            if not self.free_blocks:
                raise RuntimeError("OOM")
            req.block_table.append(self.free_blocks.pop(0))

    def get_physical_cache(self, req):
        kv = self.physical_kv_cache[req.block_table]
        return kv.reshape(-1, self.head_dim)[: req.seq_len]
''',
    ),
    Wrong(
        name="one more than the first block",
        mission="2",
        mistakes=("decode.first-crossing-only",),
        at="is_new_block_needed = req.seq_len == self.block_size + 1",
        code="""
def allocate_for_decode(self, req: Request) -> None:
    req.seq_len += 1
    is_new_block_needed = req.seq_len == self.block_size + 1
    if is_new_block_needed:
        if not self.free_blocks:
            raise RuntimeError("OOM")
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="a helper that pops and forgets",
        mission="2",
        mistakes=("decode.pops-without-appending",),
        at=("return block", "self.append_slot(req)"),
        code='''
# level22 paged attention, see vllm/core/block_manager.py
from typing import Dict, List, Optional

import torch

BlockTable = List[int]


class Request:

    def __init__(self, request_id: int, prompt_len: int) -> None:
        self.request_id = request_id
        self.seq_len = prompt_len
        self.block_table: BlockTable = []


class KVCacheManager:
    """Manages the mapping between logical and physical token blocks."""

    def __init__(self, num_blocks: int, block_size: int, head_dim: int) -> None:
        self.num_blocks = num_blocks
        self.block_size = block_size
        self.head_dim = head_dim
        self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim)
        self.free_blocks: List[int] = list(range(num_blocks))

    def get_num_free_blocks(self) -> int:
        return len(self.free_blocks)

    def allocate_for_prefill(self, req: Request) -> None:
        num_required = -(-req.seq_len // self.block_size)
        if self.get_num_free_blocks() < num_required:
            raise RuntimeError("OOM")
        block_table = [self.free_blocks.pop() for _ in range(num_required)]
        req.block_table.extend(block_table)

    def append_slot(self, req) -> Optional[int]:
        if req.seq_len % self.block_size == 1:
            if not self.free_blocks:
                raise RuntimeError("OOM")
            block = self.free_blocks.pop()
            return block
        return None

    def allocate_for_decode(self, req: Request) -> None:
        req.seq_len += 1
        self.append_slot(req)

    def get_physical_cache(self, req: Request) -> torch.Tensor:
        blocks = [self.physical_kv_cache[b] for b in req.block_table]
        return torch.cat(blocks)[:req.seq_len]
''',
    ),
    Wrong(
        name="counts up a copy of the length",
        mission="2",
        mistakes=("decode.no-increment",),
        at="n += 1",
        code="""
def allocate_for_decode(self, req):
    n, bs = req.seq_len, self.block_size
    n += 1
    if n % bs == 1:
        if not self.free_blocks:
            raise RuntimeError("OOM")
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="plus plus",
        mission="2",
        mistakes=("decode.no-increment",),
        at="++req.seq_len",
        code="""
def allocate_for_decode(self, req: Request) -> None:
    ++req.seq_len
    if req.seq_len % self.block_size == 1:
        if len(self.free_blocks) == 0:
            raise RuntimeError("OOM")
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
    Wrong(
        name="the next logical number",
        mission="2",
        mistakes=("decode.appends-table-length",),
        at="req.block_table.append(nextId);",
        code="""
import torch

# constexpr
OOM_MSG = "OOM"


class Request(object):
    def __init__(self, request_id, prompt_len):
        self.request_id = request_id;
        self.seq_len = prompt_len;
        self.block_table = [];


class KVCacheManager(object):
    def __init__(self, num_blocks, block_size, head_dim):
        self.num_blocks = num_blocks;
        self.block_size = block_size;
        self.head_dim = head_dim;
        self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim);
        self.free_blocks = [i for i in range(0, num_blocks)];

    # ---- private ----
    def __isEmpty(self) -> bool:
        return len(self.free_blocks) == 0

    def __front(self) -> int:
        return self.free_blocks.pop(0)

    # ---- public ----

    def allocate_for_prefill(self, req):
        needed = (req.seq_len + self.block_size - 1) // self.block_size;
        if (len(self.free_blocks) < needed):
            raise RuntimeError(OOM_MSG);
        for i in range(0, needed):
            req.block_table.append(self.__front());

    def allocate_for_decode(self, req):
        req.seq_len += 1;
        if (req.seq_len % self.block_size == 1):
            if (self.__isEmpty()):
                raise RuntimeError(OOM_MSG);
            nextId = len(req.block_table);
            self.free_blocks.pop(0);
            req.block_table.append(nextId);

    def get_physical_cache(self, req):
        parts = [];
        for i in range(0, len(req.block_table)):
            parts.append(self.physical_kv_cache[req.block_table[i]]);
        return torch.cat(parts, 0)[0:req.seq_len];
""",
    ),
    Wrong(
        name="prefill once more",
        mission="2",
        mistakes=("decode.allocates-many",),
        at="self.allocate_for_prefill(req)",
        code="""
def allocate_for_decode(self, req):
    req.seq_len += 1
    if req.seq_len % self.block_size == 1:
        # 复用 prefill 的逻辑
        self.allocate_for_prefill(req)
""",
    ),
    Wrong(
        name="a value error with the right letters",
        mission="2",
        mistakes=("decode.wrong-exception",),
        at='raise ValueError("OOM: No available blocks")',
        code="""
def allocate_for_decode(self, req: Request) -> None:
    req.seq_len += 1
    is_new_block_needed = (req.seq_len % self.block_size) == 1
    if is_new_block_needed:
        if not self.free_blocks:
            raise ValueError("OOM: No available blocks")
        req.block_table += [self.free_blocks.pop(0)]
""",
    ),
    Wrong(
        name="longer than the whole pool",
        mission="2",
        mistakes=("decode.never-allocates",),
        at="is_new_block_needed = req.seq_len > self.num_blocks * self.block_size",
        code="""
def allocate_for_decode(self, req: Request) -> None:
    req.seq_len += 1
    is_new_block_needed = req.seq_len > self.num_blocks * self.block_size
    if is_new_block_needed:
        if not self.free_blocks:
            raise RuntimeError("OOM")
        req.block_table.append(self.free_blocks.pop(0))
""",
    ),
)

GATHER = (
    Wrong(
        name="counts from nought to the table's length",
        mission="3",
        mistakes=("gather.logical-as-physical",),
        at=("blocks.append(self.physical_kv_cache[i]);", "for i in range(0, n):"),
        code="""
def get_physical_cache(self, req):
    blocks = [];
    n = len(req.block_table);
    for i in range(0, n):
        blocks.append(self.physical_kv_cache[i]);
    out = torch.cat(blocks, dim=0);
    return out[0:req.seq_len];
""",
    ),
    Wrong(
        name="stops one before the end",
        mission="3",
        mistakes=("gather.slice-off-by-one",),
        at="return cat_blocks[0:last]",
        code="""
def get_physical_cache(self, req: Request) -> torch.Tensor:
    blocks = []
    for id in req.block_table:
        blocks.append(self.physical_kv_cache[id])
    cat_blocks = torch.cat(blocks, dim=0)
    last = req.seq_len - 1
    return cat_blocks[0:last]
""",
    ),
    Wrong(
        name="keeps the block of the last turn",
        mission="3",
        mistakes=("gather.last-block-only",),
        at=("blocks = [self.physical_kv_cache[block_id]]", "cat_blocks = torch.cat(blocks, dim=0)"),
        code="""
def get_physical_cache(self, req: Request) -> torch.Tensor:
    cat_blocks = None
    for block_id in req.block_table:
        blocks = [self.physical_kv_cache[block_id]]
        cat_blocks = torch.cat(blocks, dim=0)
    return cat_blocks[:req.seq_len]
""",
    ),
    Wrong(
        name="up to the last but one",
        mission="3",
        mistakes=("gather.skips-last-block",),
        at="while (i < cnt - 1):",
        code="""
def get_physical_cache(self, req):
    cnt = len(req.block_table);
    parts = [];
    i = 0;
    while (i < cnt - 1):
        parts.append(self.physical_kv_cache[req.block_table[i]]);
        i += 1;
    return torch.cat(parts, 0)[:req.seq_len];
""",
    ),
    Wrong(
        name="an output parameter nobody sees",
        mission="3",
        mistakes=("gather.no-return",),
        at="out = torch.cat(parts, 0)[:req.seq_len];",
        code="""
def get_physical_cache(self, req, out=None):
    # out: output parameter
    parts = [];
    for b in req.block_table:
        parts.append(self.physical_kv_cache[b]);
    out = torch.cat(parts, 0)[:req.seq_len];
""",
    ),
    Wrong(
        name="ids counted from one",
        mission="3",
        mistakes=("gather.id-off-by-one",),
        at="blocks = [self.physical_kv_cache[b - 1] for b in req.block_table]",
        code="""
def get_physical_cache(self, req: Request) -> torch.Tensor:
    # block ids are 1-based
    blocks = [self.physical_kv_cache[b - 1] for b in req.block_table]
    return torch.cat(blocks, dim=0)[: req.seq_len]
""",
    ),
    Wrong(
        name="hstack puts them side by side",
        mission="3",
        mistakes=("gather.cat-dim-one",),
        at="kv = torch.hstack(parts)   # 横着拼",
        code="""
def get_physical_cache(self, req):
    parts = [self.physical_kv_cache[i] for i in req.block_table]
    kv = torch.hstack(parts)   # 横着拼
    return kv[:req.seq_len]
""",
    ),
    Wrong(
        name="stacked and cut along the blocks",
        mission="3",
        mistakes=("gather.stacks",),
        at="jieguo = torch.stack(kuai)",
        code="""
def get_physical_cache(self, req):
    kuai = []
    for kid in req.block_table:
        kuai.append(self.physical_kv_cache[kid])
    jieguo = torch.stack(kuai)
    return jieguo[:req.seq_len]
""",
    ),
    Wrong(
        name="a set against doubles",
        mission="3",
        mistakes=("gather.dedupes-ids",),
        at="weiyi = set(req.block_table)",
        code="""
def get_physical_cache(self, req):
    # 去重, 防止重复块
    weiyi = set(req.block_table)
    kuai = [self.physical_kv_cache[k] for k in weiyi]
    return torch.cat(kuai, 0)[:req.seq_len]
""",
    ),
    Wrong(
        name="numpy sorts the index",
        mission="3",
        mistakes=("gather.sorts-ids",),
        at="idx = np.sort(req.block_table)",
        code='''
import numpy as np
import torch
from dataclasses import dataclass, field


@dataclass
class Request:
    request_id: int
    prompt_len: int
    block_table: list = field(default_factory=list)

    def __post_init__(self):
        self.seq_len = self.prompt_len


class KVCacheManager:
    """显存块管理"""

    def __init__(self, num_blocks, block_size, head_dim):
        self.num_blocks, self.block_size, self.head_dim = num_blocks, block_size, head_dim
        self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim)
        self.free_blocks = list(range(num_blocks))

    def allocate_for_prefill(self, req):
        k = int(np.ceil(req.seq_len / self.block_size))
        if k > len(self.free_blocks):
            raise RuntimeError("OOM")
        ids, self.free_blocks = self.free_blocks[:k], self.free_blocks[k:]
        req.block_table += ids

    def allocate_for_decode(self, req):
        req.seq_len += 1
        if req.seq_len > len(req.block_table) * self.block_size:
            if not self.free_blocks:
                raise RuntimeError("OOM")
            req.block_table = req.block_table + [self.free_blocks.pop(0)]

    def get_physical_cache(self, req):
        idx = np.sort(req.block_table)
        kv = self.physical_kv_cache[torch.from_numpy(idx)]
        return kv.reshape(-1, self.head_dim)[:req.seq_len, :]
''',
    ),
    Wrong(
        name="reshaped into one long row",
        mission="3",
        mistakes=("gather.flattens-to-one-dim",),
        at="kv = kv.reshape(-1)  # 展平",
        code="""
def get_physical_cache(self, req):
    kv = self.physical_kv_cache[req.block_table]
    kv = kv.reshape(-1)  # 展平
    return kv[: req.seq_len * self.head_dim]
""",
    ),
    Wrong(
        name="an array of numpy",
        mission="3",
        mistakes=("gather.returns-other-type",),
        at=("return kv[:req.seq_len]", "arr = self.physical_kv_cache.numpy()"),
        code='''
import numpy as np
import torch
from dataclasses import dataclass, field


@dataclass
class Request:
    request_id: int
    prompt_len: int
    block_table: list = field(default_factory=list)

    def __post_init__(self):
        self.seq_len = self.prompt_len


class KVCacheManager:
    """显存块管理"""

    def __init__(self, num_blocks, block_size, head_dim):
        self.num_blocks, self.block_size, self.head_dim = num_blocks, block_size, head_dim
        self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim)
        self.free_blocks = list(range(num_blocks))

    def allocate_for_prefill(self, req):
        k = int(np.ceil(req.seq_len / self.block_size))
        if k > len(self.free_blocks):
            raise RuntimeError("OOM")
        ids, self.free_blocks = self.free_blocks[:k], self.free_blocks[k:]
        req.block_table += ids

    def allocate_for_decode(self, req):
        req.seq_len += 1
        if req.seq_len > len(req.block_table) * self.block_size:
            if not self.free_blocks:
                raise RuntimeError("OOM")
            req.block_table = req.block_table + [self.free_blocks.pop(0)]

    def get_physical_cache(self, req):
        arr = self.physical_kv_cache.numpy()
        kv = np.concatenate([arr[b] for b in req.block_table], axis=0)
        return kv[:req.seq_len]
''',
    ),
    Wrong(
        name="stacked along the slots and flattened",
        mission="3",
        mistakes=("gather.interleaves-tokens",),
        at=(
            "kuai = torch.stack([self.physical_kv_cache[b] for b in req.block_table], dim=1)",
            "ping = kuai.reshape(-1, self.head_dim)",
        ),
        code="""
def get_physical_cache(self, req):
    kuai = torch.stack([self.physical_kv_cache[b] for b in req.block_table], dim=1)
    ping = kuai.reshape(-1, self.head_dim)
    return ping[:req.seq_len]
""",
    ),
    Wrong(
        name="rows kept and columns cut",
        mission="3",
        mistakes=("gather.slices-heads",),
        at="return pj[:, :req.seq_len]",
        code="""
def get_physical_cache(self, req):
    pj = torch.vstack([self.physical_kv_cache[b] for b in req.block_table])
    # 截到真实长度
    return pj[:, :req.seq_len]
""",
    ),
    Wrong(
        name="selected and viewed but not cut",
        mission="3",
        mistakes=("gather.missing-slice",),
        at="return key_cache.index_select(0, block_tables).view(-1, self.head_dim)",
        code="""
def get_physical_cache(self, req: Request) -> torch.Tensor:
    key_cache = self.physical_kv_cache
    block_tables = torch.tensor(req.block_table, dtype=torch.long)
    return key_cache.index_select(0, block_tables).view(-1, self.head_dim)
""",
    ),
    Wrong(
        name="only the tail's worth of rows",
        mission="3",
        mistakes=("gather.slice-by-remainder",),
        at=("num_tail = req.seq_len % self.block_size", "return cat_blocks[:num_tail]"),
        code="""
def get_physical_cache(self, req: Request) -> torch.Tensor:
    blocks = [self.physical_kv_cache[b] for b in req.block_table]
    cat_blocks = torch.cat(blocks, dim=0)
    num_tail = req.seq_len % self.block_size
    return cat_blocks[:num_tail]
""",
    ),
    Wrong(
        name="the latest n rows",
        mission="3",
        mistakes=("gather.slices-from-end",),
        at="return kv[-n:]",
        code="""
def get_physical_cache(self, req):
    kv = torch.cat(list(self.physical_kv_cache[req.block_table]))
    n = req.seq_len
    return kv[-n:]  # 取最近 n 个
""",
    ),
    Wrong(
        name="one block of context",
        mission="3",
        mistakes=("gather.slice-by-block-size",),
        at="return context[:self.block_size]",
        code="""
def get_physical_cache(self, req: Request) -> torch.Tensor:
    context = torch.cat([self.physical_kv_cache[b] for b in req.block_table], dim=0)
    return context[:self.block_size]
""",
    ),
    Wrong(
        name="eats the table while it reads",
        mission="3",
        mistakes=("gather.changes-table",),
        at="block_id = req.block_table.pop(0)",
        code="""
def get_physical_cache(self, req: Request) -> torch.Tensor:
    blocks = []
    while req.block_table:
        block_id = req.block_table.pop(0)
        blocks.append(self.physical_kv_cache[block_id])
    cat_blocks = torch.cat(blocks, dim=0)
    return cat_blocks[:req.seq_len]
""",
    ),
    Wrong(
        name="indexed by a tensor and left in three dimensions",
        mission="3",
        mistakes=("gather.missing-cat",),
        at=(
            "cat_blocks = self.physical_kv_cache[torch.tensor(req.block_table)]",
            "return cat_blocks[:req.seq_len]",
        ),
        code="""
def get_physical_cache(self, req: Request) -> torch.Tensor:
    # physical_kv_cache[block_table]
    cat_blocks = self.physical_kv_cache[torch.tensor(req.block_table)]
    return cat_blocks[:req.seq_len]
""",
    ),
    Wrong(
        name="as many free blocks as the table holds",
        mission="3",
        mistakes=("gather.uses-free-blocks",),
        at="blocks = [self.physical_kv_cache[b] for b in self.free_blocks[:n]]",
        code="""
def get_physical_cache(self, req: Request) -> torch.Tensor:
    n = len(req.block_table)
    blocks = [self.physical_kv_cache[b] for b in self.free_blocks[:n]]
    return torch.cat(blocks, dim=0)[:req.seq_len]
""",
    ),
    Wrong(
        name="each block cut to what the last one holds",
        mission="3",
        mistakes=("gather.slices-each-block",),
        at="blocks = [self.physical_kv_cache[b][:used] for b in req.block_table]",
        code="""
def get_physical_cache(self, req: Request) -> torch.Tensor:
    used = req.seq_len % self.block_size or self.block_size
    blocks = [self.physical_kv_cache[b][:used] for b in req.block_table]
    return torch.cat(blocks, dim=0)
""",
    ),
    Wrong(
        name="blks at first and blocks afterwards",
        mission="3",
        mistakes=("structure.unbound-name",),
        at="cat_blocks = torch.cat(blocks, dim=0)",
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

    def allocate_for_prefill(self, req: Request) -> None:
        needed_blocks = (req.seq_len + self.block_size - 1) // self.block_size
        if len(self.free_blocks) < needed_blocks:
            raise RuntimeError("OOM")
        for _ in range(needed_blocks):
            req.block_table.append(self.free_blocks.pop(0))

    def allocate_for_decode(self, req: Request) -> None:
        req.seq_len += 1
        is_new_block_needed = (req.seq_len % self.block_size) == 1
        if is_new_block_needed:
            if not self.free_blocks:
                raise RuntimeError("OOM")
            req.block_table.append(self.free_blocks.pop(0))

    def get_physical_cache(self, req: Request) -> torch.Tensor:
        blks = [self.physical_kv_cache[block_id] for block_id in req.block_table]
        cat_blocks = torch.cat(blocks, dim=0)
        return cat_blocks[:req.seq_len]
""",
    ),
    Wrong(
        name="appends the id itself",
        mission="3",
        mistakes=("gather.ids-instead-of-tensors",),
        at="blocks.append(req.block_table[i])",
        code="""
def get_physical_cache(self, req: Request) -> torch.Tensor:
    blocks: List[torch.Tensor] = []
    for i in range(len(req.block_table)):
        blocks.append(req.block_table[i])
    cat_blocks: torch.Tensor = torch.cat(blocks, dim=0)
    return cat_blocks[:req.seq_len]
""",
    ),
    Wrong(
        name="a method without self",
        mission="3",
        mistakes=("structure.missing-self",),
        at="def get_physical_cache(req):",
        code="""
import torch

# constexpr
OOM_MSG = "OOM"


class Request(object):
    def __init__(self, request_id, prompt_len):
        self.request_id = request_id;
        self.seq_len = prompt_len;
        self.block_table = [];


class KVCacheManager(object):
    def __init__(self, num_blocks, block_size, head_dim):
        self.num_blocks = num_blocks;
        self.block_size = block_size;
        self.head_dim = head_dim;
        self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim);
        self.free_blocks = [i for i in range(0, num_blocks)];

    # ---- private ----
    def __isEmpty(self) -> bool:
        return len(self.free_blocks) == 0

    def __front(self) -> int:
        return self.free_blocks.pop(0)

    # ---- public ----

    def allocate_for_prefill(self, req):
        needed = (req.seq_len + self.block_size - 1) // self.block_size;
        if (len(self.free_blocks) < needed):
            raise RuntimeError(OOM_MSG);
        for i in range(0, needed):
            req.block_table.append(self.__front());

    def allocate_for_decode(self, req):
        req.seq_len += 1;
        isNew = (req.seq_len % self.block_size == 1);
        if (isNew):
            if (self.__isEmpty()):
                raise RuntimeError(OOM_MSG);
            req.block_table.append(self.__front());

    def get_physical_cache(req):
        parts = [self.physical_kv_cache[b] for b in req.block_table];
        return torch.cat(parts, 0)[:req.seq_len];
""",
    ),
    Wrong(
        name="clears the unused slots in the pool",
        mission="3",
        mistakes=("gather.writes-into-pool",),
        at="self.physical_kv_cache[last][tail:] = 0",
        code="""
def get_physical_cache(self, req):
    n, bs = req.seq_len, self.block_size
    last = req.block_table[-1]
    tail = n - (len(req.block_table) - 1) * bs
    # 没用到的槽位清零
    self.physical_kv_cache[last][tail:] = 0
    return self.physical_kv_cache[req.block_table].reshape(-1, self.head_dim)[:n]
""",
    ),
    Wrong(
        name="each block cut to the remainder",
        mission="3",
        mistakes=("gather.slices-each-block",),
        at="blocks = [self.physical_kv_cache[b][: req.seq_len % self.block_size] for b in req.block_table]",
        code="""
def get_physical_cache(self, req: Request) -> torch.Tensor:
    blocks = [self.physical_kv_cache[b][: req.seq_len % self.block_size] for b in req.block_table]
    cat_blocks = torch.cat(blocks, dim=0)
    return cat_blocks[:req.seq_len]
""",
    ),
    Wrong(
        name="each block cut to the length",
        mission="3",
        mistakes=("gather.slices-each-block",),
        at="blocks.append(block[0:req.seq_len])",
        code="""
def get_physical_cache(self, req: Request) -> torch.Tensor:
    blocks = []
    for block_id in req.block_table:
        block = self.physical_kv_cache[block_id]
        blocks.append(block[0:req.seq_len])
    return torch.cat(blocks, dim=0)
""",
    ),
    Wrong(
        name="id plus offset as the slot",
        mission="3",
        mistakes=("unknown",),
        at="slots = np.concatenate([b + np.arange(self.block_size) for b in req.block_table])",
        code='''
import numpy as np
import torch
from dataclasses import dataclass, field


@dataclass
class Request:
    request_id: int
    prompt_len: int
    block_table: list = field(default_factory=list)

    def __post_init__(self):
        self.seq_len = self.prompt_len


class KVCacheManager:
    """显存块管理"""

    def __init__(self, num_blocks, block_size, head_dim):
        self.num_blocks, self.block_size, self.head_dim = num_blocks, block_size, head_dim
        self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim)
        self.free_blocks = list(range(num_blocks))

    def allocate_for_prefill(self, req):
        k = int(np.ceil(req.seq_len / self.block_size))
        if k > len(self.free_blocks):
            raise RuntimeError("OOM")
        ids, self.free_blocks = self.free_blocks[:k], self.free_blocks[k:]
        req.block_table += ids

    def allocate_for_decode(self, req):
        req.seq_len += 1
        if req.seq_len > len(req.block_table) * self.block_size:
            if not self.free_blocks:
                raise RuntimeError("OOM")
            req.block_table = req.block_table + [self.free_blocks.pop(0)]

    def get_physical_cache(self, req):
        slots = np.concatenate([b + np.arange(self.block_size) for b in req.block_table])
        flat = self.physical_kv_cache.reshape(-1, self.head_dim)
        return flat[torch.from_numpy(slots)][:req.seq_len]
''',
    ),
    Wrong(
        name="a mask of the pool",
        mission="3",
        mistakes=("gather.sorts-ids",),
        at=("mask[req.block_table] = True", "kv = self.physical_kv_cache[torch.from_numpy(mask)]"),
        code='''
import numpy as np
import torch
from dataclasses import dataclass, field


@dataclass
class Request:
    request_id: int
    prompt_len: int
    block_table: list = field(default_factory=list)

    def __post_init__(self):
        self.seq_len = self.prompt_len


class KVCacheManager:
    """显存块管理"""

    def __init__(self, num_blocks, block_size, head_dim):
        self.num_blocks, self.block_size, self.head_dim = num_blocks, block_size, head_dim
        self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim)
        self.free_blocks = list(range(num_blocks))

    def allocate_for_prefill(self, req):
        k = int(np.ceil(req.seq_len / self.block_size))
        if k > len(self.free_blocks):
            raise RuntimeError("OOM")
        ids, self.free_blocks = self.free_blocks[:k], self.free_blocks[k:]
        req.block_table += ids

    def allocate_for_decode(self, req):
        req.seq_len += 1
        if req.seq_len > len(req.block_table) * self.block_size:
            if not self.free_blocks:
                raise RuntimeError("OOM")
            req.block_table = req.block_table + [self.free_blocks.pop(0)]

    def get_physical_cache(self, req):
        mask = np.zeros(self.num_blocks, dtype=bool)
        mask[req.block_table] = True
        kv = self.physical_kv_cache[torch.from_numpy(mask)]
        return kv.reshape(-1, self.head_dim)[:req.seq_len]
''',
    ),
    Wrong(
        name="token by token without the table",
        mission="3",
        mistakes=("gather.logical-as-physical",),
        at="out[t] = self.physical_kv_cache[block][slot]",
        code="""
def get_physical_cache(self, req: Request) -> torch.Tensor:
    out = torch.zeros(req.seq_len, self.head_dim)
    for t in range(req.seq_len):
        block, slot = divmod(t, self.block_size)
        out[t] = self.physical_kv_cache[block][slot]
    return out
""",
    ),
    Wrong(
        name="returns inside the loop",
        mission="3",
        mistakes=("gather.first-block-only",),
        at="return torch.cat(parts, 0)[:req.seq_len];",
        code="""
def get_physical_cache(self, req):
    parts = [];
    for b in req.block_table:
        parts.append(self.physical_kv_cache[b]);
        return torch.cat(parts, 0)[:req.seq_len];
""",
    ),
    Wrong(
        name="adds block to block",
        mission="3",
        mistakes=("gather.sums",),
        at="result = result + self.physical_kv_cache[req.block_table[i]]",
        code="""
def get_physical_cache(self, req: Request) -> torch.Tensor:
    result = self.physical_kv_cache[req.block_table[0]]
    for i in range(1, len(req.block_table)):
        result = result + self.physical_kv_cache[req.block_table[i]]
    return result[:req.seq_len]
""",
    ),
    Wrong(
        name="each block put in front",
        mission="3",
        mistakes=("gather.reversed",),
        at="blocks.insert(0, self.physical_kv_cache[b])",
        code="""
def get_physical_cache(self, req: Request) -> torch.Tensor:
    blocks: List[torch.Tensor] = []
    for b in req.block_table:
        blocks.insert(0, self.physical_kv_cache[b])
    return torch.cat(blocks)[:req.seq_len]
""",
    ),
    Wrong(
        name="a tensor of tensors",
        mission="3",
        mistakes=("gather.tensor-of-list",),
        at="zhang = torch.tensor(kuai)",
        code="""
def get_physical_cache(self, req):
    kuai = [self.physical_kv_cache[b] for b in req.block_table]
    zhang = torch.tensor(kuai)
    return zhang[:req.seq_len]
""",
    ),
    Wrong(
        name="the table on the second dimension",
        mission="3",
        mistakes=("gather.indexes-slots",),
        at="kv = self.physical_kv_cache[:, req.block_table]",
        code="""
def get_physical_cache(self, req):
    kv = self.physical_kv_cache[:, req.block_table]
    return kv.reshape(-1, self.head_dim)[:req.seq_len]
""",
    ),
    Wrong(
        name="joined and not kept",
        mission="3",
        mistakes=("gather.missing-cat",),
        at=("torch.cat(blocks, dim=0)", "return blocks[:req.seq_len]"),
        code="""
def get_physical_cache(self, req: Request) -> torch.Tensor:
    blocks = [self.physical_kv_cache[block_id] for block_id in req.block_table]
    torch.cat(blocks, dim=0)
    return blocks[:req.seq_len]
""",
    ),
    Wrong(
        name="a slice of the result bound anew",
        mission="3",
        mistakes=("gather.zeros",),
        at="pian = self.physical_kv_cache[kid]",
        code="""
def get_physical_cache(self, req):
    jg = torch.zeros(len(req.block_table) * self.block_size, self.head_dim)
    for i, kid in enumerate(req.block_table):
        pian = jg[i * self.block_size:(i + 1) * self.block_size]
        pian = self.physical_kv_cache[kid]
    return jg[:req.seq_len]
""",
    ),
    Wrong(
        name="from the first id to the last",
        mission="3",
        mistakes=("gather.range-of-ids",),
        at="kv = self.physical_kv_cache[start:end + 1]",
        code="""
def get_physical_cache(self, req: Request) -> torch.Tensor:
    start, end = req.block_table[0], req.block_table[-1]
    kv = self.physical_kv_cache[start:end + 1]
    return kv.reshape(-1, self.head_dim)[:req.seq_len]
""",
    ),
    Wrong(
        name="sorts the request's own table",
        mission="3",
        mistakes=("gather.sorts-ids",),
        at="req.block_table.sort();",
        code="""
def get_physical_cache(self, req):
    req.block_table.sort();
    parts = [self.physical_kv_cache[b] for b in req.block_table];
    return torch.cat(parts, 0)[:req.seq_len];
""",
    ),
    Wrong(
        name="joins pieces of the tail's length one by one",
        mission="3",
        mistakes=("gather.slices-each-block",),
        at=(
            "out = self.physical_kv_cache[req.block_table[0]][:tail]",
            "out = torch.cat([out, self.physical_kv_cache[req.block_table[i]][:tail]])",
        ),
        code="""
def get_physical_cache(self, req: Request) -> torch.Tensor:
    tail = req.seq_len - (len(req.block_table) - 1) * self.block_size
    out = self.physical_kv_cache[req.block_table[0]][:tail]
    for i in range(1, len(req.block_table)):
        out = torch.cat([out, self.physical_kv_cache[req.block_table[i]][:tail]])
    return out
""",
    ),
    Wrong(
        name="drops what is over from the front",
        mission="3",
        mistakes=("gather.slices-from-end",),
        at="return pin[duoyu:]",
        code="""
def get_physical_cache(self, req):
    pin = torch.cat([self.physical_kv_cache[b] for b in req.block_table])
    duoyu = len(req.block_table) * self.block_size - req.seq_len
    return pin[duoyu:]  # 去掉多余的
""",
    ),
)

WRONG = (*PREFILL, *DECODE, *GATHER)
