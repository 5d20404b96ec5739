"""Seeds depend on a number and a purpose only."""

from veracity.core.seeds import derive, generator


def test_the_same_everywhere():
    assert derive(0, "bootstrap of rows") == derive(0, "bootstrap of rows")
    assert generator(1, "x").random() == generator(1, "x").random()


def test_seed_and_purpose_both_count():
    found = {derive(seed, purpose) for seed in range(50) for purpose in ("a", "b", "ab")}
    assert len(found) == 150
    assert derive(0, "a", "b") != derive(0, "ab")


def test_fits_in_63_bits():
    assert all(0 <= derive(seed, "x") < 2**63 for seed in range(100))
