"""Standard errors from influence values against the spread of bootstrap replicates, where no ties help."""

import numpy as np
import pytest

from veracity import Ordering
from veracity.scores import scores

NAMES = [
    "auc",
    "partial_auc(max_fpr=0.2)",
    "partial_auc(max_fpr=0.2, standardised=True)",
    "average_precision",
    "equal_error_rate",
    "break_even",
    "max_fbeta",
    "hull_auc",
    "lift_at(fraction=0.2)",
    "gain_area",
]
RANDOM = np.random.default_rng(11)
TRUTH = RANDOM.random(3_000) < 0.3
VALUE = RANDOM.normal(size=3_000) + 1.2 * TRUTH
ORDER = Ordering.of(VALUE, TRUTH)
DRAWS = ORDER.reweigh(RANDOM.multinomial(3_000, ORDER.cells / 3_000, size=400))


@pytest.mark.parametrize("name", NAMES)
def test_standard_error_is_the_spread_of_replicates(name):
    choice = scores.choose(name)
    psi = choice.influence_of(ORDER)
    error = np.sqrt((ORDER.cells * psi**2).sum()) / 3_000
    spread = choice.evaluate(DRAWS).std()
    assert error == pytest.approx(spread, rel=0.15)


@pytest.mark.parametrize("name", NAMES)
def test_sums_of_powers_agree_with_the_values_themselves(name):
    choice = scores.choose(name)
    psi = choice.influence_of(ORDER)
    sums = choice.moments_of(ORDER)
    assert sums == pytest.approx([(ORDER.cells * psi**k).sum() for k in range(4)], rel=1e-6, abs=1e-6)
