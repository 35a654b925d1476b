"""From a fingerprint to the mistakes that explain it: the fewest, and only what is sure is called sure."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pagetutor.content.model import ErrorModel
from pagetutor.diagnosis.programs import Explanation, body, causal_order, choices
from pagetutor.diagnosis.table import FingerprintTable


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
        """`index` in `best`, and the other codes of its id in explanations that say the same."""
        name = model.variants[index].id
        said = {model.variants[one].id for one in self.best}
        return [
            (one, other)
            for one in self.explanations
            if {model.variants[each].id for each in one} == said
            for other in one
            if model.variants[other].id == name
        ]


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
    if not explanations:
        return None
    fits = _fits(model, explanations, code)
    place = causal_order(model).index
    ranked = sorted(explanations, key=lambda one: (-fits[one], [place(index) for index in one]))
    best = ranked[0]
    ids = [frozenset(model.variants[index].id for index in one) for one in explanations]
    twins = _twins(table, model)

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


def _twins(table: FingerprintTable, model: ErrorModel) -> dict[str, frozenset[str]]:
    """For each id, the ids that no call on the learner's code can tell from it."""
    twins: dict[str, frozenset[str]] = {}
    for tie in (*model.ties, *table.ties):
        for name in tie:
            twins[name] = twins.get(name, frozenset()) | frozenset(tie)
    return twins


def _fits(
    model: ErrorModel, explanations: tuple[Explanation, ...], code: Sequence[ast.AST]
) -> dict[Explanation, int]:
    """For each explanation, how much of what tells it from the others is found in the learner's code.

    What the wrong code is made of and the reference is not (a `try`, a call of `round`) weighs three
    times as much as how things are nested and ordered: `prints-instead-of-raising` has to print.
    """
    if len(explanations) == 1:
        return {explanations[0]: 0}
    reference = _traits(ast.parse(body(model, {})))
    traits = {one: _traits(ast.parse(body(model, choices(model, one)))) for one in explanations}
    telling = frozenset.union(*traits.values()) - frozenset.intersection(*traits.values())
    written = frozenset(trait for part in code for trait in _traits(part))
    return {one: _fit(own, reference, telling, written) for one, own in traits.items()}


_Traits = frozenset[tuple[str, ...]]


def _fit(own: _Traits, reference: _Traits, telling: _Traits, written: _Traits) -> int:
    score = sum((trait in written) == (trait in own) for trait in telling)
    for trait in own - reference:
        if trait in telling and _weighs(trait):
            score += -3 if trait not in written else 0 if trait in _BY_THE_WAY else 3
    for trait in reference - own:
        if trait in telling and _weighs(trait):
            score += -3 if trait in written else 3
    return score


_BY_THE_WAY = {("print()",)}  # many a right file prints too


def _weighs(trait: tuple[str, ...]) -> bool:
    return len(trait) == 1 or trait[1] == "asked"


def _traits(tree: ast.AST) -> frozenset[tuple[str, ...]]:
    """What the code is made of: kinds of node, what stands inside what, what follows what."""
    return frozenset(_walk_traits(tree, ()))


_FRAMES = {"If", "Try", "Loop"}
_LOOPS = (ast.For, ast.While, ast.ListComp, ast.GeneratorExp, ast.SetComp)


def _walk_traits(node: ast.AST, inside: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    kind = _kind(node)
    if kind:
        yield (kind,)
        for outer in set(inside):
            yield (kind, "in", outer)
        inside = (*inside, kind) if kind in _FRAMES else inside
    if isinstance(node, (ast.If, ast.While)):
        yield from (
            (asked.attr, "asked") for asked in ast.walk(node.test) if isinstance(asked, ast.Attribute)
        )
    for field in ("body", "orelse", "finalbody"):
        block = getattr(node, field, None)
        if isinstance(block, list):
            kinds = [_kind(statement) for statement in block]
            for place, later in enumerate(kinds):
                yield from ((later, "after", earlier) for earlier in kinds[:place] if earlier and later)
    for child in ast.iter_child_nodes(node):
        if isinstance(node, ast.Call) and child is node.func and isinstance(child, ast.Attribute):
            yield from _walk_traits(child.value, inside)  # the name is in the call's own trait
            continue
        yield from _walk_traits(child, inside)


def _kind(node: ast.AST) -> str:
    match node:
        case ast.Return(value=None):
            return "Leave"
        case ast.BoolOp(op=op):
            return type(op).__name__
        case ast.If() | ast.Try() | ast.Raise() | ast.Assert() | ast.Return() | ast.Break() | ast.Slice():
            return type(node).__name__
        case _ if isinstance(node, _LOOPS):
            return "Loop"
        case ast.Call(func=ast.Name(id=name)) | ast.Call(func=ast.Attribute(attr=name)):
            return f"{name}()"
        case ast.BinOp(op=op) | ast.AugAssign(op=op):
            return type(op).__name__
        case ast.Compare(ops=[op]):
            return type(op).__name__
        case ast.Subscript(value=ast.Attribute(attr="physical_kv_cache"), slice=ast.Slice()):
            return "pool[:]"
        case ast.Subscript(value=ast.Attribute(attr="physical_kv_cache")):
            return "pool[]"
        case ast.Attribute(attr=name):
            return f".{name}"
        case ast.keyword(arg=str(name), value=ast.Constant(value=value)):
            return f"{name}={value!r}"
        case _:
            return ""
