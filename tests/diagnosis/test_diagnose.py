"""Whole files, real processes: the mistake's name and its line."""

from __future__ import annotations

import ast
from collections.abc import Mapping

import pytest

from pagetutor.content.model import ErrorModel
from pagetutor.diagnosis.diagnose import diagnose
from pagetutor.diagnosis.gate import parse, read_source
from pagetutor.diagnosis.mistake import Mistake
from pagetutor.diagnosis.source import SourceText
from pagetutor.diagnosis.structure import load_mistakes
from pagetutor.diagnosis.table import FingerprintTable
from pagetutor.exercise.scenario import Method
from pagetutor.learner.port import Frame, Raised
from tests.diagnosis.conftest import MISSIONS, OpenSession
from tests.diagnosis.spellings import Spelling, spellings

SOLUTION = (MISSIONS / "solution.py").read_text(encoding="utf-8")


class Doctor:
    """Diagnoses a text on real processes with the shipped models."""

    def __init__(
        self,
        open_session: OpenSession,
        models: Mapping[Method, ErrorModel],
        tables: Mapping[Method, FingerprintTable],
    ) -> None:
        self.open_session, self.models, self.tables = open_session, models, tables

    def __call__(self, text: str | bytes, *methods: Method, where_s: float = 20) -> tuple[Mistake, ...]:
        source = read_source(text.encode() if isinstance(text, str) else text)
        assert isinstance(source, SourceText)
        tree = parse(source)
        assert isinstance(tree, ast.Module)
        return diagnose(
            self.open_session,
            source,
            tree,
            methods,
            models=self.models,
            tables=self.tables,
            where_s=where_s,
        ).mistakes


@pytest.fixture
def doctor(
    open_session: OpenSession,
    models: Mapping[Method, ErrorModel],
    tables: Mapping[Method, FingerprintTable],
) -> Doctor:
    return Doctor(open_session, models, tables)


@pytest.mark.parametrize("spelling", list(spellings()), ids=lambda spelling: spelling.name)
def test_a_mistake_is_named_on_its_line_however_it_is_spelt(doctor: Doctor, spelling: Spelling) -> None:
    first = doctor(spelling.text, spelling.method)[0]
    assert first.id in spelling.ids
    assert first.certain
    assert first.span is not None
    assert first.span.line in spelling.lines


def changed(old: str, new: str, text: str = SOLUTION) -> str:
    assert text.count(old) == 1
    return text.replace(old, new)


FLOORED = changed("(req.seq_len + self.block_size - 1) // self.block_size", "req.seq_len // self.block_size")


def test_the_very_expression_is_pointed_at(doctor: Doctor) -> None:
    (mistake,) = doctor(FLOORED, Method.PREFILL)
    line = FLOORED.split("\n").index("        needed_blocks = req.seq_len // self.block_size") + 1
    assert mistake.span is not None
    assert (mistake.span.line, mistake.span.column) == (line, 25)
    assert (mistake.span.end_line, mistake.span.end_column) == (line, 55)
    assert (mistake.slot, mistake.method, mistake.missing) == ("count", "allocate_for_prefill", False)


def test_columns_hold_behind_chinese_tabs_windows_line_ends_and_a_bom(doctor: Doctor) -> None:
    text = changed("needed_blocks = req", "块数 = '块'; needed_blocks = req", FLOORED)
    raw = (
        b"\xef\xbb\xbf"
        + text.replace("        ", "\t\t").replace("    ", "\t").replace("\n", "\r\n").encode()
    )
    (mistake,) = doctor(raw, Method.PREFILL)
    assert mistake.span is not None
    assert mistake.span.column == len("\t\t块数 = '块'; needed_blocks = ") + 1


def test_two_mistakes_in_one_method_are_both_named_in_causal_order(doctor: Doctor) -> None:
    text = changed(
        'if needed_blocks > len(self.free_blocks):\n            raise RuntimeError("OOM")',
        'if needed_blocks > len(self.free_blocks):\n            raise ValueError("OOM")',
        FLOORED,
    )
    found = doctor(text, Method.PREFILL)
    assert [(mistake.id, mistake.certain) for mistake in found] == [
        ("prefill.floor-division", True),
        ("prefill.wrong-exception", True),
    ]
    lines = text.split("\n")
    assert [lines[mistake.span.line - 1].strip() for mistake in found if mistake.span] == [
        "needed_blocks = req.seq_len // self.block_size",
        'raise ValueError("OOM")',
    ]


def test_each_method_is_diagnosed_alone(doctor: Doctor) -> None:
    text = changed("cat_blocks[: req.seq_len]", "cat_blocks", FLOORED)
    found = doctor(text, Method.GATHER, Method.PREFILL)
    assert [mistake.id for mistake in found] == ["prefill.floor-division", "gather.missing-slice"]


def test_a_broken_method_does_not_hide_the_others(doctor: Doctor) -> None:
    text = changed("def allocate_for_decode", "def alocate_for_decode", FLOORED)
    found = doctor(text, Method.PREFILL, Method.DECODE)
    assert [mistake.id for mistake in found] == ["prefill.floor-division", "structure.missing-method"]


def test_a_behaviour_nobody_has_named_gets_no_name(doctor: Doctor) -> None:
    text = changed(
        "(req.seq_len + self.block_size - 1) // self.block_size",
        "7 if req.seq_len % 5 == 3 else -(-req.seq_len // self.block_size)",
    )
    assert doctor(text, Method.PREFILL) == ()


def test_a_method_that_never_ends_gets_no_name(doctor: Doctor) -> None:
    text = changed("req.seq_len += 1", 'req.seq_len += 1\n        raise SystemExit("bye")')
    assert doctor(text, Method.DECODE) == ()


