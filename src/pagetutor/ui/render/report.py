"""The report of a check: the smallest failing case, the mistake on its line, the question, what works."""

from __future__ import annotations

from collections import Counter

from rich.cells import cell_len
from rich.text import Text as Line

from pagetutor.diagnosis.mistake import Mistake, Span
from pagetutor.exercise.contract import first_violation
from pagetutor.judge.report import CheckReport, FailingCase, Verdict
from pagetutor.learner.port import Prints, Raised
from pagetutor.text import Text, same
from pagetutor.text.lines import lines_of
from pagetutor.tutor.live import Key
from pagetutor.tutor.screen import ReportShown
from pagetutor.tutor.verdicts import VERDICTS
from pagetutor.ui import phrases
from pagetutor.ui.menu import keys_of
from pagetutor.ui.render.blocks import heading, named_rows, stacked
from pagetutor.ui.render.case_picture import case_picture
from pagetutor.ui.render.code import code, framed, highlighted, quoted, whole_line
from pagetutor.ui.render.look import Look
from pagetutor.ui.render.words import folded, literal, prose, wrapped

_STYLES = {
    Verdict.PASSED: "bold green",
    Verdict.FAILED: "bold red",
    Verdict.UNFILLED: "bold yellow",
    Verdict.BROKEN: "bold red",
    Verdict.STOPPED: "bold red",
}

_MOST_SHOWN = 14  # titles of what works now: a mission's own tests, and no scrolling past them
_MOST_BESIDE = 3  # of what works already, under a mistake that wants to be read first


def report(value: ReportShown, look: Look) -> list[Line]:
    """The whole report, told in the order a learner can use it."""
    found = value.report
    match found.verdict:
        case Verdict.PASSED:
            body = [works(found, look)]
        case Verdict.FAILED:
            body = _failed(value, look)
        case Verdict.UNFILLED | Verdict.BROKEN | Verdict.STOPPED:
            body = _not_run(value, look)
    name = literal(found.file, look, indent=cell_len(look.marks.ok) + 1, style="dim")
    return stacked([*head(found, look), *name], *body, notes(found, look), printed(found.prints, look))


def head(found: CheckReport, look: Look) -> list[Line]:
    """Mission, verdict and how many tests pass."""
    verdict, style = VERDICTS[found.verdict], _STYLES[found.verdict]
    mark = look.marks.ok if found.verdict is Verdict.PASSED else look.marks.no
    name = phrases.mission_name(found.mission)
    words = f"{name.in_(look.language)} · {verdict.in_(look.language)}"
    if found.tests and found.verdict in {Verdict.FAILED, Verdict.PASSED}:
        passed = phrases.TESTS_PASS.with_(passed=len(found.works), of=len(found.tests))
        words += f" · {passed.in_(look.language)}"
    return wrapped(words, look, indent=cell_len(mark) + 1, first=f"{mark} ", style=style)


def works(found: CheckReport, look: Look) -> list[Line]:
    """What works, each title once with its number of tests; of many only the first few."""
    titles = list(Counter(found.works).items())
    if not titles:
        return []
    first = f"{look.marks.ok} "
    most = _MOST_SHOWN
    if found.verdict is Verdict.PASSED:
        lines = heading(phrases.WORKS_NOW, look)
    else:
        most = _MOST_BESIDE
        count = len(found.works)
        of = same("") if count == 1 else phrases.SO_MANY_TESTS.with_(count=count)
        lines = heading(phrases.WORKS_ALREADY + of, look)
    for title_of, count in titles[:most]:
        words = title_of if count == 1 else title_of + phrases.SO_MANY_TESTS.with_(count=count)
        lines += prose(words, look, indent=cell_len(first), first=first, style="green")
    if len(titles) > most:
        count = sum(count for _, count in titles[most:])
        left = phrases.AND_ONE_MORE if count == 1 else phrases.AND_MORE.with_(count=count)
        lines += prose(left, look, indent=cell_len(first), style="dim")
    return lines


