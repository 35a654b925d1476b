"""What the pictures of a pool say in words, in Chinese and in English."""

from __future__ import annotations

from pagetutor.text import Text, same

COMMA = Text(zh="，", en=", ")
SEMICOLON = Text(zh="；", en="; ")
COLON = Text(zh="：", en=": ")
STOP = Text(zh="。", en=".")
AND = Text(zh="，", en=", and ")

# ── in a drawn picture ───────────────────────────────────────────────────────────────────────────

FREE = Text(zh="空闲", en="free")
LOST = Text(zh="丢失", en="lost")
TOKENS = Text(zh="{count} 个 token", en="{count} tokens")
ONE_TOKEN = Text(zh="1 个 token", en="1 token")
BLOCKS = Text(zh="{count} 块", en="{count} blocks")
ONE_BLOCK = Text(zh="1 块", en="1 block")
FREE_LIST = Text(zh="空闲池", en="free")
STRAYS = Text(zh="池里没有这些块", en="no blocks of this pool")
ODD_LENGTH = same("seq_len {shown}")
ODD_TABLE = same("block_table {shown}")
ODD_FREE = same("free_blocks {shown}")
MORE_BOXES = Text(zh="还有 {count} 块没画", en="{count} more not drawn")
COUNTS = Text(
    zh="一共 {all} 块，每块 {size} 个槽位：占用 {used}，空闲 {free}，丢失 {lost}，占了两次 {twice}",
    en="{all} blocks of {size} slots: {used} used, {free} free, {lost} lost, {twice} owned twice",
)

LEGEND_USED = Text(zh="有 token", en="token")
LEGEND_TAIL = Text(zh="空槽位", en="empty slot")
LEGEND_TWICE = Text(zh="占了两次", en="owned twice")
LEGEND_ASIDE = Text(zh="和这个例子无关", en="no part of this case")
LEGEND_OWNER = Text(zh="{request} 的逻辑块 {logical}", en="logical block {logical} of {request}")
LEGEND_ROWS = Text(zh="上面是物理块，下面是行号", en="physical block above, rows below")
LEGEND_NOWHERE = Text(zh="不知道来自哪一块", en="from no block known")

# ── in sentences ─────────────────────────────────────────────────────────────────────────────────

SAYS_POOL = Text(zh="一共 {all} 个物理块，每块 {size} 个槽位。", en="{all} physical blocks of {size} slots.")
SAYS_POOL_OF_ONE = Text(zh="一共 1 个物理块，有 {size} 个槽位。", en="1 physical block of {size} slots.")
SAYS_REQUEST = Text(zh="请求 {request}：{length}，{table}。", en="Request {request}: {length}, {table}.")
SAYS_TABLE = Text(zh="块表依次是 {ids}", en="block table {ids}")
SAYS_EMPTY_TABLE = Text(zh="块表是空的", en="an empty block table")
SAYS_BLOCK = Text(zh="物理块 {block}：", en="Physical block {block}: ")
SAYS_SLOTS = Text(zh="用了 {filled}/{size} 个槽位", en="{filled} of {size} slots")
SAYS_TWICE = Text(zh="占了两次（{claims}）", en="owned twice ({claims})")
SAYS_IN_FREE = Text(zh="空闲池", en="the free list")
SAYS_LOST = Text(zh="丢了，不在块表里，也不在空闲池里", en="lost, in no block table and not in the free list")
SAYS_FREE = Text(zh="空闲池 {count} 块，依次是 {ids}。", en="Free, {count} in this order: {ids}.")
SAYS_NONE_FREE = Text(zh="空闲池是空的。", en="No block is free.")
SAYS_STRAYS = Text(zh="池里没有这些块：{ids}。", en="No blocks of this pool: {ids}.")
SAYS_MORE = Text(zh="还有 {count} 块没有一一说。", en="{count} more, not told one by one.")

# ── yours and expected ───────────────────────────────────────────────────────────────────────────

YOURS = Text(zh="你的", en="yours")
EXPECTED = Text(zh="应该", en="expected")
FIRST_DIFFERENCE_SAID = Text(zh="第一处不同：", en="First difference: ")
FIRST_DIFFERENCE = Text(zh="第一处不同：", en="first difference: ")
NO_DIFFERENCE = Text(zh="两边一样。", en="Both are the same.")
YOURS_ARE = Text(zh="你的：", en="Yours: ")
EXPECTED_ARE = Text(zh="应该：", en="Expected: ")
NO_EXCEPTION = Text(zh="没有抛出异常", en="no exception")

