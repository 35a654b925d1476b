"""Tests that CI runs in a step of its own: further cases of a kind that README's command tests already.

`pytest -m long` runs them; without that they are left out, so that the suite stays under five minutes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

LONG = pytest.mark.long


def some_long(cases: Iterable[Any], *, each: int) -> list[Any]:
    """These cases for a `parametrize`, each `each`-th of them at once and the others long."""
    return [
        case if number % each == 0 else pytest.param(case, marks=LONG) for number, case in enumerate(cases)
    ]
