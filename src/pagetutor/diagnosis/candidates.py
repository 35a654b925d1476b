"""The edited copies of a learner's file that could undo one mistake, in groups from bold to fine."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pagetutor.diagnosis.edits import (
    Edit,
    add_after,
    add_before,
    empty_starts,
    expressions,
    remove_statement,
    statements,
    swap_expression,
    swap_statement,
)
from pagetutor.diagnosis.ingredients import Scope, SlotForm, used_names, written
from pagetutor.diagnosis.mistake import Span
from pagetutor.diagnosis.source import SourceText

_MOST_INNER = 6  # expressions inside a candidate that are tried in the place of a template's variable


@dataclass(frozen=True, slots=True)
class Candidate:
    """An edited copy and how it came about.

    `wraps`: the reference's code was put around the learner's own expression, so something was lacking;
    `direct`: nothing of the template's variables had to be written out; `removed`: a statement was too
    much; `in_helper`: not in the method itself; `ends_as_before`: a loop it touches still comes to its end;
    `statement`: what was swapped, where it is a whole one.
    """

    edit: Edit
    node: ast.expr | None = None
    wraps: bool = False
    direct: bool = True
    removed: bool = False
    in_helper: bool = False
    ends_as_before: bool = False
    statement: ast.stmt | None = None


def swaps(source: SourceText, scope: Scope, form: SlotForm) -> Iterator[Candidate]:
    """The reference's expression in the place of each expression of the learner's."""
    references = _references(form)
    asked = {id(node) for node in _asked(scope.function)}
    for node in expressions(scope.function):
        for reference in references:
            if isinstance(reference, (ast.Compare, ast.UnaryOp)) and id(node) not in asked:
                continue  # `divmod(n == 1, b)` would be right by accident
            for renames in scope.renames:
                yield from _Swap(source, scope, form, renames).at(node, reference)


def swaps_everywhere(source: SourceText, scope: Scope, form: SlotForm) -> Iterator[Candidate]:
    """The reference's expression in the place of all equal expressions at once; the place is the first."""
    alike: dict[str, list[ast.expr]] = {}
    for node in expressions(scope.function):
        if not isinstance(node, ast.Constant):
            alike.setdefault(ast.unparse(node), []).append(node)
    for nodes in alike.values():
        if len(nodes) > 1 and not any(node in ast.walk(nodes[0]) for node in nodes[1:]):
            for reference in _references(form):
                if used_names(reference, form.unknown):
                    continue
                for renames in scope.renames:
                    code = f"({written(reference, renames, form.locals)})"
                    text = source.text
                    for node in reversed(nodes):  # from the end, so that earlier positions still hold
                        start, end = source.offsets(source.span(node))
                        text = text[:start] + code + text[end:]
                    yield Candidate(Edit(text, source.span(nodes[0])), nodes[0])


def _references(form: SlotForm) -> list[ast.expr]:
    found = [] if form.expression is None else [form.expression]
    for statement in form.statements if form.own else ():
        match statement:
            case ast.Assign(value=value) | ast.Expr(value=value):
                found.append(value)
            case ast.If(test=test):
                found.append(test)
    # `if rest != 0: return` asks the opposite question.
    return found + [
        ast.UnaryOp(ast.Not(), one) for one in found if isinstance(one, (ast.Compare, ast.UnaryOp))
    ]


def _asked(function: ast.AST) -> Iterator[ast.expr]:
    """The expressions that stand where a yes or no may stand."""
    for node in ast.walk(function):
        match node:
            case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test) | ast.Assert(test=test):
                yield test
            case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value):
                if not isinstance(value, ast.BinOp) or isinstance(value.op, ast.Mod):
                    yield value
            case ast.NamedExpr(value=value) | ast.Return(value=ast.expr() as value):
                yield value
            case ast.BoolOp(values=values):
                yield from values
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                yield operand
            case ast.comprehension(ifs=ifs):
                yield from ifs
            case ast.Call(func=ast.Name(id="bool"), args=args):
                yield from args


@dataclass(frozen=True, slots=True)
class _Swap:
    """One way of naming things in one function, and the swaps it makes."""

    source: SourceText
    scope: Scope
    form: SlotForm
    renames: Mapping[str, ast.expr]

    def at(self, node: ast.expr, reference: ast.expr) -> Iterator[Candidate]:
        """`reference` in the place of `node`, with its variables filled in by every way that may do."""
        form = self.form
        names = used_names(reference, [*form.locals, *form.unknown])
        if not names:
            code = written(reference, self.renames, {})
            yield Candidate(swap_expression(self.source, node, code), node)
            yield from _swapped_in_pair(self.source, self.scope, node, code)
            return
        if len(names) == 1:
            for inner in _inner(node):
                code = written(reference, self.renames, {names[0]: inner})
                yield Candidate(swap_expression(self.source, node, code), node, wraps=inner is node)
        unknown = [name for name in names if name in form.unknown]
        for variable in self.scope.variables if unknown else ("",):
            values = {**form.locals, **{name: ast.Name(variable, ast.Load()) for name in unknown}}
            code = written(reference, self.renames, values)
            yield Candidate(swap_expression(self.source, node, code), node, direct=False)


