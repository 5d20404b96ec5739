"""The table of scores as papers print it."""

from pathlib import Path

import numpy as np
import pytest

import veracity as vc

GARCIA = Path(__file__).parents[1] / "reference" / "gh2008_accuracy.csv"


def test_the_best_is_bold_and_marks_are_explained():
    lines = vc.rank(GARCIA).to_latex(scores=True).splitlines()
    rules = [lines.index(rule) for rule in (r"\toprule", r"\midrule", r"\bottomrule")]
    assert rules == sorted(rules) and rules[2] - rules[1] == 32
    assert r"Autos & \textbf{0.809} & 0.774 & 0.673 & 0.275 & 0.785 \\" in lines
    assert r"Mushrooms{*} & \textbf{0.990} & 0.482 & 0.941 & 0.857 & \textbf{0.990} \\" in lines
    dagger = r"\textdagger{}"
    assert rf"mean rank & 2.10 & 3.25{dagger} & 2.20 & 4.33{dagger} & 3.12{dagger} \\" in lines
    caption = rf"{dagger} differs significantly from C4.5, ranked best (Wilcoxon signed ranks, adjusted by Holm, 0.05)"
    assert caption in lines[3]


def test_marks_are_against_the_control():
    table = vc.rank(GARCIA, control="Kernel").scores_table()
    assert table.rows[-1] == ("mean rank", "2.10†", "3.25†", "2.20†", "4.33", "3.12†")
    assert "from Kernel, the control" in table.caption


def test_missing_scores_are_empty_and_nothing_is_marked_where_nothing_is_concluded():
    values = np.random.default_rng(0).normal(size=(12, 4))
    values[3, 1] = np.nan
    table = vc.rank(values, using="skillings_mack").scores_table()
    assert table.rows[3][2] is None and (3, 2) not in table.bold
    assert "†" not in "".join(table.rows[-1])


def test_a_mean_is_over_the_scores_that_there_are_and_says_over_how_many():
    values = np.random.default_rng(0).normal(size=(12, 4))
    values[3, 1] = values[5, 1] = np.nan
    for missing in ("random", "worst"):
        found = vc.rank(values, using=f"skillings_mack(missing={missing!r})")
        table = found.ranks_table()
        rows = {row[0]: dict(zip(table.titles, row, strict=True)) for row in table.rows}
        assert rows["learner 2"]["mean score"].value == np.nanmean(values[:, 1])
        assert [rows[name]["data sets"] for name in found.learners] == [12, 10, 12, 12]
        assert found.scores_table().rows[3][2] is None
    assert "data sets" not in vc.rank(values[6:]).ranks_table().titles


def test_a_score_that_is_infinite_itself_is_shown():
    values = np.random.default_rng(0).normal(size=(12, 4))
    values[3, 1] = np.inf
    assert "inf" in repr(vc.rank(values, better="lower").ranks_table().texts)


@pytest.mark.parametrize(
    ("how", "title"),
    [
        ({"then": "nemenyi"}, "difference of mean ranks"),
        ({"pairs": "mean_ranks"}, "difference of mean ranks"),
        ({"pairs": "aligned_ranks"}, "difference of mean aligned ranks"),
        ({"using": "anova", "then": "tukey"}, "difference of mean scores"),
        ({}, "difference"),
    ],
)
def test_differences_of_ranks_are_called_so(how, title):
    found = vc.rank(GARCIA, **how)
    assert found.table().titles[2] == title
    for text in (repr(found), found.to_markdown(), found.to_latex(), found.to_html()):
        assert (title in text) and ("difference of mean" in text) == (title != "difference")
    assert "difference" in found.to_json()["pairs"][0]


