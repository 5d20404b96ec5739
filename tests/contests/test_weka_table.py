"""The verdicts of Weka's corrected t-tester, reproduced from its own result file and beside its own tables."""

import re
from pathlib import Path

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import veracity as vc
from veracity.contests.weka_table import verdicts

FILES = Path(__file__).parents[1] / "readers" / "assets" / "weka"
MEASURES = ("Percent_correct", "Root_mean_squared_error", "Area_under_ROC")


def printed():
    """Weka's tables in order: three measures, each against every scheme."""
    return re.split(r"^Tester:.*\n", (FILES / "tables.txt").read_text(), flags=re.MULTILINE)[1:]


@pytest.fixture(scope="module")
def matrices():
    return {measure: vc.read_scores(FILES / "results.arff.gz", measure) for measure in MEASURES}


@pytest.mark.parametrize("base", range(4))
@pytest.mark.parametrize("measure", MEASURES)
def test_the_table_is_wekas(matrices, measure, base):
    weka = printed()[4 * MEASURES.index(measure) + base]
    assert f"Analysing:  {measure}\n" in weka
    found = verdicts(matrices[measure], control=matrices[measure].learners[base])
    *rows, foot = found.table().rows
    theirs = re.findall(r"^(\S+) +\(100\) +([\d.]+) \|(.*)$", weka, flags=re.MULTILINE)
    assert len(theirs) == 4
    for row, (data, mean, others) in zip(rows, theirs, strict=True):
        cells = re.findall(r"([\d.]+) ?([v*]?)", others)
        assert (row[0], f"{float(row[1]):.2f}") == (data, mean)
        assert [cell.partition(" ")[2] for cell in map(str.strip, row[2:])] == [mark for _, mark in cells]
        assert [float(cell.split()[0]) for cell in row[2:]] == pytest.approx([float(n) for n, _ in cells], abs=0.0051)
    assert list(foot[2:]) == re.findall(r"\(\d+/\d+/\d+\)", weka)


@pytest.mark.parametrize("measure", MEASURES)
def test_the_tally_is_wekas_ranking(matrices, measure):
    ranking = printed()[4 * MEASURES.index(measure)].partition("Resultset\n")[2]
    lines = re.findall(r"^ *-?\d+ +(\d+) +(\d+) \S+\.(\w+) '(-K .)?", ranking, re.MULTILINE)
    assert len(lines) == 4
    tally = verdicts(matrices[measure]).tally()
    turned = -1 if matrices[measure].better == "lower" else 1  # Weka counts larger, we count better
    for more, fewer, scheme, neighbours in lines:
        (name,) = (name for name in tally if name.startswith(f"{scheme} {neighbours}".strip()))
        sums = [sum(one[outcome] for one in tally[name].values()) for outcome in ("win", "loss")]
        assert sums[::turned] == [int(more), int(fewer)]


def test_the_json_of_the_interface(matrices):
    found = verdicts(matrices["Percent_correct"]).to_json()
    assert list(found) == ["score", "datasets", "tally", "notes"]
    names = matrices["Percent_correct"].learners
    for pairs in found["datasets"].values():
        assert [(p["a"], p["b"]) for p in pairs] == [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
        assert all(list(p) == ["a", "b", "difference", "statistic", "p_value", "verdict"] for p in pairs)
    made = {(p["a"][:8], p["b"][:8]): p["verdict"] for p in found["datasets"]["made"]}
    assert (
        made["J48", "IBk -K 1"] == "win" and made["J48", "NaiveBay"] == "tie" and made["IBk -K 1", "IBk -K 9"] == "loss"
    )
    assert found["tally"]["J48"]["NaiveBayes"] == {"win": 0, "tie": 4, "loss": 0}


def test_lower_is_better_turns_the_verdict_and_says_what_v_means(matrices):
    found = verdicts(matrices["Root_mean_squared_error"])
    made = {(p.a[:8], p.b[:8]): p for p in found if p.data == "made"}
    assert made["J48", "IBk -K 1"].difference < 0
    assert found.to_json()["datasets"]["made"][1]["verdict"] == "win"
    assert "larger-is-worse" in [note.code for note in found.all_notes]


def test_a_stricter_level_finds_less(matrices):
    wins = [
        sum(
            p["verdict"] != "tie"
            for pairs in verdicts(matrices["Area_under_ROC"], level=level).to_json()["datasets"].values()
            for p in pairs
        )
        for level in (0.9, 0.95, 0.9999)
    ]
    assert wins[0] >= wins[1] > wins[2]


def test_a_difference_without_spread_is_no_verdict_but_a_note(tmp_path):
    rows = [f"d,{one},{f},9,1,{v}" for one, v in (("a", 0.5), ("b", 0.75), ("c", 0.5)) for f in range(12)]
    (tmp_path / "s.csv").write_text("data,learner,fold,train,test,score\n" + "\n".join(rows))
    found = verdicts(vc.read_scores(tmp_path / "s.csv"))
    ab, ac, _ = found.to_json()["datasets"]["d"]
    assert (ab["verdict"], ab["p_value"], ab["difference"]) == ("tie", None, -0.25)
    assert (ac["verdict"], ac["p_value"]) == ("tie", 1.0)
    assert "no verdict for a and b on d and 1 other pair," in next(n.says for n in found.notes if n.code == "no-spread")


def test_without_splits_it_is_refused_with_the_way_out(tmp_path):
    (tmp_path / "s.csv").write_text("data,learner,fold,score\nd,a,1,.5\nd,a,2,.6\nd,b,1,.7\nd,b,2,.9\n")
    with pytest.raises(vc.Refused, match=r"has no columns train and test.*give train= and test="):
        verdicts(vc.read_scores(tmp_path / "s.csv"))
    with pytest.raises(vc.Refused, match="one score per data set and learner"):
        verdicts(vc.read_scores({"data": ["a", "b"], "x": [1.0, 2], "y": [2.0, 3]}))


def test_a_pair_without_a_verdict_has_a_sentence_too(tmp_path):
    rows = [f"d,{one},{f},9,1,{v}" for one, v in (("a", 0.5), ("b", 0.75), ("c", 0.5)) for f in range(12)]
    (tmp_path / "s.csv").write_text("data,learner,fold,train,test,score\n" + "\n".join(rows))
    pair, *_ = verdicts(vc.read_scores(tmp_path / "s.csv"))
    assert str(pair).startswith("refuse: the difference is the same in all splits")
    assert pair.sentence() == "The score of a is 0.25 lower (worse) than that of b on d; no p-value (corrected_t)."


def test_runs_whose_estimator_has_no_splits_of_its_own_give_no_verdicts():
    """They were once a table of ties."""
    features = np.random.default_rng(0).normal(size=(40, 2))
    learners = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
    runs = vc.evaluate(learners, features, np.arange(40) % 2, by="boot632plus(draws=5)", seed=1)
    with pytest.raises(vc.Refused, match="corrected_t reads scores on splits"):
        vc.rank(runs, "error", using="corrected_t")


@pytest.mark.parametrize(
    ("using", "says"),
    [("resampled_t", "use conservative_t"), ("correlated_t_posterior", "probabilities and no verdicts")],
)
def test_a_test_that_is_refused_everywhere_gives_no_table_of_ties(matrices, using, says):
    with pytest.raises(ValueError, match=says):
        verdicts(matrices["Percent_correct"], using)