def test_without_time_the_mistake_is_named_and_no_line_is_guessed(doctor: Doctor) -> None:
    (mistake,) = doctor(FLOORED, Method.PREFILL, where_s=-1)
    assert (mistake.id, mistake.span) == ("prefill.floor-division", None)


# ── structure ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("old", "new", "method", "mistake_id", "line", "ask"),
    [
        (
            "is_new_block_needed = (req.seq_len %",
            "is_new_block_needed = (req.sqe_len %",
            Method.DECODE,
            "structure.misspelt-attribute",
            "is_new_block_needed = (req.sqe_len % self.block_size) == 1",
            "Did you mean `seq_len`?",
        ),
        (
            "for _ in range(needed_blocks):",
            "for _ in range(need_blocks):",
            Method.PREFILL,
            "structure.unbound-name",
            "for _ in range(need_blocks):",
            "You set `needed_blocks` above; is one of the two misspelt?",
        ),
        (
            'needed_blocks > len(self.free_blocks):\n            raise RuntimeError("OOM")',
            'needed_blocks > len(self.free_blocks):\n            raise RunTimeError("OOM")',
            Method.PREFILL,
            "structure.unbound-name",
            'raise RunTimeError("OOM")',
            "Did you mean `RuntimeError`?",
        ),
        (
            "(req.seq_len % self.block_size)",
            "(req.seq_len % block_size)",
            Method.DECODE,
            "structure.bare-name",
            "is_new_block_needed = (req.seq_len % block_size) == 1",
            "Do you mean `self.block_size`?",
        ),
        (
            "def allocate_for_prefill(self, req: Request)",
            "def allocate_for_prefill(req: Request)",
            Method.PREFILL,
            "structure.missing-self",
            "def allocate_for_prefill(req: Request) -> None:",
            "What comes first in the parentheses after `def` in the other methods?",
        ),
        (
            "def allocate_for_decode(self, req: Request)",
            "def allocate_for_decode(self, req: Request, times)",
            Method.DECODE,
            "structure.wrong-signature",
            "def allocate_for_decode(self, req: Request, times) -> None:",
            "How many names stand in the parentheses of this `def` in the starter?",
        ),
        (
            "def get_physical_cache(",
            "def get_phisical_cache(",
            Method.GATHER,
            "structure.missing-method",
            "def get_phisical_cache(self, req: Request) -> torch.Tensor:",
            "Compare the two names letter by letter: where do they differ?",
        ),
        (
            "    def get_physical_cache(self, req: Request) -> torch.Tensor:",
            "def get_physical_cache(self, req: Request) -> torch.Tensor:",
            Method.GATHER,
            "structure.missing-method",
            "def get_physical_cache(self, req: Request) -> torch.Tensor:",
            "Does this `def` line up with the other `def` lines of the class?",
        ),
        (
            "class KVCacheManager:",
            "class Blocks:",
            Method.PREFILL,
            None,
            "",
            "",
        ),
        (
            "torch.zeros(num_blocks, block_size, head_dim)",
            "torch.zeros(block_size, num_blocks, head_dim)",
            Method.GATHER,
            "structure.edits-init",
            "self.physical_kv_cache = torch.zeros(block_size, num_blocks, head_dim)",
            "The initialisation is given and not part of the task. How does it differ from the starter?",
        ),
        (
            "list(range(num_blocks))",
            "list(range(1, num_blocks))",
            Method.PREFILL,
            "structure.edits-init",
            "self.free_blocks: List[int] = list(range(1, num_blocks))",
            "The initialisation is given and not part of the task. How does it differ from the starter?",
        ),
        (
            "        needed_blocks = (",
            '        input("press Enter")\n        needed_blocks = (',
            Method.PREFILL,
            "structure.asks-for-input",
            'input("press Enter")',
            "The numbers are all in the request and the manager already; can you take them from there?",
        ),
        (
            "        self.block_table: List[int] = []",
            "\n    block_table = []",
            Method.PREFILL,
            "structure.shared-class-attribute",
            "block_table = []",
            "Is this list made anew for each object, or only once?",
        ),
    ],
)
def test_a_mistake_of_structure_is_read_off_what_happened(
    doctor: Doctor, old: str, new: str, method: Method, mistake_id: str | None, line: str, ask: str
) -> None:
    text = changed(old, new)
    found = [mistake for mistake in doctor(text, method) if mistake.id.startswith("structure.")]
    if mistake_id is None:  # any class that holds the methods is served, whatever its name
        assert found == []
        return
    assert found[0].id == mistake_id
    assert found[0].certain
    assert found[0].span is not None
    assert text.split("\n")[found[0].span.line - 1].strip() == line
    assert found[0].ask.en == ask
    assert found[0].ask.zh != ask


def test_a_file_that_asks_for_input_while_it_loads_is_told_so() -> None:
    text = SOLUTION + '\n\nlength = int(input("prompt_len = "))\n'
    source = read_source(text.encode())
    assert isinstance(source, SourceText)
    line = text.count("\n")
    raised = Raised("EOFError", ("EOFError",), "EOF when reading a line", (Frame(line, "<module>"),))
    (mistake,) = load_mistakes(source, ast.parse(text), raised)
    assert mistake.id == "structure.asks-for-input"
    assert mistake.span is not None
    assert mistake.span.line == line
    assert text[slice(*source.offsets(mistake.span))] == 'input("prompt_len = ")'


def test_a_right_file_has_no_mistake_of_structure(doctor: Doctor) -> None:
    assert doctor(SOLUTION, *Method) == ()
