"""A small course built by hand, a check that reads marks in the file, and a runner that runs in place."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from pagetutor.content.model import (
    Card,
    Choice,
    Course,
    ErrorModel,
    ExercisePart,
    HandTrace,
    Knob,
    Mapped,
    Mission,
    OtherWay,
    Paragraph,
    PartName,
    Prediction,
    Question,
    Slot,
    Todo,
    TraceCell,
    TraceRow,
    Variant,
    WarmUp,
)
from pagetutor.diagnosis.mistake import Mistake, Span
from pagetutor.judge.report import CheckReport, Verdict
from pagetutor.learner.port import (
    Finished,
    Job,
    Json,
    Loaded,
    Prints,
    ProgramRun,
    Raised,
    Runner,
    Session,
    Stopped,
    StopReason,
)
from pagetutor.text import Text, same

STARTER = """import torch


class KVCacheManager:
    def allocate_for_prefill(self, req):
        # TODO 1
        needed_blocks = ...

        # TODO 2
        ...
"""
FLOORED = STARTER.replace("needed_blocks = ...", "needed_blocks = n // b")
RIGHT = STARTER.replace("needed_blocks = ...", "needed_blocks = -(-n // b)").replace(
    "        ...\n", "        take()\n"
)
SOLUTION = STARTER.replace("needed_blocks = ...", "needed_blocks = (n + b - 1) // b")
PROGRAM = """item_count = 11
boxes = (item_count + 4) // 5
if boxes > 4:
    raise RuntimeError("FULL")
