"""Which tests a mission has: pytest collects them in the tutor's own process, once for the same files.

Plugins, ini files, PYTEST_ADDOPTS and the cache of whoever runs us are kept out: plugin autoload
alone makes it ten times slower. pytest's text is never parsed; a plugin of ours collects values.
"""

from __future__ import annotations

import inspect
import os
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from pagetutor.errors import ContentError
from pagetutor.text import Text

if TYPE_CHECKING:
    import pytest

GIVEN = ("play", "unforeseen")  # what a test may ask for, beside its own parameters

PLUGINS_LEFT_OUT = (
    "terminal",
    "cacheprovider",
    "junitxml",
    "pastebin",
    "nose",
    "doctest",
    "stepwise",
    "setuponly",
    "setupplan",
    "debugging",
    "logging",
    "warnings",
    "faulthandler",
    "threadexception",
    "unraisableexception",
    "legacypath",
    "recwarn",
    "monkeypatch",
    "tmpdir",
    "capture",
    "subtests",
    "unittest",
    "skipping",
    "assertion",
    "reports",
)


@dataclass(frozen=True, slots=True)
class MissionTest:
    """One case of a test function of a mission.

    `id` is `test_prefill.py::test_six_tokens_take_two_blocks`, the same for all cases of a parametrized
    test; `file` the first part of it; `asks_for` what of `GIVEN` it takes; `parameters` its own.
    """

    id: str
    file: str
    function: Callable[..., object]
    asks_for: frozenset[str]
    parameters: Mapping[str, object]

    def call(self, **given: object) -> None:
        """Call it with its parameters and with what it asks for of `given`; raises what it raises."""
        taken = {name: value for name, value in given.items() if name in self.asks_for}
        self.function(**self.parameters, **taken)


def collect(files: Sequence[Path]) -> tuple[MissionTest, ...]:
    """The tests in these files, in order.

    The same functions come again for files of the same bytes: what pytest needs for it, 10 ms a file, is
    a fifth of a check. So a test must keep nothing between two calls. Raises ContentError where a file is
    at fault, and lets KeyboardInterrupt through (pytest would swallow it).
    """
    return _collected(tuple((file, _bytes(file)) for file in files))


def at_fault(detail: str) -> ContentError:
    """The error for a test file of the course that does what it must not."""
    first = detail.strip().splitlines()[0] if detail.strip() else "?"
    return ContentError(_AT_FAULT.with_(what=first.rstrip(".")))


_AT_FAULT = Text(
    zh="课程自带的测试文件有问题：{what}。请重新安装 pagetutor，或检查 missions/ 下的改动。",
    en="A test file of the course is at fault: {what}. "
    "Reinstall pagetutor, or look at what changed under missions/.",
)


