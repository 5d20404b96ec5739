"""One-sided questions: what scipy says, both sides of every test of the catalogue, their bounds, level and words."""

from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import pytest
from scipy import stats
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import veracity as vc
from veracity.comparisons import comparisons
from veracity.core.confidence import ALTERNATIVES
from veracity.evidence.score_matrix import ScoreMatrix, SplitScores

ROWS = 60
CONTINUOUS = {  # their one-sided p-values add up to 1
    "averaged_t",
    "clustered_mcnemar",
    "conservative_t",
    "conservative_z",
    "corrected_t",
    "delong_t",
    "delong_test",
    "five_by_two_t",
    "ideal_z",
    "kfold_t",
    "mcnemar_midp",
    "mcnemar_z",
    "paired_blocks_t",
    "paired_delta",
    "paired_loss_t",
    "paired_t",
    "resampled_t",
    "two_level",
    "two_proportion_z",
}
OTHER_LAW = {"paired_permutation", "paired_bootstrap", "two_proportion_z", "sign"}  # whose interval need not agree
NO_INTERVAL = {"five_by_two_t", "clustered_mcnemar"}


def models(seed=0, groups=None, apart=0):
    random = np.random.default_rng(seed)
    truth = np.arange(ROWS) % 2
    found = {}
    for place, (name, gap) in enumerate((("a", 0.6), ("b", 0.3))):
        proba = np.clip(0.5 + gap * (truth - 0.5) + random.normal(0, 0.3, ROWS), 0.01, 0.99)
        rows = np.arange(ROWS) + place * apart
        found[name] = vc.predictions(truth, proba=proba, positive=1, groups=groups, rows=rows)
    return found


def scores(number, seed=0):
    random = np.random.default_rng(seed)
    return {"a": random.normal(0.8, 0.1, number), "b": random.normal(0.75, 0.1, number)}


def matrix(columns, better="higher"):
    return vc.score_matrix(np.stack(list(columns.values()), axis=1), learners=list(columns), better=better)


