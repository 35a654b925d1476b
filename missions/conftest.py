"""The missions' tests by hand: `pytest missions --learner block_manager.py`.

`pagetutor check` does not read this file; it gives the tests the same two fixtures itself.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pagetutor import __version__
from pagetutor.exercise.scenario import Method, Scenario
from pagetutor.exercise.unforeseen import unforeseen as draw
from pagetutor.judge.play import Play
from pagetutor.learner.port import Job, Loaded
from pagetutor.learner.runner import open_runner

HERE = Path(__file__).parent
DRAWN_FOR = {
    "test_prefill.py": [Method.PREFILL],
    "test_decode.py": [Method.DECODE],
    "test_gather.py": [Method.GATHER],
    "test_final.py": list(Method),
}


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--learner FILE`: whose block manager to test; without it, the reference solution."""
    parser.addoption("--learner", default=str(HERE / "solution.py"), help="the block_manager.py to test")


@pytest.fixture(scope="session")
def learner(pytestconfig: pytest.Config) -> Path:
    """The file under test."""
    return Path(pytestconfig.getoption("--learner")).resolve()


@pytest.fixture(scope="session")
def play(learner: Path) -> Iterator[Play]:
    """Plays scenarios in one process that holds the learner's file."""
    runner = open_runner()
    try:
        with runner.session(Job(learner, HERE / "stage.py", deadline_s=60.0)) as session:
            loaded = session.load(learner.read_bytes())
            assert isinstance(loaded, Loaded), loaded
            yield Play(session)
    finally:
        runner.close()


@pytest.fixture
def unforeseen(request: pytest.FixtureRequest, learner: Path) -> tuple[Scenario, ...]:
    """The scenarios drawn from the file's own bytes."""
    return draw(DRAWN_FOR[request.path.name], learner.read_bytes(), __version__)
