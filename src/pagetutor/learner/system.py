"""What this system offers beyond what all have; nothing that a check needs depends on it.

`PAGETUTOR_PORTABLE=1` in the environment forgoes it: checks then go as on macOS, but without what only
Linux has to hold the learner's code in.
"""

from __future__ import annotations

import os
import sys

PORTABLE = "PAGETUTOR_PORTABLE"


def is_linux() -> bool:
    """Whether there are /proc, prctl, namespaces and Landlock, and they may be used."""
    return sys.platform == "linux" and not _portable()


def can_peek() -> bool:
    """Whether a dead child can be seen before it is waited for; macOS has no `waitid` before Python 3.13."""
    return hasattr(os, "waitid") and not _portable()


def forks_by_default() -> bool:
    """Whether a process that has imported torch may be forked.

    Not on macOS: its own libraries forbid it and crash in the child, now and then.
    """
    return hasattr(os, "fork") and sys.platform != "darwin"


def _portable() -> bool:
    return bool(os.environ.get(PORTABLE))
