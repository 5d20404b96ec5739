"""The table of classes: scikit-learn's numbers, the intervals of two classes, and no more than the rows tell."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.metrics import classification_report
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import veracity as vc

NAMES = np.array(["ant", "bee", "cat"])


@pytest.fixture(scope="module")
def rows():
    random = np.random.default_rng(8)
    truth = random.choice(NAMES, 200, p=[0.6, 0.3, 0.1])
    chance = random.dirichlet([1, 1, 1], 200) + 0.6 * (truth[:, None] == NAMES)
    return truth, chance / chance.sum(1, keepdims=True)


@pytest.fixture(scope="module")
def label(rows):
    return NAMES[rows[1].argmax(1)]


def _as_sklearn(table):
    """The table in the shape of `classification_report`."""
    called = {"macro": "macro avg", "prior": "weighted avg", "": ""}
    return {
        called[row.average] or row.label: {
            "precision": row["precision"].value,
            "recall": row["recall"].value,
            "f1-score": row["f1"].value,
            "support": row.support,
        }
        for row in table
    }


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10**6), st.integers(2, 6))
def test_values_and_support_are_those_of_scikit_learn(seed, classes):
    random = np.random.default_rng(seed)
    truth, said = random.integers(classes, size=(2, 60 * classes))
    found = _as_sklearn(vc.per_class(vc.predictions(truth, label=said), ["precision", "recall", "f1"]))
    wanted = classification_report(truth, said, output_dict=True, zero_division=np.nan)
    accuracy = wanted.pop("accuracy")
    assert set(found) == set(wanted)
    for name, line in wanted.items():
        assert found[name] == pytest.approx(line, nan_ok=True)
    assert found["weighted avg"]["recall"] == pytest.approx(accuracy)


def test_intervals_are_those_of_the_class_against_the_rest(rows, label):
    truth, _ = rows
    table = vc.per_class(vc.predictions(truth, label=label), level=0.9)
    for name in NAMES:
        two = vc.estimate(
            vc.predictions(truth == name, label=label == name, positive=True), ["precision", "recall", "f1"], level=0.9
        )
        for score in ("precision", "recall", "fbeta"):
            assert table[name][score].interval == two[score].interval
    assert (table["bee"]["recall"].interval.method, table["bee"]["fbeta"].interval.method) == ("wilson", "f1_exact")
    assert "intervals of level 0.9, each by itself; precision, recall by wilson; fbeta by f1_exact" in repr(table)
    macro = vc.estimate(vc.predictions(truth, label=label), "recall(average='macro')", level=0.9)
    assert table["macro"]["recall"].interval == macro["recall(average='macro')"].interval


def test_a_matrix_tells_the_same(rows, label):
    p = vc.predictions(rows[0], label=label)
    of_rows, of_counts = vc.per_class(p), vc.per_class(vc.Counts(p.confusion().matrix, classes=list(NAMES)))
    assert of_rows.to_csv() == of_counts.to_csv()
    assert vc.per_class({"a": p, "b": p})["b", "cat"]["recall"] == vc.per_class({"b": p})["b", "cat"]["recall"]


def test_other_scores_of_one_class(rows):
    truth, chance = rows
    p = vc.predictions(truth, proba=chance, classes=list(NAMES))
    table = vc.per_class(p, ["specificity", "auc"])
    for place, name in enumerate(NAMES):
        two = vc.predictions(truth == name, proba=chance[:, place], positive=True)
        assert table[name]["auc"].value == pytest.approx(vc.score(two, "auc"))
        assert table[name]["auc"].interval.low < table[name]["auc"].value < table[name]["auc"].interval.high
    assert table["macro"]["auc"].value == pytest.approx(np.mean([table[name]["auc"].value for name in NAMES]))


def test_two_classes_whichever_is_positive(rows):
    truth, chance = rows
    p = vc.predictions(truth == "ant", proba=chance[:, 0], positive=True, threshold=0.4)
    table = vc.per_class(p, ["recall", "auc"])
    assert table[True]["recall"].value == pytest.approx(vc.score(p, "recall"))
    assert table[False]["recall"].value == pytest.approx(vc.score(p, "specificity"))
    assert table[False]["auc"].value == pytest.approx(table[True]["auc"].value)


def test_weights_and_groups_widen_as_they_do_elsewhere(rows, label):
    truth, _ = rows
    weights, groups = np.linspace(1, 3, 200), np.arange(200) // 5
    table = vc.per_class(vc.predictions(truth, label=label, weights=weights, groups=groups))
    two = vc.predictions(truth == "bee", label=label == "bee", positive=True, weights=weights, groups=groups)
    assert table["bee"]["recall"].interval.low == pytest.approx(vc.estimate(two, "recall")["recall"].interval.low)
    assert table["bee"].support == pytest.approx(weights[truth == "bee"].sum())
    assert "clustered-rows" in [note["code"] for note in table.to_json()["notes"]]


def test_a_class_never_predicted_costs_its_own_cells(rows):
    table = vc.per_class(vc.predictions(["a", "b", "c", "a"] * 5, label=["a", "b", "a", "a"] * 5))
    assert str(table["c"]["precision"].value.reason) == "nothing is predicted positive"
    assert table["c"]["recall"].value == 0 and table["a"]["precision"].value == pytest.approx(2 / 3)
    assert np.isnan(table["macro"]["precision"].value)
    assert table.to_json()["per_class"]["c"]["precision"]["value"] is None
    assert "undefined" in repr(table)


def test_every_form(rows, label):
    table = vc.per_class(vc.predictions(rows[0], label=label))
    for text in (repr(table), table.to_html(), table.to_markdown(), table.to_latex()):
        assert all(word in text for word in ("precision", "recall", "fbeta", "support", *NAMES, "weighted mean"))
    assert f"{table['bee']['recall'].value:.2f} {{[}}" in table.to_latex()
    frame = table.to_frame("pandas").set_index("class")
    assert frame.loc["bee", "recall low"] == table["bee"]["recall"].interval.low
    assert frame.loc["bee", "recall"] == table["bee"]["recall"].value
    assert list(frame["level"]) == [0.95] * 5 and frame.loc["cat", "fbeta method"] == "f1_exact"
    found = json.loads(json.dumps(table.to_json()))
    assert found["per_class"]["bee"]["recall"]["value"] == table["bee"]["recall"].value
    assert set(found["averages"]) == {"macro", "prior"}
    assert "classification" not in vc.report(table).html and "weighted mean" in vc.report(table).html


def test_narrow_intervals_have_more_decimals():
    table = vc.per_class(vc.Counts([[90_000, 10_000], [9_000, 91_000]]))
    assert "0.9000 [0.8981, 0.9018]" in repr(table)


@pytest.fixture(scope="module")
def runs():
    features, target = load_iris(return_X_y=True)
    learners = {"nb": GaussianNB(), "stump": DecisionTreeClassifier(max_depth=1)}
    return vc.evaluate(learners, features, NAMES[target], by="kfold(k=5)", seed=1)


def test_learners_are_asked_over_their_folds(runs):
    table = vc.per_class(runs)
    row = table["nb", "bee"]
    asked = vc.estimate(runs.with_positive("bee"), "recall")["nb", "recall"]
    assert (row["recall"].value, row["recall"].interval, row.support) == (asked.value, asked.interval, 50)
    assert row["recall"].interval.method == "conservative_t"
    assert "few-splits" in [note.code for note in table.table().notes if note.weight == "caution"]
    assert "nothing is predicted positive" in str(table["stump", "cat"]["precision"].value.reason)
    found = table.to_json()["estimates"]["data"]
    assert found["nb"]["per_class"]["bee"]["recall"]["by"] == "kfold(k=5)"


def test_predictions_of_several_models_say_so(runs):
    table, of_runs = vc.per_class(runs.predictions("nb")), vc.per_class(runs)
    assert table["bee"]["recall"].interval == of_runs["nb", "bee"]["recall"].interval
    assert table["bee"].support == 50
    assert "several-models" in [note.code for note in table.table().notes]


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda p: vc.per_class(p, "error"), "error is of all classes together"),
        (lambda p: vc.per_class(p, "recall(average='macro')"), "gives averages below the classes"),
        (lambda p: vc.per_class(p, []), "name a score of one class"),
        (lambda p: vc.per_class(p, "auc"), "auc needs decision values"),
        (lambda p: vc.per_class(vc.errors(3, of=9)), "not a number of errors"),
        (lambda p: vc.per_class([[1, 2], [3, 4]]), "not list"),
        (lambda p: vc.per_class(vc.predictions([1.5, 2], number=[1.0, 2])), "no target here is of classes"),
        (lambda p: vc.per_class(p)["dog"], "no row is labelled 'dog': the labels are ant, bee, cat"),
        (lambda p: vc.per_class({"a": p, "b": p})["ant"], "leaves 2 rows, add a label"),
        (lambda p: vc.per_class(p)["ant"]["auc"], "there is no 'auc' of ant: there are precision"),
    ],
)
def test_what_cannot_be_had_is_one_sentence(rows, label, ask, says):
    with pytest.raises(vc.VeracityError, match=says) as why:
        ask(vc.predictions(rows[0], label=label))
    assert "\n" not in str(why.value)


def test_only_positives_labelled_tell_nothing_of_a_class(rows, label):
    p = vc.predictions(rows[0] == "ant", label=label == "ant", positive=True, labelled="positives")
    with pytest.raises(vc.Refused, match="only positives are labelled"):
        vc.per_class(p)


@pytest.mark.parametrize("names", [None, 3, [None]])
def test_what_names_no_score(rows, label, names):
    with pytest.raises(vc.BadInput):
        vc.per_class(vc.predictions(rows[0], label=label), names)
