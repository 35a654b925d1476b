"""How well a table tells mistakes apart: the three figures for its author."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from pagetutor.content.model import ErrorModel
from pagetutor.diagnosis.decide import decide
from pagetutor.diagnosis.manager_class import find_method
from pagetutor.diagnosis.programs import Explanation, choices, program
from pagetutor.diagnosis.table import BuiltTable


@dataclass(frozen=True, slots=True)
class Figures:
    """Of `of` programs: named exactly, with a certain name at all; certain names in all, and right ones."""

    of: int
    exact: int
    named: int
    certain: int
    right: int


def figures(built: BuiltTable, model: ErrorModel, solution: str) -> tuple[Figures, Figures]:
    """The figures for the single and for the double mistakes of a table."""
    fingerprints = [one.whole for one in built.table.singles]
    harmless = set(built.harmless)
    alone = [((index,), whole) for index, whole in enumerate(fingerprints) if (index,) not in harmless]
    return _figures(built, model, solution, alone), _figures(built, model, solution, list(built.pairs))


def _figures(
    built: BuiltTable, model: ErrorModel, solution: str, cases: Sequence[tuple[Explanation, str]]
) -> Figures:
    exact = named = certain = right = 0
    for explanation, whole in cases:
        text = program(model, solution, choices(model, explanation))
        definition = find_method(ast.parse(text), model.method)
        decision = decide(built.table, model, whole, [definition] if definition else [])
        told = {model.variants[index].id for index in decision.certain} if decision else set()
        true = {model.variants[index].id for index in explanation}
        exact += told == true
        named += bool(told)
        certain += len(told)
        right += len(told & true)
    return Figures(len(cases), exact, named, certain, right)
