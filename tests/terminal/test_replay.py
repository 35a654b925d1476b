"""A replay of real code on a real terminal: the first difference is shown, wherever it is asked for."""

from __future__ import annotations

import re

import pytest

from pagetutor.store.events import LanguageChosen, PartDone, PrologueSeen
from pagetutor.store.history import History
from pagetutor.text import Text
from pagetutor.tutor.parts import Step
from tests.corpus.build import SOLUTION
from tests.terminal.learner import PAGETUTOR, PATIENCE_S, Place
from tests.ui.pty_screen import Terminal

FLOORS = SOLUTION.replace(
    "(req.seq_len + self.block_size - 1) // self.block_size", "req.seq_len // self.block_size"
)
REMAINDER_0 = SOLUTION.replace("% self.block_size) == 1", "% self.block_size) == 0")
NO_CUT = SOLUTION.replace("return cat_blocks[: req.seq_len]", "return cat_blocks")
SORTED = SOLUTION.replace("for block_id in req.block_table]", "for block_id in sorted(req.block_table)]")


class Replaying(Terminal):
    """`pagetutor` with these words on a terminal, in a folder that holds `source`."""

    def __init__(self, place: Place, source: str, *words: str, rows: int = 24) -> None:
        place.file.write_text(source, encoding="utf-8")
        super().__init__(
            list(words),
            program=str(PAGETUTOR),
            rows=rows,
            cwd=place.folder,
            environ=place.environ(),
            patience_s=PATIENCE_S,
        )

    @property
    def squeezed(self) -> str:
        """The screen without spaces and line ends."""
        return "".join(self.screen.split())

    def waits_for(self, words: str) -> None:
        """Read until the screen shows these words, however they are wrapped."""
        self.wait_until(lambda: "".join(words.split()) in self.squeezed, f"{words!r} never showed up")


@pytest.mark.parametrize(
    ("source", "mission", "told"),
    [
        pytest.param(
            FLOORS,
            "1",
            Text(
                zh="第一处不同就在这里 应该 block_table 里 1 块，空闲池剩 9 块 实际 block_table == []",
                en="Here is the first difference expected 1 block in block_table, 9 left in the free pool "
                "got block_table == []",
            ),
            id="floor division",
        ),
        pytest.param(
            REMAINDER_0,
            "2",
            Text(
                zh="第一处不同就在这里 应该 block_table 里 1 块",
                en="Here is the first difference expected 1 block in block_table",
            ),
            id="remainder 0",
        ),
        pytest.param(
            NO_CUT,
            "3",
            Text(
                zh="第一处不同就在这里 应该 返回张量，形状 [5, 8] 实际 返回张量，形状 [8, 8]",
                en="Here is the first difference expected a tensor of shape [5, 8] got a tensor of shape "
                "[8, 8]",
            ),
            id="missing slice",
        ),
        pytest.param(
            SORTED,
            "3",
            Text(
                zh="第一处不同就在这里 应该 各行第一个值依次是 7, 7, 7, 7, 8",
                en="Here is the first difference expected rows whose first values are 7, 7, 7, 7, 8",
            ),
            id="sorted ids",
        ),
    ],
)
def test_the_frame_of_the_first_difference_shows_it(
    place: Place, source: str, mission: str, told: Text
) -> None:
    assert source != SOLUTION
    with Replaying(place, source, "replay", mission, "--lang", "zh") as terminal:
        terminal.waits_for("第1/")
        terminal.press("d")
        terminal.waits_for(told.zh)
        terminal.press("l")
        terminal.waits_for(told.en)
        assert re.search(r"^❯ +\d+ │", terminal.screen, re.MULTILINE)
        terminal.press("p")
        terminal.wait_until(lambda: told_first(told) not in terminal.squeezed, "p did not lead back")
        terminal.press("n")
        terminal.waits_for(told.en)
        terminal.press("q")
        assert terminal.end() == 0


def told_first(told: Text) -> str:
    """The head of the frame, without spaces."""
    return "".join(told.en.split("  ")[0].split())


def test_while_watching_t_replays_what_failed_and_the_watch_goes_on(place: Place) -> None:
    with Replaying(place, FLOORS, "watch", "1", "--lang", "en") as terminal:
        terminal.waits_for("t replay   m full report   l list   q leave")
        terminal.press("t")
        terminal.waits_for("step 1 of 5")
        terminal.press("d")
        terminal.waits_for("Here is the first difference")
        terminal.press("q")
        terminal.waits_for("t replay   m full report   l list   q leave")
        place.file.write_text(SOLUTION, encoding="utf-8")
        terminal.waits_for("Passed: block_manager.py is no longer watched")
        assert "t replay" not in terminal.screen
        terminal.press("q")
        assert terminal.end() == 0


def test_in_the_exercise_t_replays_what_failed_and_the_menu_comes_back(place: Place) -> None:
    steps = [PartDone("1", step.value) for step in Step if step is not Step.EXERCISE]
    History(place.home / "history.db").append(LanguageChosen("en"), PrologueSeen(skipped=True), *steps)
    with Replaying(place, FLOORS, "mission", "1", rows=90) as terminal:
        terminal.waits_for("1) Check my file")
        assert "t) " not in terminal.screen
        terminal.press("1", "enter")
        terminal.waits_for("t) Step through the failing case")
        terminal.press("t", "enter")
        terminal.waits_for("step 1 of 5")
        terminal.press("q")
        terminal.waits_for("t) Step through the failing case")
        terminal.press("q", "enter")
        assert terminal.end() == 0
