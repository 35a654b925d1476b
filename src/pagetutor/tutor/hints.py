"""`hint N`: one rung deeper for the mistake that the file shows now."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path

from pagetutor.content.model import Course, Mission, Page, Paragraph, Points
from pagetutor.judge.report import CheckReport, Verdict
from pagetutor.learner.port import Runner
from pagetutor.store.events import Checked, GaveUp, HintOpened, SaidBack, StructureMet
from pagetutor.store.history import History
from pagetutor.text import Text
from pagetutor.tutor.checking import (
    Check,
    certain_mistakes,
    check_source,
    read_file,
    record_check,
    source_hash,
    source_shape,
)
from pagetutor.tutor.ladder import EXAMPLE, LINE, Shut, next_rung, rung_text, slot_of
from pagetutor.tutor.means import COMMANDS, Means
from pagetutor.tutor.naming import file_argument
from pagetutor.tutor.progress import remembered
from pagetutor.tutor.screen import HintShown, MappingShown, PageShown, ReportShown, Said, Screen
from pagetutor.tutor.waiting import CHECKING


class HintEnd(Enum):
    """What asking for a hint came to."""

    SHOWN = auto()  # a rung, or all there is
    WAITS = auto()  # the next rung opens later, or at once with `now`
    LINE_WAITS = auto()  # only the line is left: after a changed attempt, or by giving up
    NOTHING_WRONG = auto()  # the file passes


def hint(
    course: Course,
    mission: Mission,
    path: Path,
    *,
    screen: Screen,
    history: History,
    runner: Runner,
    check: Check | None = None,
    now: bool = False,
    give_up: bool = False,
    ask_back: bool = True,
    means: Means = COMMANDS,
) -> HintEnd:
    """Show the next rung for the file as it is now; check it first where it changed since the last check.

    A mistake seen for the first time is told as a report (rungs 0–2) before any deeper rung. For one of
    structure, the hint is its own question once more. Where it is not known, the hint is what the exercise
    says to look at first, and the way out; where TODOs are open, the mapping. `now` does not wait, `give_up`
    asks for the line; both are recorded. After the line the learner is asked to explain it, unless `ask_back`
    is off. `means` is what they have at hand to ask again. Raises what `check_file` raises, and UsageError
    where the question cannot be answered.
    """
    path = path.absolute()
    source = read_file(path)
    ladder = _Ladder(course, mission, path, source, screen, history, means)
    mistake = ladder.known_mistake()
    if mistake is None and (question := ladder.known_question()) is not None:
        screen.show(Said(question))
        screen.show(Said(_LINE_IS_ALL))
        return HintEnd.SHOWN
    if mistake is None:
        told_already = ladder.known_bytes()
        with screen.working(CHECKING):
            report = check_source(course, mission, path, source, runner, check=check)
        if not ladder.knows(report):
            record_check(history, mission, path, source, report)
        if report.verdict is Verdict.PASSED:
            screen.show(Said(_PASSES))
            return HintEnd.NOTHING_WRONG
        mistake = _first_with_slot(course, certain_mistakes(report))
        if mistake is None:
            if report.verdict is Verdict.UNFILLED:
                _nudge(ladder, report)
                return HintEnd.SHOWN
            if not told_already or report.verdict is not Verdict.FAILED:
                screen.show(ladder.shown(report))
            if ladder.known_question() is not None:
                screen.show(Said(_LINE_IS_ALL))
            elif report.verdict is Verdict.FAILED:
                screen.show(PageShown(_look_first(mission)))
                way_out = _WAY_OUT if means.by_commands else _WAY_OUT_BY_LEAVING
                screen.show(Said(way_out.with_(mission=mission.id)))
            return HintEnd.SHOWN
        if not (now or give_up or ladder.met_before(mistake)):
            screen.show(ladder.shown(report))
    return ladder.climb(mistake, now=now, give_up=give_up, ask_back=ask_back)


def _nudge(ladder: _Ladder, report: CheckReport) -> None:
    """The first open TODO, the rows of the mapping that lead to it, and where the mapping can be reread."""
    course, mission, screen = ladder.course, ladder.mission, ladder.screen
    todo = next((one for one in mission.todos if one.number in report.open_todos), None)
    if todo is None:
        screen.show(ladder.shown(report))
        return
    screen.show(Said(_STILL_OPEN.with_(number=todo.number) + todo.task))
    taught_in = next((one for one in course.missions if one.methods == (todo.method,) and one.mapping), None)
    if taught_in is None:
        return
    name = None if todo.name is None else re.compile(rf"(?<![\w.]){re.escape(todo.name)}\b")
    rows = tuple(row for row in taught_in.mapping if name is not None and name.search(row.exercise))
    if rows:
        screen.show(MappingShown(_ROWS, rows))
    if ladder.means.menu is not None and taught_in.id == mission.id:
        screen.show(Said(_REREAD_BELOW))
    else:
        reread = _REREAD if ladder.means.by_commands else _REREAD_BY_LEAVING
        screen.show(Said(reread.with_(mission=taught_in.id)))


def _look_first(mission: Mission) -> Page:
    """What the exercise's page ends with: the questions to ask oneself where it does not pass."""
    page = mission.exercise.page
    match page[-2:]:
        case (Paragraph(), Points()):
            return page[-2:]
    return page


