"""What a study cannot answer is told before its first fit."""

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

import veracity as vc

Y = np.arange(40) % 2
TABLE = (np.random.default_rng(0).normal(size=(40, 2)) + Y[:, None], Y)
LEARNERS = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(), "svc": LinearSVC()}


def study(scores=(), questions=None, learners=LEARNERS, by="kfold(k=3)", number=1):
    data = {f"d{i}": TABLE for i in range(number)}
    return vc.Study(data=data, learners=learners, by=by, scores=scores, questions=questions)


def says(**given):
    return [note.says for note in study(**given).foreseen]


def test_a_score_that_some_learners_cannot_have():
    (one,) = says(scores=["error", "log_loss", "auc"])
    assert one.startswith("log_loss needs probabilities, but svc has no predict_proba")
    assert not says(scores=["error"])
    (other,) = says(scores=["error", "rmse"])
    assert other == "rmse is for a target of numbers, which no data set here has"


def test_it_is_told_before_the_first_fit_and_the_run_goes_on(tmp_path, capsys):
    heard = []
    runs = study(["error", "log_loss"]).run(
        tmp_path / "r.db", progress=lambda progress, left: heard.append(capsys.readouterr().err)
    )
    assert heard[0].startswith("caution: log_loss needs probabilities, but svc has no predict_proba")
    assert "[score-undefined]" in heard[0]
    assert vc.estimate(runs, "error")["svc"].value < 0.5


def test_nothing_is_fitted_where_no_score_can_be_had(tmp_path):
    alone = study(["log_loss", "rmse"], learners={"svc": LinearSVC()})
    with pytest.raises(vc.BadInput, match=r"nothing was fitted.*log_loss needs probabilities, but svc has no"):
        alone.run(tmp_path / "r.db")
    assert not (tmp_path / "r.db").exists()
    both = study(["log_loss"], learners={"svc": LinearSVC(), "svm": LinearSVC()})
    with pytest.raises(vc.BadInput, match="but svc and svm have no predict_proba"):
        both.run(tmp_path / "r.db")
    numbers = vc.Study(data={"d": (TABLE[0], TABLE[0][:, 0])}, learners={"line": LinearRegression()}, scores="auc")
    with pytest.raises(vc.BadInput, match="auc is for a target of classes, which no data set here has"):
        numbers.run(tmp_path / "r.db")


@pytest.mark.parametrize(
    ("question", "more", "why"),
    [
        ({"rank": {"score": "error"}}, {}, "rank cannot be answered: one data set says nothing about others"),
        ({"rank": {"score": "rmse"}}, {"number": 3}, "rmse is for a target of numbers, which no data set here has"),
        ({"rank": {"score": "log_loss"}}, {"number": 3}, "this test is of three learners or more"),
        ({"compare": {"score": "log_loss", "pairs": [["nb", "svc"]]}}, {}, "of no pair both can have log_loss"),
        ({"compare": {"score": "error", "using": "five_by_two_f"}}, {}, "evaluate `by='five_by_two'`"),
        ({"compare": {"score": ["error", "rmse"]}}, {}, "the question compare by rmse cannot be answered"),
        ({"rank": {"score": "error", "using": "corrected_t"}}, {"by": "holdout"}, "one split says nothing"),
        ({"compare": {"score": "error"}}, {"by": ["kfold(k=3)", "kfold(k=4)"]}, "this study has several"),
    ],
)
def test_a_question_that_cannot_be_answered(question, more, why):
    (one,) = says(questions=question, **more)
    assert why in one


@pytest.mark.parametrize(
    ("question", "more"),
    [
        ({"rank": {}}, {"number": 3}),
        ({"rank": {"score": "error", "using": "corrected_t"}}, {}),
        ({"rank": {"score": "error", "using": "iman_davenport", "pairs": "wilcoxon", "then": "holm"}}, {"number": 4}),
        ({"compare": {"score": "error", "using": "five_by_two_f"}}, {"by": "five_by_two"}),
        ({"compare": {"score": "log_loss"}}, {"number": 2}),
        ({"compare": {"score": "error", "using": "mcnemar"}}, {"by": "holdout"}),
    ],
)
def test_what_can_be_answered_is_not_cautioned(question, more):
    assert not says(questions=question, **more)


def test_decision_values_are_of_two_classes_alone(tmp_path):
    three = (TABLE[0], np.arange(40) % 3)
    both = vc.Study(data={"two": TABLE, "three": three}, learners=LEARNERS, by="kfold(k=3)", scores=["auc", "error"])
    (one,) = both.foreseen
    assert one.says.startswith("auc of more than two classes needs probabilities, but svc has no predict_proba:")
    found = vc.estimate(both.run(tmp_path / "r.db", progress=False), "auc")
    assert not np.isnan(found["two", "svc"].value) and found["three", "svc"].value.reason == one.says
    alone = vc.Study(data={"three": three}, learners={"svc": LinearSVC()}, by="kfold(k=3)", scores=["auc", "log_loss"])
    with pytest.raises(vc.BadInput, match="nothing was fitted, as no learner can have any of the scores: auc of more"):
        alone.run(tmp_path / "none.db")


def test_a_page_of_questions_that_no_data_set_can_answer(tmp_path):
    runs = study(["error"], {"rank": {"score": "rmse", "using": "friedman"}}, number=3).run(tmp_path / "r.db")
    says = "the question rank was not answered: rmse is for a target of numbers, which no data set here has"
    assert says in [note.says for note in vc.report(runs).notes]
