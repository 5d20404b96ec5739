"""Graded items: the item is the unit, whatever the number of its grades, and higher is better."""

import re
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

import veracity as vc
from veracity.core.errors import BadInput

GRADES = [1, 0, 1, 0, 0, 0, 1]  # means: a 0.5, b 1, c 0.25
ITEMS = ["a", "a", "b", "c", "c", "c", "c"]


def two_models(random, groups, per_group, repeats, gap=0.0):
    """Grades 0 and 1 of two models on the same items in groups, with so many repeats for each model."""
    of_group = np.repeat(random.normal(size=groups), per_group)
    ease = of_group + random.normal(size=len(of_group))
    made = {}
    for name, up, number in (("old", 0.0, repeats[0]), ("new", gap, repeats[1])):
        chance = 1 / (1 + np.exp(-ease - up))
        passed = (random.random((len(ease), number)) < chance[:, None]).astype(float)
        item = np.repeat(np.arange(len(ease)), number)
        made[name] = (passed.ravel(), item, np.tile(np.arange(number), len(ease)), item // per_group)
    return made


def graded_models(made):
    return {
        name: vc.graded(grade, item=item, repeat=repeat, groups=groups)
        for name, (grade, item, repeat, groups) in made.items()
    }


def test_items_count_alike_whatever_the_number_of_their_grades():
    found = vc.estimate(vc.graded(GRADES, item=ITEMS), "mean")["mean"]
    assert found.value == pytest.approx((0.5 + 1 + 0.25) / 3)
    assert (found.better, found.rows) == ("higher", 3)
    assert any(
        "3 items, graded 1 to 4 times: an item counts once, by the mean of its grades" in note.says
        for note in found.notes
    )


@pytest.mark.parametrize(
    "grade", [[1, 2, 3, 4, 5], [0.0, 100, 50, 25, 80], [-1, 1, 0.5, 0, -0.25], [True, False] * 2 + [True]]
)
def test_any_finite_number_is_a_grade(grade):
    p = vc.graded(grade, item=range(5))
    assert vc.score(p, "mean") == pytest.approx(np.mean(grade))


def test_a_grade_between_0_and_1_bounds_its_mean_and_others_do_not():
    assert vc.estimate(vc.graded([1, 1, 0], item=[1, 2, 3]), "mean")["mean"].interval.high == 1
    assert vc.estimate(vc.graded([5, 5, 1], item=[1, 2, 3]), "mean")["mean"].interval.high > 5


@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_pass_at_is_the_share_of_all_draws_that_hold_a_right_answer(k):
    random = np.random.default_rng(3)
    grades = {item: (random.random(int(random.integers(5, 9))) < 0.3).astype(int) for item in range(12)}
    drawn = [np.mean([max(draw) for draw in combinations(own.tolist(), k)]) for own in grades.values()]
    p = vc.graded(
        np.concatenate(list(grades.values())), item=np.repeat(list(grades), [len(own) for own in grades.values()])
    )
    assert vc.score(p, f"pass_at(k={k})") == pytest.approx(np.mean(drawn))


def test_pass_at_of_one_answer_is_the_mean_and_of_many_it_has_no_overflow():
    p = vc.graded(GRADES, item=ITEMS)
    assert vc.score(p, "pass_at(k=1)") == pytest.approx(vc.score(p, "mean"))
    many = vc.graded([1] + [0] * 9_999 + [1] * 10_000, item=["hard"] * 10_000 + ["easy"] * 10_000)
    assert vc.score(many, "pass_at(k=1000)") == pytest.approx((0.1 + 1) / 2)


def test_pass_at_refuses_other_grades_and_too_few_of_them():
    with pytest.raises(BadInput, match=re.escape("pass_at needs grades that are 0 (wrong) or 1 (right)")):
        vc.score(vc.graded([0.5, 1, 0], item=[1, 2, 3]), "pass_at(k=1)")
    says = "pass_at(k=2) needs 2 grades of every item, and 1 item of 3 has fewer (item 'b' has 1): ask for pass_at(k=1)"
    with pytest.raises(BadInput, match=re.escape(says)):
        vc.score(vc.graded(GRADES, item=ITEMS), "pass_at(k=2)")
    with pytest.raises(BadInput, match="a whole number of at least 1, not 0"):
        vc.score(vc.graded(GRADES, item=ITEMS), "pass_at(k=0)")


def test_models_are_paired_by_item_in_any_order():
    old = vc.graded([1, 2, 3, 5], item=["x", "y", "z", "w"])
    new = vc.graded([4, 4, 2, 3, 1, 5], item=["z", "y", "x", "w", "w", "w"])
    found = vc.compare({"old": old, "new": new}, "mean")
    apart = np.array([1, 2, 3, 5]) - np.array([2, 4, 4, 3])
    judged = stats.ttest_1samp(apart, 0)
    assert found.difference == pytest.approx(apart.mean())
    assert (found.statistic, found.p_value) == pytest.approx((judged.statistic, judged.pvalue))
    assert (found.interval.low, found.interval.high) == pytest.approx(tuple(judged.confidence_interval(0.95)))
    assert (found.better, found.df) == ("higher", 3)


def test_the_sentence_says_that_higher_is_better():
    found = vc.compare({"old": vc.graded([1, 2, 1, 2], item=range(4)), "new": vc.graded([4, 3, 3, 5], item=range(4))})
    assert "The mean of old is 2.25 lower (worse) than that of new" in str(found)
    swapped = vc.compare({"new": vc.graded([4, 3, 3, 5], item=range(4)), "old": vc.graded([1, 2, 1, 2], item=range(4))})
    assert "The mean of new is 2.25 higher (better) than that of old" in str(swapped)


def clustered_error(apart, group):
    """CR3 of the mean (Bell and McCaffrey 2002): what leaving out each group does to it."""
    return np.sqrt(sum((apart[group != g].mean() - apart.mean()) ** 2 for g in np.unique(group)))


def test_the_standard_error_is_clustered_by_group():
    made = two_models(np.random.default_rng(1), groups=12, per_group=5, repeats=(2, 3), gap=0.5)
    found = vc.compare(graded_models(made))
    means = {name: np.bincount(item, grade) / np.bincount(item) for name, (grade, item, *_) in made.items()}
    apart, group = means["old"] - means["new"], np.arange(60) // 5
    error = clustered_error(apart, group)
    sums = np.bincount(
        group, apart - apart.mean()
    )  # Liang and Zeger's sandwich, with G / (G - 1) for each of its sides
    assert error == pytest.approx(12 / 11 * np.sqrt((sums**2).sum()) / 60)
    half = stats.t(11).ppf(0.975) * error
    assert found.statistic == pytest.approx(apart.mean() / error)
    assert (found.interval.low, found.interval.high) == pytest.approx((apart.mean() - half, apart.mean() + half))
    assert dict(found.facts)["groups"] == 12


def test_groups_may_differ_in_size():
    random = np.random.default_rng(2)
    group = np.repeat(np.arange(8), [2, 3, 3, 4, 5, 6, 2, 4])
    apart = random.normal(1, 1, len(group)) + random.normal(0, 1, 8)[group]
    grades = {"one": apart, "zero": np.zeros(len(group))}
    found = vc.compare({name: vc.graded(own, item=range(29), groups=group) for name, own in grades.items()})
    assert found.difference == pytest.approx(apart.mean())
    assert found.statistic == pytest.approx(apart.mean() / clustered_error(apart, group))


def test_intervals_hold_where_answers_taken_for_rows_do_not():
    random = np.random.default_rng(0)
    truth = (1 / (1 + np.exp(-random.normal(0, np.sqrt(2), 10**6)))).mean()
    holds = {"items": 0, "rows": 0}
    for _ in range(150):
        made = two_models(random, groups=20, per_group=4, repeats=(3, 1))
        grade = made["old"][0]
        items = vc.estimate(graded_models(made)["old"], "mean")["mean"].interval
        rows = vc.estimate(vc.predictions(correct=grade), "accuracy")["accuracy"].interval
        holds["items"] += items.low <= truth <= items.high
        holds["rows"] += rows.low <= truth <= rows.high
    assert holds["items"] / 150 > 0.92
    assert holds["rows"] / 150 < 0.86


def test_one_call_gives_models_by_name():
    made = two_models(np.random.default_rng(1), groups=12, per_group=5, repeats=(2, 3))
    columns = [np.concatenate(parts) for parts in zip(*made.values(), strict=True)]
    model = np.repeat(list(made), [len(parts[0]) for parts in made.values()])
    together = vc.graded(columns[0], item=columns[1], repeat=columns[2], groups=columns[3], model=model)
    apart = graded_models(made)
    assert list(together) == ["old", "new"]
    assert vc.compare(together).p_value == vc.compare(apart).p_value
    card = vc.estimate(together, ["mean", "pass_at(k=2)"])
    assert card["new", "pass_at(k=2)"].value == vc.score(apart["new"], "pass_at(k=2)")
    assert [row.score for row in vc.scorecard(together)] == ["mean", "mean"]


def test_items_may_be_of_any_type():
    old, new = vc.graded([1, 2, 4], item=[1.5, "a", True]), vc.graded([3, 1], item=["b", 7])
    assert vc.score(old, "mean") == pytest.approx(7 / 3) and vc.score(new, "mean") == 2
    days = np.array(["2024-01-01", "2024-01-02"], "M8[D]")
    assert vc.score(vc.graded([1, 0, 1], item=days[[0, 1, 1]]), "mean") == 0.75


@pytest.mark.parametrize("score", ["mean", "pass_at(k=2)"])
@pytest.mark.parametrize("test", ["paired_permutation", "paired_bootstrap", "paired_delta"])
def test_other_tests_of_means_read_grades_too(test, score):
    models = graded_models(two_models(np.random.default_rng(5), groups=40, per_group=2, repeats=(2, 4), gap=0.7))
    usual, other = vc.compare(models, score), vc.compare(models, score, using=test)
    assert other.difference == pytest.approx(usual.difference)
    assert other.p_value == pytest.approx(usual.p_value, abs=0.02)


def test_a_stated_value_is_beaten_from_above():
    p = vc.graded([4, 5, 5, 4, 5, 4, 5, 5], item=range(8))
    assert vc.compare(p, using="one_sample(value=3)").p_value < 0.01
    assert vc.compare(p, using="one_sample(value=6)").p_value > 0.99


def test_models_are_ranked_on_items_or_on_groups_of_them():
    random = np.random.default_rng(7)
    grades = {name: random.normal(up, 1, 24) for name, up in (("a", 0), ("b", 0.5), ("c", 3))}
    plain = vc.rank({name: vc.graded(own, item=range(24)) for name, own in grades.items()}, using="friedman")
    judged = stats.friedmanchisquare(*grades.values())
    assert plain.omnibus.p_value == pytest.approx(judged.pvalue)
    assert plain.average_ranks["c"] < 1.5
    groups = np.arange(24) // 4
    of_groups = vc.rank(
        {name: vc.graded(own, item=range(24), groups=groups) for name, own in grades.items()}, using="friedman"
    )
    means = [own.reshape(6, 4).mean(1) for own in grades.values()]
    assert of_groups.omnibus.p_value == pytest.approx(stats.friedmanchisquare(*means).pvalue)
    assert any("6 groups of items stand where data sets do" in note.says for note in of_groups.notes)


def test_skewed_grades_are_told_in_their_own_words():
    p = vc.graded([1] + [0] * 59, item=range(60))
    (note,) = (note for note in vc.estimate(p, "mean")["mean"].interval.notes if note.code.startswith("skewed"))
    assert "grades are very skewed" in note.says and "losses" not in note.says


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"grade": ["good", 1, 2]}, "grade: row 0 holds 'good', which is not a number"),
        ({"grade": [1, float("nan"), 2]}, "grade: row 1 is nan; every number must be finite"),
        ({"grade": [1, float("inf"), 2]}, "grade: row 1 is inf; every number must be finite"),
        ({"item": [7, 7, 7]}, "item holds one item, 7, and a mean over items needs two or more"),
        ({"item": [1, 2]}, "item has 2 rows, but grade has 3: they must match"),
        ({"item": ["a", None, "b"]}, "item: row 1 holds no label"),
        ({"item": ["a", "b", "a"], "repeat": [1, 1, 1]}, "repeat: rows 0 and 2 are both repeat 1 of item 'a'"),
        ({"item": [1, 2, 1], "groups": ["u", "v", "w"]}, "groups: item 1 is in group 'u' in row 0 and 'w' in row 2"),
        ({"item": [1, 2, 1], "model": ["a", "a", "b"]}, "model b lacks 1 of 2 items (2): models are paired by item"),
        ({"missing": "mean"}, "`missing=` is refuse or drop, not 'mean'"),
        ({"grade": [], "item": []}, "grade: there are no rows"),
    ],
)
def test_bad_input_is_named_by_row_and_column(given, says):
    with pytest.raises(BadInput) as why:
        vc.graded(**{"grade": [1, 2, 3], "item": [1, 2, 3], **given})
    assert str(why.value).startswith(says)


