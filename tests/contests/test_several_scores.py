"""Models compared by several scores: one family."""

import numpy as np
import pytest

import veracity as vc


@pytest.fixture(scope="module")
def models():
    random = np.random.default_rng(2)
    y = random.random(150) < 0.4
    return {
        name: vc.predictions(y, proba=np.clip(0.4 * y + 0.6 * random.random(150) + shift, 0, 1), positive=True)
        for name, shift in (("a", 0), ("b", 0.05), ("c", 0.1))
    }


def test_each_score_gives_its_own_rows_and_p_values_are_adjusted_over_all(models):
    asked = ["error", "auc", "brier"]
    found = vc.compare(models, asked, seed=3)
    alone = [row for score in asked for row in vc.compare(models, score, seed=3)]
    assert [(row.score, row.a, row.b, row.p_value) for row in found] == [
        (row.score, row.a, row.b, row.p_value) for row in alone
    ]
    p = [row.p_value for row in found]
    assert [row.adjusted_p_value for row in found] == pytest.approx(list(vc.adjust(p, "holm")))
    says = [note.says for note in found.notes]
    assert any("p-values are adjusted over all pairs of all of them" in one for one in says)
    assert any(one.startswith("9 comparisons are one family") for one in says)


def test_the_table_names_the_score_and_notes_say_of_which_they_are(models):
    found = vc.compare(models, ("error", "auc"))
    table = found.table()
    assert table.titles[0] == "score" and [row[0] for row in table.rows] == ["error"] * 3 + ["auc"] * 3
    assert "differences of error, auc" in table.caption
    assert {"error", "auc"} <= {str(note.says).partition(":")[0] for note in found.all_notes if note.code == "default"}
    assert found["a", "b", "auc"].score == "auc"
    with pytest.raises(vc.BadInput, match="leaves several comparisons"):
        found["a", "b"]


def test_one_score_in_a_list_is_one_score(models):
    two = {name: models[name] for name in "ab"}
    assert vc.compare(two, ["error"]) == vc.compare(two, "error")
    assert "score" not in vc.compare(models, ["error"]).table().titles


def test_a_score_that_cannot_be_compared_costs_its_own_rows(models):
    """No test of right and wrong rows reads an area, whatever the rows: it was never part of the family."""
    found = vc.compare({name: models[name] for name in "ab"}, ["error", "auc"], using="mcnemar")
    assert [row.score for row in found] == ["error"] and found.rows[0].adjusted_p_value == found.rows[0].p_value
    assert any(note.code == "not-compared" and "models by auc" in note.says for note in found.notes)
    with pytest.raises(vc.VeracityError, match="right and wrong rows"):
        vc.compare(models, ["auc", "brier"], using="mcnemar")


@pytest.mark.parametrize(("asked", "says"), [([], "names no score"), (["error", "error"], "names a score twice")])
def test_what_is_no_list_of_scores(models, asked, says):
    with pytest.raises(vc.BadInput, match=says):
        vc.compare(models, asked)


def test_adjustments_of_pairs_read_one_score(models):
    with pytest.raises(vc.BadInput, match="several slices or scores"):
        vc.compare(models, ["error", "auc"], then="shaffer")


def test_on_several_data_sets(tmp_path):
    random = np.random.default_rng(4)
    data = {f"d{i}": (random.normal(size=(40, 2)), random.integers(0, 2, 40)) for i in range(2)}
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    learners = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2, random_state=0)}
    runs = vc.Study(data, learners, "kfold(k=3)").run(tmp_path / "kept.db", progress=False)
    found = vc.compare(runs, ["error", "brier"])
    assert [(row.score, row.data) for row in found] == [(s, d) for s in ("error", "brier") for d in ("d0", "d1")]
    assert found.table().titles[:2] == ("score", "data")


def test_the_page_and_the_picture(models, tmp_path):
    found = vc.compare(models, ["error", "auc"])
    material = vc.report(found).material
    assert material.question == "Which of 3 models is better by error or area under the ROC curve?"
    assert material.answer.startswith("There is enough evidence that they differ in ")
    assert " of 6 pairs" in material.answer
    vc.plot(found).savefig(tmp_path / "x.svg")
    assert "auc: a" in (tmp_path / "x.svg").read_text()


def test_a_score_that_the_rows_refuse_counts_with_all_its_pairs():
    random = np.random.default_rng(0)
    y = [1, *[0] * 39]  # one positive row: no area has a variance
    models = {name: vc.predictions(y, proba=random.random(40), positive=1) for name in "abc"}
    found = vc.compare(models, ["error", "auc"])
    p = [row.p_value for row in found]
    assert [row.adjusted_p_value for row in found] == pytest.approx(list(vc.adjust([*p, 1, 1, 1], "holm"))[:3])
    assert any(note.says.endswith("3 of them refused, which count as p = 1") for note in found.notes)
