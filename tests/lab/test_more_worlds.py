"""What worlds say of themselves, held against many of their own rows."""

import numpy as np
import pytest
from scipy.special import expit
from scipy.stats import norm

from veracity import lab
from veracity.core.errors import VeracityError
from veracity.lab.worlds import ChanceWorld, NumberWorld, World, make_world

ROWS = 60_000
TEXTS = (
    *("two_gaussians", "pure_noise(features=3)", "gaussians(share=0.3, correlation=0.4)", "gaussians(ratio=2)"),
    *("rare_positives", "sparse_logistic", "xor(noise=0.2)", "rings(features=3)", "label_noise(of=xor(noise=0.1))"),
    *("clusters", "unequal_clusters(clusters=9)", "drift", "sine", "sparse_linear", "heavy_tails(df=6)"),
    *("skewed_errors(shape=1)", "friedman1"),
)


class BestRule:
    """Predicts what nothing can be better than."""

    def __init__(self, world):
        self.world = world

    def predict(self, features):
        if isinstance(self.world, NumberWorld):
            return self.world.expected(features)
        return (getattr(self.world, "clean", self.world).chance(features) > 0.5).astype(int)


@pytest.mark.parametrize("text", TEXTS)
def test_the_best_rule_has_the_best_risk_on_rows_of_the_world(text):
    """By the rows themselves, and by what the features tell of their target."""
    world = make_world(text)
    fresh = world.fresh(ROWS, seed=5)
    predicted = BestRule(world).predict(fresh.features)
    plain = World.losses(world, predicted, fresh).astype(float)
    assert plain.mean() == pytest.approx(world.best, abs=4 * plain.std() / ROWS**0.5 + 4 * world.best_truth.error)
    assert world.losses(predicted, fresh).mean() == pytest.approx(world.best, abs=0.01 * max(1, world.best))


@pytest.mark.parametrize("text", TEXTS)
def test_drawn_rows_are_of_the_law_that_fresh_rows_are_of(text):
    """Means of features and target of many samples; the older rows of a drift are of another one on purpose."""
    world = make_world(text.replace("drift", "drift(turn=0)"))
    rows = [world.draw(200, seed) for seed in range(60)]
    fresh = world.fresh(12_000)
    for side in ("features", "target"):
        drawn = np.array([getattr(sample, side).mean(0) for sample in rows])
        error = np.hypot(drawn.std(0) / 60**0.5, getattr(fresh, side).std(0) / 12_000**0.5)
        assert np.all(np.abs(drawn.mean(0) - getattr(fresh, side).mean(0)) < 5 * error)


def test_every_world_of_rows_is_tried_here():
    names = {entry.name for entry in lab.worlds if issubclass(entry.function, World)}
    assert names == {text.partition("(")[0] for text in TEXTS}


def test_the_best_error_of_unequal_shares_by_hand():
    world = lab.Gaussians(distance=2.0, features=4, share=0.2, correlation=0.3)
    cut = 1 + np.log(4) / 2
    assert world.best == pytest.approx(0.8 * norm.sf(cut) + 0.2 * norm.cdf(cut - 2))
    assert world.best_truth.error == 0 < lab.Gaussians(ratio=3.0).best_truth.error


def test_features_correlate_as_asked_and_classes_are_as_wide():
    sample = lab.Gaussians(features=3, correlation=0.6, ratio=2.0).draw(ROWS)
    for code, width in ((0, 1), (1, 4)):
        covariance = np.cov(sample.features[sample.target == code].T)
        assert covariance == pytest.approx(width * (0.4 * np.eye(3) + 0.6), abs=0.08 * width)


def test_rows_of_a_cluster_are_alike_and_sizes_are_as_told():
    equal, unequal = lab.Clusters(clusters=10), lab.UnequalClusters(clusters=10)
    assert np.bincount(equal.groups(50)).tolist() == [5] * 10
    sizes = np.bincount(unequal.groups(200))
    assert sizes.sum() == 200 and sizes[0] > 5 * sizes[-1] >= 5 and (np.diff(sizes) <= 1).all()
    sample = lab.Clusters(clusters=3_000, alike=0.7).draw(6_000)
    pairs = sample.features[:, 0].reshape(-1, 2)
    assert np.corrcoef(pairs.T)[0, 1] == pytest.approx(0.7, abs=0.04)
    assert len(np.unique(equal.draw(50).groups)) == 10 and equal.fresh(7).groups.tolist() == list(range(7))


def test_a_drift_turns_the_line_between_the_classes():
    sample = lab.Drift(distance=6.0, turn=1.0).draw(91, seed=3)
    first = sample.features[:20][sample.target[:20] == 1].mean(0)
    last = sample.features[-20:][sample.target[-20:] == 1].mean(0)
    assert first[1] < -1.5 and last[0] > 2 and sample.time[-1] == 0 and (np.diff(sample.time) == 1).all()


def test_friedman_as_scikit_learn_makes_it():
    from sklearn.datasets import make_friedman1

    features, target = make_friedman1(100, n_features=7, noise=0, random_state=0)
    assert lab.FriedmanOne(features=7).expected(features) == pytest.approx(target)


def test_wrong_labels_are_as_many_as_asked():
    clean, noisy = make_world("rings(noise=0)"), make_world("label_noise(of=rings(noise=0), share=0.25)")
    sample = noisy.draw(ROWS)
    assert np.mean(sample.target != clean.inside(sample.features)) == pytest.approx(0.25, abs=0.01)
    assert noisy.best == 0.25 and lab.LabelNoise(of=lab.Rings(noise=0.1), share=0.2).best == pytest.approx(0.26)


def test_chances_are_those_of_the_rows():
    world = lab.SparseLogistic(features=6, active=2, strength=1.5)
    sample = world.draw(ROWS)
    odds = 1.5 * sample.features[:, :2].sum(1)
    middle = np.abs(odds - 1) < 0.1
    assert sample.target[middle].mean() == pytest.approx(expit(1), abs=0.03)
    assert isinstance(world, ChanceWorld) and world == lab.SparseLogistic(features=6, active=2, strength=1.5)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("gaussians(share=1)", "share lies between 0 and 1, not 1"),
        ("rare_positives(share=1)", "share lies between 0 and 1, not 1"),
        ("rare_positives(distance=-1)", "distance is a number of 0 or more, not -1"),
        ("gaussians(correlation=-0.5)", "correlation lies between -0.25 and 1, not -0.5"),
        ("sparse_linear(active=30)", "active=30 of 20 features cannot be: ask for at most 20"),
        ("xor(noise=0.5)", "noise is at least 0 and less than 0.5, not 0.5"),
        ("rings(features=1)", "a pattern of two features needs features=2 or more, not 1"),
        ("friedman1(features=3)", "Friedman's function has five features: features=3 is too few"),
        ("heavy_tails(df=2)", "df lies between 2 and 1000, not 2"),
        ("label_noise(of=sine)", "label_noise is put on a world of independent rows of classes"),
        ("label_noise(of=clusters)", "label_noise is put on a world of independent rows of classes"),
        ("label_noise(of='sharks')", "there is no world called 'sharks'"),
        ("drift(features=1)", "features must be at least 2, not 1"),
        ("clusters(clusters=0)", "clusters must be at least 1, not 0"),
    ],
)
def test_a_world_that_cannot_be_is_told(text, says):
    with pytest.raises(VeracityError, match=says.replace("(", r"\(")):
        make_world(text)


def test_a_world_that_cannot_be_drawn_is_told():
    with pytest.raises(VeracityError, match="10 rows cannot fill 20 clusters: ask for more rows"):
        lab.Clusters().draw(10)
