"""Files that try to be passed without being right; each attack stands in front of a wrong method."""

from __future__ import annotations

import textwrap
from collections.abc import Collection
from pathlib import Path

from tests.corpus.build import SOLUTION, with_method

WRONG = """
def allocate_for_prefill(self, req):
    attack()
    for _ in range(req.seq_len // self.block_size):
        if not self.free_blocks:
            raise RuntimeError("OOM")
        req.block_table.append(self.free_blocks.pop(0))
"""

NONCE = """
frame = sys._getframe()
while frame and "question" not in frame.f_locals: frame = frame.f_back
nonce = frame.f_locals["question"]["nonce"] if frame else "0" * 32
"""
TO_ALL = """
body = json.dumps(said).encode()
for number in range(256):
    try: os.write(number, struct.pack(">I", len(body)) + body)
    except OSError: pass
"""
TRACE = '{"steps": [{"kind": "done", "value": None, "requests": {}, "managers": {}}] * 3}'
ATTACKS = {
    "a fake end frame": f'said = {{"nonce": "0" * 32, "end": True}}\n{TO_ALL}',
    "a fake end frame under the right nonce": f'{NONCE}\nsaid = {{"nonce": nonce, "end": True}}\n{TO_ALL}',
    "and then it leaves with status 0": f'{NONCE}\nsaid = {{"nonce": nonce, "end": True}}\n{TO_ALL}\nos._exit(0)',
    "an answer under the right nonce": f'{NONCE}\nsaid = {{"nonce": nonce, "trace": {TRACE}}}\n{TO_ALL}\nos._exit(0)',
    "a verdict on every descriptor": f'said = {{"verdict": "passed", "reason": None}}\n{TO_ALL}',
    "a verdict in print": 'print(json.dumps({"schema": 1, "verdict": "passed"}))',
    "the first frame replayed": """
wire = sys.modules["pagetutor.learner.wire"]
if not hasattr(wire, "kept"):
    wire.kept, real = [], wire.encode
    wire.encode = lambda value: (wire.kept.append(real(value)), wire.kept[0])[1]
""",
    "every frame sent twice": """
child = sys.modules["pagetutor.learner.child"]
if not hasattr(child, "kept"):
    child.kept, real = 1, child.wire.encode
    child.wire.encode = lambda value: real(value) * 2
""",
    "an empty trace for everything": """
child = sys.modules["pagetutor.learner.child"]
child._Child._do = lambda self, question: {"trace": {"steps": []}, "end": True}
""",
    "json patched": """
json.dumps = lambda *_, **__: '{"verdict": "passed"}'
json.JSONEncoder.encode = json.JSONEncoder.iterencode = lambda *_, **__: '{"verdict": "passed"}'
json.encoder.c_make_encoder = None
""",
    "os and socket patched": """
os.write = lambda number, data: len(data)
socket.socket.sendall = socket.socket.send = lambda *_, **__: None
os._exit = lambda _: None
""",
    "torch patched": """
torch.equal = torch.allclose = lambda *_, **__: True
torch.cat = torch.stack = lambda tensors, *_, **__: tensors[0]
torch.Tensor.size = torch.Tensor.tolist = lambda *_, **__: [1]
""",
    "builtins patched": """
builtins.len = lambda _: 2
builtins.sorted = lambda *_, **__: []
builtins.any = builtins.all = builtins.isinstance = lambda *_, **__: True
builtins.range = lambda *_: [1, 2]
""",
    "pytest and the play code patched": """
for name in list(sys.modules):
    module = sys.modules[name]
    for function in ("main", "fail", "raises", "play", "first_violation", "check"):
        if name.startswith(("pytest", "_pytest", "pagetutor", "stage")) and hasattr(module, function):
            setattr(module, function, lambda *_, **__: None)
try:
    import pytest; pytest.main = pytest.fail = lambda *_, **__: 0
except ImportError: pass
""",
    "sys.modules cleared": "sys.modules.clear()",
    "sys.settrace on everything": "sys.settrace(lambda frame, *_: frame.f_globals.update(verdict='passed'))",
    "every object asked for what is expected": """
for one in gc.get_objects():
    if type(one) is dict and "expected" in one: one["expected"] = one.get("actual")
""",
    "the course's tests rewritten": """
import pathlib
for path in pathlib.Path(MISSIONS).rglob("test_*.py"):
    try: path.write_text("def test_nothing(): pass")
    except OSError: pass
""",
}
LYING = {
    "a table equal to everything": """
class Yes(list):
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    __hash__ = None
def lie(self, req): req.block_table = Yes([0])
""",
    "ids equal to everything": """
class Yes(int):
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __lt__(self, other): return False
    __hash__ = int.__hash__
def lie(self, req): req.block_table = [Yes(0) for _ in range(-(-req.seq_len // self.block_size))]
""",
    "a table whose length lies": """
class Long(list):
    def __len__(self): return self.due
def lie(self, req):
    req.block_table = Long([self.free_blocks.pop(0)] if self.free_blocks else [])
    req.block_table.due = -(-req.seq_len // self.block_size)
""",
    "a table that is iterated otherwise each time": """
class Other(list):
    def __iter__(self): self.n = getattr(self, "n", 0) + 1; return iter(range(self.n))
def lie(self, req): req.block_table = Other([0, 1])
""",
    "an exception that calls itself RuntimeError": """
class Fake(Exception): pass
Fake.__name__ = "RuntimeError"; Fake.__mro_entries__ = None
def lie(self, req):
    need = -(-req.seq_len // self.block_size)
    if need > len(self.free_blocks): raise Fake("OOM")
    req.block_table += [self.free_blocks.pop(0) for _ in range(need)]
""",
}


