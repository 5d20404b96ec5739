"""Files of other tools are recognised by their columns and refused, with what to give instead."""

import json
import shlex
from pathlib import Path

import numpy as np
import pandas
import pytest
from click.testing import CliRunner
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.tree import DecisionTreeClassifier

import veracity as vc
from veracity.cli.main import cli
from veracity.readers.layouts import LAYOUTS, recognise


def cv_results(scoring=None):
    rows, classes = load_breast_cancer(return_X_y=True)
    search = GridSearchCV(DecisionTreeClassifier(), {"max_depth": [1, 2, 3]}, scoring=scoring, refit=False, cv=3)
    return pandas.DataFrame(search.fit(rows[:90, :4], classes[:90]).cv_results_)


def cross_validated(scoring=None):
    rows, classes = load_breast_cancer(return_X_y=True)
    given = {"cv": 3, "scoring": scoring, "return_train_score": True}
    return pandas.DataFrame(cross_validate(DecisionTreeClassifier(), rows[:90, :4], classes[:90], **given))


def caret():
    draws = np.random.default_rng(0).uniform(0.8, 0.95, (10, 2))
    table = {"Resample": [f"Fold{i:02}" for i in range(1, 11)]}
    for name, accuracy in zip(("rf", "knn"), draws.T, strict=True):
        table |= {f"{name}~Accuracy": accuracy, f"{name}~Kappa": 2 * accuracy - 1}
    return pandas.DataFrame(table)


def tidymodels():
    return pandas.DataFrame(
        {
            ".metric": ["accuracy", "roc_auc"],
            ".estimator": ["binary", "binary"],
            "mean": [0.8, 0.9],
            "n": [10, 10],
            "std_err": [0.01, 0.02],
            ".config": ["pre0_mod0", "pre0_mod0"],
        }
    )


def keras():
    return pandas.DataFrame(
        {
            "epoch": [0, 1],
            "accuracy": [0.5, 0.7],
            "loss": [0.7, 0.6],
            "val_accuracy": [0.5, 0.6],
            "val_loss": [0.7, 0.65],
        }
    )


def optuna():
    when = ["2024-01-01 10:00:00", "2024-01-01 10:00:09"]
    table = {"number": [0, 1], "value": [0.8, 0.9], "datetime_start": when, "datetime_complete": when}
    return pandas.DataFrame({**table, "duration": ["0 days", "0 days"], "params_C": [1.0, 2.0], "state": "COMPLETE"})


def mlflow():
    table = {"run_id": ["a", "b"], "experiment_id": ["0", "0"], "status": "FINISHED", "artifact_uri": "mlruns/0"}
    return pandas.DataFrame({**table, "metrics.accuracy": [0.8, 0.9], "params.model": ["nb", "tree"]})


TABLES = {
    "cv_results_ of a scikit-learn search": cv_results,
    "output of scikit-learn's cross_validate": cross_validated,
    "resamples of caret": caret,
    "tidymodels' metrics": tidymodels,
    "history of a Keras fit": keras,
    "Optuna's trials": optuna,
    "MLflow's runs": mlflow,
}


def promptfoo(repeats=2, questions=20):
    return [
        {
            "description": None,
            "failureReason": 0,
            "gradingResult": {"pass": bool(model or question % 3), "score": 1, "componentResults": []},
            "id": f"{model}-{question}-{again}",
            "latencyMs": 12,
            "namedScores": {},
            "prompt": {"raw": f"Answer {question}", "label": "Answer"},
            "promptId": f"p{model}",
            "promptIdx": model,
            "provider": {"id": f"openai:gpt-{model}", "label": ""},
            "response": {"output": "a"},
            "score": 1,
            "success": bool(model or question % 3),
            "testCase": {"vars": {"question": f"q{question}"}, "assert": []},
            "testIdx": question + questions * again,
            "vars": {"question": f"q{question}"},
        }
        for model in range(2)
        for question in range(questions)
        for again in range(repeats)
    ]


