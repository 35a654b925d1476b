"""One warm runner, the shipped error models and their tables, for the whole room."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from pagetutor.content.model import ErrorModel
from pagetutor.content.read import load_models
from pagetutor.diagnosis.table import FILE_NAME, FingerprintTable, load_table
from pagetutor.exercise.scenario import Method
from pagetutor.learner.port import Job, Session
from pagetutor.learner.runner import open_runner

MISSIONS = Path(__file__).parents[2] / "missions"
FOLDERS = {Method.PREFILL: "01-prefill", Method.DECODE: "02-decode", Method.GATHER: "03-gather"}

OpenSession = Callable[[], AbstractContextManager[Session]]


@pytest.fixture(scope="session")
def open_session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenSession]:
    """Opens real learner's processes."""
    runner = open_runner()
    path = tmp_path_factory.mktemp("learner") / "block_manager.py"
    job = Job(path, MISSIONS / "stage.py", deadline_s=20)
    yield lambda: runner.session(job)
    runner.close()


@pytest.fixture(scope="session")
def models() -> Mapping[Method, ErrorModel]:
    return {
        Method.PREFILL: load_models(MISSIONS, "1")[0],
        Method.DECODE: load_models(MISSIONS, "2")[0],
        Method.GATHER: load_models(MISSIONS, "3")[0],
    }


@pytest.fixture(scope="session")
def tables(models: Mapping[Method, ErrorModel]) -> Mapping[Method, FingerprintTable]:
    stage = (MISSIONS / "stage.py").read_bytes()
    return {
        method: load_table(MISSIONS / FOLDERS[method] / FILE_NAME, model, method, stage)
        for method, model in models.items()
    }
