"""Without a score, every door takes the same one: error for classes, rmse for numbers."""

import numpy as np
import pytest
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.naive_bayes import GaussianNB

import veracity as vc
from veracity.scores.default import default_score

RNG = np.random.default_rng(5)
X = RNG.normal(size=(40, 3))
Y = X @ [1.0, 2.0, 3.0] + RNG.normal(size=40)
BY = "kfold(k=4)"
LEARNERS = {"line": LinearRegression(), "ridge": Ridge(alpha=20), "mean": DummyRegressor()}


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    tables = {f"d{k}": (X, Y + k * RNG.normal(size=40)) for k in range(3)}
    return vc.Study(tables, LEARNERS, BY).run(tmp_path_factory.mktemp("many") / "r.db", progress=False)


@pytest.fixture(scope="module")
def one():
    return vc.evaluate({name: LEARNERS[name] for name in ("line", "mean")}, X, Y, by=BY)


@pytest.mark.parametrize(
    ("kinds", "score"),
    [
        (["classes"], "error"),
        (["numbers"], "rmse"),
        (["numbers", "numbers"], "rmse"),
        (["numbers", "classes"], "error"),
    ],
)
def test_by_the_kind_of_target(kinds, score):
    assert default_score(*kinds) == score


def test_learners_are_compared(one, many):
    assert vc.compare(one).to_json() == vc.compare(one, "rmse").to_json() and vc.compare(one).score == "rmse"
    assert {pair.score for pair in (*vc.compare(many), *vc.compare(many, data="d1"))} == {"rmse"}


def test_models_are_compared(one):
    assert vc.compare({name: one.predictions(name) for name in ("line", "mean")}).score == "rmse"


def test_learners_are_ranked(many):
    assert vc.rank(many).to_json() == vc.rank(many, "rmse").to_json() and vc.rank(many).matrix.score == "rmse"


def test_the_page(one, many):
    assert {row.score for row in vc.report(one).material.estimates} == {"rmse"}
    assert "best root mean squared error" in vc.report(many).material.question


def test_the_final_model(one):
    assert set(one.final("line").estimate_["scores"]) == {"rmse"}


def test_experiments():
    learning = vc.learning_curve(LinearRegression(), X, Y, sizes=[20], by=BY)
    validation = vc.validation_curve(Ridge(), X, Y, parameter="alpha", values=[1.0], by=BY)
    assert [row.score for curve in (learning, validation) for row in curve.test] == ["rmse", "rmse"]
    assert vc.permutation_test(LinearRegression(), X, Y, by=BY, draws=3).score == "rmse"
    assert vc.permutation_test(GaussianNB(), X, Y > 0, by=BY, draws=3).score == "error"


def test_slices(one):
    assert {row.score for row in vc.slices(one.predictions("line"), by=X[:, 0] > 0)} == {"rmse"}


QUESTIONS = '[questions]\ncompare = { pairs = [["line", "mean"]] }\nrank = { using = "friedman" }'


@pytest.mark.parametrize(
    ("data", "learners", "score"),
    [
        ("sklearn:load_diabetes", {"line": "linear_model:LinearRegression", "mean": "dummy:DummyRegressor"}, "rmse"),
        ("sklearn:load_iris", {"line": "naive_bayes:GaussianNB", "mean": "dummy:DummyClassifier"}, "error"),
    ],
)
def test_questions_of_a_study_file(tmp_path, data, learners, score):
    lines = [f'{name} = "sklearn.{text}"' for name, text in learners.items()]
    head = f'by = "kfold(k=3)"\n[data]\nd = "{data}"\n[learners]\n'
    (tmp_path / "study.toml").write_text("\n".join([head, *lines, QUESTIONS]))
    study = vc.Study.read(tmp_path / "study.toml")
    assert [study.questions[verb]["score"] for verb in ("compare", "rank")] == [score] * 2
    page = vc.report(study.run(tmp_path / "r.db", progress=False))
    assert [pair.score for pair in page.material.comparisons] == [score]
