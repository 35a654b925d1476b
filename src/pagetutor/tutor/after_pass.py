"""After a pass: what works now, the guess beside it, a card, and what comes next."""

from __future__ import annotations

from collections.abc import Callable

from pagetutor.content.model import Course, Mission
from pagetutor.judge.report import CheckReport
from pagetutor.store.events import CardSeen
from pagetutor.store.history import History
from pagetutor.text import Text
from pagetutor.tutor.evidence import evidence
from pagetutor.tutor.open_quiz import open_quiz
from pagetutor.tutor.parts import filled, mission_name
from pagetutor.tutor.progress import Progress, read_progress
from pagetutor.tutor.screen import CardShown, Said, Showable


def say_what_works(
    course: Course, mission: Mission, report: CheckReport, show: Callable[[Showable], None], history: History
) -> None:
    """After a pass: what works now, the first guess beside it, one card not seen yet, what comes next."""
    progress = read_progress(history)
    show(Said(mission.exercise.now_works))
    if (compared := evidence(mission, report, progress)) is not None:
        show(compared)
    unseen = [card for card in mission.cards if card.id not in progress.of(mission.id).cards]
    if unseen:
        show(CardShown(unseen[0]))
        history.append(CardSeen(mission.id, unseen[0].id))
    if (still_open := open_quiz(mission, history)) is not None:
        show(Said(still_open))
    if (ahead := _ahead(course, mission, progress)) is not None:
        show(Said(ahead))
    if mission.id == "final":
        show(Said(LOOK_BACK))


def _ahead(course: Course, mission: Mission, progress: Progress) -> Text | None:
    """What the mission says comes next, where that does; before the end of the course, what is left of it."""
    missions = course.missions
    successor = next(iter(missions[[one.id for one in missions].index(mission.id) + 1 :]), None)
    if following_mission(course, mission, progress) == successor:
        return mission.exercise.next_up
    if successor is not None:  # somebody who takes the missions in another order is told by the menu
        return None
    left = [mission_name(one) for one in missions if not progress.passed(one.id)]
    names = Text(zh="、".join(name.zh for name in left), en=", ".join(name.en for name in left))
    return filled(_STILL_TO_READ, missions=names)


def following_mission(course: Course, mission: Mission, progress: Progress) -> Mission | None:
    """The next mission of the course that is not passed, this one's successors first."""
    missions = course.missions
    here = [one.id for one in missions].index(mission.id)
    in_turn = (*missions[here + 1 :], *missions[:here])
    return next((mission for mission in in_turn if not progress.passed(mission.id)), None)


_STILL_TO_READ = Text(
    zh="练习已经完整了。课程里还没学的：{missions}。",
    en="The exercise is whole. Of the course there is still to read: {missions}.",
)
LOOK_BACK = Text(
    zh="回顾这一路（先猜的、遇到的错误、怎么改好的）：`pagetutor recap`。",
    en="To look back on your way (guesses, mistakes and how you mended them): `pagetutor recap`.",
)