def test_of_many_pairs_those_of_the_best_are_printed_and_files_hold_all():
    ranking = vc.rank(np.random.default_rng(0).normal(size=(12, 50)) + np.arange(50), then="nemenyi")
    printed, best = str(ranking), ranking.best_first[0]
    assert "49 of 1,225 pairs stand here, those of learner 50, which ranks best: CSV and JSON hold all" in printed
    rows = [line.split("  ")[0] for line in printed.split("pairs (a minus b)")[1].splitlines()[2:51]]
    assert len(ranking.short_table().rows) == 49 and best == "learner 50" and len(set(rows)) == 49
    assert len(ranking.to_csv().splitlines()) == 1226 and len(ranking.to_json()["pairs"]) == 1225
    few = vc.rank(np.random.default_rng(0).normal(size=(12, 45)), then="nemenyi")
    assert len(few.short_table().rows) == 990 and "stand here" not in str(few)


def test_the_table_of_pairs_has_the_sums_of_ranks_by_sign():
    found = vc.rank(GARCIA)
    table = found.table()
    row = dict(zip(table.titles, table.rows[0], strict=True))
    assert (row["W+"], row["W-"], row["statistic"]) == (346, 89, 89)
    assert row["W+"] + row["W-"] == 29 * 30 / 2  # one difference of 30 is 0, and an odd one is left out
    alone = dict(vc.compare(found.matrix.only("C4.5", "k-NN(k=1)"), using="wilcoxon").facts)
    assert found["C4.5", "k-NN(k=1)"].to_json()["w_plus"] == alone["w_plus"] == 346
    assert not {"W+", "W-"} & {*vc.rank(GARCIA, pairs="sign").table().titles}


def splits_of(values):
    """A matrix whose scores are means over four splits, one measure of three learners on three data sets."""
    cells = {
        f"data {d}": vc.split_scores(
            {name: np.roll([0, 1, 2, 3], d * at) / 100 + row[at] for at, name in enumerate("abc")},
            train=30, test=10, k=4, better="lower",
        )
        for d, row in enumerate(values)
    }  # fmt: skip
    return vc.score_matrix(cells)


ERRORS = np.array([[0.1, 0.2, 0.3], [0.3, 0.1, 0.2], [0.2, 0.3, 0.1]])


def test_scores_with_deviations_counts_averages_and_in_another_order():
    found = vc.rank(splits_of(ERRORS), using="friedman")
    table = found.with_look(deviations=True, counts=True, average=True, sort="-b", digits=2).scores_table()
    assert table.titles == ("data", "splits", "a", "b", "c")
    assert [row[0] for row in table.rows] == ["data 2", "data 0", "data 1", "average", "mean rank"]
    assert table.rows[0][1:3] == ("4", "0.21 ± 0.01") and (0, 4) in table.bold
    assert [str(cell) for cell in table.rows[3][2:]] == ["0.21", "0.21", "0.21"]
    assert "data sets by b, the largest first" in table.caption
    whole = table.for_machines
    assert whole.titles[:4] == ("data", "a", "a standard deviation", "a splits") and whole.rows[0][0] == "data 2"


def test_another_measure_orders_the_data_sets():
    seconds = vc.score_matrix(np.array([[3, 1, 1], [1, 9, 9]]), learners=list("abc"), datasets=["data 2", "data 1"])
    look = {"sort": "seconds", "measures": {"seconds": seconds}}
    found = vc.rank(splits_of(ERRORS), using="friedman", control="a").with_look(**look)
    assert [row[0] for row in found.scores_table().rows[:3]] == ["data 1", "data 2", "data 0"]  # the last has none
    verdicts = vc.rank(splits_of(ERRORS), using="corrected_t", control="a").with_look(**look)
    assert [row[0] for row in verdicts.table().rows[:3]] == ["data 1", "data 2", "data 0"]
    with pytest.raises(vc.BadInput, match="no learner called 'second'"):
        found.with_look(sort="second", measures=look["measures"])


def test_counts_of_scores_that_are_no_means_are_refused():
    with pytest.raises(vc.Refused, match="counts are over splits"):
        vc.rank(GARCIA).with_look(counts=True)


def test_the_marks_alone_of_the_base_alone():
    """with_look(learners=[base], significance_only=True) was a ValueError."""
    verdicts = vc.rank(splits_of(ERRORS), using="corrected_t").with_look(significance_only=True)
    only_base = verdicts.with_look(learners=[verdicts.base])
    assert len(only_base.table().rows) == len(verdicts.table().rows)
    assert verdicts.base in str(only_base)
