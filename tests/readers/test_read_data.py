"""Data from arrays, frames, files and scikit-learn, and the sentence for what cannot be learned from."""

from __future__ import annotations

import gzip

import numpy as np
import pandas
import polars
import pyarrow
import pytest
from scipy.sparse import coo_array
from sklearn.datasets import load_diabetes, load_iris, make_moons

from veracity.core.errors import BadInput
from veracity.readers.read_data import BUILTIN, builtin, data_of, from_file

TABLE = np.arange(12.0).reshape(6, 2)
WORDS = ["no", "yes", "no", "yes", "no", "yes"]


def test_classes_are_sorted_and_coded():
    data = data_of(TABLE, WORDS, name="d", positive="no")
    assert (data.kind, data.classes, data.positive) == ("classes", ("no", "yes"), 0)
    assert data.truth.tolist() == [0, 1, 0, 1, 0, 1] and data.target.tolist() == WORDS
    assert data.columns == ("x0", "x1") and data.categorical == () and not data.incomplete
    assert not data.features.flags.writeable and TABLE.flags.writeable


@pytest.mark.parametrize(
    ("target", "kind"),
    [
        ([0.0, 1.0, 0.0, 1.0], "classes"),
        ([0.5, 1.0, 0.0, 1.0], "numbers"),
        (np.arange(20.0), "classes"),
        (np.arange(21.0), "numbers"),
        (np.arange(100), "classes"),
        ([True, False], "classes"),
        (["1.5", "2.5"], "classes"),
    ],
)
def test_the_rule_for_the_kind_of_target(target, kind):
    table = np.zeros((len(target), 1))
    assert data_of(table, target).kind == kind


def test_many_whole_numbers_are_asked_about():
    table, target = np.zeros((101, 1)), np.arange(101)
    with pytest.raises(BadInput, match="holds 101 different whole numbers: say `kind='numbers'` or `kind='classes'`"):
        data_of(table, target)
    assert data_of(table, target, kind="numbers").truth.dtype == np.float64
    assert len(data_of(table, target, kind="classes").classes) == 101


def test_frames_stay_frames_and_others_become_arrays():
    frame = pandas.DataFrame({"a": [1.0, 2, 3], "b": ["x", "y", None]})
    data = data_of(frame, [0, 1, 0])
    assert data.columns == ("a", "b") and data.take(np.array([2, 0])).index.tolist() == [2, 0]
    data = data_of(polars.from_pandas(frame), [0, 1, 0])
    assert data.take(np.array([2, 0]))["a"].to_list() == [3.0, 1.0]
    data = data_of(pyarrow.table({"a": [1.0, 2, 3], "b": [4, 5, 6]}), [0, 1, 0])
    assert isinstance(data.features, np.ndarray) and data.take(np.array([1])).tolist() == [[2.0, 5.0]]
    data = data_of(coo_array(TABLE), WORDS)
    assert data.take(np.array([5])).toarray().tolist() == [[10.0, 11.0]] and data.column(1).tolist() == [
        1,
        3,
        5,
        7,
        9,
        11,
    ]


def test_series_of_any_library_are_targets():
    for series in (
        pandas.Series(WORDS),
        pandas.Series(WORDS, dtype="category"),
        polars.Series(WORDS),
        pyarrow.array(WORDS),
    ):
        assert data_of(TABLE, series).classes == ("no", "yes")


def test_groups_weights_and_time_belong_to_rows():
    days = np.array(["2024-01-02", "2024-01-01", "2023-12-31"] * 2, "datetime64[D]")
    data = data_of(TABLE, WORDS, groups=list("bbaacc"), weights=[1, 2, 3, 4, 5, 6], time=days)
    assert data.groups.tolist() == [1, 1, 0, 0, 2, 2] and data.weights.tolist() == [1, 2, 3, 4, 5, 6]
    assert np.argsort(data.time[:3]).tolist() == [2, 1, 0]
    assert data_of(TABLE, WORDS, time=list(map(str, days))).time.tolist() == data.time.tolist()


def test_the_fingerprint_changes_with_anything_a_fit_could_see():
    changed = TABLE.copy()
    changed[0, 0] = 0.5
    made = [
        data_of(TABLE, WORDS),
        data_of(changed, WORDS),
        data_of(TABLE, WORDS[::-1]),
        data_of(TABLE, WORDS, positive="yes"),
        data_of(TABLE, WORDS, weights=np.ones(6)),
        data_of(TABLE, WORDS, groups=np.ones(6)),
        data_of(TABLE, WORDS, time=np.ones(6)),
        data_of(TABLE.astype(np.float32), WORDS),
        data_of(pandas.DataFrame(TABLE), WORDS),
        data_of(coo_array(TABLE), WORDS),
    ]
    assert len({data.fingerprint for data in made}) == len(made)
    assert data_of(TABLE.copy(), WORDS, name="other").fingerprint == made[0].fingerprint


