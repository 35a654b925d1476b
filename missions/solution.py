"""The reference solution of the whole exercise."""

from typing import List

import torch


class Request:
    """One request: how many tokens it has, and which physical blocks hold them, in logical order."""

    def __init__(self, request_id: int, prompt_len: int):
        self.request_id = request_id
        self.seq_len = prompt_len
        self.block_table: List[int] = []


class KVCacheManager:
    """Hands out the physical blocks of one KV cache."""

    def __init__(self, num_blocks: int, block_size: int, head_dim: int):
        self.num_blocks = num_blocks
        self.block_size = block_size
        self.head_dim = head_dim
        self.physical_kv_cache = torch.zeros(num_blocks, block_size, head_dim)
        self.free_blocks: List[int] = list(range(num_blocks))

    def allocate_for_prefill(self, req: Request) -> None:
        """Give the whole prompt its blocks, or raise RuntimeError("OOM") and change nothing."""
        needed_blocks = (req.seq_len + self.block_size - 1) // self.block_size
        if needed_blocks > len(self.free_blocks):
            raise RuntimeError("OOM")
        for _ in range(needed_blocks):
            block_id = self.free_blocks.pop(0)
            req.block_table.append(block_id)

    def allocate_for_decode(self, req: Request) -> None:
        """Make room for one more token, with a new block only when the token needs one."""
        req.seq_len += 1
        is_new_block_needed = (req.seq_len % self.block_size) == 1
        if is_new_block_needed:
            if not self.free_blocks:
                raise RuntimeError("OOM")
            block_id = self.free_blocks.pop(0)
            req.block_table.append(block_id)

    def get_physical_cache(self, req: Request) -> torch.Tensor:
        """The request's KV cache as one tensor [seq_len, head_dim], in logical order."""
        blocks = [self.physical_kv_cache[block_id] for block_id in req.block_table]
        cat_blocks = torch.cat(blocks, dim=0)
        return cat_blocks[: req.seq_len]
