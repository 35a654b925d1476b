"""The steps that are read: the prologue, the background, the diagram, the mapping."""

from __future__ import annotations

from pagetutor.store.events import PrologueSeen
from pagetutor.text import Text
from pagetutor.tutor.parts import Step
from pagetutor.tutor.reread import show_contents, show_words
from pagetutor.tutor.screen import Pause
from pagetutor.tutor.sitting import Sitting


def prologue(sitting: Sitting) -> None:
    """The words everything else is told in: once, before the first mission, and skippable."""
    sitting.say(_FIRST_WORDS)
    if sitting.screen.pause(skippable=True) is Pause.SKIP:
        sitting.record(PrologueSeen(skipped=True))
        return
    show_words(sitting.course, sitting.screen)
    sitting.screen.pause()
    sitting.record(PrologueSeen(skipped=False))


def background(sitting: Sitting) -> None:
    """What one has to know first."""
    _read(sitting, Step.BACKGROUND)


def diagram(sitting: Sitting) -> None:
    """The idea, drawn."""
    _read(sitting, Step.DIAGRAM)


def mapping(sitting: Sitting) -> None:
    """How the warm-up's names become the exercise's."""
    _read(sitting, Step.MAPPING)


def _read(sitting: Sitting, step: Step) -> None:
    sitting.head(step)
    show_contents(sitting.mission, step.part, sitting.screen, sitting.history)
    sitting.screen.pause()


_FIRST_WORDS = Text(
    zh="开始之前，先用一页认识几个词；以后想重看，运行 `pagetutor words`。",
    en="Before you begin, one page of words you will need; `pagetutor words` shows it again later.",
)
