import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veracity.core.confidence import Confidence
from veracity.core.errors import Refused
from veracity.evidence.interval_evidence import Area
from veracity.intervals.auc import hanley_mcneil_error
from veracity.intervals.compute import attach_interval

TRUTH = (1, 1, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0)


def by_definition(value, truth):
    """Area and variance from the matrix of all pairs."""
    value, truth = np.asarray(value, float), np.asarray(truth)
    gap = value[truth == 1][:, None] - value[truth == 0]
    pairs = (gap > 0) + 0.5 * (gap == 0)
    return pairs.mean(), pairs.mean(1).var(ddof=1) / pairs.shape[0] + pairs.mean(0).var(ddof=1) / pairs.shape[1]


def test_examples(ordered):
    assert ordered("auc", -np.arange(14), TRUTH).view(Area).standard_error == pytest.approx(0.1185, abs=0.5e-4)
    tied = ordered("auc", [0.95, 0.93, 0.93, 0.88, 0.70, 0.60], [1, 1, 0, 1, 0, 0]).view(Area)
    assert tied.standard_error == pytest.approx(0.1925, abs=0.5e-4)


def test_clip_is_flagged(ordered):
    found = attach_interval(ordered("auc", -np.arange(14), TRUTH), "delong", Confidence())
    assert found.high == 1
    assert any(note.code == "clipped" and "1.066" in note.says for note in found.notes)


@pytest.mark.parametrize(
    ("column", "sign", "area", "error"),
    [("alb", -1, 0.7366, 0.0927), ("tp", -1, 0.6478, 0.1000), ("totscore_raw", 1, 0.7258, 0.1028)],
)
def test_ovarian_data(ordered, ovarian, column, sign, area, error):
    found = ordered("auc", sign * ovarian[column], (ovarian["popind"] == 0).astype(int)).view(Area)
    assert (found.value, found.standard_error) == pytest.approx((area, error), abs=0.5001e-4)


@given(rows=st.lists(st.tuples(st.integers(0, 6), st.booleans()), min_size=4, max_size=60))
def test_delong_by_definition_with_ties(ordered, rows):
    value, truth = np.array([row[0] for row in rows]), np.array([row[1] for row in rows]).astype(int)
    if min(truth.sum(), (1 - truth).sum()) < 2:
        return
    found = ordered("auc", value, truth).view(Area)
    assert (found.value, found.variance) == pytest.approx(by_definition(value, truth), abs=1e-12)


def test_delong_compiled(ordered, two_classes):
    truth, chance = two_classes(4000)
    found = ordered("auc", chance, truth).view(Area)
    assert (found.value, found.variance) == pytest.approx(by_definition(chance, truth), rel=1e-10)


def test_compact_counts_give_the_same(ordered, two_classes):
    from veracity.evidence.ordering import Ordering
    from veracity.intervals.scored import Scored

    truth, chance = two_classes(6000, tied=False)
    m = ordered("auc", chance, truth)
    small = Ordering(m.evidence.positives.astype(np.uint8), m.evidence.negatives.astype(np.uint8))
    assert Scored(m.score, small).view(Area).variance == pytest.approx(m.view(Area).variance, rel=1e-12)


def test_delta_agrees_with_delong(ordered, two_classes):
    m = ordered("auc", *reversed(two_classes(3000)))
    wide = attach_interval(m, "delong", Confidence()).width
    assert attach_interval(m, "delta", Confidence()).width == pytest.approx(wide, rel=2e-3)


def test_hanley_mcneil(reference, ordered):
    published = reference("hanley_mcneil_expected.json")
    area = Area(published["auc"], published["n_pos"], published["n_neg"])
    assert hanley_mcneil_error(area.value, area.positives, area.negatives) == pytest.approx(0.0325, abs=0.5e-4)
    m = ordered("auc", -np.arange(14), TRUTH)
    assert hanley_mcneil_error(m.value, 6, 8) == pytest.approx(0.1190, abs=0.5e-4)
    assert "assumed-law" in [note.code for note in attach_interval(m, "hanley_mcneil", Confidence()).notes]


def test_perfect_separation(ordered):
    value, truth = [5, 4, 3, 2, 1], [1, 1, 0, 0, 0]
    for method in ("delong", "delong_logit", "hanley_mcneil"):
        with pytest.raises(Refused, match="use concordant_pairs"):
            attach_interval(ordered("auc", value, truth), method, Confidence())
    assert attach_interval(
        ordered("auc", value, truth), "concordant_pairs", Confidence(0.95, "lower")
    ).low == pytest.approx(0.05**0.5)
    two_sided = attach_interval(ordered("auc", value, truth), "concordant_pairs", Confidence())
    assert (two_sided.low, two_sided.high) == pytest.approx((0.025**0.5, 1))
    mirrored = attach_interval(ordered("auc", value[::-1], truth), "concordant_pairs", Confidence())
    assert (mirrored.low, mirrored.high) == pytest.approx((0, 1 - 0.025**0.5))


def test_concordant_pairs_only_there(ordered):
    with pytest.raises(Refused, match="perfect separation only"):
        attach_interval(ordered("auc", -np.arange(14), TRUTH), "concordant_pairs", Confidence())


def test_one_row_of_a_class(ordered):
    with pytest.raises(Refused, match="fewer than two rows"):
        attach_interval(ordered("auc", [3, 2, 1], [0, 1, 0]), "delong", Confidence())


def test_anyway_cannot_do_the_impossible(ordered):
    with pytest.raises(Refused, match="gives no limits"):
        attach_interval(ordered("auc", [3, 2, 1], [0, 1, 0]), "delong", Confidence(), anyway=True)
    flat = attach_interval(ordered("auc", [4, 3, 2, 1], [1, 1, 0, 0]), "delong", Confidence(), anyway=True)
    assert flat.width == 0 and "anyway" in [note.code for note in flat.notes]


def test_several_classes_have_no_single_area(of_rows):
    proba = np.random.default_rng(0).dirichlet([1, 1, 1], 30)
    with pytest.raises(Refused, match=r"of one ordering of rows here: use delta_logit, mean_t or delta"):
        attach_interval(of_rows("auc", np.arange(30) % 3, proba=proba), "delong", Confidence())
