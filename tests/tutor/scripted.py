"""A screen that writes down all it is told and answers from a script."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from pagetutor.content.model import Code, Drawing, More, Paragraph, Points, Pool, Pools, Steps, Table
from pagetutor.text import Language, Text
from pagetutor.tutor import screen as shown
from pagetutor.tutor.live import Key, Live, WatchState
from pagetutor.tutor.questions import HOW_SURE
from pagetutor.tutor.replaying import Replay
from pagetutor.tutor.screen import LessonLeft, Option, Pause, Showable

Answer = str | None | bool | type[BaseException]


class Scripted:
    """Plays a learner: `script` holds one answer for each question, pauses included, in order.

    An answer is an option's id ("leave" leaves), what is typed (None: an empty line), "" or "s" at a pause,
    whether an editor could be started, or an exception to raise. `log` is the dialogue, a line each.

    How sure a guess is, is answered by `sure`, whatever the script: one answer, or several in turn.
    """

    def __init__(
        self, *script: Answer, language: Language = Language.EN, sure: Sequence[Answer] = (None,)
    ) -> None:
        self._script = list(script)
        self._sure = list(sure)
        self.language = language
        self.log: list[str] = []

    def show(self, value: Showable) -> None:
        self.log.append(self._told(value))

    def choose(self, ask: Text, options: Sequence[Option], *, chosen: str | None = None) -> str:
        ids = [option.id for option in options]
        marked = " ".join(f"*{name}" if name == chosen else name for name in ids)
        self.log.append(f"? {self._in(ask)} [{marked}]")
        answer = self._answer()
        if answer == "leave":  # how to leave stands under every question
            raise LessonLeft
        assert answer in ids, f"{answer!r} is none of {ids} at:\n" + "\n".join(self.log)
        return str(answer)

    def type_in(self, ask: Text, *, skippable: bool = True) -> str | None:
        self.log.append(f"> {self._in(ask)}")
        answer = self._how_sure() if ask == HOW_SURE else self._answer()
        assert answer is None or isinstance(answer, str)
        return answer

    def pause(self, *, skippable: bool = False) -> Pause:
        self.log.append("-- or skip" if skippable else "--")
        answer = self._answer()
        assert answer in ({"", "s"} if skippable else {""}), f"{answer!r} at:\n" + "\n".join(self.log)
        return Pause.SKIP if answer == "s" else Pause.ON

    def confirm(self, ask: Text) -> bool:
        self.log.append(f"y/n {self._in(ask)}")
        return self._answer() is True

    def replay(self, value: Replay) -> None:
        self.log.append(f"replay: {value.test_id}, {len(value.frames)} frames")

    @contextmanager
    def working(self, what: Text) -> Iterator[None]:
        yield

    def edit(self, path: Path, line: int | None = None) -> bool:
        self.log.append(f"edit {path.name} at {line}")
        return self._answer() is True

    @contextmanager
    def live(self) -> Iterator[Live]:
        """Watching: every key is pressed while nothing runs; answers are keys."""
        yield ScriptedLive(self)

    @property
    def left_over(self) -> list[Answer]:
        """The answers nobody asked for."""
        return self._script

    def next_key(self) -> Answer:
        """The next answer, for who is watching."""
        return self._answer()

    def _how_sure(self) -> Answer:
        answer = self._sure.pop(0) if len(self._sure) > 1 else self._sure[0]
        if isinstance(answer, type):
            raise answer
        return answer

    def _answer(self) -> Answer:
        assert self._script, "the script is over at:\n" + "\n".join(self.log)
        answer = self._script.pop(0)
        if isinstance(answer, type):
            raise answer
        return answer

    def _in(self, words: Text) -> str:
        return words.in_(self.language)

    def _told(self, value: Showable) -> str:
        match value:
            case shown.PartHeading(part=part, number=number, of=of, again=again):
                how = " in the lesson" if value.in_lesson else ""
                return f"== {value.mission.id} {part}{' again' if again else ''} {number}/{of}{how}"
            case shown.PageShown(blocks=blocks):
                return "page: " + " | ".join(self._block(block) for block in blocks)
            case shown.Said(text=words):
                return self._in(words)
            case shown.Explained(choice=choice):
                return f"explained: {self._in(choice.explain)}"
            case shown.MappingShown(intro=intro, rows=rows):
                return f"mapping: {self._in(intro)}, {len(rows)} rows"
            case shown.WarmUpShown(warm_up=warm_up):
                return f"warm-up: {self._in(warm_up.intro)}"
            case shown.WarmUpRan(run=run, predicted=predicted):
                raised = f" raised {run.raised.message}" if run.raised else ""
                return f"ran: {run.output!r} {dict(run.values)} predicted {predicted}{raised}"
            case shown.TraceProgress(filled=filled):
                return f"table: {filled}"
            case shown.ReportShown(report=report):
                return f"report: {report.verdict} {[mistake.id for mistake in report.mistakes]}"
            case shown.EvidenceShown(guessed=guessed, call=call, did=did, calibration=calibration):
                facts = " | ".join(self._in(words) for words in (guessed.text, call, did, calibration))
                return f"evidence: {facts}"
            case shown.HintShown(title=title, text=words):
                return f"hint: {self._in(title)}: {self._in(words)}"
            case shown.CardShown(card=card):
                return f"card: {self._in(card.title)}"
            case shown.SolutionShown(reference=reference, others=others, own=own):
                return f"solution: {reference!r}, {len(others)} others, own {own!r}"
            case shown.RecapShown(recap=recap):
                return f"recap: {[one.mission.id for one in recap.missions]}"
            case shown.Overview(next_up=next_up):
                return f"overview: {self._in(next_up)}"

    def _block(self, block: object) -> str:
        match block:
            case Paragraph(text=words):
                return self._in(words)
            case Points(items=items) | Steps(items=items):
                return "; ".join(self._in(item) for item in items)
            case Code(source=source):
                return source
            case Drawing() | Pool() | Pools() | Table() | More():
                return type(block).__name__
        raise TypeError(block)


class ScriptedLive:
    """Watching, written into the same log: the script's next answer is the next key once nothing runs."""

    single_keys = True

    def __init__(self, screen: Scripted) -> None:
        self._screen = screen
        self._woken = threading.Event()

    def begin(self, at: str) -> None:
        self._screen.log.append("----")

    def show(self, value: Showable) -> None:
        self._screen.show(value)

    def state(self, state: WatchState) -> None:
        """What is told by lines of its own elsewhere."""

    def wait(self, seconds: float, *, busy: bool) -> Key | None:
        if busy:
            self._woken.wait(seconds)
            self._woken.clear()
            return None
        return Key(str(self._screen.next_key()))

    def wake(self) -> None:
        self._woken.set()

    @contextmanager
    def aside(self) -> Iterator[None]:
        yield
