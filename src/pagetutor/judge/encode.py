"""A check's report as the JSON document that `check --json` answers: the contract others build on."""

from __future__ import annotations

from pagetutor.diagnosis.mistake import Mistake
from pagetutor.judge.report import CheckReport, Reason, TestResult, Verdict
from pagetutor.text import Language, Text

SCHEMA = 1


def encode(report: CheckReport, language: Language) -> dict[str, object]:
    """The report as JSON values; sentences in `language`, lines and columns 1-based.

    `diagnoses` has the certain ones in causal order, then those that are only one of several. What the
    gate found (`structure.syntax`, `structure.unfilled`) stands there too, with its sentence. Why else a
    file is broken or a run stopped is the first of `notes`, by the reason's name, unless a diagnosis says it.
    """
    mission: object = int(report.mission) if report.mission.isdecimal() else report.mission
    in_order = sorted(report.mistakes, key=lambda mistake: not mistake.certain)  # stable: causal order stays
    return {
        "schema": SCHEMA,
        "mission": mission,
        "file": report.file,
        "verdict": report.verdict.value,
        "reason": None if report.reason is None else report.reason.value,
        "line": report.line,
        "tests": [_test(test, language) for test in report.tests],
        "diagnoses": [*_gate(report, language), *(_diagnosis(mistake, language) for mistake in in_order)],
        "notes": [
            *_reason(report, language),
            *({"id": note.id, "say": note.say.in_(language)} for note in report.notes),
        ],
        "seconds": report.seconds,
        "isolation": list(report.isolation),
    }


def encode_all(reports: list[CheckReport], language: Language) -> dict[str, object]:
    """The reports of several missions as one document."""
    return {"schema": SCHEMA, "missions": [encode(report, language) for report in reports]}


def encode_error(code: int, say: Text, language: Language) -> dict[str, object]:
    """What stands in a report's place where there could be none; `code` is the exit code."""
    return {"schema": SCHEMA, "error": {"code": code, "say": say.in_(language)}}


def _gate(report: CheckReport, language: Language) -> list[dict[str, object]]:
    if report.verdict is Verdict.UNFILLED:
        name = "structure.unfilled"
    elif report.reason is Reason.SYNTAX:
        name = "structure.syntax"
    else:
        return []
    return [
        {
            "id": name,
            "certain": True,
            "line": report.line,
            "column": report.column,
            "end_line": None,
            "end_column": None,
            "say": "" if report.say is None else report.say.in_(language),
        }
    ]


def _reason(report: CheckReport, language: Language) -> list[dict[str, object]]:
    if report.reason is None or report.say is None or report.mistakes or _gate(report, language):
        return []
    return [{"id": report.reason.value, "say": report.say.in_(language)}]


def _test(test: TestResult, language: Language) -> dict[str, object]:
    return {
        "id": test.id,
        "title": test.title.in_(language),
        "outcome": test.outcome,
        "expected": None if test.expected is None else test.expected.in_(language),
        "actual": None if test.actual is None else test.actual.in_(language),
    }


def _diagnosis(mistake: Mistake, language: Language) -> dict[str, object]:
    span = mistake.span
    return {
        "id": mistake.id,
        "certain": mistake.certain,
        "line": None if span is None else span.line,
        "column": None if span is None else span.column,
        "end_line": None if span is None else span.end_line,
        "end_column": None if span is None else span.end_column,
        "say": f"{mistake.belief.in_(language)} {mistake.ask.in_(language)}",
    }
