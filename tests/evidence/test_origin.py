"""Folds and repeats given beside predictions."""

import numpy as np
import pytest

from veracity import BadInput, Refused, best_threshold, compare, estimate, predictions, score, scorecard
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
    assert estimate(p, "error").rows[0].interval.method == "conservative_t"


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
    assert estimate(p, "error").rows[0].interval.method == "cv_wald"  # as runs by leave_one_out have
    with pytest.raises(BadInput, match="19 rows"):
        predictions(TRUTH, label=LABEL, fold=np.arange(19))


def test_other_splits_are_not_compared():
    p, q = predictions(TRUTH, label=LABEL, fold=FOLD), predictions(TRUTH, label=LABEL, fold=np.arange(20) % 4)
    with pytest.raises(Refused, match="same folds"):
        compare({"a": p, "b": q}, "error")


TWICE = {"y": np.tile(TRUTH, 2), "label": np.tile(LABEL, 2)}


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"fold": np.tile(FOLD, 2), "rows": np.tile(np.arange(20), 2)}, "a row comes twice in the same fold"),
        ({"fold": np.repeat([0, 1, 2, 3], 10), "rows": np.arange(40) // 2}, "comes twice in the same fold"),
        ({"fold": np.arange(40) % 4, "rows": np.r_[np.nan, 1:40]}, "rows: row 0 holds no label"),
        ({"fold": np.arange(40) % 4, "rows": np.r_[0:20, 1:20, 0]}, "has several truths, so `rows=` does not tell"),
        ({"fold": [f"Resample{k:02d}" for k in np.tile(FOLD, 2)]}, "a row may come in several repeats"),
        ({"fold": [f"Bootstrap{k:02d}" for k in np.tile(FOLD, 2)]}, "a row may come in several repeats"),
    ],
)
def test_rows_that_cannot_be_those_of_folds(more, says):
    with pytest.raises(BadInput, match=says):
        predictions(**TWICE, **more)


def test_a_column_of_training_and_test_rows_is_no_fold():
    with pytest.raises(Refused, match="no test of it") as why:
        predictions(TRUTH, label=LABEL, fold=np.where(FOLD, "Train", "test"))
    assert why.value.code == "training-rows"


def test_a_column_that_names_rows_is_no_fold():
    rows = 20_000
    with pytest.raises(BadInput, match="too many for folds"):
        predictions(np.arange(rows) % 2, label=np.arange(rows) % 2, fold=np.arange(rows))


def test_parts_that_share_rows_are_repeats_of_their_own():
    random = np.random.default_rng(2)
    parts = [np.sort(random.permutation(20)[:7]) for _ in range(12)]
    rows, fold = np.concatenate(parts), [f"Resample{k:02d}" for k, part in enumerate(parts) for _ in part]
    p = predictions(TRUTH[rows], label=LABEL[rows], fold=fold, rows=rows)
    assert p.origin.design.name == "12 splits of a file" and p.different_rows == len(set(rows.tolist()))
    assert len({split.repeat for split in p.origin.design.splits}) == 12
    assert estimate(p, "error").rows[0].interval.method == "conservative_t"


def test_groups_on_both_sides_are_told():
    whole = predictions(TRUTH, label=LABEL, fold=FOLD, groups=2 * FOLD + np.arange(20) % 2)
    torn = predictions(TRUTH, label=LABEL, fold=FOLD, groups=np.arange(20) % 3)
    codes = [[note.code for note in estimate(p, "error").rows[0].notes] for p in (whole, torn)]
    assert ["group-on-both-sides" in each for each in codes] == [False, True]
    compared = compare({"a": torn, "b": torn}, "error")
    assert {"group-on-both-sides", "training-rows-taken"} <= {note.code for note in compared.notes}


def test_numbers_of_folds_are_measured_against_their_training_rows():
    number = TRUTH + 0.1 * np.arange(20)
    card = scorecard(predictions(number, number=number + 0.2, fold=FOLD))
    assert "relative_squared_error" in [row.score for row in card]


def test_one_model_of_folds_against_a_value():
    with pytest.raises(Refused, match="the interval of estimate"):
        compare(predictions(TRUTH, label=LABEL, fold=FOLD), "error", using="one_sample(value=0.1)")


def test_places_in_a_file_of_folds_are_no_names_of_rows():
    value = np.linspace(0, 1, 20)
    p = predictions(TRUTH, value=value, positive=1, fold=FOLD)
    q = predictions(TRUTH, value=value[::-1] ** 2, positive=1, fold=FOLD)
    assert best_threshold(p, "youden").on(q).rows
    with pytest.raises(Refused, match="rows that chose the threshold"):
        best_threshold(p, "youden").on(predictions(TRUTH, value=value, positive=1, fold=FOLD))
