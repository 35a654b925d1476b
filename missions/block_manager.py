"""The block manager of vLLM's PagedAttention, for you to finish.
vLLM PagedAttention 的块管理器，等你来写完。

Level 22 · vLLM PagedAttention · vLLM 分页注意力

Mission 1: TODO 1, 2    Mission 2: TODO 3    Mission 3: TODO 5
The numbers are the official exercise's: it has no TODO 4. (If you know its reference write-up: that
one counts the initialisation as TODO 1, so its 2-4 are 1-3 here.)
编号沿用官方题目：官方题目里没有 TODO 4。（如果你看过参考讲解：它把初始化算作 TODO 1，它的 2–4 就是这里的 1–3。）
"""

from typing import List

import torch


class Request:
    """One request: how many tokens it has, and which physical blocks hold them, in logical order.

    一个请求：有多少个 token，依次放在哪些物理块里。
    """

    def __init__(self, request_id: int, prompt_len: int):
        self.request_id = request_id
        self.seq_len = prompt_len
        self.block_table: List[int] = []


class KVCacheManager:
    """Hands out the physical blocks of one KV cache.

    管理一份 KV cache：谁要物理块，就发给谁。
    """

    def __init__(self, num_blocks: int, block_size: int, head_dim: int):
        self.num_blocks = num_blocks
        self.block_size = block_size
        self.head_dim = head_dim
        self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim)
        self.free_blocks: List[int] = list(range(num_blocks))

    def allocate_for_prefill(self, req: Request) -> None:
        """Give the whole prompt its blocks, or raise RuntimeError("OOM") and change nothing.

        给整段 prompt 领够物理块；不够就抛出 RuntimeError("OOM")，什么都不改。
        """
        # TODO 1: how many blocks does the prompt need? Round up, in integers.
        # TODO 1：这段 prompt 需要几个物理块？用整数向上取整。
        needed_blocks = ...

        # TODO 2: first check that the free pool has enough for all of it (if not: RuntimeError("OOM")),
        #         then take the blocks one by one and append their ids to req.block_table.
        # TODO 2：先检查空闲池够不够（不够就抛出 RuntimeError("OOM")），
        #         再一块一块领，把 id 追加到 req.block_table。
        ...

    def allocate_for_decode(self, req: Request) -> None:
        """Make room for one more token, with a new block only when the token needs one.

        给下一个 token 留出位置；需要新块的时候才补块。
        """
        req.seq_len += 1

        # TODO 3: has this token entered the first slot of a new block? If so, take one block
        #         (if the free pool is empty: RuntimeError("OOM")) and append its id to req.block_table.
        # TODO 3：这个 token 是不是落在新块的第一个槽位？是的话领一个块
        #         （空闲池空了就抛出 RuntimeError("OOM")），把 id 追加到 req.block_table。
        is_new_block_needed = ...
        if is_new_block_needed:
            ...

    def get_physical_cache(self, req: Request) -> torch.Tensor:
        """The request's KV cache as one tensor [seq_len, head_dim], in logical order.

        把这个请求的 KV cache 按 token 的先后拼成一个张量 [seq_len, head_dim]。
        """
        # TODO 5: fetch each block by the table, join them along the tokens, cut the empty tail.
        # TODO 5：按块表取出每个块，沿 token 维拼接，再截尾。
        blocks = ...
        cat_blocks = ...
        return ...
