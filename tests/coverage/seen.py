"""What a learner sees of a place in the course: the tutor's values, rendered by the screen's own lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

from pagetutor.content.model import Choice, Course, Mission, Paragraph, PartName, Points, Question, TraceCell
from pagetutor.learner.port import ProgramRun
from pagetutor.store.history import History
from pagetutor.text import Language, Text, same
from pagetutor.tutor.parts import parts_of
from pagetutor.tutor.reread import show_part, show_words
from pagetutor.tutor.screen import (
    CardShown,
    Explained,
    Overview,
    PageShown,
    PartHeading,
    Said,
    Screen,
    Showable,
    SolutionShown,
    TraceProgress,
    WarmUpRan,
)
from pagetutor.ui.render import render
from pagetutor.ui.render.look import PLAIN_MARKS, Look
from tests.coverage.row import Exact, Row, find, tokens


def complaints(course: Course, row: Row | Exact) -> list[str]:
    """What of a row is not in the course as a learner sees it, a line for each; none where all is well."""
    if isinstance(row, Exact):
        value = find(course, row.at)
        pairs = [(str(value), row.value)]
        if isinstance(value, Text):
            pairs = [(value.zh, row.value), (value.en, row.en or row.value)]
        return [f"{row.id}: {row.at} is {is_!r}, not {wanted!r}" for is_, wanted in pairs if is_ != wanted]
    return [
        f"{row.id}: {needle!r} is not seen at {' or '.join(row.at)} ({language}, {look})"
        for language in Language
        for look, sight in _sights(course, row, language)
        for needle in row.wanted(language)
        if bare(needle) not in sight
    ]


def _sights(course: Course, row: Row, language: Language) -> list[tuple[str, str]]:
    """A drawing or a pool is drawn on a terminal and said on a plain screen; everything else is on both.

    A path to a `pool` means the picture, one to its `requests` what is said of it.
    """
    values = [value for path in row.at for value in shown_at(course, path)]
    on_terminal, on_plain = Look(language, colour=False), _plain(language)
    looks = [("terminal", on_terminal), ("plain", on_plain)]
    if any(path.endswith((".art", ".pool", ".pools")) for path in row.at):
        looks = looks[:1]
    if any(path.endswith((".says", ".requests")) for path in row.at):
        looks = looks[1:]
    return [(name, sight(values, look)) for name, look in looks]


def sight(values: Iterable[Showable], look: Look) -> str:
    """The values as rendered, with wrapping and spaces undone."""
    return bare("".join(line.plain for value in values for line in render(value, look)))


def bare(words: str) -> str:
    """The words without spaces and line breaks: wrapping moves them."""
    return "".join(words.split())


def shown_at(course: Course, path: str) -> list[Showable]:
    """The values in which the tutor shows what stands at this path, and as few others as may be."""
    first, *rest = tokens(path)
    if first == "title":
        return [Overview(course.title, (), same(""))]
    if first == "prologue":
        screen = Recorder()
        show_words(course, cast("Screen", screen))
        return screen.shown
    mission = next(one for one in course.missions if one.id == str(rest[0]))
    return _of_mission(course, mission, path, str(rest[1]))


def part_shown(mission: Mission, part: PartName) -> list[Showable]:
    """A part as it is reread by someone who has answered nothing."""
    screen = Recorder()
    show_part(mission, part, cast("Screen", screen), History(None))
    return screen.shown


def whole_lesson(course: Course, mission: Mission) -> list[Showable]:
    """Everything a learner may come to see of a mission."""
    there = [
        name
        for name in ("title", "todos", "guess", "background", "diagram", "warm_up", "mapping", "quiz")
        if getattr(mission, name)
    ]
    values = [
        value
        for name in there
        for value in _of_mission(course, mission, f"missions[{mission.id}].{name}", name)
    ]
    for question in (mission.guess, mission.quiz):
        for each in (question, question.again if question else None):
            if each is not None:
                values += [*_asked(each), *(Explained(choice) for choice in each.choices)]
    if mission.warm_up is not None:
        values += [_ran(mission), *(Said(knob.what_happens) for knob in mission.warm_up.knobs)]
    if mission.hand_trace is not None:
        values += [*part_shown(mission, PartName.HAND_TRACE), _traced(mission)]
        values += [Said(cell.explain) for row in mission.hand_trace.rows for cell in row.cells]
    values += part_shown(mission, PartName.EXERCISE)
    values += [Said(mission.exercise.now_works), Said(mission.exercise.next_up)]
    values += [SolutionShown("", mission.other_ways, None), *(CardShown(card) for card in mission.cards)]
    return values


def _of_mission(course: Course, mission: Mission, path: str, name: str) -> list[Showable]:
    match name:
        case "guess" | "quiz":
            return _of_question(course, mission, path, PartName(name))
        case "background" | "diagram" | "mapping":
            return _without_head(part_shown(mission, PartName(name)))
        case "warm_up":
            return _of_warm_up(course, mission, path)
        case "hand_trace":
            value = find(course, path)
            if path.endswith(".explain"):
                return [Said(cast("Text", value))]
            if path.endswith(".intro"):
                return _without_head(part_shown(mission, PartName.HAND_TRACE))
            return [_traced(mission)]
        case "exercise":
            if ".page" in path:
                return _without_head(part_shown(mission, PartName.EXERCISE))
            return [Said(cast("Text", find(course, path)))]
        case "todos":
            items = tuple(same(f"TODO {todo.number}: ") + todo.task for todo in mission.todos)
            return [PageShown((Points(items),))]
        case "cards":
            return [CardShown(card) for card in mission.cards]
        case "other_ways":
            return [SolutionShown("", mission.other_ways, None)]
        case "title":
            return [PartHeading(mission, parts_of(mission)[0], 1, len(parts_of(mission)))]
    raise KeyError(path)


def _of_question(course: Course, mission: Mission, path: str, part: PartName) -> list[Showable]:
    if path.endswith(".explain"):
        return [Explained(cast("Choice", find(course, path.removesuffix(".explain"))))]
    if ".again" in path:
        return _asked(cast("Question", find(course, path[: path.index(".again")] + ".again")))
    return _without_head(part_shown(mission, part))


def _asked(question: Question) -> list[Showable]:
    options = Points(tuple(choice.text for choice in question.choices))
    return [PageShown((Paragraph(question.ask), options))]


def _of_warm_up(course: Course, mission: Mission, path: str) -> list[Showable]:
    if path.endswith(".what_happens"):
        return [Said(cast("Text", find(course, path)))]
    if ".predictions" in path or path.endswith(".output"):
        return [_ran(mission)]
    return _without_head(part_shown(mission, PartName.WARM_UP))


def _ran(mission: Mission) -> Showable:
    warm_up = mission.warm_up
    assert warm_up is not None
    values = {one.expression: one.ends_as for one in warm_up.predictions}
    return WarmUpRan(ProgramRun(warm_up.output, values, None), {})


def _traced(mission: Mission) -> Showable:
    trace = mission.hand_trace
    assert trace is not None
    return TraceProgress(trace, tuple(tuple(_answer(cell) for cell in row.cells) for row in trace.rows))


def _answer(cell: TraceCell) -> str:
    return cell.answer


def _without_head(values: Sequence[Showable]) -> list[Showable]:
    return [value for value in values if not isinstance(value, PartHeading)]


def _plain(language: Language) -> Look:
    return Look(language, marks=PLAIN_MARKS, plain=True, colour=False)


class Recorder:
    """A screen that keeps what it is shown, and is never asked anything."""

    def __init__(self) -> None:
        self.shown: list[Showable] = []

    def show(self, value: Showable) -> None:
        self.shown.append(value)
