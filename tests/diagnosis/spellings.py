"""The table of wrong methods in free spelling, as whole files with the lines to be pointed at."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pagetutor.diagnosis.gate import find_method
from pagetutor.exercise.scenario import Method

TABLE = Path(__file__).with_name("spellings.txt")
SOLUTION = Path(__file__).parents[2] / "missions" / "solution.py"
MARK = "# <-"


@dataclass(frozen=True, slots=True)
class Spelling:
    """A whole file with one mistake: any of `ids` names it rightly, any of `lines` is its place."""

    name: str
    ids: tuple[str, ...]
    method: Method
    text: str
    lines: tuple[int, ...]


def spellings() -> Iterator[Spelling]:
    """Every wrong method of the table, put into the solution."""
    counts: dict[str, int] = {}
    for section in TABLE.read_text(encoding="utf-8").split("\n=== ")[1:]:
        head, _, written = section.partition("\n")
        ids = tuple(head.split())
        counts[ids[0]] = counts.get(ids[0], 0) + 1
        method = Method(ids[0].partition(".")[0])
        marked = _in_solution(method, written.rstrip("\n"))
        lines = tuple(number for number, line in enumerate(marked.split("\n"), 1) if line.endswith(MARK))
        yield Spelling(f"{ids[0]}-{counts[ids[0]]}", ids, method, marked.replace("  " + MARK, ""), lines)


def _in_solution(method: Method, written: str) -> str:
    solution = SOLUTION.read_text(encoding="utf-8")
    definition = find_method(ast.parse(solution), method.full_name)
    assert definition is not None
    body, found, more = written.partition("\ndef ")
    new = [" " * 8 + line for line in body.split("\n")]
    if found:
        new += ["", *(" " * 4 + line for line in ("def " + more).split("\n"))]
    lines = solution.split("\n")
    return "\n".join([*lines[: definition.body[0].lineno - 1], *new, *lines[definition.end_lineno or 0 :]])
