"""Any part of a mission, to be read again without doing anything over."""

from __future__ import annotations

from pagetutor.content.model import Block, Course, Mission, Paragraph, PartName, Points, Question
from pagetutor.store.history import History
from pagetutor.text import Text
from pagetutor.tutor.hand_tracing import from_the_top
from pagetutor.tutor.parts import filled, parts_of
from pagetutor.tutor.progress import MissionProgress, read_progress
from pagetutor.tutor.screen import (
    Explained,
    MappingShown,
    PageShown,
    PartHeading,
    Said,
    Screen,
    Showable,
    WarmUpShown,
)


def show_words(course: Course, screen: Screen) -> None:
    """Show the prologue."""
    screen.show(PageShown(course.prologue))


def show_part(mission: Mission, part: PartName, screen: Screen, history: History) -> None:
    """Show this part of the mission, with the learner's own answers where there are any; asks nothing.

    A question that was not answered yet is shown without its explanations. Raises ValueError for a
    part this mission does not have: `finding.find_part` gives only those it has.
    """
    parts = parts_of(mission)
    screen.show(PartHeading(mission, part, parts.index(part) + 1, len(parts)))
    show_contents(mission, part, screen, history)


def show_contents(mission: Mission, part: PartName, screen: Screen, history: History) -> None:
    """Show what is below the part's head, as `show_part` does."""
    for value in _contents(mission, part, read_progress(history).of(mission.id)):
        screen.show(value)


def _contents(mission: Mission, part: PartName, before: MissionProgress) -> list[Showable]:
    match part:
        case PartName.GUESS if mission.guess:
            return _question(mission.guess, before)
        case PartName.QUIZ if mission.quiz:
            return _question(mission.quiz, before)
        case PartName.BACKGROUND:
            return [PageShown(mission.background)]
        case PartName.DIAGRAM:
            return [PageShown(mission.diagram)]
        case PartName.WARM_UP if mission.warm_up:
            return [WarmUpShown(mission.warm_up, mission.warm_up.program)]
        case PartName.MAPPING:
            return [MappingShown(mission.mapping_intro or Text(zh="", en=""), mission.mapping)]
        case PartName.HAND_TRACE if mission.hand_trace:
            return from_the_top(mission.hand_trace, before)
        case PartName.EXERCISE:
            return [PageShown(mission.exercise.page)]
    raise ValueError(part)


def _question(question: Question, before: MissionProgress) -> list[Showable]:
    blocks: tuple[Block, ...] = (
        Paragraph(question.ask),
        Points(tuple(choice.text for choice in question.choices)),
    )
    first, final = before.first_answer(question), before.final_answer(question)
    if final is None:
        return [PageShown(blocks)]
    if first is None or first == final:
        said = filled(_ONCE, final=final.text)
    else:
        said = filled(_TWICE, first=first.text, final=final.text)
    return [PageShown(blocks), Said(said), Explained(final)]


_ONCE = Text(zh="你选的是：{final}", en="You chose: {final}")
_TWICE = Text(zh="你先选的是：{first}；后来改成：{final}", en="You first chose: {first}; and then: {final}")
