"""The material of a page about one result of a verb: what is asked, the answer, and what stands behind it."""

from __future__ import annotations

from dataclasses import replace
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
from veracity.reports.gather import entries, gather_estimates, methods_of, versions
from veracity.reports.headline import DATA_SETS, SLICES, headline_of_pairs, headline_of_ranking
from veracity.reports.material import Material, show_comparison
from veracity.scores import scores
from veracity.tables.manual import ManualPage
from veracity.tables.result import SentenceResult, TableResult
from veracity.tables.table import Table

Result = TableResult | SentenceResult | Curve | Adjusted | ManualPage | Progress  # what verbs give


def material_of(result: Any, title: str | None, level: float) -> Material:
    """Return what a page of a result says; without title and question of its own it is called by its kind."""
    material = _material(result, level)
    name = title or material.title or type(result).__name__
    return replace(material, title=name, question=material.question or name, about=material.about or (versions(),))


def _material(result: Any, level: float) -> Material:
    """Return title, question, answer and what stands behind it, by the kind of result."""
    tables: tuple[Table, ...]
    match result:
        case Estimate():
            return gather_estimates(Estimates((result,)), {}, "")
        case Estimates():
            return gather_estimates(result, {}, "")
        case Comparison() | Comparisons():
            return _of_comparisons(result)
        case Ranking():
            return Material("", *headline_of_ranking(result), ranking=result, methods=methods_of(None, (), result))
        case Verdicts():
            return Material("", *headline_of_ranking(result), verdicts=result, methods=methods_of(None, result))
        case Curve():
            return Material("", result.title, result.y_title, charts=(result,), notes=result.notes)
        case RiskCurve() | Decompositions():
            chart, table = result.curve(), result.table()
            return Material("", chart.title, table.caption, charts=(chart,), tables=(table,))
        case Failures():
            texts = tuple((f"{row.fits} × {row.reason}", row.traceback) for row in result if row.traceback)
            tables = (replace(result.table(), caption=""),) if result.rows else ()
            return Material("Failures", "What failed, and why?", result.sentence(), tables=tables, texts=texts)
        case Ledger():
            question = "What was asked of these results?"
            return Material("Ledger", question, result.sentence(), tables=result.printed)
        case Optimism():
            tables = (result.table(), result.splits_table())
            question = "What did learners choose, and was it as good?"
            return Material("Tuning", question, result.sentence(), tables=tables)
        case Power():
            return _of_power(result)
        case Adjusted():
            return _of_adjusted(result, level)
        case BestThreshold():
            question, methods = (
                f"From which threshold on is {result.optimised} best?",
                entries([(scores, result.optimised)]),
            )
            about: Any = {"tables": result.tables, "methods": methods}
            return Material("Best threshold", question, result.sentence(), **about)
        case Dominance():
            question = f"Is one of {result.a} and {result.b} better at every false positive rate?"
            return Material("", question, result.sentence())
        case PermutationTest():
            question = f"Is the {result.score} of {result.learner} better than chance?"
            methods = entries([(scores, result.score), (procedures, result.kind)])
            about = {"tables": (result.table(),), "methods": methods, "notes": result.notes}
            return Material("Permutation test", question, result.sentence(), **about)
        case ManualPage():
            terms = tuple((part.title, part.lines) for part in result.sections if part.lines)
            tables = tuple(replace(p.table, caption=p.title) for p in result.sections if p.table is not None)
            question, answer = f"What is {result.name}?", result.sections[0].lines[0]
            return Material(result.name, question, answer, terms=terms, tables=tables)
        case TableResult():  # any other result that is a table
            table = result.table()
            return Material("", table.caption, "see the table", tables=(table,))
        case SentenceResult() | Progress():  # any other that is a sentence, such as what a study would fit
            says = result.sentence() if isinstance(result, SentenceResult) else str(result)
            return Material("", "", says, notes=getattr(result, "notes", ()))
    raise BadInput(
        "a report is made of runs, predictions, or the result of another verb such as estimate, compare or rank,"
        f" not of {type(result).__name__}"
    )


def _of_comparisons(result: Comparison | Comparisons) -> Material:
    pairs = (result,) if isinstance(result, Comparison) else tuple(result)
    notes = () if isinstance(result, Comparison) else result.notes
    parts = SLICES if any(note.code == SIMULTANEOUS for note in notes) else DATA_SETS
    headline = headline_of_pairs(tuple(map(show_comparison, pairs)), parts=parts, notes=notes)
    return Material("", *headline, comparisons=pairs, methods=methods_of(None, pairs), notes=notes)


def _of_power(result: Power) -> Material:
    if result.solved in WORDS:
        question = f"How many {WORDS[result.solved]} does {result.test} need?"
    elif result.solved == "power":
        question = f"How likely is it that {result.test} finds {result.effect}?"
    else:
        question = f"What is the smallest effect that {result.test} finds with {result.size}?"
    methods = entries([(powers, result.test)])
    return Material(f"Power of {result.test}", question, result.sentence(), tables=(result.table(),), methods=methods)


def _of_adjusted(result: Adjusted, level: float) -> Material:
    table = result.table()
    known = [float(row[-1]) for row in table.rows if not np.isnan(row[-1])]
    below = sum(bool(rejects(p, level)) for p in known)
    by = f" by {result.using}" if result.using else ""
    of = f"{below or 'None'} of {plural(len(known), 'adjusted p-value')}{by}"
    answer = f"{of} {'are' if below > 1 else 'is'} at most {1 - level:.2g}."
    question = "Which of the tests still conclude when all are taken together?"
    methods = entries([(adjustments, result.using)])
    return Material("Adjusted p-values", question, answer, tables=(table,), methods=methods)