LYING_TENSORS = {
    "a tensor whose shape lies": """
class Cut(torch.Tensor):
    shape = property(lambda self: torch.Size(self.due))
    def size(self, *_): return self.shape
    def numel(self): return self.due[0] * self.due[1]
    def __len__(self): return self.due[0]
def lie(self, req):
    cut = torch.cat([self.physical_kv_cache[block_id] for block_id in req.block_table]).as_subclass(Cut)
    cut.due = (req.seq_len, self.head_dim)
    return cut
""",
    "a tensor equal to everything": """
class Yes(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        if "eq" in function.__name__ or "close" in function.__name__: return True
        return super().__torch_function__(function, types, args, kwargs or {})
def lie(self, req): return torch.zeros(req.seq_len, self.head_dim).as_subclass(Yes)
""",
    "what only looks like a tensor": """
class Looks:
    def __init__(self, due): self.shape = self.due = due
    def tolist(self): return [[0.0] * self.due[1]] * self.due[0]
    def __eq__(self, other): return True
    __class__ = torch.Tensor
    __hash__ = None
def lie(self, req): return Looks((req.seq_len, self.head_dim))
""",
}


def attacking(attack: str) -> str:
    """The attack, and then a prefill that rounds down."""
    imports = "import builtins, gc, json, os, signal, socket, struct, sys\nimport torch\n"
    missions = f"MISSIONS = {str(Path(__file__).parents[2] / 'missions')!r}\n"
    return (
        imports
        + missions
        + "def attack():\n"
        + textwrap.indent(attack + "\npass", "    ")
        + "\n"
        + with_method(WRONG)
    )


def lying(lie: str, method: str = "allocate_for_prefill") -> str:
    """The lie in place of the method."""
    return with_method(f"def {method}(self, req):\n    return lie(self, req)") + "\n" + lie


# ── looking answers up ───────────────────────────────────────────────────────────────────────────

METHODS = {  # by mission: the method, what its answer depends on, and a wrong body for all other cases
    "1": (
        "allocate_for_prefill",
        "(self.block_size, list(self.free_blocks), req.seq_len)",
        "req.block_table.append(self.free_blocks.pop())",
    ),
    "2": (
        "allocate_for_decode",
        "(self.block_size, list(self.free_blocks), req.seq_len, list(req.block_table))",
        "req.seq_len += 1",
    ),
    "3": (
        "get_physical_cache",
        "(self.block_size, self.head_dim, req.seq_len, list(req.block_table))",
        "return self.physical_kv_cache[req.block_table[0]]",
    ),
}


def telling_cases(mission: str) -> str:
    """The solution, printing each case that its method is asked."""
    method, case, _ = METHODS[mission]
    tells = f"""
def {method}(self, req):
    print({case})
    return self.right(req)
"""
    return with_method(tells, _with_right(method))


def looking_up(mission: str, cases: Collection[str]) -> str:
    """Right in these cases, wrong in all others."""
    method, case, wrong = METHODS[mission]
    looks_up = f"""
def {method}(self, req):
    if repr({case}) in CASES:
        return self.right(req)
    {wrong}
"""
    return with_method(looks_up, _with_right(method)) + f"\nCASES = {sorted(cases)!r}\n"


def _with_right(method: str) -> str:
    renamed = SOLUTION.replace(f"def {method}(", "def right(", 1)
    assert renamed != SOLUTION
    return renamed


FORGERIES = {  # by name: the mission that it wants passed, and the file
    **{name: ("1", attacking(attack)) for name, attack in ATTACKS.items()},
    **{name: ("1", lying(lie)) for name, lie in LYING.items()},
    **{name: ("3", lying(lie, "get_physical_cache")) for name, lie in LYING_TENSORS.items()},
}
