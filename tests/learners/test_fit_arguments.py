"""What a learner's fit takes besides features and target."""

from __future__ import annotations

from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from veracity.learners.inspection import fit_keywords


class Grouped:
    def fit(self, features, target, sample_weight=None, groups=None):
        return self


def test_by_the_names_in_the_signature_through_pipelines():
    assert fit_keywords(GaussianNB()) == {"sample_weight": "sample_weight"}
    assert fit_keywords(KNeighborsClassifier()) == {}
    assert fit_keywords(Grouped()) == {"sample_weight": "sample_weight", "groups": "groups"}
    inner = Pipeline([("scale", StandardScaler()), ("nb", GaussianNB())])
    assert fit_keywords(Pipeline([("inner", inner)])) == {"sample_weight": "inner__nb__sample_weight"}
    assert fit_keywords(Pipeline([("scale", StandardScaler()), ("end", "passthrough")])) == {}
