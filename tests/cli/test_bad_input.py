"""Bad input ends with status 2 and one sentence that names the place; never a traceback, never a silent zero."""

import re

import pytest

CSV = "y,p,yhat\n"
GOOD = "1,.9,1\n0,.2,0\n1,.6,0\n"
PROBA = ("--truth", "y", "--proba", "p", "--positive", "1")
LABEL = ("--truth", "y", "--label", "yhat")
CASES = {
    "a column that is not there": (CSV + GOOD, ("--truth", "Y", "--label", "yhat"), r"f\.csv has no column 'Y'.*'y'"),
    "several columns in one": (
        "y,a,b,c\nA,.8,.1,.1\nB,.1,.8,.1\nC,.1,.1,.8\n",
        ("--truth", "y", "--proba", "a,b,c"),
        r"no column 'a,b,c', which are 3 in one: name each by itself.* give --proba CLASS=COLUMN for each class",
    ),
    "several classes in one": (
        "y,a,b,c\nA,.8,.1,.1\nB,.1,.8,.1\nC,.1,.1,.8\n",
        ("--truth", "y", "--proba", "A=a,B=b,C=c"),
        r"no column 'a,B=b,C=c', which are 3 in one: .* give --proba CLASS=COLUMN for each class",
    ),
    "NaN": (CSV + GOOD + "0,nan,0\n", PROBA, r"f\.csv, column p.*row 4"),
    "infinite": ("y,s\n1,inf\n0,1\n", ("--truth", "y", "--value", "s", "--positive", "1"), r"f\.csv, column s.*row 1"),
    "an empty cell": (CSV + GOOD + "0,,0\n", PROBA, r"f\.csv, column p.*row 4"),
    "a word for a number": (CSV + GOOD + "0,high,0\n", PROBA, r"f\.csv, column p.*row 4.*'high'"),
    "probabilities above 1": (CSV + GOOD + "0,1.5,0\n", PROBA, r"f\.csv, column p: row 4.*between 0 and 1"),
    "probabilities below 0": (CSV + "0,-.5,0\n" + GOOD, PROBA, r"f\.csv, column p: row 1.*between 0 and 1"),
    "probabilities that do not sum to 1": (
        "y,a,b\n0,.5,.5\n1,.5,.6\n",
        ("--truth", "y", "--proba", "0=a", "--proba", "1=b"),
        r"f\.csv, columns a, b: row 2 sums to 1\.1",
    ),
    "one class only": (CSV + "1,.9,1\n1,.8,1\n", LABEL, r"f\.csv, column y.*only the class 1"),
    "no rows": (CSV, LABEL, r"f\.csv.*no rows"),
    "an empty file": ("", LABEL, r"f\.csv is empty"),
    "a positive class that does not exist": (
        CSV + GOOD,
        ("--truth", "y", "--proba", "p", "--positive", "2"),
        r"positive class 2 does not occur: f\.csv, column y",
    ),
    "a label never seen": (CSV + GOOD + "7,.5,1\n", (*LABEL, "--classes", "0,1"), r"f\.csv, column y: row 4 holds 7"),
    "weights of zero": ("y,yhat,w\n1,1,1\n0,0,0\n", (*LABEL, "--weights", "w"), r"f\.csv, column w: row 2 is 0"),
    "repeats that are not whole": ("y,yhat,w\n1,1,1\n0,0,.5\n", (*LABEL, "--counts", "w"), r"f\.csv, column w"),
    "lines of different lengths": (CSV + "1,.5\n0,.5,1,1\n", LABEL, r"f\.csv.*(row|line) [12]"),
    "a cell of ten million characters": (CSV + GOOD + f"{'x' * 10_000_001},.5,1\n", LABEL, r"f\.csv.*characters"),
}


def check(result, says):
    assert result.exit_code == 2, (result.stdout, result.stderr, result.exception)
    assert result.stdout == ""
    assert re.fullmatch(r"error: [^\n]+\n", result.stderr), result.stderr
    assert re.search(says, result.stderr), result.stderr
    assert "Traceback" not in result.stderr and len(result.stderr) < 600


@pytest.mark.parametrize("case", CASES)
def test_a_file_that_is_wrong(run, here, case):
    content, words, says = CASES[case]
    (here / "f.csv").write_text(content)
    check(run("score", "f.csv", *words), says)
    check(run("score", "f.csv", *words, "--json"), says)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("broken.parquet", b"PAR1 this is no parquet file PAR1"),
        ("text.parquet", b"y,p\n1,2\n"),
        ("broken.arff", b"@relation x\n@attribute y {a,b}\n@attribute yhat {a,b}\n@data\na,b\na,c\n"),
        ("broken.csv.gz", b"\x1f\x8b\x08\x00garbage"),
        ("plain.csv.gz", b"y,yhat\n1,1\n"),
        ("broken.jsonl", b'{"y": 1, "yhat": 1}\n{"y": 0, "yh'),
        ("binary.csv", bytes(range(256))),
    ],
)
def test_a_broken_file(run, here, name, content):
    (here / name).write_bytes(content)
    check(run("score", name, *LABEL), re.escape(name))


