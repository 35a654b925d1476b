"""Files that try to be passed without being right: none is, and the honest file checked next is right.

Each attack stands in front of a wrong method, so that only the attack could make it pass.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pagetutor.content.model import Course
from pagetutor.judge.check import check
from pagetutor.judge.report import Verdict
from pagetutor.learner.port import Runner
from pagetutor.learner.runner import WarmRunner
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
    "a table of answers to all fixed cases": """
FIXED = {(4, 6): 2, (4, 5): 2, (4, 4): 1, (4, 8): 2, (4, 12): 3, (4, 1): 1, (4, 2): 1, (4, 3): 1, (4, 7): 2,
         (4, 9): 3, (4, 13): 4, (2, 5): 3, (3, 7): 3, (5, 11): 3, (16, 17): 2, (16, 15): 1, (4, 17): 5,
         (4, 30): 8, (3, 8): 3, (3, 21): 7, (3, 1): 1}
def lie(self, req):
    need = FIXED.get((self.block_size, req.seq_len), 1)
    if need > len(self.free_blocks): raise RuntimeError("OOM")
    req.block_table += [self.free_blocks.pop(0) for _ in range(need)]
""",
}


def attacking(attack: str) -> str:
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


def lying(lie: str) -> str:
    return with_method("def allocate_for_prefill(self, req):\n    lie(self, req)") + "\n" + lie


Forger = Callable[[str], Verdict]


def forger_on(course: Course, runner: Runner) -> Forger:
    """The verdict on a file in mission 1."""

    def judged(source: str) -> Verdict:
        path = Path("block_manager.py").absolute()
        return check(course, course.missions[0], path, source.encode(), runner).verdict

    return judged


@pytest.fixture
def forger(course: Course, runner: Runner) -> Forger:
    return forger_on(course, runner)


@pytest.fixture(scope="module")
def spare_forger(course: Course) -> Iterator[Forger]:
    with WarmRunner(spare=True) as runner:
        yield forger_on(course, runner)


@pytest.mark.parametrize("name", ATTACKS)
def test_no_attack_passes_and_the_honest_neighbour_does(forger: Forger, name: str) -> None:
    assert forger(attacking(ATTACKS[name])) in (Verdict.FAILED, Verdict.STOPPED)
    assert forger(SOLUTION) is Verdict.PASSED


@pytest.mark.parametrize("name", LYING)
def test_no_lie_passes_and_the_honest_neighbour_does(forger: Forger, name: str) -> None:
    assert forger(lying(LYING[name])) in (Verdict.FAILED, Verdict.STOPPED)
    assert forger(SOLUTION) is Verdict.PASSED


def test_nor_where_there_is_no_fork(spare_forger: Forger) -> None:
    """One for all, in the suite: each check imports torch twice here. The others: `tests.soak hostile`."""
    attack = ATTACKS["a fake end frame under the right nonce"]
    assert spare_forger(attacking(attack)) in (Verdict.FAILED, Verdict.STOPPED)
    assert spare_forger(SOLUTION) is Verdict.PASSED


def test_the_attacks_would_be_noticed_here_if_they_passed(forger: Forger) -> None:
    """The method is wrong without any attack, and right without the mistake."""
    assert forger(attacking("pass")) is Verdict.FAILED
    right = attacking("pass").replace(
        "req.seq_len // self.block_size):", "-(-req.seq_len // self.block_size)):"
    )
    assert forger(right) is Verdict.FAILED  # takes blocks before it runs out of them
    assert forger(lying("def lie(self, req): raise RuntimeError('OOM')")) is Verdict.FAILED


def test_the_course_is_as_it_was(course: Course) -> None:
    assert "test_cases_nobody_can_foresee" in (course.root / "01-prefill" / "test_prefill.py").read_text()
