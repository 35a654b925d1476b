"""Missions 2 and 3 to the pass, by the shorter ways a lesson offers: parts skipped, left or kept."""

from __future__ import annotations

import pytest

from pagetutor.content.model import Course, Mission
from pagetutor.text import Language, Text
from tests.long import some_long
from tests.terminal import said
from tests.terminal.learner import Learner, Place
from tests.terminal.pick import text, there, variant
from tests.terminal.writing import DECODE, GATHER, REMAINDER_ZERO, UNCUT, line_of, write

DID = {
    "2": Text(
        zh="到 9 个 token 时领了 1 块，现在共 3 块：",
        en="at 9 tokens it took 1 block and holds 3: ",
    ),
    "3": Text(zh="返回张量，形状 [5, 8]", en="a tensor of shape [5, 8]"),
}
"""What the code did in the case of each mission's guess."""


@pytest.mark.parametrize("language", some_long((Language.ZH, Language.EN), each=2))
def test_mission_2_is_played_to_the_pass(language: Language, place: Place, course: Course) -> None:
    mission = course.missions[1]
    with Learner(place, language, ("mission", "2", "--lang", language)) as learner:
        _skip_the_first_words(learner)
        _guess(learner, mission, "no-old-length")
        _read(learner, mission)
        guess = there(mission.guess)
        learner.chooses(guess.right.text)
        learner.reads(said.CHANGED, said.RIGHT + guess.right.explain)
        learner.goes_on()
        _warm_up(learner, mission, "current_people = 7")
        _see_the_mapping(learner, mission)
        _miss_the_quiz_and_leave_it(learner, mission)
        learner.reads(said.HAND_TRACE)
        learner.goes_on("s")
        _meet_the_starter(learner, mission)
        _check_remainder_zero_and_take_a_hint(learner, mission, course)
        mended = write(place, course, DECODE)
        _pass(learner, mission, said.MIND_CHANGED)
        assert learner.pointed_at() == learner.spoken(said.NEXT.with_(mission="Mission 3"))
        learner.leaves()
        learner.reads(said.LEFT_PASSED)
        assert learner.ends() == 0
    assert place.file.read_bytes() == mended


@pytest.mark.parametrize("language", some_long((Language.EN, Language.ZH), each=2))
def test_mission_3_is_played_to_the_pass(language: Language, place: Place, course: Course) -> None:
    mission = course.missions[2]
    with Learner(place, language, ("mission", "3", "--lang", language), rows=50) as learner:
        _skip_the_first_words(learner)
        _guess(learner, mission, "stacked")
        _read(learner, mission)
        stacked = there(mission.guess).choice("stacked")
        assert learner.pointed_at() == learner.spoken(stacked.text)
        learner.chooses(stacked.text)
        learner.reads(said.KEPT, said.WRONG + stacked.explain)
        learner.goes_on()
        _warm_up(learner, mission, None)
        _see_the_mapping(learner, mission)
        quiz = there(mission.quiz)
        learner.reads(said.QUIZ, quiz.ask)
        learner.chooses(quiz.right.text)
        learner.reads(said.RIGHT + quiz.right.explain)
        learner.goes_on()
        _trace_the_shapes(learner, mission)
        _meet_the_starter(learner, mission)
        _check_without_the_slice(learner, mission, course)
        mended = write(place, course, GATHER)
        _pass(learner, mission, said.NOT_SO)
        assert len(mission.cards) > 1, "one card at a time can only be seen where there are several"
        learner.leaves()
        assert learner.ends() == 0
        assert learner.told.count(learner.spoken(said.BEYOND)) == 1
    assert place.file.read_bytes() == mended


def _skip_the_first_words(learner: Learner) -> None:
    learner.reads(said.FIRST_WORDS)
    learner.goes_on("s")


def _guess(learner: Learner, mission: Mission, wrong: str) -> None:
    choice = there(mission.guess).choice(wrong)
    learner.reads(mission.title, said.GUESS, there(mission.guess).ask)
    learner.guesses(choice.text)
    learner.reads(said.WRONG + choice.explain)
    learner.goes_on()


def _read(learner: Learner, mission: Mission) -> None:
    learner.reads(said.BACKGROUND, text(mission.background[0]))
    learner.goes_on()
    learner.reads(said.DIAGRAM, text(mission.diagram[0]))
    learner.goes_on()
    learner.reads(said.GUESS, said.KEEP_OR_CHANGE, there(mission.guess).ask)


