"""What looks alike from outside and is something else: no certain name that is not true, and the true line."""

from __future__ import annotations

import pytest

from pagetutor.text import Text
from tests.corpus.build import SOLUTION, with_method
from tests.judge.conftest import Judge

HEAD = "def allocate_for_prefill(self, req):\n    need = -(-req.seq_len // self.block_size)\n"
CHECK = "    if need > len(self.free_blocks):\n        raise RuntimeError('OOM')\n"
TAKE = "    for _ in range(need):\n        req.block_table.append(self.free_blocks.pop(0))\n"
DECODE = (
    "def allocate_for_decode(self, req):\n    req.seq_len += 1\n    if req.seq_len % self.block_size == 1:\n"
)
GATHER = "def get_physical_cache(self, req):\n"

CASES = {
    "forgets len": ("1", HEAD + CHECK.replace("len(self.free_blocks)", "self.free_blocks") + TAKE, "if need >", ()),
    "loops over a number": ("1", HEAD + CHECK + TAKE.replace("range(need)", "need"), "for _ in need", ()),
    "square brackets for a call": ("1", HEAD + CHECK + TAKE.replace("pop(0)", "pop[0]"), "pop[0]", ()),
    "calls the list": ("1", HEAD + CHECK + TAKE.replace(".pop(0)", "(0)"), "free_blocks(0)", ()),
    "a generator for cat": (
        "3",
        GATHER + "    return torch.cat(self.physical_kv_cache[b] for b in req.block_table)[: req.seq_len]\n",
        "torch.cat(",
        (),
    ),
    "blocks unpacked into cat": (
        "3",
        GATHER + "    blocks = [self.physical_kv_cache[b] for b in req.block_table]\n    return torch.cat(*blocks)\n",
        "torch.cat(*",
        (),
    ),
    "counts a number": (
        "3",
        GATHER + "    blocks = [self.physical_kv_cache[b] for b in len(req.block_table)]\n    return torch.cat(blocks)\n",
        "in len(",
        (),
    ),
    "asks for None": (
        "2",
        DECODE + "        if self.free_blocks is None:\n            raise RuntimeError('OOM')\n"
        "        req.block_table.append(self.free_blocks.pop(0))\n",
        "is None",
        ("decode.no-empty-check",),
    ),
    "asks for None first": (
        "1",
        HEAD + "    if self.free_blocks is None:\n        raise RuntimeError('OOM')\n" + TAKE,
        "is None",
        ("prefill.no-capacity-check",),
    ),
    "a handler of something else": (
        "2",
        DECODE + "        try:\n            block = self.free_blocks.pop(0)\n        except ValueError:\n"
        "            raise RuntimeError('OOM')\n        req.block_table.append(block)\n",
        "except ValueError",
        ("decode.no-empty-check",),
    ),
    "text and number added": (
        "1",
        HEAD + CHECK.replace("'OOM'", "'OOM: ' + need") + TAKE,
        "'OOM: ' + need",
        (),
    ),
    "leaves at once": ("1", "def allocate_for_prefill(self, req):\n    return\n" + HEAD.split("\n", 1)[1] + CHECK + TAKE, "return", ("prefill.does-nothing",)),
    "the loop under the raise": (
        "1",
        HEAD + CHECK + "        for _ in range(need):\n            req.block_table.append(self.free_blocks.pop(0))\n",
        None,
        ("prefill.never-appends",),
    ),
    "the pool as a table": (
        "1",
        HEAD + CHECK + "    req.block_table = self.free_blocks\n" + TAKE,
        "req.block_table = self.free_blocks",
        ("structure.aliases-list",),
    ),
    "the manager's one table": (
        "1",
        HEAD + CHECK + "    self.taken = getattr(self, 'taken', [])\n    req.block_table = self.taken\n" + TAKE,
        "req.block_table = self.taken",
        ("structure.aliases-list",),
    ),
    "a copy of the pool as a table": (
        "1",
        HEAD + CHECK + "    req.block_table = self.free_blocks.copy()\n",
        "self.free_blocks.copy()",
        ("prefill.takes-all-free",),
    ),
    "a table for all by default": (
        "1",
        HEAD.replace("req)", "req, table=[])") + CHECK + "    req.block_table = table\n" + TAKE,
        "table=[]",
        ("structure.shared-class-attribute",),
    ),
    "self comes second": (
        "1",
        HEAD.replace("self, req", "req, self") + CHECK + TAKE,
        "def allocate_for_prefill(",
        ("structure.wrong-signature",),
    ),
    "the request comes first, by other names": (
        "1",
        (HEAD.replace("self, req", "req, kv") + CHECK + TAKE).replace("self.", "kv."),
        "def allocate_for_prefill(",
        ("structure.wrong-signature",),
    ),
    "a helper is given the manager": (
        "1",
        "def _need(self, req):\n    return -(-req.seq_len // self.block_size)\n"
        "def allocate_for_prefill(self, req):\n    need = self._need(self)\n" + CHECK + TAKE,
        "need = self._need(self)",
        ("structure.wrong-signature",),
    ),
    "a helper without self": (
        "1",
        "def allocate_for_prefill(self, req):\n    return self._take(req)\n"
        "def _take(req):\n    req.block_table.append(0)\n",
        "def _take(req)",
        ("structure.missing-self",),
    ),
    "the manager's field on a request": (
        "1",
        (HEAD + CHECK + TAKE).replace("self.block_size", "req.block_size"),
        "req.block_size",
        ("structure.misspelt-attribute",),
    ),
    "a table by another name": (
        "1",
        HEAD + CHECK + "    req.block_tables = [self.free_blocks.pop(0) for _ in range(need)]\n",
        "req.block_tables =",
        ("structure.misspelt-attribute",),
    ),
    "a table by another name, filled one by one": (
        "1",
        HEAD + CHECK + "    req.block_tables = []\n" + TAKE.replace("table", "tables"),
        "req.block_tables = []",
        ("structure.misspelt-attribute",),
    ),
    "a table on the manager": (
        "1",
        HEAD + CHECK + "    self.block_table = [self.free_blocks.pop(0) for _ in range(need)]\n",
        "self.block_table =",
        ("structure.misspelt-attribute",),
    ),
    "a length by another name": (
        "2",
        DECODE.replace("req.seq_len += 1", "req.seq_lens = req.seq_len + 1")
        + "        req.block_table.append(self.free_blocks.pop(0))\n",
        "req.seq_lens =",
        ("structure.misspelt-attribute",),
    ),
    "a copy by a near name beside another mistake": (
        "1",
        HEAD.replace("-(-req.seq_len // self.block_size)", "req.seq_len // self.block_size") + CHECK + TAKE
        + "    req.block_tables = list(req.block_table)\n    req.blocktable = {}\n",
        "need = req.seq_len",
        ("prefill.floor-division",),
    ),
    "an id by a near name beside another mistake": (
        "1",
        HEAD + CHECK + "    self.free_block = self.free_blocks[0] if need else None\n"
        + TAKE.replace(".pop(0)", "[0]"),
        "self.free_blocks[0])",
        ("prefill.reads-without-removing",),
    ),
    "a coroutine": ("1", "async " + HEAD + CHECK + TAKE, "async def", ("structure.wrong-signature",)),
    "a generator": ("1", HEAD + CHECK + TAKE + "        yield\n", "yield", ("structure.wrong-signature",)),
}  # fmt: skip


