"""Right files: every form of FAIR.md, in code of our own. `RIGHT[name] = (missions it passes, source)`."""

from __future__ import annotations

import textwrap

from tests.corpus.build import SOLUTION, with_method

PREFILL = {
    "count by ceiling division": "needed = (req.seq_len + self.block_size - 1) // self.block_size",
    "count by math.ceil": "import math\nneeded = math.ceil(req.seq_len / self.block_size)",
    "count by negated floor": "needed = -(-req.seq_len // self.block_size)",
    "count by floor and a bool": "needed = req.seq_len // self.block_size + bool(req.seq_len % self.block_size)",
    "count by divmod": "needed, rest = divmod(req.seq_len, self.block_size)\nif rest:\n    needed += 1",
    "count by the last token's block": "needed = (req.seq_len - 1) // self.block_size + 1",
    "count by the length of a range": "needed = len(range(0, req.seq_len, self.block_size))",
    "count by a loop over tokens": (
        "needed = 0\nfor token in range(req.seq_len):\n    if token % self.block_size == 0:\n        needed += 1"
    ),
    "count by a tensor's ceil": "needed = int(torch.ceil(torch.tensor(req.seq_len / self.block_size)))",
    "count by subtraction": (
        "needed, left = 0, req.seq_len\nwhile left > 0:\n    left -= self.block_size\n    needed += 1"
    ),
    "count by a conditional": (
        "needed = req.seq_len // self.block_size if req.seq_len % self.block_size == 0 "
        "else req.seq_len // self.block_size + 1"
    ),
    "count by a ternary sum": "needed = sum(1 for _ in range(0, req.seq_len, self.block_size))",
}

TAKING = {
    "takes from the head": "for _ in range(needed):\n    req.block_table.append(self.free_blocks.pop(0))",
    "takes from the tail": "for _ in range(needed):\n    req.block_table.append(self.free_blocks.pop())",
    "takes from the middle": (
        "for _ in range(needed):\n    req.block_table.append(self.free_blocks.pop(len(self.free_blocks) // 2))"
    ),
    "slices and deletes": "req.block_table.extend(self.free_blocks[:needed])\ndel self.free_blocks[:needed]",
    "slices and rebinds": (
        "req.block_table += self.free_blocks[:needed]\nself.free_blocks = self.free_blocks[needed:]"
    ),
    "slices the tail and rebinds both": (
        "left = len(self.free_blocks) - needed\n"
        "req.block_table = req.block_table + self.free_blocks[left:]\nself.free_blocks = self.free_blocks[:left]"
    ),
    "a comprehension for its side effect": (
        "[req.block_table.append(self.free_blocks.pop(0)) for _ in range(needed)]"
    ),
    "extends by a generator": "req.block_table.extend(self.free_blocks.pop(0) for _ in range(needed))",
    "reads and removes": (
        "for _ in range(needed):\n    block = self.free_blocks[0]\n    self.free_blocks.remove(block)\n"
        "    req.block_table.append(block)"
    ),
    "sorts first": "self.free_blocks.sort()\nfor _ in range(needed):\n    req.block_table.append(self.free_blocks.pop(0))",
    "takes the smallest": (
        "for _ in range(needed):\n    block = min(self.free_blocks)\n    self.free_blocks.remove(block)\n"
        "    req.block_table.append(block)"
    ),
    "by recursion": (
        "def take(count):\n    if count:\n        req.block_table.append(self.free_blocks.pop(0))\n        take(count - 1)\n"
        "take(needed)"
    ),
    "a while loop": "while len(req.block_table) < needed:\n    req.block_table.append(self.free_blocks.pop(0))",
    "collects first, then stores": (
        "taken = [self.free_blocks.pop(0) for _ in range(needed)]\nreq.block_table = [*req.block_table, *taken]"
    ),
    "filters the free list": (
        "taken = self.free_blocks[:needed]\nself.free_blocks = [one for one in self.free_blocks if one not in taken]\n"
        "req.block_table.extend(taken)"
    ),
    "returns the table": (
        "for _ in range(needed):\n    req.block_table.append(self.free_blocks.pop(0))\nreturn req.block_table"
    ),
}

