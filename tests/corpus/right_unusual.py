"""Right files of unusual form, one idea each: `RIGHT_UNUSUAL[name] = (missions it passes, source)`."""

from __future__ import annotations

import textwrap

from tests.corpus.build import SOLUTION, with_method

REQUEST = SOLUTION[SOLUTION.index("class Request") : SOLUTION.index("class KVCacheManager")]
FREE = "self.free_blocks: List[int] = list(range(num_blocks))"
TABLE = "self.block_table: List[int] = []"
POOL = "self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim)"


def _own(methods: str = "", *, top: str = "", source: str = SOLUTION, **replaced: str) -> str:
    """The reference with other methods, code before its classes, and other lines in the constructors."""
    for name, line in {"free": FREE, "table": TABLE, "pool": POOL}.items():
        if name in replaced:
            fresh = textwrap.indent(textwrap.dedent(replaced[name]).strip("\n"), " " * 8).lstrip()
            source = source.replace(line, fresh)
    top = textwrap.dedent(top).strip("\n")
    return with_method(methods, source).replace("class Request", f"{top}\n\n\nclass Request", 1)


def _file(code: str) -> str:
    return textwrap.dedent(code).lstrip("\n")


RIGHT_UNUSUAL: dict[str, tuple[str, str]] = {}

# ── the free pool in other containers ────────────────────────────────────────────────────────────

RIGHT_UNUSUAL["pool: one integer as a bit mask"] = (
    "all",
    _own(
        """
        def _lowest(self):
            bit = self._mask & -self._mask
            self._mask ^= bit
            return bit.bit_length() - 1

        def allocate_for_prefill(self, req):
            needed = (req.seq_len + self.block_size - 1) // self.block_size
            if self._mask.bit_count() < needed:
                raise RuntimeError("OOM")
            req.block_table += [self._lowest() for _ in range(needed)]

        def allocate_for_decode(self, req):
            req.seq_len += 1
            if req.seq_len % self.block_size == 1:
                if self._mask == 0:
                    raise RuntimeError("OOM")
                req.block_table.append(self._lowest())
        """,
        free="self._mask = (1 << num_blocks) - 1",
    ).replace(
        "    def allocate_for_prefill",
        "    @property\n    def free_blocks(self):\n"
        "        return [i for i in range(self.num_blocks) if self._mask >> i & 1]\n\n    def allocate_for_prefill",
        1,
    ),
)

RIGHT_UNUSUAL["pool: a range cut from the front"] = (
    "all",
    _own(
        """
        def allocate_for_prefill(self, req):
            needed = len(range(0, req.seq_len, self.block_size))
            taken, rest = self.free_blocks[:needed], self.free_blocks[needed:]
            if len(taken) < needed:
                raise RuntimeError("OOM")
            req.block_table.extend(taken)
            self.free_blocks = rest

        def allocate_for_decode(self, req):
            req.seq_len += 1
            if req.seq_len % self.block_size == 1:
                if not self.free_blocks:
                    raise RuntimeError("OOM")
                req.block_table.append(self.free_blocks.start)
                self.free_blocks = self.free_blocks[1:]
        """,
        free="self.free_blocks = range(num_blocks)",
    ),
)

RIGHT_UNUSUAL["pool: a tuple unpacked with a star"] = (
    "all",
    _own(
        """
        def allocate_for_prefill(self, req):
            left = len(self.free_blocks) - -(-req.seq_len // self.block_size)
            if left < 0:
                raise RuntimeError("OOM")
            while len(self.free_blocks) > left:
                *self.free_blocks, block = self.free_blocks
                self.free_blocks = tuple(self.free_blocks)
                req.block_table.append(block)

        def allocate_for_decode(self, req):
            req.seq_len += 1
            if req.seq_len % self.block_size != 1:
                return
            try:
                block, *rest = self.free_blocks
            except ValueError:
                raise RuntimeError("OOM") from None
            self.free_blocks = tuple(rest)
            req.block_table.append(block)
        """,
        free="self.free_blocks = tuple(range(num_blocks))",
    ),
)

RIGHT_UNUSUAL["pool: a frozenset and set algebra"] = (
    "all",
    _own(
        """
        def _pick(self, count):
            if count > len(self.free_blocks):
                raise RuntimeError(f"OOM: {count} > {len(self.free_blocks)}")
            picked = frozenset(itertools.islice(self.free_blocks, count))
            self.free_blocks = self.free_blocks - picked
            return sorted(picked, reverse=True)

        def allocate_for_prefill(self, req):
            req.block_table.extend(self._pick(math.ceil(req.seq_len / self.block_size)))

        def allocate_for_decode(self, req):
            req.block_table.extend(self._pick(int(req.seq_len % self.block_size == 0)))
            req.seq_len += 1
        """,
        top="import itertools\nimport math",
        free="self.free_blocks = frozenset(range(num_blocks))",
    ),
)

RIGHT_UNUSUAL["pool: an array of machine integers"] = (
    "all",
    _own(
        top="from array import array",
        free="self.free_blocks = array('q', range(num_blocks))",
    ),
)

RIGHT_UNUSUAL["pool: nodes linked by hand"] = (
    "all",
    _own(
        top="""
        class Node:
            def __init__(self, block_id, behind):
                self.block_id = block_id
                self.behind = behind


        class Chain:
            def __init__(self, count):
                self.first = None
                for block_id in reversed(range(count)):
                    self.first = Node(block_id, self.first)

            def __iter__(self):
                node = self.first
                while node is not None:
                    yield node.block_id
                    node = node.behind

            def __len__(self):
                return sum(1 for _ in self)

            def pop(self, index):
                node = self.first
                self.first = node.behind
                return node.block_id
        """,
        free="self.free_blocks = Chain(num_blocks)",
    ),
)

RIGHT_UNUSUAL["pool: a free list threaded through an array"] = (
    "all",
    _file('''
    import torch

    NIL = -1


    class FreeList:
        """next_free[i] is the block behind i; the head is kept apart, as allocators in C do."""

        def __init__(self, n):
            self.next_free = [*range(1, n), NIL]
            self.head, self.size = 0, n

        def __len__(self):
            return self.size

        def __iter__(self):
            at = self.head
            while at != NIL:
                yield at
                at = self.next_free[at]

        def acquire(self):
            at, self.head = self.head, self.next_free[self.head]
            self.next_free[at] = NIL
            self.size -= 1
            return at


    class Request:
        def __init__(self, request_id, prompt_len):
            self.request_id, self.seq_len, self.block_table = request_id, prompt_len, []


    class KVCacheManager:
        def __init__(self, num_blocks, block_size, head_dim):
            self.num_blocks, self.block_size, self.head_dim = num_blocks, block_size, head_dim
            self.physical_kv_cache = torch.zeros((num_blocks, block_size, head_dim))
            self.free_blocks = FreeList(num_blocks)

        def allocate_for_prefill(self, req):
            missing = (req.seq_len - 1) // self.block_size + 1
            if missing > self.free_blocks.size:
                raise RuntimeError("OOM")
            while missing:
                req.block_table.append(self.free_blocks.acquire())
                missing -= 1

        def allocate_for_decode(self, req):
            if req.seq_len == self.block_size * len(req.block_table):
                if self.free_blocks.head == NIL:
                    raise RuntimeError("OOM")
                req.block_table.append(self.free_blocks.acquire())
            req.seq_len += 1

        def get_physical_cache(self, req):
            rows = []
            for logical in range(req.seq_len):
                block, slot = divmod(logical, self.block_size)
                rows.append(self.physical_kv_cache[req.block_table[block], slot])
            return torch.stack(rows)
    '''),
)

