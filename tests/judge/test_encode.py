"""The JSON of a report: the contract's fields, in both languages, certain diagnoses first."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from pagetutor.content.find import find_course
from pagetutor.content.model import PartName
from pagetutor.diagnosis.mistake import Mistake, Span
from pagetutor.judge import report as reports
from pagetutor.judge.encode import encode, encode_all, encode_error
from pagetutor.judge.report import CheckReport, Note, Reason, Verdict
from pagetutor.text import Language, Text, same
from tests.judge.conftest import Judge

FLOOR = Mistake(
    id="prefill.floor-division",
    certain=True,
    span=Span(31, 24, 31, 54),
    belief=Text(zh="像是觉得整除就够了。", en="As if division were enough."),
    ask=Text(zh="剩下的去哪了？", en="Where does the rest go?"),
    reread=PartName.DIAGRAM,
)
REPORT = CheckReport(
    mission="1",
    file="block_manager.py",
    verdict=Verdict.FAILED,
    reason=None,
    line=31,
    tests=(
        reports.TestResult("a", Text(zh="满块", en="full blocks"), "passed"),
        reports.TestResult(
            "b",
            Text(zh="六个", en="six"),
            "failed",
            Text(zh="2 块", en="2 blocks"),
            Text(zh="1 块", en="1 block"),
        ),
    ),
    mistakes=(replace(FLOOR, id="maybe", certain=False, span=None), FLOOR),
    notes=(Note("takes-from-tail", Text(zh="从尾部取", en="from the tail")),),
    seconds=0.18,
    isolation=("landlock:write",),
)


def test_a_failed_report_is_the_contracts_document() -> None:
    assert encode(REPORT, Language.EN) == {
        "schema": 1,
        "mission": 1,
        "file": "block_manager.py",
        "verdict": "failed",
        "reason": None,
        "line": 31,
        "tests": [
            {"id": "a", "title": "full blocks", "outcome": "passed", "expected": None, "actual": None},
            {"id": "b", "title": "six", "outcome": "failed", "expected": "2 blocks", "actual": "1 block"},
        ],
        "diagnoses": [
            {
                "id": "prefill.floor-division",
                "certain": True,
                "line": 31,
                "column": 24,
                "end_line": 31,
                "end_column": 54,
                "say": "As if division were enough. Where does the rest go?",
            },
            {
                "id": "maybe",
                "certain": False,
                "line": None,
                "column": None,
                "end_line": None,
                "end_column": None,
                "say": "As if division were enough. Where does the rest go?",
            },
        ],
        "notes": [{"id": "takes-from-tail", "say": "from the tail"}],
        "seconds": 0.18,
        "isolation": ["landlock:write"],
    }


def test_the_language_changes_sentences_and_nothing_else() -> None:
    zh = encode(REPORT, Language.ZH)
    assert zh["verdict"] == "failed"
    assert zh["notes"] == [{"id": "takes-from-tail", "say": "从尾部取"}]


def test_the_final_mission_keeps_its_name_and_a_reason_its_value() -> None:
    final = encode(replace(REPORT, mission="final", reason=Reason.TIMEOUT), Language.EN)
    assert (final["mission"], final["reason"]) == ("final", "timeout")


def test_why_a_file_is_broken_or_a_run_stopped_is_a_note_by_the_reasons_name() -> None:
    say = Text(zh="太久了。", en="It took too long.")
    stopped = replace(REPORT, verdict=Verdict.STOPPED, mistakes=(), say=say)
    for reason in set(Reason) - {Reason.SYNTAX}:
        for language, words in ((Language.EN, say.en), (Language.ZH, say.zh)):
            notes = cast(list[object], encode(replace(stopped, reason=reason), language)["notes"])
            assert notes[0] == {"id": reason.value, "say": words}
            assert len(notes) == 2


def test_what_a_diagnosis_says_is_no_note() -> None:
    say = Text(zh="跑不起来。", en="It does not run.")
    told = replace(REPORT, verdict=Verdict.BROKEN, reason=Reason.IMPORT, say=say)
    assert encode(told, Language.EN)["notes"] == [{"id": "takes-from-tail", "say": "from the tail"}]
    read = replace(told, reason=Reason.SYNTAX, mistakes=(), notes=())
    assert encode(read, Language.EN)["notes"] == []


def test_every_broken_or_stopped_file_has_its_sentence(judge: Judge) -> None:
    told = {
        b"\xff\xfe1\x00": (
            "encoding",
            "The file is saved as UTF-16, which Python cannot read. Save it as UTF-8 and check again.",
        ),
        b"raise SystemExit\n\ndef f(): ...\n": (
            "exit",
            "The file exits as soon as it runs (`sys.exit` or something like it). Take that out, then check "
            "again.",
        ),
        b"1 / 0\n\ndef f(): ...\n": (
            "import",
            "The file does not run: `ZeroDivisionError: division by zero`. Get it to run first, then check "
            "again.",
        ),
        b"import os\nos.abort()\n\ndef f(): ...\n": (
            "crash",
            "Python crashed while it was loading your file. Fix it, then check again.",
        ),
    }
    for source, (reason, say) in told.items():
        document = encode(judge("1", source), Language.EN)
        assert (document["reason"], document["notes"]) == (reason, [{"id": reason, "say": say}])


def test_several_reports_are_one_document() -> None:
    assert encode_all([REPORT], Language.EN) == {"schema": 1, "missions": [encode(REPORT, Language.EN)]}


def test_an_error_is_a_document_with_its_code() -> None:
    assert encode_error(3, same("no file"), Language.ZH) == {
        "schema": 1,
        "error": {"code": 3, "say": "no file"},
    }


def test_what_the_gate_found_is_a_diagnosis_with_its_sentence(judge: Judge) -> None:
    broken = encode(judge("1", "def f(:\n"), Language.EN)
    (found,) = cast(list[dict[str, object]], broken["diagnoses"])
    assert (found["id"], found["certain"]) == ("structure.syntax", True)
    assert (found["line"], found["column"]) == (1, 7)
    assert found["say"]
    starter = find_course() / "block_manager.py"
    unfilled = encode(judge("1", starter.read_bytes()), Language.ZH)
    (found,) = cast(list[dict[str, object]], unfilled["diagnoses"])
    assert (found["id"], found["line"]) == ("structure.unfilled", None)
    assert "TODO 1" in str(found["say"])
