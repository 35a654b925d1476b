"""What explaining a failure takes on top of the check: naming it, and finding its place."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

from pagetutor.content.find import find_course
from pagetutor.content.read import load_course
from pagetutor.diagnosis import diagnose
from pagetutor.diagnosis.where import locate
from pagetutor.judge import check as judge
from pagetutor.judge.explain import Explained, explain
from pagetutor.learner.runner import WarmRunner
from tests.bench.figure import Figure
from tests.diagnosis.test_corpus import CORPUS

EVERY = 3  # one file of three: about 90
PAUSE_S = 0.05  # between two checks: nobody saves faster, and the warm process makes ready for the next


@dataclass(slots=True)
class _Taken:
    """Milliseconds of one check's explanation, and of its searches for places."""

    explaining: float = 0.0
    searching: float = 0.0
    files: list[tuple[float, float]] = field(default_factory=list)

    def explain(self, *given: Any, **named: Any) -> Explained:
        self.searching = 0.0
        began = time.perf_counter()
        try:
            return explain(*given, **named)
        finally:
            self.explaining = (time.perf_counter() - began) * 1000
            self.files.append((self.explaining - self.searching, self.searching))

    def locate(self, *given: Any, **named: Any) -> Any:
        began = time.perf_counter()
        try:
            return locate(*given, **named)
        finally:
            self.searching += (time.perf_counter() - began) * 1000


def run() -> Iterator[Figure]:
    """Over the wrong files of the corpus, warm: the median and p95 of naming and of finding the place."""
    course = load_course(find_course(), with_models=True)
    missions = {str(mission.id): mission for mission in course.missions}
    taken = _Taken()
    with (
        tempfile.TemporaryDirectory() as folder,
        WarmRunner() as runner,
        patch.object(judge, "explain", taken.explain),
        patch.object(diagnose, "locate", taken.locate),
    ):
        path = Path(folder) / "block_manager.py"
        for wrong in (*CORPUS[:2], *CORPUS[::EVERY]):  # the first two fill caches
            time.sleep(PAUSE_S)
            path.write_text(wrong.source, encoding="utf-8")
            judge.check(course, missions[wrong.mission], path, wrong.source.encode(), runner)
    files = taken.files[2:]
    yield Figure("files of the corpus that were explained", len(files), "")
    yield from _figures("naming the mistake, on top of the check", [one for one, _ in files], 15.0)
    yield from _figures("finding its place", [one for _, one in files], 60.0)


def _figures(name: str, taken: list[float], limit: float) -> Iterator[Figure]:
    in_order = sorted(taken)
    yield Figure(f"{name}, median", statistics.median(in_order), "ms", limit)
    yield Figure(f"{name}, p95", in_order[int(len(in_order) * 0.95)], "ms")
