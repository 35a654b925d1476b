"""The quiz that was left open: mentioned once, with the first pass."""

from __future__ import annotations

from pagetutor.content.model import Mission, PartName
from pagetutor.store.events import Checked
from pagetutor.store.history import History
from pagetutor.text import Text, same
from pagetutor.tutor.parts import filled, part_title
from pagetutor.tutor.progress import fold, remembered


def open_quiz(mission: Mission, history: History) -> Text | None:
    """How to take up this mission's quiz, if the last check was its first pass and the quiz is still open."""
    records = remembered(history.records())
    verdicts = [
        record.event.verdict
        for record in records
        if isinstance(record.event, Checked) and record.event.mission == mission.id
    ]
    if mission.quiz is None or verdicts.count("passed") != 1 or verdicts[-1] != "passed":
        return None
    here, again = fold(records).of(mission.id), mission.quiz.again
    given = here.final_answer(mission.quiz)
    if given is None:
        if not here.answers:  # nobody who only checks a file is asked for a lesson they never began
            return None
        said = _NOT_ANSWERED
    elif given.right or again is None or again.id in here.hit:
        return None
    else:
        said = _LEFT_OPEN
    return filled(said, mission=same(mission.id), part=part_title(mission, PartName.QUIZ))


_NOT_ANSWERED = Text(
    zh="「{part}」那道题还没答：运行 `pagetutor mission {mission}` 就能回去做。",
    en="The question of “{part}” is not answered yet: `pagetutor mission {mission}` takes you there.",
)
_LEFT_OPEN = Text(
    zh="「{part}」那道题你先放着了：学下一个 Mission 时会换一组数字再问一次，"
    "从明天起 `pagetutor mission {mission}` 也会。",
    en="You left the question of “{part}” open: the next mission asks it again with other numbers, and from "
    "tomorrow on `pagetutor mission {mission}` does.",
)
