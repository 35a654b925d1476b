"""The overview: every mission with a bar, and what is next."""

from __future__ import annotations

from rich.cells import cell_len
from rich.text import Text as Line

from pagetutor.tutor.screen import MissionLine, Overview
from pagetutor.tutor.verdicts import VERDICTS
from pagetutor.ui import phrases
from pagetutor.ui.render.blocks import stacked
from pagetutor.ui.render.look import Look
from pagetutor.ui.render.words import prose, wrapped

_BAR = 10


def overview(value: Overview, look: Look) -> list[Line]:
    """The course, a line and a bar for each mission, and what is next."""
    missions: list[Line] = []
    for line in value.lines:
        missions += _mission(line, look)
    passed = sum(line.passed for line in value.lines)
    summary = phrases.MISSIONS_PASSED.with_(passed=passed, of=len(value.lines))
    return stacked(
        prose(value.course, look, style="bold"),
        missions,
        [
            *wrapped(f"{_bar(passed, len(value.lines), look)} {summary.in_(look.language)}", look),
            *prose(value.next_up, look, style="bold"),
        ],
    )


def _mission(line: MissionLine, look: Look) -> list[Line]:
    first = f"{look.marks.ok if line.passed else look.marks.bullet} "
    title = line.mission.title
    state = f"{_bar(_done(line), line.parts, look)} {_state(line, look)}"
    return [
        *prose(title, look, indent=cell_len(first), first=first, style="green" if line.passed else ""),
        *wrapped(state, look, indent=cell_len(first), style="dim"),
    ]


def _done(line: MissionLine) -> int:
    return line.parts if line.passed else min(line.parts_done, max(line.parts - 1, 0))


def _state(line: MissionLine, look: Look) -> str:
    if line.passed:
        words = [phrases.PASSED_STATE]
    elif line.begun:
        words = [phrases.PARTS_STATE.with_(done=line.parts_done, of=line.parts)]
    else:
        words = [phrases.NOT_BEGUN]
    if line.checks:
        words.append(phrases.ONE_CHECK if line.checks == 1 else phrases.CHECKS_MADE.with_(count=line.checks))
    if line.last_check is not None:
        verdict, at = line.last_check
        verdict_words = VERDICTS.get(verdict, VERDICTS["stopped"]).in_(look.language)
        words.append(phrases.LAST_CHECK.with_(at=at, verdict=verdict_words))
    return " · ".join(text.in_(look.language) for text in words)


def _bar(done: int, of: int, look: Look) -> str:
    if look.plain:  # a bar says nothing aloud; the words beside it do
        return ""
    full = _BAR * done // of if of else 0
    return look.marks.full * full + look.marks.empty * (_BAR - full)
