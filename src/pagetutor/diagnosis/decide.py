"""From a fingerprint to the mistakes that explain it: the fewest, and only what is sure is called sure."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from pagetutor.content.model import ErrorModel, twins_of
from pagetutor.diagnosis.programs import Explanation, causal_order
from pagetutor.diagnosis.table import FingerprintTable
from pagetutor.diagnosis.wording import fits_of


@dataclass(frozen=True, slots=True)
class Decision:
    """The minimal explanations of a fingerprint, and what they say together.

    `best` is the explanation whose wording fits the code best; `certain` are its variants that every
    explanation shares, by id or by an id that no call can tell from it (then the wording chose);
    `others` are variants of the remaining explanations, one for each id that is not named already.
    """

    best: Explanation
    certain: tuple[int, ...]
    others: tuple[int, ...]
    explanations: tuple[Explanation, ...]

    def alike(self, model: ErrorModel, index: int) -> list[tuple[Explanation, int]]:
        """`index` in `best`, and the other codes of its id in explanations that say the same.

        Those with the words that are told come first: they are about that code.
        """
        name, words = model.variants[index].id, model.variants[index].belief
        said = {model.variants[one].id for one in self.best}
        found = [
            (one, other)
            for one in self.explanations
            if {model.variants[each].id for each in one} == said
            for other in one
            if model.variants[other].id == name
        ]
        return sorted(found, key=lambda each: model.variants[each[1]].belief != words)


def decide(
    table: FingerprintTable,
    model: ErrorModel,
    whole: str,
    code: Sequence[ast.AST],
) -> Decision | None:
    """What explains this fingerprint; None where nothing in the table does.

    There is no nearest neighbour: a behaviour that is not in the table is unknown. Where several
    explanations are left, `code`, the learner's own method and its helpers, chooses the words.
    """
    told = table.explanations.get(whole, ())
    explanations = tuple(one for one in told if not _contradicts_itself(model, one))
    fits = fits_of(model, explanations, code)
    explanations = tuple(fits)
    if not explanations:
        return None
    place = causal_order(model).index
    ranked = sorted(explanations, key=lambda one: [place(index) for index in one])
    ranked.sort(key=lambda one: fits[one], reverse=True)  # stable: the causal order stays among equals
    best = ranked[0]
    ids = [frozenset(model.variants[index].id for index in one) for one in explanations]
    twins = twins_of((*model.ties, *table.ties))

    def is_certain(index: int) -> bool:
        """Shared by all; or told from the others' names for the same behaviour by the wording."""
        name = model.variants[index].id
        rivals = [one for one, told in zip(explanations, ids, strict=True) if name not in told]
        if not all(twins.get(name, frozenset()) & told for told in ids if name not in told):
            return False
        return all(fits[one] < fits[best] for one in rivals)

    certain = tuple(index for index in best if is_certain(index))
    named = {model.variants[index].id for index in certain}
    others: dict[str, int] = {}
    for one in ranked:
        for index in one:
            name = model.variants[index].id
            if name not in named and not any(name in twins.get(sure, ()) for sure in named):
                others.setdefault(name, index)
    return Decision(best, tuple(sorted(certain, key=place)), tuple(others.values()), explanations)


def _contradicts_itself(model: ErrorModel, explanation: Explanation) -> bool:
    """Whether one mistake lacks a statement that another one has too often: it only stands elsewhere."""
    for index in explanation:
        own = model.variants[index].code
        others = [text for one in explanation if one != index for text in model.variants[one].code.values()]
        for slot in (slot for slot, code in own.items() if not code):
            lacking = model.slot(slot).reference
            if lacking and lacking not in "\n".join(own.values()) and lacking in "\n".join(others):
                return True
    return False
