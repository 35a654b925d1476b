"""The smallest case as Python: it runs beside the learner's file and shows the state, even after an error."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from pagetutor.judge.report import FailingCase
from tests.judge.conftest import Judge

_SOLUTION = (Path(__file__).parents[2] / "missions" / "solution.py").read_text()
_REFUSED_TOO_LATE = _SOLUTION.replace(
    """        if needed_blocks > len(self.free_blocks):
            raise RuntimeError("OOM")
""",
    "",
    1,
).replace(
    "        for _ in range(needed_blocks):\n",
    """        for _ in range(needed_blocks):
            if not self.free_blocks:
                raise RuntimeError("OOM")
""",
    1,
)


def test_the_code_of_a_case_that_runs_out_of_blocks_goes_on_to_show_the_state(
    judge: Judge, tmp_path: Path
) -> None:
    assert _REFUSED_TOO_LATE != _SOLUTION
    case = judge("1", _REFUSED_TOO_LATE).case
    assert case is not None
    assert _run(case, tmp_path) == "OOM\n[0] []\n"


def test_an_exception_is_told_only_where_it_belongs_to_the_case_that_is_shown(judge: Judge) -> None:
    wrong = _SOLUTION.replace(
        "(req.seq_len + self.block_size - 1) // self.block_size", "req.seq_len // self.block_size", 1
    )
    breaks_later = wrong.replace(
        "def allocate_for_prefill(self, req: Request) -> None:",
        "def allocate_for_prefill(self, req: Request) -> None:\n        if req.seq_len > 20: [][1]",
        1,
    )
    assert breaks_later not in {wrong, _SOLUTION}
    report = judge("1", breaks_later)
    assert report.case is not None
    assert "IndexError" not in report.case.actual.en
    assert report.raised is None


def test_the_exception_of_the_case_that_is_shown_is_told(judge: Judge) -> None:
    report = judge("1", _SOLUTION.replace("needed_blocks = (", "needed_blocks = [][1] + (", 1))
    assert report.raised is not None
    assert report.raised.exception == "IndexError"


def test_the_code_of_a_signed_pool_shows_the_negative_that_was_lost(judge: Judge, tmp_path: Path) -> None:
    wrong = _SOLUTION.replace(
        "return cat_blocks[: req.seq_len]", "return cat_blocks[: req.seq_len].relu()", 1
    )
    assert wrong != _SOLUTION
    case = judge("3", wrong).case
    assert case is not None
    assert "-" not in _run(case, tmp_path)
    (tmp_path / "block_manager.py").write_text(_SOLUTION)
    assert "-" in _run(case, tmp_path)


def test_the_code_names_the_class_that_was_played(judge: Judge, tmp_path: Path) -> None:
    wrong = _SOLUTION.replace("cat_blocks[: req.seq_len]", "cat_blocks", 1)
    head, body = wrong.split("class KVCacheManager:\n", 1)
    at = body.index("    def get_physical_cache")
    based = f"{head}class Gather:\n{body[at:]}\n\nclass KVCacheManager(Gather):\n{body[:at]}"
    case = judge("3", based).case
    assert case is not None
    assert "from block_manager import KVCacheManager, Request" in case.reproduce.splitlines()
    assert _run(case, tmp_path)


def _run(case: FailingCase, folder: Path) -> str:
    ran = subprocess.run(
        [sys.executable, "-c", case.reproduce], cwd=folder, capture_output=True, text=True, check=True
    )
    return ran.stdout
