"""Compute a confidence interval by name or by default, check its conditions, clip it to the score's range."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from veracity.core.confidence import Confidence
from veracity.core.entry import Choice, DefaultRule, first_fit
from veracity.core.errors import Refused
from veracity.core.notes import Note, accept, always, anyway_notes, check, refuses, unique
from veracity.evidence.counts import Counts
from veracity.evidence.interval_evidence import Proportion, Shares
from veracity.evidence.losses import Losses
from veracity.evidence.ordering import Ordering
from veracity.findings.interval import Interval, Limits
from veracity.intervals import IntervalMethod, intervals
from veracity.intervals.confusion_matrix import RATIOS, SMOOTHED, is_average_of_rates
from veracity.intervals.scored import NO_VIEW, Scored

BOOTSTRAP_ROWS = 100_000  # above this, a bootstrap of rows is made only when asked for
BOOTSTRAP_CELLS = 2_500  # above this, one of a confusion matrix too: ten thousand such matrices take long
OWN = "own"
RATES = ("balanced_accuracy", "balanced_error", "youden")
BEST_OF_ROWS = ("hull_auc", "max_fbeta")
WITHOUT_INTERVAL = {  # scores that have none by default, whatever their rows are, and why
    **dict.fromkeys(
        BEST_OF_ROWS, "its value is the best that these very rows allow, which no interval around it makes good for"
    ),
    "calibration_error": "it is above 0 by chance even of calibrated probabilities, so an interval around it would say"
    " that none are: look at the bins of the calibration curve, or ask for `interval='delta'`",
}
WRONG_SCORE = "wrong-score"
MOST_OFFERED = 3  # names to choose among


def _is_share(m: Scored) -> bool:
    of_counts = m.score.reads == "confusion matrix" and isinstance(m.evidence, Counts)
    return of_counts and m.score.proportion(m.evidence) is not None


def _plain(m: Scored, *names: str) -> bool:
    """Return whether rows are neither weighted nor grouped, and the score is one of these where any are named."""
    return m.evidence.sampling is None and (not names or bool(m.score.is_one_of(*names)))


def _is_of_several_means(m: Scored) -> bool:
    several = isinstance(m.evidence, Losses) and m.evidence.width > 1
    return several and bool(m.score.is_function_of_means) and m.score.link is not None and _plain(m)


DEFAULTS = (
    DefaultRule(
        "scores that name their own", OWN, lambda m: m.score.default_interval is not None, "the score's page names it"
    ),
    DefaultRule(
        "error, rates and other shares of rows",
        "wilson",
        _is_share,
        "near its level at any share, also at 0 and 1; weighted or grouped rows count as effective rows",
    ),
    DefaultRule(
        f"{', '.join(RATES)} of plain rows",
        "square_and_add",
        lambda m: _plain(m, *RATES) and m.averaging in ("", "none"),
        "built from the limits of each rate, so it holds where a rate is 0 or 1",
    ),
    DefaultRule(
        f"{', '.join(RATIOS)} of plain rows",
        "score_ratio",
        lambda m: _plain(m, *RATIOS) and m.averaging == "none",
        "answers also where a rate is 0 or 1",
    ),
    DefaultRule(
        "fbeta(beta=1) of one class, plain rows",
        "f1_exact",
        lambda m: _plain(m, "fbeta") and m.score.value("beta") == 1 and m.averaging == "none",
        "F1 is a function of one share, whose exact limits carry over",
    ),
    DefaultRule(
        "scores of more than 50 classes",
        "delta",
        lambda m: m.score.reads == "confusion matrix" and m.evidence.cells.size > BOOTSTRAP_CELLS,
        "others take long there",
    ),
    DefaultRule(
        "averages over classes of rates, F1, youden and negative_likelihood_ratio, plain rows",
        "square_and_add",
        lambda m: is_average_of_rates(m) and _plain(m),
        "built from the limits of each class, so it holds where a class has few rows",
    ),
    DefaultRule(
        "other scores averaged over classes",
        "delta",
        lambda m: m.averaging in ("macro", "prior", "micro"),
        "influence values of all classes add up; no draws",
    ),
    DefaultRule(
        "kappa, mcc, lift and fbeta of plain rows",
        "delta_half",
        lambda m: _plain(m, *SMOOTHED) and isinstance(m.evidence, Counts),
        "answers also where cells are empty and samples of a bootstrap lose a class",
    ),
    DefaultRule(
        "cost and net_benefit of plain rows",
        "mean_score",
        lambda m: _plain(m, "cost", "net_benefit"),
        "reckons with a dear mistake that was not seen, or once",
    ),
    DefaultRule(
        "other scores of a confusion matrix, plain rows",
        "bca",
        lambda m: m.score.reads == "confusion matrix" and _plain(m),
        "needs no formula of the score, corrects for bias and skewness, and draws cells in place of rows",
    ),
    DefaultRule(
        "auc of 0 or 1",
        "concordant_pairs",
        lambda m: _plain(m, "auc") and isinstance(m.evidence, Ordering) and m.value in (0.0, 1.0),
        "perfect separation has no standard error",
    ),
    DefaultRule(
        "equal_error_rate of two classes, plain rows",
        "equal_rates",
        lambda m: _plain(m, "equal_error_rate") and isinstance(m.evidence, Ordering),
        "needs no density at the threshold, and stays valid when the classes are separated",
    ),
    DefaultRule(
        ", ".join(BEST_OF_ROWS), None, lambda m: m.score.is_one_of(*BEST_OF_ROWS), WITHOUT_INTERVAL["hull_auc"]
    ),
    DefaultRule(
        "auc and other scores of orderings",
        "delta_logit",
        lambda m: m.score.reads == "ordering" and m.score.frame is not None,
        "holds with few rows of a class, in one pass over the rows; groups of rows count as units",
    ),
    DefaultRule(
        "calibration_error",
        None,
        lambda m: m.score.is_one_of("calibration_error"),
        WITHOUT_INTERVAL["calibration_error"],
    ),
    DefaultRule(
        "median_absolute_error of plain rows",
        "order_statistics",
        lambda m: _plain(m, "median_absolute_error"),
        "exact for any law of errors",
    ),
    DefaultRule(
        "functions of several means, such as r2, of plain rows",
        "jackknife_t",
        _is_of_several_means,
        "leaves each row out on a scale where the score varies about evenly to both sides",
    ),
    DefaultRule(
        "mean losses and functions of one mean",
        "hall_t",
        lambda m: m.score.is_function_of_means,
        "takes the skewness of losses away, of which Student's interval knows nothing; groups of rows count as units",
    ),
    DefaultRule(
        "other scores with influence values, among them weighted or grouped ones of those above",
        "delta",
        lambda m: m.linear is not None,
        "what a row or group does to the score is known, so no draws are needed",
    ),
    DefaultRule(
        "all others, up to 100,000 rows",
        "bca",
        lambda m: m.evidence.rows <= BOOTSTRAP_ROWS,
        "needs no formula of the score; corrects bias and skewness",
    ),
    DefaultRule(
        "all others, above 100,000 rows", None, always, "none unless asked for, as `interval='bca'` takes long"
    ),
)


def default_rule(m: Scored) -> DefaultRule:
    """Return the first rule that fits."""
    return first_fit(DEFAULTS, m)


def default_name(m: Scored) -> str | None:
    """Return the interval of that rule, which may be the score's own."""
    rule = default_rule(m)
    own: str | None = m.score.default_interval
    return own if rule.name == OWN else rule.name


