"""Several files that are one table: of predictions in parts, of scores by run, data set or learner."""

from __future__ import annotations

import numpy as np
import pandas
import pytest

import veracity as vc
from veracity.core.errors import BadInput
from veracity.readers.columns import read_columns

DATA = ["iris", "glass", "wine", "zoo", "heart"]
SCORES = pandas.DataFrame(np.random.default_rng(2).random((5, 3)).round(4), index=DATA, columns=["nb", "tree", "knn"])
PREDICTIONS = pandas.DataFrame(
    {
        "id": range(40),
        "y": np.arange(40) % 2,
        "p": np.random.default_rng(3).random(40).round(6),
        "w": np.arange(40) + 1.0,
    }
)


@pytest.fixture
def parts(tmp_path):
    """Three parts in three formats, of uneven sizes."""
    first, second, third = np.split(np.arange(40), [7, 25])
    PREDICTIONS.iloc[first].to_csv(tmp_path / "a.csv", index=False)
    PREDICTIONS.iloc[second].to_parquet(tmp_path / "b.parquet")
    PREDICTIONS.iloc[third].to_json(tmp_path / "c.jsonl", orient="records", lines=True)
    return [tmp_path / name for name in ("a.csv", "b.parquet", "c.jsonl")]


def said(call) -> str:
    with pytest.raises(BadInput) as caught:
        call()
    return str(caught.value)


def test_parts_are_read_as_the_whole(parts):
    asked = {"truth": "y", "proba": "p", "positive": 1, "rows": "id", "weights": "w"}
    whole, joined = vc.read_predictions(PREDICTIONS, **asked), vc.read_predictions(parts, **asked)
    for name in ("truth", "proba", "rows", "weights"):
        np.testing.assert_array_equal(getattr(whole, name), getattr(joined, name))


def test_a_row_is_named_by_its_own_file(parts, tmp_path):
    table = PREDICTIONS.iloc[7:25].copy()
    table.iloc[4, 2] = 1.2
    table.to_parquet(tmp_path / "b.parquet")
    asked = {"truth": "y", "proba": "p", "positive": 1}
    sentence = said(lambda: vc.read_predictions(parts, **asked)).replace(f"{tmp_path}/", "")
    assert sentence == (
        "a.csv and 2 more files, column p: row 5 of b.parquet is 1.2; probabilities must lie between 0 and 1"
    )
    table.iloc[4, 2] = None
    table.to_parquet(tmp_path / "b.parquet")
    sentence = said(lambda: vc.read_predictions(parts, **asked)).replace(f"{tmp_path}/", "")
    assert sentence.startswith("a.csv and 2 more files, column p: row 5 of b.parquet has no value")
    p = vc.read_predictions(parts, **asked, missing="drop")
    assert len(p) == 39


def test_parts_that_do_not_fit(parts, tmp_path):
    assert said(lambda: read_columns([*parts, {"z": [1]}], ["y"])).startswith("the frame has no column 'y'")
    (tmp_path / "d.csv").write_text("id,y,p,w\nx,yes,0.3,1\n")
    sentence = said(lambda: read_columns([*parts, tmp_path / "d.csv"], ["y"])).replace(f"{tmp_path}/", "")
    assert sentence == "column y holds numbers in a.csv and text in d.csv: make them alike"
    assert said(lambda: read_columns([], ["y"])) == "give at least one file"


def test_a_missing_cell_of_a_later_part_keeps_its_place(tmp_path):
    (tmp_path / "a.csv").write_text("y,t\n1,a\n2,b\n")
    (tmp_path / "b.csv").write_text("y,t\n,c\n4,\n")
    found = read_columns([tmp_path / "a.csv", tmp_path / "b.csv"])
    assert found["y"].tolist() == [1, 2, None, 4]
    assert found["t"].tolist() == ["a", "b", "c", None]
    assert found.missing == {"y": 2, "t": 3}


def table(tmp_path, name, frame):
    frame.to_csv(tmp_path / name)
    return tmp_path / name


def by_rows(tmp_path):
    named = SCORES.rename_axis("dataset")
    return [table(tmp_path, "one.csv", named.iloc[:2]), table(tmp_path, "two.csv", named.iloc[2:])]


def by_columns(tmp_path):
    named = SCORES.rename_axis("dataset")
    return [table(tmp_path, "one.csv", named[["nb", "tree"]]), table(tmp_path, "two.csv", named[["knn"]])]


def by_learner(tmp_path):
    each = {name: SCORES[[name]].rename(columns={name: "auc"}).rename_axis("dataset") for name in SCORES}
    return [table(tmp_path, f"{name}.csv", frame) for name, frame in each.items()]


