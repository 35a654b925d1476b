"""The fingerprint table of a method: what each mistake, and each pair of mistakes, does on the probes.

Built by the author's command (a few thousand short programs, played in a learner's process) and
shipped beside the mission's `mistakes.yaml`, so that nobody waits for it.
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from pagetutor.content.model import ErrorModel
from pagetutor.diagnosis import fingerprint, probes
from pagetutor.diagnosis.fingerprint import Fingerprint
from pagetutor.diagnosis.playing import Playground
from pagetutor.diagnosis.programs import Explanation, choices, doubles, neutrals, program, singles
from pagetutor.errors import ContentError
from pagetutor.exercise.scenario import Method
from pagetutor.text import Text

FILE_NAME = "fingerprints.json"


@dataclass(frozen=True, slots=True)
class FingerprintTable:
    """Whole fingerprint → its minimal explanations: tuples of indices into the model's variants.

    `key` is the hash of everything the table was made from; `reference` and `singles` (in the variants'
    order) are the fingerprints of the reference and of each variant alone; `ties` are ids of single
    mistakes that no probe tells apart.
    """

    method: Method
    key: str
    reference: Fingerprint
    singles: tuple[Fingerprint, ...]
    explanations: Mapping[str, tuple[Explanation, ...]]
    ties: tuple[tuple[str, ...], ...] = ()

    def without(self, explanation: Explanation, index: int) -> Fingerprint | None:
        """What code with this explanation would do without one of its mistakes; None for three or more."""
        rest = tuple(one for one in explanation if one != index)
        if len(rest) > 1:
            return None
        return self.singles[rest[0]] if rest else self.reference


@dataclass(frozen=True, slots=True)
class BuiltTable:
    """A table, and what its author should know.

    `harmless` are explanations that behave as the reference (a variant among them is no mistake; a pair
    cancels out); `pairs` are the double mistakes and what they do; `undeclared` are ties that the model
    does not declare; `biased` are neutral codes that do not behave as the reference.
    """

    table: FingerprintTable
    harmless: tuple[Explanation, ...]
    pairs: tuple[tuple[Explanation, str], ...]
    undeclared: tuple[tuple[str, ...], ...]
    biased: tuple[str, ...]


def build(
    playground: Playground,
    model: ErrorModel,
    method: Method,
    *,
    solution: str,
    stage: bytes,
    pairs: bool = True,
) -> BuiltTable:
    """Play every single and double mistake of the model, and write down what they do.

    A neutral code is combined with a mistake only where it changes what that mistake does. Raises
    ContentError where the model makes no Python.
    """

    def played(chosen: Mapping[str, str]) -> Fingerprint:
        return playground.fingerprint(program(model, solution, chosen), method)

    reference = played({})
    alone = [played(choices(model, single)) for single in singles(model)]
    legal = list(neutrals(model))
    biased = tuple(code for chosen in legal for code in chosen.values() if played(chosen) != reference)
    found: dict[str, set[Explanation]] = {}
    harmless: list[Explanation] = []
    telling: dict[int, list[dict[str, str]]] = {}
    plain: dict[str, set[str]] = {}
    both: list[tuple[Explanation, str]] = []
    for single in singles(model):
        wrong, does = choices(model, single), alone[single[0]]
        if does == reference:
            harmless.append(single)
            continue
        found.setdefault(does.whole, set()).add(single)
        telling[single[0]] = []
        plain.setdefault(does.whole, set()).add(model.variants[single[0]].id)
        for chosen in legal:
            if not chosen.keys() & wrong.keys():
                beside = played(chosen | wrong)
                if beside not in (does, reference):
                    telling[single[0]].append(chosen)
                    found.setdefault(beside.whole, set()).add(single)
    for double in doubles(model) if pairs else ():
        wrong = choices(model, double)
        if any(index not in telling for index in double):
            continue
        apart = [chosen for index in double for chosen in telling[index] if not chosen.keys() & wrong.keys()]
        for chosen in [{}, *apart]:
            together = played(chosen | wrong)
            both += [] if together == reference else [(double, together.whole)]
            if together == reference:
                harmless.append(double)
            else:
                found.setdefault(together.whole, set()).add(double)
    minimal = {whole: _minimal(explanations) for whole, explanations in found.items()}
    ties = tuple(sorted(tuple(sorted(tied)) for tied in plain.values() if len(tied) > 1))
    table = FingerprintTable(method, table_key(model, method, stage), reference, tuple(alone), minimal, ties)
    undeclared = tuple(tie for tie in ties if not any(set(tie) <= set(told) for told in model.ties))
    return BuiltTable(table, tuple(harmless), tuple(both), undeclared, biased)


def _minimal(explanations: Iterable[Explanation]) -> tuple[Explanation, ...]:
    ordered = sorted(explanations, key=lambda one: (len(one), one))
    return tuple(one for one in ordered if len(one) == len(ordered[0]))


def table_key(model: ErrorModel, method: Method, stage: bytes) -> str:
    """The hash of all that decides a table: model, probes, how they are played and read."""
    made_from = (
        model.method,
        model.template,
        [(slot.name, slot.reference, slot.neutral) for slot in model.slots],
        [(variant.id, variant.code) for variant in model.variants],
        probes.VERSION,
        [probe.to_wire() for probe in probes.PROBES[method]],
        fingerprint.VERSION,
        _code(stage),
    )
    return hashlib.sha256(repr(made_from).encode()).hexdigest()[:16]


@lru_cache(maxsize=4)
def _code(stage: bytes) -> str:
    """The stage's code, whatever its comments and line ends; dumping it takes 9 ms."""
    return ast.dump(ast.parse(stage))


