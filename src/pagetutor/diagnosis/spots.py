"""Where in a learner's file a name, an attribute, a call or a field's first value stands."""

from __future__ import annotations

import ast

from pagetutor.diagnosis.manager_class import FUNCTIONS, FunctionDef, manager_class
from pagetutor.diagnosis.mistake import Span
from pagetutor.diagnosis.source import SourceText
from pagetutor.learner.port import Raised

REQUEST_FIELDS = ("request_id", "seq_len", "block_table")
MANAGER_FIELDS = ("num_blocks", "block_size", "head_dim", "physical_kv_cache", "free_blocks")


def raised_span(source: SourceText, raised: Raised) -> Span | None:
    """The learner's line that raised; None where none did."""
    return None if raised.line is None else source.line_span(raised.line)


def name_span(source: SourceText, tree: ast.Module, line: int, name: str) -> Span:
    """The name on this line, else the whole line."""
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Name)
            and node.id == name
            and node.lineno <= line <= (node.end_lineno or line)
        ):
            return source.span(node)
    return source.line_span(line)


def attribute_on(tree: ast.Module, line: int, name: str) -> ast.Attribute | None:
    """The access to an attribute of that name which ends on this line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr == name and node.end_lineno == line:
            return node
    return None


def attribute_span(source: SourceText, node: ast.Attribute) -> Span:
    """The attribute's own name, without what stands before the dot."""
    whole = source.span(node)
    return Span(whole.end_line, whole.end_column - len(node.attr), whole.end_line, whole.end_column)


def call_span(source: SourceText, tree: ast.Module, line: int | None, name: str) -> Span | None:
    """The call of that name on this line, or on any where `line` is None; else the whole line."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=called)) if called == name and line in (None, node.lineno):
                return source.span(node)
    return None if line is None else source.line_span(line)


def field_span(source: SourceText, tree: ast.Module, field: str) -> Span | None:
    """The value a constructor gives to `self.field`, else the constructor."""
    init: FunctionDef | None = None
    owner = None if field in REQUEST_FIELDS else manager_class(tree)
    for node in ast.walk(tree if owner is None else owner):
        if isinstance(node, ast.FunctionDef) and node.name == "__init__":
            init = init or node
            for inner in ast.walk(node):
                match inner:
                    case ast.Assign(targets=[ast.Attribute(attr=name)], value=value) if name == field:
                        return source.span(value)
                    case ast.AnnAssign(target=ast.Attribute(attr=name), value=ast.expr() as value) if (
                        name == field
                    ):
                        return source.span(value)
    return None if init is None else source.line_span(init.lineno)


def function_at(tree: ast.AST, line: int) -> FunctionDef | None:
    """The innermost function that this line belongs to."""
    found: FunctionDef | None = None
    for node in ast.walk(tree):
        if (
            isinstance(node, FUNCTIONS)
            and node.lineno <= line <= (node.end_lineno or node.lineno)
            and (found is None or node.lineno >= found.lineno)
        ):
            found = node
    return found


def parameters_of(function: FunctionDef) -> list[str]:
    """The names of its positional parameters, in order."""
    return [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
