"""The recap on a screen: mission by mission, what was answered, met and mended, and a chart of the checks."""

from __future__ import annotations

from itertools import groupby

from rich.cells import cell_len
from rich.text import Text as Line

from pagetutor.text import Text, same
from pagetutor.text.spans import unticked
from pagetutor.tutor.mending import Met
from pagetutor.tutor.recap import Day, Given, MissionRecap, OwnWords
from pagetutor.tutor.screen import RecapShown
from pagetutor.tutor.verdicts import VERDICTS
from pagetutor.ui import recap_phrases as said
from pagetutor.ui.render.blocks import heading, stacked
from pagetutor.ui.render.look import Look
from pagetutor.ui.render.words import literal, prose, visible, wrapped

_DIFF_STYLES = {"+": "green", "-": "red", "@": "dim"}


def recap(value: RecapShown, look: Look) -> list[Line]:
    """The whole recap; one sentence where there is nothing to look back on."""
    if not value.recap.missions:
        return prose(said.NOTHING, look)
    parts = [part for one in value.recap.missions for part in _mission(one, look)]
    return stacked(prose(said.TITLE + value.recap.course, look, style="bold cyan"), *parts)


def _mission(one: MissionRecap, look: Look) -> list[list[Line]]:
    first = f"{look.marks.ok if one.passed else look.marks.bullet} "
    facts = " · ".join(text.in_(look.language) for text in facts_of(one))
    head = [
        *prose(
            one.mission.title,
            look,
            indent=cell_len(first),
            first=first,
            style="bold green" if one.passed else "bold",
        ),
        *wrapped(facts, look, indent=cell_len(first), style="dim"),
    ]
    answered = [line for given in one.given for line in _given(given, look)]
    met = [part for mistake in one.met for part in _met(mistake, look)]
    return [
        head,
        [*heading(said.ANSWERED, look), *answered] if answered else [],
        *([[*heading(said.MISTAKES, look), *met[0]], *met[1:]] if met else []),
        _own_words(one.own_words, look),
        [*heading(said.OVER_TIME, look), *_chart(one.days, look)] if one.days else [],
    ]


def facts_of(one: MissionRecap) -> tuple[Text, ...]:
    """How the mission stands and what it took."""
    return said.facts(
        passed=one.passed,
        checks=one.checks,
        hints=one.hints,
        saw_the_line=one.saw_the_line,
        saw_the_solution=one.saw_the_solution,
        seconds=one.seconds,
    )


def _given(given: Given, look: Look) -> list[Line]:
    """A question, and the choices one under the other, each with its mark."""
    lines = prose(given.ask, look, indent=2)
    for right, words in choices_of(given):
        mark = look.marks.ok if right else look.marks.no
        room = 2 + cell_len(mark) + 1
        lines += prose(words, look, indent=room, first=f"  {mark} ", style="green" if right else "yellow")
    return lines


def choices_of(given: Given) -> list[tuple[bool, Text]]:
    """Whether a choice was right, and its words: the first one, and the final one if it is another."""
    sure = same("") if given.confidence is None else said.SURE[given.confidence]
    if given.first == given.final:
        return [(given.first.right, said.ONCE + given.first.text + sure)]
    return [
        (given.first.right, said.FIRST + given.first.text + sure),
        (given.final.right, said.FINALLY + given.final.text),
    ]


def _met(met: Met, look: Look) -> list[list[Line]]:
    first = f"{look.marks.bullet} "
    words = met_words(met)
    lines = prose(words, look, indent=len(first), first=first)
    if met.belief is not None:
        lines += prose(met.belief, look, indent=len(first))
    lines += prose(ending_of(met), look, indent=len(first))
    shown, left_out = said.cut(met.diff or ())
    for row in shown:
        lines += literal(row, look, indent=4, style=_DIFF_STYLES.get(row[:1], ""))
    if left_out:
        lines += prose(said.lines_left_out(left_out), look, indent=4, style="dim")
    return [lines]


def met_words(met: Met) -> Text:
    """The mistake's name and how many checks named it."""
    told = said.MET_ONCE if met.checks == 1 else said.MET
    return told.with_(mistake=named(met.mistake), count=met.checks)


def named(mistake: str) -> str:
    """A mistake's id for a code span; it may come from another machine's file, and be anything."""
    return visible(unticked(mistake))


def about(own: OwnWords) -> Text:
    """What the learner's words are about."""
    return said.OF_NO_NAME if own.mistake is None else same(f"`{named(own.mistake)}`")


def _own_words(all_of_them: tuple[OwnWords, ...], look: Look) -> list[Line]:
    lines = heading(said.OWN_WORDS, look) if all_of_them else []
    for own in all_of_them:
        first = f"{look.marks.bullet} "
        lines += prose(about(own), look, indent=len(first), first=first)
        lines += literal(own.words, look, indent=len(first))
    return lines


def ending_of(met: Met) -> Text:
    """Whether and how it was mended, before the diff if there is one."""
    if not met.mended:
        return said.NOT_MENDED
    if met.diff is None:
        return said.MENDED_UNKEPT if met.passed else said.GONE_UNKEPT
    if not met.diff:
        return said.MENDED_ELSEWHERE if met.passed else said.GONE_ELSEWHERE
    return said.MENDED_SO if met.passed else said.GONE_SO


# ── the chart ────────────────────────────────────────────────────────────────────────────────────


def _chart(days: tuple[Day, ...], look: Look) -> list[Line]:
    """A row of marks a day, in the order of the checks; aloud, a sentence a day."""
    if look.plain:
        return [line for day in days for line in prose(_sentence(day), look, indent=2)]
    marks = ("+", "x", "o") if look.only_ascii else ("✓", "✗", "○")
    lines: list[Line] = []
    for day in days:
        label = f"  {day.date}  {span_of(day)}  "
        row = "".join(mark_of(verdict, marks) for verdict in day.verdicts)
        if len(label) + 10 > look.width:
            lines += wrapped(label.strip(), look, indent=2)
            label = "    "
        room = look.width - len(label)
        for start in range(0, len(row), room):
            lines.append(Line(label if start == 0 else " " * len(label)) + Line(row[start : start + room]))
    return lines + prose(legend(marks), look, indent=2, style="dim")


def span_of(day: Day) -> str:
    """`19:20-19:45`, or the one time."""
    return day.first if day.first == day.last else f"{day.first}-{day.last}"


def mark_of(verdict: str, marks: tuple[str, str, str]) -> str:
    """The mark of a check, by its verdict."""
    passed, failed, other = marks
    return {"passed": passed, "failed": failed}.get(verdict, other)


def legend(marks: tuple[str, str, str]) -> Text:
    """What the marks mean."""
    passed, failed, other = marks
    return said.LEGEND.with_(passed=passed, failed=failed, other=other)


def _sentence(day: Day) -> Text:
    """The checks of a day as they would be told: each verdict, and how often it came in a row."""
    told = said.AT_ONE_TIME if len(day.verdicts) == 1 else said.ON_A_DAY
    words = told.with_(date=day.date, first=day.first, last=day.last, count=len(day.verdicts))
    for number, (verdict, of_row) in enumerate(groupby(day.verdicts)):
        count = len(list(of_row))
        name = VERDICTS.get(verdict, VERDICTS["stopped"])
        if count > 1:
            name = Text(
                zh=said.IN_A_ROW.zh.format(verdict=name.zh, count=count),
                en=said.IN_A_ROW.en.format(verdict=name.en, count=count),
            )
        words += name if number == 0 else said.COMMA + name
    return words + said.FULL_STOP