def _inner(node: ast.expr) -> list[ast.expr]:
    found = [
        inner
        for inner in ast.walk(node)
        if isinstance(inner, ast.expr)
        and not isinstance(inner, (ast.Constant, ast.Slice, ast.Starred))
        and isinstance(getattr(inner, "ctx", ast.Load()), ast.Load)
    ]
    return found[:_MOST_INNER]


def _swapped_in_pair(source: SourceText, scope: Scope, node: ast.expr, code: str) -> Iterator[Candidate]:
    """`needed, rest = divmod(…)`: the reference in one place of the pair."""
    for statement, _ in statements(scope.function):
        match statement:
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=value) if value is node:
                for place in range(len(targets)):
                    whole = ast.unparse(node)
                    pair = f"tuple(({code}) if _i == {place} else _x for _i, _x in enumerate({whole}))"
                    yield Candidate(swap_expression(source, node, pair), node, direct=False)


def statement_swaps(source: SourceText, scope: Scope, form: SlotForm) -> Iterator[Candidate]:
    """The reference's statements in the place of each statement of the learner's, and beside its siblings."""
    starts = list(empty_starts(scope.function))
    for code in _codes(scope, form):
        for statement, _ in statements(scope.function):
            if statement not in starts:
                yield Candidate(swap_statement(source, statement, code), statement=statement)


def returns(source: SourceText, scope: Scope) -> Iterator[Candidate]:
    """The last statement's value returned: a notebook's cell shows it, a method does not."""
    for statement, is_last in statements(scope.function):
        if is_last and isinstance(statement, ast.Expr):
            yield Candidate(swap_statement(source, statement, f"return {ast.unparse(statement.value)}"))


def additions(source: SourceText, scope: Scope, form: SlotForm) -> Iterator[Candidate]:
    """The reference's statements before each statement, or at the end of each block.

    A condition that stands nowhere is added as a guard: unless it holds, leave. A value that stands
    somewhere is not added a second time: see `reassignments`.
    """
    again = not form.own and form.statements and isinstance(form.statements[0], ast.Assign)
    codes = [] if again else list(_codes(scope, form))
    if form.expression is not None:
        for renames in scope.renames:
            code = written(form.expression, renames, form.locals)
            codes.append(f"if not ({code}):\n    return")
    for code in codes:
        for statement, is_last in statements(scope.function):
            added = add_before(source, statement, code)
            if added is not None:
                yield Candidate(added)
            after = add_after(source, statement, code) if is_last else None
            if after is not None:
                yield Candidate(after)


