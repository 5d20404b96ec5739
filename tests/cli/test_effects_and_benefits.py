"""Net benefit and other words of the field on the command line."""

import numpy as np
import pytest


@pytest.fixture
def probabilities(here):
    random = np.random.default_rng(0)
    chance = random.beta(1, 3, 60).round(4)
    truth = (random.random(60) < chance).astype(int)
    (here / "p.csv").write_text("y,q\n" + "".join(f"{y},{q}\n" for y, q in zip(truth, chance, strict=True)))
    return ("p.csv", "--truth", "y", "--proba", "q", "--positive", "1"), truth, chance


def test_net_benefit_and_its_curve(said, run, probabilities):
    file, truth, chance = probabilities
    acts = chance >= 0.2
    by_hand = (truth[acts].sum() - 0.25 * (1 - truth[acts]).sum()) / 60
    one = said("score", *file, "net_benefit(threshold=0.2)")["scores"]["net_benefit(threshold=0.2)"]
    assert one["value"] == pytest.approx(by_hand) and one["low"] < by_hand < one["high"]
    chart = said("curve", *file, "--kind", "decision_curve", "--level", "0.9")
    assert chart["lines"][0]["y"][19] == pytest.approx(by_hand)
    assert chart["lines"][0]["low"][19] < by_hand
    assert run("curve", *file, "--kind", "dca", "--out", "dca.png").exit_code == 0


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("net benefit", "Net benefit"),
        ("decision curve", "Decision curve"),
        ("decision curve analysis", "Decision curve"),
        ("DCA", "Decision curve"),
    ],
)
def test_explain_finds_it(run, words, first):
    assert first in run("explain", words).stdout.splitlines()[0]
