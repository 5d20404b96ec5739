"""`--grade`: logs of graded answers on the command line."""

import json

import numpy as np
import pytest

import veracity as vc

ANSWERS = [
    (q, m, s, (q * 3 + s * 5) % 4 > least)
    for q in range(12)
    for m, least in (("old", 1), ("new", 0))
    for s in (1, 2, 3)
]


@pytest.fixture
def log(here):
    """Twelve questions about four passages, three answers of each of two models."""
    lines = [
        {"question": f"q{q}", "passage": q // 3, "model": m, "sample": s, "score": int(ok), "stars": 1 + (q + s) % 5}
        for q, m, s, ok in ANSWERS
    ]
    (here / "log.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n", "utf-8")
    return "log.jsonl"


OF_LOG = ("--grade", "score", "--item", "question", "--repeat", "sample", "--model", "model", "--groups", "passage")


def of_model(name):
    own = [(q, s, ok) for q, m, s, ok in ANSWERS if m == name]
    item, repeat, grade = zip(*own, strict=True)
    return vc.graded(grade, item=item, repeat=repeat, groups=[q // 3 for q in item])


def test_compare_answers_as_python_does(said, log):
    found = said("compare", log, *OF_LOG)
    answer = vc.compare({"old": of_model("old"), "new": of_model("new")}, "mean")
    for name in ("score", "using", "a", "b", "difference", "low", "high", "p_value", "df", "groups"):
        assert found[name] == answer.to_json()[name]
    assert (found["score"], found["using"], found["groups"]) == ("mean", "paired_loss_t", 4)


def test_higher_is_better_in_words(run, log):
    assert "higher (better)" in run("compare", log, "--grade", "stars", "--item", "question", "--grade", "score").stdout
    shown = run("compare", log, *OF_LOG).stdout
    assert "lower (worse) than that of new" in shown
    assert "two models, the same 12 graded items [default]" in shown


def test_score_has_each_model_and_its_direction(said, log):
    found = said("score", log, *OF_LOG, "mean", "pass_at(k=3)")
    assert found["rows"] == 12 and found["classes"] is None
    for name in ("old", "new"):
        scores = found["models"][name]["scores"]
        assert scores["mean"]["better"] == "higher"
        assert scores["mean"]["value"] == vc.score(of_model(name), "mean")
        assert scores["pass_at(k=3)"]["value"] == vc.score(of_model(name), "pass_at(k=3)")


def test_what_was_read_is_told(run, log):
    assert run("score", log, *OF_LOG).stdout.count("log.jsonl: 12 graded items\n") == 1


def test_one_file_for_each_model(said, here, log):
    lines = [json.loads(line) for line in (here / log).read_text().splitlines()]
    for name in ("old", "new"):
        own = [line for line in lines if line["model"] == name]
        (here / f"{name}.jsonl").write_text("\n".join(map(json.dumps, own[:: 1 if name == "old" else -1])))
    options = ("--grade", "score", "--item", "question", "--repeat", "sample", "--groups", "passage")
    assert said("compare", "old.jsonl", "new.jsonl", *options)["p_value"] == said("compare", log, *OF_LOG)["p_value"]


def test_slices_are_of_items(said, log):
    found = said("score", log, "--grade", "score", "--item", "question", "--model", "model", "--slices", "passage")
    of_first = [np.mean([ok for q, m, _, ok in ANSWERS if m == "old" and q == item]) for item in range(3)]
    assert found["slices"]["0"]["models"]["old"]["scores"]["mean"]["value"] == pytest.approx(np.mean(of_first))


def test_the_page_says_that_higher_is_better(run, here, log):
    assert run("report", log, *OF_LOG, "--out", "page.html").exit_code == 0
    page = (here / "page.html").read_text("utf-8")
    assert "higher is better" in page and "lower is better" not in page.replace("(lower is better)", "")


def test_true_and_false_are_grades(said, here):
    (here / "log.csv").write_text("q,ok\na,true\nb,FALSE\nc,True\nd,true\n")
    assert said("score", "log.csv", "--grade", "ok", "--item", "q", "mean")["scores"]["mean"]["value"] == 0.75


@pytest.mark.parametrize("verb", ["score", "compare", "report"])
@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--grade", "score"), "which item, such as a question, each grade is of, --item"),
        (("--item", "question"), "--item says what each grade is of, but no grades are named, --grade"),
        (("--grade", "mark", "--item", "question"), "log.jsonl has no column 'mark'"),
        (("--grade", "score", "--item", "id"), "log.jsonl has no column 'id'"),
        (
            ("--grade", "question", "--item", "sample"),
            "log.jsonl, column question: row 1 holds 'q0', which is not a number",
        ),
        (
            ("--grade", "score", "--item", "question", "--repeat", "sample"),
            "column sample: rows 1 and 4 are both repeat 1 of item 'q0': leave one out;"
            " of several models name the column, --model",
        ),
        (
            ("--grade", "score", "--item", "passage", "--groups", "question"),
            "column question: item 0 is in group 'q0' in row 1 and 'q1' in row 7: an item has one group",
        ),
        (("--grade", "score", "--item", "question", "--rows", "question"), "so --rows has no place beside it"),
        (("--grade", "score", "--item", "question", "--weights", "stars"), "so --weights has no place beside it"),
        (("--grade", "score", "--item", "question", "--loss", "stars"), "so --loss has no place beside it"),
        (("--grade", "score", "--item", "question", "--labelled", "some"), "--labelled is of classes"),
    ],
)
def test_a_wrong_call_has_one_sentence(run, log, verb, words, says):
    result = run(verb, log, *words, *(("--out", "page.html") if verb == "report" else ()))
    assert result.exit_code == 2 and result.stderr.count("\n") == 1
    assert says in result.stderr


@pytest.mark.parametrize("cell", ["", "NA", "nan"])
def test_a_missing_grade_is_refused_or_dropped(run, said, here, cell):
    (here / "log.csv").write_text(f"q,grade\na,1\nb,{cell}\nc,3\nd,5\n")
    words = ("score", "log.csv", "--grade", "grade", "--item", "q")
    refused = run(*words)
    assert refused.exit_code == 2 and "row 2" in refused.stderr and "--missing drop" in refused.stderr
    found = said(*words, "--missing", "drop", "mean")
    assert found["rows"] == 3 and found["scores"]["mean"]["value"] == 3


def test_items_that_a_model_lacks(run, said, here, log):
    (here / "some.jsonl").write_text("".join((here / log).read_text().splitlines(keepends=True)[:-3]))
    words = ("compare", "some.jsonl", *OF_LOG)
    refused = run(*words)
    assert refused.exit_code == 2
    assert "model new lacks 1 of 12 items ('q11'): models are paired by item" in refused.stderr
    assert "--missing drop" in refused.stderr
    assert any(
        "1 of 12 items are not there for every model" in note["says"]
        for note in said(*words, "--missing", "drop")["notes"]
    )
