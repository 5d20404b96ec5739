"""Bad input: each a sentence that names the array and the first bad row."""

from datetime import datetime

import numpy as np
import pytest

import veracity as vc
from veracity import BadInput, predictions, score
from veracity.evidence.labels import Places

NAN, INF = float("nan"), float("inf")
BAD = {
    "no rows": (([],), {"label": []}, "truth: there are no rows"),
    "lengths of labels": (([0, 1],), {"label": [0]}, "label has 1 rows, but truth has 2: they must match"),
    "lengths of probabilities": (([0, 1],), {"proba": [0.1], "positive": 1}, "proba has 1 rows, but truth has 2"),
    "lengths of values": (([0, 1],), {"value": [1.0, 2, 3], "positive": 1}, "value has 3 rows, but truth has 2"),
    "lengths of numbers": (([0.0, 1],), {"number": [1.0]}, "number has 1 rows, but truth has 2"),
    "lengths of weights": (([0, 1],), {"label": [0, 1], "weights": [1]}, "weights has 1 rows, but truth has 2"),
    "lengths of groups": (([0, 1],), {"label": [0, 1], "groups": ["a"]}, "groups has 1 rows, but truth has 2"),
    "lengths of row ids": (([0, 1],), {"label": [0, 1], "rows": [1, 2, 3]}, "rows has 3 rows, but truth has 2"),
    "label never seen": (
        (["a", "b", "a"],),
        {"label": ["a", "b", "c"], "classes": ["a", "b"]},
        r"label: row 2 holds 'c', which is not among the classes \['a', 'b'\]",
    ),
    "truth never seen": (
        ([0, 7, 1],),
        {"label": [0, 1, 1], "classes": [0, 1]},
        "truth: row 1 holds 7, which is not among",
    ),
    "one class only": (([1, 1],), {"label": [1, 1]}, "truth: there is only the class 1; two are needed"),
    "nan in truth": (([0.0, NAN],), {"number": [1.0, 2]}, "truth: row 1 is nan; every number must be finite"),
    "nan in labels": (([0.0, NAN, 1],), {"label": [0, 1, 1]}, "truth: row 1 holds no label"),
    "none in labels": ((["a", "b"],), {"label": ["a", None]}, "label: row 1 holds no label"),
    "nan in values": (([0, 1],), {"value": [NAN, 1.0], "positive": 1}, "value: row 0 is nan"),
    "infinite value": (
        ([0, 1],),
        {"value": [0.0, INF], "positive": 1},
        "value: row 1 is inf; every number must be finite",
    ),
    "infinite number": (([0.0, 1],), {"number": [-INF, 1.0]}, "number: row 0 is -inf"),
    "nan in probabilities": (
        ([0, 1],),
        {"proba": [0.5, NAN], "positive": 1},
        "proba: row 1 is nan; probabilities must lie",
    ),
    "probability above one": (
        ([0, 1],),
        {"proba": [0.5, 1.5], "positive": 1},
        "proba: row 1 is 1.5; probabilities must lie",
    ),
    "probability below zero": (
        ([0, 1],),
        {"proba": [[0.5, 0.5], [1.2, -0.2]]},
        r"proba: row 1 is \[1.2, -0.2\]; probabilities must lie between 0 and 1",
    ),
    "probabilities that do not sum to one": (
        ([0, 1],),
        {"proba": [[0.5, 0.5], [0.5, 0.4]]},
        "proba: row 1 sums to 0.9, not to 1",
    ),
    "probabilities that were rounded": (
        ([0, 1],),
        {"proba": [[0.5, 0.5], [0.667, 0.33412345678]]},
        "proba: row 1 sums to 1.00112, not to 1: if these are rounded, divide each row by its sum",
    ),
    "one column of three classes": (
        ([0, 1, 2],),
        {"proba": [0.1, 0.2, 0.3]},
        "proba: one column of probabilities is enough for two classes only, .*: give `proba=columns` for each class",
    ),
    "one column without positive": (
        ([0, 1],),
        {"proba": [0.1, 0.2]},
        "proba: one column .* needs two classes and `positive=`",
    ),
    "columns for other classes": (
        ([0, 1],),
        {"proba": np.full((2, 3), 1 / 3)},
        "proba: one column per class is needed",
    ),
    "positive that does not exist": (
        ([0, 1],),
        {"label": [0, 1], "positive": "spam"},
        "the positive class 'spam' does not occur",
    ),
    "values without positive": (([0, 1],), {"value": [0.1, 0.2]}, "decision values need the class they speak for"),
    "weight of zero": (
        ([0, 1],),
        {"label": [0, 1], "weights": [1, 0]},
        "weights: row 1 is 0; each must be greater than 0",
    ),
    "negative weight": (
        ([0, 1],),
        {"label": [0, 1], "weights": [-2, 1]},
        "weights: row 0 is -2; each must be greater than 0",
    ),
    "nan weight": (([0, 1],), {"label": [0, 1], "weights": [1, NAN]}, "weights: row 1 is nan"),
    "broken repeats": (([0, 1],), {"label": [0, 1], "counts": [1, 1.5]}, "counts: repeats of a row are whole numbers"),
    "text for a number": (([1.0, 2],), {"number": [1.0, "two"]}, "number: row 1 holds 'two', which is not a number"),
    "text for a probability": (
        ([0, 1],),
        {"proba": ["x", 0.2], "positive": 1},
        "proba: row 0 holds 'x', which is not a number",
    ),
    "nothing said": (([0, 1],), {}, "give what the model said: `label=`, `proba=`, `value=` or `number=`"),
    "numbers and labels": (([0, 1],), {"number": [0, 1], "label": [0, 1]}, "`number=` is for a numeric target"),
    "labels of different types": (
        ([0, 1],),
        {"label": ["0", "1"]},
        r"labels of different types \(0 and '1'\): make them alike",
    ),
    "classes twice": (([0, 1],), {"label": [0, 1], "classes": [0, 0, 1]}, "classes: each class once"),
    "two-dimensional truth": (([[0, 1], [1, 0]],), {"label": [0, 1]}, "truth: one label per row is needed"),
    "threshold of labels": (
        ([0, 1],),
        {"label": [0, 1], "threshold": 0.5},
        "a threshold cuts probabilities or decision values",
    ),
    "threshold of numbers": (([1.0, 2.0],), {"number": [1.0, 2.5], "threshold": 0.4}, "threshold"),
    "threshold that is nan": (
        ([0, 1],),
        {"value": [0, 1], "positive": 1, "threshold": NAN},
        "the threshold is not a number",
    ),
    "prior of another length": (([0, 1],), {"label": [0, 1], "prior": [1.0]}, "prior: one share per class"),
    "prior that does not sum": (
        ([0, 1],),
        {"label": [0, 1], "prior": [0.5, 0.6]},
        "prior: one share per class .* summing to 1",
    ),
    "unknown labelling": (
        ([0, 1],),
        {"label": [0, 1], "labelled": "many"},
        "is one of all, positives, some, not .many.",
    ),
}


