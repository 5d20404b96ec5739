"""Advice never disagrees with the methods: it tries them, and says what they say."""

import json
import re

import numpy as np
import pytest
from click.testing import CliRunner

import veracity as vc
from veracity.adjustments import adjustments
from veracity.advice.trials import OF_THE_RESULT
from veracity.cli.main import cli
from veracity.comparisons import comparisons
from veracity.comparisons.entry import all_rejections
from veracity.core.measurement import Bias, Coverage, read_measurements
from veracity.intervals import intervals
from veracity.posthoc import posthocs

RANDOM = np.random.default_rng(3)
TRUTH = (RANDOM.random(120) < 0.4).astype(int)


def chances(seed, rows=120, truth=None):
    random = np.random.default_rng(seed)
    return np.clip(0.3 * (TRUTH[:rows] if truth is None else truth) + 0.7 * random.random(rows), 0, 1)


def two_models(rows=120, **more):
    made = {name: chances(seed, rows) for name, seed in (("a", 1), ("b", 2))}
    return {name: vc.predictions(TRUTH[:rows], proba=p, positive=1, **more) for name, p in made.items()}


def split_scores():
    random = np.random.default_rng(8)
    a = 0.2 + 0.03 * random.normal(size=20)
    b = a + 0.02 + 0.01 * random.normal(size=20)
    return vc.split_scores({"a": a, "b": b}, train=90, test=10, k=10, repeats=2, better="lower")


def table(learners=4, datasets=12):
    random = np.random.default_rng(5)
    return vc.score_matrix(0.7 + 0.1 * random.random((datasets, 1)) + 0.05 * random.normal(size=(datasets, learners)))


COMPARED = {
    "models": (two_models(), "error"),
    "few rows": (two_models(12), "brier"),
    "areas": (two_models(), "auc"),
    "groups": (two_models(groups=np.arange(120) % 15), "error"),
    "pairs": (vc.pairs(n01=9, n10=22, of=1000), "error"),
    "counts": ({"a": vc.errors(12, of=40), "b": vc.errors(8, of=40)}, "error"),
    "splits": (split_scores(), None),
    "two columns": (table(2), None),
    "three data sets": (table(2, 3), None),
}
ESTIMATED = {
    "error": (two_models()["a"], "error"),
    "auc": (two_models()["a"], "auc"),
    "fbeta": (two_models(40)["a"], "fbeta"),
    "groups": (two_models(groups=np.arange(120) % 4)["a"], "error"),
    "counted": (vc.errors(0, of=9), "error"),
    "numbers": (vc.predictions(RANDOM.normal(size=60), number=RANDOM.normal(size=60)), "rmse"),
}


def cautions(notes):
    return [note for note in notes if note.weight != "remark" and note.code not in OF_THE_RESULT]


def outcome(ask):
    """What the verb itself does: refuses, cautions, or neither."""
    try:
        notes = ask().all_notes
    except (vc.BadInput, vc.Refused):
        return "no"
    return "care" if cautions(notes) else "use"


def some_slow(names, quick):
    """All of them, of which a few take no time."""
    return [name if name in quick else pytest.param(name, marks=pytest.mark.slow) for name in names]


@pytest.mark.parametrize("name", some_slow(COMPARED, ("few rows", "pairs", "counts", "splits", "three data sets")))
def test_comparisons_are_advised_as_compare_does_them(name):
    source, score = COMPARED[name]
    advice = vc.advise(source, "compare", score)
    tried = {row.name: row.verdict for row in advice}
    assert {entry.name for entry in comparisons if entry.compares == 2} <= {one.partition("(")[0] for one in tried}
    for typed, verdict in tried.items():
        assert verdict == outcome(lambda typed=typed: vc.compare(source, score, using=typed)), typed


@pytest.mark.parametrize("name", some_slow(ESTIMATED, ("counted", "numbers")))
def test_intervals_are_advised_as_estimate_does_them(name):
    source, score = ESTIMATED[name]
    advice = vc.advise(source, "estimate", score)
    assert {row.name.partition("(")[0] for row in advice} == {e.name for e in intervals if e.answers != "difference"}
    for row in advice:
        found = outcome(lambda row=row: vc.estimate(source, score, interval=row.name))
        assert row.verdict == found, row.name


@pytest.mark.parametrize(
    "source",
    [pytest.param(table(), marks=pytest.mark.slow), pytest.param(table(4, 3), marks=pytest.mark.slow), table(3, 1)],
    ids=["usual", "few data sets", "one data set"],
)
def test_rankings_are_advised_as_rank_does_them(source):
    advice = vc.advise(source, "rank")
    for row in advice:
        words = {"adjustment": ["then"], "post hoc test": ["pairs", "then"], "comparison": ["using", "pairs"]}[row.kind]
        found = {outcome(lambda word=word, row=row: vc.rank(source, **{word: row.name})) for word in words}
        assert row.verdict in found, row.name
    assert (advice.best is None) is (len(source) == 1)


@pytest.mark.slow
def test_learners_and_their_runs(iris_runs):
    for question, ask in (
        ("compare", lambda name: vc.compare(iris_runs, "error", using=name)),
        ("estimate", lambda name: vc.estimate(iris_runs, "error", interval=name)),
    ):
        for row in vc.advise(iris_runs, question, "error"):
            assert row.verdict == outcome(lambda row=row, ask=ask: ask(row.name)), (question, row.name)


