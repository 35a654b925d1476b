"""From a failing file to named mistakes: structure first, then behaviour, then the place."""

from __future__ import annotations

import ast
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pagetutor.content.model import ErrorModel
from pagetutor.diagnosis.chosen import Place, Question
from pagetutor.diagnosis.decide import Decision, decide
from pagetutor.diagnosis.fingerprint import Fingerprint
from pagetutor.diagnosis.ingredients import reached
from pagetutor.diagnosis.manager_class import FunctionDef, find_method
from pagetutor.diagnosis.mistake import Diagnosis, Mistake, Unknown
from pagetutor.diagnosis.playing import OpenSession, Playground, fingerprint_of
from pagetutor.diagnosis.probes import CONSTRUCTORS, PROBES
from pagetutor.diagnosis.programs import home_slot
from pagetutor.diagnosis.source import SourceText
from pagetutor.diagnosis.structure import structure_mistakes
from pagetutor.diagnosis.table import FingerprintTable
from pagetutor.diagnosis.where import Steps, locate
from pagetutor.exercise.scenario import CallMethod, Method
from pagetutor.exercise.trace import Trace

MOST_DEATHS = 1  # sessions that an edited copy may end (an endless loop costs a whole deadline)
MOST_STEPS = 600  # edited copies played to find one method's places: about 3 s, 150 a second on one core
MOST_OTHERS = 3  # uncertain explanations worth telling


def diagnose(
    open_session: OpenSession,
    source: SourceText,
    tree: ast.Module,
    methods: Sequence[Method],
    *,
    models: Mapping[Method, ErrorModel],
    tables: Mapping[Method, FingerprintTable],
    evidence: Sequence[Trace] = (),
    clock: Callable[[], float] = time.monotonic,
    where_s: float = 10,
) -> Diagnosis:
    """The mistakes of a file that failed, each with its place where one is known, and what has no name.

    `methods` are those whose tests failed; `evidence` are the failing tests' traces. Certain mistakes
    come first, each group in causal order (prefill, decode, gather; within a method the order of the
    model's slots). A method that nothing explains is told as unknown. A number of steps bounds
    the search for places; `where_s`, by `clock` over the whole call, is only the safety net.
    """
    until = clock() + where_s

    def time_is_up() -> bool:
        return clock() > until

    found: list[Mistake] = []
    unknown: list[Unknown] = []
    with Playground(open_session, encode=source.encoded, most_deaths=MOST_DEATHS) as playground:
        built = [trace for trace in playground.traces(source.text, [CONSTRUCTORS]) if trace is not None]
        found += structure_mistakes(source, tree, [*(_constructors_only(one) for one in built), *evidence])
        for method in Method:
            if method not in methods or method not in models:
                continue
            traces = list(playground.traces(source.text, PROBES[method]))
            answered = [trace for trace in traces if trace is not None]
            structural = structure_mistakes(source, tree, answered)
            found += structural
            if structural or any(mistake.method == method.full_name for mistake in found):
                continue
            now = fingerprint_of(source.text, traces, method)
            subject = _Subject(source, tree, method, models[method], tables[method], now)
            named = list(subject.mistakes(playground, time_is_up=time_is_up))
            found += named
            if not named:
                unknown.append(Unknown(method.full_name, now.whole))
    unique = dict.fromkeys((mistake.id, mistake.span) for mistake in found)
    once = [next(one for one in found if (one.id, one.span) == key) for key in unique]
    return Diagnosis(tuple(sorted(once, key=lambda mistake: not mistake.certain)), tuple(unknown))


def _constructors_only(trace: Trace) -> Trace:
    """The trace with its calls' own failures left to the probes; what they changed elsewhere stays."""
    steps = tuple(
        step for step in trace.steps if not (isinstance(step.op, CallMethod) and step.outcome.kind != "done")
    )
    return Trace(trace.scenario, steps)


@dataclass(frozen=True, slots=True)
class _Subject:
    """One method of the file, and what it does on the probes."""

    source: SourceText
    tree: ast.Module
    method: Method
    model: ErrorModel
    table: FingerprintTable
    now: Fingerprint

    @property
    def definition(self) -> FunctionDef | None:
        return find_method(self.tree, self.method.full_name)

    @property
    def _code(self) -> list[FunctionDef]:
        """The method and what it calls in the file."""
        definition = self.definition
        return [] if definition is None else [definition, *reached(self.tree, definition)]

    def mistakes(self, playground: Playground, *, time_is_up: Callable[[], bool]) -> Iterator[Mistake]:
        decision = decide(self.table, self.model, self.now.whole, self._code)
        if decision is None:
            return
        steps = Steps(MOST_STEPS)
        for index in decision.certain:
            place = self._place(playground, decision, index, steps, time_is_up)
            if place is None and self.definition is not None and not time_is_up():
                place = Place(self.source.line_span(self.definition.lineno), missing=False, proven=False)
            yield self._mistake(index, place, certain=True)
        for index in decision.others[:MOST_OTHERS]:
            place = None
            if index in decision.best:
                place = self._place(playground, decision, index, steps, time_is_up)
            yield self._mistake(index, place, certain=False)

    def _place(
        self,
        playground: Playground,
        decision: Decision,
        index: int,
        steps: Steps,
        time_is_up: Callable[[], bool],
    ) -> Place | None:
        """The first proven place among the codes of this mistake, else the first that looks like one."""
        definition = self.definition
        looks: Place | None = None
        for explanation, alike in decision.alike(self.model, index) if definition is not None else ():
            target = self.table.without(explanation, alike)
            if definition is None or target is None:
                continue
            question = Question(
                source=self.source,
                tree=self.tree,
                definition=definition,
                method=self.method,
                model=self.model,
                explanation=explanation,
                index=alike,
                now=self.now,
                target=target,
            )
            place = locate(playground, question, steps=steps, time_is_up=time_is_up)
            if place is not None and place.proven:
                return place
            looks = looks or place
        return None if time_is_up() else looks

    def _mistake(self, index: int, place: Place | None, *, certain: bool) -> Mistake:
        variant = self.model.variants[index]
        return Mistake(
            id=variant.id,
            certain=certain,
            span=None if place is None else place.span,
            belief=variant.belief,
            ask=variant.ask,
            reread=variant.reread,
            slot=home_slot(self.model, index),
            method=self.model.method,
            missing=place is not None and place.missing,
        )
