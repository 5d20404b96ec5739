"""Which scores predictions or other evidence allow."""

from __future__ import annotations

from veracity.core.entry import Choice
from veracity.evidence.counts import Errors
from veracity.evidence.evidence import Evidence
from veracity.evidence.losses import Losses
from veracity.evidence.ordering import OrderedRows, Ordering
from veracity.evidence.predictions import Predictions
from veracity.scores import scores
from veracity.scores.entry import RIGHT_OR_WRONG, Score
from veracity.scores.on_counts import CountScore
from veracity.scores.on_orderings import OrderingScore


def applicable_scores(source: Predictions | Evidence) -> list[Choice]:
    """The scores of a scorecard: all that the predictions allow without a parameter that must be given."""
    choices = []
    for entry in scores:
        if any(parameter.required for parameter in entry.parameters) or _is_same_of_all(entry, source):
            continue
        choice = entry.choose()
        if isinstance(source, Predictions):
            entry = entry.for_models(source)
            if entry.needs not in source.offers or not entry.suits(source.kind):
                continue
            choice = _with_test_baseline(choice, source)
        elif not reads_evidence(choice, source):
            continue
        choices.append(choice)
    return choices


def _is_same_of_all(entry: Score, source: Predictions | Evidence) -> bool:
    """A fact about the rows of a class, whose mean over classes is one divided by their number whatever the rows."""
    several = len(getattr(source, "classes", ())) > 2 and getattr(source, "positive", None) is None
    return several and not entry.judges and isinstance(entry, CountScore) and entry.one_class


def reads_evidence(choice: Choice, evidence: Evidence) -> bool:
    """Whether a score is one of this kind of evidence; losses belong to the one score that made them."""
    if isinstance(evidence, Errors):
        return bool(choice.entry.is_one_of(*RIGHT_OR_WRONG))
    kind = OrderingScore if isinstance(evidence, (Ordering, OrderedRows)) else CountScore
    return isinstance(choice.entry, kind) and not isinstance(evidence, Losses)


def _with_test_baseline(choice: Choice, p: Predictions) -> Choice:
    """Without facts of the training rows, a scorecard measures against the test rows, and its row says so."""
    unknown = p.train_mean is None and p.prior is None and p.provenance == "one model"
    if choice.accepts("baseline") and unknown:
        return choice.setting(baseline="test")
    return choice
