"""The study file of the interface, with a learner that tunes itself, run as typed."""

import json

import numpy as np
import pytest

import veracity as vc

STUDY = """
seed = 7
by = "{by}"
scores = ["error", "auc", "log_loss"]
final = true

[data]
iris = "sklearn:load_iris"
credit = {{ file = "credit.csv", target = "class", positive = "bad", groups = "customer" }}

[learners]
nb = "sklearn.naive_bayes:GaussianNB"
knn = {{ use = "sklearn.neighbors:KNeighborsClassifier", n_neighbors = 5 }}
logit = {{ tune = "sklearn.linear_model:LogisticRegression", grid = {{ C = [0.1, 1, 10] }}, by = "kfold(k=5)", score = "log_loss", rule = "one_standard_error" }}

[questions]
rank = {{ score = "error", using = "iman_davenport", then = "shaffer" }}
compare = {{ score = "error", using = "corrected_t", pairs = [["nb", "knn"]] }}
"""  # noqa: E501


@pytest.fixture
def folder(here):
    rng = np.random.default_rng(4)
    amount, age, job = rng.gamma(2, 2, 120), rng.integers(18, 80, 120), rng.choice(["none", "office", "craft"], 120)
    bad = rng.random(120) < 1 / (1 + np.exp(2 - amount / 2))
    lines = [
        f"{one:.2f},{years},{work},{row // 2},{'bad' if wrong else 'good'}"
        for row, (one, years, work, wrong) in enumerate(zip(amount, age, job, bad, strict=True))
    ]
    (here / "credit.csv").write_text("\n".join(["amount,age,job,customer,class", *lines]) + "\n")
    return here


@pytest.fixture
def typed(run):
    """What a call prints that must succeed."""

    def call(*words):
        done = run(*words)
        assert done.exit_code == 0, done.stderr
        return done.stdout

    return call


def check(folder, typed, by, splits):
    (folder / "study.toml").write_text(STUDY.format(by=by))
    typed("run", "study.toml", "--store", "results.db")
    whole = json.loads(typed("estimate", "results.db", "error", "log_loss", "--json"))
    said = whole["estimates"]
    for data in ("iris", "credit"):
        assert said[data]["logit"]["log_loss"]["failed"] == 0
        assert 0 < said[data]["logit"]["log_loss"]["value"] < 1
    runs = vc.read_runs(folder / "results.db")
    chosen = runs.chosen("logit", "credit")
    assert len(chosen) == splits and {one.params["C"] for one in chosen} <= {0.1, 1, 10}
    assert len(vc.optimism(runs)) == 2
    told = whole["tuning"]["credit"]["logit"][runs.designs[0]]
    assert told["nested"] == said["credit"]["logit"]["log_loss"] and told["final"] == chosen.final
    assert told["flat"] == chosen.flat and [one["params"] for one in told["chosen"]] == [one.params for one in chosen]
    shown = typed("estimate", "results.db", "error").splitlines()
    head = next(place for place, line in enumerate(shown) if "chosen most" in line)
    assert "log_loss" in shown[head - 1]  # the same in every row: a line above
    assert chosen.most in shown[head + 2]
    assert shown[head + 2].endswith(f"C={chosen.final['C']}")
    for ending in ("md", "tex", "csv", "html"):
        typed("estimate", "results.db", "error", "auc", "--out", f"out.{ending}")
    assert chosen.most in (folder / "out.md").read_text() and "chosen most" in (folder / "out.tex").read_text()
    page, rows = (folder / "out.html").read_text(), (folder / "out.csv").read_text().splitlines()
    assert ">Tuning</" in page and page.count("<td>nb</td>") < 8  # each score once
    assert len(rows) == 1 + 2 * 3 * 2 and "chosen" not in rows[0]


@pytest.mark.slow
def test_a_tuned_learner_in_a_study_file(folder, typed):
    check(folder, typed, "kfold(k=3)", 3)


@pytest.mark.slow
def test_the_study_file_of_the_interface_as_it_is(folder, typed):
    check(folder, typed, "repeated_kfold(k=10, repeats=10)", 100)
