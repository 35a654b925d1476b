"""The shipped tables belong to their models, and tell every single mistake from every other."""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from pagetutor.content.model import ErrorModel, PartName, Slot, Variant
from pagetutor.diagnosis.decide import decide
from pagetutor.diagnosis.fingerprint import Fingerprint
from pagetutor.diagnosis.gate import find_method
from pagetutor.diagnosis.playing import Playground
from pagetutor.diagnosis.probes import PROBES
from pagetutor.diagnosis.programs import body, choices, doubles, neutrals, program, singles
from pagetutor.diagnosis.table import FILE_NAME, FingerprintTable, build, load_table, save_tables
from pagetutor.errors import ContentError
from pagetutor.exercise.contract import blocks_for
from pagetutor.exercise.scenario import Hold, MakeManager, Method, SetFree
from pagetutor.text import same
from tests.diagnosis.conftest import FOLDERS, MISSIONS, OpenSession

SOLUTION = (MISSIONS / "solution.py").read_text(encoding="utf-8")
STAGE = (MISSIONS / "stage.py").read_bytes()


def slot(name: str, reference: str, *neutral: str) -> Slot:
    return Slot(name, reference, neutral, same(""), same(""), same(""))


def variant(mistake_id: str, **code: str) -> Variant:
    return Variant(mistake_id, code, same("believes"), same("asks"), PartName.BACKGROUND)


SMALL = ErrorModel(
    method="allocate_for_decode",
    template="req.seq_len += 1\nif {condition}:\n    {guard}\n    {take}\n",
    slots=(
        slot("condition", "req.seq_len % self.block_size == 1", "(req.seq_len - 1) % self.block_size == 0"),
        slot("guard", 'if not self.free_blocks:\n    raise RuntimeError("OOM")'),
        slot(
            "take",
            "req.block_table.append(self.free_blocks.pop(0))",
            "req.block_table += [self.free_blocks.pop()]",
        ),
    ),
    variants=(
        variant("decode.remainder-zero", condition="req.seq_len % self.block_size == 0"),
        variant("decode.no-empty-check", guard=""),
        variant("decode.pops-without-appending", take="self.free_blocks.pop(0)"),
    ),
)


# ── programs ─────────────────────────────────────────────────────────────────────────────────────


def test_a_program_is_the_template_with_its_slots_filled() -> None:
    assert body(SMALL, {"condition": "True"}) == (
        "req.seq_len += 1\n"
        "if True:\n"
        "    if not self.free_blocks:\n"
        '        raise RuntimeError("OOM")\n'
        "    req.block_table.append(self.free_blocks.pop(0))\n"
    )


def test_a_removed_line_leaves_no_empty_block() -> None:
    assert body(SMALL, {"guard": "", "take": ""}) == (
        "req.seq_len += 1\nif req.seq_len % self.block_size == 1:\n    pass\n"
    )


def test_code_that_is_no_python_is_the_contents_fault() -> None:
    with pytest.raises(ContentError, match="The error model of `allocate_for_decode` makes no Python"):
        program(SMALL, SOLUTION, {"condition": "req.seq_len %"})


def test_pairs_touch_different_slots() -> None:
    assert list(singles(SMALL)) == [(0,), (1,), (2,)]
    assert list(doubles(SMALL)) == [(0, 1), (0, 2), (1, 2)]


# ── probes ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("method", Method)
def test_probes_ask_nothing_the_contract_leaves_open(method: Method) -> None:
    for probe in PROBES[method]:
        assert probe.methods == {method}
        (made,) = [op for op in probe.ops if isinstance(op, MakeManager)]
        assert 1 < made.block_size != made.num_blocks
        free = {one for op in probe.ops if isinstance(op, SetFree) for one in op.ids}
        held = [op for op in probe.ops if isinstance(op, Hold)]
        for op in held:
            assert len(op.table) == blocks_for(op.seq_len, made.block_size)
            assert free.isdisjoint(op.table)


# ── tables ───────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def small(open_session: OpenSession) -> FingerprintTable:
    with Playground(open_session) as playground:
        built = build(playground, SMALL, Method.DECODE, solution=SOLUTION, stage=STAGE)
    assert (built.harmless, built.undeclared, built.biased) == ((), (), ())
    assert [pair for pair, _ in built.pairs] == [(0, 1), (0, 2), (1, 2)]
    return built.table


def test_a_table_explains_singles_and_pairs(small: FingerprintTable, open_session: OpenSession) -> None:
    both = program(SMALL, SOLUTION, choices(SMALL, (0, 1)))
    with Playground(open_session) as playground:
        whole = playground.fingerprint(both, Method.DECODE).whole
    assert small.explanations[whole] == ((0, 1),)
    assert small.explanations[small.singles[2].whole] == ((2,),)
    assert small.without((0, 1), 0) == small.singles[1]
    assert small.without((2,), 2) == small.reference


