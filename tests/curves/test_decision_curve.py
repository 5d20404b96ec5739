from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import veracity as vc
from veracity.core.errors import BadInput
from veracity.risk.fold_scores import group_values
from veracity.scores import scores

chance = st.integers(0, 20).map(lambda twentieths: twentieths / 20)
rows = st.lists(st.tuples(chance, st.booleans()), min_size=1, max_size=30)
thresholds = st.integers(1, 99).map(lambda hundredths: hundredths / 100)


def by_hand(truth, proba, threshold):
    """As Vickers and Elkin define it, row by row."""
    total = 0.0
    for positive, p in zip(truth, proba, strict=True):
        if p >= threshold:
            total += 1 if positive else -threshold / (1 - threshold)
    return total / len(truth)


def model(number=400, seed=0, blur=0.0):
    random = np.random.default_rng(seed)
    chance = random.beta(1, 3, number)
    truth = (random.random(number) < chance).astype(int)
    return vc.predictions(truth, proba=np.clip(chance + blur * random.normal(size=number), 0, 1), positive=1)


@given(rows, thresholds)
def test_net_benefit_is_what_acting_from_the_threshold_on_brings(rows, threshold):
    proba, truth = zip(*rows, strict=True)
    p = vc.predictions(np.array(truth, int), proba=np.array(proba), classes=[0, 1], positive=1, threshold=0.9)
    assert vc.score(p, f"net_benefit(threshold={threshold})") == pytest.approx(by_hand(truth, proba, threshold))


@given(rows, thresholds)
def test_net_benefit_of_a_sure_model_is_the_prevalence(rows, threshold):
    truth = np.array([one for _, one in rows], int)
    sure = vc.predictions(truth, proba=truth.astype(float), classes=[0, 1], positive=1)
    assert vc.score(sure, f"net_benefit(threshold={threshold})") == pytest.approx(truth.mean())


def test_net_benefit_of_counts_and_labels():
    """Of 1000, 250 ill; a test finds 200 of them and alarms 150 others; at 10 % a false alarm costs a ninth."""
    counts = vc.Counts([[600, 150], [50, 200]], positive=1)
    assert vc.estimate(counts, "net_benefit(threshold=0.1)").values()[0].value == pytest.approx(0.2 - 0.15 / 9)
    p = vc.predictions([1, 1, 0, 0], label=[1, 0, 1, 0], positive=1)
    assert vc.score(p, "net_benefit(0.5)") == 0.0


@cache
def limits(tp, fp, rest):
    found = vc.estimate(vc.Counts([[rest, fp], [0, tp]], positive=1), "net_benefit(threshold=0.2)").values()[0].interval
    assert found.method == "mean_score"
    return found


def test_its_interval_holds_the_truth():
    """Rows give 1, -1/4 or 0: of 400 samples about 95 % must have an interval that holds their mean."""
    shares = np.array([0.12, 0.2, 0.68])
    truth = shares @ [1, -0.25, 0]
    samples = np.random.default_rng(1).multinomial(40, shares, 400).tolist()
    held = np.mean([limits(*sample).low <= truth <= limits(*sample).high for sample in samples])
    assert abs(held - 0.95) < 3 * np.sqrt(0.95 * 0.05 / 400)


def test_models_are_compared_by_it():
    found = vc.compare({"a": model(), "b": model(blur=0.2)}, "net_benefit(threshold=0.2)")
    gains = [by_hand(p.truth, p.proba, 0.2) for p in (model(), model(blur=0.2))]
    assert found.using == "paired_loss_t" and found.difference == pytest.approx(gains[0] - gains[1])


def test_rows_of_splits_are_cut_where_the_score_says():
    p, place = model(90), np.arange(90) % 3
    found = group_values(scores.choose("net_benefit(threshold=0.1)"), p, place, 3)
    assert found.tolist() == pytest.approx([by_hand(p.truth[place == k], p.proba[place == k], 0.1) for k in range(3)])


