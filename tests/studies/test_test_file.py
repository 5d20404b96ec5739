"""A test file of its own for a data set, and notes of a study: in the file, the store, status and the page."""

import numpy as np
import pytest

import veracity as vc
from veracity.readers.read_data import from_file

STUDY = """
notes = '''
First line of <notes>.
Second line.
'''
by = "test_file"
scores = ["error"]
[data]
one = { file = "one.csv", test = "one_test.csv", target = "y" }
two = { file = "two.csv", test = "two_test.csv", target = "y" }
[learners]
nb = "sklearn.naive_bayes:GaussianNB"
tree = { use = "sklearn.tree:DecisionTreeClassifier", max_depth = 2, random_state = 0 }
"""


def table(rows, seed, extra=""):
    random = np.random.default_rng(seed)
    y = random.integers(0, 2, rows)
    x = random.normal(y[:, None] * 1.5, 1, (rows, 2))
    colour = np.where(random.random(rows) < 0.5, "red", "blue")
    lines = [f"{a:.6f},{b:.6f},{c},{'yes' if t else 'no'}{extra}" for (a, b), c, t in zip(x, colour, y, strict=True)]
    return "\n".join([f"a,b,colour,y{',more' * bool(extra)}", *lines]) + "\n"


@pytest.fixture
def folder(same_folder):
    for seed, name in enumerate(("one", "two")):
        (same_folder / f"{name}.csv").write_text(table(60, seed))
        (same_folder / f"{name}_test.csv").write_text(table(40, 10 + seed, ",9"))
    (same_folder / "study.toml").write_text(STUDY)
    return same_folder


def test_the_rows_of_the_file_train_and_those_of_the_test_file_test(folder):
    study = vc.Study.read("study.toml")
    for name in ("one", "two"):
        (design,) = study.designs[name]
        assert design.name == "test_file" and len(design) == 1 and design.rows == 100
        assert design.splits[0].train.tolist() == list(range(60)) and design.splits[0].test.tolist() == list(
            range(60, 100)
        )
    runs = study.run("results.db", progress=False)
    row = vc.estimate(runs, "error")["one", "nb"]
    assert row.interval is not None and row.answers == "risk of the one model trained on 60 % of the rows"
    from sklearn.naive_bayes import GaussianNB
    from sklearn.preprocessing import OneHotEncoder

    def numbers(file):
        cells = [line.split(",") for line in (folder / file).read_text().splitlines()[1:]]
        return (
            np.array([[float(a), float(b)] for a, b, *_ in cells]),
            [c[2] for c in cells],
            np.array([c[3] for c in cells]),
        )

    (x, c, y), (x_test, c_test, y_test) = numbers("one.csv"), numbers("one_test.csv")
    coder = OneHotEncoder(sparse_output=False).fit(np.array(c)[:, None])
    model = GaussianNB().fit(np.hstack([x, coder.transform(np.array(c)[:, None])]), y)
    said = model.predict(np.hstack([x_test, coder.transform(np.array(c_test)[:, None])]))
    assert row.value == pytest.approx(np.mean(said != y_test))
    assert vc.estimate(vc.read_runs("results.db", "study.toml"), "error")["one", "nb"].value == row.value


def test_another_test_file_is_another_data_set(folder):
    first = vc.Study.read("study.toml").data["one"].fingerprint
    (folder / "one_test.csv").write_text(table(40, 77))
    assert vc.Study.read("study.toml").data["one"].fingerprint != first
    (folder / "plain.toml").write_text(
        STUDY.replace(', test = "one_test.csv"', "")
        .replace('"test_file"', '"holdout"')
        .replace(', test = "two_test.csv"', "")
    )
    assert vc.Study.read("plain.toml").data["one"].test is None


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (
            ('by = "test_file"', 'by = "kfold(k=5)"'),
            "one names a test file, whose rows .* would train on: use `by='test_file'`",
        ),
        ((', test = "two_test.csv"', ""), "two names no test file: write test ="),
        (('test = "one_test.csv"', 'test = "gone.csv"'), "gone.csv"),
        (
            (
                'file = "one.csv", test = "one_test.csv", target = "y"',
                'file = "sklearn:load_iris", test = "one_test.csv"',
            ),
            "built in and has no test file",
        ),
    ],
)
def test_wrong_calls_say_the_way_out(folder, change, says):
    (folder / "study.toml").write_text(STUDY.replace(*change))
    with pytest.raises(vc.VeracityError, match=says):
        vc.Study.read("study.toml").plan()


