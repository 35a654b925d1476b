"""The verdicts that no test speaks for: each with its reason, line and whole sentence; none is a pass."""

from __future__ import annotations

import pytest

from pagetutor.judge.report import Reason, Verdict
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
LINE = SOLUTION[: SOLUTION.index(IN_PREFILL)].count("\n") + 1


def in_prefill(statement: str) -> str:
    return SOLUTION.replace(IN_PREFILL, f"        {statement}\n{IN_PREFILL}", 1)


def at_import(statement: str) -> str:
    return f"{statement}\n{SOLUTION}"


SHORT_S = 0.6  # for files that never end
ENDS = {
    "os._exit at import": (at_import("import os; os._exit(0)"), Verdict.BROKEN, Reason.EXIT, None),
    "os._exit in a method": (in_prefill("import os; os._exit(0)"), Verdict.STOPPED, Reason.EXIT, None),
    "sys.exit at import": (at_import("import sys; sys.exit(0)"), Verdict.BROKEN, Reason.EXIT, 1),
    "quit at import": (at_import("raise SystemExit"), Verdict.BROKEN, Reason.EXIT, 1),
    "KeyboardInterrupt at import": (at_import("raise KeyboardInterrupt"), Verdict.BROKEN, Reason.IMPORT, 1),
    "an error at import": (at_import("1 / 0"), Verdict.BROKEN, Reason.IMPORT, 1),
    "a missing module": (at_import("import nowhere_to_be_found"), Verdict.BROKEN, Reason.IMPORT, 1),
    "input at import": (at_import("input()"), Verdict.BROKEN, Reason.IMPORT, 1),
    "abort": (in_prefill("import os; os.abort()"), Verdict.STOPPED, Reason.CRASH, None),
    "a segfault": (in_prefill("import ctypes; ctypes.string_at(0)"), Verdict.STOPPED, Reason.CRASH, None),
    "an endless loop": (in_prefill("while True: pass"), Verdict.STOPPED, Reason.TIMEOUT, LINE),
    "an endless loop at import": (at_import("while True: pass"), Verdict.BROKEN, Reason.TIMEOUT, 1),
    "an endless C loop": (in_prefill("sum(range(10**12))"), Verdict.STOPPED, Reason.TIMEOUT, LINE),
    "a long sleep": (in_prefill("import time; time.sleep(999)"), Verdict.STOPPED, Reason.TIMEOUT, LINE),
    "a flood of prints": (in_prefill("print('x' * 4_000_000)"), Verdict.STOPPED, Reason.OUTPUT, None),
    "kills its group": (in_prefill("import os; os.killpg(0, 9)"), Verdict.STOPPED, Reason.CRASH, None),
    "exits after the tests": (
        at_import("import atexit, os; atexit.register(os._exit, 3)"),
        Verdict.PASSED,
        None,
        None,
    ),
}


@pytest.mark.parametrize("name", ENDS)
def test_what_ends_or_hangs_is_never_a_pass(judge: Judge, name: str) -> None:
    source, verdict, reason, line = ENDS[name]
    report = judge("1", source, deadline_s=SHORT_S if reason is Reason.TIMEOUT else 5.0)
    assert report.verdict is verdict
    if reason is not None:
        assert (report.reason, report.line) == (reason, report.line if line is None else line)
    if verdict is not Verdict.PASSED:
        assert report.say is not None
    assert judge("1", SOLUTION).verdict is Verdict.PASSED


def test_sys_exit_in_a_method_is_a_failure_of_that_method(judge: Judge) -> None:
    report = judge("1", in_prefill("import sys; sys.exit(0)"))
    assert report.verdict is Verdict.FAILED


SENTENCES = {
    "an endless loop": (
        f"一次检查最多 0.6 秒。时间到了，你的代码还没跑完，只好停下。当时跑到第 {LINE} 行（`allocate_for_prefill`），从那里看起，改好后再检查一次。",
        "Your code was still running after 0.6 s, all the time a check has, so it was stopped. "
        f"It was at line {LINE}, in `allocate_for_prefill`: look there, fix it, then check again.",
    ),
    "os._exit in a method": (
        "你的代码中途结束了进程（`os._exit` 一类）。没有结果，也就不算通过。请改好后再检查一次。",
        "Your code ended the process half-way (`os._exit` or something like it). "
        "There is no result, so it does not pass. Fix it, then check again.",
    ),
    "an error at import": (
        "文件没能运行完：`ZeroDivisionError: division by zero`。先让它能运行，再检查一次。",
        "The file does not run: `ZeroDivisionError: division by zero`. Get it to run first, then check again.",
    ),
}