@pytest.mark.parametrize(
    ("features", "target", "more", "says"),
    [
        (TABLE, WORDS[:5], {}, "d, target has 5 rows, but the features have 6"),
        (TABLE[:, 0], WORDS, {}, r"features have rows and columns, not one number per row: write X.reshape\(-1, 1\)"),
        (TABLE[:, :0], WORDS, {}, r"shape \(6, 0\) leave nothing to learn from"),
        ([[1, 2], [3]], [0, 1], {}, "not all of the same length"),
        (TABLE * 1j, WORDS, {}, "not complex128"),
        (TABLE, ["no"] * 6, {}, "d, target holds only the class 'no'"),
        (TABLE, ["no", None, *WORDS[2:]], {}, "d, target: row 1 holds no label"),
        (TABLE, np.array([1, "1", 2, 1, 2, 1], object), {}, "row 1 holds text, but row 0 holds a number"),
        (TABLE, [0.5, np.nan, 1, 2, 3, 4], {}, "d, target: row 1 holds no label"),
        (TABLE, WORDS, {"kind": "numbers"}, "row 0 holds 'no', which is not a number"),
        (TABLE, WORDS, {"kind": "labels"}, "kind is 'auto', 'classes' or 'numbers', not 'labels'"),
        (TABLE, WORDS, {"positive": "maybe"}, "the positive class 'maybe' does not occur"),
        (TABLE, np.arange(6) / 4, {"positive": 1}, "is numeric: it has no positive class 1"),
        (TABLE, WORDS, {"weights": [1, 1, 0, 1, 1, 1]}, "d, weights: row 2 is 0; each must be greater than 0"),
        (TABLE, WORDS, {"weights": [1]}, "d, weights has 1 rows"),
        (TABLE, WORDS, {"groups": [1, 2, 3]}, "d, groups has 3 rows"),
        (TABLE, WORDS, {"time": ["31/12/2020"] * 6}, "row 0 holds '31/12/2020', which is neither a number nor a date"),
        (TABLE, WORDS, {"time": [1, 2, 3, np.inf, 4, 5]}, "d, time: row 3 is inf"),
        (TABLE, np.zeros((6, 2)), {}, "one label per row"),
        (pandas.DataFrame({"a": []}), [], {}, "has no rows"),
    ],
)
def test_one_sentence_for_bad_arrays(features, target, more, says):
    with pytest.raises(BadInput, match=says) as caught:
        data_of(features, target, name="d", **more)
    assert "\n" not in str(caught.value)


FILE = """age,job,member,income,id,who,day,w,class
31,clerk,true,10.5,1,a,2024-01-03,1,bad
,nurse,false,7,2,a,2024-01-02,2,good
45,,true,,3,b,2024-01-01,1.5,good
28,clerk,,3.5,4,b,2024-02-01,1,bad
"""


@pytest.fixture
def credit(tmp_path):
    path = tmp_path / "credit.csv"
    path.write_text(FILE)
    return path


def test_columns_of_a_file(credit):
    roles = {"groups": "who", "time": "day", "weights": "w"}
    data = from_file(credit, target="class", positive="bad", leave_out=["id"], **roles)
    assert (data.name, data.classes, data.positive) == ("credit", ("bad", "good"), 0)
    assert data.columns == ("age", "job", "member", "income")
    assert data.categorical == (1, 2) and data.incomplete
    assert data.features[0].tolist() == [31.0, "clerk", True, 10.5]
    assert data.features[3].tolist() == [28.0, "clerk", None, 3.5]
    assert data.features[2, 1] is None and np.isnan(data.features[1, 0]) and np.isnan(data.features[2, 3])
    assert data.groups.tolist() == [0, 0, 1, 1] and data.weights.tolist() == [1, 2, 1.5, 1]
    assert np.argsort(data.time).tolist() == [2, 1, 0, 3]


def test_numbers_alone_are_a_plain_array(credit):
    data = from_file(credit, target="class", leave_out=("age", "job", "member", "income", "who", "day"))
    assert data.features.dtype == np.float64 and data.columns == ("id", "w")
    assert data.categorical == () and not data.incomplete
    gap = from_file(credit, target="class", leave_out=("age", "job", "member", "who", "day"))
    assert gap.features.dtype == np.float64 and gap.incomplete


def test_every_reader_gives_the_same(credit, tmp_path):
    frame = pandas.read_csv(credit).astype({"job": object})
    frame.to_parquet(tmp_path / "credit.parquet")
    frame.to_json(tmp_path / "credit.jsonl", orient="records", lines=True)
    frame.to_csv(tmp_path / "credit.tsv", sep="\t", index=False)
    (tmp_path / "packed.csv.gz").write_bytes(gzip.compress(FILE.encode()))
    asked = {"target": "class", "leave_out": ("day", "id"), "groups": "who"}
    expected = from_file(credit, **asked)
    for source in ("credit.parquet", "credit.jsonl", "credit.tsv", "packed.csv.gz"):
        made = from_file(tmp_path / source, **asked)
        assert made.fingerprint == expected.fingerprint, source
    assert from_file(frame, **asked).fingerprint == expected.fingerprint