def test_a_test_file_has_the_columns_of_its_file(folder):
    (folder / "one_test.csv").write_text("a,b,y\n1,2,yes\n3,4,no\n")
    with pytest.raises(vc.VeracityError, match=r"one_test.csv has no column 'colour', which .*one.csv has"):
        vc.Study.read("study.toml")
    (folder / "one_test.csv").write_text("a,b,colour,y\nlow,2,red,yes\nhigh,4,red,no\n")
    with pytest.raises(vc.VeracityError, match=r"column a holds numbers in .*one.csv and text in .*one_test.csv"):
        vc.Study.read("study.toml")


def test_notes_stand_in_store_status_and_page(folder):
    study = vc.Study.read("study.toml")
    runs = study.run("results.db", progress=False)
    assert runs.store.study()["words"].strip().splitlines() == ["First line of <notes>.", "Second line."]
    page = vc.report(runs).html
    assert "First line of &lt;notes&gt;." in page and "Second line." in page
    (folder / "study.toml").write_text(STUDY.replace("Second line.", "Changed."))
    again = vc.Study.read("study.toml").run("results.db", progress=False)
    assert "Changed." in again.store.study()["words"]
    with pytest.raises(vc.BadInput, match="notes of a study are a text"):
        vc.Study({"one": "sklearn:load_iris"}, ["sklearn.naive_bayes:GaussianNB"], notes=7)


def test_status_shows_the_notes(folder):
    from click.testing import CliRunner

    from veracity.cli.main import cli

    assert CliRunner().invoke(cli, ["run", "study.toml", "--json"], prog_name="veracity").exit_code == 0
    told = CliRunner().invoke(cli, ["status", "results.db"], prog_name="veracity").stdout
    assert "seed 0; notes: First line of <notes>. Second line.\n" in told
    import json

    shape = json.loads(CliRunner().invoke(cli, ["status", "results.db", "--json"], prog_name="veracity").stdout)
    assert shape["words"].strip().endswith("Second line.") and shape["by"] == ["test_file"]


def weighted(rows, weights):
    cells = "".join(f"{row},{'ab'[row % 2]}{', {2}' if weights else ''}\n" for row in range(rows))
    return f"@relation r\n@attribute x numeric\n@attribute y {{a,b}}\n@data\n{cells}"


@pytest.mark.parametrize("weights", [(True, False), (False, True)])
def test_weights_of_one_file_alone_do_not_vanish(same_folder, weights):
    for name, there in zip(("train.arff", "test.arff"), weights, strict=True):
        (same_folder / name).write_text(weighted(20, there), "utf-8")
    without = ("test", "train")[weights.index(False) ^ 1]
    with pytest.raises(vc.BadInput, match=rf"{without}\.arff has no weights in braces, and \w+\.arff has"):
        from_file("train.arff", target="y", test="test.arff")


def test_weights_of_both_files_are_kept(same_folder):
    for name in ("train.arff", "test.arff"):
        (same_folder / name).write_text(weighted(20, True), "utf-8")
    data = from_file("train.arff", target="y", test="test.arff")
    assert data.weights.tolist() == [2.0] * 40


def test_true_and_false_are_not_0_and_1_of_the_other_file(same_folder):
    for name, cells in (("train.csv", ("true", "false")), ("test.csv", ("1", "0"))):
        (same_folder / name).write_text(
            "x,flag,y\n" + "".join(f"{r}.5,{cells[r % 2]},{'ab'[r % 2]}\n" for r in range(9))
        )
    with pytest.raises(vc.BadInput, match=r"column flag holds true or false in train\.csv and numbers in test\.csv"):
        from_file("train.csv", target="y", test="test.csv")
