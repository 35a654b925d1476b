"""How an exception of the learner's is told, however hostile the exception itself is."""

from __future__ import annotations

from typing import Any

from pagetutor.learner.learner_file import describe

PATH = "/x/block_manager.py"


def described(source: str) -> dict[str, Any]:
    """What is told of the exception that this file raises when executed."""
    try:
        exec(compile(source, PATH, "exec"), {"__name__": "block_manager"})
    except BaseException as error:  # noqa: BLE001 - as the learner's process does
        return describe(error, PATH)
    raise AssertionError("raises nothing")


def test_class_ancestors_message_and_frames_are_told() -> None:
    assert described("def take():\n    return [].pop()\ntake()") == {
        "exception": "IndexError",
        "ancestors": ["IndexError", "LookupError", "Exception", "BaseException"],
        "message": "pop from empty list",
        "frames": [{"line": 3, "function": "<module>"}, {"line": 2, "function": "take"}],
    }


def test_frames_outside_the_file_are_left_out() -> None:
    frames = described("import json\njson.loads('{')")["frames"]
    assert frames == [{"line": 2, "function": "<module>"}]


def test_a_deep_recursion_tells_its_innermost_frames() -> None:
    frames = described("def deeper(): deeper()\ndeeper()")["frames"]
    assert len(frames) == 50
    assert frames[-1] == {"line": 1, "function": "deeper"}


def test_a_message_that_raises_is_empty() -> None:
    source = "class Bad(Exception):\n    def __str__(self): raise SystemExit\nraise Bad"
    assert described(source)["message"] == ""


def test_a_message_that_is_no_plain_text_is_made_one() -> None:
    source = (
        "class Text(str):\n    def __getitem__(self, cut): return self\n    encode = __len__ = None\n"
        "class Bad(Exception):\n    def __str__(self): return Text('m' * 900)\nraise Bad"
    )
    message = described(source)["message"]
    assert (type(message), message) == (str, "m" * 500)


def test_lone_surrogates_are_spelt_out() -> None:
    assert described("raise ValueError('\\ud800')")["message"] == "\\ud800"


def test_a_class_that_lies_about_its_name_is_told_by_its_own() -> None:
    source = (
        "class Meta(type):\n    __name__ = property(lambda cls: 'RuntimeError')\n"
        "    def mro(cls): return type.mro(cls)\n"
        "class Bad(Exception, metaclass=Meta): pass\nraise Bad"
    )
    assert described(source)["exception"] == "Bad"


def test_a_class_that_bears_a_builtin_name_is_told_apart() -> None:
    told = described("class RuntimeError(Exception): pass\nraise RuntimeError('OOM')")
    assert told["exception"] == "learner.RuntimeError"
    assert told["ancestors"] == ["learner.RuntimeError", "Exception", "BaseException"]
    told = described("class OOM(RuntimeError): pass\nraise OOM('OOM')")
    assert told["ancestors"] == ["OOM", "RuntimeError", "Exception", "BaseException"]
