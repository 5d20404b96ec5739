"""Score tables, wide and long, with and without splits."""

import gzip
from contextlib import suppress
from pathlib import Path

import numpy as np
import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st

import veracity as vc

REFERENCE = Path(__file__).parents[1] / "reference"
WIDE = "data,svm,knn\niris,0.9,0.8\nwine,0.7,\n"
LONG = "dataset,learner,accuracy\niris,svm,0.9\niris,knn,0.8\nwine,knn,0.6\nwine,svm,0.7\n"


@pytest.fixture
def file(tmp_path):
    def write(text, name="results.csv"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


def test_a_wide_table_with_a_missing_cell(file):
    found = vc.read_scores(file(WIDE), "accuracy")
    assert (found.learners, found.datasets) == (("svm", "knn"), ("iris", "wine"))
    assert (found.score, found.better, found.missing) == ("accuracy", "higher", 1)
    assert np.array_equal(found.values, [[0.9, 0.8], [0.7, np.nan]], equal_nan=True)


def test_a_long_table_is_called_by_its_column_and_keeps_the_order_of_its_rows(file):
    found = vc.read_scores(file(LONG))
    assert (found.score, found.better, found.learners) == ("accuracy", "higher", ("svm", "knn"))
    assert found.values.tolist() == [[0.9, 0.8], [0.7, 0.6]]
    assert found.splits is None and found.notes == ()


@pytest.mark.parametrize(
    ("name", "better"), [("error", "lower"), ("auc", "higher"), ("error_rate", "lower"), ("x", "higher")]
)
def test_the_direction_follows_from_the_name(file, name, better):
    assert vc.read_scores(file(LONG.replace("accuracy", name))).better == better
    assert vc.read_scores(file(LONG.replace("accuracy", name)), better="lower").better == "lower"


@pytest.mark.parametrize("form", ["tsv", "jsonl", "parquet", "csv.gz", "frame"])
def test_every_format_gives_the_same_matrix(tmp_path, form):
    frame = pandas.DataFrame({"name": ["iris", "wine"], "svm": [0.9, 0.7], "knn": [0.8, 0.6]})
    path = tmp_path / f"scores.{form}"
    if form == "tsv":
        frame.to_csv(path, sep="\t", index=False)
    elif form == "jsonl":
        frame.to_json(path, orient="records", lines=True)
    elif form == "parquet":
        frame.to_parquet(path)
    elif form == "csv.gz":
        path.write_bytes(gzip.compress(frame.to_csv(index=False).encode()))
    found = vc.read_scores(frame if form == "frame" else path)
    assert (found.learners, found.datasets) == (("svm", "knn"), ("iris", "wine"))
    assert found.values.tolist() == [[0.9, 0.8], [0.7, 0.6]]


def test_names_that_occur_twice_are_numbered_and_a_row_counter_is_no_learner():
    found = vc.read_scores(REFERENCE / "weka_accuracies_mean.csv")
    assert (len(found), found.learners) == (54, ("nbc", "aode", "hnb", "j48", "j48gr"))
    assert {"credit (1)", "credit (2)"} <= set(found.datasets)
    assert [(note.code, note.weight) for note in found.notes] == [
        ("data-set-twice", "caution"),
        ("row-numbers", "remark"),
    ]


def test_a_wide_table_with_splits_gives_the_split_scores_too():
    found = vc.read_scores(REFERENCE / "scmamp_kcv_example.csv", train=9, test=1)
    plain = pandas.read_csv(REFERENCE / "scmamp_kcv_example.csv")
    assert found.values == pytest.approx(plain.groupby("DB")[["AlgA", "AlgB", "AlgC", "AlgD"]].mean().to_numpy())
    assert (len(found.splits[0][0]), found.splits[0][0].test_share) == (100, pytest.approx(1 / 9))
    table = {name: found.splits[4][at] for at, name in enumerate(found.learners)}
    assert (table["AlgA"] - table["AlgB"]).mean == pytest.approx(found.values[4, 0] - found.values[4, 1])


def test_a_long_table_with_splits_lines_them_up_whatever_their_order(file):
    head = "data,learner,run,fold,n_train,n_test,score\n"
    rows = [
        f"iris,{one},{r},{f},{8 + f},{2},{v + r + f / 10}"
        for one, v in (("a", 1), ("b", 3))
        for r in (1, 2)
        for f in (1, 2)
    ]
    found = vc.read_scores(file(head + "\n".join([*rows[:4], *rows[:3:-1]]) + "\n"))
    difference = found.splits[0][0] - found.splits[0][1]
    assert difference.values == pytest.approx([-2] * 4)
    assert (difference.train.tolist(), difference.repeats.tolist()) == ([9, 10, 9, 10], [0, 0, 1, 1])


@pytest.mark.parametrize(("splits", "rounds"), [(10, 1), (30, 30)])
def test_splits_without_a_column_of_repeats_are_folds_of_one_or_hold_outs(file, splits, rounds):
    rows = [f"d,{learner},{split},9,1,.{split}\n" for learner in "ab" for split in range(1, splits + 1)]
    found = vc.read_scores(file("data,learner,fold,train,test,score\n" + "".join(rows)))
    assert found.splits[0][0].rounds == rounds


def test_a_split_that_one_learner_lacks_makes_its_score_missing(file):
    found = vc.read_scores(file("data,learner,fold,train,test,score\nd,a,1,9,1,.5\nd,a,2,9,1,.6\nd,b,1,9,1,.7\n"))
    assert found.missing == 1 and np.isnan(found.values[0, 1])
    assert found.splits[0][1].undefined == 1
    assert [note.code for note in found.notes] == ["missing-splits", "better-taken"]
    assert "b lacks 1 of 2 splits on d" in found.notes[0].says


def test_without_sizes_there_are_no_split_scores_and_a_note_says_why(file):
    found = vc.read_scores(file("data,learner,fold,score\nd,a,1,.5\nd,a,2,.6\nd,b,1,.7\nd,b,2,.9\n"))
    assert found.splits is None and found.values[0] == pytest.approx([0.55, 0.8])
    assert [note.code for note in found.notes] == ["no-sizes", "better-taken"]


def test_names_of_columns_can_be_given(file):
    text = "where,who,how,acc,error\niris,a,1,.5,.5\niris,a,2,.6,.4\niris,b,1,.7,.3\niris,b,2,.8,.2\n"
    found = vc.read_scores(file(text), "error", dataset="where", learner="who", fold="how", train=90, test=10)
    assert (found.better, found.values[0].tolist()) == ("lower", pytest.approx([0.45, 0.25]))
    assert vc.read_scores(file(WIDE.replace("knn", "n.b")), learners=["n.b", "svm"]).learners == ("n.b", "svm")


@pytest.mark.parametrize(
    ("text", "given", "says"),
    [
        (WIDE, {"dataset": "set"}, "has no column 'set': there are 'svm', 'data', 'knn'"),
        (WIDE, {"learners": ["svm", "kn"]}, "has no column 'kn': there are 'knn', 'svm'"),
        (WIDE + "zoo,high,0.1\n", {}, "column svm: row 3 is 'high', not a number; leave missing scores empty"),
        ("a,b\n0.1,0.2\n0.3,0.4\n0.3,x\n", {}, "column b: row 3 is 'x', not a number"),
        (LONG + "iris,knn,0.5\n", {}, "rows 2 and 5 both score knn on iris: name the columns that tell splits apart"),
        (LONG.replace("wine,svm", ",svm"), {}, "column dataset: row 4 has no value; fill it in"),
        (
            LONG.replace("accuracy", "a,b").replace("0.", "1,0."),
            {},
            "name the column with the scores, `score=`; there are",
        ),
        (LONG, {"score": "auc", "better": "up"}, "better is 'higher' or 'lower', not 'up'"),
        ("data,svm\niris,0.9\n", {}, "has the scores of 'svm': rank needs two"),
        (
            "data,learner,fold,train,test,s\nd,a,1,9,1,.5\nd,b,1,8,2,.5\n",
            {},
            "rows 1 and 2 are the same split of d but of 9 and 8 rows",
        ),
        ("data,learner,fold,train,test,s\nd,a,1,9,1,.5\nd,a,1,9,1,.5\n", {}, "both score a on d in the same split (1)"),
        ("data,learner,fold,train,test,s\nd,a,1,0,1,.5\nd,b,1,0,1,.5\n", {}, "sizes are at least 1"),
    ],
)
def test_mistakes_name_the_place_and_the_way_out(file, text, given, says):
    with pytest.raises(vc.BadInput, match=r"^[^\n]+$") as why:
        vc.read_scores(file(text), **given)
    assert says in str(why.value)


@given(st.lists(st.lists(st.floats(-100, 100), min_size=3, max_size=3), min_size=1, max_size=6))
def test_wide_and_long_tell_the_same(values):
    names = ["a", "b", "c"]
    wide = {
        "data": [f"d{i}" for i in range(len(values))],
        **{n: [row[j] for row in values] for j, n in enumerate(names)},
    }
    rows = [(f"d{i}", n, row[j]) for i, row in enumerate(values) for j, n in enumerate(names)]
    long = dict(zip(("data", "learner", "value"), map(list, zip(*rows, strict=True)), strict=True))
    one, other = vc.read_scores(wide), vc.read_scores(long)
    assert one.values.tolist() == other.values.tolist() == values
    assert (one.learners, one.datasets) == (other.learners, other.datasets)


def test_a_score_of_a_table_is_named_as_people_name_it(tmp_path):
    long = tmp_path / "long.csv"
    long.write_text(
        "dataset,learner,error,fbeta\n"
        + "".join(f"d{d},{a},0.{d}{k},0.{k}{d}\n" for d in range(4) for k, a in enumerate("xy"))
    )
    assert vc.read_scores(long, "error_rate").score == "error" and vc.read_scores(long, "error_rate").better == "lower"
    assert vc.read_scores(long, "F1").score == "fbeta"
    with pytest.raises(vc.BadInput, match="recall"):
        vc.read_scores(long, "recall")
    named = tmp_path / "named.csv"
    named.write_text(
        "data,learner,score,value\n"
        + "".join(f"d{d},{a},{s},0.{d}\n" for d in range(4) for a in "xy" for s in ("error", "auc"))
    )
    assert vc.read_scores(named, "roc_auc").score == "auc"


@pytest.mark.parametrize("nothing", [[], (), [[]]])
def test_no_files_are_no_scores(nothing):
    with pytest.raises(vc.BadInput, match="give at least one file"):
        vc.read_scores(nothing)


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("noise,a,b,c\n10 %,.9,.8,.7\n50 %,.8,.85,.6\n100 %,.6,.5,.55\n", {}),
        ("dataset,a,b,c\n10 %,90%,80%,70%\n50 %,80%,85%,60%\n100 %,60%,50%,55%\n", {"percent": True}),
        ("noise,a,b,c\n10 %,90%,80%,70%\n50 %,80%,85%,60%\n100 %,60%,50%,55%\n", {"percent": True, "dataset": "noise"}),
    ],
)
def test_data_sets_may_be_called_like_shares(tmp_path, text, more):
    (tmp_path / "a.csv").write_text(text)
    found = vc.read_scores(tmp_path / "a.csv", **more)
    assert found.datasets == ("10 %", "50 %", "100 %") and found.learners == ("a", "b", "c")
    assert found.values.tolist() == [[0.9, 0.8, 0.7], [0.8, 0.85, 0.6], [0.6, 0.5, 0.55]]


