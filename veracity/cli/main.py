"""The command `veracity`: its verbs, and how it ends."""

from __future__ import annotations

import gc
from collections import UserDict
from importlib import import_module

import click

from veracity.cli.ending import leave
from veracity.cli.program import Program

SELDOM = 50_000  # new objects before a look for garbage, of which loading modules makes none
PREDICTIONS = ("score", "curve", "best_threshold", "worst", "dominance")
LEARNERS = ("estimate", "bbc_cv", "compare", "rank", "replicability", "adjust")
PLANS = ("advise", "power", "interval_width", "finite_class")
EXPERIMENTS = ("learning_curve", "validation_curve", "bias_variance", "permutation_test", "optimism")
STUDIES = ("run", "status", "scores", "failures", "check", "ledger", "report", "export", "serve")
VERBS = (*PREDICTIONS, *LEARNERS, *PLANS, *EXPERIMENTS, *STUDIES, "warm", "lab", "list", "explain", "demo")
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
  veracity scores results.db error --out scores.csv
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


class Verbs(UserDict[str, click.Command]):
    """Commands by name, in the order a newcomer needs them; each is imported when it is asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.data = dict.fromkeys(VERBS)  # type: ignore[assignment]

    def __getitem__(self, name: str) -> click.Command:
        if self.data[name] is None:
            verb = vars(import_module(f"veracity.cli.verbs.{name}"))
            self.data[name] = next(item for item in verb.values() if isinstance(item, click.Command))
        return self.data[name]


@click.group(cls=Program, commands=Verbs(), epilog=EXAMPLES, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--traceback", is_flag=True, help="Show where an unexpected error happened (any place on the line).")
@click.version_option(package_name="veracity", message="veracity %(version)s")
def cli(traceback: bool) -> None:
    """How good a model's predictions are, and how sure that is."""


def main() -> None:
    """The command line, for who calls it in a process of their own: it ends by SystemExit."""
    cli.main(prog_name="veracity")


def command() -> None:
    """The process of the command line, which is over when the command is."""
    gc.set_threshold(SELDOM)
    try:
        main()
    except SystemExit as end:
        leave(end)
