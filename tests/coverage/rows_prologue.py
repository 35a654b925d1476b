"""The prologue, and what is said of the learner's file and of the whole course."""

from __future__ import annotations

from tests.coverage.row import Exact, Row, Rows

_COURSE = Rows("course", "")
_ONE = Rows("file", "missions[1].background[2].more")
_FINAL = Rows("file", "missions[final].exercise.page[8].more")

ROWS: list[Row | Exact] = [
    _COURSE.row("title", "title", "Level 22 · vLLM PagedAttention", zh="vLLM 分页注意力"),
    _COURSE.row("prologue.vllm", "prologue[0].text", "vLLM", zh="推理引擎", en="engine"),
    _COURSE.row(
        "prologue.token", "prologue[1].points[0]", "token", zh="最小单位", en="unit a model reads and writes"
    ),
    _COURSE.row(
        "prologue.request",
        "prologue[1].points[1]",
        "request",
        "prompt",
        zh="一个人的一次提问",
        en="one question that someone asks",
    ),
    _COURSE.row(
        "prologue.kv-cache",
        "prologue[1].points[2]",
        "KV cache",
        "K",
        "V",
        zh=("两个向量", "存下来的这些就叫 KV cache"),
        en=("two vectors, K and V", "kept, not computed again", "the cache grows with each token"),
    ),
    _COURSE.row(
        "prologue.prefill-and-decode",
        "prologue[1].points[3]",
        "Prefill",
        zh=("一口气处理整段 prompt", "Decode 接着一个一个生成", "KV cache 跟着变长"),
        en=("whole prompt at once", "decode then adds one token at a time"),
    ),
    _COURSE.row(
        "prologue.reserving-the-maximum",
        "prologue[1].points[4]",
        zh=("最大长度预留", "白白占着"),
        en=("Reserve the maximum length", "sits idle"),
    ),
    _COURSE.row(
        "prologue.paged-attention",
        "prologue[1].points[5]",
        "PagedAttention",
        zh=("不预留，用多少领多少", "操作系统给内存分页"),
        en=("hands out memory as needed", "paging in an OS"),
    ),
    _COURSE.row(
        "prologue.block",
        "prologue[1].points[6]",
        "`block_size`",
        zh=("物理块（block）", "等大的块", "槽位"),
        en=("physical block: one of the equal pieces that the cache memory is cut into", "slots"),
    ),
    _COURSE.row(
        "prologue.logical-block",
        "prologue[1].points[7]",
        zh=("逻辑块", "按 token 的先后来数"),
        en=("logical block", "counted along a request's tokens"),
    ),
    _COURSE.row(
        "prologue.block-table",
        "prologue[1].points[8]",
        zh=("块表（block table）", "每个请求一张", "按逻辑块的顺序", "不必挨着"),
        en=("block table: each request's blocks", "in order", "need not be neighbours"),
    ),
    _COURSE.row(
        "prologue.free-pool",
        "prologue[1].points[9]",
        "free pool",
        zh=("空闲池", "还没领走"),
        en="that nobody holds",
    ),
    _COURSE.row(
        "prologue.oom", "prologue[1].points[10]", "OOM", "out of memory", zh="空闲池", en="free pool"
    ),
    _COURSE.row(
        "prologue.drawing",
        "prologue[2].drawing.art",
        "######..........",
        "[7, 2]",
        zh=("6 个 token", "最多 16 个", ". 空着"),
        en=("6 tokens", "16 at most", ". is unused"),
    ),
    _COURSE.row(
        "prologue.drawing-said",
        "prologue[2].drawing.says",
        "16",
        zh=("空着 10 个槽位", "只空 2 个"),
        en=("leaves 10 idle", "only 2 idle"),
    ),
    # ── the learner's file ──
    _ONE.row(
        "block-manager",
        "[0].text",
        "`block_manager.py`",
        "`Request(request_id, prompt_len)`",
    ),
    _ONE.row(
        "request",
        "[1].code",
        "self.request_id = request_id",
        "self.seq_len",
        "self.block_table: List[int] = []",
    ),
    _ONE.row("manager", "[2].text", "`KVCacheManager(num_blocks, block_size, head_dim)`"),
    _ONE.row(
        "manager-fields",
        "[3].code",
        "self.num_blocks",
        "self.block_size",
        "self.head_dim",
        "self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim)",
        "self.free_blocks = list(range(num_blocks))",
    ),
    _ONE.row(
        "no-todo-4",
        "[4].points[0]",
        zh=("1、2、3、5", "没有 4", "参考讲解", "它的 2–4 就是这里的 1–3"),
        en=("1, 2, 3 and 5", "no 4", "reference write-up", "its 2–4 are 1–3 here"),
    ),
    _ONE.row(
        "another-class-name",
        "[4].points[1]",
        "`BlockManager`",
        zh="只有管理器这一个类",
        en="holds only the manager",
    ),
    _ONE.row(
        "writing-k-and-v",
        "[4].points[2]",
        zh=("是模型的事", "每一层、每个 head", "每个槽位一个向量"),
        en=("the model's job", "for every layer and head", "each slot is a single vector"),
    ),
    _FINAL.row("names-of-request", "[1].points[0]", "`request_id`", "`seq_len`", "`block_table: List[int]`"),
    _FINAL.row("names-of-manager", "[1].points[1]", "`physical_kv_cache`", "`free_blocks`"),
    _FINAL.row(
        "names-of-methods",
        "[1].points[2]",
        "`allocate_for_prefill(req)`",
        "TODO 1–2",
        "`allocate_for_decode(req)`",
        "TODO 3",
        "`get_physical_cache(req)`",
        "TODO 5",
    ),
]
