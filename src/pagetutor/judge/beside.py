"""Files beside the learner's that bear the name of a module it imports: `random.py`, `torch.py`.

A check puts the learner's folder last on the path, so such a file shadows nothing there; Python on its
own puts it first. Either way the learner meets a module they did not mean.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pagetutor.diagnosis.mistake import Mistake
from pagetutor.diagnosis.source import SourceText
from pagetutor.diagnosis.structure_words import shadowed_module
from pagetutor.judge.report import Note
from pagetutor.learner.port import Raised
from pagetutor.text import Text

_INSTALLED = frozenset({"torch", "numpy"})
_NAMED = re.compile(r"module '([A-Za-z_0-9.]+)'|from '([A-Za-z_0-9.]+)'")


@dataclass(frozen=True, slots=True)
class Shadowed:
    """An import of the file, and the module's name that a file beside it bears too."""

    name: str
    line: int


def shadowed_imports(tree: ast.Module, path: Path) -> tuple[Shadowed, ...]:
    """The imports of the file at `path` that a file beside it would take, in order, each name once."""
    found: dict[str, Shadowed] = {}
    for name, line in _imports(tree):
        known = name in sys.stdlib_module_names or name in _INSTALLED
        if known and name not in found and name != path.stem and path.with_name(f"{name}.py").is_file():
            found[name] = Shadowed(name, line)
    return tuple(found.values())


def _imports(tree: ast.Module) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name.partition(".")[0], node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0], node.lineno


def shadowing_notes(shadowed: tuple[Shadowed, ...]) -> Iterator[Note]:
    """A note for what goes well here and will not on its own."""
    for one in shadowed:
        yield Note(
            "file-shadows-module",
            Text(
                zh=f"旁边有一个 `{one.name}.py`。检查时不受它影响；可是自己运行文件时，"
                f"`import {one.name}` 拿到的会是它。给它改个名吧。",
                en=f"There is a `{one.name}.py` beside your file. It does no harm in a check, but when you "
                f"run your file yourself, `import {one.name}` gets that one. Give it another name.",
            ),
        )


def shadowing_mistake(
    shadowed: tuple[Shadowed, ...], raised: Raised, source: SourceText
) -> tuple[Mistake, ...]:
    """The mistake of wanting from a module what only the file beside would have; none where it is not so."""
    if not {"ImportError", "AttributeError"} & set(raised.ancestors):
        return ()
    match = _NAMED.search(raised.message)
    wanted = (match[1] or match[2]).partition(".")[0] if match else ""
    return tuple(
        shadowed_module(source.line_span(one.line), one.name) for one in shadowed if one.name == wanted
    )
