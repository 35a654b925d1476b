"""The reference's code for a slot, rewritten in the learner's names, ready to be put into the file."""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations

from pagetutor.content.model import ErrorModel
from pagetutor.diagnosis.manager_class import FunctionDef
from pagetutor.diagnosis.programs import body, slot_code, stands_alone

_PLACE = "pagetutor_slot_"


@dataclass(frozen=True, slots=True)
class SlotForm:
    """How a slot stands in its template.

    `expression` is its reference as an expression, where it is one; `statements` the reference
    statements (the slot's own, or the one the expression stands in); `own` says which. `locals` is what
    the template's own variables are made of, where that can be computed again without touching anything;
    `unknown` are its other variables.
    """

    expression: ast.expr | None
    statements: tuple[ast.stmt, ...]
    own: bool
    locals: Mapping[str, ast.expr]
    unknown: frozenset[str]


def slot_form(model: ErrorModel, name: str, chosen: Mapping[str, str]) -> SlotForm:
    """The form of a slot, in a program whose other slots hold `chosen` code, else the reference's."""
    others = {slot: code for slot, code in chosen.items() if slot != name}
    names, unknown = _locals(ast.parse(body(model, others)))
    if stands_alone(model, name):
        own = tuple(ast.parse(slot_code(model, name, others)).body)
        return SlotForm(None, own, own=True, locals=names, unknown=unknown)
    try:
        expression = ast.parse(model.slot(name).reference, mode="eval").body
    except SyntaxError:
        return SlotForm(None, (), own=False, locals=names, unknown=unknown)
    around = _smallest_statement(ast.parse(body(model, {**others, name: _PLACE})))
    held = () if around is None else (_Put({_PLACE: expression}).visit(copy.deepcopy(around)),)
    return SlotForm(expression, held, own=False, locals=names, unknown=unknown)


def joint_form(model: ErrorModel, names: Sequence[str], chosen: Mapping[str, str]) -> SlotForm | None:
    """The form of several slots that hold expressions, as one: the last with the others written into it.

    None where they are not all expressions.
    """
    order = [slot.name for slot in model.slots if slot.name in names]
    forms = [slot_form(model, name, chosen) for name in order]
    expression = forms[-1].expression
    if expression is None or any(form.expression is None for form in forms):
        return None
    parts: dict[str, ast.expr] = {}
    for name in order[:-1]:
        for line in model.template.splitlines():
            found = re.fullmatch(r"\s*(\w+) = .*\{" + name + r"\}.*", line)
            if found:
                whole = body(model, {slot: code for slot, code in chosen.items() if slot not in names})
                values = [
                    node.value
                    for node in ast.walk(ast.parse(whole))
                    if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == found.group(1)
                ]
                parts[found.group(1)] = _Put(parts).visit(copy.deepcopy(values[0]))
    last = forms[-1]
    return replace(last, expression=_Put(parts).visit(copy.deepcopy(expression)), statements=())


def _smallest_statement(tree: ast.AST) -> ast.stmt | None:
    found: ast.stmt | None = None
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and any(
            isinstance(inner, ast.Name) and inner.id == _PLACE for inner in ast.walk(node)
        ):
            found = node  # breadth first: later is deeper
    return found


def _locals(tree: ast.AST) -> tuple[dict[str, ast.expr], frozenset[str]]:
    """The template's variables that can be written out, and those that cannot (a popped id, an index)."""
    values: dict[str, list[ast.expr]] = {}
    others: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                values.setdefault(name, []).append(value)
            case ast.For(target=ast.Name(id=name)) | ast.comprehension(target=ast.Name(id=name)):
                others.add(name)
    pure = {name: found[0] for name, found in values.items() if len(found) == 1 and _is_pure(found[0])}
    others |= values.keys() - pure.keys()
    whole: dict[str, ast.expr] = {}
    for name, value in pure.items():  # definitions stand before their use, so one pass in order suffices
        whole[name] = _Put(whole).visit(copy.deepcopy(value))
    return whole, frozenset(others)


def _is_pure(value: ast.expr) -> bool:
    return not any(
        isinstance(node, ast.Attribute) and node.attr in ("pop", "popleft", "remove")
        for node in ast.walk(value)
    )