def lm_eval(filters=("none",)):
    return [
        {
            "doc_id": item,
            "doc": {"question": f"q{item}", "choices": ["a", "b"], "answer": item % 2},
            "target": str(item % 2),
            "arguments": {"gen_args_0": {"arg_0": f"Q{item}", "arg_1": " A"}},
            "resps": [[["-1.2", "False"]], [["-2.2", "False"]]],
            "filtered_resps": [["-1.2", "False"], ["-2.2", "False"]],
            "filter": name,
            "metrics": ["acc"],
            "doc_hash": f"d{item}",
            "prompt_hash": f"p{item}",
            "target_hash": f"t{item % 2}",
            "acc": float(item % 3 == 0),
        }
        for name in filters
        for item in range(30)
    ]


def openai_evals():
    told = {"run_id": "r", "created_by": "", "created_at": "2024-01-01"}
    events = []
    for item in range(30):
        data = {"correct": item % 3 == 0, "expected": "ABC"[item % 3], "picked": "A" if item % 2 else None}
        events += [
            {**told, "event_id": 2 * item, "sample_id": f"s.{item}", "type": "sampling", "data": {"sampled": ["A"]}},
            {**told, "event_id": 2 * item + 1, "sample_id": f"s.{item}", "type": "match", "data": data},
        ]
    return [{"spec": {"eval_name": "x"}}, *events, {"final_report": {"accuracy": 1 / 3}}]


def inspect_samples():
    return [
        {
            "sample_id": f"u{item}-{epoch}",
            "eval_id": "e1",
            "log": "a.eval",
            "id": item,
            "epoch": epoch,
            "input": f"q{item}",
            "target": "AB"[item % 2],
            "score_match": float(item % 3 == 0),
        }
        for item in range(20)
        for epoch in (1, 2)
    ]


LOGS = {
    "promptfoo's output": promptfoo,
    "samples of lm-evaluation-harness": lm_eval,
    "log of OpenAI's evals": openai_evals,
    "Inspect's samples": inspect_samples,
}


