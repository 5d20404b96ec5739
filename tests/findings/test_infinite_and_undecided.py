"""Tables and answers of a study in which some log losses are infinite, and one learner failed in all its fits."""

import csv
import io
import json
import re

import pytest
from click.testing import CliRunner

import veracity as vc
from veracity.cli.main import cli

STUDY = """seed = 1
by = "kfold(k=4)"
scores = ["error", "log_loss"]

[data]
a = "sklearn:make_moons(n_samples=40, noise=0.6, random_state=0)"
b = "sklearn:make_circles(n_samples=40, noise=0.5, random_state=0)"
c = "sklearn:make_blobs(n_samples=40, centers=2, cluster_std=6, random_state=0)"

[learners]
nb = "sklearn.naive_bayes:GaussianNB"
lda = "sklearn.discriminant_analysis:LinearDiscriminantAnalysis"
majority = "sklearn.dummy:DummyClassifier"
tree = "sklearn.tree:DecisionTreeClassifier(random_state=0)"
broken = { use = "sklearn.naive_bayes:GaussianNB", var_smoothing = -1 }
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("infinite")
    (folder / "s.toml").write_text(STUDY)
    vc.Study.read(folder / "s.toml").run(folder / "s.db", progress=False)
    return str(folder / "s.db")


def say(*words):
    found = CliRunner().invoke(cli, words)
    assert found.exit_code == 0, found.output
    return found.stdout


def finite_cells(text):
    return re.findall(r"(?<![\d.])\d\.\d+", text)


@pytest.mark.parametrize("ending", ["txt", "md", "tex", "html"])
@pytest.mark.parametrize("using", ["corrected_t", "friedman"])
def test_an_infinite_cell_takes_no_decimals_from_the_others(store, using, ending, tmp_path):
    found = vc.rank(vc.read_runs(store), "log_loss", using=using)
    table = found.table() if using == "corrected_t" else found.scores_table()
    assert any("inf" in cell for row in table.texts for cell in row)
    scores = [cell for row in table.texts[:3] for cell in row[1:] if re.match(r"\s*\d", cell)]
    assert len(scores) == 9 and all(re.match(r"\s*\d\.\d{2}", cell) for cell in scores), scores
    out = tmp_path / f"out.{ending}"
    printed = say("rank", store, "log_loss", "--using", using, *(() if ending == "txt" else ("--out", str(out))))
    text = printed if ending == "txt" else out.read_text()
    assert "inf" in text and all(cell.split()[0].rstrip("v*") in text for cell in scores)


def test_csv_and_frames_keep_infinite_numbers_and_json_has_null_with_a_note(store, tmp_path):
    found = vc.rank(vc.read_runs(store), "log_loss", using="corrected_t")
    (head, *rows) = csv.reader(io.StringIO(found.to_csv()))
    cells = [row[head.index("tree")] for row in rows if row[0] in "abc"]
    assert cells == ["inf"] * 3 and found.to_frame()["tree"].tolist()[:3] == [float("inf")] * 3
    pairs = csv.DictReader(io.StringIO(vc.rank(vc.read_runs(store), "log_loss").to_csv()))
    assert {row["difference"] for row in pairs if row["b"] == "tree"} == {"-inf"}
    told = json.loads(say("rank", store, "log_loss", "--using", "corrected_t", "--json"))
    assert any(pair["difference"] is None for pair in told["datasets"]["a"])
    assert any("infinite" in note["says"] for note in told["notes"])


def test_the_mean_over_splits_of_which_one_is_infinite_is_infinite(store):
    summary = vc.read_runs(store).scores("log_loss").summary()
    means = {(row[0], row[1]): str(row[4]) for row in summary.rows}
    assert means["a", "tree"] == "inf" and float(means["a", "nb"]) > 0


@pytest.mark.parametrize("score", ["log_loss", "error"])
def test_verdicts_say_how_many_pairs_were_not_decided_or_not_tested(store, score):
    found = vc.rank(vc.read_runs(store), score, using="corrected_t")
    untested = sum(row.p_value is None for row in found.rows)
    undecided = sum(row.p_value is not None and not row.rejected for row in found.rows)
    assert (untested > 5) is (score == "log_loss") and len(found.rows) == 18
    says = f"of 18 pairs on data sets, {undecided} {'is' if undecided == 1 else 'are'} undecided"
    told = say("rank", store, score, "--using", "corrected_t")
    assert says in found.sentence() and says in " ".join(told.split())
    assert (f"and {untested} could not be tested" in found.sentence()) is (untested > 0)


@pytest.mark.parametrize("words", [(), ("--using", "corrected_t")])
def test_an_answer_names_a_learner_that_failed_in_all_its_fits(store, words):
    for command in (("rank", store, "error"), ("report", store, "--scores", "error", "--json")):
        if command[0] == "rank":
            assert "broken has no error and is left out" in " ".join(say(*command, *words).split())
    how = {"using": words[1]} if words else {}
    runs = vc.read_runs(store)
    assert "broken has no error" in vc.report(runs, "error", questions={"rank": how}).material.answer
    assert (
        "broken could not be compared on a, b, c"
        in vc.report(vc.compare(runs, "error", using="corrected_t")).material.answer
    )
    assert "broken has no error" in vc.report(vc.estimate(runs, "error")).material.answer