def _codes(scope: Scope, form: SlotForm) -> Iterator[str]:
    """The slot's statements as text; the template's variables are written out, or the learner's own used."""
    if not form.statements or isinstance(form.statements[0], (ast.For, ast.Return)):
        return
    block = ast.Module(list(form.statements), [])
    stored = {
        node.id for node in ast.walk(block) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    unknown = [name for name in used_names(block, form.unknown) if name not in stored]
    for renames in scope.renames:
        if not unknown:
            for stored_as in [None, *scope.variables] if stored else [None]:
                named = {
                    **renames,
                    **({name: ast.Name(stored_as, ast.Load()) for name in stored} if stored_as else {}),
                }
                yield written(block, named, form.locals)
        for variable in scope.variables if unknown else ():
            values = {**form.locals, **{name: ast.Name(variable, ast.Load()) for name in unknown}}
            yield written(block, renames, values)


def removals(source: SourceText, scope: Scope) -> Iterator[Candidate]:
    """The file without each of its statements."""
    for statement, _ in statements(scope.function):
        yield Candidate(remove_statement(source, statement), removed=True)


def leavings(source: SourceText, scope: Scope) -> Iterator[Candidate]:
    """The file without the `break` of a `for`, or with the `return` at a loop's end moved behind the loop."""
    for loop, _ in statements(scope.function):
        for statement in loop.body if isinstance(loop, ast.For) else ():
            match statement:
                case ast.Break():
                    yield Candidate(remove_statement(source, statement), removed=True)
                case ast.Return():
                    behind = add_after(source, loop, ast.unparse(statement))
                    if behind is not None:
                        halfway = SourceText(source.raw, behind.text, source.encoding)
                        yield Candidate(remove_statement(halfway, statement), removed=True)


def moves(source: SourceText, scope: Scope, form: SlotForm) -> Iterator[Candidate]:
    """Each statement that could be the slot's taken out, and the reference's statements added elsewhere.

    The place is where a check stood, or what should have waited for the statement.
    """
    wanted = {type(statement) for statement in form.statements}
    if form.expression is not None or ast.If in wanted:
        wanted |= {ast.If, ast.Try}
    blocks = [(statement, is_last) for statement, is_last in statements(scope.function)]
    for code in _codes(scope, form):
        for taken, _ in blocks:
            if type(taken) not in wanted:
                continue
            for statement, _ in blocks:
                if statement.lineno != taken.lineno and not _encloses(taken, statement):
                    text = _moved(source, taken, statement, code)
                    if text is not None:
                        yield Candidate(Edit(text, _moved_span(source, taken, statement)))


def _moved_span(source: SourceText, taken: ast.stmt, before: ast.stmt) -> Span:
    """Where to look: the check that came too late, or the statement that came before its time."""
    match taken:
        case ast.If(test=test):
            return source.span(test)
        case ast.Try(handlers=[handler, *_]):
            return source.line_span(handler.lineno)
        case _:
            return remove_statement(source, before).span


def _moved(source: SourceText, taken: ast.stmt, before: ast.stmt, code: str) -> str | None:
    """Both edits in one text, the later one first, so that the positions of the other still hold."""
    later_is_taken = taken.lineno > before.lineno
    first = remove_statement(source, taken) if later_is_taken else add_before(source, before, code)
    if first is None:
        return None
    halfway = SourceText(source.raw, first.text, source.encoding)
    second = add_before(halfway, before, code) if later_is_taken else remove_statement(halfway, taken)
    return None if second is None else second.text


def _encloses(outer: ast.stmt, inner: ast.stmt) -> bool:
    return any(node is inner for node in ast.walk(outer))


def unwrappings(source: SourceText, scope: Scope) -> Iterator[Candidate]:
    """Each expression replaced by a part of itself: `sorted(x)` by `x`, `x[:-1]` by `x`."""
    for node in expressions(scope.function):
        for inner in ast.iter_child_nodes(node):
            if isinstance(inner, ast.expr) and not isinstance(inner, (ast.Slice, ast.Starred)):
                yield Candidate(swap_expression(source, node, ast.unparse(inner)), node)
        match node:
            case ast.Call(func=ast.Attribute(value=owner, end_lineno=int(line))) if not isinstance(
                owner, ast.Name
            ):
                # A link of a chain over several lines: the place is the link, not where the chain begins.
                edit = swap_expression(source, node, ast.unparse(owner))
                whole = source.span(node)
                first = source.line_span(line) if line > whole.line else whole
                yield Candidate(
                    Edit(edit.text, Span(first.line, first.column, whole.end_line, whole.end_column)), node
                )


def renamings(source: SourceText, scope: Scope, form: SlotForm) -> Iterator[Candidate]:
    """Each variable replaced by another one of the function, or made an index into the list."""
    lists = [reference for reference in _references(form) if isinstance(reference, ast.Attribute)]
    for node in expressions(scope.function):
        if isinstance(node, ast.Name):
            for variable in scope.variables:
                if variable != node.id:
                    yield Candidate(swap_expression(source, node, variable))
            for renames in scope.renames:
                for one in lists:
                    yield Candidate(swap_expression(source, node, f"{written(one, renames, {})}[{node.id}]"))


def ingredients(source: SourceText, scope: Scope, form: SlotForm) -> Iterator[Candidate]:
    """Parts of the reference's code, one more, one less, plain constants in the place of each expression."""
    parts: list[ast.expr] = []
    for reference in _references(form):
        parts += [
            part for part in ast.walk(reference) if isinstance(part, (ast.BinOp, ast.Attribute, ast.Call))
        ]
    for node in expressions(scope.function):
        own = ast.unparse(node)
        codes = [f"{own} + 1", f"{own} - 1", "0", "1", f"not ({own})"]
        for part in parts:
            names = used_names(part, form.unknown)
            if not names:
                codes += [written(part, renames, form.locals) for renames in scope.renames]
        for code in dict.fromkeys(codes):
            if code != own:
                yield Candidate(swap_expression(source, node, code), node)


def reassignments(source: SourceText, scope: Scope, form: SlotForm) -> Iterator[Candidate]:
    """The reference's value given to each variable once more, before each statement that follows.

    Not inside a `while`, which may count on that variable to come to its end.
    """
    if form.expression is None or used_names(form.expression, form.unknown):
        return
    assigned: dict[str, None] = {}
    loops = [loop for loop in ast.walk(scope.function) if isinstance(loop, ast.While)]
    turning = {id(inner) for loop in loops for inner, _ in statements(loop)}
    for statement, _ in statements(scope.function):
        for renames in scope.renames:
            code = written(form.expression, renames, form.locals)
            for name in assigned:
                added = add_before(source, statement, f"{name} = {code}")
                if added is not None and id(statement) not in turning:
                    used = ast.Name(name, ast.Load(), lineno=statement.lineno, col_offset=0)
                    yield Candidate(Edit(added.text, added.span), used, ends_as_before=True)
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AugAssign(target=ast.Name(id=name)):
                assigned[name] = None
