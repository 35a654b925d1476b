"""The wrong files of several independent hands: never a pass, rightly named, at the right line.

The thresholds are the project's promises. The suite takes a few of them, for a quarter of a second
each; `python -m tests.diagnosis.test_corpus` takes all, prints every miss, and is a step of CI.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import pytest

from pagetutor.content.find import find_course
from pagetutor.content.model import Course, twins_of
from pagetutor.content.read import load_course, load_models
from pagetutor.judge.check import check
from pagetutor.judge.encode import encode
from pagetutor.judge.report import CheckReport, Verdict
from pagetutor.learner.port import Runner
from pagetutor.learner.runner import open_runner
from pagetutor.text import Language
from tests.corpus.wrong import Wrong
from tests.corpus.wrong_classroom import WRONG as BY_CLASSROOM
from tests.corpus.wrong_engineer import WRONG as BY_ENGINEER
from tests.corpus.wrong_interviews import WRONG as BY_INTERVIEWS
from tests.corpus.wrong_notebook import WRONG as BY_NOTEBOOK
from tests.corpus.wrong_reviewer import WRONG as BY_REVIEWER
from tests.corpus.wrong_three_people import WRONG as BY_THREE_PEOPLE

_NAMED, _RIGHT_LINES = 0.95, 0.90
IN_THE_SUITE = (*BY_INTERVIEWS[::12], *BY_THREE_PEOPLE[::20])
CORPUS = (*BY_NOTEBOOK, *BY_ENGINEER, *BY_REVIEWER, *BY_CLASSROOM, *BY_INTERVIEWS, *BY_THREE_PEOPLE)


@dataclass(frozen=True)
class Judged:
    """A wrong file beside what was said of it."""

    wrong: Wrong
    report: CheckReport
    ties: dict[str, frozenset[str]]

    @property
    def certain(self) -> list[str]:
        told = cast(list[dict[str, object]], encode(self.report, Language.EN)["diagnoses"])
        return [str(one["id"]) for one in told if one["certain"]]

    @property
    def named_rightly(self) -> bool:
        """A certain name, and it is one of the labels."""
        return any(name in self.wrong.mistakes for name in self.certain)

    @property
    def named_wrongly(self) -> bool:
        """A certain name that is no label and no behavioural twin of one."""
        return any(
            name not in self.wrong.mistakes
            and not self.ties.get(name, frozenset()) & set(self.wrong.mistakes)
            for name in self.certain
        )

    @property
    def lines(self) -> set[int]:
        ats = (self.wrong.at,) if isinstance(self.wrong.at, str) else self.wrong.at
        return {self.wrong.source[: self.wrong.source.index(at)].count("\n") + 1 for at in ats}

    @property
    def right_line(self) -> bool:
        return self.report.line in self.lines


def judged_corpus(
    course: Course, runner: Runner, folder: Path, files: Sequence[Wrong] = CORPUS
) -> Iterator[Judged]:
    twins = twins_of(tie for model in load_models(course.root, "final") for tie in model.ties)
    for wrong in files:
        mission = next(one for one in course.missions if one.id == wrong.mission)
        path = folder / "block_manager.py"
        raw = wrong.source.encode()
        path.write_bytes(raw)
        yield Judged(wrong, check(course, mission, path, raw, runner), twins)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Judged]]:
    runner = open_runner()
    try:
        course = load_course(find_course(), with_models=True)
        yield list(judged_corpus(course, runner, tmp_path_factory.mktemp("corpus"), IN_THE_SUITE))
    finally:
        runner.close()


def within(corpus: list[Judged]) -> list[Judged]:
    """Those that the catalogue has a name for, and that could be run."""
    return [one for one in corpus if one.wrong.mistakes != ("unknown",)]


def test_no_wrong_file_passes(corpus: list[Judged]) -> None:
    assert [one.wrong.name for one in corpus if one.report.verdict is Verdict.PASSED] == []


def test_no_certain_name_is_wrong(corpus: list[Judged]) -> None:
    assert [(one.wrong.name, one.certain) for one in corpus if one.named_wrongly] == []


def test_nearly_all_are_named_rightly(corpus: list[Judged]) -> None:
    missed = [(one.wrong.name, one.certain) for one in within(corpus) if not one.named_rightly]
    assert len(missed) <= (1 - _NAMED) * len(within(corpus)), missed


def test_nearly_all_lines_are_right(corpus: list[Judged]) -> None:
    missed = [(one.wrong.name, one.report.line, one.lines) for one in within(corpus) if not one.right_line]
    assert len(missed) <= (1 - _RIGHT_LINES) * len(within(corpus)), missed


def main() -> int:
    """Print the figures and every miss; 1 where a promise is broken."""
    runner = open_runner()
    course = load_course(find_course(), with_models=True)
    with tempfile.TemporaryDirectory() as folder:
        corpus = list(judged_corpus(course, runner, Path(folder)))
    runner.close()
    known = within(corpus)
    for one in corpus:
        if not one.named_rightly or not one.right_line or one.named_wrongly:
            others = [mistake.id for mistake in one.report.mistakes if not mistake.certain]
            print(
                f"{one.wrong.name!r}: {one.report.verdict} want {one.wrong.mistakes} at {sorted(one.lines)}"
            )
            print(f"    certain {one.certain} others {others} at line {one.report.line}")
    print(f"{len(corpus)} files, {len(known)} within the catalogue")
    passed = sum(one.report.verdict is Verdict.PASSED for one in corpus)
    named = sum(one.named_rightly for one in known) / len(known)
    wrongly = sum(one.named_wrongly for one in corpus)
    lines = sum(one.right_line for one in known) / len(known)
    print(f"passed: {passed}")
    print(f"named rightly: {named:.1%}")
    print(f"a certain name wrong: {wrongly}")
    print(f"right line: {lines:.1%}")
    return int(bool(passed or wrongly) or named < _NAMED or lines < _RIGHT_LINES)


if __name__ == "__main__":
    sys.exit(main())
