import pytest

import veracity as vc
from veracity.core.confidence import rejects
from veracity.findings.ledger import Claim, Ledger


def claims_of(p_value, adjusted, level):
    claim = Claim("a", "b", "error", "iris", "mcnemar", p_value, adjusted)
    return Ledger("results.db", {"looks": 1}, {}, (claim,), (), level, ())


@pytest.mark.parametrize("level", [0.8, 0.9, 0.95, 0.99])
def test_a_p_value_that_rejects_in_compare_holds_in_the_ledger(level):
    p = round(1 - level, 2)
    assert rejects(p, level)
    assert "1 of the tests finds a difference, 0 do alone" in claims_of(p, p, level).sentence()
    assert "0 of the tests find a difference, 1 does alone" in claims_of(p, 2 * p, level).sentence()
    assert claims_of(p, p, level).table().rows[0][-1] == "holds"
    assert claims_of(p, 2 * p, level).table().rows[0][-1] == "no longer"


@pytest.mark.parametrize("level", [0.8, 0.9, 0.95, 0.99])
def test_a_p_value_of_the_size_is_counted_as_better(level):
    pair = vc.replicability({"iris": round(1 - level, 2)}, level=level)[0]
    assert (pair.better, pair.better_on) == (1, ("iris",))
