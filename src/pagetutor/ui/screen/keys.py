"""Prompts with keys, on questionary and prompt_toolkit: nothing typed becomes another answer."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pagetutor.ui.screen.held import held

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.key_binding.key_processor import KeyPressEvent


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a menu; `lines(columns)` are its words, wrapped for a screen that wide."""

    id: str
    lines: Callable[[int], Sequence[str]]
    key: str


def start() -> None:
    """Load the prompt library and open the terminal. Raises ImportError or OSError where that cannot be."""
    import questionary  # noqa: F401, PLC0415 — a tenth of a second: only where something is asked
    from prompt_toolkit.output.defaults import create_output  # noqa: PLC0415

    create_output()


def select(
    instruction: str, rows: Sequence[Row], *, pointer: str, chosen: str | None, again: Callable[[], None]
) -> str:
    """The id of the row under the pointer at Enter.

    `again` is called after Ctrl-Z and `fg`, to print once more what is asked. Digits and the rows' keys move
    the pointer (without `use_shortcuts` a typed 2 would leave it on row 1). Raises KeyboardInterrupt at
    Ctrl-C, EOFError at Ctrl-D, Esc and the end of input.
    """
    import questionary  # noqa: PLC0415

    class WrappedChoice(questionary.Choice):
        """A choice whose words are wrapped anew for the terminal's width, also after a resize."""

        def __init__(self, row: Row) -> None:
            self._row = row
            super().__init__("", value=row.id, shortcut_key=row.key)

        @property
        def title(self) -> str:
            from prompt_toolkit.application import get_app  # noqa: PLC0415

            indent = len(pointer) + 2 + len(self._row.key) + 2
            columns = get_app().output.get_size().columns
            return ("\n" + " " * indent).join(self._row.lines(max(columns - indent - 1, 8)))

        @title.setter
        def title(self, _: object) -> None:
            """The words come from the row."""

    question = questionary.select(
        instruction,
        choices=[WrappedChoice(row) for row in rows],
        default=chosen,
        qmark="",
        pointer=pointer,
        instruction=" ",
        style=_style(),
        use_shortcuts=True,
        use_jk_keys=False,
        show_description=False,
    )
    application = question.application
    application.erase_when_done = True  # the screen prints the chosen row itself
    _bind_ends(application.key_bindings, again)
    for row in rows:
        if row.key.isdigit():  # a Chinese input method types full-width digits
            _press(application.key_bindings, chr(ord("０") + int(row.key)), row.key)
    with held(application) as pre_run:
        return str(application.run(pre_run=pre_run, handle_sigint=False))


def text(before: str, again: Callable[[], None]) -> str:
    """The line typed after `before`. `again` as for `select`; ends as it does."""
    from prompt_toolkit import PromptSession  # noqa: PLC0415
    from prompt_toolkit.key_binding import KeyBindings  # noqa: PLC0415

    bindings = KeyBindings()
    _bind_ends(bindings, again)
    return _prompt(PromptSession(before, key_bindings=bindings, enable_suspend=True))


def one_key(before: str, answers: dict[str, str], again: Callable[[], None]) -> str:
    """The answer of the key pressed (`enter`, `s`, …); other keys do nothing.

    `again` as for `select`; ends as it does.
    """
    from prompt_toolkit import PromptSession  # noqa: PLC0415
    from prompt_toolkit.key_binding import KeyBindings  # noqa: PLC0415
    from prompt_toolkit.keys import Keys  # noqa: PLC0415

    bindings = KeyBindings()
    _bind_ends(bindings, again)
    for key, answer in answers.items():
        bindings.add(key, eager=True)(_exit_with(answer))
        if len(key) == 1 and key.isalpha():
            bindings.add(key.upper(), eager=True)(_exit_with(answer))
    bindings.add(Keys.Any)(lambda _: None)
    bindings.add(Keys.BracketedPaste)(lambda _: None)
    return _prompt(PromptSession(before, key_bindings=bindings, erase_when_done=True))


def _prompt(session: PromptSession[str]) -> str:
    with held(session.app) as pre_run:
        return session.prompt(pre_run=pre_run, handle_sigint=False)


def forget_typed() -> None:
    """Throw away the keys the prompt library has read ahead."""
    from prompt_toolkit.input.defaults import create_input  # noqa: PLC0415
    from prompt_toolkit.input.typeahead import clear_typeahead  # noqa: PLC0415

    clear_typeahead(create_input())


def _exit_with(answer: str) -> Callable[[KeyPressEvent], None]:
    def leave(event: KeyPressEvent) -> None:
        event.app.exit(result=answer)

    return leave


def _bind_ends(bindings: Any, again: Callable[[], None]) -> None:
    """Ctrl-D and Esc leave (questionary ignores them), Ctrl-C interrupts, Ctrl-Z suspends.

    After `fg` the prompt library draws the prompt alone, below what the shell has printed meanwhile.
    """

    def leave(event: KeyPressEvent) -> None:
        event.app.exit(exception=EOFError)

    def interrupt(event: KeyPressEvent) -> None:
        event.app.exit(exception=KeyboardInterrupt)

    def suspend(_event: KeyPressEvent) -> None:
        from prompt_toolkit.application import run_in_terminal  # noqa: PLC0415

        run_in_terminal(stop)

    def stop() -> None:
        os.kill(0, signal.SIGTSTP)  # returns once there was an `fg`
        again()

    bindings.add("escape", eager=True)(leave)
    bindings.add("c-c", eager=True)(interrupt)
    if hasattr(signal, "SIGTSTP"):
        bindings.add("c-z", eager=True)(suspend)
    bindings.add("c-d", eager=True)(leave)


def _press(bindings: Any, key: str, instead: str) -> None:
    def press(event: KeyPressEvent) -> None:
        from prompt_toolkit.key_binding.key_processor import KeyPress  # noqa: PLC0415

        event.app.key_processor.feed(KeyPress(instead), first=True)

    bindings.add(key, eager=True)(press)


def _style() -> Any:
    from questionary import Style  # noqa: PLC0415

    return Style(
        [
            ("qmark", ""),
            ("question", "ansigray"),
            ("instruction", ""),
            ("pointer", "ansicyan bold"),
            ("highlighted", "ansicyan bold"),
            ("selected", ""),
            ("text", ""),
            ("answer", ""),
        ]
    )
