"""How long until `--help` is there, and until the first question of a mission can be answered."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from pagetutor.store.events import LanguageChosen, PrologueSeen
from pagetutor.store.history import History
from tests.bench.figure import Figure, medians_side_by_side

_HELP_FLOOR = "import typer, rich.console"
_QUESTION_FLOOR = "import typer._adapters, rich.console, questionary"
_HEAVY = ("torch", "numpy", "pytest", "questionary", "prompt_toolkit", "yaml")
_LAST_ROW = b"leave (everything so far is kept)"
_PATIENCE_S = 30.0


def start_up() -> Iterator[Figure]:
    """Figures against the floor that the libraries set, and the heavy modules `--help` loads (none)."""
    with tempfile.TemporaryDirectory() as folder:
        environ = _environ(Path(folder))
        python = [sys.executable, "-c"]
        taken = medians_side_by_side(
            {
                "help floor": lambda: _until_end([*python, _HELP_FLOOR], environ),
                "help": lambda: _until_end([sys.executable, "-m", "pagetutor", "--help"], environ),
                "question floor": lambda: _until(None, [*python, _QUESTION_FLOOR], environ),
                "question": lambda: _until(
                    _LAST_ROW, [sys.executable, "-m", "pagetutor", "mission", "1"], environ
                ),
            }
        )
        loaded = _loaded_by_help(environ)
    yield Figure(f'python -c "{_HELP_FLOOR}"', taken["help floor"] * 1000, "ms")
    yield Figure("pagetutor --help", taken["help"] * 1000, "ms")
    yield Figure("--help against its floor", taken["help"] / taken["help floor"], "x", limit=1.5)
    yield Figure(f'python -c "{_QUESTION_FLOOR}"', taken["question floor"] * 1000, "ms")
    yield Figure("first question of mission 1, in a pty", taken["question"] * 1000, "ms")
    yield Figure(
        "first question against its floor", taken["question"] / taken["question floor"], "x", limit=1.3
    )
    yield Figure(f"heavy modules loaded by --help {sorted(loaded)}", len(loaded), "modules", limit=0)


def _environ(home: Path) -> dict[str, str]:
    """A learner who has read the prologue, with bytecode kept as on any learner's machine."""
    History(home / "history.db").append(LanguageChosen("en"), PrologueSeen(skipped=False))
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PAGETUTOR_HOME": str(home), "TERM": "xterm-256color", "PROMPT_TOOLKIT_NO_CPR": "1"}


def _until_end(command: list[str], environ: dict[str, str]) -> float:
    begun = time.perf_counter()
    subprocess.run(command, env=environ, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - begun


def _until(words: bytes | None, command: list[str], environ: dict[str, str]) -> float:
    """Seconds until the words stand on a terminal; until the command ends, where None."""
    begun = time.perf_counter()
    child, terminal = pty.fork()
    if child == 0:
        os.execve(command[0], command, environ)
    try:
        import fcntl  # noqa: PLC0415 — as `pty` is, of Unix alone
        import struct  # noqa: PLC0415
        import termios  # noqa: PLC0415

        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 60, 100, 0, 0))
        seen = b""
        while words is None or words not in seen:
            if not select.select([terminal], [], [], _PATIENCE_S)[0]:
                raise AssertionError(f"{command} said only {seen[-500:]!r}")
            try:
                seen += os.read(terminal, 65536)
            except OSError:  # the terminal's other side is closed
                break
        seconds = time.perf_counter() - begun
        if words is not None:
            assert words in seen, f"{command} ended with {seen[-500:]!r}"
            os.write(terminal, b"\x03")
            while _reads(terminal):
                pass
    finally:
        os.close(terminal)
        os.waitpid(child, 0)
    return seconds


def _reads(terminal: int) -> bool:
    try:
        return bool(os.read(terminal, 65536))
    except OSError:
        return False


def _loaded_by_help(environ: dict[str, str]) -> set[str]:
    program = (
        "import sys\n"
        "from pagetutor.cli.boundary import run\n"
        "run(['--help'])\n"
        f"print(*({set(_HEAVY)!r} & set(sys.modules)), file=sys.stderr)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], env=environ, capture_output=True, text=True, check=True
    )
    return set(ran.stderr.split())
