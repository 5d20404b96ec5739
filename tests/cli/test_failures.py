"""`veracity failures`, `--by` of a store and `--slices` of a study: the same in Python, and brute force by hand."""

import json

import numpy as np
import pytest

import veracity as vc

STUDY = """
seed = 3
by = ["kfold(k=3)", "kfold(k=4)"]
scores = ["error"]
[data]
people = { file = "people.csv", target = "y", leave_out = ["country"] }
iris = "sklearn:load_iris"
[learners]
nb = "sklearn.naive_bayes:GaussianNB"
broken = { use = "sklearn.naive_bayes:GaussianNB", var_smoothing = -1 }
worse = { use = "sklearn.tree:DecisionTreeClassifier", max_depth = -1 }
"""


@pytest.fixture
def studied(here, run):
    random = np.random.default_rng(1)
    rows = [(random.normal(n % 2), random.normal(), "DE" if n % 3 else "FR", "pq"[n % 2]) for n in range(60)]
    text = "a,b,country,y\n" + "".join(f"{a:.4f},{b:.4f},{country},{y}\n" for a, b, country, y in rows)
    (here / "people.csv").write_text(text)
    (here / "study.toml").write_text(STUDY)
    run("run", "study.toml", "--store", "results.db", "--json")
    return here


def test_failures_are_counted_by_reason_with_their_places(studied, said, run):
    found = said("failures", "results.db")
    assert found["fits"] == 3 * 2 * (3 + 4)
    assert [row["fits"] for row in found["failures"]] == [14, 14]
    for row in found["failures"]:
        assert len(row["places"]) == 14 and "InvalidParameterError" in row["reason"]
        assert row["traceback"].startswith("Traceback") and len({place["learner"] for place in row["places"]}) == 1
    some = said(
        "failures", "study.toml", "--store", "results.db", "--only", "worse", "--data", "iris", "--by", "kfold(k=4)"
    )
    place = {"data": "iris", "learner": "worse", "by": "kfold(k=4)"}
    assert [row["places"] for row in some["failures"]] == [[{**place, "split": number} for number in range(4)]]
    assert "28 of 42 fits failed, for 2 reasons." in run("failures", "results.db").stdout
    shown = run("status", "results.db", "--failures", "--tracebacks").stdout
    assert {row["traceback"].rstrip() in shown for row in found["failures"]} == {True}  # line by line
    run("status", "results.db", "--failures", "--tracebacks", "--out", "failures.md")
    assert "\n    Traceback (most recent call last):\n" in (studied / "failures.md").read_text()


def test_failures_of_python_are_those_of_the_command(studied, said):
    assert json.loads(json.dumps(vc.failures(vc.read_runs("results.db")).to_json())) == said("failures", "results.db")
    fine = vc.failures(vc.read_runs("results.db").only("nb"))
    assert fine.sentence() == "None of 14 fits failed." and fine.to_json()["failures"] == []
    with pytest.raises(vc.BadInput, match="failures are those of runs"):
        vc.failures("results.db")


@pytest.mark.parametrize("verb", ["estimate", "report"])
def test_a_design_is_chosen_of_several(studied, said, run, verb):
    every, one = (
        said(verb, "results.db", "--only", "nb"),
        said(verb, "results.db", "--only", "nb", "--by", "kfold(k=4)"),
    )
    assert one["estimates"]["iris"]["nb"]["error"]["by"] == "kfold(k=4)" and one["estimates"] != every["estimates"]
    assert vc.read_runs("results.db").only(by="kfold(k=4)").designs == ["kfold(k=4)"]
    told = run(verb, "results.db", "--by", "kfold(k=9)", "--json")
    assert told.exit_code == 2 and "there is no design called 'kfold(k=9)'" in told.stderr


def test_slices_of_a_study_are_those_of_its_predictions(studied, said, run):
    words = (
        "study.toml",
        "--store",
        "results.db",
        "--data",
        "people",
        "--by",
        "kfold(k=4)",
        "--slices",
        "country",
        "error",
    )
    found = said("estimate", *words)
    runs = vc.read_runs("results.db", "study.toml").only(data="people", by="kfold(k=4)")
    labels = vc.read_column("people.csv", "country")
    assert found["by"] == "country" and set(found["estimates"]) == {"DE", "FR"}
    lost = [note["says"] for note in found["notes"] if note["code"] == "left-out"]
    assert lost == ["broken, worse: no split succeeded, so it is left out"]
    p = runs.predictions("nb")
    alone = vc.slices({"nb": p}, labels[p.rows], "error").to_json()["estimates"]
    assert found["estimates"] == json.loads(json.dumps(alone))
    wrong = np.concatenate([p.labels()[p.splits == split] != p.truth[p.splits == split] for split in range(4)])
    for country in ("DE", "FR"):  # the share of its rows that their models get wrong
        share = wrong[labels[p.rows] == country].mean()
        assert found["estimates"][country]["nb"]["error"]["value"] == pytest.approx(share)
    assert said("ledger", "results.db")["counts"]["slices"] == 2  # the same two, asked of runs and of predictions


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("results.db", "--slices", "country"), "a store keeps no columns of the data: name the study file"),
        (("study.toml", "--store", "results.db", "--slices", "country"), "--slices is of one data set"),
        (("study.toml", "--store", "results.db", "--data", "iris", "--slices", "x"), "iris is built in"),
        (("study.toml", "--store", "results.db", "--data", "people", "--slices", "x"), "x"),
        (("study.toml", "--store", "results.db", "--data", "people", "--slices", "y", "--per-class"), "--per-class"),
    ],
)
def test_what_cannot_be_sliced_says_why(studied, run, words, says):
    told = run("estimate", *words, "error")
    assert told.exit_code == 2 and told.stderr.count("\n") == 1 and says in told.stderr
