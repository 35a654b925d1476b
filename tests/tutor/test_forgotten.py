"""What was forgotten counts no longer, neither for what is kept beside a check nor for the authors."""

from __future__ import annotations

import json
from dataclasses import replace

from pagetutor.diagnosis.mistake import Unknown
from pagetutor.store.events import Forgotten, MethodsSeen, UnknownMet
from pagetutor.store.exchange import export_history
from pagetutor.tutor.checking import check_file
from pagetutor.tutor.progress import remembered
from pagetutor.tutor.recap import recap
from pagetutor.tutor.unknowns import Met, remember_unknown, unknown_failures
from tests.tutor.conftest import Desk
from tests.tutor.small import FLOORED, RIGHT, marked_check


def check(desk: Desk, source: str) -> None:
    desk.write(source)
    check_file(
        *(desk.course, desk.mission("1"), desk.workspace.file, desk.history, desk.runner), check=marked_check
    )


def forget_everything(desk: Desk) -> None:
    desk.history.append(Forgotten("1", tuple(record.id for record in desk.history.records())))


def test_the_methods_of_a_mistake_met_again_are_kept_again(desk: Desk) -> None:
    check(desk, FLOORED)
    forget_everything(desk)
    check(desk, FLOORED)
    check(desk, RIGHT)
    left = [record.event for record in remembered(desk.history.records())]
    assert len([event for event in left if isinstance(event, MethodsSeen)]) == 2
    (met,) = recap(desk.course, desk.history.records()).missions[0].met
    assert met.mended
    assert met.diff


def test_what_was_forgotten_makes_no_methods_worth_keeping(desk: Desk) -> None:
    check(desk, FLOORED)
    forget_everything(desk)
    check(desk, RIGHT)
    left = [record.event for record in remembered(desk.history.records())]
    assert [event for event in left if isinstance(event, MethodsSeen)] == []


def test_a_failure_without_a_name_is_met_again_after_it_was_forgotten(desk: Desk) -> None:
    report = marked_check(
        *(desk.course, desk.mission("1"), desk.workspace.file, FLOORED.encode(), desk.runner), deadline_s=1.0
    )
    report = replace(report, unknown=(Unknown("allocate_for_prefill", "0123456789ab"),))
    remember_unknown(desk.history, report)
    forget_everything(desk)
    remember_unknown(desk.history, report)
    assert len([event for event in desk.events if isinstance(event, UnknownMet)]) == 2
    once = [Met(1, "1", "allocate_for_prefill", "0123456789ab", None)]
    assert unknown_failures(desk.history, []) == once
    assert unknown_failures(desk.history, [json.dumps(export_history(desk.history)).encode()]) == once