def test_what_the_contract_leaves_open_leaves_no_trace(
    small: FingerprintTable, open_session: OpenSession
) -> None:
    with Playground(open_session) as playground:
        for chosen in neutrals(SMALL):
            assert playground.fingerprint(program(SMALL, SOLUTION, chosen), Method.DECODE) == small.reference


def test_a_variant_that_is_no_mistake_is_told(open_session: OpenSession) -> None:
    harmless = ErrorModel(
        SMALL.method,
        SMALL.template,
        SMALL.slots,
        (variant("decode.fine", take="req.block_table += [self.free_blocks.pop()]"),),
    )
    with Playground(open_session) as playground:
        built = build(playground, harmless, Method.DECODE, solution=SOLUTION, stage=STAGE)
    assert built.harmless == ((0,),)


def test_a_tie_that_is_not_declared_is_told(open_session: OpenSession) -> None:
    tied = ErrorModel(
        SMALL.method,
        SMALL.template,
        SMALL.slots,
        (variant("decode.one", condition="False"), variant("decode.two", condition="1 > 2")),
    )
    with Playground(open_session) as playground:
        built = build(playground, tied, Method.DECODE, solution=SOLUTION, stage=STAGE)
    assert built.undeclared == (("decode.one", "decode.two"),)


def test_a_table_comes_back_as_it_was_saved(small: FingerprintTable, tmp_path: Path) -> None:
    save_tables(tmp_path / FILE_NAME, [small])
    assert load_table(tmp_path / FILE_NAME, SMALL, Method.DECODE, STAGE) == small


def test_a_missing_table_says_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(ContentError, match=r"is missing\. Run `pagetutor author build` to build it"):
        load_table(tmp_path / FILE_NAME, SMALL, Method.DECODE, STAGE)


@pytest.mark.parametrize("words", ["", "{}", "[1, 2", '{"decode": {"key": 1}}', '{"decode": []}'])
def test_a_damaged_table_is_told(tmp_path: Path, words: str) -> None:
    (tmp_path / FILE_NAME).write_text(words, encoding="utf-8")
    with pytest.raises(ContentError, match="is damaged"):
        load_table(tmp_path / FILE_NAME, SMALL, Method.DECODE, STAGE)


def test_a_stale_table_is_told(small: FingerprintTable, tmp_path: Path) -> None:
    save_tables(tmp_path / FILE_NAME, [small])
    with pytest.raises(ContentError, match="does not belong to this error model"):
        load_table(tmp_path / FILE_NAME, SMALL, Method.DECODE, STAGE + b"\nchanged = 1\n")


# ── the shipped ones ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("method", Method)
def test_every_single_mistake_is_named_as_itself(
    method: Method, models: Mapping[Method, ErrorModel], tables: Mapping[Method, FingerprintTable]
) -> None:
    """But for two names of one behaviour between which the wording cannot choose: then both are told."""
    model, table = models[method], tables[method]
    wrong = []
    open_ties = 0
    for index, one in enumerate(table.singles):
        definition = find_method(ast.parse(program(model, SOLUTION, choices(model, (index,)))), model.method)
        assert definition is not None
        decision = decide(table, model, one.whole, [definition])
        assert decision is not None
        name = model.variants[index].id
        sure = [model.variants[other].id for other in decision.certain]
        told = [*sure, *(model.variants[other].id for other in decision.others)]
        open_ties += not sure
        if sure not in ([name], []) or name not in told:
            wrong.append((name, model.variants[index].code, told))
    assert wrong == []
    assert open_ties <= 2


@pytest.mark.parametrize("method", Method)
def test_the_shipped_table_tells_what_a_process_does_today(
    method: Method,
    models: Mapping[Method, ErrorModel],
    tables: Mapping[Method, FingerprintTable],
    open_session: OpenSession,
) -> None:
    model, table = models[method], tables[method]
    with Playground(open_session) as playground:
        assert playground.fingerprint(SOLUTION, method) == table.reference
        for index in range(0, len(model.variants), 5):
            text = program(model, SOLUTION, choices(model, (index,)))
            assert playground.fingerprint(text, method) == table.singles[index]


def test_the_shipped_tables_are_small() -> None:
    for folder in FOLDERS.values():
        path = MISSIONS / folder / FILE_NAME
        assert path.stat().st_size < 400_000
        json.loads(path.read_text(encoding="utf-8"))


def test_a_statement_in_the_wrong_place_is_not_told_as_both_missing_and_twice(
    models: Mapping[Method, ErrorModel],
) -> None:
    model = models[Method.DECODE]
    ids = [variant.id for variant in model.variants]
    lacks, twice = (
        ids.index("decode.no-increment"),
        [
            index
            for index, variant in enumerate(model.variants)
            if variant.id == "decode.increments-twice" and "put" in variant.code
        ],
    )
    does = Fingerprint(("anything",))
    table = FingerprintTable(Method.DECODE, "", does, (), {does.whole: ((lacks, twice[0]),)})
    assert decide(table, model, does.whole, []) is None
