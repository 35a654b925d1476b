"""Where a mistake stands: proof by substitution.

For each piece of the learner's method the reference's code for the diagnosed slot is put in its place.
If the file then does exactly what the diagnosis says minus this mistake, that piece is the place. What
is missing is proven by adding it, what is too much by removing it, what stands in the wrong place by
moving it. Where no step allowed proves one, the place is read off the syntax, and said to be so.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from pagetutor.diagnosis import candidates, nudges
from pagetutor.diagnosis.candidates import Candidate
from pagetutor.diagnosis.chosen import Place, Question, choose
from pagetutor.diagnosis.edits import Edit
from pagetutor.diagnosis.ingredients import (
    Scope,
    atoms_of,
    joint_form,
    reached,
    scopes,
    slot_form,
)
from pagetutor.diagnosis.loops import lines_that_end_loops, tests_that_end_loops
from pagetutor.diagnosis.places import syntactic_place
from pagetutor.diagnosis.playing import Playground
from pagetutor.diagnosis.programs import choices, home_slot, slot_code

MOST_RISKY = 60


@dataclass(slots=True)
class Steps:
    """How many more edited copies may be played: steps, not seconds, so that load changes no answer."""

    left: int


def locate(
    playground: Playground, question: Question, *, steps: Steps, time_is_up: Callable[[], bool]
) -> Place | None:
    """The place of one mistake; None where neither proof nor syntax tells, or the time ran out first.

    Where the search was cut short by the clock, a place read off the syntax could be another one than
    the full search would have proven.
    """
    search = _Search(playground, question, steps, time_is_up)
    risky: list[Candidate] = []
    for tier in _tiers(question):
        proven = search.proven(tier, risky)
        if proven and all(candidate.wraps for candidate in proven):
            # Something could be put around a value; what makes it wrong may be smaller than that.
            smaller = (nudge for nudge in _nudges(question) if not nudge.in_helper)
            return choose(question, search.proven(smaller, risky) or proven)
        if proven:
            return choose(question, proven)
    for candidate in risky[:MOST_RISKY]:
        if candidate.node is not None and search.holds(candidate):
            return choose(question, [candidate])
    if search.cut_short:
        return None
    span = syntactic_place(question.source, question.definition, question.model, question.index)
    return None if span is None else Place(span, missing=False, proven=False)


class _Search:
    """Plays candidates against the target, within the budget."""

    def __init__(
        self, playground: Playground, question: Question, steps: Steps, time_is_up: Callable[[], bool]
    ) -> None:
        self._playground = playground
        self._question = question
        self._time_is_up = time_is_up
        self._steps = steps
        self.cut_short = False
        self._tried: dict[str, bool] = {question.source.text: False}
        # The tests of loops that count towards a bound: an edited one mostly ends too.
        self._bounded = {
            test.lineno
            for test in tests_that_end_loops(question.tree)
            if isinstance(test, (ast.Compare, ast.BoolOp))
        }
        self._loop_lines = list(lines_that_end_loops(question.tree))
        now, target = question.now.probes, question.target.probes
        # A probe that must change refuses most candidates at once: about 1.3 plays each instead of 9.
        self._order = sorted(range(len(target)), key=lambda index: now[index] == target[index])

    def proven(self, tier: Iterator[Candidate], risky: list[Candidate]) -> list[Candidate]:
        """The candidates that hold; those that may loop for ever are put off: each could cost a deadline."""
        found: list[Candidate] = []
        for candidate in tier:
            if not candidate.ends_as_before and self._may_loop(candidate.edit):
                if candidate.edit.span.line in self._bounded:
                    risky.append(candidate)
            elif self.holds(candidate):
                found.append(candidate)
        return found

    def _may_loop(self, edit: Edit) -> bool:
        """Whether the edit touches what ends a `while`: its test, or a statement that feeds it."""
        line = edit.span.line
        if edit.added:
            return False
        return any(line in lines for lines in self._loop_lines)

    def holds(self, candidate: Candidate) -> bool:
        text = candidate.edit.text
        if text not in self._tried:
            if self._steps.left <= 0 or self._playground.exhausted:
                return False
            if self._time_is_up():
                self.cut_short = True
                return False
            self._steps.left -= 1
            self._tried[text] = self._playground.matches(
                text, self._question.method, self._question.target, order=self._order
            )
        return self._tried[text]


def _tiers(question: Question) -> Iterator[Iterator[Candidate]]:
    """Groups of candidates, the most telling group first; the first group with a proof decides."""
    model, index, source = question.model, question.index, question.source
    code = model.variants[index].code
    remaining = choices(model, tuple(one for one in question.explanation if one != index))
    home = home_slot(model, index)
    form = slot_form(model, home, remaining)
    joint = joint_form(model, list(code), remaining) if len(code) > 1 else None
    needed = [*form.statements, *([form.expression] if form.expression else []), *form.locals.values()]
    found = list(scopes(question.tree, question.definition, atoms_of(needed)))
    scope = found[0]
    extra = [
        slot
        for slot, wrong in code.items()
        if not model.slot(slot).reference and not wrong.startswith(("import ", "from "))
    ]
    missing = not code[home]
    yield _each(found, lambda one: candidates.leavings(source, one))
    if len(code) > 1 and extra:
        yield candidates.moves(source, scope, form)
    if home in extra:
        yield _each(found, lambda one: candidates.removals(source, one))
        yield _each(found, lambda one: nudges.exchanges(source, one.function))
    if joint is not None:
        yield candidates.swaps(source, scope, joint)
    if not missing:
        yield _direct(_each(found, lambda one: candidates.swaps(source, one, form)))
        yield candidates.swaps_everywhere(source, scope, form)
        yield _nudges(question)
        yield _each(found, lambda one: candidates.unwrappings(source, one))
        yield _each(found, lambda one: candidates.swaps(source, one, form))
        yield _each(found, lambda one: candidates.renamings(source, one, form))
        yield _each(found, lambda one: candidates.statement_swaps(source, one, form))
        yield candidates.returns(source, scope)
    yield candidates.additions(source, scope, form)
    yield candidates.reassignments(source, scope, form)
    for other in model.slots:  # a mistake further on that this one hides
        hidden = joint_form(model, [home, other.name], remaining) if other.name != home else None
        if hidden is not None:
            yield candidates.swaps(source, scope, hidden)
    yield _each(found, lambda one: candidates.removals(source, one))
    if missing:
        yield _each(found, lambda one: candidates.statement_swaps(source, one, form))
        yield _each(found, lambda one: candidates.unwrappings(source, one))
    yield candidates.ingredients(source, scope, form)
    yield _each(found[1:], lambda one: candidates.ingredients(source, one, form))


def _nudges(question: Question) -> Iterator[Candidate]:
    code = [question.definition, *reached(question.tree, question.definition)]
    of_the_pool = "free_blocks" in slot_code(question.model, home_slot(question.model, question.index), {})
    for kind in (nudges.boundaries, nudges.turnings, *([nudges.from_the_pool] if of_the_pool else [])):
        for function in code:
            for candidate in kind(question.source, function):
                yield replace(candidate, in_helper=function is not question.definition)


def _direct(tier: Iterator[Candidate]) -> Iterator[Candidate]:
    return (candidate for candidate in tier if candidate.direct)


def _each(found: Sequence[Scope], make: Callable[[Scope], Iterator[Candidate]]) -> Iterator[Candidate]:
    for place, scope in enumerate(found):
        for candidate in make(scope):
            yield replace(candidate, in_helper=place > 0)
