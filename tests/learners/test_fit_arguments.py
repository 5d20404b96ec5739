"""What a learner's fit takes besides features and target."""

from __future__ import annotations

from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

from veracity.learners.fit_arguments import taken


class Grouped:
    def fit(self, features, target, sample_weight=None, groups=None):
        return self


def test_by_the_names_in_the_signature_through_pipelines():
    assert taken(GaussianNB()) == {"sample_weight": "sample_weight"}
    assert taken(KNeighborsClassifier()) == {}
    assert taken(Grouped()) == {"sample_weight": "sample_weight", "groups": "groups"}
    inner = Pipeline([("scale", StandardScaler()), ("nb", GaussianNB())])
    assert taken(Pipeline([("inner", inner)])) == {"sample_weight": "inner__nb__sample_weight"}
    assert taken(Pipeline([("scale", StandardScaler()), ("end", "passthrough")])) == {}
