"""Large files: counting and streaming give what reading every row gives."""

from __future__ import annotations

import re
import subprocess
import sys

import numpy as np
import pandas
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import veracity as vc
from veracity.core.errors import BadInput
from veracity.evidence.ordering import Ordering
from veracity.evidence.predictions import Predictions
from veracity.readers.read_evidence import read_evidence
from veracity.readers.read_predictions import read_predictions

ROWS = 100_000


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("large")
    rng = np.random.default_rng(3)
    truth = rng.random(ROWS) < 0.3
    values = rng.normal(size=ROWS) + truth
    table = pandas.DataFrame(
        {
            "y": truth.astype(int),
            "word": np.where(truth, "it's", "no"),
            "flag": truth,
            "s": values,
            "single": values.astype(np.float32),
            "few": np.round(values, 1),
            "whole": np.round(values * 10).astype(int),
            "p": 1 / (1 + np.exp(-values)),
        }
    )
    table.to_parquet(folder / "a.parquet")
    table.to_csv(folder / "a.csv", index=False)
    table.head(ROWS // 10).to_json(folder / "a.jsonl", orient="records", lines=True, double_precision=15)
    return folder


def both(path, **asked):
    large = read_evidence(path, large=100, few=1000, **asked)
    return large, read_predictions(path, **asked)


@pytest.mark.parametrize("ending", ["parquet", "csv"])
@pytest.mark.parametrize(("truth", "positive"), [("y", "1"), ("word", "it's"), ("flag", "true")])
@pytest.mark.parametrize("said", ["s", "single"])
def test_many_values_become_the_same_ordering(files, ending, truth, positive, said):
    large, rows = both(files / f"a.{ending}", truth=truth, value=said, positive=positive)
    assert isinstance(large.evidence, Ordering)
    np.testing.assert_array_equal(large.evidence.positives, rows.ordering.positives)
    np.testing.assert_array_equal(large.evidence.negatives, rows.ordering.negatives)
    assert (large.rows, large.classes, large.positive) == (len(rows), rows.classes, rows.classes[rows.positive])


@pytest.mark.parametrize("ending", ["parquet", "csv"])
@pytest.mark.parametrize("said", ["few", "whole"])
def test_few_values_become_counts(files, ending, said):
    large, rows = both(files / f"a.{ending}", truth="word", value=said, positive="it's", threshold=0.5)
    assert isinstance(large.evidence, Predictions)
    assert len(large.evidence) < 1000
    assert large.evidence.repeats.sum() == large.rows == len(rows)
    np.testing.assert_array_equal(large.evidence.ordering.positives, rows.ordering.positives)
    np.testing.assert_array_equal(large.evidence.ordering.values, rows.ordering.values)
    np.testing.assert_array_equal(large.evidence.confusion().cells, rows.confusion().cells)


def test_many_probabilities_stay_rows(files):
    large, rows = both(files / "a.parquet", truth="word", proba="p", positive="it's")
    np.testing.assert_array_equal(large.evidence.truth, rows.truth)
    np.testing.assert_array_equal(large.evidence.proba, rows.proba)
    np.testing.assert_array_equal(large.evidence.confusion().cells, rows.confusion().cells)
    assert large.evidence.offers == rows.offers


def test_a_threshold_keeps_the_rows(files):
    large, rows = both(files / "a.parquet", truth="y", value="s", positive=1, threshold=0.25)
    np.testing.assert_array_equal(large.evidence.confusion().cells, rows.confusion().cells)


def test_small_files_and_row_wise_questions_are_read_row_by_row(files):
    asked = {"truth": "y", "value": "s", "positive": 1}
    assert len(read_evidence(files / "a.parquet", **asked).evidence) == ROWS
    assert len(read_evidence(files / "a.parquet", large=100, weights="p", **asked).evidence) == ROWS
    frame = pandas.DataFrame({"y": [0, 1], "s": [0.5, 1.0]})
    assert read_evidence(frame, large=0, **asked).rows == 2


def test_classes_in_the_order_given(files):
    large, rows = both(files / "a.parquet", truth="y", value="few", positive=0, classes=["1", "0"])
    assert large.classes == rows.classes == (1, 0)
    np.testing.assert_array_equal(large.evidence.ordering.positives, rows.ordering.positives)


def test_pyarrow_is_not_needed(files):
    program = (
        "import sys; sys.modules['pyarrow'] = sys.modules['pandas'] = None\n"
        "from veracity.readers.read_evidence import read_evidence\n"
        "print(read_evidence(sys.argv[1], truth='y', value='s', positive='1', large=9, few=9).evidence.rows)"
    )
    call = [sys.executable, "-c", program, str(files / "a.parquet")]
    assert float(subprocess.run(call, capture_output=True, check=True, text=True).stdout) == ROWS


@pytest.mark.parametrize("ending", ["parquet", "csv"])
@pytest.mark.parametrize(
    ("column", "cell", "asked"),
    [
        ("s", np.nan, {"value": "s"}),
        ("s", np.inf, {"value": "s"}),
        ("s", -np.inf, {"value": "s"}),
        ("p", 1.5, {"proba": "p"}),
        ("p", -0.25, {"proba": "p"}),
        ("p", np.nan, {"proba": "p"}),
        ("y", None, {"value": "s"}),
        ("y", 2, {"value": "s", "classes": [0, 1]}),
    ],
)
def test_bad_cells_are_named_as_when_reading_row_by_row(tmp_path, ending, column, cell, asked):
    rng = np.random.default_rng(5)
    table = pandas.DataFrame({"y": rng.integers(0, 2, 20_000), "s": rng.random(20_000), "p": rng.random(20_000)})
    table[column] = table[column].astype(object if cell is None else table[column].dtype)
    table.loc[12_345, column] = cell
    table.loc[15_000, column] = cell
    path = tmp_path / f"a.{ending}"
    table.to_parquet(path) if ending == "parquet" else table.to_csv(path, index=False)
    with pytest.raises(BadInput) as plain:
        read_predictions(path, truth="y", positive=1, **asked)
    with pytest.raises(BadInput) as large:
        read_evidence(path, truth="y", positive=1, large=100, **asked)
    assert str(large.value) == str(plain.value)
    assert "row 12346" in str(large.value)


@pytest.mark.parametrize(
    "asked",
    [
        {"truth": "y", "value": "s", "positive": "x"},
        {"truth": "y", "value": "s"},
        {"truth": "y", "value": "word", "positive": 1},
        {"truth": "s", "value": "s", "positive": 1},
        {"truth": "z", "value": "s", "positive": 1},
        {"truth": "y", "proba": "p"},
    ],
    ids=str,
)
def test_wrong_questions_get_the_same_sentence(files, asked):
    with pytest.raises(BadInput) as plain:
        read_predictions(files / "a.parquet", **asked)
    with pytest.raises(BadInput) as large:
        read_evidence(files / "a.parquet", large=100, **asked)
    assert str(large.value) == str(plain.value)


def test_three_classes_are_read_row_by_row(tmp_path):
    pandas.DataFrame({"y": [0, 1, 2] * 100, "s": np.arange(300.0)}).to_parquet(tmp_path / "a.parquet")
    found = read_evidence(tmp_path / "a.parquet", truth="y", value="s", positive=1, large=100)
    assert isinstance(found.evidence, Predictions)
    assert found.classes == (0, 1, 2)


@pytest.mark.parametrize("role", ["proba", "value"])
@pytest.mark.parametrize("few", [1, 1000])
def test_curves_of_a_counted_file_are_those_of_its_rows(tmp_path, role, few):
    random = np.random.default_rng(4)
    truth, said = random.integers(0, 2, 300), np.round(random.random(300), 1)
    path = tmp_path / "rows.csv"
    path.write_text("y,s\n" + "".join(f"{y},{s}\n" for y, s in zip(truth, said, strict=True)))
    asked = {"truth": "y", role: "s", "positive": "1"}
    counted = read_evidence(path, large=100, few=few, keep_values=True, **asked).evidence
    assert isinstance(counted, vc.Predictions) and (counted.repeats is None) == (few == 1)
    each = read_predictions(path, **asked)
    for kind in ("roc", "precision_recall", "lift_chart", "det"):
        ours, theirs = vc.curve(counted, kind), vc.curve(each, kind)
        for one, other in zip(ours.lines, theirs.lines, strict=True):
            np.testing.assert_allclose(one.x, other.x, rtol=1e-12)
            np.testing.assert_allclose(one.y, other.y, rtol=1e-12)


WRITTEN = {  # cells as people write them, the words that say so
    "per cent": ("{:.1f}%", {"percent": True}),
    "per cent after a space": ("{:.1f} %", {"percent": True}),
    "spaces around": (" {:.1f} % ", {"percent": True}),
    "up to a hundred": ("{:.1f}", {"percent": True}),
    "decimal comma": ("{:.3f}", {"decimal": ","}),
    "per cent with a comma": ("{:.2f}%", {"percent": True, "decimal": ","}),
    "some without a sign": ("{:.1f}%", {"percent": True}),
    "underscores": ("0.{:.0f}_1", {"missing": "drop"}),
    "a word for nothing": ("{:.3f}", {"missing": "drop"}),
    "nothing at all": ("{:.3f}", {"missing": "drop"}),
    "a number that is none": ("{:.3f}", {"missing": "drop"}),
}
ABSENT = {"a word for nothing": "n/a", "nothing at all": "", "a number that is none": "nan", "some without a sign": "7"}


@pytest.mark.parametrize("role", ["value", "proba"])
@pytest.mark.parametrize("kind", WRITTEN)
def test_written_cells_are_the_same_numbers_in_large_files(tmp_path, kind, role):
    form, how = WRITTEN[kind]
    random = np.random.default_rng(5)
    scale = 100 if "percent" in how else 1
    cells = [form.format(scale * number) for number in random.random(400)]
    if how.get("decimal") == ",":
        cells = [cell.replace(".", ",") for cell in cells]
    for row in (7, 90, 333) if kind in ABSENT else ():
        cells[row] = ABSENT[kind]
    lines = [f'{row % 2},"{cell}"' for row, cell in enumerate(cells)]
    (tmp_path / "a.csv").write_text("y,p\n" + "\n".join(lines) + "\n")
    asked = {"truth": "y", role: "p", "positive": 1, **how}
    try:
        expected = vc.estimate(vc.read_predictions(tmp_path / "a.csv", **asked), ["auc", "average_precision"])
    except vc.BadInput as why:
        with pytest.raises(vc.BadInput, match=re.escape(str(why))):
            read_evidence(tmp_path / "a.csv", large=100, **asked)
        return
    found = read_evidence(tmp_path / "a.csv", large=100, **asked)
    assert found.rows == 400 - 3 * (kind in ABSENT)
    numbers = vc.estimate(found.evidence, ["auc", "average_precision"])
    for score in ("auc", "average_precision"):
        assert numbers[score].value == expected[score].value and numbers[score].interval == expected[score].interval
    if kind in ABSENT:
        (note,) = found.evidence.notes
        assert note.says.endswith("a.csv: 3 of 400 rows have missing cells (p 3) and were left out")


@pytest.mark.parametrize("ending", ["csv", "parquet"])
@pytest.mark.parametrize("cell", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("role", ["proba", "value"])
def test_a_number_that_is_none_is_refused_alike_in_large_and_small_files(tmp_path, ending, cell, role):
    table = pandas.DataFrame({"y": [0, 1] * 20, "s": np.linspace(0, 1, 40)})
    table.loc[7, "s"] = cell
    path = tmp_path / f"a.{ending}"
    table.to_csv(path, index=False, na_rep="nan") if ending == "csv" else table.to_parquet(path)
    says = []
    for large in (1, 1000):
        with pytest.raises(BadInput) as why:
            read_evidence(path, large=large, truth="y", positive="1", **{role: "s"})
        says.append(str(why.value))
    assert says[0] == says[1]


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_column_of_models_keeps_a_large_file_from_being_counted_only_where_it_tells_some_apart(tmp_path, ending):
    table = pandas.DataFrame({"y": [0, 1] * 500, "s": np.round(np.linspace(0, 1, 1000), 1), "model": "m"})
    path = tmp_path / f"a.{ending}"
    for counted in (True, False):
        table.to_csv(path, index=False) if ending == "csv" else table.to_parquet(path)
        found = read_evidence(path, large=10, truth="y", value="s", positive="1", threshold=0.5).evidence
        assert (found.repeats is not None) == counted
        assert [note.code for note in found.notes] == ([] if counted else ["looks-like-models"])
        table.loc[3, "model"] = "other"


LABELS = ("no", "it's", "a, b", "1", "0", "1.0", "true", "é", "-1")
SPELLINGS = (repr, "{:.3f}".format, "{:e}".format, "+{:.6f}".format, " {:.4f} ".format)


def answer(read, *arguments, **asked):
    try:
        return read(*arguments, **asked)
    except BadInput as why:
        return str(why)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.sampled_from(LABELS), min_size=2, max_size=2, unique=True),
    st.lists(st.floats(0, 1), min_size=30, max_size=60),
    st.sampled_from(SPELLINGS),
)
def test_large_and_small_files_are_read_alike(tmp_path_factory, labels, values, spelling):
    path = tmp_path_factory.mktemp("rows") / "rows.csv"
    rows = [f'"{labels[row % 2]}",{spelling(value)},x' for row, value in enumerate(values)]
    path.write_text("y,p,name\n" + "\n".join(rows) + "\n")
    asked = {"truth": "y", "proba": "p", "positive": labels[0]}
    expected = answer(read_predictions, path, **asked)
    large = answer(read_evidence, path, large=10, **asked)
    if isinstance(expected, str):
        assert large == expected
        return
    assert (large.rows, large.classes) == (len(expected), expected.classes)
    if large.evidence.repeats is None:
        np.testing.assert_array_equal(large.evidence.truth, expected.truth)
        np.testing.assert_array_equal(large.evidence.proba, expected.proba)
    else:
        np.testing.assert_array_equal(large.evidence.confusion().cells, expected.confusion().cells)


UNLIKE = ("2,0.5", "01,0.5", " 1,0.5", ",0.5", "1,", "1,1.5", "1,-0.1", "1,nan", "1,07.5", "1,1_0", "1,a")


@pytest.mark.parametrize("cells", UNLIKE)
def test_a_row_unlike_the_others_is_read_or_refused_as_in_a_small_file(tmp_path, cells):
    path = tmp_path / "rows.csv"
    path.write_text("y,p,name\n" + "".join(f"{row % 2},0.{row:06},x\n" for row in range(2_000)) + f"{cells},x\n")
    asked = {"truth": "y", "proba": "p", "positive": "1"}
    small, large = answer(read_predictions, path, **asked), answer(read_evidence, path, large=10, **asked)
    if isinstance(small, str):
        assert large == small
        return
    np.testing.assert_array_equal(large.evidence.truth, small.truth)
    np.testing.assert_array_equal(large.evidence.proba, small.proba)
