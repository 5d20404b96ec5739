"""Cochran's Q: published answers, McNemar's square, enumeration of permutations, and pairs that follow."""

import json
from itertools import permutations, product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from veracity.comparisons.mcnemar import cochran_q
from veracity.contests.compare import compare
from veracity.core.errors import BadInput
from veracity.core.notes import check
from veracity.evidence.make_predictions import predictions
from veracity.evidence.same_rows import Correctness

REFERENCE = Path(__file__).parent.parent / "reference"
PUBLISHED = json.loads((REFERENCE / "mcnemar_cochran_expected.json").read_text())["cochran_q"]
VECTORS = json.loads((REFERENCE / "mlxtend_cochran_q_vectors.json").read_text())


def correctness(table):
    table = np.array(table, bool)
    return Correctness(table, tuple("abcdefgh"[: table.shape[1]]))


@pytest.mark.parametrize("case", PUBLISHED["cases"], ids=lambda case: str(case["Q"]))
def test_published_tables(case):
    found = cochran_q.function(correctness(case["table"]))
    assert (found.statistic, found.df) == (pytest.approx(case["Q"], abs=5e-5), case["df"])


def three_models():
    names = ("ym1", "ym2", "ym3")
    return {name: predictions(VECTORS["y_true"], label=VECTORS[name], classes=[0, 1]) for name in names}


def test_three_models_then_pairs():
    found = compare(three_models(), "error", using="cochran_q")
    assert found.omnibus.statistic == pytest.approx(7.529, abs=5e-4)
    assert found.omnibus.p_value == pytest.approx(0.0232, abs=5e-5)
    assert found.omnibus.df == (2,)
    assert len(found) == 3 and found["ym1", "ym2"].using == "mcnemar_midp"
    assert all(row.adjusted_p_value >= row.p_value and row.n01 is not None for row in found)
    assert "some models differ" in repr(found)
    assert found.to_json()["omnibus"]["method"] == "cochran_q"


def test_an_omnibus_that_does_not_reject_is_said_first():
    models = {name: p for name, p in three_models().items() if name != "ym1"}
    found = compare(models, "accuracy", using="cochran_q")
    assert found.omnibus.p_value > 0.05
    assert found.all_notes[0].weight == "caution"
    assert "not enough to conclude that any models differ" in found.all_notes[0].says


@given(st.integers(0, 30), st.integers(0, 30))
def test_of_two_models_it_is_mcnemar_squared(b, c):
    assume(b + c > 0)
    table = np.repeat([[1, 1], [1, 0], [0, 1], [0, 0]], [3, b, c, 4], axis=0)
    assert cochran_q.function(correctness(table)).statistic == pytest.approx((b - c) ** 2 / (b + c))


TABLE = [[1, 0, 0], [1, 1, 0], [1, 0, 0], [1, 0, 1], [1, 1, 1], [0, 0, 0]]


def test_permuting_within_rows_equals_enumeration():
    seen = cochran_q.function(correctness(TABLE)).statistic
    ways = [list(permutations(row)) for row in TABLE[:4]]
    every = [cochran_q.function(correctness([*rows, *TABLE[4:]])).statistic for rows in product(*ways)]
    expected = np.mean(np.array(every) >= seen - 1e-9)
    found = cochran_q.function(correctness(TABLE), draws=20_000)
    assert found.statistic == pytest.approx(seen)
    assert found.p_value == pytest.approx(expected, abs=0.01)


def test_few_informative_cells_are_cautioned():
    (note,) = check(cochran_q.limits, correctness(TABLE))
    assert note.code == "few-informative"
    assert check(cochran_q.limits, correctness(TABLE * 2)) == ()


def test_models_that_never_disagree():
    assert cochran_q.function(correctness([[1, 1, 1], [0, 0, 0]])).p_value == 1


def test_only_shares_of_right_rows():
    with pytest.raises(BadInput, match="compares error or accuracy"):
        compare(three_models(), "kappa", using="cochran_q")
