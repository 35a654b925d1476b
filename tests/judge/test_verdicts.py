"""The verdicts that no test speaks for: each with its reason, line and whole sentence; none is a pass."""

from __future__ import annotations

import pytest

from pagetutor.judge.report import Reason, Verdict
from pagetutor.judge.say import nothing_there
from pagetutor.text import Text
from tests.corpus.build import SOLUTION, STARTER, with_method
from tests.judge.conftest import Judge

OPEN = {
    "1": (
        (1, 2),
        "TODO 1 and 2 are still open. Put your code in place of the `...` in `allocate_for_prefill`, then check again.",
    ),
    "2": (
        (3,),
        "TODO 3 is still open. Put your code in place of the `...` in `allocate_for_decode`, then check again.",
    ),
    "3": (
        (5,),
        "TODO 5 is still open. Put your code in place of the `...` in `get_physical_cache`, then check again.",
    ),
    "final": (
        (1, 2, 3, 5),
        "TODO 1, 2, 3 and 5 are still open. Put your code in place of the `...` in "
        "`allocate_for_prefill`, `allocate_for_decode` and `get_physical_cache`, then check again.",
    ),
}


@pytest.mark.parametrize("mission", OPEN)
def test_the_untouched_starter_is_unfilled(judge: Judge, mission: str) -> None:
    report = judge(mission, STARTER)
    assert report.verdict is Verdict.UNFILLED
    assert report.say is not None
    assert (report.open_todos, report.say.en) == OPEN[mission]
    assert {test.outcome for test in report.tests} == {"not_run"}


def test_where_no_dots_hold_the_place_the_method_and_its_line_are_named(judge: Judge) -> None:
    bare = with_method(
        "def allocate_for_decode(self, req):\n    req.seq_len += 1\n    return None\n", STARTER
    )
    report = judge("2", bare)
    line = bare[: bare.index("def allocate_for_decode")].count("\n") + 1
    assert report.verdict is Verdict.UNFILLED
    assert report.say is not None
    assert report.say.en == (
        f"TODO 3 is still open. Write your code into `allocate_for_decode` (line {line}), then check again."
    )
    assert (
        report.say.zh
        == f"TODO 3 还空着。在 `allocate_for_decode`（第 {line} 行）里写上你的代码，再检查一次。"
    )


@pytest.mark.parametrize("mission", ["1", "2"])
def test_a_request_that_was_lent_is_said_to_be(judge: Judge, mission: str) -> None:
    start = SOLUTION.index("class Request")
    end = SOLUTION.index("class ", start + 1)
    assert "lent-request" not in [note.id for note in judge(mission, SOLUTION).notes]
    without = judge(mission, SOLUTION[:start] + SOLUTION[end:].replace("req: Request", "req"))
    assert without.verdict is Verdict.PASSED
    assert [note.say for note in without.notes if note.id == "lent-request"] == [
        Text(
            zh="文件里没有 `Request` 这个类，这次检查用的是现成的一个；报告里说到新建的请求，说的也是它。"
            "完整的文件里要有这个类，从起始文件里抄回来就行。",
            en="The file has no class `Request`, so this check used one of its own; what the report says of a "
            "new request is said of that one. A whole file has the class: copy it back from the starter.",
        )
    ]


def test_the_starter_with_one_method_done_passes_that_mission_and_is_unfilled_elsewhere(judge: Judge) -> None:
    done = with_method(
        """
def allocate_for_decode(self, req):
    req.seq_len += 1
    if req.seq_len % self.block_size == 1:
        if not self.free_blocks:
            raise RuntimeError("OOM")
        req.block_table.append(self.free_blocks.pop(0))
""",
        STARTER,
    )
    assert [judge(mission, done).verdict for mission in ("1", "2", "3", "final")] == [
        Verdict.UNFILLED,
        Verdict.PASSED,
        Verdict.UNFILLED,
        Verdict.UNFILLED,
    ]


def test_in_the_final_mission_a_failure_outranks_an_open_todo(judge: Judge) -> None:
    wrong_decode = with_method(
        """
def allocate_for_decode(self, req):
    req.seq_len += 1
    if req.seq_len % self.block_size == 0:
        if not self.free_blocks:
            raise RuntimeError("OOM")
        req.block_table.append(self.free_blocks.pop(0))
""",
        STARTER,
    )
    report = judge("final", wrong_decode)
    assert report.verdict is Verdict.FAILED
    assert report.open_todos == (1, 2, 5)


IN_PREFILL = "        needed_blocks = "


def in_prefill(statement: str) -> str:
    return SOLUTION.replace(IN_PREFILL, f"        {statement}\n{IN_PREFILL}", 1)


