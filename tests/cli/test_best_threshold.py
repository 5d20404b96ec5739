"""`veracity best_threshold`: chosen on one file, reported on another."""

import numpy as np
import pytest

import veracity as vc

COLUMNS = ("--truth", "y", "--proba", "p", "--positive", "spam")
COSTS = ("--costs", "FP=1", "--costs", "FN=5")


@pytest.fixture
def files(here):
    """Rows that choose, and rows that test."""
    random, made = np.random.default_rng(0), {}
    for name, rows in (("v.csv", 120), ("t.csv", 80)):
        truth = np.where(random.integers(0, 2, rows), "spam", "ham")
        chance = np.clip(0.3 + 0.3 * (truth == "spam") + 0.2 * random.normal(size=rows), 0, 1).round(3)
        (here / name).write_text(
            "y,p,q\n" + "".join(f"{y},{p},{1 - p:.3f}\n" for y, p in zip(truth, chance, strict=True))
        )
        made[name] = vc.predictions(truth, proba=chance, positive="spam")
    return made


def test_it_says_what_python_says(said, files):
    found = said("best_threshold", "v.csv", "t.csv", *COLUMNS, *COSTS)
    best = vc.best_threshold(files["v.csv"], costs={"FP": 1, "FN": 5})
    assert (found["threshold"], found["value"], found["score"]) == (best.threshold, best.value, best.optimised)
    assert (found["rows"], found["positive"], found["better"]) == (120, "spam", "lower")
    on = best.on(files["t.csv"])
    assert found["on"]["scores"]["cost"]["value"] == on["cost"].value
    assert found["on"]["scores"]["recall"]["low"] == on["recall"].interval.low
    cut = files["t.csv"].confusion(threshold=best.threshold).matrix
    assert found["on"]["confusion"] == np.asarray(cut).tolist()


def test_a_score_and_a_matrix_of_costs(said, files, here):
    found = said("best_threshold", "v.csv", *COLUMNS, "fbeta(beta=2)")
    assert found["threshold"] == vc.best_threshold(files["v.csv"], "fbeta(beta=2)").threshold
    assert found["on"] is None and found["notes"][0]["code"] == "optimistic"
    (here / "costs.csv").write_text(",spam,ham\nspam,0,5\nham,1,0\n")
    by_file = said("best_threshold", "v.csv", *COLUMNS, "--costs", "costs.csv")
    assert by_file["threshold"] == said("best_threshold", "v.csv", *COLUMNS, *COSTS)["threshold"]


def test_people_see_the_threshold_and_what_it_does_elsewhere(run, files):
    alone = run("best_threshold", "v.csv", *COLUMNS, "youden").stdout
    assert "chosen on the 120 rows of v.csv, where its value is optimistic" in alone
    assert "report it with a second file" in alone.replace("\n  ", " ")
    both = run("best_threshold", "v.csv", "t.csv", *COLUMNS, "youden").stdout
    assert "was chosen on 120 other rows" in both and "[optimistic]" not in both


