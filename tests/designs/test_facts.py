"""Facts of a design, against looking at every pair of splits."""

from itertools import combinations

import numpy as np
import pytest
from sklearn.model_selection import ShuffleSplit

from veracity.core.errors import BadInput
from veracity.designs.facts import design_facts, design_parts
from veracity.designs.make_design import make_design
from veracity.records.design import Rows, SplitPart

ROWS = Rows(43, np.arange(43) % 3)
ASKED = ["kfold(k=5)", "repeated_kfold(k=4, repeats=3)", "bootstrap(draws=12)", "repeated_holdout", "leave_one_out"]


def overlap(sets):
    """Mean over pairs of what two share, over the mean size."""
    shared = np.mean([len(one & other) for one, other in combinations(sets, 2)])
    return shared / np.mean([len(one) for one in sets])


@pytest.mark.parametrize("asked", [*ASKED, ShuffleSplit(5, test_size=0.3)], ids=str)
def test_overlap_is_that_of_all_pairs(asked):
    design = make_design(asked, ROWS, 0)
    found = design_facts(design)
    assert found.test_overlap == pytest.approx(overlap([set(split.test.tolist()) for split in design.splits]))
    assert found.train_overlap == pytest.approx(overlap([set(split.train.tolist()) for split in design.splits]))
    assert found.test_over_train == pytest.approx(design.test_share)
    assert found.splits == len(design)


def test_known_facts_of_kfold():
    found = design_facts(make_design("kfold(k=5)", Rows(40), 0))
    assert (found.test_overlap, found.train_overlap) == (0, pytest.approx(3 / 4))
    assert found.test_over_train == pytest.approx(1 / 4)
    assert found.disjoint_tests and found.tested_once_per_repeat
    assert found.train_sizes.tolist() == [32] * 5 and found.test_sizes.tolist() == [8] * 5
    assert not found.replacement and not found.tests_training and found.repeats == 1


@pytest.mark.parametrize("k", [3, 7, 10])
def test_test_over_train_is_one_over_k_minus_one_for_any_fold_sizes(k):
    assert design_facts(make_design(f"repeated_kfold(k={k}, repeats=2)", ROWS, 0)).test_over_train == pytest.approx(
        1 / (k - 1)
    )


@pytest.mark.parametrize(
    ("asked", "once", "disjoint", "replacement", "tests_training"),
    [
        ("repeated_kfold(k=5, repeats=2)", True, False, False, False),
        ("leave_one_out", True, True, False, False),
        ("holdout", False, True, False, False),
        ("bootstrap(draws=20)", False, False, True, False),
        ("resubstitution", True, True, False, True),
        ("five_by_two", True, False, False, False),
    ],
)
def test_what_holds_for_which(asked, once, disjoint, replacement, tests_training):
    found = design_facts(make_design(asked, ROWS, 0))
    said = (found.tested_once_per_repeat, found.disjoint_tests, found.replacement, found.tests_training)
    assert said == (once, disjoint, replacement, tests_training)


def test_facts_of_one_part():
    design = make_design("nested_cv_bates(k=4, repeats=2)", ROWS, 0)
    assert tuple(map(str, design_parts(design)[:3])) == ("one out", "two out 0 1", "two out 0 2")
    assert (
        design_facts(design, SplitPart("one out")).tested_once_per_repeat
        and not design_facts(design).tested_once_per_repeat
    )
    assert design_facts(design, SplitPart("two out", (0, 1))).splits == 2
    with pytest.raises(BadInput, match="has no part 'full': it has 'one out', 'two out 0 1'"):
        design_facts(design, SplitPart("full"))
