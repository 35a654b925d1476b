"""Pictures of a pool in a course file: read into values, and refused where no pool could be like that."""

from __future__ import annotations

import pytest

from pagetutor.content.model import Pool, PoolRequest, Pools
from pagetutor.content.read import load_course
from pagetutor.text import Text
from tests.content.small_course import SmallCourse, faults_of

FILE = "01-prefill/mission.yaml"
AFTER = "      says: {zh: 一个块。, en: One block.}\n"
POOL = """\
  - pool:
      blocks: 4
      block_size: 4
      free: [3, 0]
      requests:
        - {name: a, tokens: 6, table: [2, 1]}
"""
PLACE = "01-prefill/mission.yaml:{} missions[1].diagram[1].pool{}"

BREAKS = {
    "a block nowhere": (
        "free: [3, 0]",
        "free: [3]",
        ("54:7", ""),
        "块 0 不在块表里，也不空闲；每块请只写一次，写进一个 `table` 或 `free`",
        "block 0 is in no table and not free; write each block once, in a `table` or in `free`",
    ),
    "a block twice": (
        "free: [3, 0]",
        "free: [3, 0, 2]",
        ("54:7", ""),
        "块 2 出现了不止一次；每块请只写一次，写进一个 `table` 或 `free`",
        "block 2 is there more than once; write each block once, in a `table` or in `free`",
    ),
    "an id outside": (
        "free: [3, 0]",
        "free: [3, 0, 4]",
        ("56:20", ".free[2]"),
        "4 块的池里没有 4；请写 0 到 3",
        "a pool of 4 blocks has no 4; write 0 to 3",
    ),
    "too many tokens": (
        "tokens: 6",
        "tokens: 9",
        ("58:29", ".requests[0].tokens"),
        "每块 4 个槽位，9 个 token 的块表却有 2 块；块表请写 3 块",
        "9 tokens in blocks of 4, but blocks in the table: 2; write a table of 3",
    ),
    "a pool too large": (
        "blocks: 4\n",
        "blocks: 65\n",
        ("54:15", ".blocks"),
        "65 画不了；请写 1 到 64",
        "65 cannot be drawn; write 1 to 64",
    ),
    "no whole number": (
        "block_size: 4",
        "block_size: four",
        ("55:19", ".block_size"),
        "`four` 不是整数；请写成 `4` 这样的整数",
        "`four` is not a whole number; write a number such as `4`",
    ),
    "a long name": (
        "name: a",
        "name: req",
        ("58:18", ".requests[0].name"),
        "`req` 的写法不对；请写成 `a` 这样",
        "`req` has the wrong shape; write it like `a`",
    ),
    "a key too many": (
        "free: [3, 0]",
        "free: [3, 0]\n      shows: [1]",
        ("57:7", ""),
        "没有 `shows` 这个键；你要写的可能是 `shown`",
        "there is no key `shows` here; write `shown`, if that is what you meant",
    ),
    "no free list": (
        "      free: [3, 0]\n",
        "",
        ("54:7", ""),
        "缺少 `free`；请补上 `free: …`",
        "`free` is missing; write `free: …`",
    ),
}


@pytest.fixture
def pictured(course: SmallCourse) -> SmallCourse:
    course.change(FILE, AFTER, AFTER + POOL)
    return course


def test_a_pool_is_read(pictured: SmallCourse) -> None:
    pool = Pool(4, 4, (3, 0), (PoolRequest("a", 6, (2, 1)),))
    assert load_course(pictured.root).missions[0].diagram[1] == pool


def test_pools_are_read_with_what_they_show_and_say(pictured: SmallCourse) -> None:
    one = (
        POOL.replace("  - pool:\n", "")
        .replace("      ", "        ")
        .replace("        blocks", "      - blocks", 1)
    )
    said = one + "        shown: [2, 1]\n        caption: {zh: 长度 6, en: length 6}\n"
    pictured.change(FILE, POOL, "  - pools:\n" + one + said)
    pools = load_course(pictured.root).missions[0].diagram[1]
    assert isinstance(pools, Pools)
    assert [pool.shown for pool in pools.items] == [None, (2, 1)]
    assert [pool.caption for pool in pools.items] == [None, Text(zh="长度 6", en="length 6")]


@pytest.mark.parametrize("name", BREAKS)
def test_what_no_pool_can_be_is_refused(pictured: SmallCourse, name: str) -> None:
    old, new, (at, path), zh, en = BREAKS[name]
    pictured.change(FILE, POOL, POOL.replace(old, new, 1))
    where = PLACE.format(at, path)
    assert faults_of(pictured) == [(f"{where}：{zh}", f"{where}: {en}")]


def test_one_name_for_two_requests_is_refused(pictured: SmallCourse) -> None:
    second = "        - {name: a, tokens: 1, table: [0]}\n"
    pictured.change(FILE, POOL, POOL.replace("[3, 0]", "[3]") + second)
    where = PLACE.format("59:18", ".requests[1].name")
    assert faults_of(pictured) == [
        (
            f"{where}：`a` 已经用过了（第 58 行）；请换一个",
            f"{where}: `a` is taken already (line 58); write another",
        )
    ]


def test_one_pool_alone_is_no_pools(pictured: SmallCourse) -> None:
    pictured.change(FILE, "  - pool:\n      blocks", "  - pools:\n    - blocks")
    [(zh, en)] = faults_of(pictured)
    assert zh.endswith("missions[1].diagram[1].pools：列表里只有 1 项；至少要写 2 项")
    assert en.endswith("missions[1].diagram[1].pools: items in this list: 1; write at least 2")
