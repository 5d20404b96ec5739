"""Three or more classes on the command line: the one that is named positive, of files, matrices and stores."""

import numpy as np
import pytest

import veracity as vc

STUDY = """
seed = 3
by = "kfold(k=3)"
scores = ["error"]
[data]
iris = "sklearn:load_iris"
wine = "sklearn:load_wine"
[learners]
nb = "sklearn.naive_bayes:GaussianNB"
stump = { use = "sklearn.tree:DecisionTreeClassifier", max_depth = 1 }
"""


@pytest.fixture
def three(here):
    """Rows of three classes with labels, a second model's labels and probabilities."""
    random = np.random.default_rng(5)
    truth = random.choice(list("abc"), 90, p=[0.5, 0.3, 0.2])
    chance = random.dirichlet([1, 1, 1], 90) + 0.7 * (truth[:, None] == np.array(list("abc")))
    chance /= chance.sum(1, keepdims=True)
    labels = np.array(list("abc"))[[chance.argmax(1), np.roll(chance, 1, 0).argmax(1)]]
    lines = zip(truth, *labels, *chance.astype(str).T, strict=True)
    (here / "three.csv").write_text("y,one,two,pa,pb,pc\n" + "".join(",".join(line) + "\n" for line in lines))
    return truth, labels[0]


PROBA = ("--proba", "a=pa", "--proba", "b=pb", "--proba", "c=pc")


def test_scores_are_of_the_class_that_is_named(three, said):
    truth, one = three
    found = said("score", "three.csv", "--truth", "y", "--label", "one", "--positive", "b", "recall", "precision")
    hits = ((truth == "b") & (one == "b")).sum()
    assert found["scores"]["recall"]["value"] == pytest.approx(hits / (truth == "b").sum())
    assert found["scores"]["precision"]["value"] == pytest.approx(hits / (one == "b").sum())
    assert [note["code"] for note in found["notes"]] == ["one-class"]
    macro = said("score", "three.csv", "--truth", "y", "--label", "one", "recall")
    assert [note["code"] for note in macro["notes"]] == ["macro-average"]


def test_areas_curves_and_comparisons_too(three, said):
    area = said("score", "three.csv", "--truth", "y", *PROBA, "--positive", "b", "roc_auc")["scores"]["auc"]["value"]
    curve = said("curve", "three.csv", "--truth", "y", *PROBA, "--positive", "b", "--kind", "roc")
    x, y = (np.array(curve["lines"][0][axis]) for axis in ("x", "y"))
    assert np.trapezoid(y, x) == pytest.approx(area)
    how = ("--truth", "y", "--label", "one", "--label", "two", "--positive", "c", "recall")
    compared, scored = said("compare", "three.csv", *how), said("score", "three.csv", *how)["models"]
    apart = scored["one"]["scores"]["recall"]["value"] - scored["two"]["scores"]["recall"]["value"]
    assert compared["difference"] == pytest.approx(apart)


@pytest.mark.parametrize("verb", ["score", "compare"])
def test_an_unknown_class_is_answered_with_the_classes(three, run, verb):
    result = run(verb, "three.csv", "--truth", "y", "--label", "one", "--label", "two", "--positive", "z", "recall")
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert "the positive class 'z' does not occur: three.csv, column y holds ['a', 'b', 'c']" in result.stderr


def test_runs_of_a_store_are_asked_about_a_class(here, run, said):
    (here / "study.toml").write_text(STUDY)
    assert run("run", "study.toml", "--store", "kept.db", "--json").exit_code == 0
    found = {one: said("estimate", "kept.db", "recall", "--positive", one)["estimates"] for one in "012"}
    macro = said("estimate", "kept.db", "recall")["estimates"]
    for data, learner in (("iris", "nb"), ("wine", "stump")):
        values = [of[data][learner]["recall"]["value"] for of in found.values()]
        assert len(set(values)) == 3
        assert macro[data][learner]["recall"]["value"] == pytest.approx(np.mean(values))
    compared = said("compare", "kept.db", "recall", "--positive", "1", "--data", "iris", "--using", "corrected_t")

    of_iris = found["1"]["iris"]
    assert compared["difference"] == pytest.approx(
        of_iris["nb"]["recall"]["value"] - of_iris["stump"]["recall"]["value"]
    )
    ranked = said("rank", "kept.db", "--score", "recall", "--positive", "2", "--using", "corrected_t")
    rows = vc.read_runs("kept.db").with_positive(2).scores("recall").to_json()["scores"]
    nb, stump = (
        np.mean([row["value"] for row in rows if (row["data"], row["learner"]) == ("iris", name)])
        for name in ("nb", "stump")
    )
    assert ranked["datasets"]["iris"][0]["difference"] == pytest.approx(nb - stump)  # over splits, as Weka's table
    for verb in (("estimate", "kept.db", "recall"), ("rank", "kept.db", "--score", "recall")):
        result = run(*verb, "--positive", "z")
        assert result.exit_code == 2
        assert "the positive class 'z' is not among those of iris: [0, 1, 2]" in result.stderr


