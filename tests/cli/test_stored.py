"""A study file shows what it names of its store, in every verb; the store itself shows all."""

import pytest

STUDY = """
seed = 3
by = "kfold(k=3)"
scores = ["error"]
[data]
iris = "sklearn:load_iris"
wine = "sklearn:load_wine"
[learners]
nb = "sklearn.naive_bayes:GaussianNB"
tree = { use = "sklearn.tree:DecisionTreeClassifier", max_depth = 2 }
stump = { use = "sklearn.tree:DecisionTreeClassifier", max_depth = 1 }
"""
GONE = {"iris", "stump"}


@pytest.fixture
def shrunk(keep):
    """A study that was run, and its file without a data set and a learner."""
    here = keep(STUDY)
    lines = [line for line in STUDY.splitlines() if line.split(" ")[0] not in GONE]
    (here / "study.toml").write_text("\n".join(lines))
    return here


def codes(found):
    return [note["code"] for note in found["notes"]]


def test_run_counts_and_shows_what_the_file_names(shrunk, said):
    ran = said("run", "study.toml", "--store", "kept.db")
    assert ran["fits"] == {"planned": 6, "done": 6, "failed": 0, "running": 0}
    assert {data: list(of) for data, of in ran["estimates"].items()} == {"wine": ["nb", "tree"]}
    assert codes(ran).count("beyond-study") == 1
    assert said("status", "kept.db")["fits"]["planned"] == 18


@pytest.mark.parametrize("verb", ["estimate", "report"])
def test_estimates_and_pages(shrunk, said, run, verb):
    found = said(verb, "study.toml", "--store", "kept.db")
    assert {data: list(of) for data, of in found["estimates"].items()} == {"wine": ["nb", "tree"]}
    assert "beyond-study" in codes(found)
    every = said(verb, "kept.db")
    assert [list(every["estimates"][data]) for data in ("iris", "wine")] == [["nb", "tree", "stump"]] * 2
    assert "beyond-study" not in codes(every)


def test_comparisons_and_verdicts(shrunk, said):
    found = said("compare", "study.toml", "--store", "kept.db", "--by", "kfold(k=3)")
    assert (found["a"], found["b"], codes(found).count("beyond-study")) == ("nb", "tree", 1)
    ranked = said("rank", "study.toml", "--store", "kept.db", "--using", "corrected_t")
    assert list(ranked["datasets"]) == ["wine"] and list(ranked["tally"]) == ["nb", "tree"]
    assert list(said("rank", "kept.db", "--using", "corrected_t")["tally"]) == ["nb", "tree", "stump"]


def test_the_page_answers_the_questions_of_the_file_as_it_is_now(shrunk, said):
    text = (shrunk / "study.toml").read_text()
    (shrunk / "study.toml").write_text(
        f'{text}\n[questions]\ncompare = {{ using = "corrected_t", pairs = [["tree", "nb"]] }}'
    )
    (found,) = said("report", "study.toml", "--store", "kept.db")["comparisons"]
    assert (found["a"], found["b"]) == ("tree", "nb")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("estimate", "study.toml", "error"), "there is no store at"),
        (
            ("report", "kept.db", "--store", "other.db"),
            "--store says where the results of a study file are, and kept.db",
        ),
        (
            ("rank", "preds.csv", "--store", "kept.db"),
            "--store is for the results of a study, and preds.csv is a table",
        ),
    ],
)
def test_wrong_calls_are_one_sentence(shrunk, run, words, says):
    result = run(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert says in result.stderr and result.stderr.count("\n") == 1


def test_a_table_that_lacks_its_target_is_told_what_it_needs(here, run):
    told = run("estimate", "preds.csv", "--store", "r.db", "error")
    assert told.exit_code == 2
    assert (
        "preds.csv is not a store but a table: to try learners on it, name --target COLUMN and --learner" in told.stderr
    )


@pytest.mark.parametrize(
    "words",
    [
        ("estimate", "study.toml", "--store", "kept.db", "--kind", "numbers", "error"),
        ("estimate", "kept.db", "--time", "when", "error"),
        ("compare", "study.toml", "--store", "kept.db", "--leave-out", "a", "error"),
    ],
)
def test_what_says_how_data_are_split_is_refused_of_runs_made_before(shrunk, run, words):
    told = run(*words)
    assert told.exit_code == 2 and told.stderr.count("\n") == 1
    assert "is for learners tried on a table now, and" in told.stderr and "was run: leave it out" in told.stderr


@pytest.mark.parametrize("verb", ["compare", "rank"])
@pytest.mark.parametrize("option", ["--store", "--by"])
def test_a_table_of_scores_has_neither_store_nor_design(here, run, verb, option):
    (here / "scores.csv").write_text("data,a,b\n" + "".join(f"d{i},0.{i + 1},0.{i + 2}\n" for i in range(7)))
    told = run(verb, "scores.csv", option, "x.db")
    assert told.exit_code == 2
    assert f"{option} is for the results of a study, and scores.csv is a table of scores: leave it out" in told.stderr


def test_score_of_a_store_is_the_scorecard_of_its_learners(shrunk, said, run):
    found = said("score", "kept.db")["estimates"]["iris"]["nb"]
    asked = said("estimate", "kept.db", "error", "log_loss")["estimates"]["iris"]["nb"]
    assert {name: found[name] for name in asked} == asked and len(found) > 10
    assert set(said("score", "kept.db", "error")["estimates"]["iris"]["tree"]) == {"error"}
    printed = run("score", "kept.db").stdout
    assert "kept.db: 2 data sets, 3 learners, 1 design" in printed and "log_loss" in printed
