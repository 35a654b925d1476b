"""The gate: what cannot be read, what is no Python, and which TODOs are still open."""

# ruff: noqa: E501 — sentences are kept whole
from __future__ import annotations

import ast
from pathlib import Path

import pytest

from pagetutor.content.model import Todo
from pagetutor.diagnosis.gate import Broken, OpenTodos, SourceText, open_todos, parse, read_source
from pagetutor.text import Text, same

MISSIONS = Path(__file__).parents[2] / "missions"
STARTER = (MISSIONS / "block_manager.py").read_bytes()
SOLUTION = (MISSIONS / "solution.py").read_bytes()

TODOS = (
    Todo(1, "allocate_for_prefill", "needed_blocks", same("")),
    Todo(2, "allocate_for_prefill", None, same("")),
    Todo(3, "allocate_for_decode", "is_new_block_needed", same("")),
    Todo(5, "get_physical_cache", None, same("")),
)


def source(text: str | bytes) -> SourceText:
    read = read_source(text.encode() if isinstance(text, str) else text)
    assert isinstance(read, SourceText)
    return read


def broken(text: str) -> Broken:
    found = parse(source(text))
    assert isinstance(found, Broken)
    assert found.reason == "syntax"
    return found


def todos_of(text: str | bytes) -> OpenTodos:
    tree = parse(source(text))
    assert isinstance(tree, ast.Module)
    return open_todos(tree, TODOS)


# ── encodings ────────────────────────────────────────────────────────────────────────────────────


def unreadable(raw: bytes) -> Broken:
    found = read_source(raw)
    assert isinstance(found, Broken)
    assert found.reason == "encoding"
    return found


def test_utf_16_is_named_with_and_without_its_mark() -> None:
    say = Text(
        zh="文件存成了 UTF-16，Python 读不了。请在编辑器里选“另存为 UTF-8”，再检查一次。",
        en="The file is saved as UTF-16, which Python cannot read. Save it as UTF-8 and check again.",
    )
    assert unreadable("x = 1".encode("utf-16")) == Broken("encoding", 1, 1, say)
    assert unreadable("x = 1  # wait".encode("utf-16-le")).say == say


def test_gbk_without_a_cookie_is_named_with_its_line() -> None:
    found = unreadable("x = 1\ny = 2  # 需要的块数\n".encode("gbk"))
    assert found.line == 2
    assert found.say.en == "Line 2 is not UTF-8; it looks like GBK. Save the file as UTF-8 and check again."
    assert found.say.zh == "第 2 行不是 UTF-8，看起来是 GBK。请在编辑器里选“另存为 UTF-8”，再检查一次。"


def test_latin_1_without_a_cookie_is_named() -> None:
    assert "Latin-1" in unreadable("x = 'café au lait'\n".encode("latin-1")).say.en


def test_a_nul_byte_is_named_with_its_line() -> None:
    found = unreadable(b"a = 1\nb = 2\n\0c = 3\n")
    assert (found.line, found.say.zh) == (
        3,
        "第 3 行混进了一个看不见的空字节（NUL），Python 不接受。删掉这一行，重新敲一遍。",
    )


@pytest.mark.parametrize("end", [b"\r", b"\r\n", b"\n"])
def test_the_line_of_a_nul_byte_counts_every_line_end_of_pythons(end: bytes) -> None:
    assert unreadable(b"a = 1" + end + b"b = 2" + end + b"\0c = 3" + end).line == 3


def test_a_cookie_python_does_not_know_is_named() -> None:
    assert "`klingon`" in unreadable(b"#!/usr/bin/python\n# -*- coding: klingon -*-\n").say.en


def test_a_cookie_is_believed() -> None:
    read = source("# coding: gbk\nx = '块'\r\n".encode("gbk"))
    assert (read.encoding, read.text) == ("gbk", "# coding: gbk\nx = '块'\n")
    assert read.encoded(read.text) == "# coding: gbk\nx = '块'\n".encode("gbk")


def test_a_bom_and_windows_line_ends_are_no_mistake() -> None:
    read = source("\ufeffx = 1\r\ny = 2\r\n")
    assert read.text == "x = 1\ny = 2\n"
    assert isinstance(parse(read), ast.Module)


def test_columns_are_characters_not_bytes() -> None:
    read = source("块数 = '块' + wrong\n")
    tree = parse(read)
    assert isinstance(tree, ast.Module)
    assert isinstance(tree.body[0], ast.Assign)
    assert isinstance(tree.body[0].value, ast.BinOp)
    span = read.span(tree.body[0].value.right)
    assert (span.column, span.end_column) == (12, 17)
    assert read.text[slice(*read.offsets(span))] == "wrong"