@pytest.mark.parametrize(("mission", "method", "at", "names"), CASES.values(), ids=list(CASES))
def test_no_false_name_is_certain(
    judge: Judge, mission: str, method: str, at: str | None, names: tuple[str, ...]
) -> None:
    source = with_method(method)
    report = judge(mission, source)
    assert report.verdict == "failed"
    assert {one.id for one in report.mistakes if one.certain} == set(names)
    if at is not None:
        assert report.line is not None
        assert at in source.splitlines()[report.line - 1]


def test_a_builtin_that_the_file_has_taken_is_named_where_it_was_taken(judge: Judge) -> None:
    source = SOLUTION.replace("import torch\n", "import torch\nfrom torch import *\n", 1)
    report = judge("1", source)
    assert [(one.id, one.certain) for one in report.mistakes] == [("structure.takes-a-builtin", True)]
    assert report.line is not None
    assert source.splitlines()[report.line - 1] == "from torch import *"
    assert "`range`" in report.mistakes[0].belief.en


@pytest.mark.parametrize(
    ("name", "taken"),
    [
        ("_init_", "self, num_blocks"),
        ("__int__", "self, request_id"),
        ("init", "self, num_blocks"),
        ("__Init__", "self, request_id"),
        ("setup", "self, num_blocks"),
    ],
)
def test_a_constructor_by_another_name_is_named(judge: Judge, name: str, taken: str) -> None:
    source = SOLUTION.replace(f"def __init__({taken}", f"def {name}({taken}")
    assert source != SOLUTION
    report = judge("1", source)
    (mistake,) = report.mistakes
    assert (mistake.id, mistake.certain) == ("structure.missing-method", True)
    assert mistake.belief == Text(
        zh=f"创建对象时，Python 只会调用 `__init__`；这个类里没有它，只有一个不会被调用的 `{name}`。",
        en=f"Making an object calls `__init__`; this class has none, and `{name}` here is never called.",
    )
    assert report.line is not None
    assert f"def {name}({taken}" in source.splitlines()[report.line - 1]