RIGHT_UNUSUAL["pool: never-used ids minted by a counter"] = (
    "all",
    _own(
        top="""
        class Unminted:
            def __init__(self, limit):
                self.limit = limit
                self.minted = 0

            def __len__(self):
                return self.limit - self.minted

            def __iter__(self):
                yield from range(self.minted, self.limit)

            def pop(self, _where=0):
                self.minted += 1
                return self.minted - 1
        """,
        free="self.free_blocks = Unminted(limit=num_blocks)",
    ),
)

RIGHT_UNUSUAL["pool: a UserList that raises OOM itself"] = (
    "all",
    _own(
        """
        def allocate_for_prefill(self, req):
            req.block_table.extend(self.free_blocks.take(-(-req.seq_len // self.block_size)))

        def allocate_for_decode(self, req):
            req.seq_len += 1
            if req.seq_len % self.block_size == 1:
                [block] = self.free_blocks.take(1)
                req.block_table.append(block)
        """,
        top="""
        from collections import UserList


        class Blocks(UserList):
            def take(self, count):
                if len(self) < count:
                    raise RuntimeError("OOM")
                taken, self.data = self.data[-count:], self.data[:-count]
                return taken
        """,
        free="self.free_blocks = Blocks(range(num_blocks))",
    ),
)

RIGHT_UNUSUAL["pool: a dict from id to the block's own view"] = (
    "all",
    _own(
        """
        def allocate_for_prefill(self, req):
            needed = (req.seq_len + self.block_size - 1) // self.block_size
            if needed > len(self.free_blocks):
                raise RuntimeError("OOM")
            for _ in range(needed):
                self._take(req)

        def allocate_for_decode(self, req):
            req.seq_len += 1
            if req.seq_len % self.block_size == 1:
                if not self.free_blocks:
                    raise RuntimeError("OOM")
                self._take(req)

        def _take(self, req):
            block, view = self.free_blocks.popitem()
            self.views[block] = view
            req.block_table.append(block)

        def get_physical_cache(self, req):
            return torch.cat([self.views[block] for block in req.block_table])[: req.seq_len]
        """,
        free="self.free_blocks = dict(enumerate(self.physical_kv_cache.unbind(0)))\nself.views = {}",
    ),
)

RIGHT_UNUSUAL["pool: a Counter of blocks"] = (
    "all",
    _own(
        """
        def allocate_for_prefill(self, req):
            needed = (req.seq_len + self.block_size - 1) // self.block_size
            if self.free_blocks.total() < needed:
                raise RuntimeError("OOM")
            taken = Counter(dict(self.free_blocks.most_common(needed)))
            self.free_blocks -= taken
            req.block_table.extend(taken.elements())

        def allocate_for_decode(self, req):
            req.seq_len += 1
            if req.seq_len % self.block_size == 1:
                if not self.free_blocks.total():
                    raise RuntimeError("OOM")
                block = next(self.free_blocks.elements())
                del self.free_blocks[block]
                req.block_table.append(block)
        """,
        top="from collections import Counter",
        free="self.free_blocks = Counter(range(num_blocks))",
    ),
)

RIGHT_UNUSUAL["pool: rows of a table in SQLite"] = (
    "all",
    _file("""
    import sqlite3

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
            self.db = sqlite3.connect(":memory:")
            self.db.execute("CREATE TABLE free (id INTEGER PRIMARY KEY)")
            self.db.executemany("INSERT INTO free VALUES (?)", [(i,) for i in range(num_blocks)])
            self.db.commit()

        @property
        def free_blocks(self):
            return [row[0] for row in self.db.execute("SELECT id FROM free ORDER BY id DESC")]

        def _take(self, count):
            taken = []
            with self.db:  # commits, or rolls back when something is raised
                for _ in range(count):
                    row = self.db.execute("SELECT max(id) FROM free").fetchone()
                    if row[0] is None:
                        raise RuntimeError("OOM")
                    self.db.execute("DELETE FROM free WHERE id = ?", row)
                    taken += row
            return taken

        def allocate_for_prefill(self, req):
            req.block_table += self._take((req.seq_len + self.block_size - 1) // self.block_size)

        def allocate_for_decode(self, req):
            req.seq_len += 1
            if (req.seq_len % self.block_size) == 1:
                req.block_table += self._take(1)

        def get_physical_cache(self, req):
            return torch.cat([self.physical_kv_cache[i] for i in req.block_table], dim=0)[: req.seq_len]
    """),
)

# ── chance ───────────────────────────────────────────────────────────────────────────────────────

RIGHT_UNUSUAL["chance: an unseeded sample of the pool"] = (
    "all",
    _own(
        """
        def allocate_for_prefill(self, req):
            needed = -(-req.seq_len // self.block_size)
            try:
                taken = random.sample(self.free_blocks, needed)
            except ValueError:
                raise RuntimeError("OOM")
            self.free_blocks = [one for one in self.free_blocks if one not in taken]
            req.block_table = req.block_table + taken

        def allocate_for_decode(self, req):
            req.seq_len += 1
            if req.seq_len % self.block_size == 1:
                if not self.free_blocks:
                    raise RuntimeError("OOM")
                lucky = secrets.choice(self.free_blocks)
                self.free_blocks.remove(lucky)
                req.block_table.append(lucky)
        """,
        top="import random\nimport secrets",
    ),
)

RIGHT_UNUSUAL["chance: a shuffled pool, the new ids returned as a tensor"] = (
    "all",
    _own(
        """
        def allocate_for_prefill(self, req):
            need = (req.seq_len + self.block_size - 1) // self.block_size
            if need > len(self.free_blocks):
                raise RuntimeError("OOM")
            random.shuffle(self.free_blocks)
            for _ in range(need):
                req.block_table.append(self.free_blocks.pop())
            return torch.tensor(req.block_table)
        """,
        top="import random",
        free="self.free_blocks = torch.randperm(num_blocks).tolist()",
    ),
)