def test_files_of_different_lengths(run, here):
    (here / "a.csv").write_text(CSV + GOOD)
    (here / "b.csv").write_text(CSV + GOOD + "1,.5,1\n")
    check(run("score", "a.csv", "b.csv", *LABEL), r"b\.csv has 4 rows, but a\.csv has 3")


def test_row_ids_that_do_not_match(run, here):
    (here / "a.csv").write_text("id,y,yhat\n1,0,0\n2,1,1\n")
    (here / "b.csv").write_text("id,y,yhat\n1,0,0\n3,1,1\n")
    check(run("score", "a.csv", "b.csv", *LABEL, "--rows", "id"), r"a\.csv.*b\.csv.*same rows")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("score",), "name a file of predictions"),
        (("score", "preds"), "'preds' is neither a file here nor a score"),
        (("score", "absent.csv", *LABEL), r"no file absent\.csv"),
        (("score", "pred.csv", *LABEL), r"no file pred\.csv: did you mean preds\.csv"),
        (("score", "*.parquet", *LABEL), r"no file matches \*\.parquet"),
        (("score", ".", *LABEL), "directory"),
        (("score", "preds.csv"), "--truth COLUMN"),
        (("score", "preds.csv", "--truth", "y"), "--label, --proba, --value or --number"),
        (("score", "preds.csv", "--truth", "y", "--proba", "p"), "--positive"),
        (("score", "preds.csv", *LABEL, "acuracy"), "did you mean accuracy"),
        (("score", "preds.csv", *LABEL, "fbeta(beta=x)"), "beta must be a number, not 'x'"),
        (("score", "preds.csv", *LABEL, "fbeta(2"), "cannot read"),
        (("score", "preds.csv", *LABEL, "fbeta(gamma=2)"), "no parameter 'gamma'"),
        (("score", "preds.csv", *LABEL, "auc"), "auc needs decision values"),
        (("score", "preds.csv", *LABEL, "cost"), "--costs FILE"),
        (("score", "preds.csv", *LABEL, "error", "--interval", "delong"), "delong"),
        (("score", "preds.csv", *LABEL, "--interval", "wilsn"), "did you mean wilson"),
        (("score", "preds.csv", *LABEL, "--level", "95"), "try 0.95"),
        (("score", "preds.csv", *LABEL, "--level", "high"), "'--level'"),
        (("score", "preds.csv", *LABEL, "--lable", "x"), "--label"),
        (("score", "preds.csv", *LABEL, "--costs", "absent.csv", "error"), r"absent\.csv cannot be read"),
        (("score", "preds.csv", *LABEL, "--costs", "preds.csv", "error"), r"preds\.csv is not a square cost matrix"),
        (("score", "preds.csv", *LABEL, "--slices", "nowhere"), "no column 'nowhere'"),
        (("score", "preds.csv", *LABEL, "--out", "card.docx"), r"\.docx.*one of \.html"),
        (("score", "preds.csv", *LABEL, "--out", "card"), "has no ending"),
        (("score", "preds.csv", *LABEL, "--out", "no/card.md"), "there is no folder no"),
        (("score", "preds.csv", "--truth", "y", "--label", "yhat", "--label", "yhat"), "twice"),
        (("score", "preds.csv", *LABEL, "--label", "other", "--value", "s"), "--label is given 2 times and --value 1"),
        (("score", "preds.csv", "--truth", "y", "--proba", "a=p", "--proba", "a=s"), "class twice"),
        (("curve",), "name a file"),
        (("curve", "preds.csv", "roc", *LABEL), "named by --kind"),
        (("curve", "preds.csv", *LABEL, "--kind", "rock"), "did you mean roc"),
        (("curve", "preds.csv", *LABEL, "--kind", "calibration"), "calibration needs probabilities"),
        (("curve", "preds.csv", *LABEL, "--out", "roc.gif"), r"\.gif.*one of \.png"),
        (("curve", "preds.csv", *LABEL, "--kind", "gain", "--level", ".9"), "takes no --level"),
        (("list", "metrics"), "'metrics' is not one of"),
        (("list", "intervals", "--needs", "proba"), "chooses among scores or curves"),
        (("explain",), "Missing argument 'WORDS...'"),
        (("explain", "auc", "--out", "auc.png"), r"\.png.*one of"),
        (("scor",), r"No such command 'scor'. Did you mean one of: 'score', 'export --scores'\?"),
        (("lab", "covrage"), r"No such command 'covrage'. Did you mean 'coverage'\?"),
        (("quince",), r"No such command 'quince' \(see veracity --help\)"),
    ],
)
def test_a_wrong_call(run, words, says):
    check(run(*words), says)


@pytest.mark.parametrize(
    ("matrix", "says"),
    [
        (",ham,spam\nham,0,1\nspam,5,x\n", "predicting spam for spam is 'x'"),
        (",ham,eggs\nham,0,1\neggs,5,0\n", r"name \['ham', 'eggs'\], but the classes are"),
        (",ham,spam\nham,0,1\nham,5,0\n", r"lines name \['ham', 'ham'\]"),
        ("0,1\n5,0\n", "not a square cost matrix"),
    ],
)
def test_costs_that_are_wrong(run, here, matrix, says):
    (here / "costs.csv").write_text(matrix)
    words = ("score", "preds.csv", "--truth", "y", "--label", "yhat", "--positive", "spam")
    check(run(*words, "--costs", "costs.csv"), says)