@dataclass(frozen=True, slots=True)
class _Ladder:
    course: Course
    mission: Mission
    path: Path
    source: bytes | Text
    screen: Screen
    history: History
    means: Means

    def known_mistake(self) -> str | None:
        """What the last check named, if it was of these very bytes and there are rungs for it."""
        return _first_with_slot(self.course, self._checks()[-1].mistakes) if self.known_bytes() else None

    def known_question(self) -> Text | None:
        """What the last check asked, if it was of these very bytes and named a mistake of structure."""
        if not self.known_bytes():
            return None
        about = (self.mission.id, self._checks()[-1].mistakes[:1], source_hash(self.source))
        for record in reversed(remembered(self.history.records())):
            match record.event:
                case StructureMet(mission=mission, mistake=mistake, source_hash=known, zh=zh, en=en):
                    if (mission, (mistake,), known) == about:
                        return Text(zh=zh, en=en)
        return None

    def known_bytes(self) -> bool:
        """Whether the last check was of these very bytes: its report has been read."""
        checks = self._checks()
        return bool(checks) and checks[-1].source_hash == source_hash(self.source)

    def knows(self, report: CheckReport) -> bool:
        """Whether the last check was of these very bytes and found the same: it is not made once more."""
        if not self.known_bytes():
            return False
        last = self._checks()[-1]
        return (last.verdict, last.mistakes) == (report.verdict, certain_mistakes(report))

    def shown(self, report: CheckReport) -> ReportShown:
        """The report, with advice that is about this file."""
        return self.means.report(report, self.path)

    def met_before(self, mistake: str) -> bool:
        """Whether a check before the last one named this mistake first."""
        return any(checked.mistakes[:1] == (mistake,) for checked in self._checks()[:-1])

    def climb(self, mistake: str, *, now: bool, give_up: bool, ask_back: bool) -> HintEnd:
        """Open the next rung, or say when it opens and show the last one once more."""
        shape = source_shape(self.source)
        slot = slot_of(self.course, mistake)
        assert slot is not None, "only a mistake with a slot has rungs"
        records, at = remembered(self.history.records()), self.history.clock()
        step = next_rung(records, (self.mission.id, mistake), shape, at, now=now, give_up=give_up)
        if isinstance(step, Shut):
            if step.rung > EXAMPLE and not self.means.by_keys:  # it stands there, and would at every press
                self.screen.show(HintShown(*rung_text(slot, step.rung - 1)))
            return self._say_shut(step)
        if not step.again:
            if give_up:
                self.history.append(GaveUp(self.mission.id, "line"))
            self.history.append(HintOpened(self.mission.id, mistake, step.rung, shape, now=step.hurried))
        self.screen.show(HintShown(*rung_text(slot, step.rung)))
        if step.rung == LINE and not step.again and ask_back:
            self._ask_back(mistake)
        return HintEnd.SHOWN

    def _checks(self) -> list[Checked]:
        events = [record.event for record in remembered(self.history.records())]
        return [event for event in events if isinstance(event, Checked) and event.mission == self.mission.id]

    def _say_shut(self, step: Shut) -> HintEnd:
        how = self._how(_LINE_SHUT_HOW if step.wait_s is None else _SHUT_HOW)
        if step.wait_s is None:
            self.screen.show(Said(_LINE_SHUT + how))
            return HintEnd.LINE_WAITS
        self.screen.show(Said(_SHUT.with_(seconds=math.ceil(step.wait_s)) + how))
        return HintEnd.WAITS

    def _how(self, how: tuple[Text, Text, Text]) -> Text:
        """How not to wait: by a command, by a key; a menu asks by itself."""
        command, key, menu = how
        if self.means.by_commands:
            return command.with_(about=self._about())
        return key if self.means.by_keys else menu

    def _about(self) -> str:
        """What the command for the next hint is given."""
        return f"{self.mission.id}{file_argument(self.path)}"

    def _ask_back(self, mistake: str) -> None:
        words = self.screen.type_in(_EXPLAIN)
        if words is not None:
            self.history.append(SaidBack(self.mission.id, mistake, words))
            self.screen.show(Said(_KEPT))


