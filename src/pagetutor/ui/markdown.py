"""The recap as Markdown: a page to keep, in one language, with nothing in it that a screen was needed for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pagetutor.text import Language, Text
from pagetutor.text.lines import lines_of
from pagetutor.tutor.mending import Met
from pagetutor.tutor.recap import Day, Given, MissionRecap, OwnWords, Recap
from pagetutor.ui import recap_phrases as said
from pagetutor.ui.render.recap import (
    about,
    choices_of,
    ending_of,
    facts_of,
    legend,
    mark_of,
    met_words,
    span_of,
)
from pagetutor.ui.render.words import visible

_MARKS = ("✓", "✗", "○")


def recap_as_markdown(recap: Recap, language: Language) -> str:
    """The whole recap as a Markdown document that ends with a line break."""
    parts = [f"# {(said.TITLE + recap.course).in_(language)}"]
    if not recap.missions:
        parts.append(said.NOTHING.in_(language))
    for mission in recap.missions:
        parts += _mission(mission, language)
    return "\n\n".join(parts) + "\n"


def _mission(one: MissionRecap, language: Language) -> list[str]:
    parts = [
        f"## {one.mission.title.in_(language)}",
        " · ".join(fact.in_(language) for fact in facts_of(one)),
    ]
    if one.given:
        parts.append(_heading(said.ANSWERED, language))
        for given in one.given:
            parts += _given(given, language)
    if one.met:
        parts.append(_heading(said.MISTAKES, language))
        parts += [_met(met, language) for met in one.met]
    if one.own_words:
        parts.append(_heading(said.OWN_WORDS, language))
        parts += [_own_words(own, language) for own in one.own_words]
    if one.days:
        parts += [
            _heading(said.OVER_TIME, language),
            _table(one.days, language),
            legend(_MARKS).in_(language),
        ]
    return parts


def _heading(words: Text, language: Language) -> str:
    return f"### {words.in_(language)}"


def _given(given: Given, language: Language) -> list[str]:
    choices = [
        f"- {_MARKS[0] if right else _MARKS[1]} {words.in_(language)}" for right, words in choices_of(given)
    ]
    return [given.ask.in_(language), "\n".join(choices)]


def _met(met: Met, language: Language) -> str:
    told = (
        [met_words(met), ending_of(met)]
        if met.belief is None
        else [met_words(met), met.belief, ending_of(met)]
    )
    parts = [f"{'  ' if at else '- '}{words.in_(language)}" for at, words in enumerate(told)]
    if met.diff:
        lines, left_out = said.cut(met.diff)
        shown = tuple(visible(line) for line in lines)
        fence = _fence(shown)
        parts.append("\n".join([f"  {fence}diff", *(f"  {row}" for row in shown), f"  {fence}"]))
        if left_out:
            parts.append(f"  {said.lines_left_out(left_out).in_(language)}")
    return "\n\n".join(parts)


def _own_words(own: OwnWords, language: Language) -> str:
    lines = [_MARKUP.sub(r"\\\1", visible(line)) for line in lines_of(own.words.strip())]
    return f"- {about(own).in_(language)}\n\n  > " + "\n  > ".join(lines)


_MARKUP = re.compile(r"([\\`*_\[\]<>&~|#+\-])")
"""What could begin a heading, a list, a link or a tag: nobody's words become the page's own."""


def _fence(lines: tuple[str, ...]) -> str:
    """More backticks than stand anywhere in the learner's lines."""
    longest = max((len(run) for line in lines for run in re.findall("`+", line)), default=0)
    return "`" * max(3, longest + 1)


def _table(days: tuple[Day, ...], language: Language) -> str:
    head = " | ".join(words.in_(language) for words in (said.DAY, said.TIME, said.RESULTS))
    rows = [row for day in days for row in _rows(day)]
    return "\n".join([f"| {head} |", "|---|---|---|", *rows])


def _rows(day: Day) -> Iterator[str]:
    """A row of the table; more of them below where there are many marks."""
    marks = "".join(mark_of(verdict, _MARKS) for verdict in day.verdicts)
    for at in range(0, len(marks), said.MARKS_IN_A_ROW):
        date, span = (day.date, span_of(day)) if at == 0 else ("", "")
        yield f"| {date} | {span} | {marks[at : at + said.MARKS_IN_A_ROW]} |"
