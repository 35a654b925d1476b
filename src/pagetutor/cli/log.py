"""The log of a bug: where in our code it happened, and nothing a learner typed or wrote."""

from __future__ import annotations

import os
import platform
import tempfile
import time
import traceback
from pathlib import Path

from pagetutor import __version__


def write_log(bug: BaseException) -> Path | None:
    """Write what finding the bug takes, into the state folder or the temporary one; None where neither can.

    Frames and kinds of exceptions only: no locals, no messages (they may quote an answer), and no
    line of source but our own.
    """
    text = "\n".join(_lines(bug)) + "\n"
    name = f"pagetutor-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.log"
    for folder in _folders():
        path = folder / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        except OSError:
            continue
        return path
    return None


def _folders() -> list[Path]:
    from pagetutor.store.history import state_folder  # noqa: PLC0415

    folder = state_folder()
    return [*([folder / "logs"] if folder else []), Path(tempfile.gettempdir())]


def _lines(bug: BaseException) -> list[str]:
    lines = [
        f"pagetutor {__version__}",
        f"Python {platform.python_version()} · {platform.system()} {platform.release()} {platform.machine()}",
    ]
    seen: BaseException | None = bug
    while seen is not None:
        kind = type(seen)
        lines += ["", f"{kind.__module__}.{kind.__qualname__}"]
        frames = traceback.extract_tb(seen.__traceback__)
        lines += [f"  {frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
        seen = seen.__cause__ or (None if seen.__suppress_context__ else seen.__context__)
    return lines
