"""What every interval promises on every score it applies to."""

import numpy as np
import pytest

from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput, Refused
from veracity.core.references import REFERENCES
from veracity.evidence.make_predictions import predictions
from veracity.intervals import intervals
from veracity.intervals.compute import attach_default, attach_interval
from veracity.intervals.scored import Scored
from veracity.scores import scores

RANDOM = np.random.default_rng(8)
ROWS = 120
TRUTH = (RANDOM.random(ROWS) < 0.4).astype(int)
CHANCE = np.round(1 / (1 + np.exp(0.4 - 1.2 * TRUTH - RANDOM.normal(size=ROWS))), 2)
PROBA = RANDOM.dirichlet([1, 1, 1], ROWS)
THREE = (PROBA.cumsum(1) < RANDOM.random((ROWS, 1))).sum(1)
GROUPS, WEIGHTS = np.arange(ROWS) // 3, RANDOM.random(ROWS) + 0.2
NUMBERS = (RANDOM.normal(size=ROWS), RANDOM.normal(size=ROWS))
SETTINGS = {
    "two classes": lambda: predictions(TRUTH, proba=CHANCE, positive=1),
    "three classes": lambda: predictions(THREE, proba=PROBA),
    "numbers": lambda: predictions(NUMBERS[0], number=NUMBERS[1]),
    "grouped": lambda: predictions(TRUTH, proba=CHANCE, positive=1, groups=GROUPS),
    "weighted": lambda: predictions(TRUTH, proba=CHANCE, positive=1, weights=WEIGHTS),
    "grouped numbers": lambda: predictions(NUMBERS[0], number=NUMBERS[1], groups=GROUPS),
}
OF_MODELS = [entry for entry in intervals if entry.answers == "model"]  # those of learners read splits
GIVEN = {"finite_class_bound": {"size_h": 2}, "vc_bound": {"vc_dim": 1}}
HOLD_THE_VALUE = {"basic", "studentised", "percentile", "bca"}  # these may miss the value itself by their nature


def measured(p):
    """Every score these predictions allow, with the parameters a score must be given."""
    for entry in scores:
        if entry.needs in p.offers and entry.suits(p.kind):
            if any(parameter.required for parameter in entry.parameters):
                continue
            choice = entry.choose(**({"baseline": "test"} if entry.choose().accepts("baseline") else {}))
            yield Scored(choice, entry.gather(p, **choice.given))


@pytest.fixture(scope="module", params=SETTINGS, ids=str)
def setting(request):
    return list(measured(SETTINGS[request.param]()))


def chosen(entry):
    arguments = dict(GIVEN.get(entry.name, {}))
    if entry.choose(**arguments).accepts("draws"):
        arguments["draws"] = 60
    return entry.choose(**arguments)


def limits_or_reason(m, entry):
    try:
        return attach_interval(m, chosen(entry), Confidence(0.9))
    except Refused as why:
        return why


@pytest.mark.parametrize("entry", OF_MODELS, ids=lambda entry: entry.name)
def test_applies_somewhere(entry):
    p = SETTINGS["numbers" if entry.name == "order_statistics" else "two classes"]()
    if entry.name == "concordant_pairs":
        p = predictions([0, 0, 1, 1], value=[1, 2, 3, 4], positive=1)
    assert any(not isinstance(limits_or_reason(m, entry), Refused) for m in measured(p))


@pytest.mark.parametrize("entry", OF_MODELS, ids=lambda entry: entry.name)
def test_valid_limits_or_a_clear_refusal(entry, setting):
    for m in setting:
        found = limits_or_reason(m, entry)
        if isinstance(found, Refused):
            assert found.says and "\n" not in found.says
            continue
        low, high = m.score.range
        assert low <= found.low <= found.high <= high, m.score
        assert found.method.startswith(entry.name) and found.assumes == entry.assumes
        if entry.name not in HOLD_THE_VALUE:
            assert found.low - 1e-9 <= m.value <= found.high + 1e-9, m.score


MIRRORED = [entry for entry in OF_MODELS if entry.name != "isaksson"]  # the shortest interval has no tails of its own


@pytest.mark.parametrize("entry", MIRRORED, ids=lambda entry: entry.name)
def test_one_sided_is_two_sided_at_twice_the_miss(entry, setting):
    for m in setting:
        try:
            two = attach_interval(m, chosen(entry), Confidence(0.8))
        except Refused:
            continue
        low, high = m.score.range
        below = attach_interval(m, chosen(entry), Confidence(0.9, "lower"))
        above = attach_interval(m, chosen(entry), Confidence(0.9, "upper"))
        assert (below.low, below.high) == (pytest.approx(two.low, abs=1e-9), high), m.score
        assert (above.low, above.high) == (low, pytest.approx(two.high, abs=1e-9)), m.score


def test_every_score_has_a_default_or_a_reason(setting):
    for m in setting:
        if np.isnan(m.value):  # that it is undefined has a reason of its own
            continue
        found, notes = attach_default(m, Confidence())
        assert (found is None) == bool(notes), m.score
        if found is not None:
            assert found.width > 0, m.score


@pytest.mark.parametrize("entry", OF_MODELS, ids=lambda entry: entry.name)
def test_entries_describe_themselves(entry):
    assert entry.title and entry.sentence.endswith(".")
    assert entry.cite and all(key in REFERENCES for key in entry.cite)
    assert "IID" in entry.assumes
    assert all(limit.says and "\n" not in limit.says for limit in entry.limits)


@pytest.mark.parametrize("entry", OF_MODELS, ids=lambda entry: entry.name)
def test_unknown_parameter(entry):
    with pytest.raises(BadInput, match="has no parameter 'colour'"):
        entry.choose(colour="red")