# Changes of the constructors: what stands there, what is put in its place, the line to look at, the name.
CONSTRUCTORS = {
    "without self": ("__init__(self, num_blocks", "__init__(num_blocks", "def __init__(num_blocks", "missing-self"),
    "self comes second": ("__init__(self, num_blocks: int", "__init__(num_blocks, self", "def __init__(num_blocks", "wrong-signature"),
    "a request without self": ("__init__(self, request_id", "__init__(request_id", "def __init__(request_id", "missing-self"),
    "a field by another name": ("self.free_blocks: List[int] =", "self.free_block =", "self.free_block =", "misspelt-attribute"),
    "a table by another name": ("self.block_table: List[int] =", "self.block_tables =", "self.block_tables =", "misspelt-attribute"),
    "a size by another name": ("self.block_size =", "self.blocksize =", "self.blocksize =", "misspelt-attribute"),
    "a length by another name": ("self.seq_len =", "self.seqlen =", "self.seqlen =", "misspelt-attribute"),
    "a size by a short name": ("self.block_size =", "self.bs =", "def __init__(self, num_blocks", "edits-init"),
    "the module's one table": ("self.block_table: List[int] = []", "self.block_table = TABLE", "TABLE = []", "shared-class-attribute"),
}  # fmt: skip


@pytest.mark.parametrize(("old", "new", "at", "name"), CONSTRUCTORS.values(), ids=list(CONSTRUCTORS))
def test_an_edited_constructor_is_named_where_it_was_edited(
    judge: Judge, old: str, new: str, at: str, name: str
) -> None:
    source = SOLUTION.replace("class Request:", "TABLE = []\n\n\nclass Request:", 1)
    assert source.count(old) == 1
    source = source.replace(old, new)
    report = judge("1", source)
    assert [(one.id, one.certain) for one in report.mistakes] == [(f"structure.{name}", True)]
    assert report.line is not None
    assert at in source.splitlines()[report.line - 1]


def test_a_list_of_the_class_that_every_manager_sets_anew_is_not_shared(judge: Judge) -> None:
    source = SOLUTION.replace(
        "class KVCacheManager:\n", "class KVCacheManager:\n    free_blocks: List[int] = []\n\n", 1
    ).replace("list(range(num_blocks))", "list(range(1, num_blocks + 1))")
    report = judge("1", source)
    assert [one.id for one in report.mistakes] == ["structure.edits-init"]
    assert report.line is not None
    assert "range(1, num_blocks + 1)" in source.splitlines()[report.line - 1]