def _bytes(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise at_fault(f"{file}: {error.strerror or error}") from error


@lru_cache(maxsize=8)
def _collected(files: tuple[tuple[Path, bytes], ...]) -> tuple[MissionTest, ...]:
    import pytest  # noqa: PLC0415 — 60 ms that `--help` does not pay

    paths = [path for path, _ in files]
    collector = _Collector(paths, pytest.Module.from_parent)
    arguments = [
        *(word for name in PLUGINS_LEFT_OUT for word in ("-p", f"no:{name}")),
        "--collect-only",
        "--noconftest",
        "--import-mode=importlib",
        "-c",
        os.devnull,
        "--rootdir",
        str(paths[0].parent),
    ]
    with _quiet_pytest():
        status = pytest.main(arguments, plugins=[collector])
    if collector.interrupted:
        raise KeyboardInterrupt
    if collector.fault or status is not pytest.ExitCode.OK:
        names = ", ".join(path.name for path in paths)
        raise at_fault(collector.fault or f"no test in {names} (pytest: {pytest.ExitCode(status).name})")
    return tuple(_test(item) for item in collector.items)


class _Collector:
    """The plugin: has these files collected, and keeps what pytest finds in them."""

    def __init__(self, files: Sequence[Path], module: Callable[..., pytest.Module]) -> None:
        self.items: list[pytest.Item] = []
        self.fault = ""
        self.interrupted = False
        self._files = files
        self._module = module

    def pytest_collection(self, session: pytest.Session) -> bool:
        """Collect them by path: in an argument's text, `[` and `::` are no part of a folder's name."""
        for file in self._files:
            module = self._module(session, path=file)
            try:
                session.items.extend(session.genitems(module))
            except SystemExit as left:  # pytest would print a page about it
                self.fault = self.fault or _told(file, left)
            for name, made in vars(module.obj).items() if not self.fault else ():
                if _is_test_case(made):
                    self.fault = self.fault or f"{file.name}: {name} is a unittest.TestCase; {_ALLOWED}"
        session.testscollected = len(session.items)
        self.items = session.items
        return True

    def pytest_exception_interact(self, node: pytest.Collector, call: pytest.CallInfo[object]) -> None:
        """A test file that cannot be collected is the course's fault."""
        if call.excinfo is not None:
            self.fault = self.fault or _told(node.path, call.excinfo.value)

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """Remember Ctrl-C; pytest itself would turn it into exit status 2, as it does with its own errors."""
        self.interrupted = excinfo.type is KeyboardInterrupt


def _is_test_case(made: object) -> bool:
    unittest = sys.modules.get("unittest")  # a file that has none of it has not imported it
    return unittest is not None and isinstance(made, type) and issubclass(made, unittest.TestCase)


def _told(file: Path, error: BaseException) -> str:
    """Which error, and in which line of the file, where it is in one; pytest wraps what importing raises."""
    error = error.__cause__ or error
    lines = [at.lineno for at in traceback.extract_tb(error.__traceback__) if at.filename == str(file)]
    line = error.lineno if isinstance(error, SyntaxError) else next(reversed(lines), None)
    message = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"{file.name}{'' if line is None else f', line {line}'}: {named(error, message)}"


def named(error: BaseException, message: str) -> str:
    """An error's class, and its message where it has one."""
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


def _test(item: pytest.Item) -> MissionTest:
    """What a check calls. Raises ContentError where pytest by hand would do more than that.

    A check must not pass what `pytest missions` fails.
    """
    import pytest  # noqa: PLC0415

    test_id = f"{item.path.name}::{getattr(item, 'originalname', item.name)}"
    if not isinstance(item, pytest.Function):
        raise at_fault(f"{test_id}: no test function")
    parameters = item.callspec.params if hasattr(item, "callspec") else {}
    asked = [name for name in item.fixturenames if name not in parameters]
    for more in _more_than_allowed(item, asked):
        raise at_fault(f"{test_id} {more}; {_ALLOWED}")
    return MissionTest(test_id, item.path.name, item.obj, frozenset(asked), parameters)


_ALLOWED = "a mission's test is a plain function with `play`, `unforeseen` and parametrize"


def _more_than_allowed(item: pytest.Function, asked: Sequence[str]) -> Iterator[str]:
    kinds = (inspect.iscoroutinefunction, inspect.isasyncgenfunction, inspect.isgeneratorfunction)
    if any(kind(item.obj) for kind in kinds):
        yield "is async or yields"
    made = item._fixtureinfo.name2fixturedefs  # here, only what the file itself makes
    yield from (f"uses the fixture {name}" for name in asked if name not in GIVEN or name in made)
    for mark in item.iter_markers():
        if mark.name != "parametrize":
            yield f"uses the mark {mark.name}"
        elif mark.kwargs.get("indirect") or len(mark.args) > 2:
            yield "uses parametrize with more than names and values"


@contextmanager
def _quiet_pytest() -> Iterator[None]:
    """Keep the user's pytest settings out, and drop the test modules again.

    A test file edited between two runs in one process would otherwise run stale.
    """
    kept = {name: os.environ.pop(name, None) for name in ("PYTEST_ADDOPTS", "PYTEST_PLUGINS")}
    autoload = os.environ.get("PYTEST_DISABLE_PLUGIN_AUTOLOAD")
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    known, writes = set(sys.modules), sys.dont_write_bytecode
    sys.dont_write_bytecode = True
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of marks it does not know: those are refused by name
            yield
    finally:
        sys.dont_write_bytecode = writes
        for name in set(sys.modules) - known:
            file = getattr(sys.modules[name], "__file__", None) or ""
            if Path(file).name.startswith("test_"):
                del sys.modules[name]
        for name, value in {**kept, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": autoload}.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