def _first_with_slot(course: Course, mistakes: Sequence[str]) -> str | None:
    """The first of these mistakes in causal order, where there are rungs for it."""
    first = next(iter(mistakes), None)
    return first if first is not None and slot_of(course, first) else None


_PASSES = Text(zh="你的文件已经通过了，没有要提示的。", en="Your file passes; there is nothing to hint at.")
_STILL_OPEN = Text(zh="TODO {number} 还没填：", en="TODO {number} is still open: ")
_ROWS = Text(zh="热身里的这一行，换个名字就是它：", en="The warm-up has a line that becomes it:")
_REREAD = Text(
    zh="热身程序怎么一行行变成练习，重读这张对照表：`pagetutor show {mission} mapping`。",
    en="How the warm-up becomes the exercise, line by line: reread the table with `pagetutor show {mission} "
    "mapping`.",
)
_LINE_IS_ALL = Text(
    zh="这一处没有更深的提示了：报告指出的那一行，就是要改的全部。",
    en="There is no deeper hint for this one: the line that the report points at is all there is to it.",
)
_WAY_OUT = Text(
    zh="这里没有更深的提示了。先拿最小的失败例子一步步推；实在卡住，用 `pagetutor solution {mission} "
    "--give-up` 看参考解（会记下来）。",
    en="There is no deeper hint for this one. Follow the smallest failing case step by step; if you are "
    "stuck, `pagetutor solution {mission} --give-up` shows the reference (this is recorded).",
)
_WAY_OUT_BY_LEAVING = Text(
    zh="这里没有更深的提示了。先拿最小的失败例子一步步推；实在卡住，按 `q` 离开，再用 `pagetutor solution "
    "{mission} --give-up` 看参考解（会记下来）。",
    en="There is no deeper hint for this one. Follow the smallest failing case step by step; if you are "
    "stuck, leave with `q`, and `pagetutor solution {mission} --give-up` shows the reference (this is "
    "recorded).",
)
_REREAD_BELOW = Text(
    zh="热身程序怎么一行行变成练习，重读对照表：选「重读某一部分」。",
    en="How the warm-up becomes the exercise, line by line: reread the table, under “Reread a part”.",
)
_REREAD_BY_LEAVING = Text(
    zh="热身程序怎么一行行变成练习，重读对照表：按 `q` 离开，再运行 `pagetutor show {mission} mapping`。",
    en="How the warm-up becomes the exercise, line by line: leave with `q` and reread the table with "
    "`pagetutor show {mission} mapping`.",
)
_SHUT = Text(
    zh="下一层提示，改动代码后就能看，或者再等 {seconds} 秒",
    en="The next hint opens once you change the code, or in {seconds} s",
)
_SHUT_HOW = (
    Text(
        zh="；不想等就用 `pagetutor hint {about} --now`。",
        en="; not to wait: `pagetutor hint {about} --now`.",
    ),
    Text(zh="；不想等就再按一次 `h`。", en="; not to wait, press `h` once more."),
    Text(zh="。", en="."),
)
_LINE_SHUT = Text(
    zh="只剩答案那一行了：先改一改代码再来看",
    en="Only the line itself is left. Change your code first, then ask again",
)
_LINE_SHUT_HOW = (
    Text(
        zh="；真想放弃，用 `pagetutor hint {about} --give-up`。",
        en="; to give up: `pagetutor hint {about} --give-up`.",
    ),
    Text(
        zh="；真想放弃，就再按一次 `h`（会记下来）。",
        en="; to give up, press `h` once more (this is recorded).",
    ),
    Text(zh="。", en="."),
)
_EXPLAIN = Text(
    zh="先别抄。用自己的话说：你原来的写法在哪一组数字上会错，为什么？",
    en="Before you copy it, in your own words: with which numbers does your own line go wrong, and why?",
)
_KEPT = Text(zh="记下了。现在不看提示，自己把它写出来。", en="Noted. Now write it yourself, without looking.")
