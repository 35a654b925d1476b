"""CONTENT.md, mission 1: prefill."""

from __future__ import annotations

from tests.coverage.row import Exact, Row, Rows

_M = Rows("1", "missions[1].")
_OOM = '`RuntimeError("OOM")`'

ROWS: list[Row | Exact] = [
    _M.row(
        "title",
        "title",
        "Mission 1",
        "Prefill",
        zh=("概念练习", "先向上取整", "容量一次查清"),
        en=("concept practice", "round up first", "one complete capacity check"),
    ),
    # ── guess ──
    _M.row(
        "guess",
        "guess.ask",
        "`prompt_len=5`",
        "`block_size=4`",
        "`allocate_for_prefill`",
        zh="只有一个物理块",
        en="a single block in the free pool",
    ),
    _M.row(
        "guess.right",
        "guess.choices[0].text",
        _OOM,
        zh=("需要两个块", "一块都还没领"),
        en=("needs two blocks", "before taking anything"),
    ),
    _M.exact("guess.right.is-right", "guess.choices[0].right", "True"),
    _M.row(
        "guess.right.why",
        "guess.choices[0].explain",
        zh="什么都还没动就拒绝",
        en="Refuse before touching anything",
    ),
    _M.row("guess.floor", "guess.choices[1].text", zh="最后那个 token 不管了", en="ignore the last token"),
    _M.exact("guess.floor.mistake", "guess.choices[1].mistake", "prefill.floor-division"),
    _M.row("guess.floor.why", "guess.choices[1].explain", "`5 // 4`", zh="向下取整", en="rounds down"),
    _M.row(
        "guess.takes",
        "guess.choices[2].text",
        zh=("先把仅有的一个块领走", "返回成功"),
        en=("Take the one block there is", "return success"),
    ),
    _M.exact("guess.takes.mistake", "guess.choices[2].mistake", "prefill.takes-what-there-is"),
    _M.row(
        "guess.takes.why",
        "guess.choices[2].explain",
        zh=("只放得下 4 个", "不能悄悄少给"),
        en=("only four fit", "never quietly hand out fewer"),
    ),
    _M.row(
        "guess.again", "guess.again.ask", "`prompt_len=9`", "`block_size=4`", zh="两个物理块", en="two blocks"
    ),
    _M.exact("guess.again.is-right", "guess.again.choices[0].right", "True"),
    # ── background ──
    _M.row(
        "background.cache",
        "background[1].points[0]",
        "`physical_kv_cache`",
        "`__init__`",
        "`[num_blocks, block_size, head_dim]`",
        "`head_dim`",
        zh=("已经建好", "一个向量里有几个数"),
        en=("already made", "how many numbers a vector has"),
    ),
    _M.row(
        "background.request",
        "background[1].points[1]",
        "`req.seq_len`",
        "`req.block_table`",
        "`List[int]`",
        zh=("prompt 的 token 数", "按 token 的先后（也叫逻辑顺序）", "物理块的 id"),
        en=(
            "number of prompt tokens",
            "in the order of the tokens",
            "called the logical order",
            "ids of the physical blocks",
        ),
    ),
    _M.row(
        "background.free-blocks",
        "background[1].points[2]",
        "`free_blocks`",
        "`pop(0)`",
        zh=("空闲池", "可用的物理块 id", "最前面", "去掉"),
        en=("the free pool", "physical ids that are available", "at the head", "removes it"),
    ),
    _M.row(
        "background.last-block",
        "background[1].points[3]",
        zh=("只放一个 token", "一整个物理块", "整数除法要向上取整"),
        en=("single token", "a whole physical block", "integer division is rounded up"),
    ),
    _M.row(
        "background.write-up",
        "background[1].points[4]",
        "TODO",
        zh=("参考讲解", "初始化", "不用再写"),
        en=("reference write-up", "initialisation", "need not write that again"),
    ),
    # ── diagram ──
    _M.row(
        "diagram.boxes",
        "diagram[0].text",
        zh=("容量固定的箱子", "整段装下", "先算要几个箱子", "库存够不够", "一个一个领"),
        en=("boxes of a fixed size", "goes in whole", "how many boxes", "in stock", "one by one"),
    ),
    _M.row(
        "diagram.blocks-drawn",
        "diagram[1].drawing.art",
        "│t0│t1│t2│t3│",
        "│t4│t5│  │  │",
        "block_size 4",
        zh=("逻辑块 0", "逻辑块 1"),
        en=("logical block 0", "logical block 1"),
    ),
    _M.row(
        "diagram.blocks-said",
        "diagram[1].drawing.says",
        zh=("token 0 到 3", "token 4 和 5", "空两个槽位"),
        en=("tokens 0 to 3", "tokens 4 and 5", "two slots empty"),
    ),
    _M.row(
        "diagram.length-6",
        "diagram[2].text",
        "0..3",
        "4..5",
        "`6 // 4`",
        "`block_size` 4",
        zh=("末尾两个 token 就丢了", "向上取整得 2", "编号从 0 数"),
        en=("gives 1 and loses the two tokens at the tail", "rounding up gives 2", "Numbers start at 0"),
    ),
    _M.row("diagram.chain.need", "diagram[4].steps[0]", "1. ", "`req.seq_len`", zh="需求", en="Need"),
    _M.row(
        "diagram.chain.capacity",
        "diagram[4].steps[1]",
        "`block_size`",
        zh="每块 `block_size` 个槽位",
        en="slots in each block",
    ),
    _M.row("diagram.chain.round-up", "diagram[4].steps[2]", "`(seq_len + size - 1) // size`"),
    _M.row("diagram.chain.allocate", "diagram[4].steps[3]", "`free_blocks → req.block_table`"),
    _M.row(
        "diagram.chain.why",
        "diagram[5].text",
        "`block_size`",
        "`size - 1`",
        zh=("只多出 1 个 token，也能凑够一整块", "正好装满时", "不会多算"),
        en=(
            "a single extra token is enough to reach the next whole block",
            "an exact fit",
            "nothing is added",
        ),
    ),
    _M.row(
        "diagram.table-drawn",
        "diagram[6].pool",
        "req.block_table = [7, 2]",
        "[....] [....] [▮▮▯▯] [....] [....] [....] [....] [▮▮▮▮] [....] [....]",
        "0->7, 1->2",
    ),
    _M.row(
        "diagram.table-said",
        "diagram[6].pool.requests",
        zh=("物理块 7：用了 4/4 个槽位，a 的逻辑块 0", "物理块 2：用了 2/4 个槽位，a 的逻辑块 1"),
        en=(
            "Physical block 7: 4 of 4 slots, logical block 0 of a.",
            "Physical block 2: 2 of 4 slots, logical block 1 of a.",
        ),
    ),
    _M.row(
        "diagram.addresses-only",
        "diagram[7].text",
        zh=(
            "只是地址",
            "逻辑块 0 → 物理块 7",
            "逻辑块 1 → 物理块 2",
            "请求结束会把块还回来",
            "id 不必连续",
            "列表里的顺序",
        ),
        en=(
            "addresses only",
            "logical block 0 → physical id 7",
            "logical block 1 → physical id 2",
            "Finished requests give their blocks back",
            "need not be contiguous",
            "the order of the list is the logical order",
        ),
    ),
    _M.row(
        "diagram.half-updated",
        "diagram[8].text",
        "`block_table`",
        "`free_blocks`",
        zh=("领到一半", "对不上账", "谁也用不了", "半更新状态"),
        en=("half-way", "no longer agree", "holds blocks that nobody can use", "half-updated state"),
    ),
    _M.row(
        "contract.needed-blocks",
        "diagram[10].table.rows[0]",
        "`needed_blocks`",
        "Python int",
        zh="装下全部 `req.seq_len` 个 token 需要几块",
        en="how many blocks cover all of `req.seq_len`",
    ),
    _M.row(
        "contract.free-blocks",
        "diagram[10].table.rows[1][1]",
        zh="`List[int]`，每 pop 一次就少一个",
        en="a `List[int]`; each pop makes it one shorter",
    ),
    _M.row(
        "contract.block-table",
        "diagram[10].table.rows[2][1]",
        zh="`List[int]`，按逻辑顺序追加",
        en="a `List[int]`; ids are appended in logical order",
    ),
    _M.exact("contract.free-blocks.name", "diagram[10].table.rows[1][0]", "`free_blocks`"),
    _M.exact("contract.block-table.name", "diagram[10].table.rows[2][0]", "`req.block_table`"),
    _M.row("contract.not-enough", "diagram[10].table.rows[3]", _OOM, zh="块不够", en="not enough blocks"),
    _M.row(
        "contract.visible-case",
        "diagram[10].table.rows[4]",
        zh=("例子", "长度 6，`block_size` 4 → 2 块", "空闲池原有 10 块", "还剩 8 块"),
        en=("example", "length 6, `block_size` 4 → 2 blocks", "a free pool of 10 keeps 8"),
    ),
    # ── warm-up ──
    _M.row(
        "warm-up.order",
        "warm_up.intro",
        "11",
        "5",
        zh=("订单装箱", "20、7、31、9", "练习要用的写法"),
        en=(
            "Pack what a customer has bought",
            "items, 5 to a box",
            "20, 7, 31 and 9",
            "All the syntax the exercise needs",
        ),
    ),
    _M.row(
        "warm-up.program",
        "warm_up.program",
        "item_count = 11",
        "box_capacity = 5",
        "boxes_needed = (item_count + box_capacity - 1) // box_capacity",
        "available = [20, 7, 31, 9]",
        "assigned = []",
        'if boxes_needed > len(available): raise RuntimeError("FULL") for _ in range(boxes_needed):',
        "box_id = available.pop(0) assigned.append(box_id)",
    ),
    _M.row("warm-up.boxes", "warm_up.predictions[0]", "`boxes_needed` = `3`"),
    _M.exact("warm-up.boxes.ends-as", "warm_up.predictions[0].ends_as", "3"),
    _M.row("warm-up.assigned", "warm_up.predictions[1]", "`assigned` = `[20, 7, 31]`"),
    _M.exact("warm-up.assigned.ends-as", "warm_up.predictions[1].ends_as", "[20, 7, 31]"),
    _M.row("warm-up.available", "warm_up.predictions[2]", "`available` = `[9]`"),
    _M.exact("warm-up.available.ends-as", "warm_up.predictions[2].ends_as", "[9]"),
    _M.row("warm-up.output", "warm_up.output", "boxes_needed: 3", "assigned: [20, 7, 31]", "available: [9]"),
    _M.exact("warm-up.try", "warm_up.knobs[0].name", "item_count"),
    _M.exact("warm-up.try-21", "warm_up.knobs[0].suggested", "21"),
    _M.row("warm-up.full", "warm_up.knobs[0].what_happens", "21", "`RuntimeError: FULL`"),
    _M.row("warm-up.even", "warm_up.knobs[1].what_happens", "11", "`boxes_needed`", "1"),
    # ── mapping ──
    _M.row("mapping.item-count", "mapping.rows[0]", "`item_count`", "`req.seq_len`"),
    _M.row("mapping.box-capacity", "mapping.rows[1]", "`box_capacity`", "`self.block_size`"),
    _M.row("mapping.boxes-needed", "mapping.rows[2]", "`boxes_needed`", "`needed_blocks`", "TODO 1"),
    _M.row("mapping.available", "mapping.rows[3]", "`available`", "`self.free_blocks`"),
    _M.row("mapping.assigned", "mapping.rows[4]", "`assigned`", "`req.block_table`"),
    _M.row(
        "mapping.oom",
        "mapping.rows[5]",
        '`RuntimeError("FULL")`',
        _OOM,
        zh="异常信息是 OOM",
        en="the text is OOM",
    ),
    # ── quiz ──
    _M.row("quiz", "quiz.ask", "`len(free_blocks)`", zh="循环之前", en="before the loop that pops"),
    _M.row(
        "quiz.right",
        "quiz.choices[0].text",
        zh=("失败的时候已经领走了几块", "半更新状态"),
        en=("a failure does not leave some blocks taken already", "half-updated state"),
    ),
    _M.exact("quiz.right.is-right", "quiz.choices[0].right", "True"),
    _M.row("quiz.right.why", "quiz.choices[0].explain", zh="先查后领", en="Check first, take afterwards"),
    _M.row("quiz.float", "quiz.choices[1].text", "`block_id`", "float"),
    _M.row("quiz.float.why", "quiz.choices[1].explain", "`block_id`", "int"),
    _M.row("quiz.zero", "quiz.choices[2].text", "`seq_len`", zh="清零", en="to zero"),
    _M.row("quiz.zero.why", "quiz.choices[2].explain", "`seq_len`", zh="长度", en="length of the prompt"),
    _M.exact("quiz.again.is-right", "quiz.again.choices[0].right", "True"),
    # ── hand-trace ──
    _M.row("hand-trace", "hand_trace.intro", "`block_size`", "4", zh="10 个空闲块", en="10 free blocks"),
    _M.row("hand-trace.needed", "hand_trace.head[1]", zh="需要几块", en="blocks needed"),
    _M.row("hand-trace.left", "hand_trace.head[2]", zh="还剩几块", en="blocks left"),
    *(
        exact
        for number, figures in enumerate([(4, 1, 9), (5, 2, 8), (6, 2, 8), (8, 2, 8), (9, 3, 7)])
        for exact in (
            _M.exact(f"hand-trace.{figures[0]}", f"hand_trace.rows[{number}].given", str(figures[0])),
            _M.exact(
                f"hand-trace.{figures[0]}.needed",
                f"hand_trace.rows[{number}].cells[0].answer",
                str(figures[1]),
            ),
            _M.exact(
                f"hand-trace.{figures[0]}.left", f"hand_trace.rows[{number}].cells[1].answer", str(figures[2])
            ),
        )
    ),
    *(
        _M.row(f"hand-trace.{tokens}.why", f"hand_trace.rows[{number}].cells[0].explain", words)
        for number, (tokens, words) in enumerate(
            [
                (4, "`(4 + 4 - 1) // 4`"),
                (5, "`(5 + 4 - 1) // 4`"),
                (6, "`(6 + 4 - 1) // 4`"),
                (8, "`(8 + 4 - 1) // 4`"),
                (9, "`(9 + 4 - 1) // 4`"),
            ]
        )
    ),
    *(
        _M.row(f"hand-trace.{tokens}.left.why", f"hand_trace.rows[{number}].cells[1].explain", "10", left)
        for number, (tokens, left) in enumerate([(4, "9"), (5, "8"), (6, "8"), (8, "8"), (9, "7")])
    ),
    # ── do it ──
    _M.row(
        "do-it",
        "exercise.page[0].text",
        "TODO 1–2",
        "`allocate_for_prefill`",
        zh=("先动手做一小步", "确认自己懂了", "再去做官方题目"),
        en=("one small step", "you have understood it", "only then go to the official exercise"),
    ),
    _M.row(
        "do-it.round-up",
        "exercise.page[1].steps[0]",
        "`needed_blocks`",
        zh="用整数向上取整",
        en="round up, in integers",
    ),
    _M.row(
        "do-it.check",
        "exercise.page[1].steps[1]",
        _OOM,
        zh="完整的容量检查",
        en="complete capacity check",
    ),
    _M.row("do-it.loop", "exercise.page[1].steps[2]", "`pop(0)`", "`append`", zh="循环", en="the loop"),
    _M.row("do-it.test-6", "exercise.page[3].points[0]", zh="长度 6 领到 2 块", en="Length 6 gets 2 blocks"),
    _M.row(
        "do-it.test-oom",
        "exercise.page[3].points[1]",
        "`RuntimeError`",
        "`OOM`",
        zh=("只有一个块", "5 个 token"),
        en="One block for 5 tokens must raise",
    ),
    _M.row(
        "do-it.if-missing",
        "exercise.page[5].points[0]",
        zh="少了一块：是不是向下取整了",
        en="one block is missing: did you round down",
    ),
    _M.row(
        "do-it.if-shrunk",
        "exercise.page[5].points[1]",
        "OOM",
        "`free_blocks`",
        zh="容量检查是不是写进了领块的循环里",
        en="is the capacity check inside the allocating loop",
    ),
    _M.row(
        "todo-1", "todos[0].task", "TODO 1", "`needed_blocks`", zh="向上取整", en="rounded up in integers"
    ),
    _M.row(
        "todo-2", "todos[1].task", "TODO 2", zh="先查空闲池够不够", en="Check that the free pool has enough"
    ),
    _M.row("now-works", "exercise.now_works", "OOM", zh="原封不动", en="untouched"),
    _M.row("next-up", "exercise.next_up", "Mission 2"),
    # ── beyond the exercise ──
    _M.row(
        "card.pop-from-the-head",
        "cards[0].text",
        "`pop(0)`",
        "`deque`",
        "`popleft`",
        zh=("每一个都要往前挪", "真正的推理引擎用的是队列"),
        en=("every other one moves up", "Real engines use queues"),
    ),
]
