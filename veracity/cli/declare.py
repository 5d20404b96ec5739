"""Declare commands: each parameter of a function is an option, an argument or a typed group of options.

Nothing here imports numpy: help and completion read the options of all commands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field, fields, is_dataclass
from functools import cache, wraps
from inspect import signature
from typing import Any, Literal, get_args, get_origin, get_type_hints

import click
from click.shell_completion import CompletionItem

from veracity.core.confidence import typed_level
from veracity.core.index import index, names
from veracity.core.references import ASSUMPTIONS, REFERENCES

FIGURES = (".png", ".svg", ".pdf")
PAGES = (".html", ".md", ".tex", ".csv", ".json", ".txt")
Declared = tuple[str, Any, Any]  # name, type and declaration of a parameter of a command, or a field of a group
Completion = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def complete_methods(*kinds: str, files: bool = False) -> Completion:
    """Return a completion with the names of methods of some kinds, and with `files` also those of files."""

    def complete(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
        sentences = {name: one.says for kind in kinds or index() for name, one in index()[kind].items()}
        items = [CompletionItem(name, help=sentences[name]) for name in names(*kinds) if name.startswith(typed)]
        return [CompletionItem(typed, type="file"), *items] if files else items

    return complete


def complete_everything(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Complete everything that `explain` knows."""
    more = [CompletionItem(key) for key in (*ASSUMPTIONS, *REFERENCES) if typed and key.startswith(typed)]
    return complete_methods()(context, parameter, typed) + more


def option(help: str, metavar: str | None = None, *names: str, methods: tuple[str, ...] = (), **how: Any) -> Any:
    """Declare an option, as a field of a group or as the default of a command's parameter.

    It is `--target-kind` of target_kind, unless names are given, and its type is that of the annotation. The shell
    completes the names of `methods` of these kinds; all else is passed to click.
    """
    if methods:
        how["shell_complete"] = complete_methods(*methods)
    default = () if how.get("multiple") else False if how.get("is_flag") else None
    metadata = {"option": {**how, "help": help, "metavar": metavar}, "names": names}
    return field(default=how.get("default", default), metadata=metadata)


def repeated(help: str, metavar: str | None = None, *names: str, **how: Any) -> Any:
    """Declare an option that may be repeated."""
    return option(help, metavar, *names, multiple=True, **how)


def flag(help: str, *names: str) -> Any:
    """Declare an option without a value."""
    return option(help, None, *names, is_flag=True)


def argument(metavar: str | None = None, **how: Any) -> Any:
    """Declare an argument as the default of a command's parameter."""
    return field(metadata={"argument": {**how, "metavar": metavar}})


def words_argument(metavar: str, **how: Any) -> Any:
    """Declare the argument of commands that take files and names of scores in any order."""
    return argument(metavar, nargs=-1, shell_complete=complete_methods("scores", files=True), **how)


def group(kind: type) -> Any:
    """Declare a group of options as a field of another group."""
    return field(default_factory=kind, metadata={"group": kind})


class Command(click.Command):
    """A command, and the endings of the files that it writes."""

    writes: tuple[str, ...] = ()  # none where the command checks them itself


def command(
    parent: click.Group | None = None, name: str | None = None, writes: tuple[str, ...] = PAGES, **settings: Any
) -> Callable[[Callable[..., Any]], Command]:
    """Return a decorator that makes a function a command; `writes` are the kinds of files that --out may name.

    A parameter whose type is a group of options takes all of these; any other is one option or argument, declared by
    its default. Every command takes --level and --seed, so that a script can give the same options to all of them;
    where they change nothing they are hidden.
    """

    def decorate(function: Callable[..., Any]) -> Command:
        parameters = signature(function, eval_str=True).parameters.values()
        declared = [(one.name, one.annotation, one.default) for one in parameters]
        params = [*_params(declared)]
        params += [
            click.Option([f"--{word}"], type=kind, hidden=True, expose_value=False, callback=_say_unused)
            for word, kind in {"level": float, "seed": int}.items()
            if word not in {one.name for one in params}
        ]

        @wraps(function)
        def call(**typed: Any) -> Any:
            return function(**_values(declared, typed))

        text = settings.pop("help", function.__doc__)
        made = Command(name or function.__name__, params=params, callback=call, help=text, **settings)
        made.writes = writes
        if parent is not None:
            parent.add_command(made)
        return made

    return decorate


@cache
def _fields(kind: Any) -> list[Declared]:
    """Return the fields of a group that are options or groups of them."""
    hints = get_type_hints(kind)
    return [(one.name, one.metadata.get("group", hints[one.name]), one) for one in fields(kind) if one.metadata]


def _params(declared: Iterable[Declared]) -> Iterator[click.Parameter]:
    """Yield what click is told of parameters of a command, or of fields of a group."""
    for name, kind, one in declared:
        if isinstance(kind, type) and is_dataclass(kind):
            yield from _params_of_group(kind)
        elif "argument" in one.metadata:
            yield click.Argument([name], **one.metadata["argument"])
        else:
            how = {"type": _option_type(kind), **one.metadata["option"]}
            yield click.Option([*(one.metadata["names"] or ("--" + name.replace("_", "-"),)), name], **how)


@cache
def _params_of_group(kind: Any) -> list[click.Parameter]:
    """Return the options of a group, which all commands that have it share."""
    return [*_params(_fields(kind))]


def _values(declared: Iterable[Declared], typed: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of parameters or fields, from what was typed."""
    values = {}
    for name, kind, _ in declared:
        is_group = isinstance(kind, type) and is_dataclass(kind)
        values[name] = kind(**_values(_fields(kind), typed)) if is_group else typed[name]
    return values


def _option_type(annotation: Any) -> Any:
    """Return the number or the choice that an annotation such as `int | None` names; None where any text will do."""
    for one in (annotation, *get_args(annotation)):
        if one in (int, float):
            return one
        if get_origin(one) is Literal:
            return click.Choice(get_args(one))
    return None


def check_level(context: click.Context, parameter: click.Parameter, level: float | None) -> float | None:
    """Refuse a level that is surely meant as alpha."""
    return None if level is None else typed_level(level)


def _say_unused(context: click.Context, parameter: click.Parameter, value: float | None) -> None:
    """Say that an option which every command takes changes nothing here."""
    if value is None:
        return
    if parameter.name == "level":
        typed_level(value)
    why = "draws no random numbers" if parameter.name == "seed" else "has no confidence level"
    click.echo(f"--{parameter.name} changes nothing: {context.command_path} {why}", err=True)
