"""The steps that ask: the guess, the guess again, the quiz, and a missed question that comes back."""

from __future__ import annotations

from pagetutor.content.model import Choice, Mission, Question
from pagetutor.store.events import AgainSkipped, Answered, ConfidenceGiven, PartDone
from pagetutor.text import Text, same
from pagetutor.tutor.parts import Step, filled, mission_name, part_title
from pagetutor.tutor.reread import show_part
from pagetutor.tutor.screen import Explained, Option, Pause
from pagetutor.tutor.shuffle import ordered
from pagetutor.tutor.sitting import Sitting


def guess(sitting: Sitting) -> None:
    """Guess before anything is explained; whatever is guessed is explained, and blocks nothing."""
    question = _question(sitting.mission.guess)
    sitting.head(Step.GUESS)
    given = sitting.here().final_answer(question)
    choice = _ask(sitting, sitting.mission, question) if given is None else given
    if question.id not in sitting.here().confidence:
        _ask_how_sure(sitting, question)
    sitting.screen.show(Explained(choice))
    sitting.screen.pause()


def _ask_how_sure(sitting: Sitting, question: Question) -> None:
    """How sure the learner is, before they hear whether it was right; an empty line skips."""
    typed = sitting.screen.type_in(HOW_SURE)
    while typed is not None and typed not in _LEVELS:
        sitting.say(_NO_LEVEL)
        typed = sitting.screen.type_in(HOW_SURE)
    level = None if typed is None else _LEVELS[typed]
    sitting.record(ConfidenceGiven(sitting.mission.id, question.id, level))


def guess_again(sitting: Sitting) -> None:
    """The guess once more, after the diagram: keep it or change it. Both answers stay in the history."""
    question = _question(sitting.mission.guess)
    sitting.head(Step.GUESS_AGAIN)
    sitting.say(_KEEP_OR_CHANGE)
    before = sitting.here().final_answer(question)
    choice = _ask(sitting, sitting.mission, question, chosen=None if before is None else before.id)
    if choice == before:
        sitting.say(_KEPT)
    else:
        sitting.say(_CHANGED)
    sitting.record(PartDone(sitting.mission.id, Step.GUESS_AGAIN))  # leaving at the pause asks no third time
    sitting.screen.show(Explained(choice))
    sitting.screen.pause()


def quiz(sitting: Sitting) -> None:
    """The quiz: a wrong answer is explained and can be tried again, after rereading or at once, or left."""
    question = _question(sitting.mission.quiz)
    sitting.head(Step.QUIZ)
    given = sitting.here().final_answer(question)
    choice = _ask(sitting, sitting.mission, question) if given is None else given
    sitting.screen.show(Explained(choice))
    while not choice.right:
        sitting.say(_point_back(sitting.mission, question))
        match sitting.screen.choose(_AFTER_WRONG, _AFTER_WRONG_OPTIONS):
            case "retry":
                choice = _ask(sitting, sitting.mission, question)
                sitting.screen.show(Explained(choice))
            case "reread":
                show_part(sitting.mission, question.reread, sitting.screen, sitting.history)
                sitting.screen.pause()
            case _:
                return
    sitting.screen.pause()


def ask_missed(sitting: Sitting, mission: Mission, question: Question) -> None:
    """Ask a question once missed, with its changed numbers; skipping it is fine."""
    sitting.say(filled(_COMES_BACK, mission=mission_name(mission)))
    if sitting.screen.pause(skippable=True) is Pause.SKIP:
        sitting.record(AgainSkipped(question.id))
        return
    choice = _ask(sitting, mission, question)
    sitting.screen.show(Explained(choice))
    sitting.screen.pause()


def _question(question: Question | None) -> Question:
    assert question is not None, "a step that asks is only there where its question is"
    return question


def _ask(sitting: Sitting, mission: Mission, question: Question, *, chosen: str | None = None) -> Choice:
    """Ask, and record the answer the moment it is given."""
    options = [Option(choice.id, choice.text) for choice in ordered(question, sitting.seed())]
    choice = question.choice(sitting.screen.choose(question.ask, options, chosen=chosen))
    sitting.record(Answered(mission.id, question.id, choice.id, choice.right))
    return choice


def _point_back(mission: Mission, question: Question) -> Text:
    command = f"pagetutor show {mission.id} {question.reread}"
    return filled(_POINT_BACK, part=part_title(mission, question.reread), command=same(command))


_LEVELS = {"1": 1, "2": 2, "3": 3, "１": 1, "２": 2, "３": 3}  # a Chinese input method types full-width ones
HOW_SURE = Text(
    zh="有多大把握？1 纯猜，2 比较有把握，3 很有把握",
    en="How sure are you? 1 a guess, 2 fairly sure, 3 sure",
)
_NO_LEVEL = Text(
    zh="这里填 1、2 或 3；不想说就直接回车。", en="1, 2 or 3 here; or Enter alone, to leave it open."
)
_KEEP_OR_CHANGE = Text(
    zh="现在看过讲解和图了，再回头看开头这道题：保留原来的选择，还是改？",
    en="You have seen the explanation and the drawing. Back to the first question: keep your guess, or "
    "change it?",
)
_KEPT = Text(zh="保留原来的选择。", en="You kept your guess.")
_CHANGED = Text(zh="改好了，两次的选择都会留着。", en="Changed; both answers are kept.")
_POINT_BACK = Text(
    zh="答案在「{part}」里，随时可以重读：`{command}`。",
    en="The answer is in “{part}”; reread it any time: `{command}`.",
)
_AFTER_WRONG = Text(zh="接下来呢？", en="What next?")
_AFTER_WRONG_OPTIONS = (
    Option("retry", Text(zh="再答一次", en="Try again")),
    Option("reread", Text(zh="先重读那一部分", en="Reread that part first")),
    Option("on", Text(zh="先放一放，继续往下", en="Leave it and go on")),
)
_COMES_BACK = Text(
    zh="{mission} 里有一道题你答错过，换了数字再来一次；不想做可以跳过。",
    en="{mission} had a question you once missed. Here it is again with other numbers; you may skip it.",
)
