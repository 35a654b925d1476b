"""Builds a learner's file from the reference solution by replacing a method, or by a rewrite."""

from __future__ import annotations

import ast
import textwrap
from pathlib import Path

SOLUTION = (Path(__file__).parents[2] / "missions" / "solution.py").read_text(encoding="utf-8")
STARTER = (Path(__file__).parents[2] / "missions" / "block_manager.py").read_text(encoding="utf-8")


def with_method(code: str, source: str = SOLUTION) -> str:
    """`source` with each method that `code` defines put in its place (or added to the manager)."""
    for node in ast.parse(textwrap.dedent(code)).body:
        piece = ast.get_source_segment(textwrap.dedent(code), node)
        assert piece is not None
        name = node.name if isinstance(node, ast.FunctionDef) else None
        source = _replaced(source, name, textwrap.indent(piece, "    "))
    return source


def _replaced(source: str, name: str | None, piece: str) -> str:
    lines = source.splitlines(keepends=True)
    manager = next(
        node for node in ast.parse(source).body if isinstance(node, ast.ClassDef) and node.name != "Request"
    )
    for node in manager.body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return "".join(lines[: node.lineno - 1]) + piece + "\n" + "".join(lines[node.end_lineno :])
    end = manager.end_lineno or len(lines)
    return "".join(lines[:end]) + "\n" + piece + "\n" + "".join(lines[end:])