def available_intervals(m: Scored) -> tuple[str, ...]:
    """Return the names of a few intervals that can be had: the default one, then those that caution least."""
    if not math.isfinite(m.value):
        return ()
    default = default_name(m)
    available = []
    for entry in intervals:
        draws = any(parameter.name == "draws" for parameter in entry.parameters)
        unfit = entry.only and not m.score.is_one_of(*entry.only)
        always_cautioned = any(limit.weight == "caution" and limit.when is always for limit in entry.limits)
        asks_more = any(parameter.required for parameter in entry.parameters) or (draws and entry.name != default)
        if unfit or always_cautioned or asks_more:
            continue
        try:
            evidence = m.view(entry.reads)
            notes = check(entry.limits, evidence) + tuple(getattr(evidence, "notes", ()))
            limits = Limits(0.0, 0.0) if draws else entry.function(evidence, Confidence())  # draws take long
        except Refused:
            continue
        notes += limits.notes
        if not (math.isnan(limits.low) or math.isnan(limits.high) or refuses(notes)):
            cautions = any(note.weight == "caution" for note in notes)
            available.append((entry.name != default, cautions, not entry.only, entry.name))
    return tuple(name for *_, name in sorted(available, key=lambda rank: rank[:3])[:MOST_OFFERED])


GRADES_SKEWED = Note(
    "skewed-grades",
    "caution",
    "grades are very skewed over items: a few extreme items make the score, and its interval may be too narrow on"
    " their side",
)


