"""The verdicts of Weka's corrected t-tester, reproduced from its own result file and beside its own tables."""

import re
from pathlib import Path

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import veracity as vc
from veracity.contests.per_dataset import verdicts

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
    with pytest.raises(vc.Refused, match=r"has no columns train and test.*give `train=` and `test=`"):
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
    with pytest.raises(vc.Refused, match="no interval and no test is known for boot632plus: use conservative_t"):
        vc.rank(runs, "error", using="corrected_t")


@pytest.mark.parametrize(
    ("using", "says"),
    [("resampled_t", "use conservative_t"), ("correlated_t_posterior", "probabilities and no verdicts")],
)
def test_a_test_that_is_refused_everywhere_gives_no_table_of_ties(matrices, using, says):
    with pytest.raises(ValueError, match=says):
        verdicts(matrices["Percent_correct"], using)


# printed by PairedCorrectedTTester of Weka 3.6.14 of the same results: -c Percent_correct -b 2 -S 0.05 -V, and -s
WITH_DEVIATIONS = """
iris                     (100)   95.53(5.02) |   94.73(5.30)     95.40(4.80)     95.47(4.73)
wine                     (100)   97.46(3.70) |   93.20(5.90)     95.12(4.34)     95.83(4.65)
breast-cancer            (100)   93.31(3.30) |   93.27(3.55)     95.64(2.32)     97.14(2.17) v
made                     (100)   86.00(7.07) |   85.95(6.88)     75.80(9.37) *   82.35(6.72) *
                                     (v/ /*) |         (0/4/0)         (0/3/1)         (1/2/1)
"""
SUMMARY = """
     - 4 (0) 3 (0) 3 (1)
 0 (0)     - 1 (0) 1 (1)
 1 (1) 3 (1)     - 4 (1)
 1 (1) 3 (1) 0 (0)     -
"""


@pytest.fixture(scope="module")
def percent(matrices):
    return verdicts(matrices["Percent_correct"], control="NaiveBayes")


def test_deviations_counts_and_digits_are_wekas(percent):
    rows = percent.with_look(deviations=True, counts=True, digits=2).table().rows
    mine = [re.sub(r"\s+", "", "".join(row)) for row in rows]
    assert mine == [re.sub(r"[\s|]+", "", line) for line in WITH_DEVIATIONS.strip().splitlines()]


def test_the_summary_is_wekas(matrices):
    rows = verdicts(matrices["Percent_correct"]).summary_table().rows
    theirs = [re.findall(r"-|\d \(\d\)", line) for line in SUMMARY.strip("\n").splitlines()]
    assert [list(row[1:]) for row in rows] == theirs


def test_marks_alone(percent):
    *rows, foot = percent.with_look(significance_only=True, counts=True).table().rows
    assert [row[2:] for row in rows] == [("", "", "", ""), ("", "", "", ""), ("", "", "", "v"), ("", "", "*", "*")]
    assert rows[0][:2] == ("iris", "(100)") and foot[3:] == ("(0/4/0)", "(0/3/1)", "(1/2/1)")


def test_averages_order_and_chosen_columns(percent):
    table = percent.with_look(average=True, sort="-J48", learners=["J48"], digits=3).table()
    assert table.titles == ("data set", "(2) NaiveBayes", "(1) J48")
    *rows, average, _ = table.rows
    assert [row[0] for row in rows] == ["iris", "breast-cancer", "wine", "made"]
    means = percent.matrix.values.mean(axis=0)
    assert average == ("average", f"{means[1]:6.3f}", f"{means[0]:6.3f}")
    assert [row[0] for row in percent.with_look(sort="data").table().rows][:4] == [
        "breast-cancer",
        "iris",
        "made",
        "wine",
    ]


def test_names_as_printed_are_names(matrices, percent):
    matrix = matrices["Percent_correct"]
    for typed in ("NaiveBayes", "(2) NaiveBayes", "(2)", percent.table().titles[1]):
        assert verdicts(matrix, control=typed).base == "NaiveBayes"
    shown = percent.table().titles[-1]
    assert shown.startswith("(4) IBk") and verdicts(matrix, control=shown).base == matrix.learners[3]
    assert vc.rank(matrix, control="(2)").control == "NaiveBayes"
    assert matrix.only("(2)", "J48").learners == ("NaiveBayes", "J48")
    with pytest.raises(vc.BadInput, match=r"no learner called '\(5\)'"):
        verdicts(matrix, control="(5)")


def test_a_table_for_machines_has_whole_names_and_marks_of_their_own(percent):
    import csv

    rows = list(csv.DictReader(percent.with_look(deviations=True, counts=True).to_csv().splitlines()))
    last = percent.matrix.learners[3]
    assert len(rows) == 4 and len(last) > 60
    assert [row[f"{last} mark"] for row in rows] == ["", "", "v", "*"]
    assert [float(row[last]) for row in rows] == pytest.approx(percent.matrix.values[:, 3].tolist(), rel=1e-12)
    assert {row[f"{last} results"] for row in rows} == {"100"} and "NaiveBayes mark" not in rows[0]
    assert float(rows[0]["NaiveBayes standard deviation"]) == pytest.approx(5.02, abs=0.005)


