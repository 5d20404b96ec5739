"""Files as people hold them: long form, ready-made columns, missing cells, per cent, decimal commas."""

import json

import pytest

LOG = "question,passage,model,correct,nll\n" + "".join(
    f"q{item},p{item // 4},{model},{int((item * 7 + shift) % 10 > wrong)},{1 + (item * 3 + shift) % 7 / 8}\n"
    for item in range(40)
    for shift, (model, wrong) in enumerate({"gpt": 2, "claude": 1}.items())
)
CONTRACT = (
    "compare",
    "log.csv",
    "--model",
    "model",
    "--rows",
    "question",
    "--correct",
    "correct",
    "--groups",
    "passage",
)


@pytest.fixture
def log(here):
    (here / "log.csv").write_text(LOG, "utf-8")
    return here


def sentence(run, *words):
    result = run(*words)
    assert result.exit_code == 2, result.output
    assert result.stderr.count("\n") == 1
    return result.stderr.removeprefix("error: ").strip()


def test_a_log_of_items_and_models_is_compared(log, said):
    found = said(*CONTRACT)
    assert (found["score"], found["a"], found["b"], found["groups"]) == ("error", "gpt", "claude", 10)
    wrong = {name: [line for line in LOG.splitlines() if f",{name},0," in line] for name in ("gpt", "claude")}
    assert found["difference"] == pytest.approx((len(wrong["gpt"]) - len(wrong["claude"])) / 40)
    accuracy = said(*CONTRACT, "accuracy")
    assert accuracy["difference"] == pytest.approx(-found["difference"])
    assert accuracy["p_value"] == pytest.approx(found["p_value"])


def test_losses_are_scored_by_their_mean(log, said):
    found = said("score", "log.csv", "--model", "model", "--rows", "question", "--loss", "nll")
    losses = [float(line.split(",")[4]) for line in LOG.splitlines()[1:] if ",gpt," in line]
    row = found["models"]["gpt"]["scores"]["mean"]
    assert row["value"] == pytest.approx(sum(losses) / 40)
    assert row["better"] == "lower"
    assert (found["rows"], found["classes"], found["positive"]) == (40, None, None)
    pair = said("compare", "log.csv", "--model", "model", "--rows", "question", "--loss", "nll")
    assert (pair["score"], pair["using"]) == ("mean", "paired_loss_t")


def test_columns_of_right_and_wrong_in_a_wide_file(here, said, run):
    (here / "wide.csv").write_text("id,a,b\n" + "".join(f"{k},{k % 3 > 0},{k % 5 > 0}\n" for k in range(60)), "utf-8")
    found = said("score", "wide.csv", "--correct", "a", "--correct", "b", "error")
    assert found["models"]["a"]["scores"]["error"]["value"] == pytest.approx(1 / 3)
    pair = said("compare", "wide.csv", "--correct", "a", "--correct", "b", "--using", "mcnemar")
    assert (pair["n01"], pair["n10"]) == (16, 8)
    assert "60 rows, right or wrong" in run("score", "wide.csv", "--correct", "a").stdout
    assert sentence(run, "score", "wide.csv", "--correct", "a", "auc") == (
        "auc cannot be had from right and wrong rows alone: error and accuracy can"
    )
    assert "so --truth has no place beside it" in sentence(run, "score", "wide.csv", "--correct", "a", "--truth", "b")
    assert "--correct is neither" in sentence(run, "curve", "wide.csv", "--correct", "a")


def test_slices_of_a_log_are_found_by_the_items(log, said):
    found = said(
        "score", "log.csv", "--model", "model", "--rows", "question", "--correct", "correct", "--slices", "passage"
    )
    assert len(found["slices"] if "slices" in found else found["models"]) > 1
    pairs = said(*CONTRACT[:-2], "--slices", "passage", "error")
    assert {row["data"] for row in pairs["comparisons"]} <= {f"p{k}" for k in range(10)}


