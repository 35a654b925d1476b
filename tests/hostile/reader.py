"""A learner who reads whole missions through and answers every prompt, in plain text or with keys."""

from __future__ import annotations

import os
import re
import select
import subprocess
from collections.abc import Iterator

from pagetutor.content.model import Block, Course, Mission, More, Page, Paragraph, Points, Question, Steps
from pagetutor.text import Language, Text
from tests.hostile.place import PAGETUTOR, Place, squeezed
from tests.ui.pty_screen import Terminal

PATIENCE_S = 60.0
_PROMPT = re.compile(r"(qleave\)|q离开）)[:：]?$")
# With keys, what is typed is announced in brackets before its own prompt is there.
_PAUSE = re.compile(r"(?:Entergoeson|回车继续|yyes|y是)[^()（）]*(?:qleave\)|q离开）)$")
_MENU = re.compile(r"q\)(leave\(everythingsofariskept\)|离开（做过的都已保存）)$")
_TYPING = re.compile(r"(qleave\)|q离开）)❯$")
_GOES_ON = (
    r"(?:Goonto|去(?:Mission|官方))",  # the next mission, once this one is passed
    r"(?:Leaveitandgoon|先放一放，继续往下)",
    r"(?:Goon|继续往下)",
)
_CHECK = r"(?:Checkmyfile|检查我的文件)"


class Answers:
    """What to answer: on to the end of everything, the file checked once for each mission."""

    def __init__(self, *, checks: bool) -> None:
        self._checks = checks

    def menu(self, asked: str, mark: str) -> str:
        """The option's key, out of a menu whose options stand as `1.` or `1)`; `q` where all is done."""
        if re.search(rf"m{re.escape(mark)}(?:alittlemore|再多看一点)", asked[-400:]):
            return "m"
        for words in _GOES_ON:
            if found := re.findall(rf"(\d){re.escape(mark)}{words}", asked):
                return str(found[-1])
        if found := re.findall(rf"(\d){re.escape(mark)}{_CHECK}", asked):
            if not self._checks or re.search(r"testspass|个测试通过", asked):
                return "q"
            return str(found[-1])
        return "1"

    @staticmethod
    def wants_more(asked: str) -> bool:
        """Whether a pause offers more to read."""
        return re.search(r"[(（]m(?:alittlemore|再多看一点)", asked[-60:]) is not None


def read_plainly(place: Place, language: Language, *words: str) -> str:
    """Everything said by `pagetutor` with these words, read through pipes to the end of the last mission."""
    answers = Answers(checks=True)
    with subprocess.Popen(
        [PAGETUTOR, *words, "--lang", language, "--no-shuffle"],
        cwd=place.folder,
        env=place.environ(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        said, read_to = b"", 0
        while select.select([process.stdout], [], [], PATIENCE_S)[0]:
            piece = os.read(process.stdout.fileno(), 65536)
            if not piece:
                break
            said += piece
            asked = squeezed(said[read_to:].decode(errors="ignore"))
            if said.endswith(b" ") and _PROMPT.search(asked):
                read_to = len(said)
                process.stdin.write(f"{_plain_answer(asked, answers)}\n".encode())
                process.stdin.flush()
        assert process.wait(PATIENCE_S) == 0, said[-2000:].decode()
    return said.decode()


def _plain_answer(asked: str, answers: Answers) -> str:
    if re.search(r"(?:m:alittlemore\.Type|m：再多看一点。输入)1–\d+[^:：]*[:：]$", asked):
        return "m"
    if re.search(r"(?:Type1–\d+,thenEnter[^:]*|输入1–\d+后回车[^：]*)[:：]$", asked):
        return answers.menu(asked, ".")
    if answers.wants_more(asked):
        return "m"
    return "1" if re.search(r"(?:Enteraloneskips|直接回车跳过)[^()（）]*[)）]$", asked) else ""


def read_with_keys(place: Place, language: Language, columns: int, *words: str) -> Terminal:
    """A terminal of so many columns on which everything was read and answered; it has ended well."""
    answers = Answers(checks=False)
    terminal = Terminal(
        [*words, "--lang", language, "--no-shuffle"],
        program=PAGETUTOR,
        cwd=place.folder,
        columns=columns,
        rows=70,
        environ=place.environ(),
        patience_s=PATIENCE_S,
    )
    asked = ""
    with terminal:
        while True:
            asked = _next_prompt(terminal, after=asked)
            if _MENU.search(asked):
                key = answers.menu(asked, ")")
                _point_at(terminal, key)
                asked = squeezed(terminal.screen)  # with the pointer there it is still the same prompt
                terminal.press("enter")
                if key == "q":
                    assert terminal.end() == 0
                    return terminal
            elif _TYPING.search(asked):
                terminal.press("1", "enter")
            else:
                terminal.press("m" if answers.wants_more(asked) else "enter")


def _next_prompt(terminal: Terminal, *, after: str) -> str:
    """The screen with the next prompt at its end, squeezed; it is another screen than the one before."""
    terminal.wait_until(
        lambda: _asks(terminal.screen) and squeezed(terminal.screen) != after, "nothing was asked"
    )
    return squeezed(terminal.screen)


def _point_at(terminal: Terminal, key: str) -> None:
    terminal.press(key)
    terminal.wait_until(lambda: f"❯ {key}) " in terminal.screen, f"{key} was not pointed at")


def _asks(screen: str) -> bool:
    asked = squeezed(screen)
    return any(prompt.search(asked) for prompt in (_MENU, _TYPING, _PAUSE))


def sentences(course: Course, missions: tuple[Mission, ...]) -> Iterator[Text]:
    """What a learner must have been told in full: prologue, pages, questions."""
    yield from _texts(course.prologue)
    for mission in missions:
        for page in (mission.background, mission.diagram, mission.exercise.page):
            yield from _texts(page)
        for question in (mission.guess, mission.quiz):
            if isinstance(question, Question):
                yield question.ask
        if mission.warm_up is not None:
            yield mission.warm_up.intro


def _texts(page: Page | tuple[Block, ...]) -> Iterator[Text]:
    for block in page:
        match block:
            case Paragraph():
                yield block.text
            case Points() | Steps():
                yield from block.items
            case More():
                yield from _texts(block.blocks)
            case _:
                pass
