"""What a curve says of its places: each thing once, of the places where it is so, and what is missing first."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

import veracity as vc
from veracity.core.notes import Note
from veracity.findings.estimates import Estimate
from veracity.findings.experiments import RiskCurve
from veracity.findings.interval import Interval


def failed(number, why):
    return Note("failed-splits", "caution", f"{number} of 10 splits of nb(a={why}) failed (the first: {why})")


FEW = Note("few-splits", "caution", "fewer than 10 splits")
TUNING = Note("choosing-is-tuning", "caution", "choosing is tuning")


def curve(*notes, general=(TUNING,)):
    places = range(len(notes))
    test = tuple(
        Estimate("error", "error", 0.1, learner=f"nb(a={place})", notes=said)
        for place, said in zip(places, notes, strict=True)
    )
    training = tuple(Estimate("error", "error", 0.05) for _ in places)
    return RiskCurve("nb", "kfold(k=10)", "a", tuple(places), test, training, general)


def test_each_place_comes_with_its_two_estimates():
    found = curve((), ())
    assert [place for place, _, _ in found] == [0, 1] and len(found) == 2
    assert all(found[place] is test and training.value == 0.05 for place, test, training in found)


def test_a_frame_has_every_column():
    frame = curve((), ()).to_frame("pandas")
    assert list(frame.columns) == [
        *("a", "test", "low", "high", "training", "training low", "training high"),
        *("splits", "failed"),
    ]
    assert list(frame["training"]) == [0.05, 0.05]


def test_only_what_is_the_same_is_said_of_several_places():
    said = [note.says for note in curve((), (failed(1, 1), FEW), (failed(8, 2), FEW)).all_notes]
    assert said == [
        "a 1: 1 of 10 splits of nb failed (the first: 1)",
        "a 2: 8 of 10 splits of nb failed (the first: 2)",
        "choosing is tuning",
        "a 1, 2: fewer than 10 splits",
    ]


def test_what_holds_at_every_place_names_none():
    assert FEW in curve((FEW,), (FEW,)).all_notes


def test_two_things_of_one_code_are_both_told():
    columns = tuple(Note("many-categories", "caution", f"column {name} holds many values") for name in "ab")
    assert curve((), general=columns).all_notes == columns


def test_what_each_size_finds_anew_is_told_of_the_largest():
    found = tuple(Note("duplicate-rows", "caution", f"{rows} rows have a twin") for rows in (3, 9))
    assert curve((), (), general=found).all_notes == found[1:]


def along(*places):
    rows = tuple(Estimate("error", "error", 0.1) for _ in places)
    return RiskCurve("tree", "kfold(k=10)", "max_depth", places, rows, rows)


def test_values_that_are_not_all_numbers_are_written_as_they_are():
    found = along(1, 5, None)
    assert [row[0] for row in found.table().texts] == ["1", "5", "None"]
    assert found.to_csv().splitlines()[3].startswith("None,")
    assert list(found.to_frame("polars")["max_depth"]) == ["1", "5", "None"]
    assert found.curve().x_names == ("1", "5", "None") and found.curve().x_title == "max_depth"
    assert found.curve().to_json()["x_names"] == ["1", "5", "None"]


def test_numbers_stay_numbers_and_infinity_has_no_place_among_them():
    assert along(1, 5).curve().x_names == () and list(along(1, 5).curve().lines[0].x) == [1, 5]
    assert along(1.0, float("inf")).curve().x_names == ("1.0", "inf")
    assert along(True, False).curve().x_names == ("True", "False")


def test_many_words_are_on_no_logarithmic_axis():
    assert not along(*(f"word {number}" for number in range(150))).curve().log_x


def test_where_there_is_no_interval_there_is_no_band():
    known = Estimate("error", "error", 0.1, interval=Interval(0.05, 0.2, 0.95, "corrected_t"))
    rows = (known, Estimate("error", "error", 0.0))
    band = RiskCurve("tree", "kfold(k=10)", "depth", (1, 2), rows, rows).curve().guides[0]
    assert np.array_equal(band.low, [0.05, np.nan], equal_nan=True)
    assert np.array_equal(band.high, [0.2, np.nan], equal_nan=True)


@pytest.mark.parametrize(
    ("parameter", "values"), [("max_depth", [None, 2]), ("max_features", [0.5, "sqrt", 1]), ("max_depth", [3, None])]
)
def test_a_validation_curve_is_indexed_by_every_value_of_its_parameter(parameter, values):
    """It said: there is no None along max_depth: there are None, 2."""
    table = load_iris()
    tree = DecisionTreeClassifier(random_state=0)
    found = vc.validation_curve(
        tree, table.data, table.target, parameter=parameter, values=values, by="kfold(k=3)", score="error", seed=0
    )
    for value, test, _ in found:
        assert found[value] is test
    with pytest.raises(vc.BadInput, match="there is no 'many' along"):
        found["many"]
    with pytest.raises(vc.BadInput, match="there is no"):
        found[np.array([1, 2])]


def test_tuples_are_places_too():
    test = tuple(Estimate("error", "error", value) for value in (0.1, 0.2))
    found = RiskCurve("net", "kfold(k=3)", "hidden_layer_sizes", ((10,), (10, 5)), test, test, ())
    assert found[10,] is test[0] and found[10, 5] is test[1]
