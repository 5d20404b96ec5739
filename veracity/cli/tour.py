"""The steps of `veracity demo`, each with the line that does it."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from veracity.api.compare import compare
from veracity.api.estimate import estimate
from veracity.cli.models import as_read, read_models
from veracity.cli.output import deliver
from veracity.cli.summary import lead, matrices, shape
from veracity.core.errors import BadInput
from veracity.records.comparison import Comparison
from veracity.records.predictions import Predictions

KINDS = ("roc", "precision_recall", "calibration")
SCORES = ("error", "auc", "average_precision", "fbeta", "mcc", "brier", "log_loss")
COLUMNS = {"truth": "diagnosis", "proba": ("p_malignant",), "positive": "malignant", "rows": "id"}
READ = "--truth diagnosis --proba p_malignant --positive malignant --rows id"
Models = Mapping[str, Predictions]


@dataclass(frozen=True)
class Tour:
    """Where files go and how much is said."""

    folder: Path
    level: float = 0.95
    seed: int = 0
    silent: bool = False

    def say(self, *lines: str) -> None:
        if not self.silent:
            click.echo("\n".join(lines))

    @property
    def pattern(self) -> str:
        return f"'{self.folder / '*.csv'}'"


def tour(folder: str, level: float, seed: int, as_json: bool, out: str | None) -> None:
    """Fit, write the predictions, score them, compare them, draw them."""
    plan = Tour(_made(folder), level, seed, as_json)
    files = _fit(plan)
    models = read_models(files, COLUMNS)
    figures = {kind: str(plan.folder / f"{kind}.png") for kind in KINDS}
    verdict = compare(models, "error", level=level)
    assert isinstance(verdict, Comparison)  # of two models
    _score(plan, files, models, verdict, list(figures.values()), as_json, out)
    _compare(plan, verdict)
    _draw(plan, models, figures)


def _made(folder: str) -> Path:
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as why:
        raise BadInput(f"the folder {folder} cannot be made: {why.strerror}") from None
    return Path(folder)


def _fit(plan: Tour) -> list[str]:
    """One file of predictions per model, all on the same held-out rows."""
    plan.say("1. Two scikit-learn models learn from half of the breast cancer data; the other half tests them.")
    files = []
    for name, rows in _predictions(plan.seed).items():
        file = plan.folder / f"{name}.csv"
        with file.open("w", newline="", encoding="utf-8") as stream:
            csv.writer(stream).writerows([("id", "diagnosis", "p_malignant"), *rows])
        files.append(str(file))
    plan.say(f"   wrote their predictions: {' '.join(files)}", "")
    return files


def _predictions(seed: int) -> dict[str, list[tuple[Any, ...]]]:
    from sklearn.datasets import load_breast_cancer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import train_test_split
    from sklearn.naive_bayes import GaussianNB
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    data = load_breast_cancer()
    names, y = data.target_names, data.target
    train, test = train_test_split(range(len(y)), test_size=0.5, stratify=y, random_state=seed)
    learners = {"logistic": make_pipeline(StandardScaler(), LogisticRegression()), "naive_bayes": GaussianNB()}
    out = {}
    for name, learner in learners.items():
        chance = learner.fit(data.data[train], y[train]).predict_proba(data.data[test])[:, 0]
        out[name] = [(row, names[y[row]], float(p)) for row, p in zip(test, chance, strict=True)]
    return out


def _score(
    plan: Tour,
    files: list[str],
    models: Models,
    verdict: Comparison,
    figures: list[str],
    as_json: bool,
    out: str | None,
) -> None:
    plan.say("2. Scores, each with its interval.", f"   $ veracity score {plan.pattern} {READ} {' '.join(SCORES)}", "")
    found = estimate(models, SCORES, level=plan.level, seed=plan.seed)
    read = {name: as_read(p) for name, p in models.items()}
    content = {**shape(read, found), "comparison": verdict.to_json(), "figures": figures}
    deliver("veracity demo", (*matrices(read), found.table()), lambda: content, as_json, out, lead(files, read))


def _compare(plan: Tour, verdict: Comparison) -> None:
    a, b = verdict.a, verdict.b
    plan.say(
        "",
        "3. Is one really better? Both were tried on the same rows, so their errors are compared row by row.",
        "   >>> import veracity as vc",
        *(f"   >>> {name} = {_line_of(plan.folder / name)}" for name in (a, b)),
        f'   >>> print(vc.compare({{"{a}": {a}, "{b}": {b}}}, "error", using="{verdict.using}"))',
        f"   {verdict.n01} rows only {a} gets wrong, {verdict.n10} rows only {b} gets wrong.",
        f"   {verdict}",
        "",
    )


def _line_of(file: Path) -> str:
    columns = 'truth="diagnosis", proba="p_malignant", positive="malignant", rows="id"'
    return f"vc.read_predictions({str(file) + '.csv'!r}, {columns})"


def _draw(plan: Tour, models: Models, figures: Mapping[str, str]) -> None:
    from veracity.api.plot import plot

    plan.say("4. The curves, both models on one chart.")
    for kind, file in figures.items():
        saving: Any = plot(models, kind)
        saving.savefig(file, dpi=150)
        plan.say(f"   $ veracity curve {plan.pattern} {READ} --kind {kind} --out {file}")
    plan.say("", "Next: veracity list scores, veracity explain auc, veracity score --help")
