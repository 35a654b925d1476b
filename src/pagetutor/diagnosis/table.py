"""The fingerprint table of a method: what each mistake, and each pair of mistakes, does on the probes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FingerprintTable:
    """Fingerprint → its explanations; an explanation is a tuple of indices into the model's variants."""

    method: str
    key: str
    explanations: dict[str, tuple[tuple[int, ...], ...]]
