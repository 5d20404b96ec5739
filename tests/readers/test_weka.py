"""Weka's result files, as its Experimenter wrote them."""

from pathlib import Path

import numpy as np
import pytest

import veracity as vc
from veracity.readers import weka

FILES = Path(__file__).parent / "assets" / "weka"
HEAD = "Key_Dataset,Key_Run,Key_Fold,Key_Scheme,Key_Scheme_options,Key_Scheme_version_ID,Percent_correct"


@pytest.mark.parametrize("form", ["arff", "csv"])
def test_both_formats(form):
    found = vc.read_scores(FILES / f"results.{form}.gz", "Percent_correct")
    assert found.datasets == ("iris", "wine", "breast-cancer", "made")
    assert found.learners[:2] == ("J48", "NaiveBayes")
    assert [name[:8] for name in found.learners[2:]] == ["IBk -K 1", "IBk -K 9"]
    assert np.round(found.values[0], 2).tolist() == [94.73, 95.53, 95.40, 95.47]
    assert (found.score, found.better, len(found.splits[0][0])) == ("Percent_correct", "higher", 100)
    assert found.splits[2][0].test_share == pytest.approx(1 / 9)
    assert found.splits[0][0].repeats.max() == 9


def test_the_formats_agree_to_the_digits_that_arff_keeps():
    arff, csv = (vc.read_scores(FILES / f"results.{form}.gz", "Area_under_ROC") for form in ("arff", "csv"))
    assert arff.values == pytest.approx(csv.values, abs=1e-6)
    assert arff.learners == csv.learners


@pytest.mark.parametrize(
    ("measure", "better"),
    [
        ("Percent_correct", "higher"),
        ("Percent_incorrect", "lower"),
        ("Root_mean_squared_error", "lower"),
        ("Kappa_statistic", "higher"),
        ("False_positive_rate", "lower"),
        ("Weighted_avg_area_under_ROC", "higher"),
        ("Correlation_coefficient", "higher"),
        ("Elapsed_Time_training", "lower"),
        ("SF_mean_scheme_entropy", "lower"),
        ("SF_mean_entropy_gain", "higher"),
        ("measureNumRules", None),
    ],
)
def test_the_direction_of_a_measure(measure, better):
    assert weka.direction(measure) == better


def test_a_measure_of_unknown_direction_asks():
    with pytest.raises(vc.BadInput, match="whether a high measureNumRules is good is not known: give `better=`"):
        vc.read_scores(FILES / "results.csv.gz", "measureNumRules")
    assert vc.read_scores(FILES / "results.csv.gz", "measureNumRules", "lower").better == "lower"


def test_the_measure_is_percent_correct_unless_named_and_a_wrong_one_lists_them():
    assert vc.read_scores(FILES / "results.csv.gz").score == "Percent_correct"
    with pytest.raises(vc.BadInput, match=r"has no column 'Percent_corect': there are 'Percent_correct'"):
        vc.read_scores(FILES / "results.arff.gz", "Percent_corect")


@pytest.mark.parametrize(
    ("schemes", "named"),
    [
        ([("weka.a.J48", "", "1"), ("weka.b.IBk", "-K 1", "2")], ["J48", "IBk"]),
        ([("weka.b.IBk", "-K 1", "2"), ("weka.b.IBk", "'-K 2,3'", "2")], ["IBk -K 1", "IBk -K 2,3"]),
        ([("weka.a.J48", "-C 1", "1"), ("weka.b.J48", "-C 1", "1")], ["weka.a.J48 -C 1", "weka.b.J48 -C 1"]),
        ([("weka.a.J48", "", "1"), ("weka.a.J48", "", "2")], ["weka.a.J48 1", "weka.a.J48 2"]),
        ([("weka.a.J48", "''", "1"), ("weka.a.J48", "-U", "1"), ("weka.IBk", "", "1")], ["J48", "J48 -U", "IBk"]),
    ],
)
def test_names_of_schemes_have_as_much_as_tells_them_apart(tmp_path, schemes, named):
    rows = [f"iris,{run},1,{','.join(scheme)},90.5" for run in (1, 2) for scheme in schemes]
    (tmp_path / "w.csv").write_text("\n".join([HEAD, *rows]))
    found = vc.read_scores(tmp_path / "w.csv")
    assert list(found.learners) == named


def test_a_file_without_sizes_says_which_columns_are_missing(tmp_path):
    rows = [f"iris,{run},1,weka.{name},'',1,{90 + run}" for run in (1, 2) for name in ("A", "B")]
    (tmp_path / "w.csv").write_text("\n".join([HEAD, *rows]))
    (note,) = vc.read_scores(tmp_path / "w.csv").notes
    assert "has no columns Number_of_training_instances and Number_of_testing_instances" in note.says
    assert "give `train=` and `test=`" in note.says
    assert vc.read_scores(tmp_path / "w.csv", train=135, test=15).splits[0][0].test_share == pytest.approx(1 / 9)


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ("iris,1,1,weka.A,'',1", "line 2 has 6 cells, but the header has 7"),
        ("iris,1,1,weka.A,'-C 1,1,90", "line 2 has an opening quote without its closing one"),
        ("?,1,1,weka.A,'',1,90", "column Key_Dataset: row 1 has no value; fill it in"),
        ("iris,1,1,weka.A,'',1,many", "column Percent_correct: row 1 is 'many', not a number"),
        ("", "has a header but no rows"),
    ],
)
def test_a_broken_csv(tmp_path, row, says):
    (tmp_path / "w.csv").write_text(f"{HEAD}\n{row}\n")
    with pytest.raises(vc.BadInput) as why:
        vc.read_scores(tmp_path / "w.csv")
    assert says in str(why.value)
