"""The command line: its verbs, in the order the help lists them, and typos told in our own words."""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.exceptions import TyperException

from pagetutor import __version__
from pagetutor.cli import phrases
from pagetutor.cli.status import STDOUT_CLOSED
from pagetutor.cli.verbs import (
    author,
    check,
    doctor,
    forget,
    hint,
    list_,
    mission,
    recap,
    replay,
    reset,
    restore,
    show,
    solution,
    start,
    watch,
    words,
)
from pagetutor.cli.verbs import overview as overview_verb
from pagetutor.cli.verbs import progress as progress_verb
from pagetutor.cli.verbs import status as status_verb
from pagetutor.errors import UsageError
from pagetutor.text import Language, Text, same

_VERBS: dict[str, Callable[..., int]] = {
    "mission": mission.mission,
    "list": list_.list_,
    "status": status_verb.status,
    "words": words.words,
    "show": show.show,
    "check": check.check,
    "watch": watch.watch,
    "replay": replay.replay,
    "hint": hint.hint,
    "start": start.start,
    "solution": solution.solution,
    "reset": reset.reset,
    "restore": restore.restore,
    "forget": forget.forget,
    "recap": recap.recap,
    "progress": progress_verb.progress,
    "doctor": doctor.doctor,
    "author": author.author,
}


class _AsTyped:
    """Takes a parameter's words as they were typed: what they mean is decided by the verbs."""

    def coerce(self, value: Any, *, param: Any, ctx: Any) -> Any:  # noqa: ARG002
        """The value itself."""
        return value


class TutorCommand(TyperCommand):
    """A command whose parameters are plain words and flags.

    Typer's own coercion loads pydantic at the first parameter: 50 of 230 ms until a mission's first
    question. A Typer that keeps it elsewhere would only be slower.
    """

    def get_params(self, ctx: Any) -> Any:
        """The parameters, `--help` with them."""
        return _as_typed(super().get_params(ctx))


class TutorGroup(TyperGroup):
    """A group whose own errors are `UsageError`s in two languages, and which knows the nearest command."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        """In the order a learner needs them, not by the alphabet."""
        return list(self.commands)

    def get_params(self, ctx: Any) -> Any:
        """The options before the command, `--help` with them; as `TutorCommand` has them."""
        return _as_typed(super().get_params(ctx))

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command typed. Raises UsageError with the nearest where there is none."""
        if args[0] not in self.commands and not args[0].startswith("-"):
            from pagetutor.tutor.finding import unknown_command  # noqa: PLC0415

            raise UsageError(unknown_command(args[0], list(self.commands)))
        return super().resolve_command(ctx, args)

    def make_context(self, *args: Any, **extra: Any) -> Any:
        """Read the options before the command."""
        try:
            return super().make_context(*args, **extra)
        except TyperException as error:
            raise UsageError(_in_our_words(error)) from error

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except TyperException as error:
            raise UsageError(_in_our_words(error)) from error
        except BrokenPipeError as closed:  # typer would answer with status 1: "does not pass"
            raise SystemExit(STDOUT_CLOSED) from closed


def _as_typed(parameters: Any) -> Any:
    for parameter in parameters:
        parameter._runtime_param = _AsTyped()
    return parameters


def command(language: Language) -> Any:
    """The whole command line, its help in `language`."""
    app = typer.Typer(
        cls=TutorGroup,
        help=phrases.ABOUT.in_(language),
        epilog=phrases.EPILOG.in_(language),
        invoke_without_command=True,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_root)
    for name, verb in _VERBS.items():
        app.command(name, cls=TutorCommand, help=phrases.COMMANDS[name].in_(language))(verb)
    group = typer.main.get_command(app)
    for one in (group, *getattr(group, "commands", {}).values()):
        for parameter in one.params:
            if parameter.name in phrases.OPTIONS:
                parameter.help = phrases.OPTIONS[parameter.name].in_(language)
    return group


def _root(
    ctx: typer.Context,
    *,  # the first three are read by `given`, and named here for the help
    lang: Annotated[str | None, typer.Option(metavar="zh|en")] = None,  # noqa: ARG001
    plain: Annotated[bool, typer.Option("--plain")] = False,  # noqa: ARG001
    no_shuffle: Annotated[bool, typer.Option("--no-shuffle")] = False,  # noqa: ARG001
    version: Annotated[bool, typer.Option("--version", is_eager=True)] = False,
) -> int | None:
    if version:
        typer.echo(f"pagetutor {__version__}")
        raise typer.Exit
    if ctx.invoked_subcommand is None:
        return overview_verb.overview(ctx)
    return None


def _in_our_words(error: TyperException) -> Text:
    """Typer's error as a sentence of ours; its classes are private, so they are told by name."""
    context = getattr(error, "ctx", None)
    path = getattr(context, "command_path", None) or "pagetutor"
    kind = type(error).__name__
    if kind == "NoSuchOption":
        typed = str(getattr(error, "option_name", ""))
        return _no_option(typed, _nearest_option(typed, context), path)
    if kind == "MissingParameter":
        parameter = getattr(error, "param", None)
        return phrases.MISSING.with_(what=getattr(parameter, "metavar", None) or "N", command=path)
    return phrases.WRONG_USE.with_(message=error.format_message())


def _no_option(typed: str, near: str | None, path: str) -> Text:
    perhaps = same("") if near is None else phrases.PERHAPS.with_(nearest=near)
    return Text(
        zh=phrases.NO_OPTION.zh.format(typed=typed, nearest=perhaps.zh, command=path),
        en=phrases.NO_OPTION.en.format(typed=typed, nearest=perhaps.en, command=path),
    )


def _nearest_option(typed: str, context: Any) -> str | None:
    known = ["--lang", "--plain", "--no-shuffle", "--help"]
    if context is not None:
        known += [name for parameter in context.command.params for name in parameter.opts]
    return next(iter(get_close_matches(typed, known, n=1)), None)