def test_a_table_of_scores_has_no_classes(here, run):
    (here / "scores.csv").write_text("data,nb,tree\na,1,2\nb,2,3\nc,1,4\n")
    result = run("rank", "scores.csv", "--positive", "a")
    assert (result.exit_code, "--positive is for the results of a study" in result.stderr) == (2, True)


def test_a_line_for_each_class(three, here, run, said):
    truth, one = three
    how = ("score", "three.csv", "--truth", "y", "--label", "one", "--per-class")
    found = said(*how)
    assert found["per_class"]["b"]["support"] == (truth == "b").sum()
    assert found["per_class"]["b"]["recall"]["value"] == pytest.approx((one[truth == "b"] == "b").mean())
    assert (found["per_class"]["b"]["recall"]["method"], found["per_class"]["b"]["fbeta"]["level"]) == ("wilson", 0.95)
    assert len(found["confusion"]) == 3
    text = run(*how).stdout
    assert "confusion matrix" in text and "macro mean" in text and "each by itself" in text
    for ending in ("html", "md", "tex", "csv", "json", "txt"):
        assert run(*how, "--out", f"classes.{ending}").exit_code == 0
        assert "recall" in (here / f"classes.{ending}").read_text()
    lines = (here / "classes.csv").read_text().splitlines()
    assert lines[0].startswith("class,precision,recall,fbeta,support,precision low,precision high,precision method")
    assert [line.split(",")[0] for line in lines[1:]] == ["a", "b", "c", "macro mean", "weighted mean"]


def test_of_several_models_of_a_matrix_and_with_scores_named(three, here, said, run):
    how = ("--truth", "y", "--label", "one", "--label", "two", "--per-class")
    assert list(said("score", "three.csv", *how)["models"]) == ["one", "two"]
    (here / "matrix.csv").write_text(",a,b\na,20,3\nb,4,13\n")
    found = said("score", "--matrix", "matrix.csv", "--per-class", "specificity")
    assert found["per_class"]["a"]["specificity"]["value"] == pytest.approx(13 / 17)
    for words, says in (
        (("--interval", "wald"), "takes no --interval"),
        (("--slices", "two"), "give one of them"),
        (("error",), "error is of all classes together"),
    ):
        result = run("score", "three.csv", *how, *words)
        assert (result.exit_code, says in result.stderr, result.stderr.count("\n")) == (2, True, 1)


def test_the_page_of_a_file_has_the_table(three, here, run):
    assert run("score", "three.csv", "--truth", "y", "--label", "one", "--out", "page.html").exit_code == 0
    page = (here / "page.html").read_text()
    assert page.count("weighted mean</td>") == 1 and "each class against all others" in page


def test_learners_of_a_data_file_and_of_a_store(here, said):
    how = ("--learner", "nb=sklearn.naive_bayes:GaussianNB", "--by", "kfold(k=3)")
    found = said("estimate", "sklearn:load_iris", *how, "--per-class", "--store", "kept.db")
    again = said("estimate", "kept.db", "--per-class")
    of_data = next(iter(found["estimates"].values()))["nb"]["per_class"]
    assert list(of_data) == ["0", "1", "2"] and of_data["1"]["support"] == 50
    assert next(iter(again["estimates"].values()))["nb"]["per_class"] == of_data


@pytest.fixture
def gaps(here):
    """Rows of which some have no label, and a calibrated chance of 1."""
    random = np.random.default_rng(7)
    chance = random.beta(0.4, 0.6, 300).round(4)
    truth = (random.random(300) < chance).astype(int)
    known = random.random(300) < 0.5
    lines = [f"{y if there else ''},{p}" for y, p, there in zip(truth, chance, known, strict=True)]
    (here / "gaps.csv").write_text("y,p\n" + "\n".join(lines) + "\n")
    return truth, chance, known


def test_discoveries_among_rows_without_a_label(gaps, here, run, said):
    _, chance, known = gaps
    how = ("curve", "gaps.csv", "--proba", "p", "--positive", "1", "--kind", "posterior_fdr")
    found = said(*how, "--truth", "y", "--labelled", "some")
    apart = np.sort(chance[~known])[::-1]
    number = int((np.cumsum(1 - apart) / np.arange(1, len(apart) + 1) <= 0.05).sum())
    assert (found["marks"][0]["x"], found["marks"][0]["threshold"]) == (number, apart[number - 1])
    assert (
        f"{known.sum()} labelled rows and {(~known).sum()} unlabelled ones"
        in run(*how, "--truth", "y", "--labelled", "some").stdout
    )
    every = np.sort(chance)[::-1]
    without = said(*how)  # no truth at all
    assert without["marks"][0]["x"] == (np.cumsum(1 - every) / np.arange(1, 301) <= 0.05).sum()
    assert "labelled-discoveries" in [note["code"] for note in without["notes"] if note["weight"] == "caution"]
    assert run(*how, "--truth", "y", "--labelled", "some", "--out", "fdr.svg").exit_code == 0
    other = run("curve", "gaps.csv", "--proba", "p", "--positive", "1", "--kind", "roc", "--labelled", "some")
    assert (other.exit_code, "no row has a label" in other.stderr) == (2, True)


