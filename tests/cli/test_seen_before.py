"""Verbs that read what is there already: worst, dominance, optimism, export, and the curve of a store."""

import json

import pytest

import veracity as vc

STUDY = """
seed = 3
by = ["kfold(k=3)", "holdout"]
scores = ["error"]
[data]
cancer = "sklearn:load_breast_cancer"
iris = "sklearn:load_iris"
[learners]
nb = "sklearn.naive_bayes:GaussianNB"
tree.tune = "sklearn.tree:DecisionTreeClassifier"
tree.grid = { max_depth = [1, 3] }
tree.by = "kfold(k=2)"
tree.score = "error"
bad = { use = "sklearn.tree:DecisionTreeClassifier", max_depth = -1 }
"""
PREDICTIONS = ("preds.csv", "--truth", "y", "--positive", "spam")
ON_CANCER = ("--data", "cancer", "--by", "kfold(k=3)")


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    folder = tmp_path_factory.mktemp("seen")
    (folder / "study.toml").write_text(STUDY)
    vc.Study.read(folder / "study.toml").run(folder / "kept.db", progress=False)
    return str(folder / "kept.db")


def test_the_worst_rows_of_a_file(said, run):
    found = said("worst", *PREDICTIONS, "--proba", "p", "--rows", "id", "--most", "2")
    assert (found["loss"], found["rows"]) == ("log loss", 8)
    assert [(row["row"], row["truth"], row["said"]) for row in found["worst"]] == [
        (4, "ham", "spam"),
        (5, "spam", "ham"),
    ]
    assert found["worst"][0]["probability"] == pytest.approx(0.4)
    assert "the 2 most wrong of 8 rows" in run("worst", *PREDICTIONS, "--label", "yhat").stdout


def test_the_worst_rows_of_a_store(kept, said):
    found = said("worst", kept, *ON_CANCER, "--only", "nb", "--most", "3")
    rows = vc.worst(vc.read_runs(kept).predictions("nb", "cancer", "kfold(k=3)"), 3)
    assert [row["row"] for row in found["worst"]] == [row.row for row in rows]


def test_dominance_is_that_of_python(said, run, here):
    columns = ("--value", "s", "--value", "n")
    found = said("dominance", *PREDICTIONS, *columns)
    models = [vc.read_predictions("preds.csv", truth="y", value=name, positive="spam", name=name) for name in "sn"]
    python = vc.dominance(*models)
    assert (found["a"], found["b"], found["relation"]) == ("s", "n", python.relation)
    assert found["crossings"] == list(python.crossings)
    result = run("dominance", *PREDICTIONS, *columns, "--out", "d.svg", "--out", "d.txt", "--out", "d.html")
    assert result.exit_code == 0 and (here / "d.txt").read_text().startswith(python.sentence())
    assert "better at every false positive rate?" in (here / "d.html").read_text()


def test_optimism_of_a_store(kept, said, run):
    found = said("optimism", kept, "--data", "cancer")["optimism"]
    assert list(found) == ["cancer"] and list(found["cancer"]) == ["tree"]
    python = vc.optimism(vc.read_runs(kept).only(data="cancer")).to_json()["optimism"]
    assert found == json.loads(json.dumps(python))
    assert "nested - flat" in run("optimism", kept).stdout
    assert "chosen-part" in [note["code"] for note in said("optimism", kept, "--data", "cancer")["notes"]]


def test_export(kept, run, said, here):
    import duckdb

    assert said("export", kept, "--out", "all.parquet")["files"] == ["all.parquet"]
    result = run("export", kept, "--only", "nb", "--data", "iris", "--out", "nb.parquet")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "wrote nb.parquet\n")
    rows = duckdb.sql("select distinct data, learner from 'nb.parquet'").fetchall()
    assert rows == [("iris", "nb")]
    count = duckdb.sql("select count(*) from 'all.parquet' where learner = 'tree' and design = 'kfold(k=3)'").fetchall()
    assert count == [(569 + 150,)]


@pytest.mark.parametrize("ending", ["csv", "arff"])
def test_export_as_text_is_read_back(kept, run, said, here, ending):
    """Scores of the file are those of the table in Parquet, for both are the same rows."""
    words = ("--truth", "truth", "--label", "predicted_class", "error")
    for file in ("all.parquet", f"all.{ending}"):
        assert run("export", kept, "--data", "cancer", "--only", "nb", "--out", file).exit_code == 0
    one, other = (said("score", file, *words) for file in ("all.parquet", f"all.{ending}"))
    assert one["rows"] == other["rows"] and one["scores"] == other["scores"]
    if ending == "arff":
        assert "@attribute learner {nb}" in (here / "all.arff").read_text()


def test_the_curve_of_a_store(kept, said, run, here):
    found = said("curve", kept, *ON_CANCER, "--kind", "roc")
    assert [line["name"] for line in found["lines"]][:2] == ["nb", "tree"]
    assert any(note["code"] == "left-out" and "bad" in note["says"] for note in found["notes"])
    assert run("curve", kept, *ON_CANCER, "--only", "nb", "--out", "roc.svg").exit_code == 0
    assert (
        run("dominance", kept, "--data", "cancer", "--by", "holdout", "--only", "nb", "--only", "tree").exit_code == 0
    )


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("worst", *PREDICTIONS, "--label", "yhat", "--label", "other"), "worst is of one model, not of 2"),
        (("worst", *PREDICTIONS, "--label", "yhat", "--most", "0"), "at least 1"),
        (("worst", "preds.csv"), "--truth"),
        (("dominance", *PREDICTIONS, "--value", "s"), "dominance is of two models, not of 1"),
        (("optimism", "preds.csv"), "preds.csv is not a store"),
        (("worst", "KEPT", "--label", "yhat"), "--label is for predictions in a file, and"),
        (("curve", "KEPT", "--positive", "z"), "the positive class 'z' is not among those of cancer"),
        (("report", "KEPT", "--interval", "wilson"), "--interval is for predictions in a file, and"),
        (("export", "KEPT"), "say where to: --out predictions.parquet"),
        (("export", "KEPT", "--out", "x.xlsx"), "one of .parquet .csv .arff"),
        (("export", "absent.db", "--out", "x.parquet"), "absent.db"),
        (("curve", "KEPT", "--by", "kfold(k=3)"), "name a data set, --data: there are cancer, iris"),
        (("curve", "KEPT", "--data", "cancer"), "name a design, --by: there are kfold(k=3), holdout"),
        (("compare", "KEPT", "error", "--only", "nb", "--by", "kfold(k=3)"), "needs two models or learners, not 1"),
        (("optimism", "KEPT", "--only", "nb"), "none of these learners tunes itself"),
    ],
)
def test_wrong_calls_are_one_sentence(kept, run, words, says):
    result = run(*(kept if word == "KEPT" else word for word in words))
    assert (result.exit_code, result.stdout) == (2, ""), result.output
    assert says in result.stderr and result.stderr.count("\n") == 1
