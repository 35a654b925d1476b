"""Which class of the file is the block manager, and which definition of a method is its own.

The rules are those of `missions/stage.py`, read off the syntax: what the stage plays is what is looked
at, whatever other classes the file holds (a protocol, a first try, a test double).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pagetutor.exercise.scenario import Method

FunctionDef = ast.FunctionDef | ast.AsyncFunctionDef
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
NAMES = ("KVCacheManager", "BlockManager")  # as in missions/stage.py


def manager_class(tree: ast.Module) -> ast.ClassDef | None:
    """The class that scenarios are played on: by its name, else the first that has one of the methods.

    The last definition of a name counts, as it does when the file runs. None where there is none at the
    file's own level, or it is made in a way that the syntax does not show.
    """
    for name in NAMES:
        found = _bound(tree, name, before=None)
        if found is not None:
            return found
    wanted = {method.full_name for method in Method}
    last = {node.name: node for node in _classes(tree)}
    return next((node for node in last.values() if wanted & _method_names(tree, node)), None)


def find_method(tree: ast.Module, name: str) -> FunctionDef | None:
    """The definition of that method which counts: attached later, the manager's own, or inherited.

    Where the manager has none, any class's: a method may be moved there while the file runs.
    """
    manager = manager_class(tree)
    if manager is not None:
        own = _attached(tree, manager, name) or method_of(tree, manager, name)
        if own is not None:
            return own
    return _last_in(ast.walk(tree), name)


def class_named(tree: ast.Module, name: str) -> ast.ClassDef | None:
    """The last class of that name at the file's own level."""
    return next((node for node in reversed(list(_classes(tree))) if node.name == name), None)


def managers_method(tree: ast.Module, name: str) -> FunctionDef | None:
    """The manager's own or inherited definition; any class's where no class is seen to be the manager."""
    manager = manager_class(tree)
    return _last_in(ast.walk(tree), name) if manager is None else method_of(tree, manager, name)


def _attached(tree: ast.Module, manager: ast.ClassDef, name: str) -> FunctionDef | None:
    """The function that the file puts into the class: `Manager.name = function`, `setattr(…)`."""
    functions = {node.name: node for node in _top_level(tree) if isinstance(node, FUNCTIONS)}
    found: FunctionDef | None = None
    for node in _top_level(tree):
        match node:
            case ast.Assign(
                targets=[ast.Attribute(value=ast.Name(id=owner), attr=attr)], value=ast.Name(id=function)
            ) if (owner, attr) == (manager.name, name):
                found = functions.get(function, found)
            case ast.Expr(
                value=ast.Call(
                    func=ast.Name(id="setattr"),
                    args=[ast.Name(id=owner), ast.Constant(value=attr), ast.Name(id=function)],
                )
            ) if (owner, attr) == (manager.name, name):
                found = functions.get(function, found)
    return found


def method_of(tree: ast.Module, owner: ast.ClassDef, name: str) -> FunctionDef | None:
    """The class's own or inherited definition of that method, the last one where there are several."""
    for each in _line_of(tree, owner):
        found = _last_in([each], name)
        if found is not None:
            return found
    return None


def _line_of(tree: ast.Module, owner: ast.ClassDef) -> Iterator[ast.ClassDef]:
    """The class and what it inherits from in the file; `class A(A)` inherits from the A before it."""
    yield owner
    for base in owner.bases:
        if isinstance(base, ast.Name):
            above = _bound(tree, base.id, before=owner.lineno)
            if above is not None:
                yield from _line_of(tree, above)


def _bound(tree: ast.Module, name: str, *, before: int | None) -> ast.ClassDef | None:
    """The class that a name stands for at the file's own level, before a line; `A = B` is followed."""
    found: ast.ClassDef | None = None
    for node in _top_level(tree):
        if before is not None and node.lineno >= before:
            break
        match node:
            case ast.ClassDef() if node.name == name:
                found = node
            case ast.Assign(targets=[ast.Name(id=bound)], value=ast.Name(id=other)) if (
                bound == name and other != name
            ):
                found = _bound(tree, other, before=node.lineno) or found
    return found


def _classes(tree: ast.Module) -> Iterator[ast.ClassDef]:
    return (node for node in _top_level(tree) if isinstance(node, ast.ClassDef))


def _top_level(tree: ast.Module) -> Iterator[ast.stmt]:
    """The statements that run when the file does, in order: those under `if`, `try` and `with` too."""
    waiting: list[ast.stmt] = list(reversed(tree.body))
    while waiting:
        node = waiting.pop()
        yield node
        if isinstance(node, (ast.If, ast.Try, ast.With)):
            inner: list[ast.stmt] = list(node.body)
            for field in ("orelse", "finalbody"):
                inner += getattr(node, field, [])
            waiting += reversed(inner)


def _method_names(tree: ast.Module, owner: ast.ClassDef) -> set[str]:
    return {node.name for each in _line_of(tree, owner) for node in each.body if isinstance(node, FUNCTIONS)}


def _last_in(nodes: Iterator[ast.AST] | list[ast.ClassDef], name: str) -> FunctionDef | None:
    found: FunctionDef | None = None
    for owner in nodes:
        if isinstance(owner, ast.ClassDef):
            for node in owner.body:
                if isinstance(node, FUNCTIONS) and node.name == name:
                    found = node
    return found


def first_line(definition: FunctionDef) -> int:
    """The line on which it begins (1-based): that of its first decorator, where it has one."""
    return min([definition.lineno, *(decorator.lineno for decorator in definition.decorator_list)])