def test_state_kept_between_calls_is_no_pass_and_the_next_check_is_right(judge: Judge) -> None:
    counts = with_method(
        """
def allocate_for_prefill(self, req):
    KVCacheManager.calls = getattr(KVCacheManager, "calls", 0) + 1
    need = (req.seq_len + self.block_size - 1) // self.block_size + (KVCacheManager.calls % 3 == 0)
    if need > len(self.free_blocks):
        raise RuntimeError("OOM")
    for _ in range(need):
        req.block_table.append(self.free_blocks.pop(0))
"""
    )
    assert judge("1", counts).verdict is not Verdict.PASSED
    assert judge("1", SOLUTION).verdict is Verdict.PASSED


def test_a_same_second_edit_of_equal_length_is_judged_on_the_new_text(judge: Judge) -> None:
    wrong = SOLUTION.replace("% self.block_size) == 1", "% self.block_size) == 0")
    assert len(wrong) == len(SOLUTION)
    verdicts = [judge("2", source).verdict for _ in range(5) for source in (wrong, SOLUTION)]
    assert verdicts == [Verdict.FAILED, Verdict.PASSED] * 5


_START = Text(
    zh="。`pagetutor start` 会写好起始文件，但从不覆盖已有的文件：先把这个文件删掉或改个名，再运行它。",
    en=". `pagetutor start` writes a starter to begin with. It never overwrites a file: delete or rename "
    "this one first.",
)
_EMPTY = Text(zh="`block_manager.py` 是空的", en="`block_manager.py` is empty")
_BARE = Text(
    zh="`block_manager.py` 里还没有类和方法", en="`block_manager.py` holds no class and no method yet"
)


@pytest.mark.parametrize(
    ("source", "is_so"),
    [
        (b"", _EMPTY),
        (b"\n  \n", _EMPTY),
        (b"# nothing yet\n", _BARE),
        (b'"""Mine."""\nimport torch\n', _BARE),
    ],
)
@pytest.mark.parametrize("mission", ["1", "final"])
def test_an_empty_file_is_unfilled_and_told_where_a_starter_comes_from(
    judge: Judge, mission: str, source: bytes, is_so: Text
) -> None:
    report = judge(mission, source)
    assert (report.verdict, report.say) == (Verdict.UNFILLED, is_so + _START)


def test_an_empty_file_of_another_name_is_not_in_the_starters_way() -> None:
    assert nothing_there("mine.py", empty=True) == Text(
        zh="`mine.py` 是空的。`pagetutor start` 会在当前文件夹写好起始文件 `block_manager.py`，从不覆盖已有的文件。",
        en="`mine.py` is empty. `pagetutor start` writes a starter, `block_manager.py`, into the folder you are "
        "in; it never overwrites a file.",
    )


def test_a_syntax_error_names_its_line(judge: Judge) -> None:
    report = judge("1", SOLUTION.replace("req: Request) -> None:\n", "req: Request) -> None\n", 1))
    assert (report.verdict, report.reason) == (Verdict.BROKEN, Reason.SYNTAX)
    assert report.line == SOLUTION[: SOLUTION.index("def allocate_for_prefill")].count("\n") + 1


def test_what_the_code_prints_is_kept_for_the_learner(judge: Judge) -> None:
    assert "need: 6" in judge("1", in_prefill("print('need:', req.seq_len)")).prints.head


_OTHER_CLASSES = (
    "class Allocator(Protocol):\n    def allocate_for_prefill(self, req): ...\n",
    "class MyFirstTry:\n    def allocate_for_prefill(self, req):\n        needed_blocks = ...\n",
)


@pytest.mark.parametrize("other", _OTHER_CLASSES)
@pytest.mark.parametrize("mission", ["1", "final"])
def test_another_class_with_the_same_method_is_no_open_todo(judge: Judge, mission: str, other: str) -> None:
    report = judge(mission, "from typing import Protocol\n" + SOLUTION + "\n\n" + other)
    assert (report.verdict, report.say) == (Verdict.PASSED, None)


def test_a_mistake_is_placed_in_the_class_that_was_played(judge: Judge) -> None:
    wrong = SOLUTION.replace(
        "(req.seq_len + self.block_size - 1) // self.block_size", "req.seq_len // self.block_size"
    )
    report = judge(
        "1", wrong + "\n\nclass Other:\n    def allocate_for_prefill(self, req):\n        return 7 // 2\n"
    )
    assert [one.id for one in report.mistakes] == ["prefill.floor-division"]
    assert report.line == judge("1", wrong).line