class _Put(ast.NodeTransformer):
    """Puts expressions in the place of names (and of attributes like `req.seq_len`)."""

    def __init__(self, values: Mapping[str, ast.expr]) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if isinstance(node.ctx, ast.Load) and node.id in self.values:
            return copy.deepcopy(self.values[node.id])
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if isinstance(node.ctx, ast.Load) and isinstance(node.value, ast.Name):
            found = self.values.get(f"{node.value.id}.{node.attr}")
            if found is not None:
                return copy.deepcopy(found)
        self.generic_visit(node)
        return node


class _Rename(ast.NodeTransformer):
    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.copy_location(ast.Name(self.names.get(node.id, node.id), node.ctx), node)


@dataclass(frozen=True, slots=True)
class Scope:
    """A function of the learner's file in which reference code can be put, and how to name things there.

    Each of `renames` maps what the reference calls something (`self`, `req`, `req.seq_len`) to the
    learner's expression for it.
    """

    function: FunctionDef
    renames: tuple[Mapping[str, ast.expr], ...]
    variables: tuple[str, ...]


def scopes(tree: ast.Module, method: FunctionDef, atoms: Sequence[str]) -> Iterator[Scope]:
    """The method itself, then the functions it reaches by name; `atoms` are what code may need."""
    parameters = [argument.arg for argument in (*method.args.posonlyargs, *method.args.args)]
    names = dict(zip(("self", "req"), parameters, strict=False))
    yield Scope(method, ({old: ast.Name(new, ast.Load()) for old, new in names.items()},), _variables(method))
    for helper in reached(tree, method):
        yield Scope(helper, tuple(_helper_renames(helper, atoms)), _variables(helper))


def _variables(function: FunctionDef) -> tuple[str, ...]:
    found = {
        node.id: None
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    return tuple(found)


def reached(tree: ast.Module, method: FunctionDef) -> list[FunctionDef]:
    """The other functions of the file that a method calls by name, directly or not."""
    functions = {
        node.name: node
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node is not method
    }
    inside = {id(node) for node in ast.walk(method)}
    found: dict[str, FunctionDef] = {}
    waiting: list[FunctionDef] = [method]
    while waiting:
        for node in ast.walk(waiting.pop()):
            name = (
                node.attr
                if isinstance(node, ast.Attribute)
                else node.id
                if isinstance(node, ast.Name)
                else ""
            )
            if name in functions and name not in found and name != "__init__":
                helper = functions[name]
                if id(helper) not in inside:
                    found[name] = helper
                    waiting.append(helper)
    return list(found.values())


def _helper_renames(helper: FunctionDef, atoms: Sequence[str]) -> Iterator[Mapping[str, ast.expr]]:
    """Ways to say the reference's atoms in a helper: through `self`, a request, or plain parameters."""
    parameters = [argument.arg for argument in (*helper.args.posonlyargs, *helper.args.args)]
    has_self = bool(parameters) and parameters[0] in ("self", "cls", "this")
    me: dict[str, ast.expr] = {"self": ast.Name(parameters[0], ast.Load())} if has_self else {}
    rest = parameters[1:] if has_self else parameters
    needed = [atom for atom in atoms if not (has_self and atom.startswith("self."))]
    for one in rest:
        yield me | {"req": ast.Name(one, ast.Load())}
    for taken in permutations(rest, min(len(needed), len(rest), 3)):
        yield me | {atom: ast.Name(name, ast.Load()) for atom, name in zip(needed, taken, strict=False)}
    if not rest:
        yield me


def atoms_of(nodes: Iterable[ast.AST]) -> list[str]:
    """The `self.…` and `req.…` that code reads, in order of appearance."""
    found = {
        f"{node.value.id}.{node.attr}": None
        for top in nodes
        for node in ast.walk(top)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id in ("self", "req")
    }
    return sorted(found, key=lambda atom: (not atom.startswith("req."), atom))


def written(node: ast.AST, renames: Mapping[str, ast.expr], values: Mapping[str, ast.expr]) -> str:
    """Reference code as text: `values` put in for its variables, then the learner's names."""
    filled = _Put(values).visit(copy.deepcopy(node))
    named = _Put(renames).visit(filled)
    plain = {old: new.id for old, new in renames.items() if isinstance(new, ast.Name) and "." not in old}
    return ast.unparse(ast.fix_missing_locations(_Rename(plain).visit(named)))


def used_names(node: ast.AST, names: Iterable[str]) -> list[str]:
    """Which of these variables the code reads."""
    wanted = set(names)
    found = {
        inner.id: None
        for inner in ast.walk(node)
        if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Load) and inner.id in wanted
    }
    return list(found)
