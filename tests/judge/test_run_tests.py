"""What a mission's test may ask of pytest: what a check gives it, and not more than `pytest missions` would."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagetutor.content.model import Course
from pagetutor.errors import ContentError
from pagetutor.judge.collect import collect
from pagetutor.judge.play import Play
from pagetutor.judge.run_tests import run_tests
from pagetutor.learner.port import Job, Loaded, Runner
from tests.corpus.build import SOLUTION

HEAD = "import pytest\nfrom pagetutor.exercise.scenario import pool, prefill, request\n"
TEST = 'def test_it(play):\n    play(pool(10, 4), request("a", 6), prefill("a")).holds()\n'


def fault_of(course: Course, runner: Runner, folder: Path, text: str) -> str:
    """The sentence about a test file of this text; "" where it runs."""
    file = folder / "test_own.py"
    file.write_text(HEAD + text)
    path = folder / "block_manager.py"
    with runner.session(Job(path, course.stage)) as session:
        assert isinstance(session.load(SOLUTION.encode()), Loaded)
        try:
            run = run_tests((file,), Play(session), {})
        except ContentError as error:
            return error.say.en
    assert [(one.id, one.broken) for one in run] == [("test_own.py::test_it", None)]
    return ""


def test_an_ordinary_test_runs(course: Course, runner: Runner, tmp_path: Path) -> None:
    assert fault_of(course, runner, tmp_path, TEST) == ""


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (
            "@pytest.fixture(autouse=True)\ndef always():\n    yield\n    assert False\n" + TEST,
            "the fixture always",
        ),
        ("def test_it(play, tmp_path): pass\n", "the fixture tmp_path"),
        ("@pytest.mark.skip\n" + TEST, "the mark skip"),
        ("@pytest.mark.xfail\n" + TEST, "the mark xfail"),
        ("@pytest.fixture\ndef play(): return 1\n" + TEST, "the fixture play"),
        (
            "@pytest.mark.parametrize('tokens', [1], indirect=True)\ndef test_it(play, tokens): pass\n",
            "parametrize with more than names and values",
        ),
        ("def setup_function(): raise OSError\n" + TEST, "the fixture _xunit_setup_function_fixture"),
    ],
)
def test_what_only_pytest_itself_would_do_is_refused_by_name(
    course: Course, runner: Runner, tmp_path: Path, text: str, what: str
) -> None:
    said = fault_of(course, runner, tmp_path, text)
    assert f"test_own.py::test_it uses {what}" in said
    assert said.endswith(
        "; a mission's test is a plain function with `play`, `unforeseen` and parametrize. "
        "Reinstall pagetutor, or look at what changed under missions/."
    )


@pytest.mark.parametrize(
    "text",
    [
        "async def test_it(play): assert False\n",
        "def test_it(play):\n    yield\n",
        "import unittest\nclass Own(unittest.TestCase):\n    def test_it(self): self.fail()\n" + TEST,
    ],
)
def test_what_a_check_would_not_run_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "test_own.py"
    file.write_text(HEAD + text)
    with pytest.raises(ContentError, match="A test file of the course is at fault: test_own"):
        collect((file,))


def test_an_error_of_ours_is_not_the_test_s_fault(
    course: Course, runner: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(_trace: object) -> None:
        raise KeyError("ours")

    monkeypatch.setattr("pagetutor.judge.play.first_violation", breaks)
    with pytest.raises(KeyError, match="ours"):
        fault_of(course, runner, tmp_path, TEST)


@pytest.mark.parametrize("word", ["fail", "skip"])
def test_a_test_that_gives_up_by_pytest_s_own_means_is_the_course_s_fault(
    course: Course, runner: Runner, tmp_path: Path, word: str
) -> None:
    said = fault_of(course, runner, tmp_path, f"def test_it(play):\n    pytest.{word}('no')\n")
    assert "test_own.py::test_it: " in said
    assert "no" in said


def test_files_of_the_same_bytes_are_collected_once_and_edited_ones_again(tmp_path: Path) -> None:
    file = tmp_path / "test_own.py"
    file.write_text(HEAD + TEST)
    first = collect((file,))
    assert [(one.id, sorted(one.asks_for), dict(one.parameters)) for one in first] == [
        ("test_own.py::test_it", ["play"], {})
    ]
    file.write_text(HEAD + TEST)  # saved again, the same
    assert collect((file,)) is first
    file.write_text(HEAD + TEST.replace("test_it", "test_at"))  # as long, within the same second
    assert [one.id for one in collect((file,))] == ["test_own.py::test_at"]
    file.write_text(HEAD + TEST)
    assert collect((file,)) is first


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("def test_it(play:\n", "test_own.py, line 1: SyntaxError: '(' was never closed"),
        ("x = 1\nraise OSError('no')\n", "test_own.py, line 2: OSError: no"),
        ("import nothing_here\n", "test_own.py, line 1: ModuleNotFoundError: No module named 'nothing_here'"),
        ("import pytest\npytest.exit('no')\n", "test_own.py, line 2: Exit: no"),
        ("x = 1\nimport sys\nsys.exit(3)\n", "test_own.py, line 3: SystemExit: 3"),
        ("", "no test in test_own.py (pytest: NO_TESTS_COLLECTED)"),
        (None, "{file}: No such file or directory"),
    ],
)
def test_a_file_that_cannot_be_collected_is_the_course_s_fault_each_time(
    tmp_path: Path, text: str | None, what: str
) -> None:
    file = tmp_path / "test_own.py"
    if text is not None:
        file.write_text(text)
    what = what.replace("{file}", str(file))
    for _ in range(2):
        with pytest.raises(ContentError) as caught:
            collect((file,))
        assert caught.value.say.en == (
            f"A test file of the course is at fault: {what}. "
            "Reinstall pagetutor, or look at what changed under missions/."
        )
    file.write_text(HEAD + TEST)
    assert len(collect((file,))) == 1


def test_a_folder_may_have_any_name(tmp_path: Path) -> None:
    folder = tmp_path / "[vllm] a::b notes"
    folder.mkdir()
    (folder / "test_own.py").write_text(HEAD + TEST)
    assert [one.id for one in collect((folder / "test_own.py",))] == ["test_own.py::test_it"]


def test_ctrl_c_while_tests_are_collected_is_ctrl_c(tmp_path: Path) -> None:
    file = tmp_path / "test_own.py"
    file.write_text("raise KeyboardInterrupt\n")
    with pytest.raises(KeyboardInterrupt):
        collect((file,))