@cache
def sources():
    """What the tests of the catalogue read, and the score where there are several."""
    random = np.random.default_rng(1)
    cells = tuple(tuple(SplitScores.of(random.normal(mean, 0.1, 5), 80, 20) for mean in (0.8, 0.75)) for _ in range(8))
    levels = ScoreMatrix(np.array([[a.mean, b.mean] for a, b in cells]), ("a", "b"), tuple("stuvwxyz"), splits=cells)
    features, target = random.normal(size=(80, 2)), np.arange(80) % 2
    learners = {"a": GaussianNB(), "b": DecisionTreeClassifier(random_state=0)}
    runs = vc.evaluate(learners, features, target, by="paired_subsampling(outer=3, inner=3)", seed=1)
    return [
        (models(), "error"),
        (models(), "auc"),
        (models(), "brier"),
        (models(groups=np.arange(ROWS) // 4), "error"),
        (models(apart=ROWS), "error"),
        (vc.split_scores(scores(10), train=90, test=10, k=10, repeats=1), None),
        (vc.split_scores(scores(10), train=50, test=50, k=2, repeats=5), None),
        (vc.split_scores(scores(30), train=90, test=10, independent=True), None),
        (runs, "error"),
        (matrix(scores(12)), None),
        (matrix(scores(12), better="lower"), None),
        (levels, None),
    ]


@cache
def answers(name):
    """Every source that the test can read, with its answer to each alternative and to the swapped question."""
    found = []
    for source, score in sources():
        how = {"using": name, "seed": 1, "anyway": True}
        try:
            asked = {one: vc.compare(source, score, alternative=one, **how) for one in ALTERNATIVES}
            swapped = vc.compare(source, score, alternative="greater", pairs=[("b", "a")], **how)[0]
        except (vc.Refused, vc.BadInput):
            continue
        found.append((asked, swapped))
    return found


DIRECTED = sorted(one.name for one in comparisons if one.compares == 2 and "less" in one.alternatives)


@pytest.mark.parametrize("name", DIRECTED)
def test_both_sides_of_every_test(name):
    assert answers(name)
    for asked, swapped in answers(name):
        p, less, greater = (asked[one].p_value for one in ALTERNATIVES)
        if name == "paired_permutation":
            assert p == pytest.approx(2 * min(less, greater), abs=0.02)
        else:
            assert p == min(1.0, 2 * min(less, greater))
        if name in CONTINUOUS:
            assert less + greater == pytest.approx(1, abs=1e-9)
        else:
            assert less + greater > 1
        drawn = name in ("paired_permutation", "paired_bootstrap", "paired_blocks_t")
        assert swapped.p_value == pytest.approx(less, abs=0.03 if drawn else 1e-9)
        if asked["less"].difference < 0 and p < 0.9:
            assert less < greater
        if asked["less"].difference > 0 and p < 0.9:
            assert greater < less


@pytest.mark.parametrize("name", DIRECTED)
def test_the_bound_is_on_the_side_of_the_question(name):
    for asked, _ in answers(name):
        less, greater = asked["less"], asked["greater"]
        if less.interval is None:
            assert name in NO_INTERVAL
            continue
        assert less.interval.low == -np.inf and greater.interval.high == np.inf
        narrow = asked["two-sided"].interval
        assert less.interval.high <= narrow.high and greater.interval.low >= narrow.low
        for one in asked.values():
            agrees = (0 in one.interval) is (one.p_value > 0.05)
            noted = "interval-contradicts" in {note.code for note in one.notes}
            assert agrees is not noted
            assert agrees or name in OTHER_LAW


@pytest.mark.parametrize("name", sorted(one.name for one in comparisons if "less" not in one.alternatives))
def test_a_test_without_a_direction_says_so(name):
    needs = {"tost": "tost(margin=0.1, of=paired_loss_t)", "non_inferiority": "non_inferiority(margin=0, of=paired_t)"}
    for source, score in sources():
        try:
            vc.compare(source, score, using=needs.get(name, name))
        except (vc.Refused, vc.BadInput):
            continue
        with pytest.raises(
            vc.BadInput, match=r"(on which side|both sides|claim of its own).*leave out `alternative='less'`"
        ):
            vc.compare(source, score, using=needs.get(name, name), alternative="less")


def test_a_word_that_is_no_alternative():
    with pytest.raises(vc.BadInput, match=r"'two-sided', 'less' or 'greater'.*not 'lower'"):
        vc.compare(models(), "error", alternative="lower")


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_scipy_says_the_same(alternative):
    ours, how = scores(12), {"alternative": alternative}
    a, b = ours.values()

    def p(using, source=None, score=None):
        return vc.compare(matrix(ours) if source is None else source, score, using=using, **how).p_value

    assert p("paired_t") == pytest.approx(stats.ttest_rel(a, b, **how).pvalue, rel=1e-9)
    assert p("averaged_t") == pytest.approx(stats.ttest_ind(a, b, equal_var=False, **how).pvalue, rel=1e-9)
    assert p("wilcoxon") == pytest.approx(stats.wilcoxon(a, b, method="exact", **how).pvalue, rel=1e-9)
    normal = stats.wilcoxon(a, b, method="approx", correction=True, **how).pvalue
    assert p("wilcoxon(exact=False, continuity=True)") == pytest.approx(normal, rel=1e-9)
    assert p("sign") == pytest.approx(stats.binomtest(int((a > b).sum()), 12, **how).pvalue, rel=1e-9)
    pair = models()
    first, second = (np.asarray(one.labels() != one.truth, float) for one in pair.values())
    assert p("paired_loss_t", pair, "error") == pytest.approx(stats.ttest_rel(first, second, **how).pvalue, rel=1e-9)
    only = int((first > second).sum()), int((first < second).sum())
    exact = stats.binomtest(only[0], sum(only), **how).pvalue
    assert p("mcnemar_exact", pair, "error") == pytest.approx(exact, rel=1e-9)
    interval = stats.ttest_rel(first, second, **how).confidence_interval(0.95)
    found = vc.compare(pair, "error", using="paired_loss_t", **how).interval
    assert (found.low, found.high) == pytest.approx(tuple(interval), rel=1e-9)
    few = {name: vc.predictions(one.truth[:12], proba=one.proba[:12], positive=1) for name, one in pair.items()}
    losses = [
        np.square(one.truth - one.proba[:, 1] if one.proba.ndim == 2 else one.truth - one.proba) for one in few.values()
    ]
    permuted = stats.permutation_test(
        losses,
        lambda x, y, axis: (x - y).mean(axis),
        permutation_type="samples",
        n_resamples=np.inf,
        vectorized=True,
        **how,
    )
    assert p("paired_permutation", few, "brier") == pytest.approx(permuted.pvalue, rel=1e-9)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_one_model_against_a_value_by_the_binomial_law(alternative):
    model = vc.predictions(correct=np.repeat([1, 0], [41, 9]))
    found = vc.compare(model, "error", using="one_sample(value=0.3)", alternative=alternative)
    sides = {one: stats.binomtest(9, 50, 0.3, alternative=one).pvalue for one in ("less", "greater")}
    expected = min(1.0, 2 * min(sides.values())) if alternative == "two-sided" else sides[alternative]
    assert found.p_value == pytest.approx(expected, rel=1e-9)
    assert (0 in found.interval) is (found.p_value > 0.05)
    assert found.to_json()["alternative"] == alternative


@pytest.mark.parametrize("score", ["error", "brier", "auc", "rmse", "median_absolute_error", "kappa", "f1"])
def test_one_model_against_a_value_leaves_out_0_where_it_rejects(score):
    random = np.random.default_rng(3)
    number = score in ("rmse", "median_absolute_error")
    truth = random.normal(size=ROWS) if number else np.arange(ROWS) % 2
    said = truth + random.normal(size=ROWS)
    model = vc.predictions(truth, number=said) if number else models()["a"]
    at = vc.score(model, score)
    for value in np.linspace(at - 0.2, at + 0.2, 9).clip(0.02, 0.98):
        asked = [vc.compare(model, score, using=f"one_sample(value={value})", alternative=one) for one in ALTERNATIVES]
        assert asked[0].p_value == min(1.0, 2 * min(asked[1].p_value, asked[2].p_value))
        usual = vc.compare(model, score, using=f"one_sample(value={value})")
        assert usual.p_value == asked[1 if usual.better == "lower" else 2].p_value
        for one in asked:
            noted = "interval-contradicts" in {note.code for note in one.notes}
            assert ((0 in one.interval) is (one.p_value > 0.05)) is not noted


def test_the_sentence_names_the_side_and_the_json_the_alternative():
    found = vc.compare(models(), "error", using="mcnemar_midp", alternative="less")
    assert str(found).startswith("The error of a is") and "lower (better) than that of b, 95% bound" in str(found)
    assert "; one-sided p = " in str(found) and "that it is lower." in str(found)
    assert found.to_json()["alternative"] == "less" and found.to_json()["low"] is None
    assert vc.compare(models(), "error").to_json()["alternative"] == "two-sided"
    posterior = vc.compare(sources()[5][0], using="correlated_t_posterior")
    assert posterior.to_json()["alternative"] is None


def test_a_family_adjusts_one_sided_p_values():
    random = np.random.default_rng(1)
    table = vc.score_matrix(random.normal(size=(12, 3)) + np.array([0, 0.7, 2]), learners=["x", "y", "z"])
    found = vc.compare(table, using="wilcoxon", alternative="less")
    p = [one.p_value for one in found]
    assert [one.adjusted_p_value for one in found] == pytest.approx(list(vc.adjust(p, "holm")))
    assert "one-sided: whether they are lower" in str(found) and found["x", "z"].verdict == "lower"
    assert "one-sided p" in str(found.methods)
    with pytest.raises(vc.BadInput, match=r"equality is transitive.*that it is lower: use holm"):
        vc.compare(table, using="wilcoxon", alternative="less", then="shaffer")


def test_a_score_without_a_direction_is_neither_better_nor_worse(tmp_path):
    for source, using in (({"a": models()["a"]}, "one_sample(value=0.4)"), (models(apart=ROWS), "two_proportion_z")):
        for alternative in (None, *ALTERNATIVES):
            found = vc.compare(source, "positive_rate", using=using, alternative=alternative)
            for text in (str(found), str(found.methods)):
                assert not {"better", "worse"} & set(text.replace("(", " ").replace(")", " ").split())
    runs = sources()[8][0]
    page = str(vc.report(runs, ["positive_rate"]))
    assert "Do a and b differ in positive rate" in page and "better" not in page and "worse" not in page
    features, target = np.random.default_rng(1).normal(size=(80, 2)), np.arange(80) % 2
    data = {name: (features[rows], target[rows]) for name, rows in (("c", slice(40)), ("d", slice(40, 80)))}
    study = vc.Study(data=data, learners={"a": GaussianNB(), "b": DecisionTreeClassifier()}, by="kfold(k=5)", seed=1)
    both = study.run(store=tmp_path / "results.db", progress=False)
    with pytest.raises(vc.BadInput, match="neither high nor low positive_rate is better"):
        vc.replicability(both, "positive_rate")
    with pytest.raises(vc.Refused, match="neither high nor low is better"):
        vc.compare(models(), "positive_rate", using="non_inferiority(margin=0.1, of=paired_delta)")


def test_a_margin_of_0_asks_for_superiority():
    found = vc.compare(models(), "error", using="non_inferiority(margin=0, of=paired_loss_t)")
    assert found.p_value == vc.compare(models(), "error", using="paired_loss_t", alternative="less").p_value
    assert "that the first is better than the second" in str(found)


@pytest.mark.parametrize("alternative", ["less", "greater"])
def test_the_level_of_one_sided_tests_where_nothing_differs(alternative):
    random, tests = np.random.default_rng(7), ("wilcoxon", "paired_t", "sign")
    times = 1_500
    rejected = dict.fromkeys(tests, 0)
    for d in random.normal(size=(times, 15)):
        table = matrix({"a": d, "b": np.zeros(15)})
        for test in tests:
            rejected[test] += vc.compare(table, using=test, alternative=alternative).p_value <= 0.05
    error = (0.05 * 0.95 / times) ** 0.5
    assert rejected["paired_t"] / times == pytest.approx(0.05, abs=4 * error)
    assert 0.03 < rejected["wilcoxon"] / times < 0.05 + 4 * error
    assert rejected["sign"] / times < 0.05 + 4 * error  # 1.8 % by its exact law


def test_a_study_asks_the_same(tmp_path):
    (tmp_path / "study.toml").write_text(
        'by = "kfold(k=5)"\nscores = ["error"]\n[data]\niris = "sklearn:load_iris"\n[learners]\n'
        'nb = "sklearn.naive_bayes:GaussianNB"\ntree = "sklearn.tree:DecisionTreeClassifier"\n[questions]\n'
        'compare = { score = "error", alternative = "greater" }\n'
    )
    study = vc.Study.read(tmp_path / "study.toml")
    runs = study.run(store=tmp_path / "results.db", progress=False)
    page = vc.report(runs, ["error"]).to_json()
    assert [one["alternative"] for one in page["comparisons"]] == ["greater"]


def twins():
    """The sources of the catalogue with one model, or learner, under two names."""
    shifted = models(apart=ROWS)
    same = {"a": shifted["a"], "b": replace(shifted["a"], rows=shifted["b"].rows)}
    column = scores(12)["a"]
    cells = tuple((one, one) for one in (SplitScores.of(column[:5] + i, 80, 20) for i in range(8)))
    levels = ScoreMatrix(np.array([[a.mean, b.mean] for a, b in cells]), ("a", "b"), tuple("stuvwxyz"), splits=cells)
    of_splits = [
        vc.split_scores({"a": column[:10], "b": column[:10]}, **how)
        for how in ({"train": 90, "test": 10, "k": 10}, {"train": 50, "test": 50, "k": 2, "repeats": 5})
    ]
    fresh = vc.split_scores({"a": column, "b": column}, train=90, test=10, independent=True)
    features, target = np.random.default_rng(1).normal(size=(80, 2)), np.arange(80) % 2
    runs = vc.evaluate(
        {"a": GaussianNB(), "b": GaussianNB()}, features, target, by="paired_subsampling(outer=3, inner=3)", seed=1
    )
    found = [({"a": one["a"], "b": one["a"]}, score) for one, score in sources()[:4]]
    found += [(same, "error"), (vc.pairs(n01=0, n10=0, of=20), "error"), (runs, "error")]
    return found + [(one, None) for one in (*of_splits, fresh, levels, matrix({"a": column, "b": column}))]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("anyway", [False, True])
def test_a_model_does_not_differ_from_itself(anyway):
    answered, refusals = set(), ""
    for (source, score), one in product(twins(), comparisons):
        for alternative in (None, *one.alternatives[1:]):
            if one.compares != 2 or one.own_claim:
                continue
            try:
                found = vc.compare(source, score, using=one, alternative=alternative, anyway=anyway)
            except (vc.Refused, vc.BadInput) as why:
                refusals += str(why)
                continue
            answered.add(one.name)
            if found.p_value is not None:
                assert found.p_value == 1 or (alternative and found.p_value == pytest.approx(0.5)), one.name
            assert found.interval is None or 0 in found.interval, one.name
            assert not found.rejected
    assert "no answer here" not in refusals and "no limits" not in refusals
    refused = set() if anyway else {"delong_t", "delong_test", "resampled_t", "paired_blocks_t"}
    assert answered >= {one.name for one in comparisons if one.compares == 2 and not one.own_claim} - refused


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("using", ["paired_loss_t", "paired_delta", "two_proportion_z"])
def test_what_has_no_answer_whatever_is_accepted_says_why(using):
    none = vc.predictions([0, 1], label=[0, 0], positive=1, rows=[1, 2])
    pair = {"a": vc.predictions(correct=[1]), "b": vc.predictions(correct=[0])}
    if using == "two_proportion_z":
        pair = {"a": none, "b": vc.predictions([0, 1], label=[0, 1], positive=1, rows=[3, 4])}
    with pytest.raises(vc.Refused, match=r"one row says nothing|no row to count"):
        vc.compare(pair, "precision" if using == "two_proportion_z" else "error", using=using, anyway=True)


def test_a_study_foresees_a_question_that_its_test_cannot_answer(tmp_path):
    (tmp_path / "study.toml").write_text(
        'by = "five_by_two"\nscores = ["error"]\n[data]\niris = "sklearn:load_iris"\n[learners]\n'
        'nb = "sklearn.naive_bayes:GaussianNB"\ntree = "sklearn.tree:DecisionTreeClassifier"\n[questions]\n'
        'compare = { score = "error", using = "five_by_two_f", alternative = "less" }\n'
    )
    said = [note.says for note in vc.Study.read(tmp_path / "study.toml").foreseen]
    assert any("not on which side: leave out `alternative='less'`" in one for one in said)