# ── syntax ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "line", "column", "en"),
    [
        ("if x > 1\n    pass\n", 1, 9, "Line 1 is missing a colon `:` at its end."),
        (
            "for _ in range(3)：\n    pass\n",
            1,
            18,
            "`：` on line 1, column 18 is not an ASCII character. Type `:` instead.",
        ),
        (
            "块 = 1\nx = 块 + （1)\n",
            2,
            9,
            "`（` on line 2, column 9 is not an ASCII character. Type `(` instead.",
        ),
        ("f(a，b)\n", 1, 4, "`，` on line 1, column 4 is not an ASCII character. Type `,` instead."),
        ("raise E(“OOM”)\n", 1, 9, '`“` on line 1, column 9 is not an ASCII character. Type `"` instead.'),
        ('raise E("OOM”)\n', 1, 13, '`”` on line 1, column 13 is not an ASCII character. Type `"` instead.'),
        (
            "x = ????\n",
            1,
            5,
            "The `????` on line 1 is a blank for you to fill. Put your own code in its place.",
        ),
        (
            "a = 1\n<<<<<<< HEAD\nb = 1\n=======\nb = 2\n>>>>>>> other\n",
            2,
            1,
            "Line 2 is a merge-conflict marker, `<<<<<<<`. Keep one of the two versions and delete all three marker lines.",
        ),
        (
            "x = 1\n%timeit x\n",
            2,
            1,
            "`%timeit` on line 2 is a notebook command, not Python. Delete that line.",
        ),
        (
            "!pip install torch\n",
            1,
            1,
            "`!pip` on line 1 is a notebook command, not Python. Delete that line.",
        ),
        (
            "x = (1 + 2\nif x > 3:\n    pass\n",
            1,
            5,
            "The `(` opened on line 1, column 5 is never closed. Add the `)`.",
        ),
        (
            "if x:\n\ty = 1\n        z = 2\n",
            3,
            None,
            "Line 3 mixes tabs and spaces in its indentation. Use spaces only, four per level.",
        ),
        (
            "if x = 3:\n    pass\n",
            1,
            4,
            "Line 1: comparing takes two equals signs, `==`; a single `=` assigns.",
        ),
        (
            "def f():\npass\n",
            2,
            1,
            "Line 1 ends with a colon, so the line under it (line 2) must be indented one level more.",
        ),
        ("return 1\n", 1, 1, "`return` on line 1 stands outside any function. Look at its indentation."),
    ],
)
def test_a_syntax_error_has_its_place_and_its_sentence(
    text: str, line: int, column: int | None, en: str
) -> None:
    found = broken(text)
    assert (found.line, found.column, found.say.en) == (line, column, en)
    assert found.say.zh != found.say.en


def test_the_chinese_sentence_names_the_character_to_type() -> None:
    assert (
        broken("x = 1；y = 2\n").say.zh
        == "第 1 行第 6 列的 `；` 是全角或中文符号。切到英文输入法，改成 `;`。"
    )


def test_full_width_punctuation_in_comments_and_strings_is_no_mistake() -> None:
    found = broken('# 注意：（看这里）\nx = "，"\nif x\n    pass\n')
    assert found.say.en == "Line 3 is missing a colon `:` at its end."


def test_the_starter_and_the_solution_are_python() -> None:
    for raw in (STARTER, SOLUTION):
        assert isinstance(parse(source(raw)), ast.Module)


def test_a_string_escape_that_only_warns_is_no_mistake() -> None:
    assert isinstance(parse(source("x = '\\d'\n")), ast.Module)


def test_source_nested_too_deeply_gets_a_sentence() -> None:
    assert broken("x = " + "-" * 100_000 + "1\n").reason == "syntax"


# ── TODOs ────────────────────────────────────────────────────────────────────────────────────────


def prefill(*body: str) -> str:
    head = "class KVCacheManager:\n    def allocate_for_prefill(self, req):\n"
    return head + "".join(f"        {line}\n" for line in body)


def decode(*body: str) -> str:
    head = "class KVCacheManager:\n    def allocate_for_decode(self, req):\n"
    return head + "".join(f"        {line}\n" for line in body)


def gather(*body: str) -> str:
    head = "class KVCacheManager:\n    def get_physical_cache(self, req):\n"
    return head + "".join(f"        {line}\n" for line in body)


def test_the_starter_has_every_todo_open_and_no_work() -> None:
    found = todos_of(STARTER)
    assert found.numbers == (1, 2, 3, 5)
    assert found.untouched


