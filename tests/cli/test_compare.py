"""`veracity compare` in its forms."""

import json
from pathlib import Path

import numpy as np
import pytest

WEKA = str(Path(__file__).parents[1] / "readers" / "assets" / "weka" / "results.arff.gz")
SHAPE = [
    "score",
    "using",
    "a",
    "b",
    "difference",
    "low",
    "high",
    "level",
    "statistic",
    "p_value",
    "df",
    "n01",
    "n10",
    "alternative",
]


@pytest.fixture
def models(here):
    """Example H of theory: 60 rows right by both, 15 by a alone, 5 by b alone, 20 by neither."""
    rows = ["1,1,1"] * 60 + ["1,1,0"] * 15 + ["1,0,1"] * 5 + ["1,0,0"] * 10 + ["0,1,1"] * 10
    (here / "h.csv").write_text("y,a,b\n" + "\n".join(rows) + "\n")
    return "h.csv"


def test_two_columns_of_one_file(said, models):
    found = said("compare", models, "--truth", "y", "--label", "a", "--label", "b", "--using", "mcnemar", "error")
    assert list(found)[: len(SHAPE)] == SHAPE and list(found)[-1] == "notes"
    assert (found["score"], found["using"], found["a"], found["b"]) == ("error", "mcnemar", "a", "b")
    assert (found["n10"], found["n01"], found["difference"]) == (15, 5, pytest.approx(-0.10))
    assert (found["statistic"], found["p_value"], found["df"]) == (4.05, pytest.approx(0.0442, abs=1e-4), 1)
    assert (found["low"], found["high"]) == (pytest.approx(-0.2033, abs=1e-4), pytest.approx(-0.0026, abs=1e-4))


def test_a_reader_gets_a_sentence_and_a_table(run, models):
    result = run("compare", models, "--truth", "y", "--label", "a", "--label", "b")
    assert result.exit_code == 0
    assert result.stdout.startswith("The error of a is 0.1 lower (better) than that of b, 95% interval")
    assert (
        "(mcnemar_midp: n01 = 5, n10 = 15): evidence that they differ." in result.stdout
        and "differences of error (a minus b)" in result.stdout
    )


def test_the_reason_for_the_default_test_is_told(run, said, models):
    words = ("compare", models, "--truth", "y", "--label", "a", "--label", "b", "error")
    says = "mcnemar_midp: two models, the same 100 rows, a share of them (error, accuracy)"
    assert f"remark: {says}" in " ".join(run(*words).stdout.split())
    assert {"code": "default", "weight": "remark", "says": says} in said(*words)["notes"]
    assert "[default]" not in run(*words, "--using", "mcnemar_midp").stdout


def test_several_scores_are_a_list_under_one_key_and_one_family(said, run, models):
    words = ("compare", models, "--truth", "y", "--label", "a", "--label", "b")
    found = said(*words, "error", "balanced_accuracy", "--positive", "1")
    assert list(found) == ["comparisons", "notes"]
    assert [one["score"] for one in found["comparisons"]] == ["error", "balanced_accuracy"]
    first, second = found["comparisons"]
    alone = said(*words, "error")
    assert {name: first[name] for name in alone if name != "notes"} == {n: v for n, v in alone.items() if n != "notes"}
    least = min((first, second), key=lambda one: one["p_value"])
    assert least["adjusted_p_value"] == pytest.approx(min(1, 2 * least["p_value"]))
    shown = " ".join(run(*words, "error", "balanced_accuracy", "--positive", "1").stdout.split())
    assert "2 scores were asked for: p-values are adjusted over all pairs of all of them" in shown


def test_another_interval_and_level(said, models):
    words = ("compare", models, "--truth", "y", "--label", "a", "--label", "b", "--interval", "tango", "accuracy")
    found = said(*words)
    assert (found["low"], found["high"]) == (pytest.approx(0.0134, abs=1e-4), pytest.approx(0.1924, abs=1e-4))
    assert said(*words, "--level", "0.8")["high"] < found["high"]


def test_two_files_of_different_rows(said, run, here):
    for name, right, rows in (("one", 28, 40), ("two", 30, 50)):
        lines = [f"1,{int(i < right)}" for i in range(rows - 2)] + ["0,1", "0,1"]
        (here / f"{name}.csv").write_text("y,yhat\n" + "\n".join(lines) + "\n")
    words = ("compare", "one.csv", "two.csv", "--truth", "y", "--label", "yhat")
    found = said(*words, "--using", "two_proportion_z", "error")
    assert (found["a"], found["b"]) == ("one", "two")
    assert (found["statistic"], found["p_value"]) == (pytest.approx(-0.9848, abs=1e-4), pytest.approx(0.3247, abs=1e-4))
    paired = run(*words)
    assert paired.exit_code == 2 and "name a column of row ids (--rows) to join them" in paired.stderr
    assert "where models were tried on different rows, name --using two_proportion_z" in paired.stderr