RIGHT_UNUSUAL["chance: calls return the seconds they took"] = (
    "all",
    _own(
        """
        def allocate_for_prefill(self, req):
            began = time.perf_counter()
            need = (req.seq_len + self.block_size - 1) // self.block_size
            if need > len(self.free_blocks):
                raise RuntimeError("OOM")
            req.block_table.extend(self.free_blocks[:need])
            del self.free_blocks[:need]
            return time.perf_counter() - began

        def allocate_for_decode(self, req):
            began = torch.tensor(time.time_ns())
            req.seq_len += 1
            if req.seq_len % self.block_size == 1:
                if not self.free_blocks:
                    raise RuntimeError(f"OOM at {time.time()}")
                req.block_table.append(self.free_blocks.pop(0))
            return torch.tensor(time.time_ns()) - began
        """,
        top="import time",
    ),
)

# ── books kept elsewhere ─────────────────────────────────────────────────────────────────────────

RIGHT_UNUSUAL["books: the room left in the tail block, on the request"] = (
    "all",
    _own(
        """
        def allocate_for_prefill(self, req):
            blocks, req.room = -(-req.seq_len // self.block_size), -req.seq_len % self.block_size
            if blocks > len(self.free_blocks):
                raise RuntimeError("OOM")
            for _ in range(blocks):
                req.block_table.append(self.free_blocks.pop(0))

        def allocate_for_decode(self, req):
            if req.room == 0:
                if not self.free_blocks:
                    raise RuntimeError("OOM")
                req.block_table.append(self.free_blocks.pop(0))
                req.room = self.block_size
            req.room -= 1
            req.seq_len += 1
        """,
        table="self.block_table: List[int] = []\nself.room = 0",
    ),
)

RIGHT_UNUSUAL["books: the room left, on a slotted request"] = (
    "all",
    _file("""
    from dataclasses import dataclass, field

    import torch


    @dataclass(slots=True, eq=False)
    class Request:
        request_id: int
        prompt_len: int
        seq_len: int = field(init=False)
        block_table: list[int] = field(init=False, default_factory=list)
        room: int = field(init=False, default=0)

        def __post_init__(self):
            self.seq_len = self.prompt_len


    @dataclass(slots=True, eq=False)
    class KVCacheManager:
        num_blocks: int
        block_size: int
        head_dim: int
        physical_kv_cache: torch.Tensor = field(init=False)
        free_blocks: list[int] = field(init=False)

        def __post_init__(self):
            self.physical_kv_cache = torch.zeros(self.num_blocks, self.block_size, self.head_dim)
            self.free_blocks = [*range(self.num_blocks)]

        def _grow(self, req: Request, tokens: int) -> None:
            blocks = max(0, -(-(tokens - req.room) // self.block_size))
            if blocks > len(self.free_blocks):
                raise RuntimeError("OOM")
            for _ in range(blocks):
                req.block_table.append(self.free_blocks.pop())
            req.room += blocks * self.block_size - tokens

        def allocate_for_prefill(self, req: Request) -> None:
            self._grow(req, req.seq_len)

        def allocate_for_decode(self, req: Request) -> None:
            self._grow(req, 1)
            req.seq_len += 1

        def get_physical_cache(self, req: Request) -> torch.Tensor:
            return self.physical_kv_cache[req.block_table].flatten(end_dim=1)[: req.seq_len]
    """),
)

RIGHT_UNUSUAL["books: an owner map on a slotted manager"] = (
    "all",
    _own(
        """
        def _give(self, req):
            block = self.free_blocks.pop(0)
            self.owner[block] = req
            req.block_table.append(block)

        def allocate_for_prefill(self, req):
            needed = (req.seq_len + self.block_size - 1) // self.block_size
            if needed > len(self.free_blocks):
                raise RuntimeError("OOM")
            for _ in range(needed):
                self._give(req)

        def allocate_for_decode(self, req):
            held = sum(1 for one in self.owner.values() if one is req)
            req.seq_len += 1
            if req.seq_len > held * self.block_size:
                if not self.free_blocks:
                    raise RuntimeError("OOM")
                self._give(req)
        """,
        free="self.free_blocks = list(range(num_blocks))\nself.owner = {}",
    ).replace(
        '    """Hands out the physical blocks of one KV cache."""\n',
        '    __slots__ = ("num_blocks", "block_size", "head_dim", "physical_kv_cache", "free_blocks", "owner")\n',
    ),
)

RIGHT_UNUSUAL["books: a weak dictionary on the class"] = (
    "all",
    _own(
        """
        def allocate_for_prefill(self, req):
            needed = (req.seq_len + self.block_size - 1) // self.block_size
            if needed > len(self.free_blocks):
                raise RuntimeError("OOM")
            for _ in range(needed):
                req.block_table.append(self.free_blocks.pop(0))
            self._capacity[req] = needed * self.block_size

        def allocate_for_decode(self, req):
            if req.seq_len == self._capacity.get(req, 0):
                if not self.free_blocks:
                    raise RuntimeError("OOM")
                req.block_table.append(self.free_blocks.pop(0))
                self._capacity[req] = self._capacity.get(req, 0) + self.block_size
            req.seq_len += 1
        """,
        top="from weakref import WeakKeyDictionary",
    ).replace(
        '    """Hands out the physical blocks of one KV cache."""\n',
        "    _capacity = WeakKeyDictionary()  # request -> slots it holds\n",
    ),
)

RIGHT_UNUSUAL["books: a weak dictionary as a default argument"] = (
    "all",
    _own(
        """
        def allocate_for_prefill(self, req):
            need = (req.seq_len + self.block_size - 1) // self.block_size
            if need > len(self.free_blocks):
                raise RuntimeError("OOM")
            for _ in range(need):
                req.block_table.append(self.free_blocks.pop(0))
            self.held(req, need)

        def held(self, req, more=0, _counts=WeakKeyDictionary()):
            _counts[req] = _counts.get(req, 0) + more
            return _counts[req]

        def allocate_for_decode(self, req):
            req.seq_len += 1
            if req.seq_len > self.held(req) * self.block_size:
                if not self.free_blocks:
                    raise RuntimeError("OOM")
                req.block_table.append(self.free_blocks.pop(0))
                self.held(req, 1)
        """,
        top="from weakref import WeakKeyDictionary",
    ),
)