@pytest.fixture
def shell(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("VERACITY_TRACEBACK", raising=False)
    return lambda *words: CliRunner().invoke(cli, words, prog_name="veracity")


def write(rows):
    Path("log.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")


@pytest.mark.parametrize("what", TABLES)
def test_a_table_of_another_tool_is_not_ranked(what, shell):
    table = TABLES[what]()
    for index in (False, True):
        table.to_csv("of_tool.csv", index=index)
        for verb in ("rank", "compare", "score"):
            found = shell(verb, "of_tool.csv")
            assert (found.exit_code, found.stdout) == (2, "")
            assert f"of_tool.csv is the {what}" in found.stderr or f"of_tool.csv is a table of {what}" in found.stderr
            assert "='" not in found.stderr  # the command line's own words
    for read in (vc.rank, vc.read_scores, vc.score_matrix, lambda one: vc.rank("of_tool.csv"), vc.read_predictions):
        with pytest.raises(vc.BadInput, match=what) as caught:
            read(table)
        assert "--" not in str(caught.value)


@pytest.mark.parametrize("make", [cv_results, cross_validated])
def test_several_scores_of_scikit_learn_are_recognised_too(make):
    with pytest.raises(vc.BadInput, match="scikit-learn"):
        vc.rank(make(["accuracy", "roc_auc"]))


def test_resamples_of_caret_are_read_as_the_sentence_says(shell):
    caret().to_csv("resamples.csv", index=False)
    says = shell("rank", "resamples.csv").stderr
    line = "--only rf~Accuracy --only knn~Accuracy --fold Resample --train 135 --test 15 --using corrected_t"
    assert line.replace("rf", "A").replace("knn", "B").replace("135", "ROWS").replace("15", "ROWS") in says
    found = shell("rank", "resamples.csv", *line.split(), "--json")
    assert found.exit_code == 0, found.stderr
    (pairs,) = json.loads(found.stdout)["datasets"].values()
    values = caret()
    splits = vc.split_scores({"a": values["rf~Accuracy"], "b": values["knn~Accuracy"]}, train=135, test=15)
    one = vc.compare(splits, using="corrected_t")
    assert pairs[0]["p_value"] == pytest.approx(one.p_value)
    learners = ["rf~Accuracy", "knn~Accuracy"]
    table = vc.read_scores(values, learners=learners, fold="Resample", train=135, test=15)
    assert vc.rank(table, using="corrected_t").to_json()["datasets"]["data"] == pairs


def test_runs_of_mlflow_are_read_where_their_columns_are_named(shell):
    table = pandas.concat([mlflow(), mlflow()]).assign(**{"params.data": ["x", "x", "y", "y"]})
    found = vc.read_scores(table, "metrics.accuracy", dataset="params.data", learner="params.model")
    assert found.learners == ("nb", "tree") and found.datasets == ("x", "y")


@pytest.mark.parametrize("what", LOGS)
def test_a_log_of_another_tool_is_not_taken_for_plain_rows(what, shell):
    write(LOGS[what]())
    found = shell("score", "log.jsonl")
    assert found.exit_code == 2 and what in found.stderr and "perhaps" not in found.stderr
    with pytest.raises(vc.BadInput, match=what):
        vc.read_predictions("log.jsonl")
    truth = "data.expected" if what.startswith("log") else "target"
    for words in ({"truth": truth, "label": truth}, {"truth": truth, "label": "id"}):
        with pytest.raises(vc.BadInput, match=what):
            vc.read_predictions("log.jsonl", **words)


def test_repeats_of_promptfoo_count_as_tries_of_a_question(shell):
    write(promptfoo())
    call = ("compare", "log.jsonl", "--correct", "success", "--model", "provider.id", "--rows")
    for rows in ("testIdx", "id"):
        assert "--rows vars.NAME" in shell(*call, rows).stderr
    assert "promptfoo" in shell("score", "log.jsonl", "--correct", "success").stderr
    found = shell(*call, "vars.question", "--json")
    assert found.exit_code == 0, found.stderr
    tries = json.loads(found.stdout)
    assert any("20 items, tried 2 times" in note["says"] for note in tries["notes"])
    write(promptfoo(repeats=1))
    once = json.loads(shell(*call, "vars.question", "--json").stdout)
    assert once["difference"] == pytest.approx(tries["difference"])
    table = pandas.json_normalize(promptfoo())
    with pytest.raises(vc.BadInput, match="promptfoo"):
        vc.read_predictions(table, correct="success", model="provider.id", rows="testIdx")
    models = vc.read_predictions(table, correct="success", model="provider.id", rows="vars.question")
    assert [len(one) for one in models.values()] == [20, 20]


def test_the_csv_of_promptfoo_is_refused(shell):
    header = "question,[openai:gpt] Answer,Status,Score,Named Scores,Grader Reason,Comment"
    Path("out.csv").write_text(f"{header}\nq1,a,PASS,1.00,,,\nq1,b,FAIL,0.00,,,\n", "utf-8")
    for words in ((), ("--correct", "Score")):
        assert "out.csv is promptfoo's output" in shell("score", "out.csv", *words).stderr


def test_grades_of_lm_eval_are_read_and_filters_kept_apart(shell):
    write(lm_eval())
    assert vc.score(vc.read_predictions("log.jsonl", correct="acc", rows="doc_id"), "accuracy") == pytest.approx(1 / 3)
    write(lm_eval(("strict-match", "flexible-extract")))
    for rows in ((), ("--rows", "doc_id")):
        says = shell("score", "log.jsonl", "--correct", "acc", *rows).stderr
        assert "'strict-match', 'flexible-extract'" in says and "--model filter --rows doc_id" in says
    found = shell("score", "log.jsonl", "--correct", "acc", "--model", "filter", "--rows", "doc_id", "--json")
    assert json.loads(found.stdout)["rows"] == 30


def test_matches_of_openai_evals_are_read_as_the_sentence_says(shell):
    write(openai_evals())
    line = "--correct data.correct --rows sample_id --missing drop"
    assert line in shell("score", "log.jsonl").stderr
    found = json.loads(shell("score", "log.jsonl", *line.split(), "--json").stdout)
    assert found["rows"] == 30 and found["scores"]["accuracy"]["value"] == pytest.approx(1 / 3)


def test_an_ordinary_file_with_some_of_these_names_is_read():
    rows = {"doc_id": [1, 2, 3, 4], "target": [0, 1, 0, 1], "pred": [0, 1, 1, 1], "filter": list("abab"), "id": [9] * 4}
    assert len(vc.read_predictions(rows, truth="target", label="pred", rows="doc_id")) == 4
    scores = {"Resample": ["a", "b", "c"], "nb": [1, 2, 3.5], "loss": [2, 3, 4.5]}
    assert vc.score_matrix(scores).learners == ("nb", "loss")
    assert vc.read_scores({"data": ["a", "b"], "loss": [1, 2.5], "test_nb": [3, 4.5]}).learners == ("loss", "test_nb")


def test_aggregates_of_mlr3_are_read_by_their_names():
    table = {"nr": [1, 2], "task_id": ["iris"] * 2, "learner_id": ["rpart", "ranger"], "resampling_id": ["cv"] * 2}
    found = vc.read_scores({**table, "iters": [10, 10], "classif.ce": [0.1, 0.2]}, "classif.ce")
    assert found.learners == ("rpart", "ranger") and found.datasets == ("iris",)


def test_a_layout_has_several_columns_of_its_own():
    for layout in LAYOUTS:
        assert len(layout.columns) + len(layout.also) > 1
        assert all(recognise(layout.columns - {name}) is not layout for name in layout.columns)


def training_tables():
    draw = np.random.default_rng(0)
    table = {"age": draw.integers(18, 80, 300), "chol": draw.normal(200, 30, 300).round()}
    yield pandas.DataFrame({**table, "target": draw.integers(0, 2, 300)}), "target"
    more = {"debt": draw.random(300), "smoker": draw.integers(0, 2, 300)}
    yield pandas.DataFrame({**table, **more, "class": draw.choice(["sick", "well"], 300)}), "class"
    yield load_breast_cancer(as_frame=True).frame, "target"
    yield load_diabetes(as_frame=True).frame, "target"


@pytest.mark.parametrize("place", range(4))
def test_features_are_not_offered_as_predictions(place, shell):
    table, target = list(training_tables())[place]
    table.to_csv("train.csv", index=False)
    for words in (("score", "train.csv"), ("score", "train.csv", "--truth", target), ("rank", "train.csv")):
        says = shell(*words).stderr
        assert f"veracity estimate train.csv --target {target} --learner sklearn." in says, says
        assert "perhaps" not in says and "--value" not in says.partition("train.csv has")[2]
    with pytest.raises(vc.BadInput, match=r"evaluate\(learner, X, y\)"):
        vc.read_predictions("train.csv")


def test_the_line_that_tries_learners_runs(shell):
    table, _ = next(training_tables())
    table.head(60).to_csv("train.csv", index=False)
    line = shell("score", "train.csv").stderr.rpartition("veracity ")[2]
    assert shell(*shlex.split(line), "--json").exit_code == 0


@pytest.mark.parametrize(
    ("table", "options"),
    [
        ("id,y,rf,svm\n1,0,0.2,0.3\n2,1,0.7,0.6\n3,0,0.4,0.6\n", "--truth y --proba rf --proba svm --positive 1"),
        ("y,a,b\n1,0,1\n0,0,1\n1,1,1\n", "--truth y --label a --label b"),
        ("y,age,predicted\n1,30,1\n0,40,0\n1,50,0\n", "--truth y --label predicted"),
        ("y,ols\n" + "".join(f"{k}.5,{k * 0.9}\n" for k in range(40)), "--truth y --number ols"),
    ],
)
def test_predictions_are_still_found(table, options, shell):
    Path("f.csv").write_text(table, "utf-8")
    assert shell("score", "f.csv").stderr.strip().endswith(f"perhaps: veracity score f.csv {options}")