def test_averages_for_machines_are_a_last_line(percent):
    import csv

    *rows, average = csv.DictReader(percent.with_look(average=True, deviations=True).to_csv().splitlines())
    assert len(rows) == 4 and average["data set"] == "average" and average["J48 mark"] == ""
    assert float(average["J48"]) == pytest.approx(percent.matrix.values[:, 0].mean(), rel=1e-12)


def test_long_names_are_short_in_sentence_and_caption(matrices):
    matrix = matrices["Percent_correct"]
    found = verdicts(matrix, control="(4)")
    whole, shown = matrix.learners[3], "(4) IBk -K 9 -W 0 -A"
    assert shown in found.sentence() and whole not in found.sentence()
    assert shown in found.table().caption and whole not in found.table().caption
    assert f"(4) {whole}" in [str(row[0]) for row in verdicts(matrix).tally_table().rows]


def test_verdicts_can_be_adjusted_as_one_family(matrices):
    matrix = matrices["Percent_correct"]
    plain, holm = verdicts(matrix), verdicts(matrix, then="holm")
    assert [pair.p_value for pair in plain] == [pair.p_value for pair in holm]
    expected = vc.adjust([pair.p_value for pair in plain], using="holm").tolist()
    assert [pair.adjusted_p_value for pair in holm] == pytest.approx(expected)
    assert sum(pair.rejected for pair in holm) == sum(p < 0.05 for p in expected) < sum(pair.rejected for pair in plain)
    shape = holm.to_json()["datasets"]["made"][0]
    assert list(shape) == ["a", "b", "difference", "statistic", "p_value", "adjusted_p_value", "verdict"]
    assert "adjusted by holm" in holm.table().caption and "adjusted for 24 tests by Holm" in holm.methods.sentence()
    assert vc.rank(matrix, using="corrected_t", then="holm").then == "holm"
    with pytest.raises(vc.BadInput):
        vc.rank(matrix, using="corrected_t", then="nemenyi")


def test_with_a_control_only_its_pairs_are_tested_and_adjusted(matrices):
    matrix = matrices["Percent_correct"]
    every, held = (vc.rank(matrix, using="corrected_t", then="holm", control=one) for one in (None, "NaiveBayes"))
    own = [pair for pair in every if "NaiveBayes" in (pair.a, pair.b)]
    assert [(pair.data, pair.a, pair.b) for pair in held] == [(pair.data, pair.a, pair.b) for pair in own]
    assert len(own) == 12 and [pair.p_value for pair in held] == [pair.p_value for pair in own]
    expected = vc.adjust([pair.p_value for pair in own], using="holm").tolist()
    assert [pair.adjusted_p_value for pair in held] == pytest.approx(expected)
    assert "12 comparisons are one family, adjusted by holm" in [note.says for note in held.all_notes]
    assert "adjusted for 12 tests by Holm" in held.methods.sentence()
    assert "NaiveBayes was tested against each other learner on each data set" in held.methods.sentence()


def test_with_a_control_nothing_is_said_of_other_pairs(matrices):
    held = vc.rank(matrices["Percent_correct"], using="corrected_t", control="NaiveBayes")
    tally = held.tally()
    assert set(tally["J48"]) == {"NaiveBayes"} and len(tally["NaiveBayes"]) == 3
    assert [str(row[0])[:7] for row in held.tally_table().rows] == ["(1) J48", "(4) IBk", "(3) IBk"]
    assert held.sentence().startswith("no learner wins more often against (2) NaiveBayes than it loses, by corrected_t")
    cells = [list(row[1:]) for row in held.summary_table().rows]
    assert [row[1] for row in cells] == ["4 (0)", "-", "3 (1)", "3 (1)"] and cells[0][2:] == ["-", "-"]
    worst = vc.rank(matrices["Percent_correct"].only("J48", "(3)"), using="corrected_t", control="J48")
    assert worst.sentence().startswith("no learner wins more often against (1) J48 than it loses")


def test_what_the_table_does_not_have_is_refused(percent):
    for wrong, says in (
        ({"digits": -1}, "from 0 to 15, not -1"),
        ({"sort": "nobody"}, "no learner called 'nobody'"),
        ({"learners": ["nobody"]}, "no learner called 'nobody'"),
    ):
        with pytest.raises(vc.BadInput, match=says):
            percent.with_look(**wrong)


def test_rows_and_columns_are_swapped(percent):
    plain, swapped = percent.with_look(deviations=True).table(), percent.with_look(deviations=True, swap=True).table()
    assert swapped.titles == ("learner", *(row[0] for row in plain.texts[:-1]), "(v/ /*)")
    assert [row[1:] for row in swapped.texts] == list(zip(*(row[1:] for row in plain.texts), strict=True))
    assert swapped.for_machines.transposed(plain.for_machines.titles[0]).texts == plain.for_machines.texts
    ranking = vc.rank(percent.matrix)
    turned = ranking.with_look(swap=True).scores_table()
    assert turned.transposed("data").texts == ranking.scores_table().texts
    assert turned.transposed("data").bold == ranking.scores_table().bold