@pytest.mark.parametrize("what", BAD)
def test_bad_input_is_one_sentence_that_names_the_place(what):
    arguments, named, says = BAD[what]
    with pytest.raises(BadInput, match=says) as why:
        predictions(*arguments, **named)
    assert "\n" not in str(why.value)


GIANT = "x" * 10_000_000


@pytest.mark.parametrize(
    ("truth", "said"),
    [
        (["a", "b"] * 500, {"label": ["a"] * 999 + [GIANT], "classes": ["a", "b"]}),
        ([1.0] * 1_000, {"number": [1.0] * 999 + [GIANT]}),
        ([0, 1] * 500, {"proba": [0.5] * 999 + [GIANT], "positive": 1}),
    ],
)
def test_a_giant_cell_is_shortened_and_costs_only_its_own_length(truth, said):
    with pytest.raises(BadInput, match="row 999 holds 'xxx") as why:
        predictions(truth, **said)
    assert len(str(why.value)) < 300


def test_files_name_their_own_columns_and_rows():
    places = Places({"truth": "preds.csv, column y", "proba": "preds.csv, column p"}, first=2)
    with pytest.raises(BadInput, match=r"preds\.csv, column p: row 3 is 1.5"):
        predictions([0, 1], proba=[0.5, 1.5], positive=1, places=places)
    with pytest.raises(BadInput, match=r"preds\.csv, column p has 1 rows, but preds.csv, column y has 2"):
        predictions([0, 1], proba=[0.5], positive=1, places=places)


