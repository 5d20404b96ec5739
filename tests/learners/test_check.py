"""What an object lacks to be a learner."""

from __future__ import annotations

import pytest
from sklearn.naive_bayes import GaussianNB

from veracity.core.errors import BadInput
from veracity.learners.from_text import check_learner


class OnlyFits:
    def fit(self, features, target):
        return self


def test_any_object_with_fit_and_predict():
    class Own(OnlyFits):
        def predict(self, features):
            return [0] * len(features)

    own = Own()
    assert check_learner(own) is own


def test_sentences_for_classes_and_for_what_is_missing():
    with pytest.raises(BadInput, match=r"learner 'nb' is the class GaussianNB: give an object of it, GaussianNB\(\)"):
        check_learner(GaussianNB, "nb")
    with pytest.raises(BadInput, match="is a OnlyFits, which has no predict"):
        check_learner(OnlyFits())
    with pytest.raises(BadInput, match="no fit and no predict"):
        check_learner(3)


def test_a_stacked_learner_predicts_once_it_is_fitted():
    from sklearn.ensemble import StackingClassifier

    stacked = StackingClassifier([("nb", GaussianNB())])
    assert not hasattr(stacked, "predict"), "it says so before its fit: this would prove nothing"
    assert check_learner(stacked) is stacked
