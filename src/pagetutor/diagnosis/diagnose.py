"""From a failing file to named mistakes: structure first, then behaviour, then the place."""

from __future__ import annotations

import ast
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager

from pagetutor.content.model import ErrorModel
from pagetutor.diagnosis.mistake import Mistake
from pagetutor.diagnosis.source import SourceText
from pagetutor.diagnosis.table import FingerprintTable
from pagetutor.exercise.scenario import Method
from pagetutor.exercise.trace import Trace
from pagetutor.learner.port import Session

OpenSession = Callable[[], AbstractContextManager[Session]]


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
    where_s: float = 1.5,
) -> tuple[Mistake, ...]:
    """The mistakes of a file that failed, each with its place where one is known.

    `methods` are those whose tests failed; `evidence` are the failing tests' traces. Certain mistakes
    come first, each group in causal order (prefill, decode, gather; within a method the order of the
    model's slots). Nothing found is `()`: an honest "I don't know". `where_s` bounds the search
    for places, by `clock`, over the whole call.
    """
    raise NotImplementedError