def test_one_class_is_allowed_when_both_are_named():
    p = predictions([1, 1], label=[1, 1], classes=[0, 1], positive=1)
    assert p.classes == (0, 1)


def test_sums_may_miss_one_by_rounding():
    predictions([0, 1], proba=[[0.5, 0.5 + 9e-7], [0.5, 0.5]])
    with pytest.raises(BadInput, match="row 0 sums to"):
        predictions([0, 1], proba=[[0.5, 0.5 + 3e-6], [0.5, 0.5]])
    predictions([0, 1], proba=np.array([[0.3, 0.7], [1 / 3, 2 / 3]], np.float32))


def test_arrays_are_read_only_and_the_users_stay_writeable():
    value = np.array([0.1, 0.9])
    p = predictions([0, 1], value=value, positive=1)
    with pytest.raises(ValueError, match="read-only"):
        p.value[0] = 5
    value[0] = 0.2


def test_order_of_classes_is_given_or_sorted_and_positive_never_changes_it():
    assert predictions(["b", "a"], label=["a", "c"]).classes == ("a", "b", "c")
    p = predictions(["spam", "ham"], label=["spam", "spam"], classes=["spam", "ham"], positive="ham")
    assert p.classes == ("spam", "ham")
    assert p.confusion().matrix.tolist() == [[1, 0], [1, 0]]


def test_labels_keep_their_type():
    assert predictions(np.array([3, 5]), label=[5, 3]).classes == (3, 5)
    assert predictions([True, False], label=[True, True], positive=True).positive == 1
    assert all(type(label) is str for label in predictions(np.array(["x", "y"]), label=["x", "x"]).classes)


def test_prior_by_name():
    assert predictions(["a", "b"], label=["a", "a"], prior={"b": 0.25, "a": 0.75}).prior == (0.75, 0.25)


@pytest.mark.parametrize("decimals", [2, 3, 4, 6])
def test_probabilities_rounded_in_a_file_are_taken_as_they_are(decimals):
    proba = np.random.default_rng(0).dirichlet([1, 1, 1], 50).round(decimals)
    assert np.abs(proba.sum(1) - 1).max() > 1e-7
    p = predictions(np.arange(50) % 3, proba=proba, classes=[0, 1, 2])
    assert np.array_equal(p.proba, proba)
    with pytest.raises(BadInput, match=r"sums to .* not to 1"):
        predictions(np.arange(50) % 3, proba=(proba * 0.97).round(6), classes=[0, 1, 2])


