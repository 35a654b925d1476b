"""The learner's file inside the learner's process: executed from its bytes, described when it raises."""

from __future__ import annotations
import __future__

import ast
import builtins
import importlib.machinery
import importlib.util
import io
import linecache
import os
import sys
from collections.abc import Sequence
from types import CodeType, ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pagetutor.learner.port import Json

_TYPING_NAMES = frozenset({"List", "Optional", "Dict", "Tuple", "Any", "Union", "Set", "Sequence"})
_MESSAGE_LIMIT = 500  # characters
_FRAME_LIMIT = 50  # a RecursionError has a thousand, all alike

_BUILTIN_EXCEPTIONS = {
    name: made for name, made in vars(builtins).items() if isinstance(made, type) and name[0].isupper()
}
# Bound now: the learner's code may patch builtins afterwards.
_type, _str, _type_name, _mro = type, str, type.__dict__["__name__"], type.__dict__["__mro__"]
_cut, _traceback_of = str.__getitem__, BaseException.__dict__["__traceback__"].__get__


class LearnerFile:
    """One path whose bytes are executed, each time as a fresh module."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.name = _module_name(path)
        self.namespace: dict[str, object] = {}
        self._before: frozenset[str] | None = None

    def load(self, source: bytes) -> dict[str, Json]:
        """Execute these bytes: `{"loaded": {"supplied": [...]}}` or `{"raised": {...}}`.

        Never through `import`: Python's cached bytecode is keyed by whole seconds and size, so two
        quick edits of equal length would run the first one.
        """
        self._forget_helpers()
        linecache.cache[self.path] = (len(source), None, _lines(source), self.path)
        try:
            supplied = self._execute(source)
        except BaseException as error:  # noqa: BLE001 - whatever the learner's file raises is an answer
            return {"raised": describe(error, self.path)}
        return {"loaded": {"supplied": list(supplied)}}

    def _execute(self, source: bytes) -> tuple[str, ...]:
        try:
            self._execute_as(compile(source, self.path, "exec", dont_inherit=True))
        except NameError as error:
            if error.name not in _TYPING_NAMES:
                raise
            if not self._execute_with_lazy_annotations(source):
                raise
            return self._lent(source)
        return ()

    def _execute_with_lazy_annotations(self, source: bytes) -> bool:
        """Whether the file runs once its annotations are left unevaluated."""
        flags = __future__.annotations.compiler_flag
        try:
            self._execute_as(compile(source, self.path, "exec", flags=flags, dont_inherit=True))
        except NameError:
            return False
        return True

    def _execute_as(self, code: CodeType) -> None:
        # Its functions hold it and it holds them: without this all of it would stay until a collection.
        self.namespace.clear()
        module = ModuleType(self.name)
        module.__file__ = self.path
        module.__dict__["__builtins__"] = builtins
        self.namespace = module.__dict__
        sys.modules[self.name] = module
        exec(code, module.__dict__)  # noqa: S102 - executing the learner's file is what this process is for

    def _lent(self, source: bytes) -> tuple[str, ...]:
        used = {
            name.id
            for annotation in _annotations(ast.parse(source))
            for name in ast.walk(annotation)
            if isinstance(name, ast.Name)
        }
        return tuple(sorted(name for name in used & _TYPING_NAMES if name not in self.namespace))

    def _forget_helpers(self) -> None:
        """Drop the modules beside the file that an earlier load imported: they may have changed too."""
        if self._before is None:
            self._before = frozenset(sys.modules)
            return
        folder = os.path.dirname(self.path) + os.sep
        for name in [name for name in sys.modules if name not in self._before]:
            if str(getattr(sys.modules[name], "__file__", None) or "").startswith(folder):
                del sys.modules[name]
        importlib.invalidate_caches()


def see_folder(folder: str) -> None:
    """Put the learner's folder last on `sys.path`, and never trust cached bytecode in it."""

    class FromSource(importlib.machinery.SourceFileLoader):
        def get_code(self, fullname: str) -> CodeType:
            path = self.get_filename(fullname)
            return self.source_to_code(self.get_data(path), path)

    def finder(path: str) -> importlib.machinery.FileFinder:
        if path != folder:
            raise ImportError
        return importlib.machinery.FileFinder(path, (FromSource, [".py"]))

    sys.dont_write_bytecode = True
    sys.path[:] = [entry for entry in sys.path if entry != folder] + [folder]
    sys.path_hooks.insert(0, finder)
    sys.path_importer_cache.pop(folder, None)


def describe(error: BaseException, path: str) -> dict[str, Json]:
    """An exception as plain data; only frames in the file `path` are kept, innermost last.

    `ancestors` are the names from its own class up to BaseException. A class that only bears a
    built-in exception's name is told apart: `learner.RuntimeError` is no RuntimeError.
    """
    kind = _type(error)
    return {
        "exception": _name(kind),
        "ancestors": [_name(one) for one in _mro.__get__(kind) if one is not object],
        "message": _message(error),
        "frames": _frames(error, path),
    }


def _name(kind: type) -> str:
    name = _clean(_type_name.__get__(kind))
    return name if _BUILTIN_EXCEPTIONS.get(name, kind) is kind else f"learner.{name}"


def _message(error: BaseException) -> str:
    try:
        return _clean(_str(error))
    except BaseException:  # noqa: BLE001 - a __str__ of the learner's may raise anything
        return ""


def _clean(text: str) -> str:
    """Exactly a `str`, of bounded length, without lone surrogates."""
    return _cut(text, slice(0, _MESSAGE_LIMIT)).encode("utf-8", "backslashreplace").decode("utf-8")


def _frames(error: BaseException, path: str) -> list[Json]:
    frames: list[Json] = []
    trace = _traceback_of(error)
    while trace is not None:
        code = trace.tb_frame.f_code
        if code.co_filename == path:
            frames.append({"line": trace.tb_lineno, "function": _clean(code.co_name)})
        trace = trace.tb_next
    if isinstance(error, SyntaxError) and error.filename == path and _type(error.lineno) is int:
        frames.append({"line": error.lineno, "function": "<module>"})
    return frames[-_FRAME_LIMIT:]


def _annotations(tree: ast.Module) -> Sequence[ast.expr]:
    found: list[ast.expr | None] = []
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                found.append(node.returns)
            case ast.arg() | ast.AnnAssign():
                found.append(node.annotation)
    return [annotation for annotation in found if annotation is not None]


def _module_name(path: str) -> str:
    """The file's stem, unless that is the name of something else: a `torch.py` must not replace torch."""
    stem = os.path.splitext(os.path.basename(path))[0]
    if not stem.isidentifier() or stem in sys.modules or stem in sys.stdlib_module_names:
        return "learner_file"
    try:
        taken = importlib.util.find_spec(stem) is not None
    except (ImportError, ValueError):
        taken = True
    return "learner_file" if taken else stem


def _lines(source: bytes) -> list[str]:
    try:
        return io.StringIO(importlib.util.decode_source(source)).readlines()  # ends lines as Python does
    except (SyntaxError, UnicodeDecodeError, LookupError):
        return []
