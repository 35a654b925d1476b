"""The files that are checked again and again, and what each is due."""

from __future__ import annotations

from pathlib import Path

from pagetutor.content.find import find_course

RIGHT = (find_course() / "solution.py").read_text(encoding="utf-8")
WRONG = RIGHT.replace("% self.block_size) == 1", "% self.block_size) == 0")
"""Wrong in mission 2; of the same length."""
assert len(WRONG) == len(RIGHT)
assert WRONG != RIGHT

IN_DECODE = "        req.seq_len += 1\n"


def in_decode(statement: str) -> str:
    """The reference with a statement in front of the decode."""
    assert IN_DECODE in RIGHT
    return RIGHT.replace(IN_DECODE, f"        {statement}\n{IN_DECODE}", 1)


HOSTILE = (
    in_decode("import os; os._exit(0)"),
    in_decode("import ctypes; ctypes.string_at(0)"),
    in_decode(
        "import subprocess as s; s.one = getattr(s, 'one', 0) or s.Popen(('sleep', '9'), start_new_session=1)"
    ),
    in_decode(
        "import threading as t, time; t.one = getattr(t, 'one', 0) or t.Timer(99, time.sleep).start() or 1"
    ),
    in_decode("open('left', 'w').write('x' * 10_000)"),
    in_decode("print('x' * 2_000_000)"),
)


def marked(mark: str) -> list[str]:
    """The processes whose environment holds `mark`: their pid and command."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                if mark.encode() in (folder / "environ").read_bytes():
                    command = (
                        (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
                    )
                    found.append(f"{folder.name}: {command[:120]}")
            except OSError:
                continue
    return found
