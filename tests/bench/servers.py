"""Our warm process against `multiprocessing`'s forkserver with torch preloaded, one empty child each."""

from __future__ import annotations

import multiprocessing
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from pathlib import Path

from pagetutor.content.find import find_course
from pagetutor.learner.port import Finished, Job, Loaded
from pagetutor.learner.runner import WarmRunner
from tests.bench.figure import Figure

ROUNDS = 40
PAUSE_S = 0.05


def run() -> Iterator[Figure]:
    """Milliseconds from the request to a child's first answer, and to its end."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["torch"])

    def theirs() -> tuple[float, float]:
        began = time.perf_counter()
        ours, end = context.Pipe()
        process = context.Process(target=answer, args=(end,))
        process.start()
        end.close()
        ours.recv()
        answered = time.perf_counter()
        process.join()
        return answered - began, time.perf_counter() - began

    with tempfile.TemporaryDirectory() as folder, WarmRunner() as runner:
        job = Job(Path(folder) / "block_manager.py", find_course() / "stage.py")

        def own() -> tuple[float, float]:
            began = time.perf_counter()
            with runner.session(job) as session:
                assert session.load(b"") == Loaded()
                answered = time.perf_counter()
                assert isinstance(session.finish(), Finished)
            return answered - began, time.perf_counter() - began

        yield from _figures("forkserver", theirs)
        yield from _figures("our warm process, all limits and layers", own)


def answer(channel: Connection) -> None:
    """What a child of the forkserver does."""
    channel.send(1)


def _figures(name: str, take: Callable[[], tuple[float, float]]) -> Iterator[Figure]:
    taken = []
    for _ in range(ROUNDS):
        time.sleep(PAUSE_S)
        taken.append(take())
    first, whole = ([round_[index] * 1000 for round_ in taken[2:]] for index in (0, 1))
    yield Figure(f"{name}: to the first answer, median", statistics.median(first), "ms")
    yield Figure(f"{name}: to the end, median", statistics.median(whole), "ms")