@pytest.mark.parametrize("written", ["self.seq_len", "seq_len", "Request.seq_len"])
def test_the_request_is_called_what_the_method_calls_it(judge: Judge, written: str) -> None:
    method = (HEAD.replace("self, req", "self, r") + CHECK + TAKE).replace("req.", "r.")
    (mistake,) = judge("1", with_method(method.replace("r.seq_len", written))).mistakes
    assert mistake.certain
    assert "`r.seq_len`" in mistake.ask.en
    assert "`r.seq_len`" in mistake.ask.zh


def test_a_class_in_a_class_is_said_to_stand_too_deep(judge: Judge) -> None:
    head, _, manager = SOLUTION.partition("class KVCacheManager:")
    inner = "\n".join(
        f"    {line}" if line else line for line in ("class KVCacheManager:" + manager).split("\n")
    )
    source = head + "class Mine:\n" + inner
    report = judge("1", source)
    assert [one.id for one in report.mistakes] == ["structure.missing-class"]
    assert report.line is not None
    assert source.splitlines()[report.line - 1] == "    class KVCacheManager:"
    assert report.mistakes[0].belief.en == (
        "`KVCacheManager` is written inside something else, so the file itself has none."
    )


def test_a_method_without_its_object_is_named_at_the_decorator(judge: Judge) -> None:
    source = SOLUTION.replace(
        "    def allocate_for_prefill", "    @staticmethod\n    def allocate_for_prefill"
    )
    report = judge("1", source)
    assert [one.id for one in report.mistakes] == ["structure.wrong-signature"]
    assert report.line is not None
    assert source.splitlines()[report.line - 1] == "    @staticmethod"


def test_changing_another_request_s_own_table_is_not_called_sharing(judge: Judge) -> None:
    source = SOLUTION.replace(
        "            req.block_table.append(block_id)\n\n    def allocate_for_decode",
        "            LAST.block_table.append(block_id)\n\n    def allocate_for_decode",
    ).replace(
        "        self.block_table: List[int] = []\n",
        "        self.block_table: List[int] = []\n        global LAST\n        LAST = self\n",
    )
    assert source.count("LAST") == 3
    report = judge("1", source)
    assert report.verdict == "failed"
    assert "structure.shared-class-attribute" not in {one.id for one in report.mistakes}


def test_a_method_inside_another_one_is_said_to_stand_too_deep(judge: Judge) -> None:
    source = with_method(
        HEAD + CHECK + "    def _take(self):\n        return self.free_blocks.pop(0)\n"
        "    for _ in range(need):\n        req.block_table.append(self._take())\n"
    )
    report = judge("1", source)
    assert [one.id for one in report.mistakes if one.certain] == ["structure.missing-method"]
    assert report.line is not None
    assert "def _take" in source.splitlines()[report.line - 1]


def test_one_list_for_all_managers_is_named_where_the_class_has_it(judge: Judge) -> None:
    source = SOLUTION.replace(
        "class KVCacheManager:\n", "class KVCacheManager:\n    free_blocks = []\n\n", 1
    ).replace(
        "self.free_blocks: List[int] = list(range(num_blocks))", "self.free_blocks.extend(range(num_blocks))"
    )
    report = judge("1", source)
    assert [one.id for one in report.mistakes if one.certain][:1] == ["structure.shared-class-attribute"]
    assert report.line is not None
    assert source.splitlines()[report.line - 1] == "    free_blocks = []"


def test_the_first_memory_that_is_refused_is_the_last_thing_asked(judge: Judge) -> None:
    hoards = with_method("def allocate_for_prefill(self, req):\n    req.hoard = bytearray(10**11)\n")
    report = judge("1", hoards)
    assert (report.verdict, report.reason) == ("stopped", "memory")
    # the constructors' test comes first and asks for no blocks; nothing after the first refusal has an answer
    assert [test.outcome for test in report.tests].count("failed") == 0
    assert [test.outcome for test in report.tests].count("not_run") >= len(report.tests) - 1
