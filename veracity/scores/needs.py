"""What a learner must tell for a score, and the way out for one that does not."""

from __future__ import annotations

from veracity.core.entry import Choice

METHODS = {"proba": ("predict_proba",), "value": ("predict_proba", "decision_function")}  # any of them will do
WORDS = {"proba": "probabilities", "value": "probabilities or decision values"}


def lacking(score: Choice, learner: str) -> str:
    """The sentence for a learner of classes that does not tell what the score needs."""
    needs = score.entry.needs
    has_not = " and no ".join(METHODS[needs])
    way = "use a score of labels such as error, or wrap it in sklearn's CalibratedClassifierCV"
    return f"{score} needs {WORDS[needs]}, but {learner} has no {has_not}: {way}"
