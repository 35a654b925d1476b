"""The shape of a file's code: what stays the same while only comments, blanks and docstrings change."""

from __future__ import annotations

import ast
import hashlib
import re
import warnings


def code_shape(source: bytes) -> str:
    """A short name for the code in these bytes; comments, blanks and bare strings do not count.

    A file that is no Python is compared by its lines without comments and blanks.
    """
    return hashlib.sha256(_code(source).encode("utf-8", "backslashreplace")).hexdigest()[:16]


def _code(source: bytes) -> str:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "\d" in a learner's string warns
            tree = ast.parse(source)
        for node in ast.walk(tree):
            body = getattr(node, "body", None)
            if isinstance(body, list):
                node.body = [kept for kept in body if not _is_bare_string(kept)]  # type: ignore[attr-defined]
        return ast.dump(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        text = source.decode("utf-8", "replace")
        return re.sub(r"\s+", "", re.sub(r"(?m)#.*$", "", text))


def _is_bare_string(node: object) -> bool:
    match node:
        case ast.Expr(value=ast.Constant(value=str())):
            return True
    return False
