"""Guess meets evidence: after the first pass, the guess beside what the learner's own code just did."""

from __future__ import annotations

from pagetutor.content.model import Mission
from pagetutor.exercise.words import did
from pagetutor.judge.report import CheckReport
from pagetutor.text import Text
from pagetutor.tutor.progress import Progress
from pagetutor.tutor.screen import EvidenceShown


def evidence(mission: Mission, report: CheckReport, progress: Progress) -> EvidenceShown | None:
    """The guess and the evidence; None where nothing was guessed, or the check told of no such case.

    It is told once: `progress` is that after this pass, and a mission that had passed before has none.
    """
    if mission.guess is None or report.evidence is None:
        return None
    before = progress.of(mission.id)
    first, final = before.first_answer(mission.guess), before.final_answer(mission.guess)
    if first is None or before.passes > 1:
        return None
    call, seen = did(report.evidence)
    sure = before.confidence.get(mission.guess.id)
    if final is not None and final.right and not first.right:
        return EvidenceShown(final, call, seen, _CHANGED_SURELY if sure == _SURE else _CHANGED)
    if final is not None and first.right and not final.right:
        return EvidenceShown(first, call, seen, _TURNED_AWAY)
    return EvidenceShown(first, call, seen, _CALIBRATION[first.right, sure])


_SURE = 3
_CHANGED = Text(zh="后来你改了主意，改对了。", en="You changed your mind, rightly.")
_CHANGED_SURELY = Text(
    zh="一开始你很有把握，后来还是改了主意，改对了：这样的转变最值得记住。",
    en="You had been sure of something else and changed your mind, rightly: that is worth remembering most.",
)
_TURNED_AWAY = Text(
    zh="你最先猜的就是对的，后来才改掉。你自己写的代码站在最先那个想法一边。",
    en="Your very first guess was right, though you left it later: your own code sides with it.",
)
_CALIBRATION = {
    (True, 3): Text(zh="当时很有把握，也猜对了。", en="You were sure, and right."),
    (True, 2): Text(zh="当时比较有把握，猜对了。", en="You were fairly sure, and right."),
    (True, 1): Text(
        zh="当时只是猜，猜对了；现在你的代码说明了为什么。",
        en="It was only a guess, and right; now your code shows why.",
    ),
    (True, None): Text(zh="当时猜对了。", en="You guessed right."),
    (False, 3): Text(
        zh="当时很有把握，结果却不一样：这样的意外最值得记住。",
        en="You were sure, and it turned out otherwise: a surprise like this is worth remembering most.",
    ),
    (False, 2): Text(
        zh="当时比较有把握，结果却不一样；你自己写的代码刚刚做给你看了。",
        en="You were fairly sure; now your own code has shown you how it really goes.",
    ),
    (False, 1): Text(
        zh="当时只是猜；现在不用猜了，你自己写的代码就是答案。",
        en="You said it was a guess; now you need not guess: your own code has the answer.",
    ),
    (False, None): Text(
        zh="结果和当时猜的不一样；现在你自己写的代码就是答案。",
        en="It turned out otherwise than you guessed; now your own code has the answer.",
    ),
}
