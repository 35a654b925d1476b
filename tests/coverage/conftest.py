"""The real course, read once."""

from __future__ import annotations

import pytest

from pagetutor.content.model import Course
from pagetutor.content.read import load_course
from tests.coverage.yaml_places import ROOT


@pytest.fixture(scope="session")
def course() -> Course:
    return load_course(ROOT)