RIGHT_UNUSUAL["books: tables by request id on the manager"] = (
    "all",
    _own(
        """
        def allocate_for_prefill(self, req):
            needed = (req.seq_len + self.block_size - 1) // self.block_size
            if needed > len(self.free_blocks):
                raise RuntimeError("OOM")
            mine = self.tables.setdefault(req.request_id, req.block_table)
            mine.extend(self.free_blocks.pop(0) for _ in range(needed))

        def allocate_for_decode(self, req):
            mine = self.tables[req.request_id]
            if len(mine) * self.block_size == req.seq_len:
                if not self.free_blocks:
                    raise RuntimeError("OOM")
                mine.append(self.free_blocks.pop(0))
            req.seq_len += 1

        def get_physical_cache(self, req):
            return torch.cat([self.physical_kv_cache[b] for b in self.tables[req.request_id]])[: req.seq_len]
        """,
        free="self.free_blocks = list(range(num_blocks))\nself.tables = {}",
    ),
)

RIGHT_UNUSUAL["books: a ledger object at module level"] = (
    "all",
    _own(
        """
        def allocate_for_prefill(self, req):
            needed = (req.seq_len + self.block_size - 1) // self.block_size
            if needed > len(self.free_blocks):
                raise RuntimeError("OOM")
            for _ in range(needed):
                req.block_table.append(LEDGER.book(req, self.free_blocks.pop(0)))

        def allocate_for_decode(self, req):
            req.seq_len += 1
            if req.seq_len > LEDGER.count(req) * self.block_size:
                if not self.free_blocks:
                    raise RuntimeError("OOM")
                req.block_table.append(LEDGER.book(req, self.free_blocks.pop(0)))
        """,
        top="""
        import weakref


        class Ledger:
            def __init__(self):
                self.pages = weakref.WeakKeyDictionary()

            def book(self, req, block):
                self.pages.setdefault(req, set()).add(block)
                return block

            def count(self, req):
                return len(self.pages.get(req, ()))


        LEDGER = Ledger()
        """,
    ),
)

RIGHT_UNUSUAL["books: a table that counts its own slots"] = (
    "all",
    _own(
        """
        def allocate_for_prefill(self, req):
            needed = -(-req.seq_len // self.block_size)
            if needed > len(self.free_blocks):
                raise RuntimeError("OOM")
            for _ in range(needed):
                req.block_table.add(self.free_blocks.pop(0), self.block_size)

        def allocate_for_decode(self, req):
            req.seq_len += 1
            if req.seq_len > req.block_table.slots:
                if not self.free_blocks:
                    raise RuntimeError("OOM")
                req.block_table.add(self.free_blocks.pop(0), self.block_size)
        """,
        top="""
        class Table(list):
            slots = 0

            def add(self, block, size):
                self.append(block)
                self.slots += size
        """,
        table="self.block_table = Table()",
    ),
)

RIGHT_UNUSUAL["books: a state for every block, checked as it is taken"] = (
    "all",
    _own(
        """
        def allocate_for_prefill(self, req):
            needed = (req.seq_len + self.block_size - 1) // self.block_size
            if self.states.count(State.FREE) < needed:
                raise RuntimeError("OOM")
            for _ in range(needed):
                self.take(req)

        def allocate_for_decode(self, req):
            req.seq_len += 1
            if req.seq_len % self.block_size == 1:
                if State.FREE not in self.states:
                    raise RuntimeError("OOM")
                self.take(req)

        def take(self, req):
            block = self.states.index(State.FREE)
            self.states[block] = State.USED
            self.free_blocks.remove(block)
            req.block_table.append(block)
        """,
        top="from enum import Enum, auto\n\n\nclass State(Enum):\n    FREE = auto()\n    USED = auto()",
        free="self.free_blocks = list(range(num_blocks))\nself.states = [State.FREE for _ in self.free_blocks]",
    ),
)

# ── other requests ───────────────────────────────────────────────────────────────────────────────

RIGHT_UNUSUAL["request: its tokens are a list, seq_len only reads"] = (
    "all",
    _own(
        """
        def allocate_for_decode(self, req):
            if req.seq_len % self.block_size == 0:
                if not self.free_blocks:
                    raise RuntimeError("OOM")
                req.block_table.append(self.free_blocks.pop(0))
            req.tokens.append(len(req.tokens))
        """
    )
    .replace("self.seq_len = prompt_len", "self.tokens = list(range(prompt_len))")
    .replace(
        "class KVCacheManager",
        "class _Counted(Request):\n    @property\n    def seq_len(self):\n        return len(self.tokens)\n\n\n"
        "Request = _Counted\n\n\nclass KVCacheManager",
        1,
    ),
)

RIGHT_UNUSUAL["request: slotted, seq_len only reads"] = (
    "all",
    _file("""
    import torch


    class Request:
        __slots__ = ("request_id", "_prompt", "_generated", "block_table")

        def __init__(self, request_id, prompt_len):
            self.request_id = request_id
            self._prompt = prompt_len
            self._generated = 0
            self.block_table = []

        @property
        def seq_len(self):
            return self._prompt + self._generated

        def generate(self):
            self._generated += 1


    class KVCacheManager:
        def __init__(self, num_blocks, block_size, head_dim):
            self.num_blocks = num_blocks
            self.block_size = block_size
            self.head_dim = head_dim
            self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim)
            self.free_blocks = list(range(num_blocks))

        def allocate_for_prefill(self, req):
            self._cover(req, req.seq_len)

        def allocate_for_decode(self, req):
            self._cover(req, req.seq_len + 1)
            req.generate()

        def _cover(self, req, tokens):
            lacking = (tokens + self.block_size - 1) // self.block_size - len(req.block_table)
            if lacking > len(self.free_blocks):
                raise RuntimeError("OOM")
            for _ in range(lacking):
                req.block_table.append(self.free_blocks.pop(0))

        def get_physical_cache(self, req):
            return torch.cat([self.physical_kv_cache[b] for b in req.block_table])[: req.seq_len]
    """),
)

RIGHT_UNUSUAL["request: a record in a list, fields by position"] = (
    "all",
    SOLUTION.replace(
        REQUEST,
        """from operator import itemgetter


def column(index):
    return property(itemgetter(index), lambda record, value: record.__setitem__(index, value))


class Request(list):
    request_id, seq_len, block_table = column(0), column(1), column(2)

    def __init__(self, request_id, prompt_len):
        super().__init__((request_id, prompt_len, []))


""",
    ),
)

RIGHT_UNUSUAL["request: made by make_dataclass, its id an int and checked"] = (
    "all",
    SOLUTION.replace(
        REQUEST,
        """from dataclasses import field, make_dataclass


def _check(self):
    if not isinstance(self.request_id, int):
        raise TypeError("request_id: int")
    self.seq_len = self.prompt_len


Request = make_dataclass(
    "Request",
    [
        ("request_id", int),
        ("prompt_len", int),
        ("seq_len", int, field(init=False)),
        ("block_table", list, field(default_factory=list, init=False)),
    ],
    namespace={"__post_init__": _check},
)


""",
    ).replace("req: Request", "req"),
)

