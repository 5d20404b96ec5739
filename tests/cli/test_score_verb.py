"""`veracity score`, from files to numbers in every form."""

import gzip
import json
import math
import re
from pathlib import Path

import pytest

P = ("score", "preds.csv", "--truth", "y", "--proba", "p", "--positive", "spam")
L = ("score", "preds.csv", "--truth", "y", "--label", "yhat", "--positive", "spam")


def test_the_json_has_the_shape_of_the_interface(said):
    found = said(*P, "error", "auc")
    assert list(found) == ["rows", "classes", "positive", "confusion", "scores", "notes"]
    assert (found["rows"], found["classes"], found["positive"]) == (8, ["ham", "spam"], "spam")
    assert found["confusion"] == [[3, 1], [1, 3]]
    assert list(found["scores"]) == ["error", "auc"]
    assert list(found["scores"]["error"]) == ["value", "low", "high", "level", "method", "better"]
    assert found["scores"]["error"]["value"] == 0.25
    assert found["scores"]["auc"]["value"] == 15 / 16
    assert all(set(note) == {"code", "weight", "says"} for note in found["notes"])


def test_wilson_of_two_errors_in_eight_rows(said):
    error = said(*P, "error")["scores"]["error"]
    assert (round(error["low"], 4), round(error["high"], 4)) == (0.0715, 0.5907)
    assert (error["level"], error["method"], error["better"]) == (0.95, "wilson", "lower")


def test_without_a_score_the_whole_scorecard_is_given(said):
    found = said(*P)
    assert {"error", "auc", "brier", "log_loss", "fbeta"} <= set(found["scores"])
    labels_only = said(*L)["scores"]
    assert "error" in labels_only and "auc" not in labels_only and "brier" not in labels_only


def test_the_key_is_the_spelling_typed(said):
    assert list(said(*P, "fbeta( beta = 2 )", "fbeta(2)")["scores"]) == ["fbeta( beta = 2 )", "fbeta(2)"]


def test_several_labels_are_several_models(said):
    found = said("score", "preds.csv", "--truth", "y", "--label", "yhat", "--label", "other", "error")
    assert list(found) == ["rows", "classes", "positive", "models", "notes"]
    assert found["models"]["yhat"]["confusion"] == [[3, 1], [1, 3]]
    assert found["models"]["other"]["scores"]["error"]["value"] == 0.25
    assert found["positive"] is None


def test_several_probabilities_are_several_models_too(run, here):
    text = (here / "preds.csv").read_text().replace("p,", "p,q,", 1)
    lines = [re.sub(r"^(\d+,\w+,[\d.]+)", r"\1,0.5", line) for line in text.split("\n")]
    (here / "two.csv").write_text("\n".join(lines))
    result = run("score", "two.csv", "--truth", "y", "--proba", "p", "--proba", "q", "--positive", "spam", "auc")
    assert re.search(r"^p +0\.9375", result.stdout, re.M) and re.search(r"^q +0\.5000", result.stdout, re.M)


def test_a_class_that_only_one_model_predicts_is_a_class_of_all(said, here):
    (here / "three.csv").write_text("y,a,b\nx,x,x\nz,z,other\nx,z,x\nz,z,z\n")
    found = said("score", "three.csv", "--truth", "y", "--label", "a", "--label", "b", "error")
    assert found["classes"] == ["other", "x", "z"]
    assert len(found["models"]["a"]["confusion"]) == 3


def test_a_probability_for_each_class(said, here):
    (here / "c.csv").write_text("y,pa,pb,pc\na,.6,.3,.1\nb,.2,.7,.1\nc,.3,.3,.4\na,.2,.5,.3\n")
    found = said("score", "c.csv", "--truth", "y", *sum((("--proba", f"{k}=p{k}") for k in "abc"), ()), "error")
    assert found["classes"] == ["a", "b", "c"] and found["scores"]["error"]["value"] == 0.25


def test_one_file_per_model_joined_by_row_id(said, here):
    head, *rows = (here / "preds.csv").read_text().strip().split("\n")
    (here / "models").mkdir()
    (here / "models" / "first.csv").write_text("\n".join([head, *rows]))
    (here / "models" / "second.csv").write_text("\n".join([head, *reversed(rows)]))
    found = said("score", "models/*.csv", "--truth", "y", "--proba", "p", "--positive", "spam", "--rows", "id", "auc")
    assert list(found["models"]) == ["first", "second"]
    assert found["models"]["first"]["scores"]["auc"] == found["models"]["second"]["scores"]["auc"]


def test_numbers(said):
    found = said("score", "preds.csv", "--truth", "n", "--number", "s", "mae")
    assert (found["classes"], found["positive"], found["confusion"]) == (None, None, None)
    gaps = [1.0, 3.5, 3.0, 0.6, 2.2, 5.0, 5.1, 3.5]
    assert math.isclose(found["scores"]["mae"]["value"], sum(gaps) / 8)