@pytest.mark.parametrize("truth", [["spam", "ham"], [1, 0]])
def test_a_file_of_predictions_is_no_table_of_scores(tmp_path, truth):
    """Its truth would be ranked as if it were a learner."""
    lines = [f"{row},{truth[row % 2]},0.{row % 9 + 1},0.{row % 7 + 1}" for row in range(20)]
    (tmp_path / "p.csv").write_text("\n".join(["row,y,p_a,p_b", *lines]))
    with pytest.raises(vc.BadInput, match=r"p\.csv is no table of scores but one of predictions, of its column 'y'"):
        vc.read_scores(tmp_path / "p.csv")


def test_a_learner_may_be_called_like_a_truth(tmp_path):
    (tmp_path / "s.csv").write_text("data,truth,other\n" + "\n".join(f"d{i},0.{i + 1},0.{i + 2}" for i in range(6)))
    assert vc.read_scores(tmp_path / "s.csv").learners == ("truth", "other")


@pytest.mark.parametrize("rows", [1, 2, 5, 30])
@pytest.mark.parametrize("digits", [0, 3])
@pytest.mark.parametrize("names", [[0, 1], [1.5, "b"], ["y", 7], [("a", "b"), ("c", "d")], [None, "b"]])
def test_columns_of_a_frame_may_be_called_anything(rows, digits, names):
    numbers = np.round(np.random.default_rng(rows).random((rows, 2)), digits)
    for verb in (vc.read_scores, vc.rank):
        with suppress(vc.VeracityError):
            verb(pandas.DataFrame(numbers, columns=pandas.Index(names, tupleize_cols=False)))
