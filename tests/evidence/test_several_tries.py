"""Items that a model tried several times: item means by hand, items as the unit, and an interval that holds."""

import numpy as np
import pytest

import veracity as vc

LOG = {
    "item": [1, 1, 2, 2, 2, 3, 1, 2, 3, 3],
    "model": ["a"] * 6 + ["b"] * 4,
    "correct": [1, 0, 1, 1, 0, 1, 1, 0, 1, 1],
    "passage": ["p", "p", "q", "q", "q", "q", "p", "q", "q", "q"],
}


def read(log, **more):
    import pandas

    return vc.read_predictions(pandas.DataFrame(log), model="model", rows="item", **more)


def test_the_mean_over_tries_stands_for_an_item():
    models = read(LOG, correct="correct", groups="passage")
    assert [p.loss.tolist() for p in models.values()] == [[0.5, pytest.approx(1 / 3), 0], [0, 1, 0]]
    assert models["a"].rows.tolist() == [1, 2, 3] and len(set(models["a"].groups)) == 2
    (note,) = (note for note in models["a"].notes if note.code == "tries-averaged")
    assert (
        note.weight == "remark" and "3 items, tried 1 to 3 times by each model: the share of wrong answers" in note.says
    )
    losses = {**LOG, "loss": [1 - right for right in LOG["correct"]]}
    assert np.array_equal(read(losses, loss="loss")["a"].loss, models["a"].loss)
    assert vc.compare(models, "mean").difference == pytest.approx((0.5 + 1 / 3) / 3 - 1 / 3)


def test_tries_that_all_agree_may_be_rows_twice():
    twice = {name: column * 2 for name, column in LOG.items()}
    twice["item"] = list(range(10)) * 2
    twice["model"] = ["a"] * 20
    (note,) = (note for note in read(twice, correct="correct")["a"].notes if note.code == "tries-averaged")
    assert note.weight == "caution" and "if rows stand there twice" in note.says


def test_what_has_no_mean_or_differs_within_an_item_is_refused():
    with pytest.raises(vc.BadInput, match=r"occurs twice, in rows 0 and 1.*`correct=` or `loss=` is averaged"):
        read({**LOG, "y": [1] * 10}, truth="y", label="correct")
    with pytest.raises(vc.BadInput, match="row 1 has other groups than the first try of the same item"):
        read({**LOG, "passage": list("pqqqqqpqqq")}, correct="correct", groups="passage")
    with pytest.raises(vc.BadInput, match="accuracy cannot be had from losses: their score is mean"):
        vc.estimate(read(LOG, correct="correct"), "accuracy")


def test_the_interval_is_that_of_new_items():
    """Items of which one half is always right and the other mostly wrong, each tried five times: tries taken for rows
    would have a third of the true standard error, and so would hold in about half of the samples."""
    random = np.random.default_rng(2)
    hits = naive = 0
    for _ in range(200):
        chance = np.where(random.random(40) < 0.5, 0.0, 0.9)
        wrong = (random.random((40, 5)) < chance[:, None]).ravel()
        log = {"item": np.repeat(np.arange(40), 5), "model": ["a"] * 200, "correct": (~wrong).astype(int)}
        one = vc.estimate(read(log, correct="correct")["a"], "mean")["mean"].interval
        all_rows = vc.estimate(vc.errors(int(wrong.sum()), of=200), "error")["error"].interval
        hits += one.low <= 0.45 <= one.high
        naive += all_rows.low <= 0.45 <= all_rows.high
    assert hits >= 180 and naive <= 160