def save_tables(path: Path, tables: Iterable[FingerprintTable]) -> None:
    """Write the tables of one mission to its JSON file, one fingerprint a line."""
    path.write_text("{" + ",\n".join(_saved(table) for table in tables) + "}\n", encoding="utf-8")


def _saved(table: FingerprintTable) -> str:
    def told(value: object) -> str:
        return json.dumps(value, separators=(",", ":"))

    # "" where a mistake does as the reference does: two thirds of all probes.
    singles = [
        [
            "" if does == right else does
            for does, right in zip(one.probes, table.reference.probes, strict=True)
        ]
        for one in table.singles
    ]
    rows = {
        "key": told(table.key),
        "reference": told(table.reference.probes),
        "ties": told(table.ties),
        "singles": "[\n" + ",\n".join(told(one) for one in singles) + "]",
        "explanations": "{\n"
        + ",\n".join(f"{told(whole)}:{told(found)}" for whole, found in sorted(table.explanations.items()))
        + "}",
    }
    return (
        told(table.method.value)
        + ":{"
        + ",\n".join(f"{told(name)}:{row}" for name, row in rows.items())
        + "}"
    )


def load_table(path: Path, model: ErrorModel, method: Method, stage: bytes) -> FingerprintTable:
    """The shipped table for this model. Raises ContentError where it is missing, damaged or stale."""
    try:
        written = path.stat()
        table = _loaded(_read((path, written.st_mtime_ns, written.st_size))[method.value], method)
    except FileNotFoundError:
        raise _table_error(path, "还没有", "is missing") from None
    except (KeyError, TypeError, ValueError, AttributeError):
        raise _table_error(path, "坏了", "is damaged") from None
    if table.key != table_key(model, method, stage):
        raise _table_error(path, "和错误模型对不上", "does not belong to this error model")
    return table


@lru_cache(maxsize=8)
def _read(written: tuple[Path, int, int]) -> Any:
    """The JSON of a table's file, given when it was written and how large it is.

    Reading takes 5 ms, once for all the checks of a watch.
    """
    return json.loads(written[0].read_text(encoding="utf-8"))


class _Saved(Mapping[str, tuple[Explanation, ...]]):
    """The explanations as they were saved; of four thousand, one is looked at."""

    def __init__(self, saved: Mapping[str, Any]) -> None:
        self._saved = saved

    def __getitem__(self, whole: str) -> tuple[Explanation, ...]:
        return tuple(tuple(int(index) for index in one) for one in self._saved[whole])

    def __iter__(self) -> Iterator[str]:
        return iter(self._saved)

    def __len__(self) -> int:
        return len(self._saved)


def _loaded(saved: Any, method: Method) -> FingerprintTable:
    reference = tuple(str(probe) for probe in saved["reference"])
    return FingerprintTable(
        method=method,
        key=str(saved["key"]),
        reference=Fingerprint(reference),
        singles=tuple(
            Fingerprint(tuple(does or right for does, right in zip(one, reference, strict=True)))
            for one in saved["singles"]
        ),
        explanations=_Saved(dict(saved["explanations"])),
        ties=tuple(tuple(str(name) for name in tie) for tie in saved["ties"]),
    )


def _table_error(path: Path, zh: str, en: str) -> ContentError:
    return ContentError(
        Text(
            zh=f"指纹表 `{path}` {zh}。请运行 `pagetutor author build` 重新生成。",
            en=f"The fingerprint table `{path}` {en}. Run `pagetutor author build` to build it.",
        )
    )
