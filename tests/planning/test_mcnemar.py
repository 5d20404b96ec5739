"""Power of McNemar's test: the formula, and exact over all numbers of discordant rows."""

import numpy as np
import pytest
from scipy import stats

import veracity as vc
from veracity.comparisons import comparisons
from veracity.core.confidence import Confidence
from veracity.evidence.same_rows import Pairs
from veracity.planning import tests as binomial_power


def test_the_rows_of_theory():
    found = vc.power("mcnemar", difference=0.03, discordant=0.10, power=0.8)
    assert found.rows == 870 and found.power == pytest.approx(0.8, abs=1e-3)
    assert "870 rows" in str(found)


def test_the_formula_runs_backwards():
    assert vc.power("mcnemar", rows=870, discordant=0.10, power=0.8).difference == pytest.approx(0.03, abs=1e-4)
    assert vc.power("mcnemar", rows=870, discordant=0.10, difference=-0.03).power == pytest.approx(0.8, abs=1e-3)


@pytest.mark.parametrize("name", ["mcnemar_exact", "mcnemar_midp"])
@pytest.mark.parametrize(("rows", "difference", "discordant"), [(12, 0.2, 0.5), (25, 0.3, 0.4), (30, 0.1, 0.9)])
def test_enumeration_of_every_table(name, rows, difference, discordant):
    """Against the test itself, asked of every table."""
    first, second = (discordant + difference) / 2, (discordant - difference) / 2
    law = stats.multinomial(rows, [first, second, 1 - discordant])
    total = 0.0
    for b in range(rows + 1):
        for c in range(rows + 1 - b):
            if comparisons[name](Pairs(rows - b - c, b, c, 0)).p_value <= 0.05:
                total += law.pmf([b, c, rows - b - c])
    found = vc.power(name, rows=rows, difference=difference, discordant=discordant).power
    assert found == pytest.approx(total, abs=1e-9)


def test_the_exact_test_needs_more_rows_than_mid_p():
    asked = {"difference": 0.03, "discordant": 0.10, "power": 0.8}
    exact, midp = vc.power("mcnemar_exact", **asked).rows, vc.power("mcnemar_midp", **asked).rows
    assert midp < exact and abs(midp - 870) < 20 and abs(exact - 870) < 60


@pytest.mark.slow
def test_the_formula_is_borne_out_by_simulation():
    rng = np.random.default_rng(3)
    counts = rng.multinomial(870, [0.065, 0.035, 0.9], size=20_000)
    z = (counts[:, 0] - counts[:, 1]) / np.sqrt(counts[:, 0] + counts[:, 1])
    assert (np.abs(z) >= 1.96).mean() == pytest.approx(0.8, abs=0.012)


def test_models_cannot_differ_more_than_they_disagree():
    with pytest.raises(vc.BadInput, match=r"disagree on 0.1 of the rows cannot differ by 0.3"):
        vc.power("mcnemar", difference=0.3, discordant=0.1, power=0.8)
    with pytest.raises(vc.BadInput, match="`discordant=` is a share of rows"):
        vc.power("mcnemar_midp", difference=0.3, discordant=1.1, rows=10)


@pytest.mark.parametrize("middle", [False, True])
def test_one_count_stands_for_its_block_where_there_are_very_many(monkeypatch, middle):
    asked = (10**6, 0.002, Confidence(0.95), 0.3, middle)
    in_blocks = binomial_power._exact_power(*asked)
    monkeypatch.setattr(binomial_power, "BLOCKS", 10**9)
    assert in_blocks == pytest.approx(binomial_power._exact_power(*asked), abs=5e-6)
