"""The command `veracity`: its subcommands, its exit status, and what it says of errors.

Exit status: 0 done, 1 failed, 2 wrong call or bad input, 130 interrupted.
"""

from __future__ import annotations

import errno
import os
import re
import sys
from collections import UserDict
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import click
from click.exceptions import NoArgsIsHelpError

from veracity.cli.suggestions import suggest_commands, suggest_option
from veracity.core.errors import VeracityError
from veracity.core.index import whereabouts
from veracity.core.words import for_command_line, spell_out_controls, without_passwords

DONE, FAILED, WRONG, INTERRUPTED = 0, 1, 2, 130
TRACEBACK = "--traceback"
MAX_HELP_LETTERS = 200  # the first sentence of every command is shown whole
NO_NUMBER = re.compile(r"'(-?\d*[.,]?\d+) ?(%?)' is not a valid float")  # in per cent, or with a comma
EXTRA = ": is the name of an option missing, or are there no quotes around several words?"
DUCKDB_INTERRUPTED = "Query interrupted"  # what duckdb makes of Ctrl-C, as a RuntimeError
# In the order in which a newcomer needs them, each with the module of `veracity.cli.commands` that it stands in.
COMMANDS = {
    **dict.fromkeys(("score", "curve", "best_threshold", "worst", "dominance"), "predictions"),
    **dict.fromkeys(("estimate", "bbc_cv"), "learners"),
    **dict.fromkeys(("compare", "rank", "replicability"), "comparing"),
    **dict.fromkeys(("adjust", "advise", "power", "interval_width", "finite_class"), "planning"),
    **dict.fromkeys(("learning_curve", "validation_curve", "bias_variance", "permutation_test"), "experiments"),
    **dict.fromkeys(("run", "status", "ledger", "report", "export"), "studies"),
    **dict.fromkeys(("serve", "warm"), "manual"),
    "lab": "simulation",
    **dict.fromkeys(("list", "explain", "demo"), "manual"),
}
# Names of commands by which a part of another command may be called: `veracity scores` is `veracity export --scores`.
PARTS = {
    "optimism": ("estimate", "--optimism"),
    "failures": ("status", "--failures"),
    "check": ("status", "--check"),
    "scores": ("export", "--scores"),
}
EXAMPLES = """
\b
Start here:
  veracity demo
  veracity score preds.csv --truth y --proba p_spam --positive spam
  veracity curve preds.csv --truth y --proba p_spam --positive spam --kind roc --out roc.png
  veracity best_threshold validation.csv test.csv --truth y --proba p_spam --positive spam --costs FP=1 --costs FN=5
  veracity estimate data.csv --target y --learner sklearn.naive_bayes:GaussianNB error
  veracity compare preds.csv --truth y --label a --label b error
  veracity rank results.csv --then bergmann_hommel
  veracity adjust p.csv --using holm
  veracity advise preds.csv --truth y --label a --label b
  veracity power mcnemar --difference 0.03 --discordant 0.10 --power 0.8
  veracity learning_curve data.csv --target y --learner sklearn.naive_bayes:GaussianNB --out curve.svg
  veracity run study.toml --store results.db --workers 2
  veracity export results.db --scores error --out scores.csv
  veracity ledger results.db
  veracity report results.db --scores error,log_loss --out report.html
  veracity serve
  veracity list scores
  veracity explain auc
  veracity lab coverage --world "shares(share=0.3)" --method wald --method wilson --rows 40

\b
Completion (bash; zsh and fish alike):
  eval "$(_VERACITY_COMPLETE=bash_source veracity)"
"""


