"""The lesson's own values: heads of parts, explanations, warm-up runs, mapping, hints, solutions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rich.text import Text as Line

from pagetutor.content.model import PartName
from pagetutor.text import Text, same
from pagetutor.text.spans import unticked
from pagetutor.tutor.answers import same_answer
from pagetutor.tutor.parts import mission_name, part_title
from pagetutor.tutor.screen import (
    CardShown,
    EvidenceShown,
    Explained,
    HintShown,
    MappingShown,
    PartHeading,
    SolutionShown,
    TraceProgress,
    WarmUpRan,
    WarmUpShown,
)
from pagetutor.ui import phrases
from pagetutor.ui.render.blocks import heading, named_rows, stacked
from pagetutor.ui.render.code import code, framed
from pagetutor.ui.render.look import Look
from pagetutor.ui.render.table import table
from pagetutor.ui.render.words import literal, prose, wrapped

if TYPE_CHECKING:
    from pagetutor.learner.port import Raised


def part_heading(value: PartHeading, look: Look) -> list[Line]:
    """Mission and part, with a rule under them; at the guess, what a guess is for.

    The mission's whole title stands over its first part only. In a lesson a bar shows how far it is; where
    a part is reread, its number among the parts.
    """
    mission = value.mission.title if value.number == 1 and not value.again else _short_title(value)
    name = part_title(value.mission, value.part).in_(look.language)
    if value.part is PartName.GUESS:
        name = f"{look.marks.target} {name}".strip()
    count = f" ({value.number}/{value.of})" if value.of > 1 and not value.in_lesson else ""
    lines = [
        *prose(mission + _how_far(value, look), look, style="dim"),
        *wrapped(f"{name}{count}", look, style="bold cyan"),
        Line(look.marks.rule * min(look.width, 40), style="dim"),
    ]
    if value.part is PartName.GUESS and not value.again:
        lines += prose(phrases.GUESS_INTRO, look, style="dim")
    return lines


def _how_far(value: PartHeading, look: Look) -> Text:
    """The part of the lesson as a bar and in numbers; in words where a bar says nothing aloud."""
    at, of = value.number, value.of
    if not value.in_lesson or of == 1:
        return same("")
    if look.plain:
        return same(" · ") + phrases.PART.with_(at=at, of=of)
    return same(f" · {look.marks.full * at}{look.marks.empty * (of - at)} {at}/{of}")


def _short_title(value: PartHeading) -> Text:
    name = mission_name(value.mission)
    return name if value.mission.id == "final" else name + same(" · ") + phrases.CONCEPT_PRACTICE


def explained(value: Explained, look: Look) -> list[Line]:
    """Whether the option was right, in a mark and in words, and why."""
    right = value.choice.right
    mark = look.marks.ok if right else look.marks.no
    verdict = phrases.RIGHT if right else phrases.NOT_QUITE
    space = Text(zh="", en=" ")
    return prose(
        verdict + space + value.choice.explain,
        look,
        indent=len(mark) + 1,
        first=f"{mark} ",
        style="green" if right else "yellow",
    )


def evidence(value: EvidenceShown, look: Look) -> list[Line]:
    """The guess, the case in numbers, what the code did in it, and how the one fits the other."""
    right = value.guessed.right
    mark = look.marks.ok if right else look.marks.no
    rows = [
        (phrases.GUESSED, value.guessed.text, ""),
        (phrases.CALL, value.call, ""),
        (phrases.DID, value.did, ""),
    ]
    lines = [*heading(phrases.GUESS_AND_CODE, look), *named_rows(rows, look)]
    style = "green" if right else "yellow"
    return lines + prose(value.calibration, look, indent=len(mark) + 1, first=f"{mark} ", style=style)


def mapping(value: MappingShown, look: Look) -> list[Line]:
    """How the warm-up's names become the exercise's, row by row."""
    head = (phrases.WARM_UP_NAME, phrases.EXERCISE_NAME, phrases.REMARK)
    rows = [(_span(row.warm_up), _span(row.exercise), row.remark) for row in value.rows]
    return stacked(prose(value.intro, look), table(head, rows, look))


def _span(words: str) -> Text:
    return same(words if "`" in words else f"`{words}`")


def warm_up(value: WarmUpShown, look: Look) -> list[Line]:
    """The warm-up's introduction and its program."""
    return stacked(prose(value.warm_up.intro, look), code(value.program, look))


