"""Which of the proven places is told: a definition before its uses, a piece before what holds it."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass

from pagetutor.content.model import ErrorModel
from pagetutor.diagnosis.candidates import Candidate
from pagetutor.diagnosis.edits import statements
from pagetutor.diagnosis.fingerprint import Fingerprint
from pagetutor.diagnosis.ingredients import reached
from pagetutor.diagnosis.loops import takes, tests_that_end_loops
from pagetutor.diagnosis.manager_class import FunctionDef
from pagetutor.diagnosis.mistake import Span
from pagetutor.diagnosis.places import (
    asks_about_free_blocks,
    call_name,
    calls,
    handler,
    raising_handler,
    sharper,
    telling_calls,
    telling_node,
    unused_value,
)
from pagetutor.diagnosis.programs import Explanation, home_slot, slot_code
from pagetutor.diagnosis.source import SourceText
from pagetutor.exercise.scenario import Method


@dataclass(frozen=True, slots=True)
class Place:
    """A piece of the file. `missing`: something is lacking before it; `proven`: by substitution."""

    span: Span
    missing: bool
    proven: bool


@dataclass(frozen=True, slots=True)
class Question:
    """What `locate` is asked: one mistake of an explanation, in one definition of the learner's file.

    `now` is what the file does, `target` what it would do without this mistake.
    """

    source: SourceText
    tree: ast.Module
    definition: FunctionDef
    method: Method
    model: ErrorModel
    explanation: Explanation
    index: int
    now: Fingerprint
    target: Fingerprint


def choose(question: Question, proven: list[Candidate]) -> Place:
    """The best of the proven places: a definition before its uses, the outermost of nested ones."""
    lacking = not question.model.variants[question.index].code[home_slot(question.model, question.index)]
    if all(candidate.edit.added for candidate in proven) or (
        lacking and any(candidate.edit.added for candidate in proven)
    ):
        return _place_of_missing(question, proven)
    sharp = sharper(question.source, question.definition, question.model, question.index)
    if sharp is not None:
        return Place(sharp, missing=False, proven=True)
    rest = [candidate for candidate in proven if not candidate.edit.added]
    # The helper that computes the value, rather than the call that uses it.
    rest = [candidate for candidate in rest if candidate.in_helper] or rest
    exact = [candidate for candidate in rest if candidate.direct and not candidate.wraps]
    wraps = [candidate for candidate in rest if candidate.wraps]
    if (wraps and not exact) or all(candidate.removed for candidate in rest):
        # Something lacks around the value: said where it is used last. Too much: the later of two equals.
        last = max(wraps or rest, key=lambda candidate: _position(candidate.edit.span))
        return Place(last.edit.span, missing=False, proven=True)
    asked = _asked_of_a_remainder(question, exact)
    if asked is not None:
        return Place(asked.edit.span, missing=False, proven=True)
    firm = [candidate for candidate in exact or rest if _used_name(candidate.node) is None] or exact or rest
    telling = telling_calls(question.model, question.index)
    named = [one for one in firm if _calls_one_of(one, telling)] or firm
    outermost = [one for one in named if not any(_holds(other.edit.span, one.edit.span) for other in named)]
    best = min(outermost, key=lambda candidate: _position(candidate.edit.span))
    span = best.edit.span
    if best.node is not None and _is_unfilled_start(best.node):
        return Place(unused_value(question.source, question.definition) or span, missing=False, proven=True)
    name = _used_name(best.node)
    if isinstance(best.node, ast.Constant) and best.node.value == 0:
        span = _one_turn_too_many(question) or span
    if name is not None:
        span = _definition_of(question, name, negated=best.node is not name) or span
    if best.node is not None and telling and not calls(best.node, telling):
        about = (question.source, question.definition, question.model, question.index)
        told = telling_node(*about)
        unused = None if told is None else unused_value(question.source, question.definition)
        span = unused or told or span
    return Place(span, missing=False, proven=True)


def _is_unfilled_start(node: ast.expr) -> bool:
    """`torch.zeros(…)`: right to begin with, where something then goes into it."""
    return isinstance(node, ast.Call) and call_name(node) in ("zeros", "empty")


def _calls_one_of(candidate: Candidate, names: frozenset[str]) -> bool:
    changed = candidate.node or candidate.statement
    return changed is not None and calls(changed, names)


_ANSWERS = re.compile(r"need|new|is_|has_|want|must|should|full|cross")


def _asked_of_a_remainder(question: Question, exact: Sequence[Candidate]) -> Candidate | None:
    """`if rest:`, `if rest != 0:` where `rest = n % b` is right, and what is asked of it is not.

    A variable whose name says yes or no (`need_new = n % b`) should have held the answer itself.
    """
    home = home_slot(question.model, question.index)
    right = _remainders(slot_code(question.model, home, {}))
    if not right or not right <= _remainders(question.model.variants[question.index].code[home]):
        return None
    asking = [one for one in exact if (name := _asked_name(one.node)) and not _ANSWERS.search(name.id)]
    others = [one.node for one in exact if _asked_name(one.node) is None]
    return asking[0] if asking and others and all(_is_remainder(node) for node in others) else None


def _remainders(code: str) -> set[str]:
    return {ast.unparse(node) for node in ast.walk(ast.parse(code)) if _is_remainder(node)}


def _asked_name(node: ast.expr | None) -> ast.Name | None:
    """The variable a test looks at: `x`, `not x`, `x != 0`."""
    match node:
        case ast.Compare(left=left, comparators=[ast.Constant()]):
            return _used_name(left)
    return _used_name(node)


def _one_turn_too_many(question: Question) -> Span | None:
    """The test of `while i <= n`: a count from 0 is right, and what compares it is not."""
    for node in ast.walk(question.definition):
        match node:
            case ast.While(test=ast.Compare(ops=[ast.LtE() | ast.GtE()]) as test):
                return question.source.span(test)
    return None


def _used_name(node: ast.expr | None) -> ast.Name | None:
    """The variable an expression only looks at: `x`, `not x`."""
    while isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        node = node.operand
    return node if isinstance(node, ast.Name) else None


def _place_of_missing(question: Question, proven: list[Candidate]) -> Place:
    """Where something was added: the line it belongs before, or the one that stands in for it."""
    about = (question.source, question.definition, question.model, question.index)
    span = handler(*about) or telling_node(*about)
    if span is not None:
        return Place(span, missing=False, proven=True)
    home = home_slot(question.model, question.index)
    instead = _same_change_elsewhere(question, home)
    if instead is not None:
        return Place(question.source.span(instead), missing=False, proven=True)
    code = [question.definition, *reached(question.tree, question.definition)]
    if "free_blocks" in slot_code(question.model, home, {}):
        for part in code:
            asked = asks_about_free_blocks(question.source, part)
            if asked is not None:
                return Place(asked, missing=False, proven=True)
        caught = raising_handler(question.source, question.definition)
        if caught is not None:  # it is signalled, where the wrong thing is caught
            return Place(caught, missing=False, proven=True)
    if not question.model.variants[question.index].code[home] and "block_table" in slot_code(
        question.model, home, {}
    ):
        taking = _taking_statement(question.definition)
        if taking is not None:  # what was taken goes nowhere: said of the take, wherever the put belongs
            return Place(question.source.span(taking), missing=False, proven=True)
    in_order = sorted(proven, key=lambda candidate: _position(candidate.edit.span))
    touching = [one for one in in_order if "free_blocks" in _statement_text(question, one.edit.span.line)]
    best = touching[0] if touching else in_order[-1]
    return Place(best.edit.span, missing=True, proven=True)


def _same_change_elsewhere(question: Question, home: str) -> ast.stmt | None:
    """`n += 1` where `req.seq_len += 1` is missing: the right change, made to a copy."""
    match ast.parse(slot_code(question.model, home, {})).body:
        case [ast.AugAssign(op=op, value=value)]:
            change = type(op), ast.dump(value)
        case _:
            return None
    for statement, _ in statements(question.definition):
        match statement:
            case ast.AugAssign(target=ast.Name(), op=op, value=value) if (
                type(op),
                ast.dump(value),
            ) == change:
                return statement
            case ast.Assign(
                targets=[ast.Name(id=name)], value=ast.BinOp(left=ast.Name(id=old), op=op, right=value)
            ) if old == name and (type(op), ast.dump(value)) == change:
                return statement
    return None


def _taking_statement(definition: FunctionDef) -> ast.stmt | None:
    """The one statement of the method that takes a block; None where there are several or none."""
    simple = (ast.Assign, ast.AnnAssign, ast.Expr)
    taking = [one for one, _ in statements(definition) if isinstance(one, simple) and takes(one)]
    return taking[0] if len(taking) == 1 else None


def _statement_text(question: Question, line: int) -> str:
    """The code of the statement that begins on this line; of a `try`, which takes nothing itself, none."""
    for statement, _ in statements(question.definition):
        if statement.lineno == line:
            return "" if isinstance(statement, ast.Try) else ast.unparse(statement)
    return ""


def _position(span: Span) -> tuple[int, int]:
    return span.line, span.column


def _holds(outer: Span, inner: Span) -> bool:
    begins, ends = (outer.line, outer.column), (outer.end_line, outer.end_column)
    return (
        outer != inner and begins <= (inner.line, inner.column) and (inner.end_line, inner.end_column) <= ends
    )


def _is_remainder(value: ast.AST | None) -> bool:
    match value:
        case ast.BinOp(op=ast.Mod()) | ast.Call(func=ast.Name(id="divmod")):
            return True
    return False


def _definition_of(question: Question, name: ast.Name, *, negated: bool) -> Span | None:
    """The value last given to a name before this use; for a counter, what is asked before it counts.

    Where `not slot` is the use of `slot = n % b`, that is right and its test is not: no definition.
    """
    found: ast.Assign | ast.AnnAssign | ast.AugAssign | None = None
    for node in ast.walk(question.definition):
        if not isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)) or node.lineno > name.lineno:
            continue
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        bound = {one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)}
        if name.id in bound and (found is None or node.lineno > found.lineno):
            found = node
    if found is None or (negated and _is_remainder(found.value)):
        return None
    for node in ast.walk(question.definition):
        if isinstance(node, ast.If) and isinstance(found, ast.AugAssign) and found in node.body:
            return question.source.span(node.test)
        if isinstance(node, ast.While) and isinstance(found, ast.AugAssign) and found in node.body:
            asked = [test for test in tests_that_end_loops(node) if not isinstance(test, ast.Constant)]
            return question.source.span(asked[0] if asked else node.test)
    return None if found.value is None else question.source.span(found.value)
