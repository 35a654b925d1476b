"""The gate before any run: can the file be read, is it Python, and which TODOs are still open?

Costs a parse and a walk (about 2 ms for a file of the exercise's size); imports nothing heavy.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pagetutor.content.model import Todo
from pagetutor.diagnosis.manager_class import FUNCTIONS, FunctionDef, find_method, managers_method
from pagetutor.diagnosis.source import Broken, SourceText, read_source
from pagetutor.diagnosis.syntax import explain_syntax_error, too_deep

__all__ = [
    "Broken",
    "FunctionDef",
    "OpenTodos",
    "SourceText",
    "find_method",
    "open_todos",
    "parse",
    "read_source",
]


def parse(source: SourceText) -> ast.Module | Broken:
    """The file's syntax tree, or the reason "syntax" with line, column and a specific sentence."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "\d" in a string warns, and is no mistake
            tree = ast.parse(source.text)
            compile(tree, "<block_manager>", "exec", dont_inherit=True)  # `return` outside a function
    except SyntaxError as error:
        return explain_syntax_error(source, error)
    except (RecursionError, MemoryError):
        return too_deep()
    return tree


@dataclass(frozen=True, slots=True)
class OpenTodos:
    """Which TODOs are still their placeholder.

    `numbers` in the order of the TODOs given; `idle` are the methods that do no work at all;
    `untouched` is True where that holds for every method asked about, so that no run is needed. A number
    that is open while its method is not idle is a placeholder left beside real work: run the
    tests first, a pass is a pass.
    """

    numbers: tuple[int, ...]
    idle: frozenset[str]
    untouched: bool


def open_todos(tree: ast.Module, todos: Sequence[Todo]) -> OpenTodos:
    """Which of these TODOs are still open in the file.

    A TODO is filled when its name is bound to something else, or when its name is gone and the method
    does its work another way. A method that is not there has no open TODO (unless the file defines
    nothing at all): that is a question of structure, which the run answers.
    """
    methods = list(dict.fromkeys(todo.method for todo in todos))
    nodes = tuple(ast.walk(tree))  # once: each walk of the starter takes half a millisecond
    if not any(isinstance(node, (ast.ClassDef, *FUNCTIONS)) for node in nodes):
        bare = all(isinstance(node, (ast.Import, ast.ImportFrom, ast.Expr, ast.Pass)) for node in tree.body)
        numbers = tuple(todo.number for todo in todos)
        return OpenTodos(numbers, frozenset(methods), bare) if bare else OpenTodos((), frozenset(), bare)
    still_open: list[int] = []
    idle: set[str] = set()
    for method in methods:
        definition = managers_method(tree, method)
        if definition is None:
            continue
        here = [todo for todo in todos if todo.method == method]
        if _attached(tree, nodes, method):
            continue
        if not any(_works(statement) for statement in definition.body):
            if not _may_be_replaced(nodes, definition):
                idle.add(method)
            still_open.extend(todo.number for todo in here)
        else:
            still_open.extend(todo.number for todo in here if _is_open(definition, todo, here))
    return OpenTodos(tuple(still_open), frozenset(idle), bool(methods) and idle == set(methods))


def _attached(tree: ast.Module, nodes: Sequence[ast.AST], name: str) -> bool:
    """Whether the file gives the class a method of that name from outside: `Manager.name = …`, `setattr`."""
    sets = any(isinstance(node, ast.Name) and node.id == "setattr" for node in nodes)
    if sets and any(isinstance(node, FUNCTIONS) and node.name == name for node in tree.body):
        return True
    return any(
        isinstance(node, ast.Attribute) and node.attr == name and isinstance(node.ctx, ast.Store)
        for node in nodes
    )


def _may_be_replaced(nodes: Sequence[ast.AST], definition: FunctionDef) -> bool:
    """Whether something may put another method in its place: a decorator, a metaclass, `setattr`."""
    for node in nodes:
        match node:
            case ast.Name(id="setattr"):
                return True
            case ast.ClassDef(decorator_list=decorators, keywords=keywords, body=body):
                if definition in body and (decorators or keywords):
                    return True
    return bool(definition.decorator_list)


