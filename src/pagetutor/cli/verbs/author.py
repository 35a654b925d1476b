"""`pagetutor author audit|build|unknowns`: the course proves itself, its fingerprint tables are built
anew, and the failures that have no name yet are listed."""

from __future__ import annotations

import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pagetutor.cli import phrases
from pagetutor.cli.desk import Desk
from pagetutor.errors import UsageError

if TYPE_CHECKING:
    from pagetutor.judge.audit import Tried

_TASKS = ("audit", "build", "unknowns")
_BUILD_DEADLINE_S = 600.0  # a table takes about half a minute; this is for slow machines

TaskArgument = Annotated[str, typer.Argument(metavar="|".join(_TASKS), autocompletion=lambda: list(_TASKS))]
ExportsArgument = Annotated[list[str] | None, typer.Argument(metavar="[EXPORT]...")]


def author(ctx: typer.Context, task: TaskArgument, exports: ExportsArgument = None) -> int:
    """For those who write missions: 0 where all is as it should be, 3 where not."""
    desk: Desk = ctx.obj
    match task:
        case "audit":
            return _audit(desk)
        case "build":
            return _build(desk)
        case "unknowns":
            return _unknowns(desk, exports or [])
    raise UsageError(phrases.NO_TASK.with_(typed=task))


def _audit(desk: Desk) -> int:
    from pagetutor.content.find import find_course  # noqa: PLC0415
    from pagetutor.content.lint import lint_course  # noqa: PLC0415
    from pagetutor.content.read import load_course  # noqa: PLC0415
    from pagetutor.judge.audit import audit  # noqa: PLC0415

    faults = lint_course(find_course())
    for fault in faults:
        typer.echo(desk.told(fault.say))
    tried = []
    for one in audit(load_course(find_course(), with_models=True), desk.runner):
        tried.append(one)
        typer.echo(_row(one))
    right = sum(one.right for one in tried)
    typer.echo(desk.told(phrases.AUDITED.with_(right=right, tried=len(tried), faults=len(faults))))
    return 0 if right == len(tried) and not faults else 3


def _row(one: Tried) -> str:
    """A row of the kill matrix: whether it is right, what was tried, the verdict, the names it got."""
    names = ", ".join([*one.certain, *(f"{name}?" for name in one.possible)])
    what = one.mistake or one.what.splitlines()[0]
    return f"{'ok ' if one.right else 'BAD'}  {one.mission:<5}  {what:<44.44}  {one.got:<8}  {names}".rstrip()


def _build(desk: Desk) -> int:
    from pagetutor.content.find import find_course  # noqa: PLC0415
    from pagetutor.diagnosis.build import build_tables  # noqa: PLC0415
    from pagetutor.diagnosis.figures import figures  # noqa: PLC0415
    from pagetutor.learner.port import Job  # noqa: PLC0415

    root = find_course()
    solution = (root / "solution.py").read_text(encoding="utf-8")
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        job = Job(Path(folder) / "block_manager.py", root / "stage.py", _BUILD_DEADLINE_S)
        for file in build_tables(root, lambda: desk.runner.session(job)):
            for model, built in zip(file.models, file.tables, strict=True):
                rows = len(built.table.explanations)
                typer.echo(desk.told(phrases.BUILT.with_(file=file.path, method=model.method, rows=rows)))
                for say, told in zip(
                    (phrases.SINGLES, phrases.DOUBLES), figures(built, model, solution), strict=True
                ):
                    typer.echo(desk.told(say.with_(**asdict(told))))
                same = [model.variants[one[0]].id for one in built.harmless if len(one) == 1]
                for say, found in (
                    (phrases.NO_MISTAKES, same),
                    (phrases.UNDECLARED_TIES, built.undeclared),
                    (phrases.NOT_NEUTRAL, built.biased),
                ):
                    faults += len(found)
                    if found:
                        typer.echo(desk.told(say.with_(found=found)))
    return 3 if faults else 0


def _unknowns(desk: Desk, exports: list[str]) -> int:
    from pagetutor.tutor.moving import read_document  # noqa: PLC0415
    from pagetutor.tutor.unknowns import unknown_failures  # noqa: PLC0415

    met = unknown_failures(desk.history, [read_document(desk.path(one)) for one in exports])
    if not met:
        typer.echo(desk.told(phrases.NO_UNKNOWNS))
        return 0
    typer.echo(desk.told(phrases.UNKNOWNS))
    for one in met:
        typer.echo(f"{one.times:>5}  {one.mission:<5}  {one.method}  {one.fingerprint}  {one.test or '-'}")
    return 0
