"""A learner at a real terminal: reads what comes, chooses, types, and edits the file in between."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

from pagetutor.text import Language, Text
from tests.terminal import said
from tests.ui.pty_screen import Terminal

PAGETUTOR = Path(sys.executable).with_name("pagetutor")
PATIENCE_S = 30.0  # loading torch on a busy machine takes its time
_KEYS = re.compile("arrows or a number, then Enter|↑↓ 或数字选择，回车确认")
_KEYS_SQUEEZED = re.compile("arrowsoranumber,thenEnter|↑↓或数字选择，回车确认")
_CHOSEN_BEFORE = re.compile(r"(\(yourchoicesofar\)|（你现在的选择）)$")
_LAST_ROW = re.compile(r"q\)(leave\(everythingsofariskept\)|离开（做过的都已保存）)$")
_MORE_BELOW = re.compile(r"(Morebelow:\([^()]*qleave\)|下面还有：（[^（）]*q离开）)$")
_PAUSE = re.compile(
    r"(\((malittlemore,)?Entergoeson[^()]*qleave\)|（(m再多看一点，)?回车继续[^（）]*q离开）)$"
)
_TYPING = re.compile("(qleave\\)|q离开）)❯$")


@dataclass(frozen=True)
class Place:
    """The folder a learner works in, and where the tutor remembers them."""

    folder: Path
    home: Path

    @property
    def file(self) -> Path:
        """The learner's file."""
        return self.folder / "block_manager.py"

    def environ(self, **more: str) -> dict[str, str]:
        """What the tutor is told about this place."""
        return {"PAGETUTOR_HOME": str(self.home), "PYTHONPATH": "", **more}


