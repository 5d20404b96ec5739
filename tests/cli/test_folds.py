"""Files that hold the predictions of several models, as OpenML, caret and tidymodels write them."""

import numpy as np
import pytest

ROWS, K, REPEATS = 60, 5, 2


def table(noise, seed=0):
    """Lines of (repeat, fold, row, truth, probability) of two cross-validations of the same rows."""
    random = np.random.default_rng(3)
    truth = (np.arange(ROWS) % 2).astype(int)
    folds = [random.permutation(np.arange(ROWS) % K) for _ in range(REPEATS)]
    own = np.random.default_rng(seed)
    for repeat, fold in enumerate(folds):
        value = np.clip(own.normal(0.3 + 0.4 * truth, noise), 0.01, 0.99).round(4)
        yield from ((repeat, int(fold[row]), row, int(truth[row]), float(value[row])) for row in range(ROWS))


def write_csv(path, header, lines):
    path.write_text("\n".join([header, *(",".join(map(str, line)) for line in lines)]) + "\n")


@pytest.fixture
def files(here):
    lines = list(table(0.2))
    write_csv(here / "openml.csv", "repeat,fold,row_id,correct,p", lines)
    write_csv(here / "other.csv", "repeat,fold,row_id,correct,p", table(0.3, seed=1))
    head = "@relation predictions\n@attribute repeat numeric\n@attribute fold numeric\n@attribute row_id numeric\n"
    body = "".join(",".join(map(str, line)) + "\n" for line in lines)
    arff = f"{head}@attribute correct {{0,1}}\n@attribute p numeric\n@data\n{body}"
    (here / "predictions.arff").write_text(arff)
    caret = ((f"Fold{fold + 1}.Rep{repeat + 1}", row, truth, p) for repeat, fold, row, truth, p in lines)
    write_csv(here / "caret.csv", "Resample,rowIndex,obs,p", caret)
    tidy = ((f"Repeat{repeat + 1}", f"Fold{fold + 1}", row, truth, p) for repeat, fold, row, truth, p in lines)
    write_csv(here / "tidy.csv", "id,id2,.row,truth,.pred_1", tidy)
    write_csv(here / "one.csv", "fold,row_id,correct,p", (line[1:] for line in lines if line[0] == 0))
    return here


OPENML = ("--truth", "correct", "--proba", "p", "--positive", "1")
SPLITS = ("--fold", "fold", "--repeat", "repeat", "--rows", "row_id")
WAYS = {
    "openml.csv": (OPENML, SPLITS),
    "predictions.arff": (OPENML, SPLITS),
    "caret.csv": (("--truth", "obs", "--proba", "p", "--positive", "1"), ("--fold", "Resample", "--rows", "rowIndex")),
    "tidy.csv": (
        ("--truth", "truth", "--proba", ".pred_1", "--positive", "1"),
        ("--repeat", "id", "--fold", "id2", "--rows", ".row"),
    ),
    "one.csv": (OPENML, ("--fold", "fold")),
}


def codes(notes):
    return {note["code"] for note in notes}


@pytest.mark.parametrize("file", WAYS)
def test_a_file_that_looks_like_splits_is_told_of(files, said, file):
    columns, _ = WAYS[file]
    answer = said("score", file, *columns, "error")
    assert "looks-like-splits" in codes(answer["notes"])


@pytest.mark.parametrize("file", WAYS)
def test_named_splits_are_read_as_those_of_runs(files, said, file):
    columns, splits = WAYS[file]
    answer = said("score", file, *columns, *splits, "error", "auc")
    assert "looks-like-splits" not in codes(answer["notes"]) and "several-models" in codes(answer["notes"])
    name = f"kfold(k={K})" if file == "one.csv" else f"repeated_kfold(k={K}, repeats={REPEATS})"
    assert {row["by"] for row in answer["scores"].values()} == {name}
    assert not {row["method"] for row in answer["scores"].values()} & {"wilson", "delong", "delong_logit"}


