"""The material of a page about one result of a verb: what is asked, the answer, and what stands behind it."""

from __future__ import annotations

from dataclasses import replace
from functools import singledispatch
from typing import Any

import numpy as np

from veracity.adjustments import adjustments
from veracity.adjustments.adjust import Adjusted
from veracity.core.confidence import rejects
from veracity.core.errors import BadInput
from veracity.core.words import plural
from veracity.curves.best_threshold import BestThreshold
from veracity.curves.costs import Dominance
from veracity.evidence.labels import SIMULTANEOUS
from veracity.experiments import procedures
from veracity.findings.comparison import Comparison, Comparisons
from veracity.findings.curve import Curve
from veracity.findings.dataset_tests import Verdicts
from veracity.findings.estimates import Estimate, Estimates
from veracity.findings.experiments import Decompositions, PermutationTest, RiskCurve
from veracity.findings.ledger import Ledger
from veracity.findings.optimism import Optimism
from veracity.findings.planning import WORDS, Power
from veracity.findings.ranking import Ranking
from veracity.findings.run_results import Failures
from veracity.planning import powers
from veracity.records.plan import Progress
from veracity.reports.display import show_comparison
from veracity.reports.gather import gather_estimates
from veracity.reports.headline import DATA_SETS, SLICES, headline_of_pairs, headline_of_ranking, headline_of_verdicts
from veracity.reports.material import Material
from veracity.reports.provenance import entries, methods_of, versions
from veracity.scores import scores
from veracity.tables.manual import ManualPage
from veracity.tables.result import SentenceResult, TableResult

Result = TableResult | SentenceResult | Curve | Adjusted | ManualPage | Progress  # what verbs give


def material_of(result: Any, title: str | None, level: float) -> Material:
    """What a page of a result says; its title and question are the kind of the result where nothing else is known."""
    material = page_of_result(result, level)
    name = title or material.title or type(result).__name__
    return replace(material, title=name, question=material.question or name, about=material.about or (versions(),))


@singledispatch
def page_of_result(result: Any, level: float) -> Material:
    """Title, question, answer and what stands behind it; every kind of result has a function of its own below."""
    raise BadInput(
        "a report is made of runs, predictions, or the result of another verb such as estimate, compare or rank,"
        f" not of {type(result).__name__}"
    )


@page_of_result.register(Estimate)
@page_of_result.register(Estimates)
def _page_of_estimates(result: Estimate | Estimates, level: float) -> Material:
    return gather_estimates(Estimates((result,)) if isinstance(result, Estimate) else result, {}, "")


@page_of_result.register(Comparison)
@page_of_result.register(Comparisons)
def _page_of_comparisons(result: Comparison | Comparisons, level: float) -> Material:
    pairs = (result,) if isinstance(result, Comparison) else tuple(result)
    notes = () if isinstance(result, Comparison) else result.notes
    shown = tuple(map(show_comparison, pairs))
    parts = SLICES if any(note.code == SIMULTANEOUS for note in notes) else DATA_SETS
    headline = headline_of_pairs(shown, parts=parts, notes=notes)
    return Material("", *headline, comparisons=pairs, methods=methods_of(None, pairs), notes=notes)


@page_of_result.register
def _page_of_ranking(result: Ranking, level: float) -> Material:
    return Material("", *headline_of_ranking(result), ranking=result, methods=methods_of(None, (), result))


@page_of_result.register
def _page_of_verdicts(result: Verdicts, level: float) -> Material:
    return Material("", *headline_of_verdicts(result), verdicts=result, methods=methods_of(None, result))


@page_of_result.register
def _page_of_curve(result: Curve, level: float) -> Material:
    return Material("", result.title, result.y_title, charts=(result,), notes=result.notes)


@page_of_result.register
def _page_of_risk_curve(result: RiskCurve, level: float) -> Material:
    chart, table = result.curve(), result.table()
    return Material("", chart.title, table.caption, charts=(chart,), tables=(table,))


