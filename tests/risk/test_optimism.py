"""Flat against nested: on pure noise the one is too good and the other is right."""

import json

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import veracity as vc
from veracity.core.words import for_command_line

TWO = make_classification(90, 5, flip_y=0.2, random_state=3)


def test_pure_noise_shows_the_optimism_of_the_flat_score():
    """Sixty settings that differ by chance alone: the winner's inner error is far below 0.5, the nested one is not."""
    rng = np.random.default_rng(8)
    x, y = rng.normal(size=(60, 8)), np.arange(60) % 2
    grid = {"max_features": [1, 2, 3], "random_state": list(range(20))}
    learner = vc.tuned(DecisionTreeClassifier(max_depth=3), grid, by="kfold(k=5)", score="error")
    runs = vc.evaluate({"tree": learner}, x, y, by="repeated_kfold(k=3, repeats=2)", seed=1)
    row = vc.optimism(runs)["tree"]
    assert row.flat < 0.4
    assert 0.4 < row.nested.value < 0.62 and row.nested.interval.low < 0.5 < row.nested.interval.high
    assert row.difference == pytest.approx(row.nested.value - row.flat) and row.difference > 0.1
    assert row.chosen.share < 1  # and the choice is arbitrary
    assert 0.2 < row.disagreement < 0.6


def test_it_prints_and_is_written_like_any_table(tmp_path):
    learners = {
        "knn": vc.tuned(KNeighborsClassifier(), {"n_neighbors": [1, 5, 9]}, by="kfold(k=3)", score="error"),
        "nb": GaussianNB(),
    }
    vc.evaluate(learners, *TWO, by="kfold(k=3)", store=tmp_path / "r.db")
    found = vc.optimism(vc.read_runs(tmp_path / "r.db"), "error")  # from the store alone
    assert len(found) == 1 and "nested - flat" in repr(found) and "n_neighbors=" in found.to_markdown()
    said = json.loads(json.dumps(found.to_json(), allow_nan=False))["optimism"]["data"]["knn"]["kfold(k=3)"]
    assert said["nested"]["value"] == found["knn"].nested.value and len(said["chosen"]) == 3
    assert said["disagreement"] is None  # every row was predicted once


def test_designs_can_be_told_apart():
    knn = vc.tuned(KNeighborsClassifier(), {"n_neighbors": [1, 5]}, score="error")
    by = ["kfold(k=3)", "nested(outer=kfold(k=2), inner=kfold(k=3))"]
    found = vc.optimism(vc.evaluate({"knn": knn}, *TWO, by=by))
    assert [row.chosen.by for row in found] == by == list(found.to_json()["optimism"]["data"]["knn"])
    table = found.table()
    assert [row[table.titles.index("by")] for row in table.texts] == by
    assert found["kfold(k=3)"].chosen.by == "kfold(k=3)"


def test_the_table_says_how_stable_the_choice_is():
    """Sixty settings that differ by chance alone are chosen at random; one setting is chosen always."""
    trees = {"random_state": list(range(8))}
    learners = {
        "tree": vc.tuned(DecisionTreeClassifier(max_features=1, max_depth=2), trees, by="kfold(k=3)", score="error"),
        "knn": vc.tuned(KNeighborsClassifier(), {"n_neighbors": [5]}, by="kfold(k=3)", score="error"),
    }
    found = vc.optimism(vc.evaluate(learners, *TWO, by="repeated_kfold(k=3, repeats=2)", seed=1))
    table = found.table()
    chosen, settings = (table.titles.index(title) for title in ("chosen most", "settings"))
    tree, knn = table.texts
    assert knn[chosen] == "n_neighbors=5 in 6 of 6" and knn[settings] == "1"
    words, number = found["tree"].chosen.counted[0]
    assert tree[chosen] == f"{words} in {number} of 6" and int(tree[settings]) == len(found["tree"].chosen.counted) > 1
    assert "disagreement" in table.titles and "on all rows" not in table.titles
    each = found.splits_table()
    assert len(each.rows) == 12 and [row[3] for row in each.rows[:6]] == list(range(6))


