"""One list for several objects: proved by what happened, and found where the file makes it only once.

Objects that share a list from their birth share it by their constructor. Where they come to share it in a
method, it is a class's, a module's or a default value's list, or an alias of a list that is somebody's own
(`req.block_table = self.free_blocks`): then it is not said to be made too seldom, but to have two names.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pagetutor.diagnosis import structure_words as words
from pagetutor.diagnosis.manager_class import FUNCTIONS, FunctionDef, manager_class
from pagetutor.diagnosis.mistake import Mistake, Span
from pagetutor.diagnosis.source import SourceText
from pagetutor.exercise.scenario import CallMethod, MakeManager, MakeRequest
from pagetutor.exercise.trace import Step, Trace


def shared_lists(source: SourceText, tree: ast.Module, trace: Trace, index: int) -> Iterator[Mistake]:
    """A call on one request or manager that changed another one, because both hold the same object.

    Equal contents prove nothing: code may reach for another request's table and change that one.
    """
    step = trace.steps[index]
    if not isinstance(step.op, CallMethod) or not index:
        return
    yield from _pool_for_a_table(source, tree, step, step.op)
    before = trace.steps[index - 1]
    for name, request in before.requests.items():
        now = step.requests.get(name)
        if name != step.op.request and now is not None and now.shares and now.table != request.table:
            yield from _shared(source, tree, trace.steps[: index + 1], "block_table")
    for name, manager in before.managers.items():
        after = step.managers.get(name)
        if (
            name != step.op.manager
            and after is not None
            and "free_blocks" in after.shares
            and after.free != manager.free
        ):
            yield from _shared(source, tree, trace.steps[: index + 1], "free_blocks")


def _pool_for_a_table(source: SourceText, tree: ast.Module, step: Step, op: CallMethod) -> Iterator[Mistake]:
    """A table that is the free list itself: both hold the same ids, and one was assigned to the other."""
    request, manager = step.requests.get(op.request), step.managers.get(op.manager)
    if request is None or manager is None or not request.table or request.table != manager.free:
        return
    files = _File(tree)
    both = [*files.aliases("block_table"), *files.aliases("free_blocks")]
    given = [(node, whose) for node, whose in both if whose.attr in ("block_table", "free_blocks")]
    if len(given) == len(both) == 1 and files.stays(given[0][0]):
        yield words.aliases_list(*_alias(source, *given[0]), op.method.full_name)


def _shared(source: SourceText, tree: ast.Module, steps: tuple[Step, ...], field: str) -> Iterator[Mistake]:
    if _from_birth(steps, field):
        yield words.shared(made_only_once(source, tree, field), field)
        return
    files = _File(tree)
    made = list(files.made_once_in(field, by_constructor=False))
    aliases = list(files.aliases(field))
    op = steps[-1].op
    if made:
        yield words.shared(source.span(made[0]), field)
    elif len(aliases) == 1 and isinstance(op, CallMethod):  # they hold one object, and it came from there
        yield words.aliases_list(*_alias(source, *aliases[0]), op.method.full_name)


def _alias(source: SourceText, target: ast.Attribute, whose: ast.Attribute) -> tuple[Span, str, str]:
    return source.line_span(target.lineno), ast.unparse(target), ast.unparse(whose)


def _from_birth(steps: tuple[Step, ...], field: str) -> bool:
    """Whether an object that had only just been made held another one's list."""
    for step in steps:
        match step.op:
            case MakeRequest(request=name) if name in step.requests:
                shares = step.requests[name].shares
            case MakeManager(manager=name) if name in step.managers:
                shares = step.managers[name].shares
            case _:
                continue
        if field in shares:
            return True
    return False


def made_only_once(source: SourceText, tree: ast.Module, field: str) -> Span | None:
    """Where the list that new objects get as their `field` is made once for all of them, as the syntax shows.

    A class's, a module's or a default value's list that a constructor assigns to the field, or a field of
    the class that no constructor sets anew.
    """
    files = _File(tree)
    made = next(files.made_once_in(field, by_constructor=True), None)
    owner = files.owner(field)
    if made is None and owner is not None and not files.sets_its_own(field):
        made = _in_body(owner, field)
    return None if made is None else source.span(made)


def _may_be(value: ast.expr, function: FunctionDef) -> Iterator[ast.expr]:
    """The expressions whose very object this value may be; a local name is followed to what it was given."""
    match value:
        case ast.IfExp(body=body, orelse=orelse):
            yield from _may_be(body, function)
            yield from _may_be(orelse, function)
        case ast.BoolOp(values=values):
            for one in values:
                yield from _may_be(one, function)
        case ast.NamedExpr(value=inner):
            yield from _may_be(inner, function)
        case ast.Name(id=name):
            given = [
                node.value
                for node in ast.walk(function)
                if isinstance(node, ast.Assign)
                and node.lineno < value.lineno
                and any(isinstance(one, ast.Name) and one.id == name for one in node.targets)
            ]
            if given:
                yield from _may_be(given[-1], function)
            else:
                yield value
        case ast.Attribute():
            yield value