@page_of_result.register
def _page_of_decompositions(result: Decompositions, level: float) -> Material:
    chart, table = result.curve(), result.table()
    return Material("", chart.title, table.caption, charts=(chart,), tables=(table,))


@page_of_result.register
def _page_of_table(result: TableResult, level: float) -> Material:
    """Any other result that is a table."""
    table = result.table()
    return Material("", table.caption, "see the table", tables=(table,))


@page_of_result.register
def _page_of_failures(result: Failures, level: float) -> Material:
    texts = tuple((f"{row.fits} × {row.reason}", row.traceback) for row in result if row.traceback)
    tables = (replace(result.table(), caption=""),) if result.rows else ()
    return Material("Failures", "What failed, and why?", result.sentence(), tables=tables, texts=texts)


@page_of_result.register
def _page_of_ledger(result: Ledger, level: float) -> Material:
    return Material("Ledger", "What was asked of these results?", result.sentence(), tables=result.printed)


@page_of_result.register
def _page_of_optimism(result: Optimism, level: float) -> Material:
    tables = (result.table(), result.splits_table())
    return Material("Tuning", "What did learners choose, and was it as good?", result.sentence(), tables=tables)


@page_of_result.register
def _page_of_power(result: Power, level: float) -> Material:
    if result.solved in WORDS:
        question = f"How many {WORDS[result.solved]} does {result.test} need?"
    elif result.solved == "power":
        question = f"How likely is it that {result.test} finds {result.effect}?"
    else:
        question = f"What is the smallest effect that {result.test} finds with {result.size}?"
    methods = entries([(powers, result.test)])
    return Material(f"Power of {result.test}", question, result.sentence(), tables=(result.table(),), methods=methods)


@page_of_result.register
def _page_of_adjusted(result: Adjusted, level: float) -> Material:
    table = result.table()
    known = [float(row[-1]) for row in table.rows if not np.isnan(row[-1])]
    below = sum(bool(rejects(p, level)) for p in known)
    by = f" by {result.using}" if result.using else ""
    of = f"{below or 'None'} of {plural(len(known), 'adjusted p-value')}{by}"
    answer = f"{of} {'are' if below > 1 else 'is'} at most {1 - level:.2g}."
    question = "Which of the tests still conclude when all are taken together?"
    methods = entries([(adjustments, result.using)])
    return Material("Adjusted p-values", question, answer, tables=(table,), methods=methods)


@page_of_result.register
def _page_of_threshold(result: BestThreshold, level: float) -> Material:
    question, methods = f"From which threshold on is {result.optimised} best?", entries([(scores, result.optimised)])
    return Material("Best threshold", question, result.sentence(), tables=result.tables, methods=methods)


@page_of_result.register
def _page_of_dominance(result: Dominance, level: float) -> Material:
    return Material("", f"Is one of {result.a} and {result.b} better at every false positive rate?", result.sentence())


@page_of_result.register
def _page_of_permutation_test(result: PermutationTest, level: float) -> Material:
    question = f"Is the {result.score} of {result.learner} better than chance?"
    methods = entries([(scores, result.score), (procedures, result.kind)])
    parts: Any = {"tables": (result.table(),), "methods": methods, "notes": result.notes}
    return Material("Permutation test", question, result.sentence(), **parts)


@page_of_result.register(SentenceResult)
@page_of_result.register(Progress)
def _page_of_sentence(result: SentenceResult | Progress, level: float) -> Material:
    """Any other result that is a sentence, such as what a study would fit."""
    says = result.sentence() if isinstance(result, SentenceResult) else str(result)
    return Material("", "", says, notes=getattr(result, "notes", ()))


@page_of_result.register
def _page_of_manual(result: ManualPage, level: float) -> Material:
    terms = tuple((part.title, part.lines) for part in result.sections if part.lines)
    tables = tuple(replace(part.table, caption=part.title) for part in result.sections if part.table is not None)
    answer = result.sections[0].lines[0]
    return Material(result.name, f"What is {result.name}?", answer, terms=terms, tables=tables)
