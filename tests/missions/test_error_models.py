"""The error models of missions 1–3: each variant is a mistake, each neutral code is none, and only
the ties that are declared behave alike."""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import cast

import pytest

from pagetutor.content.find import find_course
from pagetutor.content.model import ErrorModel, MissionId, Slot
from pagetutor.content.read import load_models
from pagetutor.diagnosis.fingerprint import Canonical, RaisingLines, canonical
from pagetutor.diagnosis.programs import body, program
from pagetutor.exercise.contract import first_violation
from pagetutor.exercise.scenario import Method
from pagetutor.exercise.trace import Odd, Trace, trace_from_wire
from pagetutor.learner.port import Loaded, Stopped
from tests.long import LONG
from tests.missions.catalogue import IMPOSSIBLE, MISTAKES
from tests.missions.in_process import in_process
from tests.missions.situations import situations

ROOT = Path(find_course())
SOLUTION = (ROOT / "solution.py").read_text(encoding="utf-8")
METHODS: dict[MissionId, Method] = {"1": Method.PREFILL, "2": Method.DECODE, "3": Method.GATHER}

pytestmark = pytest.mark.filterwarnings("ignore")  # torch's own, about conversions a wrong variant asks for


@pytest.fixture(scope="module", params=sorted(METHODS))
def mission(request: pytest.FixtureRequest) -> MissionId:
    return cast("MissionId", request.param)


@pytest.fixture(scope="module")
def model(mission: MissionId) -> ErrorModel:
    (one,) = load_models(ROOT, mission)
    return one


@pytest.fixture(scope="module")
def behaviours(mission: MissionId, model: ErrorModel) -> list[tuple[Canonical, ...]]:
    """What each variant does in every situation, with all that is legal normalised away."""
    return [behaviour(model, METHODS[mission], variant.code) for variant in model.variants]


@LONG
def test_every_legal_spelling_keeps_the_contract(mission: MissionId, model: ErrorModel) -> None:
    choices = [[slot.reference, *slot.neutral] for slot in model.slots]
    names = [slot.name for slot in model.slots]
    for codes in itertools.product(*choices):
        chosen = dict(zip(names, codes, strict=True))
        broken = [first_violation(trace) for trace in traces(model, METHODS[mission], chosen)]
        assert broken == [None] * len(broken), body(model, chosen)


def test_every_variant_breaks_the_contract(mission: MissionId, model: ErrorModel) -> None:
    for variant in model.variants:
        played = traces(model, METHODS[mission], variant.code)
        assert any(first_violation(trace) is not None for trace in played), body(model, variant.code)


@LONG
def test_only_declared_ties_behave_alike(model: ErrorModel, behaviours: list[tuple[Canonical, ...]]) -> None:
    ids: dict[tuple[Canonical, ...], set[str]] = defaultdict(set)
    for variant, does in zip(model.variants, behaviours, strict=True):
        ids[does].add(variant.id)
    assert {frozenset(tie) for tie in ids.values() if len(tie) > 1} == {frozenset(tie) for tie in model.ties}


def test_no_mistake_lists_the_same_code_twice(model: ErrorModel) -> None:
    written = [(variant.id, body(model, variant.code)) for variant in model.variants]
    assert len(set(written)) == len(written)


def test_the_catalogue_is_covered(mission: MissionId, model: ErrorModel) -> None:
    known = {variant.id for variant in model.variants}
    assert MISTAKES[mission] - known == IMPOSSIBLE[mission]
    assert not known & IMPOSSIBLE[mission]


def test_the_first_two_rungs_and_the_example_leave_the_answer_out(model: ErrorModel) -> None:
    """Only the pattern and the line may hold the code of their slot; `1` or `True` gives nothing away."""
    for variant in model.variants:
        answers = [bare(filled(model, slot)) for slot in model.slots if slot.name in variant.code]
        words = [bare(variant.belief.zh + variant.belief.en), bare(variant.ask.zh + variant.ask.en)]
        assert not [answer for answer in answers for word in words if len(answer) > 8 and answer in word]
    for slot in model.slots:
        answer = bare(filled(model, slot))
        assert len(answer) <= 8 or answer not in bare(slot.example.zh + slot.example.en)


def test_the_pattern_has_a_hole_and_the_line_has_none(model: ErrorModel) -> None:
    for slot in model.slots:
        for pattern, line in ((slot.pattern.zh, slot.line.zh), (slot.pattern.en, slot.line.en)):
            assert "___" in pattern, slot.name
            assert "___" not in line, slot.name
            code = " ".join(re.findall("`([^`]+)`", line))
            assert all(bare(part) in bare(code) for part in filled(model, slot).splitlines()), slot.name


def test_every_text_holds_the_same_code_in_both_languages(model: ErrorModel) -> None:
    texts = [text for slot in model.slots for text in (slot.example, slot.pattern, slot.line)]
    texts += [text for variant in model.variants for text in (variant.belief, variant.ask)]
    for text in texts:
        assert sorted(re.findall("`[^`]*`", text.zh)) == sorted(re.findall("`[^`]*`", text.en))


def traces(model: ErrorModel, method: Method, chosen: Mapping[str, str]) -> Iterator[Trace]:
    """The model's program with `chosen` code in its slots, played in every situation."""
    with in_process()() as session:
        assert session.load(program(model, SOLUTION, chosen).encode()) == Loaded()
        for situation in situations(method):
            wire = session.play(situation.to_wire())
            assert not isinstance(wire, Stopped)
            yield trace_from_wire(situation, wire)


def behaviour(model: ErrorModel, method: Method, chosen: Mapping[str, str]) -> tuple[Canonical, ...]:
    raising = RaisingLines(program(model, SOLUTION, chosen))
    return tuple((canonical(trace, raising), returned(trace)) for trace in traces(model, method, chosen))


def returned(trace: Trace) -> tuple[str, ...]:
    """How a gather's result looks that is no tensor: a list of blocks is not a list of rows."""
    values = [step.outcome.value for step in trace.steps]
    return tuple(value.shown for value in values if isinstance(value, Odd) and value.kind != "bool")


def filled(model: ErrorModel, slot: Slot) -> str:
    """The slot's reference code, with the slots it holds filled in and empty lines gone."""
    code = slot.reference
    for inner in model.slots:
        code = code.replace("{" + inner.name + "}", inner.reference)
    return "\n".join(line for line in code.splitlines() if line.strip())


def bare(code: str) -> str:
    return "".join(code.split())
