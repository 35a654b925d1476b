"""CONTENT.md as a table: one row for each bullet, and for each sentence that states a fact."""

from __future__ import annotations

from tests.coverage import rows_final, rows_mission_1, rows_mission_2, rows_mission_3, rows_prologue
from tests.coverage.row import Exact, Row

ROWS: tuple[Row | Exact, ...] = (
    *rows_prologue.ROWS,
    *rows_mission_1.ROWS,
    *rows_mission_2.ROWS,
    *rows_mission_3.ROWS,
    *rows_final.ROWS,
)