def test_the_same_answer_of_another_model_is_no_copy():
    model = ["m", "m", "n", "n"]
    found = vc.graded([1, 0, 1, 1], item=["a", "b", "a", "b"], repeat=[1, 1, 1, 1], model=model)
    assert vc.compare(found).difference == -0.5
    with pytest.raises(BadInput, match="both repeat 1 of item 'b' by model 'n'"):
        vc.graded([1, 0, 1, 1, 1], item=["a", "b", "a", "b", "b"], repeat=[1] * 5, model=[*model, "n"])


def test_copies_that_no_repeat_tells_apart_are_cautioned():
    (note,) = vc.graded([1, 1, 0, 0], item=["a", "a", "b", "b"]).notes
    assert note.weight == "caution" and "name the column of repeats, `repeat=`" in note.says
    (note,) = vc.graded([1, 1, 0, 0], item=["a", "a", "b", "b"], repeat=[1, 2, 1, 2]).notes
    assert note.weight == "remark"


def test_items_that_not_all_models_have_are_refused_or_dropped_and_counted():
    grade, item = [1, 2, 3, 4, 6, 6], ["x", "y", "z", "x", "y", "w"]
    model = ["m", "m", "m", "n", "n", "n"]
    with pytest.raises(BadInput, match=re.escape("model m lacks 1 of 4 items ('w'), model n lacks 1 of 4 items ('z')")):
        vc.graded(grade, item=item, model=model)
    found = vc.graded(grade, item=item, model=model, missing="drop")
    assert vc.compare(found).difference == -3.5
    assert any("2 of 4 items are not there for every model and were left out" in note.says for note in found["m"].notes)
    apart = {"m": vc.graded(grade[:3], item=item[:3]), "n": vc.graded(grade[3:], item=item[3:])}
    with pytest.raises(BadInput, match=re.escape("graded(..., model=..., missing='drop')")):
        vc.compare(apart)


def test_missing_cells_are_dropped_and_counted():
    p = vc.graded([1, None, 3, 5], item=["a", "b", "c", None], missing="drop")
    assert vc.score(p, "mean") == 2
    assert "2 of 4 rows have missing cells (grade 1, item 1) and were left out" in p.notes[0].says


def test_grades_and_losses_are_not_mixed_up():
    grades, losses = vc.graded([1, 2, 3], item=[1, 2, 3]), vc.predictions(loss=[1, 2, 3], rows=[1, 2, 3])
    assert vc.estimate(losses, "mean")["mean"].better == "lower"
    with pytest.raises(BadInput, match="one model tells grades and the other losses"):
        vc.compare({"a": grades, "b": losses})
    with pytest.raises(BadInput, match="error cannot be had from grades: their scores are mean and pass_at"):
        vc.score(grades, "error")
    with pytest.raises(BadInput, match="pass_at needs grades of items"):
        vc.score(vc.predictions([0, 1], label=[0, 1]), "pass_at(k=1)")
    with pytest.raises(BadInput, match="roc is drawn from truth and predictions, and `grade=` is neither"):
        vc.curve(grades, "roc")
    with pytest.raises(BadInput, match="rows with the largest loss, and grades are none"):
        vc.worst(grades)
