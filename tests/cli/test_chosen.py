"""`--only` and `--data`: what of a store is ranked, compared, scored and reported."""

from pathlib import Path

import pytest

GARCIA = str(Path(__file__).parents[1] / "reference" / "gh2008_accuracy.csv")
STUDY = """
seed = 3
by = "kfold(k=3)"
scores = ["error"]
[data]
iris = "sklearn:load_iris"
wine = "sklearn:load_wine"
cancer = "sklearn:load_breast_cancer"
[learners]
nb = "sklearn.naive_bayes:GaussianNB"
tree = { use = "sklearn.tree:DecisionTreeClassifier", max_depth = 2 }
stump = { use = "sklearn.tree:DecisionTreeClassifier", max_depth = 1 }
bad = { use = "sklearn.tree:DecisionTreeClassifier", max_depth = -1 }
"""
CHOICE = ("--only", "tree", "--only", "nb", "--data", "wine", "--data", "iris")


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A study that was run once, in which one learner failed everywhere."""
    import veracity as vc

    folder = tmp_path_factory.mktemp("kept")
    (folder / "study.toml").write_text(STUDY)
    vc.Study.read(folder / "study.toml").run(folder / "kept.db", progress=False)
    return str(folder / "kept.db")


def codes(found):
    return [note["code"] for note in found["notes"]]


@pytest.mark.parametrize("verb", ["estimate", "report"])
def test_estimates_and_pages(kept, said, verb):
    found = said(verb, kept, *CHOICE)
    assert {data: list(of) for data, of in found["estimates"].items()} == {
        "wine": ["tree", "nb"],
        "iris": ["tree", "nb"],
    }
    assert codes(found).count("chosen-part") == 1 and "chosen-part" not in codes(said(verb, kept))


def test_a_comparison_of_two_on_one_data_set(kept, said):
    found = said("compare", kept, *CHOICE[:4], "--data", "wine", "error")
    assert (found["a"], found["b"], found["data"]) == ("tree", "nb", "wine") and "chosen-part" in codes(found)


def test_a_comparison_on_each_of_several(kept, said):
    found = said("compare", kept, *CHOICE, "error")
    assert [(one["a"], one["b"], one["data"]) for one in found["comparisons"]] == [
        ("tree", "nb", "wine"),
        ("tree", "nb", "iris"),
    ]
    over = said(
        "compare", kept, "--data", "wine", "--data", "iris", "--only", "nb", "--only", "tree", "--using", "sign"
    )
    assert over["using"] == "sign" and "data" not in over
    assert any("2 of 3 data sets" in note["says"] for note in over["notes"])


def test_a_ranking(kept, said):
    found = said("rank", kept, "--only", "stump", "--only", "nb", "--only", "tree", "--data", "iris", "--data", "wine")
    assert found["learners"] == ["stump", "nb", "tree"] and found["datasets"] == 2
    assert codes(found).count("chosen-part") == 1


def test_scores(kept, said):
    found = said("score", kept, *CHOICE, "error")
    assert {data: list(of) for data, of in found["estimates"].items()} == {
        "wine": ["tree", "nb"],
        "iris": ["tree", "nb"],
    }
    assert codes(found).count("chosen-part") == 1
    classes = said("score", kept, *CHOICE, "--per-class", "recall")
    assert set(classes["estimates"]["iris"]["nb"]["per_class"]) == {"0", "1", "2"}


@pytest.mark.parametrize(
    "words", [("--truth", "y"), ("--slices", "group"), ("--costs", "c.csv"), ("--missing", "drop")]
)
def test_what_reads_files_is_refused_of_a_store(kept, run, words):
    """None of it was ever looked at, and scores of the whole store were printed as if it had been."""
    result = run("score", kept, "error", *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert words[0] in result.stderr and "leave it out" in result.stderr and result.stderr.count("\n") == 1


def test_of_a_table_of_scores(said):
    found = said("rank", GARCIA, "--only", "C4.5", "--only", "CN2", "--only", "Kernel")
    assert found["learners"] == ["C4.5", "CN2", "Kernel"] and found["datasets"] == 30
    names = [line.split(",")[0] for line in Path(GARCIA).read_text().splitlines()[1:13]]
    some = said("rank", GARCIA, *(word for name in names for word in ("--data", name)))
    assert some["datasets"] == 12


@pytest.mark.parametrize("using", [(), ("--using", "corrected_t")])
def test_a_control_that_failed_everywhere_gives_the_reason(kept, run, using):
    result = run("rank", kept, "--control", "bad", *using)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "bad has no error and is left out: the first of its failures is" in result.stderr
    assert "max_depth" in result.stderr


def test_a_pair_with_one_that_failed_everywhere_gives_the_reason(kept, run):
    result = run("compare", kept, "--using", "sign", "--pair", "nb,bad", "error")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "bad has no error and is left out: the first of its failures is" in result.stderr


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("estimate", "--only", "no"), "there is no learner called 'no': there are nb, tree, stump, bad"),
        (("rank", "--data", "no"), "there is no data set called 'no': there are iris, wine, cancer"),
        (("report", "--only", "bad"), "all 9 fits failed"),
    ],
)
def test_names_that_are_not_there(kept, run, words, says):
    result = run(words[0], kept, *words[1:])
    assert result.exit_code in (1, 2) and says in result.stderr and result.stderr.count("\n") == 1


@pytest.mark.parametrize("verb", ["score", "compare", "report"])
def test_nothing_is_chosen_of_predictions(run, verb):
    result = run(verb, "preds.csv", "--truth", "y", "--label", "yhat", "--label", "other", "--only", "yhat")
    assert result.exit_code == 2
    assert "--only" in result.stderr and result.stderr.count("\n") == 1


def test_in_python(kept):
    import veracity as vc

    runs = vc.read_runs(kept)
    part = runs.only(learners=["tree", "nb"], data="wine")
    assert (part.learner_names, part.names) == (["tree", "nb"], ["wine"])
    assert next(iter(vc.estimate(part, "error"))) == vc.estimate(runs, "error")["wine", "tree"]
    assert runs.only().names == list(runs.names) and runs.only().notes == runs.notes
    with pytest.raises(vc.BadInput, match="name a data set by a text, or several in a list, not 3"):
        runs.only(data=3)
    assert runs.only(learners=["nb", "nb"]).learner_names == ["nb"]
    with pytest.raises(vc.BadInput, match="no learner called 'x'"):
        runs.only("x")
    both = vc.compare(runs.only(["nb", "tree"]), "error", using="sign", data=["iris", "wine"])
    assert both.difference == vc.compare(runs.only(["nb", "tree"], ["iris", "wine"]), "error", using="sign").difference