def test_values_give_labels_only_with_a_threshold(said):
    base = ("score", "preds.csv", "--truth", "y", "--value", "s", "--positive", "spam")
    assert said(*base, "auc")["confusion"] is None
    assert said(*base, "--threshold", "0", "auc")["confusion"] == [[3, 1], [1, 3]]


def test_weights_counts_and_groups_reach_the_numbers(said):
    assert math.isclose(said(*P, "--counts", "k", "error")["scores"]["error"]["value"], 4 / 11)
    assert math.isclose(said(*P, "--weights", "w", "error")["scores"]["error"]["value"], 4 / 11)
    assert "4 groups" in next(
        n["says"] for n in said(*P, "--groups", "g", "error")["notes"] if n["code"] == "clustered-rows"
    )


def test_a_line_that_stands_for_several_rows_counts_as_many(said):
    assert said(*P, "--counts", "k", "error")["rows"] == 11


def test_without_a_positive_class_the_scores_that_need_one_are_left_out_with_a_note(said):
    found = said("score", "preds.csv", "--truth", "y", "--label", "yhat")
    assert {"error", "accuracy", "kappa"} <= set(found["scores"]) and "precision" not in found["scores"]
    (note,) = [note for note in found["notes"] if note["code"] == "left-out"]
    assert "precision" in note["says"] and "recall" in note["says"] and "positive" in note["says"]


def test_a_large_file_is_counted_and_says_the_same(said, monkeypatch, here):
    import polars

    from veracity.readers import read_evidence

    polars.read_csv(here / "preds.csv").write_parquet(here / "preds.parquet")
    words = ("score", "preds.parquet", "--truth", "y", "--value", "s", "--positive", "spam", "auc")
    small = said(*words)
    for few in (10, 1):
        monkeypatch.setattr(read_evidence.read_evidence, "__kwdefaults__", {"large": 2, "few": few})
        large = said(*words)
        assert (large["rows"], large["classes"], large["positive"]) == (8, ["ham", "spam"], "spam")
        assert large["scores"]["auc"] == small["scores"]["auc"]


def test_positive_and_classes_are_read_in_the_type_of_the_column(said, here):
    (here / "i.csv").write_text("y,p\n1,.9\n0,.2\n1,.6\n0,.7\n")
    found = said("score", "i.csv", "--truth", "y", "--proba", "p", "--positive", "1", "--classes", "1,0", "auc")
    assert found["classes"] == [1, 0] and found["positive"] == 1


def test_level_side_interval_and_seed(said):
    upper = said(*P, "error", "--side", "upper", "--level", "0.9", "--interval", "clopper_pearson")["scores"]["error"]
    assert (upper["low"], upper["level"], upper["method"]) == (0, 0.9, "clopper_pearson")
    assert said(*P, "mcc", "--seed", "1") == said(*P, "mcc", "--seed", "1")


def test_an_interval_without_scores_is_put_on_all_that_allow_it(said):
    found = said(*P, "--interval", "wilson")
    assert {score["method"] for score in found["scores"].values()} == {"wilson"}
    assert "auc" not in found["scores"] and "auc" in found["notes"][0]["says"]


def test_costs_from_a_file_in_any_order_of_classes(said, here):
    (here / "costs.csv").write_text(",spam,ham\nspam,0,5\nham,1,0\n")
    for scores in ((), ("cost",), ("error",)):
        assert said(*P, "--costs", "costs.csv", *scores)["scores"]["cost"]["value"] == 6 / 8


def test_slices(said, run):
    found = said(*P, "--slices", "country", "error")
    assert found["by"] == "country" and list(found["slices"]) == ["DE", "FR"]
    assert found["slices"]["DE"]["scores"]["error"]["value"] == 0.25
    lines = run(*P, "--slices", "country", "error").stdout.split("\n")[2:]
    assert lines[0] == "score error, level 0.975, method clopper_pearson, lower is better"  # said once for all rows
    assert lines[1].split() == ["country", "rows", "value", "low", "high"]


def test_an_undefined_score_is_null_and_a_note_says_which_and_why(said):
    found = said(*P, "--threshold", "1", "precision", "error")
    assert found["scores"]["precision"]["value"] is None
    note = next(note for note in found["notes"] if note["code"] == "undefined")
    assert "precision" in note["says"] and "predicted positive" in note["says"]


def test_an_infinite_score_is_null_and_a_note_says_which(said, here):
    (here / "inf.csv").write_text("y,p\n1,0\n0,.2\n1,.6\n0,.7\n")
    found = said("score", "inf.csv", "--truth", "y", "--proba", "p", "--positive", "1", "log_loss")
    assert found["scores"]["log_loss"]["value"] is None
    assert any("log_loss" in note["says"] and "infinite" in note["says"] for note in found["notes"])


