"""Folds and repeats given beside predictions."""

import numpy as np
import pytest

from veracity import BadInput, Refused, compare, estimate, predictions, score
from veracity.evidence.run import run_of_predictions

TRUTH = np.tile([0, 1], 10)
LABEL = np.where(np.arange(20) % 7 == 0, 1 - TRUTH, TRUTH)
FOLD = np.repeat([0, 1, 2, 3], 5)


def test_folds_make_the_design():
    p = predictions(TRUTH, label=LABEL, fold=FOLD)
    assert p.provenance == "several models" and p.origin.design.name == "kfold(k=4)"
    run = run_of_predictions(p)
    assert [split.test.tolist() for split in run.design.splits] == [list(range(a, a + 5)) for a in (0, 5, 10, 15)]
    assert all(len(split.train) == 15 for split in run.design.splits)
    assert estimate(p, "error").rows[0].interval.method == "corrected_t"


def test_the_order_of_lines_does_not_matter():
    mixed = np.random.default_rng(1).permutation(20)
    p = predictions(TRUTH, label=LABEL, fold=FOLD, rows=np.arange(20))
    q = predictions(TRUTH[mixed], label=LABEL[mixed], fold=FOLD[mixed], rows=mixed)
    assert run_of_predictions(p).design.fingerprint == run_of_predictions(q).design.fingerprint
    assert estimate(p, "error").rows[0].interval == estimate(q, "error").rows[0].interval
    assert compare({"a": p, "b": q}, "error").p_value == 1


def test_repeats_need_row_ids_and_never_count_as_new_rows():
    twice = {
        "y": np.tile(TRUTH, 2),
        "label": np.tile(LABEL, 2),
        "fold": np.tile(FOLD, 2),
        "repeat": np.repeat([1, 2], 20),
    }
    with pytest.raises(BadInput, match="rows="):
        predictions(**twice)
    p = predictions(**twice, rows=np.tile(np.arange(20), 2))
    assert p.origin.design.name == "repeated_kfold(k=4, repeats=2)" and p.origin.design.rows == 20
    assert score(p, "error") == score(predictions(TRUTH, label=LABEL, fold=FOLD), "error")


def test_one_column_can_name_both():
    names = [f"Fold{fold + 1}.Rep{repeat}" for repeat in (1, 2) for fold in FOLD]
    p = predictions(np.tile(TRUTH, 2), label=np.tile(LABEL, 2), fold=names, rows=np.tile(np.arange(20), 2))
    assert p.origin.design.name == "repeated_kfold(k=4, repeats=2)"
    with pytest.raises(BadInput, match="rows="):
        predictions(np.tile(TRUTH, 2), label=np.tile(LABEL, 2), fold=names)


@pytest.mark.parametrize("role", ["fold", "repeat"])
def test_one_value_is_one_model(role):
    with pytest.raises(BadInput, match=f"{role} holds one value"):
        predictions(TRUTH, label=LABEL, **{role: np.ones(20)})


def test_models_on_the_same_rows_are_no_folds():
    with pytest.raises(Refused, match="several models on the same rows"):
        predictions(
            np.tile(TRUTH, 2), label=np.tile(LABEL, 2), repeat=np.repeat([1, 2], 20), rows=np.tile(range(20), 2)
        )


def test_a_fold_for_each_row():
    p = predictions(TRUTH, label=LABEL, fold=np.arange(20))
    assert estimate(p, "error").rows[0].interval is None  # leaving one out has none
    with pytest.raises(BadInput, match="19 rows"):
        predictions(TRUTH, label=LABEL, fold=np.arange(19))


def test_other_splits_are_not_compared():
    p, q = predictions(TRUTH, label=LABEL, fold=FOLD), predictions(TRUTH, label=LABEL, fold=np.arange(20) % 4)
    with pytest.raises(Refused, match="same folds"):
        compare({"a": p, "b": q}, "error")
