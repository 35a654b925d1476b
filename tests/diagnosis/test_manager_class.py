"""The class that is looked at is the class that is played, whatever else the file holds."""

from __future__ import annotations

import ast

import pytest

from pagetutor.diagnosis.manager_class import find_method, manager_class, managers_method
from tests.corpus.build import SOLUTION

PREFILL = "allocate_for_prefill"
OWN = "class KVCacheManager:\n    def allocate_for_prefill(self, req):\n        return 'own'\n"
PROTOCOL = "class Allocator:\n    def allocate_for_prefill(self, req): ...\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (OWN + PROTOCOL, 2),
        (PROTOCOL + OWN, 4),
        (OWN + OWN, 5),
        ("class BlockManager:\n    def allocate_for_prefill(self, req): return 1\n" + PROTOCOL, 2),
        ("class Mine:\n    def allocate_for_prefill(self, req): return 1\n" + PROTOCOL, 2),
        (
            "class B:\n    def allocate_for_prefill(self, req): return 1\nclass KVCacheManager(B): pass\n",
            2,
        ),
        (OWN + "class KVCacheManager(KVCacheManager):\n    def get_physical_cache(self, req): return 1\n", 2),
        (
            "class Mine:\n    def allocate_for_prefill(self, req): return 1\nKVCacheManager = Mine\n"
            + PROTOCOL,
            2,
        ),
        (OWN + "def later(self, req): return 1\nKVCacheManager.allocate_for_prefill = later\n", 4),
        (OWN + f"def later(self, req): return 1\nsetattr(KVCacheManager, {PREFILL!r}, later)\n", 4),
        ("if True:\n    class KVCacheManager:\n        def allocate_for_prefill(self, req): return 1\n", 3),
    ],
)
def test_the_manager_s_own_method_is_found(text: str, line: int) -> None:
    tree = ast.parse(text)
    attached = "later" in text  # what is open in it is not asked: see `open_todos`
    for find in (find_method,) if attached else (find_method, managers_method):
        found = find(tree, PREFILL)
        assert found is not None
        assert found.lineno == line


def test_a_method_of_another_class_is_not_the_manager_s() -> None:
    tree = ast.parse(PROTOCOL + "class KVCacheManager:\n    def get_physical_cache(self, req): return 1\n")
    assert managers_method(tree, PREFILL) is None
    found = find_method(tree, PREFILL)
    assert found is not None  # it may be moved over while the file runs: a place to point at
    assert found.lineno == 2


def test_a_file_without_a_manager_has_none() -> None:
    assert manager_class(ast.parse("x = 1\nclass Request: pass\n")) is None


def test_a_class_that_inherits_from_itself_in_a_circle_ends() -> None:
    tree = ast.parse("class A(B): pass\nclass B(A): pass\nclass KVCacheManager(B): pass\n")
    assert managers_method(tree, PREFILL) is None
    assert manager_class(ast.parse("KVCacheManager = Other\nOther = KVCacheManager\n")) is None


def test_the_solution_s_class_is_found() -> None:
    found = manager_class(ast.parse(SOLUTION))
    assert found is not None
    assert found.name == "KVCacheManager"