def test_models_without_some_rows_and_the_way_on(log, run, said):
    (log / "log.csv").write_text(LOG.replace("q3,p0,gpt", "q99,p0,gpt"), "utf-8")
    assert sentence(run, *CONTRACT) == (
        "model gpt lacks 1 of 41 rows ('q3'), model claude lacks 1 of 41 rows ('q99'): all models must predict the same"
        " rows; to leave out rows that not all have, give --missing drop"
    )
    found = said(*CONTRACT, "--missing", "drop")
    (note,) = [note for note in found["notes"] if note["code"] == "rows-left-out"]
    assert note["weight"] == "caution"
    assert note["says"].startswith("2 of 41 rows are not there for every model and were left out")


def test_different_rows_may_be_compared_as_shares_of_them(log, said, run):
    (log / "log.csv").write_text(
        "".join(line + "\n" for line in LOG.splitlines()[:-20] if ",gpt," not in line or "q1" not in line)
    )
    words = ("compare", "log.csv", "--model", "model", "--correct", "correct")
    assert "name --using two_proportion_z" in sentence(run, *words)
    found = said(
        "compare", "log.csv", "--model", "model", "--rows", "question", "--correct", "correct", "--missing", "drop"
    )
    assert found["using"] == "mcnemar_midp"


def test_rows_with_missing_cells_are_refused_with_the_way_out_or_left_out_and_counted(here, run, said):
    rows = (here / "preds.csv").read_text("utf-8").replace("3,spam,0.7", "3,spam,").replace("6,ham,0.1", "6,,0.1")
    (here / "preds.csv").write_text(rows, "utf-8")
    words = ("score", "preds.csv", "--truth", "y", "--proba", "p", "--positive", "spam", "error")
    assert sentence(run, *words) == (
        "preds.csv, column y: row 6 has no value; fill it in or leave such rows out, --missing drop;"
        " where nobody knows it, --labelled some"
    )
    found = said(*words, "--missing", "drop")
    assert found["rows"] == 6
    assert found["notes"][0]["says"] == "error: preds.csv: 2 of 8 rows have missing cells (y 1, p 1) and were left out"
    assert "caution: " in run(*words, "--missing", "drop").output
    whole = said("score", "preds.csv", "--truth", "yhat", "--label", "other", "--missing", "drop", "error")
    assert whole["rows"] == 8  # only columns that are used count


def test_words_for_missing_numbers(here, run, said):
    (here / "r.csv").write_text("y,p\na,0.2\nb,NA\nb,0.7\na,0.4\n", "utf-8")
    words = ("score", "r.csv", "--truth", "y", "--proba", "p", "--positive", "b", "error")
    assert sentence(run, *words) == (
        "r.csv, column p: row 2 has no value; fill it in or leave such rows out, --missing drop"
    )
    assert said(*words, "--missing", "drop")["rows"] == 3


@pytest.mark.parametrize(
    ("cells", "offer", "options"),
    [
        (("93 %", "20%", "55.5 %", "7 %"), "row 1 holds '93 %': if that is per cent, give --percent", ["--percent"]),
        (
            ("0,93", "0,2", "0,555", "0,07"),
            "row 1 holds '0,93': if that is a number with a decimal comma",
            ["--decimal", ","],
        ),
        (
            ("93,0 %", "20,0%", "55,5 %", "7,0 %"),
            "row 1 holds '93,0 %': if that is per cent, give --percent and give --decimal ,",
            ["--percent", "--decimal", ","],
        ),
        (
            (93, 20, 55.5, 7),
            "row 1 is 93; probabilities must lie between 0 and 1: if these are per cent, give",
            ["--percent"],
        ),
    ],
)
def test_per_cent_and_decimal_commas_are_recognised_and_offered(here, run, said, cells, offer, options):
    lines = [f'{truth};"{cell}"' for truth, cell in zip("baba", cells, strict=True)]
    (here / "eu.csv").write_text("\n".join(["y;p", *lines]) + "\n", "utf-8")
    words = ("score", "eu.csv", "--truth", "y", "--proba", "p", "--positive", "b", "brier_half")
    assert sentence(run, *words).startswith(f"eu.csv, column p: {offer}")
    chances = [0.93, 0.2, 0.555, 0.07]
    expected = sum((chance - (truth == "b")) ** 2 for truth, chance in zip("baba", chances, strict=True)) / 4
    assert said(*words, *options)["scores"]["brier_half"]["value"] == pytest.approx(expected, abs=1e-15)


