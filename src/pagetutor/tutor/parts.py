"""The parts of a mission, and the steps a lesson takes through them."""

from __future__ import annotations

from enum import StrEnum

from pagetutor.content.model import Mission, PartName
from pagetutor.text import Text, same


class Step(StrEnum):
    """The steps of a lesson, in order. The guess is met twice; every other step is one part."""

    GUESS = "guess"
    BACKGROUND = "background"
    DIAGRAM = "diagram"
    GUESS_AGAIN = "guess-again"
    WARM_UP = "warm-up"
    MAPPING = "mapping"
    QUIZ = "quiz"
    HAND_TRACE = "hand-trace"
    EXERCISE = "exercise"

    @property
    def part(self) -> PartName:
        """The part this step belongs to."""
        return PartName.GUESS if self is Step.GUESS_AGAIN else PartName(self.value)

    def counts_with(self, mission: Mission) -> PartName:
        """The part this step is counted with: the guess, met again, comes with the diagram before it."""
        return PartName.DIAGRAM if self is Step.GUESS_AGAIN and mission.diagram else self.part


def steps_of(mission: Mission) -> tuple[Step, ...]:
    """The steps this mission has, in order; the exercise is always the last."""
    there = {
        Step.GUESS: mission.guess is not None,
        Step.BACKGROUND: bool(mission.background),
        Step.DIAGRAM: bool(mission.diagram),
        Step.GUESS_AGAIN: mission.guess is not None,
        Step.WARM_UP: mission.warm_up is not None,
        Step.MAPPING: bool(mission.mapping),
        Step.QUIZ: mission.quiz is not None,
        Step.HAND_TRACE: mission.hand_trace is not None,
        Step.EXERCISE: True,
    }
    return tuple(step for step in Step if there[step])


def parts_of(mission: Mission) -> tuple[PartName, ...]:
    """The parts this mission has, in order."""
    return tuple(dict.fromkeys(step.part for step in steps_of(mission) if step is not Step.GUESS_AGAIN))


def part_title(mission: Mission, part: PartName) -> Text:
    """What a part is called in this mission: missions 2 and 3 map onto their TODO."""
    if part is PartName.MAPPING:
        return _MAPPING_TO.get(mission.id, _TITLES[part])
    if part is PartName.EXERCISE and mission.id == "final":
        return _OFFICIAL
    return _TITLES[part]


def mission_name(mission: Mission) -> Text:
    """`Mission 1`, or the whole exercise."""
    return _OFFICIAL if mission.id == "final" else same(f"Mission {mission.id}")


def filled(template: Text, **texts: Text) -> Text:
    """The template with each `{name}` filled in by a text, each language with its own."""
    return Text(
        zh=template.zh.format(**{name: text.zh for name, text in texts.items()}),
        en=template.en.format(**{name: text.en for name, text in texts.items()}),
    )


_OFFICIAL = Text(zh="官方题目", en="The official exercise")
_TITLES = {
    PartName.GUESS: Text(zh="先猜一猜", en="Guess first"),
    PartName.BACKGROUND: Text(zh="先补的知识", en="What you need to know"),
    PartName.DIAGRAM: Text(zh="图解原理", en="How it works, drawn"),
    PartName.WARM_UP: Text(zh="语法热身", en="Syntax warm-up"),
    PartName.MAPPING: Text(zh="从语法例子迁移到当前练习", en="From the warm-up to the exercise"),
    PartName.QUIZ: Text(zh="巩固一下", en="Make it stick"),
    PartName.HAND_TRACE: Text(zh="用手推一遍", en="Trace it by hand"),
    PartName.EXERCISE: Text(zh="学完这一段，试着做", en="You have read it, now try it"),
}
_MAPPING_TO = {
    "2": Text(zh="迁移到 TODO 3", en="From the warm-up to TODO 3"),
    "3": Text(zh="迁移到 TODO 5", en="From the warm-up to TODO 5"),
}
