"""What the shell offers after Tab, from the file of names alone."""

from __future__ import annotations

from collections.abc import Callable

import click
from click.shell_completion import CompletionItem

from veracity.core.index import index, names
from veracity.core.references import ASSUMPTIONS, REFERENCES

Completion = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def methods(*kinds: str, files: bool = False) -> Completion:
    """The names of some kinds that begin as typed; with `files`, also what lies in the folder."""

    def complete(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
        sentences = {name: one.says for kind in kinds or index() for name, one in index()[kind].items()}
        items = [CompletionItem(name, help=sentences[name]) for name in names(*kinds) if name.startswith(typed)]
        return [CompletionItem(typed, type="file"), *items] if files else items

    return complete


def everything(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """All that can be explained."""
    more = [CompletionItem(key) for key in (*ASSUMPTIONS, *REFERENCES) if typed and key.startswith(typed)]
    return methods()(context, parameter, typed) + more
