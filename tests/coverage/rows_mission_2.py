"""CONTENT.md, mission 2: decode."""

from __future__ import annotations

from tests.coverage.row import Exact, Row, Rows

_M = Rows("2", "missions[2].")
_OOM = '`RuntimeError("OOM")`'

ROWS: list[Row | Exact] = [
    _M.row(
        "title",
        "title",
        "Mission 2",
        "Decode",
        zh=("概念练习", "加一之后的长度", "新块的第一个槽位才补块"),
        en=("concept practice", "the length after the increment", "only at the first slot of a new block"),
    ),
    # ── guess ──
    _M.row(
        "guess",
        "guess.ask",
        "`block_size=4`",
        "`allocate_for_decode`",
        "9",
        zh=("已有 8 个 token", "要不要新块"),
        en=("holds 8 tokens", "need a new block"),
    ),
    _M.row("guess.right", "guess.choices[0].text", "`9 % 4 == 1`", zh="要", en="Yes"),
    _M.exact("guess.right.is-right", "guess.choices[0].right", "True"),
    _M.row(
        "guess.right.why", "guess.choices[0].explain", zh="第三块的第一个槽位", en="first slot of the third"
    ),
    _M.row("guess.no", "guess.choices[1].text", "`8 % 4 == 0`", zh="不要", en="No"),
    _M.exact("guess.no.mistake", "guess.choices[1].mistake", "decode.condition-before-increment"),
    _M.row("guess.no.why", "guess.choices[1].explain", zh="加一之前的长度", en="before the increment"),
    _M.row("guess.four", "guess.choices[2].text", zh="一次要补 4 个块", en="4 blocks at once"),
    _M.exact("guess.four.mistake", "guess.choices[2].mistake", "decode.allocates-many"),
    _M.row("guess.four.why", "guess.choices[2].explain", "4", zh="槽位数", en="number of slots"),
    _M.row("guess.again", "guess.again.ask", "`block_size=8`", "16", "17"),
    _M.exact("guess.again.is-right", "guess.again.choices[0].right", "True"),
    # ── background ──
    _M.row(
        "background.increment",
        "background[1].points[0]",
        "`req.seq_len += 1`",
        "TODO",
        zh="已经算上了新 token",
        en="already counts the new token",
    ),
    _M.row(
        "background.lengths",
        "background[1].points[1]",
        "`block_size=4`",
        zh=("1–4 用第一块", "5–8 用第二块", "9–12 用第三块"),
        en=("1–4 use the first", "5–8 the second", "9–12 the third"),
    ),
    _M.row(
        "background.condition",
        "background[1].points[2]",
        "`(req.seq_len % self.block_size) == 1`",
        zh=("题目约定这样判断", "一个新块的第一个槽位"),
        en=("The agreed condition is", "the first slot of a new block"),
    ),
    _M.row(
        "background.at-most-one",
        "background[1].points[3]",
        _OOM,
        zh=("一次只加一个 token", "跨界一次最多补一个物理块", "空闲池是空的"),
        en=("one token at a time", "at most one physical block", "free pool is empty"),
    ),
    _M.row(
        "background.after-oom",
        "background[1].points[4]",
        "OOM",
        "`req.seq_len`",
        zh=("已经加过一了", "块表和空闲池不变就行"),
        en=("has already gone up", "only the table and the free pool must stay"),
    ),
    # ── diagram ──
    _M.row(
        "diagram.positions",
        "diagram[0].text",
        zh=("别死记取模公式", "先把位置画出来"),
        en=("Do not learn the modulo formula by heart", "Draw the positions first"),
    ),
    _M.row(
        "diagram.rows-drawn",
        "diagram[1].drawing.art",
        "│  1 │  2 │  3 │  4 │",
        "│  5 │  6 │  7 │  8 │",
        "│  9 │ 10 │ 11 │ 12 │",
        zh=("余数      1    2    3    0", "要补块", "刚好满"),
        en=("remainder   1    2    3    0", "new block", "just full"),
    ),
    _M.row(
        "diagram.rows-said",
        "diagram[1].drawing.says",
        zh=("长度 1、5、9", "余数都是 1", "4、8、12", "余数都是 0"),
        en=("length 1, 5, 9: remainder 1", "4, 8, 12: remainder 0"),
    ),
    _M.row(
        "diagram.4-to-5",
        "diagram[2].points[0]",
        zh="4 → 5：落在第二块的第一个槽位，补块",
        en=("From 4 to 5", "first slot of the second block, so add a block"),
    ),
    _M.row(
        "diagram.5-to-6",
        "diagram[2].points[1]",
        zh="5 → 6：还在第二块，不补",
        en="From 5 to 6: it is still the second block, so add nothing",
    ),
    _M.row(
        "diagram.8-to-9",
        "diagram[2].points[2]",
        zh=("8 → 9", "补第三块"),
        en=("From 8 to 9", "add the third"),
    ),
    _M.row(
        "diagram.step.increment",
        "diagram[4].steps[0]",
        "1. `req.seq_len += 1`",
        zh="已经算进去了",
        en="the new token is counted",
    ),
    _M.row(
        "diagram.step.remainder",
        "diagram[4].steps[1]",
        "2. `seq_len % block_size`",
        zh="它是逻辑块里的第几个槽位（余数 0 表示最后一个）",
        en="which slot of its logical block it sits in (0 means the last)",
    ),
    _M.row(
        "diagram.step.first-slot",
        "diagram[4].steps[2]",
        zh="3. 余数等于 1：新块的第一个槽位",
        en="3. remainder is 1: the first slot of a new block",
    ),
    _M.row(
        "diagram.step.take",
        "diagram[4].steps[3]",
        "4. pop + append",
        zh="只有跨界才领一个物理块",
        en="only on a crossing",
    ),
    _M.row(
        "diagram.crossing-drawn",
        "diagram[5].pools",
        "[▮▮▮▯] [▮▮▮▮] [....]",
        "[▮▮▮▮] [▮▮▮▮] [....]",
        "[▮▮▮▮] [▮▮▮▮] [▮▯▯▯]",
        zh=("长度 7", "长度 8：刚好满，不补", "长度 9：到这时才补块", "▮ 有 token", "▯ 空槽位"),
        en=("length 7", "length 8: just full", "length 9: a new block", "▮ token", "▯ empty slot"),
    ),
    _M.row(
        "diagram.crossing-said",
        "diagram[5].pools[2].requests",
        "5, 1, 8",
        zh=("物理块 1：用了 3/4 个槽位", "物理块 1：用了 4/4 个槽位", "物理块 8：用了 1/4 个槽位"),
        en=(
            "Physical block 1: 3 of 4 slots",
            "Physical block 1: 4 of 4 slots",
            "Physical block 8: 1 of 4 slots",
        ),
    ),
    _M.exact("table.length", "diagram[6].table.head[0]", "加一后的长度", "length after the increment"),
    _M.exact("table.7", "diagram[6].table.rows[0][0]", "7"),
    _M.exact("table.7.remainder", "diagram[6].table.rows[0][1]", "3"),
    _M.row(
        "table.7.action", "diagram[6].table.rows[0][2]", zh="接着用现在的块", en="go on with the same block"
    ),
    _M.exact("table.8", "diagram[6].table.rows[1][0]", "8"),
    _M.exact("table.8.remainder", "diagram[6].table.rows[1][1]", "0"),
    _M.row(
        "table.8.action",
        "diagram[6].table.rows[1][2]",
        zh=("刚好装满", "不提前补"),
        en=("now exactly full", "add nothing in advance"),
    ),
    _M.exact("table.9", "diagram[6].table.rows[2][0]", "9"),
    _M.exact("table.9.remainder", "diagram[6].table.rows[2][1]", "1"),
    _M.row(
        "table.9.action",
        "diagram[6].table.rows[2][2]",
        zh="进了新块，追加一个 id",
        en="a new block: append one id",
    ),
    _M.row(
        "diagram.off-by-one",
        "diagram[7].text",
        zh=("差一错误，是拿余数跟 0 比", "余数是 0", "把旧块填满了", "余数是 1，才说明它进了下一块"),
        en=(
            "The usual off-by-one is to test for remainder 0",
            "Remainder 0 means that this token filled the old block",
            "only remainder 1 means that it entered the next",
        ),
    ),
    # ── warm-up ──
    _M.row("warm-up.seats", "warm_up.intro", "4", "8", zh="又来了一个", en="one more arrives"),
    _M.row(
        "warm-up.program",
        "warm_up.program",
        "seats_per_row = 4",
        "current_people = 8",
        "free_rows = [12, 13]",
        "assigned_rows = [4, 9]",
        "current_people += 1 needs_row = (current_people % seats_per_row) == 1",
        'if needs_row: if not free_rows: raise RuntimeError("FULL")',
        "row_id = free_rows.pop(0) assigned_rows.append(row_id)",
    ),
    _M.row("warm-up.people", "warm_up.predictions[0]", "`current_people` = `9`"),
    _M.exact("warm-up.people.ends-as", "warm_up.predictions[0].ends_as", "9"),
    _M.row("warm-up.needs-row", "warm_up.predictions[1]", "`needs_row` = `True`"),
    _M.exact("warm-up.needs-row.ends-as", "warm_up.predictions[1].ends_as", "True"),
    _M.row("warm-up.assigned", "warm_up.predictions[2]", "`assigned_rows` = `[4, 9, 12]`"),
    _M.exact("warm-up.assigned.ends-as", "warm_up.predictions[2].ends_as", "[4, 9, 12]"),
    _M.row("warm-up.free", "warm_up.predictions[3]", "`free_rows` = `[13]`"),
    _M.exact("warm-up.free.ends-as", "warm_up.predictions[3].ends_as", "[13]"),
    _M.row("warm-up.output", "warm_up.output", "assigned_rows: [4, 9, 12]", "free_rows: [13]"),
    _M.row("warm-up.changed", "warm_up.knobs[0].what_happens", "`needs_row`", "`False`"),
    # ── mapping ──
    _M.row(
        "mapping.increment",
        "mapping.rows[0]",
        "`current_people += 1`",
        "`req.seq_len += 1`",
        zh="已经写好",
        en="already written",
    ),
    _M.row("mapping.seats", "mapping.rows[1]", "`seats_per_row`", "`self.block_size`"),
    _M.row(
        "mapping.needs-row",
        "mapping.rows[2]",
        "`needs_row`",
        "`is_new_block_needed`",
        "TODO 3",
        zh="连同它下面的分支",
        en="and the branch under it",
    ),
    _M.row(
        "mapping.free-rows",
        "mapping.rows[3]",
        "`free_rows`",
        "`self.free_blocks`",
        zh="异常信息是 OOM",
        en="the text is OOM",
    ),
    _M.row(
        "mapping.assigned",
        "mapping.rows[4]",
        "`assigned_rows`",
        "`req.block_table`",
        zh="只在跨界时追加一个 id",
        en="one id appended, on a crossing only",
    ),
    # ── quiz ──
    _M.row(
        "quiz",
        "quiz.ask",
        zh=("长度 6", "连续三次 Decode", "第 9 个 token", "从 2 块变成 3 块"),
        en=("Length 6", "three decode calls", "from 2 to 3 blocks", "9th token"),
    ),
    _M.row(
        "quiz.right",
        "quiz.choices[0].text",
        zh="长度 7 和 8 还在第二块里，9 才进第三块",
        en="Lengths 7 and 8 are still in the second block; 9 enters the third",
    ),
    _M.exact("quiz.right.is-right", "quiz.choices[0].right", "True"),
    _M.row("quiz.right.why", "quiz.choices[0].explain", "5–8", zh="跨界", en="crossing"),
    _M.row("quiz.id", "quiz.choices[1].text", "`block_id`", "9"),
    _M.row("quiz.id.why", "quiz.choices[1].explain", "`block_id`", zh="空闲池", en="free pool"),
    _M.row("quiz.third", "quiz.choices[2].text", zh="每调用三次就会多一块", en="every third call grows it"),
    _M.row("quiz.third.why", "quiz.choices[2].explain", "6", "9", "8"),
    _M.exact("quiz.again.is-right", "quiz.again.choices[0].right", "True"),
    # ── hand-trace ──
    _M.row("hand-trace.remainder", "hand_trace.head[1]", zh="余数", en="remainder"),
    _M.exact("hand-trace.blocks", "hand_trace.head[2]", "占用几块", "blocks"),
    _M.row("hand-trace.free", "hand_trace.head[3]", zh="空闲几块", en="free blocks"),
    *(
        exact
        for number, (given, *answers) in enumerate(
            [("6 → 7", "3", "2", "8"), ("7 → 8", "0", "2", "8"), ("8 → 9", "1", "3", "7")]
        )
        for exact in (
            _M.exact(f"hand-trace.{given}", f"hand_trace.rows[{number}].given", given),
            *(
                _M.exact(
                    f"hand-trace.{given}.{column}",
                    f"hand_trace.rows[{number}].cells[{column}].answer",
                    answer,
                )
                for column, answer in enumerate(answers)
            ),
        )
    ),
    *(
        _M.row(f"hand-trace.{words}.why", f"hand_trace.rows[{number}].cells[0].explain", words)
        for number, words in enumerate(["`7 % 4`", "`8 % 4`", "`9 % 4`"])
    ),
    *(
        _M.row(
            f"hand-trace.{number}.{column}.why",
            f"hand_trace.rows[{number}].cells[{column}].explain",
            zh=zh,
            en=en,
        )
        for number, column, zh, en in [
            (0, 1, "还在第二块（长度 5–8）", "still in the second block (lengths 5–8)"),
            (0, 2, "还是 8 块", "8 are still free"),
            (1, 1, "不提前补", "Add nothing in advance"),
            (1, 2, "空闲池还是 8 块", "so 8 are still free"),
            (2, 1, "2 变 3", "2 becomes 3"),
            (2, 2, "8 变 7", "8 becomes 7"),
        ]
    ),
    # ── do it ──
    _M.row(
        "do-it",
        "exercise.page[0].text",
        "TODO 3",
        "`allocate_for_decode`",
        zh=("先动手做一小步", "确认自己懂了", "再去做官方题目"),
        en=("one small step", "you have understood it", "only then go to the official exercise"),
    ),
    _M.row(
        "do-it.condition",
        "exercise.page[1].points[0]",
        "`is_new_block_needed`",
        zh=("分支", "跨界时领一个物理块"),
        en="branch that allocates on a crossing",
    ),
    _M.row(
        "do-it.no-second-increment",
        "exercise.page[1].points[1]",
        zh="不要再给 `seq_len` 加一",
        en="Do not raise `seq_len` again",
    ),
    _M.row(
        "do-it.not-always",
        "exercise.page[1].points[2]",
        zh="不要每次 Decode 都领块",
        en="Do not allocate on every decode call",
    ),
    _M.row(
        "do-it.by-hand",
        "exercise.page[2].text",
        zh=(
            "从 6 手算到 9（`block_size` 4，一共 10 个物理块）",
            "第一次调用后 2 块",
            "第三次调用后 3 块",
            "从 8 变成 7",
        ),
        en=(
            "by hand from 6 to 9, with `block_size` 4 and 10 blocks in all",
            "2 blocks after the first call, 3 after the third",
            "from 8 to 7",
        ),
    ),
    _M.row(
        "do-it.if-at-8",
        "exercise.page[4].points[0]",
        zh="长度到 8 就多了一块：是不是在拿余数跟 0 比",
        en="grows at length 8: are you testing for remainder 0",
    ),
    _M.row(
        "do-it.if-not-at-9",
        "exercise.page[4].points[1]",
        zh="长度到 9 却没有多：条件是不是在加一之前",
        en="does not grow at 9: did you compute the condition before the increment",
    ),
    _M.row("todo-3", "todos[0].task", "TODO 3", "`is_new_block_needed`", zh="跨界", en="on a crossing"),
    _M.row("next-up", "exercise.next_up", "Mission 3"),
    # ── beyond the exercise ──
    _M.row(
        "card.block-size-one",
        "cards[1].text",
        "`seq_len % 1 == 1`",
        "`(seq_len - 1) % block_size == 0`",
        "`seq_len > len(block_table) * block_size`",
        zh=("永远不成立", "不管块多大都对"),
        en=("never true", "right for every size"),
    ),
    _M.row(
        "card.decode-oom",
        "cards[0].text",
        "OOM",
        "`seq_len`",
        zh=("减回来", "查过空闲池再加", "要么做完，要么没做"),
        en=("one too high", "Roll it back", "check before raising it", "all-or-nothing"),
    ),
]