def test_the_solution_has_none_open() -> None:
    assert todos_of(SOLUTION) == OpenTodos((), frozenset(), untouched=False)


def test_an_empty_file_is_untouched() -> None:
    assert todos_of("").untouched
    assert todos_of('"""Mine."""\nimport torch\n').numbers == (1, 2, 3, 5)


@pytest.mark.parametrize(
    "body",
    [
        ["..."],
        ["pass"],
        ["raise NotImplementedError"],
        ['raise NotImplementedError("later")'],
        ["needed_blocks = None", "pass"],
        ['"""What it does."""', "needed_blocks = ...", "...", "return None"],
    ],
)
def test_placeholders_alone_are_no_work(body: list[str]) -> None:
    found = todos_of(prefill(*body))
    assert (found.numbers, found.idle) == ((1, 2), frozenset({"allocate_for_prefill"}))


def test_the_first_todo_can_be_filled_alone() -> None:
    found = todos_of(prefill("needed_blocks = (req.seq_len + 3) // 4", "..."))
    assert (found.numbers, found.untouched) == ((2,), False)
    assert todos_of(prefill("needed_blocks = (req.seq_len + 3) // 4")).numbers == (2,)


def test_the_second_todo_can_be_filled_alone() -> None:
    assert todos_of(
        prefill("needed_blocks = ...", "req.block_table.append(self.free_blocks.pop(0))")
    ).numbers == (1,)


def test_work_done_another_way_fills_both() -> None:
    assert todos_of(prefill("for _ in range(0, req.seq_len, 4):", "    self.take(req)")).numbers == ()


def test_a_placeholder_left_beside_work_is_open_but_not_untouched() -> None:
    found = todos_of(prefill("needed_blocks = 2", "req.block_table += self.take(needed_blocks)", "..."))
    assert (found.numbers, found.untouched) == ((2,), False)


def test_the_branch_belongs_to_the_todo_of_its_method() -> None:
    unfilled = decode(
        "req.seq_len += 1", "is_new_block_needed = req.seq_len % 4 == 1", "if is_new_block_needed:", "    ..."
    )
    assert todos_of(unfilled).numbers == (3,)
    untouched = decode("req.seq_len += 1", "is_new_block_needed = ...", "if is_new_block_needed:", "    ...")
    assert todos_of(untouched).idle == {"allocate_for_decode"}


def test_the_gather_is_open_while_a_step_of_it_is() -> None:
    assert todos_of(
        gather("blocks = [self.k[i] for i in req.block_table]", "cat_blocks = ...", "return ...")
    ).numbers == (5,)
    assert (
        todos_of(gather("return torch.cat([self.k[i] for i in req.block_table])[: req.seq_len]")).numbers
        == ()
    )


def test_a_name_bound_twice_counts_as_filled() -> None:
    assert (
        todos_of(
            prefill(
                "needed_blocks = None",
                "needed_blocks, rest = divmod(req.seq_len, 4)",
                "self.take(needed_blocks)",
            )
        ).numbers
        == ()
    )


def test_a_method_outside_any_class_has_no_open_todo() -> None:
    assert todos_of("def allocate_for_prefill(self, req):\n    ...\n").numbers == ()


# ── methods that are given to the class from outside ─────────────────────────────────────────────

_OUTSIDE = "\n\ndef allocate_for_prefill(self, req):\n    req.block_table.append(self.free_blocks.pop(0))\n\n"


@pytest.mark.parametrize(
    "attached",
    [
        _OUTSIDE + "KVCacheManager.allocate_for_prefill = allocate_for_prefill\n",
        _OUTSIDE + 'setattr(KVCacheManager, "allocate_for_prefill", allocate_for_prefill)\n',
        "\n\ndef patch(f):\n    setattr(KVCacheManager, f.__name__, f)\n"
        + _OUTSIDE.replace("def allocate", "@patch\ndef allocate"),
        _OUTSIDE + "for f in (allocate_for_prefill,):\n    setattr(KVCacheManager, f.__name__, f)\n",
    ],
)
def test_a_method_attached_after_the_class_is_run_and_not_called_untouched(attached: str) -> None:
    found = open_todos(ast.parse(STARTER.decode() + attached), TODOS[:2])
    assert (found.numbers, found.untouched) == ((), False)


def test_a_decorated_placeholder_is_run_first() -> None:
    decorated = STARTER.replace(b"    def allocate_for_prefill", b"    @mine\n    def allocate_for_prefill")
    found = open_todos(ast.parse(decorated), TODOS[:2])
    assert (found.numbers, found.idle, found.untouched) == ((1, 2), frozenset(), False)