DECODE = {
    "remainder one": """
        req.seq_len += 1
        if req.seq_len % self.block_size == 1:
            if len(self.free_blocks) == 0:
                raise RuntimeError("OOM")
            req.block_table.append(self.free_blocks.pop(0))
    """,
    "the new token's index": """
        req.seq_len += 1
        if (req.seq_len - 1) % self.block_size == 0:
            if not self.free_blocks:
                raise RuntimeError("OOM")
            req.block_table.append(self.free_blocks.pop(0))
    """,
    "the old length": """
        need = req.seq_len % self.block_size == 0
        req.seq_len += 1
        if need:
            if not self.free_blocks:
                raise RuntimeError("OOM")
            req.block_table.append(self.free_blocks.pop(0))
    """,
    "more tokens than the table holds": """
        req.seq_len += 1
        if req.seq_len > len(req.block_table) * self.block_size:
            if not self.free_blocks:
                raise RuntimeError("OOM")
            req.block_table.append(self.free_blocks.pop(0))
    """,
    "rounded-up count against the table": """
        req.seq_len += 1
        if -(-req.seq_len // self.block_size) > len(req.block_table):
            if not self.free_blocks:
                raise RuntimeError("OOM")
            req.block_table.append(self.free_blocks.pop(0))
    """,
    "a while loop up to the needed length": """
        req.seq_len += 1
        needed = (req.seq_len + self.block_size - 1) // self.block_size
        while len(req.block_table) < needed:
            if not self.free_blocks:
                raise RuntimeError("OOM: the pool is empty")
            req.block_table.append(self.free_blocks.pop())
    """,
    "bit masks with a general path": """
        req.seq_len += 1
        size = self.block_size
        first = (req.seq_len - 1) & (size - 1) == 0 if size & (size - 1) == 0 else req.seq_len % size == 1
        if first:
            if not self.free_blocks:
                raise RuntimeError("OOM")
            req.block_table.append(self.free_blocks.pop(0))
    """,
    "early return": """
        req.seq_len += 1
        if req.seq_len % self.block_size != 1:
            return
        if not self.free_blocks:
            raise RuntimeError("OOM")
        req.block_table.append(self.free_blocks.pop(0))
    """,
    "rolled back on OOM": """
        req.seq_len += 1
        if req.seq_len % self.block_size == 1:
            try:
                block = self.free_blocks.pop(0)
            except IndexError:
                req.seq_len -= 1
                raise RuntimeError("OOM") from None
            req.block_table.append(block)
    """,
    "checked before raising": """
        if req.seq_len % self.block_size == 0:
            if not self.free_blocks:
                raise RuntimeError("OOM")
            req.block_table.append(self.free_blocks.pop(0))
        req.seq_len = req.seq_len + 1
    """,
    "a nested function": """
        def first_slot(length):
            return length % self.block_size == 1
        req.seq_len += 1
        if first_slot(req.seq_len):
            if not self.free_blocks:
                raise RuntimeError("OOM")
            block = self.free_blocks.pop(0)
            req.block_table = req.block_table + [block]
    """,
    "two mistakes that cancel out": """
        is_new_block_needed = req.seq_len % self.block_size == 0
        if is_new_block_needed:
            if not self.free_blocks:
                raise RuntimeError("OOM")
            req.block_table.append(self.free_blocks.pop(0))
        req.seq_len += 1
    """,
}

GATHER = {
    "cat": "return torch.cat([self.physical_kv_cache[b] for b in req.block_table], dim=0)[:req.seq_len]",
    "concat": "return torch.concat([self.physical_kv_cache[b] for b in req.block_table])[:req.seq_len]",
    "concatenate": "return torch.concatenate([self.physical_kv_cache[b] for b in req.block_table])[:req.seq_len]",
    "vstack": "return torch.vstack([self.physical_kv_cache[b] for b in req.block_table])[:req.seq_len]",
    "index and reshape": "return self.physical_kv_cache[req.block_table].reshape(-1, self.head_dim)[:req.seq_len]",
    "index and view": "return self.physical_kv_cache[req.block_table].view(-1, self.head_dim)[:req.seq_len]",
    "index and flatten": "return self.physical_kv_cache[req.block_table].flatten(0, 1)[:req.seq_len]",
    "index_select": (
        "return self.physical_kv_cache.index_select(0, torch.tensor(req.block_table))"
        ".reshape(-1, self.head_dim)[:req.seq_len]"
    ),
    "rows copied into a preallocated tensor": """
        out = torch.empty(req.seq_len, self.head_dim)
        for token in range(req.seq_len):
            out[token] = self.physical_kv_cache[req.block_table[token // self.block_size], token % self.block_size]
        return out
    """,
    "last block cut before joining": """
        full, rest = divmod(req.seq_len, self.block_size)
        parts = [self.physical_kv_cache[b] for b in req.block_table[:full]]
        if rest:
            parts.append(self.physical_kv_cache[req.block_table[full]][:rest])
        return torch.cat(parts)
    """,
    "flat slot indices": """
        slots = [b * self.block_size + s for b in req.block_table for s in range(self.block_size)][: req.seq_len]
        return self.physical_kv_cache.reshape(-1, self.head_dim)[slots]
    """,
    "stack then view": """
        stacked = torch.stack([self.physical_kv_cache[b] for b in req.block_table])
        return stacked.view(-1, self.head_dim)[: req.seq_len]
    """,
    "through numpy": """
        import numpy
        joined = numpy.concatenate([self.physical_kv_cache[b].numpy() for b in req.block_table])
        return torch.from_numpy(joined[: req.seq_len])
    """,
    "narrow and clone": """
        joined = torch.cat([self.physical_kv_cache[b] for b in req.block_table])
        return joined.narrow(0, 0, req.seq_len).clone()
    """,
    "not contiguous": """
        joined = torch.cat([self.physical_kv_cache[b] for b in req.block_table])[: req.seq_len]
        return joined.t().contiguous().t()
    """,
    "a list of rows stacked": """
        rows = [row for b in req.block_table for row in self.physical_kv_cache[b]]
        return torch.stack(rows[: req.seq_len])
    """,
}