def _warm_up(learner: Learner, mission: Mission, knob: str | None) -> None:
    warm_up = there(mission.warm_up)
    learner.reads(said.WARM_UP, warm_up.intro, warm_up.program)
    for prediction in warm_up.predictions:
        learner.reads(said.ENDS_AS.with_(expression=prediction.expression))
        learner.types(prediction.ends_as)
    learner.reads(said.OUTPUT, *warm_up.output.splitlines(), said.FINAL_VALUES)
    for prediction in warm_up.predictions:
        learner.reads(said.AS_PREDICTED.with_(expression=prediction.expression, value=prediction.ends_as))
    line = knob or f"{warm_up.knobs[0].name} = {warm_up.knobs[0].suggested}"
    learner.chooses(said.TRY.with_(line=line))
    learner.reads(warm_up.knobs[0].what_happens)
    learner.chooses(said.GO_ON)


def _see_the_mapping(learner: Learner, mission: Mission) -> None:
    learner.reads(said.MAPPING[mission.id], there(mission.mapping_intro))
    for row in mission.mapping:
        learner.reads(row.exercise, row.remark)
    learner.goes_on()


def _miss_the_quiz_and_leave_it(learner: Learner, mission: Mission) -> None:
    quiz = there(mission.quiz)
    wrong = quiz.choice("every-third-call")
    learner.reads(said.QUIZ, quiz.ask)
    learner.chooses(wrong.text)
    learner.reads(said.WRONG + wrong.explain, said.REREAD_DIAGRAM.with_(mission=mission.id))
    learner.chooses(said.LEAVE_IT)


def _trace_the_shapes(learner: Learner, mission: Mission) -> None:
    trace = there(mission.hand_trace)
    learner.reads(said.HAND_TRACE, trace.intro)
    learner.goes_on()
    for row, typed in zip(trace.rows, ("[4,64]", "12, 64", "[９, 64]"), strict=True):
        learner.reads(row.given)
        learner.types(typed)
        learner.reads(said.CELL_RIGHT)
    learner.goes_on()


def _meet_the_starter(learner: Learner, mission: Mission) -> None:
    learner.reads(said.EXERCISE, text(mission.exercise.page[0]), said.PLACED, said.STILL_OPEN)
    (todo,) = mission.todos
    learner.reads(todo.task)
    learner.chooses(said.CHECK)
    learner.reads(said.UNFILLED.with_(mission=mission.id), f"TODO {todo.number}")


def _check_remainder_zero_and_take_a_hint(learner: Learner, mission: Mission, course: Course) -> None:
    """The methods of the other missions are still the starter's; this one is judged all the same."""
    write(learner.place, course, DECODE, wrong=REMAINDER_ZERO)
    code = "is_new_block_needed = (req.seq_len % self.block_size) == 0"
    line = line_of(learner.place.file, code)
    mistake = variant(mission, "decode.remainder-zero")
    learner.chooses(said.CHECK)
    learner.reads(
        said.FAILED.with_(mission=2),
        said.SMALLEST_CASE,
        "allocate_for_decode(a)",
        said.LOOK_AT.with_(line=line, mistake=mistake.id),
        f"{line} │ {code}",
        mistake.belief,
        mistake.ask,
        said.REREAD.with_(mission=2, part=mistake.reread),
    )
    learner.chooses(said.HINT)
    learner.chooses(said.SHOW_NOW)
    learner.reads(mission.models[0].slot("condition").example)


def _check_without_the_slice(learner: Learner, mission: Mission, course: Course) -> None:
    write(learner.place, course, GATHER, wrong=UNCUT)
    line = line_of(learner.place.file, "return cat_blocks")
    mistake = variant(mission, "gather.missing-slice")
    learner.chooses(said.CHECK)
    learner.reads(
        said.FAILED.with_(mission=3),
        said.SMALLEST_CASE,
        "get_physical_cache(a)",
        said.LOOK_AT.with_(line=line, mistake=mistake.id),
        f"{line} │ return cat_blocks",
        mistake.belief,
        mistake.ask,
        said.REREAD.with_(mission=3, part=mistake.reread),
    )


def _pass(learner: Learner, mission: Mission, guessed: Text) -> None:
    learner.chooses(said.CHECK)
    learner.reads(said.PASSED.with_(mission=mission.id), said.WORKS_NOW, mission.exercise.now_works)
    learner.reads(said.GUESS_AND_CODE, DID[mission.id], guessed)
    card = mission.cards[0]
    learner.reads(said.BEYOND + card.title, card.text, mission.exercise.next_up)
