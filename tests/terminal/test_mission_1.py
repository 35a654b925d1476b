"""Mission 1 from the language question and the first words to the pass, as a learner plays it."""

from __future__ import annotations

import pytest

from pagetutor.content.model import Course, Mission, Table
from pagetutor.text import Language, Text, same
from tests.terminal import said
from tests.terminal.learner import Learner, Place
from tests.terminal.pick import points, text, there, variant
from tests.terminal.writing import FLOOR, PREFILL, line_of, write

ROWS = {Language.ZH: 24, Language.EN: 40}
SIX_TOKENS = Text(zh="✓ 6 个 token 领 2 块", en="✓ 6 tokens take 2 blocks")
TOLD_OPEN = Text(
    zh="TODO 1、2 还空着。把 allocate_for_prefill 里的占位符 ... 换成你的代码，再检查一次。",
    en="TODO 1 and 2 are still open. Put your code in place of the ... in allocate_for_prefill, "
    "then check again.",
)


@pytest.mark.parametrize("language", list(Language))
def test_mission_1_is_played_from_the_first_question_to_the_pass(
    language: Language, place: Place, course: Course
) -> None:
    mission = course.missions[0]
    with Learner(place, language, ("mission", "1"), rows=ROWS[language]) as learner:
        _begin(learner, course)
        _guess_wrong(learner, mission)
        _read_and_change_the_guess(learner, mission)
        _warm_up(learner, mission)
        _see_the_mapping(learner, mission)
        _miss_the_quiz_and_try_again(learner, mission)
        _trace_by_hand(learner, mission)
        _meet_the_starter(learner, mission, course)
        _check_a_wrong_file(learner, mission, course)
        mended = _mend_it_and_pass(learner, mission, course)
        learner.leaves()
        assert learner.ends() == 0
        assert not learner.terminal.cursor_is_hidden
    assert place.file.read_bytes() == mended


def _begin(learner: Learner, course: Course) -> None:
    learner.reads("中文 / English")
    learner.chooses("中文" if learner.language is Language.ZH else "English")
    learner.reads(said.FIRST_WORDS)
    learner.goes_on()
    first, words, *_ = course.prologue
    learner.reads(text(first), *points(words))
    learner.reads(
        Text(zh="6 个 token（#），最多 16 个（. 空着）", en="6 tokens (#), 16 at most, . is unused")
    )
    learner.goes_on()


def _guess_wrong(learner: Learner, mission: Mission) -> None:
    guess = there(mission.guess)
    learner.reads(mission.title, said.GUESS, said.GUESS_INTRO, guess.ask)
    wrong = guess.choice("drop-the-last")
    assert len(learner.menu()) == len(guess.choices) + len("lq")
    learner.guesses(wrong.text, sure="3")
    learner.reads(said.WRONG + wrong.explain)
    learner.goes_on()


def _read_and_change_the_guess(learner: Learner, mission: Mission) -> None:
    guess = there(mission.guess)
    first, facts, *_ = mission.background
    learner.reads(said.BACKGROUND, text(first), *points(facts))
    learner.goes_on("m")
    learner.reads(Text(zh="再多说一点", en="A little more"), "self.physical_kv_cache = torch.zeros(")
    learner.goes_on()

    learner.reads(said.DIAGRAM, text(mission.diagram[0]), "│t0│t1│t2│t3│", "(seq_len + size - 1) // size")
    (table,) = [block for block in mission.diagram if isinstance(block, Table)]
    learner.reads(*table.rows[-1])
    learner.goes_on()

    learner.reads(said.GUESS, said.KEEP_OR_CHANGE, guess.ask)
    wrong, right = guess.choice("drop-the-last"), guess.choice("refuse-first")
    assert learner.pointed_at() == learner.spoken(wrong.text)
    assert "(your choice so far)" in learner.terminal.screen or "（你现在的选择）" in learner.terminal.screen
    learner.chooses(right.text)
    learner.reads(said.CHANGED, said.RIGHT + right.explain)
    learner.goes_on()


def _warm_up(learner: Learner, mission: Mission) -> None:
    warm_up = there(mission.warm_up)
    learner.reads(said.WARM_UP, warm_up.intro, warm_up.program)
    for expression, typed in (("boxes_needed", "3"), ("assigned", "[20, 7]"), ("available", "")):
        learner.reads(said.ENDS_AS.with_(expression=expression))
        learner.types(typed)
    learner.reads(said.OUTPUT, "boxes_needed: 3", "assigned: [20, 7, 31]", "available: [9]")
    learner.reads(
        said.FINAL_VALUES,
        said.AS_PREDICTED.with_(expression="boxes_needed", value="3"),
        said.NOT_AS_PREDICTED.with_(expression="assigned", value="[20, 7, 31]", guess="[20, 7]"),
        "available = [9]",
        said.CHANGE_A_NUMBER,
    )
    learner.chooses(said.TRY.with_(line="item_count = 21"))
    learner.reads("RuntimeError: FULL", "boxes_needed = 5", "assigned = []", "available = [20, 7, 31, 9]")
    learner.reads(warm_up.knobs[0].what_happens)

    learner.chooses(said.OWN.with_(name="item_count"))
    learner.reads(said.WHICH.with_(name="item_count"))
    learner.types("many")
    learner.reads(said.NO_NUMBER)
    learner.types("20")
    learner.reads("item_count = 20", "boxes_needed = 4", "assigned = [20, 7, 31, 9]", "available = []")
    learner.chooses(said.GO_ON)