class CommandGroup(click.Group):
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
            status = _report_error(why)
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
                command = self.commands[context.invoked_subcommand]
                why.ctx = click.Context(command, parent=context, info_name=context.invoked_subcommand)
            raise
        except KeyboardInterrupt:
            raise click.Abort from None  # which, unlike the interrupt itself, ends without an empty line
        return result

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        name = name.replace("-", "_")  # learning-curve is learning_curve
        if context.parent is None and name in PARTS:
            name = PARTS[name][0]
        return super().get_command(context, name)

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Suggest commands for one that is not there, which click does not do before 8.4."""
        if args[0][:1] != "-" and not context.resilient_parsing and self.get_command(context, args[0]) is None:
            near = suggest_commands(args[0], {**self.commands, **(PARTS if context.parent is None else {})})
            near = [" ".join(PARTS.get(name, (name,))) for name in near]
            several = "one of: " if len(near) > 1 else ""
            hint = f" Did you mean {several}{', '.join(map(repr, near))}?" if near else ""
            places = whereabouts(args[0]) if context.parent is None else ()
            hint += f" It is {for_command_line(', and '.join(places))}." if places else ""
            context.fail(f"No such command {args[0]!r}.{hint}")
        name, command, words = super().resolve_command(context, args)
        if context.parent is None and name in PARTS and command is not None:
            new_name, option = PARTS[name]
            if {"-h", "--help"} & {*words}:
                described = next(parameter for parameter in command.params if option in parameter.opts)
                meaning = str(getattr(described, "help", "")).removeprefix("In place of these: ")
                click.echo(click.wrap_text(f"veracity {name} is veracity {new_name} {option}: {meaning}") + "\n")
            words = [option, *words]
        return name, command, words

    def list_commands(self, context: click.Context) -> list[str]:
        return list(self.commands)  # in the order a newcomer needs them

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        names = self.list_commands(context)
        with formatter.section("Commands"):
            formatter.write_dl(
                [(name, self.commands[name].get_short_help_str(limit=MAX_HELP_LETTERS)) for name in names]
            )


class LazyCommands(UserDict[str, click.Command]):
    """Commands by name; the module of each is imported when it is asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.data = dict.fromkeys(COMMANDS)  # type: ignore[assignment]

    def __getitem__(self, name: str) -> click.Command:
        if self.data[name] is None:
            module = import_module(f"veracity.cli.commands.{COMMANDS[name]}")
            commands = [one for one in vars(module).values() if isinstance(one, click.Command)]
            self.data[name] = next(one for one in commands if str(one.name).replace("-", "_") == name)
        return self.data[name]


@click.group(
    cls=CommandGroup, commands=LazyCommands(), epilog=EXAMPLES, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.option("--traceback", is_flag=True, help="Show where an unexpected error happened (any place on the line).")
@click.version_option(package_name="veracity", message="veracity %(version)s")
def cli(traceback: bool) -> None:
    """How good a model's predictions are, and how sure that is."""


def command() -> None:
    """Run the command line, which ends by SystemExit."""
    cli.main(prog_name="veracity")


def _report_error(why: BaseException) -> int:
    """Say what went wrong, and return the exit status."""
    if isinstance(why, (KeyboardInterrupt, click.Abort)) or str(why) == DUCKDB_INTERRUPTED:
        return INTERRUPTED
    if isinstance(why, NoArgsIsHelpError):
        click.echo(why.format_message(), err=True)
        return WRONG
    if isinstance(why, click.UsageError):
        return _print_error(_usage_message(why), WRONG)
    if isinstance(why, VeracityError):
        for line in why.lines:
            _print_error(line, why.exit_status)
        return why.exit_status
    if isinstance(why, click.ClickException):
        return _print_error(why.format_message(), WRONG)
    if isinstance(why, MemoryError):
        return _print_error("there is not enough memory for this", FAILED)
    if isinstance(why, OSError) and why.errno == errno.ENOSPC:
        return _print_error("there is no space left where the output goes", FAILED)
    message = f"{type(why).__name__}: {why}".rstrip(": ")
    return _print_error(f"unexpected error: {message} (add {TRACEBACK} to see where)", FAILED)


def _usage_message(why: click.UsageError) -> str:
    """Return what is wrong with a call, what was probably meant, and where the help is."""
    message = why.format_message().rstrip(".")
    if isinstance(why, click.NoSuchOption):
        meant = suggest_option(why.option_name, why.ctx.command.params) if why.ctx is not None else ""
        message = f"No such option {why.option_name!r}{f': {meant}' if meant else ''}"
    number = NO_NUMBER.search(message)
    if number is not None:
        meant_number = float(number[1].replace(",", ".")) / (100 if number[2] else 1)
        message += f": write {meant_number:g}"
    elif message.startswith("Got unexpected extra argument"):
        message += EXTRA
    return f"{message} (see {why.ctx.command_path if why.ctx else 'veracity'} --help)"


def _print_error(message: str, status: int) -> int:
    text = spell_out_controls(without_passwords(" ".join(for_command_line(message).split())))
    click.echo(f"{click.style('error', fg='red')}: {text}", err=True)
    return status