OOM = {
    "a subclass of RuntimeError": 'class Full(RuntimeError):\n    pass\nraise Full("OOM")',
    "a longer message": 'raise RuntimeError(f"OOM: need {needed}, have {len(self.free_blocks)}")',
    "a Chinese message": 'raise RuntimeError("显存不足（OOM）：空闲块不够")',
    "torch's own class": 'raise torch.OutOfMemoryError("CUDA OOM, sort of")',
}


def _prefill(body: str) -> str:
    return with_method("def allocate_for_prefill(self, req):\n" + _indented(body))


def _indented(body: str, by: str = "    ") -> str:
    return textwrap.indent(textwrap.dedent(body).strip("\n"), by)


CHECK = 'if needed > len(self.free_blocks):\n    raise RuntimeError("OOM")\n'
TAKE = TAKING["takes from the head"]

RIGHT: dict[str, tuple[str, str]] = {"the reference": ("all", SOLUTION)}
for _name, _body in PREFILL.items():
    RIGHT[f"prefill: {_name}"] = ("1 final", _prefill(f"{_body}\n{CHECK}{TAKE}"))
for _name, _body in TAKING.items():
    RIGHT[f"prefill: {_name}"] = (
        "1 final",
        _prefill(f"{PREFILL['count by ceiling division']}\n{CHECK}{_body}"),
    )
for _name, _body in OOM.items():
    _check = "if needed > len(self.free_blocks):\n" + _indented(_body) + "\n"
    RIGHT[f"prefill: OOM by {_name}"] = (
        "1 final",
        _prefill(f"{PREFILL['count by ceiling division']}\n{_check}{TAKE}"),
    )
for _name, _body in DECODE.items():
    RIGHT[f"decode: {_name}"] = (
        "2 final",
        with_method("def allocate_for_decode(self, req):\n" + _indented(_body)),
    )
for _name, _body in GATHER.items():
    RIGHT[f"gather: {_name}"] = (
        "3 final",
        with_method("def get_physical_cache(self, req):\n" + _indented(_body)),
    )

RIGHT["prefill: try and full roll-back"] = (
    "1 final",
    _prefill("""
        needed = (req.seq_len + self.block_size - 1) // self.block_size
        taken = []
        try:
            for _ in range(needed):
                taken.append(self.free_blocks.pop(0))
        except IndexError:
            self.free_blocks[:0] = taken
            raise RuntimeError("OOM") from None
        req.block_table.extend(taken)
    """),
)
RIGHT["prefill: a helper function"] = (
    "1 final",
    with_method("""
def _blocks(self, tokens):
    return -(-tokens // self.block_size)

def allocate_for_prefill(self, req):
    needed = self._blocks(req.seq_len)
    if len(self.free_blocks) < needed:
        raise RuntimeError("OOM")
    for _ in range(needed):
        req.block_table.append(self.free_blocks.pop(0))
"""),
)
RIGHT["prefill and decode share a helper"] = (
    "all",
    with_method("""
def _grow(self, req, tokens):
    needed = -(-tokens // self.block_size) - len(req.block_table)
    if needed > len(self.free_blocks):
        raise RuntimeError("OOM")
    for _ in range(needed):
        req.block_table.append(self.free_blocks.pop(0))

def allocate_for_prefill(self, req):
    self._grow(req, req.seq_len)

def allocate_for_decode(self, req):
    self._grow(req, req.seq_len + 1)
    req.seq_len += 1
"""),
)


