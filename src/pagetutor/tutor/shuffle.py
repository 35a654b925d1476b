"""The order of a question's options: shuffled once per learner and question, and the same ever after."""

from __future__ import annotations

import hashlib
import secrets

from pagetutor.content.model import Choice, Question


def new_seed() -> str:
    """A seed for a new learner."""
    return secrets.token_hex(8)


def ordered(question: Question, seed: str | None) -> tuple[Choice, ...]:
    """The options in this learner's order; None keeps the order of the course, the same for a whole class.

    Each option is placed by a hash of seed, question and its own id, so that a reworded or an added
    option moves none of the others past one another.
    """
    if seed is None:
        return question.choices

    def place(choice: Choice) -> bytes:
        return hashlib.sha256(f"{seed}\0{question.id}\0{choice.id}".encode()).digest()

    return tuple(sorted(question.choices, key=place))
