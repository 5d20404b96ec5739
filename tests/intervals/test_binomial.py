import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput
from veracity.evidence.interval_evidence import Proportion
from veracity.intervals import intervals
from veracity.intervals.proportions import agresti_coull, student_t, wald, wilson, wilson_cc

SHARES = [entry for entry in intervals if entry.reads is Proportion]
HERE = {"wald": wald, "wilson": wilson, "agresti_coull": agresti_coull}
PUBLISHED = {"agresti-coull": "agresti_coull", "exact": "clopper_pearson", "prop.test": "wilson_cc", "wilson": "wilson"}


def limits(entry, hits, rows, level=0.95, side="two", **parameters):
    found = entry.function(Proportion(hits, rows), Confidence(level, side), **parameters)
    return found.low, found.high


@st.composite
def shares(draw, within=400):
    rows = draw(st.integers(2, within))
    return draw(st.integers(0, rows)), rows


def test_r_binom_package(reference):
    published = reference("binom_ci_R_binom_package.json")
    for case, printed in published["cases"].items():
        hits, rows = map(int, case.split("/"))
        for method, low, high in zip(published["methods"], printed["low"], printed["upp"], strict=True):
            if method in PUBLISHED:
                found = np.clip(limits(intervals[PUBLISHED[method]], hits, rows), 0, 1)
                assert found == pytest.approx(np.clip([low, high], 0, 1), abs=2e-7), (case, method)


def test_newcombe_table(reference):
    table = reference("proportion_single_expected.json")["newcombe1998_table1_95"]
    for method in ("wilson", "wilson_cc", "clopper_pearson", "mid_p"):
        for case, printed in table[method].items():
            hits, rows = map(int, case.split("/"))
            assert limits(intervals[method], hits, rows) == pytest.approx(printed, abs=0.5001e-4)


def test_desctools(reference):
    table = reference("proportion_single_expected.json")["R_DescTools_100_of_200"]
    for method in ("wald", "agresti_coull", "clopper_pearson", "wilson"):
        assert limits(intervals[method], 100, 200) == pytest.approx(table[method], abs=0.5001e-7)
    assert limits(intervals["jeffreys"], 100, 200) == pytest.approx(table["jeffreys_equal_tail"], abs=0.5001e-7)
    for method, high in table["one_sided_upper_.05"].items():
        assert limits(intervals[method], 100, 200, side="upper")[1] == pytest.approx(high, abs=0.6e-6)


def test_clustered_wilson(reference):
    printed = reference("proportion_single_expected.json")["clustered_wilson_60/203_xihat1.349133"]
    assert limits(wilson, 60 / 1.349133, 203 / 1.349133) == pytest.approx(printed, abs=1e-3)


def test_wilson_is_the_inverted_score_test():
    low, high = limits(wilson, 12, 40)
    z = Confidence().z
    for q in (low, high):
        assert abs(0.3 - q) / np.sqrt(q * (1 - q) / 40) == pytest.approx(z, rel=1e-12)


def test_wilson_cc_upper_as_printed():
    m, q, z = 40, 0.3, Confidence().z
    upper = (2 * m * q + z**2 + 1 + z * np.sqrt(z**2 + 2 - 1 / m + 4 * q * (m * (1 - q) - 1))) / (2 * (m + z**2))
    assert limits(wilson_cc, 12, 40)[1] == pytest.approx(upper, rel=1e-12)


def test_divisor():
    assert (limits(wald, 8, 100, divisor="m-1")[1] - 0.08) / Confidence().z == pytest.approx(0.0273, abs=0.5e-4)
    assert (limits(wald, 8, 100)[1] - 0.08) / Confidence().z == pytest.approx(0.0271, abs=0.5e-4)
    with pytest.raises(BadInput, match="divisor is 'm' or 'm-1'"):
        limits(wald, 8, 100, divisor="n")


@pytest.mark.parametrize("entry", SHARES, ids=lambda entry: entry.name)
@given(share=shares(), level=st.floats(0.6, 0.999))
def test_ordered_and_holding_the_share(entry, share, level):
    low, high = limits(entry, *share, level)
    assert low <= share[0] / share[1] + 1e-12 and share[0] / share[1] - 1e-12 <= high


@pytest.mark.parametrize("entry", SHARES, ids=lambda entry: entry.name)
@given(share=shares(), level=st.floats(0.6, 0.999))
def test_hits_and_misses_mirror_each_other(entry, share, level):
    hits, rows = share
    low, high = limits(entry, hits, rows, level)
    assert limits(entry, rows - hits, rows, level) == pytest.approx((1 - high, 1 - low), abs=1e-9)


TAILED = [entry for entry in SHARES if entry.name != "isaksson"]  # the shortest interval has no tails of its own


@pytest.mark.parametrize("entry", TAILED, ids=lambda entry: entry.name)
@given(share=shares(), level=st.floats(0.55, 0.99))
def test_one_sided_is_two_sided_at_twice_the_miss(entry, share, level):
    two = limits(entry, *share, 1 - 2 * (1 - level))
    assert limits(entry, *share, level, "lower")[0] == pytest.approx(two[0], abs=1e-9)
    assert limits(entry, *share, level, "upper")[1] == pytest.approx(two[1], abs=1e-9)


@pytest.mark.parametrize(("entry", "code"), [(wald, "zero-width"), (student_t, "zero-width"), (student_t, "one-row")])
def test_refusals(entry, code):
    limit = next(limit for limit in entry.limits if limit.code == code)
    assert limit.weight == "refuse"
    assert limit.when(Proportion(0, 1))
    assert not limit.when(Proportion(3, 10))


def test_few_hits_is_a_caution():
    limit = next(limit for limit in wald.limits if limit.code == "few-hits")
    assert limit.weight == "caution"
    assert limit.when(Proportion(9, 100)) and limit.when(Proportion(91, 100)) and not limit.when(Proportion(10, 100))