def test_all_forms_of_the_same_predictions_agree(files, said):
    answers = [
        said("score", file, *columns, *splits, "error", "auc")["scores"]
        for file, (columns, splits) in WAYS.items()
        if file != "one.csv"
    ]
    assert all(one == answers[0] for one in answers)


def test_models_of_the_same_folds_are_compared_as_learners(files, said, run):
    answer = said("compare", "openml.csv", "other.csv", *OPENML, *SPLITS, "error")
    assert answer["using"] not in ("mcnemar", "mcnemar_midp") and answer["p_value"] > 0
    plain = said("compare", "openml.csv", "other.csv", *OPENML, "error")
    assert "looks-like-splits" in codes(plain["notes"])
    refused = run("compare", "openml.csv", "other.csv", *OPENML, *SPLITS, "--using", "mcnemar", "error")
    assert refused.exit_code == 2 and "cannot be had from the splits" in refused.stderr


def test_a_curve_of_folds_has_no_band(files, said, run):
    answer = said("curve", "one.csv", *OPENML, "--fold", "fold", "--kind", "roc")
    assert "several-models" in codes(answer["notes"]) and answer["facts"]["folds"] == K
    refused = run("curve", "one.csv", *OPENML, "--fold", "fold", "--kind", "roc", "--level", "0.95")
    assert refused.exit_code == 2 and "a band is about one fixed model" in refused.stderr


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--fold", "fold", "--repeat", "repeat"), "name the column that says which row it is: --rows"),
        (("--fold", "nofold"), "has no column 'nofold'"),
    ],
)
def test_splits_that_cannot_be_read(files, run, words, says):
    result = run("score", "openml.csv", *OPENML, *words, "error")
    assert result.exit_code == 2 and says in result.stderr


def test_a_fold_column_with_one_value(files, run):
    write_csv(files / "same.csv", "fold,y,yhat", [(1, 0, 0), (1, 1, 1), (1, 0, 1)])
    result = run("score", "same.csv", "--truth", "y", "--label", "yhat", "--fold", "fold", "error")
    assert result.exit_code == 2 and "column fold holds one value" in result.stderr


@pytest.mark.parametrize("name", ["split", "set", "Partition"])
def test_a_column_that_says_which_rows_trained_is_told_of(files, said, name):
    write_csv(files / "parts.csv", f"{name},y,yhat", [("train", 0, 0), ("train", 1, 1), ("test", 0, 1)])
    answer = said("score", "parts.csv", "--truth", "y", "--label", "yhat", "error")
    says = [note["says"] for note in answer["notes"] if note["code"] == "looks-like-splits"]
    assert len(says) == 1 and f"the column {name} says which rows trained" in says[0]


def test_folds_in_order_are_seen_in_a_long_file(files, said):
    write_csv(files / "long.csv", "fold,y,yhat", ((k // 110_000, k % 2, 1) for k in range(220_000)))
    answer = said("score", "long.csv", "--truth", "y", "--label", "yhat", "error")
    assert "looks-like-splits" in codes(answer["notes"])


@pytest.mark.parametrize("verb", [("score", "error"), ("best_threshold", "youden")])
def test_repeats_are_no_new_rows(files, said, verb):
    answer = said(verb[0], "openml.csv", *OPENML, *SPLITS, verb[1])
    assert answer["rows"] == ROWS


def test_a_threshold_says_what_its_file_looks_like(files, said):
    assert "looks-like-splits" in codes(said("best_threshold", "one.csv", *OPENML, "youden")["notes"])


def test_resamples_need_their_rows(files, said, run):
    lines = [(f"Resample{k:02d}", row, row % 2, 1) for k in range(3) for row in range(20) if (row + k) % 3]
    write_csv(files / "boot.csv", "Resample,rowIndex,obs,pred", lines)
    columns = ("--truth", "obs", "--label", "pred", "error")
    plain = said("score", "boot.csv", *columns)
    assert any("`fold='Resample'` `rows=COLUMN`" in note["says"] for note in plain["notes"])
    result = run("score", "boot.csv", *columns, "--fold", "Resample")
    assert result.exit_code == 2 and "which row it is: --rows" in result.stderr
