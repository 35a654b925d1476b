"""Mistakes of structure come from what is wrong alone: none is found in a right file, however odd."""

from __future__ import annotations

import ast

import pytest

from pagetutor.diagnosis.gate import parse, read_source
from pagetutor.diagnosis.misspelt_fields import one_edit
from pagetutor.diagnosis.playing import Playground
from pagetutor.diagnosis.probes import CONSTRUCTORS, PROBES
from pagetutor.diagnosis.source import SourceText
from pagetutor.diagnosis.structure import structure_mistakes
from tests.corpus.right import RIGHT
from tests.corpus.right_unusual import RIGHT_UNUSUAL
from tests.diagnosis.conftest import OpenSession

FILES = {**dict(list(RIGHT.items())[::10]), **dict(list(RIGHT_UNUSUAL.items())[::10])}


@pytest.mark.parametrize("text", [text for _, text in FILES.values()], ids=list(FILES))
def test_a_right_file_has_no_mistake_of_structure(open_session: OpenSession, text: str) -> None:
    source = read_source(text.encode())
    assert isinstance(source, SourceText)
    tree = parse(source)
    assert isinstance(tree, ast.Module)
    scenarios = [CONSTRUCTORS, *(probe for probes in PROBES.values() for probe in probes)]
    with Playground(open_session, encode=source.encoded, most_deaths=1) as playground:
        traces = [trace for trace in playground.traces(source.text, scenarios) if trace is not None]
    assert len(traces) == len(scenarios)
    assert structure_mistakes(source, tree, traces) == ()


@pytest.mark.parametrize(
    "name", ["block_tables", "block_tabl", "blocktable", "Block_Table", "block_tabel", "block_tadle"]
)
def test_one_slip_of_the_pen_is_one_edit(name: str) -> None:
    assert one_edit(name, "block_table")
    assert one_edit("block_table", name)


@pytest.mark.parametrize("name", ["block_table", "block_size", "table", "blocks_tables", "block_elbat", ""])
def test_what_is_the_same_or_further_off_is_no_edit(name: str) -> None:
    assert not one_edit(name, "block_table")