def by_dataset(tmp_path):
    each = {name: SCORES.loc[name].rename("score").rename_axis("learner") for name in DATA}
    return [table(tmp_path, f"{name}.csv", frame) for name, frame in each.items()]


def in_long_form(tmp_path):
    long = SCORES.rename_axis("dataset").reset_index().melt("dataset", var_name="learner", value_name="score")
    parts = [long.iloc[:4], long.iloc[4:].assign(comment="late")]
    return [table(tmp_path, f"{k}.csv", part.set_index("dataset")) for k, part in enumerate(parts)]


@pytest.mark.parametrize("files", [by_rows, by_columns, by_learner, by_dataset, in_long_form])
def test_tables_of_scores_in_several_files(tmp_path, files):
    matrix = vc.read_scores(files(tmp_path), "auc" if files is by_learner else None)
    found = pandas.DataFrame(matrix.values, index=matrix.datasets, columns=matrix.learners)
    pandas.testing.assert_frame_equal(found.loc[DATA, list(SCORES)], SCORES, check_names=False)


def weka(tmp_path, run, fold_of_rows=10):
    header = "Key_Dataset,Key_Run,Key_Fold,Key_Scheme,Key_Scheme_options,Key_Scheme_version_ID,"
    sizes = "Number_of_training_instances,Number_of_testing_instances,Percent_correct\n"
    lines = [
        f"{data},{run},{fold},weka.{scheme},'',1,90,10,{70 + (run * 3 + fold * (2 if scheme == 'J48' else 3)) % 17}\n"
        for data in ("iris", "glass")
        for scheme in ("J48", "NaiveBayes")
        for fold in range(fold_of_rows)
    ]
    (tmp_path / f"run{run}.csv").write_text(header + sizes + "".join(lines))
    return tmp_path / f"run{run}.csv"


def test_results_of_weka_in_a_file_for_each_run(tmp_path):
    files = [weka(tmp_path, run) for run in (1, 2, 3)]
    lines = [file.read_text().splitlines(keepends=True) for file in files]
    (tmp_path / "all.csv").write_text("".join([lines[0][0], *(line for part in lines for line in part[1:])]))
    one, several = vc.read_scores(tmp_path / "all.csv"), vc.read_scores(files)
    np.testing.assert_array_equal(one.values, several.values)
    for mine, other in zip(one.splits, several.splits, strict=True):
        for a, b in zip(mine, other, strict=True):
            np.testing.assert_array_equal(a.values, b.values)
            np.testing.assert_array_equal(a.repeats, b.repeats)
            assert len(set(a.repeats.tolist())) == 3


def test_scores_that_stand_in_two_files(tmp_path):
    one = table(tmp_path, "one.csv", SCORES.rename_axis("dataset"))
    two = table(tmp_path, "two.csv", SCORES.rename_axis("dataset"))
    assert said(lambda: vc.read_scores([one, two])).replace(f"{tmp_path}/", "") == (
        "the data set 'iris' stands in rows 1 of one.csv and 1 of two.csv: name the column that tells runs apart, "
        "`repeat=`, or give each data set once"
    )
    files = [weka(tmp_path, 1), weka(tmp_path, 2)]
    files[1].write_text(files[0].read_text())
    assert "run1.csv and 1 of" in said(lambda: vc.read_scores(files)).replace(f"{tmp_path}/", "")


def test_scores_in_per_cent_are_offered(tmp_path):
    (tmp_path / "a.csv").write_text('dataset;nb;tree\niris;"93,5 %";90 %\nglass;70 %;\n')
    assert said(lambda: vc.read_scores(tmp_path / "a.csv")).endswith(
        "column nb: row 1 holds '93,5 %': if that is per cent, give `percent=True` and give `decimal=','`"
    )
    matrix = vc.read_scores(tmp_path / "a.csv", percent=True, decimal=",")
    np.testing.assert_array_equal(matrix.values, [[0.935, 0.9], [0.7, np.nan]])


def test_rank_takes_a_list_of_files(tmp_path):
    found = vc.rank([str(file) for file in by_rows(tmp_path)], better="higher")
    assert found.to_json() == vc.rank(SCORES.rename_axis("dataset").reset_index(), better="higher").to_json()


def test_sizes_of_splits_that_no_table_has_change_nothing(tmp_path):
    matrix = vc.read_scores([str(file) for file in by_columns(tmp_path)], better="higher", train=90, test=10)
    np.testing.assert_array_equal(matrix.values, SCORES.to_numpy())
    assert matrix.splits is None
