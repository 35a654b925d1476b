"""What is going on while a learner waits for torch."""

from __future__ import annotations

from pagetutor.text import Text

LOADING_TORCH = Text(zh="（加载 torch 要几秒）…", en=" (loading torch takes a few seconds)…")
CHECKING = Text(zh="正在检查", en="Checking") + LOADING_TORCH
REPLAYING = Text(zh="正在回放", en="Replaying") + LOADING_TORCH
RUNNING_WARM_UP = Text(zh="正在运行热身程序", en="Running the warm-up") + LOADING_TORCH
