"""Whether higher scores are better is told by names, asked for, or said above the answer: never a quiet guess."""

import numpy as np
import pytest
from click.testing import CliRunner

import veracity as vc
from veracity.cli.main import cli
from veracity.scores.default import better_by_name

SCORES = np.random.default_rng(0).uniform(0.1, 0.4, (12, 3)) + np.array([0.0, 0.1, 0.2])


def write(path, *learners):
    rows = "".join(f"d{row},{','.join(map(str, cells))}\n" for row, cells in enumerate(SCORES))
    path.write_text(f"data,{','.join(learners)}\n{rows}", "utf-8")


@pytest.fixture
def rank(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return lambda *words: CliRunner().invoke(cli, ["rank", *words], prog_name="veracity")


@pytest.mark.parametrize(
    ("score", "better"),
    [
        *[
            (name, "lower")
            for name in ("error", "rmse", "test_log_loss", "val_loss", "classif.ce", "RMSE", "errorRate")
        ],
        *[(name, "higher") for name in ("accuracy", "test_roc_auc", "neg_log_loss", "AUC", "weighted f1", "r2")],
        *[(name, None) for name in ("score", "result", "sentiment", "accuracy_error", "lossless", "terror")],
    ],
)
def test_names_tell_the_direction(score, better):
    assert better_by_name(score) == better
    found = vc.rank(vc.score_matrix(SCORES, score=score))
    assert found.matrix.better == (better or "higher")
    assert ("better-taken" in {note.code for note in found.notes}) == (better is None)


def test_where_no_name_tells_the_answer_says_so_first(rank, tmp_path):
    write(tmp_path / "results.csv", "nb", "tree", "knn")
    found = rank("results.csv")
    assert found.exit_code == 0
    assert found.stdout.startswith("caution: higher scores are taken to be better: give --better lower for errors")
    assert "better-taken" not in rank("results.csv", "--better", "higher").stdout
    assert rank("results.csv", "--better", "lower").stdout.startswith("nb ranks best")
    for ranking in (vc.rank(SCORES), vc.rank("results.csv"), vc.rank(vc.score_matrix(SCORES))):
        assert ranking.notes[0].weight == "caution" and "better='lower'" in ranking.notes[0].says
    for ranking in (vc.rank(SCORES, better="lower"), vc.rank(vc.read_scores("results.csv"), better="higher")):
        assert "better-taken" not in {note.code for note in ranking.notes}


@pytest.mark.parametrize(
    ("file", "learners"), [("errors.csv", ("nb", "tree", "knn")), ("results.csv", ("nb_rmse", "tree_rmse", "knn_rmse"))]
)
def test_what_is_called_errors_is_asked_about(file, learners, rank, tmp_path):
    write(tmp_path / file, *learners)
    found = rank(file)
    assert found.exit_code == 2 and found.stdout == ""
    assert "--better lower if so, or --better higher" in found.stderr
    assert rank(file, "--better", "lower").stdout.startswith(f"{learners[0]} ranks best")
    assert rank(file, "--better", "higher").stdout.startswith(f"{learners[2]} ranks best")
    with pytest.raises(vc.BadInput, match="`better='lower'` if so, or `better='higher'`"):
        vc.read_scores(file)
    assert vc.read_scores(file, better="lower").better == "lower"


def test_a_frame_with_columns_of_errors_is_asked_about():
    frame = {name: SCORES[:, place] for place, name in enumerate(("nb error", "tree error", "knn error"))}
    for read in (vc.score_matrix, vc.rank):
        with pytest.raises(vc.BadInput, match="`better='lower'` if so"):
            read(frame)
    assert vc.rank(frame, better="lower").best_first[0] == "nb error"
    assert vc.rank(frame, "rmse").best_first[0] == "nb error"


def test_a_file_of_accuracies_needs_no_caution(rank, tmp_path):
    write(tmp_path / "accuracies.csv", "nb", "tree", "knn")
    found = rank("accuracies.csv")
    assert found.stdout.startswith("knn ranks best") and "better-taken" not in found.stdout


def test_scores_of_several_kinds_are_no_learners(rank, tmp_path):
    write(tmp_path / "metrics.csv", "accuracy", "log_loss", "auc")
    assert "scores of several kinds and no learners" in rank("metrics.csv").stderr
    with pytest.raises(vc.BadInput, match="scores of several kinds"):
        vc.score_matrix({"accuracy": [0.5, 0.6], "f1": [0.4, 0.5]})
    assert vc.score_matrix({"nb": [0.5, 0.6], "f1": [0.4, 0.5]}).learners == ("nb", "f1")


@pytest.mark.parametrize("words", [("compare", "--pair", "nb,tree"), ("advise",), ("replicability",)])
def test_each_verb_takes_the_direction_that_it_asks_for(words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "errors.csv", "nb", "tree", "knn")
    verb, *others = words
    asked = CliRunner().invoke(cli, [verb, "errors.csv", *others], prog_name="veracity")
    assert asked.exit_code == 2 and "--better lower if so" in asked.stderr
    answer = CliRunner().invoke(cli, [verb, "errors.csv", *others, "--better", "lower"], prog_name="veracity")
    assert "--better" not in answer.stderr  # replicability then asks for the scores of splits
    if verb == "compare":
        assert "lower (better) than that of tree" in answer.stdout


def test_a_direction_beside_rows_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rows.csv").write_text("y,a,b\n0,0,1\n1,1,1\n", "utf-8")
    words = ("compare", "rows.csv", "--truth", "y", "--label", "a", "--label", "b", "--better", "lower")
    found = CliRunner().invoke(cli, words, prog_name="veracity")
    assert found.exit_code == 2 and "--better is for a table of scores" in found.stderr