def _see_the_mapping(learner: Learner, mission: Mission) -> None:
    learner.reads(said.MAPPING["1"], there(mission.mapping_intro))
    for row in mission.mapping:
        learner.reads(row.warm_up, row.exercise, row.remark)
    learner.goes_on()


def _miss_the_quiz_and_try_again(learner: Learner, mission: Mission) -> None:
    quiz = there(mission.quiz)
    wrong, right = quiz.choice("to-float"), quiz.choice("no-half-update")
    learner.reads(said.QUIZ, quiz.ask)
    learner.chooses(wrong.text)
    learner.reads(said.WRONG + wrong.explain, said.REREAD_DIAGRAM.with_(mission=1))
    learner.chooses(said.REREAD_FIRST)
    learner.reads(said.DIAGRAM_AGAIN, text(mission.diagram[0]))
    learner.goes_on()
    learner.chooses(said.TRY_AGAIN)
    learner.reads(quiz.ask)
    learner.chooses(right.text)
    learner.reads(said.RIGHT + right.explain)
    learner.goes_on()


def _trace_by_hand(learner: Learner, mission: Mission) -> None:
    trace = there(mission.hand_trace)
    learner.reads(said.HAND_TRACE, trace.intro)
    learner.goes_on()
    answers = {"4": ("1", "9"), "5": ("1", "8"), "6": ("2", "8"), "8": ("２", "8"), "9": ("3", "7")}
    for row in trace.rows:
        given = learner.spoken(row.given)
        for head, cell, typed in zip(trace.head[1:], row.cells, answers[given], strict=True):
            learner.reads(_asked(trace.head[0], given, head))
            learner.types(typed)
            if (given, typed) == ("5", "1"):
                learner.reads(said.CELL_WRONG + cell.explain)
            else:
                learner.reads(said.CELL_RIGHT)
    learner.reads(*trace.head, "✗ 1 → 2", "3", "7")
    learner.goes_on()


def _meet_the_starter(learner: Learner, mission: Mission, course: Course) -> None:
    place = learner.place
    learner.reads(said.EXERCISE, text(mission.exercise.page[0]))
    learner.reads(said.PLACED + same(str(place.file)), said.STILL_OPEN)
    for todo in mission.todos:
        learner.reads(Text(zh=f"TODO {todo.number}：", en=f"TODO {todo.number}: ") + todo.task)
    assert place.file.read_bytes() == (course.root / "block_manager.py").read_bytes()
    learner.chooses(said.CHECK)
    learner.reads(said.UNFILLED.with_(mission=1), TOLD_OPEN)


def _check_a_wrong_file(learner: Learner, mission: Mission, course: Course) -> None:
    place = learner.place
    wrong = write(place, course, PREFILL, wrong=FLOOR)
    code = "needed_blocks = req.seq_len // self.block_size"
    line = line_of(place.file, code)
    mistake = variant(mission, "prefill.floor-division")
    learner.chooses(said.CHECK)
    learner.reads(
        said.FAILED.with_(mission=1),
        said.SMALLEST_CASE,
        "allocate_for_prefill(a)",
        said.LOOK_AT.with_(line=line, mistake=mistake.id),
        f"{line} │ {code}",
        "^" * len("req.seq_len // self.block_size"),
        mistake.belief,
        mistake.ask,
        said.REREAD.with_(mission=1, part=mistake.reread),
        "m.allocate_for_prefill(a)",
    )
    assert place.file.read_bytes() == wrong


def _mend_it_and_pass(learner: Learner, mission: Mission, course: Course) -> bytes:
    mended = write(learner.place, course, PREFILL)
    learner.chooses(said.CHECK)
    learner.reads(said.PASSED.with_(mission=1), said.WORKS_NOW, SIX_TOKENS)
    (card,) = mission.cards
    learner.reads(mission.exercise.now_works, said.GUESS_AND_CODE)
    learner.reads(there(mission.guess).choice("refuse-first").text)
    learner.reads("block_size=4", "free_blocks=[0]", "seq_len=5", "RuntimeError('OOM')", "free_blocks == [0]")
    learner.reads(said.MIND_CHANGED_SURELY)
    learner.reads(said.BEYOND + card.title, card.text, mission.exercise.next_up)
    assert learner.pointed_at() == learner.spoken(said.NEXT.with_(mission="Mission 2"))
    assert learner.told.count(learner.spoken(said.BEYOND)) == 1
    assert learner.spoken(course.missions[1].title) not in learner.told
    return mended


def _asked(first: Text, given: str, head: Text) -> Text:
    return Text(zh=f"{first.zh}：{given}；{head.zh}？", en=f"{first.en}: {given}; {head.en}?")
