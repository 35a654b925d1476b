"""Putting methods back to the starter's changes those methods and nothing else, byte for byte."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from pagetutor.errors import WorkspaceError
from pagetutor.tutor.starters_methods import with_starters_methods

_MISSIONS = Path(__file__).resolve().parents[2] / "missions"
STARTER = (_MISSIONS / "block_manager.py").read_bytes()
SOLUTION = (_MISSIONS / "solution.py").read_bytes()
METHODS = ("allocate_for_prefill", "allocate_for_decode", "get_physical_cache")
WHOLE_FILE = " Nothing was changed; to have the whole file as the starter again: `pagetutor reset file`."


def method(source: bytes | str, name: str) -> str:
    text = source if isinstance(source, str) else source.decode()
    lines = text.split("\n")
    found = next(node for node in ast.walk(ast.parse(text)) if getattr(node, "name", "") == name)
    assert isinstance(found, ast.FunctionDef)
    return "\n".join(lines[found.lineno - 1 : found.end_lineno])


@pytest.mark.parametrize("name", METHODS)
def test_one_method_is_the_starters_and_the_others_stay(name: str) -> None:
    content = with_starters_methods(SOLUTION, STARTER, [name])
    assert method(content, name) == method(STARTER, name)
    for other in set(METHODS) - {name}:
        assert method(content, other) == method(SOLUTION, other)


def test_a_file_that_is_the_starters_stays_byte_for_byte() -> None:
    assert with_starters_methods(STARTER, STARTER, METHODS) == STARTER


def test_twice_is_once() -> None:
    once = with_starters_methods(SOLUTION, STARTER, METHODS)
    assert with_starters_methods(once, STARTER, METHODS) == once


def test_comments_after_the_last_statement_belong_to_the_method_and_those_of_the_class_do_not() -> None:
    source = SOLUTION.replace(b"class KVCacheManager", b"# before\nclass KVCacheManager")
    source = source.rstrip() + b"\n        # of the gather\n\n    # of the class\n# of the file\n"
    content = with_starters_methods(source, STARTER, ["get_physical_cache"])
    assert b"of the gather" not in content
    assert content.endswith(b"        return ...\n\n    # of the class\n# of the file\n")
    assert b"# before\n" in content


def test_decorators_go_with_their_method() -> None:
    source = SOLUTION.replace(
        b"    def allocate_for_decode", b"    @staticmethod\n    def allocate_for_decode"
    )
    assert b"@staticmethod" not in with_starters_methods(source, STARTER, ["allocate_for_decode"])


def test_newlines_are_the_files_own_and_other_lines_keep_theirs() -> None:
    source = SOLUTION.replace(b"\n", b"\r\n").replace(b"import torch\r\n", b"import torch\n")
    content = with_starters_methods(source, STARTER, ["allocate_for_prefill"])
    assert content.count(b"\n") - content.count(b"\r\n") == 1
    assert b"import torch\n" in content


def test_a_byte_order_mark_is_kept() -> None:
    content = with_starters_methods(b"\xef\xbb\xbf" + SOLUTION, STARTER, METHODS)
    assert content.startswith(b"\xef\xbb\xbf")
    assert content.count(b"\xef\xbb\xbf") == 1


def test_gbk_stays_gbk() -> None:
    source = "# -*- coding: gbk -*-\n# 我的\n".encode("gbk") + SOLUTION.decode().encode("gbk")
    content = with_starters_methods(source, STARTER, ["allocate_for_prefill"]).decode("gbk")
    assert content.startswith("# -*- coding: gbk -*-\n# 我的\n")
    assert "这段 prompt 需要几个物理块" in content


@pytest.mark.parametrize("unit", ["\t", "  "])
def test_indents_are_the_files_own(unit: str) -> None:
    rows = SOLUTION.decode().split("\n")
    narrow = []
    for row in rows:
        words = row.lstrip(" ")
        narrow.append(unit * ((len(row) - len(words)) // 4) + words)
    content = with_starters_methods("\n".join(narrow).encode(), STARTER, METHODS).decode()
    assert f"\n{unit * 2}needed_blocks = ...\n" in content
    assert f"\n{unit * 3}...\n" in content
    ast.parse(content)


def test_a_last_line_without_a_newline_stays_without_one() -> None:
    content = with_starters_methods(SOLUTION.rstrip(), STARTER, ["get_physical_cache"])
    assert content.endswith(b"return ...")


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (b"class KVCacheManager:\n    pass\n", "There is no `allocate_for_prefill` in the file."),
        (b"class KVCacheManager\n", "Line 1 is missing a colon `:` at its end."),
        (
            b"x = '\xff'\n",
            "Line 1 is not UTF-8; it looks like Latin-1. Save the file as UTF-8 and check again.",
        ),
    ],
)
def test_what_cannot_be_taken_apart_is_said_with_the_other_way(source: bytes, said: str) -> None:
    with pytest.raises(WorkspaceError) as raised:
        with_starters_methods(source, STARTER, METHODS)
    assert raised.value.say.en == said + WHOLE_FILE


def test_an_encoding_without_chinese_is_said() -> None:
    source = b"# coding: latin-1\n# caf\xe9\n" + SOLUTION.decode().encode("ascii", "ignore")
    with pytest.raises(WorkspaceError) as raised:
        with_starters_methods(source, STARTER, METHODS)
    assert raised.value.say.zh == (
        "文件的编码是 `iso8859-1`，写不了起始文件里的中文注释，什么也没有改；先把它存成 UTF-8。"
    )