@pytest.fixture(scope="module")
def iris_runs():
    from sklearn.datasets import load_iris
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    learners = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=2, random_state=0)}
    return vc.evaluate(learners, *load_iris(return_X_y=True), by="kfold(k=5)", seed=1)


def test_figures_are_those_of_the_shipped_tables():
    shipped = {
        *read_measurements(Coverage, "veracity.intervals"),
        *all_rejections(),
        *read_measurements(Bias, "veracity.risk"),
    }
    sources = [COMPARED[name] for name in ("few rows", "pairs", "splits", "three data sets")]
    quoted = [one for source, score in sources for row in vc.advise(source, "compare", score) for one in row.measured]
    assert quoted and set(quoted) <= shipped
    near = vc.advise(vc.pairs(n01=9, n10=22, of=120), "compare")["mcnemar_midp"].measured
    assert {one.method.partition("(")[0] for one in near} == {"mcnemar_midp"} and near[0].rows == 100


def test_the_default_comes_first_with_its_reason_and_what_it_sees():
    counted = vc.pairs(n01=9, n10=22, of=1000)
    advice = vc.advise(counted)
    assert advice.question == "compare" and advice.rows[0].name == "mcnemar_midp" and advice.rows[0].default
    assert advice.answer.startswith("Use mcnemar_midp: these rows are all that McNemar's test reads")
    told = {"rows": 1000, "discordant": 31 / 1000, "power": 0.8}
    assert advice.rows[0].sees == vc.power("mcnemar_midp", **told).difference
    small = vc.advise(counted, difference=0.01)
    assert small.answer.startswith("This can hardly be concluded from this data: 1,000 rows seldom show")
    assert "too-small" in {note.code for note in small.notes}


def test_one_model_cannot_be_compared_and_that_is_an_answer():
    advice = vc.advise(two_models()["a"], "compare")
    assert advice.answer.startswith("This cannot be concluded from this data: there is one model")
    assert vc.advise(table(3, 1), "rank").answer.startswith("This cannot be concluded from this data: one data set")


@pytest.mark.slow
def test_nothing_is_counted_as_asked():
    from sklearn.datasets import load_iris
    from sklearn.naive_bayes import GaussianNB

    runs = vc.evaluate(GaussianNB(), *load_iris(return_X_y=True), by="holdout", seed=1)
    vc.advise(runs)
    assert not [note for note in vc.estimate(runs, "error").notes if note.code == "test-asked-again"]


def test_the_question_follows_from_what_is_given():
    assert vc.advise(vc.errors(1, of=9)).question == "estimate"
    assert vc.advise(table(3, 3)).question == "rank"
    assert vc.advise(table(2)).question == "compare"


@pytest.mark.parametrize(
    ("source", "how", "says"),
    [
        (two_models(), {"question": "comparing"}, "`question=` is compare, not 'comparing'"),
        (two_models(), {"difference": 0.0}, "`difference=` is a difference of interest other than 0"),
        (two_models(), {"budget": 3.0}, "`budget=` is of what is still to be run"),
        (two_models(), {"by": "kfold"}, "`by=` chooses from runs"),
        (two_models(), {"question": "rank"}, "rank is over several data sets"),
        (table(), {"question": "estimate"}, "an estimate is of predictions or runs"),
        ([1, 2], {}, "advise reads predictions"),
        ({}, {}, "advise reads predictions"),
    ],
)
def test_bad_input_in_one_sentence(source, how, says):
    with pytest.raises(vc.BadInput, match=re.escape(says)):
        vc.advise(source, **how)


def test_the_command_and_its_shape(tmp_path):
    file = tmp_path / "p.csv"
    lines = [f"{y},{a:.3f},{b:.3f}" for y, a, b in zip(TRUTH, chances(1), chances(2), strict=True)]
    file.write_text("\n".join(["y,a,b", *lines]))
    words = ["advise", str(file), "--truth", "y", "--proba", "a", "--proba", "b", "--positive", "1", "brier"]
    found = CliRunner().invoke(cli, [*words, "--json"])
    shape = json.loads(found.stdout)
    assert found.exit_code == 0 and {"methods", "notes"} <= set(shape)
    assert all({"name", "verdict", "why", "measured"} <= set(row) for row in shape["methods"])
    assert {row["verdict"] for row in shape["methods"]} <= {"use", "care", "no"}
    printed = CliRunner().invoke(cli, words).stdout
    assert printed.startswith("Use paired_loss_t: ") and "conservative_z" not in printed
    wrong = CliRunner().invoke(cli, [*words, "auc"])
    assert wrong.exit_code == 2 and "advise is about one score, not 2" in wrong.stderr


def test_a_page_says_how_far_its_methods_may_be_relied_on():
    page = vc.report(two_models(30), ["error"]).html
    assert 'id="advice"' in page and "mcnemar_midp" in page.partition('id="advice"')[2]


def test_every_method_of_a_ranking_is_asked():
    advice = vc.advise(table(3, 1), "rank")
    assert {row.name for row in advice if row.kind == "adjustment"} == {entry.name for entry in adjustments}
    assert {row.name for row in advice if row.kind == "post hoc test"} == {entry.name for entry in posthocs}


def test_figures_of_rankings_count_data_sets():
    matrix = vc.score_matrix(np.random.default_rng(0).random((13, 4)))
    told = [row.figures for row in vc.advise(matrix, "rank").rows if row.measured]
    assert any(" data sets" in one for one in told) and not any(one.endswith(" rows") for one in told)
