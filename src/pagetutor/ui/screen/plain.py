"""The lesson as numbered plain text, line by line: for pipes, CI, screen readers and simple terminals."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from rich.text import Text as Line

from pagetutor.errors import UsageError
from pagetutor.text import Language, Text
from pagetutor.tutor.screen import LessonLeft, Option, Pause, Showable
from pagetutor.ui import phrases
from pagetutor.ui.menu import keys_of
from pagetutor.ui.render import render
from pagetutor.ui.render.words import literal, prose, wrapped
from pagetutor.ui.screen.editor import open_editor
from pagetutor.ui.screen.extras import Extras
from pagetutor.ui.screen.paper import Paper
from pagetutor.ui.screen.working import after_a_moment, deaf

if TYPE_CHECKING:
    from pagetutor.tutor.live import Live
    from pagetutor.tutor.replaying import Replay


_MORE = "\0more"  # no option of a lesson has such an id
_SWITCH, _LEAVE = frozenset({"l", "language"}), frozenset({"q", "leave", "quit"})


class PlainScreen:
    """Implements `tutor.screen.Screen` without keys, boxes, redraws, or meaning by colour.

    Without `on_language` it is the screen that asks for the language: its lists offer no other way to it.
    """

    def __init__(
        self,
        language: Language,
        on_language: Callable[[Language], None] | None,
        *,
        unfolded: bool = False,
        typed: TextIO | None = None,
        stream: TextIO | None = None,
    ) -> None:
        self._language = language
        self._on_language = on_language
        self._typed = typed if typed is not None else sys.stdin
        self._paper = Paper(stream, plain=True)
        self._extras = Extras(unfolded=unfolded)
        self._unanswered: list[tuple[Showable, bool]] = []
        self._kept: str | None = None  # a line that a pause has read and left for the next question

    @property
    def language(self) -> Language:
        """The language now in use."""
        return self._language

    def show(self, value: Showable) -> None:
        """Show one value, and an empty line after it."""
        self._extras.notice(value)
        self._show(value, unfolded=self._extras.unfolded)

    def _show(self, value: Showable, *, unfolded: bool) -> None:
        self._unanswered.append((value, unfolded))
        self._print([*render(value, self._paper.look(self._language, unfolded=unfolded)), Line("")])

    def choose(self, ask: Text, options: Sequence[Option], *, chosen: str | None = None) -> str:
        """The id of the option whose number is typed; Enter alone keeps `chosen` where there is one."""
        ids = [option.id for option in options]
        while True:
            self._list(ask, options, chosen)
            prompt = phrases.PLAIN_CHOOSE.with_(count=len(ids))
            if self._on_language is None:
                prompt = phrases.PLAIN_CHOOSE_LANGUAGE.with_(count=len(ids))
            elif chosen in ids:
                prompt = phrases.PLAIN_CHOOSE_KEEP.with_(count=len(ids), kept=ids.index(chosen) + 1)
            if self._extras.wait:
                prompt = phrases.PLAIN_MORE + prompt
            answer = self._answer(
                prompt, lambda typed: self._more(typed) or _numbered(typed, ids, chosen), _again(len(ids))
            )
            if answer == _MORE:
                self._show(self._extras.take(), unfolded=True)
            elif answer is not None:
                self._extras.take()
                return answer

    def _more(self, typed: str) -> str | None:
        return _MORE if typed.lower() == "m" and self._extras.wait else None

    def _list(self, ask: Text, options: Sequence[Option], chosen: str | None) -> None:
        look = self._paper.look(self._language)
        lines = prose(ask, look)
        numbers = keys_of(options, numbered=True)
        for option in options:
            words = option.text + phrases.CHOSEN_BEFORE if option.id == chosen else option.text
            lines += prose(words, look, indent=4, first=f"{numbers[option.id]}. ")
        self._print(lines)

    def type_in(self, ask: Text, *, skippable: bool = True) -> str | None:
        """The line that is typed; None where it is empty and may be."""
        keys = phrases.TYPE_SKIPPABLE if skippable else phrases.TYPE_NEEDED
        while True:
            self._print(prose(ask, self._paper.look(self._language)))
            answer = self._answer(
                phrases.bracketed(keys),
                lambda typed: typed if typed or skippable else None,
                phrases.TYPE_AGAIN,
            )
            if answer is not None:
                return answer or None

    def pause(self, *, skippable: bool = False) -> Pause:
        """Wait for an empty line; anything else that is typed goes on as well, but for `s` where it skips.

        Out of a pipe or a file, what is no answer to a pause is one to the next question, and is kept for it.
        """
        meant = {"", "s"} if skippable else {""}
        while True:
            keys = phrases.PAUSE_SKIPPABLE if skippable else phrases.PAUSE
            if self._extras.wait:
                keys = phrases.MORE_KEY + keys
            mine = meant | ({"m"} if self._extras.wait else set())
            answer = self._answer(
                phrases.bracketed(keys), lambda typed: typed or Pause.ON, phrases.TYPE_AGAIN, only=mine
            )
            if answer is not None and answer.lower() == "m" and self._extras.wait:
                self._show(self._extras.take(), unfolded=True)
            elif answer is not None:
                self._extras.take()
                return Pause.SKIP if skippable and answer.lower() == "s" else Pause.ON

    def confirm(self, ask: Text) -> bool:
        """Yes or no; an empty line means no."""
        while True:
            self._print(prose(ask, self._paper.look(self._language)))
            answer = self._answer(phrases.bracketed(phrases.YES_NO), _yes_no, phrases.YES_NO_AGAIN)
            if answer is not None:
                return answer == "y"

    def replay(self, value: Replay) -> None:
        """All of it, call by call."""
        from pagetutor.ui.render.replay import replay_text  # noqa: PLC0415 — only where something is replayed

        self._print([*replay_text(value, self._paper.look(self._language)), Line("")])

    @contextmanager
    def working(self, what: Text) -> Iterator[None]:
        """Say what is going on, in one line, once it has lasted 200 ms."""
        with deaf(), after_a_moment(lambda: self._print(prose(what, self._paper.look(self._language)))):
            yield

    def edit(self, path: Path, line: int | None = None) -> bool:
        """Open the file in the learner's editor, where there is a terminal for it to run in."""
        return self._interactive and sys.stdout.isatty() and open_editor(path, line, self._announce)

    def _announce(self, text: Text) -> None:
        self._say(text)
        self.pause()

    @contextmanager
    def live(self) -> Iterator[Live]:
        """Results as they come; keys are lines that are typed."""
        from pagetutor.ui.screen.live import PlainLive  # noqa: PLC0415 — only where something is watched

        live = PlainLive(self._paper, self._language, self._typed)
        with live.opened():
            yield live

    def _say(self, text: Text) -> None:
        self._print(prose(text, self._paper.look(self._language)))

    @property
    def _interactive(self) -> bool:
        return self._typed is not None and self._typed.isatty()

    def _answer(
        self,
        prompt: Text,
        accept: Callable[[str], str | None],
        again: Text,
        *,
        only: AbstractSet[str] | None = None,
    ) -> str | None:
        """What `accept` makes of the next acceptable line; None where the language was switched instead.

        With `only`, whatever else stands in the next line of a pipe is left there: the answer is empty.
        """
        mine = None if only is None or self._interactive else only | _SWITCH | _LEAVE
        while True:
            typed = self._line(prompt, mine)
            if typed.lower() in _SWITCH and self._on_language is not None:
                self._switch_and_show_again()
                return None
            if typed.lower() in _LEAVE:
                raise LessonLeft
            answer = accept(typed)
            if answer is not None:
                self._unanswered = []
                return answer
            self._say(again)

    def _line(self, prompt: Text, mine: AbstractSet[str] | None) -> str:
        """The next line, stripped, full-width characters made narrow; UsageError where there is none.

        One that is not among `mine` is kept for the next prompt, and this one gets an empty line.
        """
        look = self._paper.look(self._language)
        *lines, last = wrapped(prompt.in_(self._language), look)
        self._print(lines)
        self._paper.console.print(last, end=" ", soft_wrap=True)
        self._paper.console.file.flush()
        line, self._kept = self._kept, None
        if line is None:
            line = self._typed.readline() if self._typed is not None else ""
        if line and mine is not None and _plain(line).lower() not in mine:
            line, self._kept = "\n", line
        if not self._interactive:
            self._print(
                literal(line.rstrip("\n"), look)
            )  # nobody saw the line being typed: keep the record readable
        if not line:
            if self._interactive:  # Ctrl-D
                raise LessonLeft
            raise UsageError(phrases.INPUT_ENDED)
        return _plain(line)

    def _switch_and_show_again(self) -> None:
        """In the other language too: what was shown since the last answer, for that is what is being read."""
        self._switch()
        shown, self._unanswered = self._unanswered, []
        for value, unfolded in shown:
            self._show(value, unfolded=unfolded)

    def _switch(self) -> None:
        self._language = Language.EN if self._language is Language.ZH else Language.ZH
        if self._on_language is not None:
            self._on_language(self._language)

    def _print(self, lines: Sequence[Line]) -> None:
        self._paper.print(lines)


def _plain(line: str) -> str:
    return unicodedata.normalize("NFKC", line).strip()


def _again(count: int) -> Text:
    return phrases.PLAIN_CHOOSE_AGAIN.with_(count=count)


def _numbered(typed: str, ids: Sequence[str], chosen: str | None) -> str | None:
    typed = typed.rstrip(".)")
    if not typed and chosen in ids:
        return chosen
    if typed.isdecimal() and 1 <= int(typed) <= len(ids):
        return ids[int(typed) - 1]
    return None


def _yes_no(typed: str) -> str | None:
    if typed.lower() in {"y", "yes", "是"}:
        return "y"
    return "n" if typed.lower() in {"", "n", "no", "不", "否"} else None
