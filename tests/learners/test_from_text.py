"""Learners by text: what is read, and the sentence for what is not."""

from __future__ import annotations

import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from veracity.core.errors import AskedToEnd, BadInput
from veracity.learners.from_text import learner_from_table, learner_from_text


def test_a_class_alone_and_with_parameters():
    assert isinstance(learner_from_text("sklearn.naive_bayes:GaussianNB"), GaussianNB)
    made = learner_from_text("sklearn.neighbors:KNeighborsClassifier(n_neighbors=3, weights='distance')")
    assert (type(made), made.n_neighbors, made.weights) == (KNeighborsClassifier, 3, "distance")


def test_dicts_and_lists_stay_what_they_are():
    made = learner_from_text("sklearn.linear_model:LogisticRegression(class_weight={0: 1, 1: 5})", C=0.5)
    assert isinstance(made, LogisticRegression)
    assert (made.class_weight, made.C) == ({0: 1, 1: 5}, 0.5)


def test_a_colon_in_a_parameter_is_only_a_text():
    made = learner_from_text("sklearn.svm:SVC", kernel="json:dumps")
    assert made.kernel == "json:dumps"


def test_tables_nest_into_pipelines():
    steps = [["scale", {"use": "sklearn.preprocessing:StandardScaler"}], ["svc", {"use": "sklearn.svm:SVC", "C": 10}]]
    made = learner_from_table({"use": "sklearn.pipeline:Pipeline", "steps": steps})
    assert isinstance(made, Pipeline)
    (_, scale), (_, svc) = made.steps
    assert isinstance(scale, StandardScaler) and isinstance(svc, SVC) and svc.C == 10
    assert made.fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]).predict([[3.0]]) == [1]


def test_a_function_that_makes_learners():
    text = "sklearn.pipeline:make_pipeline({'use': 'sklearn.preprocessing:StandardScaler'}, {'use': 'sklearn.svm:SVC'})"
    assert [name for name, _ in learner_from_text(text).steps] == ["standardscaler", "svc"]


def test_a_transformer_when_that_is_needed():
    assert isinstance(
        learner_from_text("sklearn.preprocessing:StandardScaler", needs=("fit", "transform")), StandardScaler
    )
    with pytest.raises(BadInput, match="no transform"):
        learner_from_text("sklearn.naive_bayes:GaussianNB", needs=("fit", "transform"))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("GaussianNB", r"write module:Class, such as sklearn.naive_bayes:GaussianNB"),
        ("sklearn.naive_bays:GaussianNB", r"no module sklearn.naive_bays: did you mean sklearn.naive_bayes"),
        ("skleran.svm:SVC", r"no module skleran: did you mean sklearn"),
        ("sklearn.naive_bayes:GausianNB", r"has no GausianNB: did you mean GaussianNB"),
        ("sklearn.tree:GaussianNB", r"did you mean sklearn.naive_bayes:GaussianNB\?"),
        ("sklearn.svm:SVC(c=1, kernal='rbf')", r"SVC has no parameter 'c'"),
        ("sklearn.svm:SVC(kernal='rbf')", r"no parameter 'kernal': did you mean kernel"),
        ("sklearn.svm:SVC(C=open('x'))", r"with plain values"),
        ("sklearn.svm:SVC(**{'C': 1})", r"with plain values"),
        ("sklearn.svm:SVC(", r"cannot read the learner 'sklearn.svm:SVC\('"),
        ("os:system('true')", r"os:system is a function, and only classes are called"),
        ("sklearn.svm:", r"cannot read the learner"),
        ("../x:Y", r"not the name of a module"),
        ("sklearn.preprocessing:StandardScaler", r"has no predict"),
        ("sklearn.ensemble:VotingClassifier", r"refuses its parameters"),
        ("math:pi(x=1)", r"takes no parameters"),
    ],
)
def test_one_sentence_for_what_cannot_be_used(text, says):
    with pytest.raises(BadInput, match=says) as caught:
        learner_from_text(text)
    assert "\n" not in str(caught.value)


def test_a_parameter_given_twice_and_a_table_without_use():
    with pytest.raises(BadInput, match="'C' is given twice"):
        learner_from_text("sklearn.svm:SVC(C=1)", C=2)
    with pytest.raises(BadInput, match=r"needs use = .* and here has C"):
        learner_from_table({"C": 1})


ENDS = ["raise KeyboardInterrupt", "from veracity.core.errors import AskedToEnd; raise AskedToEnd(143)"]


@pytest.mark.parametrize("raised", ENDS)
def test_who_asks_to_end_is_heard_while_a_module_is_imported(tmp_path, monkeypatch, raised):
    (tmp_path / "ends_here.py").write_text(raised)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises((KeyboardInterrupt, AskedToEnd)):
        learner_from_text("ends_here:Learner")


def test_a_module_that_ends_the_program_is_told(tmp_path, monkeypatch):
    (tmp_path / "exits_here.py").write_text("raise SystemExit(3)")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(BadInput, match="exits_here cannot be imported: SystemExit: 3"):
        learner_from_text("exits_here:Learner")