assigned = [20, 7, 31][:boxes]
print("boxes:", boxes)
"""


def text(words: str) -> Text:
    return Text(zh=f"（{words}）", en=words)


def page(words: str) -> tuple[Paragraph]:
    return (Paragraph(text(words)),)


def question(question_id: str, *, reread: PartName, again: bool = True) -> Question:
    return Question(
        id=question_id,
        ask=text(f"ask {question_id}"),
        choices=(
            Choice("right", text("option right"), text("why right"), right=True),
            Choice("wrong", text("option wrong"), text("why wrong"), mistake="prefill.floor-division"),
            Choice("odd", text("option odd"), text("why odd")),
        ),
        reread=reread,
        again=question(f"{question_id}.again", reread=reread, again=False) if again else None,
    )


def small_course(root: Path) -> Course:
    """Missions 1 and 2 with every part, the final one with its exercise alone; its files are in `root`."""
    root.mkdir()
    (root / "block_manager.py").write_text(STARTER)
    (root / "solution.py").write_text(SOLUTION)
    first = Mission(
        id="1",
        title=text("title 1"),
        methods=("allocate_for_prefill",),
        todos=(
            Todo(1, "allocate_for_prefill", "needed_blocks", text("task 1")),
            Todo(2, "allocate_for_prefill", None, text("task 2")),
        ),
        guess=question("1.guess", reread=PartName.BACKGROUND),
        background=page("background 1"),
        diagram=page("diagram 1"),
        warm_up=WarmUp(
            intro=text("intro 1"),
            program=PROGRAM,
            predictions=(Prediction("boxes", "3"), Prediction("assigned", "[20, 7, 31]")),
            knobs=(Knob("item_count", 21, text("too many")),),
            output="boxes: 3\n",
        ),
        mapping_intro=text("mapping 1"),
        mapping=(Mapped("item_count", "req.seq_len", text("tokens")),),
        quiz=question("1.quiz", reread=PartName.DIAGRAM),
        hand_trace=HandTrace(
            intro=text("by hand 1"),
            head=(text("tokens"), text("blocks"), text("left")),
            rows=(
                TraceRow(same("4"), (TraceCell("1", text("4 fill one")), TraceCell("9", text("10 - 1")))),
                TraceRow(same("5"), (TraceCell("2", text("5 need two")), TraceCell("8", text("10 - 2")))),
            ),
        ),
        exercise=ExercisePart(page("exercise 1"), text("prefill works"), text("decode comes next")),
        tests=root / "01-prefill" / "test_prefill.py",
        test_titles={"test_six": text("six tokens take two")},
        models=(
            ErrorModel(
                method="allocate_for_prefill",
                template="needed_blocks = {count}",
                slots=(
                    Slot(
                        "count",
                        "(n + b - 1) // b",
                        (),
                        example=text("7 goods, boxes of 3: 3 boxes"),
                        pattern=text("`(n + ▢) // b`"),
                        line=text("`(n + b - 1) // b`"),
                    ),
                ),
                variants=(
                    Variant(
                        "prefill.floor-division",
                        {"count": "n // b"},
                        text("the tail is lost"),
                        text("what of the last two?"),
                        PartName.BACKGROUND,
                    ),
                ),
            ),
        ),
        other_ways=(OtherWay(text("ceil"), "math.ceil(n / b)", text("a float on the way")),),
        cards=(
            Card("one", text("card one"), text("about one")),
            Card("two", text("card two"), text("about two")),
        ),
    )
    second = replace(
        first,
        id="2",
        title=text("title 2"),
        guess=question("2.guess", reread=PartName.BACKGROUND),
        quiz=question("2.quiz", reread=PartName.DIAGRAM),
        tests=root / "02-decode" / "test_decode.py",
        models=(),
    )
    final = replace(
        first,
        id="final",
        title=text("title final"),
        guess=None,
        background=(),
        diagram=(),
        warm_up=None,
        mapping_intro=None,
        mapping=(),
        quiz=None,
        hand_trace=None,
        tests=root / "final" / "test_final.py",
        models=(),
        cards=(),
    )
    return Course(root, text("the course"), page("prologue"), (first, second, final))


def marked_check(
    course: Course, mission: Mission, path: Path, source: bytes, runner: Runner, *, deadline_s: float
) -> CheckReport:
    """Passes what holds `-(-n`, finds the floor division in `n // b` and a misspelt name
    in `self.blcks`, and takes anything else as unfilled."""
    blank = CheckReport(
        mission.id, path.name, Verdict.UNFILLED, None, None, (), (), (), 0.1, source=source.decode()
    )
    if b"-(-n" in source:
        return replace(blank, verdict=Verdict.PASSED)
    if b"n // b" in source:
        line = source[: source.index(b"n // b")].count(b"\n") + 1
        floored = Mistake(
            "prefill.floor-division",
            True,
            Span(line, 25, line, 31),
            text("the tail is lost"),
            text("what of the last two?"),
            PartName.BACKGROUND,
            "count",
            "allocate_for_prefill",
        )
        return replace(blank, verdict=Verdict.FAILED, mistakes=(floored,))
    if b"self.blcks" in source:
        line = source[: source.index(b"self.blcks")].count(b"\n") + 1
        misspelt = Mistake(
            "structure.misspelt-attribute",
            True,
            Span(line, 25, line, 35),
            text("no such attribute"),
            text("did you mean blocks?"),
            PartName.MAPPING,
        )
        return replace(blank, verdict=Verdict.FAILED, mistakes=(misspelt,))
    if b"odd" in source:
        return replace(blank, verdict=Verdict.FAILED)
    return replace(blank, open_todos=(1, 2))


class InPlaceRunner:
    """A runner that runs warm-ups of ours in this very process, and loads nothing."""

    def __init__(self) -> None:
        self.jobs: list[Job] = []
        self.stops = False

    def warm(self, *, hurry: bool = False) -> None:
        """Nothing is heavy here."""

    def ready(self) -> bool:
        """Always."""
        return True

    @contextmanager
    def session(self, job: Job) -> Iterator[Session]:
        """A session of this process."""
        self.jobs.append(job)
        yield _InPlaceSession(self.stops)

    def close(self) -> None:
        """Nothing to end."""


class _InPlaceSession:
    isolation: tuple[str, ...] = ()
    left_s = 5.0

    def __init__(self, stops: bool) -> None:  # noqa: FBT001
        self._stops = stops

    def load(self, source: bytes) -> Loaded:
        return Loaded()

    def play(self, scenario: Json, *, then: Json = None) -> Json:
        return None

    def run(self, program: str, watch: Sequence[str]) -> ProgramRun | Stopped:
        if self._stops:
            return Stopped(StopReason.TIMEOUT)
        names: dict[str, object] = {}
        raised = None
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            try:
                exec(program, names)
            except RuntimeError as error:
                raised = Raised("RuntimeError", ("RuntimeError",), str(error))
        values = {name: repr(names[name]) for name in watch if name in names}
        return ProgramRun(printed.getvalue(), values, raised)

    def finish(self) -> Finished:
        return Finished()

    def prints(self) -> Prints:
        return Prints()

    def cancel(self) -> None:
        """Nothing runs that could be ended."""
