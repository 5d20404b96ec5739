"""Scores per group of rows, with intervals that hold together."""

import numpy as np
import pytest

import veracity as vc
from veracity import lab

RANDOM = np.random.default_rng(8)
SIZE = 240
COUNTRY = np.array(["at", "be", "ch"])[np.arange(SIZE) % 3]
CHANCE = RANDOM.random(SIZE)
TRUTH = (RANDOM.random(SIZE) < CHANCE).astype(int)
P = vc.predictions(TRUTH, proba=CHANCE, positive=1)


def test_each_slice_is_scored_on_its_own_rows():
    table = vc.slices(P, COUNTRY, ["error", "brier"])
    assert [(row.data, row.score) for row in table][:3] == [("at", "error"), ("at", "brier"), ("be", "error")]
    inside = COUNTRY == "be"
    alone = vc.predictions(TRUTH[inside], proba=CHANCE[inside], positive=1)
    assert table["be", "brier"].value == pytest.approx(vc.score(alone, "brier"))
    assert table["be", "error"].rows == 80


def test_intervals_have_the_adjusted_level_and_a_note_says_so():
    table = vc.slices(P, COUNTRY, "error", level=0.94)
    assert [row.interval.level for row in table] == pytest.approx([0.98] * 3)
    inside = COUNTRY == "at"
    alone = vc.predictions(TRUTH[inside], proba=CHANCE[inside], positive=1)
    exact = vc.estimate(alone, "error", interval="clopper_pearson", level=0.98)["error"].interval
    assert (table["at"].interval.low, table["at"].interval.method) == (exact.low, "clopper_pearson")
    assert [note.weight for note in table.notes if note.code == "exact-shares"] == ["remark"]
    (note,) = (note for note in table.notes if note.code == "simultaneous-level")
    assert "3 slices" in note.says and "0.98" in note.says and "0.94 (Bonferroni)" in note.says


@pytest.mark.parametrize(
    ("p", "names"),
    [
        (P, ["error", "auc", "brier"]),
        (vc.predictions(TRUTH, label=TRUTH[::-1], positive=1), ["error"]),
        (vc.predictions(TRUTH, value=CHANCE, positive=1), ["auc"]),
        (vc.predictions(CHANCE, number=CHANCE + RANDOM.normal(size=SIZE)), ["rmse"]),
        (
            vc.predictions(TRUTH, proba=CHANCE, positive=1, labelled="positives"),
            ["false_negative_rate", "positive_rate", "recall"],
        ),
    ],
)
def test_without_names_the_usual_scores(p, names):
    table = vc.slices(p, COUNTRY)
    assert [row.score for row in table if row.data == "at"] == names


def test_a_share_of_slices_is_exact_unless_another_is_named():
    def methods(p, **how):
        return {row.interval.method for row in vc.slices(p, COUNTRY, "error", **how)}

    assert methods(P) == methods(P, side="lower") == {"clopper_pearson"} and methods(P, interval="wilson") == {"wilson"}
    assert {row.interval.method for row in vc.slices(P, np.full(SIZE, "all"), "error")} == {"wilson"}


def test_intervals_of_shares_of_all_slices_hold_together():
    """Ten slices of 20 rows at an error of .1: by the sum over all counts Wilson's hold together in 89 %."""
    together = {
        method: lab.coverage("shares(share=0.1)", methods=method, rows=20, level=0.995)[0].coverage ** 10
        for method in ("wilson", "clopper_pearson")
    }
    assert together["wilson"] < 0.9 and together["clopper_pearson"] >= 0.95


def test_other_scores_of_small_slices_are_cautioned():
    """Brier scores of four slices of 30 rows held together in 89 %, of 50 rows in 93 %, of 100 in 97 %."""
    few = vc.slices(P, np.arange(SIZE) % 5, ["brier", "error"])
    cautioned = {row.score for row in few if "small-slice" in {note.code for note in row.notes}}
    assert cautioned == {"brier"}
    assert not [note for row in vc.slices(P, COUNTRY, "brier") for note in row.notes if note.code == "small-slice"]


def test_several_models_side_by_side():
    table = vc.slices({"old": P, "new": vc.predictions(TRUTH, proba=1 - CHANCE, positive=1)}, COUNTRY, "error")
    assert table["new", "ch"].value == pytest.approx(1 - table["old", "ch"].value)


def test_a_slice_of_one_class_is_undefined_not_an_error():
    table = vc.slices(P, np.where(TRUTH == 1, "yes", "no"), "auc")
    assert table["yes"].value.reason == "only one of the two classes has rows"


def test_slices_keep_groups_and_weights():
    groups = np.arange(SIZE) // 6
    p = vc.predictions(TRUTH, proba=CHANCE, positive=1, groups=groups, weights=1 + CHANCE)
    row = vc.slices(p, COUNTRY, "error")["at"]
    assert {"weighted-rows", "clustered-rows"} <= {note.code for note in row.all_notes}


def test_labels_of_other_types_name_their_slices():
    table = vc.slices(P, np.arange(SIZE) % 2, "error")
    assert [row.data for row in table] == ["0", "1"]


@pytest.mark.parametrize(
    ("by", "says"),
    [
        (COUNTRY[:-1], "by has 239 rows, but the predictions have 240"),
        ([None] + ["x"] * (SIZE - 1), "by: row 0 holds no label"),
    ],
)
def test_a_bad_column_is_named(by, says):
    with pytest.raises(vc.BadInput, match=says):
        vc.slices(P, by)


def test_only_predictions_can_be_sliced():
    with pytest.raises(vc.BadInput, match="slices needs predictions, not Counts"):
        vc.slices(vc.Counts([[1, 2], [3, 4]]), ["a", "b"])