def test_arff_with_weights_in_braces(tmp_path):
    path = tmp_path / "w.arff"
    lines = ["@relation w", "@attribute x numeric", "@attribute c {u, v}", "@attribute y {p, q}", "@data"]
    path.write_text("\n".join([*lines, "1, u, p, {2}", "?, v, q", "3, ?, q, {0.5}"]))
    data = from_file(path, target="y", positive="q")
    assert data.weights.tolist() == [2, 1, 0.5] and data.categorical == (1,) and data.incomplete


def test_the_positive_class_is_read_in_the_type_of_its_column(tmp_path):
    path = tmp_path / "d.csv"
    path.write_text("x,y\n1,0\n2,1\n")
    assert from_file(path, target="y", positive="1").positive == 1


@pytest.mark.parametrize(
    ("text", "asked", "says"),
    [
        ("x,y\n1,a\n2,\n", {}, r"d.csv, column y: row 2 has no value"),
        ("x,y\n1,a\n2,b\n", {"target": "z"}, r"d.csv has no column 'z': there are 'x', 'y'"),
        ("x,y\n1,a\n2,b\n", {"leave_out": ["q"]}, r"d.csv has no column 'q'"),
        ("x,y\n1,a\n2,b\n", {"leave_out": "x"}, r"d.csv has no feature"),
        ("x,g,y\n1,a,a\n2,,b\n", {"groups": "g"}, r"d.csv, column g: row 2 has no value"),
        ("x,w,y\n1,1,a\n2,-1,b\n", {"weights": "w"}, r"d.csv, column w: row 2 is -1"),
        ("x,w,y\n1,1,a\n2,one,b\n", {"weights": "w"}, r"d.csv, column w: row 2 holds 'one', which is not a number"),
        ("x,t,y\n1,2024-01-01,a\n2,soon,b\n", {"time": "t"}, r"d.csv, column t: row 2 holds 'soon'"),
        ("x,z,y\n1,,a\n2,,b\n", {}, r"d.csv, column z is empty in every row: leave it out"),
        ("x,y\n1,a\ninf,b\n", {}, r"d.csv, column x: row 2 is inf"),
        ("x,y\n1,a\n2,a\n", {}, r"d.csv, column y holds only the class 'a'"),
        ("x,y\n1,a\n2,b\n", {"positive": "c"}, r"the positive class 'c' does not occur: .*d.csv, column y"),
    ],
)
def test_one_sentence_names_file_column_and_row(tmp_path, text, asked, says):
    path = tmp_path / "d.csv"
    path.write_text(text)
    with pytest.raises(BadInput, match=says) as caught:
        from_file(path, **{"target": "y", **asked})
    assert "\n" not in str(caught.value)


def test_built_in_data_is_what_scikit_learn_gives():
    data, iris = builtin("sklearn:load_iris"), load_iris()
    assert data.name == "iris" and data.columns == tuple(iris.feature_names)
    assert (data.features == iris.data).all() and (data.target == iris.target).all()
    assert builtin("sklearn:load_diabetes").kind == "numbers"
    assert (builtin("sklearn:load_diabetes").truth == load_diabetes().target).all()
    moons = builtin("sklearn:make_moons(n_samples=50, noise=0.1, random_state=3)", name="m", positive=1)
    assert (moons.features == make_moons(50, noise=0.1, random_state=3)[0]).all()
    assert (moons.name, moons.positive) == ("m", 1)
    assert builtin("sklearn:make_classification(weights=[0.9, 0.1], random_state=0)").truth.mean() < 0.2


@pytest.mark.parametrize("name", BUILTIN)
def test_every_built_in_name_gives_data(name):
    text = f"sklearn:{name}" + ("(random_state=0)" if name.startswith("make_") else "")
    data = builtin(text)
    assert len(data) == len(data.truth) > 50 and data.fingerprint == builtin(text).fingerprint


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("load_iris", "write sklearn:load_iris, or name a file"),
        ("sklearn:load_irsi", "did you mean load_iris"),
        ("sklearn:fetch_openml", "no built-in data sklearn:fetch_openml"),
        ("sklearn:load_files(container_path='/')", "no built-in data"),
        ("sklearn:make_moons", "makes other rows each time: give a random_state"),
        ("sklearn:make_moons(random_state=None)", "give a random_state"),
        ("sklearn:make_moons(200, random_state=0)", "takes its parameters by name"),
        ("sklearn:make_moons(rows=200, random_state=0)", "has no parameter 'rows': it takes n_samples"),
        ("sklearn:make_moons(n_samples='many', random_state=0)", "refuses its parameters"),
        ("sklearn:load_iris(return_X_y=True)", "has no parameter 'return_X_y'"),
        ("sklearn:load_iris(", "cannot read"),
    ],
)
def test_one_sentence_for_unknown_built_in_data(text, says):
    with pytest.raises(BadInput, match=says) as caught:
        builtin(text)
    assert "\n" not in str(caught.value)