RIGHT_UNUSUAL["request: its id, an int, padded with zeros in the log"] = (
    "all",
    _own(
        """
        def allocate_for_prefill(self, req):
            needed = -(-req.seq_len // self.block_size)
            log.info(f"request {req.request_id:04d} needs {needed}, free {len(self.free_blocks)}")
            if needed > len(self.free_blocks):
                raise RuntimeError("OOM")
            for _ in range(needed):
                req.block_table.append(self.free_blocks.pop(0))
        """,
        top='import logging\n\nlogging.basicConfig(level="INFO", format="%(asctime)s %(message)s")\nlog = logging.getLogger(__name__)',
    ),
)

# ── all or nothing, and other ways to write the methods ──────────────────────────────────────────

RIGHT_UNUSUAL["form: a context manager rolls back"] = (
    "all",
    _own(
        """
        def _transaction(self, req):
            before = (self.free_blocks.copy(), req.block_table.copy(), req.seq_len)
            try:
                yield
            except IndexError as cause:
                self.free_blocks, req.block_table, req.seq_len = before
                raise RuntimeError("OOM") from cause
        """,
        top="from contextlib import contextmanager",
        source=with_method(
            """
            def allocate_for_prefill(self, req):
                with self._transaction(req):
                    for token in range(req.seq_len):
                        if token % self.block_size == 0:
                            req.block_table.append(self.free_blocks.pop())

            def allocate_for_decode(self, req):
                with self._transaction(req):
                    req.seq_len += 1
                    if req.seq_len % self.block_size == 1:
                        req.block_table.append(self.free_blocks.pop())
            """
        ),
    ).replace("    def _transaction", "    @contextmanager\n    def _transaction"),
)

RIGHT_UNUSUAL["form: an undo stack that a success drops"] = (
    "all",
    _own(
        """
        def _take_until(self, req, tokens):
            with ExitStack() as undo:
                while len(req.block_table) * self.block_size < tokens:
                    if len(self.free_blocks) == 0:
                        raise RuntimeError("OOM：没有空闲块了")
                    block = self.free_blocks.popleft()
                    undo.callback(self.free_blocks.appendleft, block)
                    req.block_table.append(block)
                    undo.callback(req.block_table.pop)
                undo.pop_all()

        def allocate_for_prefill(self, req):
            self._take_until(req, req.seq_len)

        def allocate_for_decode(self, req):
            self._take_until(req, req.seq_len + 1)
            req.seq_len += 1
        """,
        top="from collections import deque\nfrom contextlib import ExitStack",
        free="self.free_blocks = deque(range(num_blocks), maxlen=num_blocks)",
    ),
)

RIGHT_UNUSUAL["form: a decorator works on copies and commits"] = (
    "all",
    _file("""
    import copy
    import functools

    import torch


    class OutOfBlocks(RuntimeError, MemoryError):
        def __str__(self):
            return "OOM"


    def all_or_nothing(method):
        @functools.wraps(method)
        def wrapper(self, req):
            draft_self, draft_req = copy.copy(self), copy.copy(req)
            draft_self.free_blocks = copy.deepcopy(self.free_blocks)
            draft_req.block_table = copy.deepcopy(req.block_table)
            method(draft_self, draft_req)
            vars(self).update(vars(draft_self))
            vars(req).update(vars(draft_req))

        return wrapper


    class Request:
        def __init__(self, request_id: int, prompt_len: int):
            self.request_id = request_id
            self.seq_len = prompt_len
            self.block_table = []


    class KVCacheManager:
        def __init__(self, num_blocks: int, block_size: int, head_dim: int):
            vars(self).update(num_blocks=num_blocks, block_size=block_size, head_dim=head_dim)
            self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim)
            self.free_blocks = [block for block in range(num_blocks)]

        def _one(self, req):
            if not self.free_blocks:
                raise OutOfBlocks
            req.block_table.append(self.free_blocks.pop(0))

        @all_or_nothing
        def allocate_for_prefill(self, req):
            for _ in range(0, req.seq_len, self.block_size):
                self._one(req)

        @all_or_nothing
        def allocate_for_decode(self, req):
            req.seq_len += 1
            if req.seq_len % self.block_size == 1:
                self._one(req)

        def get_physical_cache(self, req):
            joined = functools.reduce(
                lambda done, block: torch.cat((done, self.physical_kv_cache[block])),
                req.block_table,
                self.physical_kv_cache.new_empty(0, self.head_dim),
            )
            return joined[: req.seq_len]
    """),
)

RIGHT_UNUSUAL["form: pure functions over a frozen state, by match"] = (
    "all",
    _file("""
    from dataclasses import dataclass, replace
    from typing import NamedTuple

    import torch


    @dataclass(frozen=True)
    class State:
        free: tuple[int, ...]
        table: tuple[int, ...]
        length: int


    class Oom(NamedTuple):
        need: int
        have: int


    def prefill(state, size):
        match divmod(state.length, size):
            case (full, 0):
                need = full
            case (full, _):
                need = full + 1
        return moved(state, need)


    def decode(state, size):
        grown = replace(state, length=state.length + 1)
        match (grown.length % size, grown.free):
            case (1, ()):
                return Oom(1, 0)
            case (1, (first, *rest)):
                return State(tuple(rest), (*grown.table, first), grown.length)
            case _:
                return grown


    def moved(state, count):
        if count > len(state.free):
            return Oom(count, len(state.free))
        return replace(state, free=state.free[count:], table=state.table + state.free[:count])


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

        def _commit(self, req, step):
            match step(State((*self.free_blocks,), (*req.block_table,), req.seq_len), self.block_size):
                case Oom(need=need, have=have):
                    raise RuntimeError(f"OOM ({need=}, {have=})")
                case State(free=free, table=table, length=length):
                    self.free_blocks, req.block_table, req.seq_len = list(free), list(table), length

        def allocate_for_prefill(self, req):
            self._commit(req, prefill)

        def allocate_for_decode(self, req):
            self._commit(req, decode)

        def get_physical_cache(self, req):
            match req.block_table:
                case [only]:
                    return self.physical_kv_cache[only][: req.seq_len]
                case [*several]:
                    return self.physical_kv_cache[several].reshape(-1, self.head_dim)[: req.seq_len]
    """),
)

