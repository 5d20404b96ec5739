"""The material of a page about one result of a verb: what is asked, the answer, and what stands behind it."""

from __future__ import annotations

from dataclasses import replace
from functools import singledispatch
from typing import Any

import numpy as np

from veracity.adjustments import adjustments
from veracity.adjustments.adjust import Adjusted
from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.core.words import plural
from veracity.curves.best_threshold import BestThreshold
from veracity.curves.dominance import Dominance
from veracity.experiments import procedures
from veracity.findings.comparison import Comparison, Comparisons
from veracity.findings.curve import Curve
from veracity.findings.estimate import Estimate
from veracity.findings.estimates import Estimates
from veracity.findings.permutation_test import PermutationTest
from veracity.findings.power import WORDS, Power
from veracity.findings.ranking import Ranking
from veracity.findings.risk_curve import RiskCurve
from veracity.findings.verdicts import Verdicts
from veracity.planning import powers
from veracity.records.plan import Progress
from veracity.reports.gather import gather_estimates
from veracity.reports.headline import headline_of_pairs
from veracity.reports.material import Material
from veracity.reports.provenance import entries, methods_of, versions
from veracity.scores import scores
from veracity.tables.manual import ManualPage
from veracity.tables.printable import Printable, PrintableSentence
from veracity.tables.table import Table

Result = Printable | PrintableSentence | Curve | Adjusted | ManualPage | Progress  # what verbs give
RANKED = "Which learner is better?"


@singledispatch
def material_of(result: Any, title: str | None, level: float) -> Material:
    """What a page of this result says; every kind of result has a function of its own below."""
    raise BadInput(
        "a report is made of runs, predictions, or the result of another verb such as estimate, compare or rank,"
        f" not of {type(result).__name__}"
    )


@material_of.register
def _estimates_material(result: Estimates, title: str | None, level: float) -> Material:
    return gather_estimates(result, {}, title or "Estimates")


@material_of.register
def _estimate_material(result: Estimate, title: str | None, level: float) -> Material:
    return gather_estimates(Estimates((result,)), {}, title or "Estimate")


@material_of.register
def _comparison_material(result: Comparison, title: str | None, level: float) -> Material:
    return _pairs_material((result,), title or "Comparison")


@material_of.register
def _comparisons_material(result: Comparisons, title: str | None, level: float) -> Material:
    return _pairs_material(tuple(result), title or "Comparisons")


def _pairs_material(pairs: tuple[Comparison, ...], title: str) -> Material:
    methods = methods_of(None, pairs)
    return Material(title, *headline_of_pairs(pairs), comparisons=pairs, about=(versions(),), methods=methods)


@material_of.register
def _ranking_material(result: Ranking, title: str | None, level: float) -> Material:
    methods, about = methods_of(None, (), result), (versions(),)
    return Material(title or "Ranking", RANKED, result.sentence(), ranking=result, about=about, methods=methods)


@material_of.register
def _verdicts_material(result: Verdicts, title: str | None, level: float) -> Material:
    methods, about = methods_of(None, result), (versions(),)
    return Material(title or "Verdicts", RANKED, result.sentence(), verdicts=result, about=about, methods=methods)


@material_of.register
def _curve_material(result: Curve, title: str | None, level: float) -> Material:
    name, about = title or "Curve", (versions(),)
    return Material(name, result.title, result.y_title, charts=(result,), about=about, notes=result.notes)


@material_of.register
def _risk_curve_material(result: RiskCurve, title: str | None, level: float) -> Material:
    chart, table = result.curve(), result.table()
    name, about = title or "RiskCurve", (versions(),)
    return Material(name, chart.title, table.caption, charts=(chart,), tables=(table,), about=about)


@material_of.register
def _table_material(result: Printable, title: str | None, level: float) -> Material:
    """Any other result that is a table."""
    table, name = result.table(), title or type(result).__name__
    return Material(name, table.caption or name, "see the table", tables=(table,), about=(versions(),))


@material_of.register
def _power_material(result: Power, title: str | None, level: float) -> Material:
    if result.solved in WORDS:
        question = f"How many {WORDS[result.solved]} does {result.test} need?"
    elif result.solved == "power":
        question = f"How likely is it that {result.test} finds {result.effect}?"
    else:
        question = f"What is the smallest effect that {result.test} finds with {result.size}?"
    methods = entries([(powers, result.test)])
    return _sentence_material(title or f"Power of {result.test}", question, str(result), (result.table(),), methods)


@material_of.register
def _adjustment_material(result: Adjusted, title: str | None, level: float) -> Material:
    table = result.table()
    known = [float(row[-1]) for row in table.rows if not np.isnan(row[-1])]
    below = sum(p < 1 - level for p in known)
    by = f" by {result.using}" if result.using else ""
    of = f"{below or 'None'} of {plural(len(known), 'adjusted p-value')}{by}"
    answer = f"{of} {'are' if below > 1 else 'is'} below {1 - level:.2g}."
    question = "Which of the tests still conclude when all are taken together?"
    methods = entries([(adjustments, result.using)])
    return _sentence_material(title or "Adjusted p-values", question, answer, (table,), methods)


@material_of.register
def _threshold_material(result: BestThreshold, title: str | None, level: float) -> Material:
    question = f"From which threshold on is {result.optimised} best?"
    methods = entries([(scores, result.optimised)])
    return _sentence_material(title or "Best threshold", question, result.sentence(), (result.table(),), methods)


@material_of.register
def _dominance_material(result: Dominance, title: str | None, level: float) -> Material:
    question = f"Is one of {result.a} and {result.b} better at every false positive rate?"
    return _sentence_material(title or "Dominance", question, str(result))


@material_of.register
def _permutation_test_material(result: PermutationTest, title: str | None, level: float) -> Material:
    question = f"Is the {result.score} of {result.learner} better than chance?"
    methods = entries([(scores, result.score), (procedures, result.kind)])
    return _sentence_material(
        title or "Permutation test", question, str(result), (result.table(),), methods, notes=result.notes
    )


@material_of.register(PrintableSentence)
@material_of.register(Progress)
def _other_sentence_material(result: Any, title: str | None, level: float) -> Material:
    """Any other result that is a sentence, such as what a study would fit."""
    name = title or type(result).__name__
    return _sentence_material(name, name, str(result), notes=getattr(result, "notes", ()))


@material_of.register
def _manual_material(result: ManualPage, title: str | None, level: float) -> Material:
    terms = tuple((part.title, part.lines) for part in result.sections if part.lines)
    tables = tuple(replace(part.table, caption=part.title) for part in result.sections if part.table is not None)
    name, question, about = title or result.name, f"What is {result.name}?", (versions(),)
    return Material(name, question, result.sections[0].lines[0], terms=terms, tables=tables, about=about)


def _sentence_material(
    title: str,
    question: str,
    answer: str,
    tables: tuple[Table, ...] = (),
    methods: tuple[Any, ...] = (),
    notes: tuple[Note, ...] = (),
) -> Material:
    """A result that is a sentence, with the numbers in it."""
    return Material(title, question, answer, tables=tables, about=(versions(),), methods=methods, notes=notes)
