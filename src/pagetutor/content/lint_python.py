"""Whether the course's Python agrees with its YAML: TODOs, tests and their titles. Parsed, never run."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from pagetutor.content.cursor import Cursor, nearest
from pagetutor.content.fault import Fault
from pagetutor.content.model import Course, Mission
from pagetutor.content.tree import Mapping, Mark
from pagetutor.text import Text

_TODO = re.compile(r"#\s*TODO (\d+)")


def lint_course_python(course: Course, faults: list[Fault]) -> None:
    """The starter and the solution are there and parse; each TODO of the starter is some mission's."""
    for path in (course.starter, course.solution):
        _parse(path, path.name, faults)
    known = {todo.number for mission in course.missions for todo in mission.todos}
    told: set[int] = set()
    for line, number in _todos(course.starter, 1, None):
        if number not in known | told:
            told.add(number)
            found = _STRAY_TODO.with_(number=number)
            faults.append(Fault(course.starter.name, line, 1, "", found, _STRAY_TODO_WRITE))


def lint_todos(at: Cursor, mission: Mission, starter: Path) -> None:
    """Every TODO of the mission stands in the starter, in its method, with its placeholder."""
    tree = _parse(starter, starter.name, [])
    if tree is None:
        return
    for item, todo in zip(at.key("todos").items(), mission.todos, strict=True):
        method = _method(tree, todo.method)
        if method is None:
            item.key("method").fault(_NO_METHOD.with_(name=todo.method), _NO_METHOD_WRITE)
            continue
        first, end = method
        if todo.number not in {number for _, number in _todos(starter, first, end)}:
            found = _NO_TODO.with_(number=todo.number, method=todo.method)
            item.fault(found, _NO_TODO_WRITE.with_(number=todo.number))
        elif todo.name is not None and todo.name not in _assigned(tree, first, end):
            found = _NO_NAME.with_(name=todo.name, method=todo.method)
            item.key("name").fault(found, _NO_NAME_WRITE.with_(name=todo.name))


def lint_test_titles(at: Cursor, mission: Mission) -> None:
    """Every test function has a title, and every title its test function."""
    titles = at.key("test_titles")
    file = f"{mission.tests.parent.name}/{mission.tests.name}"
    tree = _parse(mission.tests, file, at.faults)
    if tree is None:
        return
    assert isinstance(titles.node, Mapping)
    tests = _tests(tree)
    for name, line in tests.items():
        if name not in mission.test_titles:
            found = _NO_TITLE.with_(name=name, file=file, line=line)
            titles.fault(found, _NO_TITLE_WRITE.with_(name=name))
    for name in mission.test_titles:
        if name not in tests:
            near = nearest(name, tests.keys() - mission.test_titles.keys())
            write = _LEFT_OVER_NEAREST.with_(near=near) if near else _LEFT_OVER_WRITE
            titles.fault(_LEFT_OVER.with_(name=name, file=file), write, titles.node.keys[name])


def lint_evidence(at: Cursor, mission: Mission) -> None:
    """The test that is to be the guess's evidence is one of the mission's."""
    named = None if mission.guess is None else mission.guess.evidence
    file = f"{mission.tests.parent.name}/{mission.tests.name}"
    tree = _parse(mission.tests, file, [])  # its own faults are told with the titles
    if named is None or tree is None or named in _tests(tree):
        return
    near = nearest(named, _tests(tree))
    write = _LEFT_OVER_NEAREST.with_(near=near) if near else _NO_EVIDENCE_WRITE
    at.key("guess").key("evidence").fault(_LEFT_OVER.with_(name=named, file=file), write)


def _tests(tree: ast.Module) -> dict[str, int]:
    """The test functions with their lines."""
    return {
        node.name: node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
    }


def lint_other_ways(at: Cursor, mission: Mission) -> None:
    """The other right ways are Python."""
    for item, way in zip(at.key("other_ways").items(least=0), mission.other_ways, strict=True):
        try:
            ast.parse(way.code)
        except SyntaxError as error:
            item.key("code").fault(_NOT_PYTHON.with_(problem=error.msg), _NOT_PYTHON_WRITE)


