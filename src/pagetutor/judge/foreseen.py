"""What the tests are going to ask, known before the first question is put.

So the learner's process can begin on the next scenario while the tutor looks at the trace of the last one;
it takes a third off a check. The questions are the same in every check of the same bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from pagetutor.exercise.scenario import Op, Scenario, scenario


def foreseen(
    tests: Iterable[Callable[[Any], object]],
    outcomes: tuple[type[BaseException], ...] = (Exception,),
) -> tuple[Scenario, ...]:
    """The scenarios of these tests in order, by calling each with a `play` that answers nothing.

    A test that asks more once it has seen a trace is foreseen up to there. `outcomes` is what a
    test may raise.
    """
    asked: list[Scenario] = []

    def play(*ops: Op | Sequence[Op] | Scenario) -> _Unseen:
        asked.append(scenario(*ops))
        return _Unseen()

    for test in tests:
        try:
            test(play)
        except outcomes:
            continue
    return tuple(asked)


class _Unseen:
    """Of which anything may be expected."""

    def __getattr__(self, _name: str) -> Callable[..., None]:
        return lambda *_, **__: None
