"""What prints a part of another command is an option of it, and callable by a name of its own as before."""

import pytest

from veracity.cli.main import PARTS

STUDY = """
by = "kfold(k=3)"
scores = ["error"]

[data]
iris = "sklearn:load_iris"

[learners]
nb = "sklearn.naive_bayes:GaussianNB"
bad = { use = "sklearn.svm:SVC", C = -1.0 }
knn = { tune = "sklearn.neighbors:KNeighborsClassifier", grid = { n_neighbors = [1, 9] }, by = "kfold(k=2)" }
"""
WAYS = [
    ("optimism", "kept.db", "log_loss", "--only", "knn", "--level", "0.9"),
    ("optimism", "kept.db", "--json"),
    ("failures", "kept.db", "--tracebacks", "--by", "kfold(k=3)"),
    ("failures", "kept.db", "--only", "bad", "--data", "iris", "--json"),
    ("check", "kept.db"),
    ("check", "kept.db", "--repair", "--json"),
    ("check", "absent.db"),
    ("scores", "kept.db", "error", "seconds_fit", "--by", "kfold(k=3)", "--only", "nb"),
    ("scores", "kept.db", "--json"),
    ("scores", "kept.db", "--out", "scores.xlsx"),
]


@pytest.fixture
def kept(keep):
    return keep(STUDY)


@pytest.mark.parametrize("way", WAYS, ids=" ".join)
def test_a_part_prints_the_same_by_its_own_name(kept, run, way):
    command, option = PARTS[way[0]]
    old, new = run(*way), run(command, option, *way[1:])
    assert (old.exit_code, old.stdout, old.stderr) == (new.exit_code, new.stdout, new.stderr)
    assert old.exit_code == (2 if {"absent.db", "scores.xlsx"} & {*way} else 0), old.stderr


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("status", "kept.db", "--only", "nb"), "--only belongs to --failures"),
        (("status", "kept.db", "--check", "--tracebacks"), "--tracebacks belongs to --failures"),
        (("status", "kept.db", "--repair"), "--repair belongs to --check"),
        (("status", "kept.db", "--check", "--failures"), "give one of them"),
        (("check", "kept.db", "--store", "other.db"), "kept.db is none: leave it out"),
        (("export", "kept.db", "--by", "holdout", "--out", "x.csv"), "--by belongs to --scores"),
        (("export", "kept.db", "error", "--out", "x.csv"), "export reads one store or study, not 2"),
        (("estimate", "kept.db", "--optimism", "--per-class"), "--per-class is of estimates"),
        (("optimism", "kept.db", "--interval", "wald"), "--interval is of estimates"),
    ],
)
def test_an_option_of_one_part_is_refused_beside_another(kept, run, words, sentence):
    done = run(*words)
    assert done.exit_code == 2 and sentence in done.stderr


def test_an_option_that_changes_nothing_names_the_command_as_typed(kept, run):
    assert (
        "--seed changes nothing: veracity failures draws no random numbers"
        in run("failures", "kept.db", "--seed", "3").stderr
    )


@pytest.mark.parametrize(("old", "new"), [(old, " ".join(new)) for old, new in PARTS.items()])
def test_the_help_of_an_old_name_says_what_it_is(run, old, new):
    assert run(old, "--help").stdout.startswith(f"veracity {old} is veracity {new}: ")
