"""Which wording of a behaviour fits the learner's code: for explanations that no call can tell apart."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from pagetutor.content.model import ErrorModel
from pagetutor.diagnosis.programs import Explanation, body, choices


def fits_of(
    model: ErrorModel, explanations: tuple[Explanation, ...], code: Sequence[ast.AST]
) -> dict[Explanation, tuple[int, int]]:
    """For each explanation, how well the learner's code fits it: more is better.

    First what it cannot do without and the code lacks: nothing is swallowed where no `raise` stands in a
    `try`, and such an explanation is none; nothing is printed, asserted or added without a print, an
    assert or a list that is added. Then how much of what tells it from the others is found in the code.

    What the wrong code is made of and the reference is not (a `try`, a call of `round`) weighs three
    times as much as how things are nested and ordered: `prints-instead-of-raising` has to print. Whether
    something is signalled inside the loop or behind it weighs twice that.
    """
    reference = _traits(ast.parse(body(model, {})))
    traits = {one: _traits(ast.parse(body(model, choices(model, one)))) for one in explanations}
    written = frozenset(trait for part in code for trait in _traits(part))
    traits = {
        one: own for one, own in traits.items() if not own - reference >= _SWALLOWS or written >= _SWALLOWS
    }
    if not traits:
        return {}
    telling = frozenset.union(*traits.values()) - frozenset.intersection(*traits.values())
    return {
        one: (
            -len((own - reference - written) & _INDISPENSABLE),
            _fit(own, reference, telling, written),
        )
        for one, own in traits.items()
    }


_SWALLOWS = frozenset({("Raise", "in", "Try")})
_INDISPENSABLE = frozenset({("print()",), ("Assert",), ("Add[]",), ("Try",), ("UAdd",)})


_Traits = frozenset[tuple[str, ...]]


def _fit(own: _Traits, reference: _Traits, telling: _Traits, written: _Traits) -> int:
    score = sum((trait in written) == (trait in own) for trait in telling)
    for trait in own - reference:
        if trait in telling:
            weight = _weight(trait)
            score += -weight if trait not in written else 0 if trait in _BY_THE_WAY else weight
    for trait in reference - own:
        if trait in telling:
            score += -_weight(trait) if trait in written else _weight(trait)
    return score


_BY_THE_WAY = {("print()",)}  # many a right file prints too


_WHERE_IT_IS_SIGNALLED = {("Raise", "in", "Loop"), ("If", "after", "Loop")}


def _weight(trait: tuple[str, ...]) -> int:
    if trait in _WHERE_IT_IS_SIGNALLED:
        return 6
    return 3 if len(trait) == 1 or trait[1] == "asked" else 0


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
    if isinstance(node, ast.ExceptHandler):
        inside = tuple("Handler" if outer == "Try" else outer for outer in inside)
    for child in ast.iter_child_nodes(node):
        if isinstance(node, ast.Call) and child is node.func and isinstance(child, ast.Attribute):
            yield from _walk_traits(child.value, inside)  # the name is in the call's own trait
            continue
        yield from _walk_traits(child, inside)


def _kind(node: ast.AST) -> str:
    if isinstance(node, (ast.If, ast.Try, ast.Raise, ast.Assert, ast.Break, ast.Slice, ast.UAdd)):
        return type(node).__name__
    return "Loop" if isinstance(node, _LOOPS) else _kind_of_part(node)


def _kind_of_part(node: ast.AST) -> str:
    match node:
        case ast.Return(value=None):
            return "Leave"
        case ast.BoolOp(op=op):
            return type(op).__name__
        case ast.Return():
            return "Return"
        case ast.Call(func=ast.Name(id=name)) | ast.Call(func=ast.Attribute(attr=name)):
            return f"{name}()"
        case ast.BinOp(left=left, op=ast.Add(), right=right) if ast.List in (type(left), type(right)):
            return "Add[]"
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