def test_files_of_the_same_rows_in_another_order(said, here, models):
    lines = (here / models).read_text().splitlines()[1:]
    numbered = [f"{i},{line}" for i, line in enumerate(lines)]
    for name, column, rows in (("p", 2, numbered), ("q", 3, numbered[::-1])):
        cells = (row.split(",") for row in rows)
        (here / f"{name}.csv").write_text("id,y,said\n" + "\n".join(f"{c[0]},{c[1]},{c[column]}" for c in cells) + "\n")
    found = said("compare", "p.csv", "q.csv", "--truth", "y", "--label", "said", "--rows", "id", "--using", "mcnemar")
    assert (found["n10"], found["n01"]) == (15, 5)


def test_several_models_are_a_family(said, run, here, models):
    text = (here / models).read_text().replace("y,a,b", "y,a,b,c").replace("\n1,", "\n1,").splitlines()
    (here / "three.csv").write_text("\n".join([text[0], *(f"{line},{line[2]}" for line in text[1:])]) + "\n")
    words = ("compare", "three.csv", "--truth", "y", "--label", "a", "--label", "b", "--label", "c")
    found = said(*words, "--then", "bonferroni")
    assert [(one["a"], one["b"]) for one in found["comparisons"]] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert found["comparisons"][0]["adjusted_p_value"] == pytest.approx(3 * found["comparisons"][0]["p_value"])
    assert said(*words, "--pair", "c,b")["a"] == "c"
    assert run(*words, "--using", "cochran_q").stdout.startswith("cochran_q of all together: Q(2) = 10, p = ")


def test_learners_on_a_data_file(said, here):
    rng = np.random.default_rng(1)
    x = rng.normal(size=(90, 2))
    y = (x[:, 0] + 0.3 * rng.normal(size=90) > 0).astype(int)
    (here / "d.csv").write_text("u,v,y\n" + "\n".join(f"{a},{b},{c}" for (a, b), c in zip(x, y, strict=True)) + "\n")
    nb, dummy = "nb=sklearn.naive_bayes:GaussianNB", "none=sklearn.dummy:DummyClassifier"
    words = ("compare", "d.csv", "--target", "y", "--learner", nb, "--learner", dummy, "--by", "kfold(k=5)")
    found = said(*words, "--using", "corrected_t", "error", "--store", "runs.db")
    assert (found["a"], found["b"], found["df"], found["data"]) == ("nb", "none", 4, "d")
    assert found["difference"] < -0.2 and found["p_value"] < 0.05
    again = said("compare", "runs.db", "--using", "corrected_t")
    assert again["p_value"] == found["p_value"]
    posterior = said("compare", "runs.db", "--using", "correlated_t_posterior(rope=0.01)", "error")
    assert len(posterior["probabilities"]) == 3 and posterior["p_value"] is None


def test_a_table_of_scores(said, here):
    (here / "s.csv").write_text("data,A,B\n" + "\n".join(f"d{i},{0.7 + i / 100},{0.6 + i / 50}" for i in range(8)))
    found = said("compare", "s.csv", "--using", "wilcoxon")
    assert (found["a"], found["b"], found["using"]) == ("A", "B", "wilcoxon")


@pytest.mark.parametrize("using", ["sign(ties='split')", "wilcoxon", "paired_t"])
def test_counts_are_whole_numbers(run, here, using):
    rows = ((0.5, 0.4), (0.6, 0.6), (0.7, 0.6), (0.8, 0.9), (0.9, 0.7), (0.4, 0.2), (0.3, 0.1))
    (here / "scores.csv").write_text("data,a,b\n" + "".join(f"d{i},{a},{b}\n" for i, (a, b) in enumerate(rows)))
    told = run("compare", "scores.csv", "--using", using, "--json").stdout
    assert all(f'"{word}": {count},' in told for word, count in (("wins", 5), ("ties", 1), ("losses", 1)))


def test_a_page_by_its_ending(run, here, models):
    words = ("compare", models, "--truth", "y", "--label", "a", "--label", "b", "--out")
    assert run(*words, "c.json").exit_code == 0 and run(*words, "c.md").exit_code == 0
    assert json.loads((here / "c.json").read_text())["n10"] == 15
    assert "newcombe" in (here / "c.md").read_text() or "difference" in (here / "c.md").read_text()


LABELS = ("--truth", "y", "--label", "a", "--label", "b")


