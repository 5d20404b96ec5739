"""Two fixed models on the same rows by a standard error: Student's tests over rows or blocks, DeLong's of two areas."""

from __future__ import annotations

from math import isnan, sqrt

import numpy as np

from veracity.comparisons.entry import TestResult, comparison
from veracity.comparisons.paired_resampling import FEWEST, UNDEFINED
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note, check, refuse
from veracity.core.seeds import generator
from veracity.evidence.interval_evidence import WHOLE
from veracity.evidence.predictions import subset
from veracity.evidence.same_rows import SameRows
from veracity.intervals.auc import DELONG_DIFFERENCE, PLAIN_DELONG, delong_error, error_by_class
from veracity.intervals.scored import sampling_notes
from veracity.records.arrays import Array, power_sums

MIN_ROWS_OF_BLOCK = 30
SKEWED = 0.02  # by how much one side may be off: below, tests of skewed and of symmetric differences err alike
ONE_SIDE = (2 * 1.645**2 + 1) * 0.1031  # of Edgeworth's expansion, at .05
CONSTANT = Note(
    "no-spread",
    "refuse",
    "the difference is the same everywhere and not 0, so its spread says nothing: use"
    " paired_permutation, or of right and wrong rows mcnemar_exact",
)
ONE_ROW = refuse("one-row", "one row says nothing about how rows differ: more are needed", lambda pair: len(pair) < 2)
TOO_FEW = refuse(
    "few-rows",
    f"fewer than {FEWEST} rows, or groups of rows, are too few to make a score linear: use paired_permutation",
    lambda pair: pair.units < FEWEST and not pair.of_one_mean,
)
PLAIN_ROWS = refuse(
    "not-iid",
    "this test counts independent rows, and these are weighted or in groups: use paired_delta or paired_permutation",
    lambda pair: pair.sampling is not None,
)
NEVER = Note("never-differ", "remark", "the models never differ: no evidence either way")


T_OF_ROWS = {"reads": SameRows, "assumes": ("IID", "FIX", "PAIR", "NORM"), "letter": "t"}


@comparison("Paired t over blocks", **T_OF_ROWS, cite=("dietterich1998",), limits=(UNDEFINED, PLAIN_ROWS))
def paired_blocks_t(pair: SameRows, *, k: int = 10, seed: int = 0) -> TestResult:
    """Student's test of the difference of any score over k disjoint blocks of the test rows.

    Blocks do not overlap and no model is fitted anew, so their differences are independent, unlike those of k-fold
    cross-validation. Rows are shuffled into blocks of at least 30.
    """
    if k < 2:
        raise BadInput(f"paired_blocks_t: k must be at least 2 blocks, not {k}")
    if len(pair) < 2 * k:
        raise Refused(f"{len(pair)} rows cannot be cut into {k} blocks: use paired_permutation", "small-blocks")
    block = generator(seed, "blocks").permutation(len(pair)) % k
    parts = [[subset(p, block == number) for p in (pair.first, pair.second)] for number in range(k)]
    differences = np.array([SameRows(pair.score, first, second).difference for first, second in parts])
    if not np.isfinite(differences).all():
        raise Refused(
            f"the score is undefined or infinite in some of the {k} blocks: use fewer, or paired_bootstrap",
            "undefined-blocks",
        )
    notes: tuple[Note, ...] = (Note("seed", "remark", f"rows shuffled into {k} blocks with seed {seed}"),)
    if len(pair) < MIN_ROWS_OF_BLOCK * k:
        most = len(pair) // MIN_ROWS_OF_BLOCK
        instead = f"use k = {most} or fewer" if most > 1 else "use paired_permutation"
        says = f"{k} blocks of {len(pair)} rows hold fewer than {MIN_ROWS_OF_BLOCK} rows each: {instead}"
        notes += (Note("small-blocks", "refuse", says),)
    return student_test(differences, notes)


@comparison("Paired t over rows", **T_OF_ROWS, cite=("student1908",), limits=(UNDEFINED, ONE_ROW))
def paired_loss_t(pair: SameRows) -> TestResult:
    """Student's test of the mean difference of a loss over rows.

    For scores that are means over rows: error, accuracy, Brier score, log loss, squared and absolute error. Groups of
    rows count as units, by what they move the mean; unequal ones, and weighted rows, as equal ones that tell as much.
    """
    if not pair.score.averages_rows:
        raise Refused(f"{pair.score} is not a mean over rows: use paired_bootstrap or paired_blocks_t", "not-a-mean")
    if pair.sampling is not None:
        return unit_test(pair)
    first, second = (pair.score.row_values(p) for p in (pair.first, pair.second))
    differences = first - second
    return student_test(differences, _skewness_notes(differences))