@pytest.mark.slow
def test_learners_are_estimated_and_compared_by_it():
    from sklearn.dummy import DummyClassifier
    from sklearn.linear_model import LogisticRegression

    random = np.random.default_rng(3)
    x = random.normal(size=(200, 2))
    y = (x[:, 0] + random.normal(size=200) > 1).astype(int)
    learners = {"logit": LogisticRegression(), "prior": DummyClassifier(strategy="prior")}
    runs = vc.evaluate(learners, x, y, by="kfold(k=5)", seed=0)
    est = vc.estimate(runs, "net_benefit(threshold=0.1)")
    p = runs.predictions("logit")
    assert est["logit"].value == pytest.approx(by_hand(p.truth, p.probability(1), 0.1))
    assert est["prior"].value == pytest.approx(y.mean() - (1 - y.mean()) / 9)  # it acts on everybody from .1 on
    folds = [(p.truth[p.splits == k], p.probability(1)[p.splits == k]) for k in range(5)]
    gains = [by_hand(truth, proba, 0.1) - by_hand(truth, np.ones(len(truth)), 0.1) for truth, proba in folds]
    assert vc.compare(runs, "net_benefit(0.1)", using="corrected_t").difference == pytest.approx(np.mean(gains))


@pytest.mark.slow
def test_a_permutation_test_cuts_where_the_score_says():
    """The prior acts on everybody at .1, whatever the labels: every shuffle has the same net benefit."""
    from sklearn.dummy import DummyClassifier

    y = np.array([0, 0, 1] * 10)
    found = vc.permutation_test(
        DummyClassifier(strategy="prior"),
        np.zeros((30, 1)),
        y,
        score="net_benefit(threshold=0.1)",
        by="kfold(k=3)",
        draws=19,
    )
    assert found.value == pytest.approx(1 / 3 - 2 / 27) and found.p_value == 1


def test_the_curve_is_the_score_at_each_threshold():
    p = model()
    found = vc.curve(p, "decision_curve")
    assert found.x[[0, -1]].tolist() == pytest.approx([0.01, 0.99]) and len(found.x) == 99
    for at in (0, 30, 60):
        assert found.y[at] == pytest.approx(by_hand(p.truth, p.proba, found.x[at]))
    everybody, nobody = found.guides
    share = p.truth.mean()
    assert everybody.y[19] == pytest.approx(share - (1 - share) * 0.25) and not nobody.y.any()
    useful = found.facts["useful"]["model"]
    inside = [any(low <= x <= high for low, high in useful) for x in found.x]
    assert inside == (found.y > np.maximum(everybody.y, 0)).tolist() and 0 < sum(inside) < 99


def test_a_band_is_the_interval_of_the_score():
    p = model(60)
    found = vc.curve(p, "decision_curve(lowest=0.1, highest=0.4, band=0.9)")
    one = vc.estimate(p, f"net_benefit(threshold={float(found.x[5])!r})", level=0.9).values()[0].interval
    assert (found.lines[0].low[5], found.lines[0].high[5]) == pytest.approx((one.low, one.high))
    assert [note.code for note in found.notes] == ["pointwise-band"]


def test_models_on_the_same_rows_share_a_guide_and_others_do_not():
    same = vc.curve({"a": model(), "b": model(blur=0.1)}, "dca")
    assert [guide.name for guide in same.guides] == ["act on everybody", "act on nobody"]
    other = vc.curve({"a": model(), "b": model(300, seed=6)}, "dca")
    assert [guide.name for guide in other.guides][:2] == ["a: act on everybody", "b: act on everybody"]


@pytest.mark.parametrize("threshold", [0, 1, 1.5, -0.1])
def test_thresholds_that_are_no_probability(threshold):
    with pytest.raises(BadInput, match="strictly between 0 and 1"):
        vc.score(vc.predictions([0, 1], proba=[0.1, 0.9], positive=1), f"net_benefit(threshold={threshold})")


def test_it_must_be_told_its_threshold():
    with pytest.raises(BadInput, match=r"write net_benefit\(threshold="):
        vc.score(model(), "net_benefit")
    with pytest.raises(BadInput, match="lowest < highest"):
        vc.curve(model(), "decision_curve(lowest=0.5, highest=0.2)")