def test_scores_are_of_labelled_rows(gaps, said, run):
    truth, chance, known = gaps
    how = ("score", "gaps.csv", "--truth", "y", "--proba", "p", "--positive", "1")
    found = said(*how, "--labelled", "some", "error")
    assert found["rows"] == known.sum() and found["classes"] == [0, 1]
    assert found["scores"]["error"]["value"] == pytest.approx(((chance >= 0.5) != truth)[known].mean())
    assert "unlabelled-rows" in [note["code"] for note in found["notes"]]
    assert run(*how, "error").exit_code == 2


def test_positives_only_give_the_false_negative_rate(gaps, here, said, run):
    truth, chance, known = gaps
    positives = known & (truth == 1)
    (here / "positives.csv").write_text("y,p\n" + "".join(f"1,{p}\n" for p in chance[positives]))
    wanted = (chance[positives] < 0.5).mean()
    for file in ("positives.csv", "gaps.csv"):
        how = ("score", file, "--truth", "y", "--proba", "p", "--positive", "1", "--labelled", "positives")
        found = said(*how, "false_negative_rate", "precision", "error")
        rate = found["scores"]["false_negative_rate"]
        assert (rate["value"], rate["method"]) == (pytest.approx(wanted), "wilson")
        assert rate["low"] < wanted < rate["high"]
        assert (found["scores"]["precision"]["value"], found["scores"]["error"]["value"]) == (None, None)
        says = {note["code"]: note["says"] for note in found["notes"]}
        assert says["undefined"].startswith("precision, error: undefined: needs the true negatives")
        assert "random sample of all positives" in says["labelled-at-random"]
        card = said(*how)
        assert list(card["scores"]) == ["recall", "false_negative_rate", "positive_rate"]
        assert card["confusion"] is None
        assert run(*how, "precision").exit_code == 2


def test_a_fact_about_rows_is_neither_high_nor_low(three, said, run):
    how = ("score", "three.csv", "--truth", "y", "--label", "one", "--positive", "a", "prevalence", "recall")
    found = said(*how)["scores"]
    assert (found["prevalence"]["better"], found["recall"]["better"]) == (None, "higher")
    lines = {line.split()[0]: line.split() for line in run(*how).stdout.splitlines() if line}
    assert "higher" not in lines["prevalence"] and lines["recall"][-1] == "higher"
    card = said("score", "three.csv", "--truth", "y", "--label", "one")["scores"]  # the mean over classes is a third
    assert not {"prevalence", "positive_rate"} & set(card) and "recall" in card


def test_notes_name_options(here, run):
    how = ("--learner", "sklearn.naive_bayes:GaussianNB", "--by")
    design = "repeated_holdout(test=0.98, repeats=12, stratified=False)"
    text = " ".join(run("estimate", "sklearn:load_iris", *how, design, "error").stdout.split())
    assert "--by 'kfold(k=10)' spreads classes" in text and "by='" not in text
    card = " ".join(run("score", "preds.csv", "--truth", "y", "--proba", "p", "--positive", "spam").stdout.split())
    assert "ask for --interval delta" in card and "interval='" not in card


@pytest.mark.parametrize("word", ["by", "data"])
def test_what_chooses_from_runs_is_refused_beside_predictions(here, run, word):
    result = run("compare", "preds.csv", "--truth", "y", "--label", "yhat", "--label", "other", f"--{word}", "kfold")
    assert (result.exit_code, f"--{word} chooses from" in result.stderr) == (2, True)


def test_curves_and_the_page_of_a_store_look_for_a_class(here, run, said):
    how = ("--learner", "nb=sklearn.naive_bayes:GaussianNB", "--by", "kfold(k=3)", "--store", "kept.db")
    assert run("estimate", "sklearn:load_iris", *how, "auc").exit_code == 0
    curve = said("curve", "kept.db", "--kind", "roc", "--positive", "1")
    assert {line["name"] for line in curve["lines"]} != {"0", "1", "2"}
    page = said("report", "kept.db", "recall", "--positive", "1")["estimates"]
    asked = said("estimate", "kept.db", "recall", "--positive", "1")["estimates"]
    assert next(iter(page.values()))["nb"]["recall"] == next(iter(asked.values()))["nb"]["recall"]