def attach_interval(m: Scored, method: Any, at: Confidence, seed: int = 0, anyway: bool = False) -> Interval:
    """Return the interval asked for by name; refused where it is not valid, unless `anyway`, which is recorded."""
    choice = intervals.choose(method).with_seed(seed)
    entry: IntervalMethod = choice.entry
    try:
        if entry.only and not m.score.is_one_of(*entry.only):
            raise Refused(f"{entry.name} is an interval for {' and '.join(entry.only)}, not for {m.score}", WRONG_SCORE)
        if math.isnan(m.value):
            way = f": {m.way_out}" if m.way_out else ""
            raise Refused(f"{m.score} is undefined ({m.undefined}), so it has no interval{way}", "undefined")
        if math.isinf(m.value):
            raise Refused(f"{m.score} is infinite, so it has no interval", "infinite")
        evidence = m.view(entry.reads)
    except Refused as why:
        names = available_intervals(m) if why.code in (WRONG_SCORE, NO_VIEW) else ()
        if not names:
            raise
        *first, last = names
        offer = f"{', '.join(first)} or {last}" if first else last
        raise Refused(f"{why.says}: use {offer}", why.code) from None
    limits = compute_limits(choice, evidence, at, anyway, f" for {m.score}")
    if m.score.needs == "grade":  # of which the bad ones are low
        swapped = (GRADES_SKEWED if note.code == "skewed-losses" else note for note in limits.notes)
        limits = limits._replace(notes=tuple(swapped))
    notes = limits.notes + anyway_notes(entry.name, limits.notes)
    if choice.accepts("seed") and choice.value("shuffle") is not False:  # random numbers are never used in silence
        draws = f"{choice.value('draws')} draws with " if choice.accepts("draws") else "rows shuffled with "
        notes += (Note("seed", "remark", f"{choice.name}: {draws}seed {choice.value('seed')}"),)
    name = entry.name if set(choice.given) <= {"seed"} else choice.spelling
    clipped = f"the {entry.name} limits", f"the range of {m.score.name}"
    interval = make_interval(limits._replace(notes=notes), at, name, entry.assumes, m.score.range, clipped)
    return replace(interval, about=limits.about, answers=getattr(evidence, "answers", ""))


def attach_default(
    m: Scored, at: Confidence, seed: int = 0, name: str | None = None
) -> tuple[Interval | None, tuple[Note, ...]]:
    """Return the default interval (by the table, unless a design names it), or none and a note that says why."""
    if math.isnan(m.value):
        return None, ()
    if math.isinf(m.value):
        return None, (Note("no-interval", "remark", f"{m.score} is infinite, so it has no interval"),)
    name = name or default_name(m)
    if name is None:
        return None, (Note("on-request", "remark", f"{m.score} has no interval by default: {default_rule(m).why}"),)
    try:
        return attach_interval(m, name, at, seed), ()
    except Refused as why:
        return None, (Note("no-interval", "remark", f"{m.score} has no {name} interval here: {why.says}"),)


def compute_limits(choice: Choice, evidence: Any, at: Confidence, anyway: bool = False, of: str = "") -> Limits:
    """Return what a method computes, with all notes; refused where one of them refuses, unless `anyway`."""
    if isinstance(evidence, (Proportion, Shares)):
        evidence = evidence.at(at)
    notes = check(choice.limits, evidence, anyway) + accept(getattr(evidence, "notes", ()), anyway)
    limits: Limits = choice.function(evidence, at)
    limits = limits._replace(notes=notes + accept(limits.notes, anyway))
    return require_numbers(limits, str(choice), of)


def require_numbers(limits: Limits, method: str, of: str = "") -> Limits:
    """Refuse limits that are none."""
    if math.isnan(limits.low) or math.isnan(limits.high):
        raise Refused(f"{method} gives no limits{of} here, whatever is accepted", "no-limits")
    return limits


def make_interval(
    limits: Limits,
    at: Confidence,
    method: str,
    assumes: tuple[str, ...],
    within: tuple[float, float],
    clipped: tuple[str, str],
) -> Interval:
    """Return the interval within a range, which ends the open side of a bound; `clipped` names limits and range."""
    floor, ceiling = within
    low = floor if at.side == "upper" else float(limits.low)
    high = ceiling if at.side == "lower" else float(limits.high)
    notes = limits.notes
    if low < floor or high > ceiling:
        says = f"{clipped[0]} [{low:.4g}, {high:.4g}] were clipped to {clipped[1]}"
        notes += (Note("clipped", "remark", says),)
    low, high = min(max(low, floor), ceiling), max(min(high, ceiling), floor)
    return Interval(low, high, at.level, method, at.side, assumes, unique(notes))
