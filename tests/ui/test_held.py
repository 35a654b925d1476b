"""A signal at any moment of a prompt: the prompt ends, the signal counts, no loop is left half made."""

from __future__ import annotations

import asyncio.selector_events
import gc
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from types import FrameType
from typing import Any

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput

from pagetutor.ui.screen import keys


def nothing() -> None:
    """There is nothing to print once more."""


PROMPTS: dict[str, Callable[[], str]] = {
    "choose": lambda: keys.select(
        "one",
        [keys.Row("a", lambda _: ["A"], "1"), keys.Row("b", lambda _: ["B"], "2")],
        pointer=">",
        chosen=None,
        again=nothing,
    ),
    "type": lambda: keys.text("x ", nothing),
    "pause": lambda: keys.one_key("x ", {"enter": "on"}, nothing),
}
MOMENTS = ("_make_self_pipe", "_add_reader", "_close_self_pipe")  # set up, running, taken down


@pytest.fixture
def typed() -> Iterator[PipeInput]:
    """The keys; were a signal lost, an Enter ends the prompt after all, and the test fails."""
    with create_pipe_input() as typed, create_app_session(input=typed, output=DummyOutput()):
        rescue = threading.Timer(5, typed.send_text, ["\r"])
        rescue.start()
        yield typed
        rescue.cancel()
        rescue.join()


def interrupted_within(monkeypatch: pytest.MonkeyPatch, moment: str, number: int) -> list[int]:
    """Send this signal at every such moment, before and after it; the moments there were."""
    met: list[int] = []
    loop: Any = asyncio.selector_events.BaseSelectorEventLoop
    original = getattr(loop, moment)

    def interrupted(*words: Any) -> Any:
        met.append(number)
        signal.raise_signal(number)
        try:
            return original(*words)
        finally:
            signal.raise_signal(number)

    monkeypatch.setattr(loop, moment, interrupted)
    return met


@pytest.mark.parametrize("prompt", PROMPTS)
@pytest.mark.parametrize("moment", MOMENTS)
def test_ctrl_c_at_any_moment_is_one_ctrl_c(
    monkeypatch: pytest.MonkeyPatch, typed: PipeInput, prompt: str, moment: str
) -> None:
    if moment == "_close_self_pipe":
        typed.send_text("\r")
    met = interrupted_within(monkeypatch, moment, signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        PROMPTS[prompt]()
    assert met
    monkeypatch.undo()
    gc.collect()  # a loop half made would complain here, and that is an error
    typed.send_text("\r")
    PROMPTS[prompt]()


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_handler_of_another_signal_runs_once_the_loop_is_down(
    monkeypatch: pytest.MonkeyPatch, typed: PipeInput, moment: str
) -> None:
    told: list[int] = []

    def tell(number: int, _frame: FrameType | None) -> None:
        told.append(number)
        assert asyncio._get_running_loop() is None

    if moment == "_close_self_pipe":
        typed.send_text("\r")
    before = signal.signal(signal.SIGTERM, tell)
    try:
        interrupted_within(monkeypatch, moment, signal.SIGTERM)
        with pytest.raises(KeyboardInterrupt) if moment != "_close_self_pipe" else nullcontext():
            PROMPTS["pause"]()
        assert told == [signal.SIGTERM]
        assert signal.getsignal(signal.SIGTERM) is tell
    finally:
        signal.signal(signal.SIGTERM, before)