def _works(statement: ast.stmt) -> bool:
    """Whether a statement does more than hold a place (the given `req.seq_len += 1` is no work)."""
    match statement:
        case ast.Pass():
            return False
        case ast.Expr(value=value):
            return not isinstance(value, ast.Constant)
        case ast.Return(value=value):
            return not (value is None or _is_placeholder(value))
        case ast.Raise(exc=raised):
            return not _is_not_implemented(raised)
        case ast.Assign(value=value):
            return not _is_placeholder(value)
        case ast.AnnAssign(value=value):
            return not (value is None or _is_placeholder(value))
        case ast.AugAssign(target=ast.Attribute(attr="seq_len"), op=ast.Add(), value=ast.Constant(value=1)):
            return False
        case ast.If(test=ast.Name(), body=body, orelse=orelse):
            return any(_works(inner) for inner in (*body, *orelse))
        case _:
            return True


def _is_placeholder(value: ast.expr) -> bool:
    match value:
        case ast.Constant(value=constant):
            return constant is None or constant is Ellipsis
        case ast.Name(id="NotImplemented"):
            return True
        case ast.Tuple(elts=elements):
            return bool(elements) and all(_is_placeholder(element) for element in elements)
        case _:
            return False


def _is_not_implemented(raised: ast.expr | None) -> bool:
    match raised:
        case ast.Name(id="NotImplementedError") | ast.Call(func=ast.Name(id="NotImplementedError")):
            return True
        case _:
            return False


def _is_open(definition: FunctionDef, todo: Todo, here: Sequence[Todo]) -> bool:
    """Whether this TODO's placeholder is still there, in a method that does some work."""
    named = {other.name for other in here if other.name}
    bound = {name: list(_bindings(definition, name)) for name in named}
    if todo.name and bound[todo.name] and all(bound[todo.name]):
        return True
    # Placeholders without a name of their own belong to the TODO without a name, else to the last one.
    keeper = next((other for other in here if other.name is None), here[-1])
    if todo is not keeper:
        return False
    return _holds_ellipsis(definition, named) or (todo.name is None and not _acts(definition))


def _bindings(definition: FunctionDef, name: str) -> Iterator[bool]:
    """For each place that binds `name`: whether it only binds a placeholder."""
    for node in ast.walk(definition):
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    yield from _bound_by(target, value, name)
            case ast.AnnAssign(target=ast.Name(id=bound), value=value) if bound == name:
                yield value is None or _is_placeholder(value)
            case ast.Name(id=bound, ctx=ast.Store()) if bound == name and not _in_assignment(
                definition, node
            ):
                yield False


def _bound_by(target: ast.expr, value: ast.expr, name: str) -> Iterator[bool]:
    match target:
        case ast.Name(id=bound) if bound == name:
            yield _is_placeholder(value)
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            values = value.elts if isinstance(value, (ast.Tuple, ast.List)) else [value] * len(elements)
            for element, part in zip(elements, values, strict=False):
                yield from _bound_by(element, part, name)


def _in_assignment(definition: FunctionDef, name: ast.Name) -> bool:
    for node in ast.walk(definition):
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, ast.AnnAssign):
            targets = [node.target]
        if any(inner is name for target in targets for inner in ast.walk(target)):
            return True
    return False


def _holds_ellipsis(definition: FunctionDef, named: set[str]) -> bool:
    """Whether a bare `...`, a `return ...` or an `x = ...` that is never bound again is left."""
    for node in ast.walk(definition):
        match node:
            case ast.Expr(value=ast.Constant(value=value)) | ast.Return(value=ast.Constant(value=value)):
                if value is Ellipsis:
                    return True
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=value)):
                if value is Ellipsis and name not in named and all(_bindings(definition, name)):
                    return True
    return False


def _acts(definition: FunctionDef) -> bool:
    """Whether the method does anything but compute the names of its other TODOs."""
    for statement in definition.body:
        match statement:
            case ast.Assign(targets=[ast.Name()]) | ast.AnnAssign(target=ast.Name()):
                # Calls may act (`x = self.take(n)`); arithmetic on names does not.
                if any(_may_act(node) for node in ast.walk(statement)):
                    return True
            case _ if _works(statement):
                return True
    return False


_ACTING = {"pop", "popleft", "append", "extend", "free_blocks", "block_table", "remove"}


def _may_act(node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr in _ACTING
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
