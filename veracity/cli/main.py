"""The command `veracity`: its verbs, and how it ends."""

from __future__ import annotations

import click

from veracity.cli.program import Program
from veracity.cli.verbs.adjust import adjust
from veracity.cli.verbs.best_threshold import best_threshold
from veracity.cli.verbs.compare import compare
from veracity.cli.verbs.curve import curve
from veracity.cli.verbs.demo import demo
from veracity.cli.verbs.estimate import estimate
from veracity.cli.verbs.explain import explain
from veracity.cli.verbs.list import listing
from veracity.cli.verbs.power import power
from veracity.cli.verbs.rank import rank
from veracity.cli.verbs.report import report
from veracity.cli.verbs.run import run
from veracity.cli.verbs.score import score
from veracity.cli.verbs.status import status

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
  veracity power mcnemar --difference 0.03 --discordant 0.10 --power 0.8
  veracity run study.toml --store results.db --workers 2
  veracity report results.db --scores error,log_loss --out report.html
  veracity list scores
  veracity explain auc

\b
Completion (bash; zsh and fish alike):
  eval "$(_VERACITY_COMPLETE=bash_source veracity)"
"""


@click.group(cls=Program, epilog=EXAMPLES, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--traceback", is_flag=True, help="Show where an unexpected error happened (any place on the line).")
@click.version_option(package_name="veracity", message="veracity %(version)s")
def cli(traceback: bool) -> None:
    """How good a model's predictions are, and how sure that is."""


PREDICTIONS, LEARNERS = (score, curve, best_threshold), (estimate, compare, rank, adjust, power)
for verb in (*PREDICTIONS, *LEARNERS, run, status, report, listing, explain, demo):
    cli.add_command(verb)


def main() -> None:
    """The entry of the command line."""
    cli.main(prog_name="veracity")
