"""Replaying: one case of a mission's tests on the learner's own code, frame by frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pagetutor.content.model import Course, Mission, MissionId
from pagetutor.diagnosis.gate import Broken, parse, read_source
from pagetutor.errors import UsageError
from pagetutor.exercise.scenario import CallMethod
from pagetutor.judge.report import CheckReport, TestResult, Verdict
from pagetutor.learner.port import DEADLINE_S, Runner
from pagetutor.text import Text
from pagetutor.tutor.checking import Check, check_source
from pagetutor.tutor.screen import ReportShown, Said, Screen

if TYPE_CHECKING:
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
    report: CheckReport | None = None,
    check: Check | None = None,
    deadline_s: float = DEADLINE_S,
) -> Replay | CheckReport | Text:
    """The replay of `case`, a test's id, else of the smallest case that fails, else of the first test's.

    `source` is what `read_file` gave; `report` what a check said of these very bytes, where there was one.
    Nothing is recorded. Where there is nothing to replay the check's report comes back, or the sentence
    why the run that was watched stopped. Raises UsageError for a case there is not, and what a check
    raises (MachineError, ContentError).
    """
    if report is None:
        report = check_source(course, mission, path, source, runner, check=check, deadline_s=deadline_s)
    wanted = None if case is None else _known(case, report.tests)
    if isinstance(source, Text) or report.verdict not in (Verdict.PASSED, Verdict.FAILED):
        return report
    text = read_source(source)
    tree = text if isinstance(text, Broken) else parse(text)
    if isinstance(tree, Broken):
        return report  # it passed, so this cannot be; the report is the honest answer all the same
    from pagetutor.judge.record import record  # noqa: PLC0415 — pytest: only where something is replayed
    from pagetutor.tutor.replay_frames import frames_of  # noqa: PLC0415

    recorded = record(course, mission, path, source, runner, deadline_s=deadline_s)
    if isinstance(recorded, Text):
        return recorded
    calling = [one for one in recorded if any(isinstance(op, CallMethod) for op in one.trace.scenario.ops)]
    chosen = next((one for one in recorded if one.test_id == wanted), None)
    if chosen is None:
        chosen = recorded[0] if recorded[0].violation is not None else calling[0]
    title = next(test.title for test in report.tests if test.id == chosen.test_id)
    return Replay(
        mission=mission.id,
        file=path.name,
        test_id=chosen.test_id,
        title=title,
        source=report.source,
        frames=frames_of(chosen.trace, chosen.violation, tree),
        remark=_remark(report, case) if chosen.violation is None else None,
    )


def show_replay(replayed: Replay | CheckReport | Text, screen: Screen) -> bool:
    """Let the learner step through it, or show what stands in its place; whether there was a replay."""
    match replayed:
        case Replay():
            screen.replay(replayed)
        case CheckReport():
            screen.show(ReportShown(replayed))
        case Text():
            screen.show(Said(replayed))
    return isinstance(replayed, Replay)


def report_of(report: CheckReport | None, source: bytes | Text) -> CheckReport | None:
    """The report, if it was made of these bytes; None where the file has been saved since."""
    if report is None or isinstance(source, Text):
        return None
    text = read_source(source)
    return None if isinstance(text, Broken) or text.text != report.source else report


def _known(case: str, tests: Sequence[TestResult]) -> str:
    """The id that was meant: in full, or the test's name alone where only one file has it."""
    meant = [test.id for test in tests if case in (test.id, test.id.partition("::")[2])]
    if case in meant:
        return case
    if len(meant) == 1:
        return meant[0]
    raise UsageError(_NO_CASE.with_(case=case, there=", ".join(test.id for test in tests)))


def _remark(report: CheckReport, case: str | None) -> Text:
    """What to say where the case is right."""
    if case is not None:
        return _PASSES_HERE
    return _PASSES if report.verdict is Verdict.PASSED else _RIGHT_THIS_TIME


_NO_CASE = Text(
    zh="没有 `{case}` 这个测试。有这些：{there}。", en="There is no case `{case}`. There are: {there}."
)
_PASSES = Text(
    zh="这份文件已经通过了，这里回放它的第一个测试。", en="This file passes; here is its first test."
)
_PASSES_HERE = Text(zh="这个测试，你的代码是对的。", en="Your code is right in this test.")
_RIGHT_THIS_TIME = Text(
    zh="刚才检查没通过，这次回放却都对了：同样的调用，你的代码两次做得不一样。",
    en="The check failed, and this time every test is right: your code does not do the same twice.",
)