def _parse(path: Path, file: str, faults: list[Fault]) -> ast.Module | None:
    try:
        return ast.parse(path.read_bytes())
    except OSError as error:
        why = error.strerror or type(error).__name__
        faults.append(Fault(file, 1, 1, "", _UNREADABLE.with_(why=why), _UNREADABLE_WRITE))
    except (SyntaxError, ValueError) as error:  # ValueError: NUL bytes
        problem = error.msg if isinstance(error, SyntaxError) else str(error)
        mark = Mark(1, 1)
        if isinstance(error, SyntaxError):
            mark = Mark(error.lineno or 1, error.offset or 1)
        faults.append(Fault(file, *mark, "", _NOT_PYTHON.with_(problem=problem), _NOT_PYTHON_WRITE))
    return None


def _method(tree: ast.Module, name: str) -> tuple[int, int] | None:
    """The lines of a method, with the comments behind its last statement: first, and one past the last."""
    starts = sorted(
        (node.lineno, node.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    )
    for index, (line, known) in enumerate(starts):
        if known == name:
            return line, starts[index + 1][0] if index + 1 < len(starts) else 1_000_000
    return None


def _todos(path: Path, first: int, end: int | None) -> list[tuple[int, int]]:
    """The line and number of the TODO comments in some lines of a file."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except OSError:
        return []  # told by lint_course_python
    return [
        (line, int(match[1]))
        for line, text in enumerate(lines, start=1)
        if first <= line < (end or len(lines) + 1) and (match := _TODO.search(text))
    ]


def _assigned(tree: ast.Module, first: int, end: int) -> set[str]:
    return {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and first <= node.lineno < end
    }


_UNREADABLE = Text(zh="读不了这个文件（{why}）", en="this file cannot be read ({why})")
_UNREADABLE_WRITE = Text(zh="请补上它", en="write it")
_NOT_PYTHON = Text(zh="这里不是 Python（{problem}）", en="this is not Python ({problem})")
_NOT_PYTHON_WRITE = Text(zh="请改对它", en="write it as Python")
_STRAY_TODO = Text(zh="没有哪个 Mission 有 TODO {number}", en="no mission has TODO {number}")
_STRAY_TODO_WRITE = Text(
    zh="请写进它所属的 mission.yaml，或者删掉这条注释",
    en="write it in its mission.yaml, or delete the comment",
)
_NO_METHOD = Text(zh="起始文件里没有方法 `{name}`", en="the starter has no method `{name}`")
_NO_METHOD_WRITE = Text(zh="请改对方法名", en="write the name of one it has")
_NO_TODO = Text(
    zh="起始文件的 `{method}` 里没有 TODO {number}", en="TODO {number} is not in the starter's `{method}`"
)
_NO_TODO_WRITE = Text(
    zh="请在那里写上 `# TODO {number}: …`，或者改对 `number` 和 `method`",
    en="write `# TODO {number}: …` there, or correct `number` and `method`",
)
_NO_NAME = Text(
    zh="起始文件的 `{method}` 里没有给 `{name}` 赋值", en="the starter's `{method}` does not assign `{name}`"
)
_NO_NAME_WRITE = Text(
    zh="请在那里写上 `{name} = ...`，或者改对 `name`", en="write `{name} = ...` there, or correct `name`"
)
_NO_TITLE = Text(
    zh="测试 `{name}`（{file}:{line}）没有标题", en="the test `{name}` ({file}:{line}) has no title"
)
_NO_TITLE_WRITE = Text(zh="请写 `{name}: {{zh: …, en: …}}`", en="write `{name}: {{zh: …, en: …}}`")
_LEFT_OVER = Text(zh="{file} 里没有测试 `{name}`", en="{file} has no test `{name}`")
_LEFT_OVER_WRITE = Text(zh="请删掉这个标题", en="delete the title")
_NO_EVIDENCE_WRITE = Text(
    zh="请写上一个有的测试，或者去掉 `evidence`",
    en="write the name of a test it has, or leave out `evidence`",
)
_LEFT_OVER_NEAREST = Text(zh="你要写的可能是 `{near}`", en="write `{near}`, if that is what you meant")
