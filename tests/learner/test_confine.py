"""What the learner's process can neither write nor read, on a system that can forbid it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagetutor.learner.port import Finished, Job, Json, Loaded, Session
from pagetutor.learner.runner import WarmRunner
from pagetutor.learner.session import LearnerSession

from .conftest import TOY_STAGE


def job(folder: Path) -> Job:
    """A job whose hidden folder holds a secret; a note lies beside it."""
    (folder / "hidden").mkdir()
    (folder / "hidden" / "secret.py").write_text("SECRET = 1")
    (folder / "note.txt").write_text("note")
    return Job(folder / "block_manager.py", TOY_STAGE, hidden=(folder / "hidden",))


def needs_landlock(session: Session) -> None:
    assert isinstance(session, LearnerSession)
    if "landlock:read" not in session.isolation:
        pytest.skip("this kernel has no Landlock")


SOURCE = b"""
import os, shutil, sys, tempfile
from pathlib import Path

def said(act):
    try:
        return str(act())
    except PermissionError:
        return "forbidden"

def read(path): return said(lambda: Path(path).read_text())
def write(path): return said(lambda: Path(path).write_text("x"))
def remove(path): return said(lambda: os.remove(path))
def remove_all(path): return said(lambda: shutil.rmtree(path))
def scratch():
    with tempfile.NamedTemporaryFile() as made: made.write(b"x")
    Path("a").mkdir(); Path("a/b").write_text("x"); Path("a/b").rename("c"); shutil.rmtree("a")
    Path("/dev/null").write_text("x"); print("seen", file=open("/dev/stdout", "w"))
    return os.listdir(".")
def later():
    import colorsys, xml.dom.minidom, torch.nn.utils
    return os.path.basename(colorsys.__file__)
"""


def test_only_the_scratch_folder_can_be_written(runner: WarmRunner, tmp_path: Path) -> None:
    with runner.session(job(tmp_path)) as session:
        needs_landlock(session)
        assert session.load(SOURCE) == Loaded()
        for call, path in (("write", "note.txt"), ("write", "new.txt"), ("remove", "note.txt")):
            asked: Json = {"call": call, "arguments": [str(tmp_path / path)]}
            assert session.play(asked) == {"answer": "forbidden"}
        assert session.play({"call": "remove_all", "arguments": [str(tmp_path)]}) == {"answer": "forbidden"}
        assert session.play({"call": "scratch"}) == {"answer": ["c"]}
        finished = session.finish()
    assert isinstance(finished, Finished)
    assert finished.prints.head == "seen\n"
    assert (tmp_path / "note.txt").read_text() == "note"
    assert (tmp_path / "hidden" / "secret.py").exists()


def test_hidden_folders_cannot_be_read_and_everything_else_can(runner: WarmRunner, tmp_path: Path) -> None:
    with runner.session(job(tmp_path)) as session:
        needs_landlock(session)
        session.load(SOURCE)
        secret: Json = {"call": "read", "arguments": [str(tmp_path / "hidden" / "secret.py")]}
        assert session.play(secret) == {"answer": "forbidden"}
        assert session.play({"call": "read", "arguments": [str(tmp_path / "note.txt")]}) == {"answer": "note"}
        assert session.play({"call": "later"}) == {"answer": "colorsys.py"}
