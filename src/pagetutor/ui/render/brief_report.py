"""The report of a check on one screen: what matters most first, and of the rest what there is room for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text as Line

from pagetutor.judge.report import CheckReport, Verdict
from pagetutor.tutor.screen import ReportShown
from pagetutor.ui import phrases
from pagetutor.ui.render.blocks import stacked
from pagetutor.ui.render.case_picture import case_picture
from pagetutor.ui.render.look import Look
from pagetutor.ui.render.report import (
    failing_case,
    head,
    notes,
    place,
    printed,
    python_said,
    quoted_line,
    report,
    works,
)
from pagetutor.ui.render.words import prose

_Piece = tuple[int, Sequence[Line]]  # how early it is wanted (0: always), and its lines
_LAST = 5


def brief_report(value: ReportShown, look: Look, rows: int) -> list[Line]:
    """The whole report where it has at most `rows` lines; otherwise as many of its pieces as have room.

    Verdict and place are always there; then come the case, the belief and the question; then what Python
    said and what the check says; then the picture; then the rest.
    """
    whole = report(value, look)
    if value.report.verdict is Verdict.PASSED or len(whole) <= rows:
        return whole
    pieces = [(wanted, lines) for wanted, lines in _pieces(value.report, look) if lines]
    kept = {at for at, (wanted, _) in enumerate(pieces) if wanted == 0}
    for turn in range(1, _LAST + 1):
        for at, (wanted, _) in enumerate(pieces):
            if wanted == turn and len(_together(pieces, kept | {at})) <= rows:
                kept.add(at)
    return _together(pieces, kept)


def _together(pieces: Sequence[_Piece], kept: set[int]) -> list[Line]:
    return stacked(*(lines for at, (_, lines) in enumerate(pieces) if at in kept))


def _pieces(found: CheckReport, look: Look) -> Iterator[_Piece]:
    """All there is to tell, in the order of the whole report."""
    failed = found.verdict is Verdict.FAILED
    yield 0, head(found, look)
    yield 2 if failed else 1, [] if found.say is None else prose(found.say, look)
    if not failed:
        yield 1, quoted_line(found, look)
    if found.case is not None:
        yield 1, failing_case(found.case, found, look)
        yield 3, case_picture(found.case, look)
    yield from _mistakes(found, look)
    yield 4, works(found, look)
    yield 2, [] if found.raised is None else python_said(found.raised, found.source, look)
    yield _LAST, notes(found, look)
    yield _LAST, printed(found.prints, look)


def _mistakes(found: CheckReport, look: Look) -> Iterator[_Piece]:
    """The first certain mistake, or those it may be; each place before the words about it."""
    certain = [mistake for mistake in found.mistakes if mistake.certain]
    if not found.mistakes:
        yield 1, prose(phrases.UNKNOWN, look) if found.verdict is Verdict.FAILED else []
        return
    if not certain:
        yield 0, prose(phrases.ONE_OF, look)
    for mistake in certain[:1] or found.mistakes:
        told = [*prose(mistake.belief, look), *prose(mistake.ask, look, style="bold")]
        yield 0 if certain else 1, place(mistake, found, look)
        yield 1, told
