"""What looks alike from outside and is something else: no certain name that is not true, and the true line."""

from __future__ import annotations

import pytest

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
