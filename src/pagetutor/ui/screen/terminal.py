"""The lesson on a terminal with keys: arrows, digits, pauses, a spinner."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text as Line

from pagetutor.errors import UsageError
from pagetutor.text import Language, Text
from pagetutor.tutor.screen import LessonLeft, Option, Pause, Showable
from pagetutor.ui import phrases
from pagetutor.ui.menu import keys_of
from pagetutor.ui.render import render
from pagetutor.ui.render.words import prose, wrapped
from pagetutor.ui.screen import keys
from pagetutor.ui.screen.editor import open_editor
from pagetutor.ui.screen.extras import Extras
from pagetutor.ui.screen.paper import Paper
from pagetutor.ui.screen.working import deaf, spinner

if TYPE_CHECKING:
    from pagetutor.tutor.live import Live
    from pagetutor.tutor.replaying import Replay

_LANGUAGE, _LEAVE, _MORE = "\0language", "\0leave", "\0more"  # no option of a lesson has such an id
_SKIP, _ON, _YES, _NO = "skip", "on", "yes", "no"


class TerminalScreen:
    """Implements `tutor.screen.Screen` with keys.

    Without `on_language` it is the screen that asks for the language: its menus offer no other way to it.
    """

    def __init__(
        self,
        language: Language,
        on_language: Callable[[Language], None] | None,
        *,
        pages: bool = True,
        unfolded: bool = False,
    ) -> None:
        self._language = language
        self._on_language = on_language
        self._paper = Paper(plain=False)
        self._pages = pages
        self._extras = Extras(unfolded=unfolded)
        self._unanswered: list[tuple[Showable, bool]] = []

    @property
    def language(self) -> Language:
        """The language now in use."""
        return self._language

    def show(self, value: Showable) -> None:
        """Show one value; where it is taller than what is left of the screen, pause, if this screen does."""
        self._extras.notice(value)
        self._show(value, unfolded=self._extras.unfolded)

    def _show(self, value: Showable, *, unfolded: bool) -> None:
        self._unanswered.append((value, unfolded))
        while True:
            lines = [*render(value, self._paper.look(self._language, unfolded=unfolded)), Line("")]
            if not self._pages:
                self._paper.print(lines)
                return
            try:
                self._paper.print_paged(lines, self._more)
            except _LanguageSwitched:
                continue
            return

    def _more(self) -> None:
        before = phrases.MORE_BELOW + phrases.bracketed(phrases.PAUSE)
        turns = dict.fromkeys(("enter", " ", "down", "pagedown"), _ON)
        if self._key(before, {**turns, "l": _LANGUAGE, "q": _LEAVE}) == _LANGUAGE:
            self._switch()
            raise _LanguageSwitched

    def choose(self, ask: Text, options: Sequence[Option], *, chosen: str | None = None) -> str:
        """The id of the option under the pointer at Enter; digits move the pointer."""
        while True:
            look = self._paper.look(self._language)
            self._ask(ask)
            letters = keys_of(options, numbered=False)
            rows = [self._row(option, letters[option.id], chosen) for option in options]
            if self._extras.wait:
                rows.append(self._row(Option(_MORE, phrases.MORE_ROW), "m", None))
            if self._on_language is not None:
                rows.append(self._row(Option(_LANGUAGE, phrases.LANGUAGE), "l", None))
            rows.append(self._row(Option(_LEAVE, phrases.LEAVE), "q", None))
            kept = chosen if any(option.id == chosen for option in options) else None
            instruction = phrases.KEYS_CHOOSE.in_(self._language)
            with self._asking():
                answer = keys.select(
                    *(instruction, rows),
                    pointer=look.marks.pointer,
                    chosen=kept,
                    again=lambda: self._ask(ask),
                )
            if answer == _LEAVE:
                raise LessonLeft
            if answer == _LANGUAGE:
                self._switch_and_show_again()
                continue
            if answer == _MORE:
                self._show(self._extras.take(), unfolded=True)
                continue
            self._extras.take()
            self._unanswered = []
            self._chosen(next(option for option in options if option.id == answer))
            return answer

    def _row(self, option: Option, key: str, chosen: str | None) -> keys.Row:
        words = option.text + phrases.CHOSEN_BEFORE if option.id == chosen else option.text

        def lines(columns: int) -> list[str]:
            look = self._paper.look(self._language)
            return [line.plain for line in prose(words, look.narrower(look.width - columns))]

        return keys.Row(option.id, lines, key)

    def _chosen(self, option: Option) -> None:
        look = self._paper.look(self._language)
        first = f"{look.marks.pointer} "
        self._paper.print([*prose(option.text, look, indent=2, first=first, style="cyan"), Line("")])

    def type_in(self, ask: Text, *, skippable: bool = True) -> str | None:
        """What is typed; an empty line skips where it may."""
        while True:
            look = self._paper.look(self._language)
            hint = phrases.TYPE_SKIPPABLE if skippable else phrases.TYPE_NEEDED

            def asked(hint: Text = hint) -> None:
                self._ask(ask, hint)

            asked()
            with self._asking():
                typed = keys.text(f"{look.marks.pointer} ", asked).strip()
            if typed.lower() == "l":
                self._switch_and_show_again()
            elif typed.lower() == "q":
                raise LessonLeft
            elif typed or skippable:
                self._unanswered = []
                return typed or None
            else:
                self._say(phrases.TYPE_AGAIN)

    def pause(self, *, skippable: bool = False) -> Pause:
        """Wait for Enter, or for `s` where it skips."""
        while True:
            answers = {"enter": _ON, "l": _LANGUAGE, "q": _LEAVE} | ({"s": _SKIP} if skippable else {})
            words = phrases.PAUSE_SKIPPABLE if skippable else phrases.PAUSE
            if self._extras.wait:
                answers["m"] = _MORE
                words = phrases.MORE_KEY + words
            answer = self._key(phrases.bracketed(words), answers)
            if answer == _LANGUAGE:
                self._switch_and_show_again()
            elif answer == _MORE:
                self._show(self._extras.take(), unfolded=True)
            else:
                self._unanswered = []
                self._extras.take()
                return Pause.SKIP if answer == _SKIP else Pause.ON

    def confirm(self, ask: Text) -> bool:
        """Yes or no; Enter alone means no."""
        while True:
            self._ask(ask)
            answer = self._key(
                phrases.bracketed(phrases.YES_NO),
                {"y": _YES, "n": _NO, "enter": _NO, "l": _LANGUAGE, "q": _LEAVE},
                again=lambda: self._ask(ask),
            )
            if answer != _LANGUAGE:
                self._unanswered = []
                return answer == _YES
            self._switch_and_show_again()

    def replay(self, value: Replay) -> None:
        """One frame a screen, in place of all others; the screen is afterwards as it was."""
        from pagetutor.ui.screen.stepping import step_through  # noqa: PLC0415 — only where something is replayed

        step_through(value, self._paper.console, lambda: self._paper.look(self._language), self._switch)

    @contextmanager
    def working(self, what: Text) -> Iterator[None]:
        """A spinner after 200 ms; keys pressed meanwhile do nothing later."""
        with deaf(), spinner(self._paper.console, what.in_(self._language)):
            yield
        if "prompt_toolkit" in sys.modules:
            keys.forget_typed()

    def edit(self, path: Path, line: int | None = None) -> bool:
        """Open the file in the learner's editor and wait for it to return."""
        return open_editor(path, line, self._announce)

    def _announce(self, text: Text) -> None:
        self._say(text)
        self.pause()

    @contextmanager
    def live(self) -> Iterator[Live]:
        """Results as they come, single keys, a line below that is redrawn.

        A hint in between is printed straight through: at the end of a page `l` would be the language,
        and a moment later the list.
        """
        from pagetutor.ui.screen.live import TerminalLive  # noqa: PLC0415 — only where something is watched

        live = TerminalLive(self._paper, self._language)
        paged, self._pages = self._pages, False
        try:
            with live.opened():
                yield live
        finally:
            self._pages = paged

    def _say(self, text: Text) -> None:
        self._paper.print(prose(text, self._paper.look(self._language)))

    def _ask(self, ask: Text, hint: Text | None = None) -> None:
        look = self._paper.look(self._language)
        below = [] if hint is None else prose(phrases.bracketed(hint), look, style="dim")
        self._paper.print([*prose(ask, look, style="bold"), *below])

    def _key(self, before: Text, answers: dict[str, str], *, again: Callable[[], None] = lambda: None) -> str:
        """The answer of the key pressed. Raises LessonLeft where that is to leave."""
        look = self._paper.look(self._language)
        words = "\n".join(line.plain for line in wrapped(before.in_(self._language), look.narrower(1)))
        with self._asking():
            answer = keys.one_key(f"{words} ", answers, again)
        if answer == _LEAVE:
            raise LessonLeft
        return answer

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """Turns the ends of a prompt into the port's own; what stood on the screen has now been read."""
        try:
            yield
        except EOFError as end:
            if sys.stdin.isatty():
                raise LessonLeft from end
            raise UsageError(phrases.INPUT_ENDED) from end
        finally:
            self._paper.fresh()

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


class _LanguageSwitched(Exception):  # noqa: N818 — a turn in the road, not an error
    """The language was switched in the middle of a page, which is shown again from its top."""
