"""Replaying: one case of a mission's tests on the learner's own code, frame by frame."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pagetutor.content.model import Course, Mission, MissionId
from pagetutor.diagnosis.gate import SourceText, open_todos, parse, read_source
from pagetutor.errors import UsageError
from pagetutor.judge.report import CheckReport, Verdict
from pagetutor.learner.port import DEADLINE_S, Runner
from pagetutor.text import Text, same
from pagetutor.tutor.checking import Check, check_source
from pagetutor.tutor.means import COMMANDS, Means
from pagetutor.tutor.screen import Said, Screen

if TYPE_CHECKING:
    from pagetutor.judge.record import Recorded
    from pagetutor.tutor.replay_frames import ReplayFrame


@dataclass(frozen=True, slots=True)
class Replay:
    """A case and its frames; `first_difference` is the index of the frame that shows it.

    `remark` is what there is to say of the case's choice. `source` is the text of the file.
    """

    mission: MissionId
    file: str
    test_id: str
    title: Text
    source: str
    frames: tuple[ReplayFrame, ...]
    remark: Text | None = None

    @property
    def first_difference(self) -> int | None:
        """The index of the frame at the end of the first call that breaks a rule."""
        return next((at for at, frame in enumerate(self.frames) if frame.differs is not None), None)

    @property
    def calls(self) -> int:
        """How many calls there are."""
        return self.frames[-1].call


def replay(
    course: Course,
    mission: Mission,
    path: Path,
    source: bytes | Text,
    runner: Runner,
    *,
    case: str | None = None,
    check: Check | None = None,
    deadline_s: float = DEADLINE_S,
) -> Replay | CheckReport | Text:
    """The replay of `case`, a test's id, else of the smallest case that fails, else of the first test's.

    `source` is what `read_file` gave. Nothing is recorded, and nothing diagnosed: a replay shows. Where
    there is nothing to replay a check's report comes back, or the sentence why the run that was
    watched stopped; the deadline is used up once, not twice. Raises UsageError for a case there is not, and
    what a check raises (MachineError, ContentError).
    """
    from pagetutor.judge.check import test_titles  # noqa: PLC0415 — the judge: only where something is replayed
    from pagetutor.judge.record import NotRecorded, record  # noqa: PLC0415

    def checked() -> CheckReport:
        return check_source(course, mission, path, source, runner, check=check, deadline_s=deadline_s)

    titles = test_titles(course, mission)
    wanted = None if case is None else _known(case, _test_ids(course, mission, titles), titles)
    text = None if isinstance(source, Text) else read_source(source)
    tree = parse(text) if isinstance(text, SourceText) else None
    if isinstance(source, Text) or not isinstance(text, SourceText) or not isinstance(tree, ast.Module):
        return checked()
    if open_todos(tree, mission.todos).numbers and not _came_to_a_verdict(report := checked()):
        return report
    recorded = record(course, mission, path, source, runner, deadline_s=deadline_s)
    if isinstance(recorded, NotRecorded):
        if recorded.used_up:  # a check would take as long once more, and say no more
            return recorded.say
        report = checked()
        return recorded.say if _came_to_a_verdict(report) else report
    chosen = _chosen(recorded, wanted)
    if chosen is None and recorded and recorded[0].stopped is not None:
        return recorded[0].stopped
    if chosen is None:
        return _PLAYS_NOTHING if wanted is None else _PLAYS_NOTHING_HERE.with_(case=wanted)
    right = _PASSES if case is None else _PASSES_HERE
    return Replay(
        mission=mission.id,
        file=path.name,
        test_id=chosen.test_id,
        title=titles.get(chosen.test_id, same(chosen.test_id)),
        source=text.text,
        frames=_frames(chosen, tree),
        remark=right if chosen.violation is None else chosen.stopped,
    )


def _test_ids(course: Course, mission: Mission, titles: Iterable[str]) -> list[str]:
    """The ids of the tests with a title, and of those in the mission's test files that have none."""
    missions = [mission, *(course.missions if mission.id == "final" else ())]
    written = [
        f"{one.tests.name}::{name}"
        for one in missions
        for name in _TEST.findall(one.tests.read_text(encoding="utf-8", errors="replace"))
    ]
    return list(dict.fromkeys((*titles, *written)))


_TEST = re.compile(r"^def (test_\w+)", re.MULTILINE)


def _known(case: str, ids: Sequence[str], titles: Mapping[str, Text]) -> str:
    """The id that was meant: in full, or the test's name alone where only one file has it.

    Raises UsageError that lists them all, each in a line with its title.
    """
    meant = [one for one in ids if case in (one, one.partition("::")[2])]
    if case in meant:
        return case
    if len(meant) == 1:
        return meant[0]
    there = same("")
    for one in ids:
        there += same(f"\n  {one}") + (same("") if one not in titles else _TITLED + titles[one])
    raise UsageError(_NO_CASE.with_(case=case) + there)


def _came_to_a_verdict(report: CheckReport) -> bool:
    return report.verdict in (Verdict.PASSED, Verdict.FAILED)


def _chosen(recorded: Sequence[Recorded], wanted: str | None) -> Recorded | None:
    """What is wanted, else the smallest case that fails, else the first that calls a method, else any.

    None where nothing was played: a test need not play a scenario.
    """
    if wanted is not None:
        return next((one for one in recorded if one.test_id == wanted), None)
    if recorded and recorded[0].violation is not None:
        return recorded[0]
    calling = [one for one in recorded if one.trace.scenario.methods]
    return next(iter([*calling, *recorded]), None)


def _frames(chosen: Recorded, tree: ast.Module) -> tuple[ReplayFrame, ...]:
    from pagetutor.tutor.replay_frames import frames_of  # noqa: PLC0415

    return frames_of(chosen.trace, chosen.violation, tree)


def show_replay(
    replayed: Replay | CheckReport | Text, screen: Screen, path: Path, means: Means = COMMANDS
) -> bool:
    """Let the learner step through it, or show what stands in its place; whether there was a replay."""
    match replayed:
        case Replay():
            screen.replay(replayed)
        case CheckReport():
            screen.show(means.report(replayed, path))
        case Text():
            screen.show(Said(replayed))
    return isinstance(replayed, Replay)


_NO_CASE = Text(zh="没有 `{case}` 这个测试。有这些：", en="There is no case `{case}`. There are:")
_TITLED = Text(zh="：", en=": ")
_PLAYS_NOTHING = Text(
    zh="这些测试都不调用你的代码，没有可以回放的。",
    en="None of these tests calls your code: nothing to replay.",
)
_PLAYS_NOTHING_HERE = Text(
    zh="`{case}` 这个测试不调用你的代码，没有可以回放的。",
    en="The test `{case}` does not call your code: nothing to replay.",
)
_PASSES = Text(
    zh="每个测试你的代码都做对了，这里回放第一个。", en="Your code is right in every test; this is the first."
)
_PASSES_HERE = Text(zh="这个测试，你的代码做对了。", en="Your code is right in this test.")
