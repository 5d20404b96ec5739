"""Models compared on each slice of their rows: as on its rows alone, p-values and intervals for all slices together."""

import numpy as np
import pytest

import veracity as vc
from veracity.core.errors import BadInput, Refused

RANDOM = np.random.default_rng(3)
SIZE = 240
PLACE = np.array(["at", "be", "ch"])[RANDOM.integers(0, 3, SIZE)]
TRUTH = RANDOM.integers(0, 2, SIZE)
SHARP = {"old": 0.2, "new": 0.6, "last": 0.5}
SAID = {k: np.clip(0.5 + s * (TRUTH - 0.5) + 0.3 * RANDOM.normal(size=SIZE), 0.01, 0.99) for k, s in SHARP.items()}
SAMPLING = {
    "plain": {},
    "groups": {"groups": np.arange(SIZE) // 3},
    "weights": {"weights": RANDOM.uniform(0.5, 2, SIZE)},
    "counts": {"counts": RANDOM.integers(1, 4, SIZE)},
}


def models(inside=slice(None), names=("old", "new"), **more):
    more = {name: column[inside] for name, column in more.items()}
    return {k: vc.predictions(TRUTH[inside], proba=SAID[k][inside], positive=1, **more) for k in names}


@pytest.mark.parametrize("sampling", SAMPLING)
@pytest.mark.parametrize("score", ["error", "auc", "brier", "mcc"])
def test_a_slice_is_compared_as_its_rows_alone_would_be(score, sampling):
    more = SAMPLING[sampling]
    found = vc.compare(models(**more), score, slices=PLACE)
    assert [row.data for row in found] == ["at", "be", "ch"]
    for row in found:
        alone = vc.compare(models(row.data == PLACE, **more), score, level=1 - 0.05 / 3)
        assert (row.using, row.difference, row.p_value, row.facts) == (
            alone.using,
            alone.difference,
            alone.p_value,
            alone.facts,
        )
        assert (row.interval.low, row.interval.high) == (alone.interval.low, alone.interval.high)
        assert row.notes == tuple(note for note in alone.notes if note.code != "default") and row.level == 0.95
    assert [row.adjusted_p_value for row in found] == pytest.approx(vc.adjust([row.p_value for row in found]))


def test_every_pair_of_several_models_on_every_slice_is_one_family():
    found = vc.compare(models(names=SHARP), "brier", slices=PLACE, then="bonferroni")
    assert len(found) == 9
    assert all(row.adjusted_p_value == pytest.approx(min(1, 9 * row.p_value)) for row in found)
    assert found["new", "last", "be"].data == "be"
    with pytest.raises(
        BadInput, match="old, new leaves several comparisons, add the slice or data set: there are old, new, at; "
    ):
        found["old", "new"]
    (note,) = (note for note in found.notes if note.code == "simultaneous-level")
    assert "3 slices: each interval has level 0.983333, so that all of one pair" in note.says


def test_the_table_names_the_slice_and_the_sentence_the_level():
    found = vc.compare(models(), "brier", slices=PLACE)
    assert [row[0] for row in found.table().rows] == ["at", "be", "ch"] and found.table().columns[0].title == "data"
    assert " on be, 98.33% interval [" in str(found["old", "new", "be"])


def test_a_slice_that_cannot_be_compared_is_told_and_counts_as_untested():
    place = PLACE.copy()
    place[:2] = "li"
    more = {"groups": np.arange(SIZE) // 2}
    found = vc.compare(models(**more), "error", slices=place)
    assert [row.data for row in found] == ["at", "be", "ch"]
    (left,) = (note for note in found.notes if note.code == "left-out")
    assert left.weight == "caution" and left.says.startswith("li, old and new: one group holds all the weight")
    with_one = vc.adjust([*(row.p_value for row in found), 1.0])
    assert [row.adjusted_p_value for row in found] == pytest.approx(with_one[:3])
    assert {row.interval.level for row in found} == {1 - 0.05 / 4}
    assert left.says in vc.report(found).html
    with pytest.raises(Refused, match="no slice can be compared; li, old and new: one group holds all the weight"):
        vc.compare(models(slice(0, 2), **more), "error", slices=place[:2])


def test_notes_of_some_slices_name_them():
    place = np.where(np.arange(SIZE) < 60, "few", "many")
    found = vc.compare(models(groups=np.arange(SIZE) // 3), "error", slices=place)
    says = {note.says for note in found.all_notes if note.code == "clustered-rows"}
    assert {
        "few: rows come in 20 groups, which count as units",
        "many: rows come in 60 groups, which count as units",
    } == says


def test_one_model_against_a_value_on_each_slice():
    found = vc.compare(models()["new"], "error", slices=PLACE, using="one_sample(value=0.5)")
    alone = vc.compare(models(PLACE == "ch")["new"], "error", using="one_sample(value=0.5)")
    assert found[2].p_value == alone.p_value and found[2].b == "0.5"


FOLDS = {k: vc.predictions(TRUTH, proba=said, positive=1, fold=np.arange(SIZE) % 5) for k, said in SAID.items()}


@pytest.mark.parametrize(
    ("source", "how", "says"),
    [
        (models(), {"slices": PLACE[1:]}, "slices has 239 rows, but the predictions have 240: they must match"),
        (models(), {"then": "shaffer"}, "shaffer reads a pair once, and these are of several slices or scores: use"),
        (models(), {"using": "cochran_q"}, "pairs of fixed models by their predictions, not cochran_q of all together"),
        (models(), {"using": "mcnemar", "score": "auc"}, "no slice can be compared; at, old and new: a test of right"),
        (FOLDS, {}, "`slices=` compares pairs of fixed models by their predictions, not "),
        (vc.pairs(n01=3, n10=9, of=90), {}, "`slices=` compares pairs of fixed models by their predictions, not "),
        ({k: vc.errors(e, of=90) for k, e in (("a", 9), ("b", 12))}, {}, "`slices=` compares pairs of fixed models"),
    ],
)
def test_what_has_no_slices_is_one_sentence(source, how, says):
    with pytest.raises(BadInput, match=says):
        vc.compare(source, **{"score": "error", "slices": PLACE, **how})
