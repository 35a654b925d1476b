"""Failures that have no name yet, by how often they were met: what an author should look at next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pagetutor.judge.report import CheckReport
from pagetutor.store.events import UnknownMet
from pagetutor.store.exchange import exported_records
from pagetutor.store.history import History
from pagetutor.tutor.progress import remembered


@dataclass(frozen=True, slots=True)
class Met:
    """A failure without a name: how often it was met, and where; `fingerprint` is of what the code does."""

    times: int
    mission: str
    method: str
    fingerprint: str
    test: str | None


def remember_unknown(history: History, report: CheckReport) -> None:
    """Record the report's failures without a name; one that stays as it was is met once."""
    if not report.unknown:
        return
    events = [record.event for record in remembered(history.records())]
    last = {(one.mission, one.method): one.fingerprint for one in events if isinstance(one, UnknownMet)}
    test = None if report.case is None else report.case.test_id
    for one in report.unknown:
        if last.get((report.mission, one.method)) != one.fingerprint:
            history.append(UnknownMet(report.mission, one.method, one.fingerprint, test))


def unknown_failures(history: History, exports: Sequence[bytes]) -> list[Met]:
    """The failures without a name in this history or, where there are any, in these exports; often met first.

    Raises WorkspaceError for what is no export.
    """
    learners = [exported_records(content) for content in exports] if exports else [history.records()]
    events = (record.event for records in learners for record in remembered(records))
    return _counted(event for event in events if isinstance(event, UnknownMet))


def _counted(events: Iterable[UnknownMet]) -> list[Met]:
    times: Counter[tuple[str, str, str]] = Counter()
    tests: dict[tuple[str, str, str], str | None] = {}
    for event in events:
        key = (event.mission, event.method, event.fingerprint)
        times[key] += 1
        tests.setdefault(key, event.test)
    return [Met(count, *key, tests[key]) for key, count in times.most_common()]