@pytest.mark.parametrize("name", SENTENCES)
def test_the_sentence_says_what_happened_where_and_what_to_do(judge: Judge, name: str) -> None:
    source, _, reason, _ = ENDS[name]
    say = judge("1", source, deadline_s=SHORT_S if reason is Reason.TIMEOUT else 5.0).say
    assert say is not None
    assert (say.zh, say.en) == SENTENCES[name]


CHEATS = {
    "equal to everything": """
class Yes(int):
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    __hash__ = int.__hash__

def allocate_for_prefill(self, req):
    req.block_table = [Yes(0)]
""",
    "a length that lies": """
def allocate_for_prefill(self, req):
    class Many(list):
        def __len__(self): return (req.seq_len + 3) // 4
    req.block_table = Many([0])
""",
    "a patched pytest": """
def allocate_for_prefill(self, req):
    import pytest
    pytest.main = lambda *a, **k: 0
    pytest.fail = lambda *a, **k: None
""",
    "patched builtins": """
def allocate_for_prefill(self, req):
    import builtins
    builtins.len = lambda x: 2
    builtins.sorted = lambda x: []
""",
    "a patched json": """
def allocate_for_prefill(self, req):
    import json
    json.dumps = lambda *a, **k: '{"verdict": "passed"}'
    json.JSONEncoder.encode = lambda *a, **k: '{"verdict": "passed"}'
""",
    "a verdict on every descriptor": """
def allocate_for_prefill(self, req):
    import os
    for fd in range(3, 64):
        try:
            os.write(fd, b'\\x00\\x00\\x00\\x15{"verdict": "passed"}')
        except OSError:
            pass
""",
    "no modules left": """
def allocate_for_prefill(self, req):
    import sys
    sys.modules.clear()
""",
    "a table of the visible cases": """
def allocate_for_prefill(self, req):
    need = {6: 2, 5: 2}.get(req.seq_len, 1)
    if need > len(self.free_blocks):
        raise RuntimeError("OOM")
    for _ in range(need):
        req.block_table.append(self.free_blocks.pop(0))
""",
    "state kept between calls": """
def allocate_for_prefill(self, req):
    KVCacheManager.calls = getattr(KVCacheManager, "calls", 0) + 1
    need = (req.seq_len + self.block_size - 1) // self.block_size + (KVCacheManager.calls % 3 == 0)
    if need > len(self.free_blocks):
        raise RuntimeError("OOM")
    for _ in range(need):
        req.block_table.append(self.free_blocks.pop(0))
""",
    "all descriptors closed": """
def allocate_for_prefill(self, req):
    import os
    os.closerange(0, 256)
""",
}


@pytest.mark.parametrize("name", CHEATS)
def test_no_cheat_passes_and_the_next_check_is_right(judge: Judge, name: str) -> None:
    assert judge("1", with_method(CHEATS[name])).verdict is not Verdict.PASSED
    assert judge("1", SOLUTION).verdict is Verdict.PASSED


def test_a_same_second_edit_of_equal_length_is_judged_on_the_new_text(judge: Judge) -> None:
    wrong = SOLUTION.replace("% self.block_size) == 1", "% self.block_size) == 0")
    assert len(wrong) == len(SOLUTION)
    verdicts = [judge("2", source).verdict for _ in range(5) for source in (wrong, SOLUTION)]
    assert verdicts == [Verdict.FAILED, Verdict.PASSED] * 5


@pytest.mark.parametrize("source", [b"", b"\n\n", b"# nothing yet\n"])
def test_an_empty_file_is_unfilled(judge: Judge, source: bytes) -> None:
    assert judge("1", source).verdict is Verdict.UNFILLED


def test_a_syntax_error_names_its_line(judge: Judge) -> None:
    report = judge("1", SOLUTION.replace("req: Request) -> None:\n", "req: Request) -> None\n", 1))
    assert (report.verdict, report.reason) == (Verdict.BROKEN, Reason.SYNTAX)
    assert report.line == SOLUTION[: SOLUTION.index("def allocate_for_prefill")].count("\n") + 1


def test_what_the_code_prints_is_kept_for_the_learner(judge: Judge) -> None:
    assert "need: 6" in judge("1", in_prefill("print('need:', req.seq_len)")).prints.head
