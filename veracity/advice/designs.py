"""Which design to choose before anything is run: each is rehearsed with made-up learners on the rows at hand."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from typing import Any

import numpy as np

from veracity.advice.detectable import TARGET_POWER
from veracity.advice.questions import situation_of_run
from veracity.advice.trials import CANNOT, Attempt, Situation, nearest_figures
from veracity.comparisons import comparisons
from veracity.contests.compare import ComparisonSpec, compare_pair
from veracity.contests.score_sources import source_of_learners
from veracity.core.confidence import Confidence
from veracity.core.entry import Choice
from veracity.core.errors import BadInput, Refused
from veracity.core.measurement import Measurement
from veracity.core.notes import Note
from veracity.core.seeds import generator
from veracity.core.words import plural
from veracity.evidence.run import Run, predictions_of_splits
from veracity.findings.advice import ORDER, Advice, MethodAdvice
from veracity.intervals import intervals
from veracity.planning.power import power
from veracity.records.arrays import freeze
from veracity.records.data import Data
from veracity.records.design import Design
from veracity.risk.designs import design_for
from veracity.risk.estimate_run import EstimateRequest, estimate_run

DESIGNS = (  # what people choose from
    "kfold(k=10)",
    "repeated_kfold(k=10, repeats=5)",
    "repeated_kfold(k=10, repeats=10)",
    "repeated_holdout(repeats=25, test=0.1)",
    "holdout",
    "five_by_two",
    "paired_subsampling",
    "leave_one_out",
    "resubstitution",
)
ESTIMATORS = ("nested_cv_bates", "loo_bootstrap(draws=1000)", "boot632plus(draws=200)")  # of one learner alone
ROWS = 600  # of a rehearsal: the sizes that methods warn of are all smaller
ENOUGH = 50  # fits of a learner that are not many
ERRORS, FLIPPED = 0.15, 0.03  # of a made-up learner: rows it always gets wrong, and those that a model of it adds
DISCORDANT = 0.1  # of the rows, those on which one of two learners alone is right, where nobody knows
HELD, REJECTED = 0.93, 0.06  # what a measured coverage, or error rate, must not fall short of, or exceed


@dataclass(frozen=True)
class Plan:
    """A data set that is to be learned by so many learners, on so many data sets, each fit taking so long."""

    table: Data
    learners: int
    datasets: int = 1
    seconds: float | None = None  # of one fit
    budget: float | None = None  # seconds that all fits may take


def advise_on_designs(
    plan: Plan, question: str, score: Choice, at: Confidence, seed: int, difference: float | None
) -> Advice:
    """Every design with what it costs, what its usual interval or test was measured to do, and what it can show."""
    rehearsal = Rehearsal(_sample(plan.table, seed), score, at, seed)
    rows = [_row(by, plan, question, rehearsal) for by in (*DESIGNS, *(ESTIMATORS if question == "estimate" else ()))]
    ordered = sorted(rows, key=lambda row: _preference(row, plan))
    best = ordered[0]
    fit = "" if plan.seconds is None else f", {plan.seconds:.3g} s each"
    notes: tuple[Note, ...] = (
        Note("rehearsed", "remark", f"designs were rehearsed with made-up learners on {len(rehearsal.table)} rows"),
        Note(
            "cost",
            "remark",
            f"fits are of {plural(plan.learners, 'learner')} on {plural(plan.datasets, 'data set')}{fit}",
        ),
    )
    if any(row.sees for row in rows):
        often = f"four times out of five where one learner alone is right on {DISCORDANT:.0%} of the rows"
        says = f"sees: the difference of errors that is found {often}, as far as rows alone make scores vary"
        notes += (Note("smallest-difference", "remark", says),)
    if best.verdict == "no":
        answer = f"{CANNOT}: {best.why}."
    else:
        cost = plural(best.fits or 0, "fit") + (f", about {best.seconds:.3g} s" if best.seconds is not None else "")
        care = f", with care ({best.why})" if best.verdict == "care" else ""
        answer = f"Run `by={best.name!r}` ({cost}){care}."
    if difference is not None and question != "estimate" and (best.sees or inf) > abs(difference):
        discordant = max(DISCORDANT, abs(difference))
        needed = power("conservative_t_rows", difference=abs(difference), discordant=discordant, power=TARGET_POWER)
        seldom = f"{len(plan.table):,} rows seldom show a difference of {abs(difference):g} by these designs"
        says = f"{seldom}: about {needed.rows:,} do"
        notes = (Note("too-small", "caution", says), *notes)
        answer = f"This can hardly be concluded from this data: {says}; {answer[0].lower()}{answer[1:]}"
    first = replace(best, default=best.verdict != "no")
    return Advice(question, answer, (first, *ordered[1:]), notes)


def _row(by: str, plan: Plan, question: str, rehearsal: Rehearsal) -> MethodAdvice:
    try:
        design = design_for(by, rehearsal.table.for_designs, rehearsal.seed)
    except (BadInput, Refused) as refusal:
        return MethodAdvice(by, "design", "no", refusal.says)
    found, method, width, here = rehearsal.judge(design, question)
    here = replace(here, rows=round(here.rows * len(plan.table) / len(rehearsal.table)))
    width = None if width is None else width * float(np.sqrt(len(rehearsal.table) / len(plan.table)))
    why = "; ".join((*(note.says for note in found.cautions), *found.refusals))
    figures = nearest_figures(method, here) if method is not None else ()
    usual = f"its usual {method.kind} is {method.name}" if method is not None else ""
    failing = next((one for one in figures if _fails(one)), None)
    measured = f"measured: {failing.noun} {failing.figure:.1%} in {failing.world}" if failing is not None else ""
    why = "; ".join(filter(None, (why, usual, measured)))
    each = len(plan.table) if by == "leave_one_out" else len(design)
    fits = each * plan.learners * plan.datasets
    seconds = None if plan.seconds is None else fits * plan.seconds
    sees = _smallest(design, plan, method, rehearsal) if question != "estimate" else None
    return MethodAdvice(by, "design", found.verdict, why, figures, fits=fits, seconds=seconds, sees=sees, width=width)


def _fails(one: Measurement) -> bool:
    """Return whether a measured coverage or error rate is not what it should be."""
    away = 2 * one.error
    if one.noun == "coverage":
        return one.figure + away < HELD
    return one.noun == "error rate" and one.figure - away > REJECTED


def _preference(row: MethodAdvice, plan: Plan) -> tuple[Any, ...]:
    """Return the order of designs: allowed, affordable, as it should be where measured, most sensitive, cheapest."""
    each = (row.fits or 0) / (plan.learners * plan.datasets)
    paid = each <= ENOUGH if plan.budget is None or row.seconds is None else row.seconds <= plan.budget
    fails = any(_fails(one) for one in row.measured)
    sees = next((number for number in (row.sees, row.width) if number is not None), inf)
    return row.verdict == "no", not paid, fails or not row.measured, ORDER.index(row.verdict), sees, row.fits or 0


def _smallest(design: Design, plan: Plan, method: Any, rehearsal: Rehearsal) -> float | None:
    """Return the smallest difference of errors that the usual test finds, as far as rows alone make scores vary."""
    if rehearsal.table.kind != "classes" or method is None:
        return None
    scale = len(plan.table) / len(rehearsal.table)
    splits = [design.splits[number] for number in design.main_splits]
    train, test = np.mean([(split.learned_from, len(split.test)) for split in splits], axis=0) * scale
    told: dict[str, Any] = {"power": TARGET_POWER, "level": rehearsal.at.level}
    try:
        if method.is_one_of("mcnemar_midp"):
            return power("mcnemar_midp", rows=round(test), discordant=DISCORDANT, **told).difference
        if not method.is_one_of("corrected_t", "conservative_t"):
            return None
        sd = float(np.sqrt(DISCORDANT / test))
        sizes: dict[str, Any] = {"splits": len(splits), "train": float(train), "test": float(test)}
        return power(method.name, sd=sd, **sizes, **told).difference
    except (BadInput, Refused):
        return None


def _sample(table: Data, seed: int) -> Data:
    """Return some rows without features, in their order, where there are many."""
    keep = np.arange(len(table))
    if len(table) > ROWS:
        keep = np.sort(generator(seed, "rehearsed rows").choice(len(table), ROWS, replace=False))
    parts: dict[str, Any] = {
        name: None if getattr(table, name) is None else freeze(getattr(table, name)[keep])
        for name in ("truth", "weights", "time", "test")
    }
    groups = None if table.groups is None else freeze(np.unique(table.groups[keep], return_inverse=True)[1])
    parts |= {"features": np.zeros((len(keep), 1)), "columns": ("made up",), "categorical": ()}
    return replace(table, groups=groups, **parts)


@dataclass(frozen=True)
class Rehearsal:
    """Two made-up learners on some rows: the machinery that will judge the real ones judges these."""

    table: Data
    score: Choice
    at: Confidence
    seed: int

    def judge(self, design: Design, question: str) -> tuple[Attempt, Any, float | None, Situation]:
        """Return how the usual interval or test does by a design, the method, its width, and the situation."""
        runs = {name: self._run(design, name) for name in ("a", "b")}
        here = situation_of_run(runs["a"], self.score)
        method, width = None, None
        try:
            if question == "estimate":
                request = EstimateRequest(self.score, self.score.spelling, self.at, seed=self.seed)
                row = estimate_run(runs["a"], request)
                if row.interval is None:
                    why = [note.says for note in row.notes if note.code in ("no-interval", "on-request")]
                    raise Refused(f"no interval: {why[0]}" if why else "it has no interval", "no-interval")
                method = intervals.choose(row.interval.method).entry
                width = row.interval.high - row.interval.low
                notes = row.all_notes
            else:
                source = source_of_learners(runs, self.score, self.score.spelling)
                method = comparisons[source.default]
                spec = ComparisonSpec(comparisons.choose(source.default), at=self.at, seed=self.seed)
                notes = compare_pair(source, spec, "a", "b").all_notes
        except (BadInput, Refused) as why_not:
            return Attempt(refusals=(why_not.says,)), method, width, here
        return Attempt(notes, answers=1), method, width, here

    def _run(self, design: Design, name: str) -> Run:
        tests = [split.test for split in design.splits]
        index = np.concatenate(tests)
        splits = np.repeat(np.arange(len(tests), dtype=np.int32), [len(test) for test in tests])
        table = self.table
        random = generator(self.seed, "made-up learner", name)
        if table.kind == "classes":  # wrong on some rows always, and on a few now and then
            classes, always = len(table.classes), random.random(len(table)) < ERRORS
            wrong = always[index] ^ (random.random(len(index)) < FLIPPED)
            label = np.where(wrong, (table.truth[index] + 1) % classes, table.truth[index])
            highest = 0.55 + 0.4 * random.random(len(index))
            proba = np.repeat(((1 - highest) / (classes - 1))[:, None], classes, axis=1)
            proba[np.arange(len(index)), label] = highest
            outputs = {"proba": freeze(proba)}
        else:
            scale = float(np.std(table.truth)) or 1.0
            own, model = random.normal(size=len(table)), random.normal(size=len(index))
            outputs = {"number": freeze(table.truth[index] + scale * (0.5 * own[index] + 0.1 * model))}
        p = predictions_of_splits(table, design, index, splits, outputs, name)
        return Run(table.name, name, design, p, table.truth)
