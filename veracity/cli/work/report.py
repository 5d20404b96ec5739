"""The work of `veracity report`: the page of a study, its tables or its JSON."""

from __future__ import annotations

from collections.abc import Sequence

from veracity.cli.output import Result
from veracity.cli.work.stored import read_stored
from veracity.core.spelling import split_spellings
from veracity.findings.comparison import Comparisons
from veracity.reports.report import report


def report_study(
    where: str, store: str | None, scores: Sequence[str], title: str | None, level: float, seed: int
) -> Result:
    """The report of a store or of a study file, as a page, tables or JSON."""
    runs, questions = read_stored(where, store)
    asked = [name for text in scores for name in split_spellings(text)]
    page = report(runs, asked or None, title=title, level=level, seed=seed, questions=questions)
    m = page.material
    tables = [Comparisons(m.comparisons).table()] if m.comparisons else []
    if m.estimates is not None:
        tables.append(m.estimates.table())
    after = (m.tuning.short_table(),) if m.tuning else ()
    return Result(m.title, tuple(tables), page.to_json, m.answer, lambda: page, after)
