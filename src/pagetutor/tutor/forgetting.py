"""`forget N`: a mission as if it had never been begun. The learner's file stays as it is."""

from __future__ import annotations

from pagetutor.content.model import Mission
from pagetutor.store.events import FolderUsed, Forgotten
from pagetutor.store.history import History
from pagetutor.text import Text
from pagetutor.tutor.parts import filled, mission_name
from pagetutor.tutor.progress import remembered
from pagetutor.tutor.screen import Said, Screen


def forget(mission: Mission, screen: Screen, history: History) -> bool:
    """Ask, then forget what was done in this mission; whether it was forgotten.

    Answers, checks, hints and the pass count no longer; the language, the prologue and all other
    missions are untouched.
    """
    name = mission_name(mission)
    done = [record.id for record in remembered(history.records()) if _is_in(mission, record.event)]
    if not done:
        screen.show(Said(filled(_NOTHING, mission=name)))
        return False
    if not screen.confirm(filled(_ASK, mission=name)):
        screen.show(Said(_KEPT))
        return False
    history.append(Forgotten(mission.id, tuple(done)))
    screen.show(Said(filled(_FORGOTTEN, mission=name)))
    return True


def _is_in(mission: Mission, event: object) -> bool:
    """Whether this is to be forgotten; where the learner's file lies still holds."""
    return getattr(event, "mission", None) == mission.id and not isinstance(event, Forgotten | FolderUsed)


_NOTHING = Text(
    zh="{mission} 还没有开始，没有要忘掉的。", en="{mission} was not begun; there is nothing to forget."
)
_ASK = Text(
    zh="忘掉 {mission} 里做过的一切（回答、检查、提示、通过）？你的文件不会动。",
    en="Forget all you did in {mission} (answers, checks, hints, the pass)? Your file stays as it is.",
)
_KEPT = Text(zh="什么也没有改。", en="Nothing was changed.")
_FORGOTTEN = Text(
    zh="{mission} 忘掉了，可以从头再来。",
    en="{mission} is forgotten and can be taken from its beginning.",
)