def test_only_positives_labelled(said, run):
    found = said(*L, "--labelled", "positives")
    assert "recall" in found["scores"] and "precision" not in found["scores"] and found["confusion"] is None
    assert run(*L, "--labelled", "positives", "precision").exit_code == 2


def test_facts_of_the_training_rows(said, run):
    assert said(*P, "--prior", "ham=.5", "--prior", "spam=.5", "kb_information")["scores"]["kb_information"]["value"]
    assert "sum to 1" in run(*P, "--prior", "ham=.5", "--prior", "spam=.9", "error").stderr
    assert "CLASS=SHARE" in run(*P, "--prior", "ham", "error").stderr
    numeric = ("score", "preds.csv", "--truth", "n", "--number", "s")
    assert said(*numeric, "--train-mean", "2", "relative_absolute_error")["scores"]["relative_absolute_error"]["value"]


def test_facts_of_the_training_rows_must_fit_the_target(run):
    numbers = ("score", "preds.csv", "--truth", "n", "--number", "s")
    for words, says in (
        ((*P, "--train-mean", "2"), "not of classes"),
        ((*numbers, "--train-mean", "nan"), "a finite number"),
        ((*numbers, "--prior", "spam=1"), "for classes"),
        ((*P, "--prior", "spam=nan", "--prior", "ham=0.5"), "shares sum to 1"),
    ):
        result = run(*words)
        assert (result.exit_code, result.stdout) == (2, "") and says in result.stderr


def test_sums_of_weights_in_the_matrix_have_the_same_decimals(run, here):
    (here / "w.csv").write_text("y,a,w\n1,1,107.04\n0,0,86.2\n1,0,11.26\n0,1,2\n")
    result = run("score", "w.csv", "--truth", "y", "--label", "a", "--weights", "w", "error")
    assert re.search(r"^0 +86\.2 +2\.0\n1 +11\.3 +107\.0$", result.stdout, re.MULTILINE)


def test_standard_input_and_compressed_files(run, here):
    text = (here / "preds.csv").read_text()
    (here / "preds.csv.gz").write_bytes(gzip.compress(text.encode()))
    words = ("--truth", "y", "--label", "yhat", "error")
    plain = run("score", "preds.csv", *words).stdout
    assert run("score", "preds.csv.gz", *words).stdout == plain.replace("preds.csv", "preds.csv.gz")
    assert run("score", "-", *words, stdin=text).stdout == plain.replace("preds.csv", "standard input")


def test_people_see_cautions_rows_classes_the_matrix_the_scores_then_remarks(run):
    result = run(*P, "error", "max_fbeta")
    cautions, lead, matrix, scores, remarks = result.stdout.split("\n\n")
    assert lead == "preds.csv: 8 rows, 2 classes (ham, spam), positive spam"
    assert matrix.split("\n")[1:] == [
        "truth \\ predicted  ham  spam",
        "ham                  3     1",
        "spam                 1     3",
    ]
    assert scores.startswith("score") and "wilson" in scores
    assert cautions.startswith("caution: max_fbeta: ") and remarks.startswith("remark: ")
    assert result.stderr == "" and "\x1b" not in result.stdout


@pytest.mark.parametrize("ending", ["html", "md", "tex", "csv", "json", "txt"])
def test_out_writes_by_ending(run, here, ending):
    result = run(*P, "error", "--out", f"card.{ending}")
    content = Path(f"card.{ending}").read_text("utf-8")
    assert result.exit_code == 0 and result.stdout == "" and result.stderr == f"wrote card.{ending}\n"
    marks = {
        "html": ">0.2500</td>",
        "md": "| error | 0.2500 |",
        "tex": "error & 0.2500 &",
        "csv": "error,0.25,",
        "json": '"value": 0.25',
        "txt": "error  0.2500",
    }
    assert marks[ending] in content


def test_out_and_json_together(run):
    result = run(*P, "error", "--out", "card.md", "--json")
    assert json.loads(result.stdout)["rows"] == 8
    assert Path("card.md").exists()


def test_hostile_names_of_classes_stay_text(run, here):
    (here / "evil.csv").write_text('y,yhat\n"<b>|\\x",ok\nok,ok\n"<b>|\\x","<b>|\\x"\n')
    words = ("score", "evil.csv", "--truth", "y", "--label", "yhat", "error")
    assert run(*words, "--out", "e.html").exit_code == 0
    assert "<b>" not in Path("e.html").read_text()
    assert run(*words, "--out", "e.tex").exit_code == 0
    assert r"\textless{}b\textgreater{}\textbar{}\textbackslash{}x" in Path("e.tex").read_text()
    assert run(*words, "--out", "e.md").exit_code == 0
    assert r"&lt;b&gt;\|\\x" in Path("e.md").read_text()
