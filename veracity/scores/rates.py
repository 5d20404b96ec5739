"""Shares of rows that a confusion matrix tells."""

from __future__ import annotations

from veracity.core.notes import caution
from veracity.evidence.counts import Counts
from veracity.records.arrays import Array
from veracity.scores.on_counts import count_score, rate

Share = tuple[Array, Array]
NO_ROWS = "there are no rows"
NO_POSITIVE, NO_NEGATIVE = "there are no positive rows", "there are no negative rows"
NONE_SELECTED, ALL_SELECTED = "nothing is predicted positive", "nothing is predicted negative"


def _is_skewed(counts: Counts) -> bool:
    return bool((counts.of_truth.max(-1) > 0.9 * counts.total).any())


def _baseline(counts: Counts) -> str:
    share = float((counts.of_truth.max(-1) / counts.total).max())
    return f" (accuracy {share:.4g}, error {1 - share:.4g})"


SKEW = caution(
    "skewed-classes",
    "one class holds more than 90 % of the rows: always naming it would already do that well",
    _is_skewed,
    _baseline,
)


@count_score("Error", better="lower", share=True, mean=True, undefined=NO_ROWS, limits=(SKEW,), cite=("witten2011",))
def error(c: Counts) -> Share:
    """Share of rows predicted wrong."""
    return c.total - c.correct, c.total


@count_score("Accuracy", share=True, mean=True, undefined=NO_ROWS, limits=(SKEW,), cite=("witten2011",))
def accuracy(c: Counts) -> Share:
    """Share of rows predicted right."""
    return c.correct, c.total


@rate("Precision", undefined=NONE_SELECTED, micro_is_accuracy=True, cite=("rijsbergen1979",))
def precision(c: Counts) -> Share:
    """Share of the rows predicted positive that are positive."""
    return c.tp, c.tp + c.fp


@rate("Recall", undefined=NO_POSITIVE, micro_is_accuracy=True, prior_is_accuracy=True, cite=("rijsbergen1979",))
def recall(c: Counts) -> Share:
    """Share of the positive rows that are predicted positive (sensitivity, true positive rate)."""
    return c.tp, c.tp + c.fn


@rate("Specificity", undefined=NO_NEGATIVE, cite=("fawcett2006",))
def specificity(c: Counts) -> Share:
    """Share of the negative rows that are predicted negative."""
    return c.tn, c.tn + c.fp


@rate("False positive rate", better="lower", undefined=NO_NEGATIVE, cite=("fawcett2006",))
def false_positive_rate(c: Counts) -> Share:
    """Share of the negative rows that are predicted positive."""
    return c.fp, c.fp + c.tn


@rate("False negative rate", better="lower", undefined=NO_POSITIVE, cite=("fawcett2006",))
def false_negative_rate(c: Counts) -> Share:
    """Share of the positive rows that are predicted negative."""
    return c.fn, c.tp + c.fn


@rate("Negative predictive value", undefined=ALL_SELECTED, cite=("fawcett2006",))
def negative_predictive_value(c: Counts) -> Share:
    """Share of the rows predicted negative that are negative."""
    return c.tn, c.tn + c.fn


@rate("False discovery proportion", better="lower", undefined=NONE_SELECTED, cite=("fawcett2006",))
def false_discovery_proportion(c: Counts) -> Share:
    """Share of the rows predicted positive that are negative."""
    return c.fp, c.tp + c.fp


@rate("False omission rate", better="lower", undefined=ALL_SELECTED, cite=("fawcett2006",))
def false_omission_rate(c: Counts) -> Share:
    """Share of the rows predicted negative that are positive."""
    return c.fn, c.fn + c.tn


@rate("Positive rate", undefined=NO_ROWS, cite=("witten2011",), judges=False)
def positive_rate(c: Counts) -> Share:
    """Share of rows predicted positive."""
    return c.tp + c.fp, c.total


@rate("Prevalence", undefined=NO_ROWS, cite=("witten2011",), judges=False, reads_predictions=False)
def prevalence(c: Counts) -> Share:
    """Share of rows that are positive."""
    return c.tp + c.fn, c.total