RIGHT_UNUSUAL["form: mixins over an abstract base"] = (
    "all",
    _file("""
    from abc import ABC, abstractmethod

    import torch


    class Request:
        def __init__(self, request_id, prompt_len):
            self.request_id, self.seq_len, self.block_table = request_id, prompt_len, list()


    class Storage(ABC):
        def __init__(self, num_blocks, block_size, head_dim):
            super().__init__()
            self.num_blocks, self.block_size, self.head_dim = num_blocks, block_size, head_dim
            self.physical_kv_cache = torch.zeros([num_blocks, block_size, head_dim])
            self.free_blocks = list(range(num_blocks - 1, -1, -1))

        @abstractmethod
        def allocate_for_prefill(self, req):
            raise NotImplementedError

        @abstractmethod
        def allocate_for_decode(self, req):
            raise NotImplementedError

        @abstractmethod
        def get_physical_cache(self, req):
            raise NotImplementedError

        def reserve(self, req, count):
            if count > len(self.free_blocks):
                raise RuntimeError("OOM")
            for _ in range(count):
                req.block_table.append(self.free_blocks.pop())


    class Prefilling(Storage):
        def allocate_for_prefill(self, req):
            self.reserve(req, req.seq_len // self.block_size + (req.seq_len % self.block_size > 0))


    class Decoding(Storage):
        def allocate_for_decode(self, req):
            req.seq_len += 1
            self.reserve(req, count=req.seq_len % self.block_size == 1)


    class Gathering(Storage):
        def get_physical_cache(self, req):
            picked = [self.physical_kv_cache.select(0, block) for block in req.block_table]
            return torch.row_stack(picked).split(req.seq_len)[0]


    class KVCacheManager(Gathering, Decoding, Prefilling):
        pass
    """),
)

RIGHT_UNUSUAL["form: the starter stays above, a class of the same name inherits from it"] = (
    "all",
    _file("""
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
            pass  # TODO 1, TODO 2

        def allocate_for_decode(self, req):
            req.seq_len += 1
            # TODO 3

        def get_physical_cache(self, req):
            ...


    class KVCacheManager(KVCacheManager):
        def allocate_for_prefill(self, req):
            super().allocate_for_prefill(req)
            if (needed := (req.seq_len + self.block_size - 1) // self.block_size) > (have := len(self.free_blocks)):
                raise RuntimeError(f"OOM: {needed - have} more needed")
            while needed:
                req.block_table.append(self.free_blocks.pop(0))
                needed -= 1

        def allocate_for_decode(self, req):
            super().allocate_for_decode(req)
            if (req.seq_len - 1) // self.block_size == len(req.block_table):
                if self.free_blocks == []:
                    raise RuntimeError("OOM")
                req.block_table.append(self.free_blocks.pop(0))

        def get_physical_cache(self, req):
            blocks = list(map(self.physical_kv_cache.__getitem__, req.block_table))
            return torch.cat(blocks)[range(req.seq_len)]
    """),
)

RIGHT_UNUSUAL["form: one partial method for prefill and decode"] = (
    "all",
    _file("""
    from functools import partialmethod

    import torch


    class Request:
        def __init__(self, request_id, prompt_len):
            self.request_id = request_id
            self.seq_len = prompt_len
            self.block_table = []


    class Gather:
        def __get__(self, manager, owner=None):
            return self if manager is None else lambda req: self.read(manager, **vars(req))

        def read(self, manager, *, block_table, seq_len, **_):
            out = torch.empty(seq_len, manager.head_dim, dtype=manager.physical_kv_cache.dtype)
            for start, block in zip(range(0, seq_len, manager.block_size), block_table):
                rows = min(manager.block_size, seq_len - start)
                out.narrow(0, start, rows).copy_(manager.physical_kv_cache[block].narrow(0, 0, rows))
            return out


    class KVCacheManager:
        get_physical_cache = Gather()

        def __init__(self, num_blocks, block_size, head_dim):
            self.num_blocks = num_blocks
            self.block_size = block_size
            self.head_dim = head_dim
            self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim)
            self.free_blocks = list(range(num_blocks))

        def _fit(self, req, more):
            tokens = req.seq_len + more
            short = -(-tokens // self.block_size) - len(req.block_table)
            assert short >= 0
            if short > len(self.free_blocks):
                raise RuntimeError("OOM")
            req.block_table[len(req.block_table) :] = self.free_blocks[:short]
            self.free_blocks[:short] = []
            req.seq_len = tokens

        allocate_for_prefill = partialmethod(_fit, more=0)
        allocate_for_decode = partialmethod(_fit, more=1)
    """),
)

RIGHT_UNUSUAL["form: closures bound in the constructor, a generator hands out the blocks"] = (
    "all",
    _file("""
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
            self.physical_kv_cache = cache = torch.zeros(num_blocks, block_size, head_dim)
            self.free_blocks = free = list(range(num_blocks))

            def supply():
                while True:
                    yield free.pop(0) if free else None

            blocks = supply()

            def take(req):
                block = next(blocks)
                if block is None:
                    raise RuntimeError("OOM")
                req.block_table.append(block)

            def prefill(req):
                needed = sum(token % block_size == 0 for token in range(req.seq_len))
                if needed > len(free):
                    raise RuntimeError("OOM")
                for _ in range(needed):
                    take(req)

            def decode(req):
                req.seq_len += 1
                if req.seq_len % block_size == 1:
                    try:
                        take(req)
                    except RuntimeError:
                        req.seq_len -= 1
                        raise

            def gather(req):
                return torch.cat([cache[block] for block in req.block_table])[: req.seq_len]

            self.allocate_for_prefill = prefill
            self.allocate_for_decode = decode
            self.get_physical_cache = gather
    """),
)

RIGHT_UNUSUAL["form: methods found by __getattr__ in a table of lambdas"] = (
    "all",
    _file("""
    import torch


    def oom(*_):
        raise RuntimeError("OOM")


    def give(m, r, n):
        return [r.block_table.append(m.free_blocks.pop(0)) for _ in range(n)]


    METHODS = {
        "prefill": lambda m, r: (oom if (n := -(-r.seq_len // m.block_size)) > len(m.free_blocks) else give)(m, r, n),
        "decode": lambda m, r: (
            setattr(r, "seq_len", r.seq_len + 1),
            r.seq_len % m.block_size == 1 and (give if m.free_blocks else oom)(m, r, 1),
        ),
        "cache": lambda m, r: torch.cat(m.physical_kv_cache[r.block_table].unbind())[: r.seq_len],
    }


    class Request:
        def __init__(self, request_id, prompt_len):
            self.__dict__ = dict(request_id=request_id, seq_len=prompt_len, block_table=[])


    class KVCacheManager:
        def __init__(self, num_blocks, block_size, head_dim):
            self.__dict__.update(num_blocks=num_blocks, block_size=block_size, head_dim=head_dim)
            self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim)
            self.free_blocks = list(range(num_blocks))

        def __getattr__(self, name):
            try:
                return METHODS[name.rpartition("_")[2]].__get__(self)
            except KeyError:
                raise AttributeError(name) from None
    """),
)

