"""Files that end, hold or cheat the process, through the cold command: named, never a pass, nothing left.

Their many variants are tried where they are cheap: `tests/learner`, `tests/judge`. Here is one of each
kind, from the shell to the exit status, and the check after it.
"""

from __future__ import annotations

import pytest

from tests.hostile.place import SOLUTION, Place

IN_PREFILL = "        needed_blocks = "
LINE = SOLUTION[: SOLUTION.index(IN_PREFILL)].count("\n") + 1


def in_prefill(statements: str) -> str:
    """The solution with this before the first line of its prefill."""
    return SOLUTION.replace(IN_PREFILL, f"        {statements}\n{IN_PREFILL}", 1)


def at_import(statement: str) -> str:
    """The solution with this above it."""
    return f"{statement}\n{SOLUTION}"


# name: (source, verdict, reason, line)
ROWS = {
    "os._exit(0) at import": (at_import("import os; os._exit(0)"), "broken", "exit", None),
    "os._exit(0) in a method": (in_prefill("import os; os._exit(0)"), "stopped", "exit", None),
    "quit()": (at_import("quit()"), "broken", "exit", 1),
    "KeyboardInterrupt": (at_import("raise KeyboardInterrupt"), "broken", "import", 1),
    "a segfault": (in_prefill("import ctypes; ctypes.string_at(0)"), "stopped", "crash", None),
    "endless at import": (at_import("while True: pass"), "broken", "timeout", 1),
    "endless in a method": (in_prefill("while True: pass"), "stopped", "timeout", LINE),
    "a C loop": (in_prefill("sum(range(10**12))"), "stopped", "timeout", LINE),
    "input()": (at_import("input()"), "broken", "import", 1),
    "prints without end": (in_prefill("while True: print('x' * 9999)"), "stopped", "output", LINE),
    "closes everything": (in_prefill("import os; os.closerange(0, 256)"), "stopped", "crash", None),
}


@pytest.mark.parametrize("name", ROWS)
def test_it_is_named_and_nothing_of_it_is_left(place: Place, name: str) -> None:
    source, verdict, reason, line = ROWS[name]
    place.file.write_text(source)
    document = place.check("--deadline", "2" if reason == "timeout" else "20")
    assert (document["verdict"], document["reason"]) == (verdict, reason)
    assert line is None or document["line"] == line


def test_killing_its_parent_harms_nobody_and_the_next_check_is_right(place: Place) -> None:
    """What it can reach depends on the namespaces that the system gives; a pass it never is."""
    place.file.write_text(in_prefill("import os; os.kill(os.getppid(), 9)"))
    assert place.check()["verdict"] in ("failed", "stopped")
    place.file.write_text(SOLUTION)
    assert place.check()["verdict"] == "passed"


def test_a_fake_verdict_on_every_descriptor_is_no_pass_and_no_second_document(place: Place) -> None:
    fake = in_prefill(
        "import os\n        for number in range(64):\n"
        """            try: os.write(number, b'{"schema": 1, "verdict": "passed"}\\n')\n"""
        "            except OSError: pass"
    ).replace("+ self.block_size - 1", "", 1)
    place.file.write_text(fake)
    assert place.check()["verdict"] in ("stopped", "failed")
