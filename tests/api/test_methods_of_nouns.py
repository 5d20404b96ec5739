"""What a user may call on a result answers, or says in one sentence why not, whatever it is given."""

import inspect

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import veracity as vc

HOSTILE = (
    None,
    -1,
    10**20,
    2.5,
    float("nan"),
    "x",
    "\0",
    b"x",
    [],
    [1, "a"],
    {"a": 1},
    object(),
    np.array([]),
    (1,),
    1j,
)
METHODS = {
    "predictions": ("labels", "confusion", "probability"),
    "runs": ("run", "predictions", "data", "design", "kind", "disagreement", "chosen", "final", "to_parquet"),
    "estimates": ("__getitem__", "to_frame"),
    "comparisons": ("__getitem__", "to_frame"),
    "ranking": ("__getitem__", "p_values", "to_latex", "to_frame"),
    "curve": ("line",),
    "learning_curve": ("__getitem__", "curve", "to_frame"),
    "matrix": ("column", "only"),
}


@pytest.fixture(scope="module")
def nouns():
    random = np.random.default_rng(0)
    truth = np.arange(60) % 2
    features = random.normal(size=(60, 2)) + truth[:, None]
    p, q = (vc.predictions(truth, proba=np.clip(random.random(60) + truth * 0.2, 0, 1), positive=1) for _ in range(2))
    learners = {"nb": GaussianNB(), "knn": KNeighborsClassifier()}
    matrix = vc.score_matrix(random.random((6, 3)), score="error")
    return {
        "predictions": p,
        "runs": vc.evaluate(learners, features, truth, by="kfold(k=2)"),
        "estimates": vc.scorecard(p),
        "comparisons": vc.compare({"a": p, "b": q, "c": q}, "error"),
        "ranking": vc.rank(matrix),
        "curve": vc.curve(p, "roc"),
        "learning_curve": vc.learning_curve(GaussianNB(), features, truth, sizes=[20, 30], by="kfold(k=2)"),
        "matrix": matrix,
    }


@pytest.mark.parametrize(("noun", "method"), [(noun, method) for noun in METHODS for method in METHODS[noun]])
def test_a_method_answers_or_says_why_not(nouns, noun, method, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    call = getattr(nouns[noun], method)
    names = [name for name, one in inspect.signature(call).parameters.items() if one.kind != one.VAR_KEYWORD]
    says = []
    for number in range(len(names)):
        for value in HOSTILE:
            arguments = ["error"] * number + [value] if names[0] in ("learners", "pair", "key", "place") else []
            try:
                call(*arguments) if arguments else call(**{names[number]: value})
            except vc.VeracityError as why:
                says.append(str(why))
            except IndexError:  # as of every sequence
                if not isinstance(value, int):
                    raise
            except TypeError as why:  # Python's own word on a call without an argument
                if "missing" not in str(why):
                    raise
    assert says
    assert not any("\n" in sentence for sentence in says)


def test_a_difference_is_of_two_learners(nouns):
    with pytest.raises(vc.BadInput, match="two learners, not of 3: choose two with only"):
        nouns["matrix"].difference  # noqa: B018