def _container(make: str, take: str, imports: str) -> str:
    source = SOLUTION.replace(
        "self.free_blocks: List[int] = list(range(num_blocks))", f"self.free_blocks = {make}"
    )
    return source.replace("self.free_blocks.pop(0)", take).replace(
        "import torch\n", f"import torch\n{imports}\n", 1
    )


RIGHT["free blocks in a deque"] = (
    "all",
    _container("deque(range(num_blocks))", "self.free_blocks.popleft()", "from collections import deque"),
)
RIGHT["free blocks in a heap"] = (
    "all",
    _container("list(range(num_blocks))", "heapq.heappop(self.free_blocks)", "import heapq"),
)
RIGHT["free blocks in a set"] = ("all", _container("set(range(num_blocks))", "self.free_blocks.pop()", ""))
RIGHT["free blocks in an ordered dict"] = (
    "all",
    _container(
        "OrderedDict.fromkeys(range(num_blocks))",
        "self.free_blocks.popitem(last=False)[0]",
        "from collections import OrderedDict",
    ),
)
RIGHT["free blocks in a class of its own"] = (
    "all",
    _container(
        "Pool(range(num_blocks))",
        "self.free_blocks.take()",
        """
class Pool:
    def __init__(self, ids):
        self._ids = list(ids)

    def __len__(self):
        return len(self._ids)

    def __iter__(self):
        return iter(self._ids)

    def take(self):
        return self._ids.pop()
""",
    ),
)
RIGHT["free blocks as numpy integers"] = (
    "all",
    _container("list(numpy.arange(num_blocks))", "self.free_blocks.pop(0)", "import numpy"),
)
RIGHT["an owner map beside the free list"] = (
    "all",
    SOLUTION.replace(
        "self.free_blocks: List[int] = list(range(num_blocks))",
        "self.free_blocks: List[int] = list(range(num_blocks))\n        self.owner = {}",
    )
    .replace(
        "            req.block_table.append(block_id)",
        "            assert block_id not in self.owner\n            self.owner[block_id] = req.request_id\n"
        "            req.block_table.append(block_id)",
    )
    .replace(
        "for block_id in req.block_table]",
        "for block_id in req.block_table if self.owner[block_id] == req.request_id]",
    ),
)
RIGHT["a bitmap decides what is free"] = (
    "all",
    SOLUTION.replace(
        "self.free_blocks: List[int] = list(range(num_blocks))",
        "self.used = [False] * num_blocks",
    )
    .replace("self.free_blocks.pop(0)", "self._take()")
    .replace(
        "    def allocate_for_prefill",
        "    @property\n    def free_blocks(self):\n"
        "        return [one for one in range(self.num_blocks) if not self.used[one]]\n\n"
        "    def _take(self):\n        one = self.free_blocks[0]\n        self.used[one] = True\n        return one\n\n"
        "    def allocate_for_prefill",
        1,
    ),
)

RIGHT["block counts kept on the request"] = (
    "all",
    SOLUTION.replace(
        "self.block_table: List[int] = []", "self.block_table: List[int] = []\n        self.blocks = 0"
    )
    .replace(
        "            req.block_table.append(block_id)",
        "            req.block_table.append(block_id)\n            req.blocks += 1",
    )
    .replace("(req.seq_len % self.block_size) == 1", "req.seq_len > req.blocks * self.block_size"),
)
RIGHT["block counts kept at module level"] = (
    "all",
    SOLUTION.replace(
        "import torch\n", "import torch\nimport weakref\n\nHELD = weakref.WeakKeyDictionary()\n", 1
    )
    .replace(
        "            req.block_table.append(block_id)",
        "            req.block_table.append(block_id)\n            HELD[req] = HELD.get(req, 0) + 1",
    )
    .replace("(req.seq_len % self.block_size) == 1", "req.seq_len > HELD.get(req, 0) * self.block_size"),
)
RIGHT["free blocks in a numpy array"] = (
    "all",
    SOLUTION.replace(
        "self.free_blocks: List[int] = list(range(num_blocks))", "self.free_blocks = numpy.arange(num_blocks)"
    )
    .replace("self.free_blocks.pop(0)", "self._take()")
    .replace("if not self.free_blocks:", "if len(self.free_blocks) == 0:")
    .replace("import torch\n", "import numpy\nimport torch\n", 1)
    + "\n    def _take(self):\n        one, self.free_blocks = self.free_blocks[0], self.free_blocks[1:]\n        return int(one)\n",
)
RIGHT["free blocks in a tensor"] = (
    "all",
    SOLUTION.replace(
        "self.free_blocks: List[int] = list(range(num_blocks))", "self.free_blocks = torch.arange(num_blocks)"
    )
    .replace("self.free_blocks.pop(0)", "self._take()")
    .replace("if not self.free_blocks:", "if len(self.free_blocks) == 0:")
    + "\n    def _take(self):\n        one, self.free_blocks = self.free_blocks[0], self.free_blocks[1:]\n        return one.item()\n",
)

