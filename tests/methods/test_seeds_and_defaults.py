"""No method draws random numbers in silence, and no default is cautioned against by the method itself."""

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

import veracity as vc
from veracity.comparisons import comparisons
from veracity.curves import curves
from veracity.designs import designs
from veracity.intervals import intervals
from veracity.methods.catalogue import CATALOGUES
from veracity.planning import powers
from veracity.risk import estimators

RANDOM = np.random.default_rng(5)
TRUTH = RANDOM.integers(0, 2, 120)
MODELS = {
    name: vc.predictions(TRUTH, proba=np.clip(0.3 + 0.4 * TRUTH + RANDOM.normal(0, 0.3, 120), 0.01, 0.99), positive=1)
    for name in "ab"
}
TABLE = RANDOM.normal(size=(12, 3))
SPLITS = {
    f"data {number}": vc.split_scores(
        dict(zip("ab", RANDOM.normal(0.8, 0.05, (2, 10)), strict=True)), train=90, test=10, k=10
    )
    for number in range(4)
}
OTHER_ARGUMENTS = {"one_sample": "value=0.5, ", "friedman": "", "cochran_q": ""}
POWERS = {
    "wilcoxon": {"datasets": 12, "difference": 0.03, "sd": 0.03},
    "friedman": {"datasets": 12, "difference": 0.03, "sd": 0.03, "learners": 3},
    "friedman_pairs": {"datasets": 12, "difference": 0.03, "sd": 0.03, "learners": 3},
}
SPLITTING = ("designs", "estimators")  # a design is made from the seed of its study, which every result names


def drawing(catalogue):
    return [entry for entry in catalogue if any(one.name in ("draws", "seed") for one in entry.parameters)]


def spelled(entry):
    draws = "draws=400, " if any(one.name == "draws" for one in entry.parameters) else ""
    return f"{entry.name}({OTHER_ARGUMENTS.get(entry.name, '')}{draws}seed=7)"


def notes_of_test(entry):
    asked = spelled(entry)
    if entry.name == "hierarchical_posterior":
        return vc.compare(vc.score_matrix(SPLITS), using=asked, anyway=True).all_notes
    if entry.name == "signed_rank_posterior":
        return vc.compare(vc.score_matrix(TABLE[:, :2]), using=asked).all_notes
    if entry.compares == 0 and entry.name != "cochran_q":
        return vc.rank(TABLE, using=asked).all_notes
    if entry.name == "one_sample":
        return vc.compare(MODELS["a"], "mcc", using=asked).all_notes
    score = "error" if entry.name == "cochran_q" else "auc"
    return vc.compare(MODELS, score, using=asked, anyway=entry.name == "paired_blocks_t").all_notes


def tells_the_seed(notes, seed=7):
    return [str(note.says) for note in notes if note.code == "seed" and f"seed {seed}" in note.says]


@pytest.mark.parametrize("entry", drawing(comparisons), ids=lambda entry: entry.name)
def test_a_test_that_draws_tells_its_seed(entry):
    assert tells_the_seed(notes_of_test(entry))


@pytest.mark.parametrize("entry", drawing(intervals), ids=lambda entry: entry.name)
def test_an_interval_that_draws_tells_its_seed(entry):
    score = "brier_half" if entry.name in ("betting", "studentised") else "auc"
    (row,) = vc.estimate(MODELS["a"], score, interval=spelled(entry)).rows
    assert tells_the_seed(row.all_notes)


@pytest.mark.parametrize("entry", drawing(curves), ids=lambda entry: entry.name)
def test_a_band_that_is_drawn_tells_its_seed(entry):
    assert tells_the_seed(vc.curve(MODELS, entry.name, band=0.9, draws=100, seed=7).notes)


@pytest.mark.parametrize("entry", drawing(powers), ids=lambda entry: entry.name)
def test_simulated_power_tells_its_seed(entry):
    assert tells_the_seed(vc.power(entry.name, **POWERS[entry.name], draws=200, seed=7).notes)


def test_the_default_test_of_a_ranking_tells_its_seed():
    assert tells_the_seed(vc.rank(RANDOM.normal(size=(7, 6))).all_notes, seed=0)


def test_every_catalogue_with_draws_is_looked_at():
    looked_at = {"comparisons", "intervals", "curves", "power", *SPLITTING}
    assert {name for name, catalogue in CATALOGUES.items() if drawing(catalogue)} <= looked_at


OF_ROWS = {entry.name for entry in (*designs, *estimators)} - {"nested", "test_file"}
MANY_FITS = pytest.param("nested_cv_bates", marks=pytest.mark.slow)


@pytest.mark.parametrize("name", [*sorted(OF_ROWS - {"nested_cv_bates"}), MANY_FITS])
def test_no_default_is_cautioned_against_by_what_reads_it(name):
    """A caution that asks for other parameters of the very design that was made by default."""
    X = RANDOM.normal(size=(60, 2))  # noqa: N806
    y = (X[:, 0] + RANDOM.normal(size=60) > 0).astype(int)
    runs = vc.evaluate(GaussianNB(), X, y, by=name, positive=1, progress=False)
    for score in ("error", "fbeta", "auc"):
        notes = [note for note in vc.estimate(runs, score).rows[0].all_notes if note.weight == "caution"]
        assert not [note for note in notes if note.code.startswith("few-") or f"{name}(" in note.says], name