def _skewness_notes(differences: Array) -> tuple[Note, ...]:
    """A caution where skewed differences take one side of Student's law off its level by the first of its errors."""
    rows, _, squares, cubes = power_sums(differences - differences.mean())
    spread = sqrt(squares / rows)
    if rows < 3 or not spread > 0 or not np.isfinite(spread):
        return ()
    off = abs(cubes) / rows / spread**3 / (6 * sqrt(rows)) * ONE_SIDE
    says = f"differences of losses are skewed: one side of Student's law is off its level of .05 by about {off:.2g}"
    return (Note("skewed-losses", "caution", f"{says}, which more rows make less"),) if off > SKEWED else ()


@comparison(
    "Paired t of a score made linear",
    **T_OF_ROWS,
    cite=("efron1993", "student1908", "welch1947"),
    limits=(UNDEFINED, ONE_ROW, TOO_FEW),
)
def paired_delta(pair: SameRows) -> TestResult:
    """Student's test of the difference of two scores, whose rows count by what each does to it.

    What a row does to a score is its influence value. For a mean that is its loss, and the test is paired_loss_t; for a
    function of one mean, such as the root, it is what equals the difference when added up. Where classes are scored,
    each has a variance of its own, and the degrees of freedom are Welch's: few rows of a class tell little, as in
    delong_t.
    """
    if pair.sampling is not None:
        return unit_test(pair)
    if pair.of_means or len(pair) < 2:
        return student_test(pair.influence + pair.difference)
    error, df = error_by_class(pair)
    if error == 0:
        return _of_error(pair.difference, 0.0, None, ())
    return TestResult.from_standard_error(pair.difference, error, df)


def unit_test(pair: SameRows) -> TestResult:
    """Student's test of a difference of weighted rows or of groups, each unit counted by what it moves."""
    assert pair.sampling is not None
    linear, largest = pair.linear, float(pair.sampling.shares(np.ones(len(pair), bool)).max())
    error, df = linear.standard_error, linear.degrees
    if isnan(linear.squares) or largest > WHOLE:  # also where that one moves nothing
        of = "group" if linear.clustered else "row"
        raise Refused(
            f"one {of} holds all the weight, and nothing tells how {of}s differ: more are needed", f"one-{of}"
        )
    return _of_error(pair.difference, error, df, sampling_notes(pair.sampling, linear.effective, largest))


def student_test(differences: Array, notes: tuple[Note, ...] = ()) -> TestResult:
    """Student's test that the mean of independent differences is 0."""
    if not np.isfinite(differences).all():
        raise Refused(
            "some differences are infinite, so they have no mean: use a bounded score such as brier", "infinite"
        )
    check((ONE_ROW,), differences)  # whatever is accepted: nothing tells how rows differ
    error = float(differences.std(ddof=1)) / sqrt(len(differences))
    return _of_error(float(differences.mean()), error, len(differences) - 1, notes)


def _of_error(difference: float, error: float, df: float | None, notes: tuple[Note, ...]) -> TestResult:
    """Return the test of a difference by its standard error, which rounding alone does not make."""
    if error == 0 or error <= 1e-12 * abs(difference):  # an undefined difference has an error of 0 too
        error, notes = 0.0, (*notes, NEVER if difference == 0 else CONSTANT)
    return TestResult.from_standard_error(difference, error, df, notes=notes)


@comparison("DeLong's test", interval="delong_difference", **PLAIN_DELONG, letter="z")
def delong_test(pair: SameRows) -> TestResult:
    """Difference of two areas under the ROC curve over its standard error, which knows that rows agree.

    For two classes. Models that order the rows alike have equal areas and nothing to test.
    """
    error, _ = delong_error(pair)
    return TestResult.from_standard_error(pair.difference, error if error > 0 else 0.0)


@comparison(
    "DeLong's test by Student's law",
    **{**DELONG_DIFFERENCE, "cite": (*DELONG_DIFFERENCE["cite"], "welch1947", "obuchowski1997")},
    letter="t",
)
def delong_t(pair: SameRows) -> TestResult:
    """DeLong's test with the degrees of freedom that Welch gives a sum of two variances, one of each class.

    With few rows of a class the standard error is itself uncertain, which the normal law of delong_test leaves out.
    Groups of rows, with what their positive and negative rows have in common, count as Obuchowski counts them.
    """
    if pair.sampling is not None:
        return unit_test(pair)
    error, df = delong_error(pair)
    if not error > 0:
        return TestResult.from_standard_error(pair.difference, 0.0)
    return TestResult.from_standard_error(pair.difference, error, df)