NOISE = {
    "prints": SOLUTION.replace(
        "        needed_blocks =", "        print('need', req.seq_len)\n        needed_blocks ="
    ),
    "logging": SOLUTION.replace(
        "import torch\n", "import logging\n\nimport torch\n\nlogging.basicConfig(level=10)\n", 1
    ).replace("        needed_blocks =", "        logging.debug('%s', req)\n        needed_blocks ="),
    "Chinese comments": SOLUTION.replace(
        "        needed_blocks =", "        # 向上取整：尾块也占一整块\n        needed_blocks ="
    ),
    "no type hints": SOLUTION.replace(": Request", "")
    .replace(": List[int]", "")
    .replace(": int", "")
    .replace(" -> None", "")
    .replace(" -> torch.Tensor", ""),
    "tabs": SOLUTION.replace("    ", "\t"),
    "carriage returns": SOLUTION.replace("\n", "\r\n"),
    "a byte order mark": "\ufeff" + SOLUTION,
    "extra methods and classes": with_method("def stats(self):\n    return len(self.free_blocks)")
    + "\nclass Other:\n    pass\n",
    "a demo under main": SOLUTION + "\nif __name__ == '__main__':\n    raise SystemExit(input('never'))\n",
    "a demo at module level": SOLUTION
    + "\nm = KVCacheManager(4, 4, 8)\nr = Request(0, 6)\nm.allocate_for_prefill(r)\nprint(r.block_table)\n",
    "from torch import *": SOLUTION.replace(
        "import torch\n", "import torch\nfrom torch import *\nfrom builtins import range\n", 1
    ),
    "List used without its import": SOLUTION.replace("from typing import List\n", "", 1),
    "List in a signature, without its import": with_method(
        "def stats(self, ids: List[int]) -> List[int]:\n    return ids"
    ).replace("from typing import List\n", "", 1),
    "the manager called BlockManager": SOLUTION.replace("KVCacheManager", "BlockManager"),
    "only the manager": SOLUTION[: SOLUTION.index("class Request")]
    + SOLUTION[SOLUTION.index("class KVCacheManager") :].replace(": Request", ""),
    "a dataclass request": SOLUTION[: SOLUTION.index("class Request")]
    + "from dataclasses import dataclass, field\n\n\n@dataclass\nclass Request:\n    request_id: int\n    prompt_len: int\n"
    "    seq_len: int = 0\n    block_table: List[int] = field(default_factory=list)\n\n"
    "    def __post_init__(self):\n        self.seq_len = self.prompt_len\n\n\n"
    + SOLUTION[SOLUTION.index("class KVCacheManager") :],
    "methods attached later": SOLUTION.replace("    def get_physical_cache", "    def gather")
    + "\nKVCacheManager.get_physical_cache = KVCacheManager.gather\n",
    "checks its input": SOLUTION.replace(
        "        needed_blocks =",
        "        if req.seq_len < 0:\n            raise ValueError('negative')\n        needed_blocks =",
    ),
    "leftover placeholders": SOLUTION.replace(
        "            req.block_table.append(block_id)\n",
        "            req.block_table.append(block_id)\n            ...\n",
    ),
    "slots": SOLUTION.replace(
        '    """Hands out the physical blocks of one KV cache."""\n',
        '    __slots__ = ("num_blocks", "block_size", "head_dim", "physical_kv_cache", "free_blocks")\n',
    ),
    "an uninitialised pool": SOLUTION.replace("torch.zeros", "torch.empty"),
    "a half-precision pool": SOLUTION.replace(
        "head_dim)\n        self.free", "head_dim).half()\n        self.free"
    ),
    "an integer pool": SOLUTION.replace(
        "head_dim)\n        self.free", "head_dim, dtype=torch.int64)\n        self.free"
    ),
}
for _name, _source in NOISE.items():
    RIGHT[f"noise: {_name}"] = ("all", _source)
