"""Every hostile file and every forgery: warm, by a spare, cold through the command, and in watch.

After each: its own verdict, reason, line and sentence; the honest file next passes; no process, descriptor
or scratch folder is left.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from pagetutor.content.find import find_course
from pagetutor.content.model import Course
from pagetutor.content.read import load_course
from pagetutor.judge.check import check
from pagetutor.learner import processes
from pagetutor.learner.runner import WarmRunner
from tests.bench.figure import Figure
from tests.corpus.build import SOLUTION
from tests.hostile.codes import TABLE, Row
from tests.hostile.forging import FORGERIES
from tests.hostile.watching import Watch
from tests.soak.files import marked

PATIENCE_S = 10.0  # for what was killed to be gone, and for spares to have imported torch


@dataclass(frozen=True)
class Said:
    """What a check said; None for what this way of checking does not tell."""

    verdict: str
    reason: str | None = None
    line: int | None = None
    sentence: str | None = None  # in English


@dataclass(frozen=True)
class Way:
    """A way to check a file: `check` gives its report, `held` what is held between two checks."""

    check: Callable[[str, str, float], Said]
    held: Callable[[], Mapping[str, int]]


def run(names: frozenset[str] = frozenset()) -> Iterator[Figure]:
    """Rows × ways, and what was wrong or left over. `names` restricts both to some."""
    rows = [(name, row) for name, row in _rows().items() if not names & _rows().keys() or name in names]
    ways = {name: way for name, way in WAYS.items() if not names & WAYS.keys() or name in names}
    for way_name, open_way in ways.items():
        wrong: list[str] = []
        left = 0
        with open_way() as way:
            for mission, deadline_s in sorted({(row.mission, row.deadline_s) for _, row in rows}):
                way.check(mission, SOLUTION, deadline_s)
            before = _settled(way, {})
            for name, row in rows:
                said = way.check(row.mission, row.source, row.deadline_s)
                wrong += [f"{name}: {fault}" for fault in _faults(row, said)]
                if way.check(row.mission, SOLUTION, row.deadline_s).verdict != "passed":
                    wrong.append(f"{name}: the honest file next does not pass")
                after = _settled(way, before)
                if after != before:
                    wrong.append(f"{name}: held {before} before, {after} after")
                    left += 1
                    before = after
        for fault in wrong:
            print(f"  {way_name}: {fault}", flush=True)
        yield Figure(f"{way_name}: files", len(rows), "")
        yield Figure(f"{way_name}: wrong verdicts, reasons, lines, sentences", len(wrong) - left, "", 0)
        yield Figure(f"{way_name}: processes, descriptors, folders left", left, "", 0)


def _rows() -> dict[str, Row]:
    return {
        **TABLE,
        **{name: Row(source, "no pass", mission=mission) for name, (mission, source) in FORGERIES.items()},
    }


def _faults(row: Row, said: Said) -> Iterator[str]:
    """What is not as the table says."""
    if row.verdict == "no pass":
        if said.verdict not in ("failed", "stopped"):
            yield f"{said.verdict}"
        return
    if said.verdict != row.verdict:
        yield f"{said.verdict}, not {row.verdict}"
    if said.reason not in (row.reason, "not told"):
        yield f"{said.reason}, not {row.reason}"
    if row.line is not None and said.line not in (row.line, None):
        yield f"line {said.line}, not {row.line}"
    sentence = "" if row.say is None else row.say.en
    if said.sentence is not None and _squeezed(sentence) not in _squeezed(said.sentence):
        yield f"{said.sentence!r}, not {sentence!r}"


def _squeezed(words: str) -> str:
    """How it is wrapped and marked is not what is asked here."""
    return re.sub(r"[\s`│]", "", words)


def _settled(way: Way, due: Mapping[str, int]) -> Mapping[str, int]:
    """What is held, once it is what is due or is not going to be."""
    until = time.monotonic() + (PATIENCE_S if due else 1.0)
    held = way.held()
    while held != due and time.monotonic() < until:
        time.sleep(0.05)
        held = way.held()
    return held


# ── in this process ──────────────────────────────────────────────────────────────────────────────


@contextmanager
def _in_process(*, spare: bool) -> Iterator[Way]:
    course = load_course(find_course(), with_models=True)
    with tempfile.TemporaryDirectory() as folder, _scratch_in(folder), WarmRunner(spare=spare) as runner:

        def judged(mission: str, source: str, deadline_s: float) -> Said:
            return _judged(course, runner, mission, source, deadline_s)

        yield Way(judged, lambda: _held_by(os.getpid(), Path(folder)))


@contextmanager
def _scratch_in(folder: str) -> Iterator[None]:
    before, tempfile.tempdir = tempfile.tempdir, folder
    try:
        yield
    finally:
        tempfile.tempdir = before


def _judged(course: Course, runner: WarmRunner, mission_id: str, source: str, deadline_s: float) -> Said:
    mission = next(one for one in course.missions if one.id == mission_id)
    path = Path("block_manager.py").absolute()
    report = check(course, mission, path, source.encode(), runner, deadline_s=deadline_s)
    failed = [test.actual for test in report.tests if test.outcome == "failed"]
    say = failed[0] if report.verdict == "failed" else report.say
    return Said(report.verdict, report.reason, report.line, "" if say is None else say.en)


def _held_by(pid: int, scratch: Path) -> dict[str, int]:
    """What this tutor and all below it hold, but for what a check is done with."""
    below = processes.descendants(pid)
    return {
        "processes": len(below),
        "descriptors": len(os.listdir(f"/proc/{pid}/fd")),
        "descriptors below": sum(_descriptors(seen.pid) for seen in below),
        "folders": sum(len(folders) for _, folders, _ in os.walk(scratch)),  # some go while it looks
    }


def _descriptors(pid: int) -> int:
    try:
        return len(os.listdir(f"/proc/{pid}/fd"))
    except OSError:
        return 0


# ── through the command ──────────────────────────────────────────────────────────────────────────


@contextmanager
def _cold() -> Iterator[Way]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "scratch").mkdir()
        environ = _environ(folder)

        def checked(mission: str, source: str, deadline_s: float) -> Said:
            (folder / "block_manager.py").write_text(source, encoding="utf-8")
            words = ["check", mission, "--lang", "en", "--deadline", str(deadline_s)]
            document = json.loads(_said(folder, environ, [*words, "--json"]))
            screen = _said(folder, environ, words) if document["verdict"] in ("stopped", "broken") else None
            return Said(document["verdict"], document["reason"], document["line"], screen)

        yield Way(checked, lambda: _left_in(folder))


def _said(folder: Path, environ: Mapping[str, str], words: list[str]) -> str:
    command = [sys.executable, "-m", "pagetutor", *words]
    return subprocess.run(
        command, cwd=folder, env=environ, stdout=subprocess.PIPE, text=True, check=False
    ).stdout


def _environ(folder: Path) -> dict[str, str]:
    return {
        **os.environ,
        "PAGETUTOR_HOME": str(folder / "state"),
        "TMPDIR": str(folder / "scratch"),
        "COLUMNS": "200",
    }


def _left_in(folder: Path) -> dict[str, int]:
    return {
        "processes": len(marked(f"PAGETUTOR_HOME={folder / 'state'}")),
        "folders": len(list((folder / "scratch").iterdir())),
    }


# ── in watch ─────────────────────────────────────────────────────────────────────────────────────


@contextmanager
def _watched() -> Iterator[Way]:
    """One watch for each mission and deadline; what they hold is counted together."""
    watches: dict[tuple[str, float], Watch] = {}
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:

        def checked(mission: str, source: str, deadline_s: float) -> Said:
            key = mission, deadline_s
            if key not in watches:
                folder = Path(name) / f"{mission}-{deadline_s}"
                watches[key] = stack.enter_context(Watch(folder, mission, deadline_s, source))
            verdict, shown = watches[key].check(source)
            return Said(verdict, "not told", None, shown)

        yield Way(checked, lambda: _sum(_held_by(_pid(watch), watch.scratch) for watch in watches.values()))


def _pid(watch: Watch) -> int:
    assert watch.child.pid is not None
    return watch.child.pid


def _sum(parts: Iterable[Mapping[str, int]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for part in parts:
        total.update(part)
    return total


WAYS = {
    "warm": lambda: _in_process(spare=False),
    "spare": lambda: _in_process(spare=True),
    "cold": _cold,
    "watch": _watched,
}
