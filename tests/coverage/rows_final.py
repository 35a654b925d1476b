"""CONTENT.md, the whole exercise."""

from __future__ import annotations

from tests.coverage.row import Exact, Row, Rows

_F = Rows("final", "missions[final].")
_PAGE = Rows("final", "missions[final].exercise.page")

ROWS: list[Row | Exact] = [
    _F.row(
        "title",
        "title",
        zh="官方题目 · 完整练习：四个 TODO 一起跑",
        en="The official exercise · all TODOs at once",
    ),
    _PAGE.row(
        "all-at-once",
        "[0].text",
        zh=("TODO 1、2、3、5，一次跑完", "没有 TODO 4"),
        en=("TODO 1, 2, 3 and 5, in one run", "no TODO 4"),
    ),
    _PAGE.row("first", "[1].text", "`head_dim` 64", zh="一共 10 个物理块", en="10 physical blocks"),
    _PAGE.row(
        "first.prefill",
        "[2].table.rows[0]",
        zh=("prompt 长度 6", "2 块，空闲 8 块"),
        en=("prompt of 6", "2 blocks, 8 free"),
    ),
    _PAGE.row("first.decode-7", "[2].table.rows[1][0]", zh="Decode 到 7", en="decode to 7"),
    _PAGE.row(
        "first.decode-9",
        "[2].table.rows[2]",
        zh=("到 8、9", "3 块，空闲 7 块"),
        en=("to 8, then 9", "3 blocks, 7 free"),
    ),
    _PAGE.row(
        "first.gather", "[2].table.rows[3]", "`[9,64]`", zh="填 1、2、3", en="fill the blocks with 1, 2, 3"
    ),
    _PAGE.row("second", "[3].text", "`head_dim` 8", zh="一共 4 个物理块", en="4 physical blocks"),
    _PAGE.row("second.prefill", "[4].table.rows[0][0]", zh="prompt 长度 4", en="prompt of 4"),
    _PAGE.row("second.decode", "[4].table.rows[1][0]", zh="Decode 一次", en="one decode"),
    _PAGE.row(
        "second.gather", "[4].table.rows[2]", "`[5,8]`", zh="填 7、8", en="fill the blocks with 7 and 8"
    ),
    _PAGE.row(
        "third",
        "[5].text",
        "→ OOM",
        zh=("只有 1 个物理块", "prompt 长度 5"),
        en=("1 physical block", "a prompt of 5 tokens"),
    ),
    _PAGE.exact("first.decode-7.blocks", "[2].table.rows[1][1]", "2 块", "2 blocks"),
    _PAGE.exact("second.prefill.blocks", "[4].table.rows[0][1]", "1 块", "1 block"),
    _PAGE.exact("second.decode.blocks", "[4].table.rows[1][1]", "2 块", "2 blocks"),
    _PAGE.row("beyond.decode-oom", "[7].points[0]", "OOM", zh="Decode 时的 OOM", en="an OOM during decode"),
    _PAGE.row("beyond.block-sizes", "[7].points[1]", zh="别的块大小", en="other block sizes"),
    _PAGE.row("beyond.scattered", "[7].points[2]", zh="id 散乱的块表", en="scattered block tables"),
    _PAGE.row("beyond.two-requests", "[7].points[3]", zh="两个请求同时进行", en="two requests at once"),
    *(
        _F.row(f"todo-{number}", f"todos[{index}].task", f"TODO {number}", name)
        for index, number, name in (
            (0, 1, "`needed_blocks`"),
            (2, 3, "`is_new_block_needed`"),
            (3, 5, "`cat_blocks`"),
        )
    ),
    _F.row(
        "todo-2", "todos[1].task", "TODO 2", zh="先查空闲池够不够", en="Check that the free pool has enough"
    ),
    _F.row(
        "card.block-size",
        "cards[0].text",
        "vLLM",
        "16",
        zh=("块小，尾块里空着的槽位就少", "块大，块表就短"),
        en=("small blocks waste fewer slots at the tail", "large ones keep the tables short"),
    ),
]
