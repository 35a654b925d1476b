"""Values become lines: `render` is pure, and no line it makes is wider than the screen."""

from __future__ import annotations

from typing import assert_never

from rich.text import Text as Line

from pagetutor.tutor.screen import (
    CardShown,
    EvidenceShown,
    Explained,
    HintShown,
    MappingShown,
    Overview,
    PageShown,
    PartHeading,
    RecapShown,
    ReportShown,
    Said,
    Showable,
    SolutionShown,
    TraceProgress,
    WarmUpRan,
    WarmUpShown,
)
from pagetutor.ui.render import blocks, lesson, overview, words
from pagetutor.ui.render.look import Look


def render(value: Showable, look: Look) -> list[Line]:  # noqa: PLR0912 — one line per value
    """The lines that show `value`, each at most `look.width` cells wide, markup never interpreted."""
    match value:
        case PartHeading():
            return lesson.part_heading(value, look)
        case PageShown():
            return blocks.page(value.blocks, look)
        case Said():
            return words.prose(value.text, look)
        case Explained():
            return lesson.explained(value, look)
        case MappingShown():
            return lesson.mapping(value, look)
        case WarmUpShown():
            return lesson.warm_up(value, look)
        case WarmUpRan():
            return lesson.warm_up_ran(value, look)
        case TraceProgress():
            return lesson.trace_progress(value, look)
        case ReportShown():
            from pagetutor.ui.render.report import report  # noqa: PLC0415 — brings all a report is made of

            return report(value, look)
        case EvidenceShown():
            return lesson.evidence(value, look)
        case RecapShown():
            from pagetutor.ui.render.recap import recap  # noqa: PLC0415 — only for who looks back

            return recap(value, look)
        case HintShown():
            return lesson.hint(value, look)
        case CardShown():
            return lesson.card(value, look)
        case SolutionShown():
            return lesson.solution(value, look)
        case Overview():
            return overview.overview(value, look)
        case _:
            assert_never(value)
