"""How the command line ends: exit status 0 done, 1 failed, 2 wrong call or bad input, 130 interrupted."""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Sequence
from typing import Any

import click
from click.exceptions import NoArgsIsHelpError

from veracity.cli.meant import option_meant, verbs_meant
from veracity.core.errors import VeracityError
from veracity.core.index import whereabouts
from veracity.core.words import for_command_line, spell_out_controls, without_passwords

DONE, FAILED, WRONG, INTERRUPTED = 0, 1, 2, 130
TRACEBACK = "--traceback"
SENTENCE = 200  # characters: the first sentence of every verb is shown whole
NO_NUMBER = re.compile(r"'(-?\d*[.,]?\d+) ?(%?)' is not a valid float")  # in per cent, or with a comma
EXTRA = ": is the name of an option missing, or are there no quotes around several words?"
STOPPED = "Query interrupted"  # what duckdb makes of Ctrl-C, as a RuntimeError


class Program(click.Group):
    """A group whose errors are one sentence on standard error."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        typed = list(sys.argv[1:] if args is None else args)
        words = [word for word in typed if word != TRACEBACK]
        verbose = len(words) < len(typed) or os.environ.get("VERACITY_TRACEBACK", "") not in ("", "0")
        try:
            status = super().main(words, prog_name, complete_var, standalone_mode=False, **extra)
        except (Exception, KeyboardInterrupt) as why:
            if verbose and not isinstance(why, (VeracityError, click.ClickException, click.Abort)):
                raise
            status = _tell(why)
        sys.exit(status if isinstance(status, int) else DONE)

    def invoke(self, context: click.Context) -> Any:
        try:
            result = super().invoke(context)
            if sys.stdout is not None:  # as it is where it was closed before
                sys.stdout.flush()
        except BrokenPipeError:  # whoever read our output has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the last flush must not complain again
            context.exit(DONE)
        except click.UsageError as why:
            if why.ctx is None and context.invoked_subcommand is not None:  # of an option without its value
                verb = self.commands[context.invoked_subcommand]
                why.ctx = click.Context(verb, parent=context, info_name=context.invoked_subcommand)
            raise
        except KeyboardInterrupt:
            raise click.Abort from None  # which, unlike the interrupt itself, ends without an empty line
        return result

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        return super().get_command(context, name.replace("-", "_"))  # learning-curve is learning_curve

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Of a verb that is not there, those that are nearly so called: click does not tell them before 8.4."""
        if args[0][:1] != "-" and not context.resilient_parsing and self.get_command(context, args[0]) is None:
            near = verbs_meant(args[0], self.commands)
            several = "one of: " if len(near) > 1 else ""
            hint = f" Did you mean {several}{', '.join(map(repr, near))}?" if near else ""
            places = whereabouts(args[0]) if context.parent is None else ()
            hint += f" It is {for_command_line(', and '.join(places))}." if places else ""
            context.fail(f"No such command {args[0]!r}.{hint}")
        return super().resolve_command(context, args)

    def list_commands(self, context: click.Context) -> list[str]:
        return list(self.commands)  # in the order a newcomer needs them

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        verbs = [(name, self.commands[name].get_short_help_str(limit=SENTENCE)) for name in self.list_commands(context)]
        with formatter.section("Commands"):
            formatter.write_dl(verbs)


def _tell(why: BaseException) -> int:
    """Say what went wrong; the exit status."""
    if isinstance(why, (KeyboardInterrupt, click.Abort)) or str(why) == STOPPED:
        return INTERRUPTED
    if isinstance(why, NoArgsIsHelpError):
        click.echo(why.format_message(), err=True)
        return WRONG
    if isinstance(why, click.UsageError):
        return _complain(_usage(why), WRONG)
    if isinstance(why, VeracityError):
        for line in why.lines:
            _complain(line, why.exit_status)
        return why.exit_status
    if isinstance(why, click.ClickException):
        return _complain(why.format_message(), WRONG)
    if isinstance(why, MemoryError):
        return _complain("there is not enough memory for this", FAILED)
    if isinstance(why, OSError) and why.errno == errno.ENOSPC:
        return _complain("there is no space left where the output goes", FAILED)
    says = f"{type(why).__name__}: {why}".rstrip(": ")
    return _complain(f"unexpected error: {says} (add {TRACEBACK} to see where)", FAILED)


def _usage(why: click.UsageError) -> str:
    where = why.ctx.command_path if why.ctx else "veracity"
    says = why.format_message().rstrip(".")
    if isinstance(why, click.NoSuchOption):
        meant = option_meant(why.option_name, why.ctx.command.params) if why.ctx is not None else ""
        says = f"No such option {why.option_name!r}{f': {meant}' if meant else ''}"
    return f"{says}{_way_out(says)} (see {where} --help)"


def _way_out(says: str) -> str:
    """What was probably meant by a number that is none, or by a word too many."""
    number = NO_NUMBER.search(says)
    if number is not None:
        meant = float(number[1].replace(",", ".")) / (100 if number[2] else 1)
        return f": write {meant:g}"
    return EXTRA if says.startswith("Got unexpected extra argument") else ""


def _complain(says: str, status: int) -> int:
    sentence = spell_out_controls(without_passwords(" ".join(for_command_line(says).split())))
    click.echo(f"{click.style('error', fg='red')}: {sentence}", err=True)
    return status
