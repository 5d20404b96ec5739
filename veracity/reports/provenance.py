"""How the numbers of a page were made: data, learners and designs, versions, and every method that was used."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from veracity.adjustments import adjustments
from veracity.comparisons import comparisons
from veracity.core import spelling
from veracity.core.catalogue import Catalogue
from veracity.core.environment import version_of
from veracity.core.errors import BadInput
from veracity.designs import designs
from veracity.evidence.runs import Runs
from veracity.findings.comparison import Comparison
from veracity.findings.estimates import Estimates
from veracity.findings.interval import Interval
from veracity.findings.ranking import Ranking
from veracity.intervals import intervals
from veracity.learners.fingerprint import describe
from veracity.posthoc import posthocs
from veracity.risk import estimators
from veracity.scores import scores

LIBRARIES = ("veracity", "numpy", "scipy", "scikit-learn")


def facts_of_study(runs: Runs) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Data and learners with fingerprints, designs, seed and versions."""
    study = runs.store.study()
    facts = {name: study["data"][name] for name in runs.names}
    data = tuple(f"{name}: {of['rows']} rows, fingerprint {of['fingerprint']}" for name, of in facts.items())
    learners = tuple(f"{name}: {_describe_learner(runs, study['learners'][name], name)}" for name in runs.learner_names)
    by = tuple(runs.as_typed(name) for name in runs.designs)
    notes = tuple(line for line in study.get("words", "").splitlines() if line.strip())
    libraries = ("Versions", (_versions_of_fits(runs), f"estimates and this page: {versions()[1][0]}"))
    made = (("Data", data), ("Learners", learners), ("Designs", by), ("Seed", (str(runs.seed),)), libraries)
    return (("Notes", notes), *made) if notes else made


def _describe_learner(runs: Runs, stored: Mapping[str, str], name: str) -> str:
    """What the learner is, as far as the store or this process knows, and its fingerprint."""
    known = stored.get("text") or (describe(runs.learners[name]) if name in runs.learners else "")
    return ", ".join(part for part in (known, f"fingerprint {stored['fingerprint']}") if part)


def _versions_of_fits(runs: Runs) -> str:
    """The libraries that made the predictions, as each fit was stored with them, whoever writes the page."""
    found = runs.store.versions_at(set(runs.places()))
    libraries = (f"{name} {' and '.join(versions)}" for name, versions in found.items())
    return f"fits: {', '.join(libraries) or 'versions unknown, as an older veracity made them'}"


@cache  # they are read from files, and a process keeps the libraries with which it began
def versions() -> tuple[str, tuple[str, ...]]:
    """The libraries of this process, which makes estimates and pages of stored predictions."""
    libraries = [*(f"{name} {version_of(name)}" for name in LIBRARIES), f"Python {platform.python_version()}"]
    return "Versions", (", ".join(libraries),)


def methods_of(
    estimates: Estimates | None, compared: Iterable[Comparison] = (), ranking: Ranking | None = None
) -> tuple[Any, ...]:
    """The entries behind some results, each once, by kind."""
    used: list[tuple[Catalogue[Any], str]] = []  # where it stands, and how it was typed
    for row in estimates or ():
        used += [(scores, row.score), (estimators, row.by), (designs, row.by), (intervals, _method(row.interval))]
    for one in compared:
        used += [(scores, one.score), (comparisons, one.using), (intervals, _method(one.interval))]
    if ranking is not None:
        pairs = posthocs if _name(ranking.judged_by) in posthocs else comparisons
        used += [(scores, ranking.matrix.score), (comparisons, ranking.omnibus.method), (pairs, ranking.judged_by)]
        used += [(adjustments, ranking.then), (posthocs, ranking.then)]
    return entries(used)


def entries(used: Iterable[tuple[Catalogue[Any], str]]) -> tuple[Any, ...]:
    """The entries of some texts that were typed, each once; a text that names none is left out."""
    named = dict.fromkeys((catalogue, _name(text)) for catalogue, text in used)
    return tuple(catalogue[name] for catalogue, name in named if name in catalogue)


def _method(interval: Interval | None) -> str:
    """The method of an interval, which for a comparison may be the test itself."""
    return "" if interval is None else interval.method


def _name(text: str) -> str:
    try:
        return spelling.read(text).name
    except BadInput:  # the text of a foreign splitter, or a score that is only a heading
        return ""
