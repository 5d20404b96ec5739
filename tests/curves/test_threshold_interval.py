"""What is told of a chosen threshold: other rules beside it, how sure it is, what a cross-fit gives."""

import numpy as np
import pytest

import veracity as vc
from tests.curves.test_best_threshold import SCORES, TRUTH, D
from veracity.core.errors import Refused
from veracity.curves.best_threshold import best_threshold
from veracity.evidence.make_predictions import predictions


def binormal(rows, seed, groups=None):
    random = np.random.default_rng(seed)
    truth = random.integers(0, 2, rows)
    value = random.normal(size=rows) + 2 * truth
    return predictions(truth, value=value, positive=1, groups=groups)


def test_rules_agree_with_counting():
    found = best_threshold(D, costs={"FP": 1, "FN": 5})
    rules = {rule.name: rule for rule in found.rules}
    for rule in rules.values():
        said = np.array(SCORES) >= rule.threshold
        truth = np.array(TRUTH) == 1
        assert rule.value == pytest.approx(((said & ~truth).sum() + 5 * (~said & truth).sum()) / 14)
    assert rules["chosen"].value == found.value == min(rule.value for rule in rules.values())
    assert rules["calibrated"].threshold == pytest.approx(1 / 6)
    assert found.counts.matrix.tolist() == D.confusion(threshold=found.threshold).matrix.tolist()
    assert {rule.name for rule in best_threshold(binormal(40, 0), "youden").rules} == {"chosen", "always", "never"}
    assert "calibrated" not in {rule.name for rule in best_threshold(D, costs={"FP": -1, "FN": -5}).rules}


def test_every_form_tells_matrix_interval_and_rules():
    found = best_threshold(D, costs={"FP": 1, "FN": 5})
    assert "95% interval [" in found.sentence() and " always, " in found.sentence() and " at 0.5" in found.sentence()
    page = vc.report(found).html
    for words in ("confusion matrix from 0.2 on", "always 1", "95% interval of the threshold", "one half"):
        assert words in page
    assert found.to_json()["confusion"] == [[3, 5], [0, 6]]


def test_the_interval_holds_the_threshold_and_narrows_with_rows():
    widths = []
    for rows in (100, 3_000):
        found = best_threshold(binormal(rows, 1), costs={"FP": 1, "FN": 1})
        assert found.interval.low <= found.threshold <= found.interval.high
        widths.append(found.interval.width)
    assert widths[1] < 0.7 * widths[0]
    assert found.interval.low < 1 < found.interval.high  # the best threshold there is, halfway between two normal laws
    narrow = best_threshold(binormal(100, 1), costs={"FP": 1, "FN": 1}, level=0.5).interval
    assert narrow.width < widths[0] and narrow.level == 0.5
    again = best_threshold(binormal(100, 1), costs={"FP": 1, "FN": 1}, seed=7).interval
    assert (again.low, again.high) != (narrow.low, narrow.high)


def test_groups_that_repeat_their_rows_make_the_threshold_less_sure():
    plain = binormal(60, 2)
    truth, value = np.repeat(np.asarray(plain.truth), 20), np.repeat(np.asarray(plain.value), 20)
    alone = predictions(truth, value=value, positive=1)
    grouped = predictions(truth, value=value, positive=1, groups=np.repeat(np.arange(60), 20))
    widths = [best_threshold(p, "youden").interval.width for p in (alone, grouped)]
    assert widths[1] > 1.5 * widths[0]


def test_rows_without_one_class_in_most_samples_have_no_interval():
    found = best_threshold(predictions([1, 0, 0, 0], proba=[0.9, 0.3, 0.2, 0.1], positive=1), "youden")
    assert found.interval is None and found.to_json()["interval"] is None
    assert "no-interval" in {note.code for note in found.all_notes}


def test_a_cross_fit_cuts_every_part_by_the_others():
    """On pure noise the rows that chose look better than chance; a cross-fit does not."""
    random, own, honest = np.random.default_rng(4), [], []
    for _ in range(20):
        found = best_threshold(predictions(np.arange(300) % 2, value=random.normal(size=300), positive=1), "youden")
        reported = found.cross_fit(10)
        assert reported.rows[0].score == "youden"
        own.append(found.value)
        honest.append(reported["youden"].value)
    assert np.mean(own) > 0.05 and abs(np.mean(honest)) < 0.03
    assert found.cross_fit(10, seed=5)["youden"].value != honest[-1]


def test_a_cross_fit_keeps_groups_together():
    """Copies of a row in other parts would choose its threshold."""
    random = np.random.default_rng(6)
    truth, value = np.arange(60) % 2, random.normal(size=60)
    copies = {"value": np.repeat(value, 9), "positive": 1}
    torn = best_threshold(predictions(np.repeat(truth, 9), **copies), "accuracy").cross_fit(10)
    whole = predictions(np.repeat(truth, 9), **copies, groups=np.repeat(np.arange(60), 9))
    assert best_threshold(whole, "accuracy").cross_fit(10)["accuracy"].value < torn["accuracy"].value


def test_a_cross_fit_needs_rows_of_both_classes_in_every_part():
    with pytest.raises(Refused, match="the rarer class has 6 rows, too few for 10 parts: `folds=6` or fewer"):
        best_threshold(D, "youden").cross_fit(10)
    with pytest.raises(Refused, match="folds must be at least 2"):
        best_threshold(D, "youden").cross_fit(1)


@pytest.mark.slow
def test_the_interval_holds_the_best_threshold_there_is():
    """Two normal laws, equal costs: halfway between them; 95 % of 200 samples less four standard errors."""
    held = 0
    for seed in range(200):
        between = best_threshold(binormal(100, seed), costs={"FP": 1, "FN": 1}, seed=seed).interval
        held += between.low <= 1 <= between.high
    assert held / 200 > 0.95 - 4 * (0.95 * 0.05 / 200) ** 0.5


def test_few_groups_are_said_of_a_threshold_and_its_interval():
    random = np.random.default_rng(4)
    truth = random.integers(0, 2, 200)
    proba = np.clip(0.5 + 0.2 * (truth - 0.5) + 0.2 * random.normal(size=200), 0, 1)
    plain, grouped = (
        vc.best_threshold(vc.predictions(truth, proba=proba, positive=1, groups=groups), "accuracy")
        for groups in (None, np.repeat(np.arange(4), 50))
    )
    assert "few-groups" in [note.code for note in grouped.notes]
    assert "few-groups" not in [note.code for note in plain.notes]


def test_rows_that_count_very_often_are_not_written_out():
    often = vc.predictions([0, 1] * 5, proba=np.linspace(0.1, 0.9, 10), positive=1, counts=[10**11] * 10)
    assert "few-rows" not in [note.code for note in vc.best_threshold(often, "accuracy").notes]