class TestRowsWithGaps:
    """Left out where that is asked for, counted and told."""

    def test_they_are_as_if_they_were_never_there(self):
        truth, chance, size = ["a", "b", None, "b", "a", "b"], [0.1, 0.9, 0.3, NAN, 0.2, 0.6], [1.0, 2, 3, 4, NAN, 6]
        p = predictions(truth, proba=chance, weights=size, positive="b", missing="drop")
        plain = predictions(["a", "b", "b"], proba=[0.1, 0.9, 0.6], weights=[1.0, 2, 6], positive="b")
        assert p.truth.tolist() == plain.truth.tolist() and p.proba.tolist() == plain.proba.tolist()
        assert p.weights.tolist() == [1, 2, 6] and p.classes == ("a", "b") and p.rows.tolist() == [0, 1, 5]
        told = "3 of 6 rows have missing cells (truth 1, proba 1, weights 1) and were left out"
        assert [(note.weight, note.says) for note in p.notes] == [("caution", told)]
        assert told in str(vc.estimate(p, "auc"))

    @pytest.mark.parametrize("number", [NAN, None])
    def test_whole_numbers_are_whole_again(self, number):
        p = predictions([0, 1, number, 1], label=[0, number, 1, 1], missing="drop")
        assert p.classes == (0, 1) and all(isinstance(each, int) for each in p.classes) and len(p) == 2

    def test_without_gaps_nothing_is_said(self):
        p = predictions([0, 1], label=[0, 1], missing="drop")
        assert p.notes == () and p.rows is None

    def test_of_several_probabilities_one_that_is_missing_is_enough(self):
        p = predictions([0, 1, 1], proba=[[0.5, 0.5], [NAN, 1], [1, 0]], missing="drop")
        assert p.proba.tolist() == [[0.5, 0.5], [1, 0]]

    def test_a_truth_that_nobody_knows_is_no_gap(self):
        p = predictions([1, None, 0, 1], proba=[0.3, 0.2, None, 0.7], positive=1, missing="drop", labelled="some")
        assert len(p) == 2 and len(p.unlabelled) == 1
        assert "1 of 3 rows has no label" in p.notes[0].says and "(proba 1)" in p.notes[1].says

    def test_models_that_lack_different_rows_are_no_pair(self):
        gap = lambda row: [None if each == row else 1 for each in range(4)]  # noqa: E731
        a, b = (predictions([1, 1, 1, 0], label=gap(row), missing="drop") for row in (0, 1))
        with pytest.raises(BadInput, match="the row ids of the two models differ"):
            vc.compare({"a": a, "b": b}, "error")

    def test_rows_keep_their_numbers_in_sentences(self):
        with pytest.raises(BadInput, match=r"proba: row 3 is 1\.7;"):
            predictions([1, None, 0, 1], proba=[0.3, 0.2, 0.3, 1.7], positive=1, missing="drop")

    @pytest.mark.parametrize(
        ("given", "says"),
        [
            (
                {"label": [0, None, 1]},
                "label: row 1 holds no label; fill it in or leave such rows out, `missing='drop'`",
            ),
            ({"proba": [0.1, NAN, 1], "positive": 1}, "row 1 is nan; .*leave such rows out, `missing='drop'`"),
            ({"value": [0.1, NAN, 1], "positive": 1}, "row 1 is nan; .*leave such rows out, `missing='drop'`"),
            ({"label": [None, None, None], "missing": "drop"}, r"every row has a missing cell .*\(label 3\)"),
            ({"label": [0, 1], "missing": "drop"}, "label has 2 rows, but truth has 3"),
            ({"label": [0, 1, 1], "missing": "omit"}, "`missing=` is refuse or drop, not 'omit'"),
        ],
    )
    def test_else_the_sentence_offers_it(self, given, says):
        with pytest.raises(BadInput, match=says):
            predictions([0, 1, 1], **given)


def test_no_rows_at_all_are_refused_whatever_is_missing():
    for missing in ("refuse", "drop"):
        with pytest.raises(BadInput):
            vc.predictions([], proba=[], positive=1, missing=missing)


LABELS = ["ham", "spam", "ham", "spam"]
SPAM = np.array([0.1, 0.8, 0.3, 0.6])


def frames_of(**columns):
    """The same columns as everything that carries their names."""
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    structured = np.zeros(len(SPAM), [(name, float) for name in columns])
    for name, column in columns.items():
        structured[name] = column
    return [make(columns) for make in (pd.DataFrame, pl.DataFrame, pa.table, dict)] + [structured]


@pytest.mark.parametrize("missing", ["refuse", "drop"])
def test_columns_of_probabilities_go_to_the_classes_they_name(missing):
    """Columns in another order than the classes were taken by position: an error of 1.0 for 0.0."""
    for truth in (LABELS, [None, *LABELS[1:]] if missing == "drop" else LABELS):
        for frame in frames_of(spam=SPAM, ham=1 - SPAM):
            for positive in (None, "spam"):
                p = predictions(truth, proba=frame, positive=positive, missing=missing)
                assert score(p, "error") == 0
                assert p.probability(1) == pytest.approx(SPAM[-len(p) :])
    for frame in frames_of(**{"1": SPAM, "0": 1 - SPAM}):  # frames of texts, classes of numbers
        assert predictions([0, 1, 0, 1], proba=frame, missing=missing).labels().tolist() == [0, 1, 0, 1]


@pytest.mark.parametrize("missing", ["refuse", "drop"])
def test_columns_that_name_other_classes_are_refused(missing):
    import pandas as pd
    import polars as pl

    for frame in frames_of(p_ham=1 - SPAM, p_spam=SPAM):
        with pytest.raises(BadInput, match=r"columns are called \['p_ham', 'p_spam'\].*to_numpy"):
            predictions(LABELS, proba=frame, missing=missing)
    for column in (pd.Series(SPAM, name="ham"), pl.Series("ham", SPAM), *frames_of(ham=SPAM)):
        with pytest.raises(BadInput, match="called 'ham', but the positive class is 'spam'"):
            predictions(LABELS, proba=column, positive="spam", missing=missing)
    with pytest.raises(BadInput, match=r"called \[0, 1\], but the classes are \[1, 2\]"):
        predictions([1, 2, 1, 2], proba=pd.DataFrame(np.column_stack([1 - SPAM, SPAM])), missing=missing)


