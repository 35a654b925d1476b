"""What a check of everything came to, in one line."""

from __future__ import annotations

from collections.abc import Sequence

from pagetutor.content.model import Mission
from pagetutor.judge.report import CheckReport, Verdict
from pagetutor.text import Text, same
from pagetutor.tutor.parts import filled, mission_name


def summary(missions: Sequence[Mission], reports: Sequence[CheckReport]) -> Text:
    """Which missions pass, which do not, and what to run next; at least one does not."""
    both = list(zip(missions, reports, strict=True))
    passed = [mission for mission, report in both if report.verdict is Verdict.PASSED]
    others = [mission for mission, report in both if report.verdict is not Verdict.PASSED]
    said = filled(_NOT_YET, missions=_names(others), next=same(others[0].id))
    return filled(_PASSED, missions=_names(passed)) + said if passed else said


def _names(missions: Sequence[Mission]) -> Text:
    names = [mission_name(mission) for mission in missions]
    return Text(zh="、".join(name.zh for name in names), en=", ".join(name.en for name in names))


_PASSED = Text(zh="通过了：{missions}。", en="Passed: {missions}. ")
_NOT_YET = Text(
    zh="还没通过：{missions}。接下来：`pagetutor mission {next}`",
    en="Not yet: {missions}. Next: `pagetutor mission {next}`",
)