def test_the_choice_on_all_rows_is_read_from_the_store(tmp_path):
    grid = {"n_neighbors": [1, 5, 9]}
    learners = {"knn": vc.tuned(KNeighborsClassifier(), grid, by="kfold(k=3)", score="error"), "nb": GaussianNB()}
    place = tmp_path / "r.db"
    vc.Study({"two": TWO}, learners, "kfold(k=3)").run(place, progress=False)
    assert vc.read_runs(place).chosen("knn").final is None
    runs = vc.Study({"two": TWO}, learners, "kfold(k=3)", final=True).run(place, progress=False)
    kept = vc.read_runs(place).chosen("knn")
    assert kept.final == runs.final("knn").best_params_
    assert repr(kept).endswith(f"; on all rows n_neighbors={kept.final['n_neighbors']}")
    found = vc.optimism(vc.read_runs(place)).table()
    assert found.titles[-1] == "on all rows" and found.texts[0][-1] == f"n_neighbors={kept.final['n_neighbors']}"
    more = {"more": vc.tuned(KNeighborsClassifier(), grid, score="error")}
    vc.Study({"two": TWO}, more, "kfold(k=3)", final=True).run(place, progress=False)
    both = vc.read_runs(place)
    assert both.chosen("knn").final == kept.final and both.chosen("more").final is not None


def test_what_it_cannot_tell():
    knn = vc.tuned(KNeighborsClassifier(), {"n_neighbors": [1, 5]}, by="kfold(k=3)", score="error")
    runs = vc.evaluate({"knn": knn}, *TWO, by="kfold(k=3)")
    with pytest.raises(vc.BadInput, match="knn was tuned by error: its flat score is of that and not of auc"):
        vc.optimism(runs, "auc")
    with pytest.raises(vc.BadInput, match="no row is labelled 'nb'"):
        vc.optimism(runs)["nb"]
    plain = vc.evaluate({"nb": GaussianNB()}, *TWO, by="kfold(k=3)")
    with pytest.raises(vc.BadInput, match="none of these learners tunes itself"):
        vc.optimism(plain)
    theirs = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 5]}, cv=3)
    with pytest.raises(vc.BadInput, match="by which score grid was tuned is not known"):
        vc.optimism(vc.evaluate({"grid": theirs}, *TWO, by="kfold(k=3)"))


def test_a_learner_of_unknown_tuning_score_loses_its_own_row():
    theirs = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 5]}, cv=3)
    ours = vc.tuned(KNeighborsClassifier(), {"n_neighbors": [1, 5]}, by="kfold(k=3)", score="error")
    found = vc.optimism(vc.evaluate({"grid": theirs, "ours": ours}, *TWO, by="kfold(k=3)"))
    assert [row.chosen.learner for row in found] == ["ours"]
    (lost,) = (note for note in found.notes if note.code == "left-out")
    assert lost.weight == "caution" and "grid on data by kfold" in lost.says and "is not known: name one" in lost.says
    assert "is not known" in repr(found) and "is not known" in found._repr_html_()
    assert "left-out" in {note["code"] for note in found.to_json()["notes"]}
    both = vc.optimism(vc.evaluate({"grid": theirs, "ours": ours}, *TWO, by="kfold(k=3)"), "error")
    assert len(both) == 2 and not any(note.code == "left-out" for note in both.notes)


def test_notes_name_their_places_and_what_is_lost_for_one_reason_is_told_once(tmp_path):
    theirs = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 5]}, cv=3)
    ours = vc.tuned(KNeighborsClassifier(), {"n_neighbors": [1, 5]}, by="kfold(k=3)", score="error")
    data = {"two": TWO, "more": make_classification(60, 4, random_state=5)}
    study = vc.Study(data, {"grid": theirs, "ours": ours}, "repeated_kfold(k=3, repeats=2)")
    runs = study.run(tmp_path / "r.db", progress=False)
    found = vc.optimism(runs)
    (lost,) = (note for note in found.notes if note.code == "left-out")
    assert all(f"grid on {name} by repeated_kfold" in lost.says for name in data) and lost.says.count("not known") == 1
    assert for_command_line(lost.says).endswith("name one, such as --score error")
    one, other = (row.nested for row in found)
    alone = [f"two ours error: {note.says}" for note in one.all_notes if note not in other.all_notes]
    assert alone and set(alone) <= {note.says for note in found.notes}