def test_columns_without_names_are_in_the_order_of_classes():
    import pandas as pd
    import polars as pl

    table = np.column_stack([1 - SPAM, SPAM])
    for given in (table, table.tolist(), pd.DataFrame(table), pl.DataFrame(table)):
        assert score(predictions(LABELS, proba=given), "error") == 0
    for column in (SPAM, pd.Series(SPAM), pd.Series(SPAM, name="p"), pd.Series(SPAM, name="spam")):
        assert score(predictions(LABELS, proba=column, positive="spam"), "error") == 0


@pytest.mark.parametrize("missing", ["refuse", "drop"])
def test_rows_that_pandas_names_differently_are_refused(missing):
    """Truth and prediction of a shuffled frame were matched by position: an error of 1.0 for 0.0."""
    import pandas as pd

    truth, turned = pd.Series(LABELS), pd.Series(LABELS)[::-1]
    for name, column in (("label", turned), ("proba", pd.DataFrame({"ham": 1 - SPAM, "spam": SPAM})[::-1])):
        with pytest.raises(BadInput, match=f"truth and {name} have different pandas indexes.*to_numpy"):
            predictions(truth, **{name: column}, missing=missing)
    for name in ("groups", "weights", "rows", "fold"):
        with pytest.raises(BadInput, match="different pandas indexes"):
            predictions(truth, label=truth, **{name: pd.Series(range(1, 5))[::-1]}, missing=missing)
    assert score(predictions(turned, label=turned, missing=missing), "error") == 0
    assert score(predictions(turned, label=turned.to_numpy(), missing=missing), "error") == 0
    assert score(predictions(truth, label=turned.to_numpy(), missing=missing), "error") == 1


@pytest.mark.parametrize("missing", ["refuse", "drop"])
@pytest.mark.parametrize("weight", [5e-324, 1e-200, 1e-90, 1.0, 1e90, 1e200, 1e308])
def test_of_weights_only_ratios_matter(weight, missing):
    """With 5e-324 for each row the Brier score was 0.25 in place of 0.335; with 1e308 there were no rows."""
    truth, given = [0, 1, 0, 1], {"proba": [0.1, 0.6, 0.7, 0.9], "positive": 1, "missing": missing}
    plain, weighted = predictions(truth, **given), predictions(truth, **given, weights=[weight] * 4)
    for name in ("brier", "error", "auc", "log_loss", "recall"):
        assert score(weighted, name) == pytest.approx(score(plain, name))
    one = predictions(truth, **given, weights=[1.0] * 4)
    for name in ("brier", "error"):
        ends = [vc.estimate(p, name)[name].interval for p in (one, weighted)]
        assert (ends[1].low, ends[1].high) == pytest.approx((ends[0].low, ends[0].high))


@pytest.mark.parametrize("weights", [[1e308, 1, 1e-308, 1], [1, 1e-320, 1, 1], [1e200, 1, 1, 1]])
def test_rows_beside_whose_weight_others_vanish_are_named(weights):
    with pytest.raises(BadInput, match=r"weights: row \d has next to none .*leave out rows that do not count"):
        predictions([0, 1, 0, 1], label=[0, 1, 1, 1], weights=weights)


@pytest.mark.parametrize("missing", ["refuse", "drop"])
def test_an_empty_text_is_a_label_as_it_is_in_a_frame(missing):
    """Where another row was dropped, rows of an empty label were too: "rows has 4 rows, but truth has 3"."""
    truth, label = ["a", "b", "", "a"], ["a", "b", "", "b"]
    p = predictions(truth, label=label, missing=missing)
    assert p.classes == ("", "a", "b") and score(p, "error") == 0.25
    if missing == "drop":
        dropped = predictions(["b", None, *truth], label=["b", "a", *label], missing=missing)
        assert (len(dropped), dropped.classes) == (5, ("", "a", "b"))
        table = {"y": [*truth, None], "l": [*label, "a"]}
        assert vc.read_predictions(table, truth="y", label="l", missing=missing).classes == ("", "a", "b")