NO_EXCEPTION_DUE = Text(zh="不抛出异常", en="no exception")
NO_END = Text(zh="这次调用一直没有结束", en="the call did not come to an end")
NOT_MADE_REQUEST = Text(zh="请求 {request} 没有建好", en="request {request} was not made")
PHYSICAL = Text(zh="物理块 {block}", en="physical block {block}")

ANOTHER_BLOCK = Text(
    zh="{request} 的逻辑块 {logical} 是{yours}，应该是{expected}",
    en="logical block {logical} of {request} is {yours}, expected {expected}",
)
BLOCK_MISSING = Text(
    zh="{request} 缺逻辑块 {logical}，用{expected} 就可以",
    en="{request} lacks logical block {logical}; {expected} would do",
)
BLOCK_TOO_MANY = Text(
    zh="{request} 多了逻辑块 {logical}（{yours}）",
    en="{request} has a logical block {logical} ({yours}), expected none",
)
ANOTHER_TABLE = Text(
    zh="{request} 的 block_table 是 {yours}，应该是列表", en="block_table of {request} is {yours}, not a list"
)
LONG_TABLE = Text(
    zh="{request} 的 block_table 超过 {most} 个，太长了，列不出来",
    en="block_table of {request} is too long to show: more than {most} ids",
)
LONG_FREE_LIST = Text(
    zh="free_blocks 超过 {most} 个，太长了，列不出来",
    en="free_blocks is too long to show: more than {most} ids",
)
ANOTHER_LENGTH = Text(
    zh="{request} 的 seq_len 是 {yours}，应该是 {expected}",
    en="seq_len of {request} is {yours}, expected {expected}",
)
STILL_FREE = Text(zh="{block} 还在空闲池里", en="{block} is still in the free list")
FREE_TOO_OFTEN = Text(zh="{block} 在空闲池里有 {count} 个", en="{block} is {count} times in the free list")
NOT_FREE = Text(zh="{block} 不在空闲池里了", en="{block} is missing from the free list")
NOT_A_FREE_LIST = Text(zh="free_blocks 是 {yours}，应该是列表", en="free_blocks is {yours}, not a list")
ENDED = Text(zh="{yours}，应该{expected}", en="{yours}, expected: {expected}")
ANOTHER_POOL = Text(
    zh="physical_kv_cache：{yours}，应该是 {expected}",
    en="physical_kv_cache: {yours}, should be {expected}",
)
POOL_CHANGED = Text(zh="physical_kv_cache 被改了", en="physical_kv_cache was changed")

# ── the gather ───────────────────────────────────────────────────────────────────────────────────

SHAPE = Text(zh="形状 {shape}", en="shape {shape}")
TENSOR = Text(zh="{shape} 的张量", en="a tensor of shape {shape}")
DIMENSIONS = Text(zh="{count} 维 {shape}", en="{count} dimensions {shape}")
ONE_DIMENSION = Text(zh="1 维 {shape}", en="1 dimension {shape}")
DUE = Text(zh="{yours}，应该是 {expected}", en="{yours}, should be {expected}")
ROW_FROM = Text(
    zh="第 {row} 行来自{yours}，应该来自{expected}", en="row {row} is from {yours}, expected {expected}"
)
PLACE = Text(zh="物理块 {block} 的槽位 {slot}", en="slot {slot} of physical block {block}")
NOWHERE = Text(zh="别处", en="elsewhere")
MORE_ROWS = Text(zh="还有 {count} 行", en="{count} more rows")
ONE_MORE_ROW = Text(zh="还有 1 行", en="1 more row")
ROW = Text(zh="第 {row} 行", en="row {row}")
SAYS_ROWS = Text(
    zh="第 {rows} 行：物理块 {block} 的槽位 {slots}。",
    en="Rows {rows}: slots {slots} of physical block {block}.",
)
SAYS_SLICE = Text(
    zh="第 {number} 片：物理块 {block} 的槽位 {slots}。",
    en="Slice {number}: slots {slots} of physical block {block}.",
)
SAYS_ROW = Text(zh="第 {row} 行：{place}。", en="Row {row}: {place}.")
SAYS_ROWS_NOWHERE = Text(zh="第 {rows} 行：不知道来自哪一块。", en="Rows {rows}: from no block known.")
