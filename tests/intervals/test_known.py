"""Every interval gives the known answers it declares."""

import numpy as np
import pytest

from veracity.core.confidence import Confidence
from veracity.evidence.interval_evidence import Area, Proportion, Shares
from veracity.evidence.losses import Bounded, FoldLosses
from veracity.evidence.same_rows import Pairs
from veracity.evidence.score_matrix import SplitScores
from veracity.intervals import intervals

ANSWERS = [(entry, known) for entry in intervals for known in entry.known_answers()]
EVIDENCE = (
    "hits",
    "rows",
    "ones",
    "area",
    "positives",
    "negatives",
    "truth",
    "score",
    "matrix",
    "level",
    "side",
    "splits",
    "losses",
    "folds",
    "train",
    "test",
    "both",
    "first_only",
    "second_only",
    "neither",
)


def evidence(entry, given, counted, ordered):
    if entry.reads is Proportion:
        return Proportion(given["hits"], given["rows"])
    if issubclass(entry.reads, Bounded):
        losses = np.zeros(given["rows"])
        losses[list(given.get("ones", range(given.get("hits", 0))))] = 1
        return entry.reads(losses)
    if entry.reads is Pairs:
        return Pairs(*(given[name] for name in ("both", "first_only", "second_only", "neither")))
    if entry.reads is Shares:
        return Shares(*(Proportion(*counted) for counted in zip(given["hits"], given["rows"], strict=True)))
    if entry.reads is SplitScores:
        return SplitScores.of(given["splits"], given["train"], given["test"])
    if entry.reads is FoldLosses:
        return FoldLosses(np.array([given["losses"]]), np.array([given["folds"]]))
    if "area" in given:
        return Area(given["area"], given["positives"], given["negatives"])
    if "truth" in given:
        return ordered("auc", -np.arange(len(given["truth"])), given["truth"]).view(Area)
    return counted(given["score"], given["matrix"]).view(entry.reads)


@pytest.mark.parametrize(("entry", "known"), ANSWERS, ids=lambda item: getattr(item, "name", ""))
def test_known_answer(entry, known, counted, ordered):
    at = Confidence(known.given["level"], known.given.get("side", "two"))
    parameters = {name: value for name, value in known.given.items() if name not in EVIDENCE}
    read = evidence(entry, known.given, counted, ordered)
    found = entry.function(read, at, **parameters)
    half_a_unit = 0.5 * 10**-known.digits + 1e-9
    if np.isscalar(known.answer):  # a half width
        assert found.high - read.mean == pytest.approx(known.answer, abs=half_a_unit)
        return
    low, high = known.answer
    assert at.side == "upper" or found.low == pytest.approx(low, abs=half_a_unit)
    assert at.side == "lower" or found.high == pytest.approx(high, abs=half_a_unit)


def test_most_methods_have_a_known_answer():
    assert len({entry.name for entry, _ in ANSWERS}) >= 18
