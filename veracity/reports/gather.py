"""From results to the material of a page."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

import numpy as np

from veracity.adjustments import adjustments
from veracity.comparisons import comparisons
from veracity.core import spelling
from veracity.core.catalogue import Catalogue
from veracity.core.entry import Choice
from veracity.core.errors import BadInput
from veracity.designs import designs
from veracity.evidence.predictions import Predictions, subset
from veracity.evidence.run import Run
from veracity.evidence.runs import Runs
from veracity.findings.comparison import Comparison
from veracity.findings.estimates import Estimates
from veracity.findings.interval import Interval
from veracity.findings.ranking import Ranking
from veracity.intervals import intervals
from veracity.learners.fingerprint import describe
from veracity.posthoc import posthocs
from veracity.records.arrays import Array
from veracity.reports.material import Failure, Strip
from veracity.risk import estimators
from veracity.risk.estimate_run import with_positive
from veracity.risk.score_splits import main_predictions, split_scores
from veracity.scores import scores

LIBRARIES = ("veracity", "numpy", "scipy", "scikit-learn")


@dataclass(frozen=True, eq=False)
class Sight:
    """What one pass over the runs sees of each while it is at hand."""

    models: Mapping[str, Mapping[str, Predictions]]  # by data set, then by learner
    strips: tuple[Strip, ...]
    failed: tuple[Failure, ...]


def see(runs: Runs, score: str) -> Sight:
    """Every run once: test predictions of the first design, the score of every split, and splits that were lost."""
    models: dict[str, dict[str, Predictions]] = {}
    strips, failed = [], []
    choice = scores.choose(score)
    for run in runs:
        if run.failed:
            lost = Failure(run.data, run.learner, run.design.name, run.failed, len(run.design), run.reason)
            failed.append(lost)
        if run.predictions is None:
            continue
        if run.design.name == runs.designs[0]:
            models.setdefault(run.data, {})[run.learner] = _first_repeat(run)
        if len(run.design) > 1 and choice.entry.suits(runs.kind(run.data)):
            strips.append(Strip(run.data, run.learner, score, _score_of_each_split(run, choice)))
    return Sight(models, tuple(strips), tuple(failed))


def _score_of_each_split(run: Run, choice: Choice) -> Array:
    full, _ = with_positive(run, choice)
    return split_scores(choice, full, main_predictions(full)).values


def shown_of(runs: Runs) -> str:
    """Which of all predictions the curves, matrices and the explorer show."""
    return (
        "Curves, the explorer and confusion matrices show each row once, by the first repeat of"
        f" {runs.as_typed(runs.designs[0])}: every row is predicted by a model that had not seen it."
        " Of two classes of which none was named positive, the last in order is taken."
    )


def _first_repeat(run: Run) -> Predictions:
    run, _ = with_positive(run, scores.choose("auc"))
    p = run.predictions
    assert p is not None and p.splits is not None
    first = run.design.splits[0].repeat
    wanted = [number for number in run.design.main_splits if run.design.splits[number].repeat == first]
    return subset(p, np.isin(p.splits, wanted))


def about(runs: Runs) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Data and learners with fingerprints, designs, seed and versions."""
    study = runs.store.study()
    facts = {name: study["data"][name] for name in runs.names}
    data = tuple(f"{name}: {of['rows']} rows, fingerprint {of['fingerprint']}" for name, of in facts.items())
    learners = tuple(f"{name}: {_learner(runs, study['learners'][name], name)}" for name in runs.learner_names)
    by = tuple(runs.as_typed(name) for name in runs.designs)
    return (("Data", data), ("Learners", learners), ("Designs", by), ("Seed", (str(runs.seed),)), versions())


def _learner(runs: Runs, kept: Mapping[str, str], name: str) -> str:
    """What the learner is, as far as the store or this process knows, and its fingerprint."""
    known = kept.get("text") or (describe(runs.learners[name]) if name in runs.learners else "")
    return ", ".join(part for part in (known, f"fingerprint {kept['fingerprint']}") if part)


def versions() -> tuple[str, tuple[str, ...]]:
    """The libraries that made the numbers."""
    said = [*(f"{name} {version(name)}" for name in LIBRARIES), f"Python {platform.python_version()}"]
    return "Versions", (", ".join(said),)


def methods_of(
    estimates: Estimates | None, compared: Iterable[Comparison] = (), ranking: Ranking | None = None
) -> tuple[Any, ...]:
    """The entries behind some results, each once, by kind."""
    used: list[tuple[Catalogue[Any], str]] = []  # where it stands, and how it was typed
    for row in estimates or ():
        used += [(scores, row.score), (estimators, row.by), (designs, row.by), *_interval(row.interval)]
    for one in compared:
        used += [(scores, one.score), (comparisons, one.using), *_interval(one.interval)]
    if ranking is not None:
        pairs = posthocs if _name(ranking.judged_by) in posthocs else comparisons
        used += [(scores, ranking.matrix.score), (comparisons, ranking.omnibus.method), (pairs, ranking.judged_by)]
        used += [(adjustments, ranking.then), (posthocs, ranking.then)]
    return entries(used)


def entries(used: Iterable[tuple[Catalogue[Any], str]]) -> tuple[Any, ...]:
    """The entries of some texts that were typed, each once; a text that names none is left out."""
    named = dict.fromkeys((catalogue, _name(text)) for catalogue, text in used)
    return tuple(catalogue[name] for catalogue, name in named if name in catalogue)


def _interval(found: Interval | None) -> list[tuple[Catalogue[Any], str]]:
    """The method of an interval, which for a comparison may be the test itself."""
    return [] if found is None else [(intervals, found.method)]


def _name(text: str) -> str:
    try:
        return spelling.read(text).name
    except BadInput:  # the text of a foreign splitter, or a score that is only a heading
        return ""


def named_models(source: Any) -> dict[str, Predictions]:
    """One model or several by name."""
    return dict(source) if isinstance(source, Mapping) else {source.name: source}