RIGHT_UNUSUAL["form: recursion everywhere"] = (
    "all",
    _own(
        """
        def allocate_for_prefill(self, req):
            def reserve(tokens, free):
                if tokens <= 0:
                    return [], free
                if not free:
                    raise RuntimeError("OOM")
                taken, rest = reserve(tokens - self.block_size, free[1:])
                return [free[0], *taken], rest

            table, self.free_blocks = reserve(req.seq_len, self.free_blocks)
            req.block_table += table

        def get_physical_cache(self, req):
            def read(table, tokens):
                head, *tail = table
                first = self.physical_kv_cache[head][:tokens]
                return torch.cat([first, read(tail, tokens - len(first))]) if tail else first

            return read(req.block_table, req.seq_len)
        """
    ),
)

RIGHT_UNUSUAL["form: the capacity is asserted, the length raised in a finally"] = (
    "all",
    _own(
        """
        def allocate_for_prefill(self, req):
            n = req.seq_len // self.block_size
            n += n * self.block_size < req.seq_len
            try:
                assert len(self.free_blocks) >= n, "not enough blocks"
            except AssertionError as reason:
                raise RuntimeError("OOM", str(reason)) from None
            else:
                req.block_table, self.free_blocks = req.block_table + self.free_blocks[:n], self.free_blocks[n:]

        def allocate_for_decode(self, req):
            try:
                if req.seq_len % self.block_size:
                    return
                if not self.free_blocks:
                    raise RuntimeError("OOM")
                req.block_table.append(self.free_blocks.pop(len(self.free_blocks) // 2))
            finally:
                req.seq_len += 1
        """
    ),
)

RIGHT_UNUSUAL["form: Chinese names, the English ones are aliases"] = (
    "all",
    _file("""
    import torch


    class 显存不足(RuntimeError):
        def __init__(自身, 需要, 剩余):
            super().__init__(f"OOM：需要 {需要} 块，只剩 {剩余} 块")


    class Request:
        def __init__(自身, 编号, 提示长度):
            自身.request_id = 编号
            自身.seq_len = 提示长度
            自身.block_table = []


    class 缓存管理器:
        def __init__(自身, 块数, 块大小, 维度):
            自身.num_blocks, 自身.block_size, 自身.head_dim = 块数, 块大小, 维度
            自身.physical_kv_cache = torch.zeros(块数, 块大小, 维度)
            自身.free_blocks = list(range(块数))

        def 领块(自身, 请求, 数量):
            if 数量 > (剩余 := len(自身.free_blocks)):
                raise 显存不足(数量, 剩余)
            for _ in range(数量):
                请求.block_table.append(自身.free_blocks.pop(0))

        def 预填(自身, 请求):
            自身.领块(请求, (请求.seq_len + 自身.block_size - 1) // 自身.block_size)

        def 解码(自身, 请求):
            请求.seq_len += 1
            余数 = 请求.seq_len % 自身.block_size
            自身.领块(请求, 1 if 余数 == 1 else 0)

        def 拼接(自身, 请求):
            各块 = [自身.physical_kv_cache[块号] for 块号 in 请求.block_table]
            return torch.cat(各块, dim=0)[: 请求.seq_len]

        allocate_for_prefill, allocate_for_decode, get_physical_cache = 预填, 解码, 拼接


    KVCacheManager = 缓存管理器
    """),
)

RIGHT_UNUSUAL["form: only a BlockManager, typed, with a demo of its own"] = (
    "all",
    _file("""
    from __future__ import annotations

    import sys
    import unittest
    from types import SimpleNamespace
    from typing import Final, NewType, Protocol, TypeAlias

    import torch

    BlockId = NewType("BlockId", int)
    Table: TypeAlias = "list[BlockId]"
    OOM: Final = "OOM"


    class HasTable(Protocol):
        seq_len: int
        block_table: Table


    class BlockManager:
        def __init__(self, num_blocks: int, block_size: int, head_dim: int) -> None:
            if min(num_blocks, block_size, head_dim) < 1:
                raise ValueError("all of them positive, please")
            self.num_blocks: Final = num_blocks
            self.block_size: Final = block_size
            self.head_dim: Final = head_dim
            self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim)
            self.free_blocks: Table = [BlockId(i) for i in range(num_blocks)]

        def allocate_for_prefill(self, req: HasTable) -> None:
            needed_blocks = (req.seq_len + self.block_size - 1) // self.block_size
            if needed_blocks > len(self.free_blocks):
                raise RuntimeError(OOM)
            for _ in range(needed_blocks):
                req.block_table.append(self.free_blocks.pop(0))

        def allocate_for_decode(self, req: HasTable) -> None:
            req.seq_len += 1
            if req.seq_len % self.block_size == 1:
                if not self.free_blocks:
                    raise RuntimeError(OOM)
                req.block_table.append(self.free_blocks.pop(0))

        def get_physical_cache(self, req: HasTable) -> torch.Tensor:
            return torch.cat([self.physical_kv_cache[i] for i in req.block_table], dim=0)[: req.seq_len]


    class Demo(unittest.TestCase):
        def test_life(self):
            manager = BlockManager(num_blocks=3, block_size=4, head_dim=2)
            req = SimpleNamespace(seq_len=8, block_table=[])
            manager.allocate_for_prefill(req)
            manager.allocate_for_decode(req)
            self.assertEqual(len(req.block_table), 3)
            self.assertEqual(manager.get_physical_cache(req).shape, (9, 2))
            with self.assertRaisesRegex(RuntimeError, OOM):
                manager.allocate_for_prefill(SimpleNamespace(seq_len=1, block_table=[]))


    result = unittest.TextTestRunner(stream=sys.stdout).run(unittest.defaultTestLoader.loadTestsFromTestCase(Demo))
    assert result.wasSuccessful()
    with open("demo.log", "w", encoding="utf-8") as log:
        print("演示通过", result, file=log)
    """),
)

# ── other pools and other ways to gather ─────────────────────────────────────────────────────────

RIGHT_UNUSUAL["gather: the manager is a torch module with a buffer"] = (
    "all",
    _own(
        """
        def get_physical_cache(self, req):
            with torch.inference_mode():
                ids = torch.as_tensor(list(req.block_table))
                rows = torch.nn.functional.embedding(ids, self.physical_kv_cache.flatten(1))
                return rows.unflatten(1, (self.block_size, self.head_dim)).flatten(0, 1)[: req.seq_len]
        """,
        pool='super().__init__()\nself.register_buffer("physical_kv_cache", torch.zeros(num_blocks, block_size, head_dim))',
    ).replace("class KVCacheManager:", "class KVCacheManager(torch.nn.Module):"),
)

RIGHT_UNUSUAL["gather: a flat pool seen through a property, read by strides"] = (
    "all",
    _own(
        """
        def get_physical_cache(self, req):
            width = self.block_size * self.head_dim
            runs = [self._flat.as_strided((width,), (1,), block * width) for block in req.block_table]
            return torch.hstack(runs).as_strided((req.seq_len, self.head_dim), (self.head_dim, 1))
        """,
        pool="self._flat = torch.zeros(num_blocks * block_size * head_dim)",
    ).replace(
        "    def allocate_for_prefill",
        "    @property\n    def physical_kv_cache(self):\n"
        "        return self._flat.view(self.num_blocks, self.block_size, self.head_dim)\n\n    def allocate_for_prefill",
        1,
    ),
)

