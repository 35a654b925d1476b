"""From a fingerprint to the mistakes that explain it: the fewest, and only what is sure is called sure."""

from __future__ import annotations

import ast
from collections.abc import Iterator
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
    method: ast.FunctionDef | ast.AsyncFunctionDef | None,
) -> Decision | None:
    """What explains this fingerprint; None where nothing in the table does.

    There is no nearest neighbour: a behaviour that is not in the table is unknown. Where several
    explanations are left, `method`, the learner's own definition, chooses the words among them.
    """
    explanations = table.explanations.get(whole)
    if not explanations:
        return None
    ranked = _by_wording(model, explanations, method)
    best = ranked[0]
    ids = [frozenset(model.variants[index].id for index in one) for one in explanations]
    # Of one behaviour with two names, the wording chooses; where it does not, neither is certain.
    twins = _twins(table, model) if _is_decisive(model, ranked, method) else {}
    certain = tuple(index for index in best if _shared(model.variants[index].id, ids, twins))
    named = {model.variants[index].id for index in certain}
    others: dict[str, int] = {}
    for one in ranked:
        for index in one:
            name = model.variants[index].id
            if name not in named and not any(name in twins.get(sure, ()) for sure in named):
                others.setdefault(name, index)
    order = causal_order(model)
    return Decision(best, tuple(sorted(certain, key=order.index)), tuple(others.values()), explanations)


def _shared(name: str, ids: list[frozenset[str]], twins: dict[str, frozenset[str]]) -> bool:
    alike = {name} | twins.get(name, frozenset())
    return all(alike & one for one in ids)


def _twins(table: FingerprintTable, model: ErrorModel) -> dict[str, frozenset[str]]:
    """For each id, the ids that no call on the learner's code can tell from it."""
    twins: dict[str, frozenset[str]] = {}
    for tie in (*model.ties, *table.ties):
        for name in tie:
            twins[name] = twins.get(name, frozenset()) | frozenset(tie)
    return twins


def _is_decisive(
    model: ErrorModel, ranked: list[Explanation], method: ast.FunctionDef | ast.AsyncFunctionDef | None
) -> bool:
    """Whether the first explanation fits the code better than every one that says something else."""
    said = {model.variants[index].id for index in ranked[0]}
    rivals = [one for one in ranked if {model.variants[index].id for index in one} != said]
    among = tuple(ranked)
    best = _fits(model, ranked[0], among, method)
    return all(_fits(model, rival, among, method) < best for rival in rivals)


def _by_wording(
    model: ErrorModel,
    explanations: tuple[Explanation, ...],
    method: ast.FunctionDef | ast.AsyncFunctionDef | None,
) -> list[Explanation]:
    order = causal_order(model)
    return sorted(
        explanations,
        key=lambda one: (-_fits(model, one, explanations, method), [order.index(index) for index in one]),
    )


def _fits(
    model: ErrorModel,
    explanation: Explanation,
    among: tuple[Explanation, ...],
    method: ast.FunctionDef | ast.AsyncFunctionDef | None,
) -> int:
    """How much of what tells this explanation from the others is found in the learner's code.

    What the wrong code is made of and the reference is not (a `try`, a call of `round`) weighs three
    times as much as how things are nested and ordered: `prints-instead-of-raising` has to print.
    """
    if method is None:
        return 0
    reference = _traits(ast.parse(body(model, {})))
    traits = {one: _traits(ast.parse(body(model, choices(model, one)))) for one in among}
    telling = frozenset.union(*traits.values()) - frozenset.intersection(*traits.values())
    written = _traits(method)
    own = traits[explanation]
    score = sum((trait in written) == (trait in own) for trait in telling)
    for trait in own - reference:
        if len(trait) == 1 and trait in telling:
            score += 3 if trait in written else -3
    return score


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
        yield from _walk_traits(child, inside)


def _kind(node: ast.AST) -> str:
    match node:
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
        case ast.Attribute(attr=name):
            return f".{name}"
        case ast.keyword(arg=str(name), value=ast.Constant(value=value)):
            return f"{name}={value!r}"
        case _:
            return ""