DAYS = np.array(["2020-01-01", "2020-01-02", "2020-01-03"], "M8[D]")


@pytest.mark.parametrize("unit", ["h", "m", "s", "ms", "us", "ns"])
def test_dates_are_equal_whatever_unit_they_are_counted_in(unit):
    finer, lengths = DAYS.astype(f"M8[{unit}]"), DAYS - DAYS[0]
    assert predictions(DAYS, label=finer).labels().tolist() == [0, 1, 2]
    assert predictions(DAYS, label=finer).classes == ("2020-01-01", "2020-01-02", "2020-01-03")
    assert score(predictions(lengths, label=lengths.astype(f"m8[{unit}]")), "error") == 0
    models = {"a": ([0, 1, 1], DAYS), "b": ([0, 0, 0], finer)}
    models = {name: predictions([0, 1, 0], label=label, rows=days) for name, (label, days) in models.items()}
    assert vc.compare(models, "error").difference == 0
    late = np.array(["2020-01-01T00:00:01", "2020-01-02T03:00", "2020-01"], "M8[s]")
    assert score(predictions(late, label=late.astype(f"M8[{unit}]")), "error") == (unit in ("h", "m")) / 3


def test_a_text_that_ends_in_a_zero_byte_is_another():
    texts = ["a", "a\0", "b", "a"]
    p = predictions(texts, label=["a", "a", "b", "a\0"], groups=texts)
    assert p.classes == ("a", "a\0", "b") and score(p, "error") == 0.5
    assert p.groups.tolist() == [0, 1, 2, 0]


def test_row_ids_of_mixed_types_are_compared_or_refused_in_a_sentence():
    """They raised TypeError: '<' not supported between 'str' and 'int'."""
    ids = [1, "a", 2, "b"]
    with pytest.raises(BadInput, match="row ids are of different types: make them alike"):
        predictions([0, 1, 0, 1], label=[0, 1, 1, 1], rows=ids, fold=[0, 0, 1, 1])
    first, same, turned = (predictions([0, 1, 1, 0], label=[0, 1, 0, 0], rows=rows) for rows in (ids, ids, ids[::-1]))
    assert vc.compare({"a": first, "b": same}, "error").difference == 0
    with pytest.raises(BadInput, match="the same row ids in another order"):
        vc.compare({"a": first, "b": turned}, "error")
    with pytest.raises(BadInput, match="row ids of the two models differ"):
        vc.compare({"a": first, "b": predictions([0, 1, 1, 0], label=[0, 1, 0, 0], rows=["1", "a", 2, "b"])}, "error")


@pytest.mark.parametrize("large", [1e300, 2.0**60, -1e20])
def test_a_large_number_stays_what_it_is_where_another_row_is_dropped(large):
    """Numbers that are whole became 64-bit ones, of which 1e300 is none."""
    p = predictions([large, 1.0, 2.0], number=[large, 1.0, np.nan], missing="drop")
    assert p.truth.tolist() == p.number.tolist() == [large, 1.0]


def test_columns_called_0_and_1_are_not_exchanged_where_the_classes_are_1_and_0():
    """The headings that pandas makes by itself may be meant as names of classes or not."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(np.array([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]]))
    with pytest.raises(BadInput, match=r"which may be classes or numbers of columns: give \.to_numpy\(\)"):
        predictions([1, 0, 1], proba=frame, classes=[1, 0], positive=1)
    kept = predictions([1, 0, 1], proba=frame.to_numpy(), classes=[1, 0], positive=1)
    assert score(kept, "error") == 0
    assert score(predictions([0, 1, 0], proba=frame, classes=[0, 1], positive=1), "error") == 0


def test_dates_of_python_and_of_pandas_name_the_same_rows():
    pandas = pytest.importorskip("pandas")
    days = [datetime(2024, 1, day) for day in (1, 2, 3, 4)]
    first = predictions([0, 1, 0, 1], label=[0, 1, 1, 1], rows=days)
    second = predictions([0, 1, 0, 1], label=[0, 1, 0, 0], rows=pandas.Series(days))
    assert vc.compare({"a": first, "b": second}, "error").difference == 0
