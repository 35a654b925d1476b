"""Builds the fingerprint tables of the course; takes about two minutes."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from pagetutor.diagnosis.build import build_tables
from pagetutor.diagnosis.figures import figures
from pagetutor.learner.port import Job
from pagetutor.learner.runner import open_runner

MISSIONS = Path(__file__).parents[1] / "missions"


def main() -> int:
    """Build, write, and tell what an author should know; 1 where a mistake is none or a tie undeclared."""
    faults = 0
    solution = (MISSIONS / "solution.py").read_text(encoding="utf-8")
    runner = open_runner()
    with tempfile.TemporaryDirectory() as folder:
        job = Job(Path(folder) / "block_manager.py", MISSIONS / "stage.py", deadline_s=600)
        for file in build_tables(MISSIONS, lambda: runner.session(job)):
            for model, built in zip(file.models, file.tables, strict=True):
                print(f"{file.path.parent.name}: {len(built.table.explanations)} fingerprints")
                for words, told in zip(("single", "double"), figures(built, model, solution), strict=True):
                    print(f"  {words}: {told}")
                alone = [one for one in built.harmless if len(one) == 1]
                for words, found in (
                    ("as the reference", alone),
                    ("undeclared ties", built.undeclared),
                    ("not neutral", built.biased),
                ):
                    faults += len(found)
                    if found:
                        print(f"  {words}: {found}")
    runner.close()
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