def test_signs_that_come_and_go_are_not_guessed_at(here, run):
    (here / "eu.csv").write_text("y,p\na,93 %\nb,0.2\n", "utf-8")
    words = ("score", "eu.csv", "--truth", "y", "--proba", "p", "--positive", "b", "--percent")
    assert sentence(run, *words) == (
        "eu.csv, column p: row 2 holds '0.2' without a % sign, and others have one: make them alike"
    )
    (here / "eu.csv").write_text('y,p\na,"0,9"\nb,0.2\n', "utf-8")
    words = ("score", "eu.csv", "--truth", "y", "--proba", "p", "--positive", "b", "--decimal", ",")
    assert "row 2 holds '0.2', which is not a number with --decimal ," in sentence(run, *words)


def test_the_json_of_a_dropped_file_is_whole(here, said):
    (here / "r.csv").write_text("y,p\na,0.2\nb,\nb,0.7\na,0.4\n", "utf-8")
    found = said("score", "r.csv", "--truth", "y", "--proba", "p", "--positive", "b", "--missing", "drop")
    assert json.dumps(found, allow_nan=False)


def test_dotted_paths_into_nested_lines(here, said, run):
    lines = [
        {
            "doc": {"id": k, "target": "ab"[k % 2]},
            "answer": "ab"[k % 3 % 2],
            "metrics": {"acc": float(k % 3 > 0)},
            "resps": [k],
        }
        for k in range(30)
    ]
    (here / "log.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    found = said("score", "log.jsonl", "--correct", "metrics.acc", "--groups", "doc.id", "accuracy")
    assert found["scores"]["accuracy"]["value"] == pytest.approx(2 / 3)
    wrong = sum(line["doc"]["target"] != line["answer"] for line in lines)
    found = said("score", "log.jsonl", "--truth", "doc.target", "--label", "answer", "error")
    assert found["scores"]["error"]["value"] == pytest.approx(wrong / 30)
    assert sentence(run, "score", "log.jsonl", "--correct", "resps.0").startswith(
        "log.jsonl, column resps.0: resps holds a list; a path names one value in each row"
    )


def test_parts_of_one_table_and_one_file_for_each_model(here, said, run):
    head, *lines = (here / "preds.csv").read_text("utf-8").splitlines()
    (here / "one.csv").write_text("\n".join([head, *lines[:3]]) + "\n", "utf-8")
    (here / "two.csv").write_text("\n".join([head, *lines[3:]]) + "\n", "utf-8")
    words = ("--truth", "y", "--proba", "p", "--positive", "spam", "auc")
    assert (
        said("score", "one.csv", "two.csv", "--parts", *words)["scores"] == said("score", "preds.csv", *words)["scores"]
    )
    assert sentence(run, "score", "one.csv", "two.csv", *words) == (
        "two.csv has 5 rows, but one.csv has 3: name a column of row ids (--rows) to join them; files that are parts of"
        " one table are read by --parts"
    )


def test_files_of_a_long_table_are_its_parts(log, said):
    head, *lines = LOG.splitlines()
    for model in ("gpt", "claude"):
        (log / f"{model}.csv").write_text("\n".join([head, *(line for line in lines if f",{model}," in line)]) + "\n")
    found = said("compare", "gpt.csv", "claude.csv", *CONTRACT[2:])
    assert {**found, "notes": 0} == {**said(*CONTRACT), "notes": 0}


def test_rank_takes_several_files(here, said, run):
    for number, learner in enumerate(("nb", "tree", "knn")):
        lines = [f"data{k},{(k * 7 + number * 3) % 11}\n" for k in range(6)]
        (here / f"{learner}.csv").write_text("dataset,accuracy\n" + "".join(lines), "utf-8")
    found = said("rank", "nb.csv", "tree.csv", "knn.csv", "--score", "accuracy")
    assert (found["learners"], found["datasets"]) == (["nb", "tree", "knn"], 6)
    assert said("rank", "[knt]*.csv", "--score", "accuracy")["learners"] == ["knn", "nb", "tree"]
    assert sentence(run, "rank", "nb.csv", "nb.csv") == "nb.csv is named twice: name each file once"
    assert run("rank").exit_code == 2


@pytest.mark.parametrize(
    ("rows", "words", "line"),
    [
        (None, ("score", "preds.csv"), "--truth y --proba p --positive spam"),
        (None, ("score", "preds.csv", "auc", "--proba", "p"), "auc --truth y --proba p --positive spam"),
        (None, ("score", "preds.csv", "--truth", "y"), "--truth y --proba p --positive spam"),
        (None, ("curve", "preds.csv", "--value", "s"), "--truth y --value s --positive spam"),
        (LOG, ("score", "f.csv"), "--correct correct --model model --rows question"),
        ("id,gold,a answer\n1,x,x\n2,y,x\n3,x,y\n", ("score", "f.csv"), "--truth gold --label 'a answer'"),
        ("y,yhat\n" + "".join(f"{k}.5,{k + 1}\n" for k in range(40)), ("score", "f.csv"), "--truth y --number yhat"),
        (
            "kind,p_a,p_b,p_c\na,0.5,0.2,0.3\nb,0.5,0.2,0.3\nc,0.5,0.2,0.3\na,0.5,0.2,0.3\n".replace("kind", "class"),
            ("score", "f.csv"),
            "--truth class --proba a=p_a --proba b=p_b --proba c=p_c",
        ),
        (
            '{"doc": {"id": 1, "target": 0, "o": [1]}, "pred": 0}\n{"doc": {"id": 2, "target": 1}, "pred": 0}\n',
            ("score", "f.jsonl"),
            "--truth doc.target --label pred",
        ),
        (
            "customer,churned,score\nc1,no,0.2\nc2,yes,0.7\nc3,no,0.4\n",
            ("score", "f.csv"),
            "--truth churned --proba score --positive yes",
        ),
    ],
)
def test_a_missing_truth_lists_the_columns_with_a_line_to_paste(here, run, rows, words, line):
    if rows is not None:
        (here / words[1]).write_text(rows, "utf-8")
    says = sentence(run, *words)
    head, _, guess = says.partition("; perhaps: ")
    assert "COLUMN" in head and f"; {words[1]} has '" in head
    assert guess == f"veracity {words[0]} {words[1]} {line}"
    import shlex

    pasted = run(*shlex.split(guess)[1:])
    assert pasted.exit_code == 0, pasted.output


def test_a_guess_looks_past_missing_cells(here, run):
    (here / "f.csv").write_text("label,prob\n0,NA\n1,0.9\n0,0.2\n1,\n0,0.4\n1,0.7\n", "utf-8")
    assert sentence(run, "score", "f.csv").endswith("veracity score f.csv --truth label --proba prob --positive 1")


def test_what_cannot_be_guessed_is_not(here, run):
    (here / "f.csv").write_text("a,b\n1.5,u\n2.5,v\n", "utf-8")
    assert sentence(run, "score", "f.csv") == "name the column with the truth, --truth COLUMN; f.csv has 'a', 'b'"
    assert sentence(run, "score", "not.csv").startswith("there is no file not.csv")
    (here / "torn.csv").write_text('y,p\n1,"2\n', "utf-8")
    assert sentence(run, "score", "torn.csv") == "name the column with the truth, --truth COLUMN"


def test_a_guess_reads_the_beginning_of_any_format(here, run):
    pandas = pytest.importorskip("pandas")
    table = pandas.read_csv(here / "preds.csv")
    table.to_parquet(here / "f.parquet")
    (here / "f.arff").write_text("@relation r\n@attribute y {a,b}\n@attribute yhat {a,b}\n@data\na,b\nb,b\n", "utf-8")
    assert sentence(run, "score", "f.parquet").endswith("veracity score f.parquet --truth y --proba p --positive spam")
    assert sentence(run, "score", "f.arff").endswith("veracity score f.arff --truth y --label yhat")
