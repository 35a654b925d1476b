"""What a learner writes into `block_manager.py`: the starter with some methods filled in."""

from __future__ import annotations

from pathlib import Path

from pagetutor.content.model import Course
from tests.terminal.learner import Place

FLOOR = ("(req.seq_len + self.block_size - 1) // self.block_size", "req.seq_len // self.block_size")
REMAINDER_ZERO = (") == 1", ") == 0")
UNCUT = ("cat_blocks[: req.seq_len]", "cat_blocks")
PREFILL, DECODE, GATHER = "allocate_for_prefill", "allocate_for_decode", "get_physical_cache"


def write(place: Place, course: Course, *methods: str, wrong: tuple[str, str] | None = None) -> bytes:
    """Save the starter with these methods done, in them the right code replaced by the wrong."""
    starter = (course.root / "block_manager.py").read_text(encoding="utf-8")
    solution = (course.root / "solution.py").read_text(encoding="utf-8")
    source = starter
    for method in methods:
        source = source.replace(_method(starter, method), _method(solution, method))
    if wrong is not None:
        assert source.count(wrong[0]) == 1
        source = source.replace(*wrong)
    place.file.write_bytes(source.encode())
    return place.file.read_bytes()


def line_of(path: Path, code: str) -> int:
    """The line this code stands on, counted from 1."""
    lines = path.read_text(encoding="utf-8").split("\n")
    (found,) = [number for number, line in enumerate(lines, start=1) if line.strip() == code]
    return found


def _method(source: str, name: str) -> str:
    start = source.index(f"    def {name}")
    end = source.find("\n    def ", start + 1)
    return source[start:] if end < 0 else source[start : end + 1]