RIGHT_UNUSUAL["gather: a pool that numpy owns"] = (
    "all",
    _own(
        """
        def get_physical_cache(self, req):
            rows = np.take(self._rows, np.array(req.block_table), axis=0)
            return torch.from_numpy(np.vstack(rows)[: req.seq_len])
        """,
        top="import numpy as np",
        pool="self._rows = np.zeros((num_blocks, block_size, head_dim), dtype=np.float32)\n"
        "self.physical_kv_cache = torch.from_numpy(self._rows)",
    ),
)

RIGHT_UNUSUAL["gather: a product with a selection matrix"] = (
    "3 final",
    _own(
        """
        def get_physical_cache(self, req):
            choose = torch.nn.functional.one_hot(torch.tensor(req.block_table), self.num_blocks)
            flat = self.physical_kv_cache.view(self.num_blocks, -1)
            joined = choose.to(flat.dtype) @ flat
            keep = torch.arange(len(req.block_table) * self.block_size) < req.seq_len
            return joined.view(-1, self.head_dim)[keep]
        """
    ),
)

RIGHT_UNUSUAL["gather: columns of the transposed pool, turned back"] = (
    "3 final",
    _own(
        """
        def get_physical_cache(self, req):
            columns = self.physical_kv_cache.permute(2, 0, 1)[:, req.block_table]
            return columns.flatten(1)[:, : req.seq_len].T
        """
    ),
)

RIGHT_UNUSUAL["gather: selected into a buffer, through Python lists"] = (
    "3 final",
    _own(
        """
        def get_physical_cache(self, req):
            picked = self.physical_kv_cache.new_empty(len(req.block_table), self.block_size, self.head_dim)
            torch.index_select(self.physical_kv_cache, 0, torch.LongTensor(req.block_table), out=picked)
            rows = itertools.chain.from_iterable(picked.tolist())
            return torch.tensor([*itertools.islice(rows, req.seq_len)], dtype=picked.dtype)
        """,
        top="import itertools",
    ),
)

RIGHT_UNUSUAL["gather: blocks copied by threads under a lock"] = (
    "3 final",
    _own(
        """
        def get_physical_cache(self, req):
            padded = torch.zeros(len(req.block_table), self.block_size, self.head_dim)

            def copy(place):
                with LOCK:
                    padded[place] = self.physical_kv_cache[req.block_table[place]]

            with ThreadPoolExecutor(max_workers=2) as workers:
                list(workers.map(copy, range(len(req.block_table))))
            return torch.narrow(padded.view(-1, self.head_dim), 0, 0, req.seq_len)
        """,
        top="from concurrent.futures import ThreadPoolExecutor\nfrom threading import Lock\n\nLOCK = Lock()",
    ),
)

# ── objects with ways of their own ───────────────────────────────────────────────────────────────

RIGHT_UNUSUAL["object: the table is shown as a tuple and grows by a method"] = (
    "all",
    _own(
        """
        def allocate_for_prefill(self, req):
            needed = (req.seq_len + self.block_size - 1) // self.block_size
            if needed > len(self.free_blocks):
                raise RuntimeError("OOM")
            req.append_blocks(self.free_blocks.pop(0) for _ in range(needed))

        def allocate_for_decode(self, req):
            req.seq_len += 1
            if req.seq_len % self.block_size == 1:
                if not self.free_blocks:
                    raise RuntimeError("OOM")
                req.append_blocks([self.free_blocks.pop(0)])
        """,
        table="self._blocks = []",
    ).replace(
        "class KVCacheManager",
        "    @property\n    def block_table(self):\n        return tuple(self._blocks)\n\n"
        "    def append_blocks(self, blocks):\n        self._blocks.extend(blocks)\n\n\nclass KVCacheManager",
        1,
    ),
)

RIGHT_UNUSUAL["object: a request that refuses to grow by more than one token"] = (
    "all",
    SOLUTION.replace(
        "class KVCacheManager",
        """    def __setattr__(self, name, value):
        if name == "seq_len" and value - getattr(self, name, value) not in (0, 1):
            raise ValueError(f"one token at a time: {self.seq_len} -> {value}")
        super().__setattr__(name, value)

    def __eq__(self, other):
        return NotImplemented if not isinstance(other, Request) else self.request_id == other.request_id

    def __hash__(self):
        return hash(self.request_id)


class KVCacheManager""",
        1,
    ),
)

RIGHT_UNUSUAL["object: a manager with a length, false when its pool is empty, a Parameter for a pool"] = (
    "all",
    _own(
        """
        def __len__(self):
            return len(self.free_blocks)

        def __contains__(self, block):
            return block in self.free_blocks

        def __repr__(self):
            return f"<{len(self)} of {self.num_blocks} free>"

        def allocate_for_decode(self, req):
            req.seq_len += 1
            if req.seq_len % self.block_size == 1:
                if not self:
                    raise RuntimeError(f"OOM {self!r}")
                req.block_table.append(self.free_blocks.pop(0))
        """,
        pool="self.physical_kv_cache = torch.nn.Parameter(torch.zeros(num_blocks, block_size, head_dim), requires_grad=False)",
    ),
)

RIGHT_UNUSUAL["object: ids and length are scalars of torch and numpy"] = (
    "all",
    _own(
        """
        def allocate_for_prefill(self, req):
            needed = (req.seq_len + self.block_size - 1) // self.block_size
            if needed > len(self.free_blocks):
                raise RuntimeError("OOM")
            taken, self.free_blocks = self.free_blocks[:needed], self.free_blocks[needed:]
            req.block_table.extend(taken)

        def allocate_for_decode(self, req):
            req.seq_len = req.seq_len + np.int64(1)
            if req.seq_len % self.block_size == 1:
                if self.free_blocks.numel() == 0:
                    raise RuntimeError("OOM")
                block, self.free_blocks = self.free_blocks[-1], self.free_blocks[:-1]
                req.block_table.append(block)
        """,
        top="import numpy as np",
        free="self.free_blocks = torch.arange(num_blocks, dtype=torch.int32)",
    ).replace("self.seq_len = prompt_len", "self.seq_len = np.int64(prompt_len)"),
)

RIGHT_UNUSUAL["pool: a list of scalars of torch, stacked when gathering"] = (
    "all",
    _own(
        """
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
            return self.physical_kv_cache[torch.stack(req.block_table)].reshape(-1, self.head_dim)[: req.seq_len]
        """,
        free="self.free_blocks = list(torch.arange(num_blocks))",
    ),
)