def test_a_figure_shows_the_difference_and_json_comes_with_it(run, models, here):
    result = run("compare", models, *LABELS, "--out", "c.png", "--json")
    assert result.exit_code == 0 and result.stdout.startswith("{")
    assert (here / "c.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ((*LABELS, "--using", "mcnemr"), "did you mean mcnemar"),
        ((*LABELS, "auc", "log_loss"), "auc"),
        ((*LABELS, "--interval", "tnago"), "did you mean tango"),
        ((*LABELS, "--pair", "a"), "--pair names two, as in --pair a,b, not 'a'"),
        ((*LABELS, "--pair", "a,x"), "there is nothing called 'x' to compare: there are a, b"),
        ((*LABELS, "--level", "95"), "try 0.95"),
        ((*LABELS, "--using", "two_proportion_z"), "use mcnemar_midp"),
        (
            ("--truth", "y", "--label", "a"),
            "compare needs two models or learners, not 1: name another, or hold the one against a known value,"
            " --using 'one_sample(value=0.5)'",
        ),
        (("--truth", "y"), "--label, --proba, --value or --number"),
        (("--target", "y"), "name a learner: --learner MODULE:CLASS"),
        ((*LABELS, "--out", "c.docx"), "the format follows from the ending"),
    ],
)
def test_wrong_calls_are_one_sentence(run, models, words, says):
    result = run("compare", models, *words)
    assert (result.exit_code, result.stdout) == (2, ""), result.stdout
    assert says in result.stderr and result.stderr.count("\n") == 1


def test_two_files_need_the_truth(run, models, here):
    (here / "i.csv").write_text((here / models).read_text())
    result = run("compare", models, "i.csv")
    assert result.exit_code == 2 and "name the column with the truth, --truth" in result.stderr


def test_groups_and_counts_of_rows(said, run, here):
    rows = [f"{i % 2},{i % 2},{i % 2 if i % 3 else 1 - i % 2},{i // 4},{1 + i % 2}" for i in range(48)]
    (here / "g.csv").write_text("y,a,b,group,times\n" + "\n".join(rows))
    asked = ("compare", "g.csv", "error", "--truth", "y", "--label", "a", "--label", "b")
    found = said(*asked, "--groups", "group")
    assert (found["using"], found["groups"]) == ("paired_loss_t", 12)
    assert ", 12 groups)" in run(*asked, "--groups", "group").stdout
    assert said(*asked, "--counts", "times")["n10"] == 24


def test_slices_of_the_rows(said, run, here):
    rows = [f"{i % 2},{i % 2},{i % 2 if i % 5 else 1 - i % 2},{'north' if i % 3 else 'south'}" for i in range(90)]
    (here / "s.csv").write_text("y,a,b,place\n" + "\n".join(rows))
    asked = ("compare", "s.csv", "error", *LABELS)
    found = said(*asked, "--slices", "place")
    assert found["by"] == "place" and [row["data"] for row in found["comparisons"]] == ["north", "south"]
    (here / "south.csv").write_text("y,a,b\n" + "\n".join(row[:5] for row in rows if row.endswith("south")))
    alone = said("compare", "south.csv", "error", *LABELS, "--level", "0.975")
    south = found["comparisons"][1]
    assert [south[key] for key in ("p_value", "low", "high", "level")] == [
        alone[key] for key in ("p_value", "low", "high", "level")
    ]
    shown = run(*asked, "--slices", "place").stdout
    assert shown.lstrip().startswith("differences of error") and "\nplace  a  b  difference" in shown
    assert run(*asked, "--slices", "place", "--out", "s.png").exit_code == 0


def test_slices_need_predictions(run, models):
    for words, says in (
        (("--errors", "3", "--of", "40", "--errors", "5", "--of", "40"), "--slices is a column beside predictions"),
        ((models, *LABELS), "no column 'place'"),
    ):
        result = run("compare", *words, "--slices", "place")
        assert (result.exit_code, result.stdout) == (2, "") and says in result.stderr


@pytest.mark.parametrize("verb", ["compare", "rank"])
def test_columns_of_a_log_are_no_learners(here, run, verb):
    rows = [f"{item},{model},{(item + place) % 2}" for item in range(9) for place, model in enumerate("uvw")]
    (here / "log.csv").write_text("item,model,correct\n" + "\n".join(rows) + "\n")
    result = run(verb, "log.csv")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "log.csv has a column of learners, 'model', and none of data sets" in result.stderr
    assert "a log of rows is read by --model model, --rows and --correct" in result.stderr
    assert run("compare", "log.csv", "--model", "model", "--rows", "item", "--correct", "correct").exit_code == 0


def test_a_table_of_scores_by_its_measure_and_by_numbers_of_learners(said, run, here):
    found = said("compare", WEKA, "Area_under_ROC", "--pair", "J48,(3)")
    assert found["score"] == "Area_under_ROC" and found["a"] == "J48" and found["b"].startswith("IBk -K 1")
    (here / "r.csv").write_text("data,a,b\n" + "".join(f"d{i},0.{i + 1},0.{i + 2}\n" for i in range(7)))
    losses = said("compare", "r.csv", "error")
    assert losses["score"] == "error" and "(better)" in run("compare", "r.csv", "error").stdout
    assert "(worse)" in run("compare", "r.csv", "accuracy").stdout
    for words, says in (
        (("r.csv", "error", "accuracy"), "r.csv is a table of scores, compared by one of them: error, accuracy are 2"),
        ((WEKA, "Percent"), "has no column 'Percent': there are"),
        ((WEKA, "--pair", "J48,(9)"), "there is nothing called '(9)' to compare"),
    ):
        wrong = run("compare", *words)
        assert wrong.exit_code == 2 and says in wrong.stderr
