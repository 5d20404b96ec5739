"""The page of the manual about the command line, from what each verb says of itself."""

from __future__ import annotations

import inspect
import re

import click

from docs.markdown import cell, table
from veracity.cli.main import cli

HEAD = """# Command line

Every verb of Python that makes sense in a shell is a verb here, by the same words. Each has `--json` (then the only
thing on standard output), `--seed`, `--level` and `--out FILE`, whose ending decides the format. Exit status: 0 done,
1 something failed, 2 the call or the data is wrong, with one sentence on standard error. `veracity VERB --help` prints
what stands here."""


def commands_page() -> str:
    """A section for each verb, and for each verb of a verb."""
    context = click.Context(cli, info_name="veracity")
    return "\n\n".join([HEAD, *sections(cli, context)]) + "\n"


def sections(group: click.Group, context: click.Context) -> list[str]:
    found = []
    for name in sorted(group.list_commands(context)):
        command = group.get_command(context, name)
        if command is None or command.hidden:
            continue
        inner = click.Context(command, info_name=name, parent=context)
        found.append(section(command, inner))
        found += sections(command, inner) if isinstance(command, click.Group) else []
    return found


def section(command: click.Command, context: click.Context) -> str:
    path = context.command_path.removeprefix("veracity ")
    usage = " ".join(command.collect_usage_pieces(context))
    options = [one.get_help_record(context) for one in command.get_params(context) if isinstance(one, click.Option)]
    rows = [(f"`{cell(typed)}`", cell(says)) for typed, says in filter(None, options)]
    plain = re.sub(r"^- ", r"\- ", inspect.cleandoc(command.help or ""), flags=re.MULTILINE)
    text = re.sub(r"\x08\n((?:.+\n?)+)", r"```text\n\1\n```\n", plain)
    blocks = [f"## {path}", f"`veracity {path} {usage}`", text, table(("option", "what it is"), rows) if rows else ""]
    return "\n\n".join(filter(None, blocks))
