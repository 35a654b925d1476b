"""Guess meets evidence: after a pass, the first guess beside what the learner's own code just did."""

from __future__ import annotations

from pagetutor.content.model import Mission
from pagetutor.exercise.words import did
from pagetutor.judge.report import CheckReport
from pagetutor.text import Text
from pagetutor.tutor.progress import Progress
from pagetutor.tutor.screen import EvidenceShown


def evidence(mission: Mission, report: CheckReport, progress: Progress) -> EvidenceShown | None:
    """The guess and the evidence; None where nothing was guessed, or the check told of no such case."""
    if mission.guess is None or report.evidence is None:
        return None
    before = progress.of(mission.id)
    choice = before.first_answer(mission.guess)
    if choice is None:
        return None
    call, seen = did(report.evidence)
    confidence = before.confidence.get(mission.guess.id)
    return EvidenceShown(choice, call, seen, _CALIBRATION[choice.right, confidence])


_CALIBRATION = {
    (True, 3): Text(zh="当时很有把握，也猜对了。", en="You were sure, and right."),
    (True, 2): Text(zh="当时比较有把握，猜对了。", en="You were fairly sure, and right."),
    (True, 1): Text(
        zh="当时只是猜，猜对了；现在你的代码说明了为什么。",
        en="It was only a guess, and right; now your code shows why.",
    ),
    (True, None): Text(zh="当时猜对了。", en="You guessed right."),
    (False, 3): Text(
        zh="当时很有把握，其实不是这样。最有把握的错，最值得记住。",
        en="You were sure, and it is not so. What one was sure of is worth remembering most.",
    ),
    (False, 2): Text(
        zh="当时比较有把握，其实不是这样；现在你的代码知道了。",
        en="You were fairly sure, and it is not so; your code knows better now.",
    ),
    (False, 1): Text(
        zh="当时只是猜，没猜中；现在你的代码知道了。",
        en="It was only a guess, and it is not so; your code knows better now.",
    ),
    (False, None): Text(
        zh="当时没猜中；现在你的代码知道了。", en="It is not so; your code knows better now."
    ),
}