def warm_up_ran(value: WarmUpRan, look: Look) -> list[Line]:
    """What the program printed and ended with, each value beside the learner's prediction."""
    run = value.run
    if run.output:
        printed = [
            *heading(phrases.PRINTED, look),
            *framed(literal(run.output.rstrip("\n"), look.narrower(4)), look),
        ]
    else:
        printed = prose(phrases.PRINTED_NOTHING, look)
    values: list[Line] = []
    for expression, ended in run.values.items():
        values += _ended(expression, ended, value.predicted.get(expression), look)
    if values:
        values = [*heading(phrases.ENDED_AS, look), *values]
    return stacked(printed, [] if run.raised is None else _stopped(run.raised, look), values)


def _ended(expression: str, ended: str, predicted: str | None, look: Look) -> list[Line]:
    shown = f"`{expression}` = `{ended}`"
    if predicted is None:
        return wrapped(shown, look, indent=2, first="  ")
    right = same_answer(predicted, ended)
    remark = phrases.YOU_SAID_SO if right else phrases.YOU_SAID.with_(value=unticked(predicted))
    mark = look.marks.ok if right else look.marks.no
    words = shown + (Text(zh="", en=" ") + phrases.bracketed(remark)).in_(look.language)
    return wrapped(words, look, indent=len(mark) + 1, first=f"{mark} ", style="green" if right else "yellow")


def _stopped(raised: Raised, look: Look) -> list[Line]:
    where = phrases.RAISED_SOMEWHERE if raised.line is None else phrases.RAISED.with_(line=raised.line)
    return [
        *prose(where, look),
        *literal(f"{raised.exception}: {raised.message}", look, indent=4, first="    "),
    ]


def trace_progress(value: TraceProgress, look: Look) -> list[Line]:
    """The hand-trace as a table: a wrong cell with a mark and what belongs there, the others open."""
    rows = []
    for row, filled in zip(value.trace.rows, value.filled, strict=True):
        cells = zip(filled, row.cells, strict=True)
        rows.append((row.given, *(_cell(typed, cell.answer, look) for typed, cell in cells)))
    begun = any(cell is not None for filled in value.filled for cell in filled)
    return stacked([] if begun else prose(value.trace.intro, look), table(value.trace.head, rows, look))


def _cell(typed: str | None, answer: str, look: Look) -> Text:
    if typed is None:
        return same(look.marks.dots)
    shown = unticked(typed)
    return same(shown if same_answer(typed, answer) else f"{look.marks.no} {shown} → {answer}")


def hint(value: HintShown, look: Look) -> list[Line]:
    """One rung of the ladder; the code that its words lead to stands below them, as it is to be typed."""
    words = value.text.in_(look.language).strip()
    for pattern in (_BLOCK, _LINE):
        if "\n" not in words and (found := pattern.search(words)) is not None:
            before = words[: found.start()].rstrip().rstrip(",，")
            if before and not before.endswith((":", "：")):
                before += _COLON.in_(look.language)
            written = "\n    ".join(found.groups())
            return [*heading(value.title, look), *wrapped(before, look), *code(written, look)]
    return [*heading(value.title, look), *hint_text(value.text, look)]


_BLOCK = re.compile("`([^`\n]+:)`[^`\n]*(?:缩进|indented)[^`\n]*`([^`\n]+)`$")
"""The head of a block, and the line that is said to be indented under it, where they end the words."""
_LINE = re.compile("(?:^|(?<=：)|(?<=: ))`([^`\n]+)`$")
"""A line of code that is all there is, or that words ending with a colon lead to."""
_COLON = Text(zh="：", en=":")


def hint_text(text: Text, look: Look) -> list[Line]:
    """A hint's words; lines indented by four or more are code and keep their shape."""
    lines: list[Line] = []
    for row in text.in_(look.language).strip("\n").split("\n"):
        lines += code(row[4:], look) if row.startswith("    ") else wrapped(row, look)
    return lines


def card(value: CardShown, look: Look) -> list[Line]:
    """A card "beyond the exercise"."""
    colon = Text(zh="：", en=": ")
    return [*heading(phrases.BEYOND + colon + value.card.title, look), *hint_text(value.card.text, look)]


def solution(value: SolutionShown, look: Look) -> list[Line]:
    """The learner's own method first, then the reference, then other right ways with their trade-offs."""
    own = [] if value.own is None else [*heading(phrases.YOUR_OWN, look), *code(value.own, look)]
    reference = [*heading(phrases.REFERENCE, look), *code(value.reference, look)]
    others = [
        [
            *heading(other.title, look),
            *code(other.code, look),
            *prose(phrases.TRADE_OFF + other.trade_off, look),
        ]
        for other in value.others
    ]
    return stacked(own, reference, *others)
