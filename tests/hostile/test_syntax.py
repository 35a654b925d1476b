"""Code that is no Python: each way to spoil it has its own sentence, with line, column and what to type."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from pagetutor.text import Text
from tests.hostile.place import SOLUTION, Place, with_line
from tests.long import some_long


@dataclass(frozen=True)
class Row:
    """One place of the solution spoiled; `{n}` in the sentences is its line, plus `after`."""

    old: str
    new: str
    zh: str
    en: str
    after: int = 0


IF = "        if needed_blocks > len(self.free_blocks):"
NEEDED = "        needed_blocks = (req.seq_len + self.block_size - 1) // self.block_size"
POP = "            block_id = self.free_blocks.pop(0)"
APPEND = "            req.block_table.append(block_id)"
RAISE = '            raise RuntimeError("OOM")'


def foreign(column: int, mark: str, ascii_mark: str) -> tuple[str, str]:
    return (
        f"第 {{n}} 行第 {column} 列的 `{mark}` 是全角或中文符号。切到英文输入法，改成 `{ascii_mark}`。",
        f"`{mark}` on line {{n}}, column {column} is not an ASCII character. Type `{ascii_mark}` instead.",
    )


def notebook(mark: str) -> tuple[str, str]:
    return (
        f"第 {{n}} 行的 `{mark}` 是笔记本（Jupyter）的命令，不是 Python。删掉这一行。",
        f"`{mark}` on line {{n}} is a notebook command, not Python. Delete that line.",
    )


ROWS = {
    "a missing colon": Row(
        IF, IF[:-1], "第 {n} 行末尾少了冒号 `:`。", "Line {n} is missing a colon `:` at its end."
    ),
    "an unclosed bracket": Row(
        NEEDED,
        NEEDED.replace("- 1)", "- 1"),
        "第 {n} 行第 25 列打开的 `(` 一直没有关上。补上 `)`。",
        "The `(` opened on line {n}, column 25 is never closed. Add the `)`.",
    ),
    "an unclosed square bracket": Row(
        "for block_id in req.block_table]",
        "for block_id in req.block_table",
        "第 {n} 行第 18 列打开的 `[` 一直没有关上。补上 `]`。",
        "The `[` opened on line {n}, column 18 is never closed. Add the `]`.",
    ),
    "a bracket too many": Row(
        APPEND,
        APPEND + ")",
        "第 {n} 行第 45 列多了一个 `)`，前面没有和它配对的括号。",
        "Line {n}, column 45 has one `)` too many: it closes nothing.",
    ),
    "smart quotes": Row(RAISE, "            raise RuntimeError(“OOM”)", *foreign(32, "“", '"')),
    "a smart apostrophe": Row(RAISE, "            raise RuntimeError(‘OOM’)", *foreign(32, "‘", "'")),
    "a full-width bracket": Row(POP, POP.replace("(0)", "（0）"), *foreign(44, "（", "(")),
    "a full-width colon": Row(IF, IF[:-1] + "：", *foreign(49, "：", ":")),
    "a full-width comma": Row(
        "torch.cat(blocks, dim=0)", "torch.cat(blocks， dim=0)", *foreign(38, "，", ",")
    ),
    "a full-width equals sign": Row(POP, POP.replace("=", "＝"), *foreign(22, "＝", "=")),
    "a Chinese semicolon": Row(POP, POP + "；", *foreign(47, "；", ";")),
    "an invisible space": Row(
        POP,
        POP.replace(" = ", "\u00a0= "),
        "第 {n} 行第 21 列有一个看不见的特殊字符（U+00A0），换成普通空格。",
        "Line {n}, column 21 holds an invisible character (U+00A0). Type an ordinary space instead.",
    ),
    "a blank of the notebook": Row(
        NEEDED,
        "        needed_blocks = ????",
        "第 {n} 行的 `????` 是留给你填的空。把它换成你的代码。",
        "The `????` on line {n} is a blank for you to fill. Put your own code in its place.",
    ),
    "mixed tabs": Row(
        APPEND,
        "\t    req.block_table.append(block_id)",
        "第 {n} 行的缩进混用了制表符和空格。整个文件统一用空格（每级 4 个）。",
        "Line {n} mixes tabs and spaces in its indentation. Use spaces only, four per level.",
    ),
    "a merge conflict": Row(
        NEEDED,
        f"<<<<<<< HEAD\n{NEEDED}\n=======\n{NEEDED}\n>>>>>>> theirs",
        "第 {n} 行是合并冲突留下的标记 `<<<<<<<`。两份代码留一份，把三行标记都删掉。",
        "Line {n} is a merge-conflict marker, `<<<<<<<`. Keep one of the two versions and delete all three "
        "marker lines.",
    ),
    "a magic": Row("import torch", "%matplotlib inline\nimport torch", *notebook("%matplotlib")),
    "a cell magic": Row("import torch", "%%time\nimport torch", *notebook("%%time")),
    "a shell line": Row("import torch", "!pip install torch\nimport torch", *notebook("!pip")),
    "one equals sign": Row(
        IF,
        IF.replace(">", "="),
        "第 {n} 行：比较相等要写两个等号 `==`，一个 `=` 是赋值。",
        "Line {n}: comparing takes two equals signs, `==`; a single `=` assigns.",
    ),
    "no indentation": Row(
        RAISE,
        RAISE[4:],
        "第 30 行以冒号结尾，它下面（第 31 行）应该往右缩进一级。",
        "Line 30 ends with a colon, so the line under it (line 31) must be indented one level more.",
    ),
    "an indentation that matches nothing": Row(
        APPEND,
        APPEND[2:],
        "第 {n} 行的缩进和上面任何一级都对不上。让它和同一级的行左边对齐。",
        "The indentation of line {n} matches no level above it. Line it up with the lines of its block.",
    ),
    "a string that never ends": Row(
        RAISE,
        RAISE.replace('M")', "M)"),
        "第 {n} 行的字符串少了收尾的引号。",
        "The string on line {n} is missing its closing quote.",
    ),
}


@pytest.mark.parametrize("name", some_long(ROWS, each=3))
def test_each_way_has_its_own_sentence_with_its_line(place: Place, name: str) -> None:
    row = ROWS[name]
    source, line = with_line(row.old, row.new)
    place.file.write_text(source, encoding="utf-8")
    document = place.check("--lang", "en")
    assert (document["verdict"], document["reason"]) == ("broken", "syntax")
    assert document["line"] == line + row.after
    said = Text(zh=row.zh.format(n=line), en=row.en.format(n=line))
    assert [found["say"] for found in document["diagnoses"]] == [said.en]
    place.says(said, languages=["zh"])


def test_the_next_check_is_right_again(place: Place) -> None:
    place.file.write_text(SOLUTION.replace("def ", "de ", 1), encoding="utf-8")
    assert place.check()["verdict"] == "broken"
    place.file.write_text(SOLUTION, encoding="utf-8")
    assert place.check()["verdict"] == "passed"


def test_one_broken_file_is_broken_in_every_mission(place: Place) -> None:
    place.file.write_text(SOLUTION.replace(IF, IF[:-1]), encoding="utf-8")
    ran = place.run("check", "all", "--json")
    assert ran.status == 1
    assert [one["verdict"] for one in ran.document["missions"]] == ["broken"] * 4