@dataclass
class Learner:
    """Sits at a terminal that runs the installed `pagetutor`; `language` is the one they read.

    Everything read is found in order: `reads` looks only at what came after what was read before,
    and pages on where the screen says that there is more below.
    """

    place: Place
    language: Language
    words: tuple[str, ...]
    rows: int = 24
    environ: dict[str, str] = field(default_factory=dict)
    program: Path = PAGETUTOR
    _read_to: int = 0
    _answered: str = ""

    def __enter__(self) -> Self:
        self.terminal = Terminal(
            list(self.words),
            program=str(self.program),
            rows=self.rows,
            cwd=self.place.folder,
            environ=self.place.environ(**self.environ),
            patience_s=PATIENCE_S,
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.terminal.__exit__(kind, error, trace)

    # ── reading ──────────────────────────────────────────────────────────────────────────────────

    @property
    def told(self) -> str:
        """Everything that stands on the screen or has scrolled off it, without spaces."""
        return squeezed(self.terminal.scrolled)

    def reads(self, *sentences: Text | str) -> None:
        """Each of these sentences comes, in this order."""
        for sentence in sentences:
            words = self.spoken(sentence)
            self._wait(lambda words=words: self._there(words), f"{words!r} was not read")
            self._read_to = self.told.index(words, self._read_to) + len(words)

    def _there(self, words: str) -> bool:
        told = self.told
        if words in told[self._read_to :]:
            return True
        if _MORE_BELOW.search(told) and told != self._answered:
            self._answer("enter")
        return False

    def spoken(self, sentence: Text | str) -> str:
        """The sentence as it is read: in the learner's language, without spaces and backticks."""
        words = sentence if isinstance(sentence, str) else sentence.in_(self.language)
        return squeezed(words.replace("`", ""))

    # ── answering ────────────────────────────────────────────────────────────────────────────────

    def goes_on(self, key: str = "enter") -> None:
        """Press a key at the next pause."""
        self._read_to = self._asked(_PAUSE)
        self._answer(key)

    def waits_at_a_pause(self) -> None:
        """Come to the next pause, and press nothing."""
        self._asked(_PAUSE)

    def types(self, words: str) -> None:
        """Type at the next prompt; nothing at all skips."""
        self._asked(_TYPING)
        self._read_to = len(self.told)
        self.terminal.press(words)
        self._wait(lambda: self.told.endswith(f"❯{squeezed(words)}"), f"{words!r} was not echoed")
        self._answer("enter")

    def chooses(self, option: Text | str) -> None:
        """Choose this option of the next menu by its number, and see it stay on the screen."""
        wanted = self.spoken(option)
        menu = self.menu()
        key = next((key for key, words in menu.items() if words == wanted), None)
        assert key is not None, f"{wanted!r} is not among {menu}"
        self._point_at(key)
        self._answer("enter")
        self.reads(f"❯{wanted}")

    def guesses(self, option: Text | str, *, sure: str = "") -> None:
        """Choose this option of a guess, and type how sure it is; nothing at all leaves that open."""
        self.chooses(option)
        self.reads(said.HOW_SURE)
        self.types(sure)

    def leaves(self) -> None:
        """Choose to leave at the next menu."""
        self.menu()
        self._point_at("q")
        self._answer("enter")

    def switches_language(self) -> None:
        """Choose the other language at the next menu, and read on in it."""
        self.menu()
        self._read_to = [found.start() for found in _KEYS_SQUEEZED.finditer(self.told)][-1]
        self._point_at("l")
        self._answer("enter")
        self._reads_the_other()

    def switches_language_at_a_pause(self) -> None:
        """Press `l` at the next pause, and read on in the other language."""
        self.goes_on("l")
        self._reads_the_other()

    def _reads_the_other(self) -> None:
        self.language = Language.EN if self.language is Language.ZH else Language.ZH

    def menu(self) -> dict[str, str]:
        """The next menu: what each key stands for, without spaces and the mark of the choice so far."""
        self._asked(_LAST_ROW)
        rows = self.terminal.screen.split("\n")
        start = max(number for number, row in enumerate(rows) if _KEYS.search(row)) + 1
        menu: dict[str, str] = {}
        key = ""
        for row in rows[start:]:
            if begun := re.match(r" (?:❯| ) (\w)\) (.*)", row):
                key = begun[1]
                menu[key] = squeezed(begun[2])
            elif key:
                menu[key] += squeezed(row)
        return {key: _CHOSEN_BEFORE.sub("", words) for key, words in menu.items()}

    def pointed_at(self) -> str:
        """The option under the pointer of the next menu, without spaces."""
        menu = self.menu()
        pointed = re.findall(r"^ ❯ (\w)\) ", self.terminal.screen, re.MULTILINE)
        return menu[pointed[-1]]

    def presses(self, key: str) -> None:
        """Press a key, whatever is on the screen."""
        self.terminal.press(key)

    def ends(self) -> int | None:
        """Read to the end of the command; its exit status."""
        return self.terminal.end()

    def _point_at(self, key: str) -> None:
        self.terminal.press(key)
        self._wait(lambda: f"❯ {key}) " in self.terminal.screen, f"the pointer did not go to {key}")

    def _asked(self, prompt: re.Pattern[str]) -> int:
        """Wait until this kind of prompt stands at the end of the screen; where it begins."""
        self._wait(lambda: self._stands(prompt), f"{prompt.pattern} was not asked")
        found = prompt.search(self.told)
        assert found is not None
        return found.start()

    def _stands(self, prompt: re.Pattern[str]) -> bool:
        told = self.told
        if told == self._answered:  # the screen has not moved since the last answer
            return False
        if prompt is not _MORE_BELOW and _MORE_BELOW.search(told):
            self._answer("enter")
            return False
        return prompt.search(told) is not None

    def _answer(self, key: str) -> None:
        self._answered = self.told
        self.terminal.press(key)

    def _wait(self, condition: object, otherwise: str) -> None:
        assert callable(condition)
        self.terminal.wait_until(condition, f"{otherwise} after {self.told[: self._read_to][-80:]!r}")


def squeezed(words: str) -> str:
    """The words without spaces and line breaks: how they are wrapped is not what is asserted."""
    return "".join(words.split())