def test_notes_in_json_are_in_the_words_of_the_command_line(said, files):
    alone, _ = (note["says"] for note in said("best_threshold", "v.csv", *COLUMNS, "youden")["notes"])
    assert alone.endswith("hence optimistic: report it with a second file, or with --folds 10")
    both, _ = (note["says"] for note in said("best_threshold", "v.csv", "t.csv", *COLUMNS, "youden")["notes"])
    assert both.endswith("hence optimistic")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("v.csv", *COLUMNS), "say what to optimise: --costs FP=1 --costs FN=5, or one score"),
        (("v.csv", *COLUMNS, *COSTS, "youden"), "say what to optimise"),
        (("v.csv", *COLUMNS, "auc"), "auc does not depend on a threshold"),
        (("v.csv", *COLUMNS, "--costs", "FP=dear"), "--costs is FP=1 and FN=5"),
        (("v.csv", *COLUMNS, "--costs", "FX=1"), "name what each of TP, FP, FN, TN costs"),
        (("v.csv", *COLUMNS, "youden", "--threshold", "0.3"), "--threshold is what is looked for"),
        (("v.csv", "v.csv", *COLUMNS, "youden"), "v.csv is named twice: name each file once"),
        (("v.csv", "t.csv", "w.csv", *COLUMNS, "youden"), "not 3"),
        (("v.csv", *COLUMNS, "--proba", "q", "youden"), "a threshold is of one model"),
        (("v.csv", "--truth", "y", "--label", "y", "youden"), "a threshold needs probabilities or decision values"),
    ],
)
def test_wrong_calls_are_one_sentence(run, files, words, says):
    result = run("best_threshold", *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert says in result.stderr and result.stderr.count("\n") == 1


def test_the_matrix_the_interval_and_what_other_rules_cost(said, run, files):
    found = said("best_threshold", "v.csv", *COLUMNS, *COSTS)
    best = vc.best_threshold(files["v.csv"], costs={"FP": 1, "FN": 5})
    p = files["v.csv"]
    assert found["confusion"] == p.confusion(threshold=best.threshold).matrix.tolist()
    assert (found["interval"]["low"], found["interval"]["high"]) == (best.interval.low, best.interval.high)
    costs = {rule: each["value"] for rule, each in found["rules"].items()}
    spam = int((p.truth == p.positive).sum())
    assert costs["always"] == (120 - spam) / 120 and costs["never"] == 5 * spam / 120
    assert costs["one half"] == vc.score(p, "cost(matrix=((0, 1), (5, 0)))")
    assert found["rules"]["calibrated"]["threshold"] == 1 / 6
    printed = run("best_threshold", "v.csv", *COLUMNS, *COSTS).stdout
    for words in ("confusion matrix from", "95% interval of the threshold", "one half", "always spam", "never spam"):
        assert words in printed
    assert "inf" not in printed


def test_one_file_is_cross_fitted(said, run, files):
    words = ("best_threshold", "v.csv", *COLUMNS, *COSTS, "--folds", "10")
    found = said(*words)
    honest = vc.best_threshold(files["v.csv"], costs={"FP": 1, "FN": 5}).cross_fit(10)
    assert found["cross_fit"]["scores"]["cost"]["value"] == honest["cost"].value > found["value"]
    assert found["on"] is None and "cross-fit" in {note["code"] for note in found["cross_fit"]["notes"]}
    printed = run(*words).stdout
    assert "each of 10 parts of the rows was cut at the threshold that is best on all others" in printed
    assert "[optimistic]" not in printed
    assert "on the rows of v.csv, each of 10 parts cut at the threshold best on the others" in printed
    assert (
        "on the rows of t.csv, cut at this threshold"
        in run("best_threshold", "v.csv", "t.csv", *COLUMNS, *COSTS).stdout
    )
    both = run("best_threshold", "v.csv", "t.csv", *COLUMNS, *COSTS, "--folds", "10")
    assert both.exit_code == 2 and "leave it out, or the second file" in both.stderr
    assert "folds must be at least 2" in run("best_threshold", "v.csv", *COLUMNS, *COSTS, "--folds", "1").stderr
    many = run("best_threshold", "v.csv", *COLUMNS, *COSTS, "--folds", "100")
    assert many.exit_code == 2 and "rows, too few for 100 parts: --folds" in many.stderr


@pytest.mark.parametrize("costs", [("FN=8",), ("FP=0", "FN=8"), ("FP=8",)])
def test_costs_of_one_mistake_choose_nothing(run, files, costs):
    found = run("best_threshold", "v.csv", *COLUMNS, *(word for cost in costs for word in ("--costs", cost)))
    assert (found.exit_code, found.stdout) == (2, "")
    assert "give the cost of both mistakes, such as --costs FP=1 --costs FN=5" in found.stderr


@pytest.mark.parametrize("folds", ["0", "1", "-3"])
def test_folds_that_are_none_are_refused(run, files, folds):
    found = run("best_threshold", "v.csv", *COLUMNS, *COSTS, "--folds", folds)
    assert (found.exit_code, found.stdout) == (2, "") and "fold" in found.stderr
