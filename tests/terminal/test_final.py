"""The whole exercise on a real terminal: the whole file at once, wrong first, then right."""

from __future__ import annotations

import pytest

from pagetutor.content.model import Course
from pagetutor.text import Language
from tests.terminal import said
from tests.terminal.learner import Learner, Place
from tests.terminal.pick import text, variant
from tests.terminal.writing import DECODE, FLOOR, GATHER, PREFILL, line_of, write


@pytest.mark.parametrize("language", list(Language))
def test_the_whole_exercise_is_played_to_the_pass(language: Language, place: Place, course: Course) -> None:
    final = course.missions[3]
    with Learner(place, language, ("mission", "final", "--lang", language)) as learner:
        learner.reads(said.FIRST_WORDS)
        learner.goes_on("s")
        learner.reads(final.title, text(final.exercise.page[0]), said.PLACED, said.STILL_OPEN)
        learner.reads(*(todo.task for todo in final.todos))

        write(place, course, PREFILL, DECODE, GATHER, wrong=FLOOR)
        code = "needed_blocks = req.seq_len // self.block_size"
        mistake = variant(course.missions[0], "prefill.floor-division")
        learner.chooses(said.CHECK)
        learner.reads(said.WHOLE_FAILED, said.SMALLEST_CASE)
        line = line_of(place.file, code)
        learner.reads(said.LOOK_AT.with_(line=line, mistake=mistake.id), f"{line} │ {code}", mistake.ask)
        learner.reads(said.REREAD.with_(mission=1, part=mistake.reread))

        mended = write(place, course, PREFILL, DECODE, GATHER)
        learner.chooses(said.CHECK)
        learner.reads(said.WHOLE_PASSED, said.WORKS_NOW, final.exercise.now_works)
        learner.reads(said.BEYOND + final.cards[0].title, said.STILL_TO_READ)
        learner.leaves()
        learner.reads(said.LEFT_PASSED)
        assert learner.ends() == 0
    assert place.file.read_bytes() == mended