class _File:
    """What a file's classes, module and defaults make once."""

    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree
        self._manager = manager_class(tree)

    def owner(self, field: str) -> ast.ClassDef | None:
        """The class whose objects have this field."""
        if field == "free_blocks":
            return self._manager
        classes = (node for node in ast.walk(self._tree) if isinstance(node, ast.ClassDef))
        return next((node for node in classes if node.name == "Request"), None)

    def assignments(self, field: str) -> Iterator[tuple[FunctionDef, ast.Attribute, ast.expr]]:
        """Each `….field = value` in a function."""
        for function in (node for node in ast.walk(self._tree) if isinstance(node, FUNCTIONS)):
            for node in ast.walk(function):
                match node:
                    case ast.Assign(targets=targets, value=value):
                        for target in targets:
                            if isinstance(target, ast.Attribute) and target.attr == field:
                                yield function, target, value
                    case ast.AnnAssign(target=ast.Attribute(attr=attr) as one, value=ast.expr() as value):
                        if attr == field:
                            yield function, one, value

    def made_once_in(self, field: str, *, by_constructor: bool) -> Iterator[ast.expr | ast.stmt]:
        """Where the objects are made once that constructors, or that other functions, assign to the field."""
        for function, _, value in self.assignments(field):
            if (function.name == "__init__") == by_constructor:
                for leaf in _may_be(value, function):
                    made = self.made_once(leaf, function)
                    if made is not None:
                        yield made

    def sets_its_own(self, field: str) -> bool:
        """Whether a constructor sets the field on its own object, whatever the class has."""
        return any(
            function.name == "__init__" and _is_own(target, function)
            for function, target, _ in self.assignments(field)
        )

    def aliases(self, field: str) -> Iterator[tuple[ast.Attribute, ast.Attribute]]:
        """Each place in a method where the field is given an object that something else holds already."""
        for function, target, value in self.assignments(field):
            for leaf in _may_be(value, function):
                if isinstance(leaf, ast.Attribute) and function.name != "__init__":
                    yield target, leaf

    def stays(self, alias: ast.Attribute) -> bool:
        """Whether the two fields hold what this gave them: always run, nothing set behind it, no property."""
        fields = ("block_table", "free_blocks")
        functions = [node for node in ast.walk(self._tree) if isinstance(node, FUNCTIONS)]
        if any(one.name in (*fields, "__setattr__", "__getattribute__") for one in functions):
            return False
        around = [one for one in functions if alias in ast.walk(one)]
        always_run = any(
            isinstance(one, (ast.Assign, ast.AnnAssign)) and alias in ast.walk(one)
            for function in around
            for one in function.body
        )
        return always_run and not any(
            target.lineno > alias.lineno and function in around
            for field in fields
            for function, target, _ in self.assignments(field)
        )

    def made_once(self, leaf: ast.expr, function: FunctionDef) -> ast.expr | ast.stmt | None:
        """Where the object that `leaf` stands for is made once for all calls, if it is seen to be."""
        match leaf:
            case ast.Name(id=name):
                given = _default(function, name)
                parameters = {one.arg for one in ast.walk(function.args) if isinstance(one, ast.arg)}
                if given is not None or name in parameters:
                    return given
                return _in_body(self._tree, name)
            case ast.Attribute(value=ast.Name(id=name), attr=attr):
                for owner in ast.walk(self._tree):
                    if isinstance(owner, ast.ClassDef) and (
                        owner.name == name or (name in ("self", "cls") and function in owner.body)
                    ):
                        found = _in_body(owner, attr)
                        if found is not None and (owner.name == name or not _set_on_self(owner, attr)):
                            return found
        return None


def _default(function: FunctionDef, name: str) -> ast.expr | None:
    """The default value of this parameter, where that is an object that can change."""
    arguments = function.args
    positional = [*arguments.posonlyargs, *arguments.args]
    pairs = [
        *zip(reversed(positional), reversed(arguments.defaults), strict=False),
        *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True),
    ]
    return next(
        (value for one, value in pairs if one.arg == name and value is not None and _can_change(value)), None
    )


def _in_body(owner: ast.ClassDef | ast.Module, name: str) -> ast.stmt | None:
    """The statement of a class or module, outside functions, that makes something changeable so named."""
    for node in owner.body:
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=bound)], value=value)
                | ast.AnnAssign(target=ast.Name(id=bound), value=ast.expr() as value)
            ) if bound == name and _can_change(value):
                return node
    return None


_MAKERS = frozenset({"list", "deque", "dict", "set", "sorted"})  # not `field(default_factory=list)`


def _can_change(value: ast.expr) -> bool:
    match value:
        case ast.Call(func=ast.Name(id=name)) | ast.Call(func=ast.Attribute(attr=name)):
            return name in _MAKERS
        case ast.BinOp(left=left, right=right):  # `[0] * 8`
            return _can_change(left) or _can_change(right)
    return isinstance(value, (ast.List, ast.ListComp, ast.Dict, ast.Set))


def _set_on_self(owner: ast.ClassDef, attr: str) -> bool:
    return any(
        isinstance(node, ast.Attribute)
        and node.attr == attr
        and isinstance(node.ctx, ast.Store)
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
        for node in ast.walk(owner)
    )


def _is_own(target: ast.Attribute, function: FunctionDef) -> bool:
    """Whether the field is set on the constructor's own object."""
    parameters = [*function.args.posonlyargs, *function.args.args]
    return bool(parameters) and isinstance(target.value, ast.Name) and target.value.id == parameters[0].arg