# ── failed ───────────────────────────────────────────────────────────────────────────────────────


def _failed(value: ReportShown, look: Look) -> list[list[Line]]:
    found, case = value.report, value.report.case
    return [
        [] if found.say is None else prose(found.say, look),
        [] if case is None else failing_case(case, found, look),
        [] if case is None else case_picture(case, look),
        *_mistakes(found, look, rereads=not value.by_keys),
        works(found, look),
        [] if case is None else _reproduce(case, look),
        [] if found.raised is None else python_said(found.raised, found.source, look),
        _what_next(value, look),
    ]


def failing_case(case: FailingCase, found: CheckReport, look: Look) -> list[Line]:
    """The call, what it should have led to, and what it led to."""
    title = next((test.title for test in found.tests if test.id == case.test_id), None)
    lines = heading(phrases.SMALLEST_CASE, look)
    if title is not None:
        lines += prose(title, look, indent=2)
    rows = [
        (phrases.CALL, case.call, ""),
        (phrases.EXPECTED, case.expected, "green"),
        (phrases.GOT, case.actual, "red"),
    ]
    remark = _of_which(case, found)
    return [*lines, *named_rows(rows, look), *([] if remark is None else prose(remark, look, indent=2))]


def _of_which(case: FailingCase, found: CheckReport) -> Text | None:
    """That the case shows another mistake than the one named first, or may; None where there is only that."""
    certain = [mistake for mistake in found.mistakes if mistake.certain]
    violation = first_violation(case.trace)
    if not certain or violation is None or violation.method is None or certain[0].method is None:
        return None
    shown = violation.method.full_name
    if certain[0].method != shown:
        return phrases.CASE_OF_ANOTHER.with_(method=shown)
    several = any(mistake.method == shown for mistake in certain[1:])
    return phrases.CASE_OF_SEVERAL if several else None


def _mistakes(found: CheckReport, look: Look, *, rereads: bool) -> list[list[Line]]:
    certain = [mistake for mistake in found.mistakes if mistake.certain]
    if certain:
        return _mistake(certain[0], found, look, rereads=rereads)
    if found.mistakes:
        either = [prose(phrases.ONE_OF, look)]
        for mistake in found.mistakes:
            either += _mistake(mistake, found, look, rereads=rereads)
        return either
    return [] if found.case is None else [prose(phrases.UNKNOWN, look)]


def _mistake(mistake: Mistake, found: CheckReport, look: Look, *, rereads: bool) -> list[list[Line]]:
    """The named mistake: its line quoted, what it looks like you believe, the question, what to reread."""
    told_in = mistake.reread_in or found.mission
    return [
        place(mistake, found, look),
        prose(mistake.belief, look),
        prose(mistake.ask, look, style="bold"),
        _command(phrases.REREAD, f"pagetutor show {told_in} {mistake.reread}", look) if rereads else [],
    ]


def place(mistake: Mistake, found: CheckReport, look: Look) -> list[Line]:
    """The line of the mistake, quoted with carets; its name alone where it has none."""
    span = mistake.span
    if span is None:
        where = phrases.MISTAKE_NOWHERE
    else:
        where = (phrases.WHERE_MISSING if mistake.missing else phrases.WHERE).with_(line=span.line)
    id_shown = Text(zh="", en=" ") + phrases.bracketed(same(mistake.id))
    return [*heading(where + id_shown, look), *([] if span is None else quoted(found.source, span, look))]


def _command(before: Text, command: str, look: Look) -> list[Line]:
    return wrapped(f"{before.in_(look.language)}`{command}`", look)


def _reproduce(case: FailingCase, look: Look) -> list[Line]:
    if not case.reproduce.strip():
        return []
    return [*heading(phrases.REPRODUCE, look), *code(case.reproduce, look)]


def python_said(raised: Raised, source: str, look: Look) -> list[Line]:
    """The frames in the learner's file, and the exception's own words."""
    rows = lines_of(source)
    lines = heading(phrases.PYTHON_SAID, look)
    for frame in raised.frames:
        where = phrases.FRAME.with_(line=frame.line, function=frame.function).in_(look.language)
        lines += literal(where, look, indent=2, style="dim")
        if 0 < frame.line <= len(rows):
            shown = highlighted(rows[frame.line - 1].strip(), look)[0]
            lines += [Line("    ") + part for part in folded(shown, look.width - 4)]
    message = f"{raised.exception}: {raised.message}" if raised.message else raised.exception
    return lines + literal(message, look, indent=2, style="red")


def _what_next(value: ReportShown, look: Look) -> list[Line]:
    found = value.report
    lines = prose(phrases.MORE_MAY_APPEAR, look) if found.mistakes else []
    if found.case is not None:
        lines += _by(phrases.REPLAY, "replay", value, look)
    certain = [mistake for mistake in found.mistakes if mistake.certain]
    if certain and certain[0].id.startswith("structure."):  # its line is all there is: no hint goes deeper
        return lines
    before = phrases.DEEPER if certain else phrases.LOOK_FIRST
    return lines + _by(before, "hint", value, look)


def _by(before: Text, what: str, value: ReportShown, look: Look) -> list[Line]:
    """How to ask for it from where the learner is: a key of watching, one of the menu below, or a command."""
    if value.by_keys:
        return _command(before, _WATCH_KEYS[what].value, look)
    if value.menu:
        key = keys_of(value.menu, numbered=look.plain).get(what)
        return [] if key is None else prose(before + phrases.IN_THE_MENU.with_(key=key), look)
    return _command(before, f"pagetutor {what} {value.report.mission}{value.file_argument}", look)


_WATCH_KEYS = {"replay": Key.REPLAY, "hint": Key.HINT}


# ── unfilled, broken, stopped ────────────────────────────────────────────────────────────────────


def _not_run(value: ReportShown, look: Look) -> list[list[Line]]:
    """What `say` tells, which ends with the next thing to do, and the line it is about."""
    found = value.report
    return [
        [] if found.say is None else prose(found.say, look),
        quoted_line(found, look),
        *([] if not found.mistakes else _mistakes(found, look, rereads=not value.by_keys)),
        works(found, look),
        [] if found.raised is None else python_said(found.raised, found.source, look),
    ]


def quoted_line(found: CheckReport, look: Look) -> list[Line]:
    """The line that the report is about, quoted: a caret under the character it names, or under all of it."""
    if found.line is None:
        return []
    span = whole_line(found.source, found.line)
    if found.column is not None and found.column <= span.end_column:
        span = Span(found.line, found.column, found.line, found.column + 1)
    return quoted(found.source, span, look)


# ── under everything ─────────────────────────────────────────────────────────────────────────────


def notes(found: CheckReport, look: Look) -> list[Line]:
    """What is legal, and worth knowing."""
    colon = Text(zh="：", en=": ")
    lines: list[Line] = []
    for note in found.notes:
        first = f"{look.marks.bullet} "
        lines += prose(phrases.NOTE + colon + note.say, look, indent=len(first), first=first)
    return lines


def printed(prints: Prints, look: Look) -> list[Line]:
    """What the learner's code printed, its middle left out where it was long."""
    if not (prints.head or prints.tail or prints.dropped):
        return []
    lines = _framed(prints.head, look)
    if prints.dropped:
        words = phrases.LEFT_OUT.with_(bytes=f"{prints.dropped:,}").in_(look.language)
        lines += wrapped(f"{look.marks.dots} {words} {look.marks.dots}", look, indent=4, style="dim")
    lines += _framed(prints.tail, look)
    return [*heading(phrases.YOUR_PRINTS, look), *lines]


def _framed(text: str, look: Look) -> list[Line]:
    return framed(literal(text.rstrip("\n"), look.narrower(4)), look) if text else []
